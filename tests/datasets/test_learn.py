"""The networks learn: losses fall, runs go on, exports answer alike. Skipped where torch is not installed."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra: train)")
pytest.importorskip("onnx", reason="onnx is not installed (extra: train)")

import scripts.train.run as train_run  # noqa: E402
from datasets.labels import BONUS, LABELS  # noqa: E402
from datasets.learn import (  # noqa: E402
    augment,
    checkpoint,
    export,
    stream,
)
from datasets.learn.calibration import fit_temperature  # noqa: E402
from datasets.learn.checkpoint import Averaged, TrainingProgress  # noqa: E402
from datasets.learn.listing import zoo_entry  # noqa: E402
from datasets.learn.loop import ReplayBuffer, Run, TrainingPlan  # noqa: E402
from datasets.learn.losses import (  # noqa: E402
    classifier_loss,
    detector_loss,
    geometry_loss,
    kept_loss,
    kept_tiles_loss,
)
from datasets.learn.nets import (  # noqa: E402
    MEAN,
    STD,
    ClassifierNet,
    ClassifierShape,
    DetectorNet,
    DetectorShape,
    build,
    prepare,
    shape_of,
)
from datasets.learn.stream import Batch, Windows, scene_batches, window_batches  # noqa: E402
from datasets.photographs.packs import make_pack  # noqa: E402
from datasets.photographs.windows import PhotoWindows  # noqa: E402
from datasets.quads import encode_quads  # noqa: E402
from datasets.scenes.crops import LYING, UPRIGHT, CropShape  # noqa: E402
from datasets.scenes.studio import Studio  # noqa: E402
from datasets.scenes.targets import IGNORE, STRIDE, detector_target  # noqa: E402
from datasets.scenes.training import SceneSettings, make_scene  # noqa: E402
from vision.classify.classifier import classify  # noqa: E402
from vision.detect.codes import decode_quad  # noqa: E402
from vision.detect.detector import detect_quads  # noqa: E402
from vision.device import finish  # noqa: E402
from vision.metadata import Metadata  # noqa: E402
from vision.models.network import Model, describe_models  # noqa: E402
from vision.models.zoo import list_models  # noqa: E402
from vision.onnx_device import OnnxCrops, OnnxView  # noqa: E402

pytestmark = [pytest.mark.release, pytest.mark.usefixtures("one_thread")]

TINY = SceneSettings(size=192, smallest=20, largest=60, steepest=30)
TINY_CLASSIFIER = ClassifierShape(stages=(8, 12, 16, 24), embedding=32)


def quads(count: int, side: int = 64) -> np.ndarray:
    rng = np.random.default_rng(count)
    found = []
    for _ in range(count):
        a = rng.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        shape = np.array([[-6, -9], [6, -9], [6, 9], [-6, 9]]) + rng.normal(0, 0.6, (4, 2))
        found.append(shape @ spin.T + rng.uniform(side / 3, side * 2 / 3, 2))
    return np.array(found, np.float32)


def decode(codes: torch.Tensor) -> np.ndarray:
    return np.array([decode_quad(code) for code in codes.tolist()])


@pytest.mark.parametrize("way", range(8))
def test_mirrored_codes_are_those_of_the_mirrored_quads(way) -> None:
    side, given = 64, quads(20)
    codes = torch.zeros(1, 24, 10)
    codes[0, :20] = torch.from_numpy(encode_quads(given))
    picture = torch.zeros(1, side, side, 3, dtype=torch.uint8)
    picture[0, 5, 9] = 255
    maps = torch.zeros(1, 16, 16, dtype=torch.uint8)
    pictures, _, _, turned = augment.mirror((picture, maps, maps.short(), codes), way)
    assert (turned[0, 20:] == 0).all()
    wanted, spot = given.copy(), np.array([9, 5])
    if way & 1:
        wanted[..., 0], spot[0] = side - 1 - wanted[..., 0], side - 1 - spot[0]
    if way & 2:
        wanted, spot = wanted[..., ::-1].copy(), spot[::-1].copy()
    if way & 4:
        wanted[..., 1], spot[1] = side - 1 - wanted[..., 1], side - 1 - spot[1]
    assert pictures[0, spot[1], spot[0], 0] == 255
    for quad, again in zip(wanted, decode(turned[0, :20]), strict=True):
        assert max(np.abs(again - corner).sum(axis=1).min() for corner in quad) < 0.05


def test_resized_codes_are_those_of_the_resized_quads() -> None:
    given = quads(6, 128)
    codes = torch.zeros(1, 8, 10)
    codes[0, :6] = torch.from_numpy(encode_quads(given))
    picture, maps = torch.zeros(1, 128, 128, 3, dtype=torch.uint8), torch.zeros(1, 32, 32, dtype=torch.uint8)
    pictures, kernel, tile, small = augment.resize((picture, maps, maps.short() - 1, codes), 96)
    assert pictures.shape == (1, 96, 96, 3)
    assert kernel.shape == tile.shape == (1, 24, 24)
    assert (tile == -1).all()
    wanted = (decode(codes[0, :6]) + 0.5) * 0.75 - 0.5
    np.testing.assert_allclose(decode(small[0, :6]), wanted, atol=0.02)
    assert (small[0, 6:] == 0).all()
    with pytest.raises(ValueError, match="multiple"):
        augment.resize((picture, maps, maps.short(), codes), 100)


def test_a_crop_in_negative_keeps_its_hues(monkeypatch: pytest.MonkeyPatch) -> None:
    ivory, black, red = [250, 245, 230], [10, 10, 10], [200, 30, 30]
    crop = prepare(torch.tensor([[[ivory, black, red]]], dtype=torch.uint8))
    monkeypatch.setattr(augment, "NEGATIVE", 1.0)
    scale, mean = (torch.tensor(v).view(1, 3, 1, 1) for v in (STD, MEAN))
    turned = ((augment.negate(crop) * scale + mean) * 255).round()[0, :, 0].T
    torch.testing.assert_close(turned, torch.tensor([[25.0, 20, 5], [245, 245, 245], [225, 55, 55]]))
    monkeypatch.setattr(augment, "NEGATIVE", 0.0)
    torch.testing.assert_close(augment.negate(crop), crop)


def test_a_perfect_answer_costs_next_to_nothing_and_a_wrong_one_much() -> None:
    scene = make_scene(np.random.default_rng(3), Studio(kept=2), TINY, "grid")
    target = detector_target(scene)
    kernel, tile = torch.from_numpy(target.kernel)[None], torch.from_numpy(target.tile)[None]
    codes = torch.from_numpy(target.codes)[None]
    rows, columns = np.mgrid[0 : tile.shape[1], 0 : tile.shape[2]]
    own = np.stack([columns, rows]) * STRIDE + (STRIDE - 1) / 2
    answer = target.codes[np.maximum(target.tile, 0)].transpose(2, 0, 1).copy()
    answer[:2] -= own
    answer = torch.from_numpy(answer)[None] / 16
    sure = torch.where(kernel == 1, 12.0, -12.0)[:, None]
    shape, geometry = detector_loss(sure, answer, kernel, tile, codes)
    assert float(shape) < 0.02
    assert float(geometry) < 1e-6
    assert float(detector_loss(-sure, answer, kernel, tile, codes)[0]) > 1
    assert float(geometry_loss(answer + 1, kernel, tile, codes)) > 0.5
    assert float(geometry_loss(answer, kernel, tile * 0 - 1, codes)) == 0


def test_a_teacher_is_followed_where_it_is_right_and_where_the_truth_says_nothing() -> None:
    truth = torch.zeros(1, 4, 4, dtype=torch.uint8)
    truth[0, 0, :2], truth[0, 1, :2] = 1, IGNORE
    teacher = torch.full((1, 1, 4, 4), -6.0)
    teacher[0, 0, 0, 0] = teacher[0, 0, 1, 0] = teacher[0, 0, 2, 0] = 6.0  # a tile, one that nobody marked, no tile
    student = torch.zeros(1, 1, 4, 4, requires_grad=True)
    code = torch.zeros(1, 10, 4, 4)
    kept_tiles_loss(student, code, (teacher, code), truth).backward()
    pull = student.grad[0, 0].sign()
    assert pull[0].tolist() == [-1, 0, 1, 1]  # kept, missed by the teacher, background
    assert pull[1].tolist() == [-1, 1, 1, 1]  # nobody says what it is: as the teacher has it
    assert pull[2].tolist() == [0, 1, 1, 1]  # a false alarm of the teacher


def test_a_face_alike_upside_down_may_stand_either_way_but_not_lie() -> None:
    faces, upright, lying = torch.tensor([0]), torch.tensor([UPRIGHT]), torch.tensor([LYING])
    face = torch.zeros(1, len(LABELS))
    costs = [
        [float(classifier_loss(face, turn[None], faces, asked)) for asked in (upright, lying)]
        for turn in 9 * torch.eye(4)
    ]
    for way, (stands, lies) in enumerate(costs):
        assert (stands < lies - 1) == (way % 2 == 0)
    assert costs[0] == pytest.approx(costs[2]) and costs[1] == pytest.approx(costs[3])


def test_a_teacher_holds_back_only_where_it_is_right() -> None:
    teacher = torch.zeros(2, len(LABELS))
    teacher[0, 3], teacher[1, 4] = 6.0, 6.0
    faces = torch.tensor([3, 9])  # the second crop shows a face that the teacher misnames
    assert float(kept_loss(teacher.clone(), teacher, faces)) == pytest.approx(0, abs=1e-6)
    strayed, mended = teacher.clone(), teacher.clone()
    strayed[0, 5], mended[1, 9] = 6.0, 12.0
    assert float(kept_loss(mended, teacher, faces)) == pytest.approx(0, abs=1e-6)
    assert float(kept_loss(strayed, teacher, faces)) > 0.3


def test_a_replay_buffer_keeps_the_newest_and_gives_them_first() -> None:
    buffer = ReplayBuffer(5, torch.device("cpu"))
    for k in range(4):
        buffer.add(torch.arange(2) + 2 * k)
    assert buffer.filled == 5
    assert set(buffer.columns[0].tolist()) == {3, 4, 5, 6, 7}
    taken = buffer.take(4, 2, torch.Generator().manual_seed(0))[0]
    assert taken[:2].tolist() == [7, 6]


def test_a_replay_buffer_gives_rare_classes_more_often_and_common_ones_alike() -> None:
    buffer = ReplayBuffer(1000, torch.device("cpu"))
    classes = torch.tensor([0] * 700 + [1] * 145 + [2] * 145 + [3] * 10)
    buffer.add(torch.arange(1000), classes)
    taken = buffer.take(20_000, 0, torch.Generator().manual_seed(0), evenly=1)[1]
    shares = torch.bincount(taken) / torch.bincount(classes)
    assert float(shares[0] / shares[1]) == pytest.approx(1, abs=0.05)
    assert float(shares[3] / shares[1]) == pytest.approx(14.5**0.5, rel=0.2)


@pytest.mark.parametrize(("reuse", "scenes"), [(0.0, 12), (1e9, 3)])
def test_a_reader_alone_can_learn_from_its_crops_again_before_more_scenes_come(
    tmp_path: Path, reuse: float, scenes: int
) -> None:
    plan = TrainingPlan(
        out=tmp_path, minutes=1e-9, total=1, roles=("classifier",), settings=TINY, batch=1, crops=16, per_scene=8,
        stock=4, crop_stock=100, repeats=1e9, reuse=reuse, workers=0, kept=2,
        shapes={"classifier": {"stages": (8, 12, 16, 24), "embedding": 32}},
    )  # fmt: skip
    run, ahead = Run(plan, lambda _: None), Waiting(batch=3)
    for _ in range(4):
        run._steps(run._fetch(ahead), 0.0)
    assert run.seen == scenes
    assert run.learners["classifier"].run_steps == 4
    assert run.crops_learnt == 4 * 16


def test_a_classifier_can_be_taught_flowers_seasons_and_animals_alone(tmp_path: Path) -> None:
    plan = TrainingPlan(
        out=tmp_path, minutes=1e-9, total=1, roles=("classifier",), settings=replace(TINY, bonus=1.0), batch=3,
        crops=16, per_scene=8, stock=4, crop_stock=100, repeats=1e9, workers=0, kept=2, only=BONUS,
        pack=pack(tmp_path / "pack"), shapes={"classifier": {"stages": (8, 12, 16, 24), "embedding": 32}},
    )  # fmt: skip
    run = Run(plan, lambda _: None)
    ahead = Waiting(batch=3, settings=plan.settings)
    while run.learners["classifier"].run_steps < 2:
        run._steps(run._fetch(ahead), 0.0)
    assert {LABELS[face] for face in run.crops.columns[1][: run.crops.filled].tolist()} <= set(BONUS)
    assert run.cut >= run.crops.filled > 0
    assert run.real is None, "none of the photographs here shows one"


def test_a_finder_can_learn_from_its_scenes_again_and_keep_its_normalisations(tmp_path: Path) -> None:
    plan = TrainingPlan(
        out=tmp_path, minutes=1e-9, total=1, roles=("detector",), settings=TINY, batch=2, stock=8, sides=(64,),
        repeats=1e9, reuse=2, steady=True, workers=0, kept=2, shapes={"detector": {"width": 8}},
    )  # fmt: skip
    run, ahead = Run(plan, lambda _: None), Waiting(batch=2)
    net = run.learners["detector"].net
    norms = [m for m in net.modules() if isinstance(m, torch.nn.BatchNorm2d)]
    means, weight = [m.running_mean.clone() for m in norms], net.kernel.weight.detach().clone()
    for _ in range(8):
        run._steps(run._fetch(ahead), 0.0)
    assert run.seen == 8  # of the 16 that eight steps learn from
    assert all(torch.equal(m.running_mean, mean) for m, mean in zip(norms, means, strict=True))
    assert not torch.equal(net.kernel.weight, weight)


class Waiting:
    """Scene makers that always have a batch ready."""

    def __init__(self, batch: int, settings: SceneSettings = TINY) -> None:
        self.batches = scene_batches(
            settings, CropShape(), batch=batch, crops=8, seed=4, workers=0, folder=None, kept=2
        )

    def get(self, wait: bool) -> Batch:
        return next(self.batches)


def test_the_averaged_weights_follow_and_checkpoints_come_back(tmp_path: Path) -> None:
    net = build("classifier", {"stages": [8, 12, 16, 24], "embedding": 32})
    averaged = Averaged(net)
    with torch.no_grad():
        net.face.bias.add_(1.0)
    averaged.update(net, 10)
    moved = float(averaged.state["face.bias"].mean() - (net.face.bias.detach().mean() - 1.0))
    assert 0.2 < moved < 0.8
    checkpoint.save(tmp_path / "classifier.pt", "classifier", net, averaged, TrainingProgress(1.5, 10, 20, 1), {})
    content = checkpoint.load(tmp_path / "classifier.pt")
    again = checkpoint.network(content)
    assert content["progress"]["steps"] == 10
    assert shape_of(again) == shape_of(net)
    assert torch.allclose(again.face.bias, averaged.state["face.bias"], atol=1e-3)
    (tmp_path / "other.pt").write_bytes((tmp_path / "classifier.pt").read_bytes())
    torch.save({"something": 1}, tmp_path / "other.pt")
    with pytest.raises(ValueError, match="checkpoint"):
        checkpoint.load(tmp_path / "other.pt")


def pack(folder: Path) -> Path:
    """A training folder with a few photographed crops and one photo with boxes."""
    rng = np.random.default_rng(0)
    crops = [rng.integers(0, 255, (126, 84, 3)).astype(np.uint8) for _ in range(6)]
    facts = [{"source": "here", "label": label, "turn": True} for label in ("1m", "2m", "3m", "1p", "0p", "5z")]
    for name in ("tiles", "held"):
        make_pack(crops, facts).save(folder / f"{name}.npz")
    marks = {"quads": [[100, 90, 160, 90, 160, 170, 100, 170]], "boxes": [], "ignored": []}
    make_pack([np.full((300, 400, 3), 99, np.uint8)], [{"source": "here", **marks}]).save(folder / "photos.npz")
    return folder


def test_a_teacher_that_would_teach_nothing_is_refused(tmp_path: Path) -> None:
    net = DetectorNet(DetectorShape(width=8))
    checkpoint.save(tmp_path / "before.pt", "detector", net, Averaged(net), TrainingProgress(), {})
    plan = TrainingPlan(out=tmp_path, settings=TINY, workers=0, kept=1, teachers=(tmp_path / "before.pt",))
    with pytest.raises(ValueError, match="no detector learns"):
        Run(replace(plan, roles=("classifier",)))
    with pytest.raises(ValueError, match="in photographs"):
        Run(replace(plan, roles=("detector",)))


def test_a_run_learns_stops_goes_on_and_exports_what_the_application_reads(tmp_path: Path) -> None:
    """The whole way on a few scenes: train twice, export, and let the application's own code run the files."""
    plan = TrainingPlan(
        out=tmp_path / "run", pack=pack(tmp_path / "pack"), minutes=0.1, total=0.2, settings=TINY, batch=3, crops=48,
        per_scene=8, stock=12, crop_stock=200, repeats=1e9, sides=(192, 160), workers=0, kept=2, real=0.3,
        shapes={"detector": {"width": 16}, "classifier": {"stages": (8, 12, 16, 24), "embedding": 32}},
        rate=4e-3, classifier_rate=4e-3,
    )  # fmt: skip
    plan.out.mkdir()
    said: list[str] = []
    Run(plan, said.append).go()
    steps = checkpoint.load(plan.out / "detector.pt")["progress"]["steps"]
    before = tuple(plan.out / f"before-{role}.pt" for role in ("detector", "classifier"))
    for role, path in zip(("detector", "classifier"), before, strict=True):
        path.write_bytes((plan.out / f"{role}.pt").read_bytes())
    second = Run(replace(plan, teachers=before, bfloat16=True), said.append).go()
    after = checkpoint.load(plan.out / "detector.pt")["progress"]
    assert after["steps"] > steps > 0
    assert after["runs"] == 2
    assert after["minutes"] > 0.2 * 0.9
    assert len((plan.out / "log.jsonl").read_text().splitlines()) == 2
    assert second["steps"]["classifier"] > 0

    models = tmp_path / "models"
    models.mkdir()
    zoo = {"format": 1, "models": {}}
    for role in ("detector", "classifier"):
        net = checkpoint.network(checkpoint.load(plan.out / f"{role}.pt"))
        data = export.to_onnx(net, export.metadata_of(net, "test", "a test", 1.3, (16, 150)))
        size = (1, 128, 160, 3) if role == "detector" else (5, 96, 64, 3)
        pictures = np.random.default_rng(0).integers(0, 255, size).astype(np.uint8)
        assert export.largest_difference(net, data, pictures) < export.TOLERANCE
        (models / f"{role}.onnx").write_bytes(data)
        zoo["models"][role] = zoo_entry(role, data)
    (models / "zoo.json").write_text(json.dumps(zoo))
    found = list_models(models)
    said = {**describe_models(), **{role: Model(found[role], 1).describe() for role in zoo["models"]}}
    said["scene"]["widths"]["emb"] = said["classifier"]["widths"]["emb"]  # the scene classifier is not taught here
    networks = Metadata.from_json(said)
    assert networks.detector.tile_px == (16, 150)
    assert networks.classifier.labels == LABELS
    assert networks.classifier.temperature == 1.3
    scene = make_scene(np.random.default_rng(1), Studio(kept=2), TINY, "grid")
    device = SimpleNamespace(metadata=networks, models={role: Model(found[role], 1) for role in zoo["models"]})
    finish(detect_quads(OnnxView(device, scene.image), (0, 0, *scene.image.shape[1::-1]), (1.0, 1.0)))
    blank = OnnxCrops(device, np.zeros((3, 96, 64, 3), np.uint8))
    for one in finish(classify(blank, 3, replace(networks, bonus=None))):
        assert sum(one.probabilities) == pytest.approx(1)


