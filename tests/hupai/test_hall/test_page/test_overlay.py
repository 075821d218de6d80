"""The scenes of a broadcast in a real browser: their figures, how soon they follow, how late they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import Engine, select, update

from hupai.games.commands import Command, NewHand
from hupai.games.history import CORRECTED, ENDED, RECORDED, UNDONE, Amendment
from hupai.games.terms.confirmed import Confirmed
from hupai.hall.events import feed
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.seating.standings import Scoring
from hupai.hall.store import refereeing, tournaments
from hupai.hall.store.players import player_changes
from hupai.hall.store.rounds import rounds
from hupai.hall.store.rounds.next_round import SeatingOptions
from hupai.hall.store.state import tournament_log
from hupai.hall.store.watched import laid_hands, watched_tables
from hupai.hall.tables import FeedEvent, Tournament, TournamentChange, WatchedTable
from hupai.store.database import open_store
from hupai.store.play.games import SqlGames
from hupai.store.tables import Game, GameChange
from hupai.wing import store_wings
from scoring.seats import Seat
from scripts.bench.host import free_port
from scripts.browser.phone import WAIT_MS
from tests.hupai.browsing import expect
from tests.hupai.serving import OPEN, running
from tests.hupai.store_builders import payment
from tests.hupai.test_hall.desk import Desk, opened
from tests.hupai.test_hall.test_feed.feeding import JPEG, READ
from tests.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("Ann", "Bo", "Cy", "Di", "Eve", "Flo", "Gus", "Hal")
DRAWN = NewHand(Confirmed("draw", riichi=(Seat.S,), ready=(Seat.S,)), {"outcome": "draw"})
"""South alone is ready and has declared: 3,000 from the others, a stick on the table, and the deal passes."""
MANGAN: dict[str, Any] = {
    "concealed": ["2m", "3m", "4m", "3p", "4p", "5p", "6p", "7p", "8p", "5s", "6s", "8s", "8s"],
    "melds": [],
    "winning_tile": "7s",
    "bonus": [],
    "dora_indicators": ["7s"],
}
SEATS = """all => all.map((one) => [one.querySelector('.wind').textContent, one.querySelector('.name').textContent,
  one.querySelector('.total').textContent, one.classList.contains('dealer'), one.querySelector('.deals') !== null])"""


@dataclass
class Hall:
    """A director's desk with a tournament of eight: a camera looks at table A, phones enter at the other one."""

    desk: Desk
    cup: dict[str, Any]

    @property
    def engine(self) -> Engine:
        return self.desk.engine

    def overlay(self, show: str, **more: str) -> Page:
        asked = "&".join(f"{name}={value}" for name, value in {"show": show, **more}.items())
        return self.desk.open(f"overlay.html?{asked}")

    def seated(self, *, camera: bool) -> dict[str, Any]:
        tables = tournaments.get_tournament(self.engine, self.cup["id"])["rounds"][-1]["tables"]
        return next(table for table in tables if (table["table"] == "A") == camera)

    def ages(self, seconds: float) -> None:
        """As if so much time had passed since everything; the server has dropped the answers it had kept."""
        with self.desk.server.client() as client:

            def changed() -> list[str]:
                paths = (f"/tournaments/{self.cup['id']}", "/tables/A")
                return [client.get(path).raise_for_status().json()["changed_at"] for path in paths]

            before = changed()
            aged(self.engine, seconds)
            assert until(lambda: all(now < then for now, then in zip(changed(), before, strict=True)))

    def wins(self, token: str, context: dict[str, Any]) -> None:
        """A hand is laid down at table A and confirmed."""
        feed.add_settled_hand(self.engine, "A", "w1", token, {**READ, "hand": MANGAN}, JPEG, {})
        laid = watched_tables.get_table(self.engine, "A")["hands"][0]
        laid_hands.confirm(self.engine, laid["id"], laid["version"], {"context": context, "also": [], "riichi": []})


@pytest.fixture
def hall(desk: Desk) -> Hall:
    feed.claim(desk.engine, feed.Claim("A", "0", "w1", None))
    new = tournaments.NewTournament(
        "Winter Cup", "riichi", {}, [NewEntrant(name) for name in NAMES], Scoring(start=Decimal(25000))
    )
    cup = tournaments.create_tournament(desk.engine, new)
    rounds.seat_round(desk.engine, cup["id"], SeatingOptions(tables=["A"]))
    return Hall(desk, cup)


