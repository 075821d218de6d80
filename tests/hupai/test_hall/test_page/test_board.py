"""The director's board and the overlay in a real browser."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from hupai.games.history import Amendment
from hupai.hall.events import deliveries, feed
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.store import refereeing, tournaments
from hupai.hall.store.rounds import rounds
from hupai.hall.store.rounds.next_round import SeatingOptions
from hupai.hall.store.watched import laid_hands, watched_tables
from scoring.tiles import parse_tiles
from scoring.words.sentence import say
from scripts.browser.phone import WAIT_MS
from tests.hupai.browsing import expect
from tests.hupai.store_builders import begin_game, pay
from tests.hupai.test_hall.desk import Desk, begin_cup, press
from tests.hupai.test_hall.test_feed.feeding import JPEG, READ, game_at
from tests.hupai.test_hall.test_tournament.cup_builders import put_clock_back
from tests.hupai.test_page.test_host.test_trouble import refuse
from tests.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route
    from sqlalchemy import Engine

AGAIN_MS = 3000  # after which the pages ask again


def watch(desk: Desk, table: str = "A") -> None:
    feed.claim(desk.engine, feed.Claim(table, "0", "w1", None))


def seat(desk: Desk, rules: str) -> None:
    """Ann, Bo, Cy and Di play at table A, which is watched."""
    watch(desk)
    game_at(desk.engine, rules=rules)


def lay(desk: Desk, token: str, read: Mapping[str, Any] = READ) -> None:
    """A hand is laid down at table A."""
    feed.add_settled_hand(desk.engine, "A", "w1", token, read, JPEG, {})


def at_table(desk: Desk) -> Page:
    """The director's board, table A open."""
    board = desk.direct()
    board.click('[data-key="table-A"]')
    return board


def tap(board: Page, *keys: str) -> None:
    for key in keys:
        board.locator(f'label:has([data-key="{key}"])').click()


def test_a_director_confirms_what_a_camera_saw_and_the_broadcast_shows_it(desk: Desk) -> None:
    watch(desk)
    board = desk.open("board.html")
    for key in ("seat-round", "cup-new", "aim"):
        assert board.locator(f'[data-key="{key}"]').count() == 0, "a viewer sees, and cannot press"
    board.fill("#code-director", "chief")
    board.keyboard.press("Enter")
    board.get_by_text("You are the director.").wait_for()
    players = "Ann, Oak\nKonstantin Papadopoulos-Meyer, Riichi Club of Oak Street\nCy\nDi\nEve"
    begin_cup(board, players, "Winter Cup")
    board.get_by_role("heading", name="Winter Cup").wait_for()
    board.click('[data-key="seat-round"]')
    board.get_by_text("Round 1", exact=True).wait_for()
    overlay = desk.open("overlay.html?table=A")
    assert overlay.locator(".scene").count() == 0
    assert overlay.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    # The camera sees a hand while everybody looks.
    lay(desk, "t1")
    overlay.locator(".scene .tile").nth(13).wait_for()
    board.click('[data-key="table-A"]')
    questions = board.locator('section[aria-label="Questions"]')
    questions.locator(".choice").nth(0).locator(".key").nth(1).click()
    questions.locator(".choice").nth(1).locator(".key").nth(0).click()
    board.locator('[data-part="outcome"]').wait_for()
    expect(board.locator(".acts-sum")).to_contain_text("+")
    # The next hand is laid down before this one is confirmed: this one stays open, and both wait.
    lay(desk, "t2")
    board.locator(".laid-item").nth(1).wait_for()
    expect(board.locator(".laid-item b").first).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))  # as the British write it
    assert board.locator(".laid-item[aria-pressed=true]").count() == 1
    expect(board.locator(".board-top .due")).to_have_text("2 waiting")
    expect(board).to_have_title(re.compile(r"^\(2\) "))
    press(board, "act-confirm", shows=".laid-item.confirmed")
    board.click(".laid-item.confirmed")
    board.locator('[data-key="act-undo"]').wait_for()
    feed.mark_hand_gone(desk.engine, "A", "w1", "t2")
    laid_hands.dismiss(desk.engine, 2, 1)
    overlay.locator(".gains li").nth(3).wait_for()
    expect(board.locator(".standings tbody tr").first.locator("td").nth(1)).to_have_text(re.compile(r"^\+"))
    wide = "() => Array.from(document.querySelectorAll('.scroll, body'), (box) => box.scrollWidth - box.clientWidth)"
    for width in (320, 390, 768, 1360):
        board.set_viewport_size({"width": width, "height": 900})
        # The page lays itself out anew.
        assert until(lambda: max(board.evaluate(wide)) <= 0), f"the standings have to be pushed sideways at {width}"
    press(board, "act-undo", shows='[data-key="act-confirm"]')


