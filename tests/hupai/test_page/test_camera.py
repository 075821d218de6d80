"""The live camera preview, with a recorded camera in front of the real recogniser."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hupai.browsing import ARGS, chromium
from tests.hupai.serving import Server
from tests.hupai.test_page.phone import EXAMPLES, HAND, Phone

if TYPE_CHECKING:
    from playwright.sync_api import Browser

VIEW = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def recorded(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose camera shows the example hand."""
    from PIL import Image

    film = tmp_path_factory.mktemp("camera") / "hand.mjpeg"
    frame = io.BytesIO()
    with Image.open(EXAMPLES / "hand-dark-diagonal.jpg") as image:
        image.resize((1600, 1200), Image.Resampling.LANCZOS).save(frame, "JPEG", quality=92)
    film.write_bytes(frame.getvalue() * 3)
    camera = [*ARGS, "--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
    it = browser.browser_type.launch(executable_path=chromium(), args=camera)
    yield it
    it.close()


def test_the_live_preview_takes_the_photo(recorded: Browser, server: Server) -> None:
    phone = Phone(recorded.new_context(viewport=VIEW, locale="en-GB"), server.url)
    phone.key("shutter").click()
    phone.page.wait_for_function("() => document.querySelector('dialog.camera video')?.videoWidth > 0")
    assert phone.page.evaluate("document.activeElement.classList.contains('shutter')")
    phone.at("dialog .shutter").click()
    phone.page.wait_for_selector(".tray .tile")
    phone.page.wait_for_function("() => !inside.reading")
    assert phone.codes("winning") == ["1z"]
    assert len(phone.hand()["melds"]) == 2
    assert sorted(phone.codes()) == ["1z", "1z", "6s", "7s", "8s", "9s", "9s"]
    assert phone.at("dialog").count() == 0
    phone.hang_up()


def test_the_camera_is_let_go(recorded: Browser, server: Server) -> None:
    phone = Phone(recorded.new_context(viewport=VIEW, locale="en-GB"), server.url)
    phone.page.evaluate(
        """() => {
          const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
          navigator.mediaDevices.getUserMedia = async (wish) => (window.stream = await ask(wish));
        }"""
    )
    phone.key("shutter").click()
    phone.page.wait_for_selector("dialog.camera")
    phone.page.keyboard.press("Escape")
    phone.at("dialog").wait_for(state="detached")
    assert phone.page.evaluate("window.stream.getTracks().every((track) => track.readyState === 'ended')")
    phone.hang_up()


def test_without_permission_a_photo_can_be_chosen(browser: Browser, server: Server) -> None:
    phone = Phone(browser.new_context(viewport=VIEW, locale="en-GB"), server.url)
    phone.page.evaluate(
        """() => { navigator.mediaDevices.getUserMedia =
          () => Promise.reject(new DOMException('no', 'NotAllowedError')) }"""
    )
    with phone.page.expect_file_chooser() as chooser:
        phone.key("shutter").click()
    assert "not allowed" in phone.at("#notices").inner_text()
    chooser.value.set_files(str(Path(HAND)))
    phone.page.wait_for_selector(".tray .tile")
    phone.hang_up()
