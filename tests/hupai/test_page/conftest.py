"""A phone in front of a real server: Debian's chromium driven by Playwright. Skipped where either is missing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scripts.browser.phone import Phone
from tests.hupai.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Ring = Callable[..., Phone]
AXE = "axe_playwright_python"


def plain(url: str) -> dict[str, Any]:
    """The storage of a phone where Hong Kong's rules were chosen as they are, which most tests count by."""
    settings = json.dumps({"options": {"hongkong": {}}})
    return {"origin": url, "localStorage": [{"name": "hupai.settings", "value": settings}]}


@pytest.fixture
def ring(browser: Browser, server: Server) -> Iterator[Ring]:
    """Opens the page on a phone; at the end its console must have been silent."""
    phones: list[Phone] = []

    def open_page(
        *, size: tuple[int, int] = (390, 844), url: str | None = None, path: str = "/", **context: Any
    ) -> Phone:
        context.setdefault("locale", "en-GB")
        context.setdefault("service_workers", "block")  # what one keeps, tests cannot hold back
        context.setdefault("storage_state", {"cookies": [], "origins": [plain(url or server.url)]})
        made = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True, **context)
        phones.append(Phone(made, url or server.url, path))
        return phones[-1]

    yield open_page
    for phone in phones:
        phone.hang_up()


@pytest.fixture(autouse=True)
def contexts_closed(request: pytest.FixtureRequest) -> Iterator[None]:
    """A page that is left open goes on asking its server."""
    yield
    if "browser" in request.fixturenames:
        for context in request.getfixturevalue("browser").contexts:
            context.close()


@pytest.fixture
def phone(ring: Ring) -> Phone:
    """The page on a phone, in English, freshly opened."""
    return ring()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which looks for what keeps people out."""
    module = pytest.importorskip(AXE, reason="axe-core is not installed (pip install axe-playwright-python)")
    return (Path(module.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
