"""A tournament of riichi for three: nine players, four rounds, everybody meets everybody once."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import httpx
import pytest

from tests.hupai.serving import OPEN, Server, problem, running

pytestmark = pytest.mark.slow

WHY = {"by": "Judge Oak", "reason": "Seen at the table"}
SETTINGS = {
    "rules": "riichi",
    "options": {"players": 3},
    "starting_points": 35_000,
    "return_points": 40_000,
    "divide": 1000,
    "places": [15, 0, -15],
}
STRAIGHT = {"concealed": "123456789p23s55p", "winning_tile": "4s", "bonus": ["4z", "4z"]}
RESULTS = ((52_000, 31_000, 22_000), (36_500, 35_000, 33_500), (70_100, 40_000, -5100), (41_000, 41_000, 22_000))
"""Totals of tables; the last one has 1,000 left over, a riichi stick, which the first two share."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("three"), director_code="chief", **OPEN) as server:
        yield server


@pytest.fixture
def cup(chief: httpx.Client) -> str:
    made = chief.post("/tournaments", json={"name": "Three", **SETTINGS})
    assert made.status_code == 201, made.text
    assert (made.json()["table_size"], made.json()["places"]) == (3, [15, 0, -15])
    path = f"/tournaments/{made.json()['id']}"
    rows = [f"P{n},Oak,{'yes' if n == 10 else ''}" for n in range(1, 11)]
    added = chief.post(f"{path}/players/import", json={"csv": "\n".join(["name,club,substitute", *rows])})
    assert [p["substitute"] for p in added.json()["players"]] == [False] * 9 + [True]
    return path


def score(totals: Sequence[int]) -> list[Fraction]:
    """What a table counts, from the rules' text: 40,000 come back, uma 15-0-15, oka and sticks to the first."""
    points = [Fraction(total) for total in totals]
    first = [i for i, total in enumerate(points) if total == max(points)]
    for i in first:
        points[i] += Fraction(3 * 35_000 - sum(totals)) / len(first) + Fraction(3 * 5000) / len(first)
    shared = []
    for total in totals:
        above, level = sum(t > total for t in totals), totals.count(total)
        shared.append(Fraction(sum((15, 0, -15)[above : above + level]), level))
    return [(p - 40_000) / 1000 + uma for p, uma in zip(points, shared, strict=True)]


def play(chief: httpx.Client, game: str) -> tuple[int, int, int]:
    """Two hands on phones: nobody wins and east is ready, then south draws the winning tile; the game is ended."""
    win = {**STRAIGHT, "context": {"seat": "S", "win": "self_draw"}}
    for number, body in enumerate(({"outcome": "draw", "ready": ["E"]}, {"outcome": "win", "wins": [win]})):
        said = {**body, "seen": {"revision": number}}
        done = chief.post(f"/games/{game}/hands", json=said)
        assert done.status_code == 201, done.text
    # The discards of a draw are corrected: south was ready as well.
    corrected = {"outcome": "draw", "ready": ["E", "S"], **WHY, "seen": {"revision": 2}}
    done = chief.put(f"/games/{game}/hands/1", json=corrected)
    assert done.status_code == 200, done.text
    assert chief.post(f"/games/{game}/end", json={**WHY, "seen": {"revision": 3}}).status_code == 200
    # 1,000 to each of the two, 2,000 from west; then 6,000 and 3,000, and 100 each for the counter.
    return 35_000 + 1000 - 6100, 35_000 + 1000 + 9200, 35_000 - 2000 - 3100


def test_a_day_of_nine_players_and_four_rounds(chief: httpx.Client, viewer: httpx.Client, cup: str) -> None:
    planned = chief.post(f"{cup}/plan", json={"rounds": 4, "seed": 7}).json()["plan"]
    tables = [table["players"] for played in planned for table in played["tables"]]
    met = Counter(tuple(sorted(two)) for table in tables for two in combinations(table, 2))
    assert met == dict.fromkeys(combinations(range(1, 10), 2), 1)
    assert [played["repeats"] for played in planned] == [0] * 4
    scores: Counter[int] = Counter()
    for number in range(1, 5):
        if number == 4:  # the substitute takes the seat that is planned for player 5
            chief.post(f"{cup}/players/5/leave").raise_for_status()
        seated = chief.post(f"{cup}/rounds", json={"round": number})
        assert seated.status_code == 201, seated.text
        for i, table in enumerate(seated.json()["rounds"][-1]["tables"]):
            at = f"{cup}/rounds/{number}/tables/{table['table']}"
            people = [player["number"] for player in table["players"]]
            assert people == [10 if p == 5 and number == 4 else p for p in planned[number - 1]["tables"][i]["players"]]
            totals = RESULTS[(number + i) % 4]
            if (number, i) == (1, 0):
                totals = play(chief, table["game_id"])
                lacking = chief.get(cup).json()["missing"][0]
                assert (lacking["missing"], lacking["seats"]) == ("signature", ["E", "S", "W"])
                problem(chief.post(f"{at}/sign", json={"seat": "N"}), 422, "bad_value")
                problem(chief.post(f"{at}/object", json={"seat": "N", **WHY}), 422, "bad_value")
                assert chief.post(f"{at}/sign", json={"seats": ["E", "S", "W"]}).status_code == 200
            else:
                four = {"totals": [35_000, 35_000, 35_000, 0]}
                problem(chief.post(f"{at}/result", json=four), 422, "bad_value")
                paper = {"totals": totals, "signed": ["E", "S", "W"]}
                assert chief.post(f"{at}/result", json=paper).status_code == 200
            scores.update(dict(zip(people, score(totals), strict=True)))
    assert chief.get(cup).json()["missing"] == []
    chief.post(f"{cup}/penalties", json={"player": 3, "amount": -20, **WHY}).raise_for_status()
    scores[3] -= 20
    shown = viewer.get(cup).json()["standings"]
    assert {s["player"]: Fraction(str(s["score"])) for s in shown} == {p: scores[p] for p in range(1, 10)}
    assert [s["player"] for s in shown] == sorted(range(1, 10), key=lambda p: -scores[p])
    assert all(sum(s["placed"]) == s["tables"] == 4 - (s["player"] == 5) for s in shown)


