"""A browser whose camera shows one of the example photos."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from scripts.browser.chromium import ARGS
from scripts.browser.phone import EXAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType


@contextmanager
def filmed(kind: BrowserType, path: str, film: Path, example: str, right: int | None = None) -> Iterator[Browser]:
    """A browser with a camera.

    Args:
        kind, path: the browser. film: a file that does not exist yet, for what the camera shows. example: which photo.
        right: how much of it is shown, in pixels from the left; the whole if None.
    """
    with Image.open(EXAMPLES / example) as image, film.open("wb") as frames:
        shown = image.crop((0, 0, right or image.width, image.height))
        small = shown.resize((shown.width * 2 // 5, shown.height * 2 // 5), Image.Resampling.LANCZOS)
        for _ in range(3):
            small.save(frames, "JPEG", quality=92)
    camera = [*ARGS, "--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
    with kind.launch(executable_path=path, args=camera) as browser:
        yield browser
