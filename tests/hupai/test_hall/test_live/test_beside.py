"""Sets beside a row: what was read once is known while it looks the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np

from hupai.hall.live.row.beside import MELD_PX, PAUSE, TRIES, Beside, Flat
from hupai.hall.live.row.look import Melds, Span
from hupai.hall.live.row.strip import Row
from scoring.tiles import parse_tiles
from vision.arrays import ImageArray

ROW = Row((100.0, 200.0, 0.0), 40.0, 52.0, (-80.0, 300.0), (-60.0, 300.0))
SPAN = (300.0, 800.0)
PUNG, CHOW = tuple(parse_tiles("111z")), tuple(parse_tiles("345s"))
FIRST, SECOND = 350.0, 550.0


def flats(text: str, left: float, chance: float = 0.95) -> list[Flat]:
    """Tiles that lie side by side from there on, 40 pixels wide."""
    found = []
    for k, t in enumerate(parse_tiles(text)):
        u = left + 42.0 * k
        found.append(Flat(np.array([[u, -14.0], [u + 40, -14.0], [u + 40, 14.0], [u, 14.0]]), t, chance))
    return found


def picture(*sets: float, move: int = 0) -> ImageArray:
    """A table with sets on it, each tile of which looks a little different."""
    found = np.full((400, 1000, 3), 90, np.uint8)
    for left in sets:
        for k in range(3):
            x = int(100 + left + 42 * k) + move
            found[186:214, x : x + 40] = 210
            cv2.putText(found, "ABC"[k], (x + 10, 208), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (20, 20, 20), 2)
    return found


class Side:
    """One side of a row, at which these tiles are found."""

    def __init__(self) -> None:
        self.found: list[Flat] = []
        self.sizes: list[float] = []
        self.beside = Beside(self._search)

    def _search(self, rgb: ImageArray, row: Row, span: Span, px: float) -> list[Flat]:
        self.sizes.append(px)
        return self.found

    def look(self, rgb: ImageArray, *found: Iterable[Flat], calm: bool = False) -> Melds | None:
        self.found = [flat for part in found for flat in part]
        return self.beside.look(rgb, ROW, SPAN, calm=calm)


def test_a_set_that_was_read_is_known_though_its_tiles_are_found_no_more() -> None:
    side = Side()
    assert side.look(picture(FIRST), flats("345s", FIRST)) == (CHOW,)
    merged = flats("3s", FIRST + 20, 0.4)
    assert side.look(picture(SECOND, FIRST), merged, flats("111z", SECOND)) == (CHOW, PUNG)
    # The camera was bumped.
    assert side.look(picture(FIRST, SECOND, move=9), flats("345s", FIRST + 9)) == (CHOW, PUNG)


def test_what_is_doubtful_or_has_gone_is_not_known() -> None:
    side = Side()
    assert side.look(picture(FIRST), flats("345s", FIRST, 0.5)) is None
    assert side.look(picture(FIRST, SECOND), flats("3s", FIRST), flats("111z", SECOND)) is None
    side = Side()
    assert side.look(picture(FIRST), flats("345s", FIRST)) == (CHOW,)
    assert side.look(picture(SECOND), flats("111z", SECOND)) == (PUNG,)


def test_a_bare_side_stays_so_while_light_wanders_over_it() -> None:
    side = Side()
    assert side.look(picture()) is None  # another size may find what lies there
    assert side.look(picture()) == ()
    for left in range(420, 520, 20):
        lit = picture()
        lit[180:220, left : left + 60] = 255
        assert side.look(lit) == ()
    assert side.look(picture(FIRST), flats("345s", FIRST)) == (CHOW,)
    assert side.look(picture()) is None


def test_light_is_no_tile_and_takes_none_away() -> None:
    side = Side()
    light = [replace(flat, lit=True) for flat in flats("5z", FIRST - 42, 0.1)]
    assert side.look(picture(FIRST), light, flats("345s", FIRST)) == (CHOW,)
    lit = picture(FIRST)
    cv2.circle(lit, (int(100 + FIRST) + 60, 200), 35, (255, 255, 255), cv2.FILLED)
    assert side.look(lit, flats("3s", FIRST)) == (CHOW,)


def test_another_set_in_its_place_is_read_though_it_looks_alike() -> None:
    side = Side()
    assert side.look(picture(FIRST), flats("345s", FIRST)) == (CHOW,)
    assert side.look(picture(FIRST, SECOND), flats("345p", FIRST)) == (tuple(parse_tiles("345p")),)


def test_a_set_to_which_a_tile_was_added_is_read_again() -> None:
    side = Side()
    assert side.look(picture(FIRST), flats("111z", FIRST)) == (PUNG,)
    added = flats("1z", FIRST + 30)
    kong = tuple(parse_tiles("1111z"))
    assert side.look(picture(FIRST, SECOND), flats("111z", FIRST), added, flats("345s", SECOND)) == (kong, CHOW)


def test_what_makes_no_sense_is_read_again_now_and_then() -> None:
    side = Side()
    for _ in range(TRIES + 3 * PAUSE):
        assert side.look(picture(FIRST), flats("34s", FIRST)) is None
    assert TRIES < len(side.sizes) <= TRIES + 4
    for _ in range(PAUSE):
        told = side.look(picture(FIRST), flats("345s", FIRST))
    assert told == (CHOW,)


def test_what_makes_no_sense_is_searched_at_every_size_though_light_moves_over_it() -> None:
    side, shown = Side(), picture(FIRST)
    for k in range(len(MELD_PX)):
        shown = shown.copy()
        shown[150:250, 600 + 60 * k : 650 + 60 * k] = 255
        assert side.look(shown, flats("12m", FIRST)) is None
    assert side.sizes == [*MELD_PX]


def test_what_changes_though_no_hand_was_near_is_read_now_and_then() -> None:
    side, shown = Side(), [picture(FIRST), picture(FIRST, SECOND)]
    assert side.look(shown[0], flats("345s", FIRST)) == (CHOW,)
    seen = [side.look(shown[1], flats("345s", FIRST), flats("111z", SECOND), calm=True) for _ in range(PAUSE + 1)]
    assert seen == [(CHOW,)] * PAUSE + [(CHOW, PUNG)] and len(side.sizes) == 2
    assert side.look(shown[0], flats("345s", FIRST)) == (CHOW,), "at once where a hand was"
