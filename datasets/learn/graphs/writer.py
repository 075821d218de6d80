"""ONNX graphs written as expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET: Final = 17
IR_VERSION: Final = 8
"""Both are old enough for every runtime that reads the networks."""
FLOAT: Final = TensorProto.FLOAT
INT64: Final = TensorProto.INT64
UINT8: Final = TensorProto.UINT8
BOOL: Final = TensorProto.BOOL

Shape: TypeAlias = list[int | str | None]
Operand: TypeAlias = "Value | float | list[int] | npt.NDArray[Any]"


class Value:
    """A tensor of a graph; operators between two of them, or with a number, add a node. ``int`` numbers are int64."""

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph, self.name = graph, name

    def __add__(self, other: Operand) -> Value:
        return self.graph.Add(self, other)

    def __sub__(self, other: Operand) -> Value:
        return self.graph.Sub(self, other)

    def __rsub__(self, other: Operand) -> Value:
        return self.graph.Sub(other, self)

    def __mul__(self, other: Operand) -> Value:
        return self.graph.Mul(self, other)

    def __truediv__(self, other: Operand) -> Value:
        return self.graph.Div(self, other)

    def __matmul__(self, other: Operand) -> Value:
        return self.graph.MatMul(self, other)

    def __gt__(self, other: Any) -> Value:
        return self.graph.Greater(self, other)

    def __lt__(self, other: Any) -> Value:
        return self.graph.Less(self, other)

    def __and__(self, other: Operand) -> Value:
        return self.graph.And(self, other)

    def __or__(self, other: Operand) -> Value:
        return self.graph.Or(self, other)

    def __invert__(self) -> Value:
        return self.graph.Not(self)

    def cast(self, to: int) -> Value:
        """The same numbers in another type."""
        return self.graph.Cast(self, to=to)

    def at(self, index: Operand, axis: int = 0) -> Value:
        """Entries along an axis; one number removes the axis."""
        return self.graph.Gather(self, index, axis=axis)

    def reshape(self, *shape: Value | int) -> Value:
        """The same entries in another shape, -1 for what is left."""
        return self.graph.Reshape(self, self.graph.numbers(*shape))

    def size(self, axis: int) -> Value:
        """The length of an axis, int64."""
        return self.graph.Shape(self).at(axis)

    def sum(self, *axes: int, keepdims: int = 0) -> Value:
        """The sum over axes."""
        return self.graph.ReduceSum(self, list(axes), keepdims=keepdims)

    def norm(self, axis: int) -> Value:
        """Euclidean length along an axis."""
        return self.graph.ReduceL2(self, axes=[axis], keepdims=0)

    def expand(self, axis: int) -> Value:
        """With an axis of length 1 more."""
        return self.graph.Unsqueeze(self, [axis])

    def clip(self, low: float | None = None, high: float | None = None) -> Value:
        """Float numbers kept within limits."""
        limits = ["" if limit is None else np.float32(limit) for limit in (low, high)]
        return self.graph.Clip(self, *limits)


class Graph:
    """A graph in the making: ``graph.Relu(x)`` adds a node of any operator and returns its output.

    Inside a loop's body values of the graph around it may be used, too.
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[tuple[bytes, str, tuple[int, ...]], onnx.TensorProto] = {}
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []

    def __getattr__(self, operator: str) -> Callable[..., Any]:
        """Adds a node; ``outputs`` says how many it has, if not one."""

        def add(*given: Operand | str, outputs: int = 1, **attributes: Any) -> Value | list[Value]:
            names = [f"{self._prefix}v{len(self._nodes)}{'abc'[k]}" for k in range(outputs)]
            taken = [x if isinstance(x, str) else self.value(x).name for x in given]
            self._nodes.append(helper.make_node(operator, taken, names, **attributes))
            made = [Value(self, name) for name in names]
            return made[0] if outputs == 1 else made

        return add

    def value(self, given: Operand) -> Value:
        """A constant; what is a value already stays as it is."""
        if isinstance(given, Value):
            return given
        array = np.asarray(given)
        array = array.astype(np.float32) if array.dtype == np.float64 else array
        key = (array.tobytes(), str(array.dtype), array.shape)
        if key not in self._constants:
            self._constants[key] = numpy_helper.from_array(array, f"{self._prefix}c{len(self._constants)}")
        return Value(self, self._constants[key].name)

    def numbers(self, *given: Value | int) -> Value:
        """A list of int64 numbers."""
        if all(isinstance(number, int) for number in given):
            return self.value(np.array(given, np.int64))
        each = (n.reshape(1) if isinstance(n, Value) else np.array([n], np.int64) for n in given)
        return self.joined(*each)

    def joined(self, *parts: Operand, axis: int = 0) -> Value:
        """Values one behind the other along an axis."""
        return self.Concat(*parts, axis=axis)

    def stacked(self, *parts: Operand, axis: int) -> Value:
        """Values along a new axis."""
        return self.joined(*(self.value(part).expand(axis) for part in parts), axis=axis)

    def counted(self, to: Value | int, start: int = 0) -> Value:
        """The int64 numbers from ``start`` up to, not including, ``to``."""
        return self.Range(np.int64(start), self.value(to), np.int64(1))

    def full(self, number: Value | float, *shape: Value | int) -> Value:
        """One number everywhere."""
        return self.Expand(number, self.numbers(*shape))

    def found(self, mask: Value) -> Value:
        """(k,) where a vector of bools is true."""
        return self.NonZero(mask).reshape(-1)

    def given(self, name: str, kind: int, shape: Shape) -> Value:
        """An input."""
        self._inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return Value(self, name)

    def give(self, name: str, value: Value, kind: int, shape: Shape) -> None:
        """Make a value an output."""
        self._nodes.append(helper.make_node("Identity", [value.name], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def body(self, name: str) -> onnx.GraphProto:
        """The graph itself, for an attribute such as a loop's body."""
        constants = list(self._constants.values())
        return helper.make_graph(self._nodes, name, self._inputs, self._outputs, constants)

    def model(self, name: str, description: str) -> bytes:
        """The ONNX file as bytes."""
        opset = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(self.body(name), opset_imports=opset, ir_version=IR_VERSION, doc_string=description)
        onnx.checker.check_model(model, full_check=True)
        return bytes(model.SerializeToString())
