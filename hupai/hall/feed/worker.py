"""One watched table: frames -> events -> store, with a heartbeat that reports its health."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

import cv2
import numpy as np
from sqlalchemy import Engine

from hupai.hall.events import feed
from hupai.hall.events.feed import Displaced
from hupai.hall.feed.background_reader import BackgroundReader, FinishedRead
from hupai.hall.feed.capture.frames import Frame, FrameSource, LiveFrames, VideoFrames
from hupai.hall.feed.event_writer import EventWriter, encode_jpeg
from hupai.hall.feed.health import HealthMeter
from hupai.hall.feed.plan import TablePlan
from hupai.hall.feed.session.session_events import FeedState, SessionEvent
from hupai.hall.feed.session.table_session import TableSession
from hupai.hall.feed.stillness.homography import homography_from_corners
from hupai.hall.feed.write_queue import WriteQueue
from hupai.store.errors import STORE_AWAY
from scoring.errors import HupaiError
from scoring.tiles import tile
from vision.arrays import ImageArray
from vision.layout.shapes import HandRules, shapes_of
from vision.pipeline import TileReader

BEAT_SECONDS: Final = 2.0
PREVIEW_SECONDS: Final = 10.0
_PREVIEW_SIDE_PX: Final = 640
_PREVIEW_QUALITY: Final = 70
log = logging.getLogger("hupai.watch")


class Worker:
    """Watches one table until its source ends, it is stopped, or another worker takes the table.

    Attributes:
        table: the table. events: what has been stored of it.
    """

    def __init__(
        self,
        table: TablePlan,
        engine: Engine,
        reader: TileReader,
        name: str,
        limit: threading.Semaphore,
        *,
        keep_frames: int = 1000,
        report: Callable[[str], None] = lambda _: None,
        frames: Callable[[], FrameSource] | None = None,
    ) -> None:
        """Prepare to watch.

        Args:
            table, engine, reader: the table, the store, the models. name: of this process, unique.
            limit: of the tables that are read at once. keep_frames: audit pictures kept per table.
            report: receives messages about what happens. frames: starts the capture; default: by the table's source.
        """
        self.table = table
        self._engine, self._name, self._report = engine, name, report
        self._open_source = frames or self._capture
        self._stop = threading.Event()
        self._writes = WriteQueue(table.name, self._stop, self.stop)
        self.events = EventWriter(engine, table.name, name, self._writes, reader.models, keep_frames, report)
        self._reader = BackgroundReader(table.name, reader, limit)
        self._meter = HealthMeter()
        self._frames: FrameSource | None = None
        self._session: TableSession | None = None
        self._corners: list[Any] | None = None  # shares of the picture's size
        self._corners_set = False  # in the session
        self._corners_changed = threading.Event()  # by the director
        self._beat_error: Exception | None = None  # what ended the heartbeat
        self._lost = False
        self._previewed_at = 0.0
        self._preview: bytes | None = None  # stored by the next beat
        self._health: dict[str, Any] = {}

    def stop(self) -> None:
        """Ask the worker to stop; safe from any thread."""
        self._stop.set()
        if self._frames is not None:
            self._frames.close()

    def run(self) -> None:
        """Watch the table.

        Raises:
            Displaced: another process has the table.
        """
        given = self.table.corners
        claimed = self._claim()
        self._corners = [list(p) for p in given] if given is not None else claimed.corners
        tiles = tuple(tile(code) for code in claimed.tiles)
        rules = self._shapes_by(claimed.rules, claimed.options)
        session = TableSession(self._reader.detect, rules=rules, published=tiles, token=claimed.token or "")
        try:
            frames = self._open_source()
        except HupaiError:
            self._release(FeedState.LOST)
            raise
        self._session, self._frames = session, frames
        beating = threading.Thread(target=self._run_beats, name=f"beat {self.table.name}", daemon=True)
        end = FeedState.ENDED
        self._writes.begin()
        try:
            beating.start()
            try:
                for frame in frames:
                    self._process_frame(frame, session, frames)
                    if self._stop.is_set():
                        break
            finally:
                self._writes.close()
            if self._beat_error is not None:
                raise self._beat_error
        except Exception:
            end = FeedState.LOST  # the table is still watched: by another process, or by this one again
            raise
        finally:
            self._stop.set()
            frames.close()
            self._reader.close()
            beating.join(timeout=10)
            if end is FeedState.ENDED:
                self._store_preview()
                self._release(end)

    def _claim(self) -> feed.Claimed:
        """Claim the table. A killed worker holds it for some seconds; wait for that, unless it shows a new heartbeat.

        Raises:
            Displaced: another process is watching it.
        """
        wanted = feed.Claim(self.table.name, self.table.source.shown, self._name, self.table.rules)
        heard: datetime | None = None
        while True:
            try:
                return self._writes.now(lambda: feed.claim(self._engine, wanted))
            except Displaced as error:
                if heard is None:
                    heard = error.beat
                    self._report(
                        f"{self.table.name}: another process had this table; waiting whether it is still alive"
                    )
                if error.beat != heard or self._stop.wait(1.0):
                    raise

    def _release(self, state: FeedState) -> None:
        self._writes.now(lambda: feed.release(self._engine, self.table.name, self._name, state.value))

    def _capture(self) -> FrameSource:
        source = self.table.source
        return LiveFrames(source) if source.live else VideoFrames(source, self.table.speed)

    def _process_frame(self, frame: Frame, session: TableSession, frames: FrameSource) -> None:
        image = frame.image
        if image is None:
            if not self._lost:
                self._lost = True
                self.events.put_state(FeedState.LOST, frames.trouble)
            return
        if self._lost:
            self._lost = False
            session.state = FeedState.STARTING  # so that the state it finds is reported
        self._locate_table(image, session)
        self._use_read(self._reader.collect(), session)
        if self.table.source.live:
            self._meter.lag_seconds = max(0.0, time.monotonic() - frame.time)
        events, pending = session.check_motion(image, frame.time)
        self._store(events, image, session)
        self._meter.frames += 1
        if pending is not None and not self._reader.busy:
            self._reader.start(pending)
            if isinstance(frames, VideoFrames) and self.table.speed is None:
                # A file has a clock of its own: it skips what was missed.
                frames.add_read_time(self._use_read(self._reader.collect(wait=True), session))
        if time.monotonic() - self._previewed_at > PREVIEW_SECONDS:
            self._previewed_at = time.monotonic()
            self._take_preview(image)

    def _locate_table(self, image: ImageArray, session: TableSession) -> None:
        """Tell the session where the table is, in a picture of another size or with other corners."""
        height, width = image.shape[:2]
        if (self._meter.width, self._meter.height) == (width, height) and not self._corners_changed.is_set():
            return
        self._corners_changed.clear()
        self._meter.width, self._meter.height = width, height
        session.set_shape(image.shape)
        if self._corners is not None:
            session.set_table(homography_from_corners([(x * width, y * height) for x, y in self._corners]))
        elif self._corners_set:
            session.set_table(None)
        self._corners_set = self._corners is not None

    def _use_read(self, finished: FinishedRead | None, session: TableSession) -> float:
        """Process a finished read, if there is one; return the seconds it took, else 0."""
        if finished is None:
            return 0.0
        pending = finished.pending
        self._store(session.on_detections(pending, finished.sightings), pending.image, session)
        return finished.seconds

    def _store(self, events: list[SessionEvent], image: ImageArray, session: TableSession) -> None:
        for event in events:
            token = self.events.put(event, image)
            if token is not None and event.published is not None:
                session.set_published(token, event.published)

    def _run_beats(self) -> None:
        while not self._stop.wait(BEAT_SECONDS):
            try:
                self._beat()
            except STORE_AWAY as error:
                log.warning("%s: the beat was not kept: %s", self.table.name, error)
            except Exception as error:  # noqa: BLE001 - raised by run()
                self._beat_error = error
                self.stop()
                return

    def _beat(self) -> None:
        """Report health, and learn what the director has set.

        Raises:
            Displaced: another process has the table.
        """
        session, frames, preview = self._session, self._frames, self._preview
        assert session is not None and frames is not None
        self._health = self._meter.measure(session, frames, self._reader)
        corners, rules, options = feed.beat(self._engine, self.table.name, self._name, self._health, preview)
        if self._preview is preview:
            self._preview = None
        if self.table.corners is None and corners != self._corners:
            self._corners = corners
            self._corners_changed.set()
        session.set_rules(self._shapes_by(rules, options))

    def _shapes_by(self, rules: str | None, options: Mapping[str, Any]) -> HandRules:
        """What helps the reading: the rules that were asked for, else the table's; with the house rules of its game."""
        asked = self.table.rules or rules
        return shapes_of(asked, options if asked == rules else None)

    def _take_preview(self, image: ImageArray) -> None:
        scale = _PREVIEW_SIDE_PX / max(image.shape[:2])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
        # Stored with a beat: pictures are watched meanwhile, also while the store does not answer.
        self._preview = encode_jpeg(np.asarray(small, np.uint8), _PREVIEW_QUALITY)

    def _store_preview(self) -> None:
        """Store the last preview, if there was no beat after it."""
        jpeg = self._preview
        if jpeg is not None:
            with suppress(Displaced):  # whose table it is shows its own picture
                self._writes.now(lambda: feed.beat(self._engine, self.table.name, self._name, self._health, jpeg))
