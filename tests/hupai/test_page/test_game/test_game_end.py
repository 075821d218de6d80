"""How long a game is played, its end and what comes after; hands of the middle withdrawn and restored."""

from __future__ import annotations

from typing import Any

import httpx

from scripts.browser.phone import PLAYERS, Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_host.test_phones import together

CLAIMED_EARLY = {
    "concealed": ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "2p", "3p", "5s", "5s"],
    "winning_tile": "4p",
    "context": {"seat": "E", "win": "discard", "from": "W", "indicator": "5z"},
}


def game(server: Server, phone: Phone) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{server.api}/games/{phone.remembered('game')['id']}").json()
    return found


def enter(server: Server, phone: Phone, **hand: Any) -> None:
    """A hand entered by another way; the phone hears of it."""
    now = game(server, phone)
    body = {"seen": {"revision": now["revision"]}, **hand}
    httpx.post(f"{server.api}/games/{now['id']}/hands", json=body).raise_for_status()
    phone.page.wait_for_function("(n) => inside.game.revision > n", arg=now["revision"])


def pays(server: Server, phone: Phone, giver: str, taker: str, amount: int) -> None:
    enter(server, phone, outcome="payment", transfers=[{"from": giver, "to": taker, "amount": amount, "why": "a bet"}])


REASONS = ("Wrong player", "Misread tile", "Wrong rules")


def amend(phone: Phone, by: str, reason: str = "") -> None:
    """Sign the open sheet, perhaps with one of the reasons for a hand or a few words, and send it."""
    phone.choose("by", by)
    if reason in REASONS:
        phone.key(f"reason-{REASONS.index(reason)}").click()
    elif reason:
        phone.at("#field-reason").fill(reason)
    phone.key("amend").click()


def chosen(phone: Phone, name: str) -> str:
    text: str = phone.at(f"#select-{name} option:checked").inner_text()
    return text


def test_a_game_ends_is_reopened_and_goes_on(ring: Ring, server: Server) -> None:
    """Two hands were agreed on: the game ends, is played four hands longer, and both phones see it."""
    phone = ring()
    phone.go("game")
    for i, name in enumerate(PLAYERS):
        phone.at(f"#field-player-{i}").fill(name)
    phone.at("#select-length").select_option(label="A number of hands")
    phone.at("#field-count").fill("2")
    phone.press("create-game", shows=".places")
    assert game(server, phone)["course"]["hands"] == 2
    second = ring()
    second.go("game")
    second.key(f"game-{phone.remembered('game')['id']}").click()
    for _ in range(2):
        enter(server, phone, outcome="draw")
    for one in (phone, second):
        one.page.wait_for_selector(".game-over")
        assert [one.key(key).count() for key in ("end", "draw", "score-hand")] == [0, 0, 0]

    phone.key("reopen").click()
    amend(phone, "Bo")
    phone.closed()
    now = game(server, phone)
    assert (now["ended"], now["course"]["hands"]) == (None, 6)
    for one in (phone, second):
        one.page.wait_for_selector("[data-key=draw]")
        assert one.at(".game-over").count() == 0
    second.close_by("draw", "outcome")
    phone.page.wait_for_function("() => inside.game.hands.length === 3")
    assert game(server, phone)["ended"] is None


def test_a_game_whose_extension_is_played_goes_on_without_it(ring: Ring, server: Server) -> None:
    """One round and an extension: four draws end nothing, the fifth brings somebody the points; then all four winds."""
    course = {"rounds": 1, "extension": 26000}
    body = {"players": PLAYERS, "rules": "riichi", "starting_points": 25000, "course": course}
    made = httpx.post(f"{server.api}/games", json=body).json()
    phone = ring(path=f"/#join={made['id']}")
    phone.page.wait_for_selector(".places")
    for _ in range(5):
        assert phone.at(".game-over").count() == 0
        enter(server, phone, outcome="draw", ready=["S"])
    phone.page.wait_for_selector(".game-over")
    phone.key("reopen").click()
    phone.key("amend").wait_for()
    assert phone.at("dialog input[name=way]").count() == 4, "two rounds, three, four, or no end"
    phone.choose("way", "4")
    amend(phone, "Dan", "the night is young")
    phone.page.wait_for_selector("[data-key=draw]")
    now = game(server, phone)
    assert (now["ended"], now["course"]["rounds"], now["course"]["extension"]) == (None, 4, None)


def test_players_end_a_game_and_go_on(ring: Ring, server: Server) -> None:
    """Ended from one phone while the sheet to end it stands open on the other: that one is put away, not sent."""
    phone, other = together(ring)
    other.key("end").click()
    phone.key("end").click()
    amend(phone, "Mei", "the last bus")
    phone.page.wait_for_selector(".game-over")
    other.closed()
    other.page.wait_for_selector(".game-over")
    other.key("reopen").click()
    other.key("amend").wait_for()
    assert other.at("dialog input[name=way]").count() == 0, "nothing has to be agreed on anew"
    amend(other, "Rosa", "there is another bus")
    for one in (phone, other):
        one.page.wait_for_selector("[data-key=draw]")


