"""Channels that the rest of a layer can stand in for are taken out, and what reads them is solved anew.

Structured pruning with the optimal brain surgeon's rule (Hassibi and Stork, 1993; for groups of weights in a layer's
own least-squares problem as Kurtic et al. 2023, "ZipLM"): of the channels between two convolutions the one goes whose
loss the second convolution makes up for best, until what is lost reaches a limit. The problem of a layer is posed with
what the slimmed network gives it and what the whole one makes of the same pictures, so later layers mend what earlier
ones lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from datasets.learn.nets import NECK, Finder, Inverted, Reader, Residual

PLACES: Final = 160
"""Places of a picture whose neighbourhoods are taken into a layer's problem."""
RIDGE: Final = 1e-3
"""Pull towards the weights that were, as a share of the mean power of what the layer reads."""
MULTIPLE: Final = 8
"""Channels come in multiples of it: processors take so many at once."""


Layer: TypeAlias = tuple[nn.Conv2d, nn.BatchNorm2d | None]
"""A convolution and the normalisation behind it."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Channels made by some convolutions and read by others, by nothing else.

    Attributes:
        name: for the report.
        makers: convolutions that give the channels, or treat each by itself, with the normalisation behind each.
        users: convolutions that read them, likewise.
        beside: what is added to the users' output: a module whose output that is, or the one whose input it is.
        itself: ``beside`` is the one whose input counts.
    """

    name: str
    makers: tuple[Layer, ...]
    users: tuple[Layer, ...]
    beside: nn.Module | None = None
    itself: bool = False

    @property
    def width(self) -> int:
        """How many channels there are."""
        return self.users[0][0].in_channels


@dataclass(frozen=True, slots=True)
class Slimmed:
    """What became of a unit: channels before and after, and the share of its users' power that was lost."""

    name: str
    before: int
    after: int
    lost: float


def units(net: Finder | Reader) -> Iterator[Unit]:
    """The units of a network in the order they run, every width of its shape's ``hidden`` and ``neck`` once."""
    if isinstance(net, Reader):
        for k, block in enumerate(list(net.features)[1:]):
            assert isinstance(block, Residual)
            yield Unit(f"block {k + 1}", (_both(block.a[0], block.a[1]),), (_both(block.b[0], block.b[1]),), block.skip)
        return
    trunk = net.trunk
    blocks: list[nn.Module] = [*trunk.blocks, trunk.last]
    first, others = blocks[0], blocks[1:]
    assert isinstance(first, Inverted)
    yield Unit("stem", ((trunk.stem, trunk.bn), (first.depthwise, first.bn1)), ((first.project, first.bn2),))
    for k, block in enumerate(others):
        assert isinstance(block, Inverted) and block.expand is not None
        makers = (block.expand, block.bn0), (block.depthwise, block.bn1)
        yield Unit(f"block {k + 1}", makers, ((block.project, block.bn2),), block if block.skip else None, True)
    side = [(_conv(lateral), None) for lateral in net.lateral]
    smooth = [_layer(m) for m in net.smooth]
    yield _read_by("sum at 16", (side[3], side[2]), smooth[2])
    yield _read_by("sum at 8", (side[1], smooth[2][-1]), smooth[1])
    yield _read_by("sum at 4", (side[0], smooth[1][-1]), smooth[0])
    head = [_layer(m) for m in net.head]
    yield _read_by("first at 4", (smooth[0][-1],), head[0])
    yield _read_by("second at 4", (head[0][-1],), head[1])
    yield Unit("third at 4", (head[1][-1],), ((net.kernel, None), (net.code, None)))


