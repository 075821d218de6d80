"""Every worked hand of the specifications: legality, elements, total, reading and payments.

basis: S follows from the system's source text alone, R needs a second named source, C rests on a decision.
"""

import json
from pathlib import Path

import pytest

from scoring.request import respond
from scoring.rules import MODULES

GOLDEN = Path(__file__).parent.parent / "golden"
CASES = [case for name in MODULES for case in json.loads((GOLDEN / f"{name}.json").read_text())]


def total_of(response):
    total = response["total"]
    if response["rules"] != "riichi":
        return total["value"]
    if total.get("yakuman"):
        return f"{total['yakuman']} yakuman"
    fu = f" {total['fu']} fu" if total["value"] < 5 else ""
    return f"{total['value']} han{fu}"


def reading_of(response):
    """The sets and the pair in a line, in any order; special shapes, and all of Hangzhou's, by name."""
    types = [unit["type"] for unit in response["arrangement"]]
    if types in ([], ["pair"] * 7, ["thirteen_orphans"], ["knitted"]):
        return {0: "bonus tiles", 7: "seven pairs", 1: " ".join(types).replace("_", " ")}[len(types)]
    if "knitted" in types:
        rest = [unit["tiles"] for unit in response["arrangement"] if unit["type"] != "knitted"]
        return " ".join(["knitted straight", *("".join(t[0] for t in tiles) + tiles[0][1] for tiles in rest)])
    if types.count("pair") == 7:
        return "eight pairs"
    assert (len(types), types.count("pair")) == (6 if response["rules"] == "taiwanese" else 5, 1)
    if response["rules"] == "hangzhou":
        return "sets and a pair"
    codes = [unit["tiles"] for unit in response["arrangement"]]
    return " ".join(sorted("".join(t[0].replace("0", "5") for t in tiles) + tiles[0][1] for tiles in codes))


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_worked_hand(case):
    response = respond(case["request"])
    expected = case["expected"]
    assert "error" not in response, response
    assert response["legal"] is expected["legal"]
    if not expected["legal"]:
        assert response["reason"]["code"] == expected["reason"]
        assert set(response["payments"].values()) == {0}
        return
    assert {line["id"]: line["value"] for line in response["elements"]} == expected["elements"]
    assert len(response["elements"]) == len(expected["elements"])
    assert total_of(response) == expected["total"]
    named = not expected["reading"][0].isdigit()
    assert reading_of(response) == (expected["reading"] if named else " ".join(sorted(expected["reading"].split())))
    assert response["payments"] == expected["payments"]


def test_how_many_worked_hands_there_are():
    systems = [case["request"]["rules"] for case in CASES]
    assert {name: systems.count(name) for name in MODULES} == {
        **{"hongkong": 40, "zungjung": 35, "hangzhou": 40, "singapore": 39, "riichi": 50, "mcr": 87},
        "taiwanese": 82,
    }
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert {case["basis"] for case in CASES} == {"S", "R", "C"}
