"""Hands, draws and payments wait for the host: entered in order, each once, for the people who were named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from scripts.browser.phone import Phone
from tests.hupai.serving import Server, record
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_host.cable import Cable, cable
from tests.hupai.test_page.test_host.test_phones import ledger
from tests.hupai.test_page.test_whole.test_accessible import findings

FIRST = "1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 4p"
SECOND = "1p 2p 3p 4p 5p 6p 7p 8p 9p 2s 3s 7z 7z 4s"
NO_WIN = "1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 6s 4p"
CUT = ["Failed to load resource", "ERR_"]


@pytest.fixture
def line(server: Server) -> Iterator[Cable]:
    with cable(server.url) as it:
        yield it


def at_table(ring: Ring, line: Cable, rules: str = "hongkong", **context: Any) -> Phone:
    """A phone that knows the page by heart, at a game."""
    phone = ring(url=line.url, service_workers="allow", **context)
    phone.allowed += CUT
    phone.page.wait_for_function("() => navigator.serviceWorker.controller && inside.about")
    phone.keeps(f"/i18n/{phone.page.evaluate('document.documentElement.lang')}.json")
    phone.begin_game(rules=rules)
    phone.go("hand")
    return phone


def keep(phone: Phone, codes: str, seat: str, payer: str) -> None:
    phone.type_in(codes)
    phone.choose("seat", seat)
    phone.choose("payer", payer)
    phone.key("keep-later").tap()
    phone.page.wait_for_selector(".start")


def later(phone: Phone, sheet: str, **said: str) -> None:
    """Fill in a sheet of the game, by its choices, and keep it for later."""
    phone.go("game")
    phone.key(sheet).tap()
    for question, value in said.items():
        phone.choose(question.replace("_", "-"), value)
    if sheet == "payment":
        phone.at("#field-pay-amount").fill("5")
        phone.at("#field-pay-amount").press("Tab")
    phone.at('[data-key="keep-outcome"]:not([aria-disabled])').tap()
    phone.closed()


def back(phone: Phone, line: Cable) -> None:
    """The cable is mended, and the browser says so, as of a network that is back; without that the page tries again."""
    line.mend()
    phone.page.evaluate("() => dispatchEvent(new Event('online'))")


def test_the_key_that_keeps_a_hand_stands_below_the_words_and_the_other_key(ring: Ring) -> None:
    phone = ring(size=(360, 740))
    phone.allowed += CUT
    phone.begin_game()
    phone.go("hand")
    phone.context.set_offline(True)
    phone.lay(FIRST)
    phone.answer(seat="S", win="self_draw")
    key = phone.steady("[data-key=keep-later]")
    for part in ("small", ".go"):
        assert phone.steady(f"#bar .score-bar {part}")["bottom"] <= key["top"]
    tabs = phone.steady("[data-key=tab-to-hand]")
    assert key["bottom"] <= tabs["top"]


@pytest.mark.parametrize(
    ("locale", "width"), [("en-GB", 390), ("zh-CN", 360), ("zh-HK", 390), ("zh-TW", 360), ("ja-JP", 360)]
)
def test_what_is_said_of_a_failed_entry_hides_nothing(ring: Ring, locale: str, width: int) -> None:
    """The keys stand side by side, each in one line, on a bar that nothing shines through."""
    phone = ring(size=(width, 740), locale=locale)
    phone.allowed += CUT
    phone.begin_game(rules="riichi")
    phone.go("hand")
    phone.lay(FIRST)
    phone.answer(seat="S", win="self_draw")
    phone.settle()
    phone.page.route("**/hands", lambda route: route.abort())
    for screen in ("hand", "score"):
        if screen == "score":
            phone.press("bar", shows=".at-score")
        phone.at("[data-key=record]:not([aria-disabled])").tap()
        words, keep, again = (
            phone.steady(f"#bar {part}") for part in (".faults", "[data-key=keep-later]", "[data-key=record]")
        )
        assert words["bottom"] <= keep["top"] and keep["top"] == again["top"] and keep["height"] < 60, screen
        assert min(keep["left"], again["left"]) >= 0 and max(keep["right"], again["right"]) <= width, screen
        solid = "all => all.map((part) => getComputedStyle(part)).map((s) => s.backgroundImage + s.backgroundColor)"
        for look in phone.at("#bar > *").evaluate_all(solid):
            assert re.fullmatch(r"nonergb\(.*", look), (screen, look)


def test_hands_typed_without_the_host_are_entered_in_order_each_once(ring: Ring, server: Server, line: Cable) -> None:
    phone = at_table(ring, line, size=(320, 640))
    line.cut()
    keep(phone, FIRST, "S", "S")  # Bo draws: the deal passes to him
    assert "Waiting for the computer: 1" in phone.text(".queue")
    phone.reload()
    keep(phone, SECOND, "W", "S")  # Chiyo, from Bo
    phone.reload()
    assert phone.at(".queue li").count() == 2
    assert "Chiyo" in phone.text(".queue li:nth-child(2)") and "Bo" in phone.text(".queue li:nth-child(2)")

    # The host is there again, enters the first hand, and the cable breaks before it has told.
    line.lose = True
    line.mend()
    phone.until(lambda: not line.lose)
    assert len(ledger(server, phone)) == 1
    phone.reload()
    assert phone.at(".queue li").count() == 2, "nobody has told the phone"
    line.entry_first = True  # else the game itself may tell that the first hand is in it
    line.mend()
    phone.page.wait_for_selector(".queue", state="detached")
    assert line.entries >= 3, "the first hand was sent twice"

    hands = ledger(server, phone)
    assert [hand["wins"][0]["player"] for hand in hands] == [1, 2]
    second = hands[-1]["wins"][0]
    assert (second["seat"], second["from_player"]) == ("S", 1), "people stay, seats move"
    phone.go("game")
    assert phone.at(".hands > li").count() == 2


def test_what_another_tab_dropped_from_the_queue_is_not_entered(ring: Ring, server: Server, line: Cable) -> None:
    phone = at_table(ring, line)
    line.cut()
    keep(phone, FIRST, "S", "S")
    other = Phone(phone.context, line.url)
    other.at(".queue [data-key^=queue-drop-]").tap()
    other.at("dialog .danger").tap()
    other.page.wait_for_selector(".queue", state="detached")
    other.page.close()
    keep(phone, SECOND, "W", "S")
    back(phone, line)
    phone.page.wait_for_selector(".queue", state="detached")
    assert [hand["wins"][0]["player"] for hand in ledger(server, phone)] == [2]


def test_a_phone_without_room_for_another_hand_still_enters_it(ring: Ring, server: Server, line: Cable) -> None:
    phone = at_table(ring, line)
    line.cut()
    keep(phone, FIRST, "S", "S")
    phone.page.evaluate(
        "() => { Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') } }"
    )
    keep(phone, SECOND, "W", "S")
    assert phone.at(".queue li").count() == 2
    back(phone, line)
    phone.page.wait_for_selector(".queue", state="detached")
    assert [hand["wins"][0]["player"] for hand in ledger(server, phone)] == [1, 2]


def test_what_the_table_did_meanwhile_is_looked_at_first(ring: Ring, server: Server, line: Cable) -> None:
    phone = at_table(ring, line)
    line.cut()
    keep(phone, FIRST, "S", "S")
    keep(phone, SECOND, "W", "S")
    game_id = phone.remembered("game")["id"]
    with server.client() as client:
        assert record(client, game_id, {"outcome": "draw"}).status_code == 201
    back(phone, line)
    phone.at(".queue .caution").wait_for()
    assert len(ledger(server, phone)) == 1, "nothing is entered unseen"
    phone.at('[data-key^="queue-look-"]').first.tap()
    phone.page.wait_for_selector(".meanwhile")
    assert phone.at(".queue").count() == 0, "the other one waits behind it"
    phone.key("keep-mine").tap()
    phone.page.wait_for_selector("a.score-bar")
    phone.press("bar", "record")
    # The one behind it follows: its owner has looked at the table, and changed it himself since.
    phone.until(lambda: len(ledger(server, phone)) == 3)
    assert [hand["wins"][0]["player"] for hand in ledger(server, phone) if hand["wins"]] in ([1, 2], [2, 1])


def with_one_that_waits(ring: Ring, line: Cable) -> Phone:
    """A phone that is back and still keeps two hands: one that may not win, and the one behind it."""
    phone = at_table(ring, line)
    line.cut()
    keep(phone, NO_WIN, "S", "S")
    keep(phone, SECOND, "W", "S")
    back(phone, line)
    phone.at(".queue .caution").wait_for()
    return phone


def test_what_the_phone_has_heard_itself_is_looked_at_first(ring: Ring, server: Server, line: Cable) -> None:
    """It need not be told by a refusal: the hand behind one that was given up was queued at a table that is no more."""
    phone = with_one_that_waits(ring, line)
    phone.at('[data-key^="queue-look-"]').first.tap()
    with server.client() as client:
        assert record(client, phone.remembered("game")["id"], {"outcome": "draw"}).status_code == 201
    phone.page.wait_for_selector(".meanwhile")
    phone.key("discard-mine").tap()
    phone.at(".queue .caution").wait_for()
    assert [hand["outcome"] for hand in ledger(server, phone)] == ["draw"], "nothing is entered unseen"


def test_a_hand_that_may_not_win_waits_for_a_look(ring: Ring, server: Server, line: Cable) -> None:
    phone = with_one_that_waits(ring, line)
    assert ledger(server, phone) == []
    phone.at('[data-key^="queue-drop-"]').first.tap()
    phone.page.get_by_role("dialog").get_by_role("button", name="Discard").tap()
    phone.until(lambda: len(ledger(server, phone)) == 1)


def test_why_a_hand_waits_is_told_in_the_page_s_language_after_a_reload(ring: Ring, line: Cable) -> None:
    phone = at_table(ring, line, locale="ja-JP")
    line.cut()
    keep(phone, NO_WIN, "S", "S")
    back(phone, line)
    for _ in range(2):
        phone.at(".queue .caution").wait_for()
        assert not re.search("[a-z]{3,}", phone.text(".queue .caution"))
        phone.reload()


def test_what_needs_no_tiles_waits_in_the_same_line(ring: Ring, server: Server, line: Cable) -> None:
    """Two wins pass the deal on while nobody is there: the draw and the payments are those of the people named."""
    phone = at_table(ring, line, rules="riichi", size=(320, 640))
    line.cut()
    later(phone, "told", told_seat="S", told_payer="S", told_han="3", told_fu="40")  # Bo draws: he deals next
    phone.go("game")
    phone.key("draw").tap()
    phone.key("ready-W").tap()  # Chiyo, who will sit south then
    phone.key("keep-outcome").tap()
    phone.closed()
    later(phone, "payment", pay_from="N", pay_to="E")  # Dan to Mei
    phone.go("hand")
    keep(phone, FIRST, "W", "N")  # Chiyo from Dan
    # The cable breaks at the first answer, and the page is closed.
    line.lose = True
    line.mend()
    phone.until(lambda: not line.lose)
    phone.reload()
    assert phone.at(".queue li").count() == 4
    line.entry_first = True  # else the game itself may tell that the first hand is in it
    line.mend()
    phone.page.wait_for_selector(".queue", state="detached")
    hands = ledger(server, phone)
    assert [hand["outcome"] for hand in hands] == ["win", "draw", "payment", "win"]
    assert [hand["payments"] for hand in hands[:3]] == [
        [-2600, 5200, -1300, -1300],
        [-1000, -1000, 3000, -1000],
        [5, 0, 0, -5],
    ]
    assert (hands[3]["wins"][0]["player"], hands[3]["wins"][0]["from_player"]) == (2, 3)
    assert line.entries >= 5, "the first was sent twice"


def test_a_hand_whose_answer_was_lost_is_kept_and_entered_once(ring: Ring, server: Server, line: Cable) -> None:
    phone = at_table(ring, line)
    phone.type_in(FIRST)
    phone.show_score()
    line.lose = True
    phone.key("record").tap()
    phone.key("keep-later").tap()
    phone.page.wait_for_selector(".start")
    assert len(ledger(server, phone)) == 1
    assert phone.at(".queue li").count() == 1, "nobody has told the phone"
    keep(phone, SECOND, "W", "S")
    line.mend()
    phone.page.wait_for_selector(".queue", state="detached")
    assert [hand["wins"][0]["player"] for hand in ledger(server, phone)] == [1, 2]


def test_a_payment_that_the_table_overtook_is_looked_at(ring: Ring, server: Server, line: Cable, axe: str) -> None:
    """Another phone entered a win: the names in the sheet stand where they sit now, and what waits behind follows."""
    phone = at_table(ring, line)
    line.cut()
    phone.go("game")
    phone.key("payment").tap()
    phone.at("#field-pay-amount").fill("7")
    phone.choose("pay-from", "N")
    phone.choose("pay-to", "S")  # Dan to Bo
    phone.key("keep-outcome").tap()
    phone.closed()
    later(phone, "payment", pay_from="W", pay_to="E")  # Chiyo to Mei
    game_id = phone.remembered("game")["id"]
    with server.client() as client:
        win = {"result": {"value": 3}, "context": {"seat": "S", "win": "self_draw"}}
        assert record(client, game_id, {"outcome": "win", "wins": [win]}).status_code == 201
    back(phone, line)
    phone.at(".queue .caution").wait_for()
    assert len(ledger(server, phone)) == 1, "nothing is entered unseen"
    phone.at('[data-key^="queue-look-"]').first.tap()
    assert not findings(phone, axe)
    phone.key("looked").tap()
    assert phone.at("input[data-key='pay-from=W']").is_checked(), "Dan sits west now"
    phone.key("outcome").tap()
    phone.closed()
    phone.page.wait_for_selector(".queue", state="detached")
    assert [hand["payments"] for hand in ledger(server, phone)[1:]] == [[0, 7, 0, -7], [5, 0, -5, 0]]


def test_what_a_sheet_comes_to_is_asked_again_when_the_host_is_back(ring: Ring, server: Server, line: Cable) -> None:
    phone = at_table(ring, line)
    line.cut()
    phone.go("game")
    phone.key("false-win").tap()
    phone.choose("offender", "S")
    phone.key("preview-again").wait_for()
    assert phone.key("outcome").get_attribute("aria-disabled") == "true", "nothing is booked unseen"
    back(phone, line)
    phone.key("preview-again").tap()
    phone.page.wait_for_selector("dialog .net td")
    assert phone.key("preview-again").count() == 0
    phone.key("outcome").tap()
    phone.closed()
    assert [hand["outcome"] for hand in ledger(server, phone)] == ["false_win"]


def test_without_a_game_hands_wait_to_be_scored(ring: Ring, line: Cable, axe: str) -> None:
    phone = ring(url=line.url, size=(320, 640))
    phone.allowed += CUT
    phone.page.wait_for_function("() => inside.about")
    line.cut()
    keep(phone, FIRST, "S", "S")
    assert not findings(phone, axe)
    back(phone, line)
    phone.at('[data-key^="queue-look-"]').focus()
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#bar .amounts")
    assert phone.remembered("queue") is None
