"""Melds and hands: what makes one, what is wrong with one, and what is counted while it is checked."""

import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import InvalidRequest
from scoring.hand import Hand, Meld, MeldType, format_hand, hand_faults
from scoring.seats import Seat
from scoring.tiles import TILES, parse_tiles, tile


def meld(text):
    kind, tiles, *source = text.split()
    return Meld(MeldType(kind), parse_tiles(tiles), Seat(source[0]) if source else None)


def hand(concealed, winning=None, *melds, bonus=""):
    won = tile(winning) if winning else None
    return Hand(parse_tiles(concealed), tuple(meld(m) for m in melds), won, parse_tiles(bonus))


# --- melds ---


@pytest.mark.parametrize(
    ("text", "lowest"),
    [
        ("chow 123m", "1m"),
        ("chow 978s", "7s"),  # any order
        ("chow 406p", "4p"),  # red five
        ("pung 555z", "5z"),
        ("pung 055m W", "5m"),
        ("kong_open 1111z S", "1z"),
        ("kong_added 0555s N", "5s"),
        ("kong_concealed 9999p", "9p"),
        ("chow 2m5z3m", "2m"),  # a white dragon may stand in, where the rules know that
    ],
)
def test_melds(text, lowest):
    made = meld(text)
    assert made.kind == tile(lowest).kind
    assert made.type.is_kong is ("kong" in text)
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("chow 124m", "124m is not a chow"),
        ("chow 12m", "A chow has 3 tiles, 12m has 2"),
        ("chow 123z", "123z is not a chow"),
        ("chow 89m1p", "is not a chow"),
        ("chow 112m", "112m is not a chow"),
        ("pung 112m", "112m is not a pung"),
        ("pung 1111m", "A pung has 3 tiles"),
        ("kong_open 111m", "A kong_open has 4 tiles"),
        ("kong_concealed 1112m", "1112m is not a kong_concealed"),
        ("kong_concealed 1111m W", "claimed from nobody"),
        ("pung f1f1f1", "only suit and honour tiles make sets"),
        ("pung backbackback", "only suit and honour tiles make sets"),
        ("chow 14m5z", "is not a chow"),  # too far apart even with a stand-in
    ],
)
def test_what_is_no_meld(text, words):
    with pytest.raises(InvalidRequest, match=words) as caught:
        meld(text)
    assert caught.value.code == "bad_meld"


# --- hands ---


@pytest.mark.parametrize(
    ("parts", "code", "words"),
    [
        (("123m", "4m"), "wrong_count", "a hand with 0 melds has 13 concealed, not 3"),
        (("1234567891234m1p", "9s"), "wrong_count", "not 14"),
        (("1234567891234p", "4m", "pung 555z"), "wrong_count", "a hand with 1 meld has 10"),
        (("11112345678p99s", "1p"), "five_of_a_kind", "5 of 1p: there are only four"),
        (("1123456789m11z", "1m", "pung 111m"), "wrong_count", "1 meld has 10 concealed, not 12"),
        (("12345678m1z", "1m", "kong_open 1111m"), "wrong_count", "not 9"),
        (("1123456789m", "1m", "kong_open 1111m"), "five_of_a_kind", "7 of 1m"),
        (("123456789m12p f1", "4m"), "wrong_tile", "f1 cannot be among the concealed tiles"),
        (("123456789m123pback", "4m"), "wrong_tile", "back cannot be among"),
        (("123456789m1234p", "f1"), "wrong_tile", "f1 cannot be the winning tile"),
        (("1m", "1m", *["kong_open 1111p"] * 5), "too_many_melds", "at most 4 melds, not 5"),
    ],
)
def test_what_is_wrong_with_a_hand(parts, code, words):
    with pytest.raises(InvalidRequest, match=words) as caught:
        hand(*parts)
    assert code in {fault.code for fault in caught.value.faults}


def test_bonus_tiles():
    assert hand("123456789m1234p", "1p", bonus="f1g1a1").bonus == parse_tiles("f1g1a1")
    with pytest.raises(InvalidRequest, match="only one of each bonus tile: f1 twice"):
        hand("123456789m1234p", "1p", bonus="f1f1")
    with pytest.raises(InvalidRequest, match="1m is not a bonus tile"):
        hand("123456789m1234p", "1p", bonus="1m")


def test_every_fault_is_named_at_once():
    with pytest.raises(InvalidRequest) as caught:
        hand("11111m f1", "f2", bonus="1mf3f3")
    codes = [fault.code for fault in caught.value.faults]
    assert codes == ["wrong_tile", "wrong_tile", "wrong_tile", "bonus_twice", "wrong_count", "five_of_a_kind"]
    assert caught.value.message.startswith("6 faults: ")


def test_a_hand_without_a_winning_tile():
    """For a win by bonus tiles alone: any number of tiles may be in hand."""
    empty = hand("", bonus="f1f2f3f4g1g2g3g4")
    assert empty.tiles == ()
    assert hand("123m").winning_tile is None
    with pytest.raises(InvalidRequest, match="5 of 1m"):
        hand("11111m")


def test_json():
    whole = hand("340m55z67s", "8s", "pung 111z W", "kong_concealed 0555p", bonus="f1")
    assert whole.to_json() == {
        "concealed": ["3m", "4m", "0m", "5z", "5z", "6s", "7s"],
        "melds": [
            {"type": "pung", "tiles": ["1z", "1z", "1z"], "from": "W"},
            {"type": "kong_concealed", "tiles": ["0p", "5p", "5p", "5p"], "from": None},
        ],
        "winning_tile": "8s",
        "bonus": ["f1"],
    }
    assert hand("123m").to_json()["winning_tile"] is None


MELDS = st.sampled_from(["chow 123m", "chow 406p", "pung 111z", "kong_open 9999s", "kong_concealed 5555z"])


@given(st.lists(st.sampled_from(TILES), max_size=16), st.lists(MELDS, max_size=5), st.sampled_from(TILES) | st.none())
def test_the_quick_check_finds_what_the_full_one_finds(concealed, melds, winning):
    """A hand is made exactly when the list of its faults is empty, and its counts are those of its tiles."""
    parts = tuple(concealed), tuple(meld(m) for m in melds), winning, ()
    faults = hand_faults(*parts)
    try:
        made = Hand(*parts)
    except InvalidRequest as error:
        assert list(error.faults) == faults
        assert faults
    else:
        assert not faults
        assert {k: n for k, n in enumerate(made.counts) if n} == Counter(t.kind for t in made.tiles)
        assert made.reds == sum(t.red for t in made.tiles)
        assert made.is_concealed is all("concealed" in m for m in melds)


def test_a_hand_in_one_line():
    melds = (meld("chow 406p W"), meld("kong_concealed 9999s"))
    line = format_hand(parse_tiles("1m1m"), melds, tile("1z"), parse_tiles("f1g2"), parse_tiles("3p"))
    assert line == "11m | won with 1z | chow 406p from West | kong concealed 9999s | bonus f1 g2 | dora indicator 3p"
    assert format_hand((), (), None, ()) == ""