@torch.no_grad()
def slim(
    net: Finder | Reader, whole: Finder | Reader, batches: Sequence[Tensor], limit: float,
    told: Callable[[Slimmed], None] = lambda _: None,
) -> None:  # fmt: skip
    """Take out of ``net``, in place, the channels that can be spared.

    Args:
        net: a network whose normalisations do nothing but add (``start_from_models.take``).
        whole: the same one, which stays as it is.
        batches: (n, 3, h, w) prepared pictures.
        limit: most of the power of what a layer's users give that may be lost, 0-1.
        told: is told what became of each unit.
    """
    kept: list[int] = []
    for unit, original in zip(units(net), units(whole), strict=True):
        power, problem, target = _problem(net, unit, whole, original, batches)
        before = unit.width
        which, weight, bias, lost = _spared(problem, target, unit, limit, power)
        _select(unit, which)
        _refit(unit, weight, bias)
        kept.append(len(which))
        told(Slimmed(unit.name, before, len(which), lost))
    if isinstance(net, Reader):
        net.shape = replace(net.shape, hidden=tuple(kept))
        return
    trunk = len(kept) - NECK
    net.shape = replace(net.shape, hidden=tuple(kept[:trunk]), neck=tuple(kept[trunk:]))


def _fixed(values: Tensor) -> nn.Parameter:
    return nn.Parameter(values.contiguous(), requires_grad=False)


def _conv(module: nn.Module) -> nn.Conv2d:
    assert isinstance(module, nn.Conv2d)
    return module


def _both(conv: nn.Module, norm: nn.Module) -> Layer:
    assert isinstance(norm, nn.BatchNorm2d)
    return _conv(conv), norm


def _layer(module: nn.Module) -> list[Layer]:
    """The convolutions of a dense or separable layer, each with its normalisation."""
    assert isinstance(module, nn.Sequential)
    parts = list(module)
    return [_both(parts[k], parts[k + 1]) for k in range(len(parts) - 1) if isinstance(parts[k], nn.Conv2d)]


def _read_by(name: str, makers: tuple[Layer, ...], layer: list[Layer]) -> Unit:
    """Channels read by a layer: what it does to each channel by itself belongs to their making."""
    return Unit(name, (*makers, *layer[:-1]), (layer[-1],))


