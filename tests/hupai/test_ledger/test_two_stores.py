"""Games by chance in two stores at once, the database and JSON texts: the ledger makes the same of both."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from hupai.basics.ids import new_id
from hupai.games.apply import try_command
from hupai.games.commands import Command, ExpectedRevision, NewGame, NewHand
from hupai.games.exchange import export_game, export_history, import_game
from hupai.games.figures import tally_figures
from hupai.games.game_json import changes_after, history_json
from hupai.games.games import Games
from hupai.games.history import CORRECTED, ENDED, RECORDED, REOPENED, RESTORED, UNDONE, WITHDRAWN, Amendment, History
from hupai.games.json_store import JsonGames
from hupai.games.terms.agreed import agree
from hupai.games.terms.confirmed import confirmed_body
from hupai.games.terms.state import TableState
from hupai.store.database import open_store
from hupai.store.play.games import SqlGames
from hupai.web.answers.operations import take_over
from scoring.errors import HupaiError
from scoring.rules import systems
from tests.hupai.kept import Kept
from tests.hupai.store_builders import NAMES, payment
from tests.hupai.test_ledger.game_maker import act_by_chance
from tests.hupai.test_ledger.plain_game import PlainGame
from tests.hupai.test_ledger.test_simulated_games import SANMA, as_confirmed, begun, full

BO = Amendment("Bo", "misheard")
STEPS = 9
T = TypeVar("T")


class Clock:
    """The time that both stores are told."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 31, 20, tzinfo=UTC)

    def now(self, _: object = None) -> datetime:
        return self.time


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder: Path = tmp_path_factory.mktemp("two")
    opened = open_store(f"sqlite:///{folder / 'hupai.db'}", ())
    yield opened
    opened.dispose()


def told(act: Callable[[], Any]) -> Any:
    """What a store answers: JSON, or the refusal."""
    try:
        return json.loads(json.dumps(act()))
    except HupaiError as error:
        return type(error).__name__, error.code, str(error.message)


class Both:
    """One game in both stores."""

    id: str

    def __init__(self, engine: Engine, clock: Clock, new: NewGame) -> None:
        self.clock = clock
        self.sql, self.kept = SqlGames(engine), Kept()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("hupai.games.games.new_id", lambda: self.id)
            self.id = new_id()
            self.do(lambda games: history_json(games.create_game(new)))

    def in_texts(self, act: Callable[[Games], T]) -> T:
        """What is returned of the texts."""
        return self.kept.do(lambda texts: act(JsonGames(texts, self.clock.now())))

    def do(self, act: Callable[[Games], Any]) -> Any:
        """Do the same in both stores: both say the same, which is returned."""
        said = told(lambda: act(self.sql))
        assert told(lambda: self.in_texts(act)) == said
        return said

    @property
    def history(self) -> History:
        return self.in_texts(lambda games: games.read(self.id))

    @property
    def shown(self) -> dict[str, Any]:
        """All that both show of the game; from its file comes the same game."""
        kept = self.history
        game, hands = self.do(lambda games: export_game(games.read(self.id)))
        file = json.dumps({"history": export_history(kept)})
        read = import_game(json.loads(file))
        assert json.dumps({"history": export_history(read)}) == file
        assert json.dumps(history_json(read)) == json.dumps(history_json(kept))
        assert read.state == kept.state
        mine = lambda played: tally_figures(one for one in played if one.terms.id == self.id)  # noqa: E731
        self.do(lambda games: [asdict(one) for one in games.tally(mine)])
        return {"game": game, "hands": hands, "changes": self.do(lambda games: changes_after(games.read(self.id), 0))}

    def take_over(self, file: Any) -> Any:
        """Read the file in both; what they say."""
        return self.do(lambda games: take_over(games, json.dumps(file).encode()))

    def command(self, command: Command) -> None:
        """Do what a command says in both."""
        self.do(lambda games: [history_json(game) for game in games.do(self.id, command)])

    def forget(self) -> None:
        """Delete the game in both."""
        seen = ExpectedRevision(self.history.revision)
        self.do(lambda games: games.delete_game(self.id, seen))


