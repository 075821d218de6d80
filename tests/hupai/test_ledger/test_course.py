"""How a game runs and ends: rounds, hands, time, points gone, the last dealer, the extension; and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from hupai.games.settling.ending import final_result
from hupai.games.settling.settle import settle_hand
from hupai.games.terms.confirmed import Confirmed, GameRules, GameState
from hupai.games.terms.course import Course, course_of
from hupai.games.terms.state import TableState
from scoring.errors import InvalidRequest
from scoring.payments import Transfer
from scoring.rulebook.conventions import Rotation
from scoring.rules import preset_named, system_named, systems
from scoring.seats import Seat

CHEAP = {"concealed": "234m567p345s88s67m", "winning_tile": "8m"}
EVEN = (25000, 25000, 25000, 25000)


def house(
    rules: str = "riichi", points: int = 25000, options: Mapping[str, Any] | None = None, **said: Any
) -> GameRules:
    system = system_named(rules)
    rotation = Rotation(said.pop("rotation", system.conventions.rotation))
    players = int((options or {}).get("players", 4))
    course = course_of(said, system.conventions, rotation, Decimal(points), players=players)
    return GameRules(system, options or {}, rotation, 0, course, Decimal(points))


def standing(points: Sequence[int] = EVEN, hands: int = 0, seconds: float = 0, **state: Any) -> GameState:
    table = TableState(**state)
    totals = {**{str(n): Decimal(p) for n, p in enumerate(points)}, "pot": Decimal(1000 * table.riichi_sticks)}
    return GameState(table, totals, hands, seconds)


def wins(seat: str, source: str | None = None, **context: Any) -> Confirmed:
    win = "self_draw" if source is None else "discard"
    return Confirmed("win", ({**CHEAP, "context": {"seat": seat, "win": win, "from": source, **context}},))


LAST: Mapping[str, Any] = {"round": Seat.S, "dealer": 3}
"""South's last hand."""
DRAW = Confirmed("draw")


@pytest.mark.parametrize(("points", "ended"), [(2600, "points"), (2601, None)])
def test_a_player_with_nothing_left_may_end_the_game(points: int, ended: str | None) -> None:
    # 3 han 20 fu self-drawn by the dealer: 1300 from each, and 100 for each of 13 counters.
    table = standing((25000, points, 25000, 25000), counters=13)
    assert settle_hand(house(out_of_points="ends_at_zero"), table, wins("E")).after.ended == ended


@pytest.mark.parametrize(
    ("dealer_ends", "drawn", "ended"),
    [
        ("win", {"ready": (Seat.E,)}, None),
        ("win_or_ready", {"ready": (Seat.E,)}, "dealer"),
        ("win_or_ready", {"abortive": True}, None),
    ],
)
def test_the_last_dealer_may_end_the_game_by_being_ready(
    dealer_ends: str, drawn: dict[str, Any], ended: str | None
) -> None:
    leads = standing((20000, 26000, 26000, 28000), **LAST)
    assert settle_hand(house(dealer_ends=dealer_ends), leads, Confirmed("draw", **drawn)).after.ended == ended


@pytest.mark.parametrize(("ties", "ended"), [("share", None), ("seat", None)])
def test_a_dealer_who_is_only_as_good_as_another_does_not_lead(ties: str, ended: str | None) -> None:
    # North deals last, so whoever has as many sat nearer to the first dealer. The win brings him 3 x 1300.
    points = (25000, 25000, 26600, 21400)
    settled = settle_hand(house(ties=ties), standing(points, **LAST), wins("E"))
    assert settled.by_account["3"] == 3 * 1300
    assert points[3] + 3900 == points[2] - 1300
    assert settled.after.ended == ended


def test_who_says_where_the_table_goes_on_says_that_it_goes_on() -> None:
    on = replace(DRAW, next_state={"round": Seat.S, "dealer": 3})
    assert settle_hand(house(), standing(**LAST), on).after.ended is None


