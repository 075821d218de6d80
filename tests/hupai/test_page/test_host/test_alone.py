"""The page without a server: plain files that read photos and score hands in the browser, with no network either."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import platform
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise, product
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import cv2
import httpx
import numpy as np
import pytest
from PIL import ExifTags, Image

from hupai.games.json_store import JsonStore
from hupai.page import alone
from hupai.page.alone import WASM, write_page
from hupai.web.answers.respond import respond
from scoring.tiles import tile
from scripts.browser.filmed import filmed
from scripts.browser.phone import EXAMPLES, HAND, Phone
from scripts.browser.static_server import serve_folder
from tests.hupai.browsing import chromium
from tests.hupai.page_requests import page_requests
from tests.hupai.scanning import scanned
from tests.hupai.serving import OPEN, running
from tests.hupai.test_imports.test_replay import LOGS
from vision.io.photo import Photo
from vision.learn.setfiles import from_bytes, to_bytes
from vision.learn.tileset import TileSet

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from vision.pipeline import TileReader

pytestmark = pytest.mark.skipif(not WASM.exists(), reason="Pyodide is missing: python -m scripts.fetch_wasm")
BELOW = "/club/"
ON_X86 = platform.machine() in ("x86_64", "AMD64")
"""Whose sums a browser imitates to the bit; an eighth of a tile is allowed elsewhere."""
HASH = """
  const hash = async (data) => {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
"""
"""As ``hashlib`` writes it."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a web server that has the page in a folder of it."""
    root = tmp_path_factory.mktemp("www")
    write_page(root / BELOW.strip("/"))
    return root


def far(one: list[list[float]], other: list[list[float]]) -> float:
    """How far the corners of two quads are apart, at most, pixels; a face-down tile has no first corner."""
    return min(max(map(math.dist, one, other[k:] + other[:k])) for k in range(4))


def open_page(browser: Browser, url: str) -> Phone:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, locale="en-GB")
    return Phone(context, url, BELOW)


@contextmanager
def opened(browser: Browser, root: Path, **how: Any) -> Iterator[Phone]:
    """The page, served from its folder, to whose end its console is silent."""
    with serve_folder(root, **how) as url:
        phone = open_page(browser, url)
        yield phone
        phone.hang_up()


def enter(phone: Phone, codes: str = "1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 4p") -> None:
    """Enter a hand that South has drawn."""
    phone.page.goto(phone.page.url.split("#")[0] + "#/hand")
    phone.type_in(codes)
    phone.answer(seat="S", win="self_draw")
    phone.page.wait_for_selector("#bar .amounts")
    phone.press("bar", "record", shows=".hands .hand-number")


def take_over(phone: Phone, change: Callable[[], object]) -> None:
    """Have another version of the service worker take over, which waits for all that the old one still fetches.

    Chromium asks a worker every half minute whether it is done, and gives it five.
    """
    phone.keeps("bonus.onnx")  # which comes last
    phone.page.evaluate("() => { navigator.serviceWorker.oncontrollerchange = () => (window.changed = true); }")
    change()  # the browser may see it by itself
    phone.page.evaluate("async () => (await navigator.serviceWorker.ready).update()")
    phone.page.wait_for_function("() => window.changed")


def drop_store(phone: Phone) -> None:
    """Drop what the browser keeps, as browsers may; what the page reads or writes just then fails."""
    phone.allowed += ["Force close delete origin", "The connection was closed"]
    storage = phone.page.context.new_cdp_session(phone.page)
    storage.send("Storage.clearDataForOrigin", {"origin": phone.url, "storageTypes": "indexeddb"})


def save(phone: Phone, path: Path) -> None:
    """Save the game on screen as a file."""
    with phone.page.expect_download() as saved:
        phone.key("json").click()
    saved.value.save_as(path)


def test_it_says_how_to_install_it_and_what_works_offline(browser: Browser, root: Path) -> None:
    """What a browser offers by itself is asked with a button; a page that is installed says nothing of it."""
    with serve_folder(root) as url:
        phone = open_page(browser, url)
        phone.page.wait_for_function("() => inside.about && navigator.serviceWorker.controller")
        phone.key("install").click()
        assert phone.key("install-now").count() == 0
        assert phone.text("dialog [data-key=offline]").startswith(("Typed hands", "Photos"))
        phone.page.keyboard.press("Escape")
        phone.keeps("ort-wasm", "/detector.onnx", "/classifier.onnx", "/scene.onnx", "/prints.onnx", "/bonus.onnx")
        phone.page.evaluate("""() => dispatchEvent(
          Object.assign(new Event("beforeinstallprompt"), { prompt: () => (window.asked = true) }))""")
        phone.key("install").click()
        assert (
            phone.text("dialog [data-key=offline]") == "Photos, scores and games work on this phone without a network."
        )
        phone.page.evaluate("""async () => {
          const cache = await caches.open("hupai");
          for (const one of await cache.keys()) if (one.url.endsWith("bonus.onnx")) await cache.delete(one);
        }""")
        phone.close_by("install-now")
        assert phone.page.evaluate("asked")
        phone.key("install").click()
        assert phone.text("dialog [data-key=offline]").startswith("Typed hands"), "flowers and seasons are gone"
        assert phone.key("install-now").count() == 0, "the browser lets it be asked once"
        phone.page.keyboard.press("Escape")
        phone.page.add_init_script("""const { matchMedia } = window;
          window.matchMedia = (asked) => asked.includes("standalone") ? { matches: true } : matchMedia(asked)""")
        phone.reload()
        phone.key("type").wait_for()
        assert phone.key("install").count() == 0
    phone.hang_up()


