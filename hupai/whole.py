"""Files that are there whole or not at all, and on the disk."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes, *, draft: Path | None = None, mode: int | None = None) -> None:
    """Write a file beside its place, and move it there; the draft goes if that fails.

    Args:
        draft: where it is written first, on the same disk; the path with ``.new`` behind it if not given.
        mode: its permissions; as the process makes files if not given.

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
            draft.chmod(mode)  # whatever the umask takes away
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
