"""The annotated pictures that ``--annotate`` asks for: their paths, and how they are written."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.errors import Fault, HupaiError, InvalidRequest
from vision.io.photo import Photo
from vision.reading import Reading

if TYPE_CHECKING:
    from vision.io.annotate import Notes

_SOFTWARE = 0x0131  # the EXIF tag for the program that made a picture
_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


class NotWritten(HupaiError):
    """A marked picture that cannot be written for lack of room or permission."""

    code = "cannot_write"
    exit_status = 3


def annotation_targets(wanted: Path | None, pictures: Sequence[Path]) -> Callable[[Path], Path]:
    """Return where each picture's marked copy goes: the requested file, or a file per picture in the requested folder.

    Raises:
        InvalidRequest: one file for several pictures, an unknown picture format, or a folder that is not there.
    """
    if wanted is None:
        return lambda picture: picture
    if wanted.is_dir() or len(pictures) > 1:
        if wanted.suffix.lower() in _SUFFIXES or wanted.is_file():
            message = f"--annotate {wanted} is one file for {len(pictures)} pictures: give a folder."
            raise InvalidRequest.of([Fault("usage", message)])
        names = [p.name for p in pictures]
        if len(set(names)) < len(names):
            message = "Two of the pictures have the same name, so their marked copies would overwrite each other."
            raise InvalidRequest.of([Fault("usage", message)])
        return lambda picture: wanted / f"{picture.name}.marked.png"
    if wanted.suffix.lower() not in _SUFFIXES:
        message = f"--annotate {wanted}: write {', '.join(_SUFFIXES)}, or give a folder that exists."
        raise InvalidRequest.of([Fault("usage", message)])
    if not wanted.parent.is_dir():
        raise InvalidRequest.of([Fault("usage", f"--annotate {wanted}: there is no folder {wanted.parent}.")])
    return lambda picture: wanted


def write_annotated(photo: Photo, reading: Reading, target: Path, notes: Notes | None = None) -> None:
    """Write the picture with its tiles outlined and named, and say so on stderr.

    ``notes`` says how it was read. Its metadata names the version of hupai and the weights.

    Raises:
        NotWritten: the file cannot be written.
    """
    from PIL import Image

    from scoring.version import version
    from vision.io.annotate import annotate

    marked = Image.fromarray(annotate(photo.pixels, reading, notes))
    made_with = Image.Exif()
    made_with[_SOFTWARE] = " ".join([f"hupai {version()}", *(f"{k}-{v}" for k, v in reading.models.items())])
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        marked.save(target, exif=made_with)
    except OSError as error:
        raise NotWritten(f"{target} cannot be written: {error.strerror or error}.") from error
    print(f"hupai: {photo.name} with its tiles marked is in {target}.", file=sys.stderr)
