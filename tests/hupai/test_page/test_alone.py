"""The page without a server: plain files that read photos and score hands in the browser, with no network either."""

from __future__ import annotations

import json
import math
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hupai.web.answers.respond import respond
from hupai.web.page.alone import WASM, write_page
from scripts.browser.phone import EXAMPLES, HAND, Phone
from tests.hupai.page_requests import page_requests

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from vision.pipeline import TileReader

pytestmark = pytest.mark.skipif(not WASM.exists(), reason="Pyodide is missing: python -m scripts.fetch_wasm")
BELOW = "/club/"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a web server that has the page in a folder of it."""
    root = tmp_path_factory.mktemp("www")
    write_page(root / BELOW.strip("/"))
    return root


@contextmanager
def serving(root: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=root)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def far(one: list[list[float]], other: list[list[float]]) -> float:
    """How far the corners of two quads are apart, at most, pixels; a face-down tile has no first corner."""
    return min(max(map(math.dist, one, other[k:] + other[:k])) for k in range(4))


def open_page(browser: Browser, url: str) -> Phone:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, locale="en-GB")
    return Phone(context, url, BELOW)


def test_a_typed_hand_is_scored_and_again_when_nothing_is_served_any_more(browser: Browser, root: Path) -> None:
    with serving(root) as url:
        phone = open_page(browser, url)
        phone.page.wait_for_function("() => inside.about")
        assert phone.key("tab-to-game").count() == 0, "what cannot be done is not offered"
        phone.type_in("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 4p")
        phone.answer(seat="S", win="self_draw")
        phone.page.wait_for_selector("#bar .amounts")
        assert "South wins by self-draw" in phone.text("#bar")
        assert phone.page.evaluate("() => navigator.serviceWorker.controller !== null")
    phone.allowed += ["Failed to load resource", "ERR_CONNECTION_REFUSED"]
    phone.reload()
    phone.page.wait_for_function("() => inside.about")
    phone.answer(seat="W", win="discard", giver="N")
    phone.page.wait_for_selector("#bar :text('West wins')")
    assert "−" in phone.text("#bar .amounts")
    phone.page.goto(f"{url}{BELOW}#/rules")
    phone.page.wait_for_selector(".at-rules")
    assert phone.key("preset-save").count() == phone.key("preset-share").count() == 0
    phone.hang_up()


def test_the_worker_answers_as_a_server_does(browser: Browser, root: Path) -> None:
    """Byte for byte; that the server does is tested in tests/hupai/test_web/test_answers.py."""
    requests = page_requests(70)
    sent = [[r.method, r.path, r.headers, r.body] for r in requests]
    with serving(root) as url:
        phone = open_page(browser, url)
        answers = phone.page.evaluate(
            """async (requests) => {
              const { ask } = await part('js/host/python/ask.js');
              return Promise.all(requests.map((request) => ask(...request)));
            }""",
            sent,
        )
        phone.hang_up()
    for asked, answer in zip(requests, answers, strict=True):
        assert (answer["status"], answer["text"]) == respond(asked.method, asked.path, asked.headers, asked.body), asked


def test_a_photo_is_read_corrected_and_scored_with_no_network(browser: Browser, root: Path) -> None:
    with serving(root) as url:
        phone = open_page(browser, url)
        kept = "async () => (await (await caches.open('hupai')).keys()).map(({ url }) => url.split('/').pop())"
        phone.until(lambda: "bonus.onnx" in phone.page.evaluate(kept))  # which comes last
    phone.allowed += ["Failed to load resource", "ERR_CONNECTION_REFUSED"]
    phone.reload()
    phone.page.wait_for_function("() => inside.about")
    phone.photograph(HAND)
    assert phone.page.evaluate("() => inside.draft.read.tiles.length") == 26
    first = phone.codes()[0]
    mended = "1m" if first != "1m" else "2m"
    phone.mend("concealed", 0, mended)
    assert phone.codes()[0] == mended
    phone.mend("concealed", 0, first)
    phone.answer(seat="S", win="self_draw")
    phone.page.wait_for_selector("#bar .amounts")
    assert "South wins by self-draw" in phone.text("#bar")
    phone.hang_up()


def test_the_page_reads_what_a_server_reads(browser: Browser, root: Path, reader: TileReader) -> None:
    names = ("hand-riichi.jpg", "hand-taiwanese.jpg")
    for name in names:
        shutil.copy(EXAMPLES / name, root / name)
    with serving(root) as url:
        phone = open_page(browser, url)
        answers = phone.page.evaluate(
            """async (names) => {
              const { ask } = await part('js/host/python/ask.js');
              const answers = [];
              for (const name of [...names, 'club/index.html']) {
                const form = new FormData();
                form.append('photo', await (await fetch(`/${name}`)).blob(), name);
                form.append('rules', name.startsWith('hand-') ? name.slice(5, -4) : '');
                answers.push(await ask('POST', '/read', {}, form));
              }
              return answers;
            }""",
            list(names),
        )
        phone.hang_up()
    *answered, refused = answers
    for name, answer in zip(names, answered, strict=True):
        found, wanted = json.loads(answer["text"]), reader.read(EXAMPLES / name, rules=name[5:-4]).to_json(name)
        assert set(found) == {*wanted, "set"}
        for key in ("image", "width", "height", "hand", "doubts", "repairs", "models"):
            assert found[key] == wanted[key], key
        assert len(found["tiles"]) == len(wanted["tiles"])
        for tile in wanted["tiles"]:  # the order of what is about as sure is not the same
            place = 0.006 * wanted["width"]  # an eighth of a tile
            (same,) = (one for one in found["tiles"] if far(one["corners"], tile["corners"]) < place)
            assert (same["tile"], same["role"]) == (tile["tile"], tile["role"])
    assert refused["status"] == 422 and json.loads(refused["text"])["code"] == "image_unreadable"


def test_what_a_bad_network_kept_back_is_loaded_later(browser: Browser, root: Path) -> None:
    (library,) = root.rglob("python_stdlib.zip")
    away = library.rename(root / "away.zip")
    with serving(root) as url:
        phone = open_page(browser, url)
        phone.allowed += ["python_stdlib.zip", "worker.js", "error: "]
        phone.page.wait_for_selector("#notices :text('hupai is not loaded yet')")
        away.rename(library)
        phone.lay()  # once there are rules to lay it by, which come by themselves
        phone.answer(seat="S", win="self_draw")
        phone.page.wait_for_selector("#bar .amounts")
        phone.hang_up()
