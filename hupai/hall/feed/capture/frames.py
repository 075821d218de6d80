"""Frames of a source: the latest frame of a live source, or every frame of a video file in order."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.feed.capture.source import VideoSource
from hupai.hall.feed.errors import FeedError
from scoring.words.sentence import say
from vision.arrays import ImageArray

RECONNECT_SECONDS: Final = (0.5, 1, 2, 4, 8, 15, 30)
"""Seconds before each further try to reconnect; the last value is repeated."""
SILENT_SECONDS: Final = 3.0
"""Seconds without a new frame after which a live source counts as lost."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture and when it was taken.

    Attributes:
        image: (h, w, 3) uint8 BGR, or None when there has been none for a while. time: seconds, monotonic.
        number: count of frames since the start; gaps are frames that nobody had time for.
    """

    image: ImageArray | None
    time: float
    number: int


class FrameSource(Protocol):
    """A source that is being captured."""

    @property
    def reconnects(self) -> int:
        """How often the source came back."""

    @property
    def trouble(self) -> str | None:
        """Why there is no picture, or None."""

    def __iter__(self) -> Iterator[Frame]:
        """Yield frames until the source ends or is closed."""

    def add_read_time(self, seconds: float) -> None:
        """Report how long the last frame took to read."""

    def close(self) -> None:
        """Stop."""


class _Pace:
    """Which frames are wanted: so many a second, as evenly as they come; all of them if None."""

    def __init__(self, most: float | None) -> None:
        self._step = 1 / most if most else 0.0
        self._next = 0.0

    def wants(self, time: float) -> bool:
        """Whether the frame taken at ``time`` is wanted; it is then taken to be had."""
        if time < self._next:
            return False
        self._next = max(self._next + self._step, time + self._step / 2)
        return True


class LiveFrames:
    """A thread drains the capture and keeps only the latest frame; a lost source is reopened again and again.

    With ``most``, so many frames a second are decoded in full, and none while nobody waits for one.

    Attributes:
        captured: frames so far. trouble: why there is no picture, or None. reconnects: how often the source came back.
    """

    def __init__(self, source: VideoSource, most: float | None = None) -> None:
        self.source = source
        self.captured = 0
        self.reconnects = 0
        self.trouble: str | None = None
        self._latest: Frame | None = None
        self._most, self._pace, self._awaited = most, _Pace(most), False
        self._news = threading.Condition()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._drain, name=f"capture {source.shown}", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Frame]:
        """Yield the latest frame each time; a frame without an image when the source is silent."""
        last = 0
        while not self._closed.is_set():
            with self._news:
                self._awaited = True
                if not self._closed.is_set() and (self._latest is None or self._latest.number == last):
                    self._news.wait(SILENT_SECONDS)
                frame = self._latest
            if self._closed.is_set():
                return
            if frame is None or frame.number == last:
                self.trouble = self.trouble or say("{a} sends no pictures.", a=self.source.shown)
                yield Frame(None, time.monotonic(), last)
                continue
            last = frame.number
            yield frame

    def add_read_time(self, seconds: float) -> None:
        """Do nothing: the thread has gone on meanwhile."""

    def close(self) -> None:
        """Stop the thread."""
        self._closed.set()
        with self._news:
            self._news.notify_all()
        self._thread.join(timeout=10)

    def _drain(self) -> None:
        tries = 0
        while not self._closed.is_set():
            try:
                capture = self.source.open()
            except FeedError as error:
                self.trouble = error.message
                self._closed.wait(RECONNECT_SECONDS[min(tries, len(RECONNECT_SECONDS) - 1)])
                tries += 1
                continue
            if self.captured:
                self.reconnects += 1
            before = self.captured
            self._capture(capture)
            capture.release()
            if self._closed.is_set():
                return
            self.trouble = say("{a} stopped sending pictures.", a=self.source.shown)
            # A source that opens but delivers no frame must not be reopened without a pause either.
            tries = 0 if self.captured - before > 10 else tries + 1
            self._closed.wait(RECONNECT_SECONDS[min(tries, len(RECONNECT_SECONDS) - 1)])

    def _capture(self, capture: cv2.VideoCapture) -> None:
        while not self._closed.is_set():
            try:
                if not capture.grab():
                    return
                self.captured += 1
                if self._most and not (self._awaited and self._pace.wants(time.monotonic())):
                    continue
                there, image = capture.retrieve()
            except cv2.error:  # a picture that cannot be decoded counts as a cut connection
                return
            if not there or image is None:
                return
            self.trouble = None
            with self._news:
                self._latest, self._awaited = Frame(_three_channels(image), time.monotonic(), self.captured), False
                self._news.notify_all()


class VideoFrames:
    """A video file on its own clock, as a camera would have shown it: frames that arrive during a slow read are missed.

    Files of phones and webcams often leave frames out (in poor light, say): there each frame's own time counts.

    With ``speed`` it plays against the wall clock, so many times as fast (to try out a whole installation); without it,
    the file is read as fast as possible, and only frames that a read's time covers (:meth:`add_read_time`) are skipped.
    With ``most``, so many frames a second are decoded in full.

    Attributes:
        fps: frames per second of the file. captured: frames so far.
    """

    def __init__(self, source: VideoSource, speed: float | None = None, most: float | None = None) -> None:
        self._capture = source.open()
        self.fps = float(self._capture.get(cv2.CAP_PROP_FPS)) or 25.0
        self.captured = 0
        self.reconnects = 0
        self.trouble: str | None = None
        self._speed, self._pace = speed, _Pace(most)
        self._at, self._first = 0.0, 0.0
        self._busy_until = 0.0
        self._closed = False

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames that fall between two reads."""
        start = time.monotonic()
        while not self._closed and self._capture.grab():
            at = self._at = self._time()
            if self._speed is not None:
                now = (time.monotonic() - start) * self._speed
                if now < at:
                    time.sleep((at - now) / self._speed)
                elif now - at > 2 / self.fps:
                    self._busy_until = now
            self.captured += 1
            if at < self._busy_until or not self._pace.wants(at):
                continue
            there, image = self._capture.retrieve()
            if not there:
                break
            yield Frame(_three_channels(image), at, self.captured)
        self._capture.release()

    def add_read_time(self, seconds: float) -> None:
        """Skip the frames that a read of so many seconds would have missed."""
        if self._speed is None:
            self._busy_until = self._at + 1 / self.fps + seconds

    def _time(self) -> float:
        """Return when the grabbed frame was taken, seconds: by the file's rate where that is right to a frame."""
        usual, told = self.captured / self.fps, float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        if not self.captured:
            self._first = told
        told -= self._first
        if told <= 0 or abs(told - usual) <= 1 / self.fps:  # some captures do not tell it
            return max(self._at, usual)
        return max(self._at, told)

    def close(self) -> None:
        """Stop after the current frame."""
        self._closed = True


def _three_channels(image: npt.NDArray[Any]) -> ImageArray:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image, np.uint8)
