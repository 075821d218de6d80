"""Chinese official rules on the page: a knitted hand, the circumstance that these rules alone ask about."""

from __future__ import annotations

import pytest

from scripts.browser.phone import Phone

pytestmark = pytest.mark.slow

KNITTED = "1m 4m 7m 2p 5p 8p 3s 6s 9s 2p 3p 5z 5z 4p"


def test_a_knitted_hand_and_the_last_of_its_kind(phone: Phone) -> None:
    phone.go("rules")
    phone.choose("rules", "mcr")
    phone.go("hand")
    phone.lay(KNITTED)
    phone.answer(seat="S", win="discard")
    answer = phone.score()["answer"]
    assert {e["id"]: e["value"] for e in answer["elements"]} == {"knitted_straight": 12, "concealed_hand": 2}
    assert [unit["type"] for unit in answer["arrangement"]] == ["knitted", "chow", "pair"]
    phone.key("chip-last_of_kind").click()
    answer = phone.score()["answer"]
    assert answer["total"]["value"] == 18
    phone.key("bar").click()
    phone.page.wait_for_selector(".at-score")
    assert "Last Tile" in phone.text("main")