def test_a_game_is_kept_by_the_browser_alone_and_goes_on_in_another(
    browser: Browser, root: Path, tmp_path: Path
) -> None:
    with serve_folder(root) as url:
        phone, other = open_page(browser, url), open_page(browser, url)
        for each in (phone, other):
            each.page.wait_for_function("() => inside.about && navigator.serviceWorker.controller")
            each.allowed += ["Failed to load resource", "ERR_CONNECTION_REFUSED", "ERR_FAILED"]
    phone.begin_game()  # nothing is served any more
    enter(phone)
    won = phone.totals()
    assert won["Bo"] != "0"
    phone.reload()
    assert phone.totals() == won
    enter(phone, "1p 1p 1p 9m 9m 9m 2s 3s 4s 7s 8s 5z 5z 9s")
    assert phone.at(".hands .hand-number").count() == 2
    phone.press("undo", shows=".hands .undone")
    assert phone.totals() == won
    assert phone.key("fold-join").count() == 0, "nobody else can join"
    save(phone, tmp_path / "game.json")

    other.go("game")
    other.key("import").set_input_files(tmp_path / "game.json")
    other.page.wait_for_selector(".hands .undone")
    assert other.totals() == won
    enter(other)
    other.reload()
    assert other.at(".hands .hand-number").count() == 3
    save(other, tmp_path / "newer.json")

    phone.key("leave").click()
    for file, told in (("newer", "One hand taken over"), ("newer", "Nothing in the file is new"), ("game", "is newer")):
        phone.key("import").set_input_files(tmp_path / f"{file}.json")
        phone.page.wait_for_selector(f"#notices :text('{told}')")
        if file == "newer":
            assert phone.at(".hands .hand-number").count() == 3 and phone.totals() == other.totals()
            phone.key("leave").click()
    phone.hang_up()
    other.hang_up()


def test_house_rules_go_to_another_phone_by_a_code_on_the_screen(browser: Browser, root: Path) -> None:
    with serve_folder(root) as url:
        phone = open_page(browser, url)
        phone.page.wait_for_function("() => inside.about && navigator.serviceWorker.controller")
    phone.allowed += ["Failed to load resource", "ERR_CONNECTION_REFUSED", "ERR_FAILED"]
    phone.go("rules")  # nothing is served any more
    phone.choose("rules", "riichi")
    phone.choose("preset", "tenhou")
    phone.switch("option-kuitan", on=False)
    phone.key("preset-share").click()
    phone.page.wait_for_function("() => document.querySelector('dialog .qr')?.naturalWidth > 0")
    link = phone.text("dialog .address")
    shown = np.frombuffer(phone.at("dialog .qr").screenshot(), np.uint8)
    assert scanned(np.asarray(cv2.imdecode(shown, cv2.IMREAD_GRAYSCALE), np.uint8)) == link
    assert link.startswith(f"{url}{BELOW}#house=riichi&options=")
    shared = phone.remembered("settings")["options"]

    phone.page.evaluate("localStorage.clear()")  # as another phone, which may lie beside it
    phone.reload()
    for wrong in ("kuitan", "riichi"):
        phone.page.goto(link.replace(wrong, wrong[::-1]))
        phone.page.wait_for_selector(f"#notices :text('not available here'):text('{wrong[::-1]}')")
    phone.page.goto(link)
    phone.key("preset-take").wait_for()
    assert phone.remembered("settings")["rules"] == "hongkong", "nothing is changed without a tap"
    phone.key("preset-take").click()
    phone.page.wait_for_selector(".at-rules input[data-key='option-kuitan']:not(:checked)", state="attached")
    assert phone.remembered("settings")["options"]["riichi"] == shared["riichi"]
    phone.hang_up()


def test_where_tiles_seem_to_be_is_outlined_before_a_photo_is_read(
    browser: Browser, root: Path, tmp_path: Path
) -> None:
    """Of a photo of small tiles what the first pass found, then what closer looks found; nothing else moves."""
    hand = cv2.imread(str(HAND))
    assert hand is not None
    height = 800 * hand.shape[0] // hand.shape[1]
    table = np.full((1440, 1920, 3), (70, 110, 60), np.uint8)
    table[200 : 200 + height, 300:1100] = cv2.resize(hand, (800, height), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(tmp_path / "table.png"), table)
    with opened(browser, root) as phone:
        phone.page.evaluate(
            """async () => {
              const { on } = await part('js/state/signal.js');
              window.told = [];
              on(['reading'], () => {
                const corners = inside.reading?.corners;
                if (corners && corners !== told.at(-1) && !inside.draft.read) told.push(corners);
              });
            }"""
        )
        phone.photograph(tmp_path / "table.png")
        told = phone.page.evaluate("told.map((corners) => Array.from(corners))")
        assert len(told) > 1, "one pass is enough for this photo"
        tiles = phone.page.evaluate("inside.draft.read.tiles.map(({ corners }) => corners)")
        assert tiles
        places = [
            {tuple(np.mean(quad, 0)) for quad in np.float32(seen).reshape(-1, 4, 2) * (1920, 1440)} for seen in told
        ]
        missing = [
            sum(all(math.dist(np.mean(corners, 0), place) > 15 for place in found) for corners in tiles)
            for found in places
        ]
        assert missing[0] < len(tiles) and missing[-1] == 0, missing
        phone.page.evaluate(
            """async () => {
              const { draft, setReading } = await part('js/state/draft.js');
              draft({ read: null });
              setReading({ phase: 'reading' });
            }"""
        )
        before = phone.steady(".photo-stage")
        phone.page.evaluate(
            """async () => (await part('js/state/draft.js')).setReading({ phase: 'reading', corners: told.at(-1) })"""
        )
        phone.page.wait_for_function("() => document.querySelectorAll('.seeming').length === told.at(-1).length / 8")
        assert phone.steady(".photo-stage") == before


