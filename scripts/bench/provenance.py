"""What made a figure: the version, the weights and the options, for every report that is kept."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from scoring.version import version


def made_by(options: argparse.Namespace, models: Mapping[str, str]) -> dict[str, Any]:
    """``version``, ``models`` (as ``Eyes.models``) and all ``options`` of a script's run, ready for JSON."""
    given = json.loads(json.dumps(vars(options), default=str))
    return {"version": version(), "models": dict(models), "options": given}
