"""What was set aside of a photo: when it is asked about, and the hand that is read with it."""

from __future__ import annotations

import pytest

from scoring.errors import InvalidRequest
from tests.vision.laid import row
from vision.hand.aside import keep_aside, with_aside
from vision.hand.read import read_hand
from vision.reading import Reading, Sighting

HAND = row("123m456p789s1122z")
LAST = row("2z", x=700)


def read(tiles: list[Sighting], aside: list[Sighting], count: float = 0.0) -> Reading:
    return with_aside(read_hand(tiles, 1000, 800, "riichi")[0], dict(enumerate(aside)), "riichi", count)


def asked(reading: Reading) -> list[tuple[str, ...]]:
    return [doubt.answers for doubt in reading.doubts if doubt.code == "set_aside"]


def test_what_a_hand_lacks_is_asked_about_and_kept() -> None:
    reading = read(HAND, LAST)
    assert asked(reading) == [("2z",)] and reading.hand is not None and not reading.hand.complete
    (thing,) = reading.to_json("a.jpg")["aside"]
    assert (thing["number"], thing["tile"]) == (0, "2z") and len(thing["corners"]) == 4
    kept = keep_aside(reading, rules="riichi")
    assert kept.tiles == (*HAND, *LAST) and kept.hand is not None and kept.hand.complete
    assert str(kept.hand.winning_tile) == "2z" and not kept.aside and not asked(kept)
    assert keep_aside(reading, rules="riichi", numbers=()) == reading


def test_a_photo_whose_tiles_were_all_set_aside() -> None:
    reading = read([], [*HAND, *LAST], count=14.0)
    assert [d.code for d in reading.doubts] == ["set_aside"] and reading.hand is None
    kept = keep_aside(reading, rules="riichi")
    assert kept.hand is not None and kept.hand == read_hand([*HAND, *LAST], 1000, 800, "riichi")[0].hand


def test_one_thing_is_kept_and_the_others_have_their_numbers_still() -> None:
    reading = read(HAND[:11], [*HAND[11:], *LAST])
    kept = keep_aside(reading, rules="riichi", numbers={1})
    assert kept.tiles[11:] == (HAND[12],) and list(kept.aside) == [0, 2] and asked(kept) == [("2z",)]
    with pytest.raises(InvalidRequest, match="number 3"):
        keep_aside(reading, rules="riichi", numbers={1, 3})


def test_what_makes_no_hand_whole_is_not_asked_about() -> None:
    whole = read([*HAND, *LAST], row("5p", x=900))
    assert not asked(whole) and not whole.aside
    lacks_more = read(HAND[:9], row("5p", x=900))
    assert not asked(lacks_more) and not lacks_more.aside
    table = read([*HAND[:12], *row("11223344m", y=200)], row("5p", x=900))
    assert len(table.tiles) > 16 and not asked(table)


def test_without_a_tile_in_sight_lines_of_things_are_asked_about() -> None:
    letters = row("2s2s2s2s2s")
    few, many, nameless = read([], letters, 4.0), read([], letters, 5.0), read([], [], 5.0)
    assert not few.doubts and not few.aside
    assert asked(many) == [("2s",)] and len(many.aside) == 5
    assert asked(nameless) == [()]
