"""Whole games by chance, kept by the ledger and by a second, plain implementation of the game's rules.

A thousand games of each system: ``python -m tests.hupai.test_ledger.test_simulated_games 1000 [first seed]``.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pytest

from hupai.games.settling.ending import final_result
from hupai.games.settling.replay import PastHand, confirm_at_table
from hupai.games.settling.settle import settle_hand
from hupai.games.terms.confirmed import Confirmed, GameRules, GameState, HandResult
from hupai.games.terms.course import course_of
from hupai.games.terms.state import TableState
from scoring.errors import InvalidRequest
from scoring.rules import system_named, systems
from scoring.seats import Seat
from tests.hupai.test_ledger.game_maker import act_by_chance, course_by_chance, has_stick
from tests.hupai.test_ledger.plain_game import Act, PlainGame

pytestmark = pytest.mark.slow

MOST_ACTS = 60
SANMA = "riichi for three"


class Kept:
    """A game as the ledger keeps it."""

    def __init__(self, house: GameRules) -> None:
        self.house = house
        totals = {**{str(n): house.starting_points for n in range(house.players)}, "pot": Decimal(0)}
        self.standing = GameState(TableState(dealer=house.first_dealer, players=house.players), totals)
        self.played: list[tuple[PastHand, float]] = []

    def confirm(self, confirmed: Confirmed, seconds: float) -> HandResult:
        now = GameState(self.standing.state, self.standing.totals, self.standing.hands, seconds)
        settled = settle_hand(self.house, now, confirmed)
        before = self.standing.totals or {}
        totals = {account: total + settled.by_account[account] for account, total in before.items()}
        self.standing = GameState(settled.after, totals, self.standing.hands + confirmed.dealt_out)
        self.played.append((PastHand(confirmed, settled.requests, settled.before), seconds))
        return settled


def as_confirmed(act: Act, state: TableState) -> Confirmed:
    """What the players would confirm, who see where they sit."""

    def seats(players: Sequence[int]) -> tuple[Seat, ...]:
        return tuple(state.seat_of(p) for p in players)

    if act["kind"] == "draw":
        lists = {name: seats(act[name]) for name in ("ready", "riichi", "nagashi")}
        if act["nagashi"] and not set(act["riichi"]) <= set(act["ready"]):
            raise AssertionError("who declared is ready")
        return Confirmed("draw", **lists, abortive=act["abortive"])
    if act["kind"] == "false_win":
        return Confirmed("false_win", offender=state.seat_of(act["player"]), claim=act.get("claim", {}))
    if act["kind"] == "instant":
        return Confirmed("instant", seat=state.seat_of(act["player"]), event=act["event"])
    source = None if act["from"] is None else state.seat_of(act["from"]).value
    win = "self_draw" if source is None else "discard"
    asked = act.get("asked", {})
    wins = [
        {**act["hand"], "context": {"seat": state.seat_of(p).value, "win": win, "from": source, **asked}}
        for p in act["winners"]
    ]
    return Confirmed("win", tuple(wins), riichi=seats(act["riichi"]))


def begun(rules: str, by: random.Random) -> tuple[GameRules, PlainGame]:
    players, rules = (3, "riichi") if rules == SANMA else (4, rules)
    system = system_named(rules)
    said, start = course_by_chance(by, rules, players)
    course = course_of(said, system.conventions, system.conventions.rotation, start, players=players)
    first = by.randrange(players)
    options = {"singapore": {"min": 0}, "riichi": {"players": players}}.get(rules, {})
    house = GameRules(system, options, system.conventions.rotation, first, course, start)
    return house, PlainGame(rules, options, {**course.to_json(), "extension": course.extension}, start, first, players)


def full(rules: str, act: Mapping[str, Any]) -> dict[str, Any]:
    """An act with what these rules ask of it."""
    if act["kind"] == "win" and rules == "hangzhou":
        return {**act, "asked": {"indicator": "9s"}}
    if act["kind"] == "false_win" and rules == "hangzhou":
        return {**act, "claim": {"value": act["value"]}}
    return dict(act)


def same(kept: Kept, plain: PlainGame) -> None:
    state, totals = kept.standing.state, kept.standing.totals or {}
    assert [totals[str(n)] for n in range(plain.players)] == plain.points
    assert (state.dealer, state.streak, state.counters) == (plain.dealer, plain.streak, plain.counters)
    assert (state.round.turn, state.riichi_sticks, state.ended) == (plain.wind, plain.sticks, plain.over)
    assert totals["pot"] == 1000 * plain.sticks + plain.jackpot
    shares = final_result(kept.house, totals)
    assert [(s.place, s.score) for s in shares] == plain.settled()
    left = totals["pot"] if kept.house.course.sticks_left == "nobody" else 0
    assert sum(s.score for s in shares) == -left


def play(rules: str, seed: int) -> tuple[Kept, list[dict[str, Any]], PlainGame]:
    """One game, both ways at once, compared after every act."""
    by = random.Random(f"{rules} {seed}")
    house, plain = begun(rules, by)
    kept, acts, seconds = Kept(house), [], 0.0
    while plain.over is None and len(acts) < MOST_ACTS:
        seconds += by.randint(20, 600)
        act = {**full(rules, act_by_chance(by, plain)), "seconds": seconds}
        kept.confirm(as_confirmed(act, kept.standing.state), seconds)
        plain.play(act)
        acts.append(act)
        same(kept, plain)
    if plain.over is not None:
        with pytest.raises(InvalidRequest, match="The game is over"):
            kept.confirm(Confirmed("draw"), seconds)
    return kept, acts, plain


def why_refused(plain: PlainGame, act: Act) -> str | None:
    """Why an act of the game as it was cannot follow in the one that was mended, in the words of the refusal."""
    if plain.over is not None:
        return "The game is over"
    if not all(has_stick(plain, player) for player in act.get("riichi", ())):
        return "a riichi stick is 1000"
    # In Hangzhou a discard is won only by or from a banker who deals for the third time or more.
    claimed = plain.rules == "hangzhou" and act["kind"] == "win" and act["from"] is not None
    if claimed and (plain.streak < 3 or plain.dealer not in (act["from"], *act["winners"])):
        return "Not a valid win"
    return None


def mend(rules: str, seed: int) -> str:
    """An earlier act of the game becomes another one: what follows is settled again, as if it had always been so."""
    kept, acts, first = play(rules, seed)
    by = random.Random(f"mend {rules} {seed}")
    at = by.randrange(len(acts))
    house = kept.house
    plain = PlainGame(first.rules, first.options, first.course, first.start, first.first, first.players)
    mended = Kept(house)
    for number, (act, (past, seconds)) in enumerate(zip(acts, kept.played, strict=True)):
        state = mended.standing.state
        if number == at:
            other = {**full(rules, act_by_chance(by, plain)), "seconds": seconds}
            mended.confirm(as_confirmed(other, state), seconds)
            plain.play(other)
        elif (why := why_refused(plain, act)) is not None:
            with pytest.raises(InvalidRequest, match=why):
                mended.confirm(confirm_at_table(house, past, state), seconds)
            return "refused"
        else:
            mended.confirm(confirm_at_table(house, past, state), seconds)
            plain.play(act)
        same(mended, plain)
    return "settled again"


@pytest.mark.parametrize("rules", [*systems(), SANMA])
def test_games_by_chance_come_to_the_same(rules: str) -> None:
    ends = Counter(play(rules, seed)[2].over for seed in range(25))
    assert len(ends) > 2, ends


@pytest.mark.parametrize("rules", [*systems(), SANMA])
def test_games_come_to_the_same_after_a_correction(rules: str) -> None:
    assert "settled again" in {mend(rules, seed) for seed in range(15)}


def main(games: int, first: int) -> None:
    """Play so many games of each system, and mend each."""
    for rules in (*systems(), SANMA):
        ends: Counter[str] = Counter()
        mended: Counter[str] = Counter()
        acts = 0
        for seed in range(first, first + games):
            _, played, plain = play(rules, seed)
            acts += len(played)
            ends[plain.over or "still playing"] += 1
            mended[mend(rules, seed)] += 1
        print(f"{rules}: {games} games, {acts} acts, ended by {dict(ends)}; corrected: {dict(mended)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
