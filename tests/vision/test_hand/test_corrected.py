"""A reading again with what a person said about its tiles."""

from __future__ import annotations

import pytest

from scoring.tiles import tile
from tests.hupai.serving import ROOT
from vision.hand.corrected import TOLD, corrected
from vision.pipeline import see
from vision.reading import Reading, Role


@pytest.fixture(scope="module")
def reading() -> Reading:
    return see(ROOT / "examples" / "hand-self-draw.jpg", rules="hongkong")


def test_nothing_said_changes_nothing(reading: Reading) -> None:
    again = corrected(reading, {}, rules="hongkong")
    assert (again.hand, again.roles, again.doubts, again.repairs) == (reading.hand, reading.roles, (), ())


def test_what_was_said_is_never_repaired(reading: Reading) -> None:
    """The hand would win with what was read; a person knows better."""
    at = next(i for i, s in enumerate(reading.tiles) if s.tile.code == "1p")
    again = corrected(reading, {at: tile("9s")}, rules="hongkong")
    assert again.hand is not None and tile("9s") in again.hand.concealed and tile("1p") not in again.hand.concealed
    assert [(r.tile, r.read.code, r.used.code, r.why) for r in again.repairs] == [(at, "1p", "9s", TOLD)]
    assert again.tiles is reading.tiles
    assert again.doubts, "it wins no more, and that is said"


def test_a_tile_left_out_keeps_its_number(reading: Reading) -> None:
    won = reading.roles.index(Role.WINNING)
    again = corrected(reading, {won: None}, rules="hongkong")
    assert again.roles[won] is Role.OTHER
    assert [d.code for d in again.doubts] == ["one_tile_short"]
    for i, role in enumerate(again.roles):
        if i != won:
            assert role is reading.roles[i]


def test_a_number_that_is_no_tile_is_refused(reading: Reading) -> None:
    with pytest.raises(IndexError, match="26 tiles"):
        corrected(reading, {26: None}, rules=None)
    with pytest.raises(IndexError):
        corrected(reading, {-1: tile("1m")}, rules=None)
