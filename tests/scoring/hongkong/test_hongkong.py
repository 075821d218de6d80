"""Hong Kong: every table cell, the nine worked examples of the text."""

from functools import partial

import pytest

from tests.scoring import asking
from tests.scoring.asking import hand

scored = partial(asking.scored, "hongkong")

PLAIN = hand("345s67s99m", "8s", "chow 234m", "pung 888p")  # worth nothing by itself
ONE_DRAGON = hand("345s67s99m", "8s", "chow 234m", "pung 555z")
TWO_DRAGONS = hand("67s99m", "8s", "chow 234m", "pung 555z", "pung 666z")
FLUSH = hand("123s67s99s", "8s", "chow 345s", "pung 777s")
FLUSH_CHOWS = hand("123s67s99s", "8s", "chow 345s", "chow 567s")

EIGHT = "f1 f2 f3 f4 g1 g2 g3 g4"


def worth(n, drawn, seat="S", source=None, **options):
    """A real hand of exactly n faan, won on west's discard (or the given seat's) or self-drawn."""
    number = "ESWN".index(seat) + 1
    foreign = f"f{number % 4 + 1}"
    own = f"f{number} g{number}"
    three = f"f1 f2 f3 f4 g{number}"
    ladder = [
        *((PLAIN, foreign), (PLAIN, ""), (PLAIN, own), (PLAIN, three), (PLAIN, EIGHT)),
        *((ONE_DRAGON, EIGHT), (TWO_DRAGONS, EIGHT)),
        *((FLUSH, foreign), (FLUSH, ""), (FLUSH, own), (FLUSH, three), (FLUSH, EIGHT), (FLUSH_CHOWS, EIGHT)),
    ]
    last = n == 13 and not drawn
    tiles, bonus = ladder[n - drawn - last]
    how = {"win": "self_draw"} if drawn else {"source": source}
    response = scored(tiles, seat=seat, bonus=bonus, last_tile=last, options=options, **how)
    assert response["total"]["uncapped"] == n
    return response


def paid(n, drawn, **how):
    response = worth(n, drawn, **how)
    assert response["legal"]
    return response["payments"]


# --- the printed tables, cell by cell; without dealer doubling, as the text prints them ---

SIMPLIFIED = "3 1 | 4 2 | 5 2 | 6 2 | 7 4 | 8 4 | 9 4 | 10 8 | 11 8 | 12 8 | 13 8"
TRADITIONAL = """
    0: 1+1+2=4 | 1: 2+2+4=8 4+4+4=12 | 2: 4+4+8=16 8+8+8=24 | 3: 8+8+16=32 16+16+16=48
    | 4: 16+16+32=64 32+32+32=96 | 5: 16+16+32=64 32+32+32=96 | 6: 16+16+32=64 32+32+32=96
    | 7: 32+32+64=128 64+64+64=192 | 8: 32+32+64=128 64+64+64=192 | 9: 32+32+64=128 64+64+64=192
    | 10: 64+64+128=256 128+128+128=384 | 11: 64+64+128=256 128+128+128=384
    | 12: 64+64+128=256 128+128+128=384 | 13: 64+64+128=256 128+128+128=384"""
CANTON = """
    0 1 - | 1 2 1 | 2 4 2 | 3 8 4 | 4 16 8 | 5 24 12 | 6 32 16 | 7 48 24 | 8 64 32 | 9 96 48
    | 10 128 64 | 11 192 96 | 12 256 128 | 13 384 192"""


def rows(table):
    return [row.split() for row in table.split("|")]


@pytest.mark.parametrize(("faan", "base"), rows(SIMPLIFIED))
def test_simplified(faan, base):
    n, base = int(faan), int(base)
    how = {"table": "simplified", "dealer_doubling": False}
    assert paid(n, False, **how) == {"E": -base, "S": 4 * base, "W": -2 * base, "N": -base, "pot": 0}
    if n > 3:
        assert paid(n, True, **how) == {"E": -2 * base, "S": 6 * base, "W": -2 * base, "N": -2 * base, "pot": 0}


@pytest.mark.parametrize("row", rows(TRADITIONAL), ids=str)
def test_traditional(row):
    n = int(row[0].rstrip(":"))
    for drawn, cell in enumerate(row[1:]):
        shares, total = cell.split("=")
        first, second, discarder = map(int, shares.split("+"))
        net = paid(n, bool(drawn), table="traditional", dealer_doubling=False)
        assert net == {"E": -first, "N": -second, "W": -discarder, "S": int(total), "pot": 0}


@pytest.mark.parametrize(("faan", "discard", "each"), rows(CANTON))
def test_canton_columns(faan, discard, each):
    n, discard = int(faan), int(discard)
    how = {"table": "canton", "canton_settlement": "columns", "min_faan": 0}
    assert paid(n, False, **how) == {"E": 0, "S": discard, "W": -discard, "N": 0, "pot": 0}
    if each != "-":
        share = int(each)
        assert paid(n, True, **how) == {"E": -share, "S": 3 * share, "W": -share, "N": -share, "pot": 0}


# --- the nine worked examples of the text, with dealer doubling ---


@pytest.mark.parametrize(
    ("table", "seat", "faan", "source", "expected"),
    [
        ("simplified", "W", 3, None, (-4, -2, 8, -2)),
        ("simplified", "N", 6, "S", (-4, -4, -2, 10)),
        ("simplified", "E", 10, "W", (64, -16, -32, -16)),
        ("traditional", "W", 4, None, (-64, -32, 128, -32)),
        ("traditional", "N", 7, "S", (-64, -64, -32, 160)),
        ("traditional", "E", 10, "W", (512, -128, -256, -128)),
        ("canton", "W", 4, None, (-64, -32, 128, -32)),
        ("canton", "W", 7, None, (-192, -96, 384, -96)),
        ("canton", "E", 12, "W", (2048, -512, -1024, -512)),
    ],
)
def test_worked_example(table, seat, faan, source, expected):
    net = paid(faan, source is None, seat=seat, source=source, table=table)
    assert net == dict(zip("ESWN", expected, strict=True)) | {"pot": 0}
