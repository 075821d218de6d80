"""The page without a server in Chromium: bytes to load, time that a photo takes, memory.

    python -m scripts.bench.page [--times 5] [--again] [PHOTO ...]

Bytes are Brotli's (quality 11, windows of 16 MB) and the files' own: what comes before typed hands are scored, what
every photo needs, what few need. Photos are the examples if none are named; each is read once, then measured, one after
the other in one worker. ``processor`` is the time of the page's process, in milliseconds: unlike the others it hardly
grows while the machine is busy. Memory is what the process holds afterwards, and its peak; no debugger is attached,
which would hold copies of all that is loaded. ``--again`` measures a second visit, when the networks use threads.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from statistics import median
from typing import Annotated, Final

import typer

from hupai.page.alone import write_page
from scripts.bench.machine import memory_kib, processor_seconds, resident_megabytes
from scripts.browser.chromium import ARGS, MISSING, find_chromium
from scripts.browser.static_server import serve_folder
from scripts.page_checks import find_tool

EXAMPLES: Final = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.jpg"))
_BROTLI: Final = """
import zlib from "node:zlib";
const { BROTLI_PARAM_LGWIN: WINDOW, BROTLI_PARAM_SIZE_HINT: SIZE } = zlib.constants;
for (const path of Deno.args) {
  const data = Deno.readFileSync(path);
  console.log(zlib.brotliCompressSync(data, { params: { [WINDOW]: 24, [SIZE]: data.length } }).length);
}"""
_PROBE: Final = """
const main = document.querySelector("script[type=module]").src;
const { ask } = await import(main.replace(/main.js$/, "api/python/ask.js"));
async function read(name) {
  const form = new FormData();
  form.append("photo", await (await fetch(`/${name}`)).blob(), name);
  const begun = performance.now();
  const { text } = await ask("POST", "/read", {}, form);
  return { ...JSON.parse(text).timings_ms, waited: performance.now() - begun };
}
for (let told = null;;) {
  const name = await (await fetch("/next", { method: "POST", body: JSON.stringify(told) })).text();
  if (name) told = await read(name);
  else {
    await navigator.serviceWorker.ready;
    location.reload();
    break;
  }
}
"""
"""In the page: asks which photo to read, or to be loaded again, and tells what the one before took."""


class _Probed:
    """A page that reads one photo after the other."""

    def __init__(self) -> None:
        self._told: Queue[dict[str, float] | None] = Queue()
        self._names: Queue[str] = Queue()

    def answer(self, told: bytes) -> bytes:
        """Take what a photo took; return the next one's name."""
        self._told.put(json.loads(told))
        return self._names.get().encode()

    def wait(self) -> None:
        """Wait until the page is there."""
        self._told.get()

    def read(self, name: str) -> dict[str, float]:
        """Milliseconds by stage."""
        self._names.put(name)
        return self._told.get() or {}

    def load_again(self) -> None:
        """Visit it a second time."""
        self._names.put("")
        self.wait()


def count_bytes(page: Path) -> dict[str, tuple[int, int]]:
    """The bytes of a written page, by Brotli and as they are, by when they are loaded."""
    (models,) = page.glob("at/*/models.json")
    listed = json.loads(models.read_bytes())
    groups = {part: {(models.parent / name).resolve() for name in listed[part]} for part in ("files", "spare")}
    later = set().union(*groups.values())
    kept = json.loads(re.findall(r"FILES = (\{.*?\});", (page / "worker.js").read_text(encoding="utf-8"))[0])
    groups["first"] = {(page / name).resolve() for name in ("index.html", "worker.js", *kept)} - later
    deno, found = find_tool("deno") or "deno", {}
    with tempfile.NamedTemporaryFile("w", suffix=".mjs", encoding="utf-8") as script:
        script.write(_BROTLI)
        script.flush()
        for part, paths in groups.items():
            command = [deno, "run", "--no-remote", "--allow-read", script.name, *map(str, paths)]
            packed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            found[part] = sum(map(int, packed)), sum(path.stat().st_size for path in paths)
    return found


def _renderers() -> set[int]:
    """The processes that show pages of some browser."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"--type=renderer" in path.read_bytes():
                found.add(int(path.parent.name))
        except OSError:
            continue  # it has ended
    return found


@contextmanager
def _probed_page(root: Path, program: str) -> Iterator[_Probed]:
    """Open the page in ``root/club``, which is served, in a browser that nothing is attached to."""
    index, probed = root / "club/index.html", _Probed()
    (root / "probe.js").write_text(_PROBE, encoding="utf-8")
    html = index.read_text(encoding="utf-8")
    index.write_text(html + '<script type="module" src="/probe.js"></script>', encoding="utf-8")
    with serve_folder(root, probed.answer) as url, tempfile.TemporaryDirectory() as profile:
        command = [program, *ARGS, "--headless=new", f"--user-data-dir={profile}", f"{url}/club/"]
        browser = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            probed.wait()
            yield probed
        finally:
            browser.terminate()
            browser.wait()


def main(photos: Annotated[list[Path] | None, typer.Argument()] = None, times: int = 5, again: bool = False) -> None:
    program = find_chromium()
    if program is None:
        raise SystemExit(MISSING)
    before = _renderers()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        write_page(root / "club")
        for part, (packed, raw) in count_bytes(root / "club").items():
            print(f"{part}: {packed / 1e6:.2f} MB by Brotli, {raw / 1e6:.2f} MB")
        with _probed_page(root, program) as page:
            if again:
                page.load_again()
            for photo in photos or EXAMPLES:
                (root / photo.name).write_bytes(photo.read_bytes())
                page.read(photo.name)
                pid = max(_renderers() - before, key=resident_megabytes)
                spent = []
                for _ in range(times):
                    start = processor_seconds(pid)
                    stages = page.read(photo.name)
                    spent.append(stages | {"processor": 1e3 * (processor_seconds(pid) - start)})
                told = ", ".join(f"{stage} {median(one[stage] for one in spent):.0f}" for stage in spent[0])
                held, peak = resident_megabytes(pid), memory_kib(pid, "VmHWM") / 1e3
                print(f"{photo.name}: {told}; {held:.0f} MB, at most {peak:.0f}")


if __name__ == "__main__":
    typer.run(main)
