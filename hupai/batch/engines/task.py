"""What a worker is given: pictures to open, and how they are labelled. Loads neither OpenCV nor onnxruntime."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from vision.errors import PhotoError

if TYPE_CHECKING:
    from vision.reader import KnownSet

Save: TypeAlias = Callable[[str, bytes], None]
"""Writes a crop, given its path below the folder of crops and the PNG."""


class Readable(Protocol):
    """A picture to be opened."""

    @property
    def name(self) -> str:
        """Its name in the labels."""

    def read(self) -> bytes:
        """Its bytes.

        Raises:
            PhotoError: it cannot be read.
        """


@dataclass(frozen=True, slots=True)
class FileImage:
    """A picture in a file of its own."""

    name: str
    place: Path

    def read(self) -> bytes:
        """Return the file's bytes."""
        from vision.io.photo import MAX_BYTES

        short = self.place.name
        try:
            size = self.place.stat().st_size
            if size > MAX_BYTES:
                raise PhotoError(
                    f"{short} has {size / 1e6:.0f} MB, more than the {MAX_BYTES / 1e6:.0f} MB taken; make it smaller.",
                    code="image_too_large",
                )
            return self.place.read_bytes()
        except FileNotFoundError:
            raise PhotoError(f"There is no file {short}; check the name.", code="image_missing") from None
        except OSError as error:
            raise PhotoError(f"{short} cannot be read ({error.strerror or error}); check its permissions.") from error


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """How pictures are labelled: the settings a worker needs.

    Attributes:
        hands: whether hands are made out, too.
        rules: the rule system that helps with that.
        tileset: what was learned of the tile set in the pictures.
        models: folder of the models; if None, those that came with hupai.
    """

    hands: bool = False
    rules: str | None = None
    tileset: KnownSet | None = None
    models: Path | None = None
