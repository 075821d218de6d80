"""A classifier of whole bonus faces and the network that reads their corners, as one ONNX file."""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
import torch
from onnx import compose
from torch import Tensor, nn

from datasets.learn.captions.net import CROP, CaptionedNet
from datasets.learn.export import export_module, write_metadata
from datasets.learn.nets import prepare

TOLERANCE: Final = 1e-3
"""Largest difference of a logit between the file and the network."""
MARK: Final = "captions"
"""Metadata key of a file that reads corners."""
_PREFIX: Final = "captions/"


class CaptionGraph(nn.Module):
    """uint8 (n, 96, 64, 3) and logits of whole faces -> logits."""

    def __init__(self, net: CaptionedNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: Tensor, whole: Tensor) -> Tensor:
        """See the class."""
        answer: Tensor = self.net(prepare(crops), whole)
        return answer


def join_captions(whole: onnx.ModelProto, net: CaptionedNet, metadata: dict[str, Any]) -> bytes:
    """The file's bytes: ``face`` combines both networks, everything else is as in ``whole``.

    Raises:
        ValueError: ``whole`` reads corners already, or takes other crops.
    """
    known = {p.key: p.value for p in whole.metadata_props}
    if MARK in known:
        raise ValueError("these weights read captions already; take those of whole faces, as quantize.py writes them")
    if tuple(json.loads(known["crop"])) != CROP:
        raise ValueError(f"corners are those of crops of {CROP[0]} x {CROP[1]} pixels")
    first = onnx.ModelProto()
    first.CopyFrom(whole)
    _rename(first, "face", "whole")
    second = compose.add_prefix(_caption_graph(net), _PREFIX)
    second.ir_version = first.ir_version
    model = compose.merge_models(first, second, io_map=[("whole", f"{_PREFIX}whole")])
    _rename(model, f"{_PREFIX}crops", "crops")
    _rename(model, f"{_PREFIX}face", "face")
    inputs = [i for k, i in enumerate(model.graph.input) if i.name not in [o.name for o in model.graph.input[:k]]]
    del model.graph.input[:]
    model.graph.input.extend(inputs)
    write_metadata(model, known | {MARK: "corners"} | metadata)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def largest_difference(whole: onnx.ModelProto, net: CaptionedNet, data: bytes, crops: npt.NDArray[np.uint8]) -> float:
    """How far the file's logits are from those of the network given the classifier's, for uint8 crops."""
    before, after = (
        ort.InferenceSession(model, providers=["CPUExecutionProvider"]).run(["face"], {"crops": crops})[0]
        for model in (whole.SerializeToString(), data)
    )
    with torch.no_grad():
        wanted = CaptionGraph(net.eval())(torch.from_numpy(crops), torch.from_numpy(before)).numpy()
    return float(np.abs(after - wanted).max())


def _caption_graph(net: CaptionedNet) -> onnx.ModelProto:
    answers = int(net.mix[-1].out_features)  # type: ignore[arg-type]
    example = torch.zeros(2, CROP[1], CROP[0], 3, dtype=torch.uint8), torch.zeros(2, answers)
    axes = {name: {0: "n"} for name in ("crops", "whole", "face")}
    return export_module(CaptionGraph(net.eval()), example, ["crops", "whole"], ["face"], axes)


def _rename(model: onnx.ModelProto, old: str, new: str) -> None:
    """Give a value of the graph another name, wherever it stands."""
    for node in model.graph.node:
        for names in (node.input, node.output):
            names[:] = [new if name == old else name for name in names]
    for value in (*model.graph.input, *model.graph.output):
        if value.name == old:
            value.name = new
