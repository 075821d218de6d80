from __future__ import annotations

import json

import pytest

from scoring.errors import InvalidRequest
from scoring.seats import Seat
from scoring.tiles import format_tiles, tile
from tests.vision.laid import across, row, seen
from vision.hand.decoder import Decoded, decode
from vision.hand.trust import TRUST
from vision.layout.interpretations import lay_out
from vision.models.zoo import list_models
from vision.reading import Relation, Role, Sighting


def read(tiles: list[Sighting], rules: str | None = "hongkong", **more: object) -> Decoded:
    return decode(lay_out(tiles, 1200, 900, rules), tiles, rules, **more)  # type: ignore[arg-type]


def codes(decoded: Decoded) -> list[str]:
    return [d.code for d in decoded.doubts]


def unsure(tiles: list[Sighting], at: int, p: float, **others: float) -> None:
    """Replace a tile's probabilities; it was read as its likeliest face."""
    x, y = (float(v) for v in tiles[at].centre)
    tiles[at] = seen(tiles[at].tile, x, y, 0, p, **others)


def test_a_sure_winning_hand_is_taken_as_read() -> None:
    decoded = read(row("123m456p789s11z88p8p", gaps={13: 0.9}))
    assert decoded.wins and decoded.cost == 0 and not decoded.repairs and not decoded.doubts
    assert decoded.hand is not None and decoded.hand.complete and decoded.shanten == -1


def test_a_misread_tile_is_repaired_listed_and_the_raw_reading_kept() -> None:
    tiles = row("123m456p789s11z88p8p", gaps={13: 0.9})
    unsure(tiles, 12, 0.4, _7p=0.55)
    decoded = read(tiles)
    assert decoded.wins and tiles[12].tile is tile("7p")
    assert [(r.tile, str(r.read), str(r.used)) for r in decoded.repairs] == [(12, "7p", "8p")]
    assert "complete" in decoded.repairs[0].why
    assert 0 < decoded.cost < 0.4


def test_a_false_win_is_not_made() -> None:
    tiles = row("123m456p789s11z87p8p", gaps={13: 0.9})
    unsure(tiles, 12, 0.97, _8p=0.02)
    decoded = read(tiles)
    assert not decoded.wins and not decoded.repairs
    assert decoded.shanten == 0
    assert "near_win" in codes(decoded)


def test_a_face_with_little_chance_is_asked_about_and_not_put_in() -> None:
    tiles = row("123m456p789s11z87p8p", gaps={13: 0.9})
    unsure(tiles, 12, 0.45, _8p=0.13, _6p=0.12, _9p=0.12)
    decoded = read(tiles)
    assert not decoded.wins and "near_win" in codes(decoded)
    unsure(tiles, 12, 0.45, _8p=0.15)
    assert read(tiles).wins


def test_many_small_repairs_are_trusted_as_little_as_a_large_one() -> None:
    tiles = row("123m456p789s11z88p8p", gaps={13: 0.9})
    for at, wrong in ((0, "5m"), (3, "1p"), (6, "1s"), (12, "2p")):
        unsure(tiles, at, 0.45, **{f"_{wrong}": 0.5})
    assert not read(tiles).wins


def test_a_second_hand_nearly_as_likely_is_asked_about() -> None:
    tiles = row("123m456p789s11z45p6p", gaps={13: 0.9})
    unsure(tiles, 13, 0.55, _3p=0.42)
    decoded = read(tiles)
    assert decoded.wins and "close_second" in codes(decoded)
    unsure(tiles, 13, 0.75, _3p=0.22)
    assert read(tiles).wins and "close_second" not in codes(read(tiles))


@pytest.mark.parametrize(
    ("tiles", "last", "code"), [("45p6p", {"_3p": 0.42}, "close_second"), ("87p8p", {"_8p": 0.13}, "near_win")]
)
def test_one_tile_is_asked_about_once(tiles: str, last: dict[str, float], code: str) -> None:
    seen = row(f"123m456p789s11z{tiles}", gaps={13: 0.9})
    at = 13 if code == "close_second" else 12
    unsure(seen, at, 0.45, **last)
    assert [d.code for d in read(seen).doubts if d.tile == at] == [code]


def test_a_meld_that_may_be_another_set_is_asked_about() -> None:
    tiles = row("123m456p11z7p8p") + row("6p", x=540) + row("45s7z", x=640)
    unsure(tiles, 13, 0.4, _3s=0.3, _6s=0.29)
    decoded = read(tiles)
    (doubt,) = [d for d in decoded.doubts if d.code == "close_second"]
    assert decoded.wins and doubt.tile == 13 and doubt.answers[:2] == ("3s", "6s")


