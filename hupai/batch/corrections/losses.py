"""What an import would change in each picture, to be read before anything is written: a tool may have lost labels."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from hupai.basics.amounts import amount
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


@dataclass(slots=True)
class Losses:
    """What pictures lose, and what else is changed in them.

    Attributes:
        tiles, lost, added, renamed: tiles that were read, and what becomes of them.
        lost_all, lost_some, lost_none: pictures.
        changed: pictures in which something is lost, added or renamed.
    """

    tiles: int = 0
    lost: int = 0
    added: int = 0
    renamed: int = 0
    lost_all: int = 0
    lost_some: int = 0
    lost_none: int = 0
    changed: int = 0
    _most: list[tuple[int, int, int, str, str]] = field(default_factory=list)

    def add(self, image: str, tiles: int, lost: int = 0, added: int = 0, renamed: int = 0) -> None:
        """Count a picture."""
        self.tiles += tiles
        self.lost += lost
        self.added += added
        self.renamed += renamed
        self.lost_none += not lost
        self.lost_all += 0 < lost == tiles
        self.lost_some += 0 < lost < tiles
        if lost or added or renamed:
            self.changed += 1
            line = f"{image}: lost {lost} of {amount(tiles, 'tile')}, {added} added, {renamed} renamed"
            row = (lost, added + renamed, -self.changed, image, line)
            (heapq.heappush if len(self._most) < MAX_LISTED else heapq.heappushpop)(self._most, row)

    @property
    def are_too_many(self) -> bool:
        """Whether more is lost than people remove (:data:`MAX_LOST_SHARE`)."""
        return self.lost > max(1, MAX_LOST_SHARE * self.tiles)

    def lines(self) -> Iterator[str]:
        """Yield the report: the sums, then the pictures that lose most."""
        yield (
            f"Pictures that lost all tiles: {self.lost_all}, some: {self.lost_some}, none: {self.lost_none}; "
            f"tiles lost: {self.lost} of {self.tiles}, added: {self.added}, renamed: {self.renamed}"
        )
        yield from (f"  {line}" for *_, line in sorted(self._most, reverse=True))
        if self.changed > len(self._most):
            yield f"  and {amount(self.changed - len(self._most), 'more picture')} with changes"
