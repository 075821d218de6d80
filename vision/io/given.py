"""What a caller gives as a picture -> its bytes and its name."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from scoring.errors import quote_value
from vision.errors import PhotoError

Source: TypeAlias = str | Path | bytes | BinaryIO | Image.Image | npt.NDArray[np.uint8]
"""A path, the bytes of a file, a file opened in binary mode, a Pillow image, or an upright frame: (H, W, 3) RGB or
(H, W) grey, uint8."""


def source_name(source: object) -> str:
    """What to call a source in messages: an open file's name may be a number."""
    if isinstance(source, np.ndarray):
        return "frame"
    known = getattr(source, "filename" if isinstance(source, Image.Image) else "name", None)
    path = source if isinstance(source, str | Path) else known
    return (Path(path).name if isinstance(path, str | Path) else "") or "image"


def read_bytes_of(source: object, name: str, max_bytes: int) -> bytes:
    """The bytes of a file by its path, of an open file, or bytes as they were given.

    Raises:
        PhotoError: no such file, one that cannot be read or is too large, or a source of another kind.
    """
    if isinstance(source, str | Path):
        return read_file(Path(source), str(Path(source)), max_bytes)
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
    elif hasattr(source, "read"):
        try:
            data = source.read(max_bytes + 1)
        except (OSError, ValueError) as error:
            raise PhotoError(f"{name} cannot be read ({error}); open it again.") from error
        if not isinstance(data, bytes):
            raise PhotoError(f'{name} is opened as text; open it with open(path, "rb").')
    else:
        raise PhotoError(
            f"an object of type {type(source).__name__} is not a picture; "
            "give a path, bytes, an open file, a Pillow image or an array."
        )
    _refuse_bytes(len(data), max_bytes, name)
    return data


def read_file(path: Path, shown: str, max_bytes: int) -> bytes:
    """The bytes of a file, which messages call ``shown``.

    Raises:
        PhotoError: no such file, a folder, or one that cannot be read or is too large.
    """
    try:
        if path.is_dir():
            raise PhotoError(f"{shown} is a folder; name the photos in it.")
        _refuse_bytes(path.stat().st_size, max_bytes, path.name)
        return path.read_bytes()
    except FileNotFoundError:
        raise PhotoError(f"There is no file {shown}; check the name.", code="image_missing") from None
    except ValueError as error:
        raise PhotoError(
            f"{quote_value(shown)} is not a path ({error}); check the name.", code="image_missing"
        ) from error
    except OSError as error:
        raise PhotoError(f"{shown} cannot be read ({error.strerror or error}); check its permissions.") from error


def _refuse_bytes(size: int, max_bytes: int, name: str) -> None:
    if size > max_bytes:
        raise PhotoError(
            f"{name} has {size / 1e6:.0f} MB, more than the {max_bytes / 1e6:.0f} MB taken; make it smaller.",
            code="image_too_large",
        )
