"""Rounds: seating that avoids repeats, standings, games and files."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from itertools import combinations

import pytest
from sqlalchemy import Engine

from hupai.ledger.confirmed import Confirmed
from hupai.store.errors import Conflict, NotFound
from hupai.store.events import feed
from hupai.store.play import hands
from hupai.store.play.games import get_game
from hupai.store.tournament import refereeing, rounds, tournaments
from hupai.store.tournament.directing import correct, get_laid, get_table
from hupai.store.tournament.rounds import SeatingOptions
from hupai.tournament.export import Event, ema_csv, standings_csv, tables_csv, tournament_export
from hupai.tournament.importing import NewEntrant
from hupai.tournament.seating import Seating, seat
from hupai.tournament.standings import Scoring, TableResult, shown, standings
from scoring.errors import InvalidRequest
from scoring.payments import Transfer
from scoring.seats import Seat
from tests.hupai.test_feed.feeding import HAND, JPEG, READ


def seated(players: int, rounds: int, seed: int = 1) -> list[Seating]:
    found: list[Seating] = []
    for number in range(rounds):
        found.append(seat(range(1, players + 1), found, seed + number))
    return found


def meetings(rounds: list[Seating]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(p)) for r in rounds for t in r.tables for p in combinations(t, 2))


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


def result(*totals: int, entrants: tuple[int, ...] = (1, 2, 3, 4), hands_: int = 1) -> TableResult:
    return TableResult(1, "A", entrants, tuple(Decimal(t) for t in totals), hands_)


def test_places_are_shared_by_equals_and_unplayed_tables_do_not_count() -> None:
    scoring = Scoring(Decimal(25000), Decimal(1000), tuple(Decimal(p) for p in (15, 5, -5, -15)))
    found = standings([1, 2, 3, 4], [result(40000, 25000, 25000, 10000)], scoring)
    assert [(s.rank, s.entrant, shown(s.score)) for s in found] == [(1, 1, 30), (2, 2, 0), (2, 3, 0), (4, 4, -30)]
    assert found[1].placed == (0, 1, 0, 0)
    assert all(s.score == 0 and s.tables == 0 for s in standings([1, 2, 3, 4], [result(9, 9, 9, 9, hands_=0)], scoring))
    thirds = standings(
        [1, 2, 3, 4], [result(1, 1, 1, -3)], Scoring(places=(Decimal(10), Decimal(0), Decimal(0), Decimal(0)))
    )
    assert shown(thirds[0].score) == "4.33" and sum(s.score for s in thirds) == 10


def test_false_wins_are_taken_off_after_the_placing() -> None:
    """EMA 2016 and World Riichi Championship 2015: 20,000, which changes no place."""
    scoring = Scoring(Decimal(30000), Decimal(1000), tuple(Decimal(p) for p in (15, 5, -5, -15)))
    fined = replace(result(45000, 30000, 25000, 20000), fines=(20000, 0, 0, 0))
    found = {s.entrant: s for s in standings([1, 2, 3, 4], [fined], scoring)}
    assert [shown(found[n].score) for n in (1, 2, 3, 4)] == [10, 5, -10, -25]
    assert (found[1].placed, found[1].penalties) == ((1, 0, 0, 0), -20)


def test_equal_scores_are_told_apart_by_places() -> None:
    tables = [
        result(10, 0, 0, -10),
        result(5, 4, -4, -5, entrants=(2, 1, 3, 4)),
        result(5, -5, 0, 0, entrants=(2, 4, 3, 1)),
    ]
    found = standings([1, 2, 3, 4], tables, Scoring(places=(Decimal(0),) * 4))
    assert [s.entrant for s in found][:2] == [1, 2]


def begun(engine: Engine, players: int = 9) -> str:
    new = tournaments.NewTournament(
        "Cup", "hongkong", {}, [NewEntrant(f"P{i}", "Club" if i % 2 else "") for i in range(1, players + 1)]
    )
    return str(tournaments.create_tournament(engine, new)["id"])


def pay(engine: Engine, game: str, amount: int) -> None:
    moved = Transfer(Seat.E, Seat.S, Decimal(amount), "x")
    hands.record_hand(engine, game, hands.NewHand(Confirmed("payment", transfers=(moved,)), {"outcome": "payment"}))


@pytest.mark.both_databases
def test_a_round_begins_games_and_gives_them_to_watched_tables(store: Engine) -> None:
    feed.claim(store, feed.Claim("Window", "0", "w1", None))
    cup = begun(store)
    made = rounds.seat_round(store, cup, SeatingOptions(seed=1, tables=["Window"]))
    tables = {t["table"]: t for t in made["rounds"][0]["tables"]}
    assert set(tables) == {"Window", "1"}
    table = get_table(store, "Window")
    assert table["game"]["id"] == tables["Window"]["game_id"] and table["rules"] == "hongkong"
    pay(store, tables["Window"]["game_id"], 8)
    after = tournaments.get_tournament(store, cup)
    assert after["standings"][0]["score"] == 8 and after["standings"][-1]["score"] == -8
    with pytest.raises(Conflict):
        rounds.drop_round(store, cup)
    second = rounds.seat_round(store, cup, SeatingOptions(tables=["Window"]))
    assert get_table(store, "Window")["game"]["id"] != tables["Window"]["game_id"]
    assert len(second["rounds"]) == 2
    assert len(rounds.drop_round(store, cup)["rounds"]) == 1
    assert get_table(store, "Window")["game"] is None


def test_a_table_plays_on_below_zero_until_its_director_ends_it(store: Engine) -> None:
    start = Scoring(start=Decimal(25_000))
    new = tournaments.NewTournament("Cup", "riichi", {}, [NewEntrant(f"P{i}") for i in range(1, 5)], start)
    tournament = str(tournaments.create_tournament(store, new)["id"])
    (table,) = rounds.seat_round(store, tournament, SeatingOptions(seed=1))["rounds"][0]["tables"]
    pay(store, table["game_id"], 30_000)
    pay(store, table["game_id"], 1)
    game = get_game(store, table["game_id"])
    assert min(p["total"] for p in game["players"]) == -5_001
    assert game["ended"] is None


def test_a_camera_switched_on_after_the_seating_finds_its_game(store: Engine) -> None:
    cup = begun(store)
    rounds.seat_round(store, cup, SeatingOptions(tables=["Door"]))
    second = rounds.seat_round(store, cup, SeatingOptions(tables=["Door"]))["rounds"][1]["tables"]
    here = {t["table"]: t["game_id"] for t in second}
    assert feed.claim(store, feed.Claim("Door", "0", "w1", None)).rules == "hongkong"
    assert get_table(store, "Door")["game"]["id"] == here["Door"]
    feed.claim(store, feed.Claim("Elsewhere", "0", "w1", None))
    assert get_table(store, "Elsewhere")["game"] is None


def test_hands_that_were_laid_before_anybody_had_a_seat_are_set_aside(store: Engine) -> None:
    """Whoever tries the cameras before the first round must not be paid in it; a round that is taken back, likewise."""
    for table in ("A", "B"):
        feed.claim(store, feed.Claim(table, "0", "w1", None))
    early = feed.hand_settled(store, "A", "w1", "early", READ, JPEG, {})
    other = feed.hand_settled(store, "B", "w1", "other", READ, JPEG, {})
    assert (get_table(store, "A")["waiting"], get_table(store, "A")["stray"]) == (1, 1)
    cup = begun(store, 4)
    game = rounds.seat_round(store, cup, SeatingOptions(tables=["A"]))["rounds"][0]["tables"][0]["game_id"]
    assert [get_laid(store, key)["status"] for key in (early, other)] == ["dismissed", "settled"]
    (told,) = (e for e in feed.events_after(store, 0) if e["event"] == "hand.corrected")
    assert (told["hand_id"], told["status"], told["table"]) == (early, "dismissed", "A")
    assert feed.frame_jpeg(store, told["frame"]) == JPEG
    # A hand of the round waits when the next one is seated, and stays with its own.
    late = feed.hand_settled(store, "A", "w1", "late", READ, JPEG, {})
    rounds.seat_round(store, cup, SeatingOptions(tables=["A"]))
    assert (get_laid(store, late)["status"], get_laid(store, late)["game_id"]) == ("settled", game)
    # In a round that is taken back nobody sat: its hands are strays again.
    last = feed.hand_settled(store, "A", "w1", "last", READ, JPEG, {})
    rounds.drop_round(store, cup)
    assert get_table(store, "A")["stray"] == 1
    second = rounds.seat_round(store, cup, SeatingOptions(tables=["A"]))["rounds"][1]["tables"][0]["game_id"]
    assert get_laid(store, last)["status"] == "dismissed"
    # Taken up all the same, it is one of this round for good.
    correct(store, last, 2, HAND)
    rounds.seat_round(store, cup, SeatingOptions(tables=["A"]))
    assert (get_laid(store, last)["status"], get_laid(store, last)["game_id"]) == ("settled", second)


def test_players_come_and_go(store: Engine) -> None:
    cup = begun(store, 4)
    with pytest.raises(Conflict):
        refereeing.add_players(store, cup, [NewEntrant("p1")])
    assert len(tournaments.get_tournament(store, cup)["players"]) == 4
    refereeing.add_players(store, cup, [NewEntrant("New")])
    refereeing.let_go(store, cup, 2)
    first = rounds.seat_round(store, cup)["rounds"][0]["tables"][0]
    assert 2 not in [p["number"] for p in first["players"]]
    refereeing.let_go(store, cup, 2, back=True)
    assert tournaments.get_tournament(store, cup)["players"][1]["left"] is False
    for missing in (lambda: refereeing.let_go(store, cup, 77), lambda: tournaments.get_tournament(store, "nope")):
        with pytest.raises(NotFound):
            missing()
    with pytest.raises(InvalidRequest):
        rounds.seat_round(store, cup, SeatingOptions(tables=["X", "X"]))


def test_where_only_places_count_points_tell_equals_apart() -> None:
    table_points = Scoring(divide=Decimal(0), places=tuple(map(Decimal, (4, 2, 1, 0))), tie_breaks=("won",))
    played = [result(90, 8, 8, -106), result(-40, 60, -30, 10)]
    found = standings([1, 2, 3, 4], played, table_points)
    assert [(s.rank, s.entrant, shown(s.score), shown(s.won)) for s in found] == [
        (1, 2, "5.5", 68),
        (2, 1, 4, 50),
        (3, 3, "2.5", -22),
        (4, 4, 2, -96),
    ]
    level = standings([1, 2, 3, 4], [result(30, 10, -10, -30), result(5, 15, -5, -15)], table_points)
    assert [s.entrant for s in level] == [1, 2, 3, 4] and level[0].score == level[1].score == 6


def test_the_ema_is_told_in_its_columns(store: Engine) -> None:
    people = [NewEntrant("Ann van Dyk", country="NED", ema="08010001"), *(NewEntrant(f"P{i}") for i in range(2, 5))]
    counting = Scoring(divide=Decimal(0), places=tuple(map(Decimal, (4, 2, 1, 0))), tie_breaks=("won",))
    new = tournaments.NewTournament("=Open", "mcr", {}, people, counting)
    cup = tournaments.create_tournament(store, new)["id"]
    made = rounds.seat_round(store, cup, SeatingOptions(seed=3))
    table = made["rounds"][0]["tables"][0]
    pay(store, table["game_id"], 5)
    found = tournaments.get_tournament(store, cup)
    rows = list(csv.reader(io.StringIO(ema_csv(found, Event("NED", "Delft", Decimal("1.5"), "21-22 Nov. 2026", 2)))))
    assert len(rows) == 5 and {len(row) for row in rows} == {18}
    by_name = {row[3]: row for row in rows[1:]}
    ann, last = by_name["Ann"], next(s for s in found["standings"] if s["name"] == "Ann van Dyk")
    assert ann[:2] == ["'=Open", "4"] and ann[2] == str(last["rank"]) and ann[4:6] == ["van Dyk", "08010001"]
    assert ann[6:8] == [str(last["score"]), str(last["won"])] and ann[8:10] == ["TRUE", "NED"]
    assert ann[10:] == ["", "NED", "Delft", "1.5", "", "MCR", "21-22 Nov. 2026", "2"]
    assert by_name["P2"][4:6] == ["", ""] and by_name["P2"][8] == "FALSE"
    assert sorted(int(row[7]) for row in rows[1:]) == [-5, 0, 0, 5]


def test_of_riichi_the_ema_is_told_points_and_of_others_nothing(store: Engine) -> None:
    people = [NewEntrant(f"P{i}") for i in range(1, 5)]
    uma = Scoring(Decimal(25000), Decimal(1000), tuple(map(Decimal, (15, 5, -5, -15))))
    cup = tournaments.create_tournament(store, tournaments.NewTournament("R", "riichi", {}, people, uma))["id"]
    made = rounds.seat_round(store, cup, SeatingOptions(seed=3))
    pay(store, made["rounds"][0]["tables"][0]["game_id"], 500)
    found = tournaments.get_tournament(store, cup)
    rows = list(csv.reader(io.StringIO(ema_csv(found, Event()))))
    assert [row[6:8] for row in rows[1:]] == [["", "15500"], ["", "0"], ["", "0"], ["", "-15500"]]
    assert rows[1][11:] == ["", "", "", "", "Riichi", "", ""]
    with pytest.raises(InvalidRequest, match="riichi and mcr"):
        ema_csv({**found, "rules": "hongkong"}, Event())


def test_files_for_other_software(store: Engine) -> None:
    cup = begun(store, 8)
    refereeing.add_players(store, cup, [NewEntrant("=cmd", "+x")])
    made = rounds.seat_round(store, cup, SeatingOptions(seed=3))
    pay(store, made["rounds"][0]["tables"][0]["game_id"], 5)
    found = tournaments.get_tournament(store, cup)
    rows = list(csv.DictReader(io.StringIO(standings_csv(found))))
    assert rows[0]["score"] == "5" and {r["name"] for r in rows} >= {"P1", "'=cmd"}
    seats = list(csv.DictReader(io.StringIO(tables_csv(found))))
    assert [r["seat"] for r in seats[:4]] == ["E", "S", "W", "N"] and len(seats) == 8
    assert sum(int(r["total"]) for r in seats) == 0
    assert tournament_export(found)["format"] == 1