@pytest.mark.parametrize("packs", [False, True], ids=["as they are", "compressed"])
def test_a_photo_may_be_taken_while_hupai_is_on_its_way(browser: Browser, root: Path, packs: bool) -> None:
    """It is read when what reads it is there, of which it is said how much is left; what names flowers comes behind,
    since this one shows none. Either the server compresses the files, or the page unpacks copies.
    """
    page = (root / BELOW.strip("/") / "index.html").read_text(encoding="utf-8")
    (megabytes,) = re.findall(r'data-megabytes="(.*?)"', page)
    held, sent = {name: Event() for name in ("pyodide.asm.wasm", "/detector.onnx", "/bonus.onnx")}, []

    def halfway(path: str) -> None:
        sent.append(path)
        for name, goes_on in held.items():
            if path.removesuffix(".gz").endswith(name):
                goes_on.wait()

    with opened(browser, root, halfway=halfway, packs=packs) as phone:
        phone.page.wait_for_selector(f".start :text-matches('Loading hupai: [1-9.]+[0-9.]* of {megabytes} MB')")
        assert phone.key("type").count() == 0
        phone.at("#choose").set_input_files(EXAMPLES / "hand-riichi.jpg")
        phone.page.wait_for_selector(".reading progress")
        held["pyodide.asm.wasm"].set()
        phone.page.wait_for_selector(".reading:has-text('Loading what reads photos') progress:not([value='0'])")
        held["/detector.onnx"].set()
        phone.page.wait_for_selector(".outline.won")
        held["/bonus.onnx"].set()
        phone.keeps("bonus.onnx")
    large = [path for path in sent if path.removesuffix(".gz").endswith((".wasm", ".onnx", "stdlib.zip"))]
    assert len(large) == len(set(large)), "each is fetched once, though it was not kept yet when it was needed"
    assert "/bonus.onnx" in large[-1]
    copied = {path for path in large if (root / f"{path[1:].removesuffix('.gz')}.gz").exists()}
    assert len(copied) > 6 and all(path.endswith(".gz") != packs for path in copied), copied


def test_what_a_browser_cannot_show_is_named(browser: Browser, root: Path, tmp_path: Path) -> None:
    whole = (EXAMPLES / HAND.name).read_bytes()
    files = {
        "tiles.heic": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(200), "on an iPhone"),
        "tiles.jpg": (whole[:2] + b"\xff" + bytes(2000), "damaged"),
        "tiles.txt": (b"1m 2m 3m", "Choose a JPEG, PNG or WebP"),
    }
    with opened(browser, root) as phone:
        for name, (content, told) in files.items():
            (tmp_path / name).write_bytes(content)
            phone.at("#choose").set_input_files(tmp_path / name)
            phone.page.wait_for_selector(f".reading.failed :text('{told}')")
            assert phone.key("again").count() == 0


def test_what_differs_in_a_log_of_another_program_is_listed(browser: Browser, root: Path, tmp_path: Path) -> None:
    log = (LOGS / "four.xml").read_text(encoding="utf-8")
    (tmp_path / "sound.xml").write_text(log, encoding="utf-8")
    (tmp_path / "other.gz").write_bytes(gzip.compress(log.replace('ten="30,', 'ten="50,', 1).encode()))
    (tmp_path / "damaged.gz").write_bytes(gzip.compress(log.encode())[:-30])
    with opened(browser, root) as phone:
        phone.go("game")
        phone.key("import").set_input_files(tmp_path / "damaged.gz")
        phone.page.wait_for_selector("#notices :text('cannot be opened')")
        phone.key("import").set_input_files(tmp_path / "sound.xml")
        phone.page.wait_for_selector("#notices :text('Nothing differs')")
        phone.key("leave").click()
        phone.key("leave").wait_for(state="detached")
        phone.key("import").set_input_files(tmp_path / "other.gz")
        phone.page.wait_for_selector("dialog li")
        (differs,) = phone.at("dialog li").all_inner_texts()
        assert list(filter(None, differs.split("\n"))) == ["Hand 1 · Fu · Bo", "Log: 50 fu", "hupai: 30 fu"]


