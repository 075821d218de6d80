"""Pictures of every screen, for whoever looks the page through."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.hupai.browsing import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.release
def test_every_look_has_every_screen_at_its_width(browser: Browser, tmp_path: Path) -> None:
    from scripts.docs.screens import LOOKS, photograph, studio  # needs Playwright

    with studio(browser.browser_type, chromium()) as (url, filming):
        photograph(filming, url, "ja", tmp_path)
    shown = {
        look: sorted(path.name.removesuffix(f"-{look}.png") for path in tmp_path.glob(f"*-{look}.png"))
        for look in LOOKS
    }
    assert shown["320"] == shown["390"] == shown["across"] == shown["dark"]
    assert {"start", "camera", "doubt", "queue", "board-table"} <= set(shown["320"])
    for look, told in LOOKS.items():
        for path in tmp_path.glob(f"*-{look}.png"):
            with Image.open(path) as picture:
                assert picture.width == told["viewport"]["width"], f"{path.name} is wider than the screen"
    with Image.open(tmp_path / "more-390.png") as light, Image.open(tmp_path / "more-dark.png") as dark:
        means = [picture.convert("L").resize((1, 1)).getpixel((0, 0)) for picture in (light, dark)]
    assert means[0] > means[1] + 50