def test_a_hand_of_three_players_is_confirmed_on_the_board(desk: Desk) -> None:
    watch(desk)
    game = begin_game(desk.engine, "riichi", {"players": 3}, players=("Ann", "Bo", "Cy"))
    watched_tables.set_game(desk.engine, "A", game)
    tiles = {"concealed": [t.code for t in parse_tiles("111m456p789s11z88p")], "winning_tile": "8p", "bonus": ["4z"]}
    lay(desk, "t1", {**READ, "hand": {**READ["hand"], **tiles, "melds": []}})
    board = at_table(desk)
    board.locator(".game-places li").nth(2).wait_for()
    assert board.locator(".game-places li").count() == 3 and board.locator('[data-key="seat=N"]').count() == 0
    tap(board, "seat=S", "win=self_draw")
    board.locator('[data-part="outcome"]').wait_for()
    press(board, "act-confirm", shows='[data-key="act-undo"]')
    paid = [p["total"] for p in watched_tables.get_table(desk.engine, "A")["game"]["players"]]
    assert paid[1] > 0 and sum(paid) == 0


def test_a_director_enters_a_draw_lets_a_player_go_and_what_is_open_stays_open(desk: Desk) -> None:
    seat(desk, "hongkong")
    lay(desk, "waits")
    board = desk.direct()
    board.select_option("#select-cup-rules", label="Riichi")
    assert board.input_value("#field-cup-start") == "25000"
    board.fill("#field-cup-name", "Riichi Cup")
    for _ in range(2):  # the tables are asked for again every three seconds; the second time the first is drawn
        board.wait_for_event("response", lambda r: r.url.endswith("/tables"))
    assert board.input_value("#field-cup-name") == "Riichi Cup"
    board.fill("#cup-players", "Ann, Oak\nBo\nCy\nDi\nEve")
    board.get_by_role("button", name="Begin").click()
    board.click('[data-key="list-add"]')
    board.get_by_role("heading", name="Riichi Cup").wait_for()
    board.click('[data-key^="players-"]')
    press(board, "player-5", shows=".people .left")
    board.click('[data-key="seat-round"]')
    # A hand still waits: that is said before the next round is seated.
    board.get_by_role("dialog").get_by_role("button", name="Seat round 1").click()
    board.get_by_text("Round 1", exact=True).wait_for()
    # It is still paid in its own game; once it is out of the way, the table's new one is open.
    press(board, "table-A", "act-dismiss")
    board.get_by_text("Riichi Cup 1/A").wait_for()
    board.locator(".game-places li").nth(3).wait_for()
    press(board, "draw", "ready-E", "outcome")
    board.get_by_text("28,000").first.wait_for()
    board.locator(".standings tbody tr").first.get_by_text("+18", exact=True).wait_for()
    assert board.locator('[data-key="drop-round"]').count() == 0
    press(board, "fold-ledger", "undo-last", shows=".ledger .undone")
    game = watched_tables.get_table(desk.engine, "A")["game"]
    end = {"by": "Judge", "reason": "Time", "seen": {"revision": game["revision"]}}
    assert board.request.post(f"{desk.server.api}/games/{game['id']}/end", data=end).ok
    board.get_by_role("heading", name="The game is over").wait_for()


TENPAI = ["1p", "1p", "1p", "4s", "5s", "6s", "6s", "7s", "2z", "2z", "2z", "9m", "9m"]


