"""What a network holds on the way from its input to its answers."""

from __future__ import annotations

from collections.abc import Iterable

import onnx
import onnxruntime as ort


def showing(model: onnx.ModelProto, names: Iterable[str]) -> ort.InferenceSession:
    """The network loaded so that it gives the named tensors, too; the model itself stays as it is."""
    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    given = {output.name for output in shown.graph.output}
    shown.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name not in given)
    return ort.InferenceSession(shown.SerializeToString(), providers=["CPUExecutionProvider"])
