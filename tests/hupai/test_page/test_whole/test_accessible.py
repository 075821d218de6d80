"""Keyboard, screen reader, contrast, targets: every screen, both themes; axe finds nothing serious."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest

from scripts.browser.phone import HAND, Phone
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_host.test_phones import enter, show, together

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SPOKEN = "label-content-name-mismatch"
"""That a key answers to what is written on it; axe tries this only where it is told to."""


COLOURS = ["color-contrast", "link-in-text-block"]
"""What depends on the theme."""


def findings(phone: Phone, axe: str, rules: list[str] = RULES) -> list[str]:
    """What axe-core holds against the screen, serious or worse, with where."""
    # A sheet rises; half-transparent text would fail on contrast.
    phone.page.evaluate("async () => { await Promise.allSettled(document.getAnimations().map((a) => a.finished)) }")
    # The page's policy forbids foreign scripts, so it goes in through the debugger.
    asked = {"runOnly": rules, "rules": {SPOKEN: {"enabled": rules is RULES}}}
    found: dict[str, Any] = phone.page.evaluate(f"async () => {{ {axe}\n return await axe.run({json.dumps(asked)}) }}")
    return [
        f"{v['id']} ({v['impact']}): {node['html'][:120]} {node['any'][0]['message'] if node['any'] else ''}"
        for v in found["violations"]
        if v["impact"] in ("serious", "critical", "moderate")
        for node in v["nodes"]
    ]


def show_theme(phone: Phone, theme: Literal["light", "dark"]) -> None:
    phone.page.emulate_media(color_scheme=theme)
    phone.page.wait_for_selector(f"html[data-theme={theme}]")


def small_targets(phone: Phone) -> list[str]:
    """Things to press that are smaller than 44 by 44 pixels (outlines in the photo have their tile on the felt)."""
    found: list[str] = phone.page.evaluate(
        """() => [...document.querySelectorAll('button, a[href], input, select, summary, label.button, .start-key')]
          .filter((e) => e.checkVisibility() && !e.closest('.unseen') && !e.matches('.unseen, .skip'))
          .map((e) => [e, e.matches('input[type=radio], input[type=checkbox]') ? e.closest('label') : e])
          .map(([e, box]) => [e, box.getBoundingClientRect()])
          .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
          .map(([e, box]) => `${e.outerHTML.slice(0, 90)} ${Math.round(box.width)}x${Math.round(box.height)}`)"""
    )
    return found


def sideways(phone: Phone) -> int:
    """Pixels by which the page is wider than the screen."""
    return int(phone.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def _typed(phone: Phone) -> None:
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    phone.settle()


def _score(phone: Phone) -> None:
    _typed(phone)
    phone.press("bar", "all", shows=".systems li")


def photo_screens(phone: Phone) -> Iterator[str]:
    """Show one screen after the other; their names."""
    yield "start"
    phone.photograph()
    phone.answer(seat="S", win="self_draw")
    phone.settle()
    yield "hand"
    phone.tile("concealed", 2).click()
    phone.at(".meld-choice").first.wait_for()
    yield "tile"


def typed_screens(phone: Phone) -> Iterator[str]:
    _score(phone)
    yield "score"
    phone.go("hand")
    phone.key("add-meld").click()
    phone.choose("new-meld-type", "pung")
    phone.press("tab-p", "key-2p")
    phone.at(".meld-name").click()
    yield "meld"


def game_screens(phone: Phone) -> Iterator[str]:
    phone.go("game")
    yield "new game"
    phone.begin_game()
    yield "game"
    phone.press("payment", "outcome")
    yield "payment"


def other_screens(phone: Phone) -> Iterator[str]:
    phone.go("more")
    yield "more"
    phone.go("rules")
    phone.key("fold-elements").click()
    yield "rules"
    phone.use_rules("hangzhou")
    _typed(phone)
    phone.key("fold-rare").click()
    phone.allowed.append("status of 422")  # nobody has open sets
    phone.key("fed-add").click()
    yield "hangzhou"


@pytest.mark.parametrize("screens", [photo_screens, typed_screens, game_screens, other_screens])
def test_axe_finds_nothing(ring: Ring, axe: str, screens: Callable[[Phone], Iterator[str]]) -> None:
    phone = ring(color_scheme="light")
    for screen in screens(phone):
        assert not findings(phone, axe), screen
        assert not small_targets(phone), screen
        assert sideways(phone) == 0, screen
        show_theme(phone, "dark")
        assert not findings(phone, axe, COLOURS), screen
        show_theme(phone, "light")


def test_axe_finds_nothing_without_the_host(ring: Ring, axe: str) -> None:
    phone = ring(color_scheme="light")
    phone.allowed += ["Failed to load resource"]
    phone.page.route("**/api/v1/**", lambda route: route.abort("internetdisconnected"))
    phone.reload()
    phone.page.wait_for_selector(".start .caution")
    for tab in ("hand", "game", "rules", "more"):
        phone.go(tab)
        assert not findings(phone, axe), tab
        show_theme(phone, "dark")
        assert not findings(phone, axe, COLOURS), tab
        show_theme(phone, "light")


BROKEN = """() => [...document.querySelectorAll(
  '.key b, .button, .chip, #tabs span, .start span, .deltas span')].flatMap((e) => {
  const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (walk.nextNode()) {
    for (const word of walk.currentNode.data.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(walk.currentNode, word.index);
      range.setEnd(walk.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""


@pytest.mark.parametrize(("width", "type_size"), [(320, "100%"), (390, "200%")])
def test_narrow_screens_and_large_type(ring: Ring, axe: str, width: int, type_size: str) -> None:
    """Nothing is cut off sideways, and no word on a key is broken; axe finds nothing there, either."""
    phone = ring(size=(width, 640))
    phone.page.evaluate(f"document.documentElement.style.fontSize = '{type_size}'")

    def check(tab: str) -> None:
        assert sideways(phone) == 0, tab
        assert not small_targets(phone), tab
        assert phone.page.evaluate(BROKEN) == [], tab
        assert not findings(phone, axe), tab

    for tab, fill in (("hand", _score), ("game", Phone.begin_game), ("rules", None), ("more", None)):
        phone.go(tab)
        check(tab)
        if fill:
            fill(phone)
            check(tab)


LONG = ("Annabell-Louise", "Maximilian", "Christopher", "Li")
CUT = "() => [...document.querySelectorAll('.who b')].filter((b) => b.scrollWidth > b.clientWidth).length"


@pytest.mark.parametrize("language", ["en-GB", "ja", "zh-HK", "zh-TW", "zh-CN"])
def test_long_names_are_whole_on_the_keys_at_360_px(ring: Ring, language: str) -> None:
    phone = ring(size=(360, 640), locale=language)
    phone.begin_game(LONG)
    phone.go("hand")
    phone.lay()
    for rows in (1, 2):
        phone.until(lambda rows=rows: phone.at(".who fieldset").count() == rows)
        assert phone.page.evaluate(CUT) == 0 and phone.page.evaluate(BROKEN) == []
        phone.choose("seat", "S")
    phone.choose("payer", "S")
    phone.page.locator("[data-key=record]:not([aria-disabled])").click()
    phone.page.wait_for_selector(".deltas")
    assert phone.page.evaluate(BROKEN) == [], "beside what they gained"


def test_short_names_stay_side_by_side(ring: Ring) -> None:
    phone = ring(size=(360, 640))
    phone.begin_game(("Charlie", "Mei Lin", "Bo", "陳大文"))
    phone.go("hand")
    phone.lay()
    phone.choose("seat", "S")
    phone.key("payer=E").wait_for(state="attached")
    tops = phone.page.eval_on_selector_all(".who .key", "(all) => all.map((e) => e.getBoundingClientRect().top)")
    assert len(tops) == 4 + 5 and len(set(tops)) == 2


def test_japanese_rules_stand_in_pairs(ring: Ring) -> None:
    phone = ring(size=(360, 640), locale="ja")
    phone.go("rules")
    tops = phone.page.eval_on_selector_all(
        "[data-field=rules] .key", "(all) => all.map((e) => e.getBoundingClientRect().top)"
    )
    assert len(tops) == 7 and len(set(tops)) == 4
    assert phone.page.evaluate(BROKEN) == []


def press(phone: Phone, *keys: str) -> None:
    for key in keys:
        phone.page.keyboard.press(key)


def focus(phone: Phone, key: str, limit: int = 80) -> None:
    """Tab on until the control with this data-key has the keyboard."""
    for _ in range(limit):
        if phone.page.evaluate("document.activeElement?.closest('[data-key]')?.dataset.key") == key:
            return
        phone.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {key}")


def enter_on(phone: Phone, key: str) -> None:
    focus(phone, key)
    press(phone, "Enter")


def outline_shows(phone: Phone) -> bool:
    return bool(
        phone.page.evaluate(
            """() => {
              const e = document.activeElement.closest('label') ?? document.activeElement;
              return [e, ...e.querySelectorAll('*')].some((x) => {
                const style = getComputedStyle(x);
                return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
              });
            }"""
        )
    )


def test_everything_by_keyboard(phone: Phone) -> None:
    """A game, a hand typed in, mended, scored, entered and undone, without touching the screen."""
    enter_on(phone, "tab-to-game")
    for i, name in enumerate(("Ann", "Ben", "Cem", "Dao")):
        focus(phone, f"field-player-{i}")
        assert outline_shows(phone)
        phone.page.keyboard.type(name)
    press(phone, "Enter")
    phone.page.wait_for_selector(".places")
    enter_on(phone, "score-hand")
    phone.page.wait_for_selector(".start")
    focus(phone, "type")
    assert outline_shows(phone)
    press(phone, "Enter")
    phone.page.wait_for_selector("dialog[open]")
    for suit, digits in (("m", "123456789"), ("p", "23"), ("s", "55")):
        focus(
            phone, f"tab-{phone.page.evaluate('document.querySelector(`[role=tab][aria-selected=true]`).id.slice(4)')}"
        )
        while phone.page.evaluate("document.activeElement.id") != f"tab-{suit}":
            press(phone, "ArrowRight")
        for digit in digits:
            enter_on(phone, f"key-{digit}{suit}")
    press(phone, "Escape")
    phone.closed()
    assert len(phone.codes()) == 13
    # The winning tile, by the key that adds it; then another in its place.
    enter_on(phone, "add-winning")
    focus(phone, "tab-s")
    press(phone, "ArrowLeft")
    enter_on(phone, "key-7p")
    phone.closed()
    assert phone.codes("winning") == ["7p"]
    tile = phone.hand()["winning"]["id"]
    enter_on(phone, f"tile-{tile}")
    enter_on(phone, "key-4p")
    phone.closed()
    assert phone.page.evaluate("document.activeElement.dataset.key") == f"tile-{tile}", "focus returns to the tile"
    focus(phone, "seat=E")
    press(phone, "ArrowRight", "ArrowRight")
    # The first arrow answers the last question; its row moves to the other answers, and the keyboard with it.
    focus(phone, "payer=E")
    press(phone, "ArrowRight")
    assert phone.page.evaluate("document.activeElement.closest('#asking') !== null")
    press(phone, "ArrowRight")
    phone.page.wait_for_selector("input[data-key='payer=W']:checked")
    assert phone.score()["answer"]["legal"]
    enter_on(phone, "bar")
    phone.page.wait_for_selector(".hero")
    enter_on(phone, "record")
    phone.page.wait_for_selector(".hands li")
    enter_on(phone, "undo")
    phone.page.wait_for_selector(".undone")


def test_tiles_stay_light_where_the_system_gives_the_colours(phone: Phone) -> None:
    """Their pictures are dark: on the black of such a system nobody could read them."""
    phone.lay()
    for forced in ("none", "active"):
        phone.page.emulate_media(forced_colors=forced, color_scheme="dark")
        behind = phone.at(".tray .tile").first.evaluate("(tile) => getComputedStyle(tile).backgroundImage")
        assert "rgb(255, 253, 246)" in behind, forced


def test_after_a_tile_is_removed_the_next_control_has_the_keyboard(phone: Phone) -> None:
    phone.lay()
    for then in ("5 of bamboo, 12 of 12", "Add tiles"):  # after the last but one, and then the last
        phone.tile("concealed", 11).focus()
        press(phone, "Enter")
        phone.at("dialog").get_by_role("button", name="Remove").focus()
        press(phone, "Enter")
        phone.closed()
        assert phone.page.evaluate("document.activeElement.getAttribute('aria-label')") == then


def test_doubts_are_told_without_colour(phone: Phone) -> None:
    """A doubtful tile has a sign, a hatch and a word; so has its outline."""
    phone.page.route("**/api/v1/read", _doubted)
    phone.photograph()
    tile = phone.tile("concealed", 1)
    assert "doubtful" in (tile.get_attribute("aria-label") or "")
    assert tile.locator(".badge").is_visible()
    assert "repeating-linear-gradient" in tile.evaluate("e => getComputedStyle(e, '::after').backgroundImage")
    outline = phone.at(".outline.doubt")
    assert outline.locator("text").text_content() == "?"
    assert outline.locator(".over").evaluate("e => getComputedStyle(e).strokeDasharray") != "none"


def _doubted(route: Any) -> None:
    reply = route.fetch()
    read = reply.json()
    concealed = [i for i, t in enumerate(read["tiles"]) if t["role"] == "concealed"]
    code = read["hand"]["concealed"][1]
    index = next(i for i in concealed if read["tiles"][i]["tile"] == code)
    read["doubts"] = [{"code": "low_confidence", "tile": index, "message": "Is this tile it?"}]
    route.fulfill(response=reply, json=read)


def test_screen_readers_hear_what_happens(phone: Phone) -> None:
    phone.page.evaluate(
        """() => {
          const live = document.getElementById('live');
          window.heard = [];
          new MutationObserver(() => live.textContent && window.heard.push(live.textContent))
            .observe(live, {childList: true, characterData: true, subtree: true});
        }"""
    )
    phone.photograph(HAND)
    phone.page.wait_for_function("() => window.heard.some((text) => text.includes('16 tiles read'))")
    phone.mend("concealed", 0, "9m")
    phone.page.wait_for_function("() => window.heard.some((text) => text.includes('is now 9 of characters'))")
    assert phone.at("main").get_attribute("aria-labelledby") == "title"
    for landmark in ("header", "main", "nav"):
        assert phone.at(landmark).count() >= 1


def test_axe_finds_nothing_where_two_phones_meet(ring: Ring, axe: str) -> None:
    """What happened meanwhile, an old score, the code to join by."""
    a, b = together(ring)
    for phone, seat in ((b, "W"), (a, "N")):
        show(phone, seat=seat)
    enter(a)
    b.page.wait_for_selector(".meanwhile .changes li")
    assert not findings(b, axe)
    b.key("keep-mine").click()
    b.settle()
    b.page.route("**/api/v1/score", lambda route: None)
    b.page.evaluate("async () => (await part('js/scoring/live.js')).rescore()")
    b.page.wait_for_selector(".hero.stale")
    assert not findings(b, axe)
    for fold, shown in (("fold-join", ".join .qr"), ("fold-history", ".changes li")):
        a.press(fold, shows=shown)
    assert not findings(a, axe)
