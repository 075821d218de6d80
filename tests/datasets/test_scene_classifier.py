"""The scene classifier learns from what the other networks see. Skipped where torch is not installed."""

import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra: train)")
onnx = pytest.importorskip("onnx", reason="onnx is not installed (extra: train)")

from datasets.labels import INDEX, LABELS  # noqa: E402
from datasets.learn.scene import files, foreign  # noqa: E402
from datasets.learn.scene.company import AS_IT_IS  # noqa: E402
from datasets.learn.scene.jitter import LEAST_SHOWN, AugmentationPool, crop, jitter  # noqa: E402
from datasets.learn.scene.learning import Calibration, Hyperparameters, batch_of, calibrate, counts, learn, loss_of  # noqa: E402
from datasets.learn.scene.measures import DetectionMeasures  # noqa: E402
from datasets.learn.scene.net import SceneNet  # noqa: E402
from datasets.learn.scene.pale import (  # noqa: E402
    PaleAugmentation,
    bare_whites,
    pale_walls,
    plain_backs,
    sides_of_tiles,
)
from datasets.learn.scene.samples import DOWN, FOREIGN, NO_TILE, UNKNOWN, WHITE, Sample, load, save  # noqa: E402
from datasets.learn.scene.shipped import from_onnx  # noqa: E402
from datasets.quads import shares_inside  # noqa: E402
from scripts.accuracy.holdouts import NO_IGNORE  # noqa: E402
from scripts.accuracy.truth import TruePhoto, TrueTile  # noqa: E402
from scripts.train import gather_scene  # noqa: E402
from scripts.train.gather_scene import believe_networks, match_detections  # noqa: E402
from tests.repository import ROOT, run_script  # noqa: E402
from vision.metadata import Metadata  # noqa: E402
from vision.models.network import Model, describe_models  # noqa: E402
from vision.models.zoo import list_models  # noqa: E402
from vision.pipeline import TileReader  # noqa: E402

pytestmark = [pytest.mark.release, pytest.mark.usefixtures("one_thread")]


def quad_at(x: float, y: float = 0.0, size: float = 40.0) -> np.ndarray:
    return np.array([[0, 0], [1, 0], [1, 1.35], [0, 1.35]], np.float32) * size + np.array([x, y], np.float32)


def measured(labels: list[str], rng: np.random.Generator, sure: float = 0.95) -> DetectionMeasures:
    """A row of finds, each read as its label; bare white dragons and backs are one plain colour."""
    n = len(labels)
    p = np.full((n, len(LABELS)), (1 - sure) / (len(LABELS) - 1), np.float32)
    p[np.arange(n), [INDEX[label] for label in labels]] = sure
    colours = np.tile(np.array([200, 128, 128] * 6 + [30, 3, 3, 5, 5], np.float32), (n, 1))
    colours[[label in ("5z", "back") for label in labels], 18] = 2
    quads = np.stack([quad_at(100 + 42 * i, 200) for i in range(n)])
    embeddings = rng.normal(0, 1, (n, 128)).astype(np.float32)
    return DetectionMeasures(
        quads, np.full(n, 0.9, np.float32), p, embeddings, colours, np.array([900, 600], np.float32)
    )


def sample(labels: list[str], rng: np.random.Generator, truth: list[str] | None = None, **more: object) -> Sample:
    marks = np.array([INDEX[label] for label in truth or labels])
    made = Sample(measured(labels, rng), marks, (marks != NO_TILE).astype(np.int64), "scene", False)
    return replace(made, **more)  # type: ignore[arg-type]


ROW = ["1m", "2m", "3m", "9p", "9p", "5z", "back", "back", "back", "back", "back", "none"]


def test_samples_come_back_from_their_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    made = [sample(ROW, rng), sample(ROW[:2], rng, kind="photo", held_out=True)]
    nothing = made[0].only(np.zeros(12, bool)).but(probabilities=np.zeros((0, 0)), embeddings=np.zeros((0, 0)))
    save(tmp_path / "some" / "s.npz", [*made, nothing])
    back = load(tmp_path / "some" / "s.npz")
    assert [(len(s), s.kind, s.held_out) for s in back] == [(12, "scene", False), (2, "photo", True)]
    for one, other in zip(made, back, strict=True):
        assert np.array_equal(one.labels, other.labels) and np.array_equal(one.tiles, other.tiles)
        assert np.array_equal(one.seen.quads, other.seen.quads) and np.array_equal(one.seen.size, other.seen.size)
    with pytest.raises(ValueError, match="No detections"):
        save(tmp_path / "none.npz", [])
    with pytest.raises(ValueError, match="1 labels"):
        replace(made[1], labels=made[1].labels[:1])


