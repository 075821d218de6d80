"""The first minute of a player on a slow phone: Chromium a quarter of the time, behind a line of 10 Mbit/s.

    python -m scripts.bench.first_minute [--runs 3] [--slower 4] [--megabits 10] [--photo PHOTO] [URL]

Without a URL the page is written and served as ``python -m http.server`` would, uncompressed. It tells when the
shutter is there, when what typed hands need has come and when they can be entered, and when a photo that is chosen at
once has its result; then the same for a second visit, by a browser that was started anew. Bytes are those that came
through the line. Unless another photo is chosen it is one without flowers and seasons, which need a network of their
own: those have their names when that is there.

A processor four times slower is had in two ways. As browsers offer it (``Emulation.setCPUThrottlingRate``), the page's
own thread alone is slowed, where the least is done: the budgets in seconds are of that. Then the whole browser, all its
threads, is stopped for three quarters of the time, by turns of milliseconds. Seconds are a clock's. They hold for a
phone with as many cores as this machine, and only where that has nothing else to do: its load is told first. The least
of some runs is told.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from itertools import product
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import typer
from playwright.sync_api import BrowserContext, sync_playwright

from hupai.page.alone import write_page
from scripts.bench.host import free_port
from scripts.browser.chromium import ARGS, MISSING, find_chromium
from scripts.browser.phone import EXAMPLES, PART
from scripts.browser.static_server import serve_folder

BUDGETS: Final = {
    "page slowed, first visit, shutter": (2, None),
    "page slowed, first visit, loaded": (None, 7),
    "page slowed, first visit, photo": (14, 15),
    "page slowed, second visit, shutter": (3, None),
    "page slowed, second visit, photo": (6, None),
}
"""Seconds and megabytes at most, by what is slowed, visit, and what is there."""
_SEEN: Final = {
    "shutter": "[data-key=shutter], #take",
    "typed": "[data-key=rules-link]",
    "photo": ".tray .tile",
    "named": ".tray:not([inert]) .tile",
}
_THERE: Final = """(seen) => [
  ...Object.keys(seen).filter((at) => document.querySelector(seen[at])),
  ...(navigator.serviceWorker.controller ? ["loaded"] : []),
]"""
"""What is there: ``loaded`` is what typed hands need."""
_KEPT: Final = """async () => {
  const kept = (await (await caches.open("hupai")).keys()).map(({ url }) => url);
  return ["/bonus.onnx", ".image"].every((name) => kept.some((url) => url.endsWith(name)));
}"""
"""Whether all has come, and an image of Python is kept."""
_DELAY: Final = 0.02
"""Seconds through the line in each direction."""
_UNDER_WAY: Final = 16
"""Parts of 8 kB on the line at once, of one connection."""
_LONGEST: Final = 300
_TURN: Final = 0.005
"""Seconds that a browser is let run at a time."""
Seen = dict[str, tuple[float, float]]
"""Seconds and megabytes by what is there."""


def slow_page(context: BrowserContext, profile: Path, slower: float) -> AbstractContextManager[None]:
    """Slow the thread of the page that a browser shows, as its own tools do it."""
    del profile
    context.new_cdp_session(context.pages[0]).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    return nullcontext()


@contextmanager
def slow_browser(context: BrowserContext, profile: Path, slower: float) -> Iterator[None]:
    """Stop the browser that has this profile, all its processes, for all but one part of ``slower`` of the time."""
    del context
    (program,) = (path.parent for path in Path("/proc").glob("[0-9]*/cmdline") if _began_with(path, profile))
    group, over = os.getpgid(int(program.name)), threading.Event()

    def hold() -> None:
        while not over.wait(_TURN):
            os.killpg(group, signal.SIGSTOP)
            time.sleep(_TURN * (slower - 1))
            os.killpg(group, signal.SIGCONT)

    holding = threading.Thread(target=hold)
    holding.start()
    try:
        yield
    finally:
        over.set()
        holding.join()


SLOWED: Final[dict[str, Callable[[BrowserContext, Path, float], AbstractContextManager[None]]]] = {
    "page slowed": slow_page,
    "browser slowed": slow_browser,
}


def _began_with(command: Path, profile: Path) -> bool:
    """Whether a process is a browser itself, not one of its helpers, which are told the same."""
    with suppress(OSError):
        given = command.read_bytes().split(b"\0")
        return f"--user-data-dir={profile}".encode() in given and not any(one.startswith(b"--type=") for one in given)
    return False


class Line:
    """A line to a server, for many connections: so many bytes a second in all, and a delay.

    Attributes:
        port: where it begins. megabytes: that have come from the server.
    """

    def __init__(self, url: str, megabits: float) -> None:
        there = urlsplit(url)
        self._there, self._rate = (there.hostname, there.port or 80), megabits / 8
        self.port, self.megabytes, self._free = free_port(), 0.0, 0.0
        ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._serve(ready)), daemon=True).start()
        ready.wait()

    async def _serve(self, ready: threading.Event) -> None:
        async with await asyncio.start_server(self._connect, "localhost", self.port) as server:
            ready.set()
            await server.serve_forever()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            there, to = await asyncio.open_connection(*self._there)
            await asyncio.gather(self._pass(reader, to), self._pass(there, writer, back=True))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, back: bool = False) -> None:
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(_UNDER_WAY)
        arriving = asyncio.create_task(self._arrive(under_way, writer, back=back))
        with suppress(OSError):
            while data := await reader.read(8192):
                sent = time.monotonic()
                if back:
                    sent = self._free = max(self._free, sent) + len(data) / 1e6 / self._rate
                await under_way.put((sent + _DELAY, data))
        await under_way.put((0.0, b""))
        await arriving

    async def _arrive(
        self, under_way: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter, *, back: bool
    ) -> None:
        with suppress(OSError):
            while True:
                there, data = await under_way.get()
                if not data:
                    break
                await asyncio.sleep(there - time.monotonic())
                if back:
                    self.megabytes += len(data) / 1e6
                writer.write(data)
                await writer.drain()
        writer.close()


def visit(context: BrowserContext, line: Line, path: str, photo: Path) -> Seen:
    """Open the page, choose a photo at once, and wait for its hand."""
    page, found = context.pages[0], Seen()
    page.add_init_script(PART)
    begun, before = time.monotonic(), line.megabytes
    page.goto(f"http://localhost:{line.port}{path}", wait_until="commit")
    chosen = False
    while "named" not in found:
        there = page.evaluate(_THERE, _SEEN)
        now = time.monotonic() - begun
        page.wait_for_timeout(20)
        found |= {name: (now, line.megabytes - before) for name in there if name not in found}
        if "shutter" in found and not chosen:
            page.set_input_files("#choose", photo)
            chosen = True
        if now > _LONGEST:
            raise SystemExit(f"Nothing more after {now:.0f} s than {found}")
    page.evaluate("part('js/camera/reading.js').then(({ forget }) => forget())")
    while not page.evaluate(_KEPT):
        page.wait_for_timeout(200)
    return found


def main(
    url: Annotated[str | None, typer.Argument()] = None,
    runs: int = 3,
    slower: float = 4,
    megabits: float = 10,
    photo: Path = EXAMPLES / "hand-riichi.jpg",
) -> None:
    program = find_chromium()
    if program is None:
        raise SystemExit(MISSING)
    least: Seen = {}
    with ExitStack() as stack:
        if url is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            write_page(folder)
            url = stack.enter_context(serve_folder(folder)) + "/"
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        line = Line(url, megabits)
        play = stack.enter_context(sync_playwright())
        for run, (what, slow) in product(range(1, runs + 1), SLOWED.items()):
            profile = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
            for name in ("first visit", "second visit"):
                with (
                    play.chromium.launch_persistent_context(
                        profile, executable_path=program, args=ARGS, viewport={"width": 390, "height": 844}
                    ) as context,
                    slow(context, profile, slower),
                ):
                    found = visit(context, line, urlsplit(url).path, photo)
                print(
                    f"run {run}, {what}, {name}:",
                    "; ".join(f"{there} {s:.1f} s, {mb:.1f} MB" for there, (s, mb) in found.items()),
                )
                for there, told in found.items():
                    key = f"{what}, {name}, {there}"
                    least[key] = min(least.get(key, told), told)
    for key, told in least.items():
        limits = zip(told, ("s", "MB"), BUDGETS.get(key, (None, None)), strict=True)
        print(
            f"{key}:",
            ", ".join(f"{value:.1f} {unit}" + (f" (at most {most})" if most else "") for value, unit, most in limits),
        )


if __name__ == "__main__":
    typer.run(main)