def _problem(
    net: nn.Module, unit: Unit, whole: nn.Module, original: Unit, batches: Sequence[Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    """Power of what is wanted, and moments of the least-squares problem of a unit's users, a last row for the bias."""
    generator = torch.Generator().manual_seed(0)
    moments: Tensor | None = None
    target: Tensor | None = None
    square = wanted_sum = torch.zeros(())
    count = 0
    for batch in batches:
        with _Watched(unit) as ours, _Watched(original) as theirs:
            net(batch)
            whole(batch)
        reads, wanted = ours.reads, torch.cat(theirs.gave, 1)
        if theirs.beside is not None and ours.beside is not None:
            wanted = wanted + theirs.beside - ours.beside
        user, _ = unit.users[0]
        rows = F.unfold(reads, user.kernel_size, padding=user.padding, stride=user.stride)  # type: ignore[arg-type]
        n, _, places = rows.shape
        chosen = torch.randint(places, (n, min(PLACES, places)), generator=generator)
        x = torch.cat([rows[k, :, chosen[k]].T for k in range(n)])
        y = torch.cat([wanted[k].flatten(1)[:, chosen[k]].T for k in range(n)])
        x = torch.cat([x, torch.ones(len(x), 1)], 1)
        moments = (0 if moments is None else moments) + (x.T @ x).double()
        target = (0 if target is None else target) + (x.T @ y).double()
        square, wanted_sum, count = square + (y * y).double().sum(0), wanted_sum + y.double().sum(0), count + len(y)
    assert moments is not None and target is not None
    power = (square / count - (wanted_sum / count) ** 2).clamp(min=0)
    return power, moments / count, target / count


class _Watched:
    """What a unit's users read and give, and what is added beside them, in one run of the network."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.reads = torch.empty(0)
        self.gave: list[Tensor] = []
        self.beside: Tensor | None = None

    def __enter__(self) -> _Watched:
        def used(_: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
            self.reads = inputs[0]
            self.gave.append(output)

        def passed(_: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
            self.beside = inputs[0] if self.unit.itself else output

        self.hooks = [user.register_forward_hook(used) for user, _ in self.unit.users]
        if self.unit.beside is not None:
            self.hooks.append(self.unit.beside.register_forward_hook(passed))
        return self

    def __exit__(self, *_: object) -> None:
        for hook in self.hooks:
            hook.remove()


def _spared(
    moments: Tensor, target: Tensor, unit: Unit, limit: float, power: Tensor
) -> tuple[Tensor, Tensor, Tensor, float]:
    """Which channels stay, the users' weights (rows: those channels' inputs) and biases, and the share lost."""
    before = torch.cat([user.weight.flatten(1) for user, _ in unit.users]).T.double()
    bias = torch.cat(
        [torch.zeros(user.out_channels) if user.bias is None else user.bias for user, _ in unit.users]
    ).double()
    start = torch.cat([before, bias[None]])
    ridge = RIDGE * float(moments.diagonal()[:-1].mean())
    damped = moments + ridge * torch.eye(len(moments), dtype=torch.float64)
    inverse = torch.linalg.inv(damped)
    weight = inverse @ (target + ridge * start)
    area = (len(moments) - 1) // unit.width
    stays = list(range(unit.width))
    whole = float(power.sum())
    lost, best = 0.0, (torch.tensor(stays), weight.clone(), 0.0)
    while len(stays) > MULTIPLE:
        groups = torch.arange(len(stays) * area).reshape(len(stays), area)
        own = inverse[groups[:, :, None], groups[:, None, :]]
        rows = weight[groups]
        price = (rows * torch.linalg.solve(own, rows)).sum((1, 2))
        cheapest = int(price.argmin())
        lost += float(price[cheapest]) / whole
        if lost > limit:
            break
        gone = groups[cheapest]
        step = torch.linalg.solve(own[cheapest], torch.cat([weight[gone], inverse[gone]], 1))
        across = inverse[:, gone]
        weight = weight - across @ step[:, : weight.shape[1]]
        inverse = inverse - across @ step[:, weight.shape[1] :]
        left = torch.ones(len(weight), dtype=torch.bool)
        left[gone] = False
        weight, inverse = weight[left], inverse[left][:, left]
        del stays[cheapest]
        if len(stays) % MULTIPLE == 0:
            best = torch.tensor(stays), weight.clone(), lost
    which, solved, share = best
    return which, solved[:-1], solved[-1], share


def _select(unit: Unit, which: Tensor) -> None:
    """Leave the makers and users no other channels than the given ones."""
    for conv, norm in unit.makers:
        if conv.groups > 1:
            conv.groups = conv.in_channels = len(which)
        conv.out_channels = len(which)
        conv.weight = _fixed(conv.weight[which].clone())
        if conv.bias is not None:
            conv.bias = _fixed(conv.bias[which].clone())
        if norm is not None:
            norm.num_features = len(which)
            norm.weight, norm.bias = _fixed(norm.weight[which].clone()), _fixed(norm.bias[which].clone())
            assert norm.running_mean is not None and norm.running_var is not None
            norm.running_mean, norm.running_var = norm.running_mean[which].clone(), norm.running_var[which].clone()
    for user, _ in unit.users:
        user.in_channels = len(which)


def _refit(unit: Unit, weight: Tensor, bias: Tensor) -> None:
    """Give the users the weights and biases that were solved for."""
    at = 0
    for user, norm in unit.users:
        columns = slice(at, at + user.out_channels)
        at += user.out_channels
        shape = (user.out_channels, user.in_channels, *user.kernel_size)
        user.weight = _fixed(weight[:, columns].T.float().reshape(shape))
        if user.bias is not None:
            user.bias = _fixed(bias[columns].float())
        elif norm is not None:
            norm.bias.add_(bias[columns].float())
