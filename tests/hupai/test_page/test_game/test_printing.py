"""What comes out of a printer: the rules, a game's hands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx

from scoring.rules import systems
from tests.hupai.serving import record
from tests.hupai.test_page.conftest import Ring

if TYPE_CHECKING:
    from playwright.sync_api import Page


def printed(page: Page) -> tuple[str, int]:
    """The text on paper and the number of A4 pages."""
    page.emulate_media(media="print")
    text = page.inner_text("body")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(36, 33, 27)", "ink on white"
    page.emulate_media(media="null")
    return text, len(re.findall(rb"/Type /Page\b", page.pdf(format="A4")))


def test_the_rules_of_a_house(ring: Ring) -> None:
    phone = ring(color_scheme="dark", path='/#house=singapore&options={"values":{"all_green":4}}')
    phone.key("preset-take").click()
    phone.go("rules")
    phone.page.wait_for_function("() => inside.about")  # and with it the rules
    text, pages = printed(phone.page)
    assert pages == 2
    singapore = systems()["singapore"]
    assert [e.id for e in singapore.elements if f"{e.name} {e.native}\n\n{e.condition}" not in text] == []
    all_green = next(e for e in singapore.elements if e.id == "all_green")
    assert re.search(rf"{re.escape(all_green.condition)}\s+4\s+listed: 10\b", text)
    for pressed in ("Save", "Change values", "Back to the defaults", "Riichi", "Print"):
        assert pressed not in text


def test_the_hands_of_a_game(ring: Ring) -> None:
    phone = ring()
    phone.begin_game()
    game = phone.page.evaluate("inside.game.id")
    with httpx.Client(base_url=f"{phone.url}/api/v1") as client:
        for amount in (8, 16):
            moved = {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": amount}]}
            assert record(client, game, moved).status_code == 201
    phone.open(f"/#join={game}")
    phone.page.wait_for_selector(".hands > li:nth-child(2)")
    text, pages = printed(phone.page)
    assert pages == 1
    assert re.search(r"Mei\W*East\W*−24", text)
    assert "2 hands\n2\nPayment\nMei\n−16\nBo\n+16\n" in text
    assert "Hong Kong · begun" in text
    assert not re.search("Undo|Draw|Let others|CSV", text)
