"""What goes wrong is said in words with what to do; the photo, the hand and the key of a retry are kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from scripts.browser.phone import HAND, Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring

if TYPE_CHECKING:
    from playwright.sync_api import Route

FAILED = "Failed to load resource"
AGAIN_MS = 5000  # after which the page asks again


def refuse(status: int, code: str, **headers: str) -> Callable[[Any], None]:
    body = {"type": f"urn:hupai:error:{code}", "title": "No", "status": status, "detail": "No.", "code": code}
    body |= {"field": None, "faults": [{"code": code, "message": "No.", "field": None}]}
    return lambda route: route.fulfill(
        status=status, body=json.dumps(body), headers={"Content-Type": "application/problem+json", **headers}
    )


def choose_photo(phone: Phone) -> None:
    phone.page.set_input_files("#choose", str(HAND))


def test_the_photo_outlives_a_reload(phone: Phone) -> None:
    phone.allowed += [FAILED]
    phone.page.route("**/api/v1/read", lambda route: route.abort("internetdisconnected"))
    choose_photo(phone)
    phone.at(".reading.failed").wait_for()
    assert phone.at(".photo canvas").is_visible(), "the photo is still shown"
    phone.page.unroute("**/api/v1/read")
    # Asked for after it was given away, the photo is told when it is kept.
    assert phone.page.evaluate("async () => (await (await part('js/api/store.js')).keptPhoto()).size")
    phone.reload()
    phone.press("again", shows=".tray .tile")


def test_a_comparison_that_failed_is_asked_for_again(phone: Phone) -> None:
    phone.allowed += [FAILED]
    phone.lay()
    phone.show_score()
    phone.page.route("**/api/v1/score/all", lambda route: route.abort("internetdisconnected"))
    phone.key("all").click()
    phone.at(".all-body .caution").wait_for()
    phone.page.unroute("**/api/v1/score/all")
    phone.go("hand")
    phone.key("bar").click()
    phone.at(".all-body:empty").wait_for(state="attached")
    phone.press("all", shows=".systems li")


def test_a_full_queue_is_tried_again_by_itself(phone: Phone) -> None:
    phone.allowed += [FAILED]
    tries = []

    def full_once(route: Any) -> None:
        tries.append(1)
        if len(tries) == 1:
            refuse(503, "busy", **{"Retry-After": "1"})(route)
        else:
            route.continue_()

    phone.page.route("**/api/v1/read", full_once)
    choose_photo(phone)
    phone.page.wait_for_selector(".tray .tile")
    assert len(tries) == 2


HELD = """() => {
  window.XMLHttpRequest = class {
    readyState = 1;
    upload = {};
    open() {}
    setRequestHeader() {}
    send() { this.upload.onload(); }
    abort() { this.onabort(); }
  };
  const [answers, fetched] = [[false, true, false, false], fetch];
  window.fetch = (url, ...more) =>
    url === "/healthz" ? Promise.resolve({ ok: answers.shift() }) : fetched(url, ...more);
}"""
"""A host that has taken a photo and reads on; asked whether it is there, it misses the first, third and fourth time."""


def test_a_photo_is_given_up_when_the_host_misses_twice_running(phone: Phone) -> None:
    phone.page.evaluate(HELD)
    phone.page.clock.install(time=0)
    phone.page.clock.pause_at(3600)
    choose_photo(phone)
    phone.page.wait_for_function("() => inside.reading?.phase === 'sending'")
    phases = []
    for _ in range(4):
        phone.page.clock.run_for(2500)
        phases.append(phone.page.evaluate("() => inside.reading.phase"))
    assert phases == ["sending", "sending", "sending", "failed"]


def test_a_question_that_is_open_answers_whoever_asks_it_again(phone: Phone) -> None:
    phone.page.evaluate(
        """async () => {
          const { confirmSheet } = await part('js/controls/sheet.js');
          window.sure = Promise.all([1, 2].map(() => confirmSheet("Sure?", "Really.", "Do it")));
        }"""
    )
    phone.page.get_by_role("button", name="Do it").click()
    assert phone.page.evaluate("sure") == [True, None], "it is done once"


def test_refusals_in_words(phone: Phone) -> None:
    phone.allowed += [FAILED]
    for status, code, says, again in (
        (413, "body_too_large", "too large", False),
        (503, "model_missing", "models are missing", True),
    ):
        phone.page.unroute("**/api/v1/read")
        phone.page.route("**/api/v1/read", refuse(status, code))
        choose_photo(phone)
        phone.at(".reading.failed").get_by_text(says).first.wait_for()
        assert phone.key("again").count() == int(again), "a retry is offered where it can help"
        assert phone.key("choose").count() == phone.key("shutter").count() == 1


def test_a_page_that_stands_in_for_the_host_is_no_answer(phone: Phone) -> None:
    """A network that wants people to sign in answers everything with a page of its own."""
    phone.page.route("**/api/v1/*", lambda route: route.fulfill(content_type="text/html", body="<h1>Sign in</h1>"))
    choose_photo(phone)
    phone.at(".reading.failed").wait_for()
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    phone.page.get_by_text("The hand waits for the computer").wait_for()
    phone.page.unroute("**/api/v1/*")
    phone.key("bar").click()
    assert phone.score()["state"] == "done"


def test_a_page_opened_while_the_store_is_away_comes_by_itself(phone: Phone) -> None:
    phone.allowed += [FAILED]
    phone.page.clock.install()
    phone.begin_game()
    phone.page.route("**/api/v1/games/*", refuse(503, "store_unavailable"))
    phone.reload()
    phone.at(".offline").wait_for()
    phone.page.unroute("**/api/v1/games/*")
    phone.page.clock.fast_forward(AGAIN_MS)
    phone.at(".offline").wait_for(state="detached")
    phone.at(".notice").wait_for(state="detached")


def test_one_try_at_a_time_looks_for_the_host(phone: Phone) -> None:
    """However often the language is changed while it is away."""
    phone.allowed += [FAILED]
    tries: list[str] = []

    def note(route: Route) -> None:
        tries.append(route.request.url)
        route.abort("internetdisconnected")

    phone.page.clock.install(time=0)
    phone.page.clock.pause_at(3600)
    phone.page.route("**/api/v1/about", note)
    phone.go("more")
    for count, language in enumerate(("ja", "zh-HK", "en"), 1):
        phone.choose("language", language)
        phone.until(lambda count=count: len(tries) == count)
    answered = "async () => { await fetch('/healthz') }"  # sent after all tries
    phone.page.evaluate(answered)
    phone.page.clock.run_for(5000)
    phone.page.evaluate(answered)
    assert len(tries) == 4


def test_no_tile_in_the_picture(phone: Phone, tmp_path: Path) -> None:
    path = tmp_path / "table.jpg"
    Image.new("RGB", (1600, 1200), (40, 90, 70)).save(path)
    phone.page.set_input_files("#choose", str(path))
    assert "No tile found" in phone.text(".reading.failed")
    assert phone.key("type").is_visible()


def test_not_a_picture(phone: Phone, tmp_path: Path) -> None:
    """What the browser cannot show is sent as it is; the server's refusal comes back in words."""
    phone.allowed += [FAILED]
    path = tmp_path / "notes.jpg"
    path.write_text("no picture at all\n" * 100)
    phone.page.set_input_files("#choose", str(path))
    assert "can't read this file" in phone.text(".reading.failed")
    phone.photograph()


