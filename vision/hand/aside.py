"""What was set aside of a photo, though it may well be tiles: asked about, and taken among the tiles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from scoring.errors import Fault, InvalidRequest
from vision.hand import doubts as questions
from vision.hand.doubts import MIN_IN_LINES
from vision.hand.read import read_hand
from vision.layout.shapes import Rules
from vision.reading import Reading, Sighting


def with_aside(reading: Reading, aside: Mapping[int, Sighting], rules: Rules, count: float = 0.0) -> Reading:
    """Return the reading with what was set aside, and the question about it, where only with it a hand is whole.

    Without a tile in sight lines of things that look like tiles are asked about in any case.

    Args:
        reading: of the tiles alone. aside: by number. rules: as for the reading.
        count: how many printed faces detector and classifier alone would expect in the photo.
    """
    if reading.tiles:
        lacks = aside and not _is_whole(reading) and _is_whole(_read_with(reading, aside.values(), rules))
        return _offer(reading, aside if lacks else {})
    if count < MIN_IN_LINES:
        return replace(reading, doubts=())
    if not aside:
        return replace(reading, doubts=(questions.nothing_left(count),))
    return _offer(replace(reading, doubts=()), aside)


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
    rest = {number: s for number, s in reading.aside.items() if numbers is not None and number not in numbers}
    again = _read_with(reading, kept, rules)
    return _offer(again, {} if _is_whole(again) else rest)


def _offer(reading: Reading, aside: Mapping[int, Sighting]) -> Reading:
    if not aside:
        return replace(reading, aside={})
    asked = questions.set_aside([s.tile for s in aside.values()])
    return replace(reading, doubts=(*reading.doubts, asked), aside=aside)


def _read_with(reading: Reading, more: Iterable[Sighting], rules: Rules) -> Reading:
    again, _ = read_hand((*reading.tiles, *more), reading.width, reading.height, rules)
    return replace(again, timings_ms=reading.timings_ms, models=reading.models)


def _is_whole(reading: Reading) -> bool:
    return reading.hand is not None and reading.hand.complete
