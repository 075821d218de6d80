"""Is this installation whole? Each part is tried for real and told in words, with what mends it."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path

from hupai.finding import Finding
from hupai.health_places import extras, places
from scoring.errors import HupaiError
from scoring.version import version

_PACKAGES = (
    *("numpy", "opencv-python", "pillow", "pi-heif", "onnxruntime", "scipy", "typer", "rich", "pydantic-settings"),
    *("fastapi", "uvicorn", "python-multipart", "limits", "sqlalchemy", "alembic", "segno", "trustme"),
)


def findings(config: Path | None = None, *, places_only: bool = False) -> Iterator[Finding]:
    """Look at everything, in the order a reading needs it.

    Args:
        config: the settings file. places_only: leave out what is not kept in files and cannot be mended.
    """
    if places_only:
        yield from places(config)
        return
    yield Finding(True, "hupai", f"{version()}, Python {platform.python_version()} on {platform.platform()}")
    if sys.version_info < (3, 11):
        yield Finding(False, "python", "hupai needs Python 3.11 or newer.")
    for package in _PACKAGES:
        yield _package(package)
    for name, look in _PARTS:
        yield _tried(name, look)
    yield from places(config)
    yield from extras()


def _package(name: str) -> Finding:
    try:
        return Finding(True, name, installed(name))
    except PackageNotFoundError:
        return Finding(False, name, f"not installed; run: pip install {name}")


def _tried(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(True, name, look())
    except HupaiError as error:
        return Finding(False, name, error.message)
    except ImportError as error:
        return Finding(False, name, f"cannot be loaded ({error}); install hupai again with pip.")


def _opencv() -> str:
    import cv2

    try:
        installed("opencv-python-headless")
    except PackageNotFoundError:
        return f"{cv2.__version__} loads"
    raise HupaiError(
        "opencv-python and opencv-python-headless are both installed and overwrite each other; run: "
        "pip uninstall opencv-python-headless, then pip install --force-reinstall opencv-python"
    )


def _heic() -> str:
    import pi_heif

    return f"libheif {pi_heif.libheif_version()} loads"


def _models() -> str:
    from vision.zoo import entries

    listed = entries()
    sizes = [f"{role} {entry.sha256[:12]} ({len(entry.data()) / 1e6:.1f} MB)" for role, entry in listed.items()]
    return f"whole: {', '.join(sizes)} in {next(iter(listed.values())).path.parent}"


def _reading() -> str:
    import numpy as np

    from vision.pipeline import Eyes

    eyes = Eyes()
    start = time.perf_counter()
    reading = eyes.see(np.full((720, 1280, 3), 96, np.uint8))
    taken = 1000 * (time.perf_counter() - start)
    return f"both models run; an empty 1280 x 720 picture took {taken:.0f} ms and showed {len(reading.tiles)} tiles"


def _scoring() -> str:
    from scoring.request import respond
    from scoring.rules import systems

    request = {
        "concealed": "234m567p345s67s88p",
        "winning_tile": "8s",
        "context": {"seat": "E", "win": "self_draw", "indicator": "1z"},
    }
    for system in systems().values():
        answer = respond({"rules": system.id, **request})
        if "error" in answer:
            raise HupaiError(f"{system.name} cannot score a plain hand: {answer['error']['message']}")
    return f"{', '.join(systems())} each scored a hand"


_PARTS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("opencv", _opencv),
    ("heic", _heic),
    ("models", _models),
    ("reading", _reading),
    ("scoring", _scoring),
)
