"""The two networks: a detector of tile quads and a classifier of crops.

Both take float32 NCHW, RGB, normalised as for ImageNet; :func:`prepare` makes that from uint8 pictures and is folded
into the exported graphs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from datasets.labels import LABELS

CODE: Final = 10
"""Numbers of a quad code, see ``vision/detect/codes.py``."""
UNIT: Final = 16.0
"""The detector's geometry is in units of this many pixels."""
STRIDE: Final = 4
MULTIPLE: Final = 32
MEAN: Final = (0.485, 0.456, 0.406)
STD: Final = (0.229, 0.224, 0.225)

LITE0: Final = ((3, 1, 1, 16, 1), (3, 2, 6, 24, 2), (5, 2, 6, 40, 2), (3, 2, 6, 80, 3), (5, 1, 6, 112, 3))
"""EfficientNet-Lite0 up to stride 16: kernel, stride, expansion, channels, blocks."""
LITE0_STEM: Final = 32
FRESH_EXPANSION: Final = 4
"""Channels inside the fresh stage at stride 32, as a multiple of those that it takes."""


def prepare(pictures: Tensor) -> Tensor:
    """uint8 (n, h, w, 3) RGB -> float32 (n, 3, h, w), mean 0 and deviation 1 over ImageNet."""
    mean = torch.tensor(MEAN, device=pictures.device) * 255
    scale = 1 / (torch.tensor(STD, device=pictures.device) * 255)
    scaled: Tensor = ((pictures.float() - mean) * scale).permute(0, 3, 1, 2)
    return scaled