def truth(labels: list[str], quad: bool = True) -> TruePhoto:
    tiles = tuple(TrueTile(label, quad_at(100 + 42 * i, 200), quad, False) for i, label in enumerate(labels))
    return TruePhoto(Path("-"), tiles, np.zeros((0, 4), np.float32))


def test_what_lies_on_no_tile_is_none_only_where_all_are_annotated() -> None:
    seen = measured(["1m", "2m", "3m", "back"], np.random.default_rng(0))
    photo = truth(["1m", "7s", "3m"])
    labels, tiles, left = match_detections(photo, seen, [True, True, False], complete=True)
    assert labels.tolist() == [INDEX["1m"], INDEX["7s"], UNKNOWN, NO_TILE], (
        "the third is hidden too far to be asked for"
    )
    assert tiles.tolist() == [1, 1, UNKNOWN, 0] and not len(left)
    labels, tiles, left = match_detections(photo, seen, [True] * 3, complete=False)
    assert labels.tolist()[3] == tiles.tolist()[3] == UNKNOWN and left.tolist() == [3]


def test_beside_boxes_the_networks_are_believed_when_both_are_sure_but_not_about_white_dragons() -> None:
    seen = measured(["1m", "back", "5z", "none", "2m"], np.random.default_rng(0))
    seen = replace(seen, located=np.array([0.9, 0.9, 0.95, 0.7, 0.7], np.float32))
    labels, tiles = (np.full(5, UNKNOWN) for _ in range(2))
    believe_networks(seen, labels, tiles, np.arange(5))
    assert labels.tolist() == [INDEX["1m"], DOWN, UNKNOWN, NO_TILE, UNKNOWN]
    assert tiles.tolist() == [1, 1, UNKNOWN, 0, UNKNOWN]


def test_what_is_known_of_a_photo_is_known_of_it_in_other_light(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "some.png"), np.zeros((600, 900, 3), np.uint8))
    plain = measured(["1m", "back"], np.random.default_rng(0))
    faint = replace(plain, located=np.array([0.9, 0.5], np.float32))
    reader = cast("TileReader", SimpleNamespace(detect=lambda path: [plain if path.parent == tmp_path else faint]))
    monkeypatch.setattr(DetectionMeasures, "from_detections", staticmethod(lambda seen: seen))
    monkeypatch.setattr(gather_scene, "CHANGE_WEIGHTS", {"grey": 1})
    photo = TruePhoto(tmp_path / "some.png", truth(["1m"]).tiles, NO_IGNORE)
    found = list(gather_scene.of_photos(reader, [photo], seed=1))
    assert [s.labels.tolist() for s in found] == [[INDEX["1m"], DOWN]] * 2
    assert [s.seen.located[1] for s in found] == pytest.approx([0.9, 0.5])


def test_a_photo_in_which_nothing_is_detected_is_a_sample_without_detections() -> None:
    nothing = SimpleNamespace(found=[], width=900, height=600)
    reader = cast("TileReader", SimpleNamespace(detect=lambda path: [nothing]))
    photo = TruePhoto(Path("some.png"), truth(["1m"]).tiles, NO_IGNORE)
    assert len(gather_scene.of_photo(reader, photo, held_out=False)) == 0


def test_pale_walls_look_like_white_dragons_and_stay_backs() -> None:
    rng = np.random.default_rng(1)
    given = sample(ROW, rng)
    pale = PaleAugmentation(1, 1, 1, 1, bare_whites([given]), plain_backs([given]))
    assert len(pale.whites) == 1 and len(pale.backs) == 5
    made = [pale_walls(rng, given, pale) for _ in range(20)]
    looks = [s.seen.probabilities[given.labels == DOWN].argmax(axis=1) == WHITE for s in made]
    assert any(look.all() for look in looks)
    assert all(np.array_equal(s.labels, given.labels) for s in made)
    few = sample(ROW[:8], rng)
    assert pale_walls(rng, few, pale) is few, "two backs are no wall"


