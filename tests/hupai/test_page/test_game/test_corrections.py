"""Recorded hands corrected on the page, while another phone writes as well; false wins that pay what they claimed."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from scripts.browser.phone import HAND, Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_game.test_game_end import amend, enter, game
from tests.hupai.test_page.test_host.test_phones import show, together, winners
from tests.hupai.test_page.test_whole.test_accessible import findings, sideways, small_targets

TILES = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "2p", "3p", "5s", "5s"]


def win(seat: str, **context: Any) -> dict[str, Any]:
    """A win by self-draw, if nothing else is said."""
    said = {"seat": seat, "win": "self_draw", **context}
    return {"concealed": TILES, "winning_tile": "4p", "context": said}


def won(server: Server, phone: Phone, seat: str, **context: Any) -> None:
    enter(server, phone, outcome="win", wins=[win(seat, **context)])


def begin(phone: Phone, number: int = 1) -> None:
    """Open a recorded win and have it on the felt."""
    phone.key(f"correct-{number}").tap()
    phone.key("mend-tiles").tap()
    phone.page.wait_for_selector(".at-hand .correcting")
    phone.settle()


def to_the_sheet(phone: Phone) -> None:
    """From the corrected hand to the sheet that asks who and why."""
    if phone.at(".at-hand").count():
        phone.settle()
        phone.key("bar").tap()
    phone.page.locator("[data-key=correct]:not([aria-disabled])").tap()
    phone.page.wait_for_selector("[data-key=amend]")


def told(server: Server, phone: Phone) -> list[tuple[str, int, str | None, str | None]]:
    found = httpx.get(f"{server.api}/games/{phone.remembered('game')['id']}/changes").json()["changes"]
    return [(c["kind"], c["hand"]["number"], c["by"], c["reason"]) for c in found]


def test_another_payer_takes_two_taps_and_the_history_keeps_what_was_entered(ring: Ring, server: Server) -> None:
    """The phone knows whose it is: no name is asked for, nothing has to be typed, and a reason is a tap."""
    first, second = together(ring)
    first.belongs_to(3)
    show(first, seat="S", win="discard", giver="W")
    first.press("record", shows=".hands li")
    first.key("correct-1").tap()
    first.key("mend-tiles").wait_for()
    first.choose("mend-payer", "N")
    first.page.wait_for_selector("dialog .net tr.loss:has-text('Zoe')")
    first.key("amend").tap()
    first.closed()
    (hand,) = game(server, first)["hands"]
    assert (hand["wins"][0]["player"], hand["wins"][0]["from_player"]) == (1, 3)
    first.key("amend-1").click()
    first.key("reason-0").tap()
    first.key("amend").tap()
    first.closed()
    second.press("fold-history", shows=".changes li:nth-child(3)")
    lines = [line.split("\n") for line in second.at(".changes li").all_inner_texts()]
    assert [(line[0], line[-1]) for line in lines] == [
        ("Hand 1 deleted: Rosa from Zoe.", "Zoe: Wrong player"),
        ("Hand 1 corrected: Rosa from Zoe.", "Zoe"),
        ("Hand 1 recorded: Rosa from Wolf.", "Zoe"),
    ]


def test_another_winner_and_payer(ring: Ring, server: Server) -> None:
    """Rosa won from Mei, not by self-draw as entered; the hand after it is settled again, and both phones show it."""
    first, second = together(ring)
    won(server, first, "E")
    won(server, first, "E")
    assert winners(server, first) == ["Mei", "Mei"], "the dealer stays"
    first.key("correct-1").tap()
    first.choose("mend-seat", "S")
    first.key("mend-tiles").tap()  # to look at them: who won is not asked again
    first.page.wait_for_selector(".at-hand .correcting")
    assert first.codes() == TILES and first.codes("winning") == ["4p"]
    first.choose("payer", "E")
    first.settle()
    first.press("bar", shows="[data-key=correct]:not([aria-disabled])")
    to_the_sheet(first)
    amend(first, "Zoe", "Wrong player")
    first.page.wait_for_selector(".at-game")
    assert first.hand()["concealed"] == [], "the felt is empty, as before"
    now = game(server, first)
    assert [hand["wins"][0]["player"] for hand in now["hands"]] == [1, 0]
    assert now["hands"][1]["seats"]["E"] == 1, "Rosa deals now"
    for phone in (first, second):
        phone.until(lambda phone=phone: phone.at(".hands li .hand-head b").all_inner_texts()[-1] == "Rosa from Mei")
    assert told(server, first)[-1] == ("corrected", 1, "Zoe", "Wrong player")


def test_a_self_draw_is_that_of_another_winner_and_a_payer_who_won_is_asked_for(ring: Ring, server: Server) -> None:
    (phone,) = together(ring, 1)
    won(server, phone, "E")
    phone.key("correct-1").tap()
    phone.choose("mend-seat", "S")
    phone.choose("mend-payer", "W")
    phone.choose("mend-seat", "W")
    assert phone.at("input[name=mend-payer]:checked").count() == 0
    assert phone.key("amend").get_attribute("aria-disabled") == "true"
    assert "payments are shown here" in phone.text("dialog .told")
    phone.choose("mend-payer", "W")
    phone.choose("mend-seat", "S")
    assert phone.at("input[data-key='mend-payer=S']").is_checked()
    amend(phone, "Zoe")
    phone.closed()
    (hand,) = game(server, phone)["hands"]
    assert [(win["player"], win["win"]) for win in hand["wins"]] == [(1, "self_draw")]


@pytest.mark.parametrize("seat", ["W", "N"])
def test_the_riichi_is_that_of_another_winner_who_had_declared_or_not(ring: Ring, server: Server, seat: str) -> None:
    """Two sticks were laid, and two lie there afterwards."""
    (phone,) = together(ring, 1, rules="riichi")
    enter(server, phone, outcome="win", wins=[win("S", riichi=True)], riichi=["S", "W"])
    phone.key("correct-1").tap()
    phone.choose("mend-seat", seat)
    amend(phone, "Zoe")
    phone.closed()
    number = phone.remembered("game")["id"]
    whole = httpx.get(f"{server.api}/games/{number}/hands/1").json()
    assert whole["wins"][0]["seat"] == seat
    assert sorted(whole["request"]["riichi"]) == sorted({"W": "SW", "N": "NW"}[seat])
    assert whole["pot"] == 0


def test_other_tiles_and_the_hand_that_waits(ring: Ring, server: Server) -> None:
    """A photo lies on the felt; a recorded hand is corrected meanwhile, over a reload; then the photo is back."""
    (phone,) = together(ring, 1, rules="singapore")
    won(server, phone, "E")
    phone.go("hand")
    phone.photograph(HAND)
    before = phone.codes()
    phone.go("game")
    begin(phone)
    assert phone.codes() == TILES
    phone.mend("concealed", 11, "6s")
    phone.mend("concealed", 12, "6s")
    phone.reload()
    phone.page.wait_for_selector(".at-hand .correcting")
    phone.settle()
    assert phone.codes()[-2:] == ["6s", "6s"]
    to_the_sheet(phone)
    amend(phone, "Wolf", "Misread tile")
    phone.page.wait_for_selector(".at-game")
    phone.closed()
    (hand,) = game(server, phone)["hands"]
    whole = httpx.get(f"{server.api}/games/{phone.remembered('game')['id']}/hands/{hand['number']}").json()
    assert whole["request"]["wins"][0]["concealed"][-2:] == ["6s", "6s"]
    phone.go("hand")
    phone.page.wait_for_selector(".photo-part img, .photo-part canvas")
    assert phone.codes() == before


def test_two_winners_of_one_tile(ring: Ring, server: Server) -> None:
    """Riichi, two rons: one of them is opened, the other stays; sticks that were laid stay laid."""
    (phone,) = together(ring, 1, rules="riichi")
    both = [win(seat, win="discard", **{"from": "E"}, riichi=seat == "S") for seat in ("S", "W")]
    for one in both:
        one["context"] |= {"dora_indicators": [], **({"ura_indicators": []} if one["context"]["riichi"] else {})}
    enter(server, phone, outcome="win", wins=both, riichi=["S", "N"])
    paid = game(server, phone)["hands"][0]["payments"]
    phone.key("correct-1").click()
    phone.at("label:has(> [data-key='whose=1'])").tap()
    phone.page.wait_for_selector(".at-hand .correcting")
    phone.key("chip-last_tile").click()
    to_the_sheet(phone)
    amend(phone, "Mei")
    phone.page.wait_for_selector(".at-game")
    (hand,) = game(server, phone)["hands"]
    assert [w["player"] for w in hand["wins"]] == [1, 2]
    assert "houtei" in hand["wins"][1]["elements"] and "houtei" not in hand["wins"][0]["elements"]
    assert hand["payments"][3] == paid[3] == -1000
    assert hand["payments"][2] > paid[2]


def test_a_draw_becomes_a_payment_and_a_win(ring: Ring, server: Server) -> None:
    (phone,) = together(ring, 1)
    enter(server, phone, outcome="draw")
    phone.key("correct-1").click()
    phone.choose("mend-kind", "payment")
    phone.choose("pay-from", "N")
    phone.choose("pay-to", "W")
    phone.at("#field-pay-amount").fill("7")
    amend(phone, "Mei")
    phone.closed()
    assert game(server, phone)["hands"][0]["payments"] == [0, 0, 7, -7]
    phone.key("correct-1").click()
    phone.choose("mend-kind", "win")
    phone.press("mend-lay", shows=".at-hand .correcting")
    phone.type_in(" ".join([*TILES, "4p"]))
    phone.answer(seat="W", win="self_draw")
    to_the_sheet(phone)
    amend(phone, "Zoe")
    phone.page.wait_for_selector(".at-game")
    assert winners(server, phone) == ["Wolf"]
    begin(phone)
    phone.key("mend-no-win").click()
    amend(phone, "Zoe")
    phone.page.wait_for_selector(".at-game")
    assert game(server, phone)["hands"][0]["outcome"] == "draw"
    assert phone.at(".correcting").count() == 0


def test_a_win_becomes_a_draw_in_the_sheet_that_opens(ring: Ring, server: Server) -> None:
    (phone,) = together(ring, 1)
    won(server, phone, "S")
    phone.key("correct-1").tap()
    phone.choose("mend-kind", "draw")
    assert phone.key("mend-tiles").count() == 0
    amend(phone, "Mei")
    phone.closed()
    (hand,) = game(server, phone)["hands"]
    assert (hand["outcome"], hand["payments"]) == ("draw", [0, 0, 0, 0])


@pytest.mark.parametrize("hears", [True, False], ids=["told", "refused"])
def test_a_correction_races_a_record(ring: Ring, server: Server, hears: bool) -> None:
    """A is about to correct hand 1 when B enters hand 2: A is told, or refused with 409, and chooses."""
    a, b = together(ring)
    won(server, a, "S")
    b.page.wait_for_function("() => inside.game.revision === 1")
    if not hears:
        a.allowed += ["status of 409", "ERR_FAILED"]
        a.page.route("**/api/v1/changes*", lambda route: route.abort())
        a.reload()
    begin(a)
    a.choose("seat", "W")
    a.choose("payer", "W")
    to_the_sheet(a)
    a.choose("by", "Mei")
    won(server, b, "S")
    if not hears:
        a.key("amend").click()
    a.page.wait_for_selector(".at-score .meanwhile .changes li")
    assert winners(server, a) == ["Rosa", "Wolf"], "nothing was changed before it was looked at"
    a.key("keep-mine").click()
    to_the_sheet(a)
    amend(a, "Mei")
    a.page.wait_for_selector(".at-game")
    assert winners(server, a) == ["Wolf", "Wolf"]
    assert [kind for kind, *_ in told(server, a)] == ["recorded", "recorded", "corrected"]


def test_seats_of_a_hand_move_while_it_is_corrected(ring: Ring, server: Server) -> None:
    """A corrects hand 2; B corrects hand 1, whose winner deals hand 2: what A said of people stays said of them."""
    a, b = together(ring)
    won(server, a, "S")
    won(server, a, "S")
    assert winners(server, a) == ["Rosa", "Wolf"]
    begin(a, 2)
    a.choose("seat", "W")
    a.choose("payer", "W")
    a.settle()
    b.page.wait_for_function("() => inside.game.revision === 2")
    begin(b, 1)
    b.choose("seat", "E")
    b.choose("payer", "E")
    to_the_sheet(b)
    amend(b, "Mei")
    b.page.wait_for_selector(".at-game")
    a.page.wait_for_selector(".meanwhile .changes li")
    a.key("keep-mine").click()
    to_the_sheet(a)
    assert "Zoe wins by self-draw" in a.text("dialog")
    amend(a, "Wolf")
    a.page.wait_for_selector(".at-game")
    assert winners(server, a) == ["Mei", "Zoe"]


def test_a_hand_taken_back_meanwhile_is_corrected_no_more(ring: Ring, server: Server) -> None:
    a, b = together(ring)
    won(server, a, "S")
    b.page.wait_for_selector("[data-key=undo]")
    begin(a)
    b.key("undo").click()
    a.at(".correcting").wait_for(state="detached")
    assert a.hand()["concealed"] == []


def test_a_correction_is_left(ring: Ring, server: Server) -> None:
    (phone,) = together(ring, 1)
    won(server, phone, "S")
    begin(phone)
    phone.choose("payer", "N")
    phone.press("mend-leave", shows=".at-game")
    assert [kind for kind, *_ in told(server, phone)] == ["recorded"]
    phone.go("hand")
    phone.page.wait_for_selector(".start")


def test_a_false_win_in_hangzhou_pays_what_it_claimed(ring: Ring, server: Server) -> None:
    (phone,) = together(ring, 1, rules="hangzhou")
    phone.key("false-win").click()
    phone.choose("offender", "S")
    phone.at("#select-claim-value").select_option(label="× 4")
    phone.close_by("outcome")
    drawn = game(server, phone)["hands"][0]["payments"]
    phone.key("correct-1").click()
    phone.at("#select-claim-value").select_option(label="× 2")
    amend(phone, "Rosa")
    phone.closed()
    (hand,) = game(server, phone)["hands"]
    assert (hand["outcome"], hand["payments"]) == ("false_win", [amount / 2 for amount in drawn])


def test_corrections_are_for_everybody(ring: Ring, server: Server, axe: str) -> None:
    phone = ring(size=(320, 640), locale="ja-JP")
    phone.begin_game(rules="hangzhou")
    won(server, phone, "E", indicator="9s")

    def fine() -> None:
        assert sideways(phone) == 0
        assert not small_targets(phone)
        assert not findings(phone, axe)

    fine()
    begin(phone)
    fine()
    to_the_sheet(phone)
    fine()
    phone.at("dialog .sheet-head button").click()
    phone.key("mend-no-win").click()
    phone.choose("mend-kind", "false_win")
    phone.choose("offender", "E")
    fine()
