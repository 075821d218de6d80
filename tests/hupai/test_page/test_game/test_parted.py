"""Two phones that went on with one game apart: what a file of it has otherwise, and which is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_game.test_game_end import game, pays
from tests.hupai.test_page.test_whole.test_accessible import findings, sideways

PEOPLE = ("Iris", "Jon", "Kei", "Lou")


def test_what_both_have_is_shown_and_one_tap_keeps_it(ring: Ring, server: Server, tmp_path: Path, axe: str) -> None:
    phone = ring(size=(360, 640))
    phone.allowed += ["Failed to load resource"]  # 409
    phone.begin_game(PEOPLE, points="100")
    pays(server, phone, "E", "S", 1)
    here = f"{server.api}/games/{game(server, phone)['id']}"
    older = httpx.get(f"{here}/export.json").content
    pays(server, phone, "E", "S", 8)
    newer, file = game(server, phone), tmp_path / "game.json"
    file.write_bytes(httpx.get(f"{here}/export.json").content)

    def go_on_otherwise() -> dict[str, Any]:
        phone.key("leave").click()
        httpx.delete(here, params={"revision": 2}).raise_for_status()
        httpx.post(f"{server.api}/games/import", files={"game": older}).raise_for_status()
        phone.open(f"/#join={newer['id']}")
        phone.page.wait_for_function("() => inside.game?.revision === 1")
        pays(server, phone, "W", "N", 5)
        return game(server, phone)

    def offer() -> list[list[str]]:
        if phone.key("leave").count():
            phone.key("leave").click()
        phone.key("import").set_input_files(file)
        phone.key("parted-both").wait_for()
        return [row.split() for row in phone.at(".parted tbody tr").all_inner_texts()]

    mine = go_on_otherwise()
    rows = offer()
    assert [row[0] for row in rows] == ["2", *PEOPLE]
    assert "+5" in rows[0] and "+8" in rows[0]
    assert [row[1:] for row in rows[1:]] == [["99", "91"], ["101", "109"], ["95", "100"], ["105", "100"]]
    assert sideways(phone) == 0 and not findings(phone, axe)
    phone.key("parted-here").click()
    phone.closed()
    assert httpx.get(here).json() == mine

    offer()
    phone.key("parted-file").click()
    phone.page.wait_for_selector(".places")
    assert phone.totals()["Jon"] == "109"
    assert httpx.get(here).json()["hands"] == newer["hands"]

    mine = go_on_otherwise()
    offer()
    phone.key("parted-both").click()
    phone.page.wait_for_selector(".places")
    other = phone.remembered("game")["id"]
    assert phone.totals()["Jon"] == "109" and other != mine["id"] and httpx.get(here).json() == mine
    phone.key("leave").click()
    phone.key("import").set_input_files(file)
    phone.page.wait_for_selector("#notices :text('Nothing in the file is new')")
    assert phone.remembered("game")["id"] == other, "the file goes on with what was kept of it"
