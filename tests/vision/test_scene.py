"""All detections of a photo together, by the real network."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.learn.scene.measures import DetectionMeasures
from tests.vision.subset import subset
from vision.device import finish
from vision.errors import ModelError
from vision.metadata import Metadata
from vision.models.network import describe_models
from vision.pipeline import TileReader
from vision.scene.classifier import SceneClassifier
from vision.scene.detections import Detection, Detections

PHOTO = Path(__file__).resolve().parent.parent.parent / "examples" / "hand-self-draw.jpg"


@pytest.fixture(scope="module")
def seen(reader: TileReader) -> Detections:
    return reader.detect(PHOTO)[0]


def weigh(reader: TileReader, seen: Detections, **said: object) -> tuple[np.ndarray, np.ndarray, list[Detection]]:
    """Probabilities of names and of being a tile, and the tiles; ``said``: what the network says otherwise."""
    scene = SceneClassifier(saying(reader, **said))
    rescored, tile = finish(scene.rescore(seen))
    return np.array([one.probabilities for one in rescored]), np.array(tile), finish(scene.pick_tiles(seen))


def saying(reader: TileReader, **said: object) -> Any:
    device = copy(reader.device)
    device.metadata = replace(device.metadata, scene=replace(device.metadata.scene, **said))
    return device


def quads(seen: Detections) -> np.ndarray:
    return np.array([one.quad for one in seen.found])


def test_the_order_of_the_finds_does_not_matter(reader: TileReader, seen: Detections) -> None:
    order = np.random.default_rng(0).permutation(len(seen))
    (one, tile, _), (other, tile_too, _) = weigh(reader, seen), weigh(reader, subset(seen, order))
    np.testing.assert_allclose(one[order], other, atol=1e-4)
    np.testing.assert_allclose(tile[order], tile_too, atol=1e-4)


def test_how_the_photo_was_cut_does_not_matter(reader: TileReader, seen: Detections) -> None:
    named, *_ = weigh(reader, seen)
    low, high = quads(seen).min(axis=(0, 1)), quads(seen).max(axis=(0, 1))
    for above, below in (((0, 0), (0, 0)), ((40, 1500), (10, 2000)), ((3000, 0), (900, 20))):
        moved = (quads(seen) - low + above).tolist()
        found = [replace(one, quad=tuple(map(tuple, quad))) for one, quad in zip(seen.found, moved, strict=True)]
        width, height = (high - low + above + below).tolist()
        cut = replace(seen, found=found, width=width, height=height)
        np.testing.assert_allclose(weigh(reader, cut)[0], named, atol=1e-3)


def test_what_the_edge_cuts_off_a_tile_is_told(reader: TileReader, seen: Detections) -> None:
    across = quads(seen)[0, :, 0]
    halved = replace(seen, width=across.min() + np.ptp(across) / 2)
    columns = reader.device.metadata.classifier.columns
    whole, cut = (DetectionMeasures.from_detections(s).to_inputs(columns)["geo"] for s in (seen, halved))
    changed = np.flatnonzero(np.abs(whole - cut).max(axis=0) > 1e-6)
    assert len(changed) == 1, "nothing else depends on the frame"
    assert 0.3 < (cut - whole)[0, changed[0]] < 0.7


def test_chances_add_up_and_tiles_are_what_is_likelier_a_tile(reader: TileReader, seen: Detections) -> None:
    named, _, tiles = weigh(reader, seen)
    np.testing.assert_allclose(named.sum(axis=1), 1, atol=1e-4)
    assert len(tiles) == len(named) == len(seen) == 26, "what the photo shows, and no other detection"


def test_the_network_says_from_which_chance_a_find_is_a_tile(reader: TileReader, seen: Detections) -> None:
    _, tile, _ = weigh(reader, seen)
    least = float(np.median(tile))
    kept = [one.quad for one in weigh(reader, seen, least=least)[2]]
    assert kept == [one.quad for one, chance in zip(seen.found, tile, strict=True) if chance >= least]
    assert 0 < len(kept) < len(seen)


def test_the_network_says_how_much_company_counts(reader: TileReader, seen: Detections) -> None:
    assert weigh(reader, seen, company=(0.0,) * 11)[1].tolist() == [0.5] * len(seen)
    alone, _ = finish(reader.photos.scene.evidence_of(seen))
    _, tile, _ = weigh(reader, seen, company=(0.0, 1.0, *[0.0] * 9))
    evidence = np.array(alone)
    np.testing.assert_allclose(np.log(tile / (1 - tile)), evidence[:, 1], atol=1e-2)
    assert evidence[:, 5].max() == pytest.approx(np.log1p(tile.sum() - tile.min()), abs=1e-3)
    assert evidence[:, 6].max() == pytest.approx((tile.sum() - tile.min()) / (len(seen) - 1), abs=1e-3)


@pytest.mark.parametrize(
    ("role", "change", "told"),
    [
        ("scene", {"least": None}, "scene model lacks 'least'"),
        ("scene", {"company": [0, 1]}, "by 2 numbers, this hupai gives 11"),
        ("scene", {"widths": {"logp": 52, "emb": 7}}, "embeddings of 7 numbers, the classifier gives 52 and 128"),
        ("classifier", {"none": "nothing"}, "no class for what is not a clean face"),
        ("detector", {"tile_px": None}, "detector model lacks 'tile_px'"),
        ("detector", {"stride": "wide"}, "make no sense"),
    ],
)
def test_networks_that_say_too_little_or_do_not_belong_together_are_refused(
    role: str, change: dict[str, Sequence[float]], told: str
) -> None:
    said = describe_models()
    said[role] = {key: value for key, value in {**said[role], **change}.items() if value is not None}
    with pytest.raises(ModelError, match=told) as caught:
        Metadata.from_json(said)
    assert caught.value.code == "model_unsuitable"


def test_what_is_named_but_not_taken_for_a_tile_is_set_aside(reader: TileReader, seen: Detections) -> None:
    tiles, aside = finish(SceneClassifier(reader.device).part(seen))
    assert len(tiles) > 13 and not aside
    none, everything = finish(SceneClassifier(saying(reader, least=2.0)).part(seen))
    named = {tuple(one.quad): one for one in everything}
    blank = reader.device.metadata.classifier.columns.blank
    printed = [one for one in tiles if np.argmax(one.probabilities) not in blank]
    assert not none and {tuple(one.quad) for one in printed} <= named.keys()
    for one in printed:
        kept = named[tuple(one.quad)].probabilities
        best = np.argmax(one.probabilities)
        assert np.argmax(kept) == best and one.probabilities[best] <= kept[best] <= 1
