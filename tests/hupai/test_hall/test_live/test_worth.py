"""What is told of a live hand: its distance, waits with what is left, and what they pay."""

from __future__ import annotations

from dataclasses import replace

from hupai.games.terms.state import TableState
from hupai.hall.live.seat_view import SeatView
from hupai.hall.live.worth import tell
from hupai.hall.store.live import TableNow
from scoring.seats import Seat
from scoring.tiles import Tile, parse_tiles, tile

NOW = TableNow("riichi", {}, TableState(), {"round": "E", "counters": 0, "riichi_sticks": 0}, ())


def hand(row: str, drawn: str | None = None, *melds: tuple[Tile, ...]) -> SeatView:
    return SeatView("hand", parse_tiles(row), tile(drawn) if drawn else None, melds)


def meld(tiles: str) -> tuple[Tile, ...]:
    return parse_tiles(tiles)


def test_a_ready_hand_has_its_waits_with_what_is_left_and_pays() -> None:
    told = tell(hand("8s7s406p234m33s567m"), Seat.S, NOW, [hand("1m", None, meld("999s"), meld("666s"))])
    assert told["row"] == ["2m", "3m", "4m", "5m", "6m", "7m", "4p", "0p", "6p", "3s", "3s", "7s", "8s"]
    assert told["shanten"] == 0
    assert told["waits"] == [
        {"tile": "6s", "left": 1, "score": 3900, "riichi": 7700},
        {"tile": "9s", "left": 1, "score": 2000, "riichi": 3900},
    ]


def test_own_melds_and_indicators_are_not_left() -> None:
    now = replace(NOW, indicators=("4s",))
    view = hand("34s22p", None, meld("555s"), meld("777z"), (tile("back"), *meld("11m"), tile("back")))
    told = tell(view, Seat.E, now, [])
    assert [(one["tile"], one["left"], one["riichi"]) for one in told["waits"]] == [("2s", 4, None), ("5s", 1, None)]
    assert told["counted"] == ["melds", "indicators"]
    assert told["waits"][0]["score"] > 0


def test_the_best_discards_of_a_full_hand_come_first() -> None:
    told = tell(hand("123m456p789s1124p", "9m"), Seat.W, NOW, [])
    assert (told["shanten"], told["drawn"]) == (0, "9m")
    assert told["waits"] == [{"tile": "3p", "left": 4, "score": None, "riichi": 1300}], "those of the row"
    assert told["discards"] == [{"tile": "9m", "left": 4, "draws": [{"tile": "3p", "left": 4}]}]
    several = tell(hand("123m456p789s1134p", "6p"), Seat.W, NOW, [])["discards"]
    assert [(one["tile"], one["left"]) for one in several] == [("6p", 7), ("4p", 4), ("3p", 3)]


def test_a_moment_with_too_few_tiles_has_no_distance() -> None:
    told = tell(hand("123m456p789s11p"), Seat.E, NOW, [])
    assert (told["shanten"], told["waits"], told["discards"]) == (None, [], [])


def test_what_rules_ask_besides_leaves_waits_without_worth() -> None:
    """In Hangzhou nobody knows the wild tile yet; without riichi a hand may have no yaku."""
    told = tell(hand("123m456p789s1122p"), Seat.S, NOW, [])
    assert [(one["score"], one["riichi"]) for one in told["waits"]] == [(None, 1300)] * 2
    hangzhou = tell(hand("123m456p789s22p34s"), Seat.S, replace(NOW, rules="hangzhou", context={}), [])
    assert (hangzhou["shanten"], hangzhou["waits"]) == (None, [])
