"""Live hands in a browser: the overlay draws what cameras send, and the director's card decides who is seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.hupai.browsing import expect
from tests.hupai.test_hall.desk import Desk
from tests.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Page

READY = {"state": "hand", "row": ["8s", "7s", "4p", "0p", "6p", "2m", "3m", "4m", "3s", "3s", "5m", "6m", "7m"]}
CALLED = {
    "state": "covered",
    "row": ["3s", "4s", "2p", "2p", "9m", "1z", "5z"],
    "drawn": "9m",
    "melds": [["6s"] * 3, ["7z"] * 3],
}
WIDTH = 1920


@dataclass
class Table:
    """A table of an event, seen by the director and by the cameras of its seats."""

    desk: Desk
    chief: httpx.Client
    cup: str

    def post(self, path: str, **body: Any) -> Any:
        return self.chief.post(path, json=body).raise_for_status().json()

    def shows(self, seat: str, view: Any) -> int:
        return self.chief.put(f"/live/A/{seat}", json=view).status_code

    def consents(self, seat: str, *, given: bool = True) -> None:
        self.post(f"{self.cup}/live/consent", table="A", seat=seat, given=given)

    def overlay(self, token: str, more: str = "") -> Page:
        page = self.desk.open(f"overlay.html?show=live&table=A{more}#code={token}")
        page.set_viewport_size({"width": WIDTH, "height": 1080})
        return page


@pytest.fixture
def table(desk: Desk) -> Any:
    with desk.server.client(headers={"X-Hupai-Director": "chief"}) as chief:
        players = [{"name": f"{name} of twenty letters"[:20]} for name in ("Ann", "Bo", "Cy", "Di")]
        made = chief.post("/tournaments", json={"name": "Cup", "rules": "riichi", "players": players}).json()
        table = Table(desk, chief, f"/tournaments/{made['id']}")
        table.post(f"{table.cup}/rounds", tables=["A"])
        yield table


def test_the_overlay_draws_each_hand_with_its_waits(table: Table) -> None:
    table.post(f"{table.cup}/live/delay", seconds=0)
    for seat in "ES":
        table.consents(seat)
    token = table.post("/tokens", name="Stream", role="overlay", live=True)["token"]
    all_four, south = table.overlay(token), table.overlay(token, "&seat=S&coach=1")
    assert [table.shows("E", READY), table.shows("S", CALLED), table.shows("W", READY)] == [204, 204, 403]
    hands = all_four.locator(".hands > li")
    expect(hands).to_have_count(2)
    row = hands.first.locator(".laid-group.concealed .tile")
    codes = row.evaluate_all("all => all.map((one) => one.dataset.code).join(' ')")
    assert codes == "2m 3m 4m 5m 6m 7m 4p 0p 6p 3s 3s 7s 8s"
    expect(hands.first.locator(".state")).to_have_text("Ready")
    expect(hands.first.locator(".waits li")).to_have_text(["× 1+5,800Riichi: +11,600", "× 4+2,900Riichi: +5,800"])
    expect(hands.last.locator(".drawn .tile")).to_have_count(1)
    expect(hands.last.locator(".meld")).to_have_count(2)
    expect(hands.last).to_have_attribute("data-state", "covered")
    expect(all_four.locator(".discards")).to_have_count(0)
    expect(south.locator(".hands > li")).to_have_count(1)
    expect(south.locator(".discards li").first).to_contain_text("Discard")
    expect(all_four.locator(".live > p")).to_contain_text("discards are not seen")
    whole, small = all_four.evaluate(
        """() => [[...document.querySelectorAll('.name')].every((one) => one.scrollWidth <= one.clientWidth),
          Math.min(...[...document.querySelectorAll('.scene :not(.tile, .tile *)')]
            .map((one) => parseFloat(getComputedStyle(one).fontSize)))]"""
    )
    assert whole and small >= 36
    table.consents("S", given=False)
    expect(hands).to_have_count(1)
    expect(south.locator(".scene")).to_have_count(0)


def test_an_overlay_without_a_token_for_it_says_so(table: Table) -> None:
    table.desk.allowed.append("403")
    token = table.post("/tokens", name="Stream", role="overlay")["token"]
    page = table.desk.server.url + f"/overlay.html?show=live&table=A#code={token}"
    other = table.desk.browser.new_page()
    other.goto(page)
    expect(other.locator(".trouble")).to_contain_text("no token for live hands")
    other.context.close()


def test_the_director_decides_on_his_card(table: Table) -> None:
    board = table.desk.direct()
    board.click('summary[data-key^="live-"]')
    assert table.shows("E", READY) == 403
    board.locator('[data-key="live-A-E"]').check(force=True)
    expect(board.locator(".live-seats li").first).to_contain_text("director")
    assert table.shows("E", READY) == 204
    board.fill("#field-live-delay", "20")
    board.click('button[data-key="live-delay"]')
    assert until(lambda: table.chief.get(table.cup).json()["live"]["delay"] == 20)
    board.click('[data-key="live-camera-A"]')
    token = board.get_by_role("dialog").locator('[data-key="token"]').inner_text()
    camera = {"X-Hupai-Code": token}
    assert httpx.put(f"{table.desk.server.api}/live/A/E", json=READY, headers=camera).status_code == 204
    board.get_by_role("dialog").get_by_role("button", name="Close").click()
    board.click('[data-key="live-overlay"]')
    address = board.get_by_role("dialog").locator('[data-key="stream-address"]').inner_text()
    assert "show=live&table=A" in address and "code=hupai-" in address
    board.get_by_role("dialog").get_by_role("button", name="Close").click()
    board.locator('[data-key="live-A-E"]').uncheck(force=True)
    expect(board.locator(".live-seats small")).to_have_count(0)
    assert table.shows("E", READY) == 403
