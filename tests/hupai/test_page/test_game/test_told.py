"""Results without tiles: who pays whom for "3 han 40 fu" or "5 faan", and into the ledger like any hand."""

from __future__ import annotations

from scripts.browser.phone import Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_game.test_game_end import amend, game
from tests.hupai.test_page.test_whole.test_accessible import findings

NET = "dialog .net td"


def amounts(phone: Phone) -> list[str]:
    phone.page.wait_for_selector(NET)
    return phone.at(NET).all_inner_texts()


def test_han_and_fu_go_into_the_ledger_and_are_corrected(ring: Ring, server: Server) -> None:
    phone = ring(size=(320, 640))
    phone.begin_game(rules="riichi")
    phone.key("told").tap()
    assert phone.key("outcome").get_attribute("aria-disabled") == "true"
    phone.choose("told-seat", "S")
    phone.choose("told-payer", "W")
    phone.choose("told-han", "3")
    phone.choose("told-fu", "40")
    assert amounts(phone) == ["0", "+5,200", "−5,200", "0"]
    phone.key("told-riichi-S").tap()
    phone.page.wait_for_selector(f"{NET}:has-text('+5,200')")  # his own stick comes back to him
    phone.page.wait_for_selector('[data-key="outcome"]:not([aria-disabled])')
    phone.key("outcome").tap()
    phone.closed()
    [hand] = game(server, phone)["hands"]
    assert (hand["outcome"], hand["payments"], hand["wins"][0]["elements"]) == ("win", [0, 5200, -5200, 0], [])

    # It was four han: the form opens as it was filled in, and the later state follows.
    phone.key("correct-1").tap()
    assert phone.at('input[data-key="told-han=3"]').is_checked()
    phone.choose("told-han", "4")
    phone.page.wait_for_selector(f"{NET}:has-text('+8,000')")
    amend(phone, "Bo")
    phone.closed()
    assert game(server, phone)["hands"][0]["payments"] == [0, 8000, -8000, 0]


def test_without_a_game_it_says_who_pays_whom(phone: Phone, axe: str) -> None:
    phone.key("told").tap()
    phone.choose("told-seat", "E")
    phone.choose("told-payer", "S")
    phone.at("#field-told-value").fill("5")
    paid = [float(text.replace(",", "").replace("−", "-")) for text in amounts(phone)]
    assert paid[0] > 0 > paid[1] and sum(paid) == 0
    assert not findings(phone, axe)


def test_what_may_not_win_is_said(phone: Phone) -> None:
    phone.use_rules("mcr")
    phone.key("told").tap()
    phone.choose("told-seat", "E")
    phone.choose("told-payer", "E")
    phone.at("#field-told-value").fill("7")
    phone.at("#faults-told").wait_for()
