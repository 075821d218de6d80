"""The ledger and the house rules on the page: draws, payments, penalties, several winners, presets, corrections."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

import httpx
import pytest

from scripts.browser.phone import EXAMPLES, Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_game.test_game_end import game
from tests.hupai.test_page.test_hand.test_editor import corrected
from tests.hupai.test_page.test_host.test_phones import enter, show

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Route


def test_which_one_am_i_is_asked_once_and_turns_the_table(phone: Phone) -> None:
    phone.begin_game()
    assert phone.seats() == {"Mei": "East", "Bo": "South", "Chiyo": "West", "Dan": "North"}
    phone.belongs_to(1)

    def below() -> str:
        return phone.text(".place.below b")

    for _ in range(2):
        assert below() == "Bo" and phone.key("own-none").count() == 0
        phone.reload()
    show(phone, seat="W")
    enter(phone)
    assert phone.seats() == {"Mei": "North", "Bo": "East", "Chiyo": "South", "Dan": "West"}
    assert below() == "Bo", "everybody keeps their place, whoever wins"
    phone.go("hand")
    phone.lay()
    assert phone.at("input[data-key^='seat=']:checked").count() == 0, "nobody is taken for the next winner"
    phone.go("game")
    phone.key("undo").click()
    phone.page.get_by_role("heading", name="0 hands · 1 not counted").wait_for()
    phone.press("fold-history", shows=".changes li:nth-child(2)")
    assert [line.split("\n")[-1] for line in phone.at(".changes li").all_inner_texts()] == ["Bo", "Bo"]
    phone.press("own-again", "own-none")
    phone.key("own-again").wait_for()
    assert below() == "Mei"


def test_a_late_answer_does_not_bring_back_what_was_undone(phone: Phone) -> None:
    """The table as asked for before an undo, told after it, is old news."""
    phone.begin_game()
    late: list[tuple[Route, APIResponse]] = []
    holding = True

    def hold(route: Route) -> None:
        if holding and route.request.method == "GET":
            late.append((route, route.fetch()))
        else:
            route.continue_()

    phone.page.route("**/api/v1/games/*", hold)
    show(phone, seat="E")
    enter(phone)
    phone.until(lambda: late)
    holding = False
    phone.press("undo", shows=".undone")
    told: list[str] = []
    phone.page.on("response", lambda r: told.append(r.url) if r.request.method == "GET" else None)
    for route, answer in late:
        route.fulfill(response=answer)
    phone.until(lambda: len(told) > len(late))  # the page has asked again
    assert phone.at(".undone").count() == 1


SHEETS = [
    ("hongkong", "false-win", {"offender": "S"}, ["+256", "−512", "+128", "+128"]),
    ("riichi", "false-win", {"offender": "S"}, ["+4,000", "−8,000", "+2,000", "+2,000"]),
    ("hangzhou", "false-win", {"offender": "E"}, []),
    ("riichi", "draw", {"riichi": "S", "ready": "E"}, ["+1,500", "+500", "−1,500", "−1,500", "+1,000"]),
    ("hongkong", "draw", {}, ["0", "0", "0", "0"]),
    ("hongkong", "payment", {"pay-from": "N", "pay-to": "E"}, ["+12.5", "0", "0", "−12.5"]),
    ("singapore", "instant", {"instant-seat": "S"}, ["−2", "+6", "−2", "−2"]),
    ("singapore", "false-win", {"offender": "S"}, []),
]


@pytest.mark.parametrize(("rules", "sheet", "said", "expected"), SHEETS, ids=[f"{s[0]}-{s[1]}" for s in SHEETS])
def test_every_sheet_shows_what_it_books_first(
    phone: Phone, server: Server, rules: str, sheet: str, said: dict[str, str], expected: list[str]
) -> None:
    """And the same when the recorded hand is corrected, which the phone's ledger then holds as it was shown."""
    phone.begin_game(rules=rules)
    phone.key(sheet).click()
    for question, value in said.items():
        if question in ("riichi", "ready"):
            phone.key(f"{question}-{value}").click()
        else:
            phone.choose(question, value)
    if sheet == "payment":
        phone.at("#field-pay-amount").fill("12,5")
    if sheet == "instant":
        phone.at("#select-instant-event").select_option(label="Cat and rat")
    phone.page.wait_for_selector('[data-key="outcome"]:not([aria-disabled])')
    shown = phone.at("dialog .net td").all_inner_texts()
    assert shown == (expected or shown) and len(shown) >= 4
    phone.close_by("outcome")
    (hand,) = game(server, phone)["hands"]
    booked = [text.replace(",", "").replace("−", "-") for text in shown]
    amounts = [Decimal(amount) for amount in hand["payments"]]
    assert [Decimal(text) for text in booked] == [*amounts, Decimal(hand["pot"])][: len(booked)]
    phone.press("correct-1", shows='[data-key="amend"]:not([aria-disabled])')
    assert phone.at("dialog .net td").all_inner_texts() == shown


