"""Training the scene classifier: batches, the loss, averaged weights, calibration, counts on what is held out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import torch
from torch import Tensor

from datasets.learn.checkpoint import Averaged
from datasets.learn.scene.jitter import AugmentationPool, jitter
from datasets.learn.scene.net import SceneNet
from datasets.learn.scene.pale import PaleAugmentation, bare_whites, plain_backs
from datasets.learn.scene.samples import COLUMNS, DOWN, NO_TILE, NOT_WHITE, WHITE, Sample

SceneBatch: TypeAlias = tuple[dict[str, Tensor], Tensor, Tensor]
"""Inputs with a mask, labels, whether they are tiles."""
SHARES: Final = {"photo": 0.3, "scene": 0.6, "empty": 0.1}
"""Share of each kind of sample in a step."""
WARM: Final = 100
"""Steps in which the rate rises."""
AVERAGED: Final = 0.99
"""Largest share of themselves that the averaged weights keep in a step."""


@dataclass(frozen=True, slots=True)
class Hyperparameters:
    """How to learn.

    Attributes:
        minutes: of processor time; ``steps``: at most so many.
        batch: samples a step; ``rate``: greatest learning rate.
        walls, sides, gaps, tilings: see :class:`PaleAugmentation`.
    """

    minutes: float
    steps: int = 1_000_000
    batch: int = 20
    rate: float = 1.5e-3
    walls: float = 0.0
    sides: float = 0.0
    gaps: float = 0.0
    tilings: float = 0.03
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Calibration:
    """Calibration on held-out samples: a scale and a shift of the tile logit, a scale of the names' logarithms."""

    scale: float = 1.0
    shift: float = 0.0
    names: float = 1.0


def batch_of(samples: Sequence[Sample]) -> SceneBatch:
    """Samples padded to the length of the longest."""
    n, most = len(samples), max(map(len, samples))
    mask = torch.zeros((n, most), dtype=torch.bool)
    labels, tiles = (torch.full((n, most), -1, dtype=torch.int64) for _ in range(2))
    inputs: dict[str, Tensor] = {"mask": mask}
    for b, sample in enumerate(samples):
        k = len(sample)
        mask[b, :k] = True
        labels[b, :k], tiles[b, :k] = torch.from_numpy(sample.labels), torch.from_numpy(sample.tiles)
        for name, value in sample.seen.to_inputs(COLUMNS).items():
            pair = name == "pair"
            into = inputs.setdefault(name, torch.zeros((n, *[most] * (1 + pair), value.shape[-1])))
            (into[b, :k, :k] if pair else into[b, :k]).copy_(torch.from_numpy(value))
    return inputs, labels, tiles


def loss_of(answers: tuple[Tensor, Tensor], labels: Tensor, tiles: Tensor) -> Tensor:
    """Cross entropies of being a tile and of its name, with a penalty for calling NOT_WHITE a white dragon."""
    tile, names = answers
    asked, named = tiles >= 0, (tiles == 1) & (labels >= 0) & (labels < NO_TILE)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(tile[asked], tiles[asked].float())
    if named.any():
        loss = loss + torch.nn.functional.nll_loss(names[named], labels[named])
    other = labels == NOT_WHITE
    white = torch.sigmoid(tile[other]) * names[other][:, WHITE].exp()
    return loss - torch.log1p(-white.clamp(max=0.999)).sum() / asked.sum()


