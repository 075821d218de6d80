"""Training scenes, their targets and crops."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.labels import FACES, INDEX, LABELS, NONE, TURN_SYMMETRIC
from datasets.objects.foreign import KINDS as FOREIGN
from datasets.objects.foreign import with_foreign_faces
from datasets.scenes import crops as crops_module
from datasets.scenes.crops import LYING, UNASKED, UPRIGHT, CropShape, jitter_quad, misplace_quad, scene_crops
from datasets.scenes.heaps import KINDS, MOST_TILES, lay_heap
from datasets.scenes.studio import Studio
from datasets.scenes.targets import IGNORE, MOST_CODES, STRIDE, detector_target
from datasets.scenes.training import SMALL, SceneSettings, make_scene
from vision.detect.codes import decode_quad
from vision.geometry import overlap_ratios
from vision.models.opencv import invert_lightness, rectify

pytestmark = pytest.mark.release

SETTINGS = SceneSettings(size=320, smallest=14, largest=80)
LARGE = SceneSettings(size=320, smallest=40, largest=60, roughness=0.2)


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio(kept=4)


def test_the_same_seed_and_stock_give_the_same_scene() -> None:
    one, again = (make_scene(np.random.default_rng(4), Studio(kept=4), SMALL) for _ in range(2))
    np.testing.assert_array_equal(one.image, again.image)
    np.testing.assert_array_equal(one.quads, again.quads)
    np.testing.assert_array_equal(one.owner, again.owner)


def test_tiles_with_light_print_come_in_negative_where_it_is_asked_for_and_others_never(studio) -> None:
    asked = replace(SMALL, unusual=1.0)
    came = []
    for seed in range(8):
        plain, other = (
            make_scene(np.random.default_rng(seed), studio, s).image for s in (asked, replace(asked, negatives=1.0))
        )
        came.append(np.array_equal(other, invert_lightness(plain)))
        assert came[-1] or np.array_equal(other, plain)
    assert {*came} == {True, False}


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_faces_are_drawn_in_place_of_a_sets_own_and_bear_no_label(kind, studio) -> None:
    rng = np.random.default_rng(1)
    own = studio.tiles(rng)
    tiles, labels = with_foreign_faces(rng, own, (kind,))
    assert labels and "5z" not in labels
    for label in labels:
        assert not np.array_equal(tiles.texture(label, 1)[0], own.texture(label, 1)[0])
        assert np.array_equal(tiles.texture(label, 1)[0], tiles.texture(label, 1)[0])
    assert with_foreign_faces(rng, own, (kind,), every=True)[1] == set(FACES) - {"5z"}
    left = next(face for face in FACES if face not in labels)
    assert np.array_equal(tiles.engraving(left), own.engraving(left))
    scenes = [
        make_scene(np.random.default_rng(seed), studio, replace(SETTINGS, foreign=1.0, foreign_kinds=(kind,)), "grid")
        for seed in range(3)
    ]
    assert any((s.labels == -1).any() for s in scenes) and any((s.labels >= 0).any() for s in scenes)


def test_tiles_stand_lie_and_rest_on_their_sides_next_to_each_other(studio) -> None:
    settings = replace(SMALL, poses=1.0)
    assert {make_scene(np.random.default_rng(seed), studio, settings).kind for seed in range(4)} == {"poses"}
    all_three = 0
    for seed in range(20):
        tiles = studio.tiles(np.random.default_rng(seed))
        things = lay_heap(np.random.default_rng(seed), tiles, "poses")[1].things
        heights = {round(float(np.ptp(t.box.corners()[:, 2])), 3) for t in things}
        all_three += {round(tiles.depth, 3), 1.0, round(tiles.height, 3)} <= heights
    assert all_three > 5


@pytest.mark.parametrize("kind", [*KINDS, "nothing"])
def test_every_kind_of_table_renders_with_consistent_truth(kind, studio) -> None:
    seen = 0
    for seed in range(3):
        scene = make_scene(np.random.default_rng(seed), studio, SETTINGS, kind)
        n = len(scene.quads)
        assert scene.image.shape == (320, 320, 3)
        assert scene.kind == kind
        assert n <= MOST_TILES
        assert scene.labels.shape == scene.visible.shape == scene.unsure.shape == (n,)
        assert scene.owner.max(initial=-1) < n
        assert ((scene.visible >= 0) & (scene.visible <= 1)).all()
        assert np.isfinite(scene.quads).all()
        assert NONE not in [LABELS[i] for i in scene.labels]
        # What is wholly seen owns the pixel in its middle; slivers seen too steeply to be asked for may not.
        for i in np.nonzero((scene.visible > 0.9) & ~scene.unsure)[0]:
            x, y = np.rint(scene.quads[i].mean(axis=0)).astype(int)
            assert scene.owner[y, x] == i
        seen += int((scene.visible > 0.5).sum())
    assert (seen == 0) == (kind == "nothing")


def test_every_face_comes_up(studio) -> None:
    found: set[str] = set()
    for seed in range(40):
        scene = make_scene(np.random.default_rng(seed), studio, SMALL, ("grid", "scatter", "rows")[seed % 3])
        found |= {LABELS[i] for i in scene.labels}
    assert found >= {*FACES, "back"}


def test_kernels_of_touching_tiles_stay_apart_and_codes_decode_to_the_quads(studio) -> None:
    checked = apart = 0
    for seed in range(8):
        scene = make_scene(
            np.random.default_rng(seed), studio, SceneSettings(size=320, smallest=24, largest=60, steepest=40), "grid"
        )
        sides = np.linalg.norm(scene.quads - np.roll(scene.quads, 1, axis=1), axis=2).min(axis=1, initial=np.inf)
        target = detector_target(scene)
        assert target.codes.shape == (MOST_CODES, 10)
        asked = [i for i in range(len(scene.quads)) if (target.tile == i).any()]
        parts = cv2.connectedComponents((target.kernel == 1).astype(np.uint8), connectivity=4)[1]
        for i in asked:
            mine = (target.tile == i) & (target.kernel == 1)
            if mine.any() and sides[i] >= 20:  # smaller ones are less than a cell of 4 pixels apart
                apart += 1
                assert all((target.tile[parts == p] == i).all() for p in np.unique(parts[mine]))
            again = np.array(decode_quad(target.codes[i].tolist()))
            off = min(np.abs(np.roll(again, k, axis=0) - scene.quads[i]).max() for k in (0, 2))
            assert off < 0.05
            checked += 1
        assert set(np.unique(target.kernel)) <= {0, 1, IGNORE}
        assert target.kernel.shape == (320 // STRIDE, 320 // STRIDE)
    assert checked > 20 and apart > 20


def test_faces_not_asked_for_are_ignored_not_denied(studio) -> None:
    for seed in range(6):
        scene = make_scene(np.random.default_rng(seed), studio, SETTINGS, "stand")
        target = detector_target(scene)
        for i in np.nonzero(scene.unsure & (scene.visible > 0.6))[0]:
            x, y = (scene.quads[i].mean(axis=0) / STRIDE).astype(int)
            inside = 0 <= x < target.kernel.shape[1] and 0 <= y < target.kernel.shape[0]
            if inside and scene.owner[y * STRIDE + 2, x * STRIDE + 2] == i:
                assert target.kernel[y, x] == IGNORE


def test_a_crop_turned_as_it_says_is_the_picture_upright(studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turning a crop back by its turn gives the crop cut upright."""
    monkeypatch.setattr(crops_module, "BADLY_PLACED", 0.0)
    shape = CropShape(64, 96, 0.16)
    turned = 0
    for seed in range(5):
        scene = make_scene(np.random.default_rng(seed), studio, LARGE, "scatter")
        crops = scene_crops(np.random.default_rng(seed), scene, shape)
        assert crops.images.shape[1:] == (96, 64, 3)
        for image, face, turn in zip(crops.images, crops.faces, crops.turns, strict=True):
            if turn != 2:
                continue
            upright = image[::-1, ::-1].astype(float)
            same = scene.quads[scene.labels == face]

            def off(k: int, scene=scene, same=same, upright=upright) -> float:
                """Difference from the nearest tile of this label, its first corner k corners on."""
                cuts = (rectify(scene.image, np.roll(q, -k, axis=0), (64, 96), 0.16) for q in same)
                return min(float(np.abs(cut.astype(float) - upright).mean()) for cut in cuts)

            turned += 1
            assert off(0) < off(2)
    assert turned > 3


