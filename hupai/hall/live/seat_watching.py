"""Seats watched by one process, each in its own thread, with one set of models: camera -> views -> server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from hupai.hall.feed.capture.frames import FrameSource, LiveFrames, VideoFrames
from hupai.hall.feed.plan import TablePlan
from hupai.hall.feed.threads import raising_crashes, watch_each
from hupai.hall.live.row.looker import RowLooker
from hupai.hall.live.row.tracker import RowTracker
from hupai.hall.live.seat_post import SeatPost
from hupai.hall.live.seat_view import SeatView
from scoring.errors import HupaiError
from vision.pipeline import TileReader

LOOKS_PER_SECOND: Final = 10
ADVICE: Final = {
    "no_row": "no row of tiles is in sight: let the camera see all standing tiles from the player's side",
    "cut_off": "the row of tiles reaches the edge of the picture: turn the camera, or move it back",
    "too_small": "the tiles are too small: move the camera nearer, or zoom in",
    "too_steep": "the faces are seen too much from the side: lower the camera, or move it round to the front",
    "too_dark": "the picture is too dark",
    "blown_out": "light blots out tile {place} from the left: move the lamp or the camera",
    "blurred": "the picture is blurred: fix the focus",
}
"""What to do about the reasons of a view."""
ADVICE_SECONDS: Final = 2.0
"""For so long a reason has to hold before it is reported."""


class SeatWatcher:
    """Watches one seat, as long as the player agrees, until its source ends or it is stopped."""

    def __init__(self, plan: TablePlan, reader: TileReader, post: SeatPost, report: Callable[[str], None]) -> None:
        """Prepare; ``report`` receives what is wrong with the picture, never tiles."""
        self._plan, self._reader, self._post, self._report = plan, reader, post, report
        self._stop = threading.Event()
        self._frames: FrameSource | None = None
        self._told: dict[str, float] = {}

    def stop(self) -> None:
        """Ask it to stop; safe from any thread."""
        self._stop.set()
        self._post.changed.set()
        if self._frames is not None:
            self._frames.close()

    def run(self) -> None:
        """Watch the seat; the camera is open only while the player agrees.

        Raises:
            FeedError: there is no picture.
        """
        self._post.start()
        try:
            self._watch()
        finally:
            self._post.close()

    def _watch(self) -> None:
        waiting = False
        while True:
            self._post.changed.clear()
            if self._stop.is_set():
                return
            if self._post.may_look:
                waiting = False
                if self._look_on():
                    return
                continue
            if not waiting:
                waiting = True
                self._report("waiting for the player's consent, which the director notes; nobody is looked at")
            self._post.changed.wait()

    def _look_on(self) -> bool:
        """Look while the player agrees; return whether the source has ended."""
        source = self._plan.source
        most = LOOKS_PER_SECOND
        self._frames = LiveFrames(source, most) if source.live else VideoFrames(source, self._plan.speed, most)
        looker, tracker = RowLooker(self._reader), RowTracker()
        sent, ended = None, True
        try:
            for frame in self._frames:
                if self._stop.is_set() or not self._post.may_look:
                    ended = self._stop.is_set()
                    break
                if frame.image is None:
                    view = SeatView("lost", reasons=("no_row",))
                else:
                    view = tracker.add(looker.look(frame.image, frame.time))
                if view != sent:
                    self._post.show(view)
                    sent = view
                self._advise(view)
        finally:
            self._frames.close()
        return ended

    def _advise(self, view: SeatView) -> None:
        """Report a reason that has held for a while, once."""
        now = time.monotonic()
        self._told = {r: self._told.get(r, now) for r in view.reasons}
        for reason, since in self._told.items():
            if now - since >= ADVICE_SECONDS:
                self._told[reason] = float("inf")
                code, _, place = reason.partition(":")
                self._report(ADVICE[code].format(place=place))


def watch_seats(
    plans: Sequence[TablePlan],
    reader: TileReader,
    server: str,
    token: str,
    *,
    stop: threading.Event,
    report: Callable[[str], None],
) -> list[HupaiError]:
    """Watch seats until every source has ended or ``stop`` is set.

    Args:
        plans: which seats. server, token: where to send what is seen, and the token of the table's camera there.
        report: receives messages, in which there are no tiles.

    Returns:
        The reasons why seats could not be watched.
    """

    def make_watcher(plan: TablePlan) -> SeatWatcher:
        assert plan.seat is not None

        def tell(text: str) -> None:
            report(f"{plan.label}: {text}")

        return SeatWatcher(plan, reader, SeatPost(server, token, plan.name, plan.seat, tell), tell)

    with raising_crashes():
        return watch_each(plans, make_watcher, stop=stop, report=report)
