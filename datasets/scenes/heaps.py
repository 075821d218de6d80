"""Tiles on a table as training scenes need them: hands, rows, ponds, walls, heaps, trays, standing rows, lone tiles.

Everything is a list of :class:`SceneObject`; tiles carry their label, those turned over lie with their back up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from datasets.faces.textured_tileset import TexturedTileSet
from datasets.labels import BONUS, FACES
from datasets.objects.props import rack, tray
from datasets.render.camera import turn_z
from datasets.render.paint import SceneObject
from datasets.render.solids import RoundedBox
from datasets.scenes.clutter import add_accessories, add_clutter
from datasets.scenes.heap import LABEL_CHANCES, Heap
from datasets.scenes.scene import place_tile
from datasets.scenes.tight import packed, seat
from datasets.tables.hands import RULES, deal
from datasets.tables.layouts import lay_hand, random_open_style

_BONUS: Final = np.array([f in BONUS for f in FACES])
_WHITE: Final = np.array([f == "5z" for f in FACES])
_JOKER: Final = np.array([face == "joker" for face in FACES], float)
MOST_TILES: Final = 64
"""Most tiles in a scene."""


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
    "poses": (poses, 0.0), "packed": (packed, 0.0), "seat": (seat, 0.0),
}  # fmt: skip
"""How each is laid, and its share among scenes of a random kind; the last three come only when asked for."""


def lay_heap(
    rng: np.random.Generator,
    tiles: TexturedTileSet,
    kind: str | None = None,
    density: float = 1.0,
    bonus: float = 0.0,
    whites: float = 0.0,
    accessories: float = 0.0,
    jokers: float = 0.0,
) -> tuple[str, Heap]:
    """A laid table of a random or the named kind: its name, and what lies there (at most ``MOST_TILES`` tiles).

    Args:
        bonus: share of tiles made flowers, seasons and animals, besides those drawn at random.
        whites: likewise of white dragons; ``jokers``: of jokers.
        accessories: how many things that belong to games lie beside the tiles, on average; thrice as many without any.
    """
    kind = kind or str(rng.choice([*KINDS, "nothing"], p=_CHANCES))
    usual = LABEL_CHANCES * (1 - bonus - whites - jokers)
    chances = usual + _BONUS * (bonus / _BONUS.sum()) + _WHITE * whites + _JOKER * jokers
    heap = Heap(rng, tiles, chances=chances)
    if kind != "nothing":
        KINDS[kind][0](heap)
    if len(heap.things) > MOST_TILES:  # keep those nearest to one of them, so that rows stay whole
        at = np.array([t.box.centre for t in heap.things])
        near = np.argsort(np.linalg.norm(at - at[int(rng.integers(len(at)))], axis=1))[:MOST_TILES]
        heap.things = [heap.things[i] for i in sorted(near)]
    add_clutter(heap, density if kind != "nothing" else 3 * density)
    if accessories:
        add_accessories(heap, accessories if kind != "nothing" else 3 * accessories)
    return kind, heap


_NOTHING: Final = 0.08
_SHARES = np.array([share for _, share in KINDS.values()])
_CHANCES: Final = np.append(_SHARES / _SHARES.sum() * (1 - _NOTHING), _NOTHING)
