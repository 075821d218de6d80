"""The screen of a hall in a real browser: who plays where next, each table in its turn, in every language asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hupai.hall.seating.importing import NewEntrant
from hupai.hall.store import refereeing, tournaments
from hupai.hall.store.rounds import rounds
from hupai.hall.store.rounds.next_round import SeatingOptions
from hupai.store.database import open_store
from hupai.wing import store_wings
from tests.hupai.test_hall.desk import opened
from tests.waiting import until

if TYPE_CHECKING:
    from typing import Any

    from playwright.sync_api import Browser, Page
    from sqlalchemy import Engine

    from tests.hupai.serving import Server

FITS = """() => innerHeight - document.querySelector('main').scrollHeight >= 0 &&
  [...document.querySelectorAll('.tables > li, .tables h2, .tables .name')].every((one) =>
    one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 8)"""
LONG_NAMES = ("Konstantinos Papadopoulos", "歐陽慕容小明", "Wilhelmina", "東海林 健太郎")


def begun(engine: Engine, players: int, **options: Any) -> dict[str, Any]:
    names = [*LONG_NAMES, *(f"Player {n}" for n in range(len(LONG_NAMES), players))]
    new = tournaments.NewTournament("Winter Cup", "riichi", {}, [NewEntrant(name) for name in names])
    cup = tournaments.create_tournament(engine, new)
    return rounds.seat_round(engine, cup["id"], SeatingOptions(**options))


def shown(page: Page) -> dict[str, list[str]]:
    """Table -> its players, as they are on the screen."""
    tables: list[list[str]] = page.eval_on_selector_all(
        ".tables > li",
        "all => all.map((one) => [...one.querySelectorAll('h2, .name')].map((part) => part.textContent))",
    )
    return {name: players for name, *players in tables}


def seated(cup: dict[str, Any], table: str = "Table {}") -> dict[str, list[str]]:
    return {table.format(t["table"]): [p["name"] for p in t["players"]] for t in cup["rounds"][-1]["tables"]}


@pytest.fixture
def engine(server: Server) -> Engine:
    return open_store(f"sqlite:///{server.data_folder / 'hupai.db'}", store_wings())


@pytest.mark.parametrize("players", [16, 64, 400])
def test_every_table_is_shown_in_its_turn(browser: Browser, server: Server, engine: Engine, players: int) -> None:
    cup = begun(engine, players)
    trouble: list[str] = []
    page = opened(browser, f"{server.url}/hall.html?tournament={cup['id']}", trouble)
    page.set_viewport_size({"width": 1920, "height": 1080})
    found: dict[str, list[str]] = {}

    def all_seen() -> bool:
        assert page.evaluate(FITS), "something is cut off"
        found.update(shown(page))
        page.clock.run_for(1000)
        return len(found) == players / 4

    assert until(all_seen, 300), found
    assert found == seated(cup)
    letters = page.locator(".name").first.evaluate("one => parseFloat(getComputedStyle(one.parentElement).fontSize)")
    assert letters >= 1080 / 20
    assert not trouble
    page.context.close()


@pytest.mark.parametrize("tables", [1, 2, 3, 4, 6, 8])
def test_names_are_as_large_as_they_fit(browser: Browser, server: Server, engine: Engine, tables: int) -> None:
    people = ["Max Weber", "Ilii Lilil", "WWWWWWWWW", *(f"Anna Nr{n:02}" for n in range(3, 4 * tables))]
    new = tournaments.NewTournament("Winter Cup", "riichi", {}, [NewEntrant(name) for name in people])
    cup = rounds.seat_round(engine, tournaments.create_tournament(engine, new)["id"], SeatingOptions())
    page = opened(browser, f"{server.url}/hall.html?tournament={cup['id']}", [])
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert until(lambda: len(shown(page)) == tables)
    whole = """() => innerHeight >= document.querySelector('main').scrollHeight && [...document.querySelectorAll(
      '.tables > li, .name')].every((one) => one.scrollWidth <= one.clientWidth) && [...document.querySelectorAll(
      '.tables > li')].every((one) => one.scrollHeight <= one.clientHeight)"""
    assert page.evaluate(whole), "something is cut off"
    own = """all => all.map((one) => [one.textContent,
      parseFloat(getComputedStyle(one).fontSize) / parseFloat(getComputedStyle(one.parentElement).fontSize)])"""
    sizes = dict(page.locator(".name").evaluate_all(own))
    assert sizes["Ilii Lilil"] == 1 and sizes["Max Weber"] >= 0.85, sizes
    lists = page.locator(".tables > li").evaluate_all(
        "all => all.map((one) => [one.clientHeight, one.querySelector('ol').getBoundingClientRect().height])"
    )
    assert all(names > 0.6 * box for box, names in lists) or tables in (3, 6), lists
    page.context.close()


def test_it_follows_the_rounds_and_the_clock(browser: Browser, server: Server, engine: Engine) -> None:
    cup = begun(engine, 8)
    page = opened(browser, f"{server.url}/hall.html?tournament={cup['id']}", [])
    assert until(lambda: shown(page) == seated(cup)), shown(page)
    refereeing.set_timer(engine, cup["id"], 1, "start", 75)
    page.locator(".timer", has_text="74:").wait_for()
    assert page.locator(".resting").count() == 0
    refereeing.extend_table(engine, cup["id"], 1, "2", 5, 0)
    page.locator(".resting", has_text="Table 2: +5 min").wait_for()
    then = rounds.seat_round(engine, cup["id"], SeatingOptions(over_unfinished=True))
    assert until(lambda: shown(page) == seated(then)), shown(page)
    assert page.locator("h1").inner_text() == "Round 2"
    page.context.close()


def test_screens_share_the_tables_and_speak_in_turn(browser: Browser, server: Server, engine: Engine) -> None:
    cup = begun(engine, 16)
    where = f"{server.url}/hall.html?tournament={cup['id']}&lang=en,ja"
    halves = [opened(browser, f"{where}&part={part}/2", []) for part in (1, 2)]
    assert until(lambda: {**shown(halves[0]), **shown(halves[1])} == seated(cup)), [shown(half) for half in halves]
    assert [len(shown(half)) for half in halves] == [2, 2]
    halves[0].clock.run_for(10_000)
    halves[0].locator("h2", has_text="卓").first.wait_for()
    halves[0].goto(f"{server.url}/board.html")
    halves[0].wait_for_selector("html[lang=en][data-ready]", state="attached")
    for half in halves:
        half.context.close()