DELAY = 600
"""Seconds by which the late overlays run behind: longer than any test takes, so that a clock that is moved decides."""


SLID_IN = """() => Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished))
  .then(() => document.querySelector('.scene').getBoundingClientRect().toJSON())"""
"""Where a scene is once it has come in; what pulses goes on."""


def looks(page: Page) -> None:
    """An overlay asks for what there is, as it does every few seconds, by several questions, and has its answers."""
    for _ in range(6):
        with page.expect_response("**/api/v1/**"):
            page.clock.run_for(3000)


def comes(page: Page, there: Callable[[], Any]) -> bool:
    """Whether something is there once the delay is over; it counts from when the overlay had heard of it."""

    def moved_on() -> Any:
        page.clock.fast_forward(1000 * DELAY)
        return there()

    return until(moved_on, every=0.5)


def bug_of(page: Page) -> list[list[Any]]:
    """Wind, name, points, marked as dealer (by colour, by word) of each player."""
    found: list[list[Any]] = page.locator(".bug .seats li").evaluate_all(SEATS)
    return found


@pytest.mark.parametrize("camera", [True, False], ids=["camera", "phones"])
def test_the_score_bug_follows_its_game_and_corrections(hall: Hall, camera: bool) -> None:
    table = hall.seated(camera=camera)
    game, names = table["game_id"], [player["name"] for player in table["players"]]
    hall.ages(DELAY + 60)
    bug = hall.overlay("bug", table=table["table"])
    late = hall.overlay("bug", table=table["table"], delay=str(DELAY))

    def shows(page: Page, deals: int, totals: list[str]) -> bool:
        winds = ["東南西北"[(i - deals) % 4] for i in range(4)]
        wanted = [[winds[i], names[i], totals[i], i == deals, i == deals] for i in range(4)]
        return until(lambda: bug_of(page) == wanted)

    even = ["25,000"] * 4
    assert shows(bug, 0, even), bug_of(bug)
    assert bug.locator(".round").inner_text() == "East 1, honba 0"
    assert bug.locator(".rank").count() == 0, "nobody is ahead"
    assert shows(late, 0, even)
    SqlGames(hall.engine).do(game, Command(RECORDED, hand=DRAWN))
    after = ["24,000", "27,000", "24,000", "24,000"]
    expect(bug.locator(".change")).to_have_text(["−1,000", "+2,000", "−1,000", "−1,000"])  # first: it goes again
    assert shows(bug, 1, after), bug_of(bug)
    assert bug.locator(".round").inner_text().split("\n") == ["East 2, honba 1", "1 riichi stick"]
    expect(bug.locator(".rank")).to_have_text(["2.▼1", "1.", "2.▼1", "2.▼1"])
    looks(late)
    assert [row[2] for row in bug_of(late)] == even, "it tells what its viewers have not seen yet"
    assert comes(late, lambda: bug_of(late)[0][2] == after[0]) and shows(late, 1, after), bug_of(late)
    # Corrected: who deals, the sticks and all points follow.
    why = Amendment("Di", "misheard")
    SqlGames(hall.engine).do(game, Command(CORRECTED, why, number=1, hand=payment(8000)))
    assert shows(bug, 0, ["17,000", "33,000", "25,000", "25,000"]), bug_of(bug)
    assert bug.locator(".round").inner_text() == "East 1, honba 0"
    SqlGames(hall.engine).do(game, Command(UNDONE))
    assert shows(bug, 0, even), bug_of(bug)
    # The next round's game takes the place of this one.
    rounds.seat_round(hall.engine, hall.cup["id"], SeatingOptions(tables=["A"]))
    names[:] = [player["name"] for player in hall.seated(camera=camera)["players"]]
    assert shows(bug, 0, even), bug_of(bug)
    SqlGames(hall.engine).do(hall.seated(camera=camera)["game_id"], Command(ENDED, why))
    bug.locator(".round", has_text="ended").wait_for()
    assert bug.locator(".dealer").count() == 0


def aged(engine: Engine, seconds: float) -> None:
    """As if so much time had passed since everything."""
    moments = (Game.created, GameChange.at, Tournament.created, TournamentChange.at, FeedEvent.at, WatchedTable.since)
    with engine.begin() as connection:
        for moment in moments:
            rows = connection.execute(select(moment).distinct()).scalars().all()
            for at in rows:
                connection.execute(
                    update(moment.class_).where(moment == at).values({moment.key: at - timedelta(seconds=seconds)})
                )


