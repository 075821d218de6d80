"""What one look at a player's tiles shows, in places along the row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from scoring.tiles import Tile

Melds: TypeAlias = tuple[tuple[Tile, ...], ...]
Span: TypeAlias = tuple[float, float]
EDGE: Final = 0.15
"""Tile widths from the picture's edge under which a tile may be cut off, or another stand beyond."""
NARROW: Final = 0.7
"""Step, in their widths, under which two tiles cannot stand side by side."""


@dataclass(frozen=True, slots=True)
class Face:
    """The face of a standing tile.

    Attributes:
        at, wide: its middle and its width along the row, pixels of the picture; what is slanted is no wider for it.
        chances: of each tile that it may be; empty where light or blur leaves nothing to read.
    """

    at: float
    wide: float
    chances: Mapping[Tile, float] = field(default_factory=dict)


def steps_of(faces: Sequence[Face]) -> list[float]:
    """How far each face stands from the one before it, in their widths: a little over 1 where they touch."""
    return [2 * (b.at - a.at) / (a.wide + b.wide) for a, b in pairwise(faces)]


@dataclass(frozen=True, slots=True)
class Look:
    """One look.

    Attributes:
        time: when the picture was taken, seconds. faces: the standing tiles from the left.
        melds: what lies beside the row, from the left; None where that could not be made out or was not looked at.
        hidden, glare: spans along the row, pixels, before which something is, or which light blots out.
        reasons: codes of why not more is seen, as of :class:`hupai.hall.live.seat_view.SeatView`.
        edges: where along the row the picture begins and ends.
    """

    time: float
    faces: tuple[Face, ...] = ()
    melds: Melds | None = None
    hidden: tuple[Span, ...] = ()
    glare: tuple[Span, ...] = ()
    reasons: tuple[str, ...] = ()
    edges: Span = (-math.inf, math.inf)
