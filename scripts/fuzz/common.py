"""What the fuzz targets share."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from scoring.errors import HupaiError

Feed = Callable[[], Any]
"""Feeds the input that was made to its parser."""
_FOLDER: Final = tempfile.TemporaryDirectory(prefix="hupai-fuzz-", ignore_cleanup_errors=True)
SCRATCH: Final = Path(_FOLDER.name)
"""A folder of this process's own, removed at its end."""


def fed(feed: Feed) -> Any:
    """What the parser answers; None where it refuses the input with an error of ours that has all it needs.

    Raises:
        Exception: anything else that happened.
    """
    try:
        return feed()
    except HupaiError as error:
        json.dumps(error.to_json())
        assert error.code and error.message.strip() and error.faults, repr(error)
