"""A laid table through a camera: the quads of the tile faces in pixels, and sightings with true or noisy labels."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from datasets.tables.layouts import PlacedTile
from scoring.tiles import TILES, Tile
from vision.arrays import FloatArray, to_quad
from vision.reading import Sighting

LEAST_REACH_WIDTHS: Final = 2.5
"""Every photo shows at least this much around its middle, tile widths."""


@dataclass(frozen=True, slots=True)
class View:
    """A photo without pixels.

    Attributes:
        quads: (N, 4, 2) float32 pixels, corners clockwise from the picture's top-left.
        placed: the N tiles inside the frame, in the order of ``quads``.
    """

    width: int
    height: int
    quads: FloatArray
    placed: tuple[PlacedTile, ...]


def photograph(
    rng: np.random.Generator,
    placed: list[PlacedTile],
    aspect: float = 1.34,
    noise: float = 0.02,
    framed: Sequence[bool] | None = None,
) -> View:
    """Photograph a table from where a player or a guest would.

    Args:
        noise: standard deviation of the corners' error, in tile widths.
        framed: which of the tiles the camera is aimed at, at least one; those of the hand if None, else all.
    """
    rack = any(p.standing for p in placed)
    corners = np.array([_face_corners(p, aspect) for p in placed]) * [1, -1, 1]  # y away from the player: right-handed
    hand = np.array([p.role not in ("other", "dora") for p in placed] if framed is None else framed)
    hand |= not hand.any()
    middle = corners[hand].reshape(-1, 3).mean(axis=0)
    up = np.radians(rng.uniform(18, 50) if rack else rng.uniform(35, 90))
    side = np.radians(rng.normal(0, 12))
    roll = np.radians(float(rng.choice([0, 90, 180, 270, rng.uniform(0, 360)], p=[0.5, 0.1, 0.15, 0.1, 0.15])))
    roll += np.radians(rng.normal(0, 4))
    reach = max(LEAST_REACH_WIDTHS, float(np.linalg.norm(corners[hand].reshape(-1, 3) - middle, axis=1).max()))
    away = reach * float(rng.uniform(2.0, 3.5))
    eye = middle + away * np.array([np.cos(up) * np.sin(side), -np.cos(up) * np.cos(side), np.sin(up)])
    forward = (middle - eye) / np.linalg.norm(middle - eye)
    right = np.cross(forward, [0.0, 1e-6, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    turned = np.stack(
        [right * np.cos(roll) + down * np.sin(roll), -right * np.sin(roll) + down * np.cos(roll), forward]
    )
    seen = (corners.reshape(-1, 3) - eye) @ turned.T
    flat = seen[:, :2] / np.maximum(seen[:, 2:], 0.1)
    fit = np.abs(flat.reshape(-1, 4, 2)[hand]).max(axis=(0, 1))
    width, height = (1600, 1200) if fit[0] >= fit[1] else (1200, 1600)
    scale = float(min(width / 2 / fit[0], height / 2 / fit[1]) * rng.uniform(0.7, 0.97))
    quads = (flat * scale + np.array([width / 2, height / 2])).reshape(-1, 4, 2)
    short = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    quads = quads + rng.normal(0, 1, quads.shape) * noise * short[:, None, None]
    centre = quads.mean(axis=1)
    inside = ((centre > 0) & (centre < [width, height])).all(axis=1) & (seen.reshape(-1, 4, 3)[:, :, 2].min(axis=1) > 1)
    order = rng.permutation(np.flatnonzero(inside))
    return View(width, height, quads[order].astype(np.float32), tuple(placed[i] for i in order))


def without_tiles(seen: View, gone: AbstractSet[int]) -> View:
    """The view when these tiles, numbered as in ``seen``, were not found."""
    kept = [i for i in range(len(seen.placed)) if i not in gone]
    return replace(seen, quads=seen.quads[kept], placed=tuple(seen.placed[i] for i in kept))


def _face_corners(p: PlacedTile, aspect: float) -> FloatArray:
    """(4, 3) corners of a tile's face in table units, z up."""
    w, h = 0.46, 0.47 * aspect
    turn = np.radians(p.angle)
    flat = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    if p.standing:
        return np.array([[p.x + x, p.y, aspect / 2 - y] for x, y in flat], np.float32)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.column_stack([flat @ matrix + (p.x, p.y), np.full(4, 0.6)]).astype(np.float32)


def true_sightings(seen: View) -> list[Sighting]:
    """Every tile with its true label, read with certainty."""
    return [Sighting(to_quad(q), p.tile, 0.995, {p.tile: 0.995}) for q, p in zip(seen.quads, seen.placed, strict=True)]


def noisy_sightings(rng: np.random.Generator, seen: View, hard: float = 0.06) -> list[Sighting]:
    """Every tile as a calibrated classifier with some hard crops would read it.

    A hard crop leaves two to four faces open; their probabilities are drawn first, and then which of them is the true
    face, by just these probabilities, so that a face read with 0.7 is right 7 times in 10.

    Args:
        hard: share of hard crops; about 40 % of them are misread.
    """
    found = []
    for quad, placed in zip(seen.quads, seen.placed, strict=True):
        open_faces = int(rng.integers(2, 5)) if rng.random() < hard else 1
        chances = np.sort(rng.dirichlet(np.full(open_faces, 0.9)))[::-1] * 0.985 if open_faces > 1 else np.array([0.99])
        others = _look_alikes(rng, placed.tile, open_faces - 1)
        at = int(rng.choice(open_faces, p=chances / chances.sum()))
        order = [*others[:at], placed.tile, *others[at:]]
        posterior = {t: float(p) for t, p in zip(order, chances, strict=True)}
        rest = (1 - sum(posterior.values())) / 50
        posterior |= {t: rest for t in TILES if t not in posterior}
        best = max(posterior, key=lambda t: posterior[t])
        found.append(Sighting(to_quad(quad), best, posterior[best], posterior, float(rng.uniform(0.75, 0.99))))
    return found


def _look_alikes(rng: np.random.Generator, tile: Tile, count: int) -> list[Tile]:
    """Faces a tile is taken for: mostly its neighbours in the suit."""
    near = [t for t in TILES if t is not tile and t.suit == tile.suit and abs(t.number - tile.number) <= 2]
    if tile.code == "5z":
        near.append(TILES[-1])
    pool = [t for t in TILES if t is not tile]
    found: list[Tile] = []
    while len(found) < count:
        source = near if near and rng.random() < 0.6 else pool
        t = source[int(rng.integers(len(source)))]
        if t not in found:
            found.append(t)
    return found
