"""Seating plans and lists of other programs: nobody meets twice where that can be, nothing is taken over by halves."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from hupai.tournament.importing import NewEntrant, parse_players, parse_schedule
from hupai.tournament.planning import (
    Tie,
    count_repeats,
    find_ties,
    order_finalists,
    plan_balanced,
    rank_spread,
    seat_by_standing,
    seat_final,
    team_mates,
)
from hupai.tournament.seating import Seating, seat
from scoring.errors import InvalidRequest


def meetings(plan: list[Seating]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(p)) for r in plan for t in r.tables for p in combinations(t, 2))


def seated(players: int, rounds: int, seed: int = 1) -> list[Seating]:
    found: list[Seating] = []
    for number in range(rounds):
        found.append(seat(range(1, players + 1), found, seed + number))
    return found


@pytest.mark.parametrize("players", [4, 5, 16, 23, 40])
def test_everybody_sits_once_or_rests(players: int) -> None:
    for made in seated(players, 4):
        everybody = [p for t in made.tables for p in t] + list(made.resting)
        assert sorted(everybody) == list(range(1, players + 1))
        assert all(len(t) == 4 for t in made.tables) and len(made.resting) == players % 4


def test_nobody_meets_again_while_that_can_be() -> None:
    assert max(meetings(seated(40, 5)).values()) == 1
    assert [r.repeats for r in seated(40, 5)] == [0] * 5
    # Sixteen players can be seated five times without a repeat; a search by swaps comes close.
    again = meetings(seated(16, 5))
    assert max(again.values()) <= 2 and sum(n > 1 for n in again.values()) <= 24


def test_resting_and_winds_are_shared_out() -> None:
    made = seated(6, 9)
    rests = Counter(p for r in made for p in r.resting)
    assert set(rests.values()) == {3}
    winds = Counter((p, w) for r in seated(16, 8) for t in r.tables for w, p in enumerate(t))
    assert max(winds.values()) - min(winds[p, w] for p in range(1, 17) for w in range(4)) <= 2


def test_a_seed_seats_the_same_and_three_players_are_refused() -> None:
    assert seated(12, 3, 5) == seated(12, 3, 5) != seated(12, 3, 6)
    for bad in ([1, 2, 3], [1, 2, 3, 3]):
        with pytest.raises(InvalidRequest):
            seat(bad, [], 1)


@pytest.mark.parametrize(("players", "rounds"), [(16, 5), (20, 5), (32, 8), (64, 10), (17, 3)])
def test_a_plan_lets_nobody_meet_twice(players: int, rounds: int) -> None:
    plan = plan_balanced(range(1, players + 1), rounds, [], 7)
    assert len(plan) == rounds and max(meetings(plan).values()) == 1
    for made in plan:
        assert sorted([p for t in made.tables for p in t] + list(made.resting)) == list(range(1, players + 1))
        assert made.repeats == 0 and all(len(t) == 4 for t in made.tables)


def test_where_it_cannot_be_few_meet_again_and_that_is_counted() -> None:
    """Twelve players at three tables have too few others for four rounds; one after the other is never better."""
    plan = plan_balanced(range(1, 13), 4, [], 1)
    again = sum(n - 1 for n in meetings(plan).values())
    assert 0 < again <= 18
    assert [r.repeats for r in count_repeats(plan)] == [r.repeats for r in plan]


def test_winds_are_shared_out_in_a_plan() -> None:
    plan = plan_balanced(range(1, 33), 8, [], 3)
    winds = Counter((p, w) for r in plan for t in r.tables for w, p in enumerate(t))
    assert max(winds.values()) <= 4 and min(winds[p, w] for p in range(1, 33) for w in range(4)) >= 1


def test_a_plan_goes_on_from_what_was_played() -> None:
    first = plan_balanced(range(1, 25), 2, [], 1)
    later = plan_balanced(range(1, 25), 2, first, 2)
    assert max(meetings([*first, *later]).values()) == 1
    assert later == plan_balanced(range(1, 25), 2, first, 2) != plan_balanced(range(1, 25), 2, first, 3)


@pytest.mark.parametrize(("players", "rounds"), [(16, 4), (32, 5)])
def test_players_of_one_team_do_not_meet(players: int, rounds: int) -> None:
    mates = team_mates({p: f"Team {(p - 1) // 4}" for p in range(1, players + 1)})
    plan = plan_balanced(range(1, players + 1), rounds, [], 1, mates)
    assert not set(meetings(plan)) & set(mates) and max(meetings(plan).values()) == 1


def test_a_swiss_round_seats_equals_together_but_not_the_same_four_again() -> None:
    order = list(range(1, 17))
    first = seat_by_standing(order, [], 1)
    assert {frozenset(t) for t in first.tables} == {frozenset(range(n, n + 4)) for n in (1, 5, 9, 13)}
    second = seat_by_standing(order, [first], 2)
    assert second.repeats <= 8 and sorted(p for t in second.tables for p in t) == order
    spread = [max(t) - min(t) for t in second.tables]
    assert max(spread) < 12
    assert 1 in second.tables[0], "the leaders' table is the first"
    odd = seat_by_standing([5, 4, 3, 2, 1], [Seating(((2, 3, 4, 5),), (1,), 0)], 1)
    assert odd.resting == (2,)


def test_new_faces_are_had_for_ranks_that_lie_apart() -> None:
    order = list(range(1, 33))
    before: list[Seating] = []
    for seed in range(5):
        before.append(seat_by_standing(order, before, seed))
    made = [seat_by_standing(order, before, 1, weight) for weight in (1, 10, 100)]
    repeats, spreads = [m.repeats for m in made], [rank_spread(m, order) for m in made]
    assert repeats == sorted(repeats, reverse=True) and repeats[0] > repeats[-1]
    assert spreads == sorted(spreads) and spreads[0] < spreads[-1]


def test_a_final_seats_the_first_by_rank() -> None:
    made = seat_final([9, 8, 7, 6, 5, 4, 3, 2, 1], 8, [], 1)
    assert [set(t) for t in made.tables] == [{9, 8, 7, 6}, {5, 4, 3, 2}] and made.resting == (1,)
    for size in (0, 6, 12):
        with pytest.raises(InvalidRequest):
            seat_final([1, 2, 3, 4, 5, 6, 7, 8], size, [], 1)


RANKS = {1: 1, 2: 2, 3: 2, 4: 2, 5: 5, 6: 6, 7: 7, 8: 7, 9: 7, 10: 10}


@pytest.mark.parametrize(
    ("ranks", "size", "first", "ties"),
    [
        (RANKS, 4, (), []),
        (RANKS, 8, (), [Tie((7, 8, 9), 2)]),
        (RANKS, 8, (9,), [Tie((7, 8), 1)]),
        (RANKS, 8, (9, 8), []),
        (dict.fromkeys(range(1, 10), 1), 8, (), [Tie(tuple(range(1, 10)), 8)]),
        (dict.fromkeys(range(1, 9), 1), 8, (), [Tie(tuple(range(1, 9)), 4)]),
        ({1: 1, 2: 2, 3: 3, 4: 4, 5: 4, 6: 6, 7: 7, 8: 8, 9: 8}, 8, (), [Tie((4, 5), 1), Tie((8, 9), 1)]),
        ({1: 1, 2: 1, 3: 1, 4: 1}, 4, (), []),
    ],
)
def test_equals_at_a_cut_are_named_until_somebody_goes_first(
    ranks: dict[int, int], size: int, first: tuple[int, ...], ties: list[Tie]
) -> None:
    assert find_ties(ranks, size, first) == ties


def test_of_equals_in_a_final_those_put_first_go_first() -> None:
    assert order_finalists(RANKS, (9, 8, 10)) == [1, 2, 3, 4, 5, 6, 9, 8, 7, 10]


@pytest.mark.parametrize("rounds", [0, 31])
def test_a_plan_has_some_rounds(rounds: int) -> None:
    with pytest.raises(InvalidRequest):
        plan_balanced(range(1, 17), rounds, [], 1)


def test_a_list_of_players_by_its_columns_and_without() -> None:
    text = "\ufeffEMA number;First name;Last name;Country;Place\n04290012;Ann;Lee;NED;1\n;Bo;;GBR;2\n"
    assert parse_players(text) == [
        NewEntrant("Ann Lee", country="NED", ema="04290012"),
        NewEntrant("Bo", country="GBR"),
    ]
    assert parse_players("Ann, Oak\n\nBo") == [NewEntrant("Ann", "Oak"), NewEntrant("Bo")]
    assert parse_players("name\tteam\tsubstitute\nAnn\tRed\tyes")[0] == NewEntrant("Ann", team="Red", substitute=True)


def test_every_bad_row_is_named_and_none_is_taken() -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse_players('name,ema\nAnn,1\n,2\nBo,"!!"\nCy,3')
    assert [f.field for f in caught.value.faults] == ["line 3.name", "line 4.ema"]
    for empty in ("", "name,club\n", "\n \n"):
        with pytest.raises(InvalidRequest):
            parse_players(empty)


NAMES = {n: f"P{n}" for n in range(1, 10)}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('name,club\nAnn,Oak\n"Bo,Elm\nCy,Ash\nDee,Fir', 3),
        ('Ann\n"Bo,Elm\nCy,"Ash, too"\nDee', 2),
        ('"Ann\n"Bo"\nCy', 1),
        ('Ann,Oak\n"Bo,Elm', 2),
    ],
)
def test_a_quotation_mark_that_none_closes_hides_no_player(text: str, line: int) -> None:
    with pytest.raises(InvalidRequest, match=f"^Line {line}: a quotation mark opens a cell, and none closes it"):
        parse_players(text)


def test_other_quotation_marks_are_taken() -> None:
    found = parse_players('"Bo ""Fox"" Elm",Oak\n"Cy" Ash,Fir\nDee 5" Fir,"Fir,\nand Elm"')
    assert [player.club for player in found] == ["Oak", "Fir", "Fir, and Elm"]


def test_faulty_rows_are_named_by_their_lines_where_a_cell_has_several() -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse_players('name,address\nAnn,"Oak Street 1\nElm"\n\nBo,\n<Cy>,"Main Street\n2"\n')
    assert [f.message.partition(" of ")[0] for f in refused.value.faults] == ["Line 6"]


def test_a_schedule_of_another_program_wide_and_long() -> None:
    wide = parse_schedule("round,table,east,south,west,north\n1,A,1,2,3,4\n1,B,p5,P6,7,8\n2,A,5,1,6,2\n", NAMES)
    assert wide[0] == (Seating(((1, 2, 3, 4), (5, 6, 7, 8)), (9,), 0), ("A", "B"))
    assert wide[1] == (Seating(((5, 1, 6, 2),), (3, 4, 7, 8, 9), 0), ("A",))
    long = parse_schedule(
        "round;table;seat;player\n" + "".join(f"1;A;{s};{n}\n" for n, s in enumerate("ESWN", 1)), NAMES
    )
    assert long[0][0].tables == ((1, 2, 3, 4),)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "first row"),
        ("round,table,east\n1,A,1", "first row"),
        ("round,table,east,south,west,north\n", "no round"),
        ("round,table,east,south,west,north\n1,A,1,2,3,44", "nobody is called"),
        ("round,table,east,south,west,north\n1,A,1,2,3,3", "twice"),
        ("round,table,east,south,west,north\nx,A,1,2,3,4", "no round"),
        ("round,table,seat,player\n1,A,E,1\n1,A,E,2\n1,A,Q,3", "taken twice"),
        ("round,table,seat,player\n1,A,E,1", "four players"),
    ],
)
def test_a_schedule_that_makes_no_sense_is_refused(text: str, part: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse_schedule(text, NAMES)
    assert any(part in f.message for f in caught.value.faults), caught.value.faults
