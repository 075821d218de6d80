"""The browser for whatever tests need one; skipped where it or Playwright is missing."""

from __future__ import annotations

import pytest

from scripts.browser.chromium import MISSING, installed


def chromium() -> str:
    """The browser's path."""
    pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed (pip install playwright)")
    found = installed()
    if found is None:
        pytest.skip(MISSING)
    return found
