"""The browser for whatever tests need one; skipped where it or Playwright is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scripts.browser.chromium import MISSING, find_chromium
from scripts.browser.phone import PART, WAIT_MS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.hupai.serving import Server


def chromium() -> str:
    """The browser's path."""
    pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed (pip install playwright)")
    found = find_chromium()
    if found is None:
        pytest.skip(MISSING)
    return found


def opened(browser: Browser, url: str, trouble: list[str], **context: Any) -> Page:
    """A page of the tournament in a browser of its own, ready; what its console says of errors joins ``trouble``.

    Its clock runs as usual, and can be moved on.
    """
    made = browser.new_context(viewport={"width": 1360, "height": 900}, locale="en-GB", **context)
    made.clock.install()
    made.add_init_script(PART)
    page = made.new_page()
    page.set_default_timeout(WAIT_MS)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
    page.goto(url)
    page.wait_for_selector("html[data-ready]", state="attached")
    return page


def director_board(browser: Browser, server: Server, trouble: list[str]) -> Page:
    """The board of a server whose director's code is ``chief``, opened as the director."""
    board = opened(browser, f"{server.url}/board.html", trouble)
    board.request.post(f"{server.api}/director", data={"code": "chief"})
    board.reload()
    return board


def begin_cup(board: Page, players: str, name: str = "Cup", rules: str = "Hong Kong") -> None:
    """Fill in the form of a new tournament, a player a line, and send it."""
    board.fill("#field-cup-name", name)
    board.select_option("#select-cup-rules", label=rules)
    board.fill("#cup-players", players)
    board.get_by_role("button", name="Begin").click()
