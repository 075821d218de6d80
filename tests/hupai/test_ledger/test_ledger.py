"""Seats, rotation and what a confirmed hand comes to."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from hupai.games.settling.replay import PastHand, confirm_at_table
from hupai.games.settling.settle import settle_hand
from hupai.games.terms.confirmed import (
    RIICHI_STICK_POINTS,
    Confirmed,
    GameRules,
    GameState,
    HandResult,
    payments_differ,
    table_context,
)
from hupai.games.terms.state import HandEnding, TableState, next_state
from scoring.errors import InvalidRequest
from scoring.payments import Transfer
from scoring.rulebook.conventions import Rotation
from scoring.rules import system_named
from scoring.seats import Seat

WAIT = {"concealed": "123m456m789p23s55p", "winning_tile": "4s"}
SIDE_BET = Transfer(Seat.N, Seat.E, Decimal("0.5"), "bet")
BIG = {"concealed": "23m456m789p234s55p", "winning_tile": "1m"}


def house(rules: str = "riichi", **options: Any) -> GameRules:
    system = system_named(rules)
    return GameRules(system, options, system.conventions.rotation)


def settle(game: GameRules, before: TableState, confirmed: Confirmed) -> HandResult:
    return settle_hand(game, GameState(before), confirmed)


def request(
    seat: str, win: str = "discard", source: str | None = "W", tiles: Any = WAIT, **more: Any
) -> dict[str, Any]:
    context = {"seat": seat, "win": win, "from": None if win == "self_draw" else source, **more}
    return {**tiles, "context": context}


def won(*requests: dict[str, Any], **more: Any) -> Confirmed:
    return Confirmed("win", requests, **more)


@pytest.mark.parametrize(
    ("winners", "after"),
    [
        ((3,), TableState(Seat.S, 3, 4, 0, 1)),
        ((1,), TableState(Seat.S, 0, 1, 0, 1)),
        ((), TableState(Seat.S, 0, 1, 0, 1)),
    ],
)
def test_where_a_draw_ends_the_deal_only_a_win_keeps_it(winners: tuple[int, ...], after: TableState) -> None:
    """No system has this rotation by itself; those they have are recounted in whole games."""
    before = TableState(Seat.S, dealer=3, streak=3, counters=2, riichi_sticks=1)
    assert next_state(before, Rotation.WIN, 2, HandEnding(winners)) == after


@pytest.mark.parametrize(("wins", "dealer"), [(True, 1), (False, 0)])
def test_after_a_fourth_kong_the_dealer_does_not_stay(wins: bool, dealer: int) -> None:
    """Table of 2023: 莊家不再繼續連莊. A hand with four kongs that wins by its tiles keeps the deal."""
    kongs = [{"type": "kong_concealed", "tiles": tiles} for tiles in ("1111m", "2222p", "3333s", "6666z")]
    tiles = {"concealed": "4567p", "melds": kongs, "winning_tile": None if wins else "4p"}
    game = house("taiwanese", fourth_kong_wins=wins, values={"four_kongs": 8})
    assert settle(game, TableState(), won(request("E", "self_draw", tiles=tiles))).after.dealer == dealer


@pytest.mark.parametrize("bad", [{"dealer": 4}, {"streak": 0}, {"counters": -1}, {"riichi_sticks": 100}])
def test_impossible_tables_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(InvalidRequest, match=next(iter(bad))):
        TableState(**bad)


def test_the_table_tells_only_what_the_rules_read() -> None:
    state = TableState(Seat.S, 1, 3, 2, 1)
    assert table_context(house("riichi"), state) == {"round": "S", "counters": 2, "riichi_sticks": 1}
    assert table_context(house("hongkong"), state) == {"round": "S"}
    assert table_context(house("zungjung"), state) == {}


def test_what_the_players_say_goes_over_the_table() -> None:
    settled = settle(
        house(), TableState(counters=2, riichi_sticks=2), won(request("S", counters=0, riichi_sticks=1, riichi=True))
    )
    assert settled.by_account["1"] == 2000 + RIICHI_STICK_POINTS - RIICHI_STICK_POINTS
    assert settled.after.riichi_sticks == 2
    with pytest.raises(InvalidRequest, match="Only 1 riichi sticks"):
        settle(house(), TableState(), won(request("S", riichi_sticks=2, riichi=True)))


def test_a_winner_who_laid_a_stick_has_declared_riichi() -> None:
    listed = settle(house(), TableState(), won(request("S"), riichi=(Seat.S,)))
    said = settle(house(), TableState(), won(request("S", riichi=True)))
    double = settle(house(), TableState(), won(request("S", double_riichi=True), riichi=(Seat.S,)))
    assert listed.by_account == said.by_account
    assert listed.requests == said.requests
    assert "double_riichi" in {line["id"] for line in double.scores[0].to_json()["elements"]}
    with pytest.raises(InvalidRequest, match="says otherwise"):
        settle(house(), TableState(), won(request("S", riichi=False), riichi=(Seat.S,)))


def test_indicators_that_one_winner_names_lie_there_for_the_other() -> None:
    """The first winner's photo shows them; those underneath count for who declared riichi."""
    told = {"dora_indicators": ["1m"], "ura_indicators": ["1m"]}
    first, second, third = request("S", riichi=True, **told), request("N", riichi=True), request("N")
    apart = [settle(house(), TableState(), won(request(seat, riichi=True, **told))) for seat in "SN"]
    both = settle(house(), TableState(), won(first, second))
    assert [r["context"].get("ura_indicators") for r in both.requests] == [["1m"], ["1m"]]
    assert both.by_account["2"] == sum(one.by_account["2"] for one in apart)
    quiet = settle(house(), TableState(), won(first, third))
    by_seat = {r["context"]["seat"]: r["context"] for r in quiet.requests}
    assert by_seat["N"]["dora_indicators"] == ["1m"] and "ura_indicators" not in by_seat["N"]


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (request("N", source="E"), "agree on from"),
        (request("S"), "different seat"),
        (request("N", "self_draw"), "by self-draw"),
        (request("N", tiles=BIG), "same tile"),
        (request("N", "robbed_kong"), "agree on win"),
        (request("N", dora_indicators=["9p"]), "agree on dora_indicators"),
    ],
)
def test_winners_who_contradict_each_other(second: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        settle(house(), TableState(), won(request("S", dora_indicators=["1m"]), second))


def test_only_as_many_win_as_the_rules_allow() -> None:
    with pytest.raises(InvalidRequest, match="allows 1 winner"):
        settle(house("zungjung"), TableState(), won(request("S"), request("N")))
    hk = settle(house("hongkong"), TableState(), won(request("S"), request("N")))
    assert hk.by_account["2"] < 0 < min(hk.by_account["1"], hk.by_account["3"])


@pytest.mark.parametrize(
    ("rules", "confirmed", "paid"),
    [
        ("singapore", Confirmed("false_win", offender=Seat.S), (32, -96, 32, 32)),
        ("taiwanese", Confirmed("false_win", offender=Seat.S), (110, -330, 110, 110)),
        ("singapore", Confirmed("instant", seat=Seat.S, event="cat_and_rat"), (-2, 6, -2, -2)),
        ("hongkong", Confirmed("payment", transfers=(SIDE_BET,)), (Decimal("0.5"), 0, 0, Decimal("-0.5"))),
    ],
)
def test_penalties_and_instant_payments_do_not_move_the_seats(
    rules: str, confirmed: Confirmed, paid: tuple[Decimal | int, ...]
) -> None:
    settled = settle(house(rules), TableState(), confirmed)
    assert tuple(settled.by_account[str(n)] for n in range(4)) == paid
    assert settled.after == settled.before


@pytest.mark.parametrize(
    ("rules", "confirmed", "said"),
    [
        ("riichi", Confirmed("win"), "needs wins"),
        ("riichi", Confirmed("nonsense"), "outcome is one of"),
        ("riichi", Confirmed("payment"), "needs transfers"),
        ("riichi", Confirmed("false_win"), "needs offender"),
        ("singapore", Confirmed("instant"), "needs seat"),
        ("singapore", Confirmed("instant", seat=Seat.E, event="rain"), "No instant payment"),
        ("riichi", Confirmed("instant", seat=Seat.E, event="x"), "no instant payments"),
        ("hongkong", Confirmed("draw", ready=(Seat.E,)), "has no ready"),
        ("hongkong", won(request("S"), riichi=(Seat.S,)), "has no riichi"),
        ("riichi", Confirmed("draw", wins=(request("S"),)), "wins belongs to win"),
        ("riichi", Confirmed("draw", abortive=True, ready=(Seat.E,)), "nobody is paid"),
        ("riichi", won(request("S"), riichi=(Seat.S, Seat.S)), "once"),
        ("riichi", won({**request("S"), "rules": "hongkong"}), "played by Riichi"),
        ("riichi", won({**request("S"), "options": {"aka": 4}}), "leave options out"),
        ("riichi", won({"concealed": "1m"}), "context is an object"),
        ("riichi", won(request("S", source=None)), "whose tile"),
        ("riichi", won({**request("S"), "concealed": "11111m"}), "there are only four"),
        ("riichi", won(request("S"), next_state={"dealer": 9}), "dealer is 0 to 3"),
    ],
)
def test_what_makes_no_sense_is_refused(rules: str, confirmed: Confirmed, said: str) -> None:
    with pytest.raises(InvalidRequest, match=f"(?i){said}"):
        settle(house(rules), TableState(), confirmed)


def test_every_fault_is_named_with_its_place() -> None:
    with pytest.raises(InvalidRequest) as caught:
        settle(house(), TableState(), won(request("S", tiles={"concealed": "12x"}), request("N", "stolen")))
    fields = {f.field for f in caught.value.faults}
    assert {"wins[0].concealed", "wins[1].context.win"} <= fields


def test_the_players_may_overrule_the_rotation() -> None:
    settled = settle(
        house(), TableState(), won(request("S", riichi=True), next_state={"round": Seat.W, "dealer": 3, "counters": 4})
    )
    assert settled.after == TableState(Seat.W, 3, 1, 4)


def test_confirmed_payments_are_compared_exactly() -> None:
    settled = settle(house(), TableState(), won(request("S", riichi=True)))
    assert not payments_differ({"S": 2000, "W": "-2000", "pot": 0}, settled.payments)
    assert payments_differ({"S": 2000}, settled.payments)
    assert payments_differ({"S": "2000.0001", "W": -2000}, settled.payments)


@pytest.mark.parametrize(
    ("rules", "named", "now"),
    [
        ("riichi", {"wareme": "W"}, {"wareme": "S"}),
        ("riichi", {"liable": {"seat": "N", "kind": "daisangen"}}, {"liable": {"seat": "W", "kind": "daisangen"}}),
        ("zungjung", {"responsible": "W"}, {"responsible": "S"}),
        ("zungjung", {"responsible": "none"}, {"responsible": "none"}),
        (
            "zungjung",
            {"turn_discards": [{"seat": "S", "tile": "1z"}, {"seat": "W", "tile": "4s"}]},
            {"turn_discards": [{"seat": "E", "tile": "1z"}, {"seat": "S", "tile": "4s"}]},
        ),
        ("hangzhou", {"banker": "S"}, {"banker": "E"}),
        ("hangzhou", {"fed": {"S>W": 3, "E>N": 1}}, {"fed": {"E>S": 3, "N>W": 1}}),
    ],
)
def test_whoever_a_win_names_is_the_same_person_when_the_table_turns(
    rules: str, named: dict[str, Any], now: dict[str, Any]
) -> None:
    """An earlier hand was corrected, and the second player deals this one."""
    melds = [{"type": "pung", "tiles": ["1s", "1s", "1s"], "from": "N"}]
    said = {**request("S"), "melds": melds}
    past = PastHand(won(said), [{**said, "context": {**said["context"], **named}}], TableState())
    (win,) = confirm_at_table(house(rules), past, TableState(dealer=1)).wins
    assert win["context"] == {"seat": "E", "win": "discard", "from": "S", **now}
    assert win["melds"] == [{**melds[0], "from": "W"}]
