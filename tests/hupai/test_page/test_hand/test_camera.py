"""The live camera preview, with a recorded camera in front of the real recogniser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scripts.browser.filmed import filmed
from scripts.browser.phone import HAND, Phone
from tests.hupai.browsing import chromium
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring

if TYPE_CHECKING:
    from playwright.sync_api import Browser

VIEW = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def recorded(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose camera shows the example hand."""
    film = tmp_path_factory.mktemp("camera") / "hand.mjpeg"
    with filmed(browser.browser_type, chromium(), film, "hand-dark-diagonal.jpg", 4000) as it:
        yield it


def read_alike(phone: Phone) -> None:
    phone.page.wait_for_selector(".tray .tile")
    phone.page.wait_for_function("() => !inside.reading")
    assert phone.codes("winning") == ["1z"]
    assert len(phone.hand()["melds"]) == 2
    assert sorted(phone.codes()) == ["1z", "1z", "6s", "7s", "8s", "9s", "9s"]
    assert phone.at("dialog").count() == 0


def test_the_viewfinder_outlines_tiles_and_takes_a_hand_that_lies_still(
    recorded: Browser, server: Server, axe: str
) -> None:
    size = (320, 640)
    view = {"width": size[0], "height": size[1]}
    phone = Phone(recorded.new_context(viewport=view, locale="en-GB", has_touch=True), server.url)
    held = phone.held_at("/api/v1/read")  # nothing is seen before it is told
    phone.key("shutter").tap()
    phone.key("auto-shutter").tap()
    phone.at("[data-key=auto-shutter][aria-pressed=false]").wait_for()
    held.let_go()
    phone.page.wait_for_selector(".finder polygon.winning")
    phone.page.wait_for_function("() => document.querySelector('.camera-hint').innerText.includes('whole hand')")
    # The outlines lie on the picture: as wide as the tiles that the camera shows.
    where = phone.page.evaluate(
        """() => [...document.querySelectorAll('.finder polygon')].map((e) => e.getBoundingClientRect().toJSON())"""
    )
    assert all(0 <= box["left"] < box["right"] <= size[0] and box["top"] >= 0 for box in where)
    phone.page.evaluate(axe)
    assert phone.page.evaluate("async () => (await axe.run('dialog')).violations.map((v) => v.id)") == []
    for _ in range(3):  # each look begins when the one before it has been answered
        with phone.page.expect_response("**/api/v1/read"):
            pass
    assert phone.at("dialog.camera").count() == 1, "it was told not to take pictures by itself"
    phone.key("auto-shutter").tap()
    read_alike(phone)
    assert len(where) == phone.page.evaluate("inside.draft.read.tiles.length")
    phone.hang_up()


