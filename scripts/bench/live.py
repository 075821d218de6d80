"""Watch seeded videos of a player's tiles and compare the hand that is shown with the truth, moment by moment.

    python -m scripts.bench.live --seeds 1 2 3
    python -m scripts.bench.live --seeds 6 --looks looks      # keep the looks, to replay them without pictures
    python -m scripts.bench.live --seeds 6 --looks looks --replay --verbose

Of what is lost, a replay by another tracker tells whether the tracker loses it or the looking does.

``--work DIR`` keeps the videos and uses them again. Time is the video's own, plus the processor time of each look.
"""

from __future__ import annotations

import json
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import cv2
import numpy as np
import typer

from datasets.scenes.player_videos import player_video, write_player_video
from hupai.hall.feed.capture.frames import VideoFrames
from hupai.hall.feed.capture.source import VideoSource
from hupai.hall.live.row.look import Look
from hupai.hall.live.row.looker import RowLooker
from hupai.hall.live.row.tracker import RowTracker
from hupai.hall.live.seat_view import SeatView
from hupai.hall.live.seat_watching import LOOKS_PER_SECOND
from vision.pipeline import TileReader

GRACE_SECONDS: Final = 0.8
"""After a change another hand may still be shown; how long it was is the delay. ``NEVER``: of one never shown."""
NEVER: Final = 9.9
STEP_SECONDS: Final = 0.02

Hand = tuple[tuple[str, ...], str | None, tuple[tuple[str, ...], ...]]


@dataclass(slots=True)
class Figures:
    """Seconds, and counts, of what was shown."""

    free: float = 0.0
    right: float = 0.0
    minutes: float = 0.0
    delays: list[float] = field(default_factory=list)
    wrong: list[tuple[float, float]] = field(default_factory=list)
    cpu: float = 0.0

    def add(self, other: Figures) -> None:
        """Count those of another video, too."""
        for name in ("free", "right", "minutes", "cpu"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.delays += other.delays
        self.wrong += other.wrong

    def __str__(self) -> str:
        late = f"{np.percentile(self.delays, 95):.2f}" if self.delays else "-"
        longest = max((b - a for a, b in self.wrong), default=0.0)
        return (
            f"right {self.right / max(self.free, 1e-9):.1%} of {self.free:.0f} s free, p95 delay {late} s, "
            f"{len(self.wrong) / self.minutes:.1f} wrong a minute (longest {longest:.1f} s), "
            f"{self.cpu / self.minutes / 60:.2f} cores"
        )


def hand_of(held: dict[str, Any]) -> Hand:
    melds = tuple(sorted(tuple(sorted(m)) for m in held["melds"]))
    return tuple(held["row"]), held["drawn"], melds


def shown_hand(view: SeatView) -> Hand | None:
    return hand_of(view.to_json()) if view.concealed else None


def look_at(video: Path, reader: TileReader) -> Iterator[tuple[float, Look, float]]:
    """The looks at a video, when each was there, and the processor time since the one before."""
    frames, looker = VideoFrames(VideoSource.of(str(video)), most=LOOKS_PER_SECOND), RowLooker(reader)
    start = time.thread_time()
    for frame in frames:
        if frame.image is None:
            continue
        before = time.thread_time()
        look = looker.look(frame.image, frame.time)
        after = time.thread_time()
        yield frame.time + after - before, look, after - start
        start = after


def looks_at(video: Path, reader: TileReader, kept_in: Path | None, *, replay: bool) -> list[tuple[float, Look, float]]:
    """All looks at a video as :func:`look_at` gives them: kept in a folder, or taken from there for a replay."""
    kept = kept_in / f"{video.stem}.looks" if kept_in else None
    if replay and kept:
        found: list[tuple[float, Look, float]] = pickle.loads(kept.read_bytes())
        return found
    seen = list(look_at(video, reader))
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(seen))
    return seen


