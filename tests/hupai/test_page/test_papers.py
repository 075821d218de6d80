"""What a director prints: seating by round and by name, score slips with a table's code; in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import cv2
import httpx
import numpy as np
import pytest

from tests.hupai.browsing import opened
from tests.hupai.scanning import scanned
from tests.hupai.serving import OPEN, Server, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ["Zoë", "陳大文", *(f"Player {i}" for i in range(3, 34))]
ROUNDS = 3


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, Any]]]:
    """33 players, the first of three planned rounds seated, behind an access code."""
    codes = {"director_code": "chief", "access_code": "sesame"}
    new = {"name": "Winter Cup", "rules": "riichi", "starting_points": 25000, "players": [{"name": n} for n in NAMES]}
    with (
        running(tmp_path_factory.mktemp("papers"), **codes, **OPEN) as server,
        server.client(headers={"X-Hupai-Director": "chief", "X-Hupai-Code": "sesame"}) as chief,
    ):
        cup = f"/tournaments/{chief.post('/tournaments', json=new).json()['id']}"
        assert chief.post(f"{cup}/plan", json={"rounds": ROUNDS, "seed": 1}).status_code == 200
        yield server, chief.post(f"{cup}/rounds").json()


@pytest.fixture
def trouble() -> Iterator[list[str]]:
    found: list[str] = []
    yield found
    assert found == []


def paper(browser: Browser, server: Server, trouble: list[str], **asked: str) -> Page:
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    return opened(browser, f"{server.url}/papers.html?{query}#code=sesame", trouble)


def printed(page: Page) -> int:
    """How many pages come out of the printer, all of them A4 upright."""
    pdf = page.pdf(prefer_css_page_size=True)
    sizes = {tuple(map(float, box.split())) for box in re.findall(rb"/MediaBox \[([\d. ]+)\]", pdf)}
    assert len(sizes) == 1 and next(iter(sizes)) == pytest.approx((0, 0, 595, 842), abs=1)
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def test_the_seating_of_each_round_is_a_page(
    browser: Browser, hall: tuple[Server, dict[str, Any]], trouble: list[str]
) -> None:
    server, cup = hall
    page = paper(browser, server, trouble, paper="seating")
    papers = page.locator(".paper")
    assert papers.count() == ROUNDS == printed(page)
    wanted = [p["name"] for t in cup["rounds"][0]["tables"] for p in t["players"]]
    assert papers.first.locator(".seated ol li span:last-child").all_inner_texts() == wanted
    assert papers.first.locator(".seated ol .wind").all_inner_texts() == [*"東南西北"] * 8
    (rest,) = set(NAMES) - set(wanted)
    assert papers.first.locator("p").inner_text() == f"Without a table: {rest}"
    planned = [NAMES[n - 1] for t in cup["plan"][1]["tables"] for n in t["players"]]
    assert papers.last.locator(".seated ol li span:last-child").all_inner_texts() == planned
    page.select_option("#select-paper-round", label="Round 2")
    assert papers.locator("h1").all_inner_texts() == ["Round 2"] and printed(page) == 1
    page.context.close()


def test_everybody_finds_a_name_in_order_with_table_and_wind(
    browser: Browser, hall: tuple[Server, dict[str, Any]], trouble: list[str]
) -> None:
    server, cup = hall
    page = paper(browser, server, trouble, paper="names", lang="ja")
    rows = [row.split("\t") for row in page.locator(".paper tbody tr").all_inner_texts()]
    assert sorted(row[0] for row in rows) == sorted(NAMES)
    assert [row[0] for row in rows if row[0].startswith("Player")][:2] == ["Player 3", "Player 4"]
    seats = {
        p["name"]: (t["table"], "東南西北"[i]) for t in cup["rounds"][0]["tables"] for i, p in enumerate(t["players"])
    }
    assert {row[0]: tuple(row[1].split()) for row in rows if row[1] != "–"} == seats
    assert page.locator(".paper h1").inner_text() == "氏名順の席順" and printed(page) >= 1
    page.context.close()


def test_a_slip_a_table_with_the_code_that_opens_it(
    browser: Browser, hall: tuple[Server, dict[str, Any]], trouble: list[str]
) -> None:
    server, cup = hall
    tables = cup["rounds"][0]["tables"]
    viewer = paper(browser, server, trouble, paper="slips")
    slips = viewer.locator(".slip")
    assert slips.count() == len(tables) == printed(viewer)
    assert slips.locator("img").count() == 0 == viewer.locator('[data-key="make-codes"]').count()
    head = slips.nth(2).locator("thead th").all_inner_texts()[2:]
    assert [text.split() for text in head] == [
        [wind, *p["name"].split()] for wind, p in zip("東南西北", tables[2]["players"], strict=True)
    ]
    assert slips.nth(2).locator("tbody tr").first.locator("td").all_inner_texts() == ["25,000"] * 4
    viewer.context.close()
    chief = paper(browser, server, trouble, paper="slips")
    assert chief.request.post(f"{server.api}/director", data={"code": "chief"}).status == 204
    chief.reload()
    chief.dblclick('[data-key="make-codes"]')
    chief.locator(".slip img").nth(len(tables) - 1).wait_for()
    assert len(chief.request.get(f"{server.api}/tokens").json()["tokens"]) == len(tables), "codes that are on no slip"
    assert printed(chief) == len(tables)
    picture = np.frombuffer(chief.locator(".slip img").nth(2).screenshot(scale="css"), np.uint8)
    address = scanned(np.asarray(cv2.imdecode(picture, cv2.IMREAD_GRAYSCALE), np.uint8))
    token = address.partition("#code=")[2]
    with httpx.Client(base_url=server.api, headers={"X-Hupai-Code": token}) as phone:
        said = phone.get("/session").json()
    assert (said["role"], said["table"]) == ("table", tables[2]["table"])
    chief.context.close()


def test_the_board_leads_to_the_papers_and_only_the_papers_are_printed(
    browser: Browser, hall: tuple[Server, dict[str, Any]], trouble: list[str]
) -> None:
    server, cup = hall
    board = opened(browser, f"{server.url}/board.html#code=sesame", trouble)
    assert board.locator('[data-key="papers"]').get_attribute("href") == f"papers.html?tournament={cup['id']}"
    board.context.close()
    page = paper(browser, server, trouble, paper="slips", round="2")
    assert page.locator(".slip .paper-head b").first.inner_text() == "Round 2"
    page.evaluate("() => { window.print = () => { document.documentElement.dataset.printed = ''; }; }")
    page.click('[data-key="print"]')
    assert page.locator("html[data-printed]").count() == 1
    page.emulate_media(media="print")
    assert page.locator("#top").is_hidden() and page.locator(".slip").first.is_visible()
    page.context.close()


def test_the_papers_of_a_tournament_that_is_gone_say_so(browser: Browser, hall: tuple[Server, dict[str, Any]]) -> None:
    trouble: list[str] = []
    page = paper(browser, hall[0], trouble, tournament="gone")
    assert page.locator("#main").inner_text() == "No round is seated or planned yet."
    page.context.close()
    assert not [told for told in trouble if "404" not in told], trouble