def test_thirteen_tiles_that_lie_still_are_taken_for_their_waits(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    """Its winning tile is outside the picture. Somebody may be about to lay it down: a whole hand is taken sooner."""
    with filmed(browser.browser_type, chromium(), tmp_path / "hand.mjpeg", "hand-self-draw.jpg", 3300) as camera:
        phone = Phone(camera.new_context(viewport=VIEW, locale="en-GB", has_touch=True), server.url)
        looked: list[str] = []
        phone.page.on("request", lambda request: looked.append(request.url) if "/read" in request.url else None)
        phone.key("shutter").tap()
        phone.page.get_by_text("The winning tile is missing").wait_for()
        phone.page.wait_for_selector(".tray .tile")
        phone.page.wait_for_function("() => !inside.reading")
        assert len(looked) >= 5, "four looks that agree, and the photo"
        assert phone.codes("winning") == []
        assert len(phone.codes()) == 13
        phone.answer(seat="S", win="self_draw")
        phone.key("wait-3p").wait_for()
        phone.hang_up()


NO_STILL = "ImageCapture.prototype.takePhoto = () => "
STILLS = {
    "given": "",
    "never": f"{NO_STILL} new Promise(() => {{}})",
    "refused": f"{NO_STILL} Promise.reject(new DOMException('no', 'NotSupportedError'))",
}


@pytest.mark.parametrize("answer", STILLS)
def test_the_shutter_takes_a_still_or_else_a_frame(recorded: Browser, server: Server, answer: str) -> None:
    context = recorded.new_context(viewport=VIEW, locale="en-GB")
    context.add_init_script(STILLS[answer])
    phone = Phone(context, server.url)
    held = phone.held_at("/api/v1/read")  # nothing is seen yet
    phone.key("shutter").click()
    phone.page.wait_for_function("() => document.querySelector('dialog.camera video')?.videoWidth > 0")
    assert phone.page.evaluate("document.activeElement.classList.contains('shutter')")
    phone.at("dialog .shutter").click()
    held.let_go()
    phone.page.wait_for_selector("dialog.camera", state="detached")
    read_alike(phone)
    phone.hang_up()


def test_a_host_that_does_not_answer_is_named(recorded: Browser, server: Server) -> None:
    phone = Phone(recorded.new_context(viewport=VIEW, locale="en-GB"), server.url)
    phone.allowed += ["Failed to load resource"]
    phone.page.route("**/api/v1/read", lambda route: route.abort("connectionrefused"))
    phone.key("shutter").click()
    phone.page.get_by_text("No answer from the computer").wait_for()
    phone.page.unroute("**/api/v1/read")
    read_alike(phone)  # it goes on by itself
    phone.hang_up()


def test_light_a_screen_that_stays_lit_and_all_let_go(recorded: Browser, server: Server) -> None:
    """Chromium's test camera has no light, and without a display no screen can be kept lit: both are stood in for."""
    phone = Phone(recorded.new_context(viewport=VIEW, locale="en-GB"), server.url)
    phone.page.evaluate(
        """() => {
          const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
          navigator.mediaDevices.getUserMedia = async (wish) => (window.stream = await ask(wish));
          window.lights = []; window.locks = 0;
          MediaStreamTrack.prototype.getCapabilities = () => ({torch: true});
          MediaStreamTrack.prototype.applyConstraints = async ({advanced: [{torch}]}) => { window.lights.push(torch); };
          Object.defineProperty(navigator, 'wakeLock', {value: {
            request: async () => { window.locks += 1; return {release: () => { window.locks -= 1; }}; }}});
        }"""
    )
    phone.held_at("/api/v1/read")  # it is never answered
    phone.press("shutter", "torch", "torch")
    assert phone.page.evaluate("window.lights") == [True, False]
    assert phone.page.evaluate("window.locks") == 1
    phone.page.keyboard.press("Escape")
    phone.at("dialog").wait_for(state="detached")
    assert phone.page.evaluate("window.locks") == 0
    assert phone.page.evaluate("window.stream.getTracks().every((track) => track.readyState === 'ended')")
    phone.hang_up()


def test_who_clicked_past_the_warning_is_led_to_the_certificate(browser: Browser, start: Callable[..., Server]) -> None:
    server = start(https=True)
    phone = Phone(browser.new_context(viewport=VIEW, locale="en-GB", ignore_https_errors=True), server.url)
    phone.allowed += ["SSL certificate error"]
    phone.at(".notice button").click()
    link = phone.at("dialog a").get_attribute("href")
    assert "BEGIN CERTIFICATE" in phone.context.request.get(server.url + str(link)).text()
    phone.reload()
    phone.page.evaluate("navigator.serviceWorker.register('worker.js').catch(() => {})")
    assert phone.at(".notice").count() == 0, "it is said once"
    phone.hang_up()


def test_without_permission_a_photo_can_be_chosen(phone: Phone) -> None:
    phone.page.evaluate(
        """() => { navigator.mediaDevices.getUserMedia =
          () => Promise.reject(new DOMException('no', 'NotAllowedError')) }"""
    )
    with phone.page.expect_file_chooser() as chooser:
        phone.key("shutter").click()
    chooser.value.set_files(str(HAND))
    phone.page.wait_for_selector(".tray .tile")


@pytest.mark.parametrize("language", ["en-GB", "ja", "zh-HK", "zh-TW", "zh-CN"])
def test_what_a_browser_withholds_is_told_in_three_lines(ring: Ring, language: str) -> None:
    """However long its key is: it goes below the text."""
    phone = ring(size=(360, 640), locale=language)
    lines = phone.page.evaluate(
        """async () => {
          const { notice } = await part('js/controls/notice.js');
          const { t } = await part('js/words/i18n.js');
          return [['trust.withheld', 'trust.title'], ['camera.way.withheld', 'camera.way']].map(([text, action]) => {
            notice(t(text), { action: t(action), lasting: true });
            const words = document.createRange();
            words.selectNodeContents(document.querySelector('.notice p'));
            return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size;
          });
        }"""
    )
    assert max(lines) <= 3


def test_without_https_the_way_to_the_camera_is_told_once(ring: Ring) -> None:
    phone = ring(size=(320, 640))
    phone.context.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    phone.reload()
    phone.at(".notice button").tap()
    assert phone.url.replace("http:", "https:") in phone.text("dialog code")
    phone.reload()
    phone.key("way-to-camera").wait_for()
    assert phone.at(".notice").count() == 0


def test_tiles_that_a_finger_draws_around_are_read_by_themselves(phone: Phone) -> None:
    phone.photograph()
    before = phone.page.evaluate("inside.draft.read.tiles")
    row = sorted((t for t in before if t["role"] == "concealed"), key=lambda t: t["corners"][0][0])[-3:]
    phone.choose("seat", "S")
    phone.page.evaluate("scrollTo(0, 0)")
    phone.key("lasso").click()
    # Left and right of these tiles, above and below them, as they lie on the stage.
    box = phone.page.evaluate(
        """(seen) => {
          const boxes = seen.map((i) => document.querySelector(`[data-seen="${i}"] .over`).getBoundingClientRect());
          const all = (side, best) => best(...boxes.map((box) => box[side]));
          return [all('left', Math.min), all('top', Math.min), all('right', Math.max), all('bottom', Math.max)];
        }""",
        [before.index(t) for t in row],
    )
    left, top, right, bottom = box
    mouse = phone.page.mouse
    mouse.move(left + 2, top - 12)
    mouse.down()
    for x, y in ((right + 2, top - 12), (right + 2, bottom + 12), (left + 2, bottom + 12)):
        mouse.move(x, y, steps=4)
    mouse.up()
    phone.page.wait_for_function("(n) => !inside.reading && inside.draft.read?.tiles.length === n", arg=len(row))
    phone.outlined()
    assert [t["tile"] for t in phone.page.evaluate("inside.draft.read.tiles")] == ["7z"] * 3
    assert phone.page.evaluate("inside.draft.answers.seat") == "S", "what was answered stays"
    phone.page.get_by_role("button", name="Whole photo").click()
    phone.page.wait_for_function("(n) => !inside.reading && inside.draft.read?.tiles.length === n", arg=len(before))
