"""The page without a server in Chromium: bytes to load, time that a photo takes, memory.

    python -m scripts.bench.page [--times 5] [--again] [PHOTO ...]

Bytes are Brotli's (quality 11, windows of 16 MB) and the files' own: what comes before typed hands are scored, what
every photo needs, what few need. Photos are the examples if none are named; each is read once, then measured, one after
the other in one worker. ``processor`` is the time of the page's process, in milliseconds: unlike the others it hardly
grows while the machine is busy. Memory is what the process holds afterwards. ``--again`` measures a second visit, when
the networks use threads.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import Annotated, Final

import typer
from playwright.sync_api import sync_playwright

from hupai.web.page.alone import write_page
from scripts.bench.machine import processor_seconds, resident_megabytes
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
_READ: Final = """async (name) => {
  const main = document.querySelector('script[type=module]').src;
  const { ask } = await import(main.replace(/main.js$/, 'host/python/ask.js'));
  const form = new FormData();
  form.append('photo', await (await fetch(`/${name}`)).blob(), name);
  const begun = performance.now();
  const { text } = await ask('POST', '/read', {}, form);
  return { ...JSON.parse(text).timings_ms, waited: performance.now() - begun };
}"""


def count_bytes(page: Path) -> dict[str, tuple[int, int]]:
    """The bytes of a written page, by Brotli and as they are, by when they are loaded."""
    (models,) = page.glob("at/*/models.json")
    listed = json.loads(models.read_bytes())
    groups = {part: {(models.parent / name).resolve() for name in listed[part]} for part in ("files", "spare")}
    later = set().union(*groups.values())
    kept = json.loads(re.findall(r"FILES = (\[.*?\])", (page / "worker.js").read_text(encoding="utf-8"))[0])
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


def main(photos: Annotated[list[Path] | None, typer.Argument()] = None, times: int = 5, again: bool = False) -> None:
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        root = Path(scratch)
        write_page(root / "club")
        for part, (packed, raw) in count_bytes(root / "club").items():
            print(f"{part}: {packed / 1e6:.2f} MB by Brotli, {raw / 1e6:.2f} MB")
        program = find_chromium()
        if program is None:
            raise SystemExit(MISSING)
        before = _renderers()
        page = playwright.chromium.launch(executable_path=program, args=ARGS).new_page()
        with serve_folder(root) as url:
            page.goto(f"{url}/club/")
            if again:
                page.wait_for_function("() => navigator.serviceWorker.controller")
                page.reload()
            for photo in photos or EXAMPLES:
                (root / photo.name).write_bytes(photo.read_bytes())
                page.evaluate(_READ, photo.name)
                pid = max(_renderers() - before, key=resident_megabytes)
                spent = []
                for _ in range(times):
                    start = processor_seconds(pid)
                    stages = page.evaluate(_READ, photo.name)
                    spent.append(stages | {"processor": 1e3 * (processor_seconds(pid) - start)})
                told = ", ".join(f"{stage} {median(one[stage] for one in spent):.0f}" for stage in spent[0])
                print(f"{photo.name}: {told}; {resident_megabytes(pid):.0f} MB")


if __name__ == "__main__":
    typer.run(main)
