"""What a photo adds to the flags of the command line."""

from __future__ import annotations

import pytest

from hupai.terminal.flags import Flags

pytestmark = pytest.mark.slow

HAND = {"concealed": ["1m"], "melds": [], "winning_tile": "1m", "bonus": []}


def test_the_open_tile_of_a_wall_is_hangzhous_indicator() -> None:
    flags = Flags("hangzhou", {"seat": "S"}, {})
    assert flags.request(None, HAND, ["4s"])["context"]["indicator"] == "4s"


def test_the_flag_overrules_it_and_two_open_tiles_say_nothing() -> None:
    given = Flags("hangzhou", {"indicator": "permanent"}, {})
    assert given.request(None, HAND, ["4s"])["context"]["indicator"] == "permanent"
    assert "indicator" not in Flags("hangzhou", {}, {}).request(None, HAND, ["4s", "5s"])["context"]


def test_other_rules_know_no_indicator() -> None:
    context = Flags("riichi", {}, {}).request(None, HAND, ["4s"])["context"]
    assert context == {"dora_indicators": ["4s"]}