def test_cancelling_an_upload(phone: Phone) -> None:
    phone.held_at("/api/v1/read")  # it is never answered
    choose_photo(phone)
    phone.page.wait_for_function("() => inside.reading && inside.reading.phase !== 'shrinking'")
    phone.key("cancel").click()
    phone.page.unroute("**/api/v1/read")
    phone.press("again", shows=".tray .tile")


def test_a_newer_photo_makes_the_older_answer_void(phone: Phone) -> None:
    held = phone.held_at("/api/v1/read")
    choose_photo(phone)
    held.came()
    phone.page.evaluate("async () => (await part('js/camera/reading.js')).forget()")
    phone.lay()
    before = phone.hand()
    held.let_go()
    phone.answer(seat="S", win="self_draw")
    assert phone.score()["state"] == "done", "the server has answered since"
    assert phone.hand() == before


def test_why_a_hand_was_not_entered_stands_by_the_key_that_was_pressed(phone: Phone) -> None:
    phone.allowed += [FAILED]
    phone.begin_game()
    phone.go("hand")
    phone.lay()
    phone.show_score()
    phone.page.route("**/hands", refuse(503, "store_unavailable"))
    phone.press("record", shows="#bar .faults")
    fault, key = (phone.steady(part) for part in ("#bar .faults", "[data-key=record]"))
    assert 0 < fault["top"] < fault["bottom"] <= key["top"]
    phone.page.unroute("**/hands")
    phone.press("record", shows=".at-game .hands li")


def test_a_hand_waits_for_a_store_that_is_away_and_goes_out_by_itself(phone: Phone) -> None:
    phone.allowed += [FAILED]
    phone.page.clock.install()
    phone.begin_game()
    phone.go("hand")
    phone.page.route("**/hands*/**", refuse(503, "store_unavailable"))
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    phone.page.get_by_text("The hand waits for the computer").wait_for()
    phone.page.unroute("**/hands*/**")
    phone.page.clock.fast_forward(AGAIN_MS)
    phone.page.wait_for_selector("a.score-bar")  # nobody asked again
    phone.page.route("**/hands", refuse(503, "store_unavailable"))
    phone.press("bar", "record")
    phone.at("#bar .faults").wait_for()
    phone.press("keep-later", shows=".queue")
    phone.page.unroute("**/hands")
    phone.page.clock.fast_forward(AGAIN_MS)
    phone.page.wait_for_selector(".queue", state="detached")
    phone.go("game")
    assert phone.at(".hands > li").count() == 1