def test_no_more_than_four_of_a_kind() -> None:
    tiles = row("1111m456p789s11z88p", gaps={13: 0.9})
    unsure(tiles, 4, 0.5, _1m=0.1)
    tiles[5] = seen("1m", float(tiles[5].centre[0]), 400, 0, 0.6, _5p=0.38)
    decoded = read(tiles)
    assert decoded.hand is not None
    held = [t.code for t in (*decoded.hand.concealed, decoded.hand.winning_tile) if t is not None]
    assert held.count("1m") <= 4
    assert any("four" in r.why for r in decoded.repairs)


def test_an_indicator_that_is_a_fifth_tile_is_asked_about() -> None:
    hand = row("3333p45p789s11z11m1m", gaps={13: 0.9})
    wall = row("back back 3p back back", x=300, y=100)
    (doubt,) = [d for d in read(hand + wall, "riichi").doubts if d.code == "five_of_a_kind"]
    assert doubt.message.startswith("5 of 3p are read")
    assert "five_of_a_kind" not in codes(read(hand + row("back back 4p back back", x=300, y=100), "riichi"))


def test_two_indicators_of_a_kind_leave_two_for_the_hand() -> None:
    hand = row("33453p789s111z12m3m", gaps={13: 0.9})
    unsure(hand, 4, 0.55, _6p=0.4)
    for wall, taken in (("back back 3p back back", "3p"), ("back 3p 3p back back", "6p")):
        decoded = read(hand + row(wall, x=300, y=100), "riichi")
        assert decoded.wins and decoded.hand is not None and decoded.hand.concealed[4] is tile(taken)


def test_rules_decide_what_wins() -> None:
    pairs = row("1133m5577p99s22z4z4z", gaps={13: 0.9})
    quads = row("1133m5555p99s22z4z4z", gaps={13: 0.9})
    orphans = row("19m19p19s1234567z7z", gaps={13: 0.9})
    wins = {r: (read(pairs, r).wins, read(quads, r).wins, read(orphans, r).wins) for r in RULES}
    assert wins == {
        "hongkong": (True, True, True),
        "zungjung": (True, True, True),
        "hangzhou": (True, True, False),
        "singapore": (False, False, True),
        "riichi": (True, False, True),
        "mcr": (True, True, True),
        "taiwanese": (False, False, False),
        None: (True, True, True),
    }


def test_no_indicator_is_promised_to_win_while_a_tile_lies_face_down() -> None:
    decoded = read(row("123m456p789s11z66s back", gaps={13: 0.9}), "hangzhou")
    (doubt,) = [d for d in decoded.doubts if d.code == "indicator_unknown"]
    assert "wins only" not in doubt.message and not doubt.answers


def test_a_tile_whose_four_lie_in_a_kong_is_no_wait_with_wild_tiles_either() -> None:
    tiles = [*row("23m456p789s11z"), *across("1111m", 0, x=560)]
    assert [str(t) for t in read(tiles).waits] == ["4m"]
    assert [str(t) for t in read(tiles, "hangzhou", indicator=tile("9p")).waits] == ["4m", "9p"]


def test_five_sets_and_a_pair_win_in_taiwan() -> None:
    sets = row("123m456m789p345p67s99s8s", gaps={16: 0.9})
    pairs = row("1133m5577p2244s99s666z", gaps={16: 0.9})
    for tiles in (sets, pairs):
        decoded = read(tiles, "taiwanese")
        assert decoded.wins and decoded.hand is not None and decoded.hand.complete
        assert decoded.repairs == () and decoded.doubts == ()
        assert not read(tiles, "hongkong").wins
    decoded = read(row("123m456m789p345p67s99s"), "taiwanese")
    assert [d.code for d in decoded.doubts] == ["one_tile_short"]
    assert {t.code for t in decoded.waits} == {"5s", "8s"}
    assert decoded.hand is not None and len(decoded.hand.concealed) == 16


RULES = ("hongkong", "zungjung", "hangzhou", "singapore", "riichi", "mcr", "taiwanese", None)


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(InvalidRequest) as refused:
        read(row("123m"), "poker")
    assert refused.value.code == "unknown_rules"


def test_a_bonus_face_is_an_unlikely_tile_where_the_rules_have_none() -> None:
    tiles = row("123m456p789s11s88p8p", gaps={13: 0.9})
    unsure(tiles, 9, 0.1, g3=0.85)
    assert not read(tiles, "hongkong").wins
    decoded = read(tiles, "riichi")
    assert decoded.wins and [str(r.used) for r in decoded.repairs] == ["1s"]


def test_bonus_tiles_are_each_there_once() -> None:
    tiles = row("123m456p789s11z88p8p", gaps={13: 0.9}) + row("f1 f1", x=150, y=250)
    unsure(tiles, 15, 0.5, f2=0.45)
    decoded = read(tiles)
    assert decoded.hand is not None
    assert sorted(str(t) for t in decoded.hand.bonus) == ["f1", "f2"]
    assert [str(r.used) for r in decoded.repairs] == ["f2"]