def follow(plain: PlainGame, history: History) -> None:
    """Let a plain game, by which acts are made up, stand where the game does."""
    state, totals = history.state, history.terms.totals_after(history.last)
    plain.points = [totals[str(n)] for n in range(plain.players)]
    plain.dealer, plain.streak, plain.counters = state.dealer, state.streak, state.counters
    plain.wind, plain.sticks, plain.over = state.round.turn, state.riichi_sticks, None


def step(both: Both, plain: PlainGame, by: Random, rules: str) -> None:
    """Something happens at the table."""
    both.clock.time += timedelta(milliseconds=by.randint(20_000, 600_000))
    history = both.history
    what = by.choice([RECORDED] * 5 + [UNDONE, CORRECTED, CORRECTED, WITHDRAWN, RESTORED, ENDED, REOPENED])
    number = by.randint(1, max(history.next_number - 1, 1))
    seen = ExpectedRevision(history.revision - by.choice([0, 0, 0, 0, 1])) if history.revision else None
    if what in (RECORDED, CORRECTED):
        follow(plain, history)
        there = what == CORRECTED and number < history.next_number
        state = TableState.from_json(history.hand(number).before) if there else history.state
        confirmed = as_confirmed(full(rules, act_by_chance(by, plain)), state)
        key = f"k{by.randint(1, 40)}" if what == RECORDED else None
        hand = NewHand(confirmed, confirmed_body(confirmed), key)
        who = by.choice([None, Amendment("Bo", "")]) if what == RECORDED else BO
        command = Command(what, who, seen, number, hand)
        both.do(lambda games: try_command(games.read(both.id), command, games.now()))
    else:
        course = by.choice({ENDED: [{}, {"ties": "seat"}], REOPENED: [{}, {"hands": 40}]}.get(what, [{}]))
        command = Command(what, BO, seen, number, course=course)
    both.command(command)


@contextmanager
def begun_in_both(engine: Engine, rules: str, by: Random) -> Iterator[tuple[Both, PlainGame]]:
    """A game that begins in both stores, and the plain one."""
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        for module in ("games", "histories"):
            patch.setattr(f"hupai.store.play.{module}.now_in", clock.now)
        house, plain = begun(rules, by)
        agreed = agree(
            house.system.id,
            options=house.options,
            rotation=house.rotation.value,
            start={"dealer": house.first_dealer, "players": house.players},
            starting_points=house.starting_points,
            course=house.course.to_json(),
        )
        new = NewGame(NAMES[: house.players], agreed)
        yield Both(engine, clock, new), plain


by_chance = settings(
    max_examples=2,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("rules", [*systems(), SANMA])
@by_chance
@given(by=st.randoms())
def test_a_game_is_the_same_in_both_stores_and_comes_back_from_another_phone(
    engine: Engine, rules: str, by: Random
) -> None:
    """Whatever was done there since it went; what was done here meanwhile stays, and so does a game that is newer."""
    with begun_in_both(engine, rules, by) as (both, plain):
        states = [both.shown]
        for _ in range(STEPS):
            step(both, plain, by, rules)
            shown = both.shown
            states[both.history.revision :] = [shown]
        newest = states.pop()["game"]
        other = json.loads(json.dumps({"history": export_history(import_game(newest))}))
        assert both.take_over(other)["added"] == {"hands": 0, "changes": 0}, "another phone's file of the same"
        for before in by.sample(states, min(2, len(states))):
            older = before["game"]
            both.forget()
            both.take_over(older)
            both.clock.time += timedelta(minutes=1)
            added = both.take_over(newest)["added"]
            assert both.shown == shown
            assert added == {name: len(shown[name]) - len(before[name]) for name in ("hands", "changes")}
            assert both.take_over(newest)["added"] == {"hands": 0, "changes": 0}
            assert "is newer than this file" in both.take_over(older)[2]
            both.forget()
            both.take_over(older)
            both.command(Command(RECORDED, hand=payment(1)))
            both.command(Command(REOPENED, BO, course={"hands": 99}))
            if both.history.revision > len(before["changes"]):
                here = both.shown
                assert "part at hand" in both.take_over(newest)[2]
                assert both.shown == here
