"""Paint boxes on a table, lit and shadowed, and record for every pixel which face it shows.

Two-and-a-half dimensions: every side of every box is a small texture, shaded in its own plane (light, rounded
rim, carving, gloss), and warped with the exact homography. Outlines are those of the rounded box, antialiased.
Shading multiplies in gamma space, where a gain of E in light is E ** 0.45.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.faces.ink import HEIGHT, WIDTH
from datasets.faces.materials import Material
from datasets.faces.textured_tileset import LEVELS, TexturedTileSet
from datasets.labels import BACK
from datasets.render.camera import Camera, Floats, picture_corners
from datasets.render.photo import multiply
from datasets.render.solids import BOTTOM, NORMALS, TOP, U_AXES, V_AXES, RoundedBox, draw_order, neighbour_gaps

Picture = npt.NDArray[np.uint8]
LARGEST_SIDE_PX: Final = 240
"""Most texels along a narrow side of a tile, or along a plain box."""


@dataclass(frozen=True, slots=True)
class Light:
    """Even light from everywhere and one soft lamp.

    Attributes:
        direction: (3,) unit vector towards the lamp.
        ambient: share of the light on the table that comes from everywhere, 0-1.
        softness: blur of the shadows per unit of height, tile widths.
        shadow: darkness of the lamp's shadow, 0-1.
        lamps: directions (k, 3) of lights reflected in glossy faces; ``glints``: (k,) their strengths 0-255.
        room: brightness of everything else that is reflected, 0-255.
    """

    direction: Floats
    ambient: float
    softness: float
    shadow: float
    lamps: Floats
    glints: Floats
    room: float

    @staticmethod
    def random(rng: np.random.Generator) -> Light:
        """Random light in a room."""

        def towards(low: float) -> Floats:
            a, z = rng.uniform(0, 2 * np.pi), rng.uniform(low, 2.6)
            v = np.array([np.cos(a), np.sin(a), z])
            return np.asarray(v / np.linalg.norm(v), np.float64)

        direction = towards(0.55)
        extra = int(rng.integers(0, 3))
        return Light(
            direction=direction,
            ambient=float(rng.uniform(0.3, 0.8)),
            softness=float(np.exp(rng.uniform(np.log(0.06), np.log(0.9)))),
            shadow=float(rng.uniform(0.35, 0.95)),
            lamps=np.array([direction, *(towards(0.3) for _ in range(extra))]),
            glints=np.array([rng.uniform(30, 200), *rng.uniform(10, 150, extra)]),
            room=float(rng.uniform(20, 160)),
        )


@dataclass(frozen=True, slots=True)
class SceneObject:
    """A box with its paint: a tile of a set showing ``label``, or a plain box in one colour (``label`` None).

    Attributes:
        lid: (h, w, 3) RGB picture of the top side of a plain box; ``around``: of its four upright sides.
        fine: these pictures have details to be averaged where they are seen small.
    """

    box: RoundedBox
    label: str | None
    colour: npt.NDArray[np.float32] | None = None
    lid: Picture | None = None
    gloss: float = 0.3
    around: Picture | None = None
    fine: bool = False


@dataclass(frozen=True, slots=True)
class PaintedScene:
    """The result of painting.

    Attributes:
        quads: (n, 4, 2) pixels of the printed face of every tile, or of its back where that faces the camera;
            clockwise from the picture's top-left. NaN where neither faces the camera.
        backs: (n,) True where ``quads`` is the back.
        facing: (n,) cosine between that side and the line of sight.
        visible: (n,) share of that side's area that is in the picture and not hidden, 0-1.
        owner: (height, width) int16: thing whose marked side the pixel shows, -1 table, -2 another side.
    """

    quads: npt.NDArray[np.float32]
    backs: npt.NDArray[np.bool_]
    facing: npt.NDArray[np.float32]
    visible: npt.NDArray[np.float32]
    owner: npt.NDArray[np.int16]


@functools.lru_cache(4000)
def _rim_slope(
    height: int, width: int, rx: float, ry: float
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Slope of the rounded rim along x and y, -0.7 to 0.7, for a texture; radii in texture pixels."""
    x, y = np.arange(width) + 0.5, np.arange(height) + 0.5
    left = np.clip(1 - x / max(rx, 0.6), 0, 1) ** 1.5
    top = np.clip(1 - y / max(ry, 0.6), 0, 1) ** 1.5
    ex, ey = left[::-1] - left, top[::-1] - top
    return (
        np.broadcast_to(0.7 * ex, (height, width)).astype(np.float32),
        np.broadcast_to(0.7 * ey[:, None], (height, width)).astype(np.float32),
    )