class Depthwise(nn.Conv2d):
    """A depthwise convolution; on processors it runs in full precision, which is five times as fast."""

    def __init__(self, channels: int, kernel: int, stride: int = 1) -> None:
        super().__init__(channels, channels, kernel, stride, kernel // 2, groups=channels, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """(n, channels, h, w) -> (n, channels, h / stride, w / stride)."""
        return _in_full_precision(super().forward, x) if x.device.type == "cpu" else super().forward(x)


class Inverted(nn.Module):
    """An inverted bottleneck of EfficientNet-Lite: expand, depthwise, project; no squeeze, ReLU6."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, expansion: int) -> None:
        """``expansion``: channels in between, as a multiple of ``inputs``."""
        super().__init__()
        expands, wide = expansion > 1, expansion * inputs
        self.expand = nn.Conv2d(inputs, wide, 1, bias=False) if expands else None
        self.bn0 = nn.BatchNorm2d(wide, 1e-3) if expands else None
        self.depthwise = Depthwise(wide, kernel, stride)
        self.bn1 = nn.BatchNorm2d(wide, 1e-3)
        self.project = nn.Conv2d(wide, outputs, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs, 1e-3)
        self.skip = expands and stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        """(n, inputs, h, w) -> (n, outputs, h / stride, w / stride)."""
        y = x if self.expand is None or self.bn0 is None else F.relu6(self.bn0(self.expand(x)))
        z: Tensor = self.bn2(self.project(F.relu6(self.bn1(self.depthwise(y)))))
        return x + z if self.skip else z


class Lite0(nn.Module):
    """EfficientNet-Lite0 (Liu, 2020) up to stride 16 and one fresh stage at 32; features at 4, 8, 16, 32."""

    def __init__(self, last: int) -> None:
        """``last``: channels of the fresh stage."""
        super().__init__()
        self.channels = (24, 40, 112, last)
        self.stem = nn.Conv2d(3, LITE0_STEM, 3, 2, 1, bias=False)
        self.bn = nn.BatchNorm2d(LITE0_STEM, 1e-3)
        blocks: list[nn.Module] = []
        inputs = LITE0_STEM
        self.marks: list[int] = []
        for kernel, stride, expansion, outputs, count in LITE0:
            for k in range(count):
                blocks.append(Inverted(inputs, outputs, kernel, stride if k == 0 else 1, expansion))
                inputs = outputs
            self.marks.append(len(blocks) - 1)
        self.blocks = nn.ModuleList(blocks)
        self.last = Inverted(inputs, last, 5, 2, FRESH_EXPANSION)

    def forward(self, x: Tensor) -> list[Tensor]:
        """Features at strides 4, 8, 16, 32."""
        x = F.relu6(self.bn(self.stem(x)))
        found: list[Tensor] = []
        for i, block in enumerate(self.blocks):
            x = block(x)
            if i in (self.marks[1], self.marks[2], self.marks[4]):
                found.append(x)
        return [*found, self.last(x)]

    def load_imagenet(self, path: Path) -> int:
        """Load the weights that ``scripts.train.pack`` made of the published ones; returns how many tensors fitted.

        Raises:
            ValueError: the file holds another network.
        """
        names = {"stem.weight": "_conv_stem.weight"}
        for part in ("weight", "bias", "running_mean", "running_var"):
            names[f"bn.{part}"] = f"_bn0.{part}"
            for i in range(len(self.blocks)):
                names |= {f"blocks.{i}.bn{k}.{part}": f"_blocks.{i}._bn{k}.{part}" for k in range(3)}
        for i in range(len(self.blocks)):
            for ours, theirs in (
                ("expand", "_expand_conv"),
                ("depthwise", "_depthwise_conv"),
                ("project", "_project_conv"),
            ):
                names[f"blocks.{i}.{ours}.weight"] = f"_blocks.{i}.{theirs}.weight"
        state = self.state_dict()
        taken = 0
        with np.load(path) as stored:
            for ours, theirs in names.items():
                if ours not in state:
                    continue
                # The first block does not expand: the publisher numbers its two norms 1 and 2 as we do.
                if theirs not in stored or stored[theirs].shape != tuple(state[ours].shape):
                    raise ValueError(f"{path} holds no {theirs} of the right shape: not the Lite0 weights")
                state[ours].copy_(torch.from_numpy(stored[theirs].astype(np.float32)))
                taken += 1
        return taken


def _dense_layer(width: int) -> nn.Sequential:
    conv = nn.Conv2d(width, width, 3, 1, 1, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(width), nn.ReLU(inplace=True))


def _in_full_precision(layer: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """The layer's output, computed in full precision whatever the rest runs in: half a pixel is lost otherwise."""
    found: Tensor
    if torch.is_autocast_enabled(x.device.type):
        with torch.autocast(x.device.type, enabled=False):
            found = layer(x.float())
    else:
        found = layer(x)
    return found


@dataclass(frozen=True, slots=True)
class DetectorShape:
    """Channels of the detector's neck and of its trunk's last stage, by default those that ship."""

    width: int = 48
    last: int = 192


class DetectorNet(nn.Module):
    """Picture -> for every cell of 4 x 4 pixels whether it lies in the middle of a face, and the face's quad code."""

    def __init__(self, shape: DetectorShape | None = None) -> None:
        super().__init__()
        self.shape = shape or DetectorShape()
        width = self.shape.width
        self.trunk = Lite0(self.shape.last)
        self.lateral = nn.ModuleList([nn.Conv2d(channels, width, 1) for channels in self.trunk.channels])
        self.smooth = nn.ModuleList([_dense_layer(width) for _ in range(3)])
        self.head = nn.Sequential(_dense_layer(width), _dense_layer(width))
        self.kernel = nn.Conv2d(width, 1, 1)
        self.code = nn.Conv2d(width, CODE, 1)
        nn.init.constant_(self.kernel.bias, -2.5)  # type: ignore[arg-type]

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(n, 3, h, w) prepared -> kernel logits (n, 1, h/4, w/4), codes (n, 10, h/4, w/4) in ``UNIT`` pixels."""
        levels = [lateral(f) for lateral, f in zip(self.lateral, self.trunk(x), strict=True)]
        y = levels[3]
        for k in (2, 1, 0):
            y = self.smooth[k](levels[k] + F.interpolate(y, scale_factor=2.0, mode="nearest"))
        y = self.head(y)
        return _in_full_precision(self.kernel, y), _in_full_precision(self.code, y)


class Residual(nn.Module):
    """Two 3 x 3 convolutions with a skip."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1, within: int = 0) -> None:
        """``within``: channels between the two; those of the output if 0."""
        super().__init__()
        within = within or outputs
        self.a = nn.Sequential(nn.Conv2d(inputs, within, 3, stride, 1, bias=False), nn.BatchNorm2d(within), nn.ReLU())
        self.b = nn.Sequential(nn.Conv2d(within, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs))
        same = inputs == outputs and stride == 1
        self.skip = (
            nn.Identity()
            if same
            else nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))
        )

    def forward(self, x: Tensor) -> Tensor:
        """(n, inputs, h, w) -> (n, outputs, h / stride, w / stride)."""
        return F.relu(self.b(self.a(x)) + self.skip(x))


