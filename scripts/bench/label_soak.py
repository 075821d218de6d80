"""Label many pictures while the labelling is killed and disks come and go; compare with an undisturbed run.

    python -m scripts.bench.label_soak --pictures 20000 --kills 10

Two of the pictures' four folders vanish while the labelling runs, as unmounted disks leave empty folders behind, and
come back some kills later. The process is killed (SIGKILL: nothing is tidied up) at moments drawn by chance: while it
lists, reads, writes. At the end every file of the labels has to be what the undisturbed run made, byte for byte; exit
status 1 otherwise. Most pictures are thin strips in which nothing is to be read; one in ``--tiles-every`` shows tiles.
"""

from __future__ import annotations

import json
import math
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import typer

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCES: Final = ("one", "two", "three", "four")
VANISHING: Final = ("two", "three")
STRIP: Final = (1200, 20)
VIEW: Final = (400, 300)
LISTING: Final = "listing the pictures"
WRITING: Final = "writing the label files"
"""What the command prints when it begins this stage, like the constant above."""
VANISH: Final = 0.4
"""Share of the crops that are written when the disks vanish: in the midst of the second folder."""
LOOK: Final = 0.05
"""Seconds between two looks at the progress."""
TRIES: Final = 5
"""Labellings that may end before one of them is killed."""


