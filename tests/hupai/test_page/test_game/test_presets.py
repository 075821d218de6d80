"""House rules by name: two taps, what a game of them begins with, and the link that hands them on; why not more."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

import cv2
import httpx
import numpy as np

from scoring.rules import systems
from scripts.browser.phone import Phone
from tests.hupai.scanning import scanned
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_game.test_game_end import enter, game
from tests.hupai.test_page.test_whole.test_accessible import findings, sideways, small_targets

RIICHI = {preset.id: preset for preset in systems()["riichi"].presets}


def options(phone: Phone, rules: str) -> dict[str, Any]:
    found: dict[str, Any] = phone.remembered("settings")["options"].get(rules, {})
    return found


def differing(server: Server, rules: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Those house rules of a preset that are not usual anyway."""
    usual = {o["name"]: o["default"] for o in httpx.get(f"{server.api}/rules/{rules}").json()["options"]}
    return {name: value for name, value in wanted.items() if value != usual[name]}


def test_a_preset_is_chosen_where_a_game_is_begun(ring: Ring, server: Server) -> None:
    phone = ring(locale="ja-JP")
    phone.go("game")
    phone.at("#select-game-preset").select_option(label="Mリーグ")
    phone.key("create-game").tap()
    phone.page.wait_for_selector(".places")
    made = game(server, phone)
    assert made["options"] == differing(server, "riichi", RIICHI["mleague"].options)
    assert made["course"]["uma"] == [30000, 10000, -10000, -30000]


def test_hong_kong_begins_with_what_most_tables_play(ring: Ring, server: Server) -> None:
    """Half spicy from three faan, on a phone that has chosen nothing; a request without house rules is as before."""
    phone = ring(storage_state=None)
    phone.go("game")
    assert phone.at("#select-game-preset option:checked").inner_text() == "Half spicy, 3 faan"
    phone.press("create-game", shows=".places")
    house = {"table": "canton", "min_faan": 3, "dealer_doubling": False}
    assert game(server, phone)["options"] == house
    usual = httpx.get(f"{server.api}/rules/hongkong").json()["options"]
    assert {option["name"]: option["default"] for option in usual}["table"] == "traditional"

    phone.key("leave").click()
    phone.at("#select-game-preset").select_option(label="As in Wikipedia: East doubles")
    phone.reload()
    phone.go("game")
    assert phone.at("#select-game-preset option:checked").inner_text() == "As in Wikipedia: East doubles"
    assert options(phone, "hongkong") == {}, "what was chosen stays"


def test_customs_are_chosen_by_name_where_a_game_is_begun(ring: Ring, server: Server) -> None:
    phone = ring()
    phone.go("game")
    phone.choose("game-rules", "riichi")
    phone.at("#select-game-preset").select_option(label="Tenhou")
    phone.key("fold-new").click()
    phone.at("#select-uma").select_option(label="By how many float (JPML)")
    phone.at("#select-option-winners").select_option(label="The nearest (head bump)")
    phone.at("#select-option-counter_points").select_option(label="1500")
    phone.at("#select-course-dealer_ends").select_option(label="Ends it by winning (agari-yame)")
    phone.at("#select-course-sticks_left").select_option(label="To nobody")
    phone.press("create-game", shows=".places")
    made = game(server, phone)
    assert (made["options"]["winners"], made["options"]["counter_points"]) == ("nearest", 1500)
    assert made["options"]["pao_covers"] == "hand"
    course = {**RIICHI["tenhou"].course, "dealer_ends": "win", "sticks_left": "nobody"}
    assert {name: made["course"][name] for name in course} == course, "the rest is Tenhou's"
    assert made["course"]["floating_uma"][2] == [8000, 3000, 1000, -12_000]


def test_drawn_hands_fill_a_jackpot(ring: Ring, server: Server) -> None:
    phone = ring()
    phone.go("game")
    phone.choose("game-rules", "hongkong")
    phone.key("fold-new").click()
    phone.at("#field-jackpot").fill("2")
    phone.at("#field-jackpot_from").fill("3")
    phone.at("#select-course-sticks_left").select_option(label="To nobody")
    phone.press("create-game", shows=".places")
    made = game(server, phone)
    agreed = [made["course"][name] for name in ("jackpot", "jackpot_from", "sticks_left")]
    assert agreed == [2, 3, "nobody"]
    enter(server, phone, outcome="draw")
    phone.page.locator(".centre-words", has_text="Jackpot 8").wait_for()
    phone.page.locator(".deltas li", has_text="Jackpot").first.wait_for(state="attached")

    phone.press("leave", "fold-new")
    phone.at("#field-jackpot").fill("2")
    phone.at("#select-course-sticks_left").select_option(label="To nobody")
    phone.at("#field-jackpot").fill("")
    phone.press("create-game", shows=".places")
    assert game(server, phone)["course"]["sticks_left"] == "first", "nothing is left where there is no jackpot"


