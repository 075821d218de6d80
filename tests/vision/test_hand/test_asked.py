"""What a doubt offers for an answer, and what is merely left open."""

from __future__ import annotations

from scoring.tiles import PLAIN
from tests.vision.laid import row, seen
from vision.hand import read_hand
from vision.hand.correction import TakeOtherHand, apply_corrections, other_hand
from vision.reading import Doubt, Reading, Sighting

FLOWERS = {t.code for t in PLAIN if t.is_bonus and t.suit in "fg"}
ANIMALS = {t.code for t in PLAIN if t.suit == "a"}


def read(tiles: list[Sighting], rules: str | None = "hongkong") -> Reading:
    return read_hand(tiles, 1200, 900, rules)[0]


def doubt_of(reading: Reading, code: str) -> Doubt:
    (found,) = [d for d in reading.doubts if d.code == code]
    return found


def whole() -> list[Sighting]:
    return row("123m456p789s11z88p8p", gaps={13: 0.9})


def test_a_doubtful_flower_offers_all_eight_the_likeliest_first() -> None:
    tiles = [*whole(), seen("g2", 400, 520, 0, 0.4, _g3=0.3, _f1=0.2)]
    doubt = doubt_of(read(tiles), "low_confidence")
    assert doubt.answers[:3] == ("g2", "g3", "f1") and set(doubt.answers) == FLOWERS and not doubt.open
    sure = [*whole(), seen("g2", 400, 520, 0, 0.99)]
    assert not read(sure).doubts, "nothing is asked of a flower that is read surely"


def test_a_doubtful_animal_offers_all_four() -> None:
    tiles = [*whole(), seen("a1", 400, 520, 0, 0.4, _a2=0.3)]
    assert set(doubt_of(read(tiles, "singapore"), "low_confidence").answers) == ANIMALS


def test_a_doubtful_face_offers_what_it_may_be_and_no_flower() -> None:
    tiles = whole()
    x, y = (float(v) for v in tiles[3].centre)
    tiles[3] = seen("4p", x, y, 0, 0.6, _4m=0.3)
    assert doubt_of(read(tiles), "low_confidence").answers == ("4p", "4m")
    tiles[3] = seen("4p", x, y, 0, 0.6, _f1=0.3)
    assert set(doubt_of(read(tiles), "low_confidence").answers) == {"4p", *FLOWERS}, "it may be a flower"


def test_which_tile_of_a_row_won_is_open_and_any_of_it_may_have() -> None:
    doubt = doubt_of(read(row("123m456p789s11z888p")), "winning_tile_unknown")
    assert doubt.open and doubt.answers == ("8p", "1z", "9s", "8s", "7s", "6p", "5p", "4p", "3m", "2m", "1m")


def test_thirteen_tiles_that_wait_leave_open_which_one_won() -> None:
    doubt = doubt_of(read(row("123m456p789s11z78p")), "one_tile_short")
    assert doubt.open and doubt.answers == ("3p", "6p", "9p")
    far = doubt_of(read(row("147m258p369s1234z")), "one_tile_short")
    assert not far.open and not far.answers, "a hand that waits for nothing is in doubt"


def test_how_a_kong_was_made_is_open() -> None:
    doubt = doubt_of(read(row("123m456p11z7p8p") + row("6p", x=540) + row("9999s", x=640)), "kong_kind_unknown")
    assert doubt.open and doubt.answers == ("kong_open", "kong_added", "kong_concealed")


def test_a_program_is_told_both() -> None:
    (told,) = read(row("123m456p789s11z78p")).to_json("x.jpg")["doubts"]
    assert told["open"] is True and told["tile"] is None and "6p" in told["answers"]


def test_what_may_be_no_flower_at_all_offers_that_too() -> None:
    tiles = [*whole(), *(seen("f1", x, 520, 0, 0.6, _1s=0.3) for x in (400, 450))]
    answers = doubt_of(read(tiles), "bonus_not_in_play").answers
    assert {"1s", *FLOWERS} == set(answers)
    assert not ANIMALS & set(answers), "Hong Kong has no animals"


def test_two_hands_that_lie_open_are_asked_about_and_either_can_be_meant() -> None:
    near, far = "123m456p789s11z88p8p", "234m567p345s222z99s"
    tiles = row(near, y=700, gaps={13: 0.9}) + row(far, y=200)
    reading = read(tiles)
    doubt = doubt_of(reading, "two_hands")
    assert doubt.open and doubt.answers == ("123m456888p789s11z", "234m567p34599s222z")
    other = apply_corrections(reading, [TakeOtherHand()], rules="hongkong")
    assert other.hand is not None and str(other.hand.concealed[0]) == "2m"
    assert "two_hands" not in [d.code for d in other.doubts]
    turned = other_hand(reading, rules="hongkong")
    assert turned.hand == other.hand and doubt_of(turned, "two_hands").answers == doubt.answers[::-1]
    assert other_hand(other, rules="hongkong") == other, "only one lies there"
    assert "two_hands" not in [d.code for d in read(row(near, y=700, gaps={13: 0.9}) + row(far[:8], y=200)).doubts]
