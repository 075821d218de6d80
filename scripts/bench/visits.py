"""What is transferred when a phone opens the page, and when something is painted: a first and a second visit.

    python -m scripts.bench.visits

Debian's chromium at 1.6 Mbit/s and 150 ms, with the processor as it is and slowed to a quarter; over plain HTTP, where
only the browser's own cache helps, and as over HTTPS, where a service worker does. Server and browser share this
machine, so the times are those of a slow phone only as far as the machine has cores left; bytes and requests are exact.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import sync_playwright

from scripts.bench.load import server
from scripts.browser.chromium import ARGS, MISSING, installed
from scripts.browser.phone import Phone

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SLOW: Final = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
"""Milliseconds, and bytes a second: 1.6 Mbit/s."""
BARS: Final = {"first": 1500, "second": 500}
"""Milliseconds within which something should be painted on a slow phone."""
READY: Final = """new MutationObserver((_, seen) => {
  if ('ready' in document.documentElement.dataset) { seen.disconnect(); window.readyAt = performance.now() }
}).observe(document, { attributes: true, subtree: true })"""
TIMES: Final = "() => [performance.getEntriesByName('first-contentful-paint')[0].startTime, window.readyAt]"
KNOWN: Final = """async () => (await (await caches.open('hupai')).keys()).some(({ url }) => url.includes('/i18n/'))"""


@dataclass(frozen=True, slots=True)
class Visit:
    """What went over the line, and how long it took.

    Attributes:
        urls: the addresses asked for. size: bytes. painted: milliseconds to the first contentful paint, the head of the
            page. ready: milliseconds until the first screen can be used.
    """

    urls: tuple[str, ...]
    size: float
    painted: float
    ready: float


class Line:
    """A phone's connection, slowed down, and what goes over it; ``slowed``: how many times slower its processor is."""

    def __init__(self, phone: Phone, slowed: int = 1) -> None:
        self.phone = phone
        self._sizes: dict[str, float] = {}
        self._urls: list[str] = []
        self._cached: set[str] = set()
        cdp = phone.context.new_cdp_session(phone.page)
        cdp.send("Network.enable")
        cdp.send("Network.emulateNetworkConditions", SLOW)
        cdp.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
        cdp.on("Network.requestServedFromCache", lambda event: self._cached.add(event["requestId"]))
        cdp.on("Network.responseReceived", self._answered)
        cdp.on("Network.loadingFinished", self._finished)

    def _answered(self, event: dict[str, Any]) -> None:
        answer = event["response"]
        if (
            event["requestId"] in self._cached
            or answer.get("fromDiskCache")
            or answer.get("fromServiceWorker")
            or not answer["url"].startswith("http")
        ):
            self._cached.add(event["requestId"])
        else:
            self._urls.append(answer["url"])

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] not in self._cached:
            self._sizes[event["requestId"]] = event["encodedDataLength"]

    def visit(self) -> Visit:
        """Open the page."""
        self._urls.clear()
        self._sizes.clear()
        self.phone.open()
        self.phone.page.wait_for_function("() => inside.about")
        self.phone.page.wait_for_load_state("networkidle")
        painted, ready = self.phone.page.evaluate(TIMES)
        return Visit(tuple(self._urls), sum(self._sizes.values()), painted, ready)


def visits(browser: Browser, url: str, *, slowed: int, worker: bool) -> Iterator[Visit]:
    """A first visit and a second one, by a phone that has not seen the page; ``worker``: a service worker may help."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        locale="en-GB",
        service_workers="allow" if worker else "block",
    )
    context.add_init_script(READY)
    phone = Phone(context, url)
    forget = context.new_cdp_session(phone.page)
    forget.send("Network.clearBrowserCache")
    forget.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
    line = Line(phone, slowed)
    yield line.visit()
    if worker:
        phone.page.wait_for_function("() => navigator.serviceWorker.controller")
        phone.page.wait_for_function(KNOWN)
    yield line.visit()
    context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slowed", type=int, action="append", help="times slower the processor is (usual: 1 and 4)")
    asked = parser.parse_args()
    chromium = installed()
    if chromium is None:
        raise SystemExit(MISSING)
    print("line  processor   visit  requests   KB   painted       bar  can be used")
    with server({"host": "127.0.0.1"}) as (api, _), sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=ARGS)
        for worker in (False, True):
            for slowed in asked.slowed or (1, 4):
                made = visits(browser, api.removesuffix("/api/v1"), slowed=slowed, worker=worker)
                for (name, bar), one in zip(BARS.items(), made, strict=True):
                    print(
                        f"{'HTTPS' if worker else 'HTTP':5} {f'1/{slowed}':>9} {name:>7} {len(one.urls):9} "
                        f"{one.size / 1000:4.0f} {one.painted:6.0f} ms {bar:6} ms {one.ready:9.0f} ms",
                        flush=True,
                    )
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
