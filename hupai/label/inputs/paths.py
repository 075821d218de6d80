"""Paths as they are written in commands: those of this machine, not addresses."""

from __future__ import annotations

from pathlib import Path

from scoring.errors import Fault, InvalidRequest


def local_path(text: str) -> Path:
    """Return the path that a text names; ``file://`` before it is left out.

    Raises:
        InvalidRequest: it is empty, which as a path would be the current folder, or the address of something elsewhere.
    """
    fault = path_fault(text)
    if fault is not None:
        raise InvalidRequest.of([fault])
    return Path(text.removeprefix("file://"))


def path_fault(text: str) -> Fault | None:
    """Return what is wrong with the name of a file or folder, if anything."""
    name = text.removeprefix("file://")
    if not name:
        return Fault("no_source", "The name of a file or folder is empty; check the command.")
    if is_address(name):
        return Fault("usage", f"{name} is not on this machine: copy it to a folder, or mount it, and name that.")
    return None


def is_address(text: str) -> bool:
    """Whether a text is an address, such as ``s3://bucket/photos``, and not a path."""
    return "://" in text
