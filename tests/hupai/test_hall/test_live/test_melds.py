"""Flat tiles beside a row, and the sets they make."""

from __future__ import annotations

import pytest

from hupai.hall.live.row.melds import split_melds
from scoring.tiles import Tile, tile


def flat(codes: str, chance: float = 0.9) -> list[tuple[Tile, float]]:
    return [(tile(code), chance) for code in codes.split()]


@pytest.mark.parametrize(
    "sets",
    [
        ["1z 1z 1z", "4s 3s 5s"],
        ["7m 7m 7m 7m", "2p 2p 2p"],
        ["back 7m 7m back", "2p 3p 1p"],
        ["back back 7m back", "5z 5z 5z"],
        ["0p 5p 5p"],
    ],
)
def test_tiles_beside_one_another_are_split(sets: list[str]) -> None:
    found = split_melds(flat(" ".join(sets)))
    assert found == tuple(tuple(t for t, _ in flat(one)) for one in sets)


@pytest.mark.parametrize(
    "codes", ["1z 1z", "1z 1z 2z", "8p 9p 1s", "back back 7m", "back back back", "back back back back", "1m 2m 4m"]
)
def test_what_is_no_set_makes_none(codes: str) -> None:
    assert split_melds(flat(codes)) is None


def test_a_back_in_a_pung_of_white_dragons_is_one_of_them() -> None:
    assert split_melds(flat("5z back 5z")) == (tuple(t for t, _ in flat("5z 5z 5z")),)


def test_flowers_beside_the_sets_are_left_out_and_doubts_are_not_told() -> None:
    assert split_melds(flat("f1 1z 1z 1z")) == (tuple(t for t, _ in flat("1z 1z 1z")),)
    assert split_melds(flat("1z 1z 1z", 0.5)) is None
    assert split_melds([]) == ()
