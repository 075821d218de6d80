"""Corrections of a reading: applied, refused, and offered as the answers of its doubts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scoring.errors import InvalidRequest
from scoring.hand import Meld, MeldType
from scoring.seats import Seat
from scoring.tiles import parse_tiles, tile
from tests.repository import all_doubts
from tests.vision.laid import across, row, seen
from vision.errors import NoHandError
from vision.hand.correction import (
    SETTLED_BY,
    TOLD,
    AddTile,
    Correction,
    DropMelds,
    DropTile,
    SetBonus,
    SetConcealed,
    SetIndicator,
    SetMeld,
    SetTile,
    SetWinningTile,
    TakeOtherHand,
    answers,
    apply_corrections,
)
from vision.hand.read import read_hand
from vision.reading import Doubt, Reading, Relation, Role, SeenHand, Sighting

APART = row("123m456p789s11z88p8p", gaps={13: 0.9})
IN_A_ROW = row("123m456p99s678s777z")
KONG = row("123m456p11z7p8p") + row("6p", x=540) + row("9999s", x=640)
HALF_DOWN = row("123m456p11z7p8p") + row("6p", x=540) + row("back 5s5s back", x=640)
MELDED = row("123m456p11z7p8p") + row("6p", x=540) + across("567s", 0, 640)
TWO_HANDS = row("123m456p789s11z88p8p", y=700, gaps={13: 0.9}) + row("234m567p345s222z99s", y=200)
FLOWERS = [*APART, *(seen("f1", x, 520, 0, 0.6, _1s=0.3) for x in (400, 450))]
LEFT_OPEN = {"winning_tile_unknown", "one_tile_short", "two_hands", "indicator_unknown"}
LEFT_OPEN |= {"hidden_kong", "hidden_red_five", "kong_kind_unknown"}
UNSURE = [*APART[:3], seen("4p", *map(float, APART[3].centre), 0, 0.6, _4m=0.3), *APART[4:]]


def read(sightings: Sequence[Sighting], rules: str | None = "hongkong") -> Reading:
    return read_hand(sightings, 1200, 900, rules)[0]


def apply(reading: Reading, *corrections: Correction, rules: str | None = "hongkong") -> Reading:
    return apply_corrections(reading, corrections, rules=rules)


def hand_of(reading: Reading) -> SeenHand:
    assert reading.hand is not None
    return reading.hand


def meld(kind: str, tiles: str, source: Seat | None = None) -> SetMeld:
    return SetMeld(Meld(MeldType(kind), parse_tiles(tiles), source))


def asked(reading: Reading) -> list[str]:
    return [doubt.code for doubt in reading.doubts]


def in_order(hand: SeenHand) -> str:
    """The hand in one line, its concealed tiles sorted."""
    return str(replace(hand, concealed=tuple(sorted(hand.concealed, key=lambda t: t.kind))))


def test_no_correction_changes_nothing() -> None:
    reading = read(IN_A_ROW)
    assert apply(reading) is reading


@pytest.mark.parametrize(
    ("sightings", "corrections", "hand"),
    [
        (APART, [SetTile(0, tile("9s"))], "23m45688p7899s11z | won with 8p"),
        (APART, [DropTile(0), AddTile(tile("7m"))], "237m45688p789s11z | won with 8p"),
        (APART[:13], [SetWinningTile(tile("8p"))], "123m45688p789s11z | won with 8p"),
        (APART, [SetWinningTile(tile("1z"))], "123m456888p789s1z | won with 1z"),
        (APART, [SetWinningTile(tile("5z"))], "123m45688p789s11z | won with 5z"),
        (APART, [meld("chow", "789s")], "123m45688p11z | won with 8p | chow 789s"),
        (IN_A_ROW, [meld("pung", "777z")], "123m456p6799s | won with 8s | pung 777z"),
        (IN_A_ROW, [meld("kong_open", "7777z")], "123m456p6799s | won with 8s | kong open 7777z"),
        (KONG, [meld("kong_concealed", "9999s")], "123m45678p11z | won with 6p | kong concealed 9999s"),
        (KONG, [DropMelds()], "123m45678p9999s11z | won with 6p"),
        (KONG, [DropMelds(), meld("pung", "999s")], "123m45678p9s11z | won with 6p | pung 999s"),
        (APART, [SetBonus((tile("f1"),))], "123m45688p789s11z | won with 8p | bonus f1"),
        (APART, [SetConcealed(parse_tiles("123456789m1122s"))], "123456789m1122s | won with 8p"),
    ],
)
def test_the_hand_is_corrected(sightings: list[Sighting], corrections: list[Correction], hand: str) -> None:
    reading = read(sightings)
    after = apply(reading, *corrections)
    assert in_order(hand_of(after)) == hand
    assert after.tiles is reading.tiles, "what the networks read stays as it is"
    assert apply(reading, *corrections[::-1]).hand == after.hand, "their order does not matter"


def test_what_was_said_is_never_repaired() -> None:
    """The hand would win with what was read; a person knows better."""
    after = apply(read(APART), SetTile(0, tile("9s")))
    assert [(r.tile, r.read.code, r.used.code, r.why) for r in after.repairs] == [(0, "1m", "9s", TOLD)]
    assert after.doubts, "it wins no more, and that is said"


def test_the_rules_still_say_what_a_tile_counts_as() -> None:
    (repair,) = apply(read(APART), SetTile(5, tile("0p")), SetTile(4, tile("6p"))).repairs[1:]
    assert (repair.tile, repair.used.code, repair.why) == (5, "5p", "these rules have no red fives")


def test_a_plain_five_is_taken_before_a_red_one() -> None:
    after = apply(
        read(row("123m055p789s11z88p8p", gaps={13: 0.9}), "riichi"), SetWinningTile(tile("5p")), rules="riichi"
    )
    assert sorted(t.code for t in hand_of(after).concealed if t.kind == tile("5p").kind) == ["0p", "5p"]


def test_a_hand_of_five_sets_is_whole_with_seventeen_tiles() -> None:
    waits = read(row("123m456p789s11z222z88p"), "taiwanese")
    assert hand_of(apply(waits, SetWinningTile(tile("8p")), rules="taiwanese")).complete
    typed = SetConcealed(parse_tiles("123m456p789s11222z88p")), SetWinningTile(tile("8p"))
    assert hand_of(apply(read(row("1m9p"), "taiwanese"), *typed, rules="taiwanese")).complete


def test_a_tile_left_out_keeps_its_number() -> None:
    reading = read(APART)
    won = reading.roles.index(Role.WINNING)
    after = apply(reading, DropTile(won))
    assert after.roles[won] is Role.OTHER and asked(after) == ["one_tile_short"]
    assert [role for i, role in enumerate(after.roles) if i != won] == [Role.CONCEALED] * 13


def test_whom_a_meld_was_claimed_from_is_still_seen() -> None:
    reading = read(MELDED)
    assert hand_of(reading).relations == (Relation.LEFT,)
    same = hand_of(apply(reading, meld("chow", "567s")))
    assert same.relations == (Relation.LEFT,) and same.seated(Seat.S).melds[0].source is Seat.E
    assert hand_of(apply(reading, meld("chow", "567s", Seat.N))).seated(Seat.S).melds[0].source is Seat.N
    claimed = read(row("123m456p11z7p8p") + row("6p", x=540) + across("666s", 0, 640))
    assert hand_of(claimed).relations == (Relation.LEFT,)
    assert hand_of(apply(claimed, meld("kong_added", "6666s"))).relations == (Relation.LEFT,)
    assert hand_of(apply(claimed, meld("kong_concealed", "6666s"))).relations == (None,)


@pytest.mark.parametrize(("declared", "taken", "before"), [("777z", "8s", "7s"), ("678s", "7z", "9s")])
def test_which_tile_won_is_asked_about_those_that_are_not_in_melds(declared: str, taken: str, before: str) -> None:
    reading = read(IN_A_ROW)
    after = apply(reading, meld("pung" if "z" in declared else "chow", declared))
    (doubt,) = after.doubts
    assert doubt.code == "winning_tile_unknown" and f"the last one, {taken}, is taken" in doubt.message
    assert doubt.answers[:2] == (taken, before), "the last ones of the row first"
    assert set(doubt.answers) == {t.code for t in hand_of(after).concealed} | {taken}
    assert doubt.tile is not None and reading.tiles[doubt.tile].tile.code == taken
    assert not apply(after, SetWinningTile(tile("3m"))).doubts


def test_a_photo_without_a_hand_needs_one_that_is_given() -> None:
    nothing, empty = read(row("1m9p")), read([])
    with pytest.raises(NoHandError, match="2 tiles are in sight, but they do not make a hand"):
        apply(nothing, SetWinningTile(tile("1m")))
    with pytest.raises(NoHandError, match="No tile in sight"):
        apply(empty, DropMelds())
    typed = SetConcealed(parse_tiles("123456789m1122p")), SetWinningTile(tile("1p"))
    assert hand_of(apply(nothing, *typed)).complete and not apply(nothing, *typed).doubts


def test_of_two_hands_the_other_one() -> None:
    after = apply(read(TWO_HANDS), TakeOtherHand())
    assert in_order(hand_of(after)) == "234m567p3459s222z | won with 9s"
    assert asked(after) == ["winning_tile_unknown"]
    misread = apply(read(TWO_HANDS), TakeOtherHand(), SetTile(14, tile("9m")))
    assert in_order(hand_of(misread)) == "349m567p3459s222z | won with 9s"
    flower = read([*TWO_HANDS, seen("f1", 400, 480)])
    assert str(hand_of(flower)).endswith("bonus f1")
    assert not hand_of(apply(flower, TakeOtherHand())).bonus, "the first hand's flower is none of the other's"


@pytest.mark.parametrize(
    ("corrections", "code", "says"),
    [
        ([SetTile(99, tile("1m"))], "bad_tile", "numbers 0 to 13"),
        ([DropTile(-1)], "bad_tile", "There is no tile -1"),
        ([SetTile(3, tile("1m")), SetTile(3, tile("2m"))], "contradiction", "Tile 3 is given twice"),
        ([SetTile(3, tile("1m")), DropTile(3)], "contradiction", "Tile 3 is given twice"),
        ([SetWinningTile(tile("1m")), SetWinningTile(tile("2m"))], "contradiction", "winning tile can be given once"),
        ([SetBonus(()), SetBonus((tile("f1"),))], "contradiction", "bonus tiles can be given once"),
        ([SetConcealed(()), AddTile(tile("1m"))], "contradiction", "write the added tile among them"),
        ([SetIndicator(tile("4s"))], "bad_tile", "have no wild tile indicator"),
        ([TakeOtherHand()], "bad_tile", "No other hand lies open"),
    ],
)
def test_a_correction_that_does_not_fit_is_refused(corrections: list[Correction], code: str, says: str) -> None:
    with pytest.raises(InvalidRequest, match=says) as error:
        apply(read(APART), *corrections)
    assert error.value.code == code


def test_every_fault_is_named_at_once_and_saying_a_thing_twice_is_none() -> None:
    with pytest.raises(InvalidRequest) as error:
        apply(read(APART), SetTile(99, tile("1m")), TakeOtherHand(), SetIndicator(tile("4s")))
    assert len(error.value.faults) == 3
    twice = SetWinningTile(tile("8p")), DropTile(0)
    assert apply(read(APART), *twice, *twice) == apply(read(APART), *twice)
    with pytest.raises(InvalidRequest, match="shows no tiles"):
        apply(read([]), DropTile(0))


@pytest.mark.parametrize(
    ("sightings", "rules", "code", "choices"),
    [
        (UNSURE, "hongkong", "low_confidence", ["4p", "4m"]),
        (FLOWERS, "hongkong", "bonus_not_in_play", 9),
        (IN_A_ROW, "hongkong", "winning_tile_unknown", 11),
        (row("123m456p789s11z78p"), "hongkong", "one_tile_short", ["3p", "6p", "9p"]),
        (row("123m456p789s12z888p"), "hongkong", "no_win", []),
        (row("11111m456p789s11z8p"), "hongkong", "five_of_a_kind", None),
        (row("123m456p789s"), "hongkong", "too_few_tiles", []),
        (row("123m456p789s1234z5678p"), "hongkong", "too_many_tiles", []),
        (KONG, "hongkong", "kong_kind_unknown", 3),
        (HALF_DOWN, "riichi", "hidden_red_five", 2),
        (KONG[:-4] + row("back back back back", x=640), "hongkong", "hidden_kong", []),
        (row("123m456p789s777z88p", gaps=dict.fromkeys((3, 6, 9, 12), 0.75)), "hongkong", "melds_unclear", []),
        (TWO_HANDS, "hongkong", "two_hands", [""]),
        (APART, "hangzhou", "indicator_unknown", None),
        (row("1m9p"), "hongkong", "no_hand", []),
    ],
)
def test_what_a_doubt_offers_settles_it(
    sightings: list[Sighting], rules: str, code: str, choices: list[str] | int | None
) -> None:
    """``choices``: the tiles that are offered, or how many corrections; None: any number."""
    reading = read(sightings, rules)
    doubt = next(d for d in reading.doubts if d.code == code)
    assert doubt.open is (code in LEFT_OPEN)
    assert doubt.to_json()["open"] is doubt.open
    offered = answers(doubt, reading)
    if isinstance(choices, int):
        assert len(offered) == choices
    elif choices is not None:
        assert [getattr(correction, "tile", "") for correction in offered] == [tile(c) if c else "" for c in choices]
    for correction in offered:
        assert isinstance(correction, SETTLED_BY[code])
        left = apply(reading, correction, rules=rules)
        assert (code, doubt.tile) not in [(d.code, d.tile) for d in left.doubts], correction


def test_how_a_kong_was_made_and_which_red_five_it_holds_are_whole_melds() -> None:
    kong, down = read(KONG), read(HALF_DOWN, "riichi")
    (doubt,) = kong.doubts
    assert answers(doubt, kong)[2] == meld("kong_concealed", "9999s")
    (doubt,) = (d for d in down.doubts if d.code == "hidden_red_five")
    assert answers(doubt, down) == (meld("kong_concealed", "0555s"), meld("kong_concealed", "5555s"))


def test_thirteen_tiles_whose_winning_tile_lies_apart_miss_a_concealed_one() -> None:
    reading = read(APART)
    short = replace(reading, hand=replace(hand_of(reading), concealed=hand_of(reading).concealed[1:]))
    doubt = Doubt("one_tile_short", "?", answers=("1m",))
    assert answers(doubt, short) == (AddTile(tile("1m")),)
    assert not apply(replace(short, doubts=(doubt,)), AddTile(tile("1m"))).doubts
    assert apply(replace(short, doubts=(doubt,)), SetBonus(())).doubts, "one tile is still missing"


def test_every_doubt_can_be_settled() -> None:
    assert set(SETTLED_BY) == all_doubts()


@pytest.mark.parametrize(
    ("code", "correction", "settled"),
    [
        ("near_win", SetConcealed(parse_tiles("1m")), True),
        ("bonus_not_in_play", SetBonus(()), True),
        ("bonus_not_in_play", SetConcealed(parse_tiles("1m")), False),
        ("unreadable_meld", meld("chow", "123m"), True),
        ("unreadable_meld", DropMelds(), True),
        ("unreadable_meld", SetWinningTile(tile("8p")), False),
    ],
)
def test_a_doubt_is_settled_by_what_is_about_it(code: str, correction: Correction, settled: bool) -> None:
    after = apply(replace(read(APART), doubts=(Doubt(code, "?", 0),)), correction)
    assert (code not in asked(after)) == settled


def test_a_doubt_about_a_tile_is_settled_by_that_tile() -> None:
    reading = read(row("123m456p789s11z88p back"))
    assert asked(reading) == asked(apply(reading, SetTile(0, tile("1m")))) == ["winning_tile_unknown", "face_down_tile"]
    assert asked(apply(reading, SetTile(13, tile("8p")))) == ["winning_tile_unknown"]
    assert asked(apply(reading, DropTile(13))) == ["one_tile_short"]
    beside = read(APART + row("9m1s", y=460))
    assert asked(beside) == asked(apply(beside, SetTile(0, tile("1m")))) == ["left_out"]
    assert not asked(apply(beside, SetTile(14, tile("9m"))))


def test_the_kind_of_one_kong_says_nothing_of_another() -> None:
    reading = read(KONG)
    assert asked(apply(reading, meld("chow", "456p"))) == ["kong_kind_unknown"]
    assert asked(apply(reading, meld("kong_added", "9999s"))) == []