def test_a_game_goes_on_while_the_page_is_updated(
    browser: Browser, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old page has all its files until it is closed, though its server has them no more.

    On a later visit, when a service worker has the page already, what is half typed is not lost.
    """
    sources = tmp_path / "static"
    root = shutil.copytree(root, tmp_path / "www")
    shutil.copytree(alone.STATIC, sources)
    for changed in ("js/main.js", "worker.js"):
        with (sources / changed).open("a", encoding="utf-8") as file:
            file.write("// another version\n")
    with opened(browser, root) as phone:
        phone.begin_game()
        phone.page.wait_for_function("() => navigator.serviceWorker.controller")
        monkeypatch.setattr(alone, "STATIC", sources)
        take_over(phone, lambda: write_page(root / BELOW.strip("/")))
        enter(phone)
        won = phone.totals()
        phone.key("leave").click()
        phone.key("figures").click()  # which is loaded only when it is asked for
        phone.page.wait_for_selector("dialog :text('Bo')")
        old = phone.page.evaluate("() => document.querySelector('script[type=module]').src")
        phone.page.close()
        phone.page = phone.page.context.new_page()
        phone.open(BELOW)
        assert phone.page.evaluate("() => document.querySelector('script[type=module]').src") != old
        phone.until(lambda: not phone.page.evaluate("async (old) => Boolean(await caches.match(old))", old))
        phone.go("game")
        phone.at(".game-item").click()
        assert phone.totals() == won
        phone.key("payment").click()
        phone.at("#field-pay-amount").fill("77")
        worker = root / BELOW.strip("/") / "worker.js"
        take_over(phone, lambda: worker.write_bytes(worker.read_bytes() + b"// one more\n"))
        assert phone.at("#field-pay-amount").input_value() == "77"


def test_two_tabs_do_not_write_over_each_other(browser: Browser, root: Path) -> None:
    """Both record hands of one game at once: each is in it, or refused because the game has moved on."""
    act = """async ({ game, tab }) => {
      const { call } = await part('js/api/api.js');
      const entered = [];
      for (let n = 0; n < 8; n++) {
        const { revision } = await call('GET', `/games/${game}`);
        const body = { outcome: 'draw', seen: { revision } };
        const headers = { 'Idempotency-Key': `${tab}-${n}` };
        try {
          entered.push((await call('POST', `/games/${game}/hands`, body, { headers })).hand.key);
        } catch (error) {
          if (error.code !== 'game_moved_on') throw error;
        }
      }
      return entered;
    }"""
    with opened(browser, root) as phone:
        phone.begin_game()
        game = phone.remembered("game")["id"]
        phone.page.evaluate("() => window.open(location.href)")
        phone.until(lambda: len(phone.page.context.pages) == 2)
        tabs = phone.page.context.pages
        tabs[1].wait_for_function("() => globalThis.part")
        for number, tab in enumerate(tabs):
            tab.evaluate(f"given => {{ window.acting = ({act})(given); }}", {"game": game, "tab": number})
        entered = [key for tab in tabs for key in tab.evaluate("() => window.acting")]
        kept = tabs[0].evaluate(
            "async (game) => (await (await part('js/api/api.js')).call('GET', `/games/${game}`)).hands", game
        )
        assert sorted(hand["key"] for hand in kept) == sorted(entered) and len(entered) >= 8
        assert [hand["number"] for hand in kept] == list(range(1, len(kept) + 1))


def test_a_file_of_every_game_is_offered_after_an_evening(browser: Browser, root: Path, tmp_path: Path) -> None:
    """One tap saves it; it brings every game back, and is offered again when more was played."""
    with opened(browser, root) as phone:
        phone.page.wait_for_function("() => inside.about")
        phone.begin_game()
        enter(phone)
        won = phone.totals()
        phone.begin_game(("Ann", "Bea", "Cyd", "Dee"))
        enter(phone)
        phone.go("hand")
        phone.until(lambda: phone.page.evaluate(LISTED) == 2)
        assert phone.key("keep-file").count() == 0, "the evening goes on"
        phone.page.clock.install()
        phone.page.clock.fast_forward("04:00:00")
        phone.go("game")
        phone.go("hand")
        with phone.page.expect_download() as saved:
            phone.key("keep-file").click()
        saved.value.save_as(tmp_path / "games.jsonl")
        phone.key("keep-file").wait_for(state="detached")

        phone.go("game")
        phone.key("leave").click()
        drop_store(phone)
        phone.key("import").set_input_files(tmp_path / "games.jsonl")
        phone.page.wait_for_selector("#notices :text('2 hands taken over')")
        phone.at(".game-item").nth(1).click()
        assert phone.totals() == won
        phone.key("leave").click()
        phone.key("import").set_input_files(tmp_path / "games.jsonl")
        phone.page.wait_for_selector("#notices :text('Nothing in the file is new')")
        phone.at(".game-item").nth(1).click()
        enter(phone, "1p 1p 1p 9m 9m 9m 2s 3s 4s 7s 8s 5z 5z 9s")
        phone.page.clock.fast_forward("04:00:00")
        phone.go("hand")
        phone.key("keep-file").wait_for()


LISTED = """async () => {
  const { get } = await part('js/api/api.js');
  return (await get('/games')).games.filter(({ last }) => last).length;
}"""
"""How many games have hands; what was asked before has come by then."""


def test_it_is_said_when_a_browser_keeps_nothing(browser: Browser, root: Path) -> None:
    """What a full one refuses waits for no computer: entered again by hand, it would be in the game twice."""
    with opened(browser, root) as phone:
        phone.page.wait_for_function("() => inside.about")
        phone.allowed += ["QuotaExceededError"]
        storage = phone.page.context.new_cdp_session(phone.page)
        storage.send("Storage.overrideQuotaForOrigin", {"origin": phone.url, "quotaSize": 1})
        phone.go("game")
        phone.press("create-game", shows=":text('This browser cannot keep it')")
        storage.send("Storage.overrideQuotaForOrigin", {"origin": phone.url})
        phone.press("create-game", shows=".places")
        keeper = next(worker for worker in phone.page.workers if worker.url.endswith("/worker.js"))
        keeper.evaluate(
            """() => {
              self.put = IDBObjectStore.prototype.put;
              IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError'); };
            }"""
        )
        phone.key("payment").click()
        phone.choose("pay-from", "N")
        phone.choose("pay-to", "E")
        phone.at("#field-pay-amount").fill("5")
        phone.press("outcome", shows="dialog :text('This browser cannot keep it')")
        assert phone.key("keep-outcome").count() == 0
        phone.escape()
        assert phone.at(".queue").count() == 0
        phone.go("hand")
        phone.lay()
        phone.show_score()
        phone.press("record", shows="#bar :text('This browser cannot keep it')")
        assert phone.key("keep-later").count() == 0
        keeper.evaluate("() => { IDBObjectStore.prototype.put = self.put; }")
        phone.press("record", shows=".hands .hand-number")
        assert phone.at(".hands > li").count() == 1
        drop_store(phone)
        phone.reload()
        phone.page.wait_for_selector("#notices :text('no longer has that game')")


def test_alone_too_what_is_open_is_asked_for_and_what_is_booked_is_shown_first(browser: Browser, root: Path) -> None:
    with opened(browser, root) as phone:
        phone.begin_game(rules="riichi", points="25000")
        phone.key("false-win").click()
        phone.choose("offender", "S")
        phone.page.wait_for_selector('[data-key="outcome"]:not([aria-disabled])')
        assert phone.at("dialog .net td").all_inner_texts() == ["+4,000", "−8,000", "+2,000", "+2,000"]
        phone.escape()
        phone.go("hand")
        phone.lay("2m 3m 4m 5m 6m 7m 3p 4p 5p 6s 7s 2s 2s 8s")
        phone.answer(seat="S", win="discard", giver="W")
        phone.page.wait_for_selector("#bar .gain b:has-text('+2,000')")
        assert phone.text("[data-key=prompt-riichi] small") == "+1,900"
        phone.press("prompt-riichi", shows="#bar .gain b:has-text('+3,900')")
        phone.close_by("prompt-dora_indicators", "key-1m")
        phone.page.wait_for_selector("#bar .gain b:has-text('+7,700')")
        phone.press("bar", shows=".hero .net .gain td:has-text('+7,700')")


def test_the_worker_answers_as_a_server_does(browser: Browser, root: Path) -> None:
    """Byte for byte; that the server does is tested in tests/hupai/test_web/test_answers.py."""
    requests = page_requests(70)
    sent = [[r.method, r.path, r.headers, r.body] for r in requests]
    with opened(browser, root) as phone:
        answers = phone.page.evaluate(
            """async (requests) => {
              const { ask } = await part('js/api/python/ask.js');
              return Promise.all(requests.map((request) => ask(...request)));
            }""",
            sent,
        )
    for asked, answer in zip(requests, answers, strict=True):
        assert (answer["status"], answer["text"]) == respond(
            asked.method, asked.path, asked.headers, asked.body, JsonStore({})
        ), asked


def test_a_large_photo_is_read_corrected_and_scored_with_no_network(
    browser: Browser, root: Path, tmp_path: Path
) -> None:
    """Of 48 million pixels, as some phones take them."""
    with Image.open(HAND) as photo:
        large = photo.resize((8000, 6000))
    large.save(tmp_path / "large.jpg", quality=85)
    with serve_folder(root) as url:
        phone = open_page(browser, url)
        phone.keeps("bonus.onnx")  # which comes last
    phone.allowed += ["Failed to load resource", "ERR_CONNECTION_REFUSED"]
    phone.page.clock.install()
    phone.reload()
    phone.page.wait_for_function("() => inside.about")
    phone.photograph(tmp_path / "large.jpg")
    truth = json.loads(HAND.with_suffix(".json").read_text())["tiles"]
    read = phone.page.evaluate("() => inside.draft.read.tiles.map(({ tile }) => tile)")
    assert sorted(read) == sorted(tile["label"] for tile in truth)
    first = phone.codes()[0]
    mended = "1m" if first != "1m" else "2m"
    phone.mend("concealed", 0, mended)
    assert phone.codes()[0] == mended
    phone.mend("concealed", 0, first)
    phone.answer(seat="S", win="self_draw")
    phone.page.wait_for_selector("#bar .amounts")
    assert "South wins by self-draw" in phone.text("#bar")

    def end_when_idle() -> bool:
        phone.page.clock.fast_forward(600_000)
        return not phone.page.workers

    phone.until(end_when_idle)
    phone.answer(seat="W", win="discard", giver="N")
    phone.page.wait_for_selector("#bar :text('West wins')")
    assert len(phone.page.workers) == 2, "Python's and that of the networks, neither twice"
    phone.hang_up()


def test_the_viewfinder_outlines_tiles_and_the_shutter_waits_for_no_look(
    browser: Browser, root: Path, tmp_path: Path
) -> None:
    """A look that goes on when the picture is taken is not read to its end."""
    goes_on = Event()

    def halfway(path: str) -> None:
        if "/detector.onnx" in path:
            goes_on.wait()

    film = filmed(browser.browser_type, chromium(), tmp_path / "hand.mjpeg", "hand-dark-diagonal.jpg", 4000)
    with serve_folder(root, halfway=halfway) as url, film as camera:
        phone = Phone(camera.new_context(viewport={"width": 320, "height": 640}, has_touch=True), url, BELOW)
        phone.page.evaluate(f"({OBSERVE})()")
        phone.key("shutter").tap()
        phone.page.wait_for_function("() => looks.length === 1")
        phone.at("dialog .shutter").tap()
        phone.page.wait_for_function("() => looks.length === 2")
        goes_on.set()
        phone.page.wait_for_selector(".tray .tile")
        assert phone.codes("winning") == ["1z"]
        assert phone.page.evaluate("() => looks.map(({ status }) => status)") == [500, 200]

        phone.key("another").tap()
        phone.key("auto-shutter").tap()
        phone.page.wait_for_selector(".finder polygon.winning")
        phone.page.wait_for_function("() => looks.length === 5")
        looks = phone.page.evaluate("() => looks.slice(2)")
        for one, other in pairwise(looks):
            assert other["begun"] - one["done"] >= 0.9 * (one["done"] - one["begun"]), "it rests as long as it looked"
        phone.at("dialog .camera-close").tap()
        phone.at("dialog").wait_for(state="detached")
        phone.hang_up()


def test_the_viewfinder_does_not_wait_for_the_names_of_flowers(browser: Browser, root: Path, tmp_path: Path) -> None:
    goes_on = Event()

    def halfway(path: str) -> None:
        if "/bonus.onnx" in path:
            goes_on.wait()

    film = filmed(browser.browser_type, chromium(), tmp_path / "hand.mjpeg", HAND.name)
    with serve_folder(root, halfway=halfway) as url, film as camera:
        phone = Phone(camera.new_context(viewport={"width": 320, "height": 640}, has_touch=True), url, BELOW)
        phone.key("shutter").tap()
        phone.page.wait_for_selector(".finder polygon.bonus")
        phone.page.wait_for_selector("dialog :text('Naming flowers and seasons')")
        goes_on.set()
        phone.at("dialog :text('Naming flowers and seasons')").wait_for(state="detached")
        phone.hang_up()


OBSERVE = """() => {
  window.looks = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, transfer) {
    if (message.photos) {
      const look = { begun: performance.now() };
      looks.push(look);
      const port = transfer[0];
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = ({ data }) => {
        if (typeof data === 'object') Object.assign(look, { done: performance.now(), status: data?.status });
        port.postMessage(data);
      };
      transfer = [port1];
    }
    post.call(this, message, transfer);
  };
}"""
"""Notes when each photo went to the worker, and when and how it was answered."""


READ = """async (names) => {
  const { ask } = await part('js/api/python/ask.js');
  const answers = [];
  for (const name of names) {
    const form = new FormData();
    form.append('photo', await (await fetch(`/${name}`)).blob(), name);
    form.append('rules', name.startsWith('hand-') ? name.slice(5, -4) : '');
    const { status, text } = await ask('POST', '/read', {}, form);
    answers.push({ status, ...JSON.parse(text) });
  }
  return answers;
}"""


VIEW = (
    f"async (wanted) => {{ {HASH}"
    + """
  const { Photo } = await part('js/api/python/pixels.js');
  return Promise.all(wanted.map(async ([name, side]) => {
    const photo = await Photo.open(await (await fetch(`/${name}`)).blob());
    const { width, height, data } = await photo.view(side);
    return [photo.width, photo.height, width, height, await hash(data)];
  }));
}"""
)


def held_photos(root: Path) -> list[str]:
    """Names of photos that are put there: held in three ways, grey, without loss."""
    photo = Image.open(EXAMPLES / "hand-riichi.jpg").crop((0, 0, 1499, 501))
    for orientation in (1, 5, 6):
        exif = Image.Exif()
        exif[ExifTags.Base.Orientation] = orientation
        photo.save(root / f"{orientation}.jpg", exif=exif, quality=90)
    photo.convert("L").save(root / "grey.jpg", progressive=True)
    photo.save(root / "lossless.png")
    return ["1.jpg", "5.jpg", "6.jpg", "grey.jpg", "lossless.png"]


def test_the_page_sees_what_a_server_sees(browser: Browser, root: Path, reader: TileReader) -> None:
    """Its pixels to the bit, in every size; and nothing where nothing is."""
    names = ["hand-riichi.jpg", "hand-taiwanese.jpg"]
    Image.new("RGB", (64, 48)).save(root / "nothing.png")
    viewed = list(product(held_photos(root), (1499, 750, 375, 188)))
    for name in names:
        shutil.copy(EXAMPLES / name, root / name)
    with opened(browser, root) as phone:
        first, refused, nothing = phone.page.evaluate(READ, [names[0], "club/index.html", "nothing.png"])
        assert not phone.page.evaluate("crossOriginIsolated")
        phone.page.wait_for_function("() => navigator.serviceWorker.controller")
        phone.reload()
        assert phone.page.evaluate("crossOriginIsolated"), "the networks may use threads from the second visit on"
        (second,) = phone.page.evaluate(READ, names[1:])
        views = phone.page.evaluate(VIEW, viewed)
    for (name, side), (width, height, *view) in zip(viewed, views, strict=True):
        photo = Photo(root / name)
        pixels = photo.view(side)
        assert (width, height) == (photo.width, photo.height)
        assert view == [*pixels.shape[1::-1], hashlib.sha256(pixels.tobytes()).hexdigest()], (name, side)
    for name, found in zip(names, (first, second), strict=True):
        wanted = reader.read(EXAMPLES / name, rules=name[5:-4]).to_json(name)
        assert set(found) == {*wanted, "set", "status"}
        assert_read_alike(found, wanted)
    assert refused["status"] == 422 and refused["code"] == "image_unreadable"
    assert nothing["status"] == 200 and nothing["tiles"] == []


def assert_read_alike(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """A photo's reading in the page and on a server."""
    for key in ("image", "width", "height", "hand", "doubts", "repairs", "models"):
        assert found[key] == wanted[key], key
    for one, same in zip(wanted["tiles"], found["tiles"], strict=True):
        assert far(same["corners"], one["corners"]) <= (0 if ON_X86 else 0.006 * wanted["width"])
        assert (same["tile"], same["role"]) == (one["tile"], one["role"])
        assert same["confidence"] == pytest.approx(one["confidence"], abs=2e-4 if ON_X86 else 0.1)