def draw(place: Path, pictures: int, tiles_every: int) -> None:
    """The four folders; the same numbers give the same files."""
    photo = np.asarray(cv2.imread(str(ROOT / "examples" / "hand-self-draw.jpg"), cv2.IMREAD_REDUCED_COLOR_2), np.uint8)
    tiles = json.loads((ROOT / "examples" / "hand-self-draw.json").read_text(encoding="utf-8"))["tiles"]
    centres = np.array([np.mean(t["corners"], axis=0) for t in tiles]) / 2
    for name in SOURCES:
        (place / name).mkdir(parents=True)
    for i in range(pictures):
        rng = np.random.default_rng(i)
        if i % tiles_every:
            picture = np.empty((STRIP[1], STRIP[0], 3), np.uint8)
            picture[:] = rng.integers(0, 256, 3)
            picture[:, :4] = rng.integers(0, 256, (4, 3))  # so that no two files are alike
        else:
            x, y = centres[rng.integers(len(centres))] - np.array(VIEW) / 2 + rng.normal(0, 40, 2)
            left = int(np.clip(x, 0, photo.shape[1] - VIEW[0]))
            top = int(np.clip(y, 0, photo.shape[0] - VIEW[1]))
            picture = photo[top : top + VIEW[1], left : left + VIEW[0]]
        # Runs of pictures with tiles in every folder: the folders are read one after another.
        cv2.imwrite(str(place / SOURCES[i * len(SOURCES) // pictures] / f"{i:06d}.png"), picture)


class Labelling:
    """A process of ``hupai label`` over the four folders."""

    def __init__(self, place: Path, out: Path) -> None:
        self._out = out
        command = [sys.executable, "-m", "hupai.cli", "label", *(str(place / name) for name in SOURCES)]
        options = ["--out", str(out), "--format", "coco,csv", "--crops", "--workers", "2"]
        self._process = subprocess.Popen(
            [*command, *options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        self._said = ""
        self._told = threading.Event()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._said += line
            self._told.set()

    def finish(self) -> None:
        """Let it end.

        Raises:
            RuntimeError: not as it should.
        """
        status = self._process.wait()
        self._listener.join()
        if status != 0:
            raise RuntimeError(f"a labelling ended with status {status}: {self._said[-500:]}")

    def reach(self, stage: str, crops: float = math.inf) -> None:
        """Wait until the stage has begun, or there are so many crops, or it has ended."""
        while self._process.poll() is None and stage not in self._said and crops_in(self._out) < crops:
            self._told.wait(LOOK)  # a small labelling may write for less than the time between two looks
            self._told.clear()

    def kill(self, later: float) -> bool:
        """Kill it ``later`` seconds from now; whether it was still at work."""
        time.sleep(later)
        self._process.kill()
        return self._process.wait() < 0


def crops_in(out: Path) -> int:
    """Crops that have been written so far."""
    return sum(1 for _ in (out / "crops").rglob("*.png"))


def vanish(place: Path) -> None:
    """Unmount two disks: their pictures are elsewhere, empty folders stay."""
    for name in VANISHING:
        (place / name).rename(place / f"{name} unmounted")
        (place / name).mkdir()


def come_back(place: Path) -> None:
    """Mount them again."""
    for name in VANISHING:
        (place / name).rmdir()
        (place / f"{name} unmounted").rename(place / name)


def soak(place: Path, pictures: int, kills: int, tiles_every: int) -> dict[str, Any]:
    """Label twice, once undisturbed and once not, and compare.

    Args:
        place: an empty folder to work in.
        pictures: in the four folders together.
        kills: of the disturbed labelling; at least three. The disks vanish at a third of them, come back at two thirds.
        tiles_every: one picture in so many shows tiles.

    Returns:
        What happened, as JSON; ``unlike`` names the files, the journal's aside, that are not the same.

    Raises:
        RuntimeError: a labelling ended in another way than it should have.
    """
    draw(place, pictures, tiles_every)
    calm = Labelling(place, place / "calm")
    calm.reach(WRITING)
    began = time.monotonic()
    calm.finish()
    writing = time.monotonic() - began
    out, crops = place / "out", crops_in(place / "calm")
    rng = random.Random(0)
    killed = kept = 0

    def struck(k: int) -> bool:
        """Whether a labelling that was begun now was killed at work."""
        running = Labelling(place, out)
        before = crops_in(out)
        if k == kills // 3 and not (place / f"{VANISHING[0]} unmounted").exists():
            running.reach(WRITING, VANISH * crops)
            before = crops_in(out)
            vanish(place)  # while it reads them
        if k == 0:
            running.reach(LISTING)
            later = rng.uniform(0, 0.5)
        elif k == kills - 1:
            running.reach(WRITING)
            later = rng.uniform(0, writing / 3)
        else:
            running.reach(WRITING, before + rng.randrange(1, max(2, crops // kills)))
            later = rng.uniform(0, min(0.3, writing / 3))  # a small labelling has little left to do
        return running.kill(later)

    for k in range(kills):
        if k == 2 * kills // 3:
            Labelling(place, out).finish()
            kept = json.loads((out / "summary.json").read_text(encoding="utf-8"))["pictures_kept"]
            come_back(place)
        # On a busy machine one may end before it is killed: then another is begun.
        killed += any(struck(k) for _ in range(TRIES))
    Labelling(place, out).finish()
    compared = sum(p.is_file() and ".hupai" not in p.parts for p in (place / "calm").rglob("*"))
    compare = ["diff", "--recursive", "--brief", "--exclude=.hupai", str(place / "calm"), str(out)]
    told = subprocess.run(compare, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "pictures": pictures,
        "crops": crops,
        "killed": killed,
        "labels_kept_while_two_folders_were_empty": kept,
        "files_compared": compared,
        "unlike": told.splitlines(),
        "processor_seconds": round(spent.ru_utime + spent.ru_stime),
        "megabytes_of_the_largest_process": round(spent.ru_maxrss / 1e3),
    }


def main(pictures: int = 20_000, kills: int = 10, tiles_every: int = 100) -> None:
    with tempfile.TemporaryDirectory(prefix="label-soak-") as folder:
        outcome = soak(Path(folder), pictures, kills, tiles_every)
    print(json.dumps(outcome, indent=1))
    raise typer.Exit(bool(outcome["unlike"]) or outcome["killed"] < kills)


if __name__ == "__main__":
    typer.run(main)
