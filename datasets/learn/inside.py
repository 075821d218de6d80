"""The intermediate tensors of a network."""

from __future__ import annotations

from collections.abc import Iterable

import onnx
import onnxruntime as ort


def session_showing(model: onnx.ModelProto, names: Iterable[str]) -> ort.InferenceSession:
    """A session that also outputs the named tensors; the model itself stays as it is."""
    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    given = {output.name for output in shown.graph.output}
    shown.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name not in given)
    return ort.InferenceSession(shown.SerializeToString(), providers=["CPUExecutionProvider"])
