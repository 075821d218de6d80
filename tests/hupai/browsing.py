"""The browser for whatever tests need one; skipped where it or Playwright is missing."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from scripts.browser.chromium import MISSING, find_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

NO_PLAYWRIGHT = "Playwright for Python is not installed (pip install playwright)"


def chromium() -> str:
    """The browser's path: the one without windows and menus if it is there, whose pages open in half the time."""
    pytest.importorskip("playwright.sync_api", reason=NO_PLAYWRIGHT)
    found = shutil.which("chromium-headless-shell") or find_chromium()
    if found is None:
        pytest.skip(MISSING)
    return found


def expect(shown: Page | Locator) -> Any:
    """Playwright's ``expect``, which is there only where Playwright is."""
    from playwright import sync_api

    return sync_api.expect(shown)
