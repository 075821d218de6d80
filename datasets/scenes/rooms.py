"""What is seen besides the things on the table: its surface, its edge, the floor beyond, the far side of the room."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from datasets.noise import clouds
from datasets.objects.lettering import lay_ink, random_line
from datasets.objects.lookalikes import look_alike
from datasets.objects.surfaces import random_colour
from datasets.render.camera import Camera, picture_corners
from datasets.scenes.scene import lay_surface
from datasets.scenes.studio import Studio

Picture = npt.NDArray[np.uint8]
Quads = npt.NDArray[np.float32]


def crop_photo(rng: np.random.Generator, photo: Picture, width: int, height: int) -> Picture:
    """A random part of a photo, turned and sometimes recoloured, filling ``width`` x ``height``."""
    share = float(rng.uniform(0.45, 1.0))
    side = min(photo.shape[0], photo.shape[1] * height // width)
    h = max(8, int(side * share))
    w = max(8, h * width // height)
    y, x = int(rng.integers(0, photo.shape[0] - h + 1)), int(rng.integers(0, max(1, photo.shape[1] - w + 1)))
    part = np.asarray(cv2.resize(photo[y : y + h, x : x + w], (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    if rng.random() < 0.5:
        part = part[:, ::-1]
    if width == height and rng.random() < 0.3:
        part = np.rot90(part, int(rng.integers(1, 4)))
    if rng.random() < 0.3:
        part = np.clip(part[..., rng.permutation(3)] * rng.uniform(0.6, 1.2, 3), 0, 255).astype(np.uint8)
    return np.ascontiguousarray(part)


def far_wall(rng: np.random.Generator, studio: Studio, width: int, height: int) -> tuple[Picture, Quads]:
    """The room behind the table, blurred; and the cells of look-alikes in it, (n, 4, 2) pixels."""
    photo = studio.background(rng)
    cells = np.zeros((0, 4, 2), np.float32)
    if photo is not None and rng.random() < 0.5:
        picture = crop_photo(rng, photo, width, height)
    else:
        base = random_colour(rng, 0.15, 0.95)
        shade = np.linspace(rng.uniform(0.6, 1.1), rng.uniform(0.6, 1.1), width, dtype=np.float32)[None, :, None]
        image = base * shade + clouds(rng, height, width, zoom=2) * rng.uniform(0, 14)
        picture = np.clip(image, 0, 255).astype(np.uint8)
        for _ in range(int(rng.integers(0, 5))):  # furniture
            like = look_alike(rng, str(rng.choice(["lattice", "plain", "page"], p=[0.5, 0.4, 0.1])))
            cells = np.concatenate([cells, _paste(rng, picture, like.picture, like.cells)])
    if rng.random() < 0.7:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.6, 5)), np.uint8)
    return picture, cells


def _paste(rng: np.random.Generator, picture: Picture, sticker: Picture, cells: Quads) -> Quads:
    """Paste a flat thing in perspective; returns its cells in pixels of the picture."""
    size = float(np.exp(rng.uniform(np.log(30), np.log(picture.shape[1]))))
    h, w = sticker.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    target = (corners / w - [0.5, 0.5 * h / w]) * size
    target = target * (1 + 0.12 * rng.standard_normal((4, 1)) * rng.random())
    angle = rng.normal(0, 0.12)
    c, s = np.cos(angle), np.sin(angle)
    middle = rng.uniform(0, [picture.shape[1], picture.shape[0]])
    target = (target @ np.array([[c, s], [-s, c]]) + middle).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners - 0.5, target)
    how = cv2.INTER_AREA if size < w else cv2.INTER_LINEAR
    size_px = (picture.shape[1], picture.shape[0])
    cv2.warpPerspective(sticker, matrix, size_px, picture, how, cv2.BORDER_TRANSPARENT)
    if not len(cells):
        return cells
    return np.asarray(cv2.perspectiveTransform(cells.reshape(-1, 1, 2), matrix), np.float32).reshape(-1, 4, 2)


def bare_table(
    rng: np.random.Generator, studio: Studio, camera: Camera, reach: float
) -> tuple[Picture, npt.NDArray[np.float32], Quads]:
    """The picture before anything lies on the table.

    Args:
        reach: how far from the origin things lie, tile widths; the table reaches at least that far.

    Returns:
        RGB picture, the table's mean colour, and cells of look-alikes beyond the table.
    """
    width, height = camera.width, camera.height
    none = np.zeros((0, 4, 2), np.float32)
    photo = studio.background(rng)
    if photo is not None and rng.random() < 0.16:  # any photo behind the tiles, flat
        picture = crop_photo(rng, photo, width, height)
        return picture, picture.reshape(-1, 3).mean(axis=0).astype(np.float32), none
    texture = studio.table(rng)
    unit = camera.pixels_per_unit() * float(np.exp(rng.normal(0, 0.5)))
    picture = lay_surface(texture, camera, unit)
    tint = texture[::16, ::16].reshape(-1, 3).mean(axis=0).astype(np.float32)
    if rng.random() < 0.12:
        print_characters(rng, picture, camera, tint, reach)
    edge = np.array([[0, 0], [width, 0], [0, height], [width, height]])
    sees_far = float(_rays(camera, edge[:, 0], edge[:, 1])[..., 2].max()) > -0.12
    if not sees_far and rng.random() < 0.6:
        return picture, tint, none
    ys, xs = np.mgrid[0:height:2, 0:width:2]
    rays = _rays(camera, xs, ys)
    coarse = _meets_table(rng, camera, rays, reach)
    if coarse.all():
        return picture, tint, none
    smooth = cv2.GaussianBlur(coarse.astype(np.float32), (0, 0), 0.7)
    soft = np.asarray(cv2.resize(smooth, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    soft = np.clip(soft * 2 - 0.5, 0, 1)
    mask = soft > 0.5
    wall, cells = far_wall(rng, studio, width, height)
    if rng.random() < 0.6:  # a floor below the table's edge
        drop = -float(rng.uniform(8, 30))
        floor = lay_surface(studio.table(rng), camera, unit * 0.5, drop)
        floor = np.asarray(cv2.GaussianBlur(floor, (0, 0), rng.uniform(0.5, 3)), np.uint8)
        below = cv2.resize((rays[..., 2] < -0.1).astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
        wall = np.where(np.asarray(below)[..., None] > 0, floor, wall)
        cells = none
    mixed = (picture * soft[..., None] + wall * (1 - soft[..., None])).astype(np.uint8)
    inside = mask[
        np.clip(cells.mean(1)[:, 1], 0, height - 1).astype(int), np.clip(cells.mean(1)[:, 0], 0, width - 1).astype(int)
    ]
    return np.ascontiguousarray(mixed), tint, cells[~inside]


def print_characters(
    rng: np.random.Generator, picture: Picture, camera: Camera, ground: npt.NDArray[np.float32], reach: float
) -> None:
    """Print large characters on the cloth, in place; tiles may come to lie on them."""
    mask = random_line(rng, int(rng.integers(1, 7)))
    tall = float(np.exp(rng.uniform(np.log(0.7), np.log(4))))
    angle = float(rng.choice([0, np.pi / 2, np.pi, rng.uniform(0, 2 * np.pi)]))
    u, v = np.array([np.cos(angle), np.sin(angle), 0]), np.array([np.sin(angle), -np.cos(angle), 0])
    long = tall * mask.shape[1] / mask.shape[0]
    start = np.array([*rng.uniform(-reach - 2, reach + 2, 2), 0]) - u * long / 2
    corners = np.array([start, start + u * long, start + u * long + v * tall, start + v * tall])
    pixels, depth = camera.project(corners)
    if depth.min() < 0.5 or np.abs(pixels).max() > 20000:
        return
    h, w = mask.shape
    matrix = cv2.getPerspectiveTransform(picture_corners(w, h), pixels.astype(np.float32))
    laid = np.asarray(cv2.warpPerspective(mask, matrix, (picture.shape[1], picture.shape[0])), np.uint8)
    ink = np.full(3, 245.0) if ground.mean() < 150 and rng.random() < 0.7 else random_colour(rng, 0.0, 0.9)
    lay_ink(picture, laid, ink)


def _rays(camera: Camera, xs: npt.NDArray[np.int64], ys: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """(..., 3) world directions of pixels, not normalised (depth 1)."""
    x = ((xs - camera.centre[0]) / camera.focal).astype(np.float32)[..., None]
    y = ((ys - camera.centre[1]) / camera.focal).astype(np.float32)[..., None]
    right, down, ahead = camera.axes.astype(np.float32)
    return np.asarray(x * right + y * down + ahead, np.float32)


def _meets_table(
    rng: np.random.Generator, camera: Camera, rays: npt.NDArray[np.float32], reach: float
) -> npt.NDArray[np.bool_]:
    """(h, w) True where the ray meets the table: a square, an oblong or a disc about the origin."""
    steps = -camera.eye[2] / np.minimum(rays[..., 2], -1e-4)
    x, y = camera.eye[0] + steps * rays[..., 0], camera.eye[1] + steps * rays[..., 1]
    front = rays[..., 2] < -0.02
    edges = reach + rng.uniform(0.8, 14, 4)
    if rng.random() < 0.15:
        return np.asarray(front & (np.hypot(x, y) < edges.max() * 1.2))
    angle = rng.normal(0, 0.1)
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    return np.asarray(front & (u < edges[0]) & (u > -edges[1]) & (v < edges[2]) & (v > -edges[3]))
