"""Tiles and runs of tiles: parsing and printing, and numbers to count with."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.basics.counts import five_or_not_playable, kind_bits, kinds_in, reds_in
from scoring.errors import NotationError
from scoring.tiles import BACK_KIND, KINDS, PLAIN, TILES, format_tiles, kind_name, parse_tiles, tile

ANY_TILES = st.lists(st.sampled_from(TILES), max_size=30)


def test_every_tile_there_is():
    assert len(TILES) == len({t.code for t in TILES}) == 34 + 4 + 4 + 4 + 3 + 1
    assert [t.code for t in TILES[:34]] == [f"{n}{s}" for s in "mps" for n in range(1, 10)] + [
        f"{n}z" for n in range(1, 8)
    ]
    assert [t.kind for t in PLAIN] == list(range(46))
    assert all(kind_name(t.kind) == t.code for t in PLAIN)


@pytest.mark.parametrize(
    ("code", "suit", "number", "name"),
    [
        ("1m", "m", 1, "1 of characters"),
        ("9p", "p", 9, "9 of dots"),
        ("0s", "s", 5, "red 5 of bamboo"),
        ("1z", "z", 1, "east wind"),
        ("5z", "z", 5, "white dragon"),
        ("7z", "z", 7, "red dragon"),
        ("f2", "f", 2, "orchid"),
        ("g4", "g", 4, "winter"),
        ("a1", "a", 1, "cat"),
        ("back", "b", 0, "face-down tile"),
    ],
)
def test_what_a_tile_is(code, suit, number, name):
    t = tile(code)
    assert (t.suit, t.number, t.name) == (suit, number, name)
    assert t.is_playable is (t.kind < KINDS)
    assert t.is_bonus is (code[0] in "fga")
    assert (t.kind == BACK_KIND) is (code == "back")
    assert str(t) == code
    assert eval(repr(t), {"tile": tile}) is t
    assert pickle.loads(pickle.dumps(t)) is t


@pytest.mark.parametrize(
    "code", ["", "1", "m", "10m", "0z", "8z", "1x", "f0", "f5", "g5", "a0", "Back", None, 5, ["1m"]]
)
def test_no_tile(code):
    with pytest.raises(NotationError, match="is not a tile") as caught:
        tile(code)
    assert caught.value.code == "unknown_tile"


@given(st.text() | st.text("0123456789mpszfga back,"))
def test_any_text_is_a_tile_or_a_refusal(text):
    for read in (tile, parse_tiles):
        try:
            found = read(text)
        except NotationError as error:
            assert error.message
            assert error.exit_status == 2
        else:
            tiles = found if isinstance(found, tuple) else (found,)
            assert parse_tiles(format_tiles(tiles)) == tiles


@given(ANY_TILES)
def test_printing_and_parsing_round_trip(tiles):
    text = format_tiles(tiles)
    assert parse_tiles(text) == tuple(tiles)
    assert format_tiles(parse_tiles(text)) == text


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("123m406p11z f1 g3", "1m 2m 3m 4p 0p 6p 1z 1z f1 g3"),
        ("1m,2m, 3m", "1m 2m 3m"),
        ("f1f2a3", "f1 f2 a3"),
        ("backback1m", "back back 1m"),
        ("", ""),
        ("  \n,", ""),
    ],
)
def test_compact_runs(text, codes):
    assert [t.code for t in parse_tiles(text)] == codes.split()


@pytest.mark.parametrize(
    ("text", "place"), [("12", 1), ("123m4", 5), ("1m x", 4), ("f5", 1), ("m1", 1), ("bac", 1), ("1m٣p", 3)]
)
def test_text_that_is_no_run_is_pointed_at(text, place):
    with pytest.raises(NotationError, match=f"at position {place} is not a tile"):
        parse_tiles(text)


@given(ANY_TILES)
def test_counting_with_numbers(tiles):
    """Sums of units say what counting one by one says."""
    total = sum(t.unit for t in tiles)
    playable = [t for t in tiles if t.is_playable]
    number = sum(t.unit - (t.unit >> 376 << 376) for t in playable)
    counts = [sum(t.kind == kind for t in playable) for kind in range(34)]
    assert list(number.to_bytes(34, "little")) == counts
    assert kinds_in(number) == kind_bits(*(k for k, n in enumerate(counts) if n))
    assert five_or_not_playable(number) is (max(counts) > 4)
    assert five_or_not_playable(total) is (max(counts) > 4 or len(playable) < len(tiles))
    assert reds_in(total) == sum(t.red for t in tiles)
