"""Checks whether this installation is complete: each part is really tried, and problems come with their remedy."""

from __future__ import annotations

import platform
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires
from importlib.metadata import version as installed
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from hupai.checks.result import CheckResult, run_check
from hupai.wing import Extra, Wing
from scoring.errors import HupaiError
from scoring.version import version

_EXTRAS: Final = (
    Extra("postgres", ("psycopg",), "a ledger in PostgreSQL", "pip install 'psycopg[binary]'"),
    Extra("train", ("torch", "onnx"), "training the models", "pip install -e '.[train]' in a clone"),
)
_OPENCVS: Final = tuple(f"opencv-{part}python{kind}" for part in ("", "contrib-") for kind in ("", "-headless"))
"""Packages with OpenCV, all in one folder."""
_OLDEST_OPENCV: Final = 5
_FIRST_COMMIT: Final = datetime(2025, 1, 1, tzinfo=UTC)


def check_installation(
    config: Path | None, wings: Sequence[Wing], *, places_only: bool = False
) -> Iterator[CheckResult]:
    """Check everything, in the order in which a reading needs it.

    Args:
        config: the settings file. wings: checked like the core.
        places_only: skip what is not stored in files and cannot be repaired.
    """
    if places_only:
        yield from _check_places(config, wings)
        return
    yield CheckResult(True, "hupai", f"{version()}, Python {platform.python_version()} on {platform.platform()}")
    if sys.version_info < (3, 11):
        yield CheckResult(False, "python", "hupai needs Python 3.11 or newer.")
    for package in needed_packages():
        yield _check_package(package)
    for name, look in (*_PARTS, *(check for wing in wings for check in wing.checks)):
        yield from run_check(name, look)
    yield from _check_places(config, wings)
    yield from _check_extras(wings)


def needed_packages() -> list[str]:
    """Return the packages that hupai always needs; none are known of a folder that is not installed."""
    try:
        listed = requires("hupai") or ()
    except PackageNotFoundError:
        return []
    return [re.split(r"[^\w-]", one)[0] for one in listed if "extra ==" not in one]


def _check_package(name: str) -> CheckResult:
    found = next(filter(None, map(find_installed, _OPENCVS if name in _OPENCVS else (name,))), None)
    return CheckResult(found is not None, name, found or f"not installed; run: pip install {name}")


def _check_places(config: Path | None, wings: Sequence[Wing]) -> Iterator[CheckResult]:
    def look() -> Iterator[CheckResult]:
        from hupai.checks.places import check_places  # needs packages that may be missing

        return check_places(config, wings)

    return run_check("settings", look)


def _check_extras(wings: Sequence[Wing]) -> Iterator[CheckResult]:
    """Check optional packages; a missing one is not a fault."""
    for extra in (*_EXTRAS, *(extra for wing in wings for extra in wing.extras)):
        lacking = any(find_spec(m) is None for m in extra.modules)
        said = f"not installed; for {extra.purpose}: {extra.remedy}" if lacking else f"installed, for {extra.purpose}"
        yield CheckResult(True, f"extra {extra.name}", said)


def _check_clock() -> str:
    now = datetime.now(UTC)
    if now < _FIRST_COMMIT:
        raise HupaiError(
            f"it shows {now:%Y-%m-%d %H:%M} UTC, before hupai was begun; set it: certificates depend on it."
        )
    return f"{now:%Y-%m-%d %H:%M} UTC"


def _check_serving() -> str:
    import hupai.web.listen.server  # noqa: F401 - it is loaded, nothing is served

    return "the server's parts load"


def _check_opencv() -> str:
    there = [package for package in _OPENCVS if find_installed(package)]
    if len(there) > 1:
        raise HupaiError(
            f"{' and '.join(there)} are installed and overwrite each other; run: "
            f"pip uninstall -y {' '.join(there)}, then pip install opencv-python"
        )
    import cv2

    if int(cv2.__version__.split(".")[0]) < _OLDEST_OPENCV:
        one = there[0] if there else "opencv-python"  # not a second one beside it
        raise HupaiError(f"{cv2.__version__} is too old; run: pip install '{one}>={_OLDEST_OPENCV}'")
    return f"{cv2.__version__} loads"


def find_installed(package: str) -> str | None:
    """Return the version of a package that is installed, None if it is not."""
    try:
        return installed(package)
    except PackageNotFoundError:
        return None


def _check_heic() -> str:
    import pi_heif

    return f"libheif {pi_heif.libheif_version()} loads"


def _check_models() -> str:
    from vision.models.zoo import list_models

    listed = list_models()
    sizes = [f"{role} {entry.short} ({len(entry.data()) / 1e6:.1f} MB)" for role, entry in listed.items()]
    return f"whole: {', '.join(sizes)} in {next(iter(listed.values())).path.parent}"


def _check_reading() -> str:
    import numpy as np

    from vision.pipeline import TileReader

    reader = TileReader()
    start = time.perf_counter()
    reading = reader.read(np.full((720, 1280, 3), 96, np.uint8))
    taken = 1000 * (time.perf_counter() - start)
    return f"all models run; an empty 1280 x 720 picture took {taken:.0f} ms and showed {len(reading.tiles)} tiles"


def _check_scoring() -> str:
    from scoring.request import respond
    from scoring.rules import systems

    context = {"seat": "E", "win": "self_draw", "indicator": "1z"}
    for system in systems().values():
        tiles = "234m567p345s67s88p" + "789m" * (system.shapes.sets - 4)
        answer = respond({"rules": system.id, "concealed": tiles, "winning_tile": "8s", "context": context})
        if "error" in answer:
            raise HupaiError(f"{system.name} cannot score a plain hand: {answer['error']['message']}")
    return f"{', '.join(systems())} each scored a hand"


_PARTS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("clock", _check_clock),
    ("opencv", _check_opencv),
    ("heic", _check_heic),
    ("models", _check_models),
    ("reading", _check_reading),
    ("scoring", _check_scoring),
    ("serving", _check_serving),
)
