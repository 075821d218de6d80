"""Numbers of things in English sentences."""

from __future__ import annotations


def count_of(count: int, one: str, more: str = "") -> str:
    """Return ``1 picture`` or ``2 pictures``; ``more`` is the plural if it is not formed with an s."""
    return f"{count} {one if count == 1 else more or f'{one}s'}"
