"""Standings: what a table's result brings each player, penalties, ties, teams."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hupai.hall.seating.standings import (
    Penalty,
    Scoring,
    TableResult,
    format_score,
    rank_without,
    standings,
    team_standings,
)
from scoring.errors import InvalidRequest


def result(*totals: int, entrants: tuple[int, ...] = (1, 2, 3, 4), hands: int = 1) -> TableResult:
    return TableResult(1, "A", entrants, tuple(Decimal(t) for t in totals), hands)


def test_places_are_shared_by_equals_and_unplayed_tables_do_not_count() -> None:
    scoring = Scoring(Decimal(25000), Decimal(1000), tuple(Decimal(p) for p in (15, 5, -5, -15)))
    found = standings([1, 2, 3, 4], [result(40000, 25000, 25000, 10000)], scoring)
    assert [(s.rank, s.entrant, format_score(s.score)) for s in found] == [
        (1, 1, 30),
        (2, 2, 0),
        (2, 3, 0),
        (4, 4, -30),
    ]
    assert found[1].placed == (0, 1, 0, 0)
    assert all(s.score == 0 and s.tables == 0 for s in standings([1, 2, 3, 4], [result(9, 9, 9, 9, hands=0)], scoring))
    thirds = standings(
        [1, 2, 3, 4], [result(1, 1, 1, -3)], Scoring(places=(Decimal(10), Decimal(0), Decimal(0), Decimal(0)))
    )
    assert format_score(thirds[0].score) == "4.33" and sum(s.score for s in thirds) == 10


def test_three_share_three_places() -> None:
    scoring = Scoring(Decimal(35000), Decimal(1000), tuple(map(Decimal, (15, 0, -15))), Decimal(40000))
    tables = [result(50000, 30000, 25000, entrants=(1, 2, 3)), result(45000, 30000, 30000, entrants=(2, 3, 1))]
    found = standings([1, 2, 3], tables, scoring)
    assert [(s.entrant, format_score(s.score), s.placed) for s in found] == [
        (2, 25, (1, 1, 0)),
        (1, "22.5", (1, 1, 0)),
        (3, "-47.5", (0, 1, 1)),
    ]
    assert standings([4], tables, scoring)[0].placed == (0, 0, 0)


def test_false_wins_are_taken_off_after_the_placing() -> None:
    """EMA 2016 and World Riichi Championship 2015: 20,000, which changes no place."""
    scoring = Scoring(Decimal(30000), Decimal(1000), tuple(Decimal(p) for p in (15, 5, -5, -15)))
    fined = replace(result(45000, 30000, 25000, 20000), fines=(20000, 0, 0, 0))
    found = {s.entrant: s for s in standings([1, 2, 3, 4], [fined], scoring)}
    assert [format_score(found[n].score) for n in (1, 2, 3, 4)] == [10, 5, -10, -25]
    assert (found[1].placed, found[1].penalties) == ((1, 0, 0, 0), -20)


def test_where_only_places_count_points_tell_equals_apart() -> None:
    table_points = Scoring(divide=Decimal(0), places=tuple(map(Decimal, (4, 2, 1, 0))), tie_breaks=("won",))
    played = [result(90, 8, 8, -106), result(-40, 60, -30, 10)]
    found = standings([1, 2, 3, 4], played, table_points)
    assert [(s.rank, s.entrant, format_score(s.score), format_score(s.won)) for s in found] == [
        (1, 2, "5.5", 68),
        (2, 1, 4, 50),
        (3, 3, "2.5", -22),
        (4, 4, 2, -96),
    ]
    level = standings([1, 2, 3, 4], [result(30, 10, -10, -30), result(5, 15, -5, -15)], table_points)
    assert [s.entrant for s in level] == [1, 2, 3, 4] and level[0].score == level[1].score == 6


def test_oka_goes_to_the_first_and_the_sum_is_nothing() -> None:
    scoring = Scoring(
        Decimal(25000), Decimal(1000), tuple(Decimal(p) for p in (20, 10, -10, -20)), returned=Decimal(30000)
    )
    found = standings([1, 2, 3, 4], [result(41000, 29000, 20000, 10000)], scoring)
    assert [format_score(s.score) for s in found] == [51, 9, -20, -40]
    shared = standings([1, 2, 3, 4], [result(35000, 35000, 20000, 10000)], scoring)
    assert [format_score(s.score) for s in shared] == [30, 30, -20, -40]


def test_penalties_count_and_substitutes_have_no_rank() -> None:
    found = standings([1, 2, 3], [result(10, 5, -5, -10)], Scoring(), [Penalty(1, 1, Decimal("-20"))])
    assert [(s.entrant, format_score(s.score), format_score(s.penalties)) for s in found] == [
        (2, 5, 0),
        (3, -5, 0),
        (1, -10, -20),
    ]


@pytest.mark.parametrize(
    ("tie_breaks", "order"),
    [(("best",), [2, 1]), (("last",), [1, 2]), (("penalties",), [1, 2]), ((), [1, 2]), (("places", "best"), [1, 2])],
)
def test_equal_scores_are_told_apart_as_the_event_says(tie_breaks: tuple[str, ...], order: list[int]) -> None:
    """Both have 8: the one by 2 and 6, the other by 9 and 1 and a penalty of 2."""
    tables = [result(2, 9, 0, -11), result(6, 1, 5, -12)]
    found = standings([1, 2], tables, Scoring(tie_breaks=tie_breaks), [Penalty(2, 2, Decimal(-2))])
    assert [s.entrant for s in found] == order
    assert [s.score for s in found] == [8, 8]
    assert found[1].rank == (1 if tie_breaks == () else 2)


def test_teams_share_what_their_players_have() -> None:
    found = standings([1, 2, 3, 4], [result(10, 5, -5, -10)], Scoring())
    teams = team_standings({"Red": [1, 4], "Blue": [2, 3], "Green": []}, found)
    assert [(t["rank"], t["score"]) for t in teams] == [(1, 0)] * 3


@pytest.mark.parametrize(
    "bad",
    [
        {"divide": Decimal(0)},
        {"divide": Decimal(-1)},
        {"tie_breaks": ("luck",)},
        {"tie_breaks": ("won", "won")},
        {"start": Decimal(30), "returned": Decimal(25)},
    ],
)
def test_scoring_that_makes_no_sense_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(InvalidRequest):
        Scoring(**bad)  # type: ignore[arg-type]


@given(st.lists(st.integers(-3, 3), min_size=24, max_size=24), st.sets(st.integers(1, 8)))
def test_who_is_absent_leaves_the_others_in_order(points: list[int], absent: set[int]) -> None:
    tables = [result(*points[4 * i : 4 * i + 4], entrants=(1, 2, 3, 4) if i % 2 else (5, 6, 7, 8)) for i in range(6)]
    scoring = Scoring(divide=Decimal(7), tie_breaks=("won", "best"))
    left = rank_without(standings(range(1, 9), tables, scoring), absent)
    assert left == standings([e for e in range(1, 9) if e not in absent], tables, scoring)
    best = {e: max(p for t in tables if e in t.entrants for p in (t.totals[t.entrants.index(e)],)) for e in range(1, 9)}
    keys = [(s.score, s.won, best[s.entrant]) for s in left]
    assert keys == sorted(keys, reverse=True)
    assert [s.rank for s in left] == [1 + sum(other > key for other in keys) for key in keys]
