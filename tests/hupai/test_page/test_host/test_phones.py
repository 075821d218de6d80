"""Two and three phones at one game: the ledger holds exactly what each person confirmed."""

from __future__ import annotations

import contextlib
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from scripts.bench.host import free_port
from scripts.browser.phone import HAND, Phone
from tests.hupai.serving import OPEN, Server
from tests.hupai.test_page.conftest import Ring

if TYPE_CHECKING:
    from playwright.sync_api import Route

NAMES = ("Mei", "Rosa", "Wolf", "Zoe")


def together(ring: Ring, count: int = 2, *, rules: str = "hongkong") -> list[Phone]:
    """Phones that have the same new game open."""
    first = ring()
    first.begin_game(NAMES, rules)
    game = first.remembered("game")["id"]
    phones = [first]
    for _ in range(count - 1):
        phones.append(ring())
        phones[-1].go("game")
        phones[-1].key(f"game-{game}").click()
        phones[-1].page.wait_for_selector(".places")
    return phones


def ledger(server: Server, phone: Phone) -> list[dict[str, Any]]:
    """The hands that stand."""
    game = httpx.get(f"{server.api}/games/{phone.remembered('game')['id']}").json()
    return [hand for hand in game["hands"] if not hand["undone_at"]]


def winners(server: Server, phone: Phone) -> list[str]:
    return [NAMES[win["player"]] for hand in ledger(server, phone) for win in hand["wins"]]


def show(phone: Phone, *, seat: str, win: str = "self_draw", giver: str | None = None, pair: str = "5s") -> None:
    """A hand is scored, and only the key is still to be pressed."""
    phone.go("hand")
    phone.lay(f"1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p {pair} {pair} 4p")
    phone.answer(seat=seat, win=win, giver=giver)
    phone.page.wait_for_function("() => inside.score.answer?.legal")  # a server that was too slow is asked again
    phone.press("bar", shows=".at-score")
    phone.at("#bar .main").wait_for()


def ready(phone: Phone) -> None:
    """The score belongs to what is on screen, and can be entered."""
    phone.page.wait_for_selector("[data-key=record]:not([aria-disabled])")


def enter(phone: Phone) -> None:
    ready(phone)
    phone.press("record", shows=".at-game")


def hears(phone: Phone, revision: int) -> None:
    """A phone shows the game at this revision."""
    phone.page.wait_for_function("(n) => inside.game.revision === n", arg=revision)


def test_a_hand_goes_to_the_person_it_was_shown_for(ring: Ring, server: Server) -> None:
    """B shows "Wolf wins on Rosa's discard"; A records another hand and the seats rotate; B sees what happened and
    says what becomes of his."""
    a, b = together(ring)
    show(b, seat="W", win="discard", giver="S")
    show(a, seat="N")
    enter(a)
    b.page.wait_for_selector(".meanwhile .changes li")
    assert "Wolf (now South)" in b.text(".meanwhile")
    b.settle()
    assert "Wolf" in b.text(".hero-how") and "Rosa" in b.text(".hero-how")
    b.key("record").click(force=True)  # it says that it is disabled
    assert winners(server, a) == ["Zoe"], "nothing is entered before it was looked at"
    b.key("keep-mine").click()
    enter(b)
    assert winners(server, a) == ["Zoe", "Wolf"]
    (last,) = ledger(server, a)[1:]
    assert NAMES[last["wins"][0]["from_player"]] == "Rosa"


def test_what_could_not_be_read_again_is_tried_later(ring: Ring) -> None:
    """B hears that A has recorded a hand, and gets no answer when it asks for the game."""
    a, b = together(ring)
    b.allowed.append("ERR_")
    show(a, seat="N")
    b.page.clock.install()
    b.page.route(f"**/games/{a.remembered('game')['id']}", lambda route: route.abort(), times=1)
    with b.page.expect_event("requestfailed"):
        enter(a)
    assert b.page.evaluate("() => fetch('/healthz').then(({ ok }) => ok)"), "by now the page knows that it failed"
    b.page.clock.run_for(6000)
    hears(b, 1)


