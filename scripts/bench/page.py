"""Time from a chosen photo to the score on the phone page, in Debian's chromium at a phone's size.

    python -m scripts.bench.page --times 20

Starts a server of its own on this machine, so that browser and server share its cores. Who won is filled in as soon
as the hand is there. The clock runs from the file being chosen to the score in the bar: decoding and shrinking in the
browser, sending, reading, scoring, drawing.
"""

from __future__ import annotations

import argparse
import math
import statistics
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from scripts.bench.load import server
from scripts.browser.chromium import ARGS, MISSING, installed
from scripts.browser.phone import Phone

ROOT = Path(__file__).resolve().parents[2]
PREPARE = """async () => {
  const { answer } = await part('js/app.js');
  document.addEventListener('change', (event) => {
    if (event.target.id === 'choose') {
      window.chosen = performance.now();
      window.asked = window.shown = null;
      performance.clearResourceTimings();
    }
  }, true);
  new MutationObserver(() => {
    if (!window.chosen || inside.reading || !inside.draft.read) return;
    if (!window.asked) {
      window.asked = true;
      answer({ seat: 'S', win: 'self_draw' });
    } else if (window.shown === null && inside.score?.state === 'done' && document.querySelector('#bar a.score-bar')) {
      requestAnimationFrame(() => setTimeout(() => (window.shown = performance.now())));
    }
  }).observe(document.getElementById('bar'), { childList: true, subtree: true, characterData: true });
}"""
PARTS = """() => {
  const last = (end) => performance.getEntriesByType('resource').filter((e) => e.name.endsWith(end)).at(-1);
  const [read, score] = [last('/api/v1/read'), last('/api/v1/score')];
  return {
    total: shown - chosen, shrink: read.startTime - chosen, read: read.duration, score: score.duration,
    text: document.querySelector('#bar strong').textContent,
  };
}"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photo", type=Path, default=ROOT / "examples" / "hand-self-draw.jpg")
    parser.add_argument("--times", type=int, default=20)
    asked = parser.parse_args()
    chromium = installed()
    if chromium is None:
        raise SystemExit(MISSING)
    with Image.open(asked.photo) as image:
        size = image.size
    print(f"{asked.photo.name}: {size[0] * size[1] / 1e6:.1f} MP, {asked.photo.stat().st_size / 1e6:.1f} MB")
    open_settings = {"host": "127.0.0.1", "rate_read": "off", "rate_write": "off", "rate_any": "off"}
    with server(open_settings) as (api, _):
        timed = times(api.removesuffix("/api/v1"), chromium, asked.photo, asked.times)
    print(f"score on the page: {timed[0]['text']}")
    for part, words in (
        ("shrink", "decoded and shrunk"),
        ("read", "sent and read"),
        ("score", "scored"),
        ("total", "photo chosen to score shown"),
    ):
        values = sorted(float(t[part]) for t in timed)
        p95 = values[math.ceil(0.95 * len(values)) - 1]
        print(f"{words:28} p50 {statistics.median(values):5.0f} ms   p95 {p95:5.0f} ms   most {values[-1]:5.0f} ms")
    return 0


def times(url: str, chromium: str, photo: Path, count: int) -> list[dict[str, Any]]:
    """Milliseconds of each part, ``count`` times; the first two photos warm everything up and do not count."""
    found = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=ARGS)
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, device_scale_factor=2, has_touch=True, is_mobile=True
        )
        phone = Phone(context, url)
        page = phone.page
        page.evaluate(PREPARE)
        for i in range(count + 2):
            page.set_input_files("#choose", str(photo))
            page.wait_for_function("() => window.shown")
            if i >= 2:
                found.append(page.evaluate(PARTS))
            phone.key("start-over").click()
            page.evaluate("() => { window.shown = window.chosen = null }")
            page.locator("dialog .button.danger, dialog .button.main").last.click()
            page.wait_for_selector("#choose", state="attached")
        browser.close()
    return found


if __name__ == "__main__":
    raise SystemExit(main())
