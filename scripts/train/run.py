"""Train the detector and the classifier, side by side on one stream of scenes, on a GPU when there is one.

    python -m scripts.train.run --out runs/one --pack work/pack --minutes 9 --total 27   # three times
    python -m scripts.train.run --out runs/cpu --nets classifier --workers 1 --minutes 60 --total 60 --cpu

A run ends in time and goes on where the last one in the same folder stopped. See docs/training.md.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import torch
import typer

from datasets.labels import BONUS
from datasets.learn import checkpoint
from datasets.learn.loop import ROLES, Run, TrainingPlan
from datasets.learn.nets import ClassifierShape
from datasets.scenes.crops import CropShape
from datasets.scenes.training import SceneSettings
from scripts.train import Accessories, Low, Out, Pack, run, say

SMALL: Final[dict[str, Any]] = {
    "batch": 8,
    "crops": 192,
    "stock": 240,
    "crop_stock": 30_000,
    "sides": (448, 384, 320),
    "kept": 16,
}
"""What a run without a GPU takes less of, where nothing else is asked for."""
PLAN: Final = TrainingPlan(Path())


def _usual(name: str) -> str:
    return f"if not given {getattr(PLAN, name)}, without a GPU {SMALL[name]}"


def crop_of(run: Path) -> CropShape:
    """The crops that the classifier of a run takes: those of its checkpoint, or the usual ones."""
    path = run / "classifier.pt"
    shape = ClassifierShape(**checkpoint.load(path)["shape"]) if path.is_file() else ClassifierShape()
    return CropShape(*shape.crop, shape.margin)


def main(
    out: Out,
    pack: Pack = None,
    minutes: Annotated[float, typer.Option(help="of this run")] = 9,
    total: Annotated[float, typer.Option(help="of all runs together: the learning rate falls over it")] = 27,
    nets: Annotated[str, typer.Option(help="detector, classifier or both")] = ",".join(ROLES),
    workers: int = max(0, (os.cpu_count() or 2) - 1),
    seed: int = 1,
    batch: Annotated[int | None, typer.Option(min=1, help=f"scenes a detector's step; {_usual('batch')}")] = None,
    crops: Annotated[int | None, typer.Option(min=1, help=f"crops a classifier's step; {_usual('crops')}")] = None,
    real: Annotated[float, typer.Option(min=0, max=0.9, help="share of every step that is photographed")] = PLAN.real,
    rate: Annotated[float, typer.Option(help="of learning, the detector's")] = 2e-3,
    classifier_rate: float = 2e-3,
    reuse: Annotated[float, typer.Option(help="times a crop or scene before more are made")] = 0,
    teacher: Annotated[
        list[Path] | None, typer.Option(help="checkpoint to stay close to, see docs/training.md")
    ] = None,
    bonus: Annotated[float, typer.Option(help="share of flowers, seasons and animals in scenes")] = 0,
    whites: Annotated[float, typer.Option(help="share of white dragons in scenes, most of them bare")] = 0,
    unusual: Annotated[float, typer.Option(help="share of scenes with dark, wooden or coloured sets")] = 0,
    poses: Annotated[float, typer.Option(help="share of scenes whose tiles stand, lie and rest on their sides")] = 0,
    accessories: Accessories = 0.5,
    low: Low = 0.15,
    only_bonus: Annotated[bool, typer.Option("--only-bonus", help="teach the classifier bonus tiles alone")] = False,
    steady: Annotated[bool, typer.Option("--steady", help="keep the statistics of normalisations")] = False,
    bfloat16: Annotated[bool, typer.Option("--bfloat16", help="without a GPU too: pays where there is AMX")] = False,
    cpu: Annotated[bool, typer.Option("--cpu", help="smaller steps, scenes and stock")] = False,
) -> None:
    roles = tuple(nets.split(","))
    if not set(roles) <= set(ROLES):
        raise ValueError(f"--nets takes {' and '.join(ROLES)}")
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "0")) or torch.get_num_threads())
    small = cpu or not torch.cuda.is_available()
    scenes = SceneSettings(size=448, largest=130) if small else SceneSettings()
    given = {name: count for name, count in (("batch", batch), ("crops", crops)) if count is not None}
    plan = TrainingPlan(
        out=out, pack=pack, minutes=minutes, total=total, roles=roles, workers=workers, seed=seed, rate=rate,
        classifier_rate=classifier_rate, reuse=reuse, crop=crop_of(out), teachers=tuple(teacher or ()),
        only=BONUS if only_bonus else (), steady=steady, bfloat16=bfloat16, real=real,
        settings=replace(
            scenes, bonus=bonus, whites=whites, unusual=unusual, poses=poses, negatives=0.5, accessories=accessories,
            low=low,
        ),
        **{**(SMALL if small else {}), **given},
    )  # fmt: skip
    out.mkdir(parents=True, exist_ok=True)
    Run(plan, say).go()


if __name__ == "__main__":
    run(main)
