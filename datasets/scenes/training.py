"""Scenes to learn from: any table, any camera, any light, with the ground truth that the networks learn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.faces.materials import unusual_material
from datasets.labels import BACK, INDEX
from datasets.objects.foreign import KINDS, with_foreign_faces
from datasets.objects.limbs import draw_hand
from datasets.render.camera import Camera, Pose
from datasets.render.paint import Light, Painter, visible_shares
from datasets.render.photo import PhotoEffects, develop, multiply
from datasets.scenes.heap import Heap
from datasets.scenes.heaps import lay_heap
from datasets.scenes.rooms import bare_table
from datasets.scenes.scene import LEAST_FACING
from datasets.scenes.studio import Studio
from datasets.scenes.tight import LOW
from vision.models.opencv import invert_lightness

Picture = npt.NDArray[np.uint8]
LOW_TILTS: Final = (55.0, 80.0)
"""Degrees that the camera is tilted by in scenes seen from low down."""
MOSTLY_BARE: Final = 0.7
"""Chance per set that its white dragon is bare, where more white dragons are asked for."""


@dataclass(frozen=True, slots=True)
class SceneSettings:
    """What scenes are like.

    Attributes:
        size: side of the square picture, pixels.
        smallest, largest: short edge of a tile at the camera's target, pixels.
        steepest: greatest common tilt, degrees; now and then more.
        roughness: of the photographs, see :class:`PhotoEffects`.
        clutter: of look-alikes and props, 1 is usual.
        bonus: share of tiles made flowers, seasons and animals, besides those drawn at random.
        whites: likewise of white dragons, most of them bare; ``jokers``: of jokers.
        unusual: chance that a set is dark, wooden or coloured, see :func:`datasets.faces.materials.unusual_material`.
        poses: chance that a scene whose kind is not given has tiles that stand, lie and rest on their sides.
        negatives: chance that a picture of tiles with light print comes in negative, since negatives are searched, too.
        foreign: chance that a set has faces of no mahjong set in place of some of its own; ``foreign_kinds``: which.
        other_game: whether these faces take the place of all, so that no tile is one of mahjong.
        accessories: how many score sticks, plates, sheets and pieces of other games lie beside the tiles, on average.
        low: chance that a scene whose kind is not given is of rows that touch, or of a whole table, seen from low down.
    """

    size: int = 640
    smallest: float = 11.0
    largest: float = 180.0
    steepest: float = 62.0
    roughness: float = 1.0
    clutter: float = 1.0
    bonus: float = 0.0
    whites: float = 0.0
    jokers: float = 0.0
    unusual: float = 0.0
    poses: float = 0.0
    negatives: float = 0.0
    foreign: float = 0.0
    foreign_kinds: tuple[str, ...] = KINDS
    other_game: bool = False
    accessories: float = 0.0
    low: float = 0.0


@dataclass(frozen=True, slots=True)
class TrainingScene:
    """A picture and what is in it.

    Attributes:
        image: (s, s, 3) RGB uint8.
        quads: (n, 4, 2) float32 pixels, corners clockwise from the picture's top-left.
        labels: (n,) indices into ``LABELS``; -1 for a face of no mahjong set.
        visible: (n,) share of the face that is seen, 0-1.
        unsure: (n,) True for faces too steep to be learnt, and backs of tiles that do not lie.
        owner: (s, s) int16: index of the face a pixel shows, -1 for no part of a tile, -2 for another side of a thing.
        cells: (m, 4, 2) quads of look-alikes.
        kind: how it was laid.
    """

    image: Picture
    quads: npt.NDArray[np.float32]
    labels: npt.NDArray[np.int64]
    visible: npt.NDArray[np.float32]
    unsure: npt.NDArray[np.bool_]
    owner: npt.NDArray[np.int16]
    cells: npt.NDArray[np.float32]
    kind: str


def make_scene(rng: np.random.Generator, studio: Studio, settings: SceneSettings | None = None,
               kind: str | None = None) -> TrainingScene:  # fmt: skip
    """One scene.

    Args:
        kind: one of :data:`datasets.scenes.heaps.KINDS` or ``nothing``; random if None.
    """
    settings = settings or SceneSettings()
    tiles = studio.tiles(rng)
    if settings.whites and rng.random() < MOSTLY_BARE:
        tiles = replace(tiles, blank_white=True, _cache={})
    if settings.unusual and rng.random() < settings.unusual:
        tiles = replace(tiles, material=unusual_material(rng, tiles.material), photos=(), _cache={})
    reversed_print = float(tiles.material.body.mean()) < float(tiles.material.inks.mean())
    foreign = frozenset[str]()
    if settings.foreign and rng.random() < settings.foreign:
        tiles, foreign = with_foreign_faces(rng, tiles, settings.foreign_kinds, every=settings.other_game)
    if kind is None and settings.poses and rng.random() < settings.poses:
        kind = "poses"
    if kind is None and settings.low and rng.random() < settings.low:
        kind = str(rng.choice(LOW))
    more = settings.bonus, settings.whites, settings.accessories, settings.jokers
    kind, heap = lay_heap(rng, tiles, kind, settings.clutter, *more)
    camera = Camera(_random_pose(rng, heap, kind, settings), settings.size, settings.size)
    tile_spots = [t.box.centre[:2] for t in heap.things]
    reach = float(np.abs(np.array(tile_spots)).max()) + 1 if tile_spots else 4.0
    picture, tint, cells = bare_table(rng, studio, camera, reach)
    things = [*heap.things, *(p.thing for p in heap.props)]
    painted = Painter(picture, camera, tiles, Light.random(rng), tint).paint(things)
    count = len(heap.things)
    owner = painted.owner
    owner[owner >= count] = -2
    in_front = [
        p for p in heap.props if len(p.cells) and camera.project(p.cells_in_world().reshape(-1, 3))[1].min() > 1
    ]
    cells = np.concatenate(
        [cells, *(camera.project(p.cells_in_world().reshape(-1, 3))[0].reshape(-1, 4, 2) for p in in_front)]
    ).astype(np.float32)
    if rng.random() < 0.12:
        owner[draw_hand(picture, rng, camera.pixels_per_unit())] = -2
    _light_unevenly(rng, picture)
    roughness = settings.roughness * float(rng.random())
    image = develop(picture, PhotoEffects.random(rng, roughness).at_size(float(rng.choice([0.7, 1.0, 1.0]))), rng)
    _add_overlay(rng, image, owner)
    if reversed_print and rng.random() < settings.negatives:
        image = invert_lightness(image)
    visible = visible_shares(painted.quads[:count], owner)
    shown = [
        i for i in range(count) if np.isfinite(painted.quads[i]).all() and _in_picture(painted.quads[i], settings.size)
    ]
    quads = painted.quads[shown]
    backs = painted.backs[shown] if count else np.zeros(0, bool)
    faces = [BACK if back else str(heap.things[i].label) for i, back in zip(shown, backs, strict=True)]
    labels = [-1 if face in foreign else INDEX[face] for face in faces]
    upward = np.array([abs(heap.things[i].box.rotation[2, 2]) for i in shown])
    unsure = (painted.facing[shown] < LEAST_FACING) | (backs & (upward < 0.8))
    lookup = np.full(count + 3, -1, np.int16)
    lookup[[i + 2 for i in shown]] = np.arange(len(shown))
    lookup[0] = -2
    owner = lookup[np.clip(owner, -2, count) + 2]
    marks = np.array(labels, np.int64), visible[shown], np.asarray(unsure, bool)
    return TrainingScene(image, quads, *marks, owner, cells, kind)


def _in_picture(quad: npt.NDArray[np.float32], size: int) -> bool:
    reach = bool(np.abs(quad).max() < 40 * size)
    return reach and bool((quad.max(axis=0) > 0).all() and (quad.min(axis=0) < size).all())


def _random_pose(rng: np.random.Generator, heap: Heap, kind: str, settings: SceneSettings) -> Pose:
    size = settings.size
    seen = [t.box.centre for t in heap.things] or heap.subjects
    spots = np.array(seen) if seen else rng.uniform(-3, 3, (3, 3)) * [1, 1, 0]
    if kind == "stand":
        tilt = float(rng.uniform(30, 86))
        azimuth = float(rng.normal(0, 26))
    elif kind in LOW:
        side = 90 * int(rng.integers(4)) if kind == "packed" else 0  # of the table
        tilt, azimuth = float(rng.uniform(*LOW_TILTS)), side + float(rng.normal(0, 14))
    else:
        tilt = settings.steepest * float(rng.beta(1.0, 1.35)) if rng.random() < 0.88 else float(rng.uniform(50, 80))
        azimuth = float(rng.normal(0, 14)) if rng.random() < 0.4 else float(rng.uniform(-180, 180))
    roll = float(rng.normal(0, 5)) if rng.random() < (0.9 if kind in LOW else 0.6) else float(rng.uniform(-180, 180))
    focal = float(rng.uniform(0.6, 1.1) if kind in LOW else rng.uniform(0.7, 2.0))
    low, high = settings.smallest, settings.largest
    unit = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    width = max(float(np.ptp(spots[:, 0])), float(np.ptp(spots[:, 1]))) + 1.6
    whole = bool(rng.random() < (0.85 if kind in LOW else 0.6))
    if whole:  # people frame what they photograph
        unit = float(np.clip(size / width * rng.uniform(0.7, 1.4), low, high))
    distance = max(2.6, focal * size / unit)
    middle = (spots.max(axis=0) + spots.min(axis=0)) / 2
    if whole and width * unit < size:
        target = middle[:2] + rng.normal(0, 0.05, 2) * size / unit
    else:
        target = spots[int(rng.integers(len(spots)))][:2] + rng.uniform(-0.35, 0.35, 2) * size / unit
    return Pose((float(target[0]), float(target[1])), distance, tilt, azimuth, roll, focal)


def _light_unevenly(rng: np.random.Generator, picture: Picture) -> None:
    """Uneven light over everything: a gradient, a lamp's glare, the shadow of a phone or an arm."""
    n = picture.shape[0]
    q = 16
    m = -(-n // q)
    y, x = np.mgrid[0:m, 0:m].astype(np.float32) / m - 0.5
    a = rng.uniform(0, 2 * np.pi)
    gain = 1 + (np.cos(a) * x + np.sin(a) * y) * np.float32(rng.uniform(0, 0.5))
    if rng.random() < 0.35:
        shape = np.zeros((m, m), np.uint8)
        points = (rng.uniform(-0.2, 1.2, (5, 2)) * m).astype(np.int32)
        cv2.fillConvexPoly(shape, cv2.convexHull(points), 255)
        dark = cv2.GaussianBlur(shape, (0, 0), rng.uniform(0.6, 4)).astype(np.float32) / 255
        gain = gain * (1 - dark * np.float32(rng.uniform(0.1, 0.55)))
    gain = cv2.resize(gain.astype(np.float32), (n, n), interpolation=cv2.INTER_LINEAR)
    picture[:] = multiply(picture, gain)
    if rng.random() < 0.22:
        glare = np.zeros((m, m), np.float32)
        for _ in range(int(rng.integers(1, 4))):
            at, r = rng.uniform(0, m, 2), rng.uniform(0.02, 0.18, 2) * m
            centre, axes = (int(at[0]), int(at[1])), (max(1, int(r[0])), max(1, int(r[1])))
            cv2.ellipse(glare, centre, axes, rng.uniform(0, 180), 0, 360, 1, -1)
        glare = cv2.GaussianBlur(glare, (0, 0), rng.uniform(0.6, 3))
        light = cv2.resize(glare * np.float32(rng.uniform(20, 160)), (n, n), interpolation=cv2.INTER_LINEAR)
        picture[:] = cv2.add(picture, cv2.merge([light, light, light]), dtype=cv2.CV_8U)


def _add_overlay(rng: np.random.Generator, image: Picture, owner: npt.NDArray[np.int16]) -> None:
    """What software puts over pictures: bars beside a letterboxed frame, captions, a logo."""
    n = image.shape[0]
    if rng.random() < 0.1:
        a, b = (int(v) for v in rng.uniform(0, 0.28, 2) * n)
        tone = 0 if rng.random() < 0.8 else int(rng.integers(256))
        across = rng.random() < 0.5
        seen = image if across else image.swapaxes(0, 1)
        owned = owner if across else owner.swapaxes(0, 1)
        seen[:a], seen[n - b :], owned[:a], owned[n - b :] = tone, tone, -1, -1
    if rng.random() < 0.07:
        text = "".join(chr(int(c)) for c in rng.integers(33, 123, int(rng.integers(4, 24))))
        at = (int(rng.integers(0, n // 2)), int(rng.integers(20, n)))
        ink = (255, 255, 255) if rng.random() < 0.6 else tuple(int(v) for v in rng.integers(0, 256, 3))
        size, thick = float(rng.uniform(0.4, 1.4)), int(rng.integers(1, 3))
        cv2.putText(image, text, at, int(rng.integers(0, 5)), size, ink, thick, cv2.LINE_AA)


SMALL: Final = SceneSettings(size=256, smallest=14, largest=70)
"""For tests."""