def test_draw_payment_and_false_win(phone: Phone) -> None:
    phone.begin_game()
    phone.press("draw", "outcome", shows=".hands li")
    phone.key("payment").click()
    phone.key("pay-from=N").wait_for(state="attached")
    assert phone.at("dialog input:checked").count() == 0, "nobody is taken for the payer"
    phone.choose("pay-from", "N")
    phone.choose("pay-to", "E")
    phone.at("#field-pay-amount").fill("12,5")
    phone.at("#field-pay-why").fill("snacks")
    phone.close_by("outcome")
    payer = next(n for n, wind in phone.seats().items() if wind == "North")
    assert phone.totals()[payer] == "−12.5"
    phone.key("false-win").click()
    phone.choose("offender", "E")
    phone.close_by("outcome")
    # Taken back one by one, the last first.
    for _ in range(3):
        left = phone.at(".undone").count()
        phone.key("undo").click()
        phone.page.wait_for_function("(n) => document.querySelectorAll('.undone').length > n", arg=left)
    assert set(phone.totals().values()) == {"0"}


def test_a_taiwanese_false_win_and_how_often_the_dealer_has_stayed(ring: Ring) -> None:
    phone = ring(locale="zh-TW")
    phone.begin_game(rules="taiwanese")
    phone.key("false-win").click()
    assert phone.text("dialog h2") == "詐胡"
    phone.choose("offender", "S")
    phone.page.wait_for_selector("dialog .net")
    phone.close_by("outcome")
    assert sorted(phone.totals().values()) == ["110", "110", "110", "−330"]
    assert "連莊" not in phone.text(".centre-words")
    phone.close_by("draw", "outcome")
    assert "連莊 1" in phone.text(".centre-words")


def test_riichi_sticks_counters_and_tenpai(ring: Ring) -> None:
    phone = ring(size=(360, 640))
    phone.allowed.append("status of 422")
    phone.begin_game(rules="riichi")
    phone.key("draw").click()
    phone.switch("abortive", on=True)
    assert "nobody pays" in phone.text("dialog")
    phone.switch("abortive", on=False)
    phone.press("riichi-S", "ready-E", "ready-S", shows="#faults-told")
    phone.key("outcome").scroll_into_view_if_needed()
    seen = "(why) => why.getBoundingClientRect().top >= 0"
    assert phone.at("#faults-told").evaluate(seen), "why nothing can be recorded stands above the key"
    assert phone.key("outcome").get_attribute("aria-disabled") == "true"
    phone.close_by("ready-S", "outcome")
    assert phone.totals() == {"Mei": "1,500", "Bo": "500", "Chiyo": "−1,500", "Dan": "−1,500"}


def test_what_four_players_got_stands_in_one_line(ring: Ring) -> None:
    phone = ring(size=(320, 640))
    phone.begin_game(rules="riichi", points="100000")
    show(phone, seat="E")
    enter(phone)
    amounts = phone.at(".deltas li")
    boxes = [amounts.nth(i).bounding_box() for i in range(4)]
    assert len({box["y"] for box in boxes if box}) == 1, boxes


