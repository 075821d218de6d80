"""A finger that is down while the page is drawn anew still presses what it touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from scripts.browser.phone import Phone

if TYPE_CHECKING:
    from playwright.sync_api import Locator

FIVE_OF_A_KIND = "1m 1m 1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m"


def middle(control: Locator) -> tuple[float, float]:
    control.scroll_into_view_if_needed()
    box = control.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@contextmanager
def mouse(phone: Phone, control: Locator) -> Iterator[None]:
    """The mouse button is down on a control while the block runs."""
    phone.page.mouse.move(*middle(control))
    phone.page.mouse.down()
    yield
    phone.page.mouse.up()


@contextmanager
def finger(phone: Phone, control: Locator) -> Iterator[None]:
    """A finger is."""
    x, y = middle(control)
    touch = phone.context.new_cdp_session(phone.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    yield
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@contextmanager
def space_bar(phone: Phone, control: Locator) -> Iterator[None]:
    """The space bar is, and the control has the keyboard."""
    control.focus()
    phone.page.keyboard.down(" ")
    yield
    phone.page.keyboard.up(" ")


Press = Callable[[Phone, Any], AbstractContextManager[None]]


def faulty(phone: Phone) -> None:
    """A hand with a fault, for which every question has been answered."""
    phone.allowed.append("status of 422")
    phone.lay(FIVE_OF_A_KIND)
    phone.answer(seat="S", win="self_draw")
    phone.page.wait_for_selector(".zone.concealed .faults")


@pytest.mark.parametrize("press", [mouse, finger, space_bar], ids=lambda press: press.__name__)
def test_a_fault_that_goes_meanwhile(phone: Phone, press: Press) -> None:
    """The questions are drawn anew when a fault comes or goes."""
    faulty(phone)
    held = phone.held_at("/api/v1/score")
    phone.lay()
    with press(phone, phone.key("chip-last_tile")):
        held.let_go()
        phone.settle()
    assert phone.hand()["concealed"][1]["code"] == "2m"
    phone.at(".zone.concealed .faults").wait_for(state="detached")
    phone.page.wait_for_selector("[data-key='chip-last_tile'][aria-pressed=true]")


def test_the_second_of_two_quick_taps(phone: Phone) -> None:
    faulty(phone)
    held = phone.held_at("/api/v1/score")
    phone.lay()
    phone.page.mouse.move(*middle(phone.key("chip-last_tile")))
    phone.page.mouse.down()
    phone.page.mouse.up()
    phone.page.mouse.down()
    # Whatever the first has left to do is done.
    phone.page.evaluate("() => new Promise((done) => setTimeout(done, 400))")
    held.let_go()
    phone.settle()
    phone.page.mouse.up()
    phone.at(".zone.concealed .faults").wait_for(state="detached")
    phone.page.wait_for_selector("[data-key='chip-last_tile'][aria-pressed=false]")


def test_a_score_that_arrives_meanwhile(phone: Phone) -> None:
    """The bar under the thumb is drawn anew with every answer."""
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    phone.settle()
    held = phone.held_at("/api/v1/score")
    phone.choose("seat", "E")
    with finger(phone, phone.key("bar")):
        held.let_go()
        phone.settle()
    phone.page.wait_for_selector(".at-score")


def test_a_finger_on_the_photo(phone: Phone) -> None:
    """The sheet that a tap in the photo opens lies under the finger: it does not take the same tap."""
    phone.photograph()
    before = phone.hand()
    box = phone.steady(".outline.won polygon")
    phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    phone.page.get_by_role("button", name="Not the winning tile").click()
    phone.closed()
    assert phone.codes("winning") == []
    assert len(phone.codes()) == len(before["concealed"]) + 1


def test_a_list_that_arrives_leaves_folds_open(phone: Phone) -> None:
    held = phone.held_at("/api/v1/sets")
    phone.go("more")
    phone.key("fold-set").click()
    phone.at("#field-set-name").fill("Grandma's")
    held.let_go()
    phone.page.wait_for_selector("input[name=set]")
    assert phone.at("#field-set-name").input_value() == "Grandma's"
    assert phone.at("#field-set-name").is_visible()