def test_another_winner_on_the_tile_is_typed_in_and_both_are_confirmed(desk: Desk) -> None:
    seat(desk, "riichi")
    lay(desk, "t1")
    board = at_table(desk)
    tap(board, "seat=S", "win=discard", "from=N")
    board.locator('[data-part="outcome"]').wait_for()
    board.click('[data-key="also-enter"]')
    done = board.locator('[data-key="enter-done"]')
    expect(done).to_have_attribute("aria-disabled", "true")
    board.click('[data-key="enter-tiles"]')
    for code in TENPAI:
        key = board.locator(f'dialog[open] [data-key="key-{code}"]')
        if key.count() == 0:
            board.click(f'[data-key="tab-{code[1]}"]')
        key.click()
    board.click('[data-key="add-done"]')
    done.click()
    second = board.locator('section[aria-label="Another winner on this tile"]')
    expect(second.locator(".tile")).to_have_count(len(TENPAI))
    # Neither the discarder nor the first winner can have won with it.
    expect(second.locator("input[type=radio]")).to_have_count(2)
    assert board.locator('[data-key="act-confirm"]').is_disabled()
    tap(board, "2-seat=W")
    board.click('[data-key="chip-2-riichi"]')
    expect(board.locator(".acts-sum")).to_contain_text("Cy +600")
    # Ura indicators lie under dora indicators, which are laid down with the first hand.
    ura = board.locator('[data-key="add-2-ura"]')
    expect(ura).to_have_count(0)
    for add in ("add-1-dora", "add-2-ura"):
        board.click(f'[data-key="{add}"]')
        board.click('dialog[open] [data-key="key-1m"]')
        expect(board.locator("dialog")).to_have_count(0)
    expect(board.locator(".acts-sum")).to_contain_text("Cy +600")
    expect(ura).to_have_count(0)
    board.click('[data-key="ura-2-0"]')
    expect(ura).to_have_count(1)
    board.click('[data-key="act-confirm"]')
    board.locator(".laid-item.confirmed").nth(1).wait_for()
    # Taken back, both wait again, and what was answered stands.
    board.click('[data-key="act-undo"]')
    expect(board.locator(".laid-item.settled")).to_have_count(2)
    board.locator(".laid-item.settled").nth(1).click()
    expect(board.locator(".acts-sum")).to_contain_text("Cy +600")
    board.click('[data-key="part-2"]')
    expect(board.locator(".acts-sum")).not_to_contain_text("Cy")
    desk.allowed.append("422")  # until riichi is said, the second hand may not win


def test_a_hand_no_camera_saw_is_entered_and_confirmed(desk: Desk) -> None:
    seat(desk, "hongkong")
    board = at_table(desk)
    board.click('[data-key="enter"]')
    for meld in ("5z", "6z", "7z"):
        board.click('[data-key="enter-meld"]')
        board.locator('label:has([data-key="new-meld-type=pung"])').click()
        board.click(f'dialog[open] [data-key="key-{meld}"]')
    board.click('[data-key="enter-tiles"]')
    for code in ("1z", "1z", "2m", "3m", "1m"):
        board.click(f'dialog[open] [data-key="key-{code}"]')
    press(board, "add-done", "enter-done")
    board.get_by_text("typed in").wait_for()
    tap(board, "seat=S", "win=self_draw")
    board.locator('[data-part="outcome"]').wait_for()
    press(board, "act-confirm", shows='[data-key="act-undo"]')
    game = watched_tables.get_table(desk.engine, "A")["game"]
    assert game["players"][1]["total"] > 0


def test_a_hand_that_is_laid_meanwhile_swallows_no_press(desk: Desk) -> None:
    """The board is drawn anew with every event; what is pressed stays under the pointer."""
    watch(desk)
    lay(desk, "t1")
    board = at_table(desk)
    board.locator('[data-key="act-dismiss"]').hover()
    board.mouse.down()
    lay(desk, "t2")
    board.evaluate("async () => { window.board = (await part('js/board/state.js')).board }")
    board.wait_for_function("() => window.board.open.hands.length === 2")
    board.mouse.up()
    board.locator(".laid-item.dismissed").wait_for()


