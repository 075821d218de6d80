"""Rounds in the store: their games, watched tables and files."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import pytest
from sqlalchemy import Engine

from hupai.basics.errors import Conflict, NotFound
from hupai.hall.events import feed
from hupai.hall.seating.export import Event, ema_csv, standings_csv, tables_csv, tournament_export
from hupai.hall.seating.importing import NewEntrant, parse_players
from hupai.hall.seating.standings import Scoring
from hupai.hall.store import tournaments
from hupai.hall.store.players import player_changes
from hupai.hall.store.rounds import rounds
from hupai.hall.store.rounds.next_round import SeatingOptions
from hupai.hall.store.watched.laid_hands import correct, get_camera_hand
from hupai.hall.store.watched.watched_tables import get_table
from scoring.errors import InvalidRequest
from tests.hupai.store_builders import pay, see_game
from tests.hupai.test_hall.test_feed.feeding import HAND, JPEG, READ
from tests.hupai.test_hall.test_tournament.cup_builders import begin_tournament


@pytest.mark.both_databases
def test_a_round_begins_games_and_gives_them_to_watched_tables(store: Engine) -> None:
    feed.claim(store, feed.Claim("Window", "0", "w1", None))
    cup = begin_tournament(store, 9)
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
    tournament = begin_tournament(store, 4, rules="riichi", scoring=Scoring(start=Decimal(25_000)))
    (table,) = rounds.seat_round(store, tournament, SeatingOptions(seed=1))["rounds"][0]["tables"]
    pay(store, table["game_id"], 30_000)
    pay(store, table["game_id"], 1)
    game = see_game(store, table["game_id"])
    assert min(p["total"] for p in game["players"]) == -5_001
    assert game["ended"] is None


def test_a_camera_switched_on_after_the_seating_finds_its_game(store: Engine) -> None:
    cup = begin_tournament(store, 9)
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
    early = feed.add_settled_hand(store, "A", "w1", "early", READ, JPEG, {})
    other = feed.add_settled_hand(store, "B", "w1", "other", READ, JPEG, {})
    assert (get_table(store, "A")["waiting"], get_table(store, "A")["stray"]) == (1, 1)
    cup = begin_tournament(store, 4)
    game = rounds.seat_round(store, cup, SeatingOptions(tables=["A"]))["rounds"][0]["tables"][0]["game_id"]
    assert [get_camera_hand(store, key)["status"] for key in (early, other)] == ["dismissed", "settled"]
    (told,) = (e for e in feed.events_after(store, 0) if e["event"] == "hand.corrected")
    assert (told["hand_id"], told["status"], told["table"]) == (early, "dismissed", "A")
    assert feed.find_frame(store, told["frame"]).jpeg == JPEG
    # A hand of the round waits when the next one is seated, and stays with its own.
    late = feed.add_settled_hand(store, "A", "w1", "late", READ, JPEG, {})
    rounds.seat_round(store, cup, SeatingOptions(tables=["A"]))
    assert (get_camera_hand(store, late)["status"], get_camera_hand(store, late)["game_id"]) == ("settled", game)
    # In a round that is taken back nobody sat: its hands are strays again.
    last = feed.add_settled_hand(store, "A", "w1", "last", READ, JPEG, {})
    rounds.drop_round(store, cup)
    assert get_table(store, "A")["stray"] == 1
    second = rounds.seat_round(store, cup, SeatingOptions(tables=["A"]))["rounds"][1]["tables"][0]["game_id"]
    assert get_camera_hand(store, last)["status"] == "dismissed"
    # Taken up all the same, it is one of this round for good.
    correct(store, last, 2, HAND)
    rounds.seat_round(store, cup, SeatingOptions(tables=["A"]))
    assert (get_camera_hand(store, last)["status"], get_camera_hand(store, last)["game_id"]) == ("settled", second)


def test_players_come_and_go(store: Engine) -> None:
    cup = begin_tournament(store, 4)
    with pytest.raises(Conflict):
        player_changes.add_players(store, cup, [NewEntrant("p1")])
    assert len(tournaments.get_tournament(store, cup)["players"]) == 4
    player_changes.add_players(store, cup, [NewEntrant("New")])
    player_changes.let_player_leave(store, cup, 2)
    first = rounds.seat_round(store, cup)["rounds"][0]["tables"][0]
    assert 2 not in [p["number"] for p in first["players"]]
    player_changes.let_player_leave(store, cup, 2, back=True)
    assert tournaments.get_tournament(store, cup)["players"][1]["left"] is False
    for missing in (
        lambda: player_changes.let_player_leave(store, cup, 77),
        lambda: tournaments.get_tournament(store, "nope"),
    ):
        with pytest.raises(NotFound):
            missing()
    with pytest.raises(InvalidRequest):
        rounds.seat_round(store, cup, SeatingOptions(tables=["X", "X"]))


def ema_rows(store: Engine, people: list[NewEntrant], scoring: Scoring, rules: str, event: Event) -> list[list[str]]:
    """What the EMA is told of a tournament in which somebody paid 500, but for the head of the table."""
    new = tournaments.NewTournament("=Open", rules, {}, people, scoring)
    cup = tournaments.create_tournament(store, new)["id"]
    made = rounds.seat_round(store, cup, SeatingOptions(seed=3))
    pay(store, made["rounds"][0]["tables"][0]["game_id"], 500)
    found = ema_csv(tournaments.get_tournament(store, cup), event)
    assert {player.name: player for player in parse_players(found).entrants} == {
        player.name: player for player in people
    }
    return list(csv.reader(io.StringIO(found)))[1:]


P2_TO_P4 = [NewEntrant(f"P{i}") for i in range(2, 5)]


def test_the_ema_is_told_in_its_columns(store: Engine) -> None:
    people = [NewEntrant("Ann van Dyk", country="NED", ema="08010001"), *P2_TO_P4]
    counting = Scoring(divide=Decimal(0), places=tuple(map(Decimal, (4, 2, 1, 0))), tie_breaks=("won",))
    rows = ema_rows(store, people, counting, "mcr", Event("NED", "Delft", Decimal("1.5"), "21-22 Nov. 2026", 2))
    by_name = {row[3]: row for row in rows}
    ann = by_name["Ann"]
    assert ann[:2] == ["'=Open", "4"] and ann[4:6] == ["van Dyk", "08010001"] and ann[8:10] == ["TRUE", "NED"]
    assert ann[10:] == ["", "NED", "Delft", "1.5", "", "MCR", "21-22 Nov. 2026", "2"]
    assert by_name["P2"][4:6] == ["", ""] and by_name["P2"][8] == "FALSE"
    assert [(row[2], *row[6:8]) for row in rows] == [("1", "4", "500"), *[("2", "1.5", "0")] * 2, ("4", "0", "-500")]


def test_of_riichi_the_ema_is_told_points_and_of_others_nothing(store: Engine) -> None:
    uma = Scoring(Decimal(25000), Decimal(1000), tuple(map(Decimal, (15, 5, -5, -15))))
    rows = ema_rows(store, [NewEntrant("P1"), *P2_TO_P4], uma, "riichi", Event())
    assert [row[6:8] for row in rows] == [["", "15500"], ["", "0"], ["", "0"], ["", "-15500"]]
    assert rows[0][11:] == ["", "", "", "", "Riichi", "", ""]
    with pytest.raises(InvalidRequest, match="riichi and mcr"):
        ema_rows(store, [*P2_TO_P4, NewEntrant("P1")], uma, "hongkong", Event())


def test_files_for_other_software(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    player_changes.add_players(store, cup, [NewEntrant("=cmd", "+x")])
    made = rounds.seat_round(store, cup, SeatingOptions(seed=3))
    pay(store, made["rounds"][0]["tables"][0]["game_id"], 5)
    found = tournaments.get_tournament(store, cup)
    rows = list(csv.DictReader(io.StringIO(standings_csv(found))))
    assert rows[0]["score"] == "5" and {r["name"] for r in rows} >= {"P1", "'=cmd"}
    again = {(player.name, player.club) for player in parse_players(standings_csv(found)).entrants}
    assert again == {(player["name"], player["club"]) for player in found["players"]}
    seats = list(csv.DictReader(io.StringIO(tables_csv(found))))
    assert [r["seat"] for r in seats[:4]] == ["E", "S", "W", "N"] and len(seats) == 8
    assert sum(int(r["total"]) for r in seats) == 0
    assert tournament_export(found)["format"] == 1
