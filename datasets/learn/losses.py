"""The losses of the networks."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor
from torch.nn import functional as F

from datasets.learn.nets import STRIDE, UNIT
from datasets.scenes.crops import UNASKED
from datasets.scenes.targets import IGNORE

KEYSTONE_WEIGHT: Final = 0.7
RIM_WEIGHT: Final = 0.4
"""Weight of cells outside the kernel that learn a code."""
TURN_WEIGHT: Final = 0.5
SMOOTHING: Final = 0.03
"""Share of the true label that the others get."""
SOFTENED: Final = 2.0
"""Temperature at which a student is compared with its teacher."""


def detector_loss(kernel: Tensor, code: Tensor, truth: Tensor, tile: Tensor, codes: Tensor) -> tuple[Tensor, Tensor]:
    """Loss of the kernel map (focal and dice) and of the geometry (relative to the tile's size).

    Args:
        kernel: (n, 1, h, w) logits; code: (n, 10, h, w).
        truth: (n, h, w) uint8, 255 where ignored; tile: (n, h, w) row of ``codes`` or -1.
        codes: (n, rows, 10) quad codes in pixels.
    """
    logits = kernel[:, 0].float()
    asked = (truth != IGNORE).float()
    yes = (truth == 1).float()
    p = torch.sigmoid(logits)
    cross = F.binary_cross_entropy_with_logits(logits, yes, reduction="none")
    miss = torch.where(yes > 0, 1 - p, p)
    weight = torch.where(yes > 0, 2.0, 1.0) * asked
    focal = (cross * miss**1.5 * weight).sum() / (yes.sum() + 50 * len(logits))
    seen = p * asked
    both, total = (seen * yes).sum((1, 2)), (seen * seen).sum((1, 2)) + yes.sum((1, 2))
    dice = (1 - (2 * both + 20) / (total + 20)).mean()
    return focal + dice, geometry_loss(code, truth, tile, codes)


def geometry_loss(code: Tensor, truth: Tensor, tile: Tensor, codes: Tensor) -> Tensor:
    """Smooth L1 between codes, in units of the tile's size, over the cells that belong to a tile."""
    which = tile >= 0
    if not bool(which.any()):
        return code.sum() * 0
    n, y, x = which.nonzero(as_tuple=True)
    wanted = codes[n, tile[n, y, x].long()]
    middle = (STRIDE - 1) / 2
    own = torch.stack([x * STRIDE + middle, y * STRIDE + middle], 1).to(wanted.dtype)
    wanted = torch.cat([wanted[:, :2] - own, wanted[:, 2:]], 1)
    each = _apart(code[n, :, y, x].float() * UNIT, wanted)
    each = torch.cat([each[:, :8], each[:, 8:] * KEYSTONE_WEIGHT], 1).sum(1)
    weight = torch.where(truth[n, y, x] == 1, 1.0, RIM_WEIGHT)
    return (each * weight).sum() / weight.sum()


def _apart(codes: Tensor, wanted: Tensor) -> Tensor:
    """(n, 10) smooth L1 between codes in pixels, in units of the size of the tiles wanted."""
    size = torch.sqrt((wanted[:, 2] + wanted[:, 4]).clamp(1) * (wanted[:, 5] + wanted[:, 7]).clamp(1))
    off = (codes - wanted) / size[:, None]
    return F.smooth_l1_loss(off, torch.zeros_like(off), beta=0.05, reduction="none")


def classifier_loss(face: Tensor, turn: Tensor, faces: Tensor, turns: Tensor) -> Tensor:
    """Cross entropy of the face, and of the turn where one is given.

    Args:
        turns: (n,) as in :class:`datasets.scenes.crops.Crops`.
    """
    loss = F.cross_entropy(face.float(), faces, label_smoothing=SMOOTHING)
    asked = turns != UNASKED
    if bool(asked.any()):
        log = F.log_softmax(turn.float()[asked], 1)
        ways = torch.cat([log, log[:, [0, 2]].logsumexp(1, keepdim=True), log[:, [1, 3]].logsumexp(1, keepdim=True)], 1)
        loss = loss + TURN_WEIGHT * F.nll_loss(ways, turns[asked])
    return loss


def kept_loss(face: Tensor, teacher: Tensor, faces: Tensor) -> Tensor:
    """How far a classifier strays from an earlier one on crops that the earlier one names right (Li and Hoiem, 2016).

    Where the teacher is wrong or lacks the label, the classifier is free to change.

    Args:
        face, teacher: (n, classes) logits; faces: (n,) true classes.
    """
    right = (teacher.argmax(1) == faces).float()
    before = F.log_softmax(teacher.float() / SOFTENED, 1)
    now = F.log_softmax(face.float() / SOFTENED, 1)
    apart = F.kl_div(now, before, reduction="none", log_target=True).sum(1)
    return (apart * right).mean() * SOFTENED**2


def kept_tiles_loss(kernel: Tensor, code: Tensor, teacher: tuple[Tensor, Tensor], truth: Tensor) -> Tensor:
    """How far a detector strays from an earlier one where that one is right, or where the truth says nothing.

    The teacher sees a photo as it is, the student a changed one: what the teacher knows of the one holds of the other.

    Args:
        kernel: (n, 1, h, w) logits; code: (n, 10, h, w); teacher: the same of the teacher.
        truth: (n, h, w) uint8: 1 in the middle of a face, 0 elsewhere, 255 where ignored.
    """
    logits = teacher[0][:, 0].float()
    before = torch.sigmoid(logits)
    tile = before > 0.5
    asked = (truth == IGNORE) | ((truth == 1) == tile)
    cross = F.binary_cross_entropy_with_logits(kernel[:, 0].float(), before, reduction="none")
    least = F.binary_cross_entropy_with_logits(logits, before, reduction="none")  # the loss of a perfect student
    shape = ((cross - least) * asked).sum() / (tile.sum() + 50 * len(kernel))
    kept = tile & asked
    if not bool(kept.any()):
        return shape
    n, y, x = kept.nonzero(as_tuple=True)
    now, wanted = (c[n, :, y, x].float() * UNIT for c in (code, teacher[1]))
    return shape + _apart(now, wanted).sum(1).mean()
