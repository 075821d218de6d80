"""Time from a chosen photo to the score on the phone page, in Debian's chromium at a phone's size.

    python -m scripts.bench.page --times 20

Starts a server of its own on this machine, so that browser and server share its cores. Who won is filled in as soon
as the hand is there. The clock runs from the file being chosen to the score in the bar: decoding and shrinking in the
browser, sending, reading, scoring, drawing. The first two photos warm everything up and do not count.
"""

from __future__ import annotations

import sys
from typing import Final

import numpy as np
import typer
from playwright.sync_api import sync_playwright

from scripts.bench.host import OPEN, server
from scripts.browser.chromium import ARGS, MISSING, installed
from scripts.browser.phone import HAND, Phone

PREPARE: Final = """async () => {
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
PARTS: Final = """() => {
  const last = (end) => performance.getEntriesByType('resource').filter((e) => e.name.endsWith(end)).at(-1);
  const [read, score] = [last('/api/v1/read'), last('/api/v1/score')];
  return {
    'decoded and shrunk': read.startTime - chosen, 'sent and read': read.duration, 'scored': score.duration,
    'photo chosen to score shown': shown - chosen,
  };
}"""


def main(times: int = 20) -> None:
    chromium = installed() or sys.exit(MISSING)
    found: list[dict[str, float]] = []
    with server(OPEN) as host, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=ARGS)
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, device_scale_factor=2, has_touch=True, is_mobile=True
        )
        phone = Phone(context, host.url)
        page = phone.page
        page.evaluate(PREPARE)
        for _ in range(times + 2):
            page.set_input_files("#choose", HAND)
            page.wait_for_function("() => window.shown")
            found.append(page.evaluate(PARTS))
            score = phone.text("#bar strong")
            phone.key("start-over").click()
            page.evaluate("() => { window.shown = window.chosen = null }")
            page.locator("dialog .button.danger, dialog .button.main").last.click()
            page.wait_for_selector("#choose", state="attached")
    print(f"score on the page: {score}")
    for part in found[0]:
        p50, p95, most = np.percentile([one[part] for one in found[2:]], [50, 95, 100])
        print(f"{part:28} p50 {p50:5.0f} ms   p95 {p95:5.0f} ms   most {most:5.0f} ms")


if __name__ == "__main__":
    typer.run(main)
