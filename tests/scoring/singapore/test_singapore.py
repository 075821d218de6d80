"""Singapore: every cell of the printed tables, and what no recount reaches."""

from decimal import Decimal
from functools import partial

import pytest

from tests.scoring import asking
from tests.scoring.asking import hand

scored = partial(asking.scored, "singapore")

PLAIN = hand("345s67s99m", "8s", "chow 234m", "pung 888p")  # worth nothing by itself


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