def learn(net: SceneNet, samples: Sequence[Sample], plan: Hyperparameters, say: Callable[[str], None]) -> SceneNet:
    """Train a network on the samples that are not held out.

    Returns:
        The averaged weights.

    Raises:
        ValueError: there is nothing to learn from.
    """
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    taught = [s for s in samples if not s.held_out]
    piles = {kind: [s for s in taught if s.kind == kind] for kind in SHARES}
    piles = {kind: pile for kind, pile in piles.items() if pile}
    if not piles:
        raise ValueError("No sample to learn from: all are held out, or there are none.")
    chance = np.array([SHARES[kind] for kind in piles])
    pool = _pool(piles.get("scene", taught), taught, plan)
    say("; ".join([*(f"{kind} {len(pile)}" for kind, pile in piles.items()), f"strays {len(pool.strays)}"]))
    averaged, step, start = Averaged(net, AVERAGED), 0, time.process_time()
    best = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=0.03)
    while (done := max((time.process_time() - start) / (60 * plan.minutes), step / plan.steps)) < 1:
        rate = plan.rate * min(1.0, (step + 1) / WARM) * float(0.51 + 0.49 * np.cos(np.pi * done))
        for group in best.param_groups:
            group["lr"] = rate
        chosen = [list(piles.values())[k] for k in rng.choice(len(piles), plan.batch, p=chance / chance.sum())]
        inputs, labels, tiles = batch_of([jitter(rng, p[int(rng.integers(len(p)))], pool) for p in chosen])
        loss = loss_of(net.train()(inputs), labels, tiles)
        best.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        best.step()
        averaged.update(net, step)
        if step % 200 == 0:
            say(f"step {step}, {done:.0%} of the time, loss {loss.item():.3f}")
        step += 1
    say(f"{step} steps")
    mean = averaged.net
    assert isinstance(mean, SceneNet)
    return mean


def _pool(scenes: Sequence[Sample], taught: Sequence[Sample], plan: Hyperparameters) -> AugmentationPool:
    """What to mix in. Sides of tiles, which look like white dragons, are not strays: they stay with their tiles."""
    strays = [
        (s, int(i)) for s in taught for i in np.flatnonzero((s.tiles == 0) & (s.seen.probabilities[:, WHITE] < 0.5))
    ]
    whites = bare_whites([s for s in taught if s.kind != "empty"])
    pale = PaleAugmentation(plan.walls, plan.sides, plan.gaps, plan.tilings, whites, plain_backs(scenes))
    return AugmentationPool(scenes, strays, pale)


def calibrate(net: SceneNet, samples: Sequence[Sample]) -> Calibration:
    """The calibration that explains samples best (LBFGS); it changes nothing where there are none."""
    if not samples:
        return Calibration()
    parts = []
    with torch.no_grad():
        for sample in samples:
            inputs, labels, tiles = batch_of([sample])
            parts.append((*net.eval()(inputs), labels, tiles))
    tile, names, labels, tiles = (torch.cat([p[k][0] for p in parts]) for k in range(4))
    asked, named = tiles >= 0, (tiles == 1) & (labels >= 0) & (labels < NO_TILE)
    free = torch.tensor([1.0, 0.0, 1.0], requires_grad=True)
    best = torch.optim.LBFGS([free], max_iter=60)

    def closure() -> Tensor:
        best.zero_grad()
        logits = free[0] * tile[asked] + free[1]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, tiles[asked].float())
        loss = loss + torch.nn.functional.cross_entropy(free[2] * names[named], labels[named])
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    best.step(closure)  # type: ignore[no-untyped-call]
    return Calibration(*(float(v) for v in free.detach()))


@torch.no_grad()
def counts(net: SceneNet, samples: Sequence[Sample], calibration: Calibration) -> dict[str, int]:
    """Counts of what becomes of detections of known truth; of backs and white dragons, those lost or misnamed."""
    found = dict.fromkeys(("right", "misnamed", "lost", "false", "backs lost", "whites lost", "called white"), 0)
    for sample in samples:
        inputs, _, _ = batch_of([sample])
        tile, names = net.eval()(inputs)
        kept = (calibration.scale * tile[0] + calibration.shift > 0).numpy()
        best, label = names[0].argmax(dim=-1).numpy(), sample.labels
        true, right = (sample.tiles == 1) & (label >= 0), kept & (best == label)
        rows = {
            "right": true & right, "misnamed": true & kept & ~right, "lost": true & ~kept,
            "false": (sample.tiles == 0) & kept, "backs lost": true & (label == DOWN) & ~right,
            "whites lost": true & (label == WHITE) & ~right,
            "called white": (label == NOT_WHITE) & kept & (best == WHITE),
        }  # fmt: skip
        for name, which in rows.items():
            found[name] += int(which.sum())
    return found