def test_the_same_hand_on_two_phones_is_entered_once(ring: Ring, server: Server) -> None:
    """Same tiles, winner and payer: whoever presses the main key books nothing twice."""
    a, b, c = together(ring, 3)
    for phone in (a, b):
        show(phone, seat="W", win="discard", giver="S")
    enter(a)
    b.page.wait_for_selector(".same-hand")
    assert b.at("#bar .main").get_attribute("data-key") == "drop-same"
    b.at("#bar .main").click()
    b.page.wait_for_selector(".at-game .hands li")
    assert b.hand()["concealed"] == []
    # Photographed once more by somebody who knows of the hand in the ledger.
    show(c, seat="S", win="discard", giver="E")
    c.key("keep-same").click()
    enter(c)
    assert winners(server, a) == ["Wolf", "Wolf"], "on this phone's word that it is another one"


def on_the_same_hand(ring: Ring) -> list[Phone]:
    """Two phones that photographed one hand: A has entered it, and B is told that it is the same."""
    a, b = together(ring)
    for phone in (a, b):
        show(phone, seat="W")
    enter(a)
    b.page.wait_for_selector(".same-hand")
    return [a, b]


def test_a_second_press_drops_no_other_hand(ring: Ring) -> None:
    """B presses "discard mine" twice, and has photographed the hand once more when the second press is answered."""
    a, b = on_the_same_hand(ring)
    asked: list[Route] = []
    answered: list[str] = []

    def hold(route: Route) -> None:
        asked.append(route)
        if len(asked) > 2:
            route.continue_()

    game = f"/games/{a.remembered('game')['id']}"
    b.page.route(f"**{game}", hold)
    b.page.on("response", lambda r: answered.append(r.url) if r.url.endswith(game) else None)
    b.page.evaluate(TAPS, ["drop-same", "drop-same"])
    b.until(lambda: len(asked) == 2)
    asked[0].continue_()
    b.page.wait_for_selector(".at-game .hands li")
    show(b, seat="S")  # Wolf's, now
    b.page.wait_for_selector("[data-key=drop-same]")
    asked[1].continue_()
    counts: list[int] = []

    def quiet() -> bool:
        """Every question about the table is answered, and the page has had time to ask again, as it may have to."""
        b.page.evaluate("() => fetch('/healthz').then(({ ok }) => ok)")
        counts.append(len(asked))
        return len(answered) == len(asked) and counts[-2:] == [len(asked)] * 2

    b.until(quiet)
    assert b.codes(), "this hand was not the one that the press was for"


def test_seats_that_turn_meanwhile_do_not_keep_the_same_hand(ring: Ring, server: Server) -> None:
    """B presses "discard mine" before it knows that A has recorded one more hand."""
    a, b = on_the_same_hand(ring)
    show(a, seat="S", pair="6s")
    news = b.held_at(f"/games/{a.remembered('game')['id']}")
    enter(a)
    news.came()
    b.key("drop-same").click()
    news.let_go()
    b.page.wait_for_selector(".at-game .hands li:nth-child(2)")
    assert b.codes() == []
    assert len(winners(server, a)) == 2


def test_a_hand_that_was_undone_elsewhere_is_not_dropped_as_the_same(ring: Ring, server: Server) -> None:
    """B presses "discard mine" before it knows that A has undone that hand."""
    a, b = on_the_same_hand(ring)
    news = b.held_at(f"/games/{a.remembered('game')['id']}")
    a.key("undo").click()
    news.came()
    b.key("drop-same").click()
    news.let_go()
    b.page.wait_for_selector(".meanwhile .changes li")
    b.key("keep-mine").click()
    enter(b)
    assert winners(server, a) == ["Wolf"]


def test_an_undo_elsewhere_is_a_choice_too(ring: Ring, server: Server) -> None:
    a, b = together(ring)
    show(a, seat="N")
    enter(a)
    hears(b, 1)
    show(b, seat="S")
    a.key("undo").click()
    b.page.wait_for_selector(".meanwhile .changes li")
    b.settle()
    assert "Wolf" in b.text(".hero-how"), "Wolf it was, and Wolf it is, where he sits now"
    b.press("look-again", shows=".at-hand .meanwhile")
    assert b.at("input[data-key='seat=W']").is_checked()
    b.key("keep-mine").click()
    b.at(".meanwhile").wait_for(state="detached")
    b.settle()
    b.key("bar").click()
    enter(b)
    assert winners(server, a) == ["Wolf"]