def test_a_list_that_is_open_stays_open_though_a_hand_is_laid(desk: Desk) -> None:
    """What happens meanwhile is drawn around it; the one that is chosen from stays."""
    watch(desk)
    board = desk.direct()
    rules = board.locator("#select-cup-rules")
    rules.click()
    lay(desk, "t1")
    board.locator(".board-top .due").get_by_text("1 waiting").wait_for()
    assert rules.evaluate("list => list.matches(':open')")
    board.keyboard.press("ArrowDown")
    board.keyboard.press("Enter")
    assert board.evaluate("document.querySelector('#select-cup-rules').selectedIndex") == 1


def test_hands_before_the_first_round_and_tables_nobody_watches(desk: Desk) -> None:
    """What was laid to try the camera is no hand of the first round, and that is said; a stale table can be dropped."""
    for table in ("A", "Test"):
        watch(desk, table)
    feed.release(desk.engine, "Test", "w1", "ended")
    lay(desk, "t1")
    board = desk.direct()
    begin_cup(board, "Ann\nBo\nCy\nDi")
    board.click('[data-key="seat-round"]')
    board.get_by_role("dialog").get_by_text("Laid down before anybody had a seat: 1.").wait_for()
    board.get_by_role("dialog").get_by_role("button", name="Seat round 1").click()
    board.click('[data-key="table-A"]')
    assert board.locator('[data-key="forget"]').count() == 0, "a table that is watched"
    board.locator('[data-key="act-restore"]').click()
    board.locator('[data-key="act-confirm"]').wait_for()
    press(board, "table-Test", "forget")
    board.get_by_role("dialog").get_by_role("button", name="Remove table").click()
    board.locator('[data-key="table-Test"]').wait_for(state="detached")


def test_what_went_wrong_is_told_in_the_director_s_language(desk: Desk) -> None:
    """Also what only the server knows: which player, why no round, what is wrong with a camera."""
    watch(desk)
    feed.set_state(desk.engine, "A", "w1", "lost", {})
    feed.beat(desk.engine, "A", "w1", {"trouble": say("{a} stopped sending pictures.", a="0")})
    page = desk.browser.new_context(viewport={"width": 390, "height": 844}, locale="zh-TW").new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(f"{desk.server.url}/board.html")
    page.wait_for_selector("html[data-ready]", state="attached")
    page.request.post(f"{desk.server.api}/director", data={"code": "chief"})
    page.reload()
    page.fill("#field-cup-name", "杯")
    page.fill("#cup-players", "王\n李\n張")
    page.locator('[data-key="cup-new"] + div button.main').click()
    press(page, "list-add", "seat-round")
    said = page.locator("#said")
    expect(said).not_to_be_empty()
    few = said.inner_text()
    page.click('[data-key^="players-"]')
    page.fill("#cup-late", "王")
    page.locator('[data-key^="players-"] + div form button').click()
    refused = page.locator("dialog .refused")
    expect(refused).to_contain_text("王")
    again = refused.inner_text()
    page.keyboard.press("Escape")
    deliveries.claim_target(desk.engine, "x", "H", "w1")
    deliveries.mark_refused(desk.engine, "x", say("it answered {n}", n=503))
    seen = [page.locator(part).inner_text() for part in ('[data-key="table-A"]', ".undelivered")]
    bad = "name\n<己>\n".encode()
    page.set_input_files("#players-file", {"name": "bad.csv", "mimeType": "text/csv", "buffer": bad})
    expect(refused).to_contain_text("名單第")
    texts = (few, again, refused.inner_text(), *seen)
    assert not [text for text in texts if re.search("[a-z]{3,}", text)], texts
    assert "王" in again


def test_a_director_clicks_the_corners_of_a_table(desk: Desk) -> None:
    watch(desk)
    desk.allowed.append("404")  # there is no picture yet
    board = at_table(desk)
    board.click('[data-key="aim"]')
    board.get_by_role("dialog").get_by_text("has not sent a picture yet").wait_for()
    board.keyboard.press("Escape")
    feed.beat(desk.engine, "A", "w1", {}, JPEG)
    board.click('[data-key="aim"]')
    picture = board.get_by_role("dialog").locator(".aim-marks")  # lies over the picture, as large
    picture.hover()  # the sheet has come to rest
    box = picture.bounding_box()
    assert box
    take = board.get_by_role("button", name="Use these corners")
    clicked = [(0.25, 0.25), (0.75, 0.25), (0.75, 0.5), (0.25, 0.5)]
    for x, y in clicked:
        assert take.is_disabled()
        picture.click(position={"x": x * box["width"], "y": y * box["height"]})
    take.click()
    board.get_by_role("dialog").wait_for(state="detached")
    found = watched_tables.get_table(desk.engine, "A")["corners"]
    assert found == [pytest.approx(corner, abs=0.02) for corner in clicked]


