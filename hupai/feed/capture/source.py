"""The source of a table's pictures: a webcam, a stream, a video file."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import cv2

from hupai.feed.errors import FeedError
from scoring.words.sentence import say

_STREAMS: Final = ("rtsp", "rtsps", "http", "https", "udp", "tcp", "rtmp")
OPEN_MS: Final = 8000
READ_MS: Final = 4000
"""Milliseconds that opening a stream may take, and without data after which it counts as cut."""


def _hush() -> None:
    """Silence OpenCV, which would report every try, and FFmpeg, which shows passwords; hupai reports errors itself."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)


def _has_host(address: str) -> bool:
    try:
        return bool(urlsplit(address).netloc)
    except ValueError:  # half an IPv6 address
        return False


@dataclass(frozen=True, slots=True)
class VideoSource:
    """A source of pictures.

    Attributes:
        text: as it was given. kind: ``webcam``, ``stream`` or ``file``.
        size: (width, height) requested from a webcam.
    """

    text: str
    kind: str
    size: tuple[int, int] = (1280, 720)

    @staticmethod
    def of(text: str, size: tuple[int, int] = (1280, 720)) -> VideoSource:
        """Parse ``0``, ``/dev/video0``, ``rtsp://...``, ``http://...`` or the path of a video.

        Raises:
            FeedError: none of these, or no such file.
        """
        text = text.strip()
        if re.fullmatch(r"\d{1,3}", text) or re.fullmatch(r"/dev/video\d{1,3}", text):
            return VideoSource(text, "webcam", size)
        scheme = text.partition("://")[0].lower() if "://" in text else ""
        if scheme in _STREAMS:
            if not _has_host(text):
                raise FeedError(f"{text!r:.80} names no host; write rtsp://camera/path.", field="source")
            return VideoSource(text, "stream", size)
        if scheme and scheme != "file":
            raise FeedError(f"{scheme}:// is not a supported stream: give {', '.join(_STREAMS)}.", field="source")
        # Unlike Path's own methods, these treat an impossible file name as a file that does not exist.
        path = Path(os.path.expanduser(text.removeprefix("file://")))  # noqa: PTH111
        if not os.path.isfile(path):  # noqa: PTH113
            message = f"{text!r:.200} is not a webcam (0, 1, /dev/video0), stream (rtsp://, http://) or video file."
            raise FeedError(message, field="source")
        return VideoSource(str(path), "file", size)

    @property
    def live(self) -> bool:
        """Whether it runs on in real time, whether or not it is read."""
        return self.kind != "file"

    @property
    def shown(self) -> str:
        """The source without user name and password."""
        if self.kind != "stream":
            return self.text
        parts = urlsplit(self.text)
        host = parts.netloc.rpartition("@")[2]
        query = "..." if parts.query else ""  # cameras take passwords in the query, too
        return urlunsplit((parts.scheme, host, parts.path, query, ""))[:300]

    def open(self) -> cv2.VideoCapture:
        """Start capturing.

        Raises:
            FeedError: there is no picture. Code ``no_picture``.
        """
        _hush()
        if self.kind == "webcam":
            index = int(self.text.removeprefix("/dev/video"))
            capture = cv2.VideoCapture(index, cv2.CAP_V4L2)
            # Uncompressed 720p reaches 5 to 10 frames per second over USB 2; as JPEGs it reaches 30.
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self.size[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self.size[1])
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        elif self.kind == "stream":
            wait = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS]
            capture = cv2.VideoCapture(self.text, cv2.CAP_FFMPEG, wait)
        else:
            capture = cv2.VideoCapture(self.text, cv2.CAP_FFMPEG)
            if not capture.isOpened():
                capture.release()
                capture = cv2.VideoCapture(self.text)
        if not capture.isOpened():
            capture.release()
            raise FeedError(
                say("No picture from {a}: is it plugged in, switched on, reachable?", a=self.shown), code="no_picture"
            )
        return capture