def test_a_preset_that_was_changed_is_one_no_more(phone: Phone) -> None:
    phone.go("rules")
    phone.choose("rules", "riichi")
    phone.choose("preset", "tenhou")
    phone.switch("option-kuitan", on=False)
    phone.page.wait_for_selector("[data-key='preset=tenhou']:not(:checked)", state="attached")
    assert phone.at("[name=preset]:checked").count() == 0
    phone.choose("preset", "usual")
    assert options(phone, "riichi") == {}


def test_house_rules_go_to_another_phone(ring: Ring, server: Server) -> None:
    """By the code on the screen, which says the address below it; one's own as well as those of a league."""
    first, second = ring(), ring(locale="ja-JP")
    first.go("rules")
    first.choose("rules", "singapore")
    first.choose("preset", "sg-shooter")
    first.press("preset-share", shows="dialog .qr")
    first.page.wait_for_function("() => document.querySelector('dialog .qr').naturalWidth > 0")
    url = first.text("dialog .address")
    shown = np.frombuffer(first.at("dialog .qr").screenshot(), np.uint8)
    assert scanned(np.asarray(cv2.imdecode(shown, cv2.IMREAD_GRAYSCALE), np.uint8)) == url
    assert "house=singapore" in url and "preset=sg-shooter" in url
    second.page.goto(server.url + "/" + url[url.index("#") :])  # the page is open: only the fragment changes
    assert second.text("dialog") and options(second, "singapore") == {}, "nothing is changed without a tap"
    second.key("preset-take").tap()
    second.page.wait_for_selector(".at-rules [data-key='preset=sg-shooter']:checked", state="attached")
    assert options(second, "singapore") == options(first, "singapore")
    assert options(second, "singapore")["shooter"] is True
    assert "#house" not in second.page.url

    first.at("dialog .sheet-head button").click()
    first.switch("option-dealer_doubling", on=True)
    first.key("preset-share").click()
    url = first.text("dialog .address")
    assert '"dealer_doubling":true' in unquote(url)
    second.open("/" + url[url.index("#") :])
    second.key("preset-take").tap()
    second.page.wait_for_selector(".at-rules input[data-key='option-dealer_doubling']:checked", state="attached")
    assert options(second, "singapore") == options(first, "singapore")


def test_a_link_that_makes_no_sense_changes_nothing(ring: Ring) -> None:
    phone = ring(path="/#house=chess")
    phone.allowed += ["Failed to load resource"]
    for fragment, *named in (
        ("", "'chess'"),
        ("house=riichi&options=[", "a JSON object"),
        ("house=riichi&options={%22kuitam%22:true,%22kiriage%22:7}", "kuitam", "kiriage"),
        ("house=riichi&preset=mcr-2006", "mcr-2006"),
    ):
        if fragment:
            phone.page.goto(f"{phone.url}/#{fragment}")
        for name in named:
            phone.page.wait_for_selector(f"#notices :text('not available here'):text(\"{name}\")")
        assert phone.remembered("settings")["rules"] == "hongkong"
        assert phone.remembered("settings")["options"] == {"hongkong": {}}


def test_why_not_more_is_asked_when_it_is_opened(phone: Phone) -> None:
    phone.lay()
    phone.show_score()
    asked = phone.sent_to("/api/v1/score")
    phone.key("fold-why").tap()
    phone.page.wait_for_selector(".why-more .why-list")
    assert [json.loads(r.post_data or "")["why"] for r in asked] == [True]


def test_presets_are_for_everybody(ring: Ring, axe: str) -> None:
    phone = ring(size=(320, 640), locale="ja-JP")
    phone.go("rules")
    for rules in systems():
        phone.choose("rules", rules)
        assert sideways(phone) == 0, rules
        assert not small_targets(phone), rules
    assert not findings(phone, axe)
