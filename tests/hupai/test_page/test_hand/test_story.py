"""The whole story on a phone: photo, mend a tile, answer questions, score, ledger, undo, reload."""

from __future__ import annotations

import json
from pathlib import Path

import httpx

from scripts.browser.phone import EXAMPLES, HAND, Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring

TRUTH = {path.stem: json.loads(path.with_suffix(".json").read_text()) for path in EXAMPLES.glob("hand-*.jpg")}


def test_photo_to_ledger(phone: Phone, server: Server) -> None:
    phone.begin_game()
    phone.key("score-hand").click()
    phone.photograph()
    truth = sorted(t["label"] for t in TRUTH["hand-self-draw"]["tiles"] if t.get("role") in ("concealed", "winning"))
    assert sorted(phone.codes() + phone.codes("winning")) == truth
    # One tile is made wrong, as if it had been misread, and mended again by a tap.
    right = phone.codes()[0]
    phone.mend("concealed", 0, "1s")
    assert phone.codes()[0] == "1s"
    phone.tile("concealed", 0).click()
    phone.key(f"likely-{right}").click()
    assert phone.codes()[0] == right
    phone.answer(seat="S", win="self_draw")
    score = phone.score()
    assert score["state"] == "done", score
    assert score["answer"]["legal"], score
    won = score["answer"]["payments"]["S"]
    assert won > 0
    phone.key("bar").click()
    assert phone.text(".hero-total") == f"{score['answer']['total']['value']} faan"
    assert phone.at(".lines li").count() == len(score["answer"]["elements"])
    assert f"+{won:,}" in phone.at(".net tbody tr").filter(has_text="Bo").inner_text()

    phone.press("record", shows=".hands li")
    assert phone.totals()["Bo"] == f"{won:,}"
    assert phone.seats()["Bo"] == "East", "the seats went round"
    phone.reload()
    phone.page.wait_for_selector(".hands li")
    assert phone.totals()["Bo"] == f"{won:,}", "the ledger outlives a reload"

    game = phone.remembered("game")
    table = httpx.get(f"{server.api}/games/{game['id']}/export.csv")
    with phone.page.expect_download() as download:
        phone.key("csv").click()
    assert Path(download.value.path()).read_bytes() == table.content

    phone.press("undo", shows=".undone")
    assert set(phone.totals().values()) == {"0"}
    assert phone.seats()["Bo"] == "South"


def test_a_hand_taken_back_is_mended_and_entered_again(phone: Phone) -> None:
    """The wrong discarder was entered: nobody photographs the hand a second time for that."""
    phone.keep_notices()
    phone.begin_game()
    phone.key("score-hand").click()
    phone.photograph()
    phone.answer(seat="S", win="discard", giver="W")
    phone.score()
    hand = phone.hand()
    phone.press("bar", "record", shows=".hands li")
    wrong = phone.totals()
    assert phone.hand()["concealed"] == [], "the felt is free for the next hand"
    phone.page.locator("#notices").get_by_role("button", name="Undo").click()
    phone.page.wait_for_selector(".undone")
    phone.page.locator("#notices").get_by_role("button", name="Edit hand").click()
    phone.page.wait_for_selector(".tray .tile")
    assert phone.hand() == hand
    phone.page.wait_for_function("() => inside.bitmap !== null")  # its photo, too
    phone.outlined()
    phone.choose("payer", "N")
    phone.score()
    phone.press("bar", "record", shows=".hands li:nth-child(2)")
    assert phone.totals() != wrong
    assert (phone.totals()["Bo"], phone.totals()["Dan"]) == (wrong["Bo"], wrong["Chiyo"])
    # After a reload the hand is still there, without its photo; a felt in use is left alone.
    phone.reload()
    phone.press("undo", shows=".undone:first-child")
    assert phone.hand() == hand
    phone.go("hand")
    assert phone.at(".outline").count() == 0
    assert phone.score()["answer"]["legal"]


def test_another_photo_takes_the_place_of_a_bad_one(phone: Phone) -> None:
    phone.context.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    phone.reload()
    phone.photograph()
    phone.page.set_input_files("[data-key=another]", str(EXAMPLES / "hand-dark-diagonal.jpg"))
    phone.page.wait_for_function("() => inside.draft.hand.melds.length === 2")
    assert phone.codes("winning") == ["1z"]


