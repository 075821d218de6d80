"""Taiwanese rules on the page: hands of seventeen tiles, five melds, what these rules alone ask."""

from __future__ import annotations

import pytest

from scripts.browser.phone import Phone

pytestmark = pytest.mark.slow

CLOSED = "1m 2m 3m 4m 5m 6m 7p 8p 9p 3p 4p 5p 6s 7s 9s 9s 8s"


def test_a_hand_of_seventeen_tiles_and_the_dealers_streak(phone: Phone) -> None:
    phone.go("rules")
    phone.choose("rules", "taiwanese")
    phone.go("hand")
    phone.lay(CLOSED)
    phone.answer(seat="S", win="discard")
    answer = phone.score()["answer"]
    assert {e["id"]: e["value"] for e in answer["elements"]} == {"all_chows": 2, "concealed_hand": 1}
    assert [unit["type"] for unit in answer["arrangement"]] == ["chow"] * 5 + ["pair"]
    phone.key("chip-earthly_ready").click()
    answer = phone.score()["answer"]
    assert {e["id"]: e["value"] for e in answer["elements"]} == {"earthly_ready": 4, "all_chows": 2}
    phone.key("bar").click()
    phone.page.wait_for_selector(".at-score")
    assert "6 tai" in phone.text("main")
    assert not phone.key("all").count(), "no other rules score hands of five sets"


def test_the_page_counts_to_sixteen_and_back_when_the_rules_change(phone: Phone) -> None:
    phone.go("rules")
    phone.choose("rules", "taiwanese")
    phone.go("hand")
    phone.lay("1m 2m 3m")
    assert "3/16" in phone.text("main")
    phone.go("rules")
    phone.choose("rules", "hongkong")
    phone.go("hand")
    assert "3/13" in phone.text("main")
