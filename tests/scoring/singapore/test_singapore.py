"""Singapore: every table cell, the worked examples of the text, all chows, flower wins."""

from decimal import Decimal
from functools import partial

import pytest

from tests.scoring import asking
from tests.scoring.asking import elements, hand

scored = partial(asking.scored, "singapore")
faults = partial(asking.faults, "singapore")

PLAIN = hand("345s67s99m", "8s", "chow 234m", "pung 888p")  # worth nothing by itself
CHOWS = hand("123m456m345p78s22p", "9s")


def worth(n, rules, **how):
    """A hand of n doubles: one animal, revalued."""
    rules = rules | ({"values": {"animal": n}} if n else {"min": 0})
    return scored(PLAIN, bonus="a1" if n else "f1", options=rules, **how)


# --- the printed tables, cell by cell: doubles, what a loser pays on another's discard, what each pays on a self-draw

UNLIMITED = """
    0 0.5 1 | 1 1 2 | 2 2 4 | 3 4 8 | 4 8 16 | 5 16 32 | 6 32 64 | 7 64 128 | 8 128 256 | 9 256 512
    | 10 512 1024 | 11 1024 2048 | 12 2048 4096 | 13 4096 8192"""
RAW = "0 0.3 0.6 | 1 0.6 1.2 | 2 1.2 2.4 | 3 2.4 4.8 | 4 4.8 9.6 | 5 9.6 19.2"
ROUNDED = "0 0.5 1 | 1 1 2 | 2 2 3 | 3 3 5 | 4 5 10 | 5 10 20"
OVER = """
    0 0.5 1 | 1 1 2 | 2 2 4 | 3 4 8 | 4 8 16 | 5 16 32 | 6 26 42 | 7 36 52 | 8 46 62 | 9 56 72
    | 10 66 82 | 11 76 92 | 12 86 102 | 13 96 112"""
TABLES = [
    (UNLIMITED, {"limit": None}),
    (RAW, {"base": "0.3"}),
    (ROUNDED, {"base": 0.3, "rounding": "up"}),
    (OVER, {"over_bonus": 10}),
]
ROWS = [(*row.split(), rules) for table, rules in TABLES for row in table.split("|")]


@pytest.mark.parametrize(("doubles", "first", "second", "rules"), ROWS)
def test_table_row(doubles, first, second, rules):
    n, first, second = int(doubles), Decimal(first), Decimal(second)
    discard = worth(n, rules, source="W")["payments"]
    paid = {"E": -first, "S": 2 * first + second, "W": -second, "N": -first, "pot": 0}
    assert {seat: Decimal(amount) for seat, amount in discard.items()} == paid
    drawn = worth(n, rules, win="self_draw")["payments"]
    paid = {"E": -second, "S": 3 * second, "W": -second, "N": -second, "pot": 0}
    assert {seat: Decimal(amount) for seat, amount in drawn.items()} == paid


# --- the worked examples of the text ---


@pytest.mark.parametrize(("n", "share"), [(4, 160), (0, 10), (1, 20), (2, 40)])
def test_base_ten(n, share):
    assert worth(n, {"base": 10}, source="W")["payments"]["E"] == -share


def test_ten_doubles_without_limit_bring_2048():
    assert worth(10, {"limit": None}, source="W")["payments"]["S"] == 2048


def test_ten_doubles_under_a_limit_of_five_pay_as_five():
    ten, five = worth(10, {}, source="W"), worth(5, {}, source="W")
    assert ten["payments"] == five["payments"]
    assert ten["total"] == {"unit": "doubles", "value": 5, "uncapped": 10, "limit": "5 tai"}
    assert "10 tai, cut to the limit of 5." in ten["explanation"]
    assert five["total"]["limit"] == "5 tai"
    assert worth(4, {}, source="W")["total"]["limit"] is None


# --- elements: south in the west round unless said otherwise ---


def test_elements_that_count_several_times_are_one_line_that_names_all_their_tiles():
    response = scored(hand("777z34s99m", "5s", "chow 234m", "kong_open 5555z"), bonus="a2 a3 f2")
    lines = [(line["id"], line["value"], line["count"], line["why"].rsplit(": ")[-1]) for line in response["elements"]]
    assert lines == [("seat_flower", 1, 1, "f2"), ("animal", 2, 2, "a2 a3"), ("dragon_pung", 2, 2, "5z 7z")]
    assert "Animal 动物: 2 tai - each animal: a2 a3." in response["explanation"]
    dearer = scored(PLAIN, bonus="a2 a3 f2 g2", options={"values": {"animal": 3, "seat_flower": 2}})
    lines = [(line["id"], line["value"], line["count"]) for line in dearer["elements"]]
    assert lines == [("seat_flower", 4, 2), ("animal", 6, 2)]


# --- all chows: the pair, the bonus tiles and the wait ---

EXPOSED = ["chow 123m", "chow 456m", "chow 345p", "chow 789s"]
SIXES = "4566s", "3s", "chow 123p", "chow 567s"  # waits for 3s and 6s


