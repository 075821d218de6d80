"""Games by presets of riichi: several winners, false wins, drawn hands, the end; each names rules, edition, section."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from hupai.games.apply import apply, begin_game
from hupai.games.commands import Command, NewGame
from hupai.games.history import RECORDED, UNDONE
from hupai.games.settling.ending import final_result
from hupai.games.settling.replay import PastHand, confirm_at_table
from hupai.games.settling.settle import settle_hand
from hupai.games.terms.agreed import agree
from hupai.games.terms.confirmed import Confirmed, GameRules, GameState
from hupai.games.terms.course import course_of
from hupai.games.terms.state import TableState
from scoring.errors import InvalidRequest
from scoring.payments import Transfer
from scoring.rules import preset_named
from scoring.seats import Seat
from tests.hupai.store_builders import NAMES
from tests.hupai.test_ledger.test_exchange import BEGUN, PINFU, later, said

WAIT = {"concealed": "123m456m789p23s55p", "winning_tile": "4s"}


def house(preset: str, **options: Any) -> GameRules:
    system, found = preset_named(preset)
    points, rotation = Decimal(found.points or 0), system.conventions.rotation
    return GameRules(
        system,
        {**found.options, **options},
        rotation,
        0,
        course_of(found.course, system.conventions, rotation, points, players=found.options.get("players", 4)),
        points,
    )


def standing(points: Sequence[int], **state: Any) -> GameState:
    table = TableState(**state)
    pot = 1000 * table.riichi_sticks
    return GameState(table, {**{str(n): Decimal(p) for n, p in enumerate(points)}, "pot": Decimal(pot)})


def won(*seats: str, source: str = "W", riichi: Sequence[Seat] = ()) -> Confirmed:
    context = {"win": "discard", "from": source}
    return Confirmed("win", tuple({**WAIT, "context": {**context, "seat": s}} for s in seats), riichi=tuple(riichi))


EVEN = (30_000,) * 4


@pytest.mark.parametrize("preset", ["wrc", "mleague"])
def test_only_the_nearest_wins(preset: str) -> None:
    """World Riichi Championship, 2015, 5.7.6: each hand can have only one winner; M.League's rules, as riichi.wiki."""
    with pytest.raises(InvalidRequest, match="nearest after the discarder wins alone"):
        settle_hand(house(preset), standing(EVEN), won("N", "S"))
    assert settle_hand(house(preset), standing(EVEN), won("N")).by_account["3"] == 1000


@pytest.mark.parametrize(("preset", "draws"), [("tenhou", True), ("mahjongsoul", False)])
def test_whether_three_winners_draw_the_hand(preset: str, draws: bool) -> None:
    """RiichiEnv (docs/RULES.md, sanchaho_is_draw): Tenhou pays nobody and the dealer stays; Mahjong Soul pays all."""
    before, three = standing(EVEN), won("N", "E", "S")
    if not draws:
        assert settle_hand(house(preset), before, three).by_account["2"] == -1500 - 2 * 1000
        return
    with pytest.raises(InvalidRequest, match="three who claim one tile draw the hand"):
        settle_hand(house(preset), before, three)
    assert settle_hand(house(preset), before, won("N", "E")).by_account["2"] == -1000 - 1500
    drawn = settle_hand(house(preset, abortive_draws=False), before, Confirmed("draw", abortive=True))
    assert set(drawn.by_account.values()) == {0}
    assert (drawn.after.dealer, drawn.after.counters) == (0, 1)


def test_a_house_may_let_the_nearest_two_win() -> None:
    """Double ron without triple ron (riichi.wiki, Multiple ron)."""
    two = house("mahjongsoul", winners="two")
    assert settle_hand(two, standing(EVEN), won("N", "E")).by_account["2"] == -1000 - 1500
    with pytest.raises(InvalidRequest, match="nearest two after the discarder win"):
        settle_hand(two, standing(EVEN), won("N", "E", "S"))


def test_a_counter_may_be_worth_more() -> None:
    """Fifteen hundred a counter, as in many parlours (場千五, https://github.com/MahjongRepository/mahjong/issues/25)."""
    dear = house("mahjongsoul", counter_points=1500)
    claimed = settle_hand(dear, standing(EVEN, counters=2), won("N"))
    assert (claimed.by_account["3"], claimed.by_account["2"]) == (1000 + 3000, -1000 - 3000)
    drawn = Confirmed("win", ({**WAIT, "context": {"win": "self_draw", "seat": "N"}},))
    paid = settle_hand(dear, standing(EVEN, counters=1), drawn).by_account
    usual = settle_hand(house("mahjongsoul"), standing(EVEN), drawn).by_account
    assert [paid[str(n)] - usual[str(n)] for n in range(4)] == [-500, -500, -500, 1500]


