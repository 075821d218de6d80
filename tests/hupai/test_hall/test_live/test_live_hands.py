"""Live hands wait for their time by a clock that the test moves, and are dropped with the leave to show them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from hupai.hall.live.hands import SILENT_SECONDS, LiveHands, LiveView
from hupai.hall.live.seat_view import SeatView
from hupai.hall.store.live import Permit, Place
from scoring.seats import Seat
from scoring.tiles import parse_tiles

EAST, SOUTH = Place("A", Seat.E), Place("A", Seat.S)
PERMIT = Permit("cup", "game", 1, "Ann", 60)


@dataclass
class Clock:
    """Seconds that the test moves."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hands(clock: Clock) -> LiveHands:
    return LiveHands(clock)


def seen(hands: LiveHands, place: Place, tiles: str) -> LiveView:
    view = LiveView(hands.hear(place, PERMIT), SeatView("hand", tuple(parse_tiles(tiles))), {"row": tiles})
    assert hands.put(place, view)
    return view


def test_nothing_leaves_before_its_time_and_all_of_it_then(hands: LiveHands, clock: Clock) -> None:
    first = seen(hands, EAST, "123m")
    clock.now += 10
    second = seen(hands, EAST, "124m")
    assert hands.wait() == 50
    clock.now += 49.999
    assert hands.due() == {}
    clock.now += 0.001
    assert hands.due() == {EAST: first} and hands.wait() == 10
    clock.now += 9.999
    hands.hear(EAST, PERMIT)
    assert hands.due() == {EAST: first}
    clock.now += 0.001
    assert hands.due() == {EAST: second} and hands.wait() is None


def test_a_delay_that_is_changed_holds_for_what_waits(hands: LiveHands, clock: Clock) -> None:
    view = seen(hands, EAST, "123m")
    clock.now += 20
    hands.permit({EAST: replace(PERMIT, delay=21)})
    assert hands.due() == {} and hands.wait() == 1
    hands.permit({EAST: replace(PERMIT, delay=20)})
    assert hands.due() == {EAST: view}
    hands.permit({EAST: PERMIT})
    assert hands.due() == {}


@pytest.mark.parametrize(
    "permits", [{}, {EAST: replace(PERMIT, player=2)}, {EAST: replace(PERMIT, game_id="next")}], ids=str
)
def test_what_waits_and_what_is_shown_is_dropped_without_leave(
    hands: LiveHands, clock: Clock, permits: dict[Place, Permit]
) -> None:
    seen(hands, EAST, "123m")
    clock.now += 61
    view = seen(hands, EAST, "124m")
    other = seen(hands, SOUTH, "555z")
    assert list(hands.due()) == [EAST]
    hands.permit({**permits, SOUTH: PERMIT})
    assert hands.due() == {} and hands.latest("A") == {SOUTH: other.view}
    assert not hands.put(EAST, view), "it was on its way when the leave was taken back"


def test_a_camera_that_has_died_shows_no_hand_for_ever(hands: LiveHands, clock: Clock) -> None:
    view = seen(hands, EAST, "123m")
    clock.now += 20
    hands.hear(EAST, PERMIT)
    clock.now += 60 + SILENT_SECONDS - 0.001
    assert hands.due() == {EAST: view}
    clock.now += 0.001
    assert hands.due() == {}
