"""Rendered photos: reproducible, and their truth is where the pixels are."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.faces.designs import load_library
from datasets.faces.textured_tileset import random_tileset
from datasets.render.camera import Camera, Pose, turn_x, turn_z
from datasets.render.paint import Light, Painter, SceneObject
from datasets.render.photo import PhotoEffects
from datasets.render.solids import RoundedBox
from datasets.scenes.scene import SceneLook, random_hand_scene, render_hand, render_table, save_photo
from datasets.tables.hands import RULES
from datasets.tables.layouts import HAND_STYLES, PlacedTile, Style
from scoring.tiles import tile

pytestmark = pytest.mark.slow

SMALL = (480, 360)
PLAIN = PhotoEffects(blur=0.0, noise=0.0, sharpen=0.0, vignette=0.0, quality=0)


def test_the_same_seed_gives_the_same_photo_and_another_seed_another() -> None:
    one, again, other = (random_hand_scene(seed, size=SMALL) for seed in (5, 5, 6))
    np.testing.assert_array_equal(one.image, again.image)
    assert one.annotation == again.annotation
    assert one.image.shape == (360, 480, 3)
    assert not np.array_equal(one.image, other.image)


def test_corners_are_those_of_an_independent_pinhole() -> None:
    """A camera straight above: every corner follows from similar triangles alone."""
    library = load_library()
    tiles = random_tileset(np.random.default_rng(2), library)
    look = SceneLook(size=(800, 600), pose=Pose((0.0, 0.0), 20.0, focal=0.75), tiles=tiles, taken=PLAIN)
    placed = [
        PlacedTile(tile("3m"), 2.0, -1.0, 0.0, "concealed", 0),
        PlacedTile(tile("7z"), -3.0, 2.0, 90.0, "winning", 9),
    ]
    scene = render_table(placed, look, seed=1)
    scale = 0.75 * 800 / (20.0 - tiles.depth)
    centre = np.array([399.5, 299.5])
    x, y = 0.5, tiles.height / 2
    upright = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    first = (upright + np.array([2.0, -1.0])) * scale + centre
    clockwise = upright @ np.array([[0, 1], [-1, 0]])
    second = (clockwise + np.array([-3.0, 2.0])) * scale + centre
    found = [np.array(t["corners"]) for t in scene.annotation["tiles"]]
    np.testing.assert_allclose(found[0], first, atol=0.02)
    np.testing.assert_allclose(found[1], second, atol=0.02)


@pytest.mark.parametrize("tilt", [0, 30, 60])
def test_the_quad_is_where_the_face_was_painted(tilt) -> None:
    """A white tile on black: the bright region is the face (and the rounded rim), seen or turned."""
    library = load_library()
    tiles = random_tileset(np.random.default_rng(7), library)
    white, black = np.full(3, 250, np.float32), np.zeros(3, np.float32)
    material = replace(tiles.material, body=white, back=black, back_share=1.0, gloss=0.0)
    tiles = replace(tiles, material=material, blank_white=True, radius=0.03, _cache={})
    lamp = np.array([0.0, 0.0, 1.0])
    light = Light(lamp, 0.9, 0.1, 0.0, lamp[None], np.zeros(1), 0.0)
    picture = np.zeros((800, 1000, 3), np.uint8)
    camera = Camera(Pose((0.3, 0.2), 5.0, tilt, 25.0, 40.0), 1000, 800)
    half = np.array([0.5, tiles.height / 2, tiles.depth / 2])
    thing = SceneObject(RoundedBox(half, np.array([0, 0, tiles.depth / 2]), turn_z(0.3), 0.03), "5z")
    painted = Painter(picture, camera, tiles, light, np.zeros(3, np.float32)).paint([thing])
    bright = (picture[..., 0] > 120).astype(np.uint8)
    quad = np.zeros_like(bright)
    cv2.fillConvexPoly(quad, np.rint(painted.quads[0]).astype(np.int32), 1)
    both, either = (bright & quad).sum(), (bright | quad).sum()
    assert both / either > 0.95


def test_what_hides_what_agrees_with_ray_casting() -> None:
    """Painter's order against the nearest box along the ray, for heaps of boxes in all poses."""
    rng = np.random.default_rng(11)
    tiles = random_tileset(rng, load_library())
    half = np.array([0.5, tiles.height / 2, tiles.depth / 2])
    wrong = asked = 0
    for _ in range(6):
        things = []
        for i in range(14):
            spin = turn_z(rng.uniform(0, 6.3)) @ (turn_x(np.pi / 2) if i % 3 == 0 else np.eye(3))
            high = float(np.abs(spin[2]) @ half)
            at = np.array([i % 5 * 1.9 - 3.6, i // 5 * 1.9 - 2, high])
            things.append(SceneObject(RoundedBox(half, at, spin, 0.02), "1m"))
        camera = Camera(Pose((0, 0), 14, rng.uniform(20, 75), rng.uniform(-180, 180)), 320, 240)
        picture = np.zeros((240, 320, 3), np.uint8)
        painted = Painter(picture, camera, tiles, Light.random(rng), np.zeros(3, np.float32)).paint(things)
        for _ in range(1500):
            x, y = int(rng.integers(1, 319)), int(rng.integers(1, 239))
            owner = int(painted.owner[y, x])
            if owner < 0 or (painted.owner[y - 1 : y + 2, x - 1 : x + 2] != owner).any():
                continue  # not a face, or on its edge
            ray = camera.axes.T @ [(x - camera.centre[0]) / camera.focal, (y - camera.centre[1]) / camera.focal, 1]
            hits = [_hit(t.box, camera.eye, ray) for t in things]
            asked += 1
            wrong += int(np.argmin(hits)) != owner
    assert asked > 150
    assert wrong == 0


def _hit(box: RoundedBox, eye, ray) -> float:
    """Distance along the ray to a box, infinite where it misses (slabs)."""
    origin, way = (eye - box.centre) @ box.rotation, ray @ box.rotation
    a, b = (-box.half - origin) / way, (box.half - origin) / way
    near, far = np.minimum(a, b).max(), np.maximum(a, b).min()
    return float(near) if far > near > 0 else np.inf


@pytest.mark.parametrize("rules", RULES)
def test_random_hands_carry_their_truth(rules, tmp_path) -> None:
    from scripts.accuracy.truth import load

    scene = random_hand_scene(40, rules=rules, size=SMALL)
    hand = scene.annotation["hand"]
    assert scene.annotation["rules"] == rules
    assert len(hand["concealed"]) == 13 - 3 * len(hand["melds"])
    shown = sorted(t["label"] for t in scene.annotation["tiles"] if t["role"] in ("concealed", "winning"))
    assert set(shown) <= {*hand["concealed"], hand["winning_tile"], "back"}
    assert all(0.5 <= t["visible"] <= 1 for t in scene.annotation["tiles"])
    save_photo(scene.image, scene.annotation, tmp_path / "a.jpg")
    (photo,) = load(tmp_path)
    assert [t.label for t in photo.tiles] == [t["label"] for t in scene.annotation["tiles"]]
    assert json.loads((tmp_path / "a.json").read_text())["image"] == "a.jpg"


@pytest.mark.parametrize("layout", HAND_STYLES)
def test_every_layout_renders_with_all_its_tiles_in_the_picture(layout) -> None:
    scene = random_hand_scene(
        3, rules="hongkong", layout=layout, size=SMALL, melds=2, look=SceneLook(size=SMALL, tilt=50.0)
    )
    roles = [p.role for p in scene.placed]
    mine = [q for q, r in zip(scene.painted.quads, roles, strict=True) if r in ("concealed", "winning")]
    assert len(mine) == 8
    for quad in mine:
        assert np.isfinite(quad).all()
        assert (quad > -1).all()
        assert (quad < SMALL).all()


def test_face_down_and_turned_tiles_of_melds_are_annotated() -> None:
    melds = [("kong_concealed", "2222s", None), ("pung", "333z", "opposite")]
    how = Style(hand="row", winning="right", melds="right", turned=True)
    look = SceneLook(size=(960, 720), tilt=20, taken=PLAIN)
    scene = render_hand("678s99s11z", "1z", melds, seed=21, layout=how, look=look)
    meld = [t for t in scene.annotation["tiles"] if t["role"] == "meld"]
    assert sum(t["label"] == "back" for t in meld) >= 2
    assert all(t["state"] == "face_down" for t in meld if t["label"] == "back")

    def heading(t) -> float:
        a, b = np.array(t["corners"])[:2]
        return float(np.degrees(np.arctan2(*(b - a)[::-1])))

    norths = [heading(t) for t in meld if t["label"] == "3z"]
    assert sum(60 < abs(a) < 120 for a in norths) == 1