def test_a_false_win_may_cost_a_fixed_sum() -> None:
    """At the table in equal parts, or off after the placing; which sum is the house's."""
    false = Confirmed("false_win", offender=Seat.S)
    at_table = settle_hand(house("mahjongsoul", chombo_points=9000), standing(EVEN), false)
    assert at_table.by_account == {"0": 3000, "1": -9000, "2": 3000, "3": 3000, "pot": 0}
    after = house("ema", chombo_points=12_000)
    assert set(settle_hand(after, standing(EVEN), false).by_account.values()) == {0}
    assert (after.play.after_placing, house("ema").play.after_placing) == (12_000, 20_000)


def test_every_winner_is_paid_the_counters_and_takes_his_stick_back() -> None:
    """EMA, Rules for Japanese Mahjong, 2016, as riichi.wiki (Multiple ron) and Pantheon's ruleset ema tell them."""
    before = standing(EVEN, counters=2, riichi_sticks=1)
    hand = won("S", "N", riichi=(Seat.S, Seat.E))
    settled = settle_hand(house("ema"), before, hand)
    # North is the nearest: the stick that lay there and east's go to him; south, in riichi, has his own back.
    assert settled.by_account == {"0": -1000, "1": 2600, "2": -1600 - 2600, "3": 1600 + 2000, "pot": -1000}
    assert settled.after.riichi_sticks == 0
    first = settle_hand(house("tenhou"), before, hand)
    assert first.by_account == {"0": -1000, "1": 2000 - 1000, "2": -1600 - 2000, "3": 1600 + 3000, "pot": -1000}
    again_there = confirm_at_table(house("ema"), PastHand(hand, settled.requests, before.state), before.state)
    assert settle_hand(house("ema"), before, again_there).by_account == settled.by_account


def test_the_nearest_winner_has_his_own_stick_back_beside_those_that_lay_there() -> None:
    """EMA, as above: north, the nearest, is the one who declared."""
    hand = won("S", "N", riichi=(Seat.N,))
    settled = settle_hand(house("ema"), standing(EVEN, counters=2, riichi_sticks=1), hand)
    assert settled.by_account == {"0": 0, "1": 1600, "2": -1600 - 2600, "3": 2600 + 1000, "pot": -1000}
    assert settled.after.riichi_sticks == 0


@pytest.mark.parametrize("preset", ["ema", "wrc"])
def test_a_false_win_costs_twenty_thousand_after_the_placing(preset: str) -> None:
    """EMA 2016 and World Riichi Championship 2015, as Pantheon's rulesets ema and wrc: nothing is paid at the table."""
    game, before = house(preset), standing(EVEN, round=Seat.S, counters=1)
    settled = settle_hand(game, before, Confirmed("false_win", offender=Seat.S))
    assert set(settled.by_account.values()) == {0}
    assert settled.after == before.state  # the hand is played again
    totals = {"0": Decimal(20_000), "1": Decimal(45_000), "2": Decimal(30_000), "3": Decimal(25_000), "pot": Decimal(0)}
    shares = final_result(game, totals, (0, 20_000, 0, 0))
    assert [s.place for s in shares] == [4, 1, 2, 3]
    assert [s.penalty for s in shares] == [0, -20_000, 0, 0]
    assert [s.score for s in shares] == [-25_000, 15_000 + 15_000 - 20_000, 5_000, -10_000]


def test_false_wins_that_count_are_fined_when_the_game_is_over() -> None:
    agreed = agree("riichi", options={"chombo": "after_placing", "chombo_points": 20_000})
    game = begin_game(NewGame(NAMES, agreed), "0123456789ab", BEGUN)
    false = {seat: said({"outcome": "false_win", "offender": seat}) for seat in ("S", "W")}
    for hand in (false["S"], said({"outcome": "win", "wins": [PINFU]}), false["S"], false["W"]):
        game = apply(game, Command(RECORDED, hand=hand), later(5))
    game = apply(game, Command(UNDONE), later(6))
    assert game.fines == (0, 20_000, 20_000, 0), "the last one is taken back; the deal had moved on"


@pytest.mark.parametrize("preset", ["ema", "wrc"])
def test_no_draw_is_abortive_and_nagashi_is_not_paid(preset: str) -> None:
    """EMA 2016, 3.4 (a hand can end in two ways); World Riichi Championship 2015, 5.7; nagashi as Pantheon has them."""
    with pytest.raises(InvalidRequest, match="no hand is drawn early"):
        settle_hand(house(preset), standing(EVEN), Confirmed("draw", abortive=True))
    with pytest.raises(InvalidRequest, match="no nagashi mangan"):
        settle_hand(house(preset), standing(EVEN), Confirmed("draw", nagashi=(Seat.S,)))
    assert settle_hand(house("tenhou"), standing(EVEN), Confirmed("draw", nagashi=(Seat.S,))).by_account["1"] == 8000


