"""Results without tiles: who pays whom for "3 han 40 fu" or "5 faan", and into the ledger like any hand."""

from __future__ import annotations

import pytest

from scripts.browser.phone import Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_game_end import amend, game

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
    assert "3 han 40 fu" in phone.text(".hands li")
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


def test_only_fu_that_such_a_win_has_are_offered(phone: Phone) -> None:
    phone.use_rules("riichi")
    phone.key("told").tap()
    phone.choose("told-seat", "S")
    for payer, han, least in (("W", "1", 30), ("W", "2", 25), ("S", "2", 20), ("S", "3", 20)):
        phone.choose("told-payer", payer)
        phone.choose("told-han", han)
        offered = phone.at('input[name="told-fu"]').evaluate_all("all => all.map((one) => one.dataset.key)")
        assert offered[0] == f"told-fu={least}"
        assert ("told-fu=25" in offered) is ((payer, han) in (("W", "2"), ("S", "3")))  # seven pairs, drawn one more


def test_yakuman_by_keyboard_alone(phone: Phone) -> None:
    phone.use_rules("riichi")
    phone.key("told").focus()
    phone.page.keyboard.press("Enter")
    phone.at('input[name="told-seat"]').first.focus()
    phone.page.keyboard.press("Space")  # East
    phone.page.wait_for_selector('input[name="told-payer"]', state="attached")
    phone.page.keyboard.press("Tab")
    phone.page.keyboard.press("Space")  # Self-draw: the first of the payers is the winner himself
    phone.page.keyboard.press("Tab")
    phone.page.keyboard.press("ArrowUp")  # the last: yakuman
    assert amounts(phone) == ["+48,000", "−16,000", "−16,000", "−16,000"]


@pytest.mark.parametrize(
    ("rules", "value", "shown"),
    [
        ("hongkong", "5", "5 faan"),
        ("mcr", "8", "8 points"),
    ],
)
def test_without_a_game_it_says_who_pays_whom(phone: Phone, axe: str, rules: str, value: str, shown: str) -> None:
    phone.use_rules(rules)
    phone.key("told").tap()
    phone.choose("told-seat", "E")
    phone.choose("told-payer", "S")
    phone.at("#field-told-value").fill(value)
    paid = [float(text.replace(",", "").replace("−", "-")) for text in amounts(phone)]
    assert paid[0] > 0 > paid[1] and sum(paid) == 0
    assert shown in phone.text("dialog .told")
    phone.page.evaluate(axe)
    assert phone.page.evaluate("async () => (await axe.run('dialog')).violations.map((v) => v.id)") == []


def test_what_may_not_win_is_said(phone: Phone) -> None:
    phone.use_rules("mcr")
    phone.key("told").tap()
    phone.choose("told-seat", "E")
    phone.choose("told-payer", "E")
    phone.at("#field-told-value").fill("7")
    phone.at("#faults-told").wait_for()
    assert "needed" in phone.text("#faults-told")
    phone.at("#field-told-value").fill("five")
    assert "who won, who paid" in phone.text("dialog .told")
