"""What was set aside of a photo, though it may well be tiles: asked about, and taken among the tiles."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from scoring.errors import Fault, InvalidRequest
from vision.hand.doubts import set_aside
from vision.hand.read import read_hand
from vision.layout.shapes import Rules
from vision.reading import Reading, Sighting

ALONE: Final = 3
"""So many kinds set aside are asked about where no tile is seen: letter tiles look like one of them again and again."""
AMONG: Final = 16
"""At least one for so many tiles seen: what a hand lacks is asked about, a stray thing beside a whole table is not."""


def with_aside(reading: Reading, aside: Mapping[int, Sighting], count: float = 0.0) -> Reading:
    """Return the reading with what was set aside, and the question about it, if that may make a hand of it.

    Args:
        reading: of the tiles alone. aside: by number.
        count: how many printed faces detector and classifier alone would expect in the photo.
    """
    kinds = len({s.tile.kind for s in aside.values()})
    few = len(aside) * AMONG < len(reading.tiles) if reading.tiles else kinds < ALONE
    if few or (reading.hand is not None and reading.hand.complete):
        aside = {}
    asked = set_aside(tuple(s.tile for s in aside.values()), 0.0 if reading.tiles else count)
    doubts = (*reading.doubts, *asked) if reading.tiles else tuple(asked)
    return replace(reading, doubts=doubts, aside=aside)


def keep_aside(reading: Reading, *, rules: Rules, numbers: Collection[int] | None = None) -> Reading:
    """Return the reading with things set aside among its tiles, as the last of them; the photo is not looked at again.

    Args:
        reading: of a photo, as yet uncorrected. rules: as for the reading.
        numbers: which of :attr:`vision.reading.Reading.aside` are tiles; all if None.

    Raises:
        InvalidRequest: nothing set aside has such a number; unknown rules.
    """
    strange = sorted(set(numbers or ()) - reading.aside.keys())
    if strange:
        message = f"Nothing that was set aside has the number {strange[0]}: read the photo again."
        raise InvalidRequest.of([Fault("bad_tile", message, "aside")])
    kept = [s for number, s in reading.aside.items() if numbers is None or number in numbers]
    if not kept:
        return reading
    again, _ = read_hand((*reading.tiles, *kept), reading.width, reading.height, rules)
    rest = {number: s for number, s in reading.aside.items() if numbers is not None and number not in numbers}
    return with_aside(replace(again, timings_ms=reading.timings_ms, models=reading.models), rest)
