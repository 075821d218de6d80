"""What flags say beside a photo: tiles put right, melds, the winning tile; which doubts that answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hupai.recognise import NothingRead
from hupai.terminal.flags import Flags, context_of
from hupai.terminal.mended import ANSWERS, answer_to, mended
from scoring.errors import HupaiError, InvalidRequest
from scoring.tiles import parse_tiles
from tests.hupai.serving import ROOT
from tests.repository import all_doubts
from tests.vision.laid import row
from vision.hand import read_hand
from vision.pipeline import see
from vision.reading import Doubt, Reading, Role

WON = {"seat": "S", "win": "self_draw"}


@pytest.fixture(scope="module")
def photo() -> Reading:
    return see(ROOT / "examples" / "hand-self-draw.jpg", rules="hongkong")


@pytest.fixture(scope="module")
def melded() -> Reading:
    return see(ROOT / "examples" / "hand-riichi.jpg", rules="riichi")


def waiting(reading: Reading) -> Reading:
    """The same hand with its winning tile away."""
    assert reading.hand is not None
    hand = replace(reading.hand, winning_tile=None)
    return replace(reading, hand=hand, doubts=(Doubt("one_tile_short", "which tile is missing?"),))


def number(reading: Reading, code: str) -> int:
    return next(i for i, s in enumerate(reading.tiles) if s.tile.code == code and reading.roles[i] is not Role.OTHER)


def run(codes: list[str]) -> str:
    return "".join(sorted(codes))


def sorted_run(text: str) -> str:
    return run([t.code for t in parse_tiles(text)])


def test_the_winning_tile_completes_a_hand_that_waits(photo: Reading) -> None:
    seen = mended(waiting(photo), Flags(context=WON, winning="3p"))
    assert seen.hand["winning_tile"] == "3p" and len(seen.hand["concealed"]) == 13
    assert seen.whole and not seen.doubts


def test_without_it_the_doubt_stays(photo: Reading) -> None:
    seen = mended(waiting(photo), Flags(context=WON))
    assert [d.code for d in seen.doubts] == ["one_tile_short"] and not seen.whole
    assert answer_to(seen.doubts[0], seen.hand) == "--winning TILE"


def test_another_tile_of_the_hand_won(photo: Reading) -> None:
    seen = mended(photo, Flags(context=WON, winning="9p"))
    assert seen.hand["winning_tile"] == "9p"
    assert run(seen.hand["concealed"]) == sorted_run("1223345679p777z")


def test_the_winning_tile_was_misread(photo: Reading) -> None:
    seen = mended(photo, Flags(context=WON, winning="8s"))
    assert seen.hand["winning_tile"] == "8s" and len(seen.hand["concealed"]) == 13


def test_a_concealed_tile_that_is_not_in_the_photo(photo: Reading) -> None:
    assert photo.hand is not None
    hand = replace(photo.hand, concealed=photo.hand.concealed[1:])
    short = replace(photo, hand=hand, doubts=(Doubt("one_tile_short", "which tile is missing?"),))
    flags = Flags(context=WON)
    assert answer_to(short.doubts[0], mended(short, flags).hand) == "--tile new=TILE"
    seen = mended(short, replace(flags, tiles=("new=1p",)))
    assert seen.whole and not seen.doubts and seen.hand["winning_tile"] == "3p"
    assert run(seen.hand["concealed"]) == run([t.code for t in photo.hand.concealed])


@pytest.mark.parametrize("name", ["number", "as read"])
def test_a_misread_tile_is_put_right(photo: Reading, name: str) -> None:
    at = number(photo, "1p")
    seen = mended(photo, Flags(context=WON, tiles=(f"{at if name == 'number' else '1p'}=4p",)))
    assert "1p" not in seen.hand["concealed"] and seen.hand["concealed"].count("4p") == 2
    assert seen.reading.tiles == photo.tiles, "what the eyes read stays as it is"
    assert [(r.tile, r.read.code, r.used.code) for r in seen.reading.repairs] == [(at, "1p", "4p")]


def test_a_tile_is_none_of_the_hand(photo: Reading) -> None:
    at = number(photo, "f2")
    seen = mended(photo, Flags(context=WON, tiles=(f"{at}=none",)))
    assert seen.hand["bonus"] == ["f3"]
    assert seen.reading.roles[at] is Role.OTHER and len(seen.reading.roles) == len(photo.tiles)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        *(("3p=4p", "2 tiles were read as 3p"), ("1s=2s", "no tile of the hand was read as 1s")),
        *(("99=1p", "numbers 0 to 25"), ("5", "NUMBER=TILE"), ("5=", "NUMBER=TILE"), ("1p=9x", "'9x' is not a tile")),
    ],
)
def test_a_tile_that_cannot_be_put_right(photo: Reading, text: str, says: str) -> None:
    with pytest.raises(HupaiError, match=says):
        mended(photo, Flags(context=WON, tiles=(text,)))


def test_a_meld_comes_out_of_the_row(photo: Reading) -> None:
    seen = mended(photo, Flags(context=WON, melds=("pung:777z@W",)))
    assert seen.hand["melds"] == [{"type": "pung", "tiles": ["7z"] * 3, "from": "W"}]
    assert "7z" not in seen.hand["concealed"] and seen.whole


def test_a_meld_at_the_end_of_the_row_holds_the_tile_that_was_taken_to_have_won() -> None:
    seen, _ = read_hand(row("123m456p99s678s777z"), 1200, 900, "hongkong")
    assert seen.hand is not None and str(seen.hand.winning_tile) == "7z"
    for said, won in ((None, "8s"), ("3m", "3m")):
        after = mended(seen, Flags("hongkong", WON, melds=("777z",), winning=said))
        assert after.whole and after.hand["winning_tile"] == won and "7z" not in after.hand["concealed"]
    kept = mended(seen, Flags("hongkong", WON, melds=("678s",)))
    assert kept.whole and kept.hand["winning_tile"] == "7z"


@pytest.mark.parametrize(("meld", "taken", "gone"), [("777z", "8s", {"7z"}), ("678s", "7z", {"6s", "7s", "8s"})])
def test_which_tile_won_is_asked_about_those_that_are_no_melds(meld: str, taken: str, gone: set[str]) -> None:
    seen, _ = read_hand(row("123m456p99s678s777z"), 1200, 900, "hongkong")
    after = mended(seen, Flags("hongkong", WON, melds=(meld,)))
    (doubt,) = after.doubts
    assert doubt.code == "winning_tile_unknown" and f"the last one, {taken}, is taken" in doubt.message
    assert doubt.answers[0] == taken and gone.isdisjoint(doubt.answers) and "3m" in doubt.answers
    assert doubt.tile is not None and seen.tiles[doubt.tile].tile.code == taken


def test_a_kong_one_tile_of_which_is_hidden(photo: Reading) -> None:
    seen = mended(photo, Flags(context=WON, melds=("kong_concealed:7777z",)))
    assert "7z" not in seen.hand["concealed"] and seen.whole


def test_the_kind_of_a_meld_that_was_seen(melded: Reading) -> None:
    flags = Flags("riichi", WON, melds=("kong_added:6666z",))
    before, after = mended(melded, replace(flags, melds=())).hand["melds"], mended(melded, flags).hand["melds"]
    assert [m["type"] for m in before] == ["pung", "chow"] and [m["type"] for m in after] == ["kong_added", "chow"]
    assert after[0]["from"] == before[0]["from"], "whom it was claimed from is still seen in the photo"


def test_what_looked_like_melds_is_concealed(melded: Reading) -> None:
    seen = mended(melded, Flags("riichi", WON, melds=("none",)))
    assert seen.hand["melds"] == [] and len(seen.hand["concealed"]) == 13


def test_a_typed_row_beside_a_photo(photo: Reading) -> None:
    seen = mended(photo, Flags(context=WON, hand="123456789m1122p", winning="1p"))
    assert run(seen.hand["concealed"]) == sorted_run("123456789m1122p") and seen.hand["bonus"] == ["f2", "f3"]


def test_a_photo_without_a_hand_needs_one_that_is_typed(photo: Reading) -> None:
    nothing = replace(photo, hand=None, doubts=(Doubt("no_hand", "is the whole hand in the picture?"),))
    with pytest.raises(NothingRead):
        mended(nothing, Flags(context=WON))
    seen = mended(nothing, Flags(context=WON, hand="123456789m1122p", winning="1p"))
    assert seen.whole and not seen.doubts


def test_of_two_hands_the_other_one() -> None:
    tiles = row("123m456p789s11z88p8p", y=700, gaps={13: 0.9}) + row("234m567p345s222z99s", y=200)
    both, _ = read_hand(tiles, 1200, 900, "hongkong")
    before = mended(both, Flags(context=WON))
    (doubt,) = before.doubts
    assert answer_to(doubt, before.hand) == "--tile hand=none" and before.hand["winning_tile"] == "8p"
    after = mended(both, Flags(context=WON, tiles=("hand=none",)))
    won = after.hand["winning_tile"]
    assert run([*after.hand["concealed"], won]) == sorted_run("234m567p345s222z99s")
    assert [d.code for d in after.doubts] == ["winning_tile_unknown"]


def test_a_tile_of_the_other_hand_is_put_right_by_what_it_was_read_as() -> None:
    tiles = row("123m456p789s11z88p8p", y=700, gaps={13: 0.9}) + row("244m567p345s222z99s", y=200)
    both, _ = read_hand(tiles, 1200, 900, "hongkong")
    for said in (("hand=none", "2m=3m"), ("2m=3m", "hand=none")):
        after = mended(both, Flags("hongkong", WON, tiles=said))
        assert [(r.tile, r.used.code) for r in after.reading.repairs] == [(14, "3m")]
        assert after.hand["concealed"].count("3m") == 1 and "2m" not in after.hand["concealed"]


def test_every_doubt_has_a_flag_that_answers_it() -> None:
    assert set(ANSWERS) == all_doubts()


ANSWERED = [
    # doubts, and flags that answer them; they are asked about the first red dragon, number {tile}
    (("low_confidence", "close_second", "near_win", "face_down_tile"), {"tiles": ("{tile}=7z",)}),
    (("strange_tile", "unknown_face", "five_of_a_kind"), {"tiles": ("{tile}=none",)}),
    (("bonus_not_in_play",), {"bonus": "f1"}),
    (("winning_tile_unknown", "too_many_tiles", "one_tile_short"), {"winning": "3p"}),
    (("no_win", "left_out", "no_hand", "too_few_tiles"), {"hand": "1223456799p777z", "winning": "3p"}),
    (("hidden_kong", "unreadable_meld", "melds_unclear"), {"melds": ("777z",)}),
    (("kong_kind_unknown", "hidden_red_five"), {"melds": ("kong_concealed:7777z",)}),
    (("two_hands",), {"hand": "1223456799p777z", "winning": "3p"}),
    (("indicator_unknown",), {"context": {**WON, "indicator": "4s"}}),
]


@pytest.mark.parametrize("code", sorted(ANSWERS))
def test_an_answered_doubt_is_not_asked(photo: Reading, code: str) -> None:
    at = number(photo, "7z")
    asked_about = replace(photo, doubts=(Doubt(code, "?", at),))
    if code in ("one_tile_short", "too_few_tiles", "too_many_tiles"):
        asked_about = replace(waiting(photo), doubts=asked_about.doubts)
    (given,) = (flags for codes, flags in ANSWERED if code in codes)
    answer = {k: tuple(v.format(tile=at) for v in vs) if k == "tiles" else vs for k, vs in given.items()}
    rules = "hangzhou" if code == "indicator_unknown" else "hongkong"
    before = mended(asked_about, Flags(rules, WON))
    after = mended(asked_about, replace(Flags(rules, WON), **answer))
    assert [d.code for d in before.doubts] == [code]
    assert code not in [d.code for d in after.doubts]


def test_flags_that_the_rules_never_read_are_refused_by_name() -> None:
    flags = Flags("hk", context_of({**WON, "riichi": True, "fed": ["N>S=1"]}), bonus="f1")
    assert [f.message.partition(" it.")[0] for f in flags.faults()] == [
        "Hong Kong never reads --riichi: Riichi reads",
        "Hong Kong never reads --fed: Hangzhou reads",
    ]
    (fault,) = Flags("riichi", WON, bonus="f1").faults()
    assert fault.message == "Riichi never reads --bonus: Hong Kong, Singapore, Chinese Official and Taiwanese read it."


def test_an_unsure_meld_is_asked_about_still(photo: Reading) -> None:
    unsure = replace(photo, doubts=(Doubt("kong_kind_unknown", "?", number(photo, "9p")),))
    seen = mended(unsure, Flags(context=WON, melds=("777z",)))
    assert [d.code for d in seen.doubts] == ["kong_kind_unknown"]


def test_a_bad_meld_is_refused(photo: Reading) -> None:
    with pytest.raises(InvalidRequest, match="is no meld"):
        mended(photo, Flags(context=WON, melds=("pung=555z",)))