def test_two_winners_on_one_discard(phone: Phone, server: Server) -> None:
    phone.begin_game()
    phone.go("hand")
    phone.lay()
    phone.answer(seat="S", win="discard", giver="E")
    first = phone.score()["answer"]["payments"]
    phone.press("bar", "other-winner", shows=".start")
    phone.lay("1s 2s 3s 4s 5s 6s 7s 8s 9s 2p 3p 6m 6m 4p")
    assert phone.at("[data-key^='payer=']").count() == 0, "the tile was East's"
    offered = [key.get_attribute("data-key") for key in phone.page.query_selector_all("input[data-key^='seat=']")]
    assert offered == ["seat=W", "seat=N"]
    phone.choose("seat", "W")
    second = phone.score()["answer"]["payments"]
    shown = phone.at("#bar .amounts b").all_inner_texts()
    phone.press("bar", "record", shows=".hands li")
    (hand,) = game(server, phone)["hands"]
    assert hand["payments"] == [first[s] + second[s] for s in "ESWN"]
    assert [int(n.replace("−", "-")) for n in shown] == hand["payments"]


def test_an_indicator_of_the_first_winner_lies_there_for_the_second(phone: Phone) -> None:
    phone.begin_game(rules="riichi")
    phone.go("hand")
    phone.lay()
    phone.close_by("add-dora", "key-4s")
    phone.answer(seat="S", win="discard", giver="E")
    first = {e["id"]: e["count"] for e in phone.score()["answer"]["elements"]}
    phone.press("bar", "other-winner", shows=".start")
    phone.lay("2m 3m 4m 5m 6m 7m 5s 5s 5s 2p 3p 6m 6m 4p")
    phone.choose("seat", "W")
    second = {e["id"]: e["count"] for e in phone.score()["answer"]["elements"]}
    assert (first["dora"], second["dora"]) == (2, 3)


def test_of_two_winners_one_takes_the_sticks_and_back_leads_to_the_next_hand(phone: Phone, server: Server) -> None:
    phone.begin_game(rules="riichi")
    game = f"{server.api}/games/{phone.remembered('game')['id']}"
    draw = {"outcome": "draw", "ready": ["E"], "riichi": ["E"], "seen": {"revision": 0}}
    assert httpx.post(f"{game}/hands", json=draw).status_code == 201
    phone.page.wait_for_selector(".hands li")
    phone.go("hand")
    phone.lay()
    phone.answer(seat="S", win="discard", giver="E")
    assert phone.score()["answer"]["payments"]["pot"] == -1000
    phone.press("bar", "other-winner", shows=".start")
    phone.lay("2m 3m 4m 5m 6m 7m 5s 5s 5s 2p 3p 6m 6m 4p")
    phone.choose("seat", "W")
    phone.score()
    bar = phone.at("#bar .amounts b").all_inner_texts()
    phone.press("bar", shows=".hero .net td")
    assert phone.at(".hero .net td").all_inner_texts() == bar
    takes = [text for text in phone.at(".transfers li b").all_inner_texts() if text.startswith("Pot")]
    assert takes == ["Pot pays Bo 1,000"], "the first sits nearer"
    phone.press("record", shows=".hands li:nth-child(2)")
    phone.page.go_back()
    phone.page.wait_for_selector(".at-hand .start")


def test_a_noted_winner_comes_back_alone_and_is_in_no_other_hand(phone: Phone) -> None:
    phone.begin_game(rules="riichi")
    phone.go("hand")
    phone.lay()
    phone.key("chip-riichi").click()
    phone.answer(seat="S", win="discard", giver="E")
    before, hand = phone.score()["answer"]["payments"], phone.codes()
    for over in (False, True):
        phone.press("bar", "other-winner", shows=".start")
        assert phone.key("told").count() == 0, "whoever wins on the same tile needs tiles"
        if over:
            break
        phone.press("no-other-winner", shows=".tray .tile")
        assert (phone.score()["answer"]["payments"], phone.codes()) == (before, hand)
    phone.go("game")
    phone.press("draw", "outcome", shows=".hands li")
    phone.go("hand")
    assert phone.key("told").count() == 1 and phone.remembered("draft")["wins"] == []


def test_the_next_dealer_can_be_said(phone: Phone) -> None:
    phone.begin_game()
    phone.go("hand")
    phone.lay()
    phone.show_score()
    phone.key("fold-next").click()
    phone.at("#select-next-dealer").select_option(label="Dan")
    phone.at("#select-next-round").select_option(label="South")
    phone.press("record", shows=".hands li")
    assert phone.seats()["Dan"] == "East"
    assert "South round, hand 4" in phone.text(".centre-words")