MAIN = """() => {
  if (document.querySelector(".at-game .hands > li")) return true;
  const asked = document.querySelector("[data-key=keep-mine]");
  (asked ?? document.querySelector("#bar .main:not([aria-disabled])"))?.click();
  return false;
}"""
"""One press of the main key: it keeps to a hand that was overtaken, and drops one that another phone has entered."""


def test_three_phones_at_once(ring: Ring, server: Server) -> None:
    """All three press within a moment: one is entered, the others choose; each hand is its winner's."""
    phones = together(ring, 3)
    for phone, seat in zip(phones, "SWN", strict=True):
        phone.allowed.append("status of 409")
        show(phone, seat=seat)
    for phone in phones:
        ready(phone)
    for phone in phones:
        phone.page.evaluate("() => { document.querySelector('[data-key=record]').click() }")

    def pressed() -> bool:
        entered = [phone.page.evaluate(MAIN) for phone in phones]
        return all(entered)

    phones[0].until(pressed)
    assert sorted(winners(server, phones[0])) == ["Rosa", "Wolf", "Zoe"]


STEPS = 14


@pytest.mark.parametrize(("seed", "count"), [(0, 2), (1, 3)])
def test_any_order_of_presses_enters_each_hand_once(ring: Ring, server: Server, seed: int, count: int) -> None:
    """People lay hands, some of them two photographs of one, press the main key and undo, in an order by chance."""
    by = random.Random(seed)
    phones = together(ring, count)
    laid: dict[Phone, tuple[str, str]] = {}
    entered: list[tuple[str, str]] = []
    revision = 0
    for phone in phones:
        phone.allowed.append("status of 409")
    for step in range(STEPS):
        phone = by.choice(phones)
        if phone in laid:
            phone.until(lambda phone=phone: phone.page.evaluate(MAIN))
            hand = laid.pop(phone)
            if hand not in entered:
                entered.append(hand)
                revision += 1
        elif entered and by.random() < 0.2:
            hears(phone, revision)
            phone.go("game")
            phone.key("undo").click()
            entered.pop()
            revision += 1
            hears(phone, revision)
        else:
            hears(phone, revision)
            others = [*laid.values(), *entered[-1:]]
            laid[phone] = by.choice(others) if others and by.random() < 0.4 else (by.choice(NAMES), f"{1 + step % 9}s")
            name, pair = laid[phone]
            seats: dict[str, int] = phone.page.evaluate("inside.game.seats")
            show(phone, seat=next(s for s, n in seats.items() if NAMES[n] == name), pair=pair)
    assert winners(server, phones[0]) == [name for name, _ in entered]


def test_a_reload_keeps_what_was_seen(ring: Ring, server: Server) -> None:
    """B's page is closed while A enters a hand: opened again, it still knows whose hand it was and what it missed."""
    a, b = together(ring)
    b.allowed.append("status of 409")  # the first question of the page that is opened again speaks of the old table
    show(b, seat="W")
    b.page.goto("about:blank")
    show(a, seat="N")
    enter(a)
    b.open("/#/score")
    b.page.wait_for_selector(".meanwhile .changes li")
    b.settle()
    assert "Wolf" in b.text(".hero-how")
    b.key("keep-mine").click()
    enter(b)
    assert winners(server, a) == ["Zoe", "Wolf"]


@pytest.mark.parametrize("reloads", [False, True])
def test_an_answer_that_got_lost_is_found(ring: Ring, server: Server, reloads: bool) -> None:
    """The server recorded the hand and the phone never heard: it finds its own hand in the game and enters no other."""
    (b,) = together(ring, 1)
    b.allowed += ["Failed to load resource"]
    if reloads:  # the stream of changes would tell it before it can be reloaded
        b.page.route("**/api/v1/changes*", lambda route: route.abort())
        b.reload()
    show(b, seat="W")
    ready(b)

    def lose(route: Route) -> None:
        route.fetch()
        if not reloads:
            route.abort("connectionreset")

    b.page.route("**/hands", lose)
    b.key("record").click()
    if reloads:
        b.until(lambda: winners(server, b) == ["Wolf"])
        b.page.unroute("**/hands")
        b.reload()
    b.page.wait_for_selector("#notices :text('Hand 1 recorded')")
    b.page.wait_for_selector(".at-game .hands li")
    assert winners(server, b) == ["Wolf"]
    assert b.hand()["concealed"] == []


