"""The director's day on the board, in a real browser: list, plan, clock, penalties, sign-off, who did what."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from hupai.hall.seating.importing import NewEntrant
from hupai.hall.store import refereeing, tournaments
from hupai.hall.store.rounds import rounds
from hupai.hall.store.rounds.next_round import SeatingOptions
from hupai.hall.store.state import tournament_log
from hupai.hall.store.tournaments import NewTournament
from scripts.browser.phone import WAIT_MS
from tests.hupai.browsing import expect
from tests.hupai.test_hall.desk import Desk, begin_cup, director_desk, explain, press

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LIST = "name,club,country,EMA number,team\n" + "".join(
    f"Player {i},Oak,NED,0429{i:04},Team {i % 4}\n" for i in range(1, 17)
)
SCHEDULE = "round,table,east,south,west,north\n2,1,1,5,9,13\n2,2,2,6,10,14\n2,3,3,7,11,15\n2,4,4,8,12,16\n"

RUNNING = re.compile(r"^7[0-5]:\d\d$")
"""A clock that was set to 75 minutes, some minutes ago at most."""


def file(name: str, text: str) -> dict[str, object]:
    return {"name": name, "mimeType": "text/csv", "buffer": text.encode()}


def unfold(page: Page, key: str) -> None:
    page.locator(f'summary[data-key^="{key}-"]').click()


def test_a_directors_day(desk: Desk) -> None:
    page = desk.direct()
    page.set_viewport_size({"width": 390, "height": 900})
    page.fill("#field-cup-name", "Winter Cup")
    page.select_option("#select-cup-rules", label="Riichi")
    page.get_by_role("button", name="Begin").click()
    unfold(page, "players")
    page.set_input_files("#players-file", files=[file("bad.csv", "Nom;Prénom;Taille\nDupont;Jean;1\n<b>;;2\n")])
    read = page.get_by_role("dialog")
    expect(read.locator(".columns li")).to_have_text(["Nom → Last name", "Prénom → First name", "Taille → not used"])
    expect(read.locator(".refused")).to_contain_text("Line 3 of the list cannot be taken")
    expect(read.locator(".people")).to_have_text("Jean Dupont")
    read.get_by_role("button", name="Close").click()
    page.set_input_files("#players-file", files=[file("players.csv", LIST)])
    page.get_by_role("button", name="Add players: 16").click()
    expect(page.locator(".people li").filter(has_text="16. Player 16")).to_have_count(1)
    page.fill("#field-director-name", "Judge Oak")
    unfold(page, "plan")
    page.fill("#field-referee-rounds", "3")
    page.click('[data-key="plan-rounds"]')
    expect(page.get_by_text("Planned: rounds 1 to 3; repeat meetings: 0.")).to_be_visible()
    page.click('[data-key="seat-round"]')
    page.locator(".round-tables").first.wait_for()
    page.set_input_files("#plan-file", files=[file("schedule.csv", SCHEDULE)])
    expect(page.get_by_text("Planned: rounds 2 to 2;")).to_be_visible()
    page.click('[data-key="timer-start"]')
    expect(page.locator(".timer.running")).to_have_text(RUNNING)
    page.click('[data-key="timer-pause"]')
    expect(page.locator(".timer.paused")).to_be_visible()
    page.fill("#field-referee-text", "Lunch at one")
    page.click('[data-key="announce"]')
    expect(page.locator(".announced")).to_have_text("Lunch at one")
    unfold(page, "penalties")
    page.select_option("#select-penalty-player", label="3. Player 3")
    page.select_option("#select-penalty-kind", label="chombo")
    page.fill("#field-referee-amount", "−20")
    page.fill("#field-referee-reason", "A dead hand")
    page.click('[data-key="penalise"]')
    expect(page.locator(".standings tbody tr").last).to_contain_text("Player 3")
    page.locator('[data-key^="withdraw-"]').click()
    explain(page, "Withdraw", "Another player's")
    expect(page.locator(".ledger .undone")).to_contain_text("Another player's")
    page.click('[data-key="edit-16"]')
    page.get_by_role("dialog").locator("#field-player-name").fill("Sixteen")
    page.get_by_role("dialog").get_by_role("button", name="Change").click()
    expect(page.locator(".round-tables").last).to_contain_text("Sixteen")
    cup = page.evaluate("fetch('/api/v1/tournaments').then((r) => r.json()).then((t) => t.tournaments[0].id)")
    (table, other, *_) = page.request.get(f"{desk.server.api}/tournaments/{cup}").json()["rounds"][0]["tables"]
    paid = {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": 8000}], "seen": {"revision": 0}}
    page.request.post(f"{desk.server.api}/games/{table['game_id']}/hands", data=paid)
    page.reload()
    end = page.locator(f'[data-key="end-{table["game_id"]}"]')
    end.click()
    explain(page, "End this table", "Time is up")
    for seat in "ESWN":
        page.click(f'[data-key="sign-{table["game_id"]}-{seat}"]')
        expect(page.locator(f'[data-key="sign-{table["game_id"]}-{seat}"]')).to_have_count(0)
    expect(page.locator(".has-signed")).to_have_count(4)
    page.click(f'[data-key="totals-{other["game_id"]}"]')
    for i, points in enumerate(("31000", "25000", "24000", "20000")):
        page.get_by_role("dialog").locator(f"#field-total-{i}").fill(points)
    page.get_by_role("dialog").get_by_role("button", name="Enter the totals").click()
    page.click(f'[data-key="object-{other["game_id"]}-W"]')
    explain(page, "Object", "Two sticks were mine")
    expect(page.locator(".round-tables .caution")).to_contain_text("objects: Two sticks were mine")
    unfold(page, "history")
    told = page.locator(".ledger").last
    for done in (
        "table confirmed",
        "penalty withdrawn · Another player's",
        "Judge Oak · clock",
        "Judge Oak · game ended · Round 1 · Table 1 · Time is up",
        "result entered by its totals · Round 1 · Table 2",
        "objection · Two sticks were mine",
    ):
        expect(told).to_contain_text(done)
    expect(page.locator(f'[data-key="totals-{table["game_id"]}"]')).to_have_count(0)  # it follows from hands
    page.click(f'[data-key="totals-{other["game_id"]}"]')
    expect(page.get_by_role("dialog").locator("#field-total-0")).to_have_value("31000")
    for i, points in enumerate(("29000", "27000")):
        page.get_by_role("dialog").locator(f"#field-total-{i}").fill(points)
    explain(page, "Correct the totals", "Two sticks")
    expect(told).to_contain_text("result entered by its totals · Round 1 · Table 2 · Two sticks")
    expect(page.locator(".round-tables").last).to_contain_text("29,000")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    desk.allowed.append("422")


def test_a_day_goes_on_with_a_substitute_late_players_swiss_and_a_final(desk: Desk) -> None:
    """Tables without cameras: the tournament has the whole page, and a table leads to its game and its history."""
    page = desk.direct()
    begin_cup(page, "\n".join(f"P{i}" for i in range(1, 9)), "Winter Cup")
    unfold(page, "players")
    page.fill("#cup-late", "Sub")
    page.get_by_role("button", name="Add players").click()
    expect(page.get_by_role("dialog").locator(".columns")).to_have_text("Column 1 → Name")
    press(page, "list-add", "edit-9")
    page.get_by_role("dialog").locator('[data-key="player-substitute"]').check(force=True)
    page.get_by_role("dialog").get_by_role("button", name="Change").click()
    expect(page.locator(".people li").last).to_contain_text("substitute")
    assert page.locator(".standings").count() == 0, "nobody stands anywhere yet"
    page.click('[data-key="seat-round"]')
    expect(page.locator(".standings tbody tr")).to_have_count(8)
    expect(page.get_by_text("Sitting out")).to_have_count(0)
    wide = page.locator(".part-cup").evaluate("(part) => part.getBoundingClientRect().width")
    assert wide > 1200
    cup = page.evaluate("fetch('/api/v1/tournaments').then((r) => r.json()).then((t) => t.tournaments[0].id)")
    (table, *_) = page.request.get(f"{desk.server.api}/tournaments/{cup}").json()["rounds"][0]["tables"]
    ill = table["players"][1]
    unfold(page, "seats")
    page.select_option("#select-replace-out", label=f"{ill['number']}. {ill['name']}")
    page.select_option("#select-replace-into", label="9. Sub")
    page.fill("#field-replace-why", "Ill")
    page.click('[data-key="replace"]')
    expect(page.locator(".round-tables").last).to_contain_text("Sub")
    game = f"{desk.server.api}/games/{table['game_id']}"
    paid = {"outcome": "payment", "transfers": [{"from": "E", "to": "W", "amount": 8}], "seen": {"revision": 0}}
    assert page.request.post(f"{game}/hands", data=paid).status == 409, "it was seen with the player who is ill"
    paid["seen"] = {"revision": page.request.get(game).json()["revision"]}
    assert page.request.post(f"{game}/hands", data=paid).status == 201
    hands = page.locator(f'[data-key="hands-{table["game_id"]}"]')
    expect(hands).to_have_text("hands: 1")
    east, west = (f"{p['number']}. {p['name']}" for p in table["players"][::2])
    page.select_option("#select-replace-out", label=east)
    page.select_option("#select-replace-into", label=west)
    page.select_option("#select-replace-hands", label="by name: they go with the players and are settled again")
    page.fill("#field-replace-why", "They sat in each other's seats")
    page.click('[data-key="replace"]')
    expect(page.locator(".round-tables li").first.locator("ol li").first).to_have_text(
        f"東 {table['players'][2]['name']}8"
    )
    with page.context.expect_page() as opened:
        hands.click()
    phone = opened.value
    phone.set_default_timeout(WAIT_MS)
    expect(phone.get_by_text("Winter Cup 1/1")).to_be_visible()
    phone.close()
    page.fill("#cup-late", "Late One\nLate Two\nLate Three\nLate Four")
    page.get_by_role("button", name="Add players").click()
    page.click('[data-key="list-add"]')
    expect(page.locator(".people li").filter(has_text="Late Four")).to_have_count(1)
    for number, method in ((2, "swiss"), (3, "final")):
        page.select_option(
            "#select-seat-method", label=page.locator("#select-seat-method option").nth(number - 1).inner_text()
        )
        page.click('[data-key="seat-round"]')
        expect(page.get_by_role("dialog")).to_contain_text("have not ended: 1, 2")
        page.get_by_role("dialog").get_by_role("button", name=f"Seat round {number}").click()
        if method == "swiss":
            offer = re.compile(r"^Repeat meetings: \d; ranks apart at a table: \d[.\d]*$")
            expect(page.locator('[data-key^="swiss-"]')).to_have_text([offer] * 3)
            page.click('[data-key="swiss-1"]')
        else:
            tied = page.get_by_role("dialog", name="Equal at the cut of the final")
            expect(tied).to_contain_text("Places: 2.")
            expect(tied.locator('[data-key="tied-seat"]')).to_be_disabled()
            for name in ("Late Two", "Late One"):
                tied.get_by_role("button", name=name, exact=True).click()
            tied.locator('[data-key="tied-seat"]').click()
        expect(page.get_by_role("button", name=f"Cancel round {number}")).to_be_visible()
        seated = page.request.get(f"{desk.server.api}/tournaments/{cup}").json()["rounds"]
        assert seated[-1]["method"] == method
    assert [len(r["tables"]) for r in seated] == [2, 3, 1]
    page.select_option("#select-standings-after", label="Round 1")
    expect(page.locator(".standings tbody tr").first).to_contain_text("+8")
    unfold(page, "history")
    told = page.locator(".ledger").last
    for done in (f"{ill['name']} → Sub · Ill", "round seated · Round 3", "player changed · Sub"):
        expect(told).to_contain_text(done)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_tables_page_asks_which_event_it_is_where_two_run(desk: Desk) -> None:
    for name in ("Main", "Side"):
        people = [NewEntrant(f"{name} {i}") for i in range(4)]
        cup = tournaments.create_tournament(desk.engine, NewTournament(name, "hongkong", {}, people))
        rounds.seat_round(desk.engine, cup["id"], SeatingOptions(tables=["2"]))
    page = desk.open("table.html?table=2")
    expect(page.locator("main")).to_contain_text("More than one event plays at this table")
    expect(page.locator("ol.people")).to_have_count(0)
    page.get_by_role("button", name="Main").click()
    for _ in range(2):
        expect(page.locator("ol.people")).to_contain_text("Main 3")
        expect(page.locator("main small.soft").first).to_have_text("Main · Round 1")
        page.reload()
    # Only one goes on: it is that one.
    refereeing.enter_result(desk.engine, cup["id"], 1, "2", [Decimal(0)] * 4, tournament_log.DIRECTOR)
    expect(desk.open("table.html?table=2").locator("ol.people")).to_contain_text("Main 3")
    # A code of an earlier version that may have been for either shows, and enters nothing.
    token = {"name": "Old", "role": "table", "table": "2", "tournament": None}
    page.request.post(f"{desk.server.api}/director", data={"code": "chief"})
    made = page.request.post(f"{desk.server.api}/tokens", data=token).json()["token"]
    old = desk.open(f"table.html#code={made}")
    expect(old.locator("main")).to_contain_text("belongs to no event")
    expect(old.locator('[data-key^="totals-"]')).to_have_count(0)


def test_players_at_a_table_enter_end_and_confirm_by_their_code(browser: Browser, tmp_path: Path) -> None:
    """The director makes a table's token on the board; a phone that opens its address works at that table."""
    with director_desk(browser, tmp_path, access_code="sesame") as desk:
        board = browser.new_context(viewport={"width": 1360, "height": 900}, locale="en-GB").new_page()
        board.set_default_timeout(WAIT_MS)
        board.goto(f"{desk.server.url}/board.html")
        board.fill("#code-access", "chief")
        board.keyboard.press("Enter")
        board.fill("#field-cup-name", "Cup")
        board.fill("#cup-players", "Ann\nBo\nCy\nDi")
        board.get_by_role("button", name="Begin").click()
        press(board, "list-add", "seat-round", shows=".round-tables")
        board.click('summary[data-key="tokens"]')
        board.fill("#field-token-name", "Table 1")
        board.fill("#field-token-table", "1")
        board.click('[data-key="make-token"]')
        assert board.locator("dialog .qr").evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
        address = board.locator("dialog .token").inner_text()
        phone = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB").new_page()
        phone.set_default_timeout(WAIT_MS)
        trouble: list[str] = []
        phone.on("pageerror", lambda error: trouble.append(str(error)))
        phone.goto(f"{desk.server.url}/table.html{address[address.index('#') :]}")
        phone.wait_for_selector("html[data-ready]", state="attached")
        expect(phone.locator("h1")).to_have_text("Table 1")
        href = str(phone.get_attribute('[data-key="enter-hands"]', "href"))
        game = href.partition("join=")[2]
        board.keyboard.press("Escape")
        press(board, f"extra-{game}", "extra-minutes-5")
        expect(phone.locator(".announced")).to_have_text("+5 min")
        paid = {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": 8}], "seen": {"revision": 0}}
        assert phone.request.post(f"{desk.server.api}/games/{game}/hands", data=paid).status == 201
        expect(board.locator(".round-tables")).to_contain_text("hands: 1")
        # How the event's games are settled, and whether they are kept, is not asked at the table.
        ledger = phone.context.new_page()
        ledger.goto(f"{desk.server.url}/{href}")
        ledger.click('[data-key="end"]')
        expect(ledger.get_by_role("dialog")).to_contain_text("End the game")
        expect(ledger.locator("#field-rate")).to_have_count(0)
        expect(ledger.locator('[data-key="delete"]')).to_have_count(0)
        ledger.close()
        phone.reload()
        phone.click(f'[data-key="end-{game}"]')
        explain(phone, "End this table", "Time is up")
        for seat in "ESWN":
            phone.click(f'[data-key="sign-{game}-{seat}"]')
        expect(phone.locator(".has-signed")).to_have_count(4)
        expect(board.locator(".round-tables .has-signed")).to_have_count(4)
        assert trouble == []
        # The side event's table 1 is another one.
        side = tournaments.create_tournament(
            desk.engine, NewTournament("Side", "hongkong", {}, [NewEntrant(f"Side {i}") for i in range(4)])
        )
        rounds.seat_round(desk.engine, side["id"], SeatingOptions(tables=["1"]))
        phone.reload()
        expect(phone.locator(".has-signed")).to_have_count(4)
        expect(phone.locator("main small.soft").first).to_have_text("Cup · Round 1")
        # Withdrawn on the board, it opens nothing any more.
        board.locator('[data-key^="token-"]').click()
        expect(board.locator(".people .left")).to_contain_text("withdrawn")
        assert phone.request.get(f"{desk.server.api}/tournaments").status == 401
        for page in (board, phone):
            page.context.close()


def test_what_was_begun_or_added_by_mistake_is_removed_while_nobody_is_seated(desk: Desk) -> None:
    page = desk.direct()
    wrong = {"name": "Wintr Cup", "rules": "riichi", "players": [{"name": name} for name in ("Ann", "Bo", "Cy", "Di")]}
    assert page.request.post(f"{desk.server.api}/tournaments", data=wrong).status == 201
    page.reload()
    for sure, left in (("Cancel", 1), ("Delete this tournament", 0)):
        page.click('[data-key="erase-cup"]')
        expect(page.get_by_role("dialog")).to_contain_text("Wintr Cup is deleted with its players")
        page.get_by_role("dialog").get_by_role("button", name=sure).click()
        expect(page.locator("h2", has_text="Wintr Cup")).to_have_count(left)
    page.fill("#field-cup-name", "Winter Cup")
    page.select_option("#select-cup-rules", label="Riichi")
    page.fill("#field-cup-return_points", "30000")
    page.fill("#cup-players", "Ann\nBo\nCy\nDi\nDii")
    page.get_by_role("button", name="Begin").click()
    page.click('[data-key="list-add"]')
    unfold(page, "players")
    for sure, left in (("Cancel", 5), ("Remove from the list", 4)):
        press(page, "edit-5", "remove-player")
        expect(page.get_by_role("dialog")).to_contain_text("Dii was added by mistake")
        page.get_by_role("dialog").get_by_role("button", name=sure).click()
        expect(page.locator('[data-key^="edit-"]')).to_have_count(left)
    unfold(page, "history")
    expect(page.locator(".ledger li").first).to_contain_text("player removed · Dii")
    page.click('[data-key="seat-round"]')
    page.locator(".round-tables").first.wait_for()
    expect(page.locator('[data-key="erase-cup"]')).to_have_count(0)
    page.click('[data-key="edit-4"]')
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator('[data-key="remove-player"]')).to_have_count(0)
    (cup,) = page.request.get(f"{desk.server.api}/tournaments").json()["tournaments"]
    assert page.request.get(f"{desk.server.api}/tournaments/{cup['id']}").json()["return_points"] == 30000