def test_a_board_shows_what_a_phone_entered(desk: Desk) -> None:
    """What another director enters is not an event of the table: the board hears of it from the game."""
    watch(desk)
    game = game_at(desk.engine)
    board = desk.open("board.html")
    board.click('[data-key="table-A"]')
    east = board.locator(".game-places li b").first
    east.wait_for()
    for count in (1, 2):
        pay(desk.engine, game, 7)
        east.get_by_text(f"−{7 * count}", exact=True).wait_for()


def _halls(engine: Engine, *names: str) -> list[str]:
    """The ids of tournaments with two rounds that are seated, at tables that no camera watches."""
    ids = []
    for name in names:
        people = [NewEntrant(f"{name} {i}") for i in range(4)]
        cup = tournaments.create_tournament(engine, tournaments.NewTournament(name, "riichi", {}, people))
        for _ in range(2):
            rounds.seat_round(engine, cup["id"], SeatingOptions(tables=[name]))
        ids.append(cup["id"])
    return ids


def test_standings_after_a_round_are_those_of_the_tournament_shown(desk: Desk) -> None:
    _, two = _halls(desk.engine, "One", "Two")
    board = desk.direct()
    rows = board.locator(".standings tbody")
    board.select_option("#select-cup-choice", label="One")
    board.select_option("#select-standings-after", label="Round 1")
    expect(rows).to_contain_text("One 3")
    board.select_option("#select-cup-choice", label="Two")
    expect(rows).to_contain_text("Two 3")
    expect(rows).not_to_contain_text("One")
    # What changes afterwards is seen in them as well.
    board.select_option("#select-standings-after", label="Round 2")
    expect(rows).to_contain_text("Two 3")
    directed = {"x-hupai-director": "chief"}
    with desk.server.client(headers=directed) as client:
        said = {"player": 1, "kind": "penalty", "amount": -20, "reason": "late"}
        assert client.post(f"/tournaments/{two}/penalties", json=said).status_code == 201
    expect(rows).to_contain_text("−20")


def test_what_is_done_after_the_clock_was_set_back_is_shown(desk: Desk) -> None:
    (cup,) = _halls(desk.engine, "One")
    pay(desk.engine, tournaments.get_tournament(desk.engine, cup)["rounds"][0]["tables"][0]["game_id"])
    put_clock_back(desk.engine)
    board = desk.direct()
    board.select_option("#select-standings-after", label="Round 2")
    board.click('summary[data-key^="history-"]')
    rows = board.locator(".standings tbody")
    expect(rows).to_contain_text("One 3")
    refereeing.penalise(desk.engine, cup, 1, Decimal(-20), Amendment("Judge Oak", "late"))
    expect(rows).to_contain_text("−20")
    expect(board.locator(".ledger").last).to_contain_text("−20")


def test_standings_after_a_round_that_did_not_come_are_asked_for_again(desk: Desk) -> None:
    (cup,) = _halls(desk.engine, "One")
    board = desk.direct()
    rows = board.locator(".standings tbody")
    with desk.server.client(headers={"x-hupai-director": "chief"}) as client:
        said = {"player": 1, "kind": "penalty", "amount": -20, "reason": "late"}
        assert client.post(f"/tournaments/{cup}/penalties", json=said).status_code == 201
    rows.get_by_text("−20").first.wait_for()
    asked: list[Route] = []
    board.route("**/standings?round=1", lambda route: route.abort() if asked else asked.append(route))
    board.select_option("#select-standings-after", label="Round 1")
    rows.wait_for(state="detached")  # the current standings are not shown under its name
    assert until(lambda: board.evaluate("1") and asked)
    asked[0].abort()
    board.locator(".part-cup .caution").get_by_text("No answer from the computer").wait_for()
    assert rows.count() == 0
    board.unroute("**/standings?round=1")

    def shown() -> bool:
        board.clock.run_for(3000)
        return rows.count() == 1 and "−20" not in rows.inner_text()

    assert until(shown)


