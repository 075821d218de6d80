"""Writing a file completely, flushed to disk, or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def atomic_write(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Write a file beside its final path, and move it there; the draft is removed if that fails.

    Args:
        path: of the file; its draft is beside it, with ``.new`` at the end of its name.
        mode: its permissions; by default those of any new file of the process.

    Raises:
        OSError: no room, no permission.
    """
    draft = path.with_name(f"{path.name}.new")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666 if mode is None else mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            draft.chmod(mode)  # despite the umask
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