ASK = """async ([method, path, texts, files]) => {
  const { ask } = await part('js/api/python/ask.js');
  const form = new FormData();
  for (const [name, text] of Object.entries(texts)) form.append(name, text);
  for (const [name, file] of files) form.append(name, await (await fetch(`/${file}`)).blob(), file);
  return ask(method, path, {}, method === 'POST' ? form : undefined);
}"""


def test_sets_are_learned_alone_as_on_a_server(browser: Browser, root: Path, tmp_path: Path) -> None:
    """The same requests with the same answers; a set from either side reads a photo in the other as it does at home."""
    photo, other = "hand-taiwanese.jpg", "hand-riichi.jpg"
    for name in (photo, other):
        shutil.copy(EXAMPLES / name, root / name)
    strange = TileSet("strange", "0" * 12, (tile("1m"),), ((1.0, 0.0),), (1,))
    (root / "strange.npz").write_bytes(to_bytes(strange))
    (root / "no.npz").write_bytes(b"no set")
    marked = json.loads((EXAMPLES / photo).with_suffix(".json").read_text())["tiles"]
    labels = [{"label": t["label"], "corners": t["corners"]} for t in marked if t["label"] != "back"]
    labels[0]["label"] = "1z" if labels[0]["label"] != "1z" else "2z"  # the set's own picture of it
    taught = {"name": " Tante  Emma ", "labels": json.dumps([labels])}
    asked: list[tuple[str, str, dict[str, str], list[tuple[str, str]]]] = [
        ("GET", "/sets", {}, []),
        ("POST", "/sets", taught, [("photo", photo)]),
        ("POST", "/sets", {**taught, "labels": json.dumps([labels[:3]])}, [("photo", photo)]),
        ("POST", "/sets", {"name": "whole"}, [("photo", photo), ("photo", other)]),
        ("POST", "/sets", {"name": "named", "tiles": "1m"}, [("photo", photo)]),
        ("POST", "/sets", {"name": "../up", "labels": json.dumps([labels])}, [("photo", photo)]),
        ("POST", "/sets", {"name": "none", "labels": "[[]]"}, [("photo", photo)]),
        ("POST", "/sets", {"name": "odd", "labels": '[[{"label": "1m"}]]'}, [("photo", photo)]),
        ("POST", "/sets/import", {}, [("profile", "strange.npz")]),
        ("POST", "/sets/import", {}, [("profile", "strange.npz")]),
        ("POST", "/sets/import", {"replace": "true"}, [("profile", "strange.npz")]),
        ("POST", "/sets/import", {}, [("profile", "no.npz")]),
        ("GET", "/sets", {}, []),
        ("POST", "/read", {"set": "strange"}, [("photo", photo)]),
        ("POST", "/read", {"set": "nobody"}, [("photo", photo)]),
        ("DELETE", "/sets/strange", {}, []),
        ("DELETE", "/sets/strange", {}, []),
        ("GET", "/sets/strange/file", {}, []),
    ]
    with running(tmp_path, **OPEN) as server, server.client() as client, serve_folder(root) as url:
        phone = open_page(browser, url)

        def on_server(method: str, path: str, texts: dict[str, str], files: list[tuple[str, str]]) -> httpx.Response:
            fields: list[Any] = [(name, (None, text)) for name, text in texts.items()]
            fields += [(name, (file, (root / file).read_bytes())) for name, file in files]
            return client.request(method, path, files=fields or None)

        for one in asked:
            answer, wanted = phone.page.evaluate(ASK, one), on_server(*one)
            assert answer["status"] == wanted.status_code, one
            said = wanted.text if "no.npz" not in str(one) else wanted.text.replace("no.npz", "profile")
            assert answer["text"] == said, one

        file = phone.page.evaluate(ASK, ["GET", "/sets/Tante%20Emma/file", {}, []])["text"].encode("latin-1")
        mine, theirs = from_bytes(file, "mine"), from_bytes(client.get("/sets/Tante Emma/file").content, "theirs")
        assert (mine.name, mine.model, mine.tiles, mine.weights) == (
            theirs.name,
            theirs.model,
            theirs.tiles,
            theirs.weights,
        )
        for one_place, other_place in zip(mine.prototypes, theirs.prototypes, strict=True):
            assert math.dist(one_place, other_place) < (1e-4 if ON_X86 else 0.1)
        (root / "theirs.npz").write_bytes(to_bytes(theirs))
        phone.page.evaluate(ASK, ["POST", "/sets/import", {"replace": "true"}, [["profile", "theirs.npz"]]])
        for name in (photo, other):
            read = ("POST", "/read", {"set": "Tante Emma", "rules": name[5:-4]}, [("photo", name)])
            found = json.loads(phone.page.evaluate(ASK, read)["text"])
            assert found["set"] == "Tante Emma"
            assert_read_alike(found, on_server(*read).json())
        phone.hang_up()


