"""The training loop: one stream of scenes, a replay buffer of those seen, one or two networks that learn from it.

The learning rate follows the clock, so that a run always ends in time; a plan longer than one run gives its total
minutes, and every run continues where the last one stopped.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from datasets.labels import INDEX, LABELS, TURN_SYMMETRIC
from datasets.learn import augment, checkpoint
from datasets.learn.augment import DetectorBatch
from datasets.learn.checkpoint import Averaged, TrainingProgress
from datasets.learn.losses import classifier_loss, detector_loss, kept_loss, kept_tiles_loss
from datasets.learn.nets import DetectorNet, build, count_parameters, prepare
from datasets.learn.stream import Ahead, Batch, RealCrops, Windows, real_crops, scene_batches, window_batches
from datasets.photographs.windows import PhotoWindows, photo_windows
from datasets.scenes.crops import UNASKED, UPRIGHT, CropShape
from datasets.scenes.training import SceneSettings

WARM_UP: Final = 200
"""Steps over which the learning rate rises at the start of every run."""
WINDOW_SHARE: Final = 4
"""One process draws windows of photos for so many that make scenes; with fewer, a thread does."""
ROLES: Final = ("detector", "classifier")
FACES: Final = 1
"""Column of the replay buffer of crops that holds the faces."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """The settings of one run.

    Attributes:
        out: folder of the checkpoints; those found there are continued.
        pack: folder of ``scripts/train/pack.py``, or None to train on what ships.
        minutes: length of this run; ``total``: of the whole plan, over which the learning rate falls.
        roles: which networks learn; ``shapes``: role -> the shape of a new network, where it is not the usual one.
        settings: of the scenes; ``crop``: of the crops cut of them.
        batch: scenes a detector step; ``crops``: crops a classifier step; ``per_scene``: most crops cut of a scene.
        rate: learning rate of the detector; ``classifier_rate``: of the classifier.
        stock: scenes kept to learn from again; ``crop_stock``: crops kept.
        repeats: how often, on average, a scene may be learnt from.
        reuse: how often, on average, a crop (or a scene, if the detector learns) is learnt from before more scenes are
            taken in; 0 takes all that come. On two cores it leaves more time to learn.
        real: share of a step that is photographed: crops of the classifier's, windows of photos of the detector's.
        sides: side lengths that scenes are resized to, at random; a GPU needs some ten seconds for the first of each.
        workers: processes that make scenes; ``kept``: designs and surfaces that each keeps; ``seed``: of everything.
        teachers: checkpoints of earlier networks to stay close to: a classifier where it is right, a detector in
            photos; ``keep``: how much that counts.
        only: labels that the classifier is taught; all if empty. For one that tells flowers, seasons and animals apart.
        steady: keep the means and deviations of normalisations: small steps measure them badly.
        bfloat16: also without a GPU; three times as fast on processors with AMX, slower on others.
    """

    out: Path
    pack: Path | None = None
    minutes: float = 9.0
    total: float = 27.0
    roles: tuple[str, ...] = ROLES
    settings: SceneSettings = field(default_factory=SceneSettings)
    crop: CropShape = field(default_factory=CropShape)
    shapes: dict[str, dict[str, Any]] = field(default_factory=dict)
    batch: int = 48
    crops: int = 1536
    per_scene: int = 24
    rate: float = 2e-3
    classifier_rate: float = 2e-3
    stock: int = 12000
    crop_stock: int = 300_000
    repeats: float = 5.0
    reuse: float = 0.0
    real: float = 0.2
    sides: tuple[int, ...] = (640, 512, 384)
    workers: int = 15
    seed: int = 1
    kept: int = 40
    teachers: tuple[Path, ...] = ()
    keep: float = 1.0
    only: tuple[str, ...] = ()
    steady: bool = False
    bfloat16: bool = False


class ReplayBuffer:
    """A ring buffer of rows kept on the device: what was seen, to be learnt from again."""

    def __init__(self, rows: int, device: torch.device) -> None:
        self.rows, self.device = rows, device
        self.columns: list[Tensor] = []
        self.filled = self.at = 0

    def add(self, *columns: Tensor) -> None:
        """Put rows in, over the oldest ones when full."""
        if not self.columns:
            self.columns = [torch.empty((self.rows, *c.shape[1:]), dtype=c.dtype, device=self.device) for c in columns]
        count = len(columns[0])
        places = (torch.arange(count) + self.at) % self.rows
        for kept, new in zip(self.columns, columns, strict=True):
            kept[places] = new.to(self.device, non_blocking=True)
        self.at = (self.at + count) % self.rows
        self.filled = min(self.rows, self.filled + count)

    def take(self, count: int, newest: int, generator: torch.Generator, evenly: int | None = None) -> list[Tensor]:
        """``count`` rows: the ``newest`` latest ones first, the rest at random.

        Args:
            evenly: a column of classes; those rarer than the median are taken more often, by the root of their rarity.
        """
        newest = min(newest, count, self.filled)
        fresh = (self.at - 1 - torch.arange(newest)) % self.rows
        if evenly is None or newest == count:  # multinomial refuses to draw zero samples
            old = torch.randint(self.filled, (count - newest,), generator=generator)
        else:
            classes = self.columns[evenly][: self.filled].cpu()
            counts = torch.bincount(classes).float()
            chance = counts.clamp(1, float(counts[counts > 0].median())).rsqrt()[classes]
            old = torch.multinomial(chance, count - newest, replacement=True, generator=generator)
        which = torch.cat([fresh, old]).to(self.device)
        return [c[which] for c in self.columns]


class Learner:
    """A network with its optimiser and average."""

    def __init__(self, role: str, plan: TrainingPlan, device: torch.device) -> None:
        self.role, self.path = role, plan.out / f"{role}.pt"
        self.progress = TrainingProgress()
        self.rate = plan.rate if role == "detector" else plan.classifier_rate
        before = checkpoint.load(self.path) if self.path.is_file() else None
        self.net = build(role, before["shape"] if before else plan.shapes.get(role))
        if before:
            self.net.load_state_dict(checkpoint.in_full_precision(before["weights"]))
            self.progress = TrainingProgress(**before["progress"])
        elif isinstance(self.net, DetectorNet) and plan.pack and (plan.pack / "lite0.npz").is_file():
            self.net.trunk.load_imagenet(plan.pack / "lite0.npz")
        self.net = self.net.to(device).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        if plan.steady:
            for module in self.net.modules():
                if isinstance(module, nn.BatchNorm2d):
                    module.eval()
        self.averaged = Averaged(self.net)
        if before:
            for name, value in before["averaged"].items():
                self.averaged.state[name].copy_(value)
        decayed = [p for p in self.net.parameters() if p.ndim > 1]
        others = [p for p in self.net.parameters() if p.ndim <= 1]
        decay = 0.02 if role == "detector" else 0.05
        groups = [{"params": decayed, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, self.rate, betas=(0.9, 0.98), fused=device.type == "cuda")
        if before and before["optimiser"]:
            self.optimiser.load_state_dict(before["optimiser"])
        self.warm = WARM_UP if not (before and before["optimiser"]) else 1
        self.run_steps = 0
        self.recent: list[float] = []

    def step(self, loss: Tensor, done: float) -> None:
        """Take an optimiser step on a loss; ``done``: share of the whole plan that is over, 0-1."""
        warm = min(1.0, (self.run_steps + 1) / self.warm)
        rate = self.rate * warm * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.run_steps += 1
        self.progress.steps += 1
        self.averaged.update(self.net, self.progress.steps)
        self.recent = [*self.recent[-49:], float(loss.detach())] if self.run_steps % 10 == 0 else self.recent

    def save(self, facts: dict[str, Any]) -> None:
        """Write the checkpoint."""
        checkpoint.save(self.path, self.role, self.net, self.averaged, self.progress, facts, self.optimiser)


def runs_so_far(path: Path) -> int:
    """How many runs a checkpoint has behind it; 0 where there is none."""
    return int(checkpoint.load(path)["progress"]["runs"]) if path.is_file() else 0


class Run:
    """One run of a plan.

    Raises:
        OSError, ValueError: a checkpoint cannot be read, or a teacher would teach nothing.
    """

    def __init__(self, plan: TrainingPlan, say: Callable[[str], None] = print) -> None:
        self.plan, self.say = plan, say
        torch.manual_seed(plan.seed)
        runs = max(runs_so_far(plan.out / f"{role}.pt") for role in plan.roles)
        self.seed = plan.seed * 1000 + runs
        self.generator = torch.Generator().manual_seed(self.seed)
        # Worker processes are forked before anything touches the device.
        self.batches = scene_batches(
            plan.settings, plan.crop, batch=min(plan.batch, 8), crops=plan.per_scene, seed=self.seed,
            workers=plan.workers, folder=plan.pack, kept=plan.kept,
        )  # fmt: skip
        self.photos = self._photos()
        windows = self._window_batches()
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        if self.device.type == "cuda":
            torch.backends.cudnn.benchmark = False  # side lengths change; trying kernels anew costs a minute for each
            torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        self.learners = {role: Learner(role, plan, self.device) for role in plan.roles}
        self.first = next(iter(self.learners.values()))
        self.scenes = ReplayBuffer(plan.stock, self.device)
        self.crops = ReplayBuffer(plan.crop_stock, self.device)
        self.real = self._real()
        self.teachers = self._teachers()
        self.windows = Ahead(windows) if windows is not None else None
        self.seen = self.learnt = self.cut = self.crops_learnt = 0

    def _teachers(self) -> dict[str, nn.Module]:
        found: dict[str, nn.Module] = {}
        for path in self.plan.teachers:
            content = checkpoint.load(path)
            role = content["role"]
            if role not in self.learners:
                raise ValueError(f"{path} is a {role}, and no {role} learns in this run")
            if role == "detector" and self.photos is None:
                raise ValueError(f"{path} teaches in photographs: a pack with photos.npz, and a share of them above 0")
            found[role] = checkpoint.network(content).to(self.device)
        return found

    def _real(self) -> RealCrops | None:
        path = self.plan.pack / "tiles.npz" if self.plan.pack else None
        if "classifier" not in self.learners or self.plan.real <= 0 or path is None or not path.is_file():
            return None
        found = real_crops(path)
        taught = self._taught(found.faces)
        if not taught.any():
            return None
        return RealCrops(*(x[taught].to(self.device) for x in (found.pictures, found.faces, found.upright)))

    def _taught(self, faces: Tensor) -> Tensor:
        """(n,) which crops the classifier learns from, by their indices into ``LABELS``."""
        if not self.plan.only:
            return torch.ones_like(faces, dtype=torch.bool)
        return torch.isin(faces, torch.tensor([INDEX[label] for label in self.plan.only]))

    def _photos(self) -> PhotoWindows | None:
        path = self.plan.pack / "photos.npz" if self.plan.pack else None
        if "detector" not in self.plan.roles or self.plan.real <= 0 or path is None or not path.is_file():
            return None
        return photo_windows(path)

    def _window_batches(self) -> Iterator[DetectorBatch] | None:
        """Batches of windows of photos, as many as make up their share of a step."""
        if self.photos is None:
            return None
        count = max(1, round(self.plan.batch * self.plan.real / (1 - self.plan.real)))
        return window_batches(
            Windows(self.photos, count, self.plan.sides, self.seed), self.plan.workers // WINDOW_SHARE
        )

    def go(self) -> dict[str, Any]:
        """Train until the time is over; returns what is also written to ``log.jsonl``."""
        plan, began = self.plan, time.monotonic()
        before = self.first.progress.minutes
        for learner in self.learners.values():
            learner.progress.runs += 1
        names = {role: f"{count_parameters(x.net) / 1e6:.2f} M" for role, x in self.learners.items()}
        real, photos = len(self.real.pictures) if self.real else 0, len(self.photos) if self.photos else 0
        self.say(
            f"{self.device}, {names}, {real} real crops, {photos} photos, {before:.1f} of {plan.total} minutes done"
        )
        ahead = Ahead(self.batches)
        spoken = began
        try:
            while (now := time.monotonic()) - began < plan.minutes * 60 or self._idle():
                fresh = self._fetch(ahead)
                spent = (now - began) / 60
                done = (before + spent) / plan.total
                self._steps(fresh, done)
                for learner in self.learners.values():
                    learner.progress.minutes = before + spent
                if now - spoken > 15:
                    spoken = now
                    self.say(self._line(now - began))
        finally:
            ahead.close()
            if self.windows is not None:
                self.windows.close()
        facts = self._facts(time.monotonic() - began)
        for learner in self.learners.values():
            learner.progress.scenes += self.seen
            learner.progress.minutes = before + (time.monotonic() - began) / 60
            learner.save(facts)
        with (plan.out / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")
        self.say(self._line(time.monotonic() - began))
        return facts

    def _idle(self) -> bool:
        """Whether a network has not taken a step yet: even the shortest run teaches each of them something."""
        return any(learner.run_steps == 0 for learner in self.learners.values())

    def _fetch(self, ahead: Ahead[Batch]) -> int:
        """Take in what is ready; wait only when there is too little to learn from. Returns how many scenes came."""
        came = 0
        start = min(self.plan.batch * 2, self.plan.stock)
        if self._again(start):
            return came
        while True:
            hungry = self.scenes.filled < start or self.learnt > self.plan.repeats * max(1, self.seen)
            batch = ahead.get(wait=hungry and came == 0)
            if batch is None:
                return came
            self._take(batch)
            came += len(batch.pictures)
            if came >= self.plan.batch and not self.scenes.filled < start:
                return came

    def _again(self, start: int) -> bool:
        """Whether to learn once more from what has come before taking in anything new."""
        if "detector" in self.learners:
            return self.scenes.filled >= start and self.learnt < self.plan.reuse * self.seen
        return self._enough_crops() and self.crops_learnt < self.plan.reuse * self.cut

    def _enough_crops(self) -> bool:
        """Whether there are crops enough for a step of the classifier."""
        return self.crops.filled >= min(64, self.plan.crops // 2)

    def _take(self, batch: Batch) -> None:
        self.scenes.add(batch.pictures, batch.kernel, batch.tile, batch.codes)
        taught = self._taught(batch.faces)
        if taught.any():
            self.crops.add(batch.crops[taught], batch.faces[taught], batch.turns[taught])
        self.seen += len(batch.pictures)
        self.cut += int(taught.sum())

    def _steps(self, fresh: int, done: float) -> None:
        self.learnt += self.plan.batch
        mixed = self.device.type == "cuda" or self.plan.bfloat16
        with torch.autocast(self.device.type, torch.bfloat16, enabled=mixed):
            if "detector" in self.learners:
                self._detector_step(self.learners["detector"], fresh, done)
            if "classifier" in self.learners and self._enough_crops():
                self._classifier_step(self.learners["classifier"], fresh * self.plan.per_scene // 2, done)

    def _chance(self, count: int) -> int:
        return int(torch.randint(count, (1,), generator=self.generator))

    def _detector_step(self, learner: Learner, fresh: int, done: float) -> None:
        rows = self.scenes.take(self.plan.batch, fresh, self.generator)
        windows = self.windows.get(wait=True) if self.windows is not None else None
        side = windows[0].shape[1] if windows else self.plan.sides[self._chance(len(self.plan.sides))]
        batch = augment.resize(augment.mirror((rows[0], rows[1], rows[2], rows[3]), self._chance(8)), side)
        count = len(batch[0])
        if windows:  # in one batch with the rendered ones, so that both are normalised alike
            pictures, kernel, tile, codes = (
                torch.cat([one, other.to(self.device)]) for one, other in zip(batch, windows, strict=True)
            )
        else:
            pictures, kernel, tile, codes = batch
        plain = prepare(pictures)
        x = augment.vary_light(augment.recolour(plain, 0.7)).contiguous(memory_format=torch.channels_last)
        logits, code = learner.net(x)
        shape, geometry = detector_loss(logits, code, kernel, tile, codes)
        loss = shape + geometry
        if "detector" in self.teachers:
            with torch.no_grad():
                before = self.teachers["detector"](plain[count:].contiguous(memory_format=torch.channels_last))
            loss = loss + self.plan.keep * kept_tiles_loss(logits[count:], code[count:], before, kernel[count:])
        learner.step(loss, done)

    def _classifier_step(self, learner: Learner, fresh: int, done: float) -> None:
        real = round(self.plan.crops * self.plan.real) if self.real is not None else 0
        pictures, faces, turns = self.crops.take(self.plan.crops - real, fresh, self.generator, evenly=FACES)
        self.crops_learnt += len(pictures)
        x = augment.wiggle(prepare(pictures))
        if self.real is not None:
            photographed, their_faces, their_turns = self._real_batch(self.real, real)
            x = torch.cat([x, photographed])
            faces, turns = torch.cat([faces, their_faces]), torch.cat([turns, their_turns])
        x = augment.negate(augment.vary_light(augment.recolour(x)))
        x = augment.roughen(x).contiguous(memory_format=torch.channels_last)
        face, turn, _ = learner.net(x)
        loss = classifier_loss(face, turn, faces, turns)
        if "classifier" in self.teachers:
            with torch.no_grad():
                before = self.teachers["classifier"](x)[0]
            loss = loss + self.plan.keep * kept_loss(face, before, faces)
        learner.step(loss, done)

    def _real_batch(self, real: RealCrops, count: int) -> tuple[Tensor, Tensor, Tensor]:
        """Photographed crops, every label equally often, half of them turned upside down."""
        weights = 1.0 / torch.bincount(real.faces).clamp(1).float()[real.faces]
        which = torch.multinomial(weights, count, replacement=True)
        pictures, faces = real.pictures[which], real.faces[which]
        half = count // 2
        pictures = torch.cat([pictures[:half], pictures[half:].flip(1, 2)])
        turns = torch.zeros_like(faces)
        turns[half:] = 2
        turns[SYMMETRIC.to(faces.device)[faces]] = UPRIGHT
        turns[~real.upright[which]] = UNASKED
        w, h = self.plan.crop.width, self.plan.crop.height
        return augment.imitate_photographs(pictures, (h, w), self.plan.crop.margin, strength=1.0), faces, turns

    def _line(self, seconds: float) -> str:
        parts = [f"{seconds:6.0f} s  {self.seen} scenes ({self.seen / max(seconds, 1e-3):.1f}/s), learnt {self.learnt}"]
        for role, x in self.learners.items():
            mean = sum(x.recent[-20:]) / max(1, len(x.recent[-20:]))
            parts.append(f"{role} {x.run_steps} steps, loss {mean:.3f}")
        return "  ".join(parts)

    def _facts(self, seconds: float) -> dict[str, Any]:
        plan = json.loads(json.dumps(asdict(self.plan), default=str))
        losses = {role: x.recent for role, x in self.learners.items()}
        steps = {role: x.run_steps for role, x in self.learners.items()}
        return {"plan": plan, "seconds": round(seconds, 1), "scenes": self.seen, "steps": steps, "losses": losses,
                "device": str(self.device), "torch": str(torch.__version__)}  # fmt: skip


SYMMETRIC: Final = torch.tensor([label in TURN_SYMMETRIC for label in LABELS])
