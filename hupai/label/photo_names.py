"""What a picture's name says: the photo it comes from, and the part of a training set that follows from that."""

from __future__ import annotations

import hashlib
import re
from typing import Final

PARTS: Final = ("train", "val")
"""Training and validation."""
_VERSIONS: Final = (
    re.compile(r"[_.](?:jpe?g|png|webp|heic)\.rf\.[0-9a-f]+$", re.IGNORECASE),
    re.compile(r"[-_. ](?:aug|copy|flip|rot|crop|edited|small)[-_]?\d*$", re.IGNORECASE),
)


def photo_of(name: str) -> str:
    """Return the photo a picture comes from, by its name: folder and stem without the marks of versions."""
    folder, slash, last = name.rpartition("/")
    stem = last.rpartition(".")[0] or last
    while (shorter := next((s for v in _VERSIONS if (s := v.sub("", stem)) != stem and s), None)) is not None:
        stem = shorter
    return folder + slash + stem


def in_validation(name: str) -> bool:
    """Whether a picture is in the fifth for validation, from its name alone; versions of a photo agree."""
    return int(hashlib.sha256(photo_of(name).encode()).hexdigest()[:8], 16) % 5 == 0