def test_faces_alike_upside_down_are_asked_only_whether_they_lie(studio) -> None:
    scene = make_scene(np.random.default_rng(1), studio, SETTINGS, "grid")
    crops = scene_crops(np.random.default_rng(1), scene, CropShape())
    for face, turn in zip(crops.faces, crops.turns, strict=True):
        assert (turn == UNASKED) == (LABELS[face] == NONE)
        assert (turn in (UPRIGHT, LYING)) == (LABELS[face] in TURN_SYMMETRIC and LABELS[face] != NONE)


def test_a_scene_without_tiles_teaches_only_that_nothing_is_there(studio) -> None:
    for seed in range(4):
        scene = make_scene(np.random.default_rng(seed), studio, SETTINGS, "nothing")
        target = detector_target(scene)
        crops = scene_crops(np.random.default_rng(seed), scene, CropShape())
        assert not target.kernel.any()
        assert (target.tile == -1).all()
        assert set(crops.faces.tolist()) <= {INDEX[NONE]}


def test_a_badly_placed_crop_still_holds_most_of_its_tile() -> None:
    """And less than a well placed one; what counts as no tile lies further off."""
    quad = np.array([[100, 100], [140, 100], [140, 154], [100, 154]], np.float32)
    rng = np.random.default_rng(0)
    shares = [overlap_ratios(misplace_quad(rng, quad), quad)[0] for _ in range(300)]
    assert min(shares) > 0.35
    assert np.mean(shares) < np.mean([overlap_ratios(jitter_quad(rng, quad), quad)[0] for _ in range(300)]) - 0.1
    moved = np.array([misplace_quad(rng, quad).mean(axis=0) - quad.mean(axis=0) for _ in range(300)])
    assert np.abs(moved[:, 0]).max() > 10 and np.abs(moved[:, 1]).max() > 14  # along both sides
    assert (np.abs(moved) < [16, 21]).all()