def test_an_open_sheet_follows_the_people(ring: Ring, server: Server) -> None:
    """A payment is half typed in when the seats rotate: it stays Rosa's to Wolf, and is looked at again."""
    a, b = together(ring)
    b.key("payment").click()
    b.choose("pay-from", "S")
    b.choose("pay-to", "W")
    b.at("#field-pay-amount").fill("5")
    b.at("#field-pay-amount").press("Tab")
    show(a, seat="N")
    enter(a)
    b.key("looked").wait_for()
    b.key("looked").click()
    assert b.at("input[data-key='pay-from=E']").is_checked() and b.at("input[data-key='pay-to=S']").is_checked()
    b.close_by("outcome")
    (hand,) = ledger(server, a)[1:]
    assert hand["payments"] == [0, -5, 5, 0]


def test_a_sheets_entry_outlives_the_page(ring: Ring, server: Server) -> None:
    """A draw was sent when the page was closed, and did not arrive: it is sent again, and entered once."""
    (b,) = together(ring, 1)
    b.allowed += ["Failed to load resource"]
    b.page.route("**/hands", lambda route: None, times=1)  # it is on its way for ever
    b.press("draw", "outcome")
    b.page.get_by_text("Recording").first.wait_for()
    sent = b.sent_to("/hands")
    b.reload()
    b.page.wait_for_selector(".hands li")
    (hand,) = ledger(server, b)
    assert sent[0].headers["idempotency-key"] == hand["key"]
    assert b.remembered("queue") is None


def test_a_stopped_and_restarted_server(ring: Ring, start: Callable[..., Server], tmp_path: Path) -> None:
    """B enters into a server that is gone; it is started again, A enters first; B is asked, and both hands stand."""
    port = free_port()
    server = start(tmp_path, port=port, **OPEN)
    a, b = together(lambda **more: ring(url=server.url, **more))
    for phone in (a, b):
        phone.allowed += ["Failed to load resource", "status of 409", "ERR_"]
    show(b, seat="W")
    show(a, seat="N")
    for phone in (a, b):
        ready(phone)
    server.kill()
    b.press("record", shows="#bar .faults")
    again = start(tmp_path, port=port, **OPEN)
    enter(a)
    b.page.wait_for_selector(".meanwhile .changes li")
    b.key("keep-mine").click()
    enter(b)
    assert winners(again, a) == ["Zoe", "Wolf"]
    hears(a, 2)  # the stream came back by itself


def test_a_score_under_way_cannot_be_entered(ring: Ring, server: Server) -> None:
    """Another winner is said: until his score is there, the old one says that it is old, and cannot be entered."""
    (phone,) = together(ring, 1)
    show(phone, seat="W")
    ready(phone)
    held = phone.held_at("/api/v1/score")
    phone.go("hand")
    phone.choose("seat", "S")
    held.came()
    assert phone.text("#bar .stale-words") == "Counting …"
    assert phone.at("#bar .amounts b").count() == 4
    phone.press("bar", shows=".hero.stale")
    assert phone.key("record").get_attribute("aria-disabled") == "true"
    phone.key("record").click(force=True)
    assert winners(server, phone) == []
    held.let_go()
    phone.at(".hero.stale").wait_for(state="detached")
    enter(phone)
    assert winners(server, phone) == ["Rosa"]


TAPS = """(keys) => {
  for (const key of keys) document.querySelector(`[data-key="${key}"]`).click();
}"""
"""Quick taps: the page can draw nothing between them."""


def test_who_paid_is_said_before_the_winner_is_drawn(phone: Phone) -> None:
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    phone.settle()
    phone.page.evaluate(TAPS, ["seat=W", "payer=W"])
    context = phone.score()["request"]["context"]
    assert (context["seat"], context["win"]) == ("W", "self_draw")


def test_two_quick_taps_choose_both(phone: Phone) -> None:
    phone.begin_game(rules="riichi", points="25000")
    phone.key("draw").click()
    phone.key("ready-W").wait_for()
    phone.page.evaluate(TAPS, ["ready-E", "ready-W"])
    phone.at("[data-key='ready-E'][aria-pressed=true]").wait_for()
    phone.at("[data-key='ready-W'][aria-pressed=true]").wait_for()


