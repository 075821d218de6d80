"""Two taps to the money: after the photo who won and who paid, and everybody's amount stands there."""

from __future__ import annotations

import pytest

from scripts.browser.phone import EXAMPLES, HAND, Phone

PHOTOS = {"riichi": EXAMPLES / "hand-riichi.jpg", "taiwanese": EXAMPLES / "hand-taiwanese.jpg"}
COUNT = "window.taps = 0; addEventListener('pointerup', (e) => { if (e.isTrusted) window.taps += 1 }, true)"


class Counted:
    """A phone whose taps are counted from the photo on; taking the photo is the first."""

    def __init__(self, phone: Phone, rules: str) -> None:
        self.phone = phone
        phone.use_rules(rules)
        phone.page.evaluate(COUNT)

    def tap(self, key: str) -> None:
        found = self.phone.at(f'label:has(> [data-key="{key}"]), button[data-key="{key}"]')
        found.tap()

    @property
    def taps(self) -> int:
        found = self.phone.page.evaluate("window.taps")
        assert isinstance(found, int)
        return found + 1


def amounts(phone: Phone) -> list[str]:
    """What stands in the bar under the thumb."""
    phone.page.wait_for_selector("#bar .amounts")
    return phone.at("#bar .amounts b").all_inner_texts()


@pytest.mark.parametrize(
    ("rules", "payer"),
    [
        *((rules, "S") for rules in ("hongkong", "zungjung", "hangzhou", "singapore", "riichi", "mcr", "taiwanese")),
        *((rules, "W") for rules in ("hongkong", "zungjung", "singapore", "riichi", "mcr", "taiwanese")),
    ],
)
def test_photo_to_payment_takes_three_taps(phone: Phone, rules: str, payer: str) -> None:
    """By self-draw, and on a discard, which a first hand of Hangzhou does not win."""
    counted = Counted(phone, rules)
    phone.photograph(PHOTOS.get(rules, HAND))
    counted.tap("seat=S")
    counted.tap(f"payer={payer}")
    assert counted.taps <= 3
    shown = amounts(phone)
    answer = phone.score()["answer"]
    assert answer["legal"], answer
    assert [text.replace(",", "").replace("−", "-") for text in shown] == [
        f"{answer['payments'][seat]:+d}" if answer["payments"][seat] else "0" for seat in "ESWN"
    ]


def test_photo_to_ledger_takes_four_taps(phone: Phone) -> None:
    phone.begin_game()
    phone.go("hand")
    phone.page.evaluate(COUNT)
    phone.photograph(HAND)
    for key in ("seat=S", "payer=W"):
        phone.at(f'label:has(> [data-key="{key}"])').tap()
    amounts(phone)
    phone.at("[data-key=record]:not([aria-disabled])").tap()
    phone.page.wait_for_selector(".at-game .hands li")
    assert phone.page.evaluate("window.taps") + 1 == 4


def test_riichi_with_ura_takes_six(phone: Phone) -> None:
    counted = Counted(phone, "riichi")
    phone.photograph(HAND)
    counted.tap("seat=S")
    counted.tap("payer=W")
    counted.tap("chip-riichi")
    counted.tap("add-ura")
    counted.tap("key-1m")
    phone.closed()
    assert counted.taps <= 6
    amounts(phone)
    assert phone.codes("ura") == ["1m"]
    assert "riichi" in {e["id"] for e in phone.score()["answer"]["elements"]}
