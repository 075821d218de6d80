"""Average two readers' weights: a run that learnt new things with the one it started from, which forgot nothing.

    python scripts/average_readers.py --before runs/before --run runs/two --out runs/averaged

Weights lie half-way (Wortsman et al., 2022, "Robust fine-tuning of zero-shot models"); the answers' rows of faces that
the earlier reader did not know are the later one's alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from datasets.labels import INDEX
from datasets.learn import checkpoint
from datasets.learn.checkpoint import Averaged, Progress
from datasets.learn.nets import Reader


@torch.no_grad()
def half_way(before: Reader, after: Reader, learnt: list[str]) -> Reader:
    """``after`` changed in place: half-way to ``before`` but for the rows of the labels ``learnt``."""
    rows = [INDEX[label] for label in learnt]
    weight, bias = after.face.weight[rows].clone(), after.face.bias[rows].clone()
    earlier = before.state_dict()
    for name, value in after.state_dict().items():
        if value.dtype.is_floating_point:
            value.lerp_(earlier[name], 0.5)
    after.face.weight[rows], after.face.bias[rows] = weight, bias
    return after


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--before", type=Path, required=True, help="folder with the reader.pt of the start")
    parser.add_argument("--run", type=Path, required=True, help="folder with the reader.pt that learnt")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--learnt", default="a1,a2,a3,a4,joker", help="faces that the start did not know")
    args = parser.parse_args()
    content = checkpoint.load(args.run / "reader.pt")
    before, after = checkpoint.network(checkpoint.load(args.before / "reader.pt")), checkpoint.network(content)
    assert isinstance(before, Reader) and isinstance(after, Reader)
    net = half_way(before, after, args.learnt.split(","))
    facts = content["facts"] | {"averaged_with": str(args.before)}
    checkpoint.save(args.out / "reader.pt", "reader", net, Averaged(net), Progress(**content["progress"]), facts)
    print(f"written to {args.out / 'reader.pt'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
