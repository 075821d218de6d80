"""Tiles laid by hand for tests: quads on a grid of 40 x 54 pixel tiles, read as they are or not so well."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoring.tiles import Tile, parse_tiles, tile
from vision.arrays import to_quad
from vision.reading import Sighting

W, H = 40.0, 54.0


def seen(t: Tile | str, x: float, y: float, turned: float = 0, p: float = 0.97, **others: float) -> Sighting:
    """A tile with its centre at x, y, turned by quarter turns clockwise; ``others``: probabilities of other faces."""
    face = tile(t) if isinstance(t, str) else t
    angle = turned * np.pi / 2
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    quad = np.array([[-W, -H], [W, -H], [W, H], [-W, H]]) / 2 @ turn + (x, y)
    posterior = {face: p} | {tile(code.strip("_")): q for code, q in others.items()}
    best = max(posterior, key=lambda u: posterior[u])
    return Sighting(to_quad(quad), best, posterior[best], posterior)


def row(text: str, x: float = 100, y: float = 400, gaps: dict[int, float] | None = None) -> list[Sighting]:
    """Tiles side by side; ``gaps``: position -> air before it, tile widths."""
    found = []
    for at, t in enumerate(parse_tiles(text)):
        x += W * (gaps or {}).get(at, 0)
        found.append(seen(t, x, y))
        x += W
    return found


def turned(sightings: list[Sighting], degrees: float) -> list[Sighting]:
    """The whole table turned about the origin, then moved into the picture."""
    angle = np.radians(degrees)
    matrix = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return [replace(s, corners=to_quad(s.corners @ matrix + 2000)) for s in sightings]


def across(text: str, lying: int, x: float, y: float = 400) -> list[Sighting]:
    """Tiles side by side with the one at ``lying`` across, all standing on one line."""
    found = []
    foot = y + H / 2
    for at, t in enumerate(parse_tiles(text)):
        wide, high = (H, W) if at == lying else (W, H)
        found.append(seen(t, x + wide / 2, foot - high / 2, int(at == lying)))
        x += wide
    return found