def test_a_mended_hand_teaches_a_set_that_the_phone_keeps(browser: Browser, root: Path, tmp_path: Path) -> None:
    with serve_folder(root) as url:
        phone = open_page(browser, url)
        phone.allowed += ["Failed to load resource", "ERR_CONNECTION_REFUSED", "ERR_FAILED"]
        phone.keeps("ort-wasm", "/detector.onnx", "/classifier.onnx", "/scene.onnx", "/prints.onnx", "/bonus.onnx")
    phone.photograph()  # nothing is served any more
    phone.mend("bonus", 0, "f1")
    phone.show_score()
    phone.key("teach").click()
    phone.at("#field-teach-name").fill("Aunt Li")
    phone.page.keyboard.press("Enter")
    phone.closed()
    phone.reload()
    assert phone.remembered("settings")["set"] == "Aunt Li"
    phone.go("more")
    with phone.page.expect_download() as saved:
        phone.key("set-file-Aunt Li").click()
    saved.value.save_as(tmp_path / saved.value.suggested_filename)
    known = from_bytes((tmp_path / "Aunt Li.npz").read_bytes(), "saved")
    assert tile("f1") in known.labels
    phone.go("hand")
    phone.key("start-over").click()
    phone.page.get_by_role("dialog").get_by_role("button", name="Start over").click()
    phone.photograph()
    assert phone.page.evaluate("() => inside.draft.read.set") == "Aunt Li"
    phone.go("more")
    phone.key("set-del-Aunt Li").click()
    phone.page.get_by_role("button", name="Delete", exact=True).click()
    phone.page.wait_for_function("() => inside.settings.set === null")
    phone.key("fold-set").click()
    phone.key("set-import").set_input_files(tmp_path / "Aunt Li.npz")
    phone.key("set-file-Aunt Li").wait_for()
    phone.page.wait_for_function("() => inside.settings.set === 'Aunt Li'")
    phone.at("#field-set-name").fill("Granny")
    phone.key("set-photos").set_input_files(str(HAND))
    phone.page.get_by_role("button", name="Learn", exact=True).click()
    phone.page.get_by_text("The photo doesn't show a complete set").wait_for()
    phone.hang_up()


