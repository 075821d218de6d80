"""Games by chance in two stores at once, the database and lists of JSON text: the ledger makes the same of both."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from hupai.basics.timestamps import format_time, parse_time
from hupai.ledger import amendments, entering
from hupai.ledger.beginning import NewGame, begin_game
from hupai.ledger.bodies import confirmed_body
from hupai.ledger.changes import again_json, change_json, changes_after
from hupai.ledger.entering import NewHand
from hupai.ledger.exchange import export_history, import_game
from hupai.ledger.expected_revision import ExpectedRevision
from hupai.ledger.game_json import history_json, whole_hand_json
from hupai.ledger.history import Amendment, Change, GameTerms, History, WholeHand
from hupai.ledger.state import TableState
from hupai.store.database import open_store
from hupai.store.play import amendments as sql_amendments
from hupai.store.play import games, hands
from scoring.errors import HupaiError
from scoring.rules import systems
from tests.hupai.store_builders import NAMES
from tests.hupai.test_ledger.game_maker import act_by_chance
from tests.hupai.test_ledger.plain_game import PlainGame
from tests.hupai.test_ledger.test_simulated_games import SANMA, as_confirmed, begun, full

BO = Amendment("Bo", "misheard")
STEPS = 9


class Lists:
    """A store that knows only "append these events to game X if its revision is N" and "read the events of game X".

    An event is JSON text: the change, and the hands and terms that it wrote.
    """

    def __init__(self) -> None:
        self.events: dict[str, list[str]] = {}

    def append(self, was: History | None, now: History) -> None:
        """Append what has happened to a game that was read as ``was``."""
        kept = self.events.setdefault(now.terms.id, [])
        assert len(kept) == (0 if was is None else was.revision + 1), "it has moved on"
        written = [hand for hand in now.hands if was is None or hand not in was.hands]
        event = {
            "terms": asdict(now.terms),
            "players": now.players,
            "hands": [asdict(hand) for hand in written],
            "changes": [asdict(change) for change in now.changes[len(kept) - 1 if kept else 0 :]],
        }
        kept.append(json.dumps(event, default=lambda v: format_time(v) if isinstance(v, datetime) else str(v)))

    def read(self, game_id: str) -> History:
        """Return the game that follows from its events."""
        hands: dict[int, WholeHand] = {}
        changes: list[Change] = []
        for text in self.events[game_id]:
            event = json.loads(text)
            for hand in event["hands"]:
                payments = {account: Decimal(amount) for account, amount in hand["payments"].items()}
                hands[hand["number"]] = WholeHand(**timed(WholeHand, hand) | {"payments": payments})
            changes += [Change(**timed(Change, change)) for change in event["changes"]]
        terms = timed(GameTerms, event["terms"])
        terms["starting_points"] = Decimal(terms["starting_points"])
        kept = tuple(hands[number] for number in sorted(hands))
        return History(GameTerms(**terms), tuple(event["players"]), kept, tuple(changes))


def timed(kind: type[Any], plain: dict[str, Any]) -> dict[str, Any]:
    """The fields of a kind, its times as such."""
    times = {f.name for f in fields(kind) if str(f.type).startswith("datetime")}
    return {name: parse_time(value) if name in times and value else value for name, value in plain.items()}


class Clock:
    """The time that both stores are told."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 31, 20, tzinfo=UTC)

    def __call__(self, _: object = None) -> datetime:
        return self.time


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder: Path = tmp_path_factory.mktemp("two")
    opened = open_store(f"sqlite:///{folder / 'hupai.db'}")
    yield opened
    opened.dispose()


Told = dict[str, Any] | tuple[type[HupaiError], str, str]


def told(act: Callable[[], dict[str, Any]]) -> Told:
    """What a store answers: JSON, or the refusal."""
    try:
        return json.loads(json.dumps(act()))
    except HupaiError as error:
        return type(error), error.code, str(error.message)


class Both:
    """One game in both stores."""

    def __init__(self, engine: Engine, clock: Clock, new: NewGame) -> None:
        self.engine, self.clock, self.lists = engine, clock, Lists()
        self.id = games.create_game(engine, new)["id"]
        self.lists.append(None, begin_game(new, self.id, clock()))

    @property
    def history(self) -> History:
        return self.lists.read(self.id)

    def change(
        self, act: Callable[[History], History], shown: Callable[[History], dict[str, Any]], sql: Callable[[], Any]
    ) -> Told:
        """Do the same in both stores; return what both say."""

        def change_lists() -> dict[str, Any]:
            was = self.history
            now = act(was)
            if now is not was:
                self.lists.append(was, now)
            return shown(now)

        said = told(change_lists)
        assert told(sql) == said
        return said

    def same(self) -> None:
        """Both show the same game, hands, changes and file; from the file comes the same game."""
        kept = self.history
        game, hands_kept = games.all_hands(self.engine, self.id)
        told_by_lists = {**history_json(kept, 0), "history": export_history(kept)}
        assert json.loads(json.dumps(game)) == json.loads(json.dumps(told_by_lists))
        assert json.loads(json.dumps(hands_kept)) == [
            {**json.loads(json.dumps(whole_hand_json(hand))), "totals": hand.totals} for hand in kept.hands
        ]
        changes = {"revision": kept.revision, "changes": changes_after(kept, 0)}
        assert games.list_changes(self.engine, self.id, 0) == json.loads(json.dumps(changes))
        if kept.revision:
            last = json.loads(json.dumps(change_json(kept, kept.revision)))
            assert games.get_change(self.engine, self.id, kept.revision) == last
        read = import_game(json.loads(json.dumps({"format": 1, **game})))
        assert json.dumps(history_json(read)) == json.dumps(history_json(kept))
        assert read.state == kept.state


