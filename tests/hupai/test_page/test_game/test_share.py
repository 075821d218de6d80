"""A picture of the hand and its score: shared where the phone can, saved elsewhere."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from scripts.browser.phone import Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_game.test_corrections import win
from tests.hupai.test_page.test_game.test_game_end import amend, enter, pays

SHARES = """() => {
  navigator.canShare = ({ files }) => files.length === 1;
  navigator.share = async ({ files: [file], text }) => {
    const url = await new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.readAsDataURL(file);
    });
    window.shared = [url, text, file.name];
  };
}"""


def shared(phone: Phone) -> tuple[Image.Image, str]:
    """The picture and the words of what is shared by the key on the screen."""
    phone.page.evaluate(SHARES)
    phone.key("share").tap()
    phone.page.wait_for_function("() => window.shared")
    url, text, name = phone.page.evaluate("window.shared")
    kind, _, data = url.partition(",")
    assert (name, kind) == ("hupai.png", "data:image/png;base64")
    return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"), text


def scored(phone: Phone) -> None:
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    phone.page.wait_for_selector("a.score-bar")
    phone.key("bar").click()
    phone.key("share").wait_for()


def test_where_nothing_is_shared_the_picture_is_saved(phone: Phone, tmp_path: Path) -> None:
    scored(phone)
    phone.page.evaluate("() => { navigator.canShare = () => false }")
    with phone.page.expect_download() as download:
        phone.key("share").tap()
    path = tmp_path / "hupai.png"
    download.value.save_as(path)
    with Image.open(path) as picture:
        shown = picture.convert("RGB")
    assert shown.width == 1080
    # What was counted stands between the tiles and the amounts.
    assert shown.crop((64, 420, 1016, 480)).convert("L").getextrema()[1] > 150
    # The tiles are drawn with their faces: bone, and ink in several colours, on the felt.
    row = shown.crop((64, 300, 1016, 396))
    colours = row.quantize(24).convert("RGB").getcolors() or []
    bone = sum(n for n, (r, g, b) in colours if r > 200 and g > 190 and b > 160)
    ink = sum(n for n, (r, g, b) in colours if max(r, g, b) - min(r, g, b) > 60 and r < 230)
    assert bone > 0.4 * row.width * row.height
    assert ink > 0.02 * row.width * row.height


def test_a_phone_that_shares_gets_picture_and_words(phone: Phone) -> None:
    scored(phone)
    picture, text = shared(phone)
    assert picture.width == 1080
    assert "South wins by self-draw" in text and "faan" in text


def test_sharing_that_fails_saves_the_picture_and_says_so(phone: Phone) -> None:
    scored(phone)
    phone.page.evaluate(
        """() => {
          navigator.canShare = () => true;
          navigator.share = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
        }"""
    )
    with phone.page.expect_download():
        phone.key("share").tap()
    assert "saved instead" in phone.at("#notices").inner_text()


YELLOW, BLUE, RED, GREEN = (255, 209, 102), (142, 203, 255), (255, 171, 158), (195, 232, 141)


@pytest.mark.parametrize("locale", ["en-GB", "ja-JP", "zh-HK"])
def test_a_game_that_is_over_is_one_picture(ring: Ring, server: Server, locale: str) -> None:
    """Standings, who pays whom, a line for each player over the hands that stand, and the best hand with its tiles."""
    phone = ring(size=(360, 740), locale=locale)
    phone.begin_game(("Ivy", "Ned", "Pat", "Sam"))
    enter(server, phone, outcome="win", wins=[win("E")])
    pays(server, phone, "S", "N", 400)
    enter(server, phone, outcome="win", wins=[win("W", win="discard", **{"from": "E"})])
    enter(server, phone, outcome="draw")
    phone.key("amend-4").click()
    amend(phone, "Ivy")
    phone.closed()
    totals = phone.page.evaluate("inside.game.players.map(({ total }) => Number(total))")
    paid = [f"{giver}" for giver, total in zip(("Ivy", "Ned", "Pat", "Sam"), totals, strict=True) if total < 0]
    phone.key("end").click()
    amend(phone, "Ivy")
    phone.page.wait_for_selector(".game-over")
    picture, text = shared(phone)
    lines = text.split("\n")
    assert lines[0].startswith("1. Sam +") and len(lines) > 4
    assert lines[4:] == phone.at(".settle-up li").all_inner_texts()
    assert {giver for giver in paid if any(line.startswith(giver) for line in lines[4:])} == set(paid)
    pixels = {colour: n for n, colour in picture.getcolors(1 << 22) or []}
    for ink in (YELLOW, BLUE, RED, GREEN):
        assert pixels[ink] > 600, "a swatch of 60 x 6 pixels at most, and the line"
    assert pixels[251, 246, 233] > 14 * 1000, "the tiles of the best hand"