def test_sticks_left_at_the_end_are_nobodys() -> None:
    """World Riichi Championship, 2015, as Pantheon's ruleset wrc of that time tells it."""
    totals = {**{str(n): Decimal(p) for n, p in enumerate((40_000, 30_000, 29_000, 19_000))}, "pot": Decimal(2_000)}
    assert [s.score for s in final_result(house("wrc"), totals)] == [25_000, 5_000, -6_000, -26_000]
    assert final_result(house("ema"), totals)[0].score == 27_000


@pytest.mark.parametrize(("preset", "ended"), [("tenhou", "dealer"), ("mahjongsoul", "dealer"), ("ema", None)])
def test_the_last_dealer_who_leads_ends_it_by_being_ready(preset: str, ended: str | None) -> None:
    """Tenhou, as Pantheon's ruleset tenhounet (the leading dealer ends it) and its players tell it: with 30,000.

    Mahjong Soul: RiichiEnv's tests/match_end.rs, from its records.
    """
    last = {"round": Seat.S, "dealer": 3}
    leads = standing((20_000, 25_000, 22_000, 33_000), **last)
    assert settle_hand(house(preset), leads, Confirmed("draw", ready=(Seat.E,))).after.ended == ended
    short = standing((24_000, 25_000, 24_000, 27_000), **last)  # ready alone, he has 30,000 after it
    assert settle_hand(house(preset), short, Confirmed("draw", ready=(Seat.E,))).after.ended == ended
    shared = Confirmed("draw", ready=(Seat.E, Seat.N))
    assert settle_hand(house(preset), short, shared).after.ended is None


def test_riichi_needs_the_points_for_a_stick_where_a_game_ends_without_points() -> None:
    """Tenhou and most tables: where a player below zero ends the game, nobody lays a stick he does not have."""
    poor = standing((25_000, 500, 25_000, 49_500))
    for hand in (won("S", riichi=(Seat.S,)), Confirmed("draw", riichi=(Seat.S,), ready=(Seat.S,))):
        with pytest.raises(InvalidRequest, match="S has 500 points: a riichi stick is 1000") as caught:
            settle_hand(house("tenhou"), poor, hand)
        assert [f.field for f in caught.value.faults] == ["riichi"]
        assert settle_hand(house("ema"), poor, hand).by_account["1"] > 0  # here he may owe
    enough = standing((25_000, 1000, 25_000, 49_000))
    drawn = settle_hand(house("tenhou"), enough, Confirmed("draw", riichi=(Seat.S,), ready=(Seat.S, Seat.E, Seat.N)))
    assert drawn.by_account["1"] == 0


SANMA = ("tenhou-sanma", "mahjongsoul-sanma")
PLAIN = {"concealed": "123p456p789p23s55p", "winning_tile": "4s"}
"""Pinfu and a straight, which three players can hold."""


def three(preset: str, points: Sequence[int] = (35_000,) * 3, **state: Any) -> tuple[GameRules, GameState]:
    return house(preset), standing(points, players=3, **state)


@pytest.mark.parametrize("preset", SANMA)
def test_three_players_take_turns(preset: str) -> None:
    """Nobody sits north: the deal goes east, south, west, and back to the first (riichi.wiki, Sanma)."""
    rules, now = three(preset)
    for dealer, wind, counters in ((1, "E", 1), (2, "E", 2), (0, "S", 3)):
        drawn = settle_hand(rules, now, Confirmed("draw"))
        now = GameState(drawn.after, now.totals)
        assert (now.state.dealer, now.state.round.value, now.state.counters) == (dealer, wind, counters)
    assert now.state.seats == {"E": 0, "S": 1, "W": 2}


@pytest.mark.parametrize("preset", SANMA)
def test_three_players_at_a_draw(preset: str) -> None:
    """RiichiEnv's tenpai_pool for three: 2000 in all; a nagashi mangan and a false win lack north's part."""
    rules, now = three(preset)
    paid = settle_hand(rules, now, Confirmed("draw", ready=(Seat.W,))).by_account
    assert paid == {"0": -1000, "1": -1000, "2": 2000, "pot": 0}
    mangan = settle_hand(rules, now, Confirmed("draw", nagashi=(Seat.S,))).by_account
    assert mangan == {"0": -4000, "1": 6000, "2": -2000, "pot": 0}
    false = settle_hand(rules, now, Confirmed("false_win", offender=Seat.E)).by_account
    assert false == {"0": -8000, "1": 4000, "2": 4000, "pot": 0}


