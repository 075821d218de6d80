"""The director's desk, for tests that need one: a server, and the pages of its tournament in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from hupai.store.database import open_store
from hupai.wing import store_wings
from scripts.browser.phone import PART, WAIT_MS
from tests.hupai.serving import OPEN, Server, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from sqlalchemy import Engine


def opened(browser: Browser, url: str, trouble: list[str], *, directs: bool = False, **context: Any) -> Page:
    """A page of the tournament in a browser of its own, ready; what its console says of errors joins ``trouble``.

    Its clock runs as usual, and can be moved on. ``directs``: the browser has told the director's code before.
    """
    made = browser.new_context(viewport={"width": 1360, "height": 900}, locale="en-GB", **context)
    made.clock.install()
    made.add_init_script(PART)
    made.set_default_timeout(WAIT_MS)
    if directs:
        made.request.post(urljoin(url, "api/v1/director"), data={"code": "chief"})
    page = made.new_page()
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
    page.goto(url)
    page.wait_for_selector("html[data-ready]", state="attached")
    return page


@dataclass
class Desk:
    """A server of the test's own whose director's code is ``chief``, and the pages of its tournament.

    What a page's console says of errors is trouble, unless it contains a part that is allowed.
    """

    browser: Browser
    server: Server
    engine: Engine
    trouble: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=lambda: ["ERR_"])

    def open(self, path: str) -> Page:
        """A page of the server."""
        return opened(self.browser, f"{self.server.url}/{path}", self.trouble)

    def direct(self) -> Page:
        """The board, opened as the director."""
        return opened(self.browser, f"{self.server.url}/board.html", self.trouble, directs=True)


@contextmanager
def director_desk(browser: Browser, folder: Path, **settings: Any) -> Iterator[Desk]:
    """The director's desk at a server with these settings; at the end there must have been no trouble."""
    with running(folder, director_code="chief", **settings, **OPEN) as server:
        engine = open_store(f"sqlite:///{folder / 'hupai.db'}", store_wings())
        desk = Desk(browser, server, engine)
        yield desk
        engine.dispose()
    assert not [said for said in desk.trouble if not any(part in said for part in desk.allowed)], desk.trouble


def press(page: Page, *keys: str, shows: str | None = None) -> None:
    """Click controls, one after the other, by their data-keys; then wait for what a CSS selector finds."""
    for key in keys:
        page.click(f'[data-key="{key}"]')
    if shows is not None:
        page.locator(shows).wait_for()


def begin_cup(board: Page, players: str, name: str = "Cup", rules: str = "Hong Kong") -> None:
    """Fill in the form of a new tournament, a player a line, send it, and take the list as it was understood."""
    board.fill("#field-cup-name", name)
    board.select_option("#select-cup-rules", label=rules)
    board.fill("#cup-players", players)
    board.get_by_role("button", name="Begin").click()
    board.click('[data-key="list-add"]')
    board.locator('summary[data-key^="players-"]', has_text=f"({len(players.splitlines())})").wait_for()


def explain(page: Page, button: str, reason: str) -> None:
    """Give the reason that a sheet asks for, and press its button."""
    sheet = page.get_by_role("dialog")
    sheet.locator("#field-reason").fill(reason)
    sheet.get_by_role("button", name=button).click()
