"""The installed version."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as _installed


@lru_cache(maxsize=1)
def version() -> str:
    """Return the version, such as ``1.0.0``; ``0+source`` if hupai runs from a folder without being installed."""
    try:
        return _installed("hupai")
    except PackageNotFoundError:
        return "0+source"
