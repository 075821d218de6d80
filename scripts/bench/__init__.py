"""Speed: benchmarks, one against another package; and a tournament while things go wrong."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.version import version


def version_and_models(models: Mapping[str, str]) -> str:
    """The version and the weights (as ``Eyes.models``) that made a figure, in words."""
    return ", ".join([f"hupai {version()}", *(f"{role} {short}" for role, short in models.items())])