def test_the_day_sheet_leads_from_round_to_round(desk: Desk) -> None:
    page = desk.direct()
    page.set_viewport_size({"width": 390, "height": 900})
    begin_cup(page, "\n".join(f"P{i}" for i in range(1, 9)), "Winter Cup", "Riichi")
    page.fill("#field-seat-minutes", "75")
    page.click('[data-key="seat-round"]')
    sheet, dialog = page.get_by_role("region", name="Before the next round"), page.get_by_role("dialog")
    expect(sheet.locator("li")).to_have_text([re.compile("Table 1: no result yet"), re.compile("Table 2")])
    expect(page.locator(".timer.running")).to_have_text(RUNNING)

    def enter(points: tuple[str, ...], *, signed: bool) -> None:
        sheet.get_by_role("button", name="Enter the totals").first.click()
        for i, total in enumerate(points):
            dialog.locator(f"#field-total-{i}").fill(total)
        if signed:
            dialog.locator('[data-key="totals-signed"]').check(force=True)
        dialog.get_by_role("button", name="Enter the totals").click()

    enter(("31000", "25000", "24000", "20000"), signed=True)
    expect(sheet.locator("li")).to_have_count(1)
    enter(("40000", "30000", "20000", "10000"), signed=False)
    expect(sheet.locator("li")).to_contain_text("not confirmed by")
    sheet.get_by_role("button", name="Undo").click()
    expect(sheet.locator("li")).to_contain_text("Table 2: no result yet")
    enter(("40000", "30000", "20000", "10000"), signed=False)
    page.locator('[data-key^="object-"]').first.click()
    explain(page, "Object", "Two sticks were mine")
    expect(sheet.locator("li").first).to_contain_text("objects: Two sticks were mine")
    sheet.get_by_role("button", name=re.compile("confirms")).click()
    sheet.get_by_role("button", name="All confirm").click()
    expect(sheet).to_contain_text("Nothing is missing.")
    page.click('[data-key="seat-round"]')
    expect(sheet.locator("li")).to_have_count(2)
    expect(sheet).to_contain_text("round seated · Round 2")
    sheet.get_by_role("button", name="Undo").click()
    expect(sheet).to_contain_text("Nothing is missing.")
    unfold(page, "history")
    told = page.locator(".ledger").last
    for done in ("step undone", "result entered by its totals · Round 1 · Table 2", "objection"):
        expect(told).to_contain_text(done)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_tournament_of_three_on_board_overlay_and_table(desk: Desk) -> None:
    page = desk.direct()
    page.fill("#field-cup-name", "Sanma Cup")
    page.select_option("#select-cup-rules", label="Riichi")
    expect(page.locator("#field-cup-place-3")).to_have_value("-15")
    page.select_option("#select-cup-table", label="3")
    expect(page.locator("#field-cup-place-3")).to_have_count(0)
    expect(page.locator("#field-cup-place-2")).to_have_value("-15")
    page.fill("#cup-players", "\n".join(f"P{i}" for i in range(1, 10)))
    page.get_by_role("button", name="Begin").click()
    page.click('[data-key="list-add"]')
    page.get_by_role("heading", name="Sanma Cup").wait_for()
    unfold(page, "plan")
    page.fill("#field-referee-rounds", "4")
    page.click('[data-key="plan-rounds"]')
    page.get_by_text("Planned: rounds 1 to 4; repeat meetings: 0.").wait_for()
    page.click('[data-key="seat-round"]')
    sheet, dialog = page.get_by_role("region", name="Before the next round"), page.get_by_role("dialog")
    expect(sheet.locator("li")).to_have_count(3)
    expect(page.locator(".round-tables").last.locator("ol > li")).to_have_count(9)
    sheet.get_by_role("button", name="Enter the totals").first.click()
    expect(dialog.locator("[id^=field-total-]")).to_have_count(3)
    for i, total in enumerate(("50000", "35000", "20000")):
        dialog.locator(f"#field-total-{i}").fill(total)
    dialog.get_by_role("button", name="Enter the totals").click()
    expect(sheet).to_contain_text("Table 1: not confirmed by 東 P")
    for seat in "ESW":
        page.locator(f'[data-key^="sign-"][data-key$="-{seat}"]').click()
    expect(page.locator(".has-signed")).to_have_count(3)
    expect(page.locator('[data-key^="sign-"]')).to_have_count(0)
    expect(page.locator(".standings th").nth(5)).to_have_text("Place 1 · 2 · 3")
    expect(page.locator(".standings .of-placed").first).to_have_text("1 · 0 · 0")
    expect(page.locator("a[download]")).to_have_text(["standings.csv", "tables.csv", "export.json"])
    page.select_option("#select-seat-method", label="final")
    expect(page.locator("#select-seat-size option")).to_have_text(["3", "6", "9"])
    overlay = desk.open("overlay.html?show=seating")
    expect(overlay.locator(".tables .wind")).to_have_text([*"東南西"] * 3)
    bug = desk.open("overlay.html?show=bug&table=1")
    expect(bug.locator(".seats .total")).to_have_text(["50,000", "35,000", "20,000"])
    right = "(one) => one.getBoundingClientRect().right"
    assert bug.locator(".seats > li").last.evaluate(right) == bug.locator(".seats").evaluate(right)
    table = desk.open("table.html?table=2")
    expect(table.locator("ol.people > li")).to_have_count(3)
    (cup,) = (shown["id"] for shown in page.request.get(f"{desk.server.api}/tournaments").json()["tournaments"])
    for role, at, keys in (("viewer", "2", 0), ("table", "2", 1), ("table", "1", 0)):
        body = {"name": role, "role": role} | ({"table": at, "tournament": cup} if role == "table" else {})
        token = page.request.post(f"{desk.server.api}/tokens", data=body).json()["token"]
        mine = desk.open(f"table.html?table={at}#code={token}")
        expect(mine.locator("ol.people > li")).to_have_count(3)
        expect(mine.locator('[data-key^="totals-"]')).to_have_count(keys)
