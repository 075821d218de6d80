"""Which pictures are open in a window of a review, so that people who share a folder get different ones."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Final

from scoring.errors import HupaiError

CLAIMS: Final = "corrections.open"
"""Folder in the folder of labels, with an empty file for each open picture."""
CLAIM_SECONDS: Final = 900.0
"""Seconds for which a picture counts as open: a review that is killed leaves its files behind."""


class Claims:
    """The pictures that windows of this review have open, seen by all reviews of a folder of labels."""

    def __init__(self, labels: Path) -> None:
        self._folder = labels / CLAIMS
        self._own: dict[str, Path] = {}

    def take(self, image: str, window: str) -> bool:
        """Note that a window opens a picture in place of the one before; return False if another window has it open.

        Raises:
            HupaiError: the folder of labels cannot be written.
        """
        path = self._folder / hashlib.sha256(image.encode()).hexdigest()[:32]
        if self._own.get(window) == path:
            return True
        try:
            self._folder.mkdir(exist_ok=True)
            if path.exists() and time.time() - path.stat().st_mtime > CLAIM_SECONDS:
                path.unlink()
            path.touch(exist_ok=False)
        except (FileExistsError, FileNotFoundError):  # not found: another review has just put an old one away
            return False
        except OSError as error:
            raise HupaiError(f"{self._folder} cannot be written ({error.strerror}).", code="cannot_write") from error
        self.release(window)
        self._own[window] = path
        return True

    def close(self) -> None:
        """Release all pictures."""
        for window in list(self._own):
            self.release(window)
        if self._folder.is_dir() and not any(self._folder.iterdir()):
            self._folder.rmdir()

    def release(self, window: str) -> None:
        """Note that a window no longer has its picture open."""
        former = self._own.pop(window, None)
        if former is not None:
            former.unlink(missing_ok=True)
