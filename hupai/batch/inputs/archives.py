"""Pictures in zip and tar archives, read one at a time in the archive's order; nothing is ever unpacked to disk.

An archive's own statements are not trusted: names that lead elsewhere, links and devices are refused, a member is
read only up to the size a picture may have, and an archive that expands out of proportion is given up.
"""

from __future__ import annotations

import lzma
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from vision.io.photo import MAX_BYTES

SWELL: Final = 200
"""A packed tar archive that unpacks to more than this many times its size (and more than ``SWELL_FROM``) is given up;
photos do not shrink at all, plain drawings perhaps fifty times."""
SWELL_FROM: Final = 1 << 30
_ENDS: Final = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_BROKEN: Final = (
    OSError,
    EOFError,
    ValueError,
    TypeError,
    IndexError,
    OverflowError,
    NotImplementedError,
    struct.error,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
)
_DRIVE: Final = re.compile(r"^[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an archive, or what is wrong with it.

    Attributes:
        name: as in the archive; empty if the archive itself is at fault.
        size: bytes, according to the archive.
        data: the bytes, if they were requested.
        error: (code, message).
    """

    name: str
    size: int = 0
    data: bytes | None = None
    error: tuple[str, str] | None = None


def is_archive(path: Path) -> bool:
    """Whether the name is that of an archive."""
    return path.name.lower().endswith(_ENDS)


def listing(path: Path) -> Iterator[Member]:
    """Yield every member that is a file, without its bytes; unusable members have an error."""
    return members(path, lambda name: False)


def members(path: Path, wanted: Callable[[str], bool]) -> Iterator[Member]:
    """Yield every member that is a file, with its bytes if ``wanted`` returns true for its name.

    A truncated archive ends with a nameless member that reports it.
    """
    try:
        yield from (_zip if path.name.lower().endswith(".zip") else _tar)(path, wanted)
    except _BROKEN as error:
        yield Member("", error=("archive_broken", f"The archive {path.name} breaks off or is damaged ({error})."))


def unsafe(name: str) -> bool:
    """Whether a name leads out of the archive or means different things on different systems."""
    return (
        not name
        or name.startswith(("/", "\\"))
        or "\\" in name
        or "\0" in name
        or _DRIVE.match(name) is not None
        or any(part in ("", ".", "..") for part in name.split("/"))
    )


def _usable(name: str, size: int) -> tuple[str, str] | None:
    if unsafe(name):
        return "name_unsafe", "The name leads out of the archive; pack it again with plain names."
    if size > MAX_BYTES:
        return "image_too_large", f"It has {size / 1e6:.0f} MB, more than the {MAX_BYTES / 1e6:.0f} MB taken."
    return None


def _bytes_of(stream: IO[bytes]) -> bytes:
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"it unpacks to more than {MAX_BYTES / 1e6:.0f} MB")
    return data


def _zip(path: Path, wanted: Callable[[str], bool]) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            error = _usable(info.filename, info.file_size)
            if error is None and info.flag_bits & 1:
                error = ("archive_locked", "It is locked with a password; unpack the archive first.")
            # Unix permissions are in the upper half; the content of a link is the name of another file.
            elif error is None and (info.external_attr >> 28) == 0o12:
                error = ("not_a_file", "It is a link, not a file; pack the file itself.")
            if error is not None or not wanted(info.filename):
                yield Member(info.filename or "?", info.file_size, error=error)
                continue
            try:
                with archive.open(info) as stream:
                    yield Member(info.filename, info.file_size, _bytes_of(stream))
            except _BROKEN as fault:
                message = f"It cannot be unpacked ({fault}); pack it again."
                yield Member(info.filename, info.file_size, error=("archive_broken", message))


def _open_tar(path: Path) -> tarfile.TarFile:
    try:
        return tarfile.open(path, "r|*")
    except AttributeError as error:  # a bug of tarfile's with some headers that cannot be unpacked
        raise tarfile.ReadError("its head cannot be unpacked") from error


def _tar(path: Path, wanted: Callable[[str], bool]) -> Iterator[Member]:
    limit = max(SWELL_FROM, SWELL * path.stat().st_size)
    with _open_tar(path) as archive:
        for info in archive:
            if info.offset_data > limit:
                raise ValueError(f"it unpacks to more than {SWELL} times its size")
            archive.members = []  # type: ignore[attr-defined]  # it would remember every member of ten million
            if info.isdir():
                continue
            error = _usable(info.name.removeprefix("./"), info.size)
            if error is None and not info.isreg():
                error = ("not_a_file", "It is a link or a device, not a file; pack the file itself.")
            name = info.name.removeprefix("./") or "?"
            stream = archive.extractfile(info) if error is None and wanted(name) else None
            if stream is None:
                yield Member(name, info.size, error=error)
                continue
            with stream:
                yield Member(name, info.size, _bytes_of(stream))
