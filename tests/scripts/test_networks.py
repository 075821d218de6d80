"""Networks as browsers run them give what they gave."""

from __future__ import annotations

import platform
from collections.abc import Callable

import numpy as np
import onnx
import onnxruntime as ort
import pytest

from scripts.tabulated_sums import tabulate_sums
from scripts.whole_floats import convolve_in_floats
from vision.models import list_models


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="other processors round other sums")
@pytest.mark.parametrize(
    ("rewrite", "role"),
    [
        (tabulate_sums, "detector"),
        (tabulate_sums, "classifier"),
        (tabulate_sums, "bonus"),
        (convolve_in_floats, "detector"),
    ],
)
def test_they_give_the_same_to_the_bit(rewrite: Callable[[bytes], bytes], role: str) -> None:
    data = list_models()[role].data()
    made = rewrite(data)
    assert made != data and rewrite(made) == made
    options = ort.SessionOptions()
    options.log_severity_level = 3
    before, after = (ort.InferenceSession(one, options, providers=["CPUExecutionProvider"]) for one in (data, made))
    (given,) = before.get_inputs()
    shape = (1, 192, 256, 3) if role == "detector" else (6, 96, 64, 3)
    pixels = np.random.default_rng(5).integers(0, 256, shape, np.uint8)
    for one, other in zip(before.run(None, {given.name: pixels}), after.run(None, {given.name: pixels}), strict=True):
        assert np.array_equal(one, other)


def test_a_network_without_sums_or_convolutions_stays_as_it_is() -> None:
    data = list_models()["scene"].data()
    assert len(tabulate_sums(data)) == len(convolve_in_floats(data)) == len(data)


def test_sums_that_floats_do_not_hold_are_refused() -> None:
    model = onnx.load_from_string(list_models()["detector"].data())
    for one in model.graph.initializer:
        if one.data_type == onnx.TensorProto.INT32 and one.dims:
            one.CopyFrom(onnx.numpy_helper.from_array(np.full(one.dims, 2**24, np.int32), one.name))
    with pytest.raises(ValueError, match="exactly"):
        convolve_in_floats(model.SerializeToString())
