"""A cut divides a row into parts: those parts and their loads, how the row lies to the hand, what the faces cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from scoring.tiles import BACK_KIND, KINDS
from vision.layout.melds import UNLIKELY, meld_readings
from vision.layout.shapes import Shapes

SURELY_SHOWN: Final = 2.0
"""A tile in a wall is an indicator if reading it as a back costs more than this, nats."""


class Part(NamedTuple):
    """A stretch of a row.

    ``role`` is one letter: C concealed, S the same after a gap inside the hand, M meld, W winning, B bonus, D dora,
    O other.
    """

    role: str
    start: int
    end: int


TILE, MELD, WINNING, RUN = 1, 1 << 5, 1 << 8, 1 << 10
"""The units of a load. It packs what a cut holds into one number, so that one sum adds the loads of two cuts."""
MELDS, WINNINGS = 7 << 5, 3 << 8
"""Masks of a load's melds and winning tiles."""


class Load(NamedTuple):
    """What a cut holds: concealed tiles (winning tile included), melds, winning tiles set apart, places with a hand."""

    tiles: int
    melds: int
    winning: int
    runs: int


def load_of(number: int) -> Load:
    """A load's number unpacked."""
    return Load(number & 31, number >> 5 & 7, number >> 8 & 3, number >> 10)


def most_tiles(sets: int) -> int:
    """Most concealed tiles considered for a hand of ``sets`` sets: one more than a winning hand has."""
    return 3 * sets + 3


def too_much(number: int, sets: int) -> bool:
    """Whether a load is more than any hand of ``sets`` sets holds."""
    return (number & 31) > most_tiles(sets) or (number >> 5 & 7) > sets or (number >> 8 & 3) > 1 or (number >> 10) > 2


Link = tuple[Any, str, int, int]
"""The parts of a cut as a linked list from its end: what comes before (None at the start), then role, start and end."""


class Cut(NamedTuple):
    """One way to cut a row, and its price; the parts are unpacked only when asked for."""

    cost: float
    link: Link | None

    @classmethod
    def of(cls, cost: float, parts: Iterable[Part] = ()) -> Cut:
        """A cut from its parts in order."""
        link: Link | None = None
        for part in parts:
            link = (link, *part)
        return cls(cost, link)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts in the order of the row."""
        found: list[Part] = []
        link = self.link
        while link is not None:
            link, role, start, end = link
            found.append(Part(role, start, end))
        return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class Place:
    """How a row lies relative to the hand's main row.

    Attributes:
        main: it is the main row.
        near: gap between it and the main row, also by way of other rows of the hand, tile widths.
        quarter: quarter turns from the hand's upright to the row's.
        stacked: it lies right above or below the main row, close enough to be its second line.
        pond: it belongs to a block of lines such as discards form.
    """

    main: bool = False
    near: float = 0.0
    quarter: int = 0
    stacked: bool = False
    pond: bool = False


@dataclass(frozen=True, slots=True)
class Faces:
    """Costs of every tile's faces, by sighting: each of the 47 kinds, and the cheapest of each class.

    Attributes:
        stand_in: a white dragon may be any tile of a chow.
        indicators: a face in a wall may be an indicator.
        sets: how many sets a hand has beside its pair.
    """

    kinds: Sequence[Sequence[float]]
    play: Sequence[float]
    bonus: Sequence[float]
    stand_in: bool
    indicators: bool = True
    sets: int = 4
    melds: dict[tuple[int, ...], float | None] = field(default_factory=dict)

    @classmethod
    def of(cls, kinds: Sequence[Sequence[float]], shapes: Shapes) -> Faces:
        """Make them from the 47 costs of each tile under a rule system."""
        return cls(
            kinds,
            [min(*c[:KINDS], UNLIKELY) for c in kinds],
            [min(*c[KINDS:BACK_KIND], UNLIKELY) for c in kinds],
            shapes.wild,
            shapes.indicators,
            shapes.sets,
        )

    def meld(self, tiles: tuple[int, ...]) -> float | None:
        """Cost of the likeliest meld these tiles make; None beyond ``UNLIKELY``."""
        if tiles not in self.melds:
            found = meld_readings([self.kinds[i] for i in tiles], stand_in=self.stand_in)
            self.melds[tiles] = found[0].cost if found else None
        return self.melds[tiles]

    def is_back(self, i: int) -> bool:
        """Whether it is likeliest a face-down tile."""
        return self.kinds[i][BACK_KIND] == 0

    def is_indicator(self, i: int) -> bool:
        """Whether it is surely not a back: in a wall of backs, a face that is not read surely is one of them."""
        return self.indicators and self.kinds[i][BACK_KIND] > SURELY_SHOWN and not self.is_bonus(i)

    def is_bonus(self, i: int) -> bool:
        """Whether it is likeliest a bonus tile."""
        return self.bonus[i] == 0
