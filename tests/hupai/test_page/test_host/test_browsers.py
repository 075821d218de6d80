"""The page without a server in other browsers than the one of the other tests."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from hupai.page.alone import WASM, write_page
from scripts.browser import firefox, webkit
from scripts.browser.phone import EXAMPLES, HAND, Phone
from scripts.browser.static_server import serve_folder

if TYPE_CHECKING:
    from vision.pipeline import TileReader

pytestmark = [
    pytest.mark.slow,
    pytest.mark.release,
    pytest.mark.skipif(not WASM.exists(), reason="Pyodide is missing: python -m scripts.fetch_wasm"),
]
RULES = {"hand-dark-diagonal": "", "hand-riichi": "riichi", "hand-self-draw": "", "hand-taiwanese": "taiwanese"}
READ = """async (photos) => {
  const { ask } = await part('js/api/python/ask.js');
  const answers = [];
  for (const [name, rules] of Object.entries(photos)) {
    const form = new FormData();
    form.append('photo', await (await fetch(`/${name}.jpg`)).blob(), name);
    if (rules) form.append('rules', rules);
    answers.push((await ask('POST', '/read', {}, form)).text);
  }
  return answers;
}"""

SHOW = """async (names) => {
  const { shrink, whyNotShown } = await part('js/camera/shrink.js');
  const told = {};
  for (const name of names) {
    const file = await (await fetch(`/${name}`)).blob();
    told[name] = await shrink(file).then(() => 'shown', () => whyNotShown(file));
  }
  return told;
}"""


@pytest.fixture(params=["chromium", "firefox", "webkit"])
def context(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A window of each browser."""
    shown: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "locale": "en-GB"}
    if request.param == "chromium":
        yield request.getfixturevalue("browser").new_context(**shown)
    elif request.param == "firefox":
        path = firefox.find_firefox() or pytest.skip(firefox.MISSING)
        play = request.getfixturevalue("playwright")
        with play.firefox.launch(channel=firefox.CHANNEL, executable_path=path) as started:
            yield started.new_context(**shown)
    elif webkit.has_webkit():
        with webkit.start_webkit() as page:
            yield page
    else:
        pytest.skip(webkit.MISSING)


def play_a_hand(phone: Phone) -> None:
    """Photograph a hand, correct it twice, enter it, and take it back."""
    phone.go("hand")
    if phone.key("start-over").count():
        phone.key("start-over").click()
        phone.at("dialog .danger").click()
        phone.closed()
    phone.photograph(HAND)
    (first, *_) = read = phone.codes()
    for code in ("9m" if first != "9m" else "8m", first):
        phone.mend("concealed", 0, code)
        assert phone.codes()[0] == code
    assert phone.codes() == read
    phone.answer(seat="S", win="self_draw")
    phone.page.wait_for_selector("#bar .amounts")
    phone.press("bar", "record")
    phone.until(lambda: phone.totals()["Bo"] != "0")
    phone.key("undo").click()
    phone.until(lambda: set(phone.totals().values()) == {"0"})


def test_photos_are_read_and_a_game_is_kept_with_a_network_and_without(
    context: Any, reader: TileReader, tmp_path: Path
) -> None:
    write_page(tmp_path)
    for name in RULES:
        shutil.copy(EXAMPLES / f"{name}.jpg", tmp_path)
    with serve_folder(tmp_path) as url:
        phone = Phone(context, url)
        phone.page.wait_for_function("() => inside.about")
        for (name, rules), text in zip(RULES.items(), phone.page.evaluate(READ, RULES), strict=True):
            found, wanted = json.loads(text), reader.read(EXAMPLES / f"{name}.jpg", rules=rules or None).to_json(name)
            assert (found["hand"], found["doubts"]) == (wanted["hand"], wanted["doubts"]), name
            assert sorted(tile["tile"] for tile in found["tiles"]) == sorted(tile["tile"] for tile in wanted["tiles"])
        phone.begin_game()
        play_a_hand(phone)
        phone.keeps("bonus.onnx")  # which comes last
    phone.allowed += ["Failed to load resource", "ERR_CONNECTION_REFUSED"]
    phone.reload()
    phone.page.wait_for_function("() => inside.about")
    play_a_hand(phone)
    phone.hang_up()


def test_a_photo_that_breaks_off_is_named(context: Any, tmp_path: Path) -> None:
    write_page(tmp_path)
    thumbnail = io.BytesIO()
    Image.effect_noise((160, 120), 50).save(thumbnail, "JPEG")
    exif = b"Exif\0\0" + thumbnail.getvalue()  # with an end mark of its own, before the picture's
    wanted = {"empty.jpg": "damaged"}
    (tmp_path / "empty.jpg").touch()
    for name, options in {
        "plain.jpg": {"exif": exif},
        "progressive.jpg": {"exif": exif, "progressive": True},
        "plain.png": {},
    }.items():
        taken = io.BytesIO()
        Image.effect_noise((320, 240), 50).save(taken, Path(name).suffix[1:].replace("jpg", "jpeg"), **options)
        content = taken.getvalue()
        for part, told in {
            content: "shown",
            content + bytes(500): "shown",
            content[: -len(content) // 3]: "damaged",
        }.items():
            (tmp_path / f"{len(part)}-{name}").write_bytes(part)
            wanted[f"{len(part)}-{name}"] = told
    with serve_folder(tmp_path) as url:
        phone = Phone(context, url)
        assert phone.page.evaluate(SHOW, list(wanted)) == wanted
        phone.hang_up()
