"""Part of each hand's photo beside the hand in its game: where its user wants it, on that phone, with the game."""

from __future__ import annotations

import httpx
import pytest

from scripts.browser.phone import Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_game.test_corrections import begin
from tests.hupai.test_page.test_host.test_trouble import FAILED, refuse

KEPT = """async () => (await (await part('js/api/store.js')).keptCrops()).map(({ game, hand }) => [game, hand])"""


def photographed(phone: Phone, number: int) -> None:
    """A hand of the game, from its photo to the ledger."""
    phone.go("hand")
    phone.photograph()
    phone.answer(seat="S", win="self_draw")
    phone.page.locator("[data-key=record]:not([aria-disabled])").click()
    phone.page.wait_for_selector(f".hands > li:nth-child({number})")


def test_a_hands_photo_stays_beside_it_where_it_is_wanted(ring: Ring, server: Server) -> None:
    phone = ring(size=(360, 740))
    phone.begin_game(("Ana", "Ben", "Cem", "Dov"))
    photographed(phone, 1)
    assert phone.page.evaluate(KEPT) == [], "nobody has asked for it"
    phone.switch("keep-crops", on=True)
    photographed(phone, 2)
    game = phone.page.evaluate("inside.game")
    picture = phone.at(".hands .hand-crop")
    phone.until(lambda: picture.evaluate_all("(all) => all.map((img) => img.naturalWidth > 200)") == [True])
    assert picture.get_attribute("alt") == "Photo of hand 2"
    assert phone.page.evaluate(KEPT) == [[game["id"], game["hands"][1]["key"]]]
    phone.reload()
    picture.wait_for()
    other = ring(path=f"/#join={game['id']}")
    other.page.wait_for_selector(".hands > li:nth-child(2)")
    other.switch("keep-crops", on=True)
    assert other.at(".hand-crop").count() == 0, "it is on the phone that took it"
    begin(phone, 2)
    phone.at(".correcting .hand-crop").wait_for()
    phone.key("mend-leave").click()
    revision = phone.page.evaluate("inside.game.revision")
    httpx.delete(f"{server.api}/games/{game['id']}", params={"revision": revision}).raise_for_status()
    phone.page.wait_for_selector("[data-key=create-game]")
    phone.until(lambda: phone.page.evaluate(KEPT) == [])


def test_switched_off_every_photo_is_gone(phone: Phone) -> None:
    phone.begin_game(("Eva", "Fay", "Gil", "Hal"))
    phone.switch("keep-crops", on=True)
    photographed(phone, 1)
    phone.at(".hand-crop").wait_for()
    phone.switch("keep-crops", on=False)
    phone.at(".hand-crop").wait_for(state="detached")
    phone.until(lambda: phone.page.evaluate(KEPT) == [])


@pytest.mark.parametrize("more", [0, 100])
def test_a_hand_that_waits_for_the_host_brings_its_photo_and_a_game_that_is_missed_takes_it_along(
    phone: Phone, server: Server, more: int
) -> None:
    """The game is deleted while the phone has another one open, or none; ``more`` games are there than are listed."""
    body = {"rules": "riichi", "players": ["Ida", "Jon", "Kay", "Lou"]}
    for _ in range(more):
        httpx.post(f"{server.api}/games", json=body).raise_for_status()
    phone.begin_game(("Ida", "Jon", "Kay", "Lou"))
    phone.switch("keep-crops", on=True)
    phone.go("hand")
    phone.photograph()
    phone.answer(seat="S", win="self_draw")
    phone.settle()
    phone.allowed += [FAILED]
    phone.page.route("**/hands", refuse(503, "store_unavailable"))
    phone.page.locator("[data-key=record]:not([aria-disabled])").click()
    phone.key("keep-later").click()
    phone.page.unroute("**/hands")
    phone.go("game")
    phone.page.wait_for_selector(".hands .hand-crop")
    game = phone.page.evaluate("inside.game")
    phone.key("leave").click()
    httpx.delete(f"{server.api}/games/{game['id']}", params={"revision": game["revision"]}).raise_for_status()
    phone.reload()
    phone.go("game")
    phone.until(lambda: phone.page.evaluate(KEPT) == [])
