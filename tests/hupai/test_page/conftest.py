"""A phone in front of a real server: Debian's chromium driven by Playwright. Skipped where either is missing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.hupai.serving import Server
from tests.hupai.test_page.phone import WAIT_MS, Phone

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ARGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--use-fake-ui-for-media-stream"),
]
Ring = Callable[..., Phone]


def chromium() -> str:
    """The browser's path."""
    pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed (pip install playwright)")
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("chromium is not installed (apt-get install chromium)")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as play:
        it = play.chromium.launch(executable_path=path, args=ARGS)
        yield it
        it.close()


@pytest.fixture
def ring(browser: Browser, server: Server) -> Iterator[Ring]:
    """Opens the page on a phone; at the end its console must have been silent."""
    phones: list[Phone] = []

    def open_page(
        *, size: tuple[int, int] = (390, 844), url: str | None = None, path: str = "/", **context: Any
    ) -> Phone:
        context.setdefault("locale", "en-GB")
        context.setdefault("service_workers", "block")  # what one keeps, tests cannot hold back
        made = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True, **context)
        phones.append(Phone(made, url or server.url, path))
        return phones[-1]

    yield open_page
    for phone in phones:
        phone.hang_up()


@pytest.fixture
def phone(ring: Ring) -> Phone:
    """The page on a phone, in English, freshly opened."""
    return ring()
