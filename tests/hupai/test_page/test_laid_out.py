"""What stands together stays together: tiles of a set, an amount and its player, a doubt and the photo's edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts.browser.phone import EXAMPLES, HAND, Phone
from tests.hupai.test_page.conftest import Ring

if TYPE_CHECKING:
    from pathlib import Path


BASELINES = """() => [...document.querySelectorAll('.hero .net tbody tr')].map((row) => {
  return [...row.children].map((cell) => {
    const mark = document.createElement('span');
    mark.style.display = 'inline-block';
    cell.append(mark);
    const { bottom } = mark.getBoundingClientRect();
    mark.remove();
    return bottom;
  });
})"""
BROKEN = """() => [...document.querySelectorAll('.lines .run')].filter((run) => {
  const tiles = [...run.children].map((tile) => tile.getBoundingClientRect());
  return tiles.length < 5 && new Set(tiles.map((box) => Math.round(box.top))).size > 1;
}).length"""

SPLIT = r"""() => {
  const found = [];
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data, parentElement } = walk.currentNode;
    if (!parentElement.checkVisibility() || parentElement.offsetWidth < 2) continue; // for the ear alone
    for (const word of data.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(walk.currentNode, word.index);
      range.setEnd(walk.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) found.push(word[0]);
    }
  }
  return found;
}"""


def scored(phone: Phone, rules: str, photo: Path) -> None:
    phone.use_rules(rules)
    phone.photograph(photo)
    phone.show_score()
    phone.page.wait_for_selector(".at-score .lines li")


def test_the_tiles_of_a_set_stand_in_one_line_and_amounts_beside_their_names(ring: Ring) -> None:
    phone = ring(size=(320, 640))
    scored(phone, "zungjung", EXAMPLES / "hand-dark-diagonal.jpg")
    assert phone.at(".lines .run").count() >= 3
    assert phone.page.evaluate(BROKEN) == 0
    for name, amount in phone.page.evaluate(BASELINES):
        assert name == pytest.approx(amount, abs=1)


def test_no_word_is_split_in_large_type(ring: Ring) -> None:
    phone = ring()
    phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
    scored(phone, "riichi", EXAMPLES / "hand-riichi.jpg")
    phone.key("all").click()
    phone.page.wait_for_selector(".systems [data-key=indicator]")
    for shown in ("score", "hand"):
        if shown == "hand":
            phone.go(shown)
        while phone.at("main .fact:not([open]) > summary").count():
            phone.at("main .fact:not([open]) > summary").first.click()
        assert phone.page.evaluate(SPLIT) == [], shown


def test_no_key_lies_over_the_photo(phone: Phone) -> None:
    phone.photograph(HAND)
    assert phone.steady(".photo-keys")["top"] >= phone.steady(".photo-stage")["bottom"]


def test_a_doubt_stands_off_the_photo(ring: Ring) -> None:
    phone = ring()
    phone.use_rules("hangzhou")
    phone.photograph(HAND)
    photo, doubt = (phone.steady(part) for part in (".photo-part > :first-child", ".photo-part .caution"))
    assert doubt["top"] >= photo["bottom"] + 8


@pytest.mark.parametrize(("locale", "colon"), [("ja-JP", "："), ("en-GB", ": ")])
def test_a_colon_is_that_of_the_language(ring: Ring, locale: str, colon: str) -> None:
    phone = ring(locale=locale)
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    said = phone.at("[data-key=fact-round] span").text_content() or ""
    assert colon in said and (colon == ": " or ":" not in said)