def test_sides_lie_below_tiles_and_are_none() -> None:
    rng = np.random.default_rng(2)
    given = sample(ROW[:5], rng)
    pale = PaleAugmentation(1, 1, 1, 1, bare_whites([sample(ROW, rng)]), [])
    made = sides_of_tiles(rng, given, pale)
    new = made.seen.quads[len(given) :]
    assert len(new) and (made.tiles[len(given) :] == 0).all() and (made.labels[len(given) :] == NO_TILE).all()
    assert (new.mean(axis=1)[:, 1] > given.seen.quads.mean(axis=1)[:, 1].max()).all()
    assert (made.seen.probabilities[len(given) :].argmax(axis=1) == WHITE).mean() > 0.9


def test_jitter_keeps_what_is_known_and_makes_chances_that_add_up() -> None:
    rng = np.random.default_rng(4)
    given = sample(ROW, rng)
    stray = sample(["none"], rng, kind="empty")
    stock = AugmentationPool(
        [given], [(stray, 0)], PaleAugmentation(0.3, 0.3, 0.3, 0.3, bare_whites([given]), plain_backs([given]))
    )
    sizes = set()
    for _ in range(60):
        made = jitter(rng, given, stock)
        sizes.add(len(made))
        np.testing.assert_allclose(made.seen.probabilities.sum(axis=1), 1, atol=1e-4)
        assert ((made.seen.located > 0) & (made.seen.located < 1)).all()
        assert ((made.tiles == 0) == (made.labels == NO_TILE)).all()
    assert min(sizes) < len(given) < max(sizes), "some are left out, others set in"


def test_a_crop_keeps_the_tiles_that_are_half_in_it_with_what_is_known_of_them() -> None:
    rng = np.random.default_rng(6)
    given = sample(ROW, rng)
    lengths = set()
    for _ in range(60):
        made = crop(rng, given)
        lengths.add(len(made))
        which = [int(np.flatnonzero((given.seen.embeddings == e).all(axis=1))[0]) for e in made.seen.embeddings]
        assert which == sorted(which)
        assert made.labels.tolist() == given.labels[which].tolist()
        assert np.ptp(made.seen.quads - given.seen.quads[which], axis=(0, 1)).max() < 1e-3, "moved as one"
        assert (shares_inside(made.seen.quads, *made.seen.size) >= LEAST_SHOWN).all()
        left = shares_inside(given.seen.quads + (made.seen.quads - given.seen.quads[which])[0, 0], *made.seen.size)
        assert [i for i, share in enumerate(left) if share >= LEAST_SHOWN] == which
    assert 0 not in lengths and len(lengths) > 3 and max(lengths) == len(given)