def test_names_are_checked_beside_their_field(phone: Phone) -> None:
    phone.allowed.append("status of 422")
    phone.go("game")
    for i, name in enumerate(("Ann", "Bo", "<b>Cy</b>", "D")):
        phone.at(f"#field-player-{i}").fill(name)
    phone.key("create-game").click()
    phone.at("[data-field='player-2'] .faults li").first.wait_for()


def test_house_rules_change_the_score_and_are_saved(phone: Phone) -> None:
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    before = phone.score()["answer"]["payments"]["S"]
    phone.go("rules")
    phone.at("#select-option-table").select_option(label="Parlour (always 1)")
    phone.switch("option-dealer_doubling", on=False)
    phone.key("fold-save").click()
    phone.at("#field-preset-name").fill("Friday night")
    phone.press("preset-save", shows="[data-key='preset-Friday night']")
    assert phone.key("preset-Friday night").get_attribute("aria-pressed") == "true"
    phone.go("hand")
    after = phone.score()
    assert after["request"]["options"] == {"table": "parlor", "dealer_doubling": False}
    assert after["answer"]["payments"]["S"] == 6 != before
    # Back to the usual, and to the saved ones by a tap; a game takes them over.
    phone.go("rules")
    phone.key("reset").click()
    assert phone.score()["answer"]["payments"]["S"] == before
    phone.key("preset-Friday night").click()
    phone.begin_game()
    assert phone.remembered("game")["options"] == {"table": "parlor", "dealer_doubling": False}


def test_a_bad_house_rule_is_refused_beside_its_field(phone: Phone) -> None:
    phone.allowed.append("status of 422")
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    phone.score()
    phone.go("rules")
    for given, faults in (("many", 1), ("8", 0)):
        phone.at("#field-option-max_faan").fill(given)
        phone.at("#field-option-max_faan").press("Tab")
        phone.settle()
        phone.until(lambda faults=faults: phone.at("[data-field='option-max_faan'] .faults li").count() == faults)
    assert phone.score()["state"] == "done"


def test_the_values_of_elements_are_the_tables_own(phone: Phone) -> None:
    """Typed in the list of elements, said by the score, kept by the game."""
    phone.allowed.append("status of 422")
    phone.go("rules")
    phone.choose("rules", "singapore")
    phone.key("fold-elements").tap()
    phone.key("change-values").tap()
    row = phone.at(".elements tr").filter(has=phone.at("#field-value-all_chows"))
    phone.at("#field-value-all_chows").fill("2")
    phone.at("#field-value-all_chows").press("Tab")
    phone.until(lambda: row.locator("td").inner_text().split() == ["2", "listed:", "4"])
    phone.at("#field-value-concealed_hand").fill("0")
    phone.at("#field-value-concealed_hand").press("Tab")
    phone.go("hand")
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    answer = phone.score()["answer"]
    assert {e["id"]: (e["value"], e["listed"]) for e in answer["elements"]} == {"all_chows": (2, 4)}
    phone.show_score()
    assert phone.at(".line-value").inner_text().split() == ["+2", "listed:", "+4"]

    phone.go("rules")
    phone.key("fold-elements").tap()
    phone.key("change-values").tap()
    phone.at("#field-value-all_chows").fill("many")
    phone.at("#field-value-all_chows").press("Tab")
    phone.page.wait_for_selector("#faults-values li")
    phone.at("#field-value-all_chows").fill("")
    phone.at("#field-value-all_chows").press("Tab")
    phone.until(lambda: row.locator("td").inner_text() == "4")

    phone.begin_game(rules="singapore")
    phone.go("rules")
    phone.key("fold-elements").tap()
    phone.page.wait_for_selector(".elements td:has-text('not played')")
    assert phone.key("change-values").count() == 0