def test_a_file_of_bonus_tiles_alone_comes_back_as_a_reader_that_knows_them() -> None:
    import onnx

    from scripts.train.onnx.start_from import classifier_of

    torch.manual_seed(4)
    net = build("classifier", {"stages": (8, 12, 16, 24), "embedding": 32}).eval()
    metadata = export.metadata_of(net, "test", "a test", 1.0, (16, 150), BONUS)
    assert metadata["role"] == "bonus" and metadata["labels"] == list(BONUS)
    data = export.to_onnx(net, metadata, half=False)
    crops = torch.randint(0, 255, (4, 96, 64, 3), dtype=torch.uint8)
    assert export.largest_difference(net, data, crops.numpy(), BONUS) < export.TOLERANCE
    again = classifier_of(onnx.load_from_string(data)).eval()
    columns = [LABELS.index(label) for label in BONUS]
    with torch.no_grad():
        one, other = net(prepare(crops))[0], again(prepare(crops))[0]
    torch.testing.assert_close(one[:, columns], other[:, columns], atol=2e-3, rtol=2e-3)
    assert set(other.argmax(1).tolist()) <= set(columns)


def noisy_photo() -> PhotoWindows:
    noise = np.random.default_rng(0).integers(0, 255, (90, 90, 3)).astype(np.uint8)
    return PhotoWindows(make_pack([noise], [{"source": "here", "quads": [], "boxes": [], "ignored": []}]))


