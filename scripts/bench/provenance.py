"""What made a figure: the version, the weights and the options, for every report that is kept."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from scoring.version import version


def made_by(options: argparse.Namespace, models: Mapping[str, str] | None = None) -> dict[str, Any]:
    """``version``, ``models`` and ``options`` of a script's run, ready for JSON.

    Args:
        options: what the script was called with, defaults included; paths are written as text.
        models: role -> first digits of the sha256, as ``Eyes.models`` has them.
    """
    kept = (int, float, bool, type(None))
    given = {
        name: [str(v) for v in value] if isinstance(value, list) else value if isinstance(value, kept) else str(value)
        for name, value in vars(options).items()
    }
    return {"version": version(), "models": dict(models or {}), "options": given}
