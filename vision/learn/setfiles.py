"""Learned tile sets on disk: one .npz file a set, without pickle, checked in full when it is loaded.

A file holds ``meta`` (JSON bytes: format, name, model, version of the hupai that wrote it), ``tiles`` (notation,
fixed-width text), ``prototypes`` (P, D) float32 and ``weights`` (P,) int32. Exporting a set is copying its file;
importing is loading and saving it.
"""

from __future__ import annotations

import io
import json
import math
import os
import struct
import tempfile
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

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
_DAMAGED: Final = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    EOFError,
    RuntimeError,
    MemoryError,
    SyntaxError,
    AttributeError,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
)
"""What reading a damaged archive of arrays raises."""


def to_bytes(known: TileSet) -> bytes:
    """The file of a set; the same bytes whenever the same set is written."""
    meta = json.dumps({"format": FORMAT, "name": known.name, "model": known.model, "version": version()}).encode()
    parts = {
        "meta": np.frombuffer(meta, np.uint8),
        "tiles": np.array([t.code for t in known.tiles], dtype="<U4"),
        "prototypes": known.prototypes,
        "weights": known.weights,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, part in parts.items():
            array = io.BytesIO()
            np.lib.format.write_array(array, part, allow_pickle=False)
            # ZipInfo has a fixed date; numpy's own archives carry the time of writing
            packed.writestr(zipfile.ZipInfo(f"{name}.npy"), array.getvalue(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


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
            parts = {name: _array(packed.read(f"{name}.npy")) for name in ("meta", "tiles", "prototypes", "weights")}
    except _DAMAGED as error:
        raise _corrupt_error(source, "it is damaged or no such file at all") from error
    return _check_parts(parts, source)


def _array(data: bytes) -> npt.NDArray[Any]:
    """The array in a .npy file, its header believed only where the bytes bear it out.

    ``numpy.load`` allocates whatever shape a header claims, and passes on any exception of its header parser.
    """
    stream = io.BytesIO(data)
    header = np.lib.format.read_magic(stream)
    read_header = np.lib.format.read_array_header_1_0 if header == (1, 0) else np.lib.format.read_array_header_2_0
    shape, columns_first, kind = read_header(stream)
    if kind.hasobject or kind.itemsize * math.prod(shape) != len(data) - stream.tell():
        raise ValueError("the header does not describe what follows")
    return np.frombuffer(data, kind, offset=stream.tell()).reshape(shape, order="F" if columns_first else "C")


def _check_parts(parts: dict[str, Any], source: str) -> TileSet:
    try:
        meta = json.loads(bytes(parts["meta"].astype(np.uint8)).decode())
        name, model, form = str(meta["name"]), str(meta["model"]), int(meta["format"])
    except (ValueError, KeyError, TypeError) as error:
        raise _corrupt_error(source, "its description cannot be read") from error
    if form != FORMAT:
        raise _corrupt_error(source, f"it has format {form}, this version reads {FORMAT}")
    prototypes, weights, codes = parts["prototypes"], parts["weights"], parts["tiles"]
    if codes.ndim != 1 or codes.dtype.kind != "U" or codes.view(np.uint32).max(initial=0) > 0x7F:
        raise _corrupt_error(source, "its labels are not notation")
    if prototypes.ndim != 2 or len(prototypes) != len(codes) or weights.shape != codes.shape:
        raise _corrupt_error(source, "its prototypes and labels do not go together")
    if prototypes.dtype != np.float32 or weights.dtype != np.int32:
        raise _corrupt_error(source, "its numbers are of another kind than prototypes")
    if not np.isfinite(prototypes).all() or (weights < 1).any():
        raise _corrupt_error(source, "some of its numbers are none")
    if (np.abs(np.linalg.norm(prototypes, axis=1) - 1) > 1e-3).any():
        raise _corrupt_error(source, "its prototypes are not of unit length")
    try:
        tiles = tuple(tile(str(code)) for code in codes)
    except NotationError as error:
        raise _corrupt_error(source, error.message) from error
    return TileSet(name, model, tiles, prototypes, weights)


def _corrupt_error(source: str, what: str) -> TileSetError:
    return TileSetError(f"{source} is not a usable tile set: {what}. Export it again, or learn the set anew.")


def save_set(known: TileSet, folder: Path) -> Path:
    """Write a set into a folder, all or nothing; returns its file.

    Raises:
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (known.name + SUFFIX)
    handle, draft = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(to_bytes(known))
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    return path


def named_set(name: str, folder: Path, model: str | None = None) -> TileSet:
    """The set of this name in a folder, learned with the classifier ``model`` (first 12 hex digits; None: with any).

    Raises:
        TileSetError: no such set, damaged, of another model, or not a valid name.
    """
    TileSet.empty(name, "")  # refuses what is not a name, such as a path
    path = folder / (name + SUFFIX)
    try:
        with path.open("rb") as file:
            known = from_bytes(file.read(MOST_BYTES + 1), path.name)
    except (FileNotFoundError, NotADirectoryError):
        there = ", ".join(set_names(folder)) or "none yet"
        message = f"There is no tile set {name}; there are: {there}."
        raise TileSetError(message, code="set_missing", field="set") from None
    except OSError as error:
        raise TileSetError(
            f"The tile set {path} cannot be read ({error.strerror}); see that it is a file of this user's."
        ) from error
    if model is not None and known.tiles and known.model != model:
        learned = f"The set {known.name} was learned with classifier {known.model}"
        raise TileSetError(f"{learned}, in use is {model}: learn it again from photos.", code="set_other_model")
    return known


def set_names(folder: Path) -> list[str]:
    """The names of the sets in a folder.

    Raises:
        TileSetError: there is such a folder, but it cannot be read.
    """
    try:
        return sorted(path.stem for path in folder.iterdir() if path.suffix == SUFFIX)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise TileSetError(
            f"The folder of tile sets {folder} cannot be read ({error.strerror}); give it to the user that runs hupai."
        ) from error