def test_a_hand_is_shown_before_its_flowers_are_named(browser: Browser, root: Path, reader: TileReader) -> None:
    """It can be neither mended nor scored till then, but it can be said who won; a page loaded anew reads it again.

    Where what names them could not be had, each is in doubt, and the next photo asks for it again.
    """
    goes_on = Event()
    away = [(one, one.rename(root / one.name)) for one in root.rglob("bonus.onnx*")]

    def halfway(path: str) -> None:
        if "/bonus.onnx" in path:
            goes_on.wait()

    with opened(browser, root, halfway=halfway) as phone:
        phone.allowed += ["bonus.onnx", "PythonError"]
        phone.page.wait_for_selector("#choose", state="attached")
        phone.page.set_input_files("#choose", HAND)
        phone.page.wait_for_selector(".reading.failed:has-text('needs a network')")
        phone.page.wait_for_selector(".tray:not([inert]) .zone.bonus .tile.doubtful")
        assert phone.at(".zone.bonus .tile:not(.doubtful)").count() == 0, "what nobody has named is to be looked at"
        for place, one in away:
            one.rename(place)
        phone.press("again", shows=".tray[inert] .zone.bonus .tile")
        phone.page.wait_for_selector(".reading:has-text('Naming flowers and seasons')")
        phone.answer(seat="S", win="self_draw")
        phone.page.evaluate("part('js/scoring/live.js').then(({ rescore }) => rescore())")
        assert phone.page.evaluate("part('js/scoring/live.js').then(({ scoreNow }) => scoreNow())") is None
        phone.reload()
        phone.page.wait_for_selector(".reading.failed")
        assert phone.at(".tray .tile").count() == 0, "what was not finished is read again"
        phone.press("again", shows=".tray[inert] .zone.bonus .tile")
        goes_on.set()
        phone.page.wait_for_selector("#bar .amounts")
        assert phone.at(".tray[inert]").count() == 0
        read = phone.page.evaluate("inside.draft.read")
        phone.page.evaluate(
            """async () => {
              const [{ draft }, { dropPhoto }] = [await part('js/state/draft.js'), await part('js/api/store.js')];
              await dropPhoto();
              draft({ read: { ...inside.draft.read, naming: true } });
            }"""
        )
        phone.reload()
        phone.page.wait_for_selector("#choose", state="attached")
        assert phone.at(".tray").count() == 0, "without its photo it cannot be read again"
    assert read["hand"] == reader.read(HAND, rules="hongkong").to_json(HAND.name)["hand"] and "naming" not in read