def test_answers_out_of_order_are_dropped(ring: Ring) -> None:
    """The first question is answered after the second: the second answer stays."""
    phone = ring()
    phone.lay()
    late: list[Route] = []

    def hold(route: Route) -> None:
        if '"self_draw"' in (route.request.post_data or ""):
            late.append(route)
        else:
            route.continue_()

    phone.page.route("**/api/v1/score", hold)
    phone.answer(seat="S", win="self_draw")
    phone.until(lambda: late)
    phone.answer(seat="S", win="discard", giver="W")
    assert phone.score()["request"]["context"]["win"] == "discard"
    for route in late:
        with contextlib.suppress(Exception):  # the page has given it up
            route.fulfill(response=route.fetch())
    phone.page.evaluate("async () => { await fetch('/healthz') }")  # asked after they were answered
    assert phone.score()["request"]["context"]["win"] == "discard"


def test_riichi_says_what_is_paid_in_all(ring: Ring, server: Server) -> None:
    """Sticks are part of what is confirmed: the sum is shown with its parts, the same in the bar and on the score, sent
    as expected, and is what the ledger holds."""
    (phone,) = together(ring, 1, rules="riichi")
    phone.go("hand")
    phone.lay()
    phone.answer(seat="W", win="self_draw")
    phone.press("chip-riichi", "declared-E")
    assert phone.score()["answer"]["legal"]
    bar = phone.at("#bar .amounts b").all_inner_texts()
    phone.key("bar").click()
    sent = phone.sent_to("/hands")
    phone.at(".hero .net td").first.wait_for()
    shown = phone.at(".hero .net td").all_inner_texts()
    assert shown == bar
    parts = phone.at(".transfers li b").all_inner_texts()
    assert {"Wolf pays Pot 1,000", "Mei pays Pot 1,000", "Pot pays Wolf 2,000"} <= set(parts)
    assert phone.at(".hero .net tr").filter(has_text="Pot").count() == 0, "what is laid is taken"
    enter(phone)
    (hand,) = ledger(server, phone)
    told = [int(text.replace(",", "").replace("−", "-")) for text in shown]
    assert told[:4] == hand["payments"]
    assert sent[0].post_data_json["expected_payments"]["E"] == hand["payments"][0]


def test_the_others_join_by_a_code(ring: Ring, server: Server) -> None:
    """Read by a camera it opens the page; pasted where the page is open, it changes the fragment alone."""
    (a,) = together(ring, 1)
    a.press("fold-join", shows=".join img.qr")
    assert a.page.evaluate("() => document.querySelector('.qr').decode().then(() => true)")
    fragment = "/" + a.text(".join .address a").rpartition("/")[2]
    assert fragment == f"/#join={a.remembered('game')['id']}"
    guest, other = ring(path=fragment), ring()
    other.page.evaluate("(address) => { location.hash = address }", fragment[1:])
    for joined in (guest, other):
        joined.page.wait_for_selector(".at-game .places")
        assert joined.totals() == a.totals()
    show(guest, seat="S")
    enter(guest)
    hears(a, 1)
    assert winners(server, a) == ["Rosa"]


def test_a_game_deleted_elsewhere_is_put_away(ring: Ring) -> None:
    a, b = together(ring)
    a.key("delete").click()
    a.page.get_by_role("button", name="Delete", exact=True).click()
    b.page.wait_for_selector("[data-key=create-game]")


def test_a_photo_for_a_stopped_server_gives_up_in_seconds(ring: Ring, start: Callable[..., Server]) -> None:
    """The process is stopped, not gone: it takes the connection and never answers."""
    server = start(**OPEN)
    phone = ring(url=server.url)
    phone.allowed += ["Failed to load resource", "ERR_"]
    phone.page.wait_for_function("() => inside.about")
    server.process.send_signal(signal.SIGSTOP)
    try:
        phone.page.set_input_files("#choose", str(HAND))
        phone.page.wait_for_selector(".reading.failed")
    finally:
        server.process.send_signal(signal.SIGCONT)
    phone.key("again").click()
    phone.page.wait_for_function("() => inside.draft.read !== null")
