"""Faces of no mahjong set: a small network tells from embedding and probabilities whether the classifier knows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from datasets.learn.scene.net import ROWS
from datasets.learn.scene.samples import DOWN, FOREIGN, LEAST, Sample

ROLE: Final = "foreign"
RARE: Final = 0.01
"""Share of foreign faces among tiles that its output is calibrated for: sets without any are the rule."""
LEAST_LOG: Final = -9.0
"""Least logarithm of a probability, as the scene classifier takes them."""


class ForeignHead(nn.Module):
    """(n, classes) logarithms of chances and (n, D) embeddings -> (n,) chances that the face is a foreign one."""

    calibration: Tensor

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.width = width
        self.layers = nn.Sequential(
            nn.Linear(ROWS["logp"] + ROWS["emb"], width), nn.GELU(), nn.Dropout(0.3), nn.Linear(width, 1)
        )
        self.register_buffer("calibration", torch.tensor([1.0, 0.0]))

    def logits(self, logp: Tensor, emb: Tensor) -> Tensor:
        """The logits as learnt, before calibration."""
        return torch.as_tensor(self.layers(torch.cat([logp / 3, emb], dim=-1))[..., 0])

    def forward(self, logp: Tensor, emb: Tensor) -> Tensor:
        """Calibrated probabilities."""
        return torch.sigmoid(self.calibration[0] * self.logits(logp, emb) + self.calibration[1])


def fit(samples: Sequence[Sample], steps: int, seed: int, say: Callable[[str], None]) -> ForeignHead:
    """Train a head on the tiles that are not held out, and calibrate it on the others.

    Raises:
        ValueError: no sample shows a foreign face, or none that is held out.
    """
    torch.manual_seed(seed)
    piles_of = [[s for s in samples if s.held_out == held] for held in (False, True)]
    if not all(any((s.labels == FOREIGN).any() for s in pile) for pile in piles_of):
        raise ValueError("No foreign faces among the samples, or none held out: gather_scene --foreign makes them.")
    head, taught, kept = ForeignHead(), *map(_rows, piles_of)
    logp, emb, foreign = taught
    piles = [torch.nonzero(foreign == k).ravel() for k in (0, 1)]
    best = torch.optim.AdamW(head.parameters(), lr=2e-3, weight_decay=0.1)
    for _ in range(steps):
        drawn = torch.cat([pile[torch.randint(len(pile), (n,))] for pile, n in zip(piles, (192, 64), strict=True)])
        doubt = torch.exp(torch.rand(len(drawn), 1) * 0.9 - 0.2)  # as from networks that are less sure, or surer
        worn = torch.log_softmax(logp[drawn] / doubt, dim=-1).clamp(min=LEAST_LOG)
        off = emb[drawn] * (1 + 0.1 * torch.randn(len(drawn), emb.shape[1]))
        answer = head.train().logits(worn, off)
        loss = nn.functional.binary_cross_entropy_with_logits(answer, foreign[drawn])
        best.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        best.step()
    _calibrate(head.eval(), *kept)
    for name, (logp, emb, foreign) in (("taught", taught), ("held out", kept)):
        with torch.no_grad():
            noticed = head(logp, emb) >= 0.5
        shares = [float(noticed[foreign == k].float().mean()) for k in (1, 0)]
        which = f"{int(foreign.sum())} foreign, {len(foreign) - int(foreign.sum())} own"
        say(f"{name}: {which}; said to be foreign {shares[0]:.1%} and {shares[1]:.2%}")
    return head


def _rows(samples: Sequence[Sample]) -> tuple[Tensor, Tensor, Tensor]:
    """Log probabilities, embeddings and whether they are foreign, of all tiles of a known or foreign face."""
    which = [((s.labels >= 0) & (s.labels <= DOWN)) | (s.labels == FOREIGN) for s in samples]
    pairs = list(zip(samples, which, strict=True))
    chances = np.concatenate([s.seen.probabilities[k] for s, k in pairs])
    embeddings = np.concatenate([s.seen.embeddings[k] for s, k in pairs])
    foreign = np.concatenate([s.labels[k] == FOREIGN for s, k in pairs]).astype(np.float32)
    logp = np.log(np.maximum(chances, LEAST)).clip(LEAST_LOG)
    return torch.from_numpy(logp), torch.from_numpy(embeddings), torch.from_numpy(foreign)


def _calibrate(head: ForeignHead, logp: Tensor, emb: Tensor, foreign: Tensor) -> None:
    """A scale and a shift of the logit (Platt 1999) that hold where :data:`RARE` of the tiles are foreign."""
    with torch.no_grad():
        logits = head.logits(logp, emb)
    weight = torch.where(foreign > 0, RARE / foreign.mean(), (1 - RARE) / (1 - foreign.mean()))
    free = torch.tensor([1.0, 0.0], requires_grad=True)
    best = torch.optim.LBFGS([free], max_iter=60)

    def closure() -> Tensor:
        best.zero_grad()
        answer = free[0] * logits + free[1]
        loss = nn.functional.binary_cross_entropy_with_logits(answer, foreign, weight=weight)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    best.step(closure)  # type: ignore[no-untyped-call]
    head.calibration.copy_(free.detach())


def save(path: Path, head: ForeignHead, facts: dict[str, Any]) -> None:
    """Write a checkpoint."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"role": ROLE, "width": head.width, "weights": head.state_dict(), "facts": facts}, path)


def load(path: Path) -> ForeignHead:
    """Read a checkpoint.

    Raises:
        OSError: no such file.
        ValueError: it is something else.
    """
    content = content_of(path, ROLE, "that tells foreign faces")
    head = ForeignHead(content["width"])
    head.load_state_dict(content["weights"])
    return head.eval()


def content_of(path: Path, role: str, what: str) -> dict[str, Any]:
    """The content of a checkpoint of a role.

    Raises:
        OSError: no such file.
        ValueError: it is something else.
    """
    content: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    if content.get("role") != role:
        raise ValueError(f"{path} is not a checkpoint {what}")
    return content