def test_a_late_overlay_shows_at_once_what_its_viewers_have_seen(hall: Hall) -> None:
    """OBS may load a source anew whenever its scene comes on: it must not be empty for the delay each time."""
    hall.wins("first", {"seat": "W", "win": "discard", "from": "N", "riichi": True})
    feed.add_settled_hand(hall.engine, "A", "w1", "second", READ, JPEG, {})
    refereeing.set_timer(hall.engine, hall.cup["id"], 1, "start", 75)
    hall.ages(DELAY + 10)
    shows = ("hand", "win", "points", "bug", "standings", "seating", "timer")
    for show in shows:
        page = hall.overlay(show, table="A", delay=str(DELAY))
        page.locator(".scene").wait_for()
        page.context.close()
    # What has just happened is news to them, whichever scene it would show in.
    hall.wins("third", {"seat": "W", "win": "discard", "from": "N"})
    refereeing.announce(hall.engine, hall.cup["id"], "Lunch at one")
    pages = [hall.overlay(show, table="A", delay=str(DELAY)) for show in shows]
    looks(pages[-1])
    assert [page.locator(".scene").count() for page in pages] == [0] * len(shows)
    # A unit behind the number does not make it live.
    assert hall.overlay("bug", table="A", delay="600s").locator(".scene").count() == 0


def test_a_late_overlay_that_is_loaded_anew_goes_on_where_its_viewers_are(hall: Hall) -> None:
    """Though something has changed within the delay: it knows what stood before."""
    game = hall.seated(camera=True)["game_id"]
    SqlGames(hall.engine).do(game, Command(RECORDED, hand=payment(1000)))
    hall.ages(DELAY + 30)
    page = hall.overlay("bug", table="A", delay=str(DELAY))
    page.locator(".scene").wait_for()
    seen = bug_of(page)

    def away() -> None:
        """Nobody looked for longer than the delay."""
        page.evaluate("() => { for (const k in localStorage) if (k.endsWith(' until')) localStorage.setItem(k, '1'); }")
        page.goto("about:blank")

    def anew() -> None:
        page.goto(address)
        page.wait_for_selector("html[data-ready]", state="attached")

    address = page.url
    SqlGames(hall.engine).do(game, Command(RECORDED, hand=payment(2000)))
    looks(page)
    page.reload()
    page.locator(".scene").wait_for()
    assert bug_of(page) == seen
    away()
    anew()
    page.locator(".scene").wait_for()
    away()
    SqlGames(hall.engine).do(game, Command(RECORDED, hand=payment(3000)))
    anew()
    page.locator(".scene").wait_for()
    assert bug_of(page) == seen
    # After two changes nobody can say which of them its viewers have seen.
    away()
    for amount in (4000, 5000):
        SqlGames(hall.engine).do(game, Command(RECORDED, hand=payment(amount)))
    anew()
    looks(page)
    assert page.locator(".scene").count() == 0


def test_a_win_has_its_winner_its_limit_and_its_picture(hall: Hall) -> None:
    table = hall.seated(camera=True)
    names = [player["name"] for player in table["players"]]
    shown, still = hall.overlay("hand", table="A"), hall.overlay("win", table="A")
    late = hall.overlay("win", table="A", delay=str(DELAY))
    hall.wins("first", {"seat": "W", "win": "discard", "from": "N", "riichi": True})
    for page in (shown, still):
        expect(page.locator("h1")).to_contain_text(f"{names[2]} from {names[3]}")
        expect(page.locator("h1 .limit")).to_have_text(re.compile("mangan", re.I))
        expect(page.locator(".tile")).to_have_count(15)
        expect(page.locator(".laid-group.dora small")).to_have_text("Dora indicator")
        amounts = [f"{names[2]} +8,000", f"{names[3]} −8,000"]
        assert [" ".join(row.split()) for row in page.locator(".gains li").all_inner_texts()] == amounts
    frame = watched_tables.get_table(hall.engine, "A")["hands"][0]["frame"]
    picture = still.locator(".still")
    assert str(picture.get_attribute("src")).endswith(f"/frames/{frame}")
    assert until(lambda: picture.evaluate("(one) => one.naturalWidth") == 60), "the picture is not there"
    looks(late)
    assert late.locator(".scene").count() == 0, "it tells too early"
    assert comes(late, late.locator(".still").count)
    # The second win has a picture of its own; taken back, the first is the last again.
    hall.wins("second", {"seat": "E", "win": "self_draw"})
    expect(still.locator("h1")).to_contain_text(f"{names[1]}, self-draw")  # the deal has passed
    assert str(still.locator(".still").get_attribute("src")).endswith(f"/frames/{frame + 1}")
    laid = watched_tables.get_table(hall.engine, "A")["hands"][0]
    laid_hands.undo(hall.engine, laid["id"], laid["version"])
    expect(still.locator("h1")).to_contain_text(names[2])
    expect(shown.locator(".gains")).to_have_count(0)


