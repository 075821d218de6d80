"""A picture of the hand and its score: shared where the phone can, saved elsewhere."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from scripts.browser.phone import Phone


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
    phone.page.evaluate(
        """() => {
          navigator.canShare = ({ files }) => files.length === 1;
          navigator.share = async ({ files: [{ name, type, size }], text }) => {
            window.shared = [name, type, size, text];
          };
        }"""
    )
    phone.key("share").tap()
    phone.page.wait_for_function("() => window.shared")
    name, kind, size, text = phone.page.evaluate("window.shared")
    assert (name, kind) == ("hupai.png", "image/png")
    assert size > 10_000
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