def test_red_fives_count_only_where_they_are_played_and_no_more_than_there_are() -> None:
    tiles = row("123m4067p789s11z88s8s", gaps={13: 0.9})
    riichi, hongkong = read(tiles, "riichi"), read(tiles, "hongkong")
    assert riichi.hand is not None and "0p" in [t.code for t in riichi.hand.concealed]
    assert hongkong.hand is not None and "5p" in [t.code for t in hongkong.hand.concealed]
    assert [repair.why for repair in hongkong.repairs] == ["these rules have no red fives"]
    two = row("123m00p7p789s11z88s8s", gaps={13: 0.9})
    unsure(two, 4, 0.6, _5p=0.39)
    reds = [t for t in read(two, "riichi").hand.concealed if t.red]  # type: ignore[union-attr]
    assert len(reds) == 1


def test_a_red_five_in_a_kong_half_face_down_is_asked_about() -> None:
    tiles = row("123m456p11z7p8p") + row("6p", x=540) + row("back 5s5s back", x=640)
    assert "hidden_red_five" in codes(read(tiles, "riichi"))
    assert "hidden_red_five" not in codes(read(tiles, "hongkong"))


def test_a_kong_that_shows_the_only_red_five_hides_none() -> None:
    def asked(kong: str) -> bool:
        return "hidden_red_five" in codes(read(row("123m456p11z7p8p") + row("6p", x=540) + row(kong, x=640), "riichi"))

    assert not asked("back 5s0s back")
    assert asked("back 5p0p back"), "some sets have two red fives of dots"


def test_a_meld_is_read_as_a_set() -> None:
    tiles = row("123m456p11z7p8p") + row("6p", x=540) + row("777s", x=640)
    unsure(tiles, 12, 0.4, _8s=0.58)
    decoded = read(tiles)
    assert decoded.hand is not None and format_tiles(decoded.hand.melds[0].tiles) == "777s"
    assert [r.why for r in decoded.repairs] == ["the tiles of a meld are a set"]


def test_a_tile_that_hardly_looks_like_the_set_of_its_meld_is_asked_about() -> None:
    tiles = row("123m456p11z7p8p") + row("6p", x=540) + row("778s", x=640)
    unsure(tiles, 13, 0.95, _7s=0.02)
    decoded = read(tiles)
    assert [(r.tile, str(r.used)) for r in decoded.repairs] == [(13, "7s")] and not decoded.wins
    (doubt,) = [d for d in decoded.doubts if d.tile == 13]
    assert doubt.code == "low_confidence" and doubt.answers[:2] == ("7s", "8s")
    unsure(tiles, 13, 0.5, _7s=0.45)
    assert read(tiles).wins and not [d for d in read(tiles).doubts if d.tile == 13]


def test_relations_become_seats_once_the_winners_seat_is_known() -> None:
    tiles = row("123m456p11z7p8p") + row("6p", x=540) + across("777s", 0, x=640)
    hand = read(tiles, "riichi").hand
    assert hand is not None and hand.relations == (Relation.LEFT,)
    assert hand.melds[0].source is None
    assert hand.seated(Seat.S).melds[0].source is Seat.E
    assert [r.seat(Seat.E).value for r in (Relation.RIGHT, Relation.OPPOSITE, Relation.LEFT)] == ["S", "W", "N"]


def test_a_chow_comes_from_the_left_however_it_lies() -> None:
    tiles = row("123m456p11z7p8p") + row("6p", x=540) + row("678s", x=640)
    hand = read(tiles).hand
    assert hand is not None and hand.relations == (Relation.LEFT,)


@pytest.mark.parametrize(
    ("apart", "y", "wins"),
    [
        (["6m"], 540, True),
        (["6m"], 440, True),
        (["6m"], 400, False),  # too many tiles away
        (["9p"], 540, False),  # not what the hand waits for
        (["6m", "1z"], 540, False),  # of a pond or a wall
    ],
)
def test_a_lone_tile_further_off_won_if_the_hand_waits_for_it(apart: list[str], y: float, wins: bool) -> None:
    tiles = row("123m678s234p66s75m", y=700) + [seen(t, 400 + 40 * i, y) for i, t in enumerate(apart)]
    decoded = read(tiles)
    assert decoded.wins == wins and decoded.hand is not None
    assert str(decoded.hand.winning_tile) == ("6m" if wins else "None")
    assert wins or [str(t) for t in decoded.waits] == ["6m"]


