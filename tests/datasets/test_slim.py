"""Networks lose the channels that others can stand in for, and answer as before. Skipped without torch."""

import copy
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra: train)")
onnx = pytest.importorskip("onnx", reason="onnx is not installed (extra: train)")

from datasets.learn import checkpoint, export  # noqa: E402
from datasets.learn.nets import (  # noqa: E402
    NECK,
    WIDE0,
    Finder,
    FinderShape,
    Reader,
    ReaderShape,
    build,
    count_parameters,
    shape_of,
)
from datasets.learn.slim import MULTIPLE, Slimmed, slim, units  # noqa: E402
from scripts.start_from_models import finder_of, reader_of, take  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TINY_READER = ReaderShape(stages=(16, 16, 24, 24), embedding=16)
TINY_FINDER = FinderShape(16, False, 32, (16, *(24,) * 10, 32))


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


def pictures(count=6, side=64):
    return [
        torch.from_numpy(np.random.default_rng(k).normal(size=(4, 3, side, side)).astype(np.float32))
        for k in range(count)
    ]


def twice_the_same(net):
    """Gives half the channels inside the network the weights of the other half: they can be spared."""
    for unit in units(net):
        for conv, norm in unit.makers:
            half = conv.out_channels // 2
            conv.weight[half : 2 * half] = conv.weight[:half]
            if conv.bias is not None:
                conv.bias[half : 2 * half] = conv.bias[:half]
            if norm is not None:
                norm.bias[half : 2 * half] = norm.bias[:half]
    return net


@pytest.mark.parametrize("net", [Reader(TINY_READER), Finder(TINY_FINDER),
                                 Finder(replace(TINY_FINDER, separable=True))],
                         ids=["reader", "finder", "separable finder"])  # fmt: skip
def test_channels_that_are_there_twice_go_and_nothing_changes(net, monkeypatch) -> None:
    monkeypatch.setattr("datasets.learn.slim.RIDGE", 1e-7)
    net = twice_the_same(settled(net))
    batches = pictures(side=96 if isinstance(net, Reader) else 64)
    if isinstance(net, Reader):
        batches = [x[..., :64] for x in batches]
    whole, told = copy.deepcopy(net), list[Slimmed]()
    slim(net, whole, batches, 1e-4, told.append)
    halves = [-(-unit.width // 2 // MULTIPLE) * MULTIPLE for unit in units(whole)]
    assert [t.after for t in told] == [unit.width for unit in units(net)]
    assert all(after <= half for after, half in zip((t.after for t in told), halves, strict=True))
    for ours, theirs in zip(net(batches[0]), whole(batches[0]), strict=True):
        assert float((ours - theirs).abs().mean()) < 0.05 * float(theirs.abs().mean())


def test_a_limit_says_how_much_may_be_lost_and_a_slimmed_network_is_built_again_from_its_shape() -> None:
    whole = settled(Reader(TINY_READER))
    batches = [x[..., :64] for x in pictures(side=96)]
    sizes = []
    for limit in (1e-9, 0.05, 0.3):
        net, told = copy.deepcopy(whole), list[Slimmed]()
        slim(net, whole, batches, limit, told.append)
        assert all(t.lost <= limit and t.after % MULTIPLE == 0 for t in told)
        sizes.append(count_parameters(net))
        again = build("reader", json.loads(json.dumps(shape_of(net))))
        again.load_state_dict(net.state_dict())
        assert torch.equal(again.eval()(batches[0])[0], net(batches[0])[0])
    assert sizes[0] == count_parameters(whole) > sizes[1] > sizes[2]


def test_later_layers_mend_what_earlier_ones_lost() -> None:
    whole = settled(Reader(TINY_READER))
    batches = [x[..., :64] for x in pictures(side=96, count=10)]
    net = copy.deepcopy(whole)
    slim(net, whole, batches, 0.1)
    for unit, kept in zip(units(whole), units(net), strict=True):
        assert unit.width >= kept.width
    held = batches[-1]
    # The same channels without weights solved anew: those of the whole network, cut.
    cut = build("reader", shape_of(net)).eval().requires_grad_(False)
    state = whole.state_dict()
    cut.load_state_dict({k: state[k][tuple(slice(0, n) for n in v.shape)] for k, v in net.state_dict().items()})
    off = [float((n(held)[2] - whole(held)[2]).abs().mean()) for n in (net, cut)]
    assert off[0] < off[1] / 2


@pytest.mark.parametrize("net", [
    Finder(FinderShape(8, False, 32, (16, *(24,) * 10, 40), (8, 16, 24, 8, 16, 24))),
    Finder(FinderShape(8, True, 32, (16, *(24,) * 10, 40), (8, 16, 24, 8, 16, 24))),
    Finder(FinderShape(16, True, 32)),
    Reader(ReaderShape((8, 12, 16, 24), 32, hidden=(8, 16, 8, 16, 8, 24, 8))),
], ids=["finder", "separable finder", "wide finder", "reader"])  # fmt: skip
def test_released_files_of_narrow_networks_come_back_as_they_were(net) -> None:
    settled(net)
    facts = {"role": "finder"} if isinstance(net, Finder) else export.metadata_of(net, "1", "a test", 1.0, (8, 80))
    model = onnx.load_from_string(export.to_onnx(net, facts, half=False))
    back = finder_of(model) if isinstance(net, Finder) else reader_of(model)
    assert back.shape == net.shape
    x = pictures(1)[0] if isinstance(net, Finder) else pictures(1, 96)[0][..., :64]
    take(back, model)
    back.eval().requires_grad_(False)
    for ours, theirs in zip(back(x), net(x), strict=True):
        assert float((ours - theirs).abs().max()) < 0.01 * float(theirs.abs().max())


def test_widths_for_other_layers_than_there_are_are_refused() -> None:
    for wrong in (lambda: FinderShape(hidden=WIDE0[1:]), lambda: FinderShape(neck=(8,) * (NECK + 1)),
                  lambda: ReaderShape(hidden=(8,) * 6)):  # fmt: skip
        with pytest.raises(ValueError, match="widths"):
            wrong()


def test_the_script_writes_checkpoints_that_training_goes_on_from(tmp_path: Path) -> None:
    net = settled(Reader(TINY_READER))
    facts = export.metadata_of(net, "1", "a test", 1.0, (8, 80))
    (tmp_path / "reader.onnx").write_bytes(export.to_onnx(net, facts))
    command = [sys.executable, "scripts/slim_models.py", "--models", str(tmp_path), "--out", str(tmp_path / "run")]
    run = subprocess.run([*command, "--reader", "0.2", "--scenes", "2"], capture_output=True, text=True, cwd=ROOT,
                         env={"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}, check=False)  # fmt: skip
    assert run.returncode == 0, run.stderr
    content = checkpoint.load(tmp_path / "run" / "reader.pt")
    assert content["facts"]["slimmed"]["limit"] == 0.2
    slimmed = checkpoint.network(content)
    assert count_parameters(slimmed) < count_parameters(net)
    refused = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=False
    )
    assert refused.returncode == 2 and "--finder, --reader or --bonus" in refused.stderr