def test_what_is_settled_is_typed_at_the_beginning_and_put_right_at_the_end(phone: Phone, server: Server) -> None:
    """The usual points are taken; uma of one's own that comes to something is refused beside its field."""
    phone.go("game")
    phone.choose("game-rules", "riichi")
    phone.key("fold-new").click()
    phone.at("#field-returns").fill("30,000")
    phone.at("#select-uma").select_option(label="Other amounts")
    for place, amount in enumerate(("30000", "5000", "-15000", "−15000"), 1):
        phone.at(f"#field-uma-{place}").fill(amount)
    phone.at("#field-rate").fill("0.01")
    phone.key("create-game").click()
    phone.at("[data-field=uma-1] .faults li").first.wait_for()
    phone.at("#field-uma-1").fill("25000")
    phone.press("create-game", shows=".places")
    made = game(server, phone)
    assert made["starting_points"] == 25000
    assert (made["course"]["return_points"], made["course"]["rate"]) == (30000, "0.01")
    assert made["course"]["uma"] == [25000, 5000, -15000, -15000]
    assert list(phone.totals()) == ["Player 1", "Player 2", "Player 3", "Player 4"], "nobody gave a name"

    pays(server, phone, "E", "S", 1000)
    phone.key("end").click()
    phone.at("#select-uma").select_option(label="10–20")
    amend(phone, "Player 2", "the last train")
    phone.closed()
    first = phone.text(".game-over .share").replace("\u00a0", " ")
    assert "26,000 points · uma +20,000 · oka +20,000 · money +360" in first
    assert phone.at(".settle-up li").all_inner_texts() == [
        "Player 1 pays Player 2 260",
        "Player 4 pays Player 2 100",
        "Player 4 pays Player 3 50",
    ]
    phone.key("settle").click()
    phone.at("#field-rate").fill("0.02")
    amend(phone, "Player 2", "a mistake")
    phone.closed()
    phone.page.wait_for_function("() => document.querySelector('.share').innerText.includes('720')")
    assert game(server, phone)["course"]["uma"] == [20000, 10000, -10000, -20000]


def test_a_game_out_of_points_offers_no_way_on(phone: Phone, server: Server) -> None:
    phone.begin_game(rules="riichi", points="500")
    pays(server, phone, "E", "S", 1000)
    phone.page.wait_for_selector(".game-over")
    assert phone.key("reopen").count() == 0


def test_a_hand_in_the_middle_is_withdrawn_and_restored(ring: Ring, server: Server) -> None:
    """Three payments, the second withdrawn and restored from one phone; the totals are right on both."""
    phones = first, second = together(ring)
    pays(server, first, "E", "S", 10)
    pays(server, first, "S", "W", 200)
    pays(server, first, "W", "N", 3000)

    def shows(revision: int, *totals: str) -> None:
        for phone in phones:
            phone.page.wait_for_function("(n) => inside.game.revision === n", arg=revision)
            phone.until(lambda phone=phone: tuple(phone.totals().values()) == totals)

    shows(3, "−10", "−190", "−2,800", "3,000")
    first.key("amend-2").click()
    amend(first, "Wolf", "Wrong rules")
    first.closed()
    shows(4, "−10", "10", "−3,000", "3,000")
    second.key("amend-2").click()
    amend(second, "Zoe")
    second.closed()
    shows(5, "−10", "−190", "−2,800", "3,000")
    told = httpx.get(f"{server.api}/games/{first.remembered('game')['id']}/changes").json()["changes"]
    assert [(c["kind"], c["by"], c["reason"]) for c in told[3:]] == [
        ("withdrawn", "Wolf", "Wrong rules"),
        ("restored", "Zoe", None),
    ]


def test_a_lost_answer_withdraws_once(phone: Phone, server: Server) -> None:
    """The host has written it, and its answer was lost: the phone finds its own change, and says that it is done."""
    phone.begin_game()
    phone.allowed.append("Failed to load resource")
    pays(server, phone, "E", "S", 10)

    def lose(route: Any) -> None:
        route.fetch()
        route.abort()

    phone.page.route("**/withdraw", lose)
    phone.key("amend-1").click()
    amend(phone, "Bo")
    phone.closed()
    now = game(server, phone)
    assert (now["revision"], bool(now["hands"][0]["undone_at"])) == (2, True)


def test_a_later_hand_that_would_make_no_sense_is_named(ring: Ring, server: Server) -> None:
    """Hangzhou: a discard is claimed from the banker's third hand on, so the draws before it cannot be withdrawn."""
    phone = ring(locale="ja-JP")
    phone.begin_game(rules="hangzhou")
    for _ in range(2):
        enter(server, phone, outcome="draw")
    enter(server, phone, outcome="win", wins=[CLAIMED_EARLY])
    phone.key("amend-1").click()
    phone.allowed.append("status of 409")
    amend(phone, "Mei")
    phone.page.wait_for_selector("dialog .faults li")
    assert "3 局目が成り立たなくなります" in phone.text("dialog .faults")
    assert [hand["undone_at"] for hand in game(server, phone)["hands"]] == [None] * 3


