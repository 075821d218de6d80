"""Debian's WebKit, the nearest to Safari, by its WebDriver: as much of Playwright's page as a Phone asks for.

Playwright knows no WebKit but its own. What the console says is not told.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from scripts.bench.host import free_port
from scripts.browser.phone import WAIT_MS

_PROGRAMS: Final = ("WebKitWebDriver", "xvfb-run")
MISSING: Final = "WebKit is not installed (apt-get install webkit2gtk-driver xvfb)"
_ENVIRONMENT: Final = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
_NOT_YET: Final = (
    "element click intercepted",
    "element not interactable",
    "stale element reference",
    "no such element",
)
_ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"
_SEEN: Final = "(one) => one.checkVisibility() && one.getClientRects().length > 0"
_STATES: Final = {
    "attached": "(found) => found.length > 0",
    "visible": f"(found) => found.some({_SEEN})",
    "detached": "(found) => found.length === 0",
}
_CHOOSE: Final = """async ([input], [data, name]) => {
  const files = new DataTransfer();
  files.items.add(new File([Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))], name));
  input.files = files.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}"""
"""The driver fills in no field that is not seen."""
# The driver itself would scroll no further than below the bar at the foot.
_TO_THE_MIDDLE: Final = "(found, n) => found[n]?.scrollIntoView({ block: 'center' })"
_ANSWER = TypeVar("_ANSWER")


class _NotYet(Exception):
    """What was asked for is not possible yet."""


def _until(act: Callable[[], _ANSWER | None]) -> _ANSWER:
    """Return what an act returns, as soon as that is true and the act is possible."""
    last = time.monotonic() + WAIT_MS / 1000
    while True:
        try:
            if found := act():
                return found
        except _NotYet:
            pass
        assert time.monotonic() < last, "it never happened"
        time.sleep(0.05)


def has_webkit() -> bool:
    """Whether it is installed."""
    return all(map(shutil.which, _PROGRAMS))


@contextmanager
def start_webkit() -> Iterator[WebKitPage]:
    """Give a window of WebKit with an empty page, until the block ends."""
    port = free_port()
    command = ["xvfb-run", "-a", "WebKitWebDriver", f"--port={port}"]
    with subprocess.Popen(command, env={**os.environ, **_ENVIRONMENT}, start_new_session=True) as driver:
        try:
            begin = partial(_ask, f"http://127.0.0.1:{port}/session", {"capabilities": {}})
            yield WebKitPage(f"http://127.0.0.1:{port}/session/{_until(begin)['sessionId']}")
        finally:
            os.killpg(driver.pid, signal.SIGTERM)


def _ask(url: str, body: dict[str, Any] | None = None, method: str = "POST") -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=WAIT_MS / 1000) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        said = json.load(error)["value"]
        if said["error"] in _NOT_YET:
            raise _NotYet from error
        raise RuntimeError(f"{said['error']}: {said['message']}") from error
    except urllib.error.URLError as error:
        raise _NotYet from error


class WebKitPage:
    """A window, and all that belongs to it."""

    def __init__(self, session: str) -> None:
        self._session = session
        self._scripts: list[str] = []
        self.ask("timeouts", {"script": WAIT_MS})
        self.ask("window/rect", {"width": 420, "height": 900})

    def ask(self, command: str, body: dict[str, Any] | None = None, method: str = "POST") -> Any:
        """Return the answer to a command."""
        return _ask(f"{self._session}/{command}", body, method)

    def add_init_script(self, script: str) -> None:
        """Run a script in every document from now on, once it is loaded."""
        self._scripts.append(f"() => {{ {script} }}")

    def new_page(self) -> WebKitPage:
        """Return the window, which is its own context."""
        return self

    def set_default_timeout(self, ms: float) -> None:
        """How long is waited is always the same."""

    def on(self, event: str, act: Callable[..., object]) -> None:
        """Nothing is told of what happens."""

    def close(self) -> None:
        """End the browser."""
        _ask(self._session, method="DELETE")

    @property
    def url(self) -> str:
        """The address."""
        return str(self.ask("url", method="GET"))

    def goto(self, url: str) -> None:
        """Open an address."""
        self._load("url", {"url": url})

    def reload(self) -> None:
        """Load the page anew."""
        self._load("refresh", {})

    def _load(self, command: str, body: dict[str, Any]) -> None:
        self.ask(command, body)
        for script in self._scripts:
            self.evaluate(script)

    def evaluate(self, script: str, arg: Any = None) -> Any:
        """Return what a script gives, a function of ``arg`` or an expression."""
        body = f"""const [arg, done] = arguments, it = ({script});
            Promise.resolve(typeof it === "function" ? it(arg) : it)
              .then((found) => done([found]), (error) => done(`${{error}}`));"""
        answer = self.ask("execute/async", {"script": body, "args": [arg]})
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return answer[0]

    def eval_on_selector_all(self, selector: str, script: str, arg: Any = None) -> Any:
        """Return what a script makes of all elements of a selector."""
        return self.evaluate(
            f"([selector, arg]) => ({script})([...document.querySelectorAll(selector)], arg)", [selector, arg]
        )

    def wait_for_selector(self, selector: str, state: str = "visible") -> None:
        """Wait for an element."""
        self.locator(selector).wait_for(state)

    def wait_for_function(self, script: str) -> None:
        """Wait until a script gives something that is true."""
        _until(lambda: self.evaluate(script))

    def wait_for_timeout(self, ms: float) -> None:
        """Wait between two looks."""
        time.sleep(ms / 1000)

    def set_input_files(self, selector: str, path: str) -> None:
        """Choose a file."""
        self.locator(selector).set_input_files(path)

    def locator(self, selector: str) -> _Located:
        """Return what a selector finds, whenever it is asked for."""
        return _Located(self, selector)


class _Located:
    """Elements of a selector; what is done is done to the one at ``place``."""

    def __init__(self, page: WebKitPage, selector: str, place: int = 0) -> None:
        self._page, self._selector, self._place = page, selector, place

    @property
    def first(self) -> _Located:
        return self

    def nth(self, place: int) -> _Located:
        return _Located(self._page, self._selector, place)

    def count(self) -> int:
        return int(self._page.eval_on_selector_all(self._selector, "(found) => found.length"))

    def wait_for(self, state: str = "visible") -> None:
        _until(lambda: self._page.eval_on_selector_all(self._selector, _STATES[state]))

    def inner_text(self) -> str:
        self.wait_for()
        return str(self._page.eval_on_selector_all(self._selector, "(found, n) => found[n].innerText", self._place))

    def click(self) -> None:
        self._do("click", {})

    def fill(self, text: str) -> None:
        self._do("clear", {})
        self._do("value", {"text": text})

    def set_input_files(self, path: str | Path) -> None:
        data = base64.b64encode(Path(path).read_bytes()).decode()
        self.wait_for("attached")
        self._page.eval_on_selector_all(self._selector, _CHOOSE, [data, Path(path).name])

    def _do(self, command: str, body: dict[str, Any]) -> None:
        def act() -> bool:
            found = self._page.ask("elements", {"using": "css selector", "value": self._selector})
            if len(found) <= self._place:
                return False
            self._page.eval_on_selector_all(self._selector, _TO_THE_MIDDLE, self._place)
            self._page.ask(f"element/{found[self._place][_ELEMENT]}/{command}", body)
            return True

        _until(act)
