"""What is transferred when a phone opens the page, and when something is painted: a first and a second visit.

    python -m scripts.bench.visits [--slowed 4]

Debian's chromium at 1.6 Mbit/s and 150 ms, with the processor as it is and slowed to a quarter; over plain HTTP, where
only the browser's own cache helps, and as over HTTPS, where a service worker does. Server and browser share this
machine, so the times are those of a slow phone only as far as the machine has cores left; bytes and requests are exact.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import typer
from playwright.sync_api import Browser, sync_playwright

from scripts.bench.host import server
from scripts.browser.chromium import ARGS, MISSING, installed
from scripts.browser.phone import Phone

SLOW: Final = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
"""Milliseconds, and bytes a second: 1.6 Mbit/s."""
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

    urls: list[str]
    size: float
    painted: float
    ready: float


def visits(browser: Browser, url: str, *, slowed: int, worker: bool) -> Iterator[Visit]:
    """A first visit and a second one, by a phone that has not seen the page.

    Args:
        browser, url: the browser, the page. slowed: how many times slower its processor is.
        worker: a service worker may help.
    """
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        locale="en-GB",
        service_workers="allow" if worker else "block",
    )
    context.add_init_script(READY)
    phone = Phone(context, url)
    urls: dict[str, str] = {}
    sizes: dict[str, float] = {}
    kept: set[str] = set()

    def answered(event: dict[str, Any]) -> None:
        answer = event["response"]
        local = event["requestId"] in kept or answer.get("fromDiskCache") or answer.get("fromServiceWorker")
        if not local and answer["url"].startswith("http"):
            urls[event["requestId"]] = answer["url"]

    def finished(event: dict[str, Any]) -> None:
        if event["requestId"] in urls:
            sizes[event["requestId"]] = event["encodedDataLength"]

    line = context.new_cdp_session(phone.page)
    line.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))
    line.on("Network.responseReceived", answered)
    line.on("Network.loadingFinished", finished)
    line.send("Network.clearBrowserCache")
    line.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", SLOW)
    line.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    for _ in ("first", "second"):
        urls.clear()
        sizes.clear()
        phone.open()
        phone.page.wait_for_function("() => inside.about")
        phone.page.wait_for_load_state("networkidle")
        painted, ready = phone.page.evaluate(TIMES)
        yield Visit(list(urls.values()), sum(sizes.values()), painted, ready)
        if worker:
            phone.page.wait_for_function("() => navigator.serviceWorker.controller")
            phone.page.wait_for_function(KNOWN)
    context.close()


def main(slowed: list[int] | None = None) -> None:
    chromium = installed() or sys.exit(MISSING)
    print("line  processor   visit  requests   KB   painted  can be used")
    with server({}) as host, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=ARGS)
        for name, worker in (("HTTP", False), ("HTTPS", True)):
            for times in slowed or (1, 4):
                made = visits(browser, host.url, slowed=times, worker=worker)
                for visit, one in zip(("first", "second"), made, strict=True):
                    print(
                        f"{name:5} {f'1/{times}':>9} {visit:>7} {len(one.urls):9} {one.size / 1000:4.0f} "
                        f"{one.painted:6.0f} ms {one.ready:9.0f} ms",
                        flush=True,
                    )


if __name__ == "__main__":
    typer.run(main)