READABLE = """() => [...document.querySelectorAll('.scene *')].filter((one) => !one.closest('.tile, .deals'))
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 36 || one.scrollWidth > one.clientWidth + 1 &&
    one.matches('.name')).map((one) => one.textContent)"""
"""What cannot be read from five metres: smaller than 36 pixels, or a name that is cut."""


def test_everything_can_be_read_from_five_metres(desk: Desk) -> None:
    """At 1920 x 1080, with names of 20 letters."""
    feed.claim(desk.engine, feed.Claim("A", "0", "w1", None))
    names = ["Konstantin Papadopol", "Wilhelmina Ostermann", "Magdalena Kowalczyks", "Jean-Baptiste Moreau"]
    people = [NewEntrant(name, country="GRE") for name in (*names, *(f"Player of Club {n:05}" for n in range(20)))]
    new = tournaments.NewTournament("Winter Cup", "riichi", {}, people, Scoring(start=Decimal(25000)))
    hall = Hall(desk, tournaments.create_tournament(desk.engine, new))
    rounds.seat_round(desk.engine, hall.cup["id"], SeatingOptions(tables=["A"]))
    pages = {show: hall.overlay(show, table="A") for show in ("bug", "hand", "win", "standings", "seating", "points")}
    for page in pages.values():
        page.set_viewport_size({"width": 1920, "height": 1080})
    hall.wins("first", {"seat": "W", "win": "discard", "from": "N", "riichi": True})
    bug = pages["bug"]
    expect(bug.locator(".news")).to_contain_text("5 han")
    expect(bug.locator(".news .limit")).to_have_text(re.compile("mangan", re.I))
    expect(bug.locator(".news .dora .tile")).to_have_count(1)
    for name in names:  # whoever was drawn to pay, who has most beside the name
        bug.locator(".seats .name").evaluate_all("(all, name) => all.forEach((one) => one.textContent = name)", name)
        assert bug.evaluate(READABLE) == [], name
    for show, page in pages.items():
        page.locator(".scene").wait_for()
        assert page.evaluate(READABLE) == [], show
        box = page.evaluate(SLID_IN)
        assert box["x"] >= 0 and box["y"] >= 0 and box["right"] <= 1920 and box["bottom"] <= 1080, (show, box)


def test_standings_of_any_length_are_shown_in_turns_in_one_unit(hall: Hall) -> None:
    many = [NewEntrant(f"P{n}", country="FRA") for n in range(24)]
    counting = Scoring(start=Decimal(25000), divide=Decimal(1000))
    new = tournaments.NewTournament("Large", "riichi", {}, many, counting)
    cup = tournaments.create_tournament(hall.engine, new)["id"]
    for number, won in ((1, (1300, 100, -400, -1000)), (2, (8000, 0, -4000, -4000))):
        seated = rounds.seat_round(hall.engine, cup, SeatingOptions(seed=number))
        for table in seated["rounds"][-1]["tables"]:
            totals = [Decimal(25000 + amount) for amount in won]
            refereeing.enter_result(hall.engine, cup, number, table["table"], totals, tournament_log.DIRECTOR)
    wanted = tournaments.get_tournament(hall.engine, cup)["standings"]
    before = {s["player"]: s["rank"] for s in tournaments.standings_after(hall.engine, cup, 1)["standings"]}
    page = hall.overlay("standings", tournament=cup)
    found: dict[str, list[str]] = {}

    def all_seen() -> bool:
        rows = page.locator(".places li").evaluate_all(
            "all => all.map((one) => [...one.children].map((c) => c.textContent))"
        )
        found.update({row[2]: row for row in rows})
        page.clock.run_for(1000)
        return len(found) == len(wanted)

    assert until(all_seen, 120), found
    for standing in wanted:
        rank, moved, _, country, score = found[standing["name"]]
        up = before[standing["player"]] - standing["rank"]
        assert (rank, country) == (str(standing["rank"]), "FRA")
        assert moved == (f"▲{up}" if up > 0 else f"▼{-up}" if up < 0 else "")
        assert score == f"{Decimal(standing['score']):+.1f}".replace("-", "−").replace("+0.0", "0.0")


