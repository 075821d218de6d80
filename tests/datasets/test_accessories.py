"""What belongs to games and is no tile, beside tiles and instead of them; tables seen from low down."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.faces.designs import load_library
from datasets.faces.textured_tileset import TexturedTileSet, random_tileset
from datasets.labels import INDEX, NONE
from datasets.objects.accessories import ACCESSORIES
from datasets.objects.prints import rules_card
from datasets.render.camera import Camera, Pose
from datasets.render.paint import Light, Painter
from datasets.scenes.clutter import overlap
from datasets.scenes.crops import CropShape, scene_crops
from datasets.scenes.heaps import lay_heap
from datasets.scenes.studio import Studio
from datasets.scenes.targets import detector_target
from datasets.scenes.tight import LOW
from datasets.scenes.training import SMALL, SceneSettings, make_scene

pytestmark = pytest.mark.release

SETTINGS = SceneSettings(size=320, smallest=14, largest=80)


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio(kept=4)


@pytest.fixture(scope="module")
def tiles() -> TexturedTileSet:
    return random_tileset(np.random.default_rng(2), load_library())


@pytest.mark.parametrize("name", ACCESSORIES)
def test_an_accessory_lies_on_the_table_and_is_the_same_for_the_same_seed(name, tiles) -> None:
    for seed in range(6):
        made, again = (ACCESSORIES[name][0](np.random.default_rng(seed), tiles) for _ in range(2))
        assert made and len(made) == len(again)
        for one, other in zip(made, again, strict=True):
            assert one.thing.label is None
            assert one.thing.box.corners()[:, 2].min() > -1e-6
            np.testing.assert_array_equal(one.thing.box.corners(), other.thing.box.corners())
            np.testing.assert_array_equal(one.thing.lid, other.thing.lid)
            assert ((one.cells >= 0) & (one.cells <= 1)).all()


@pytest.mark.parametrize("kind", ["pond", "hand", "packed"])
def test_accessories_change_no_tile_and_touch_none(kind, studio, tiles) -> None:
    more = 0
    for seed in range(6):
        bare, full = (lay_heap(np.random.default_rng(seed), tiles, kind, accessories=n)[1] for n in (0, 2))
        assert [t.label for t in bare.things] == [t.label for t in full.things]
        new = full.props[len(bare.props) :]
        assert not any(overlap(prop.thing, thing) for prop in new for thing in full.things)
        more += len(new)
    assert more > 6


def test_scenes_of_accessories_alone_teach_that_none_of_them_is_a_tile(studio) -> None:
    cells = 0
    for seed in range(8):
        rng, settings = np.random.default_rng(seed), replace(SETTINGS, accessories=1.0, clutter=0.0)
        scene = make_scene(rng, studio, settings, "nothing")
        assert not len(scene.quads) and (scene.owner < 0).all() and (scene.owner == -2).any()
        assert not detector_target(scene).kernel.any()
        assert {*scene_crops(rng, scene, CropShape()).faces.tolist()} <= {INDEX[NONE]}
        cells += len(scene.cells)
    assert cells > 8


def test_a_rules_card_shows_faces_of_the_set_but_no_cell(tiles) -> None:
    shown, bare = (rules_card(np.random.default_rng(3), t) for t in (tiles, replace(tiles, designs=(), _cache={})))
    assert not len(shown.cells)
    assert (shown.picture != bare.picture).any(axis=2).mean() > 0.02


def test_a_fine_picture_is_averaged_where_it_is_small(tiles) -> None:
    sheet = ACCESSORIES["sheet"][0](np.random.default_rng(1), tiles)[0].thing
    lid, spread = np.full((400, 400, 3), 255, np.uint8), []
    lid[::2] = 0
    for fine in (True, False):
        picture, camera = np.full((200, 200, 3), 128, np.uint8), Camera(Pose((0, 0), 40, 30), 200, 200)
        painter = Painter(picture, camera, tiles, Light.random(np.random.default_rng(1)), np.zeros(3, np.float32))
        painter.paint([replace(sheet, lid=lid, fine=fine)])
        spread.append(float(picture[97:103, 95:105].std()))
    assert spread[0] < 0.3 * spread[1]


def test_low_views_are_steep_hold_large_and_small_tiles_and_rows_that_touch(studio, tiles) -> None:
    ratios, sizes = [], []
    for seed in range(12):
        scene = make_scene(np.random.default_rng(seed), studio, replace(SMALL, size=480, low=1.0))
        assert scene.kind in LOW
        sides = np.linalg.norm(scene.quads - np.roll(scene.quads, 1, axis=1), axis=2)[~scene.unsure]
        ratios += (sides.min(axis=1) / sides.max(axis=1)).tolist()
        if scene.kind == "seat":
            sizes.append(sides.max() / sides.max(axis=1).min())
    assert np.mean(np.array(ratios) < 0.35) > 0.15
    assert np.median(sizes) > 2
    for seed in range(6):
        things = lay_heap(np.random.default_rng(seed), tiles, "packed", density=0.0)[1].things
        middles = np.array([t.box.centre[:2] for t in things])
        near = np.sort(np.linalg.norm(middles[:, None] - middles[None], axis=2), axis=1)[:, 1]
        assert np.median(near) < 1.02