def compare(truth: dict[str, Any], shown: list[tuple[float, Hand | None]]) -> Figures:
    """Compare what was shown from each time on with what stood there."""
    found = Figures(minutes=truth["seconds"] / 60)
    held = [(h["start"], h["end"], hand_of(h)) for h in truth["held"]]
    free_at = np.zeros(int(truth["seconds"] / STEP_SECONDS) + 1, bool)
    for a, b in truth["free"]:
        free_at[round(a / STEP_SECONDS) : round(b / STEP_SECONDS)] = True
    at, now, since, waiting = 0, -1, None, False
    allowed: set[Hand | None] = {None}
    wrong_since: float | None = None
    for step, free in enumerate(free_at):
        t = step * STEP_SECONDS
        while at + 1 < len(shown) and shown[at + 1][0] <= t:
            at += 1
        view = shown[at][1] if shown and shown[at][0] <= t else None
        k = next((n for n, (a, b, _) in enumerate(held) if a <= t < b), len(held) - 1)
        if k != now:
            if waiting and since is not None and t - since > GRACE_SECONDS:
                found.delays.append(NEVER)
            now, since, waiting = k, None, True
            allowed.add(held[k][2])
        if free and since is None:
            since = t
        right = view == held[k][2]
        if waiting and right and since is not None:
            found.delays.append(t - since)
            waiting = False
        if free and since is not None and t - since > GRACE_SECONDS:
            allowed = {held[k][2]}
            found.free += STEP_SECONDS
            found.right += STEP_SECONDS * right
        fault = view not in allowed and view is not None
        if fault and wrong_since is None:
            wrong_since = t
        elif not fault and wrong_since is not None:
            found.wrong.append((wrong_since, t))
            wrong_since = None
    if waiting and since is not None and truth["seconds"] - since > GRACE_SECONDS:
        found.delays.append(NEVER)
    if wrong_since is not None:
        found.wrong.append((wrong_since, truth["seconds"]))
    return found


def main(
    seeds: Annotated[list[int], typer.Option(help="Seeds of videos: --seeds 1 2 3.")],
    more: Annotated[list[int] | None, typer.Argument(hidden=True)] = None,
    seconds: float = 180,
    work: Path | None = None,
    looks: Path | None = None,
    replay: bool = False,
    verbose: bool = False,
) -> None:
    cv2.setNumThreads(1)
    reader, total = TileReader(threads=1), Figures()
    with tempfile.TemporaryDirectory() as folder:
        seeds = [*seeds, *(more or ())]
        for seed in seeds:
            films = work or Path(folder)
            films.mkdir(parents=True, exist_ok=True)
            video = films / f"seat-{seed}.mp4"
            if not video.with_suffix(".json").exists():
                write_player_video(player_video(seed, seconds=seconds), video)
            total.add(watch(video, reader, looks, replay=replay, verbose=verbose)[0])
    print(f"{len(seeds)} videos: {total}")


def watch(
    video: Path,
    reader: TileReader,
    looks: Path | None,
    *,
    replay: bool,
    verbose: bool,
    shows: Callable[[SeatView], Hand | None] = shown_hand,
) -> tuple[Figures, float]:
    """The figures of one video, which are printed, and the share of its frames in which something covers tiles."""
    truth = json.loads(video.with_suffix(".json").read_text(encoding="utf-8"))
    tracker, seen = RowTracker(), looks_at(video, reader, looks, replay=replay)
    shown = [(t, shows(tracker.add(look))) for t, look, _ in seen]
    figures = compare(truth, shown)
    figures.cpu = sum(cpu for _, _, cpu in seen)
    about = f"{truth['rules']} tiles, {truth['tile_px']:.0f} px, {truth['fps']:g} fps, covered {truth['covered']:.0%}"
    print(f"{video.stem}: {about}: {figures}", flush=True)
    if verbose:
        report(truth, shown, figures)
    return figures, float(truth["covered"])


def report(truth: dict[str, Any], shown: list[tuple[float, Hand | None]], figures: Figures) -> None:
    for a, b in figures.wrong:
        print(f"  wrong {a:.2f}-{b:.2f}")
    for h in truth["held"]:
        print(f"  truth {h['start']:.2f}-{h['end']:.2f} {_words(hand_of(h))}")
    last: Hand | None = None
    for t, hand in shown:
        if hand != last:
            print(f"  shown {t:.2f} {_words(hand) if hand else '-'}")
            last = hand
    print("  free", " ".join(f"{a:.1f}-{b:.1f}" for a, b in truth["free"]))


def _words(hand: Hand) -> str:
    row, drawn, melds = hand
    return f"{' '.join(row)} + {drawn} {' '.join('(' + ' '.join(m) + ')' for m in melds)}"


if __name__ == "__main__":
    typer.run(main)