def test_another_dealer_than_the_rotations_begins_his_own_streak() -> None:
    table = standing((0, 0, 0, 0), dealer=1, streak=4)
    for dealer, streak in ((1, 5), (2, 1)):
        said = replace(wins("S"), next_state={"dealer": dealer})
        after = settle_hand(house("hangzhou", 0), table, replace(said, wins=indicated(said))).after
        assert (after.dealer, after.streak) == (dealer, streak)


def test_the_round_follows_the_dealer_whom_the_players_name() -> None:
    """docs/games.md: the round wind changes when the deal comes back to whoever dealt first, not otherwise."""
    last = standing(round=Seat.E, dealer=3)
    assert settle_hand(house(rounds=4), last, DRAW).after.round is Seat.S
    stays = settle_hand(house(rounds=4), last, replace(DRAW, next_state={"dealer": 3})).after
    assert (stays.round, stays.dealer, stays.streak) == (Seat.E, 3, 2)
    passes = settle_hand(house(rounds=4), last, replace(wins("E"), next_state={"dealer": 0})).after
    assert (passes.round, passes.dealer, passes.streak) == (Seat.S, 0, 1)


def indicated(confirmed: Confirmed) -> tuple[Mapping[str, Any], ...]:
    return tuple({**w, "context": {**w["context"], "indicator": "9s"}} for w in confirmed.wins)


def test_payments_by_hand_ask_nobody_for_more_than_he_has() -> None:
    game = house("hangzhou", 50)
    bet = Confirmed("payment", transfers=(Transfer(Seat.S, Seat.E, Decimal(6), "bet"),))
    assert settle_hand(game, standing((50, 50, 50, 50)), bet).by_account["1"] == -6
    with pytest.raises(InvalidRequest, match="S has only 5 left"):
        settle_hand(game, standing((95, 5, 50, 50)), bet)


@pytest.mark.parametrize(
    ("claim", "paid"),
    [
        ({"win": "self_draw"}, (-2, 4, -1, -1)),
        ({"value": 4}, (-8, 16, -4, -4)),
        ({"value": 2, "win": "discard", "from": "E"}, (-4, 4, 0, 0)),
    ],
)
def test_a_false_win_in_hangzhou_pays_what_it_meant_to_receive(claim: Mapping[str, Any], paid: Sequence[int]) -> None:
    settled = settle_hand(
        house("hangzhou", 0), standing((0, 0, 0, 0)), Confirmed("false_win", offender=Seat.S, claim=claim)
    )
    assert [settled.by_account[str(n)] for n in range(4)] == [-amount for amount in paid]
    assert settled.after == settled.before


