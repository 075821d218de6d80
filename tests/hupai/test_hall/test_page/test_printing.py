"""What comes out of the director's printer: a tournament's standings and seating."""

from __future__ import annotations

import re

from tests.hupai.serving import Server, record
from tests.hupai.test_hall.desk import Desk
from tests.hupai.test_page.test_game.test_printing import printed


def test_standings_and_the_seating_of_every_round(desk: Desk) -> None:
    names = _two_rounds(desk.server)
    board = desk.direct()
    board.wait_for_selector(".round-tables")
    text, pages = printed(board)
    assert pages == 2
    assert board.locator(".standings").count() == 1 and "Standings after\n" in text
    assert all(text.count(name) == 3 for name in names), "in the standings and in each round"
    assert text.count("Table 1 hands: 0") == 1 and text.count("Table 1 hands: 1") == 1
    assert not re.search("Tournament board|Leave|Seat round|Clock|Tokens|csv", text)


def test_result_slips_of_a_round_when_the_network_is_gone(desk: Desk) -> None:
    names = _two_rounds(desk.server)
    board = desk.direct()
    board.wait_for_selector(".round-tables")
    # Where no printer is, printing is over at once: what is on paper stays until the test has read it.
    board.evaluate("addEventListener('afterprint', (event) => window.read ?? event.stopImmediatePropagation())")
    board.context.set_offline(True)
    board.click('[data-key="slips-2"]')
    text, pages = printed(board)
    assert pages == 1
    assert [text.count(f"Table {n} Round 2 · Winter Cup") for n in range(1, 5)] == [1] * 4
    assert all(text.count(name) == 1 for name in names) and text.count("Signature") == 4
    assert "Standings" not in text and "Before the next round" not in text
    board.evaluate("window.read = true, dispatchEvent(new Event('afterprint'))")
    assert board.locator(".slip").count() == 0 and "Standings after" in printed(board)[0]


def test_the_report_of_a_tournament(desk: Desk) -> None:
    names = _two_rounds(desk.server)
    page = desk.open("report.html")
    text, pages = printed(page)
    assert pages == 2
    assert all(text.count(name) == 2 for name in names), "in the standings and the figures"
    for title in ("Winter Cup", "Report", "Player statistics", "Chombo", "None."):
        assert title in text
    assert "Print" not in text and "Best hands" not in text


def _two_rounds(server: Server) -> list[str]:
    """The names of sixteen players of a tournament, seated twice."""
    names = [f"Player {letter}" for letter in "ABCDEFGHIJKLMNOP"]
    with server.client() as client:
        client.post("/director", json={"code": "chief"})
        cup = {"name": "Winter Cup", "rules": "riichi", "players": [{"name": name} for name in names]}
        made = client.post("/tournaments", json=cup).json()["id"]
        for number in (1, 2):
            reply = client.post(f"/tournaments/{made}/rounds", json={"round": number, "over_unfinished": True})
            assert reply.status_code == 201, reply.text
            for table in reply.json()["rounds"][-1]["tables"] if number == 1 else ():
                moved = {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": 8000}]}
                assert record(client, table["game_id"], moved).status_code == 201
    return names
