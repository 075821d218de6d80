"""A view of a player's tiles: there and back, and what is none."""

from __future__ import annotations

from typing import Any

import pytest

from hupai.hall.live.seat_view import BadSeatView, SeatView
from scoring.tiles import parse_tiles, tile

HAND = SeatView("hand", tuple(parse_tiles("123m406p55z")), tile("7s"), (tuple(parse_tiles("111s")),), ("blown_out:4",))


@pytest.mark.parametrize("view", [HAND, SeatView("lost", reasons=("too_small", "blurred")), SeatView("looking")])
def test_view_is_itself_after_sending(view: SeatView) -> None:
    assert SeatView.from_json(view.to_json()) == view


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"state": "asleep"}, "state"),
        ({"state": "lost"}, "state"),
        ({"row": ["1m"] * 5}, "row"),
        ({"row": [f"{n}{s}" for s in "mp" for n in range(1, 10)]}, "row"),
        ({"row": ["back"]}, "row"),
        ({"melds": [["1m", "2m"]]}, "melds"),
        ({"melds": [["f1", "f2", "f3"]] * 6}, "melds"),
        ({"reasons": ["sleepy"]}, "reasons"),
        ({"reasons": [7]}, "reasons"),
    ],
)
def test_fault_names_its_field(changed: dict[str, Any], field: str) -> None:
    with pytest.raises(BadSeatView) as caught:
        SeatView.from_json(HAND.to_json() | changed)
    assert [fault.field for fault in caught.value.faults] == [field]


@pytest.mark.parametrize("sent", [{}, {"state": "hand", "row": 3}, {"state": "hand", "row": ["9z"]}, [], {"state": []}])
def test_anything_else_is_refused_as_no_view(sent: Any) -> None:
    with pytest.raises(BadSeatView):
        SeatView.from_json(sent)
