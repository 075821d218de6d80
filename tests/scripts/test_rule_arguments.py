"""Arguments at a table: each is settled from the page of a rule system alone, and by the code in the same way."""

import re
from functools import cache

import pytest

from scoring.request import respond
from scoring.rules import system_named
from scoring.rules.hongkong import false_win
from scoring.seats import Seat
from scripts.docs.rules import page
from tests.scoring import asking

DEALER_DRAWS = "player draws it: dealer / others"
DISCARD = "on another's tile: who gave it / others"
FIVE_FAAN = ("99m44p", "4p", "pung 222z", "pung 777z", "pung 333s")
HALF_SPICY = ("hongkong", "### Who pays whom: `half-spicy`", "5")


@cache
def page_of(rules):
    return page(system_named(rules))


def tables(rules, heading):
    """The cells of the tables below a heading, by row."""
    below = page_of(rules).partition(f"\n{heading}\n")[2].partition("\n## ")[0]
    for block in re.findall(r"(?:^\|.*\n)+", below, re.M):
        head, _, *lines = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in block.splitlines()]
        yield [dict(zip(head, line, strict=True)) for line in lines]


def cell(rules, heading, first, column):
    """The cell of a column, in the row that begins with this text."""
    for row in (row for table in tables(rules, heading) for row in table):
        if next(iter(row.values())) == first and column in row:
            return row[column]
    raise AssertionError(f"{rules}: no {first} / {column} below {heading}")


def score(rules, hand, preset=None, **how):
    answer = respond(asking.ask(rules, asking.hand(*hand), **how) | ({"preset": preset} if preset else {}))
    assert "error" not in answer, answer
    return answer


@pytest.mark.parametrize(
    ("rules", "heading", "value", "column", "hand", "how", "payers"),
    [
        # A claimed dragon and a half flush: 3 han; 20, 2 for the self-draw, 8 and 4 for the sets: 40 fu.
        ("riichi", "## What it pays", "3 / 40", DEALER_DRAWS, ("234m444z99m56m", "7m", "pung 777z"),
         {"win": "self_draw"}, "EN"),
        ("singapore", "## What it pays", "3", DISCARD, ("67s99p", "5s", "pung 555z", "pung 666z", "pung 333m"),
         {"bonus": "a1"}, "WN"),
        # Two dragons, the seat wind, half a flush of triplets: 7 doubles, over a limit of 5.
        ("singapore", "### Who pays whom: `sg-bonus`", "7", DISCARD,
         ("33m99m", "3m", "pung 555z", "pung 666z", "pung 222z"), {"preset": "sg-bonus"}, "WN"),
        ("zungjung", "## What it pays", "60", DISCARD, ("123m45m99m", "6m", "pung 666z", "pung 777z"), {}, "WN"),
        ("hangzhou", "The dealer's hand 2 in a row:", "1", DEALER_DRAWS, ("123m456m345p78s22p", "9s"),
         {"win": "self_draw", "indicator": "1z", "streak": 2}, "EN"),
        ("mcr", "## What it pays", "12", DISCARD, ("234m567m234p55p67s", "8s"), {"last_of_kind": True}, "WN"),
        # Self-drawn, and a claimed dragon: 2 tai.
        ("taiwanese", "The dealer's hand 3 in a row:", "2", DEALER_DRAWS, ("123m456m345p67s99s", "8s", "pung 777z"),
         {"win": "self_draw", "streak": 3}, "EN"),
        # All in triplets, a dragon, and the winner's own wind: 5 faan; the flower is another's.
        (*HALF_SPICY, "player wins on a player's tile: who gave it / dealer / the other", FIVE_FAAN,
         {"preset": "half-spicy", "bonus": "f1", "round": "W"}, "WEN"),
        (*HALF_SPICY, "player wins on the dealer's tile: dealer / others", FIVE_FAAN,
         {"preset": "half-spicy", "bonus": "f1", "round": "W", "source": "E"}, "EW"),
        (*HALF_SPICY, "dealer wins on a tile: who gave it / others", (*FIVE_FAAN[:2], "pung 111z", *FIVE_FAAN[3:]),
         {"preset": "half-spicy", "bonus": "f2", "round": "W", "seat": "E"}, "WN"),
    ],
)  # fmt: skip
def test_what_everybody_pays(rules, heading, value, column, hand, how, payers):
    answer = score(rules, hand, **how)
    assert value.split(" / ")[0] in {str(answer["total"][key]) for key in ("value", "uncapped")}, answer["elements"]
    figures = cell(rules, heading, value, column).split(" / ")
    assert [str(-answer["payments"][payer]) for payer in payers] == figures


@pytest.mark.parametrize(
    ("rules", "heading", "larger", "contained", "hand", "win"),
    [
        ("hongkong", "## What contains what", "Self Triplets 四暗刻", {"all_triplets": "All in Triplets"},
         ("111m333p555s77s99p", "9p"), "self_draw"),
        ("zungjung", "## Series", "5.1", {"two_identical_sequences": "Two Identical Sequences"},
         ("223344m223344p5s", "5s"), "self_draw"),
        ("taiwanese", "## What contains what", "Fully Concealed 門清自摸",
         {"self_drawn": "Self-Drawn", "concealed_hand": "Concealed Hand"},
         ("123m456m789p345p67s99s", "8s"), "self_draw"),
        ("mcr", "## What contains what", "Big Three Winds 三風刻",
         {"pung_of_terminals_or_honors": "Pung of Terminals or Honors"},
         ("555p5s", "5s", "pung 111z", "pung 333z", "pung 444z"), "discard"),
    ],
)  # fmt: skip
def test_what_does_not_count_beside_a_larger_element(rules, heading, larger, contained, hand, win):
    table = next(tables(rules, heading))
    said = " ".join(next(row for row in table if larger in row.values()).values())
    assert all(name in said for name in contained.values())
    assert not contained.keys() & asking.elements(score(rules, hand, win=win)).keys()


@pytest.mark.parametrize(("offender", "seat"), [("south", "S"), ("east", "E")])
def test_what_does_a_false_win_cost(offender, seat):
    row = next(row for row in next(tables("hongkong", "## Penalty for a false win")) if offender in row.values())
    assert [int(x) for x in list(row.values())[1:]] == [false_win(Seat(seat)).to_json()[code] for code in "ESWN"]