def test_a_payment_is_kept_for_a_store_that_is_away(phone: Phone) -> None:
    phone.allowed += [FAILED]
    phone.page.clock.install()
    phone.begin_game()
    phone.page.route("**/hands", refuse(503, "store_unavailable"))
    phone.key("payment").click()
    phone.choose("pay-from", "N")
    phone.choose("pay-to", "E")
    phone.at("#field-pay-amount").fill("5")
    phone.key("outcome").click()
    phone.at('[data-key="keep-outcome"]').click()
    phone.closed()
    phone.page.unroute("**/hands")
    phone.page.clock.fast_forward(AGAIN_MS)
    phone.page.wait_for_selector(".queue", state="detached")
    assert phone.at(".hands > li").count() == 1


def test_faults_stand_beside_their_field(phone: Phone) -> None:
    phone.allowed += [FAILED]
    phone.lay()
    phone.answer(seat="E", win="self_draw")
    phone.press("chip-heavenly", "chip-last_tile")
    phone.settle()
    assert "no last tile" in phone.text("[data-field='heavenly'] .faults")
    phone.key("chip-last_tile").click()
    assert phone.score()["state"] == "done"


def test_the_access_code(ring: Ring, start: Callable[..., Server]) -> None:
    server = start(access_code="4711")
    phone = ring(url=server.url)
    phone.allowed += [FAILED]
    phone.page.wait_for_selector("dialog[open]")
    assert phone.page.evaluate("document.activeElement.id") == "field-code", "a code can be typed at once"
    # Put away, it stays away, and there is a way back.
    phone.escape()
    phone.page.locator("#notices").get_by_role("button", name="Access code").click()
    phone.page.wait_for_selector("dialog[open]")
    phone.page.keyboard.type("0000")
    phone.page.keyboard.press("Enter")
    assert "not the right code" in phone.text("dialog .faults")
    phone.at("#field-code").fill("4711")
    phone.page.keyboard.press("Enter")
    phone.closed()
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    assert phone.score()["state"] == "done"
    # The network came back while the code was asked for: whoever asked hears of it.
    ask = "async () => { const { askCode } = await part('js/screens/code.js'); window.both = [1, 2].map(askCode); }"
    phone.page.evaluate(ask)
    phone.at("#field-code").fill("4711")
    phone.page.keyboard.press("Enter")
    assert phone.page.evaluate("Promise.all(both)") == [True, True]
    # The address that is printed carries the code; it opens at once and leaves the address bar.
    guest = ring(url=server.url, path="/#code=4711")
    guest.page.wait_for_function("() => inside.about")
    assert guest.at("dialog").count() == 0
    assert "code" not in guest.page.url


def test_names_are_text(phone: Phone) -> None:
    """Even if a server let markup through, the page shows it as text and runs nothing."""
    evil = '<img src=x onerror="window.pwned=1"><b>Bo</b>'

    def spoil(route: Any) -> None:
        reply = route.fetch()
        route.fulfill(response=reply, body=reply.text().replace('"Bo"', json.dumps(evil)))

    phone.page.route("**/api/v1/games*", spoil)
    phone.page.route("**/api/v1/games/**", spoil)
    phone.begin_game()
    assert evil in phone.at(".places").inner_text()
    phone.go("hand")
    phone.lay()
    phone.show_score()
    assert evil in phone.at(".net").inner_text()
    assert phone.page.evaluate("window.pwned") is None
    assert phone.at("main img, main b b").count() == 0


def test_typing_waits_for_rules_that_are_slow_to_come(ring: Ring) -> None:
    """A tap on a first visit, before the server has told the rules: the keyboard opens when they are here."""
    phone = ring()
    phone.page.wait_for_function("() => inside.about")  # and with it the rules, which the phone then remembers
    phone.page.evaluate("() => { localStorage.clear(); }")
    held = phone.held_at("/api/v1/rules")
    phone.page.reload(wait_until="commit")
    phone.page.wait_for_selector("html[data-ready]")
    phone.key("type").click()
    held.came()
    assert phone.at("dialog").count() == 0
    held.let_go()
    phone.key("tab-m").wait_for()
    phone.press("key-1m", shows="dialog .typed > *")
    assert phone.page.locator("dialog .typed > *").count() == 1


def test_a_limit_is_told_in_the_language(ring: Ring) -> None:
    phone = ring(locale="ja-JP")
    phone.allowed += [FAILED]
    phone.page.wait_for_function("() => inside.about")
    for given, told in (
        ({"name": "x" * 201}, "「name」：200 文字までにしてください。"),
        ({"start": {"dealer": -1}}, "0 以上にしてください"),
    ):
        game = {"players": ["1", "2", "3", "4"], "rules": "hongkong", **given}
        said = phone.page.evaluate(
            """async (game) => {
              const { post } = await part('js/api/api.js');
              const { troubleWords } = await part('js/words/words.js');
              return post('/games', game).then(() => '', troubleWords);
            }""",
            game,
        )
        assert told in said, said
