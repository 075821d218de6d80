"""ONNX models -> checkpoints that ``scripts.train.run`` continues, so that a run starts from released weights.

    python -m scripts.train.onnx.start_from --models models/float --out runs/two --pack work/pack

Takes networks of the shapes in ``datasets/learn/nets.py`` at any width. An exported file has its normalisations folded
into the convolutions; here they are taken out again: each gets the mean and standard deviation of its inputs on
rendered scenes, so that the network answers as before and learns as usual. Faces that the file does not know start out
unlikely.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from datasets.labels import LABELS
from datasets.learn import checkpoint
from datasets.learn.checkpoint import Averaged, TrainingProgress
from datasets.learn.eight_bits.pixels import change_preparation, measure_preparation
from datasets.learn.nets import MEAN, STD, ClassifierNet, ClassifierShape, DetectorNet, DetectorShape, prepare
from datasets.photographs.packs import open_studio
from datasets.scenes.crops import CropShape, scene_crops
from datasets.scenes.training import SceneSettings, make_scene
from scripts.train import Models, Out, Pack, run

Array = npt.NDArray[np.float32]
SCENES = 40
"""Rendered to measure means and deviations."""
UNLIKELY_NATS = 2.0
"""Nats by which a face the file does not know starts below the least likely one it knows."""


def weights_by_name(model: onnx.ModelProto) -> dict[str, Array]:
    """Every weight by name, in full precision; halved and shared ones under the names that the graph uses them by."""
    found = {t.name: np.array(numpy_helper.to_array(t), np.float32) for t in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type in ("Cast", "Identity") and node.input[0] in found:
            found[node.output[0]] = found[node.input[0]]
    return found


def convolutions(model: onnx.ModelProto) -> list[tuple[Array, Array]]:
    """Weight and bias of every convolution in the order they run."""
    known = weights_by_name(model)
    return [(known[n.input[1]], known[n.input[2]]) for n in model.graph.node if n.op_type == "Conv"]


def layers_in_order(net: nn.Module, example: Tensor) -> list[tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """The convolutions of a network in the order they run, each with the normalisation behind it."""
    ran: list[nn.Module] = []
    kept = [m for m in net.modules() if isinstance(m, nn.Conv2d | nn.BatchNorm2d)]
    hooks = [m.register_forward_hook(lambda m, *_: ran.append(m)) for m in kept]
    with torch.no_grad():
        net.eval()(example)
    for hook in hooks:
        hook.remove()
    pairs: list[tuple[nn.Conv2d, nn.BatchNorm2d | None]] = []
    for k, module in enumerate(ran):
        if isinstance(module, nn.Conv2d):
            after = ran[k + 1] if k + 1 < len(ran) else None
            pairs.append((module, after if isinstance(after, nn.BatchNorm2d) and module.bias is None else None))
    return pairs


@torch.no_grad()
def copy_convolutions(net: DetectorNet | ClassifierNet, model: onnx.ModelProto) -> None:
    """Put the convolutions of a file into a network, whose normalisations then only add a bias.

    Raises:
        ValueError: the file holds a network of another shape.
    """
    size = (96, 64) if isinstance(net, ClassifierNet) else (64, 64)
    pairs, given = layers_in_order(net, torch.zeros(1, 3, *size)), convolutions(model)
    if [tuple(c.weight.shape) for c, _ in pairs] != [w.shape for w, _ in given]:
        raise ValueError(f"the file's {len(given)} convolutions are not those of a {type(net).__name__}")
    mean, deviation = np.array(MEAN, np.float32) * 255, np.array(STD, np.float32) * 255
    given[0] = change_preparation(*given[0], measure_preparation(model), mean, deviation)
    for (layer, norm), (weight, bias) in zip(pairs, given, strict=True):
        layer.weight.copy_(torch.from_numpy(weight))
        if norm is None:
            assert layer.bias is not None
            layer.bias.copy_(torch.from_numpy(bias))
            continue
        norm.running_mean, norm.running_var = torch.zeros(len(bias)), torch.ones(len(bias)) - norm.eps
        norm.weight.fill_(1.0)
        norm.bias.copy_(torch.from_numpy(bias))


@torch.no_grad()
def unfold_norms(net: DetectorNet | ClassifierNet, batches: list[Tensor]) -> None:
    """Give every normalisation the mean and deviation of its inputs, without changing what the network answers."""
    norms = [m for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    sums = {m: torch.zeros(3, m.num_features, dtype=torch.float64) for m in norms}

    def note(module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        x = inputs[0].double()
        assert isinstance(module, nn.BatchNorm2d)
        sums[module] += torch.stack([torch.full((x.shape[1],), x.numel() / x.shape[1]), x.sum((0, 2, 3)),
                                     (x * x).sum((0, 2, 3))])  # fmt: skip

    hooks = [m.register_forward_pre_hook(note) for m in norms]
    for batch in batches:
        net.eval()(prepare(batch))
    for hook in hooks:
        hook.remove()
    for norm in norms:
        count, total, squares = sums[norm]
        mean = total / count
        variance = (squares / count - mean**2).clamp(min=1e-6)
        norm.running_mean, norm.running_var = mean.float(), variance.float()
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.add_(mean.float())


def last_linear(model: onnx.ModelProto, output: str) -> tuple[Array, Array]:
    """Weight and bias of the last linear layer before an output, whatever the exporter called them."""
    known = weights_by_name(model)
    makers = {name: node for node in model.graph.node for name in node.output}
    node = makers[output]
    while node.op_type != "Gemm":
        node = makers[node.input[0]]
    return known[node.input[1]], known[node.input[2]]


@torch.no_grad()
def classifier_of(model: onnx.ModelProto) -> ClassifierNet:
    """A classifier with the weights of a file and an output for each of our labels."""
    given = convolutions(model)
    facts = {p.key: p.value for p in model.metadata_props}
    labels, crop = json.loads(facts["labels"]), json.loads(facts["crop"])
    outputs = [weight.shape[0] for weight, _ in given]
    # The stem, then two convolutions a block; blocks that change the width have a third beside them.
    firsts, seconds = (1, 3, 6, 8, 11, 13, 16), (2, 4, 7, 9, 12, 14, 17)
    hidden = tuple(outputs[k] for k in firsts)
    usual = hidden == tuple(outputs[k] for k in seconds)
    shape = ClassifierShape((outputs[0], outputs[4], outputs[9], outputs[14]), last_linear(model, "emb")[0].shape[0],
                        (crop[0], crop[1]), float(facts["margin"]), hidden=() if usual else hidden)  # fmt: skip
    net = ClassifierNet(shape)
    copy_convolutions(net, model)
    for name, layer in (("emb", net.embed), ("turn", net.turn)):
        weight, bias = last_linear(model, name)
        layer.weight.copy_(torch.from_numpy(weight))
        layer.bias.copy_(torch.from_numpy(bias))
    weight, bias = last_linear(model, "face")
    net.face.weight.mul_(0.1)
    net.face.bias.fill_(float(bias.min()) - UNLIKELY_NATS)
    for k, label in enumerate(LABELS):
        if label in labels:
            net.face.weight[k] = torch.from_numpy(weight[labels.index(label)])
            net.face.bias[k] = float(bias[labels.index(label)])
    return net


def detector_of(model: onnx.ModelProto) -> DetectorNet:
    """A detector with the weights of a file."""
    outputs = [weight.shape[0] for weight, _ in convolutions(model)]
    # The last in the order they run: the trunk's last stage; the neck's four side layers, its five layers from coarse
    # to fine, and the two answers.
    net = DetectorNet(DetectorShape(width=outputs[-3], last=outputs[-12]))
    copy_convolutions(net, model)
    return net


def rendered_batches(pack: Path | None, crop: CropShape) -> tuple[list[Tensor], list[Tensor]]:
    """Rendered scenes, and the crops of them, in batches."""
    studio, rng = open_studio(pack), np.random.default_rng(0)
    found, cut = [], []
    for _ in range(SCENES):
        scene = make_scene(rng, studio, SceneSettings(size=448, largest=130))
        found.append(torch.from_numpy(scene.image[None]))
        cut.append(torch.from_numpy(scene_crops(rng, scene, crop).images))
    return found, [crops for crops in cut if len(crops)]


def main(models: Models, out: Out, pack: Pack = None) -> None:
    roles = [role for role in ("detector", "classifier", "bonus") if (models / f"{role}.onnx").is_file()]
    files = {role: onnx.load(models / f"{role}.onnx") for role in roles}
    nets = {r: detector_of(file) if r == "detector" else classifier_of(file) for r, file in files.items()}
    shape = nets["classifier"].shape
    assert isinstance(shape, ClassifierShape)
    scenes, crops = rendered_batches(pack, CropShape(*shape.crop, shape.margin))
    versions = {role: p.value for role, file in files.items() for p in file.metadata_props if p.key == "version"}
    for role, net in nets.items():
        kind = "detector" if role == "detector" else "classifier"
        unfold_norms(net, scenes if role == "detector" else crops)
        checkpoint.save(out / f"{role}.pt", kind, net, Averaged(net), TrainingProgress(), {"started_from": versions})
    print(f"written to {out}: {', '.join(f'{role}.pt' for role in nets)}")


if __name__ == "__main__":
    run(main)