def amended(now: History) -> dict[str, Any]:
    return {"game": history_json(now), "settled_again": again_json(now.changes[-1].settled_again)}


def follow(plain: PlainGame, history: History) -> None:
    """Let a plain game, by which acts are made up, stand where the game does."""
    state, totals = history.state, history.terms.totals_after(history.last)
    plain.points = [totals[str(n)] for n in range(plain.players)]
    plain.dealer, plain.streak, plain.counters = state.dealer, state.streak, state.counters
    plain.wind, plain.sticks, plain.over = state.round.turn, state.riichi_sticks, None


def step(both: Both, plain: PlainGame, by: Random, rules: str) -> str:
    """Something happens at the table; returns what."""
    history, at, engine, game = both.history, both.clock(), both.engine, both.id
    what = by.choice(["enter"] * 5 + ["undo", "correct", "correct", "withdraw", "restore", "end", "reopen"])
    number = by.randint(1, max(history.next_number - 1, 1))
    seen = ExpectedRevision(history.revision - by.choice([0, 0, 0, 0, 1])) if history.revision else None
    if what in ("enter", "correct"):
        follow(plain, history)
        there = what == "correct" and number < history.next_number
        state = TableState.from_json(history.hand(number).before) if there else history.state
        confirmed = as_confirmed(full(rules, act_by_chance(by, plain)), state)
        key = f"k{by.randint(1, 40)}" if what == "enter" else None
        record = NewHand(confirmed, confirmed_body(confirmed), key, seen=seen, by=by.choice([None, "Bo"]))
    if what == "enter":
        trial = told(lambda: entering.try_hand(history, record, at))
        assert told(lambda: hands.try_hand(engine, game, record)) == trial

        def shown(now: History) -> dict[str, Any]:
            again = now.revision == history.revision
            return {"all": [whole_hand_json(entering.entered_hand(now, record)), history_json(now), again]}

        both.change(
            lambda was: entering.enter_hand(was, record, at),
            shown,
            lambda: {"all": hands.record_hand(engine, game, record)},
        )
    elif what == "undo":
        both.change(
            lambda was: entering.undo_hand(was, number, at, seen, "Bo"),
            history_json,
            lambda: hands.undo_hand(engine, game, number, None, seen, "Bo"),
        )
    elif what == "correct":
        trial = told(lambda: amendments.try_correction(history, number, record))
        assert told(lambda: sql_amendments.try_correction(engine, game, number, record)) == trial
        both.change(
            lambda was: amendments.correct_hand(was, number, record, BO, at),
            lambda now: {"hand": whole_hand_json(now.hand(number)), **amended(now)},
            lambda: sql_amendments.correct_hand(engine, game, number, record, BO),
        )
    elif what in ("withdraw", "restore"):
        both.change(
            lambda was: getattr(amendments, f"{what}_hand")(was, number, BO, at, seen),
            amended,
            lambda: getattr(sql_amendments, f"{what}_hand")(engine, game, number, BO, seen),
        )
    else:
        course = by.choice([{}, {"ties": "seat"}] if what == "end" else [{}, {"hands": 40}])
        both.change(
            lambda was: getattr(amendments, f"{what}_game")(was, course, BO, at, seen),
            history_json,
            lambda: getattr(sql_amendments, f"{what}_game")(engine, game, course, BO, seen),
        )
    return what


@pytest.mark.parametrize("rules", [*systems(), SANMA])
@settings(max_examples=3, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(by=st.randoms())
def test_a_list_of_events_keeps_a_game_as_well_as_the_database(engine: Engine, rules: str, by: Random) -> None:
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        for module in ("games", "hands", "histories"):
            patch.setattr(f"hupai.store.play.{module}.now_in", clock)
        house, plain = begun(rules, by)
        new = NewGame(
            players=NAMES[: house.players],
            system=house.system,
            options=house.options,
            rotation=house.rotation,
            start=TableState(dealer=house.first_dealer, players=house.players),
            first_dealer=house.first_dealer,
            starting_points=house.starting_points,
            course=house.course.to_json(),
        )
        both = Both(engine, clock, new)
        both.same()
        for _ in range(STEPS):
            clock.time += timedelta(milliseconds=by.randint(20_000, 600_000))
            step(both, plain, by, rules)
            both.same()
