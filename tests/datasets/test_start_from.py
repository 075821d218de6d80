"""Released networks become checkpoints that training goes on from. Skipped without torch."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra: train)")
onnx = pytest.importorskip("onnx", reason="onnx is not installed (extra: train)")

from datasets.learn import export  # noqa: E402
from datasets.learn.nets import ClassifierNet, ClassifierShape, DetectorNet, DetectorShape  # noqa: E402
from scripts.train.onnx.start_from import classifier_of, copy_convolutions, detector_of  # noqa: E402

pytestmark = pytest.mark.release


def settled(net):
    """The network as a released file holds it: normalisations that only add, over channels of ordinary size."""
    torch.manual_seed(3)
    for module in net.modules():
        if isinstance(module, torch.nn.Conv2d):
            torch.nn.init.normal_(module.weight, std=(2 / module.weight[0].numel()) ** 0.5)
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.zero_()
            module.running_var.fill_(1 - module.eps)
            torch.nn.init.normal_(module.bias, std=0.1)
    return net.eval().requires_grad_(False)


def picture(side):
    return torch.from_numpy(np.random.default_rng(0).normal(size=(4, 3, side, side)).astype(np.float32))


@pytest.mark.parametrize("net", [
    DetectorNet(DetectorShape(16, 32)),
    ClassifierNet(ClassifierShape((8, 12, 16, 24), 32, hidden=(8, 16, 8, 16, 8, 24, 8))),
], ids=["detector", "classifier"])  # fmt: skip
def test_released_files_of_narrow_networks_come_back_as_they_were(net) -> None:
    settled(net)
    facts = (
        {"role": "detector"} if isinstance(net, DetectorNet) else export.metadata_of(net, "1", "a test", 1.0, (8, 80))
    )
    model = onnx.load_from_string(export.to_onnx(net, facts, half=False))
    back = detector_of(model) if isinstance(net, DetectorNet) else classifier_of(model)
    assert back.shape == net.shape
    x = picture(64) if isinstance(net, DetectorNet) else picture(96)[..., :64]
    copy_convolutions(back, model)
    back.eval().requires_grad_(False)
    for ours, theirs in zip(back(x), net(x), strict=True):
        assert float((ours - theirs).abs().max()) < 0.01 * float(theirs.abs().max())


def test_widths_for_other_layers_than_there_are_are_refused() -> None:
    with pytest.raises(ValueError, match="widths"):
        ClassifierShape(hidden=(8,) * 6)