class Painter:
    """Paints things onto a picture that already shows the bare table.

    Args:
        picture: (h, w, 3) RGB uint8 of the table, painted over.
        camera: the camera that projected it.
        tiles: the set all tiles belong to.
        light: one light for all.
        table: RGB that the table reflects onto the sides of things.
    """

    def __init__(
        self, picture: Picture, camera: Camera, tiles: TexturedTileSet, light: Light, table: npt.NDArray[np.float32]
    ):
        self.picture, self.camera, self.tiles, self.light, self.table = picture, camera, tiles, light, table
        self.flat = light.ambient + (1 - light.ambient) * max(0.05, float(light.direction[2]))

    # --- light ------------------------------------------------------------------------------------------------------

    def _gain(self, facing_lamp: npt.NDArray[np.float32], up: float) -> npt.NDArray[np.float32]:
        """Brightness in gamma space for cosines towards the lamp, 1 on the open table."""
        energy = self.light.ambient * (0.62 + 0.38 * up) + (1 - self.light.ambient) * np.maximum(facing_lamp, 0)
        return np.asarray(np.sqrt(energy / self.flat), np.float32)

    def _shadow_mask(self, things: Sequence[SceneObject], level: float) -> npt.NDArray[np.float32]:
        """(h, w) share of light left by shadows on the plane at this height: soft lamp shadows and contact shadows."""
        # Soft shadows need only a few pixels per tile, and blurs stay small that way.
        q = int(2 ** np.clip(np.round(np.log2(self.camera.pixels_per_unit() / 10)), 1, 6))
        h, w = -(-self.picture.shape[0] // q), -(-self.picture.shape[1] // q)
        scale = self.camera.pixels_per_unit() / q
        slope = self.light.direction[:2] / max(0.15, float(self.light.direction[2]))
        dark = np.zeros((h, w), np.float32)
        shares = (0.12, 0.55, 1.0)
        tall = 0.0
        for share in shares:
            layer = np.zeros((h, w), np.uint8)
            for thing in things:
                corners = thing.box.corners()
                low, high = float(corners[:, 2].min()), float(corners[:, 2].max())
                if high < level + 0.02:
                    continue
                tall = max(tall, high - level)
                z = np.clip(corners[:, 2], max(level, low), max(level, low) + share * (high - max(level, low))) - level
                ground = np.column_stack([corners[:, :2] - slope * z[:, None], np.full(8, level)])
                pixels, depth = self.camera.project(ground)
                if depth.min() > 0.2:
                    self._fill(layer, pixels / q)
            blurred = cv2.GaussianBlur(layer, (0, 0), max(0.5, self.light.softness * (0.25 + share) * tall * scale))
            dark += np.asarray(blurred, np.float32) * np.float32(1 / 255 / len(shares))
        contact = np.zeros((h, w), np.uint8)
        for thing in things:
            corners = thing.box.corners()
            if abs(float(corners[:, 2].min()) - level) < 0.12:
                spread = (corners - thing.box.centre) * [1.06, 1.06, 0] + [*thing.box.centre[:2], level]
                pixels, depth = self.camera.project(spread)
                if depth.min() > 0.2:
                    self._fill(contact, pixels / q)
        near = np.asarray(cv2.GaussianBlur(contact, (0, 0), max(0.5, 0.1 * scale)), np.float32) / 255
        wide = np.asarray(cv2.GaussianBlur(contact, (0, 0), max(0.5, 0.45 * scale)), np.float32) / 255
        lamp = (1 - self.light.ambient) * float(self.light.direction[2]) / self.flat
        left = (1 - self.light.shadow * lamp * dark) * (1 - 0.35 * near) * (1 - 0.3 * self.light.ambient * wide)
        full = cv2.resize(np.sqrt(np.clip(left, 0.02, 1)), (w * q, h * q), interpolation=cv2.INTER_LINEAR)
        return np.asarray(full[: self.picture.shape[0], : self.picture.shape[1]], np.float32)

    @staticmethod
    def _fill(mask: npt.NDArray[np.uint8], pixels: Floats) -> None:
        if np.abs(pixels).max() < 20000:
            hull = cv2.convexHull((pixels * 16).astype(np.int32))
            cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, 4)

    # --- one side ---------------------------------------------------------------------------------------------------

    def _shade(self, texture: Picture, relief: npt.NDArray[np.float32] | None, thing: SceneObject, side: int,
               gap: float, gloss: float, sharpness: float) -> Picture:  # fmt: skip
        box, light = thing.box, self.light
        n, u, v = (axes[side] @ box.rotation.T for axes in (NORMALS, U_AXES, V_AXES))
        h, w = texture.shape[:2]
        long_u = 2 * float(np.abs(U_AXES[side]) @ box.half)
        long_v = 2 * float(np.abs(V_AXES[side]) @ box.half)
        rx, ry = (round(4 * box.radius * scale) / 4 for scale in (w / long_u, h / long_v))  # few, for the cache
        ex, ey = _rim_slope(h, w, rx, ry)
        if relief is not None:
            ex, ey = ex + relief[..., 0], ey + relief[..., 1]
        flat = np.asarray(1 - 0.5 * (ex * ex + ey * ey), np.float32)
        lamp = light.direction
        facing = flat * np.float32(n @ lamp) + ex * np.float32(u @ lamp) + ey * np.float32(v @ lamp)
        gain = self._gain(facing, float(n[2]))
        corners = box.side(side)
        if n[2] < 0.8:  # dark near the table and between neighbours
            z = np.maximum(corners[[0, 3, 1], 2], 0)
            grow_v, grow_u = (z[1] - z[0]) / h, (z[2] - z[0]) / w
            rise = z[0] + grow_v * np.arange(h)[:, None] + grow_u * np.arange(w)[None]
            gain = gain * (1 - 0.38 * np.exp(-rise / 0.3)).astype(np.float32)
            gain = gain * np.float32(0.4 + 0.6 * min(1.0, gap / 0.7))
        out = texture.astype(np.float32) * gain[..., None]
        if n[2] < 0.8:
            bounce = (0.16 * np.exp(-rise / 0.6)).astype(np.float32)[..., None]
            out += texture.astype(np.float32) * self.table * (bounce / 255)
        if gloss > 0.02 and (n[2] > 0.8 or h * w > 500):  # nobody sees glints on a sliver
            out += self._gloss(n, u, v, corners, ex, ey, flat, gloss, sharpness)[..., None]
        return np.asarray(np.clip(out, 0, 255), np.uint8)

    def _gloss(self, n: Floats, u: Floats, v: Floats, corners: Floats, ex: npt.NDArray[np.float32],
               ey: npt.NDArray[np.float32], flat: npt.NDArray[np.float32], gloss: float,
               sharpness: float) -> npt.NDArray[np.float32]:  # fmt: skip
        h, w = ex.shape
        s, t = np.linspace(0, 1, 5), np.linspace(0, 1, 6)
        grid = corners[0] + s[None, :, None] * (corners[1] - corners[0]) + t[:, None, None] * (corners[3] - corners[0])
        view = self.camera.eye - grid
        view /= np.linalg.norm(view, axis=2, keepdims=True)
        cosine = np.clip(view @ n, 0.02, 1)
        fresnel = 0.04 + 0.96 * (1 - cosine) ** 5
        smooth = self.light.room * fresnel * 0.8
        mirror = 2 * cosine[..., None] * n - view
        for lamp, glint in zip(self.light.lamps, self.light.glints, strict=True):
            smooth = smooth + glint * (0.5 + fresnel * 4) * np.exp(sharpness * 1.2 * (mirror @ lamp - 1))
        total = np.asarray(cv2.resize(smooth.astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC), np.float32)
        if w >= 20:  # glints along the rounded rim
            half = self.light.direction + view[3, 2]
            half = half / np.linalg.norm(half)
            cos = flat * np.float32(n @ half) + ex * np.float32(u @ half) + ey * np.float32(v @ half)
            edge = np.minimum(ex * ex + ey * ey, 0.25) * 4
            total = total + edge * np.float32(self.light.glints[0]) * np.exp(np.float32(sharpness) * (cos - 1))
        return total * np.float32(gloss)

    @staticmethod
    def _side_texture(size: tuple[int, int], material: Material) -> Picture:
        """Layers of face and back on the narrow sides of a tile, as a texture of ``size`` (rows, columns)."""
        rows, columns = size
        image = np.full((rows, columns, 3), material.body, np.float32)
        if material.back_share > 0:
            edge = (1 - material.back_share) * rows
            mix = np.clip(np.arange(rows) + 1 - edge, 0, 1)[:, None, None].astype(np.float32)
            image = image * (1 - mix) + material.back * mix
        return np.asarray(np.clip(image, 0, 255), np.uint8)

    # --- everything -------------------------------------------------------------------------------------------------

    def paint(self, things: Sequence[SceneObject]) -> PaintedScene:
        """Paint all things, back to front, and report what is seen of them."""
        height, width = self.picture.shape[:2]
        n = len(things)
        shadow = self._shadow_mask(things, 0.0)
        self.picture[:] = multiply(self.picture, shadow)
        tops = self._top_shadow(things)
        owner = np.full((height, width), -1, np.int16)
        quads = np.full((n, 4, 2), np.nan, np.float32)
        backs, facing = np.zeros(n, bool), np.zeros(n, np.float32)
        outlines = [t.box.silhouette(self.camera) for t in things]
        inside = [self._in_front(t) for t in things]
        bounds = [(*o.min(axis=0), *o.max(axis=0)) for o in outlines]
        gaps = neighbour_gaps([t.box for t in things])
        for i in draw_order([t.box for t in things], self.camera.eye, bounds):
            x0, y0 = max(0, int(bounds[i][0]) - 2), max(0, int(bounds[i][1]) - 2)
            x1, y1 = min(width, int(bounds[i][2]) + 3), min(height, int(bounds[i][3]) + 3)
            if not inside[i]:
                continue
            marked = self._marked_side(things[i])
            if marked is not None:
                quads[i], backs[i], facing[i] = marked[1], marked[0] == BOTTOM, marked[2]
            if x1 > x0 and y1 > y0:
                self._paint_one(things[i], i, outlines[i], (x0, y0, x1, y1), gaps[i], tops, owner, marked)
        return PaintedScene(quads, backs, facing, visible_shares(quads, owner), owner)

    def _in_front(self, thing: SceneObject) -> bool:
        return bool(self.camera.project(thing.box.corners())[1].min() > 0.4)

    def _marked_side(self, thing: SceneObject) -> tuple[int, npt.NDArray[np.float32], float] | None:
        """The printed face or the back of a tile, whichever faces the camera."""
        if thing.label is None:
            return None
        for side in (TOP, BOTTOM):
            corners = thing.box.side(side)
            middle = corners.mean(axis=0)
            line = self.camera.eye - middle
            cosine = float(thing.box.rotation @ NORMALS[side] @ line / np.linalg.norm(line))
            if cosine > 0.02:
                return side, self.camera.project(corners)[0].astype(np.float32), cosine
        return None

    def _top_shadow(self, things: Sequence[SceneObject]) -> npt.NDArray[np.float32] | None:
        """Shadows that higher things throw on the tops of lying tiles; None when nothing stands higher."""
        level = self.tiles.depth
        if not any(float(t.box.corners()[:, 2].max()) > level + 0.1 for t in things):
            return None
        return self._shadow_mask([t for t in things if float(t.box.corners()[:, 2].max()) > level + 0.1], level)

    def _paint_one(self, thing: SceneObject, index: int, outline: Floats, bound: tuple[int, int, int, int],
                   gaps: npt.NDArray[np.float64], tops: npt.NDArray[np.float32] | None,
                   owner: npt.NDArray[np.int16],
                   marked: tuple[int, npt.NDArray[np.float32], float] | None) -> None:  # fmt: skip
        x0, y0, x1, y1 = bound
        box, material = thing.box, self.tiles.material
        origin = np.array([x0, y0])
        hull = cv2.convexHull(((outline - origin) * 16).astype(np.int32))
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, 4)
        body = thing.colour if thing.colour is not None else material.body
        if marked is not None and marked[0] == BOTTOM:
            body = material.back
        roi = self.picture[y0:y1, x0:x1]
        layer = np.full_like(roi, np.clip(body * 0.75, 0, 255).astype(np.uint8))
        gloss, sharpness = (material.gloss, material.sharpness) if thing.label else (thing.gloss, 30.0)
        for side in range(6):
            corners = box.side(side)
            n = box.rotation @ NORMALS[side]
            if n @ (self.camera.eye - corners[0]) <= 1e-6:
                continue
            pixels = self.camera.project(corners)[0] - origin
            texture, relief = self._texture(thing, side, pixels)
            shaded = self._shade(texture, relief, thing, side, float(gaps[side]), gloss, sharpness)
            h, w = shaded.shape[:2]
            warp = cv2.getPerspectiveTransform(picture_corners(w, h), pixels.astype(np.float32))
            cv2.warpPerspective(shaded, warp, (x1 - x0, y1 - y0), layer, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
            lying = side in (TOP, BOTTOM) and n[2] > 0.9 and abs(corners[0, 2] - self.tiles.depth) < 0.1
            if tops is not None and lying:
                layer = multiply(layer, tops[y0:y1, x0:x1])
        alpha = cv2.merge([mask, mask, mask])
        under = cv2.multiply(roi, cv2.bitwise_not(alpha), scale=1 / 255)
        roi[:] = cv2.add(under, cv2.multiply(layer, alpha, scale=1 / 255))
        owned = owner[y0:y1, x0:x1]
        owned[mask > 127] = -2
        if marked is not None:
            face = np.zeros_like(mask)
            cv2.fillConvexPoly(face, ((marked[1] - origin) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
            owned[face > 0] = index

    def _texture(self, thing: SceneObject, side: int, pixels: Floats) -> tuple[Picture, npt.NDArray[np.float32] | None]:
        """The unlit texture of a side, near the size it will have in the picture.

        Much smaller ones would be noticed: the outer half texel of a warped texture stays unpainted.
        """
        across = max(float(np.linalg.norm(pixels[1] - pixels[0])), float(np.linalg.norm(pixels[2] - pixels[3])))
        down = max(float(np.linalg.norm(pixels[3] - pixels[0])), float(np.linalg.norm(pixels[2] - pixels[1])))
        size = (int(np.clip(down, 6, LARGEST_SIDE_PX)), int(np.clip(across, 4, LARGEST_SIDE_PX)))
        if thing.label is None:
            return self._prop_texture(thing, side, size, (down, across)), None
        if side not in (TOP, BOTTOM):
            return self._side_texture(size, self.tiles.material), None
        need = max(across / WIDTH, down / HEIGHT)
        level = int(np.clip(np.floor(-np.log2(max(need, 1e-3)) + 0.5), 0, LEVELS - 1))
        return self.tiles.texture(thing.label if side == TOP else BACK, level)

    @staticmethod
    def _prop_texture(thing: SceneObject, side: int, size: tuple[int, int], seen: tuple[float, float]) -> Picture:
        shown = thing.lid if side == TOP else thing.around if side != BOTTOM else None
        if shown is not None:
            if thing.fine and max(shown.shape[0] / seen[0], shown.shape[1] / seen[1]) > 1.5:
                rows, columns = (max(8, min(n, round(m))) for n, m in zip(shown.shape, seen, strict=False))
                return np.asarray(cv2.resize(shown, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)
            if shown.shape[1] >= size[1] // 2:
                return shown
            return np.asarray(cv2.resize(shown, (size[1], size[0]), interpolation=cv2.INTER_LINEAR), np.uint8)
        colour = np.clip(thing.colour if thing.colour is not None else 128, 0, 255)
        return np.full((*size, 3), colour, np.uint8)


def visible_shares(quads: npt.NDArray[np.float32], owner: npt.NDArray[np.int16]) -> npt.NDArray[np.float32]:
    """(n,) share of each of (n, 4, 2) quads that is seen, 0-1, by the pixels that ``owner`` says are its own."""
    seen = np.bincount(owner[owner >= 0].ravel(), minlength=len(quads))[: len(quads)]
    area = np.array([abs(cv2.contourArea(q)) if np.isfinite(q).all() else 0 for q in quads])
    return np.asarray(np.clip(seen / np.maximum(area, 1), 0, 1), np.float32)