def test_what_tells_foreign_faces_goes_by_their_embeddings_and_leaves_tiles_alone(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    made, said = [], list[str]()
    for i in range(64):
        one = sample(ROW[:5], rng, held_out=i % 4 == 0)
        one.seen.embeddings[2] += 2
        one.labels[2] = FOREIGN
        made.append(one)
    head = foreign.fit(made, 150, 0, said.append)
    assert said[-1].startswith("held out: 16 foreign, 64 own; said to be foreign 100.0% and 0.00%")
    foreign.save(tmp_path / "foreign.pt", head, {})
    plain, graph = (
        files.SceneGraph(SceneNet(), Calibration(), f) for f in (None, foreign.load(tmp_path / "foreign.pt"))
    )
    graph.net.load_state_dict(plain.net.state_dict())
    inputs = batch_of(made[:1])[0]
    with torch.no_grad():
        (tile, names), (same, fewer) = (g(*(inputs[k][0] for k in files.INPUTS)) for g in (plain, graph))
    assert torch.equal(tile, same) and torch.allclose(names.sum(dim=1), torch.ones(5))
    assert fewer.sum(dim=1)[2] < 0.2 and (fewer.sum(dim=1)[[0, 1, 3, 4]] > 0.9).all()
    assert files.largest_difference(graph, files.to_onnx(graph, {"version": "test"})) < files.TOLERANCE
    with pytest.raises(ValueError, match="gather_scene --foreign"):
        foreign.fit([sample(ROW, rng)], 1, 0, said.append)
    files.save(tmp_path / "scene.pt", SceneNet(), Calibration(), {})
    with pytest.raises(ValueError, match="foreign faces"):
        foreign.load(tmp_path / "scene.pt")


@pytest.mark.parametrize("knows_foreign", [True, False])
def test_a_file_comes_back_as_the_networks_it_was_made_of(knows_foreign: bool, tmp_path: Path) -> None:
    torch.manual_seed(5)
    net, head = SceneNet(), foreign.ForeignHead() if knows_foreign else None
    with torch.no_grad():
        for weight in net.parameters():
            weight.add_(0.1 * torch.randn_like(weight))
        if head is not None:
            head.calibration.copy_(torch.tensor([0.7, -1.5]))
    calibration = Calibration(0.8, 0.4, 1.2)
    model = onnx.load_from_string(files.to_onnx(files.SceneGraph(net, calibration, head), {}))
    again, as_calibrated, same_head = from_onnx(model)
    assert again.state_dict().keys() == net.state_dict().keys()
    for name, value in net.state_dict().items():
        assert torch.equal(again.state_dict()[name], value), name
    assert (as_calibrated.scale, as_calibrated.shift, as_calibrated.names) == pytest.approx((0.8, 0.4, 1.2))
    assert (same_head is None) == (head is None)
    if head is not None and same_head is not None:
        assert all(torch.allclose(same_head.state_dict()[k], v) for k, v in head.state_dict().items())


def test_the_shipped_scene_classifier_can_be_trained_on_and_another_network_cannot() -> None:
    net, calibration, head = from_onnx(onnx.load(ROOT / "models" / "scene.onnx"))
    graph = files.SceneGraph(net, calibration, head)
    assert files.largest_difference(graph, (ROOT / "models" / "scene.onnx").read_bytes()) < files.TOLERANCE
    shipped = {name: weights.clone() for name, weights in graph.state_dict().items()}
    files.round_weights(graph)
    assert all(torch.equal(weights, shipped[name]) for name, weights in graph.state_dict().items()), "sent as rounded"
    with pytest.raises(ValueError, match="another shape"):
        from_onnx(onnx.load(ROOT / "models" / "float" / "classifier.onnx"))


def test_it_starts_with_the_opinion_of_the_networks_before_it() -> None:
    given = sample(ROW, np.random.default_rng(5))
    with torch.no_grad():
        tile, names = SceneNet().eval()(batch_of([given])[0])
    assert ((tile[0] > 0).numpy() == (given.labels != NO_TILE)).all()
    assert names[0, :-1].argmax(dim=-1).tolist() == given.labels[:-1].tolist()


def test_a_few_steps_teach_it_what_the_networks_get_wrong(tmp_path: Path) -> None:
    """Backs in a row that are read as white dragons, and dice read as faces, in forty scenes alike."""
    rng = np.random.default_rng(6)
    read = ["1m", "2m", "3m", "5z", "5z", "5z", "5z", "5z", "8p"]
    true = ["1m", "2m", "3m", "back", "back", "back", "back", "back", "none"]
    made = [sample(read, rng, true, held_out=i % 8 == 0) for i in range(40)]
    for s in made:
        s.seen.probabilities[3:8, DOWN] += 0.2
        s.seen.located[8] = 0.7
    held = [s for s in made if s.held_out]
    inputs, labels, tiles = batch_of(held)
    torch.manual_seed(0)
    net, said = SceneNet(), list[str]()
    with torch.no_grad():
        before, first = float(loss_of(net.eval()(inputs), labels, tiles)), counts(net, held, Calibration())
    assert first["misnamed"] == 25 and first["false"] == 5
    learned = learn(net, made, Hyperparameters(minutes=5, steps=120, batch=8, rate=5e-3, tilings=0), said.append)
    with torch.no_grad():
        assert float(loss_of(learned.eval()(inputs), labels, tiles)) < before / 2
    calibration = calibrate(learned, held)
    after = counts(learned, held, calibration)
    assert after["misnamed"] + after["false"] < 10 and after["right"] > 35
    assert said[0].startswith("scene 35;") and said[-1] == "120 steps"

    files.save(tmp_path / "one.pt", learned, calibration, {})
    files.save(tmp_path / "two.pt", SceneNet(), Calibration(), {})
    mean, middle = files.mean_of([tmp_path / "one.pt", tmp_path / "two.pt"])
    assert middle.scale == pytest.approx((calibration.scale + 1) / 2)
    assert torch.allclose(2 * mean.head[1].weight, learned.head[1].weight, atol=1e-6)
    graph, other = files.SceneGraph(mean, middle), files.SceneGraph(learned, calibration)
    data = files.to_onnx(graph, {"version": "test"})
    assert files.largest_difference(graph, data) < files.TOLERANCE
    assert files.largest_difference(other, data) > files.TOLERANCE, "another network answers otherwise"
    files.round_weights(graph)
    assert len(gzip.compress(files.to_onnx(graph, {"version": "test"}))) < 0.7 * len(gzip.compress(data))
    assert files.TOLERANCE < files.largest_difference(graph, data) < 100 * files.TOLERANCE


def metadata(models: Path) -> dict[str, object]:
    return Model(list_models(models)["scene"], 1).describe()


def test_the_commands_from_rendered_scenes_to_tiles_that_are_read(tmp_path: Path) -> None:
    found = tmp_path / "scenes.npz"
    done = run_script("train.gather_scene", "--scenes", 9, "--seed", 3, "--whites", 0.2, "--out", found)
    assert done.returncode == 0, done.stderr
    samples = load(found)
    assert sum(s.held_out for s in samples) <= 2 and all(s.kind == "scene" for s in samples)
    known = np.concatenate([s.tiles for s in samples])
    assert (known == 1).sum() > 20
    done = run_script("train.scene", "learn", found, "--out", tmp_path / "one.pt", "--steps", 3)
    assert done.returncode == 0 and "3 steps" in done.stdout, done.stderr
    more = ("--start", tmp_path / "one.pt", "--walls", 0.2, "--sides", 0.2, "--gaps", 0.2)
    done = run_script("train.scene", "learn", found, "--out", tmp_path / "two.pt", "--steps", 3, *more)
    assert done.returncode == 0, done.stderr
    strange = tmp_path / "foreign.npz"
    wanted = ("--scenes", 9, "--seed", 5, "--kind", "rows", "--foreign", "letter,word", "--out", strange)
    done = run_script("train.gather_scene", *wanted)
    assert done.returncode == 0, done.stderr
    shown = [s for s in load(strange) if (s.labels == FOREIGN).any()]
    assert len(shown) > 4 and all((s.tiles[s.labels == FOREIGN] == 1).all() for s in shown)
    assert "--foreign takes" in run_script("train.gather_scene", *wanted, "--foreign", "letter,word,rune").stderr
    other = tmp_path / "other.npz"
    done = run_script(
        "train.gather_scene", "--scenes", 9, "--seed", 5, "--kind", "rows", "--other-game", "--out", other
    )
    assert done.returncode == 0, done.stderr
    assert sum(map(len, load(other))) > 20 and not any((s.tiles == 1).any() for s in load(other))
    done = run_script("train.scene", "foreign", found, strange, "--steps", 3, "--out", tmp_path / "foreign.pt")
    assert done.returncode == 0 and "said to be foreign" in done.stdout, done.stderr
    models = tmp_path / "models"
    shutil.copytree(ROOT / "models", models, ignore=shutil.ignore_patterns("float"))
    done = run_script(
        "train.scene", "export", tmp_path / "one.pt", tmp_path / "two.pt", "--models", models, "--version", 7,
        "--foreign", tmp_path / "foreign.pt",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [metadata(models)[key] for key in ("version", "least", "company")] == [7, 0.5, list(AS_IT_IS)]
    reader = TileReader(models=models, threads=1)
    listed = json.loads((models / "zoo.json").read_text())["models"]
    assert reader.models["scene"] == listed["scene"]["sha256"][:12] != TileReader(threads=1).models["scene"]
    assert len(reader.find_tiles(ROOT / "examples" / "hand-self-draw.jpg")) > 14


def test_a_folder_of_models_learns_from_which_chance_a_find_is_a_tile(tmp_path: Path) -> None:
    models, data = tmp_path / "models", tmp_path / "data"
    shutil.copytree(ROOT / "models", models, ignore=shutil.ignore_patterns("float"))
    (data / "no-tiles").mkdir(parents=True)
    (data / "no-tiles" / "sources.json").write_text("[]")
    done = run_script("train.render_validation", "rendered", "--each", 8, "--out", data)
    assert done.returncode == 0, done.stderr
    before = metadata(models)
    done = run_script("train.scene", "company", "rendered", "--models", models, folder=data, data=data)
    assert done.returncode == 0, done.stderr
    after = metadata(models)
    assert {key for key in after if after[key] != before[key]} >= {"company"} and set(after) == set(before)
    assert f"least {after['least']}\n" in done.stdout and done.stdout.count("right less false") == 14
    scene = Model(list_models(models)["scene"], 1)
    said = {**describe_models(), "scene": scene.describe()}
    assert Metadata.from_json(said).scene, "zoo.json knows it"
