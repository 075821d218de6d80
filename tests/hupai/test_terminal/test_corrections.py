"""Flags beside a photo as corrections of its reading, and the flags that answer its doubts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hupai.terminal.corrections import flag_for, parse_corrections, parse_tile_flags, questions
from hupai.terminal.flags import Flags, context_of
from scoring.errors import HupaiError, InvalidRequest
from scoring.hand import Meld, MeldType
from scoring.seats import Seat
from scoring.tiles import parse_tiles, tile
from tests.repository import all_doubts
from tests.vision.laid import row
from vision.hand.correction import (
    AddTile,
    Correction,
    DropMelds,
    DropTile,
    SetBonus,
    SetConcealed,
    SetMeld,
    SetTile,
    SetWinningTile,
    TakeOtherHand,
)
from vision.hand.read import read_hand
from vision.reading import Doubt, Reading

WON = {"seat": "S", "win": "self_draw"}
PUNG = Meld(MeldType.PUNG, parse_tiles("777z"), Seat.W)


@pytest.fixture(scope="module")
def reading() -> Reading:
    nearer = row("123m456p789s11z88p8p", y=700, gaps={13: 0.9})
    return read_hand(nearer + row("244m567p345s222z99s", y=200), 1200, 900, "hongkong")[0]


@pytest.mark.parametrize(
    ("given", "corrections"),
    [
        pytest.param({}, [], id="none"),
        pytest.param({"tiles": ("5=7m", "0=none")}, [SetTile(5, tile("7m")), DropTile(0)], id="number"),
        pytest.param({"tiles": ("1m=東", "5p = none")}, [SetTile(0, tile("1z")), DropTile(4)], id="as read"),
        pytest.param({"tiles": ("new=7M", "99=1p")}, [AddTile(tile("7m")), SetTile(99, tile("1p"))], id="new"),
        pytest.param({"tiles": ("2m=3m", "Hand=NONE")}, [TakeOtherHand(), SetTile(14, tile("3m"))], id="other hand"),
        pytest.param({"melds": ("pon:777z@West",)}, [SetMeld(PUNG)], id="meld"),
        pytest.param({"melds": (" None ", "pung:777z@W")}, [DropMelds(), SetMeld(PUNG)], id="other melds"),
        pytest.param(
            {"hand": "🀇2m", "winning": "東", "bonus": "f1"},
            [SetConcealed(parse_tiles("12m")), SetWinningTile(tile("1z")), SetBonus((tile("f1"),))],
            id="typed",
        ),
        pytest.param({"bonus": ""}, [SetBonus(())], id="no bonus"),
    ],
)
def test_flags_are_corrections(reading: Reading, given: Mapping[str, Any], corrections: list[Correction]) -> None:
    flags = Flags("hongkong", WON, **given)
    assert [*parse_corrections(flags), *parse_tile_flags(flags, reading)] == corrections


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("8p=4p", "3 tiles were read as 8p, from left to right number 11, 12, 13"),
        ("5z=2s", "no tile of the hand was read as 5z"),
        ("5", "NUMBER=TILE"),
        ("5=", "NUMBER=TILE"),
        ("1m=9x", "'9x' is not a tile"),
        ("9x=1m", "'9x' is not a tile"),
        ("new=9x", "'9x' is not a tile"),
    ],
)
def test_a_tile_that_cannot_be_meant_is_refused(reading: Reading, text: str, says: str) -> None:
    with pytest.raises(HupaiError, match=says):
        list(parse_tile_flags(Flags(context=WON, tiles=(text,)), reading))


@pytest.mark.parametrize(
    ("text", "says"),
    [("pung=555z", "is not a meld"), ("pung:123m", "123m is not a pung"), ("pung:555z@Q", "one of E, S, W, N")],
)
def test_a_bad_meld_is_refused(text: str, says: str) -> None:
    with pytest.raises(InvalidRequest, match=says):
        parse_corrections(Flags(context=WON, melds=(text,)))


def test_every_bad_tile_is_named_at_once() -> None:
    with pytest.raises(InvalidRequest) as error:
        parse_corrections(Flags(context=WON, hand="99x", winning="0z", bonus="x1", melds=("pung:123m",)))
    assert [fault.field for fault in error.value.faults] == ["concealed", "melds[0]", "winning_tile", "bonus"]


@pytest.mark.parametrize(
    ("code", "flag"),
    [
        ("low_confidence", "--tile 5=TILE"),
        ("one_tile_short", "--winning TILE"),
        ("two_hands", "--tile hand=none"),
        ("melds_unclear", "--meld KIND:TILES, or --meld none"),
        ("indicator_unknown", "--indicator TILE"),
    ],
)
def test_the_flag_that_answers_a_doubt(code: str, flag: str) -> None:
    assert flag_for(Doubt(code, "?", 5), None) == flag


def test_a_hand_whose_winning_tile_is_known_misses_a_concealed_one(reading: Reading) -> None:
    assert flag_for(Doubt("one_tile_short", "?"), reading.hand) == "--tile new=TILE"


def test_what_one_flag_answers_of_several_sets_is_asked_once() -> None:
    doubts = read_hand(row("456p789s11z555p999m", gaps={8: 1.2, 11: 1.2}), 1200, 900, "riichi")[0].doubts
    assert [d.code for d in doubts] == ["winning_tile_unknown", "melds_unclear", "melds_unclear"]
    assert [flag for _, flag in questions(doubts, None)] == ["--winning TILE", "--meld KIND:TILES, or --meld none"]
    alike = [Doubt("low_confidence", "Is this tile 1m or 2m?", at) for at in (3, 5)]
    assert [doubt for doubt, _ in questions(alike, None)] == alike, "each tile has a flag of its own"


def test_every_doubt_has_a_flag_that_answers_it() -> None:
    for code in all_doubts():
        assert flag_for(Doubt(code, "?"), None).startswith("--")


def test_flags_that_the_rules_never_read_are_refused_by_name() -> None:
    flags = Flags("hk", context_of({**WON, "riichi": True, "fed": ["N>S=1"]}), bonus="f1")
    assert [f.message.partition(" it.")[0] for f in flags.faults()] == [
        "Hong Kong never reads --riichi: Riichi reads",
        "Hong Kong never reads --fed: Hangzhou reads",
    ]
    (fault,) = Flags("riichi", WON, bonus="f1").faults()
    assert fault.message == "Riichi never reads --bonus: Hong Kong, Singapore, Chinese Official and Taiwanese read it."
    assert Flags("riichi", WON, options={"players": 3}, bonus="4z").faults() == []
