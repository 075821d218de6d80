"""Which pictures are open in a window of a review, so that people who share a folder get different ones."""

from __future__ import annotations

import hashlib
import secrets
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
        name = hashlib.sha256(image.encode()).hexdigest()[:32]
        # Each time a name of its own: whatever another window does meanwhile, nobody removes what another has claimed.
        path = self._folder / f"{name}.{secrets.token_hex(8)}"
        try:
            self._folder.mkdir(exist_ok=True)
            path.touch(exist_ok=False)
        except FileNotFoundError:  # another review has just removed the empty folder
            return False
        except OSError as error:
            raise HupaiError(f"{self._folder} cannot be written ({error.strerror}).", code="cannot_write") from error
        # Looked for only now: of two windows at once, the later one sees the other.
        others = set(self._folder.glob(f"{name}.*")) - {path, self._own.get(window)}
        if any(_is_open(other) for other in others):
            path.unlink()
            return False
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


def _is_open(claim: Path) -> bool:
    """Whether a claim is so young that it counts; an old one is removed."""
    try:
        young = time.time() - claim.stat().st_mtime <= CLAIM_SECONDS
        if not young:
            claim.unlink()
    except FileNotFoundError:  # released meanwhile
        return False
    return young