def test_the_board_puts_the_addresses_of_overlays_together(hall: Hall) -> None:
    board = hall.desk.direct()
    bare = hall.seated(camera=False)["table"]

    def chosen(form: str, table: str, late: str) -> str:
        board.select_option(f"#select-{form}-scene", label="score bug: round and points")
        board.select_option(f"#select-{form}-table", label=table)
        board.fill(f"#field-{form}-late", late)
        return board.locator(f'[data-key="{form}-address"]').inner_text()

    board.locator('summary[data-key="broadcast"]').click()
    board.locator('[data-key="chip-broadcast-light"]').click()
    where = f"{hall.desk.server.url}/overlay.html?show=bug"
    assert chosen("broadcast", "A", "900") == f"{where}&table=A&delay=600&theme=light"
    # The address of a token's overlay shows something, too, and opens the door.
    board.locator('summary[data-key="tokens"]').click()
    board.fill("#field-token-name", "Stream")
    board.select_option("#select-token-role", label="show in a broadcast")
    board.locator('[data-key="make-token"]').click()
    told = chosen("stream", bare, "0")
    assert f"/overlay.html?show=bug&table={bare}&theme=light#code=hupai-" in told
    there = hall.desk.open(told[told.index("overlay") :])
    there.locator(".scene.bug").wait_for()


def tables_of(page: Page) -> dict[str, list[str]]:
    """Table -> names in the order of the winds, as the seating is shown."""
    boxes = page.locator(".tables > li").all_inner_texts()
    return {
        lines[0]: [name for name in lines[1:] if name not in "東南西北"] for lines in (b.split("\n") for b in boxes)
    }


def test_the_seating_is_that_of_the_coming_round(hall: Hall) -> None:
    def wanted(tables: list[dict[str, Any]]) -> dict[str, list[str]]:
        return {f"Table {t['table']}": [p["name"] for p in t["players"]] for t in tables}

    page = hall.overlay("seating")
    hall.ages(DELAY + 60)
    late = hall.overlay("seating", delay=str(DELAY))
    (first,) = tournaments.get_tournament(hall.engine, hall.cup["id"])["rounds"]
    assert until(lambda: tables_of(page) == wanted(first["tables"])), tables_of(page)
    planned = rounds.plan_rounds(hall.engine, hall.cup["id"], 2)["plan"][0]
    late.locator(".tables").wait_for()
    SqlGames(hall.engine).do(hall.seated(camera=True)["game_id"], Command(RECORDED, hand=DRAWN))
    called = dict(enumerate(NAMES, 1))
    second = {f"Table {t['table'] or i}": [called[n] for n in t["players"]] for i, t in enumerate(planned["tables"], 1)}
    assert second != wanted(first["tables"])
    assert until(lambda: tables_of(page) == second), tables_of(page)
    assert page.locator("h1").inner_text().startswith("Round 2")
    player_changes.add_players(hall.engine, hall.cup["id"], [NewEntrant("Late")])
    assert until(lambda: tables_of(page) == wanted(first["tables"])), "a plan without a seat for somebody is shown"
    player_changes.let_player_leave(hall.engine, hall.cup["id"], len(NAMES) + 1)
    looks(late)
    assert tables_of(late) == wanted(first["tables"]), "it tells too early"
    assert comes(late, lambda: tables_of(late) == second), tables_of(late)


def test_a_hall_of_many_tables_is_shown_page_by_page(hall: Hall) -> None:
    many = tournaments.NewTournament("Large", "riichi", {}, [NewEntrant(f"P{n}") for n in range(60)])
    cup = tournaments.create_tournament(hall.engine, many)
    tables = rounds.seat_round(hall.engine, cup["id"])["rounds"][0]["tables"]
    page = hall.overlay("seating", tournament=cup["id"])
    found: dict[str, list[str]] = {}

    def all_seen() -> bool:
        found.update(tables_of(page))
        page.clock.run_for(1000)
        return len(found) == len(tables)

    assert until(all_seen, 120), found
    assert found == {f"Table {t['table']}": [p["name"] for p in t["players"]] for t in tables}