def test_a_reload_in_the_middle_loses_nothing(phone: Phone) -> None:
    phone.photograph()
    phone.answer(seat="W", win="self_draw")
    before, hand = phone.score()["answer"], phone.hand()
    phone.reload()
    assert phone.hand() == hand
    assert phone.score()["answer"] == before
    phone.page.wait_for_function("() => inside.bitmap !== null")
    phone.outlined()
    assert phone.at("input[data-key='seat=W']").is_checked()


def test_what_only_other_rules_look_for_in_the_photo_is_said_to_be_missing(phone: Phone) -> None:
    phone.photograph(EXAMPLES / "hand-riichi.jpg")
    phone.show_score(seat="W", win="discard", giver="E")
    phone.press("all", shows=".systems li")
    unread = "not looked for, as the photo was read for Hong Kong."
    systems = phone.at(".systems li").filter(has_text=unread)
    assert systems.count() == 2, "Riichi and Singapore; the other rules look for nothing more"
    # A hand that was mended is not read again under other rules: what they miss is said there.
    phone.go("hand")
    phone.mend("concealed", 0, "1m")
    phone.use_rules("riichi")
    assert f"Red fives and Dora indicators: {unread}" in phone.text("main")


def test_going_back_leaves_no_sheet_over_the_screen_before(phone: Phone) -> None:
    phone.begin_game()
    phone.go("hand")
    phone.go("game")
    phone.key("payment").click()
    phone.at("dialog[open]").wait_for()
    phone.page.go_back()
    phone.closed()
    assert phone.at(".at-game").count() == 1, "the sheet alone was left"
    phone.page.go_back()
    phone.page.wait_for_selector(".at-hand")
    assert phone.at("#main:focus").count() == 1
    phone.press("type", "key-3m")
    phone.page.evaluate("() => { location.hash = '#/game' }")
    phone.page.wait_for_selector(".at-game")
    phone.closed()
    phone.go("hand")
    assert phone.codes() == ["3m"], "what was typed in a sheet is kept"


def test_the_comparison_asks_what_one_system_alone_needs(phone: Phone) -> None:
    phone.photograph()
    phone.show_score()
    phone.press("all", shows=".systems li")
    hangzhou = phone.at(".systems li").nth(2)
    assert hangzhou.locator(".system-total").count() == 0
    hangzhou.locator("[data-key=indicator]").click()
    phone.close_by("tab-s", "key-9s")
    total = phone.at(".systems li").nth(2).locator(".system-total b")
    total.wait_for()
    assert "×" in total.inner_text()
    assert phone.remembered("draft")["answers"].get("indicator") is None, "the hand's own rules do not have it"


def test_the_comparison_names_elements_in_the_words_of_their_own_rules(ring: Ring) -> None:
    """The mainland says 和 by the national rules, and 胡 by Hong Kong's."""
    phone = ring(locale="zh-CN")
    phone.lay("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 4p")
    phone.show_score()
    phone.press("all", shows=".systems li")
    hongkong, national = phone.at(".systems li").first, phone.at(".systems li").last
    assert "平胡" in hongkong.inner_text() and "平和" in national.inner_text()


def test_a_hand_that_may_not_win_says_why(phone: Phone) -> None:
    phone.type_in("1m 2m 4m 5m 7m 8m 1p 2p 4p 5p 7p 8p 1s 2s")
    phone.answer(seat="E", win="self_draw")
    assert not phone.score()["answer"]["legal"]
    phone.key("bar").click()
    phone.at(".reason").wait_for()
    assert phone.key("record").count() == 0


def test_the_file_input_takes_the_camera(phone: Phone) -> None:
    """Where there is no live preview, the phone's own camera answers the file input."""
    phone.context.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    phone.reload()
    take = phone.at("#take")
    assert take.get_attribute("capture") == "environment"
    assert take.get_attribute("accept") == "image/*"
    take.set_input_files(str(HAND))
    phone.page.wait_for_selector(".tray .tile")
