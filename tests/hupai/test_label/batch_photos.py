"""Small photos for the tests of labelling: windows of the shipped photos, each another one."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np

from hupai.label.classes import ALL, Classes
from hupai.label.corrections.compare import Agreement, compare
from hupai.label.corrections.merge import Changes, Merging
from hupai.label.corrections.record_store import A, B, RecordStore
from hupai.label.engines.labeller import Labeller, decode
from hupai.label.engines.pictures import LabelOptions, Readable, Save
from hupai.label.engines.pool import RecordLine
from hupai.label.engines.run import Job, run
from hupai.label.outputs.finish import RunResult
from hupai.label.progress import Progress
from hupai.label.records import Record
from tests.hupai import in_process
from tests.hupai.hurried import Constants, words
from vision.pipeline import TileReader

ROOT = Path(__file__).parents[3]
UNCHECKED = ("labelstudio", "jsonl", "parquet", "annotations")
"""Formats in which labels as they were read say that nobody has saved them."""
SHIPPED = ("hand-self-draw", "hand-riichi", "hand-dark-diagonal")


def write_photos(folder: Path, count: int, *, start: int = 0, size: tuple[int, int] = (400, 300)) -> list[Path]:
    """So many JPEG files of a few tiles each; the same number gives the same file."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    views = {}
    for i in range(start, start + count):
        rng = np.random.default_rng(i)
        name = SHIPPED[i % len(SHIPPED)]
        if name not in views:
            photo = cv2.imread(str(ROOT / "examples" / f"{name}.jpg"), cv2.IMREAD_REDUCED_COLOR_2)
            tiles = json.loads((ROOT / "examples" / f"{name}.json").read_text())["tiles"]
            views[name] = photo, np.array([np.mean(t["corners"], axis=0) for t in tiles]) / 2
        photo, centres = views[name]
        h, w = photo.shape[:2]
        width = int(rng.integers(360, 640))
        height = width * size[1] // size[0]
        x, y = centres[rng.integers(len(centres))] - [width / 2, height / 2] + rng.normal(0, width / 8, 2)
        left, top = int(np.clip(x, 0, w - width)), int(np.clip(y, 0, h - height))
        window = cv2.resize(photo[top : top + height, left : left + width], size, interpolation=cv2.INTER_AREA)
        path = folder / f"{i:04d}.jpg"
        cv2.imwrite(str(path), window, [cv2.IMWRITE_JPEG_QUALITY, 90])
        paths.append(path)
    return paths


def command(*arguments: object, hurried: Constants | None = None) -> list[str]:
    return [sys.executable, "-m", *words(hurried or {}), *map(str, arguments)]


class OneProcess:
    """Stands for the pool of worker processes: the same networks, loaded once, label in this process.

    For tests of what is kept and written. That workers give the same records, and what happens when they die, is
    tested with workers (``test_label_pool.py``, and what kills commands in ``test_label.py``).
    """

    def __init__(self, options: LabelOptions, workers: int, save: Save | None = None) -> None:
        with patch("hupai.label.engines.labeller.TileReader", _load_reader):
            self._labeller = Labeller(options, save)

    def __enter__(self) -> OneProcess:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: the networks stay loaded."""

    def label(self, pictures: Iterator[Readable]) -> Iterator[RecordLine]:
        """Yield the record of every picture."""
        for record in self._labeller.label(map(decode, pictures)):
            yield record.image, record.error is not None, record.to_line()


_load_reader = cache(TileReader)


def run_here(job: Job) -> RunResult:
    """Label as ``hupai label`` does, in this process."""
    with patch("hupai.label.engines.run.Pool", OneProcess):
        return run(job, Progress())


def hupai(*arguments: object) -> tuple[int, str, str]:
    """Exit status, standard output, standard error of a command, run by this process; it makes labels, too."""
    with patch("hupai.label.engines.run.Pool", OneProcess):
        return in_process.hupai(*arguments)


def hupai_process(*arguments: object, timeout: float = 300) -> tuple[int, str, str]:
    """The same of a process of its own, as a user runs it."""
    done = subprocess.run(command(*arguments), capture_output=True, check=False, timeout=timeout, env=environment())
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"}


def records(out: Path) -> dict[str, Any]:
    """The JSON of every picture's labels, by name; none before there are labels."""
    path = out / "labels.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return {r["image"]: r for r in map(json.loads, lines)}


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def merge(given: Sequence[Record], read: Sequence[Record], classes: Classes = ALL) -> tuple[list[Record], Changes]:
    """Lay labels over those that had been read, as ``hupai labels import --base`` does."""
    merging = Merging(classes)
    with RecordStore() as store:
        store.add(B, read, "read")
        store.add(A, given, "given")
        merged = [merging.merge_record(record, base) for record, base in store.pairs()]
    return sorted(merged, key=lambda r: r.image), merging.changes


def submit(path: Path) -> None:
    """Finish the Label Studio tasks of a file, each with its prediction, as somebody does who submits them."""
    tasks = json.loads(path.read_text())
    for number, task in enumerate(tasks, 1):
        (prediction,) = task.pop("predictions")
        task |= {"id": number, "annotations": [{"id": number, "result": prediction["result"]}]}
    path.write_text(json.dumps(tasks))


def agreement(a: Sequence[Record], b: Sequence[Record]) -> Agreement:
    """Compare two sets of labels, as ``hupai labels compare`` does."""
    with RecordStore() as store:
        store.add(A, a, "a")
        store.add(B, b, "b")
        return compare(store.pairs())


def contents(out: Path) -> dict[str, bytes]:
    """Every file of the labels but the journal's, by its name."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and ".hupai" not in path.parts
    }