def test_a_face_of_no_known_set_is_asked_about_whatever_it_is_taken_for() -> None:
    tiles = row("123m456p789s11z88p8p", gaps={13: 0.9})
    tiles[4] = seen("5p", *(float(v) for v in tiles[4].centre), 0, 0.2, **{"1s": 0.05})
    (doubt,) = [d for d in read(tiles).doubts if d.tile == 4]
    assert doubt.code == "unknown_face" and doubt.answers[:2] == ("5p", "1s")
    tiles[4] = seen("5p", *(float(v) for v in tiles[4].centre), 0, 0.55, **{"1s": 0.4})
    assert [d.code for d in read(tiles).doubts if d.tile == 4] == ["low_confidence"], "one of two that are known"


def test_a_doubtful_extra_find_is_left_out() -> None:
    tiles = row("123m456p789s11z88p8p", gaps={13: 0.9})
    x, y = (float(v) for v in tiles[4].centre)
    stray = seen("3z", x + 45 * 9.5, y + 2, 0, 0.4)
    tiles = [*tiles[:13], Sighting(stray.corners, stray.tile, 0.4, stray.posterior, 0.55), tiles[13]]
    decoded = read(tiles)
    assert decoded.wins and decoded.roles[13] is Role.OTHER
    assert ("left_out", 13) in [(d.code, d.tile) for d in decoded.doubts], "and that is said"


def test_a_sure_extra_tile_is_never_left_out() -> None:
    decoded = read(row("123m456p789s11z888p5z"))
    assert not decoded.wins and decoded.roles.count(Role.OTHER) == 0


def test_wild_tiles_of_hangzhou() -> None:
    hand = row("123m456m789p222z4s9m", gaps={13: 0.9})
    assert read(hand, "hangzhou", indicator=tile("4s")).wins
    unknown = read(hand, "hangzhou")
    assert not unknown.wins
    (question,) = [d.message for d in unknown.doubts if d.code == "indicator_unknown"]
    assert "9m4s2z" in question
    shown = hand + row("back back 4s back back back", y=200)
    assert read(shown, "hangzhou").wins


def test_an_indicator_is_no_red_five_where_the_rules_have_none() -> None:
    decoded = read(row("123m456m789p222z4s9m", gaps={13: 0.9}) + row("back back 0p back back back", y=200), "hangzhou")
    assert decoded.hand is not None and [t.code for t in decoded.hand.dora_indicators] == ["5p"]
    assert [(r.used.code, r.why) for r in decoded.repairs] == [("5p", "these rules have no red fives")]
    shown = read(row("123m456m789p22z44s4s", gaps={13: 0.9}) + row("back back 0p back back", y=200), "riichi")
    assert shown.hand is not None and [t.code for t in shown.hand.dora_indicators] == ["0p"]


def test_white_dragons_stand_in_within_a_meld_of_hangzhou() -> None:
    tiles = row("456p789p55m67m") + row("8m", x=540) + row("3s5z5s", x=640)
    decoded = read(tiles, "hangzhou", indicator=tile("4s"))
    assert decoded.wins and decoded.hand is not None
    assert format_tiles(decoded.hand.melds[0].tiles) == "3s5z5s"


def test_an_unsure_indicator_is_asked_about() -> None:
    tiles = row("123m456p789s11z88p8p", gaps={13: 0.9}) + row("back back 3s back back", x=300, y=100)
    assert not read(tiles, "riichi").doubts
    unsure(tiles, 16, 0.5, _4s=0.45)
    (doubt,) = read(tiles, "riichi").doubts
    assert (doubt.code, doubt.tile, doubt.answers) == ("low_confidence", 16, ("3s", "4s"))


def test_a_hand_that_reaches_the_edge_of_the_picture_may_go_on() -> None:
    tiles = row("123m456p789s", x=15)
    (doubt,) = [d for d in read(tiles).doubts if d.code == "too_few_tiles"]
    assert "left edge" in doubt.message
    (inside,) = [d for d in read(row("123m456p789s", x=300)).doubts if d.code == "too_few_tiles"]
    assert "edge" not in inside.message


def test_no_red_five_is_made_of_what_the_back_of_a_tile_looks_like() -> None:
    tiles = row("123m456p11z7p8p") + row("6p", x=540) + row("back 5s5s back", x=640)
    unsure(tiles, 11, 0.97, _0s=0.002, _5s=0.001)
    decoded = read(tiles, "riichi")
    assert decoded.hand is not None and format_tiles(decoded.hand.melds[0].tiles) == "5555s"
    assert "hidden_red_five" in codes(decoded)


def test_the_trust_in_bonus_tiles_is_fitted_to_the_networks_that_ship() -> None:
    fitted = json.loads(TRUST.read_text(encoding="utf-8"))["models"]
    assert fitted == {role: entry.short for role, entry in list_models().items()}