def test_processes_draw_different_windows_of_one_size() -> None:
    batches = window_batches(Windows(noisy_photo(), 3, (64, 96), seed=5), workers=2)
    one, other, *more = (next(batches) for _ in range(8))  # the processes take turns
    assert len(one[0]) == len(other[0]) == 3
    assert {batch[0].shape[1] for batch in (one, other, *more)} == {64, 96}
    assert one[0].shape != other[0].shape or not torch.equal(one[0], other[0])


@pytest.mark.parametrize("roomy", [True, False])
def test_windows_come_the_same_through_shared_memory_and_through_pipes(
    roomy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "SHARED_MEMORY_BYTES", 0 if roomy else 1 << 60)
    windows = Windows(noisy_photo(), 2, (64,), seed=5)
    for expected, found in zip(next(iter(windows)), next(window_batches(windows, workers=1)), strict=True):
        assert found.is_shared() == roomy
        np.testing.assert_array_equal(found.numpy(), expected)


@pytest.mark.parametrize(
    ("arguments", "steps"), [([], (8, 192)), (["--batch", "3"], (3, 192)), (["--batch", "4", "--crops", "50"], (4, 50))]
)
def test_steps_are_as_large_as_asked_for_without_a_gpu_too(
    arguments: list[str], steps: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[TrainingPlan] = []

    class Noted:
        def __init__(self, plan: TrainingPlan, _say: object) -> None:
            plans.append(plan)

        def go(self) -> None:
            pass

    monkeypatch.setattr("scripts.train.run.Run", Noted)
    monkeypatch.setattr("sys.argv", ["run", "--out", str(tmp_path), "--cpu", *arguments])
    with pytest.raises(SystemExit, match="0"):
        train_run.run(train_run.main)
    assert [(plan.batch, plan.crops) for plan in plans] == [steps]


def test_both_networks_can_learn_a_batch_by_heart() -> None:
    """Losses on one batch fall to a fraction: the gradients reach everything that is learnt."""
    torch.manual_seed(0)
    batch = next(scene_batches(TINY, CropShape(), batch=3, crops=16, seed=2, workers=0, folder=None, kept=2))
    detector, classifier = DetectorNet(DetectorShape(16)), ClassifierNet(TINY_CLASSIFIER)
    x = prepare(batch.pictures)
    y = prepare(batch.crops)

    def losses() -> tuple:
        kernel, code = detector(x)
        shape, geometry = detector_loss(kernel, code, batch.kernel, batch.tile, batch.codes)
        face, turn, _ = classifier(y)
        return shape + geometry, classifier_loss(face, turn, batch.faces, batch.turns)

    optimiser = torch.optim.AdamW([*detector.parameters(), *classifier.parameters()], 4e-3)
    began = [float(v.detach()) for v in losses()]
    for _ in range(30):
        optimiser.zero_grad()
        sum(losses()).backward()
        optimiser.step()
    ended = [float(v.detach()) for v in losses()]
    assert ended[0] < 0.6 * began[0], (began, ended)
    assert ended[1] < 0.6 * began[1], (began, ended)
    assert all(p.grad is not None and bool(p.grad.abs().sum() > 0) for p in classifier.parameters())


def test_the_temperature_undoes_overconfidence() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 1.5, (4000, 6))
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    labels = np.array([rng.choice(6, p=row) for row in chances])
    temperature, before, after = fit_temperature(logits * 2.5, labels)
    assert abs(temperature - 2.5) < 0.25
    assert after < 0.03 < before


