"""What the fuzz targets share."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from scoring.errors import HupaiError

Feed = Callable[[], None]
"""Feeds the input that was made to its parser."""


class Wrong(Exception):
    """The parser answered, but wrongly."""


def check_error(error: HupaiError) -> None:
    """Check that an error of ours has all it needs.

    Raises:
        Wrong: it has not.
    """
    if not (error.code and error.message.strip() and error.faults):
        raise Wrong(f"an error without code, message or faults: {error!r}")
    json.dumps(error.to_json())


@lru_cache(maxsize=1)
def scratch() -> Path:
    """A folder of this process's own, removed at its end."""
    folder = Path(tempfile.mkdtemp(prefix="hupai-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
