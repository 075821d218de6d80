"""Photos of hands with exact ground truth: a laid table -> boxes -> picture, and what is where in it.

    scene = random_hand_scene(seed=7, rules="riichi")
    scene.image        # (h, w, 3) RGB uint8
    scene.annotation   # as a photo annotation of the project, with role, group and the true hand

The same seed gives the same picture. ``render_hand`` is for a chosen hand, ``render_table`` for any laid table.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from datasets.faces.designs import load_library
from datasets.faces.textured_tileset import TexturedTileSet, random_tileset
from datasets.objects.surfaces import surface
from datasets.render.camera import Camera, Pose, turn_x, turn_y, turn_z
from datasets.render.paint import Light, PaintedScene, Painter, Picture, SceneObject
from datasets.render.photo import PhotoEffects, develop
from datasets.render.solids import RoundedBox
from datasets.tables.hands import RULES, DealtHand, DealtMeld, deal
from datasets.tables.layouts import PlacedTile, Style, lay_hand, random_open_style
from scoring.tiles import BACK_KIND, parse_tiles, tile

LEAST_FACING: Final = 0.16
"""Cosine to the line of sight under which a face is too steep to be read: such tiles are ignored, not annotated."""
LEAST_VISIBLE: Final = 0.5
TABLE_PX: Final = 1024
"""Side of a table's texture, pixels."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A rendered photo and its truth.

    Attributes:
        image: (h, w, 3) RGB uint8.
        annotation: the project's photo annotation; ``image`` in it is empty until the photo has a name. Beyond
            the format there are ``hand``, ``rules``, ``seed`` and the camera's ``tilt``, and every tile has ``role``,
            ``group`` and how it was taken: ``tilt`` of its face against the line of sight (degrees), ``blur``
            (pixels), ``light`` (exposure, 1 is usual), ``jpeg`` (quality, 100 for none).
        painted: quads and visibility of everything, in the order of ``placed``.
        placed: the laid tiles.
    """

    image: Picture
    annotation: dict[str, Any]
    painted: PaintedScene
    placed: tuple[PlacedTile, ...]


@dataclass(frozen=True, slots=True)
class SceneLook:
    """Everything about the picture that is not the hand.

    Attributes:
        size: (width, height) pixels.
        pose: of the camera; None to frame the hand by ``tilt``, ``azimuth``, ``roll`` and ``fill``.
        fill: share of the picture that the hand takes.
        roughness: of the photograph, see :class:`PhotoEffects`.
    """

    size: tuple[int, int] = (960, 720)
    pose: Pose | None = None
    tilt: float = 25.0
    azimuth: float = 0.0
    roll: float = 0.0
    fill: float = 0.85
    focal: float = 0.8
    design: str | None = None
    tiles: TexturedTileSet | None = None
    light: Light | None = None
    table: str | None = None
    taken: PhotoEffects | None = None
    roughness: float = 0.5


def place_tile(placed: PlacedTile, tiles: TexturedTileSet) -> SceneObject:
    """The box of a laid tile (the layouts' y runs towards the player, the world's away from him)."""
    half = np.array([0.5, tiles.height / 2, tiles.depth / 2])
    angle = np.radians(-placed.angle)
    down = placed.tile.kind == BACK_KIND
    if placed.standing:  # a standing tile is turned in its own plane, so that it rests on an edge
        halves = round(angle / np.pi)
        spin = turn_z(angle - halves * np.pi + (np.pi if down else 0)) @ turn_x(np.pi / 2) @ turn_z(halves * np.pi)
        high = tiles.height / 2
    else:
        spin = turn_z(angle) @ turn_y(np.pi) if down else turn_z(angle)
        high = tiles.depth / 2
    return SceneObject(RoundedBox(half, np.array([placed.x, -placed.y, high]), spin, tiles.radius), placed.tile.code)


def framing_pose(things: Sequence[SceneObject], look: SceneLook) -> Pose:
    """A pose in which these things fill ``look.fill`` of the picture."""
    points = np.concatenate([t.box.corners() for t in things])
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    pose = Pose((float(middle[0]), float(middle[1])), 30.0, look.tilt, look.azimuth, look.roll, look.focal)
    w, h = look.size
    for _ in range(12):
        camera = Camera(pose, w, h)
        pixels, depth = camera.project(points)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        span = max((high - low) / (np.array([w, h]) * look.fill))
        if depth.min() < 1:
            pose = replace(pose, distance=pose.distance * 1.5)
            continue
        off = ((low + high) / 2 - camera.centre) / camera.focal * pose.distance
        step = off[0] * camera.axes[0] + off[1] * camera.axes[1] / max(0.3, np.cos(np.radians(pose.tilt)))
        target = (pose.target[0] + float(step[0]) * 0.9, pose.target[1] + float(step[1]) * 0.9)
        pose = replace(pose, distance=max(3.0, pose.distance * float(span)), target=target)
    return pose


def lay_surface(texture: Picture, camera: Camera, unit: float | None = None, height: float = 0.0) -> Picture:
    """The bare table seen by the camera: a texture repeated (mirrored) over the plane.

    Args:
        unit: texture pixels to a tile width; by default as many as picture pixels at the target.
    """
    n = texture.shape[0]
    span = n / (unit or camera.pixels_per_unit())
    x, y = camera.pose.target
    to_world = np.array([[span / n, 0, x - span / 2], [0, -span / n, y + span / 2], [0, 0, 1]])
    matrix = camera.table_homography(height) @ to_world
    size = (camera.width, camera.height)
    return np.asarray(cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))


def tileset_of(look: SceneLook, seed: int) -> TexturedTileSet:
    """The tile set of a look; drawn by the seed if the look leaves it open."""
    if look.tiles is not None:
        return look.tiles
    return random_tileset(np.random.default_rng([seed, 3]), load_library(), look.design)


def render_table(placed: Sequence[PlacedTile], look: SceneLook, seed: int, hand: dict[str, Any] | None = None,
                 rules: str | None = None) -> Scene:  # fmt: skip
    """Photograph a laid table."""
    rng = np.random.default_rng([seed, 1])
    tiles = tileset_of(look, seed)
    light = look.light or Light.random(rng)
    things = [place_tile(p, tiles) for p in placed]
    main = [t for t, p in zip(things, placed, strict=True) if p.role not in ("other", "dora")] or things
    pose = look.pose or framing_pose(main, look)
    camera = Camera(pose, *look.size)
    texture = surface(rng, TABLE_PX, look.table)
    picture = lay_surface(texture, camera)
    painter = Painter(picture, camera, tiles, light, texture.reshape(-1, 3).mean(axis=0).astype(np.float32))
    painted = painter.paint(things)
    taken = look.taken or PhotoEffects.random(rng, look.roughness)
    image = develop(picture, taken, rng)
    annotation = annotate(placed, painted, look.size, hand)
    annotation |= {"rules": rules, "seed": seed, "tilt": round(pose.tilt, 1)}
    seen_as = {"blur": round(taken.blur, 2), "light": round(taken.exposure, 2), "jpeg": taken.quality or 100}
    for t in annotation["tiles"]:
        t.update(seen_as)
    return Scene(image, annotation, painted, tuple(placed))


def annotate(placed: Sequence[PlacedTile], painted: PaintedScene, size: tuple[int, int],
             hand: dict[str, Any] | None) -> dict[str, Any]:  # fmt: skip
    """The photo annotation: tiles that can be read, and boxes to ignore for those that cannot."""
    w, h = size
    tiles: list[dict[str, Any]] = []
    ignore: list[list[float]] = []
    for p, quad, back, facing, visible in zip(
        placed, painted.quads, painted.backs, painted.facing, painted.visible, strict=True
    ):
        if not np.isfinite(quad).all() or quad[:, 0].max() < 0 or quad[:, 1].max() < 0:
            continue
        if quad[:, 0].min() > w - 1 or quad[:, 1].min() > h - 1:
            continue
        if facing < LEAST_FACING or visible < LEAST_VISIBLE:
            low, high = np.maximum(quad.min(axis=0), 0), np.minimum(quad.max(axis=0), [w - 1, h - 1])
            ignore.append([round(float(v), 1) for v in (*low, *high)])
            continue
        down = back or p.tile.kind == BACK_KIND
        tiles.append(
            {
                "label": "back" if down else p.tile.code,
                "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in quad],
                "state": "standing" if p.standing else "face_down" if down else "face_up",
                "visible": round(float(visible), 3),
                "row": {"concealed": "main", "other": None}.get(p.role, "aside"),
                "sure": True,
                "tilt": round(float(np.degrees(np.arccos(min(1.0, float(facing))))), 1),
                "role": p.role,
                "group": p.group,
            }
        )
    return {"image": "", "width": w, "height": h, "scene": "rendered", "tiles": tiles, "ignore": ignore, "hand": hand}


def hand_truth(dealt: DealtHand) -> dict[str, Any]:
    """The dealt hand as the ``hand`` object of a read response (seats of claims cannot be seen: ``from`` is null)."""
    return {
        "concealed": [t.code for t in dealt.concealed],
        "melds": [{"type": m.type, "tiles": [t.code for t in m.tiles], "from": None} for m in dealt.melds],
        "winning_tile": dealt.winning.code if dealt.winning else None,
        "bonus": [t.code for t in dealt.bonus],
        "dora_indicators": [t.code for t in dealt.dora],
    }


def render_hand(concealed: str, winning: str | None = None, melds: Sequence[tuple[str, str, str | None]] = (),
                bonus: str = "", dora: str = "", *, seed: int, layout: Style | None = None,
                look: SceneLook | None = None, rules: str = "hongkong") -> Scene:  # fmt: skip
    """Photograph a chosen hand.

    Args:
        concealed, winning, bonus, dora: tiles in compact notation.
        melds: (type, tiles, claimed from ``left`` | ``opposite`` | ``right`` | None).
        layout: how it is laid out; random if None.
    """
    rng = np.random.default_rng([seed, 0])
    dealt = DealtHand(
        rules,
        parse_tiles(concealed),
        tuple(DealtMeld(kind, parse_tiles(text), relation) for kind, text, relation in melds),
        tile(winning) if winning else None,
        parse_tiles(bonus),
        parse_tiles(dora),
    )
    look = look or SceneLook()
    look = replace(look, tiles=tileset_of(look, seed))
    placed = lay_hand(rng, dealt, layout or random_open_style(rng, dealt), _tile_size(look))
    return render_table(placed, look, seed, hand_truth(dealt), rules)


def _tile_size(look: SceneLook) -> tuple[float, float] | None:
    return (look.tiles.height, look.tiles.depth) if look.tiles else None


def random_look(rng: np.random.Generator, size: tuple[int, int] = (960, 720)) -> SceneLook:
    """A random camera, table, set and photograph; tilt up to 60 degrees."""
    return SceneLook(
        size=size,
        tilt=float(60 * rng.beta(1.1, 1.5)),
        azimuth=float(rng.normal(0, 14)),
        roll=float(rng.normal(0, 4) if rng.random() < 0.7 else rng.uniform(0, 360)),
        fill=float(rng.uniform(0.7, 0.96)),
        focal=float(rng.uniform(0.65, 1.3)),
        roughness=float(rng.uniform(0, 1)),
    )


def random_hand_scene(seed: int, *, rules: str | None = None, layout: str | None = None,
                      size: tuple[int, int] = (960, 720), melds: int | None = None,
                      look: SceneLook | None = None) -> Scene:  # fmt: skip
    """A photo of a random winning hand, laid out as people do.

    Args:
        rules: of the hand; random if None.
        layout: one of ``HAND_STYLES``; random if None.
        melds: how many declared sets; random if None.
        look: camera, set and so on; random if None.
    """
    rng = np.random.default_rng([seed, 2])
    rules = rules or str(rng.choice(RULES))
    dealt = deal(rng, rules, melds=melds)
    how = random_open_style(rng, dealt)
    if layout is not None:
        how = replace(how, hand=layout)
    drawn = look is None
    look = look or random_look(rng, size)
    look = replace(look, tiles=tileset_of(look, seed))
    placed = lay_hand(rng, dealt, how, _tile_size(look))
    if drawn and any(p.standing for p in placed):  # standing faces are seen from low down
        look = replace(look, tilt=float(rng.uniform(42, 78)), azimuth=look.azimuth * 0.6)
    return render_table(placed, look, seed, hand_truth(dealt), rules)


def save_photo(image: Picture, annotation: dict[str, Any], path: Path, quality: int = 90) -> None:
    """Write an RGB picture as a JPEG and its annotation, which then names it, beside it."""
    cv2.imwrite(str(path), cv2.cvtColor(image, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
    text = json.dumps(annotation | {"image": path.name}, ensure_ascii=False)
    path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
