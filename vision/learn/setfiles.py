"""The files of learned tile sets: one .npz file a set, without pickle, checked in full when it is read.

A file holds ``meta`` (JSON bytes: format, name, model, version of the hupai that wrote it), ``tiles`` (notation,
fixed-width text), ``prototypes`` (P, D) float32 and ``weights`` (P,) int32, each as a .npy file of version 1.0, which
NumPy reads, too.
"""

from __future__ import annotations

import io
import json
import math
import re
import struct
import sys
import zipfile
import zlib
from array import array
from collections.abc import Iterable
from itertools import chain
from typing import Any, Final

from scoring.errors import NotationError
from scoring.tiles import tile
from scoring.version import version
from vision.errors import TileSetError
from vision.learn.tileset import TileSet

FORMAT: Final = 1
"""Version of the file format."""
SUFFIX: Final = ".npz"
MOST_BYTES: Final = 32 << 20
"""A larger file is not a learned set, nor is one that unpacks to more."""
_PARTS: Final = {"meta": r"\|u1", "tiles": r"<U\d{1,2}", "prototypes": "<f4", "weights": "<i4"}
"""The arrays, and NumPy's names of what they hold."""
_MAGIC: Final = b"\x93NUMPY\x01\x00"
_HEADER: Final = re.compile(r"\{'descr': '(.+?)', 'fortran_order': False, 'shape': (\((?:\d+,)?(?: \d+)?\)), \}\s*")
_DAMAGED: Final = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    EOFError,
    RuntimeError,
    MemoryError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
)
"""What reading a damaged archive of arrays raises."""


def to_bytes(known: TileSet) -> bytes:
    """The file of a set; the same bytes whenever the same set is written."""
    meta = json.dumps({"format": FORMAT, "name": known.name, "model": known.model, "version": version()}).encode()
    count, size = len(known.tiles), len(known.prototypes[0]) if known.prototypes else 0
    codes = "".join(t.code.ljust(4, "\0") for t in known.tiles)
    parts = {
        "meta": _npy("|u1", (len(meta),), meta),
        "tiles": _npy("<U4", (count,), little_endian("I", map(ord, codes))),
        "prototypes": _npy("<f4", (count, size), little_endian("f", chain.from_iterable(known.prototypes))),
        "weights": _npy("<i4", (count,), little_endian("i", known.weights)),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, part in parts.items():
            # ZipInfo has a fixed date
            packed.writestr(zipfile.ZipInfo(f"{name}.npy"), part, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def little_endian(kind: str, numbers: Iterable[float]) -> bytes:
    """Numbers as the bytes that files hold, each four: ``f`` float32, ``i`` int32, ``I`` without a sign."""
    made = array(kind, numbers)
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()


def _npy(kind: str, shape: tuple[int, ...], data: bytes) -> bytes:
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.ljust(-(-(len(header) + 11) // 64) * 64 - 11) + "\n"  # what follows begins at a multiple of 64
    return _MAGIC + struct.pack("<H", len(header)) + header.encode() + data


def from_bytes(data: bytes, source: str) -> TileSet:
    """The set in a file's bytes.

    Raises:
        TileSetError: another file format, or damaged; the message calls the file ``source`` and says what is wrong.
    """
    if len(data) > MOST_BYTES:
        raise _corrupt_error(source, f"it is larger than {MOST_BYTES >> 20} MB")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            if sum(info.file_size for info in packed.infolist()) > MOST_BYTES:
                raise _corrupt_error(source, "it unpacks to far more than a set needs")
            parts = {name: _array(packed.read(f"{name}.npy"), kind) for name, kind in _PARTS.items()}
    except _DAMAGED as error:
        raise _corrupt_error(source, "it is damaged or no such file at all") from error
    return _check_parts(parts, source)


def _array(data: bytes, kind: str) -> tuple[tuple[int, ...], bytes]:
    """The shape and the numbers of a .npy file, if its header is one that fits the bytes."""
    (size,) = struct.unpack_from("<H", data, len(_MAGIC))
    start = len(_MAGIC) + 2 + size
    found = _HEADER.fullmatch(data[len(_MAGIC) + 2 : start].decode("ascii"))
    if not data.startswith(_MAGIC) or found is None or not re.fullmatch(kind, found[1]):
        raise ValueError("no array of this kind")
    shape = tuple(map(int, re.findall(r"\d+", found[2])))
    each = int(found[1][2:]) * (4 if found[1][1] == "U" else 1)
    if each * math.prod(shape) != len(data) - start:
        raise ValueError("the header does not describe what follows")
    return shape, data[start:]


def _numbers(kind: str, data: bytes) -> list[Any]:
    """The numbers that :func:`little_endian` made these bytes of."""
    made = array(kind, data)
    if sys.byteorder == "big":
        made.byteswap()
    return made.tolist()


def _check_parts(parts: dict[str, tuple[tuple[int, ...], bytes]], source: str) -> TileSet:
    try:
        meta = json.loads(parts["meta"][1].decode())
        name, model, form = str(meta["name"]), str(meta["model"]), int(meta["format"])
    except (ValueError, KeyError, TypeError) as error:
        raise _corrupt_error(source, "its description cannot be read") from error
    if form != FORMAT:
        raise _corrupt_error(source, f"it has format {form}, this version reads {FORMAT}")
    (labels, codes), (shape, places), (weighed, lessons) = (parts[name] for name in ("tiles", "prototypes", "weights"))
    if len(shape) != 2 or len(labels) != 1 or shape[:1] != labels or weighed != labels:
        raise _corrupt_error(source, "its prototypes and labels do not go together")
    (count, size), numbers, weights = shape, _numbers("f", places), _numbers("i", lessons)
    prototypes = tuple(tuple(numbers[k * size : (k + 1) * size]) for k in range(count))
    if not all(map(math.isfinite, numbers)) or min(weights, default=1) < 1:
        raise _corrupt_error(source, "some of its numbers are none")
    if any(abs(math.hypot(*one) - 1) > 1e-3 for one in prototypes):
        raise _corrupt_error(source, "its prototypes are not of unit length")
    try:
        text = "".join(map(chr, _numbers("I", codes)))
        width = len(text) // max(count, 1)
        tiles = tuple(tile(text[k * width : (k + 1) * width].rstrip("\0")) for k in range(count))
    except (ValueError, OverflowError) as error:
        raise _corrupt_error(source, "its labels are not notation") from error
    except NotationError as error:
        raise _corrupt_error(source, error.message) from error
    return TileSet(name, model, tiles, prototypes, tuple(weights))


def _corrupt_error(source: str, what: str) -> TileSetError:
    return TileSetError(f"{source} is not a usable tile set: {what}. Export it again, or learn the set anew.")
