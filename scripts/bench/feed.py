"""Watch seeded table videos and compare what was published with the truth.

    python -m scripts.bench.feed --videos 50            # every settled hand once, none twice, none invented?
    python -m scripts.bench.feed --videos 50 --work DIR # keep the videos there and use them again
    python -m scripts.bench.feed --videos 50 --jitter 1 --sway 4    # a camera on an arm that trembles and swings

Time is the video's own, plus the processor time that every read took, as for a camera on a machine whose core is free.
Exit status 1 when a hand was missed, doubled or invented.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.scenes.mount import Mount
from datasets.scenes.videos import TROUBLES, table_video, write_video
from hupai.feed.frames import VideoFrames
from hupai.feed.session import Kind, TableSession
from hupai.feed.source import Source
from scoring.tiles import parse_tiles
from vision.pipeline import Eyes
from vision.reading import ImageArray, Sighting

SAME = 0.6
MOTIONS = {move.name: move.default for move in fields(Mount)}
"""What a camera may do by itself, and how much of it by default."""


@dataclass
class Outcome:
    """How one video went."""

    troubles: list[str]
    hands: int
    once: int = 0
    missed: int = 0
    doubled: int = 0
    invented: int = 0
    exact: int = 0
    revised: int = 0
    delays: list[float] = field(default_factory=list)
    frames: int = 0
    cpu: float = 0.0
    reads: int = 0
    read_cpu: float = 0.0


def tiles_of(hand: dict[str, Any]) -> Counter[str]:
    """Every tile of a hand, indicators left out."""
    found = [*hand["concealed"], *hand["bonus"], *(t for m in hand["melds"] for t in m["tiles"])]
    if hand["winning_tile"]:
        found.append(hand["winning_tile"])
    return Counter(t.code for t in parse_tiles(" ".join(found)))


def watch(eyes: Eyes, video: Path) -> Outcome:
    """Watch one video and judge what was published."""
    truth = json.loads(video.with_suffix(".json").read_text())
    outcome = Outcome([t["kind"] for t in truth["troubles"]], len(truth["hands"]))

    def look(image: ImageArray) -> list[Sighting]:
        return eyes.look(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8))

    table = TableSession(look, rules=truth["rules"])
    frames = VideoFrames(Source.of(str(video)))
    published: list[tuple[float, Counter[str], dict[str, Any]]] = []
    begin = time.process_time()
    for frame in frames:
        assert frame.image is not None
        reads, start = table.reads, time.thread_time()
        events = table.see(frame.image, frame.time)
        taken = time.thread_time() - start
        outcome.frames += 1
        if table.reads > reads:
            frames.spent(taken)
            outcome.read_cpu += taken
        for event in events:
            if event.published is None or event.reading is None:
                continue
            table.keep(len(published) + 1, event.published)
            assert event.reading.hand is not None
            hand = event.reading.hand.to_json()
            if event.kind is Kind.SETTLED:
                published.append((frame.time + taken, tiles_of(hand), hand))
            else:
                outcome.revised += 1
    outcome.cpu, outcome.reads = time.process_time() - begin, table.reads
    judge(outcome, truth, published)
    return outcome


def judge(outcome: Outcome, truth: dict[str, Any], published: list[tuple[float, Counter[str], dict[str, Any]]]) -> None:
    """Match what was published with what lay there."""
    left = list(published)
    for laid in truth["hands"]:
        want = tiles_of(laid["hand"])
        # The hand is not complete before the last tiles are put down, a second or two before the arm withdraws.
        mine = [p for p in left if laid["settled"] - 2.5 <= p[0] <= laid["gone"] + 1.0]
        mine = [p for p in mine if sum((p[1] & want).values()) >= SAME * sum(want.values())]
        for p in mine:
            left.remove(p)
        outcome.once += len(mine) == 1
        outcome.missed += not mine
        outcome.doubled += max(0, len(mine) - 1)
        if mine:
            outcome.delays.append(mine[0][0] - laid["settled"])
            outcome.exact += mine[0][1] == want
    outcome.invented = len(left)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--videos", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, help="seed of the first video")
    parser.add_argument("--hands", type=int, default=2, help="hands a video")
    parser.add_argument("--work", type=Path, help="folder to keep the videos in")
    for motion, usual in MOTIONS.items():
        parser.add_argument(f"--{motion}", type=float, default=usual, help="of the camera: see datasets.scenes.mount")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    cv2.setNumThreads(given.threads)
    eyes = Eyes(threads=given.threads)
    mount = Mount(**{motion: getattr(given, motion) for motion in MOTIONS})
    moving = {motion: value for motion, value in asdict(mount).items() if value != MOTIONS[motion]}
    kind = "".join(f"-{motion}-{value:g}" for motion, value in moving.items())
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        work = given.work or Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        for seed in range(given.first, given.first + given.videos):
            video = work / f"table-{seed}{kind}.avi"
            if not video.with_suffix(".json").exists():
                troubles = [TROUBLES[(seed + 4 * i) % len(TROUBLES)] for i in range(given.hands)]
                write_video(table_video(seed, hands=given.hands, troubles=troubles, mount=mount), video)
            outcome = watch(eyes, video)
            outcomes.append(outcome)
            delays = " ".join(f"{d:.2f}" for d in outcome.delays)
            print(
                f"{seed}: {outcome.once} of {outcome.hands} once, {outcome.missed} missed, {outcome.doubled} doubled, "
                f"{outcome.invented} invented, {outcome.exact} exact; {delays} s; {','.join(outcome.troubles)}",
                flush=True,
            )
            if given.work is None:
                video.unlink()
    return report(outcomes)


def report(outcomes: list[Outcome]) -> int:
    total = Counter[str]()
    for o in outcomes:
        total.update({k: v for k, v in asdict(o).items() if isinstance(v, int | float)})
    delays = [d for o in outcomes for d in o.delays]
    frame = 1000 * (total["cpu"] - total["read_cpu"]) / max(1, total["frames"])
    read = 1000 * total["read_cpu"] / max(1, total["reads"])
    print(
        f"{len(outcomes)} videos, {total['hands']} hands: {total['once']} published once, {total['missed']} missed, "
        f"{total['doubled']} doubled, {total['invented']} invented, {total['revised']} revised; "
        f"{total['exact']} with every tile right"
    )
    if delays:
        late = sorted(delays)[math.ceil(0.95 * len(delays)) - 1]
        print(f"stillness to event: median {statistics.median(delays):.2f} s, 95 % within {late:.2f} s")
    print(f"processor time: {frame:.1f} ms a frame (decoding included), {read:.0f} ms a read")
    steady = 15 * frame / 1000 + 2 * read / 1000
    print(f"one table at 15 frames and 2 reads a second takes {steady:.2f} cores: {int(2 / steady)} tables on 2 cores")
    return int(bool(total["missed"] or total["doubled"] or total["invented"]))


if __name__ == "__main__":
    sys.exit(main())