@pytest.mark.parametrize(
    ("rules", "claim", "said"),
    [
        ("hangzhou", {}, "say in claim how"),
        ("hangzhou", {"value": 0}, "whole number from 1"),
        ("hangzhou", {"win": "stolen"}, "claim.win is one of"),
        ("hangzhou", {"win": "discard"}, "Whose tile"),
        ("hangzhou", {"hand": "1m"}, "claim.hand"),
        ("riichi", {"value": 2}, "leave claim out"),
    ],
)
def test_claims_that_make_no_sense_are_refused(rules: str, claim: Mapping[str, Any], said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        settle_hand(house(rules), standing(), Confirmed("false_win", offender=Seat.S, claim=claim))


def test_who_declared_riichi_is_ready_at_a_draw() -> None:
    with pytest.raises(InvalidRequest, match="S declared riichi and must be ready"):
        settle_hand(house(), standing(), Confirmed("draw", riichi=(Seat.S, Seat.W), ready=(Seat.W,)))
    settle_hand(house(), standing(), Confirmed("draw", riichi=tuple(Seat), abortive=True))


@pytest.mark.parametrize(
    ("rules", "points", "said", "field"),
    [
        ("riichi", 25000, {"rounds": 5}, "course.rounds"),
        ("riichi", 25000, {"round": 2}, "course.round"),
        ("riichi", 25000, {"out_of_points": "pays_what_is_left"}, "course.out_of_points"),
        ("riichi", 0, {"out_of_points": "ends_at_zero"}, "course.out_of_points"),
        ("riichi", 25000, {"uma": [10, 5, -5, -11]}, "course.uma"),
        ("riichi", 25000, {"uma": [1, -1]}, "course.uma"),
        ("riichi", 25000, {"return_points": 20000}, "course.return_points"),
        ("riichi", 25000, {"rounds": None, "extension": 30000}, "course.extension"),
        ("hangzhou", 0, {"rounds": 4}, "course.rounds"),
        ("hangzhou", 0, {"dealer_ends": "win"}, "course.dealer_ends"),
        ("hongkong", 0, {"dealer_ends": "win_or_ready"}, "course.dealer_ends"),
        ("hongkong", 0, {"sticks_left": "nobody"}, "course.sticks_left"),
        ("hongkong", 0, {"jackpot_from": 3}, "course.jackpot_from"),
        ("riichi", 25000, {"jackpot": 1000}, "course.jackpot"),
    ],
)
def test_courses_that_mean_nothing_are_refused(rules: str, points: int, said: Mapping[str, Any], field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        house(rules, points, **said)
    assert field in {fault.field for fault in caught.value.faults}


@pytest.mark.parametrize("rotation", list(Rotation))
@pytest.mark.parametrize("rules", list(systems()))
def test_the_usual_course_fits_every_rotation(rules: str, rotation: Rotation) -> None:
    usual = house(rules, 100, rotation=rotation).course
    stays = rotation not in (Rotation.WINNER, Rotation.NEVER)
    assert usual.dealer_ends == ("win" if rules == "riichi" and stays else "off")


@pytest.mark.parametrize("name", [preset.id for system in systems().values() for preset in system.presets])
def test_a_game_can_be_begun_by_every_preset(name: str) -> None:
    system, preset = preset_named(name)
    begun = house(system.id, preset.points or system.conventions.points, preset.options, **preset.course)
    assert begun.course.to_json().items() >= dict(preset.course).items()


def test_a_last_dealer_who_never_stays_cannot_be_asked_to_end_the_game() -> None:
    with pytest.raises(InvalidRequest, match="here the last dealer does not stay"):
        house(rotation="never", dealer_ends="win")


def test_a_game_begins_before_its_end() -> None:
    riichi = system_named("riichi").conventions
    with pytest.raises(InvalidRequest, match="ends with round S: it cannot begin with W"):
        course_of({}, riichi, riichi.rotation, Decimal(25000), Seat.W)


def test_a_course_goes_to_json_and_back() -> None:
    made = house(uma=[15000, "5000", -5000, "-15000"], return_points=30000, rate="0.05").course
    custom = system_named("riichi").conventions
    assert course_of(made.to_json(), custom, custom.rotation, Decimal(25000)) == made
    assert made.to_json()["uma"] == [15000, 5000, -5000, -15000]
    assert Course().to_json()["rounds"] == 4


def totals(*points: int, pot: int = 0) -> dict[str, Decimal]:
    return {**{str(n): Decimal(p) for n, p in enumerate(points)}, "pot": Decimal(pot)}


def test_uma_oka_sticks_and_money_at_the_end() -> None:
    game = house(uma=[15000, 5000, -5000, -15000], return_points=30000, rate="0.05")
    shares = final_result(game, totals(31000, 14000, 42000, 11000, pot=2000))
    assert [s.place for s in shares] == [2, 3, 1, 4]
    assert [s.oka for s in shares] == [0, 0, 20000, 0]
    assert [s.sticks for s in shares] == [0, 0, 2000, 0]
    assert [s.score for s in shares] == [6000, -21000, 49000, -34000]
    assert [s.money for s in shares] == [300, -1050, 2450, -1700]
    nobody = final_result(house(sticks_left="nobody"), totals(31000, 14000, 42000, 11000, pot=2000))
    assert [s.score for s in nobody] == [6000, -11000, 17000, -14000]


PAIRS = {"concealed": "1199m2288p3377s5z", "winning_tile": "5z"}
"""Seven pairs: four faan."""


def test_the_first_winner_whose_hand_is_worth_enough_takes_the_jackpot() -> None:
    rules = house("hongkong", 0, jackpot=2, jackpot_from=4)
    drawn = settle_hand(rules, standing((0, 0, 0, 0)), DRAW)
    assert drawn.by_account == {"0": -2, "1": -2, "2": -2, "3": -2, "pot": 8}
    table = GameState(drawn.after, drawn.by_account)
    cheap = settle_hand(rules, table, wins("S", "E", round="E"))
    assert cheap.by_account["pot"] == 0, "a chicken hand does not take it"
    both = [
        {**hand, "context": {"seat": seat, "win": "discard", "from": "E", "round": "E"}}
        for hand, seat in ((PAIRS, "N"), (PAIRS, "W"))
    ]
    settled = settle_hand(rules, table, Confirmed("win", tuple(both)))
    taken = [t for t in settled.payments.transfers if t.payer == "pot"]
    assert taken == [Transfer("pot", Seat.W, Decimal(8), "jackpot")], "the nearer to who discarded"


def test_a_result_of_the_whole_table_leaves_the_rest_in_the_jackpot() -> None:
    rules = house("hongkong", 500, jackpot=2)
    settled = settle_hand(
        rules, standing((500, 500, 500, 500)), Confirmed("result", totals=(Decimal(492),) + (Decimal(500),) * 3)
    )
    assert settled.by_account["pot"] == 8
    assert settled.after.riichi_sticks == 0


def test_a_result_in_which_two_pay_two_comes_to_what_was_said() -> None:
    said = Confirmed("result", totals=tuple(map(Decimal, (22_000, 21_000, 31_000, 26_000))))
    settled = settle_hand(house(), standing(), said)
    assert settled.by_account == {"0": -3000, "1": -4000, "2": 6000, "3": 1000, "pot": 0}


FLOATING = [[12000, -1000, -3000, -8000], [8000, 4000, -4000, -8000], [8000, 3000, 1000, -12000]]


@pytest.mark.parametrize(
    ("points", "uma"),
    [
        ((45000, 29900, 25100, 20000), [12000, -1000, -3000, -8000]),
        ((40000, 30000, 28000, 22000), [8000, 4000, -4000, -8000]),
        ((20000, 30000, 31000, 39000), [-12000, 1000, 3000, 8000]),
        ((30000, 30000, 30000, 30000), [0, 0, 0, 0]),
        ((29000, 29000, 29000, 29000), [0, 0, 0, 0]),
    ],
)
def test_uma_by_how_many_float(points: tuple[int, ...], uma: list[int]) -> None:
    """日本プロ麻雀連盟, 順位点: one, two, three with 30,000 or more (mahjong.or.jp, column 1293)."""
    game = house(floating_uma=FLOATING, return_points=30000, uma=[15000, 5000, -5000, -15000])
    assert [s.uma for s in final_result(game, totals(*points))] == uma
    assert game.course.to_json()["floating_uma"] == FLOATING
    assert [s.uma for s in final_result(house(floating_uma="none", ties="seat"), totals(*points))] == [0, 0, 0, 0]


def test_floating_uma_is_given_for_every_number_that_can_float() -> None:
    with pytest.raises(InvalidRequest, match="for 1 to 3 floating players"):
        house(floating_uma=FLOATING[:2])
    with pytest.raises(InvalidRequest, match="3 amounts for 4 players"):
        house(floating_uma=[*FLOATING[:2], [10, 0, -10]])
    with pytest.raises(InvalidRequest, match="come to nothing in all"):
        house(floating_uma=[*FLOATING[:2], [10, 0, 0, 0]])


def test_what_cannot_be_shared_goes_to_the_first_after_the_first_dealer() -> None:
    game = replace(house(ties="share"), first_dealer=3)
    shares = final_result(game, totals(33000, 33000, 0, 33000, pot=1000))
    assert [s.sticks for s in shares] == [Decimal("333.33"), Decimal("333.33"), 0, Decimal("333.34")]
    assert sum(s.score for s in shares) == 0