def test_the_bonuses_of_four_places_stand_two_by_two_on_a_phone(desk: Desk) -> None:
    board = desk.direct()
    board.set_viewport_size({"width": 360, "height": 740})
    board.click('summary[data-key="cup-counting"]')
    board.locator("#field-cup-place-3").wait_for()
    fields = "(all) => all.map((field) => field.getBoundingClientRect().y)"
    heights = board.eval_on_selector_all("[id^='field-cup-place-']", fields)
    assert heights[0] == heights[1] < heights[2] == heights[3], heights


def test_a_poll_that_fails_once_does_not_leave_the_board_without_connection(desk: Desk) -> None:
    board = desk.open("board.html")
    board.route("**/api/v1/tables", lambda route: route.abort())
    board.clock.fast_forward(AGAIN_MS)
    board.locator(".offline").wait_for()
    board.unroute("**/api/v1/tables")
    board.clock.fast_forward(AGAIN_MS)
    expect(board.locator(".offline")).to_have_count(0)


@pytest.mark.parametrize("path", ["board.html", "table.html?table=A"])
def test_a_page_opened_while_the_store_is_away_comes_by_itself(desk: Desk, path: str) -> None:
    """It says why there is nothing to see, and not that a table's code is missing."""
    desk.allowed += ["503"]
    seat(desk, "riichi")
    page = desk.open(path)
    page.route("**/api/v1/*", refuse(503, "store_unavailable"))
    page.reload()
    expect(page.locator("body")).to_contain_text("cannot be recorded just now")
    page.unroute("**/api/v1/*")
    page.clock.fast_forward(AGAIN_MS)
    expect(page.locator("main")).to_contain_text("A")
    expect(page.locator("body")).not_to_contain_text("cannot be recorded just now")


def test_a_table_s_page_says_that_the_server_does_not_answer(desk: Desk) -> None:
    desk.allowed += ["503"]
    seat(desk, "riichi")
    page = desk.open("table.html?table=A")
    page.route("**/api/v1/tables", refuse(503, "store_unavailable"))
    page.clock.fast_forward(AGAIN_MS)
    expect(page.locator("#said")).to_contain_text("The server does not answer")
    page.unroute("**/api/v1/tables")
    page.clock.fast_forward(AGAIN_MS)
    expect(page.locator("#said")).to_be_empty()


def test_a_table_s_page_asks_once_when_it_is_opened(desk: Desk) -> None:
    """Its stream of events, which opens after that, has nothing to add yet."""
    seat(desk, "riichi")
    page = desk.open("table.html?table=A")
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.partition("/api/v1")[2]))
    with page.expect_response(re.compile("/api/v1/events[?]")):
        page.reload()
    page.evaluate("new Promise((resolve) => (new EventSource('/api/v1/events').onopen = resolve))")
    assert asked.count("/tables") == 1, asked


def test_a_score_that_was_lost_on_its_way_is_asked_for_again(desk: Desk) -> None:
    seat(desk, "riichi")
    lay(desk, "t1")
    board = at_table(desk)
    board.route("**/laid/*/score", lambda route: route.abort())
    tap(board, "seat=S", "win=self_draw")
    expect(board.locator(".acts-sum")).to_contain_text("No answer from the computer")
    board.unroute("**/laid/*/score")
    board.clock.fast_forward(AGAIN_MS)
    expect(board.locator('[data-key="act-confirm"]')).to_be_enabled()


def test_the_clock_of_a_round_does_not_depend_on_the_clock_of_the_browser(desk: Desk) -> None:
    (cup,) = _halls(desk.engine, "One")
    refereeing.set_timer(desk.engine, cup, 2, "start", 75)
    made = desk.browser.new_context(locale="en-GB")
    made.set_default_timeout(WAIT_MS)
    made.add_init_script("const now = Date.now; Date.now = () => now() + 30 * 60_000;")
    for path in ("board.html", "table.html?table=One", "overlay.html?show=timer"):
        page = made.new_page()
        page.goto(f"{desk.server.url}/{path}")
        expect(page.locator("b.timer")).to_have_text(re.compile("^7[0-5]:"))
