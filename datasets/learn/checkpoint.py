"""Checkpoints: what a training run leaves behind, and how the next one continues from it."""

from __future__ import annotations

import copy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from datasets.learn.nets import ClassifierNet, DetectorNet, build, shape_of

StateDict = dict[str, Tensor]


@dataclass
class TrainingProgress:
    """How far training has come: minutes spent, steps taken, scenes seen, runs begun."""

    minutes: float = 0.0
    steps: int = 0
    scenes: int = 0
    runs: int = 0


class Averaged:
    """The running average of a network's weights, which generalises better than the last weights."""

    def __init__(self, net: nn.Module, most: float = 0.9995) -> None:
        self.net = copy.deepcopy(net).eval().requires_grad_(False)
        self.state: StateDict = self.net.state_dict()  # the tensors of ``self.net`` themselves
        self.most = most

    @torch.no_grad()
    def update(self, net: nn.Module, steps: int) -> None:
        """Take in the weights after step number ``steps``."""
        keep = min(self.most, (steps + 1) / (steps + 20))
        current = net.state_dict()
        names = [k for k, v in current.items() if v.dtype.is_floating_point]
        torch._foreach_mul_([self.state[k] for k in names], keep)
        torch._foreach_add_([self.state[k] for k in names], [current[k] for k in names], alpha=1 - keep)


def _in_half_precision(state: StateDict) -> StateDict:
    return {k: v.detach().half().cpu() if v.dtype.is_floating_point else v.cpu() for k, v in state.items()}


def in_full_precision(state: StateDict) -> StateDict:
    """Weights as read from a checkpoint, in float32."""
    return {k: v.float() if v.dtype.is_floating_point else v for k, v in state.items()}


def save(
    path: Path,
    role: str,
    net: DetectorNet | ClassifierNet,
    averaged: Averaged,
    progress: TrainingProgress,
    facts: dict[str, Any],
    optimiser: torch.optim.Optimizer | None = None,
) -> None:
    """Write a checkpoint: weights in half precision, and the optimiser's state only where it is asked for.

    Without the optimiser a checkpoint is small enough to carry; the next run warms it up again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "role": role,
        "shape": shape_of(net),
        "weights": _in_half_precision(net.state_dict()),
        "averaged": _in_half_precision(averaged.state),
        "progress": asdict(progress),
        "facts": facts,
        "optimiser": optimiser.state_dict() if optimiser else None,
    }
    partial = path.with_suffix(".part")
    torch.save(content, partial)
    partial.replace(path)


def load(path: Path) -> dict[str, Any]:
    """Read a checkpoint.

    Raises:
        OSError: no such file.
        ValueError: it is something else.
    """
    content: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    if not {"role", "shape", "weights", "averaged", "progress"} <= set(content):
        raise ValueError(f"{path} is not a checkpoint of this project")
    return content


def network(content: dict[str, Any]) -> DetectorNet | ClassifierNet:
    """The network of a checkpoint, with its averaged weights, ready to evaluate."""
    net = build(content["role"], content["shape"])
    net.load_state_dict(in_full_precision(content["averaged"]))
    return net.eval()
