"""Two and three phones at one game: the ledger holds exactly what each person confirmed."""

from __future__ import annotations

from typing import Any

import httpx

from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.phone import Phone

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


def show(phone: Phone, *, seat: str, win: str = "self_draw", giver: str | None = None) -> None:
    """A hand is scored, and only the key is still to be pressed."""
    phone.go("hand")
    phone.lay()
    phone.answer(seat=seat, win=win, giver=giver)
    assert phone.score()["answer"]["legal"]
    phone.key("bar").click()
    phone.key("record").wait_for()


def test_a_hand_goes_to_the_person_it_was_shown_for(ring: Ring, server: Server) -> None:
    """B shows "Wolf wins on Rosa's discard"; A records another hand and the seats rotate; B enters his."""
    a, b = together(ring)
    b.allowed.append("status of 409")
    show(b, seat="W", win="discard", giver="S")
    assert "Wolf" in b.text(".hero-how") and "Rosa" in b.text(".hero-how")
    show(a, seat="N")
    a.key("record").click()
    a.page.wait_for_selector(".hands li")
    b.key("record").click()
    b.page.wait_for_timeout(2000)
    assert winners(server, a) in (["Zoe"], ["Zoe", "Wolf"]), "Wolf won, and nobody said that Zoe won twice"