@pytest.mark.parametrize("preset", SANMA)
def test_two_of_three_win_on_one_tile(preset: str) -> None:
    rules, now = three(preset, counters=1, riichi_sticks=1)
    wins = [{**PLAIN, "bonus": ["4z"], "context": {"win": "discard", "from": "W", "seat": seat}} for seat in "SE"]
    both = settle_hand(rules, now, Confirmed("win", tuple(wins)))
    # Pinfu, straight, kita: 4 han 30 fu; the dealer is next after west, and takes the counter's 200 and the stick.
    assert both.by_account == {"0": 11_600 + 200 + 1000, "1": 7700, "2": -11_600 - 200 - 7700, "pot": -1000}


@pytest.mark.parametrize("preset", SANMA)
@pytest.mark.parametrize(("leader", "over"), [(39_000, None), (41_000, "rounds")])
def test_three_play_on_until_somebody_has_40000(preset: str, leader: int, over: str | None) -> None:
    rules, now = three(preset, (leader, 66_000 - leader, 39_000), round=Seat.S, dealer=2)
    drawn = settle_hand(rules, now, Confirmed("draw"))
    assert (drawn.after.ended, drawn.after.round) == (over, Seat.W)
    assert settle_hand(rules, three(preset, (-100, 60_000, 45_100))[1], Confirmed("draw")).after.ended == "points"


@pytest.mark.parametrize(
    ("preset", "points", "scores"),
    [
        ("mahjongsoul", (5000, 45_000, 30_000, 20_000), (-35_000, 35_000, 10_000, -10_000)),
        ("mahjongsoul-sanma", (35_000, 50_000, 20_000), (0, 30_000, -30_000)),
    ],
)
def test_mahjong_soul_counts_from_what_everybody_began_with(
    preset: str, points: Sequence[int], scores: Sequence[int]
) -> None:
    """No oka, uma 15-5 or 15-0: riichi.wiki, Majsoul (7 November 2024), and Amae-Koromo (RANK_DELTA)."""
    totals = {str(n): Decimal(p) for n, p in enumerate(points)}
    shares = final_result(house(preset), {**totals, "pot": Decimal(0)})
    assert [share.score for share in shares] == list(scores)
    assert not {"return_points", "uma"} & set(preset_named(preset)[1].unsettled)


def test_four_places() -> None:
    """Oka 20,000, uma 20-10: the final points and the result of a log of tenhou.net."""
    totals = {str(n): Decimal(p) for n, p in enumerate((33_400, 26_000, 22_000, 18_600))}
    shares = final_result(house("tenhou"), {**totals, "pot": Decimal(0)})
    assert [share.score for share in shares] == [43_400, 6000, -18_000, -31_400]


def test_three_places() -> None:
    """35,000 to begin with, 40,000 to return: 15,000 go to the first (mahjong-echoes); equal totals by turn."""
    system, found = preset_named("tenhou-sanma")
    course, rotation = found.course, system.conventions.rotation
    totals = {"0": Decimal(30_000), "1": Decimal(45_000), "2": Decimal(30_000), "pot": Decimal(0)}
    shares = final_result(house("tenhou-sanma"), totals)
    assert [(s.place, s.score) for s in shares] == [(2, -10_000), (1, 40_000), (3, -30_000)]
    with pytest.raises(InvalidRequest, match="3 amounts for 4 players"):
        course_of(course, system.conventions, rotation, Decimal(35_000))
    with pytest.raises(InvalidRequest, match="3 rounds at most"):
        course_of({"rounds": 4}, system.conventions, rotation, Decimal(35_000), players=3)


@pytest.mark.parametrize(
    "confirmed",
    [
        Confirmed("draw", ready=(Seat.N,)),
        Confirmed("draw", nagashi=(Seat.N,)),
        Confirmed("false_win", offender=Seat.N),
        Confirmed("payment", transfers=(Transfer(Seat.E, Seat.N, 100, "payment"),)),
        Confirmed("win", ({**PLAIN, "context": {"win": "discard", "from": "N", "seat": "S"}},)),
        Confirmed("draw", next_state={"round": Seat.N}),
    ],
)
def test_nobody_sits_north(confirmed: Confirmed) -> None:
    rules, now = three("tenhou-sanma")
    with pytest.raises(InvalidRequest, match="there is no N"):
        settle_hand(rules, now, confirmed)
