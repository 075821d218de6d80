"""Checkpoints -> ONNX files that take uint8 pictures and say in their metadata what they are.

The contract is ``models/README.md``: preprocessing is inside the graph, weights are stored in half precision and
become float32 when the file is loaded.
"""

from __future__ import annotations

import copy
import json
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from datasets.labels import INDEX, LABELS, NONE
from datasets.learn.nets import MULTIPLE, STRIDE, UNIT, ClassifierNet, DetectorNet, prepare

FORMAT: Final = 1
OPSET: Final = 17
LEAST_HALVED: Final = 256
"""Tensors with fewer numbers stay in full precision: they take no room to speak of."""
TOLERANCE: Final = 0.02
"""Largest difference between file and network that rounding explains, in logits and in units of ``UNIT`` pixels."""


class ExportedGraph(nn.Module):
    """uint8 (n, h, w, 3) -> probability of the kernel and codes, or face logits, turn logits and embedding."""

    def __init__(self, net: DetectorNet | ClassifierNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, pictures: Tensor) -> tuple[Tensor, ...]:
        """See the class."""
        first, *others = self.net(prepare(pictures))
        return torch.sigmoid(first) if isinstance(self.net, DetectorNet) else first, *others


def with_answers(net: ClassifierNet, labels: Sequence[str]) -> ClassifierNet:
    """The classifier with no other answers than the given ones."""
    rows = [INDEX[label] for label in labels]
    fewer = copy.deepcopy(net)
    fewer.face = nn.Linear(net.face.in_features, len(rows))
    fewer.face.weight.data, fewer.face.bias.data = net.face.weight.data[rows], net.face.bias.data[rows]
    return fewer


def graph_of(
    net: DetectorNet | ClassifierNet, labels: Sequence[str] = LABELS
) -> tuple[nn.Module, Tensor, list[str], list[str], dict[str, dict[int, str]]]:
    """The module to export, an input for it, names of inputs and outputs, and what may vary in size."""
    if isinstance(net, DetectorNet):
        axes = {"image": {1: "height", 2: "width"}, "kernel": {2: "h", 3: "w"}, "geo": {2: "h", 3: "w"}}
        return ExportedGraph(net), torch.zeros(1, 192, 256, 3, dtype=torch.uint8), ["image"], ["kernel", "geo"], axes
    width, height = net.shape.crop
    axes = {name: {0: "n"} for name in ("crops", "face", "turn", "emb")}
    example = torch.zeros(2, height, width, 3, dtype=torch.uint8)
    net = net if tuple(labels) == LABELS else with_answers(net, labels)
    return ExportedGraph(net), example, ["crops"], ["face", "turn", "emb"], axes


def metadata_of(net: DetectorNet | ClassifierNet, version: str, origin: str, temperature: float,
                tile_px: tuple[float, float], labels: Sequence[str] = LABELS) -> dict[str, Any]:  # fmt: skip
    """The metadata that the application reads from the file; a classifier of only some ``labels`` is the bonus one."""
    common = {"format": FORMAT, "version": version, "origin": origin}
    if isinstance(net, DetectorNet):
        sizes = {"multiple": MULTIPLE, "stride": STRIDE, "unit": UNIT, "tile_px": list(tile_px)}
        return {**common, "role": "detector", **sizes}
    known = {"role": "classifier", "none": NONE} if NONE in labels else {"role": "bonus"}
    return {**common, **known, "labels": list(labels), "crop": list(net.shape.crop), "margin": net.shape.margin,
            "temperature": temperature}  # fmt: skip


def export_module(
    module: nn.Module,
    example: tuple[Tensor, ...],
    inputs: list[str],
    outputs: list[str],
    axes: dict[str, dict[int, str]],
) -> onnx.ModelProto:
    """The graph of a module; see :func:`graph_of` for what describes it."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns of its deprecation; its results are compared afterwards
        path = Path(folder) / "net.onnx"
        torch.onnx.export(
            module, example, path, input_names=inputs, output_names=outputs, dynamic_axes=axes,
            opset_version=OPSET, dynamo=False,
        )  # fmt: skip
        return onnx.load(path)


def to_onnx(net: DetectorNet | ClassifierNet, metadata: dict[str, Any], half: bool = True) -> bytes:
    """The ONNX file of a network as bytes."""
    # The exporter folds normalisations into weights that do not learn, in place.
    module, example, inputs, outputs, axes = graph_of(copy.deepcopy(net).eval(), metadata.get("labels", LABELS))
    model = export_module(module, (example,), inputs, outputs, axes)
    if half:
        halve(model)
    write_metadata(model, metadata)
    onnx.checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString())


def write_metadata(model: onnx.ModelProto, metadata: dict[str, Any]) -> None:
    """Give a model these metadata in place of its own; what is not text is written as JSON."""
    helper.set_model_props(model, {k: v if isinstance(v, str) else json.dumps(v) for k, v in metadata.items()})


def halve(model: onnx.ModelProto) -> None:
    """Store large float32 constants as float16 with a cast after each; runtimes undo it once, on loading the file."""
    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < LEAST_HALVED:
            continue
        name = tensor.name
        small = numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), f"{name}.half")
        casts.append(helper.make_node("Cast", [small.name], [name], to=TensorProto.FLOAT))
        tensor.CopyFrom(small)
    for node in reversed(casts):
        model.graph.node.insert(0, node)


def largest_difference(
    net: DetectorNet | ClassifierNet, data: bytes, pictures: npt.NDArray[np.uint8], labels: Sequence[str] = LABELS
) -> float:
    """How far the file's answers are from the network's for uint8 pictures, over all outputs.

    Codes are weighted by how surely a cell belongs to a tile: elsewhere they mean nothing.
    """
    module, _, inputs, outputs, _ = graph_of(net.eval(), labels)
    session = ort.InferenceSession(data, providers=["CPUExecutionProvider"])
    found = [session.run(outputs, {inputs[0]: picture[None]}) for picture in pictures]
    with torch.no_grad():
        wanted = [[w.numpy() for w in module(torch.from_numpy(picture[None]))] for picture in pictures]
    if isinstance(net, DetectorNet):
        for answers, kernels in zip((*found, *wanted), [w[0] for w in wanted] * 2, strict=True):
            answers[1] = answers[1] * kernels
    pairs = (p for f, w in zip(found, wanted, strict=True) for p in zip(f, w, strict=True))
    return max(float(np.abs(a - b).max()) for a, b in pairs)