def test_corrections_only_with_consent(phone: Phone, server: Server) -> None:
    sent: list[str] = []
    phone.page.on("request", lambda r: sent.append(r.url) if r.method == "POST" else None)
    phone.photograph()
    before = len(httpx.get(f"{server.api}/corrections").json()["corrections"])
    phone.show_score()
    assert phone.key("keep-correction").count() == 0, "nothing was mended, nothing is asked"
    phone.go("hand")
    right = phone.codes()[1]
    phone.mend("concealed", 1, "2s")
    phone.mend("concealed", 0, "9m")
    phone.settle()
    phone.page.evaluate("location.hash = '#/score'")
    phone.page.wait_for_selector(".at-score")
    assert not any(url.endswith("/corrections") for url in sent)
    phone.key("keep-correction").click()
    phone.page.get_by_text("Kept as a sample").wait_for()
    kept = httpx.get(f"{server.api}/corrections").json()["corrections"]
    assert len(kept) == before + 1
    assert kept[0]["tiles"] == len(phone.remembered("draft")["read"]["tiles"])
    folder = next(p for p in server.data_folder.rglob(f"*{kept[0]['id']}*.json"))
    labels = [t["label"] for t in json.loads(folder.read_text())["tiles"]]
    assert "2s" in labels and "9m" in labels, right
    # Consent is taken back under More.
    phone.go("more")
    phone.press("fold-samples", f"sample-{kept[0]['id']}")
    phone.at("#notices").get_by_text("The sample is deleted").wait_for()
    assert len(httpx.get(f"{server.api}/corrections").json()["corrections"]) == before


def test_tiles_the_rules_lack_are_no_correction(phone: Phone) -> None:
    """The flowers in the photo are no part of a riichi hand: that is nobody's mending, and they keep their names."""
    phone.use_rules("riichi")
    phone.photograph()
    assert phone.codes("bonus") == []
    phone.show_score()
    phone.page.wait_for_selector(".lines li")
    assert phone.key("keep-correction").count() == 0
    assert {"f2", "f3"} <= set(corrected(phone)[0])


def test_always_keeping_has_to_be_switched_on(phone: Phone, server: Server) -> None:
    phone.begin_game()
    before = len(httpx.get(f"{server.api}/corrections").json()["corrections"])
    for always in (False, True):
        if always:
            phone.go("more")
            phone.switch("always-keep", on=True)
        phone.go("hand")
        phone.photograph()
        phone.mend("bonus", 0, "f1")
        phone.show_score()
        phone.press("record", shows=".hands li")
        if always:
            phone.at("#notices").get_by_text("Kept as a sample").wait_for()
        assert len(httpx.get(f"{server.api}/corrections").json()["corrections"]) == before + always


def test_a_mended_hand_teaches_a_set_that_is_used_and_deleted(phone: Phone, server: Server) -> None:
    """And a set that is deleted elsewhere does not keep the phone from reading."""
    phone.photograph()
    phone.mend("bonus", 0, "f1")
    phone.show_score()
    phone.key("teach").click()
    phone.at("#field-teach-name").fill("Aunt Li")
    phone.page.keyboard.press("Enter")
    phone.at("#notices").get_by_text("is learned and in use").wait_for()
    sets = {s["name"]: s for s in httpx.get(f"{server.api}/sets").json()["sets"]}
    assert "f1" in sets["Aunt Li"]["tiles"]
    used = phone.sent_to("/api/v1/read")
    phone.key("next-hand").click()
    phone.photograph()
    assert b"Aunt Li" in (used[0].post_data_buffer or b"")
    phone.key("seat=S").wait_for(state="attached")
    assert phone.at("input[data-key^='seat=']:checked").count() == 0, "nor is the last winner taken for the next"
    phone.go("more")
    phone.press("fold-set", "set-del-Aunt Li")
    phone.page.get_by_role("button", name="Delete", exact=True).click()
    phone.page.wait_for_function("() => inside.settings.set === null")
    phone.page.evaluate("async () => (await part('js/state/settings.js')).set({ set: 'Aunt Li' })")
    phone.allowed.append("/api/v1/read")
    phone.go("hand")
    phone.key("start-over").click()
    phone.page.get_by_role("dialog").get_by_role("button", name="Start over").click()
    phone.page.wait_for_selector(".start")
    phone.photograph()
    assert phone.remembered("settings")["set"] is None


def test_a_set_is_learned_from_photos_of_the_whole_set(phone: Phone) -> None:
    phone.allowed.append("status of 422")
    phone.go("more")
    phone.key("fold-set").click()
    learn = phone.page.get_by_role("button", name="Learn", exact=True)
    learn.click()
    assert "Give the set a name" in phone.text("[data-field='set-name'] .faults")
    phone.at("#field-set-name").fill("Granny")
    phone.key("set-photos").set_input_files(str(EXAMPLES / "hand-self-draw.jpg"))
    learn.click()
    phone.page.get_by_text("The photo doesn't show a complete set").wait_for()
