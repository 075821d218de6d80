"""What label formats share: boxes clipped to the picture, names of files, text, JSON and XML that is read."""

from __future__ import annotations

import hashlib
import io
import itertools
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TextIO, cast
from urllib.parse import parse_qs, unquote, urlparse
from xml.etree import ElementTree

from hupai.label.records import Box, Record
from scoring.errors import Fault, InvalidRequest
from vision.geometry import Point, Quad, signed_area

MAX_LABEL_BYTES: Final = 2_000_000_000
"""Larger files of labels are not read into memory."""
_NOT_IN_XML: Final = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no way to write, not even escaped (section 2.2), and carriage returns, which its readers change."""
_READ_CHARACTERS: Final = 1 << 20
_MAX_SHOWN: Final = 5
"""Faults of a file that a message lists."""
_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]+|\\\\")
_BACKSLASH: Final = re.compile(r"\\(?!x[0-9a-f]{2})")
_LINE_BREAKS: Final = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]")
"""Characters that would break a line in a list of files."""
_UPLOADED: Final = re.compile(r"^[0-9a-f]{8}-(?=.)|_jpe?g\.rf\.[0-9a-f]{32}(?=\.|$)")
"""What Label Studio puts in front of a name, and Roboflow behind that of a JPEG file."""


class LabelError(InvalidRequest):
    """A file of labels that cannot be read; ``faults`` lists everything that is wrong."""

    code = "bad_labels"


def clip_corners(corners: Quad, width: int, height: int) -> Quad:
    """Return corners moved into the picture, whose edge cuts tiles off: most formats refuse points outside."""
    a, b, c, d = ((min(max(x, 0.0), float(width)), min(max(y, 0.0), float(height))) for x, y in corners)
    return a, b, c, d


def upright_corners(x0: float, y0: float, x1: float, y1: float) -> Quad:
    """Return the corners of an upright box between two opposite ones, clockwise from the top-left one."""
    left, right = sorted((x0, x1))
    top, bottom = sorted((y0, y1))
    return (left, top), (right, top), (right, bottom), (left, bottom)


def four_corners(points: Sequence[Point]) -> Quad:
    """Return a polygon's corners, clockwise from its first point.

    Of a polygon that crosses itself, or of other than four points, they are those of the smallest rectangle around it,
    from the one nearest to the first point: which corner comes first says how the tile is turned.

    Raises:
        ValueError: fewer than three points.
    """
    if len(points) > 3 and points[0] == points[-1]:
        points = points[:-1]
    if len(points) < 3:
        raise ValueError(f"a polygon of {len(points)} points")
    corners = list(points) if len(points) == 4 and not _crosses_itself(points) else _fit_rectangle(points)
    if signed_area(corners) < 0:
        corners[1], corners[3] = corners[3], corners[1]
    a, b, c, d = corners
    return a, b, c, d


def _crosses_itself(corners: Sequence[Point]) -> bool:
    """Whether two opposite sides of four cross: the way around then turns twice to the left and twice to the right."""
    ring = [*corners, *corners[:2]]
    turns = [signed_area((ring[i], ring[i + 1], ring[i + 2], ring[i + 2])) for i in range(4)]
    return sum(turn > 0 for turn in turns) == sum(turn < 0 for turn in turns) == 2


def _fit_rectangle(points: Sequence[Point]) -> list[Point]:
    """Return the corners of the smallest rectangle around points, from the one nearest to the first of them."""
    import cv2
    import numpy as np

    box = cv2.boxPoints(cv2.minAreaRect(np.array(points, np.float32)))
    corners = [(float(x), float(y)) for x, y in box]
    first = min(range(4), key=lambda i: math.dist(corners[i], points[0]))
    return corners[first:] + corners[:first]


def picture_name(address: str) -> str:
    r"""Return a picture's name from a tool's: a name, a path of Windows, a URL, or Label Studio's address of one.

    Label Studio's is ``/data/local-files/?d=NAME``. In a URL it is unknown which folders belong to the name, so only
    its last part is kept. ``\xNN`` stays: our own names of pictures have it for bytes that are not UTF-8.
    """
    if address.startswith(("/data/local-files/", "?d=")):
        address = parse_qs(urlparse(address).query).get("d", [address])[0].lstrip("/")
    elif "://" in address or address.startswith("/data/upload/"):
        return unquote(urlparse(address, allow_fragments=address.startswith("http")).path).rpartition("/")[2]
    drive = _DRIVE.match(address)
    if drive:
        return address[drive.end() :].replace("\\", "/")
    return _BACKSLASH.sub("/", address)


def without_suffix(name: str) -> str:
    """Return a picture's name without ``.jpg``, as label files that name no suffix know it."""
    return name.rpartition(".")[0] or name


def file_stem(name: str) -> str:
    """Return what label files of a picture are called, if no other picture is called alike (:class:`Stems`)."""
    return without_suffix(_LINE_BREAKS.sub("_", name))


def comparable_name(name: str) -> str:
    """Return a picture's name in the one form in which names are compared: a Mac decomposes letters with accents."""
    return unicodedata.normalize("NFC", name)


def strip_upload_mark(name: str) -> str:
    """Return the last part of a name without what Label Studio and Roboflow add to that of an uploaded file."""
    return _UPLOADED.sub("", name.rpartition("/")[2])


def format_alternatives(box: Box) -> str:
    """Return what else a tile may be as one text: ``6p:0.031 9p:0.004``."""
    return " ".join(f"{t.code}:{p}" for t, p in box.alternatives)


