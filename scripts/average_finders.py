"""Average the weights of finders of one run, its start among them: what was learnt with what was known before.

    python scripts/average_finders.py runs/before/finder.pt runs/44.pt runs/66.pt --out runs/averaged

All must have one shape, and normalisations that stood still (``--steady``): a mean of measured ones is of no network.
Wortsman et al., 2022, "Model soups".
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch

from datasets.learn import checkpoint
from datasets.learn.checkpoint import Averaged, Progress
from datasets.learn.nets import Finder


@torch.no_grad()
def mean_of(nets: Sequence[Finder]) -> Finder:
    """The last one, changed in place: every weight the mean of all.

    Raises:
        ValueError: of different shapes.
    """
    states = [net.state_dict() for net in nets]
    if any({n: v.shape for n, v in s.items()} != {n: v.shape for n, v in states[0].items()} for s in states):
        raise ValueError("Only networks of one shape can be averaged.")
    for name, value in states[-1].items():
        if value.dtype.is_floating_point:
            value.copy_(torch.stack([s[name] for s in states]).mean(dim=0))
    return nets[-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "finders", nargs="+", type=Path, metavar="FINDER.pt", help="checkpoints, the last one the latest"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for finder.pt")
    args = parser.parse_args()
    contents = [checkpoint.load(path) for path in args.finders]
    nets = [net for net in map(checkpoint.network, contents) if isinstance(net, Finder)]
    if len(nets) < len(contents):
        parser.error("every checkpoint must be a finder's")
    net = mean_of(nets)
    facts = contents[-1]["facts"] | {"averaged_of": [str(path) for path in args.finders]}
    checkpoint.save(args.out / "finder.pt", "finder", net, Averaged(net), Progress(**contents[-1]["progress"]), facts)
    print(f"written to {args.out / 'finder.pt'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
