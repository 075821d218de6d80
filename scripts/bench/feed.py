"""Watch seeded table videos and compare what was published with the truth.

    python -m scripts.bench.feed --videos 50            # every settled hand once, none twice, none invented?
    python -m scripts.bench.feed --videos 50 --jitter 1 --sway 4    # a camera on an arm: see datasets.scenes.mount

``--work DIR`` keeps the videos and uses them again; ``--first`` is the seed of the first. Time is the video's own, plus
the processor time that every read took, as for a camera on a machine whose core is free. Exit status 1 when a hand was
missed, doubled or invented.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import typer

from datasets.scenes.mount import Mount
from datasets.scenes.videos import TROUBLES, table_video, write_video
from hupai.hall.events.feed import tiles_in
from hupai.hall.feed.capture.frames import VideoFrames
from hupai.hall.feed.capture.source import VideoSource
from hupai.hall.feed.session.session_events import EventKind
from hupai.hall.feed.session.table_session import TableSession
from hupai.hall.feed.tile_search import TileSearch
from scoring.tiles import parse_tiles
from vision.pipeline import TileReader

SAME_SHARE = 0.6
"""Share of a hand's tiles by which it is known again."""
HANDS_PER_VIDEO = 2
"""A video."""


def tiles_of(hand: dict[str, Any]) -> Counter[str]:
    """Every tile of a hand, indicators left out."""
    return Counter(t.code for t in parse_tiles(" ".join(tiles_in(hand))))


def watch_video(reader: TileReader, video: Path, rules: str, seen: Counter[str]) -> list[tuple[float, Counter[str]]]:
    """Watch one video: when hands were published, and their tiles.

    ``seen`` counts frames and reads, and nanoseconds of processor time: of all the work, and of the reading alone.
    """
    table = TableSession(TileSearch(reader).find_tiles, rules=rules)
    frames = VideoFrames(VideoSource.of(str(video)))
    published: list[tuple[float, Counter[str]]] = []
    begin = time.process_time_ns()
    for frame in frames:
        assert frame.image is not None
        reads, start = table.reads, time.thread_time_ns()
        events = table.process_frame(frame.image, frame.time)
        taken = time.thread_time_ns() - start
        seen["frames"] += 1
        if table.reads > reads:
            frames.add_read_time(taken / 1e9)
            seen["reading"] += taken
        for event in events:
            if event.published is None or event.reading is None:
                continue
            table.set_published(str(len(published) + 1), event.published)
            assert event.reading.hand is not None
            if event.kind is EventKind.SETTLED:
                published.append((frame.time + taken / 1e9, tiles_of(event.reading.hand.to_json())))
    seen["reads"] += table.reads
    seen["working"] += time.process_time_ns() - begin
    return published


def compare_with_truth(
    truth: dict[str, Any], published: list[tuple[float, Counter[str]]]
) -> tuple[Counter[str], list[float]]:
    """Match what was published with what lay there: how many hands of each kind, and seconds until they were."""
    found, delays = Counter[str](), []
    left = list(published)
    for laid in truth["hands"]:
        want = tiles_of(laid["hand"])
        # The hand is not complete before the last tiles are put down, a second or two before the arm withdraws.
        mine = [p for p in left if laid["settled"] - 2.5 <= p[0] <= laid["gone"] + 1.0]
        mine = [p for p in mine if (p[1] & want).total() >= SAME_SHARE * want.total()]
        left = [p for p in left if p not in mine]
        found.update(once=len(mine) == 1, missed=not mine, doubled=max(0, len(mine) - 1))
        if mine:
            delays.append(mine[0][0] - laid["settled"])
            found["exact"] += mine[0][1] == want
    found["invented"] = len(left)
    return found, delays


def main(videos: int = 50, first: int = 0, work: Path | None = None, jitter: float = 0, sway: float = 0) -> None:
    cv2.setNumThreads(1)
    reader = TileReader(threads=1)
    mount = Mount(jitter=jitter, sway=sway)
    kind = "".join(f"-{motion}-{value:g}" for motion, value in asdict(mount).items() if value)
    total, delays = Counter[str](), []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + videos):
            video = (work or Path(folder)) / f"table-{seed}{kind}.avi"
            if not video.with_suffix(".json").exists():
                troubles = [TROUBLES[(seed + 4 * i) % len(TROUBLES)] for i in range(HANDS_PER_VIDEO)]
                video.parent.mkdir(parents=True, exist_ok=True)
                write_video(table_video(seed, hands=HANDS_PER_VIDEO, troubles=troubles, mount=mount), video)
            truth = json.loads(video.with_suffix(".json").read_text())
            found, late = compare_with_truth(truth, watch_video(reader, video, truth["rules"], total))
            times = " ".join(f"{d:.2f}" for d in late)
            print(f"{seed}: {in_words(found)}; {times} s; {','.join(t['kind'] for t in truth['troubles'])}", flush=True)
            if work is None:
                video.unlink()
            total += found
            delays += late
    print(f"{videos} videos, {HANDS_PER_VIDEO * videos} hands: {in_words(total)}")
    if delays:
        p50, p95, most = np.percentile(delays, [50, 95, 100])
        print(f"stillness to event: median {p50:.2f} s, 95 % within {p95:.2f} s, longest {most:.2f} s")
    frame = (total["working"] - total["reading"]) / total["frames"] / 1e9
    read = total["reading"] / total["reads"] / 1e9
    print(f"processor time: {1e3 * frame:.1f} ms a frame (decoding included), {1e3 * read:.0f} ms a read")
    steady = 15 * frame + 2 * read
    print(f"one table at 15 frames and 2 reads a second takes {steady:.2f} cores: {int(2 / steady)} tables on 2 cores")
    raise typer.Exit(total["once"] < HANDS_PER_VIDEO * videos or total["invented"] > 0)


def in_words(found: Counter[str]) -> str:
    counts = ", ".join(f"{found[what]} {what}" for what in ("missed", "doubled", "invented"))
    return f"{found['once']} published once, {counts}; {found['exact']} with every tile right"


if __name__ == "__main__":
    typer.run(main)
