"""Typed hands wait for the host: entered in order, each once, for the people who were named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.hupai.serving import Server, record
from tests.hupai.test_page.cable import Cable, cable
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.phone import Phone

FIRST = "1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 4p"
SECOND = "1p 2p 3p 4p 5p 6p 7p 8p 9p 2s 3s 7z 7z 4s"
NO_WIN = "1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 6s 4p"
CUT = ["Failed to load resource", "ERR_"]


@pytest.fixture
def line(server: Server) -> Iterator[Cable]:
    with cable(server.url) as it:
        yield it


def at_table(ring: Ring, line: Cable, **context: Any) -> Phone:
    """A phone that knows the page by heart, at a game."""
    phone = ring(url=line.url, service_workers="allow", **context)
    phone.allowed += CUT
    phone.page.wait_for_function("() => navigator.serviceWorker.controller && inside.about")
    phone.page.wait_for_function(
        "async () => (await (await caches.open('hupai')).keys()).some(({ url }) => url.includes('/i18n/en.json'))"
    )
    phone.begin_game()
    phone.go("hand")
    return phone


def keep(phone: Phone, codes: str, seat: str, payer: str) -> None:
    phone.type_in(codes)
    phone.choose("seat", seat)
    phone.choose("payer", payer)
    phone.key("keep-later").tap()
    phone.page.wait_for_selector(".start")


def ledger(server: Server, phone: Phone) -> list[dict[str, Any]]:
    game = phone.remembered("game")["id"]
    hands: list[dict[str, Any]] = httpx.get(f"{server.api}/games/{game}").json()["hands"]
    return hands


def test_hands_typed_without_the_host_are_entered_in_order_each_once(ring: Ring, server: Server, line: Cable) -> None:
    phone = at_table(ring, line, size=(320, 640))
    line.cut()
    keep(phone, FIRST, "S", "S")  # Bo draws: the deal passes to him
    assert "One hand waits" in phone.text(".queue")
    phone.reload()
    keep(phone, SECOND, "W", "S")  # Chiyo, from Bo
    phone.reload()
    assert phone.at(".queue li").count() == 2
    assert "Chiyo" in phone.text(".queue li:nth-child(2)") and "Bo" in phone.text(".queue li:nth-child(2)")
    assert "West" not in phone.text(".queue li:nth-child(2)"), "the winds will have moved"

    # The host is there again, enters the first hand, and the cable breaks before it has told.
    line.lose = True
    line.mend()
    phone.until(lambda: not line.lose)
    assert len(ledger(server, phone)) == 1
    phone.reload()
    assert phone.at(".queue li").count() == 2, "nobody has told the phone"
    line.mend()
    phone.page.wait_for_selector(".queue", state="detached")
    assert line.entries >= 3, "the first hand was sent twice"

    hands = ledger(server, phone)
    assert [hand["wins"][0]["player"] for hand in sorted(hands, key=lambda hand: hand["number"])] == [1, 2]
    second = max(hands, key=lambda hand: hand["number"])["wins"][0]
    assert (second["seat"], second["from_player"]) == ("S", 1), "people stay, seats move"
    phone.go("game")
    assert phone.at(".hands > li").count() == 2


def test_what_the_table_did_meanwhile_is_looked_at_first(ring: Ring, server: Server, line: Cable) -> None:
    phone = at_table(ring, line)
    line.cut()
    keep(phone, FIRST, "S", "S")
    keep(phone, SECOND, "W", "S")
    game = phone.remembered("game")["id"]
    with server.client() as client:
        assert record(client, game, {"outcome": "draw"}).status_code == 201
    line.mend()
    phone.at(".queue .caution").wait_for()
    assert "Another phone changed the table" in phone.text(".queue .caution")
    assert len(ledger(server, phone)) == 1, "nothing is entered unseen"
    phone.at('[data-key^="queue-look-"]').first.tap()
    phone.page.wait_for_selector(".meanwhile")
    assert phone.at(".queue").count() == 0, "the other one waits behind it"
    phone.key("keep-mine").tap()
    phone.page.wait_for_selector("a.score-bar")
    phone.key("bar").click()
    phone.key("record").click()
    # The one behind it follows: its owner has looked at the table, and changed it himself since.
    phone.until(lambda: len(ledger(server, phone)) == 3)
    assert [hand["wins"][0]["player"] for hand in ledger(server, phone) if hand["wins"]] in ([1, 2], [2, 1])


def test_a_hand_that_may_not_win_waits_for_a_look(ring: Ring, server: Server, line: Cable) -> None:
    phone = at_table(ring, line)
    line.cut()
    keep(phone, NO_WIN, "S", "S")
    keep(phone, SECOND, "W", "S")
    line.mend()
    phone.at(".queue .caution").wait_for()
    assert ledger(server, phone) == []
    phone.at('[data-key^="queue-drop-"]').first.tap()
    phone.page.get_by_role("dialog").get_by_role("button", name="Drop it").tap()
    phone.until(lambda: len(ledger(server, phone)) == 1)


def test_without_a_game_hands_wait_to_be_scored(ring: Ring, line: Cable, axe: str) -> None:
    phone = ring(url=line.url, size=(320, 640))
    phone.allowed += CUT
    phone.page.wait_for_function("() => inside.about")
    line.cut()
    keep(phone, FIRST, "S", "S")
    phone.page.evaluate(axe)
    found = phone.page.evaluate("async () => (await axe.run()).violations.map((v) => v.id)")
    assert found == []
    line.mend()
    phone.at('[data-key^="queue-look-"]').focus()
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#bar .amounts")
    assert phone.remembered("queue") is None
