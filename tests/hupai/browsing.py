"""Debian's chromium driven by Playwright, for whatever tests need a browser; skipped where either is missing."""

from __future__ import annotations

import shutil

import pytest

ARGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--use-fake-ui-for-media-stream"),
]


def chromium() -> str:
    """The browser's path."""
    pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed (pip install playwright)")
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("chromium is not installed (apt-get install chromium)")
    return found
