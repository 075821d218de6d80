"""Tiles on a table as training scenes need them: hands, rows, ponds, walls, heaps, trays, standing rows, lone tiles.

Everything is a list of :class:`SceneObject`; tiles carry their label, those turned over lie with their back up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from datasets.faces.textured_tileset import TexturedTileSet
from datasets.labels import BONUS, FACES
from datasets.objects.props import Prop, dice, lying_object, rack, standing_box, sticks, table_frame, tray
from datasets.render.camera import turn_x, turn_y, turn_z
from datasets.render.paint import SceneObject
from datasets.render.solids import RoundedBox
from datasets.scenes.scene import place_tile
from datasets.tables.hands import RULES, deal
from datasets.tables.layouts import lay_hand, random_open_style

_WEIGHT: Final = {"5z": 2.5, "0m": 1.3, "0p": 1.3, "0s": 1.3, "joker": 0.4}
_BONUS_WEIGHT: Final = {"f": 1.5, "g": 1.5, "a": 0.7}
_WEIGHTS: Final = np.array([_WEIGHT.get(f, _BONUS_WEIGHT.get(f[0], 1.0)) for f in FACES])
LABEL_CHANCES: Final = _WEIGHTS / _WEIGHTS.sum()
_BONUS: Final = np.array([f in BONUS for f in FACES])
_WHITE: Final = np.array([f == "5z" for f in FACES])
MOST_TILES: Final = 64
"""Most tiles in a scene."""


@dataclass
class Heap:
    """A table under construction."""

    rng: np.random.Generator
    tiles: TexturedTileSet
    things: list[SceneObject] = field(default_factory=list)
    props: list[Prop] = field(default_factory=list)
    chances: npt.NDArray[np.float64] = field(default_factory=lambda: LABEL_CHANCES)
    """Probability of each of ``FACES``."""

    def label(self) -> str:
        """A random face; white dragons, red fives and bonus tiles come more often than in play."""
        return FACES[int(self.rng.choice(len(FACES), p=self.chances))]

    def put(self, x: float, y: float, yaw: float = 0.0, label: str | None = None, pose: str = "up",
            z: float = 0.0, lean: float = 0.0, tilt: tuple[float, float] = (0.0, 0.0)) -> None:  # fmt: skip
        """Put down one tile.

        Args:
            yaw: radians about the upright axis.
            pose: ``up``, ``down``, ``stand`` (face to -y before yaw), ``away`` (standing, back to -y), ``side``.
            z: height of what it lies on; ``lean``: radians a standing tile leans back.
            tilt: small rotations about its own axes, for tiles that lie on others.
        """
        t = self.tiles
        pose_spin = {
            "up": np.eye(3),
            "down": turn_y(np.pi),
            "stand": turn_x(np.pi / 2 - lean),
            "away": turn_z(np.pi) @ turn_x(np.pi / 2 - lean),
            "side": turn_y(np.pi / 2),
        }[pose]
        spin = turn_z(yaw) @ turn_x(tilt[0]) @ turn_y(tilt[1]) @ pose_spin
        half = np.array([0.5, t.height / 2, t.depth / 2])
        high = float(np.abs(spin[2]) @ half)
        self.things.append(
            SceneObject(RoundedBox(half, np.array([x, y, z + high]), spin, t.radius), label or self.label())
        )

    def row(self, count: int, x: float, y: float, yaw: float = 0.0, gap: float = 0.015, pose: str = "up",
            turned: bool = False, down: bool = False, lean: float = 0.0) -> None:  # fmt: skip
        """Tiles side by side from (x, y) along ``yaw``; now and then one upside down, across, or face down."""
        rng, along = self.rng, 0.0
        labels = [self.label() for _ in range(count)]
        if rng.random() < 0.5:
            labels.sort(key=FACES.index)
        for i in range(count):
            across = turned and i in (0, count - 1) and rng.random() < 0.5
            flip = np.pi if pose == "up" and rng.random() < 0.12 else 0.0
            hidden = down and i in (0, count - 1)
            wide = self.tiles.height if across else 1.0
            at, off = along + wide / 2, float(rng.normal(0, 0.02))
            spin = yaw + (np.pi / 2 if across else 0) + flip + float(rng.normal(0, 0.012))
            px, py = x + at * np.cos(yaw) - off * np.sin(yaw), y + at * np.sin(yaw) + off * np.cos(yaw)
            self.put(float(px), float(py), spin, labels[i], "down" if hidden and pose == "up" else pose, lean=lean)
            along += wide + abs(float(rng.normal(0, gap)))


def hand(h: Heap) -> None:
    """A player's hand with melds and bonus tiles, as the layouts of real hands have it."""
    rules = str(h.rng.choice(RULES))
    dealt = deal(h.rng, rules, kind=str(h.rng.choice(["win", "wait"])))
    placed = lay_hand(h.rng, dealt, random_open_style(h.rng, dealt), (h.tiles.height, h.tiles.depth))
    middle = np.array([[p.x, -p.y] for p in placed if p.role != "other"]).mean(axis=0)
    for p in placed:
        thing = place_tile(p, h.tiles)
        box = thing.box
        h.things.append(
            SceneObject(RoundedBox(box.half, box.centre - [*middle, 0], box.rotation, box.radius), thing.label)
        )


