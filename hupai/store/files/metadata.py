"""Removes from photos everything but the picture: place, camera, owner, thumbnails, anything after the end."""

from __future__ import annotations

import io
import re
import struct
from typing import Final

from PIL import Image

from vision.io.photo import Photo

_START, _END, _SCAN = 0xD8, 0xD9, 0xDA
_ALONE: Final = frozenset({0x01, *range(0xD0, 0xD8)})  # TEM and the restart markers carry no length
_JFIF, _ICC, _EXIF, _ADOBE, _COMMENT = 0xE0, 0xE2, 0xE1, 0xEE, 0xFE
_MARKER_IN_SCAN: Final = re.compile(rb"\xff[^\x00\xd0-\xd7]")
_DOCUMENTS: Final = (b"<", b"%PDF", b"PK\x03\x04", b"MZ", b"\x7fELF", b"#!", b"Rar!", b"{\\rtf")


def strip_metadata(data: bytes) -> tuple[bytes, str]:
    """Return the same picture without metadata, and the suffix of its format.

    A JPEG keeps its compressed picture bit for bit, its colour profile and its orientation; anything else becomes an
    upright PNG with the same pixels.

    Raises:
        PhotoError: it cannot be read.
    """
    stripped = strip_jpeg(data)
    if stripped is not None:
        return stripped, ".jpg"
    out = io.BytesIO()
    Image.fromarray(Photo(data).pixels).save(out, "PNG")
    return out.getvalue(), ".png"


def strip_jpeg(data: bytes) -> bytes | None:
    """Return a JPEG (ITU T.81) without metadata and without what follows its end; None for anything else."""
    found = _segments(data)
    if found is None:
        return None
    kept, orientation = found
    exif = b"" if orientation == 1 else _orientation_segment(orientation)
    return b"\xff\xd8" + exif + b"".join(kept) + b"\xff\xd9"


def bytes_after_end(data: bytes) -> bytes:
    """Return what follows the end of a JPEG; empty for anything else."""
    end = _picture_end(data)
    return data[end:] if end is not None else b""


def hides_a_document(data: bytes) -> bool:
    """Whether a program, page, archive or document is appended to the picture (phones append videos, which is fine)."""
    return bytes_after_end(data).lstrip(b"\0\r\n\t ").startswith(_DOCUMENTS)


def _picture_end(data: bytes) -> int | None:
    segments = _walk(data)
    return segments[-1][0] + segments[-1][2] if segments else None


def _segments(data: bytes) -> tuple[list[bytes], int] | None:
    """Return the segments that make the picture, in order, and the EXIF orientation; None if it is not a whole JPEG."""
    kept: list[bytes] = []
    orientation = 1
    for at, marker, length in _walk(data):
        segment = data[at : at + length]
        if marker == _END:
            return kept, orientation
        if marker == _EXIF:
            orientation = _orientation_in(segment[4:]) or orientation
        elif marker != _START and not _tells_more(marker, segment):
            kept.append(segment)
    return None


def _tells_more(marker: int, segment: bytes) -> bool:
    """Whether a segment is about something other than drawing the picture: comments, application data."""
    if marker == _ICC:
        return segment[4:16] != b"ICC_PROFILE\0"
    return marker == _COMMENT or (0xE0 <= marker <= 0xEF and marker not in (_JFIF, _ADOBE))


def _walk(data: bytes) -> list[tuple[int, int, int]]:
    """Return (start, marker, length) of every segment up to the end marker; a scan includes its compressed data."""
    found: list[tuple[int, int, int]] = []
    if data[:2] != b"\xff\xd8":
        return found
    found.append((0, _START, 2))
    at = 2
    while at + 2 <= len(data) and data[at] == 0xFF:
        while at + 1 < len(data) and data[at + 1] == 0xFF:  # fill bytes
            at += 1
        marker = data[at + 1] if at + 1 < len(data) else _END
        if marker in _ALONE or marker == _END:
            found.append((at, marker, 2))
            if marker == _END:
                return found
            at += 2
            continue
        if at + 4 > len(data):
            break
        length = 2 + int(struct.unpack_from(">H", data, at + 2)[0])
        if marker == _SCAN:
            length = _scan_end(data, at + length) - at
        found.append((at, marker, length))
        at += length
    return []


def _scan_end(data: bytes, at: int) -> int:
    """Return the end of compressed data: the next marker that is neither a stuffed byte nor a restart."""
    found = _MARKER_IN_SCAN.search(data, at)
    return found.start() if found else len(data)


def _orientation_in(exif: bytes) -> int | None:
    if not exif.startswith(b"Exif\0\0"):
        return None
    reader = Image.Exif()
    try:
        reader.load(exif)
        value = reader.get(0x0112)
    except (OSError, SyntaxError, ValueError, KeyError, IndexError, struct.error):
        return None  # damaged EXIF is no reason to lose a photo; it is dropped anyway
    return value if isinstance(value, int) and 1 <= value <= 8 else None


def _orientation_segment(orientation: int) -> bytes:
    """Return an EXIF segment (EXIF 2.32) that contains only the orientation."""
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body
