"""Tiles as people and other programs write them."""

import unicodedata

import pytest

from scoring.errors import HupaiError, NotationError
from scoring.request import parse_request, respond
from scoring.tiles import format_tiles, parse_tiles
from scoring.written import GLYPHS, read_tile, read_tiles


def test_every_glyph_of_unicode_is_the_tile_of_its_name():
    numbers = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"]
    suits = {"CHARACTERS": "m", "BAMBOOS": "s", "CIRCLES": "p"}
    winds, dragons = ["EAST", "SOUTH", "WEST", "NORTH"], ["WHITE", "GREEN", "RED"]
    honours = [*(f"{wind} WIND" for wind in winds), *(f"{dragon} DRAGON" for dragon in dragons)]
    named = {f"{number} OF {suit}": f"{n}{suits[suit]}" for n, number in enumerate(numbers, 1) for suit in suits}
    named |= {name: f"{n}z" for n, name in enumerate(honours, 1)} | {"BACK": "back"}
    named |= {name: f"f{n}" for n, name in enumerate(["PLUM", "ORCHID", "CHRYSANTHEMUM", "BAMBOO"], 1)}
    named |= {name: f"g{n}" for n, name in enumerate(["SPRING", "SUMMER", "AUTUMN", "WINTER"], 1)}
    assert {unicodedata.name(g).removeprefix("MAHJONG TILE "): code for g, code in GLYPHS.items()} == named


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("🀇🀈🀉", "123m"),
        ("🀄\ufe0f🀀", "7z1z"),
        ("東南西北白發中", "1234567z"),
        ("123M", "123m"),
        ("１２３ｍ", "123m"),
        ("123m 🀙f1", "123m1pf1"),
        ("Back", "back"),
        ("二萬三筒", "2m3p"),
        ("234萬 55条", "234m55s"),
        ("一二三索、".rstrip("、"), "123s"),
        ("5mr 5pr", "0m0p"),
        ("5mr", "0m"),
        ("r5m", "0m"),
        ("5pr", "0p"),
        ("E S W N P F C", "1234567z"),
        ("EESSPP 123mE", "112255z123m1z"),
        ("m234p567", "234m567p"),
        ("m0z15", "0m15z"),
        ("55S", "55s"),
        ("F1 F", "f1 6z"),
    ],
)
def test_other_ways_of_writing(text, tiles):
    assert format_tiles(read_tiles(text)) == format_tiles(parse_tiles(tiles))


@pytest.mark.parametrize("text", ["s", "p", "f", "S1", "P5", "55SE", "5mr5p", "123m S1"])
def test_what_could_be_different_tiles_is_refused_by_name(text):
    for read in (read_tiles, read_tile):
        with pytest.raises(NotationError, match=text.split()[-1]) as caught:
            read(text)
        assert caught.value.code == "ambiguous_tile"


@pytest.mark.parametrize("text", ["9x", "123", "m", "0z", "z8", "m1p", "345mr", "w", "123m4", "8東", "r4m"])
def test_what_is_no_tile_is_told_as_in_the_notation(text):
    with pytest.raises(NotationError) as strict:
        parse_tiles(text)
    with pytest.raises(NotationError) as told:
        read_tiles(text)
    assert (told.value.code, told.value.message) == (strict.value.code, strict.value.message)


def test_one_tile_is_one():
    assert read_tile("東").code == "1z"
    for text in ("東東", "", "12m"):
        with pytest.raises(HupaiError, match="is not a tile"):
            read_tile(text)


def test_a_request_may_write_tiles_in_any_way():
    context = {"seat": "S", "win": "discard", "from": "W", "dora_indicators": ["一萬"]}
    plain = {"concealed": "23p55s", "winning_tile": "4p", "bonus": "", "context": {**context, "dora_indicators": "1m"}}
    other = {"concealed": ["2p", "三筒", "5sr", "🀔"], "winning_tile": "四筒", "bonus": [], "context": context}
    melds = [{"type": "pung", "tiles": "EEE"}, {"type": "chow", "tiles": "m123"}, {"type": "pung", "tiles": ["C"] * 3}]
    asked = parse_request({"rules": "riichi", **other, "melds": melds})
    assert asked.case.hand.to_json()["concealed"] == ["2p", "3p", "0s", "5s"]
    meant = [{**meld, "tiles": tiles} for meld, tiles in zip(melds, ("111z", "123m", "777z"), strict=True)]
    same = respond({"rules": "riichi", **plain, "concealed": "23p05s", "melds": meant})
    assert {**asked.respond(), "id": None} == same