def rows(h: Heap) -> None:
    """One to six short or long rows."""
    r = h.rng
    tight = abs(r.normal(0, 0.03))
    for k in range(int(r.integers(1, 7))):
        count = int(r.choice([2, 3, 3, 4, 5, 7, 9, 13, 14]))
        if r.random() < 0.75:
            x, y, yaw = r.uniform(-8, 0), -k * r.uniform(1.5, 3), r.normal(0, 0.05)
            h.row(count, x, y, yaw, tight, turned=r.random() < 0.35, down=r.random() < 0.15)
        else:
            h.row(count, r.uniform(-4, 4), r.uniform(-4, 4) - 2 * k, r.uniform(0, 6.3), tight, turned=r.random() < 0.35)


def pond(h: Heap) -> None:
    """Discards in rows of six, perhaps with a corner of the walls."""
    r, height = h.rng, h.tiles.height
    count = int(r.integers(6, 20))
    for i in range(count):
        across = r.random() < 0.06
        x = i % 6 - 2.5 + r.normal(0, 0.03)
        y = -(i // 6) * (height + r.uniform(0, 0.08)) + r.normal(0, 0.04)
        h.put(x, y, (np.pi / 2 if across else 0) + r.normal(0, 0.03))
    if r.random() < 0.4:
        h.row(int(r.integers(3, 12)), r.uniform(-6, 0), r.uniform(-9, -6), 0, 0.02)


def wall(h: Heap) -> None:
    """A wall of backs one or two tiles high, tiles turned up on it, and something face-up before it."""
    r = h.rng
    count, two = int(r.integers(4, 19)), r.random() < 0.7
    for i in range(count):
        x = i - count / 2 + 0.5
        h.put(x, 0, r.choice([0, np.pi]), pose="down")
        if two and r.random() < 0.95:
            pose = "up" if r.random() < 0.08 else "down"
            h.put(x + r.normal(0, 0.02), r.normal(0, 0.03), r.choice([0, np.pi]), pose=pose, z=h.tiles.depth)
    if r.random() < 0.7:
        h.row(int(r.integers(3, 15)), -count / 2, -r.uniform(1.8, 5), r.normal(0, 0.03), 0.02)
    if r.random() < 0.3:
        for i in range(int(r.integers(3, 12))):
            h.put(count / 2 + 2.2, i - 3.0, np.pi / 2, pose="down")


def scatter(h: Heap) -> None:
    """Loose tiles in any direction, not touching."""
    _throw_tiles(h, 1.5, 1.0)


def pile(h: Heap) -> None:
    """Tiles pushed together, some on top of others."""
    _throw_tiles(h, 0.62, 0.6)


def _throw_tiles(
    h: Heap,
    apart: float,
    tight: float,
    chances: tuple[float, ...] = (0.74, 0.16, 0.06, 0.04),
    middle: tuple[float, float] = (0.0, 0.0),
) -> None:
    r = h.rng
    count = int(r.integers(3, 40))
    reach = np.sqrt(count) * r.uniform(0.75, 1.4) * tight
    spots: list[tuple[float, float]] = []
    for _ in range(count):
        for _ in range(14):
            x, y = (float(v) for v in r.uniform(-reach, reach, 2))
            gaps = [np.hypot(x - a, y - b) for a, b in spots]
            if min(gaps, default=9.0) < apart:
                continue
            raised = sum(g < 1.45 for g in gaps)
            pose = str(r.choice(["up", "down", "side", "stand"], p=chances))
            z = 0.0 if not raised else h.tiles.depth * (1 + (raised > 3))
            tilt = (float(r.normal(0, 0.2)), float(r.normal(0, 0.2))) if raised else (0.0, 0.0)
            spin = float(r.uniform(0, 2 * np.pi))
            h.put(x + middle[0], y + middle[1], spin, pose=pose, z=z + (0.1 if raised else 0), tilt=tilt)
            spots.append((x, y))
            break


def grid(h: Heap) -> None:
    """A whole set laid out in rows and columns, often in its tray."""
    r = h.rng
    columns, lines = int(r.integers(3, 10)), int(r.integers(2, 8))
    gap = abs(float(r.normal(0, 0.03)))
    down = r.random() < 0.12
    flipped = r.random() < 0.25
    for j in range(lines):
        for i in range(columns):
            flip = np.pi if flipped and r.random() < 0.5 else 0.0
            y = (j - (lines - 1) / 2) * h.tiles.height * (1 + gap)
            pose = "down" if down or r.random() < 0.04 else "up"
            h.put((i - (columns - 1) / 2) * (1 + gap), -y, flip + r.normal(0, 0.01), pose=pose)
    if r.random() < 0.6:
        h.props += tray(r, columns * (1 + gap) + 0.1, lines * h.tiles.height * (1 + gap) + 0.1)


def stand(h: Heap) -> None:
    """A player's standing row, racks, and the rows of others seen from behind or far off."""
    r = h.rng
    count = int(r.integers(3, 15))
    lean = float(r.choice([0, r.uniform(0, 0.4)]))
    h.row(count, -count / 2, 0, 0, 0.01, "stand", lean=lean)
    if r.random() < 0.35:
        h.props += rack(r, count + 1.0, 0, -h.tiles.depth / 2 - r.uniform(0.5, 1))
    if r.random() < 0.4:
        h.row(int(r.integers(3, 9)), -count / 2, -r.uniform(2.2, 3.5), r.normal(0, 0.05), 0.02)
    if r.random() < 0.45:
        far = r.uniform(3, 8)
        facing = r.random() < 0.4
        for i in range(int(r.integers(4, 15))):
            h.put(i - 6 + r.normal(0, 0.02), far, r.normal(0, 0.01), pose="stand" if facing else "away", lean=lean)
    if r.random() < 0.25:
        for i in range(int(r.integers(4, 14))):
            h.put(-count / 2 - 3, i - 3.0, np.pi / 2, pose="stand")


def single(h: Heap) -> None:
    """One to three tiles, close."""
    r = h.rng
    for k in range(int(r.integers(1, 4))):
        h.put(k * r.uniform(1.1, 2), r.normal(0, 0.4), r.uniform(0, 6.3), pose="up" if r.random() < 0.8 else "down")


def mixed(h: Heap) -> None:
    """A game under way: a hand, a pond or a heap beyond it, a wall at the side."""
    hand(h)
    r = h.rng
    for make, chance in ((pond, 0.5), (scatter, 0.35), (wall, 0.5)):
        if r.random() < chance:
            other = Heap(r, h.tiles)
            make(other)
            shift = np.array([r.uniform(-6, 6), r.uniform(4, 9), 0])
            turn = turn_z(float(r.choice([0, np.pi / 2, np.pi, -np.pi / 2])))
            for t in other.things:
                box = RoundedBox(t.box.half, turn @ t.box.centre + shift, turn @ t.box.rotation, t.box.radius)
                h.things.append(SceneObject(box, t.label))


def poses(h: Heap) -> None:
    """Tiles that stand beside others that lie or rest on their sides, in rows and loose: faces at different heights."""
    r = h.rng
    chances = r.dirichlet([1.5, 0.5, 1.0, 1.0])  # some scenes show hardly more than one pose, others all four
    for k in range(int(r.integers(1, 4))):
        yaw, gap, x, even = float(r.normal(0, 0.06)), abs(float(r.normal(0, 0.04))), 0.0, r.random() < 0.6
        for _ in range(int(r.integers(2, 12))):
            pose = str(r.choice(["up", "down", "side", "stand"], p=chances))
            lies = pose in ("up", "down")
            spin = float(r.choice([0, np.pi])) if lies else {"side": -np.pi / 2, "stand": 0.0}[pose]
            wide = h.tiles.height if pose == "side" else 1.0
            deep = h.tiles.height if lies else h.tiles.depth
            y = deep / 2 - 3.2 * k if even else -3.2 * k + float(r.normal(0, 0.15))  # front edges in a line, or not
            at = x + wide / 2
            h.put(
                float(at * np.cos(yaw) - y * np.sin(yaw)),
                float(at * np.sin(yaw) + y * np.cos(yaw)),
                yaw + spin + float(r.normal(0, 0.03)),
                pose=pose,
            )
            x += wide + abs(float(r.normal(0, gap)))
    if r.random() < 0.4:
        _throw_tiles(h, 1.5, 1.0, (0.35, 0.2, 0.25, 0.2), (0.0, 5.0))


KINDS: Final[dict[str, tuple[Callable[[Heap], None], float]]] = {
    "hand": (hand, 0.2), "rows": (rows, 0.13), "pond": (pond, 0.07), "wall": (wall, 0.1), "scatter": (scatter, 0.12),
    "pile": (pile, 0.1), "grid": (grid, 0.07), "stand": (stand, 0.13), "single": (single, 0.04), "mixed": (mixed, 0.04),
    "poses": (poses, 0.0),
}  # fmt: skip
"""How each is laid, and its share among scenes of a random kind; ``poses`` come only when asked for."""


def add_clutter(h: Heap, density: float) -> None:
    """Put props round about, never inside a tile."""
    r = h.rng
    if r.random() < 0.25 * density:
        reach = max((float(np.abs(t.box.centre[:2]).max()) for t in h.things), default=5.0)
        h.props += table_frame(r, reach + float(r.uniform(0.7, 5)))
    for _ in range(int(r.poisson(2.4 * density))):
        x, y = (float(v) for v in r.normal(0, r.choice([4, 7]), 2))
        kind = r.random()
        new = (
            sticks(r, x, y) if kind < 0.1 else [standing_box(r, x, y)] if kind < 0.2
            else dice(r, x, y) if kind < 0.34 else [lying_object(r, x, y)]
        )  # fmt: skip
        h.props += [p for p in new if not any(_may_overlap(p.thing, t) for t in h.things)]


def _may_overlap(one: SceneObject, other: SceneObject) -> bool:
    """Whether two things may cut into each other: their circles on the table overlap."""
    reach = float(np.linalg.norm(one.box.half)) + float(np.linalg.norm(other.box.half)) * 0.8
    return bool(np.linalg.norm(one.box.centre[:2] - other.box.centre[:2]) < reach)


def lay_heap(
    rng: np.random.Generator,
    tiles: TexturedTileSet,
    kind: str | None = None,
    density: float = 1.0,
    bonus: float = 0.0,
    whites: float = 0.0,
) -> tuple[str, Heap]:
    """A laid table of a random or the named kind: its name, and what lies there (at most ``MOST_TILES`` tiles).

    Args:
        bonus: share of tiles made flowers, seasons and animals, besides those drawn at random.
        whites: likewise of white dragons.
    """
    kind = kind or str(rng.choice([*KINDS, "nothing"], p=_CHANCES))
    chances = LABEL_CHANCES * (1 - bonus - whites) + _BONUS * (bonus / _BONUS.sum()) + _WHITE * whites
    heap = Heap(rng, tiles, chances=chances)
    if kind != "nothing":
        KINDS[kind][0](heap)
    if len(heap.things) > MOST_TILES:  # keep those nearest to one of them, so that rows stay whole
        at = np.array([t.box.centre for t in heap.things])
        near = np.argsort(np.linalg.norm(at - at[int(rng.integers(len(at)))], axis=1))[:MOST_TILES]
        heap.things = [heap.things[i] for i in sorted(near)]
    add_clutter(heap, density if kind != "nothing" else 3 * density)
    return kind, heap


_NOTHING: Final = 0.08
_SHARES = np.array([share for _, share in KINDS.values()])
_CHANCES: Final = np.append(_SHARES / _SHARES.sum() * (1 - _NOTHING), _NOTHING)
