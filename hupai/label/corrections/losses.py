"""What an import would change in each picture, to be read before anything is written: a tool may have lost labels."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Final

from hupai.basics.counts import count_of
from scoring.errors import HupaiError

MAX_LOST_SHARE: Final = 0.25
"""Share of the tiles read that an import may remove unasked; it may always remove one.

People remove false finds: a few per cent of the tiles, or all few of a picture without any. A tool that drops polygons
drops all of a picture's, mostly of every picture. Whoever keeps only a part of each picture is asked, too.
"""
MAX_LISTED: Final = 10
"""Pictures that are listed: those that lost most, then those in which most else changed."""


class LabelsLost(HupaiError):
    """Labels that a tool has probably lost; nothing was written."""

    code = "labels_lost"
    exit_status = 1


class Losses:
    """What pictures lose, and what else is changed in them."""

    def __init__(self) -> None:
        self.tiles = self.lost = self._added = self._renamed = self._changed = 0
        self._pictures = {"all": 0, "some": 0, "none": 0}
        self._most: list[tuple[int, int, int, str]] = []

    def add(self, image: str, tiles: int, lost: int = 0, added: int = 0, renamed: int = 0) -> None:
        """Count a picture: tiles that were read in it, those of them that are lost, and other changes."""
        self.tiles += tiles
        self.lost += lost
        self._added += added
        self._renamed += renamed
        self._pictures["none" if not lost else "all" if lost == tiles else "some"] += 1
        if lost or added or renamed:
            self._changed += 1
            line = f"{image}: lost {lost} of {count_of(tiles, 'tile')}, {added} added, {renamed} renamed"
            heapq.heappush(self._most, (lost, added + renamed, -self._changed, line))
            if len(self._most) > MAX_LISTED:
                heapq.heappop(self._most)

    @property
    def are_too_many(self) -> bool:
        """Whether more is lost than people remove (:data:`MAX_LOST_SHARE`)."""
        return self.lost > max(1, MAX_LOST_SHARE * self.tiles)

    def lines(self) -> Iterator[str]:
        """Yield the report: the sums, then the pictures that lose most."""
        pictures = ", ".join(f"{what}: {count}" for what, count in self._pictures.items())
        yield (
            f"Pictures by the tiles that they lost, {pictures}; "
            f"tiles lost: {self.lost} of {self.tiles}, added: {self._added}, renamed: {self._renamed}"
        )
        yield from (f"  {line}" for *_, line in sorted(self._most, reverse=True))
        if self._changed > len(self._most):
            yield f"  and {count_of(self._changed - len(self._most), 'more picture')} with changes"