def test_the_clock_is_the_rounds_and_as_late_as_the_stream(hall: Hall) -> None:
    page = hall.overlay("timer")
    refereeing.set_timer(hall.engine, hall.cup["id"], 1, "start", 75)
    refereeing.announce(hall.engine, hall.cup["id"], "Lunch at one")
    page.get_by_text("Lunch at one").wait_for()

    def seconds(one: Page) -> int:
        minutes, rest = one.locator("b.timer").inner_text().split(":")
        return 60 * int(minutes) + int(rest)

    def right(one: Page, behind: float) -> bool:
        """It knows the server's clock to 2.5 seconds, once an answer has come in time."""
        timer = tournaments.get_tournament(hall.engine, hall.cup["id"])["rounds"][0]["timer"]
        ends, before = datetime.fromisoformat(timer["ends_at"]), datetime.now(UTC)
        told = seconds(one) - behind
        return (ends - datetime.now(UTC)).total_seconds() - 3 <= told <= (ends - before).total_seconds() + 3

    hall.ages(DELAY + 60)
    late = hall.overlay("timer", delay=str(DELAY))
    assert until(lambda: right(page, 0)) and until(lambda: right(late, DELAY)), (seconds(page), seconds(late))
    page.route("**/api/v1/**", lambda route: route.abort())  # an answer may set the clock by some seconds
    ticked = seconds(page)
    page.clock.run_for(60_000)
    assert seconds(page) < ticked - 30, "it ticks by itself"
    page.unroute("**/api/v1/**")
    refereeing.set_timer(hall.engine, hall.cup["id"], 1, "stop")
    page.locator("b.timer").wait_for(state="detached")
    page.get_by_text("Lunch at one").wait_for()


def test_all_scenes_of_a_broadcast_in_one_browser_follow(hall: Hall) -> None:
    """A browser has six connections to a server: scenes that each held one open would starve each other."""
    context = hall.desk.browser.new_context(viewport={"width": 1920, "height": 1080})
    context.set_default_timeout(WAIT_MS)
    pages = []
    for show in ("hand", "win", "points", "bug", "standings", "seating", "timer"):
        page = context.new_page()
        page.goto(f"{hall.desk.server.url}/overlay.html?table=A&show={show}")
        page.wait_for_selector("html[data-ready]", state="attached")
        pages.append(page)
    hall.wins("first", {"seat": "W", "win": "discard", "from": "N", "riichi": True})
    refereeing.announce(hall.engine, hall.cup["id"], "33,000 for everybody")
    for page in pages:
        if "seating" not in page.url:
            page.locator(".scene", has_text=re.compile(r"33,000|\+8,000|\+8")).wait_for()
    for page in pages:
        box = page.evaluate(SLID_IN)
        assert 0 <= box["left"] < box["right"] <= 1920 and 0 <= box["top"] < box["bottom"] <= 1080, page.url
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"


def test_an_overlay_comes_back_by_itself(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    with running(tmp_path, port=port, **OPEN) as server:
        engine = open_store(f"sqlite:///{tmp_path / 'hupai.db'}", store_wings())
        feed.claim(engine, feed.Claim("A", "0", "w1", None))
        overlay = opened(browser, f"{server.url}/overlay.html?table=A", [])
        server.kill()
    feed.add_settled_hand(engine, "A", "w1", "t1", READ, JPEG, {})
    engine.dispose()
    with running(tmp_path, port=port, **OPEN):
        overlay.locator(".scene .tile").nth(13).wait_for()


def test_a_wrong_code_in_an_address_is_tried_once_and_another_is_taken(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, director_code="chief", access_code="sesame", **OPEN) as server:
        with server.client(headers={"X-Hupai-Director": "chief", "X-Hupai-Code": "sesame"}) as chief:
            token = chief.post("/tokens", json={"name": "OBS", "role": "overlay"}).json()["token"]
        for name in ("overlay", "board", "hall"):
            tried: list[str] = []
            page = browser.new_context(locale="en-GB").new_page()
            page.set_default_timeout(WAIT_MS)
            page.clock.install()
            page.on("request", lambda r, tried=tried: r.url.endswith("/session") and tried.append(r.method))
            page.goto(f"{server.url}/{name}.html?show=seating#code=opensesame")
            wrong = page.get_by_text("That is not the right code.")
            expect(wrong).to_be_visible()
            page.clock.run_for(7000)  # it would have tried twice more
            assert tried == ["POST"], name
            page.evaluate(f"location.hash = 'code={token}'")
            expect(wrong).to_have_count(0)
            if name != "overlay":  # it shows nothing yet
                page.wait_for_selector("html[data-ready='']")
            assert tried == ["POST", "POST"], name
            page.context.close()
