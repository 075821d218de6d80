"""Files that are written completely and flushed to disk, or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes, *, draft: Path | None = None, mode: int | None = None) -> None:
    """Write a file beside its final path, and move it there; the draft is removed if that fails.

    Args:
        draft: path of the draft, on the same disk; by default the path followed by ``.new``.
        mode: its permissions; by default those of any new file of the process.

    Raises:
        OSError: no room, no permission.
    """
    draft = draft or path.with_name(f"{path.name}.new")
    try:
        made = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666 if mode is None else mode)
        with os.fdopen(made, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            draft.chmod(mode)  # despite the umask
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
