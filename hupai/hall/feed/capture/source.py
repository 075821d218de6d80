"""The source of a table's pictures: a webcam, a stream, a video file."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import cv2

from hupai.hall.feed.errors import FeedError
from scoring.words.sentence import say

_STREAMS: Final = ("rtsp", "rtsps", "http", "https", "udp", "tcp", "rtmp")
OPEN_MS: Final = 8000
READ_MS: Final = 4000
"""Milliseconds that opening a stream may take, and without data after which it counts as cut."""

_NO_PICTURE: Final = "No picture from {a}: is it plugged in, switched on, reachable?"
_NO_STREAM: Final = "No picture from {a}: is it switched on and reachable, are user, password and path right?"


def _hush() -> None:
    """Silence OpenCV, which would report every try, and FFmpeg, which shows passwords; hupai reports errors itself."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)


def _has_host(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return bool(parts.hostname) and parts.port != 0  # a port that is no number raises
    except ValueError:  # also half an IPv6 address
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
                message = f"No host in this {scheme}://; write {scheme}://camera/path, and #, / and ? of a password as "
                raise FeedError(f"{message}%23, %2F and %3F.", field="source")
            return VideoSource(text, "stream", size)
        if scheme and scheme != "file":
            raise FeedError(f"{scheme}:// is not a supported stream: give {', '.join(_STREAMS)}.", field="source")
        # Unlike Path's own methods, these treat an impossible file name as a file that does not exist.
        path = Path(os.path.expanduser(text.removeprefix("file://")))  # noqa: PTH111
        if not os.path.isfile(path):  # noqa: PTH113
            what = "is a folder" if os.path.isdir(path) else "is not there"  # noqa: PTH112
            message = (
                f"{text!r:.200} {what}; give a webcam (0, 1, /dev/video0), stream (rtsp://, http://) or video file."
            )
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
        scheme, _, rest = self.text.partition("://")
        beyond, _, _ = rest.removeprefix(urlsplit(self.text).netloc).rpartition("@")
        if "=" in beyond:  # an @ of a parameter, or of a password that has ended the host: nobody can tell
            return f"{scheme}://..."
        parts = urlsplit(f"{scheme}://{rest.rpartition('@')[2]}")  # a password may contain what ends a host
        # Cameras take passwords in the query, and some in the path.
        path = "/..." if "=" in parts.path else parts.path
        return urlunsplit((parts.scheme, parts.netloc, path, "..." if parts.query else "", ""))[:300]

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
            raise FeedError(say(_NO_STREAM if self.kind == "stream" else _NO_PICTURE, a=self.shown), code="no_picture")
        return capture