def test_the_export_script_writes_models_and_temperature(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import shutil

    from scripts.train.onnx.export import main

    (tmp_path / "run").mkdir()
    classifier = {"stages": [8, 12, 16, 24], "embedding": 32}
    for name, role, shape in (
        ("detector", "detector", {"width": 16}),
        *((n, "classifier", classifier) for n in ("classifier", "bonus")),
    ):
        net = build(role, shape)
        facts = {"plan": {"seed": 7, "pack": "work/pack"}}
        checkpoint.save(
            tmp_path / "run" / f"{name}.pt", role, net, Averaged(net), TrainingProgress(9.0, 10, 20, 3), facts
        )
    main(tmp_path / "run", tmp_path / "models", pack(tmp_path / "pack"), "9")
    printed = capsys.readouterr().out
    assert "temperature" in printed and "'seed': 7" in printed, "what a model card must say"
    found = list_models(tmp_path / "models")
    assert Model(found["classifier"], 1).describe()["temperature"] != 1.0
    assert Model(found["bonus"], 1).describe()["labels"] == list(BONUS)
    (tmp_path / "run" / "detector.pt").unlink()  # a run of the classifier alone keeps the detector there is
    shutil.copytree(tmp_path / "models", tmp_path / "again")
    main(tmp_path / "run", tmp_path / "again")
    again = list_models(tmp_path / "again")
    assert again["detector"].sha256 == found["detector"].sha256
