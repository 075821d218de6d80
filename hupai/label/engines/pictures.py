"""What is to be labelled and how: all that a run hands to its workers, without what recognises tiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

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
        # Here, since the process that lists the pictures needs no decoder, which takes a while to load.
        from vision.io.given import read_file
        from vision.io.photo import MAX_BYTES

        return read_file(self.place, self.place.name, MAX_BYTES)


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
