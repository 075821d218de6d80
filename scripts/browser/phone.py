"""What a player does on the page, in words."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Request, Route

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HAND = EXAMPLES / "hand-self-draw.jpg"
PLAYERS = ("Mei", "Bo", "Chiyo", "Dan")
WAIT_MS = 180_000  # learning a set takes long where others are at work too


PART = """window.part = (path) =>
  import(document.querySelector('script[type=module]').src.replace(/\\bjs\\/.*/, path))"""
"""Script that gives tests a module of the page by its path, such as ``part('js/state/app.js')``."""


class Phone:
    """One browser tab with the page."""

    def __init__(self, context: BrowserContext, url: str, path: str = "/") -> None:
        self.context = context
        self.url = url
        self.trouble: list[str] = []
        # Parts of console lines the test expects; a store that is being asked while the tab closes aborts.
        self.allowed = ["Service Worker registration blocked", "Backend aborted"]
        context.add_init_script(PART)
        context.set_default_timeout(WAIT_MS)
        self.page = context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.trouble.append(f"page error: {error}"))
        self.open(path)

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.trouble.append(f"{message.type}: {message.text} {(message.location or {}).get('url', '')}")

    def hang_up(self) -> None:
        """Close the tab; fails if the console has shown anything unexpected."""
        self.context.close()
        left = [t for t in self.trouble if not any(part in t for part in self.allowed)]
        assert not left, left

    def open(self, path: str = "/") -> None:
        """Open the page."""
        self.page.goto(self.url + path)
        self._look_inside()

    def reload(self) -> None:
        """Load the page anew."""
        self.page.reload()
        self._look_inside()

    def _look_inside(self) -> None:
        self.page.wait_for_selector("html[data-ready]")
        self.page.evaluate(
            """async () => {
              const [{ app }, { scoreNow }] = [await part('js/state/app.js'), await part('js/scoring/live.js')];
              window.inside = Object.create(app, { score: { get: scoreNow } });
            }"""
        )

    def at(self, selector: str) -> Locator:
        """What a CSS selector finds."""
        return self.page.locator(selector)

    def key(self, name: str) -> Locator:
        """The control with this data-key."""
        return self.page.locator(f'[data-key="{name}"]')

    def press(self, *keys: str, shows: str | None = None) -> None:
        """Tap controls, one after the other, by their data-keys; then wait for what a CSS selector finds."""
        for name in keys:
            self.key(name).click()
        if shows is not None:
            self.page.wait_for_selector(shows)

    def close_by(self, *keys: str) -> None:
        """Tap controls, the last of which closes the sheet."""
        self.press(*keys)
        self.closed()

    def escape(self) -> None:
        """Close the sheet without a word."""
        self.page.keyboard.press("Escape")
        self.closed()

    def text(self, selector: str) -> str:
        """The words of the first thing a selector finds."""
        return self.at(selector).first.inner_text()

    def until(self, happened: Callable[[], Any]) -> None:
        """Wait for something that can be checked from outside the page."""
        last = time.monotonic() + WAIT_MS / 1000
        while not happened():
            assert time.monotonic() < last, "it never happened"
            self.page.wait_for_timeout(20)

    def keeps(self, *parts: str) -> None:
        """Wait until the browser has kept files whose addresses have these parts."""
        kept = "async () => (await (await caches.open('hupai')).keys()).map(({ url }) => url)"
        self.until(lambda: all(any(part in url for url in self.page.evaluate(kept)) for part in parts))

    def steady(self, selector: str) -> dict[str, float]:
        """The position and size of an element, a DOMRect, once they have stayed the same for three frames."""
        self.page.evaluate("() => { window.places = [] }")
        found = self.page.wait_for_function(
            """(selector) => {
              places.push(JSON.stringify(document.querySelector(selector)?.getBoundingClientRect()));
              const last = places.slice(-4);
              return last.length === 4 && last[0] && last.every((place) => place === last[0]) && JSON.parse(last[0]);
            }""",
            arg=selector,
        )
        return found.json_value()

    def closed(self) -> None:
        """Wait until no sheet is open and the keyboard is back where it was, in the frame after that."""
        self.at("dialog").wait_for(state="detached")
        self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def go(self, tab: str) -> None:
        """Tap a tab of the page."""
        self.key(f"tab-to-{tab}").click()
        self.page.wait_for_selector(f".at-{tab}")

    def use_rules(self, rules: str) -> None:
        """Choose a rule system, and come back to the hand."""
        self.go("rules")
        self.choose("rules", rules)
        self.go("hand")

    def show_score(self, *, seat: str = "S", win: str = "self_draw", giver: str | None = None) -> dict[str, Any]:
        """Say who won and who paid, and open the score of the hand on the felt."""
        self.answer(seat=seat, win=win, giver=giver)
        score = self.score()
        self.key("bar").click()
        self.page.wait_for_selector(".at-score")
        return score

    def remembered(self, name: str) -> Any:
        """What the phone keeps under a name."""
        return json.loads(self.page.evaluate(f"localStorage.getItem('hupai.{name}')") or "null")

    def keep_notices(self) -> None:
        """From now on notices stay until they are pressed or replaced; their own seconds may be too few here."""
        self.page.evaluate(
            """() => {
              const later = setTimeout;
              window.setTimeout = (act, ...more) => act.name === 'leave' ? 0 : later(act, ...more);
            }"""
        )

    def settle(self) -> None:
        """Wait until the score has followed the last change."""
        self.page.wait_for_function("() => inside.score && inside.score.state !== 'wait'")

    def score(self) -> dict[str, Any]:
        """The last answer of the server to the hand on screen."""
        self.settle()
        return self.page.evaluate("() => inside.score")

    def hand(self) -> dict[str, Any]:
        """The hand on the felt."""
        return self.page.evaluate("() => inside.draft.hand")

    def codes(self, zone: str = "concealed") -> list[str]:
        """The tiles of a zone."""
        found = self.hand()[zone]
        return [t["code"] for t in (found if isinstance(found, list) else [found] if found else [])]

    def photograph(self, path: Any = HAND) -> None:
        """Choose a photo and wait until the hand lies on the felt."""
        self.page.set_input_files("#choose", str(path))
        self.page.wait_for_selector(".tray .tile")
        self.page.wait_for_function("() => !inside.reading")
        self.outlined()

    def outlined(self) -> None:
        """Wait until every tile that was read has its outline in the photo."""
        self.page.wait_for_function(
            "() => document.querySelectorAll('.outline:not(.aside)').length === inside.draft.read.tiles.length"
        )

    def tile(self, zone: str, place: int) -> Locator:
        """A tile on the felt."""
        return self.at(f".tray .zone.{zone} .tile").nth(place)

    def mend(self, zone: str, place: int, code: str) -> None:
        """Tap a tile and choose another from the keyboard."""
        self.tile(zone, place).click()
        self._press(code)
        self.closed()

    def _press(self, code: str) -> None:
        suit = "fg" if code[0] in "fg" else code[0] if code[0] in "ab" else code[1]
        self.key(f"tab-{suit}").click()
        self.key(f"key-{code}").click()

    def type_in(self, codes: str) -> None:
        """Type a hand on the keyboard; the last tile is the winning one."""
        self.key("type").click()
        for code in codes.split():
            self._press(code)
        self.key("add-done").click()
        self.closed()

    def lay(self, codes: str = "1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 4p") -> None:
        """Put a typed hand on the felt at once, the last tile being the winning one."""
        self.page.evaluate(
            """async (codes) => {
              const { addTile, emptyHand } = await part('js/hand/hand.js');
              const { setHand } = await part('js/state/draft.js');
              setHand(codes.reduce((hand, code) => addTile(hand, code), emptyHand()));
            }""",
            codes.split(),
        )
        self.page.wait_for_selector(".tray .tile")

    def sent_to(self, path: str) -> list[Request]:
        """The requests to an operation from now on."""
        seen: list[Request] = []

        def note(route: Route) -> None:
            seen.append(route.request)
            route.continue_()

        self.page.route(f"**{path}", note)
        return seen

    def held_at(self, path: str) -> HeldRequests:
        """The requests to an operation from now on; each waits until all are let go."""
        return HeldRequests(self, path)

    def choose(self, question: str, value: str) -> None:
        """Tap one of several keys; the choice must take."""
        self._tap(f"{question}={value}", ":checked")

    def switch(self, key: str, *, on: bool) -> None:
        """Tap a switch over."""
        self._tap(key, ":checked" if on else ":not(:checked)")

    def _tap(self, key: str, then: str) -> None:
        control = f'input[data-key="{key}"]'
        self.at(f"label:has(> {control})").click()
        self.at(control + then).wait_for(state="attached")

    def answer(self, *, seat: str, win: str, giver: str | None = None) -> None:
        """Who won, and who paid: ``giver``, or the winner himself; a robbed kong is a chip."""
        self.choose("seat", seat)
        self.choose("payer", seat if win == "self_draw" else giver or "null")
        if win == "robbed_kong":
            self.key("chip-robbed_kong").click()

    def begin_game(self, players: tuple[str, ...] = PLAYERS, rules: str = "hongkong", points: str = "0") -> None:
        """Begin a game with these players and points."""
        self.go("game")
        if self.key("leave").count():
            self.key("leave").click()
        for i, name in enumerate(players):
            self.at(f"#field-player-{i}").fill(name)
        self.choose("game-rules", rules)
        self.key("fold-new").click()
        self.at("#field-points").fill(points)
        self.key("create-game").click()
        self.page.wait_for_selector(".places")

    def belongs_to(self, number: int) -> None:
        """Say which player of the game this phone belongs to."""
        self.at(f"label:has(> [data-key='own-player={number}'])").click()
        self.key("own-none").wait_for(state="detached")

    def totals(self) -> dict[str, str]:
        """Name -> running total, as shown."""
        return self._places(".total")

    def seats(self) -> dict[str, str]:
        """Name -> wind, as a screen reader hears it."""
        return {name: re.sub(r"[, ]", "", wind) for name, wind in self._places(".unseen").items()}

    def _places(self, part: str) -> dict[str, str]:
        self.page.wait_for_selector(".place")
        pairs = "(all, part) => all.map((e) => [e.querySelector('b').innerText, e.querySelector(part).textContent])"
        return dict(self.page.eval_on_selector_all(".place", pairs, part))


class HeldRequests:
    """Requests held back until they are let go."""

    def __init__(self, phone: Phone, path: str) -> None:
        self._until = phone.until
        self._routes: list[Route] = []
        self._free = False
        phone.page.route(f"**{path}", self._take)

    def _take(self, route: Route) -> None:
        if self._free:
            route.continue_()
        else:
            self._routes.append(route)

    def came(self) -> None:
        """Wait for the first request."""
        self._until(lambda: self._routes)

    def let_go(self) -> None:
        """Let go the requests that came, at least one, and all that will come."""
        self.came()
        self._free = True
        for route in self._routes:
            route.continue_()
