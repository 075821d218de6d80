"""What a doubt offers for an answer, and what is merely left open."""

from __future__ import annotations

from scoring.tiles import PLAIN
from tests.vision.laid import across, row, seen
from vision.hand.correction import TakeOtherHand, apply_corrections, other_hand
from vision.hand.read import read_hand
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


def test_a_tile_that_is_taken_for_one_it_hardly_looks_like_is_asked_about() -> None:
    tiles = row("123m456p789s11z78p")
    x, y = (float(v) for v in tiles[6].centre)
    tiles[6] = seen("f2", x, y, 0, 0.6, _f1=0.38, _7s=0.005)
    reading = read(tiles, "riichi")
    assert [(r.tile, r.used.code) for r in reading.repairs] == [(6, "7s")], "riichi has no flowers"
    doubt = doubt_of(reading, "low_confidence")
    assert doubt.tile == 6 and doubt.answers[:2] == ("7s", "f2") and doubt.message == "Is this tile 7s or f2?"
    tiles[6] = seen("f2", x, y, 0, 0.5, _7s=0.45)
    reading = read(tiles, "riichi")
    assert reading.repairs and "low_confidence" not in [d.code for d in reading.doubts], "nothing else is likely"


def test_thirteen_tiles_that_wait_leave_open_which_one_won() -> None:
    doubt = doubt_of(read(row("123m456p789s11z78p")), "one_tile_short")
    assert doubt.open and doubt.answers == ("3p", "6p", "9p")
    far = doubt_of(read(row("147m258p369s1234z")), "one_tile_short")
    assert not far.open and not far.answers, "a hand that waits for nothing is in doubt"


def test_what_may_be_no_flower_at_all_offers_that_too() -> None:
    tiles = [*whole(), *(seen("f1", x, 520, 0, 0.6, _1s=0.3) for x in (400, 450))]
    answers = doubt_of(read(tiles), "bonus_not_in_play").answers
    assert {"1s", *FLOWERS} == set(answers)
    assert not ANIMALS & set(answers), "Hong Kong has no animals"


def test_the_other_of_two_hands_offers_the_first() -> None:
    near, far = "123m456p789s11z88p8p", "234m567p345s222z99s"
    reading = read(row(near, y=700, gaps={13: 0.9}) + row(far, y=200))
    turned = other_hand(reading, rules="hongkong")
    other = apply_corrections(reading, [TakeOtherHand()], rules="hongkong")
    assert doubt_of(reading, "two_hands").answers == ("123m456888p789s11z", "234m567p34599s222z")
    assert doubt_of(turned, "two_hands").answers == ("234m567p34599s222z", "123m456888p789s11z")
    assert turned.hand == other.hand and other_hand(other, rules="hongkong") == other, "only one lies there"
    assert "two_hands" not in [d.code for d in read(row(near, y=700, gaps={13: 0.9}) + row(far[:8], y=200)).doubts]


def test_where_claimed_tiles_lie_across_a_set_without_one_may_be_concealed() -> None:
    closed = row("123m456p789s11z555p", gaps={11: 1.2})
    doubt = doubt_of(read(closed, "riichi"), "melds_unclear")
    assert doubt.tile == 11 and doubt.message.startswith("Is 555p a set that was claimed")
    assert "melds_unclear" not in codes(read(closed)), "in Hong Kong nothing tells what was claimed"
    marked = [*row("456p789s11z"), *across("123m", 0, 470), *row("555p", x=670)]
    assert doubt_of(read(marked), "melds_unclear").tile == 11, "this player lays claimed tiles across"
    both = read(row("456p789s11z555p999m", gaps={8: 1.2, 11: 1.2}), "riichi")
    assert [(d.tile, d.message) for d in both.doubts if d.code == "melds_unclear"] == [
        (at, "Are 555p and 999m sets that were claimed or declared, or do they only lie a little apart in the hand?")
        for at in (8, 11)
    ]
    claimed = [*row("456p789s11z"), *across("123m", 0, 470), *across("555p", 1, 670)]
    assert codes(read(claimed, "riichi")) == codes(read(claimed)) == {"winning_tile_unknown"}


def test_sets_beside_one_that_is_in_question_are_so_too() -> None:
    """A closed hand in groups, the pushed-up ones in a row of their own: what is true of one set is true of all."""
    reading = read([*row("123456m", x=60), *row("123p456p44z", x=320, y=380, gaps={3: 0.38, 6: 0.1})])
    assert reading.hand is not None and len(reading.hand.melds) == 2
    asked = {d.tile: d.message for d in reading.doubts if d.code == "melds_unclear"}
    assert list(asked) == [0, 3, 6] and set(asked.values()) == {
        "Are 123m, 456m and 123p sets that were claimed or declared, or do they only lie a little apart in the hand?"
    }
    front = read([*row("777z", x=60, y=300), *row("456m44p789m123p", x=60, gaps={3: 0.2, 8: 0.5})])
    assert [d.tile for d in front.doubts if d.code == "melds_unclear"] == [11], "a set in another line is not"


def test_a_tile_across_within_the_row_may_not_have_won() -> None:
    inside = [*row("44556m", x=60), *across("6m", 0, 260), *row("778899m88s", x=338)]
    doubt = doubt_of(read(inside), "winning_tile_unknown")
    assert doubt.tile == 5 and doubt.answers[0] == "6m" and "may lie apart or across by chance" in doubt.message
    at_the_end = [*row("44556m778899m88s", x=60), *across("6m", 0, 600)]
    assert "winning_tile_unknown" not in codes(read(at_the_end))


def test_the_fourth_of_a_pung_that_lies_askew_is_asked_about() -> None:
    """A kong's last tile was laid down at an angle: too little for a kong, too much to pass it over."""
    hand, fourth = row("11m123234s234m", y=700), seen("7z", 238, 455, 0.28)
    assert doubt_of(read([*hand, *row("777z", y=500), fourth]), "left_out").tile == 14
    assert "left_out" not in codes(read([*hand, *row("777p", y=500), fourth]))


def test_tiles_that_make_no_hand_are_asked_about_one_by_one() -> None:
    loose = [seen("1s", 120, 400, 0, 0.6, _a2=0.3), *row("7z back 3p", x=300)]
    assert codes(read(loose)) == {"no_hand", "low_confidence"}
    assert doubt_of(read(loose), "low_confidence").answers[:2] == ("1s", "a2")
    assert codes(read(row("7z back 3p"))) == {"no_hand"}


def test_a_back_that_is_taken_for_a_blank_white_dragon_is_asked_about() -> None:
    tiles = row("123m456p789s11z555z", gaps={13: 0.9})
    for i in (11, 12):
        tiles[i] = seen("back", *tiles[i].centre, p=0.6, _5z=0.38)
    reading = read(tiles)
    assert reading.hand is not None and [t.code for t in reading.hand.concealed[-2:]] == ["5z", "5z"]
    doubts = [d for d in reading.doubts if d.code == "low_confidence"]
    assert [(d.tile, d.answers) for d in doubts] == [(11, ("5z",)), (12, ("5z",))]
    kong = [*row("456p789s11z88p8p", gaps={10: 0.9}), *row("back 9m9m back", x=600)]
    assert not codes(read(kong)) & {"low_confidence", "face_down_tile"}, "a kong hides tiles that its others name"


def codes(reading: Reading) -> set[str]:
    return {doubt.code for doubt in reading.doubts}
