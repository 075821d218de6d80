"""Debian's chromium: where it is, and how it is started."""

from __future__ import annotations

import shutil
from typing import Final

ARGS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-ui-for-media-stream",
]
MISSING: Final = "chromium is not installed (apt-get install chromium)"


def find_chromium() -> str | None:
    """The browser's path, None where there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")
