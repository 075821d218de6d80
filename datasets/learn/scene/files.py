"""Networks of scene classifiers on disk: checkpoints, their mean, and the ONNX file that ships."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
import torch
from torch import Tensor, nn

from datasets.learn.export import FORMAT, export_module, write_metadata
from datasets.learn.scene.foreign import ForeignHead, content_of
from datasets.learn.scene.learning import Calibration
from datasets.learn.scene.net import INPUTS, PAIR, ROWS, SceneNet

ROLE: Final = "scene"
TOLERANCE: Final = 1e-4
"""Largest difference of a probability between the file and the network."""
BITS: Final = 11


class SceneGraph(nn.Module):
    """The inputs of one photo, without a batch axis -> probabilities of being a tile, and of the names.

    The names' probabilities add up to less than 1; the rest is that of a face that is none of them.
    """

    def __init__(self, net: SceneNet, calibration: Calibration, foreign: ForeignHead | None = None) -> None:
        super().__init__()
        self.net = net.eval()
        self.foreign = None if foreign is None else foreign.eval()
        self.calibration = astuple(calibration)

    def forward(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """The inputs in the order of INPUTS."""
        batch = {name: value[None] for name, value in zip(INPUTS, inputs, strict=True)}
        tile, names = self.net(batch | {"mask": torch.ones_like(batch["say"][..., 0]) > 0})
        scale, shift, sharpness = self.calibration
        chances = torch.softmax(sharpness * names[0], dim=-1)
        if self.foreign is not None:
            chances = chances * (1 - self.foreign(batch["logp"][0], batch["emb"][0]))[:, None]
        return torch.sigmoid(scale * tile[0] + shift), chances


def save(path: Path, net: SceneNet, calibration: Calibration, facts: dict[str, Any]) -> None:
    """Write a checkpoint."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"role": ROLE, "shape": net.shape, "weights": net.state_dict(), "calibration": asdict(calibration)}
    torch.save(content | {"facts": facts}, path)


def load(path: Path) -> tuple[SceneNet, Calibration]:
    """Read a checkpoint.

    Raises:
        OSError: no such file.
        ValueError: it is something else.
    """
    content = content_of(path, ROLE, "of a scene classifier")
    net = SceneNet(**content["shape"])
    net.load_state_dict(content["weights"])
    return net.eval(), Calibration(**content["calibration"])


def mean_of(paths: Sequence[Path]) -> tuple[SceneNet, Calibration]:
    """The mean of several networks' weights and calibrations ("model soup", Wortsman et al. 2022).

    All but the first must have started from the first.

    Raises:
        OSError, ValueError: a file cannot be read, or is not such a checkpoint.
    """
    nets, calibrations = zip(*map(load, paths), strict=True)
    net: SceneNet = nets[0]
    states = [n.state_dict() for n in nets]
    net.load_state_dict({name: torch.stack([s[name] for s in states]).mean(dim=0) for name in states[0]})
    return net, Calibration(*(float(v) for v in np.mean([astuple(c) for c in calibrations], axis=0)))


@torch.no_grad()
def round_weights(graph: SceneGraph) -> None:
    """Keep :data:`BITS` of each weight of the matrices; the file, which is compressed to be sent, has a third less."""
    for weights in graph.parameters():
        if weights.ndim > 1:
            mantissa, exponent = torch.frexp(weights)
            weights.copy_(torch.ldexp((mantissa * 2**BITS).round() / 2**BITS, exponent))


def to_onnx(graph: SceneGraph, metadata: dict[str, Any]) -> bytes:
    """The ONNX file of a network as bytes."""
    axes = {name: {0: "n"} for name in (*ROWS, "tile", "names")} | {"pair": {0: "n", 1: "n"}}
    model = export_module(graph.eval(), made_up(7), list(INPUTS), ["tile", "names"], axes)
    write_metadata(model, {"role": ROLE, "format": FORMAT} | metadata)
    onnx.checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString())


def with_metadata(path: Path, metadata: dict[str, Any]) -> bytes:
    """An ONNX file with these values in place of its own of the same names."""
    model = onnx.load(path)
    write_metadata(model, {entry.key: entry.value for entry in model.metadata_props} | metadata)
    return bytes(model.SerializeToString())


def largest_difference(graph: SceneGraph, data: bytes) -> float:
    """How far the file's probabilities are from the network's, for 1 to 150 detections."""
    session, apart = ort.InferenceSession(data, providers=["CPUExecutionProvider"]), 0.0
    for n in (1, 2, 7, 40, 150):
        inputs = made_up(n)
        found: list[npt.NDArray[np.float32]] = session.run(
            ["tile", "names"], {name: value.numpy() for name, value in zip(INPUTS, inputs, strict=True)}
        )
        with torch.no_grad():
            wanted = graph(*inputs)
        apart = max(apart, *(float(np.abs(f - w.numpy()).max()) for f, w in zip(found, wanted, strict=True)))
    return apart


def made_up(n: int) -> tuple[Tensor, ...]:
    """Random inputs for n detections, always the same ones."""
    chance = torch.Generator().manual_seed(n)
    rows = {name: torch.randn(n, columns, generator=chance) for name, columns in ROWS.items()}
    rows["logp"] = torch.log_softmax(rows["logp"], dim=-1)
    return (*rows.values(), torch.randn(n, n, PAIR, generator=chance))
