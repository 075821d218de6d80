"""All detections of a photo together, by the real network."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.subset import subset
from vision.classify.columns import Columns
from vision.errors import ModelError
from vision.models import Model, list_models
from vision.pipeline import TileReader
from vision.scene import Detections, SceneClassifier
from vision.scene.features import DetectionMeasures, scene_inputs

PHOTO = Path(__file__).resolve().parent.parent.parent / "examples" / "hand-self-draw.jpg"


@pytest.fixture(scope="module")
def seen(reader: TileReader) -> Detections:
    return reader.detect(PHOTO)[0]


@pytest.fixture(scope="module")
def scene(reader: TileReader) -> SceneClassifier:
    return SceneClassifier(Model(list_models()["scene"], 1), reader.classifier)


def test_the_order_of_the_finds_does_not_matter(scene: SceneClassifier, seen: Detections) -> None:
    order = np.random.default_rng(0).permutation(len(seen))
    (one, kept), (other, kept_too) = scene(seen), scene(subset(seen, order))
    np.testing.assert_allclose(one.probabilities[order], other.probabilities, atol=1e-4)
    assert kept[order].tolist() == kept_too.tolist()


def test_how_the_photo_was_cut_does_not_matter(scene: SceneClassifier, seen: Detections) -> None:
    named, _ = scene(seen)
    low, high = seen.quads.min(axis=(0, 1)), seen.quads.max(axis=(0, 1))
    for above, below in (((0, 0), (0, 0)), ((40, 1500), (10, 2000)), ((3000, 0), (900, 20))):
        cut = replace(seen, quads=seen.quads - low + np.float32(above), size=np.float32(high - low + above + below))
        np.testing.assert_allclose(scene(cut)[0].probabilities, named.probabilities, atol=1e-3)


def test_what_the_edge_cuts_off_a_tile_is_told(reader: TileReader, seen: Detections) -> None:
    right = seen.quads[0, :, 0].min() + np.ptp(seen.quads[0, :, 0]) / 2
    halved = replace(seen, size=np.array([right, seen.size[1]], np.float32))
    columns = Columns.from_labels(reader.classifier.labels, reader.classifier.labels.index("none"))
    whole, cut = (scene_inputs(DetectionMeasures.from_detections(s), columns)["geo"] for s in (seen, halved))
    changed = np.flatnonzero(np.abs(whole - cut).max(axis=0) > 1e-6)
    assert len(changed) == 1, "nothing else depends on the frame"
    assert 0.3 < (cut - whole)[0, changed[0]] < 0.7


def test_chances_add_up_and_tiles_are_what_is_likelier_a_tile(scene: SceneClassifier, seen: Detections) -> None:
    named, kept = scene(seen)
    np.testing.assert_allclose(named.probabilities.sum(axis=1), 1, atol=1e-4)
    assert kept.sum() == len(named) == len(seen) == 26, "what the photo shows, and no other detection"


def test_the_network_says_from_which_chance_a_find_is_a_tile(
    reader: TileReader, scene: SceneClassifier, seen: Detections
) -> None:
    tile = scene.rescore(seen)[1]
    model = Model(list_models()["scene"], 1)
    model.metadata = model.metadata | {"least": float(np.median(tile))}
    kept = SceneClassifier(model, reader.classifier)(seen)[1]
    assert kept.tolist() == (tile >= np.median(tile)).tolist() and not kept.all() and kept.any()
    for key in ("least", "company"):
        model = Model(list_models()["scene"], 1)
        del model.metadata[key]
        with pytest.raises(ModelError, match=f"lacks '{key}'"):
            SceneClassifier(model, reader.classifier)


def test_the_network_says_how_much_company_counts(reader: TileReader, scene: SceneClassifier, seen: Detections) -> None:
    model = Model(list_models()["scene"], 1)
    model.metadata = model.metadata | {"company": [0] * 10}
    assert SceneClassifier(model, reader.classifier).rescore(seen)[1].tolist() == [0.5] * len(seen)
    model.metadata = model.metadata | {"company": [0, 1]}
    with pytest.raises(ModelError, match="by 2 numbers, this hupai gives 10"):
        SceneClassifier(model, reader.classifier)
    model.metadata = model.metadata | {"company": [0, 1, *[0] * 8]}
    alone, _ = scene.evidence_of(seen)
    tile = SceneClassifier(model, reader.classifier).rescore(seen)[1]
    np.testing.assert_allclose(np.log(tile / (1 - tile)), alone[:, 1], atol=1e-2)
    assert alone[:, 5].max() == pytest.approx(np.log1p(tile.sum() - tile.min()), abs=1e-3)
    assert alone[:, 6].max() == pytest.approx((tile.sum() - tile.min()) / (len(seen) - 1), abs=1e-3)


def test_a_network_for_another_classifier_is_refused(reader: TileReader) -> None:
    model, other = Model(list_models()["scene"], 1), copy(reader.classifier)
    other.labels = other.labels[:-2] + other.labels[-1:]
    with pytest.raises(ModelError, match=r"52 classes.* gives 51") as caught:
        SceneClassifier(model, other)
    assert caught.value.code == "model_unsuitable"