def xml_text(text: str) -> str:
    """Return a text as XML can hold it: every other character becomes U+FFFD."""
    return _NOT_IN_XML.sub("\ufffd", text)


def with_safe_name(record: Record) -> Record:
    """Return a record whose picture's name leads out of no folder: the files written for it are named after it.

    Tools also call pictures ``/home/me/a.jpg`` or ``../images/a.jpg``.
    """
    name = "/".join(part for part in record.image.split("/") if part not in ("", ".", "..")) or "picture"
    return record if name == record.image else replace(record, image=name)


class Stems:
    """A file name without suffix for every picture: its own stem, or with the suffix in it if two would be the same.

    YOLO and VOC tools look for ``IMG_1.txt`` beside both ``IMG_1.jpg`` and ``IMG_1.png``. Line breaks become ``_``. To
    a Mac names are the same however their accents are spelt.
    """

    def __init__(self) -> None:
        self._taken: set[bytes] = set()  # digests take less memory than ten million names

    def of(self, name: str) -> str:
        """Return the stem of the next picture, in the order of names."""
        folder, slash, last = _LINE_BREAKS.sub("_", name).rpartition("/")
        stem, dot, suffix = last.rpartition(".")
        tries = [stem or last, f"{stem}_{suffix}" if dot else last]
        numbered = (f"{tries[1]}_{n}" for n in itertools.count(2))
        for candidate in itertools.chain(tries, numbered):
            key = hashlib.blake2b(comparable_name(folder + slash + candidate).encode(), digest_size=12).digest()
            if key not in self._taken:
                self._taken.add(key)
                return folder + slash + candidate
        raise AssertionError("numbers do not end")


@contextmanager
def open_text(path: Path, newline: str | None = None) -> Iterator[TextIO]:
    """Open a file of labels as text; errors while it is read give its name.

    ``newline`` is that of :func:`open`.

    Raises:
        LabelError: missing, unreadable, not UTF-8.
    """
    try:
        with path.open("rb") as file:
            try:
                yield io.TextIOWrapper(file, encoding="utf-8-sig", newline=newline)
            except UnicodeDecodeError as error:
                at = file.tell() - len(error.object) + error.start  # it is decoded in pieces
                raise LabelError(f"{path} is not a text file ({error.reason} at byte {at}).") from None
    except FileNotFoundError:
        raise LabelError(f"There is no file {path}; check the name.") from None
    except OSError as error:
        raise LabelError(f"{path} cannot be read ({error.strerror}).") from None


def read_text(path: Path) -> str:
    """Return a file of labels as text.

    Raises:
        LabelError: missing, too large, not UTF-8.
    """
    with open_text(path) as file:
        if path.stat().st_size > MAX_LABEL_BYTES:
            raise LabelError(f"{path} has more than {MAX_LABEL_BYTES // 1_000_000} MB; cut it into parts.")
        return file.read()


def read_json(path: Path) -> Any:
    """Return a file of labels as JSON.

    Raises:
        LabelError: it is not JSON.
    """
    import json

    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise json_error(path, error) from None


def json_error(path: Path, error: Exception) -> LabelError:
    """Return the error for a file that is not JSON."""
    return LabelError(f"{path} is not valid JSON ({error}).")


def xml_root(path: Path) -> ElementTree.Element:
    """Return the root of an XML file.

    Raises:
        LabelError: not XML.
    """
    root, *children = xml_parts(path)
    root.extend(children)
    return root


def xml_parts(path: Path) -> Iterator[ElementTree.Element]:
    """Yield the root of an XML file, still empty, and then its children; they are whole, and the root forgets them.

    Raises:
        LabelError: not XML; raised after the children before the fault.
    """
    parser: ElementTree.XMLPullParser[Any] = ElementTree.XMLPullParser(("start", "end"))
    text = ""
    above: list[ElementTree.Element] = []
    try:
        with open_text(path) as file:
            while piece := file.read(_READ_CHARACTERS):
                text = text[-10:] + piece
                if "<!DOCTYPE" in text or "<!ENTITY" in text:
                    raise LabelError(f"{path} declares entities, which labels do not need; remove the DOCTYPE.")
                parser.feed(piece)
                for event, element in cast("Iterable[tuple[str, ElementTree.Element]]", parser.read_events()):
                    if event == "start":
                        above.append(element)
                        if len(above) == 1:
                            yield element
                    else:
                        above.pop()
                        if len(above) == 1:
                            above[0].clear()
                            yield element
        parser.close()
    except ElementTree.ParseError as error:
        raise LabelError(f"{path} is not valid XML ({error}).") from None


def list_faults(faults: Sequence[Fault]) -> str:
    """Return the messages of the first faults, and how many more there are."""
    more = f" and {len(faults) - _MAX_SHOWN} more" if len(faults) > _MAX_SHOWN else ""
    return "; ".join(fault.message for fault in faults[:_MAX_SHOWN]) + more


def picture_twice_error(where: object, name: str) -> LabelError:
    """Return the error for labels that have a picture twice."""
    return LabelError(f"{where} has labels of the same picture twice: {name}.", code="image_twice")


def invalid_file_error(path: Path, what: str, error: Exception) -> LabelError:
    """Return the error for a file whose structure does not match its format."""
    detail = f"{error} is missing" if isinstance(error, KeyError) else str(error)
    return LabelError(f"{path}: {what} is invalid ({detail}).")
