"""The scene classifier's network: a small transformer over the detections of one photo."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn

from datasets.labels import INDEX, LABELS
from datasets.learn.scene.samples import DOWN, NO_TILE, WHITE

ROWS: Final = {"say": 12, "logp": len(LABELS), "emb": 128, "geo": 11, "col": 46}
"""Inputs with a row for every detection, and the columns of each."""
PAIR: Final = 13
"""How many numbers describe a pair of detections."""
INPUTS: Final = (*ROWS, "pair")
EMBEDDED: Final = {"say": 48, "logp": 24, "emb": 24, "geo": 48, "col": 48}
"""Widths that the inputs are projected to before they are joined."""
CORRECTED: Final = [
    [WHITE],
    [DOWN],
    *([i for label, i in INDEX.items() if label[0] == first] for first in "0fga"),
    [INDEX["joker"]],
]
"""Classes whose probability the photo as a whole may raise or lower, group by group."""


class Layer(nn.Module):
    """Attention with a bias for every pair, then two linear layers; both normalised before (pre-norm)."""

    def __init__(self, width: int, heads: int, drop: float) -> None:
        super().__init__()
        self.heads = heads
        self.norm, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.ff = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Dropout(drop), nn.Linear(2 * width, width))
        self.drop = nn.Dropout(drop)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """(b, n, width) rows and (b, heads, n, n) what is added to their attention -> rows."""
        b, n, c = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        mixed = torch.softmax(q @ k.transpose(-1, -2) / (c // self.heads) ** 0.5 + bias, dim=-1) @ v
        x = x + self.drop(self.out(mixed.transpose(1, 2).reshape(b, n, c)))
        return x + self.drop(self.ff(self.norm2(x)))


class SceneNet(nn.Module):
    """Inputs of :func:`vision.onnx_device.scene_inputs` -> logits of being a tile, log probabilities of the names.

    Untrained, it repeats the detector and the classifier: half the log-odds of each, the names as they are.
    """

    def __init__(self, width: int = 112, layers: int = 3, heads: int = 4, drop: float = 0.1) -> None:
        super().__init__()
        self.shape = {"width": width, "layers": layers, "heads": heads}
        self.heads = heads
        self.embed = nn.ModuleDict({name: nn.Linear(columns, EMBEDDED[name]) for name, columns in ROWS.items()})
        self.join = nn.Sequential(nn.GELU(), nn.Linear(sum(EMBEDDED.values()), width))
        self.pair = nn.Sequential(nn.Linear(PAIR, 24), nn.GELU(), nn.Linear(24, heads * layers))
        self.layers = nn.ModuleList(Layer(width, heads, drop) for _ in range(layers))
        answers = nn.Linear(width, 2 + len(CORRECTED))
        nn.init.zeros_(answers.weight)
        nn.init.zeros_(answers.bias)
        self.head = nn.Sequential(nn.LayerNorm(width), answers)
        spread = torch.zeros(len(CORRECTED), NO_TILE)
        for i, group in enumerate(CORRECTED):
            spread[i, group] = 1
        self.register_buffer("spread", spread)

    def forward(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """(b, n, columns) of each of ROWS, ``pair`` (b, n, n, 13), ``mask`` (b, n) -> (b, n) and (b, n, 51)."""
        x = self.join(torch.cat([layer(batch[name]) for name, layer in self.embed.items()], dim=-1))
        b, n, _ = x.shape
        bias = self.pair(batch["pair"]).permute(0, 3, 1, 2).reshape(b, len(self.layers), self.heads, n, n)
        bias = bias.masked_fill(~batch["mask"][:, None, None, None, :], -1e4)
        for i, layer in enumerate(self.layers):
            x = layer(x, bias[:, i])
        out = self.head(x)
        none = batch["logp"][..., NO_TILE]
        odds = torch.log1p(-torch.exp(none).clamp(max=0.9999)) - none
        tile = out[..., 0] + 0.5 * odds.clamp(-6, 6) + 0.5 * batch["say"][..., 0]
        names = batch["logp"][..., :NO_TILE] * torch.exp(0.5 * out[..., 1:2].clamp(-3, 2)) + out[..., 2:] @ self.spread
        return tile, torch.log_softmax(names, dim=-1)