@pytest.mark.parametrize(
    ("tiles", "win", "counts"),
    [
        (CHOWS, "discard", True),
        (hand("123m456m345p79s22p", "8s"), "discard", False),  # closed
        (hand("123m456m345p12s22p", "3s"), "discard", False),  # edge
        (hand("123m456m345p789s9p", "9p"), "discard", False),  # single
        (hand("123m456m789s2345p", "2p"), "discard", True),  # 2345 waits for 2 and 5
        (hand("123m456m789s2345p", "5p"), "discard", True),
        (hand(*SIXES, "chow 789s"), "discard", True),
        (hand(*SIXES, "chow 678s"), "discard", False),  # all four 6s are in the hand
        (hand("123m456m345p79s22p", "8s"), "self_draw", True),
        (hand("123m456m345p789s9p", "9p"), "self_draw", True),
        (hand("9p", "9p", *EXPOSED), "self_draw", False),  # nothing left in hand: the wait matters
        (hand("9p", "9p", *EXPOSED), "discard", False),
        (hand("2345p", "2p", *EXPOSED[:2], "chow 789s"), "discard", True),
        (hand("123m456m345p78s55z", "9s"), "self_draw", False),  # dragon pair
        (hand("123m456m345p78s22z", "9s"), "self_draw", False),  # seat wind pair
        (hand("123m456m345p78s33z", "9s"), "self_draw", False),  # round wind pair
        (hand("123m456m345p78s44z", "9s"), "self_draw", True),  # guest wind pair
        (CHOWS, "robbed_kong", True),
        (hand("123m456m345p79s22p", "8s"), "robbed_kong", False),
    ],
)
def test_all_chows(tiles, win, counts):
    how = {"win": win, "round": "W", "options": {"min": 0}}
    found = elements(scored(tiles, **how))
    assert ("all_chows" in found, "lesser_all_chows" in found) == (counts, False)
    for bonus in ("f1", "g2", "a3"):
        found = elements(scored(tiles, bonus=bonus, **how))
        assert ("all_chows" in found, "lesser_all_chows" in found) == (False, counts)


# --- flower wins ---

EIGHT = "f1 f2 f3 f4 g1 g2 g3 g4"
NOTHING = hand("", None)
FLOWER_WIN = {"flower_win": 10, "seat_flower": 2, "flower_set": 1, "season_set": 1}


@pytest.mark.parametrize("tiles", [NOTHING, hand("", ""), hand("1234567m12s", None, "pung 111z")])
def test_flower_win_needs_no_hand(tiles):
    response = scored(tiles, win="self_draw", bonus=EIGHT, flower_win=True)
    assert elements(response) == FLOWER_WIN
    assert response["arrangement"] == []
    assert "Won by bonus tiles alone." in response["explanation"]
    assert response["payments"] == {"E": -32, "S": 96, "W": -32, "N": -32, "pot": 0}


@pytest.mark.parametrize("missing", EIGHT.split())
def test_robbed_eighth_flower_counts_as_held_and_its_owner_pays_all(missing):
    how = {"win": "robbed_kong", "source": "N", "flower_win": True, "bonus": EIGHT.replace(missing, "")}
    robbed = scored(NOTHING, options={"limit": None}, **how)
    assert elements(robbed) == FLOWER_WIN
    assert robbed["payments"] == {"E": 0, "S": 2**15, "W": 0, "N": -(2**15), "pot": 0}
    shared = scored(NOTHING, options={"limit": None, "rob_kong_bao": False}, **how)
    assert shared["payments"] == {"E": -(2**13), "S": 2**15, "W": -(2**13), "N": -(2**14), "pot": 0}
    assert robbed["elements"][-1]["why"].endswith(f"need not be complete: {missing}")


def test_flower_win_adds_to_a_complete_hand():
    how = {"win": "self_draw", "bonus": f"{EIGHT} a1", "flower_win": True, "last_tile": True}
    assert elements(scored(PLAIN, **how)) == {**FLOWER_WIN, "animal": 1, "last_tile": 1}
    incomplete = hand("345s67s99m", "1z", "chow 234m", "pung 888p")
    assert elements(scored(incomplete, **how)) == {**FLOWER_WIN, "animal": 1}


def test_flower_win_faults():
    seven = EIGHT[3:]
    drawn = {"win": "self_draw", "flower_win": True}
    robbed = {"win": "robbed_kong", "flower_win": True}
    assert "all eight" in faults(NOTHING, bonus=seven, **drawn)
    assert "seven of" in faults(NOTHING, bonus=EIGHT[6:], **robbed)
    assert "never discarded" in faults(NOTHING, bonus=EIGHT, flower_win=True)
    assert "leave winning_tile out" in faults(CHOWS, bonus=seven, **robbed)
    assert "not a heavenly" in faults(NOTHING, seat="E", bonus=EIGHT, heavenly=True, **drawn)
    assert "too many" in faults(hand("123456789m123456s", None), bonus=EIGHT, **drawn)
    assert "winning_tile is missing" in faults(NOTHING, win="self_draw", bonus=EIGHT)
