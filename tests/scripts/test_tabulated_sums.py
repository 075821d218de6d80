"""Networks whose quantized sums come from tables give what they gave."""

from __future__ import annotations

import platform

import numpy as np
import onnxruntime as ort
import pytest

from scripts.tabulated_sums import tabulate_sums
from vision.models import list_models


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="other processors round other sums")
@pytest.mark.parametrize("role", ["detector", "classifier", "bonus"])
def test_sums_from_tables_are_the_same_to_the_bit(role: str) -> None:
    data = list_models()[role].data()
    tables = tabulate_sums(data)
    assert tables != data and tabulate_sums(tables) == tables
    options = ort.SessionOptions()
    options.log_severity_level = 3
    before, after = (ort.InferenceSession(one, options, providers=["CPUExecutionProvider"]) for one in (data, tables))
    (given,) = before.get_inputs()
    shape = (1, 192, 256, 3) if role == "detector" else (6, 96, 64, 3)
    pixels = np.random.default_rng(5).integers(0, 256, shape, np.uint8)
    for one, other in zip(before.run(None, {given.name: pixels}), after.run(None, {given.name: pixels}), strict=True):
        assert np.array_equal(one, other)


def test_a_network_without_them_stays_as_it_is() -> None:
    data = list_models()["scene"].data()
    assert len(tabulate_sums(data)) == len(data)
