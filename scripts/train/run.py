"""Train the detector and the classifier, side by side on one stream of scenes, on a GPU when there is one.

    python -m scripts.train.run --out runs/one --pack work/pack --minutes 9 --total 27   # three times
    python -m scripts.train.run --out runs/cpu --nets classifier --workers 1 --minutes 60 --total 60 --cpu

A run ends in time and goes on where the last one in the same folder stopped. See docs/training.md.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path

import torch

from datasets.labels import BONUS
from datasets.learn import checkpoint
from datasets.learn.loop import ROLES, Plan, Run
from datasets.learn.nets import ClassifierShape
from datasets.scenes.crops import CropShape
from datasets.scenes.training import Settings


def crop_of(run: Path) -> CropShape:
    """The crops that the classifier of a run takes: those of its checkpoint, or the usual ones."""
    path = run / "classifier.pt"
    shape = checkpoint.load(path)["shape"] if path.is_file() else None
    size, margin = (shape["crop"], shape["margin"]) if shape else (ClassifierShape().crop, ClassifierShape().margin)
    return CropShape(size[0], size[1], margin)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="folder of checkpoints and log")
    parser.add_argument("--pack", type=Path, help="folder made by scripts.train.pack; without it, what ships")
    parser.add_argument("--minutes", type=float, default=9.0, help="of this run")
    parser.add_argument(
        "--total", type=float, default=27.0, help="of all runs together: the learning rate falls over it"
    )
    parser.add_argument("--nets", default=",".join(ROLES), help="detector, classifier or both")
    parser.add_argument("--workers", type=int, default=max(0, (os.cpu_count() or 2) - 1))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning, the detector's")
    parser.add_argument("--classifier-rate", type=float, default=2e-3)
    parser.add_argument("--reuse", type=float, default=0.0, help="times a crop or scene before more are made")
    parser.add_argument(
        "--teacher", type=Path, action="append", default=[], help="checkpoint to stay close to, see docs/training.md"
    )
    parser.add_argument("--keep", type=float, default=1.0, help="how much staying close to the teacher counts")
    parser.add_argument(
        "--frozen", type=int, default=0, help="parts of the classifier's trunk, of 8, that stay as they are"
    )
    parser.add_argument("--bonus", type=float, default=0.0, help="share of flowers, seasons and animals in scenes")
    parser.add_argument("--whites", type=float, default=0.0, help="share of white dragons in scenes, most of them bare")
    parser.add_argument("--unusual", type=float, default=0.0, help="share of scenes with dark, wooden or coloured sets")
    parser.add_argument(
        "--only-bonus", action="store_true", help="teach the classifier flowers, seasons and animals, nothing else"
    )
    parser.add_argument("--steady", action="store_true", help="keep the means and deviations of normalisations")
    parser.add_argument("--bfloat16", action="store_true", help="without a GPU too: pays on processors with AMX")
    parser.add_argument("--cpu", action="store_true", help="smaller steps, scenes and stock")
    args = parser.parse_args()
    roles = tuple(args.nets.split(","))
    if not set(roles) <= set(ROLES):
        parser.error(f"--nets takes {' and '.join(ROLES)}")
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "0")) or torch.get_num_threads())
    small = args.cpu or not torch.cuda.is_available()
    plan = Plan(
        out=args.out, pack=args.pack, minutes=args.minutes, total=args.total, roles=roles, workers=args.workers,
        seed=args.seed, rate=args.rate, classifier_rate=args.classifier_rate, reuse=args.reuse,
        batch=8 if small else args.batch,
        crops=192 if small else 1536,
        crop=crop_of(args.out),
        stock=240 if small else 12000,
        crop_stock=30_000 if small else 300_000,
        sides=(448, 384, 320) if small else (640, 576, 512, 448, 384),
        settings=replace(
            Settings(size=448, largest=130) if small else Settings(),
            bonus=args.bonus, whites=args.whites, unusual=args.unusual, negatives=0.5,
        ),
        kept=16 if small else 40,
        teachers=tuple(args.teacher), keep=args.keep, steady=args.steady, bfloat16=args.bfloat16,
        frozen=args.frozen, only=BONUS if args.only_bonus else (),
    )  # fmt: skip
    args.out.mkdir(parents=True, exist_ok=True)
    try:
        run = Run(plan, lambda line: print(line, flush=True))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    run.go()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
