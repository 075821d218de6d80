"""Bonus tiles rendered alone, corners that are read glyph by glyph, and the file that both are put into."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra: train)")
onnx = pytest.importorskip("onnx", reason="onnx is not installed (extra: train)")

from datasets.faces.designs import load_library  # noqa: E402
from datasets.labels import BONUS  # noqa: E402
from datasets.learn.captions.joined import join_captions, largest_difference  # noqa: E402
from datasets.learn.captions.lettered import GlyphMasks, set_glyphs  # noqa: E402
from datasets.learn.captions.net import CORNER, GLYPHS, CaptionedNet, CornerNet, corners  # noqa: E402
from datasets.scenes.crops import CropShape  # noqa: E402
from datasets.scenes.lone import LoneTiles  # noqa: E402
from datasets.scenes.studio import Studio  # noqa: E402
from scripts.train import bonus  # noqa: E402
from vision.models.network import Model  # noqa: E402
from vision.models.zoo import list_models  # noqa: E402

pytestmark = pytest.mark.release

FLOAT = Path(__file__).resolve().parents[2] / "models" / "float"
SHAPE = CropShape(64, 96, 0.12)


def test_tiles_alone_show_what_is_asked_for_and_are_the_same_for_the_same_seed() -> None:
    def made() -> list[tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint8]], str]]:
        rng, tiles = np.random.default_rng(3), LoneTiles(Studio(), ["f1", "g4"], SHAPE, kept=2)
        return [tiles.crop(rng) for _ in range(8)]

    first, second = made(), made()
    assert {label for _, label in first} == {"f1", "g4"}
    assert all(crop.shape == (96, 64, 3) and crop.dtype == np.uint8 for crop, _ in first)
    assert all(np.array_equal(a, b) and x == y for (a, x), (b, y) in zip(first, second, strict=True))


def test_lower_corners_are_those_of_the_crop_turned_by_half() -> None:
    crops = torch.rand(2, 3, 96, 64)
    assert corners(crops).shape == (2, 4, 3, *CORNER)
    assert torch.equal(corners(crops)[:, 2:], corners(crops.flip(2, 3))[:, :2])


def test_glyphs_are_set_into_corners_and_some_stay_as_they_are() -> None:
    glyphs = GlyphMasks.of(load_library(), 3, seed=1)
    assert sorted(set(glyphs.kinds.tolist())) == list(range(1, len(GLYPHS)))
    bare = torch.full((200, 3, *CORNER), 0.9)
    pictures, kinds = set_glyphs(bare, glyphs, torch.Generator().manual_seed(1))
    assert pictures.shape == bare.shape and pictures.min() >= 0 and pictures.max() <= 1
    spread = pictures.mean(1).flatten(1).quantile(0.98, dim=1) - pictures.mean(1).flatten(1).min(1).values
    assert 10 < (kinds == 0).sum() < 60
    assert spread[kinds > 0].median() > 2 * spread[kinds == 0].median()


def test_corners_begin_without_a_say_and_are_joined_to_a_file_once() -> None:
    whole = onnx.load(FLOAT / "bonus.onnx")
    net = CaptionedNet(CornerNet(), len(BONUS)).eval()
    crops = np.random.default_rng(1).integers(0, 256, (3, 96, 64, 3), dtype=np.uint8)
    data = join_captions(whole, net, {"version": "9"})
    assert largest_difference(whole, net, data, crops) < 1e-3
    model = onnx.load_from_string(data)
    facts = {p.key: p.value for p in model.metadata_props}
    assert facts["version"] == "9" and json.loads(facts["labels"]) == list(BONUS)
    assert [i.name for i in model.graph.input] == ["crops"]
    with pytest.raises(ValueError, match="already"):
        join_captions(model, net, {})


def test_crops_are_made_learnt_from_and_the_file_is_one_that_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models = tmp_path / "models"
    shutil.copytree(FLOAT, models)
    before = (models / "bonus.onnx").read_bytes()
    made, learnt = tmp_path / "crops.npz", tmp_path / "captions.pt"
    bonus.make(made, count=36, bare=12, shipped=True)
    bonus.learn(made, models, learnt, shipped=True, minutes=0.01, tune=0.01)
    assert "held out" in capsys.readouterr().out
    bonus.export(learnt, models, version="7")
    listed = list_models(models)["bonus"]
    assert (models / "bonus.onnx").read_bytes() != before
    assert Model(listed, 1).describe()["labels"] == list(BONUS)
    with pytest.raises(OSError, match="none"):
        bonus.learn(tmp_path / "none.npz", models, learnt)
    with pytest.raises(ValueError, match="already"):
        bonus.export(learnt, models)