def test_what_a_bad_network_kept_back_is_loaded_later(browser: Browser, root: Path) -> None:
    (library,) = root.rglob("python_stdlib.zip")
    away = library.rename(root / "away.zip")
    with opened(browser, root) as phone:
        phone.allowed += ["python_stdlib.zip", "worker.js", "error: "]
        phone.page.wait_for_selector("#notices :text('hupai is not loaded yet')")
        away.rename(library)
        phone.at("#notices .notice").wait_for(state="detached")  # there are rules now, which come by themselves
        phone.lay()
        phone.answer(seat="S", win="self_draw")
        phone.page.wait_for_selector("#bar .amounts")


def test_a_photo_is_read_though_what_runs_networks_came_late(browser: Browser, root: Path) -> None:
    (script,) = root.rglob("python/networks.js")
    away = script.rename(root / "away.js")
    with opened(browser, root) as phone:
        phone.allowed += ["networks.js", "worker.js", "error: "]
        phone.page.wait_for_function("() => inside.about")
        phone.at("#choose").set_input_files(HAND)
        phone.page.wait_for_selector(".reading.failed")
        away.rename(script)
        phone.press("again", shows=".tray .tile")


REFUSES = b"""
for (const name of ["match", "open"]) CacheStorage.prototype[name] = () => Promise.reject(new DOMException());
"""
"""As browsers do that are told to let no page keep anything."""


def test_a_photo_is_read_where_the_browser_keeps_no_files(browser: Browser, root: Path) -> None:
    for script in root.rglob("js/api/python/*.js"):
        script.write_bytes(REFUSES + script.read_bytes())
    with serve_folder(root) as url:
        phone = Phone(browser.new_context(service_workers="block"), url, BELOW)
        phone.photograph()
        phone.key("start-over").click()
        phone.hang_up()
    for script in root.rglob("js/api/python/*.js"):
        script.write_bytes(script.read_bytes().removeprefix(REFUSES))


UNHEARD = """
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (data, ports) {
  if (data.python && !window.unheard) window.unheard = true;
  else postMessage.call(this, data, ports);
};
"""


def test_a_worker_that_never_has_its_files_is_replaced(browser: Browser, root: Path) -> None:
    context = browser.new_context(locale="en-GB")
    context.add_init_script(UNHEARD)
    context.clock.install()
    with serve_folder(root) as url:
        phone = Phone(context, url, BELOW)
        phone.page.wait_for_function("() => window.unheard")
        phone.page.clock.fast_forward(20_000)
        phone.photograph()
        phone.key("start-over").click()
        phone.hang_up()


def test_a_photo_for_which_there_is_no_memory_is_told_and_the_next_is_read(browser: Browser, root: Path) -> None:
    with opened(browser, root) as phone:
        phone.allowed += ["PythonError"]
        phone.keeps("bonus.onnx")
        networks = next(worker for worker in phone.page.workers if worker.url.endswith("/networks.js"))
        networks.evaluate("() => { WebAssembly.Memory.prototype.grow = () => { throw new RangeError(); }; }")
        phone.at("#choose").set_input_files(HAND)
        phone.page.wait_for_selector(".reading.failed:has-text('hupai had trouble')")
        phone.press("again", shows=".tray .tile")


@pytest.mark.parametrize("sound", [True, False], ids=["sound", "damaged"])
def test_a_later_visit_starts_with_an_image_of_the_first(browser: Browser, root: Path, sound: bool) -> None:
    """It imports nothing to answer then; an image that it cannot use it drops."""
    with serve_folder(root) as url:
        phone = open_page(browser, url)
        phone.page.wait_for_function("() => inside.about && navigator.serviceWorker.controller")
        phone.keeps(".image", "bonus.onnx")
        phone.page.evaluate(
            """async ([empty, sound]) => {
              const cache = await caches.open('hupai');
              for (const one of await cache.keys()) {
                const none = new Response(Uint8Array.of(...empty));
                if (sound && one.url.endsWith("/hupai.zip")) await cache.put(one, none);
                if (!sound && one.url.endsWith('.image')) await cache.put(one, new Response('no image'));
              }
            }""",
            [[*b"PK\5\6", *bytes(18)], sound],
        )
        phone.allowed += ["Failed to load resource", "ERR_CONNECTION_REFUSED", "ERR_FAILED", "Error: "]
    phone.reload()  # nothing is served any more
    phone.page.wait_for_function("() => inside.about")
    if not sound:
        phone.photograph()
    phone.hang_up()
