"""Riichi for three on the phone: a game without a north seat, norths set aside, payments of three."""

from __future__ import annotations

from scripts.browser.phone import Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_game.test_game_end import amend, chosen, game


def begin_three(phone: Phone) -> None:
    phone.go("game")
    phone.choose("game-rules", "riichi")
    phone.at("#field-player-3").fill("Dee")
    phone.choose("game-players", "3")
    phone.at("#field-player-3").wait_for(state="detached")
    phone.press("create-game", shows=".places")


def test_a_game_of_three(ring: Ring, server: Server) -> None:
    phone = ring()
    begin_three(phone)
    made = game(server, phone)
    assert (len(made["players"]), made["options"], made["starting_points"]) == (3, {"players": 3}, 35_000)
    assert phone.at(".places .place").count() == 3
    assert phone.remembered("players")[3] == "Dee"  # for the next game of four
    phone.go("hand")
    phone.key("type").click()
    assert phone.at("dialog .keyboard-keys [data-code]").count() == 2, "three play without 2m to 8m"
    phone.escape()
    phone.lay("1p 2p 3p 4p 5p 6p 7p 8p 9p 2s 3s 5p 5p 4s")
    assert phone.text(".zone.bonus h3") == "Norths"
    phone.key("add-bonus").click()
    for _ in range(2):
        phone.key("key-4z").click()
    phone.escape()
    assert phone.codes("bonus") == ["4z", "4z"]
    assert phone.at("[name=seat]").count() == 3
    score = phone.show_score(seat="S", win="self_draw")
    assert {e["id"]: e["value"] for e in score["answer"]["elements"]}["kita"] == 2
    assert score["answer"]["payments"] == {"E": -6000, "S": 9000, "W": -3000, "N": 0, "pot": 0}
    phone.press("record", shows=".at-game")
    assert [p["total"] for p in game(server, phone)["players"]] == [29_000, 44_000, 32_000]
    phone.key("draw").click()
    assert phone.at("dialog [data-key^='ready-']").count() == 3


def test_the_round_stands_clear_of_the_three(ring: Ring) -> None:
    phone = ring(size=(360, 740))
    begin_three(phone)
    for size in ("100%", "200%"):
        phone.page.evaluate("(size) => { document.documentElement.style.fontSize = size }", size)
        below = phone.steady(".place.below .wind")
        words = phone.page.evaluate(
            """() => {
              const range = document.createRange();
              range.selectNodeContents(document.querySelector('.centre-words'));
              return range.getBoundingClientRect().bottom;
            }"""
        )
        assert words < below["top"], size


def ended(phone: Phone) -> None:
    """The open game is ended, and the form of the next one open."""
    phone.key("end").click()
    amend(phone, "Ann")
    phone.key("next-game").click()
    phone.key("create-game").wait_for()


def names(phone: Phone) -> list[str]:
    fields = phone.at("[id^=field-player-]")
    return [fields.nth(i).input_value() for i in range(fields.count())]


def test_four_people_play_a_game_of_three_and_one_of_four_again(ring: Ring, server: Server) -> None:
    """What was agreed on stays; who sits out is one tap, and the preset is that for as many players."""
    phone = ring()
    phone.go("game")
    phone.choose("game-rules", "riichi")
    phone.at("#select-game-preset").select_option(label="Tenhou")
    phone.at("#select-length").select_option(label="East-only game")
    for i, name in enumerate(("Ann", "Bo", "Cy", "Dee")):
        phone.at(f"#field-player-{i}").fill(name)
    phone.press("create-game", shows=".places")
    ended(phone)
    assert (names(phone), chosen(phone, "length")) == (["Ann", "Bo", "Cy", "Dee"], "East-only game")

    phone.choose("game-players", "3")
    phone.choose("sits-out", "1")
    phone.page.wait_for_function("() => document.querySelector('#field-player-1').value === 'Cy'")
    phone.press("create-game", shows=".places")
    made = game(server, phone)
    assert [player["name"] for player in made["players"]] == ["Ann", "Cy", "Dee"]
    assert (made["options"]["players"], made["starting_points"], made["course"]["extension"]) == (3, 35_000, 40_000)

    other = ring()  # has other house rules, and does not know Bo
    other.go("game")
    other.key(f"game-{made['id']}").click()
    ended(phone)
    assert names(phone) == ["Ann", "Cy", "Dee"]
    other.key("next-game").click()
    other.key("create-game").wait_for()
    assert (names(other), chosen(other, "game-preset")) == (["Ann", "Cy", "Dee"], "Tenhou, three players")
    phone.choose("game-players", "4")
    phone.at("#field-player-3").wait_for()
    assert (names(phone), chosen(phone, "game-preset")) == (["Ann", "Bo", "Cy", "Dee"], "Tenhou")


def test_a_refusal_that_no_field_belongs_to_is_shown(ring: Ring) -> None:
    phone = ring()
    phone.allowed.append("422")
    fault = {"code": "contradiction", "message": "The table is closed.", "field": "course.chairs"}
    body = {"code": "invalid_request", "detail": fault["message"], "faults": [fault]}
    refuse = lambda route: route.fulfill(status=422, json=body) if route.request.method == "POST" else route.continue_()  # noqa: E731
    phone.page.route("**/api/v1/games", refuse)
    phone.go("game")
    phone.key("create-game").click()
    assert "The table is closed." in phone.text("#faults-game")