RON = {"seat": "E", "win": "discard", "from": "W"}


def best_of(phone: Phone, rules: str) -> int:
    """What the only hand of the open game brought the winner."""
    assert phone.page.evaluate("inside.game.rules") == rules
    return int(phone.page.evaluate("inside.game.hands[0].payments[0]"))


def test_statistics_show_one_system_at_a_time_and_open_the_best_hand(ring: Ring, server: Server) -> None:
    phone = ring()
    for rules in ("riichi", "hongkong", "hongkong"):
        phone.begin_game(("Uma", "Vic", "Wen", "Xia"), rules)
        enter(server, phone, outcome="win", wins=[{**CLAIMED_EARLY, "context": RON}])
        best = best_of(phone, rules)
    phone.press("leave", "figures")
    phone.choose("figures-rules", "hongkong 4")
    uma, wen = (
        phone.at("dialog section").filter(has=phone.page.get_by_role("heading", name=n)) for n in ("Uma", "Wen")
    )
    assert uma.locator("dd").all_inner_texts()[:5] == ["2", "–", "2", f"+{2 * best:,}", "2 · 100 %"]
    assert wen.locator("dd").nth(6).inner_text() == "2 · 100 %", "dealt in"
    assert wen.locator("button").count() == 0, "no win, no best hand"
    uma.locator("button").tap()
    phone.page.wait_for_selector(".at-game .places")
    assert phone.totals()["Uma"] == f"{best:,}"


def play(server: Server, number: int, bets: tuple[str, ...] | None) -> None:
    """A game of riichi with one drawn hand, and who pays whom 1,000 before it is over; None: it goes on."""
    with httpx.Client(base_url=server.api) as client:
        body = {"players": ["Yu", "Ada", "Abe", "Kim"][:number], "rules": "riichi", "options": {"players": number}}
        here = f"/games/{client.post('/games', json=body).json()['id']}"
        paid = [{"from": giver, "to": taker, "amount": 1000, "why": "a bet"} for giver, taker in bets or ()]
        hands = [{"outcome": "draw"}, *({"outcome": "payment", "transfers": [transfer]} for transfer in paid)]
        for revision, hand in enumerate(hands):
            client.post(f"{here}/hands", json={**hand, "seen": {"revision": revision}}).raise_for_status()
        if bets is not None:
            end = {"by": "Yu", "course": {"ties": "share"}, "seen": {"revision": len(hands)}}
            client.post(f"{here}/end", json=end).raise_for_status()


def test_statistics_keep_three_and_four_apart_and_tell_the_average_place(ring: Ring, server: Server) -> None:
    """After the draw Ada is east, Abe south; of three, Ada is first alone, then shares the first two places."""
    for number, bets in ((3, ("SE",)), (3, ("WE", "WS")), (4, ("ES",)), (4, None)):
        play(server, number, bets)
    phone = ring()
    phone.go("game")
    phone.key("figures").click()
    for table, label, places in (
        ("riichi 3", "Riichi, three players", {"Ada": ("2", "1.25"), "Abe": ("2", "2.25"), "Yu": ("2", "2.5")}),
        ("riichi 4", "Riichi", {"Ada": ("2", "4"), "Abe": ("2", "1"), "Yu": ("2", "2.5"), "Kim": ("2", "2.5")}),
    ):
        phone.choose("figures-rules", table)
        assert phone.at("label:has(> [name=figures-rules]:checked)").inner_text() == label
        cards = phone.at("dialog section")
        for name, told in places.items():
            card = cards.filter(has=phone.page.get_by_role("heading", name=name, exact=True))
            assert tuple(card.locator("dd").all_inner_texts()[:2]) == told, name


COUNT_ANSWERS = """() => {
  window.answered = 0;
  const { text } = Response.prototype;
  Response.prototype.text = function () {
    return text.call(this).finally(() => this.url.endsWith("/figures") && setTimeout(() => (window.answered += 1)));
  };
}"""
"""Counts the answers about figures that the page has done everything with."""


def test_two_taps_on_what_still_loads_open_one_sheet(ring: Ring) -> None:
    phone = ring()
    phone.begin_game()
    phone.key("leave").click()
    phone.page.evaluate(COUNT_ANSWERS)
    module = phone.held_at("/game/figures.js")
    phone.key("figures").tap()
    module.came()
    phone.key("figures").tap()
    module.let_go()
    phone.page.wait_for_function("() => answered === 2")
    assert phone.at("dialog").count() == 1
    phone.at("dialog .sheet-head button").click()
    phone.closed()
    phone.key("figures").tap()
    phone.at("dialog").wait_for()
