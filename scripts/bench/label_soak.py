"""Label many pictures while the labelling is killed and disks come and go; compare with an undisturbed run.

    python -m scripts.bench.label_soak --pictures 20000 --kills 10

Pictures lie in four folders. Two of them vanish while the labelling runs, as unmounted disks leave empty folders
behind, and come back some kills later. The process is killed (SIGKILL: nothing is tidied up) at moments drawn
by chance: while it lists, while it reads, while it writes the label files. At the end every file of the labels has
to be what the undisturbed run made, byte for byte; exit status 1 otherwise.

Most pictures are thin strips in which there is nothing to read, so that one costs some milliseconds; every so many
(``--tiles-every``) show tiles, whose crops are written, too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

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


@dataclass(frozen=True, slots=True)
class Moment:
    """When a labelling is killed: after so many crops or at the start of a stage, and so many seconds after that."""

    crops: int | None
    stage: str
    later: float


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


def moments(kills: int, crops: int, writing: float) -> Iterator[Moment]:
    """Moments to kill at: the first while it lists, the last while it writes, those between anywhere.

    ``writing``: seconds that writing takes when undisturbed.
    """
    rng = random.Random(0)
    for k in range(kills):
        if k == 0:
            yield Moment(None, LISTING, rng.uniform(0, 0.5))
        elif k == kills - 1:
            yield Moment(None, WRITING, rng.uniform(0, writing / 2))
        else:
            yield Moment(rng.randrange(1, max(2, crops // kills)), WRITING, rng.uniform(0, 0.3))


class Labelling:
    """A process of ``hupai label`` over the four folders."""

    def __init__(self, place: Path, out: Path) -> None:
        self._out = out
        sources = [str(place / name) for name in SOURCES]
        command = [sys.executable, "-m", "hupai.cli", "label", *sources, "--out", str(out)]
        options = ["--format", "coco,csv", "--crops", "--workers", "2"]
        self._process = subprocess.Popen(
            [*command, *options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        self.said: list[str] = []
        self.writes_since: float | None = None
        self._told = threading.Event()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.said.append(line)
            if WRITING in line:
                self.writes_since = time.monotonic()
            self._told.set()

    def run(self) -> int:
        """Let it end; its exit status."""
        status = self._process.wait()
        self._listener.join()
        return status

    def reach(self, crops: int | None, stage: str) -> bool:
        """Wait until there are ``crops`` crops or the stage has begun; whether the process still runs."""
        while self._process.poll() is None:
            if any(stage in line for line in list(self.said)):
                return True
            if crops is not None and crops_in(self._out) >= crops:
                return True
            self._told.wait(LOOK)  # a small labelling may write for less than the time between two looks
            self._told.clear()
        return False

    def kill(self, later: float) -> bool:
        """Kill it ``later`` seconds from now; whether it was still at work."""
        time.sleep(later)
        self._process.kill()
        return self.run() < 0


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


def soak(place: Path, pictures: int, kills: int, *, tiles_every: int = 100) -> Any:
    """Label twice, once undisturbed and once not, and compare.

    Args:
        place: an empty folder to work in.
        pictures: in the four folders together.
        kills: of the disturbed labelling; at least three. The disks vanish at a third of them, come back at two thirds.
        tiles_every: one picture in so many shows tiles.

    Returns:
        What happened, as JSON; ``alike`` says whether every file is the same.

    Raises:
        RuntimeError: a labelling ended in another way than it should have.
    """
    begin = time.monotonic()
    draw(place, pictures, tiles_every)
    drawn = time.monotonic()
    calm = Labelling(place, place / "calm")
    if (status := calm.run()) != 0:
        raise RuntimeError(f"the undisturbed labelling ended with status {status}: {''.join(calm.said)[-500:]}")
    undisturbed = time.monotonic()
    if calm.writes_since is None:
        raise RuntimeError(f"the undisturbed labelling never said that it writes: {''.join(calm.said)[-500:]}")
    out, crops = place / "out", crops_in(place / "calm")
    killed, kept, gone = 0, 0, False
    for k, moment in enumerate(moments(kills, crops, undisturbed - calm.writes_since)):
        if k == 2 * kills // 3 and gone:
            come_back(place)
            gone = False
        running = Labelling(place, out)
        before = crops_in(out)
        if k == kills // 3:
            running.reach(int(VANISH * crops), WRITING)
            before = crops_in(out)
            vanish(place)  # while it reads them
            gone = True
        running.reach(None if moment.crops is None else before + moment.crops, moment.stage)
        killed += running.kill(moment.later)
        if gone:
            kept += _kept(place, out) if k == 2 * kills // 3 - 1 else 0
    last = Labelling(place, out)
    if (status := last.run()) != 0:
        raise RuntimeError(f"the last labelling ended with status {status}: {''.join(last.said)[-500:]}")
    one, other = hashes(place / "calm"), hashes(out)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "pictures": pictures,
        "crops": crops,
        "killed": killed,
        "labels_kept_while_two_folders_were_empty": kept,
        "files_compared": len(one),
        "alike": one == other,
        "unlike": sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))[:20],
        "seconds": {
            "drawing": round(drawn - begin, 1),
            "undisturbed": round(undisturbed - drawn, 1),
            "disturbed": round(time.monotonic() - undisturbed, 1),
            "processor": round(spent.ru_utime + spent.ru_stime, 1),
        },
    }


def _kept(place: Path, out: Path) -> int:
    """Run to the end while two folders are empty: how many of its labels are of pictures that are gone."""
    running = Labelling(place, out)
    if (status := running.run()) != 0:
        raise RuntimeError(f"with two empty folders it ended with status {status}: {''.join(running.said)[-500:]}")
    return int(json.loads((out / "summary.json").read_text(encoding="utf-8"))["pictures_kept"])


def hashes(out: Path) -> dict[str, str]:
    """sha256 of every file of labels but the journal's."""
    files = (p for p in out.rglob("*") if p.is_file() and ".hupai" not in p.relative_to(out).parts)
    return {p.relative_to(out).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--pictures", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--tiles-every", type=int, default=100, help="one picture in so many shows tiles")
    given = parser.parse_args()
    if given.kills < 3 or given.pictures < 4:
        parser.error("at least 3 kills and 4 pictures are needed")
    with tempfile.TemporaryDirectory(prefix="label-soak-") as folder:
        outcome = soak(Path(folder), given.pictures, given.kills, tiles_every=given.tiles_every)
    print(json.dumps(outcome, indent=1))
    return int(not outcome["alike"] or outcome["killed"] < given.kills)


if __name__ == "__main__":
    sys.exit(main())
