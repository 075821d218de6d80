"""A ``scene.onnx`` turned back into the networks it was made from, to continue training."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import NodeProto, numpy_helper

from datasets.learn.scene.foreign import ForeignHead
from datasets.learn.scene.learning import Calibration
from datasets.learn.scene.net import SceneNet

Array = npt.NDArray[np.float32]


class Graph:
    """The nodes of a file by the values they make, and its constants by name."""

    def __init__(self, model: onnx.ModelProto) -> None:
        """Take the file as read."""
        self.nodes = list(model.graph.node)
        self.makers = {name: node for node in self.nodes for name in node.output}
        self.known: dict[str, Array] = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
        for node in self.nodes:
            if node.op_type == "Constant":
                self.known[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)

    def before(self, name: str) -> Iterator[NodeProto]:
        """The nodes that a value is computed by, nearest first."""
        waiting, met = [name], set[str]()
        while waiting:
            node = self.makers.get(waiting.pop(0))
            if node is not None and node.output[0] not in met:
                met.add(node.output[0])
                yield node
                waiting.extend(node.input)

    def nearest(self, name: str, kind: str) -> NodeProto | None:
        """The nearest node of a kind that a value is computed by."""
        return next((node for node in self.before(name) if node.op_type == kind), None)

    def scalar(self, node: NodeProto) -> float:
        """The constant that a node multiplies by or adds."""
        return float(next(self.known[name] for name in node.input if name in self.known))

    def scaled(self, name: str, kind: str) -> tuple[float, float]:
        """The scale and the shift applied to the input of the nearest node of a kind before a value."""
        last = self.nearest(name, kind)
        shift = None if last is None else self.makers[last.input[0]]
        if shift is None or shift.op_type != "Add":
            raise ValueError(f"no shift before the {kind} of {name}: not a scene classifier of this project")
        scale = next(self.makers[i] for i in shift.input if i in self.makers and i not in self.known)
        return self.scalar(scale), self.scalar(shift)


def from_onnx(model: onnx.ModelProto) -> tuple[SceneNet, Calibration, ForeignHead | None]:
    """The networks and the calibration of a file that :func:`datasets.learn.scene.files.to_onnx` made.

    Raises:
        ValueError: the file holds a network of another shape.
    """
    graph, net = Graph(model), SceneNet()
    net.load_state_dict(_weights(graph, net, "net."))
    softmax = graph.nearest("names", "Softmax")
    if softmax is None:
        raise ValueError("no names: not a scene classifier of this project")
    calibration = Calibration(*graph.scaled("tile", "Sigmoid"), graph.scalar(graph.makers[softmax.input[0]]))
    if not any(name.startswith("foreign.") for name in graph.known):
        return net.eval(), calibration, None
    head = ForeignHead(len(graph.known["foreign.layers.0.bias"]))
    weights = _weights(graph, head, "foreign.")
    head.load_state_dict(weights | {"calibration": torch.tensor(graph.scaled("names", "Sigmoid"))})
    return net.eval(), calibration, head.eval()


def _weights(graph: Graph, net: torch.nn.Module, prefix: str) -> dict[str, torch.Tensor]:
    """The weights of a network under the names of its state dict."""
    products = {name: node for node in graph.nodes if node.op_type == "MatMul" for name in node.output}
    found: dict[str, Array] = {}
    for node in graph.nodes:  # a layer's weight has lost its name: it is what comes before its bias
        bias = next((name for name in node.input if name.startswith(prefix) and name.endswith(".bias")), "")
        product = next((products[name] for name in node.input if name in products), None)
        if node.op_type == "Add" and bias and product is not None:
            found[bias.removesuffix("bias") + "weight"] = graph.known[product.input[1]].T
    own = net.state_dict()
    shared = {f"{prefix}{name}": name for name in own}
    found |= {name: graph.known[name] for name in shared if name in graph.known}
    wrong = [name for name, to in shared.items() if name in found and found[name].shape != tuple(own[to].shape)]
    missing = [name for name in shared if name not in found and not name.endswith("calibration")]
    if wrong or missing:
        raise ValueError(f"a network of another shape: {', '.join([*wrong, *missing][:3])}")
    return {shared[name]: torch.from_numpy(np.array(value, np.float32)) for name, value in found.items()
            if name in shared}  # fmt: skip
