"""Photograph the page's screens in every language: ``python -m scripts.docs.screens OUT``.

A real server and Debian's chromium; for each language a folder with every screen on a small phone (320), a usual one
(390), a phone in landscape, and in dark mode: the player's, and the board with a hand that waits to be confirmed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import typer
from playwright.sync_api import Browser, BrowserType, Page, Route, ViewportSize, sync_playwright

from hupai.hall.events import feed
from hupai.store.database import open_store
from hupai.wing import store_wings
from scripts.bench.host import OPEN, Host
from scripts.browser.chromium import MISSING, find_chromium
from scripts.browser.filmed import filmed
from scripts.browser.phone import HAND, Phone

LOCALES: Final = {"en": "en-GB", "zh-HK": "zh-HK", "zh-TW": "zh-TW", "zh-Hans": "zh-CN", "ja": "ja-JP"}
"""Language -> the browser's tag that asks for it."""
LOOKS: Final[dict[str, dict[str, Any]]] = {
    "320": {"viewport": {"width": 320, "height": 640}},
    "390": {"viewport": {"width": 390, "height": 844}},
    "across": {"viewport": {"width": 844, "height": 390}},
    "dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}
"""Name of a look -> how its browser is opened."""
CODE: Final = "chief"
DOUBTS: Final = {"winning_tile_unknown": "winning", "low_confidence": "concealed"}
"""Doubts that are added to the reading of the photo -> the role of the tile each is about."""


@contextmanager
def studio(kind: BrowserType, path: str) -> Iterator[tuple[str, Browser]]:
    """The address of a server whose table A has a hand that waits, and a browser with a camera over one."""
    with tempfile.TemporaryDirectory() as folder:
        film, host = Path(folder) / "hand.mjpeg", Host(Path(folder), OPEN | {"director_code": CODE})
        with host, filmed(kind, path, film, "hand-dark-diagonal.jpg") as browser:
            read = (
                httpx.post(f"{host.api}/read", files={"photo": HAND.read_bytes()}, timeout=60).raise_for_status().json()
            )
            engine = open_store(host.database, store_wings())
            feed.claim(engine, feed.Claim("A", "0", "camera", None))
            feed.add_settled_hand(engine, "A", "camera", "first", read, HAND.read_bytes(), {})
            yield host.url, browser
            engine.dispose()


def screens(phone: Phone) -> Iterator[tuple[str, Page]]:
    """Lead a phone through the page; yields the name of each screen, and its page, while it is shown."""
    page = phone.page
    page.wait_for_function("() => inside.about")
    yield "start", page
    phone.key("shutter").tap()
    phone.key("auto-shutter").tap()
    page.wait_for_selector(".finder polygon.winning")
    yield "camera", page
    page.keyboard.press("Escape")
    phone.closed()
    phone.photograph()
    phone.answer(seat="S", win="discard", giver="E")
    phone.settle()
    yield "hand", page
    phone.key("bar").click()
    page.wait_for_selector(".at-score")
    yield "score", page
    for tab in ("rules", "more", "game"):
        phone.go(tab)
        yield (tab if tab != "game" else "new-game"), page
    phone.begin_game(rules="riichi", points="25000")
    yield "game", page
    for sheet in ("told", "draw", "payment", "end"):
        yield from _sheet(phone, sheet, sheet)
    page.route("**/api/v1/read", _unsure)
    phone.go("hand")
    phone.key("start-over").click()
    page.locator("dialog .button.danger").click()
    phone.closed()
    phone.photograph()
    yield "doubts", page
    yield from _sheet(phone, "review", "doubt")
    page.unroute("**/api/v1/read")
    phone.context.set_offline(True)
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    phone.key("keep-later").tap()
    phone.go("game")
    page.wait_for_selector(".queue")
    yield "queue", page
    phone.context.set_offline(False)
    yield from boards(phone)


def _sheet(phone: Phone, key: str, name: str) -> Iterator[tuple[str, Page]]:
    phone.key(key).click()
    phone.page.wait_for_selector("dialog")
    yield name, phone.page
    phone.page.keyboard.press("Escape")
    phone.closed()


def _unsure(route: Route) -> None:
    """Answer with the server's reading, its doubts replaced by :data:`DOUBTS`."""
    answer = route.fetch()
    read = answer.json()
    roles = [tile["role"] for tile in read["tiles"]]
    read["doubts"] = [{"code": code, "tile": roles.index(role), "message": code} for code, role in DOUBTS.items()]
    route.fulfill(response=answer, json=read)


def boards(phone: Phone) -> Iterator[tuple[str, Page]]:
    """The board as everybody sees it, and a table as its director does."""
    page = phone.context.new_page()
    page.goto(f"{phone.url}/board.html")
    page.wait_for_selector("[data-key=table-A]")
    yield "board", page
    page.fill("#code-director", CODE)
    page.keyboard.press("Enter")
    page.wait_for_selector("#field-cup-name", state="attached")
    page.click("[data-key=table-A]")
    page.wait_for_selector(".laid-view")
    yield "board-table", page


def photograph(browser: Browser, url: str, language: str, out: Path) -> None:
    """Every screen of a language in every look, as PNG under ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    for look, settings in LOOKS.items():
        phone = Phone(browser.new_context(locale=LOCALES[language], has_touch=True, **settings), url)
        for name, page in screens(phone):
            _picture(page, settings["viewport"], out / f"{name}-{look}.png")
        phone.context.close()


def _picture(page: Page, size: ViewportSize, path: Path) -> None:
    """The whole screen with its bars at the foot; of a sheet, the visible part."""
    whole = page.locator("dialog").count() == 0
    if whole:
        high = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": size["width"], "height": max(high, size["height"])})
    page.evaluate("async () => { await Promise.allSettled(document.getAnimations().map((a) => a.finished)) }")
    page.screenshot(path=path, full_page=whole)
    page.set_viewport_size(size)


def main(out: Path) -> None:
    """Photograph the page's screens in every language, a folder of OUT for each."""
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit(MISSING)
    with sync_playwright() as play, studio(play.chromium, chromium) as (url, browser):
        for language in LOCALES:
            photograph(browser, url, language, out / language)


if __name__ == "__main__":
    typer.run(main)