@dataclass(frozen=True, slots=True)
class ClassifierShape:
    """Channels of the classifier's four stages and of its embedding; crop size and margin it is made for.

    Attributes:
        hidden: channels between the two convolutions of each of its seven blocks, where they are not the stage's.
    """

    stages: tuple[int, int, int, int] = (40, 80, 160, 224)
    embedding: int = 160
    crop: tuple[int, int] = (64, 96)
    margin: float = 0.16
    dropout: float = 0.15
    hidden: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse widths that do not match the number of blocks.

        Raises:
            ValueError: too many or too few.
        """
        if len(self.hidden) not in (0, 7):
            raise ValueError("a classifier has 7 hidden widths")


class ClassifierNet(nn.Module):
    """Crop -> which face, which quarter turn, and an embedding for set profiles."""

    def __init__(self, shape: ClassifierShape | None = None) -> None:
        super().__init__()
        self.shape = shape or ClassifierShape()
        a, b, c, d = self.shape.stages
        stem = nn.Sequential(nn.Conv2d(3, a, 3, 2, 1, bias=False), nn.BatchNorm2d(a), nn.ReLU(inplace=True))
        ends = ((a, a, 1), (a, b, 2), (b, b, 1), (b, c, 2), (c, c, 1), (c, d, 2), (d, d, 1))
        within = self.shape.hidden or (0,) * len(ends)
        blocks = [Residual(*each, wide) for each, wide in zip(ends, within, strict=True)]
        self.features = nn.Sequential(stem, *blocks)
        self.embed = nn.Linear(d * 6, self.shape.embedding)
        self.drop = nn.Dropout(self.shape.dropout)
        self.face = nn.Linear(self.shape.embedding, len(LABELS))
        self.turn = nn.Linear(self.shape.embedding, 4)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(n, 3, h, w) prepared -> face logits (n, classes), turn logits (n, 4), embeddings (n, D)."""
        y = self.features(x)
        n, c, h, w = y.shape
        # A coarse 3 x 2 layout of the face is kept: where things are tells an 8 from a 9 and a top from a bottom.
        y = y.reshape(n, c, 3, h // 3, 2, w // 2).mean((3, 5)).flatten(1)
        embedding = F.relu(self.embed(y))
        y = self.drop(embedding)
        return self.face(y), self.turn(y), embedding


def build(role: str, shape: dict[str, Any] | None = None) -> DetectorNet | ClassifierNet:
    """A fresh network of a role (``detector`` or ``classifier``) and, from a checkpoint, its shape."""
    given: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in (shape or {}).items()
    }
    return DetectorNet(DetectorShape(**given)) if role == "detector" else ClassifierNet(ClassifierShape(**given))


def shape_of(net: DetectorNet | ClassifierNet) -> dict[str, Any]:
    """What :func:`build` needs to make the same network again."""
    return asdict(net.shape)


def count_parameters(net: nn.Module) -> int:
    """How many parameters a network has."""
    return sum(p.numel() for p in net.parameters())