def test_files_of_a_day_of_three(chief: httpx.Client, viewer: httpx.Client, cup: str) -> None:
    made = chief.post(f"{cup}/rounds", json={"minutes": 60}).json()
    first = made["rounds"][0]["tables"][0]
    path = f"{cup}/rounds/1/tables/{first['table']}/result"
    chief.post(path, json={"totals": RESULTS[0]}).raise_for_status()
    standings, tables = (
        list(csv.DictReader(io.StringIO(viewer.get(f"{cup}/{name}.csv").text.removeprefix("\ufeff"))))
        for name in ("standings", "tables")
    )
    assert (standings[0]["score"], standings[0]["first"], standings[0]["third"]) == ("42", "1", "0")
    assert "fourth" not in standings[0]
    assert Counter(row["seat"] for row in tables) == {"E": 3, "S": 3, "W": 3}
    assert [row["total"] for row in tables[:3]] == [str(total) for total in RESULTS[0]]
    refused = problem(viewer.get(f"{cup}/ema.csv"), 422, "bad_value")
    assert refused["field"] == "options.players"
    exported = viewer.get(f"{cup}/export.json").json()
    assert (exported["table_size"], exported["options"]) == (3, {"players": 3})


def test_late_players_rest_swap_and_meet_in_a_final(chief: httpx.Client, cup: str) -> None:
    chief.post(f"{cup}/players", json={"players": [{"name": "Late"}, {"name": "Later"}]}).raise_for_status()
    swiss = chief.post(f"{cup}/rounds", json={"method": "swiss"}).json()
    seats = [player["number"] for table in swiss["rounds"][0]["tables"] for player in table["players"]]
    assert sorted(seats) == list(range(1, 13)), "eleven, and the substitute fills the last table"
    chief.post(f"{cup}/rounds/1/replace", json={"out": seats[0], "into": seats[3], **WHY}).raise_for_status()
    swapped = chief.get(cup).json()["rounds"][0]["tables"]
    assert swapped[0]["players"][0]["number"] == seats[3] and swapped[1]["players"][0]["number"] == seats[0]
    undone = chief.post(f"{cup}/undo", json={"revision": chief.get(cup).json()["last_step"]["revision"]}).json()
    back = [player["number"] for table in undone["rounds"][0]["tables"] for player in table["players"]]
    assert back == seats
    for i, table in enumerate(undone["rounds"][0]["tables"]):
        points = {"totals": [36_000 + 100 * i, 35_000 + 100 * i, 34_000 - 200 * i]}
        chief.post(f"{cup}/rounds/1/tables/{table['table']}/result", json=points).raise_for_status()
    problem(chief.post(f"{cup}/rounds/try", json={"method": "final", "size": 8}), 422, "bad_value")
    final = chief.post(f"{cup}/rounds/try", json={"method": "final"}).json()
    leaders = [s["player"] for s in chief.get(cup).json()["standings"][:3]]
    assert [sorted(table["players"]) for table in final["tables"]] == [sorted(leaders)]
    wide = "round,table,east,south,west\n2,A,1,2,3\n2,B,4,5,6\n3,A,7,8,9\n3,B,11,12,1\n"
    assert chief.post(f"{cup}/plan/import", json={"csv": wide}).json()["plan"][0]["tables"][0]["players"] == [1, 2, 3]
    refused = problem(chief.post(f"{cup}/plan/import", json={"csv": wide.replace(",west", "")}), 422, "bad_value")
    assert "east, south, west." in refused["detail"]


@pytest.mark.parametrize(
    ("more", "code", "field"),
    [
        ({"places": [15, 5, -5, -15]}, "bad_value", "places"),
        ({"options": {}}, "bad_value", "places"),
        ({"options": {"players": 5}}, "bad_option", "options.players"),
        ({"course": {"uma": [15_000, 5000, -5000, -15_000]}}, "bad_option", "course.uma"),
    ],
)
def test_a_tournament_counts_as_many_places_as_a_table_has(
    chief: httpx.Client, more: dict[str, Any], code: str, field: str
) -> None:
    refused = problem(chief.post("/tournaments", json={"name": "Odd", **SETTINGS, **more}), 422, code)
    assert refused["field"] == field


def test_its_rules_and_so_its_tables_never_change(chief: httpx.Client, cup: str) -> None:
    refused = problem(chief.post(f"{cup}/settings", json={"places": [4, 2, 1, 0], **WHY}), 422, "bad_value")
    assert refused["field"] == "places"
    assert chief.post(f"{cup}/settings", json={"places": [20, 0, -20], **WHY}).json()["places"] == [20, 0, -20]
    problem(chief.post(f"{cup}/settings", json={"options": {}, **WHY}), 422, "unknown_field")
    plain = chief.post("/tournaments", json={"name": "Plain", "rules": "riichi", "options": {"players": 3}}).json()
    assert plain["places"] == [0, 0, 0]
