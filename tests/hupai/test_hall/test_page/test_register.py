"""Two phones register by a tournament's QR code, and its director lets one in and declines the other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.hupai.browsing import expect
from tests.hupai.test_hall.desk import begin_cup, director_desk, explain

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page


def state(phone: Page) -> Locator:
    """What the phone says of its registration."""
    return phone.locator("main").get_by_role("status")


def test_players_register_and_the_director_answers(browser: Browser, tmp_path: Path) -> None:
    with director_desk(browser, tmp_path, access_code="sesame") as desk:
        desk.allowed += ["401", "409"]
        board = desk.direct()
        begin_cup(board, "Cy\nDi", "Winter Cup")
        board.click('summary[data-key="tokens"]')
        board.select_option("#select-token-role", label="register for Winter Cup")
        board.fill("#field-token-name", "Poster")
        board.click('[data-key="make-token"]')
        address = board.locator("dialog .token").inner_text()
        board.keyboard.press("Escape")
        path = f"register.html{address[address.index('#') :]}"
        ann, bo = (desk.open(path) for _ in range(2))
        for phone, name in ((ann, "Ann"), (bo, "ann")):
            phone.set_viewport_size({"width": 390, "height": 844})
            expect(phone.locator("h1")).to_have_text("Register for Winter Cup")
            phone.fill("#field-name", name)
            phone.get_by_role("button", name="Register").click()
        expect(state(ann)).to_contain_text("Ann is registered and waits")
        expect(bo.locator("#said")).to_contain_text("There is a player 'ann' already")
        bo.fill("#field-name", "Bo")
        bo.fill("#field-club", "Oak")
        bo.get_by_role("button", name="Register").click()
        expect(state(bo)).to_contain_text("Bo is registered and waits")
        expect(bo.locator("#said")).to_be_empty()
        ann.reload()
        expect(state(ann)).to_contain_text("Ann is registered and waits")
        board.reload()
        sheet = board.get_by_role("region", name="Before the next round")
        expect(sheet.locator("li")).to_have_count(2)
        expect(sheet.locator("li").last).to_contain_text("Bo, Oak wants to play")
        sheet.get_by_role("button", name="Decline").last.click()
        explain(board, "Decline", "The hall is full.")
        expect(sheet.locator("li")).to_have_count(1)
        sheet.get_by_role("button", name="Let in").click()
        expect(sheet.locator("li")).to_have_count(0)
        expect(sheet).to_contain_text("players added · Ann")
        expect(state(ann)).to_contain_text("Ann is confirmed and plays.")
        expect(state(bo)).to_contain_text("Bo’s registration was declined. The hall is full.")
        board.click('summary[data-key^="players-"]')
        expect(board.locator(".people li").filter(has_text="3. Ann")).to_have_count(1)
        bo.get_by_role("button", name="Register").click()
        expect(state(bo)).to_contain_text("Bo is registered and waits")
        sheet.get_by_role("button", name="Let in").click()
        expect(state(bo)).to_contain_text("Bo is confirmed and plays.")
        for page in (board, ann, bo):
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
