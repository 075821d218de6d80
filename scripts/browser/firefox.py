"""Debian's Firefox, driven by Playwright over WebDriver BiDi."""

from __future__ import annotations

import shutil
from typing import Final
from urllib.parse import quote

CHANNEL: Final = "moz-firefox"
MISSING: Final = "Firefox is not installed (apt-get install firefox-esr)"
_SCRIPT: Final = """
const { stringify } = JSON;
JSON.stringify = (value, ...more) =>
  value?.method === "emulation.setMediaFeaturesOverride"
    ? stringify({ ...value, method: "session.status", params: {} })
    : stringify(value, ...more);
"""
ENVIRONMENT: Final = ("NODE_OPTIONS", f"--import=data:text/javascript,{quote(_SCRIPT)}")
"""For Playwright's own program: the ESR does not know yet a command that every context begins with, about colours."""


def find_firefox() -> str | None:
    """The browser's path, None where there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox")
