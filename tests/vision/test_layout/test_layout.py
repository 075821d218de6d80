from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.tiles import format_tiles
from tests.vision.laid import H, W, across, row, seen, turned
from vision.arrays import to_quad
from vision.hand.decoder import decode
from vision.layout.frames import find_misturned, measure_frames
from vision.layout.interpretations import lay_out
from vision.layout.layout import Layout
from vision.layout.rows import find_rows
from vision.reading import Relation, Role, Sighting


def faces(layout: Layout, tiles: list[Sighting]) -> tuple[str, list[str], str | None]:
    """Concealed tiles, melds and the winning tile as read."""
    melds = [format_tiles(tiles[i].tile for i in meld.tiles) for meld in layout.melds]
    won = None if layout.winning is None else str(tiles[layout.winning].tile)
    return format_tiles(tiles[i].tile for i in layout.concealed), melds, won


@pytest.mark.parametrize("degrees", [0, 17, 45, 90, 133, 180, 271])
def test_a_row_with_the_winning_tile_apart_however_the_photo_is_turned(degrees: float) -> None:
    tiles = turned(row("123m406p789s11z88p8p", gaps={13: 0.9}), degrees)
    assert faces(lay_out(tiles, 4000, 4000), tiles) == ("123m406p789s11z88p", [], "8p")


def test_the_order_of_sightings_does_not_matter() -> None:
    tiles = row("123m456p789s11z88p8p", gaps={13: 0.9})
    shuffled = [tiles[i] for i in np.random.default_rng(4).permutation(14)]
    assert faces(lay_out(shuffled, 1000, 800), shuffled) == ("123m456p789s11z88p", [], "8p")


def test_a_winning_tile_laid_across_the_end_or_on_top() -> None:
    hand = row("123m456p789s11z88p")
    for won in (seen("8p", 100 + 13 * W, 407, 1), seen("8p", 100 + 12 * W, 400 - H / 2 - W / 2 - 2, 1)):
        tiles = [*hand, won]
        layout = lay_out(tiles, 1000, 800)
        assert layout.winning == 13 and not layout.melds


def test_a_lone_tile_of_the_discards_is_no_winning_tile() -> None:
    tiles = row("123m456p789s11z78p") + row("3z4z9m1s5p2m", y=80) + row("1p", x=140, y=80 + H)
    layout = lay_out(tiles, 1000, 800)
    assert layout.winning is None and len(layout.others) == 7


def test_a_turned_tile_names_the_player_it_was_claimed_from() -> None:
    for lying, relation in ((0, Relation.LEFT), (1, Relation.OPPOSITE), (2, Relation.RIGHT)):
        tiles = row("123m456p11z7p8p") + across("777s", lying, x=620)
        layout = lay_out(tiles, 1000, 800)
        (meld,) = layout.melds
        assert meld.relation is relation and meld.turned == 10 + lying


def test_a_meld_of_faces_found_upside_down_is_read_from_the_same_end() -> None:
    for face in ("8p", "2s", "5z"):  # of these nobody can tell which way up they lie
        for lying, relation in ((0, Relation.LEFT), (2, Relation.RIGHT)):
            claimed = [replace(s, corners=s.corners[2:] + s.corners[:2]) for s in across(face * 3, lying, x=620)]
            layout = lay_out(row("123m456p11z7p9p") + claimed, 1000, 800)
            (meld,) = layout.melds
            assert meld.relation is relation and meld.turned == 10 + lying


def test_melds_beside_in_front_and_in_two_lines() -> None:
    hand = row("11z7p8p", x=100) + row("6p", x=330)
    beside = row("123m777s456s", x=480, gaps={3: 0.5, 6: 0.5})
    front = row("123m777s456s", x=100, y=300, gaps={3: 0.5, 6: 0.5})
    lines = row("123m777s", x=100, y=300, gaps={3: 0.5}) + row("456s", x=100, y=300 - 1.3 * H)
    for melds in (beside, front, lines):
        tiles = hand + melds
        concealed, found, won = faces(lay_out(tiles, 1000, 800), tiles)
        assert (concealed, sorted(found), won) == ("11z78p", ["123m", "456s", "777s"], "6p")


def test_the_three_kongs() -> None:
    hand = row("11z7p8p", x=100) + row("6p", x=330)
    concealed = row("back 5s5s back", x=470)
    opened = across("9999m", 0, x=700)
    added = across("333p", 1, x=950)
    tiles = [*hand, *concealed, *opened, *added, seen("3p", added[1].centre[0], added[1].centre[1] - W, 1)]
    decoded = decode(lay_out(tiles, 1400, 800, "riichi"), tiles, "riichi")
    assert decoded.hand is not None
    kinds = {format_tiles(m.tiles): m.type.value for m in decoded.hand.melds}
    assert kinds == {"5555s": "kong_concealed", "9999m": "kong_open", "3333p": "kong_added"}
    assert dict(zip(kinds, decoded.hand.relations, strict=True)) == {
        "5555s": None,
        "9999m": Relation.LEFT,
        "3333p": Relation.OPPOSITE,
    }
    assert decoded.wins and len(decoded.hand.concealed) == 4


def test_a_kong_wholly_face_down_of_which_one_tile_was_not_found() -> None:
    """Three face-down tiles where a hand lacks a set: nothing else looks like that."""
    short = row("123m456p11z7p8p") + row("6p", x=540) + row("back back back", x=640)
    decoded = decode(lay_out(short, 1000, 800), short, "hongkong")
    assert decoded.doubts[0].code == "hidden_kong"
    assert [role for role in decoded.roles if role is Role.MELD] == [Role.MELD] * 3
    whole = row("123m456p789s11z7p8p") + row("6p", x=660) + row("back back back", x=760)
    layout = lay_out(whole, 1200, 800)
    assert not layout.melds and len(layout.inside) == 14, "a hand that lacks nothing keeps them out"


def test_bonus_tiles_beside_the_row_and_within_it() -> None:
    tiles = row("f1 g3", x=200, y=250) + row("123m456p777z11z8p f4 8p8p")
    layout = lay_out(tiles, 1000, 800, "hongkong")
    assert sorted(str(tiles[i].tile) for i in layout.bonus) == ["f1", "f4", "g3"]
    assert len(layout.concealed) == 14


def test_other_peoples_discards_melds_and_walls_are_left_out() -> None:
    far = [seen("1m", 700, 100 + i * W, 1) for i in range(3)] + row("back " * 9, y=120)
    pond = row("1z2z3z4z5z6z", x=200, y=220) + row("7z1s9s", x=200, y=220 - H)
    tiles = row("123m456p789s11z88p8p", y=450, gaps={13: 0.9}) + far + pond
    concealed, melds, won = faces(lay_out(tiles, 1000, 800), tiles)
    assert (concealed, melds, won) == ("123m456p789s11z88p", [], "8p")


def test_curved_ragged_and_broken_rows() -> None:
    rng = np.random.default_rng(0)
    base = row("123m456p789s11z888p")
    curved = []
    for s in base:
        angle = (s.centre[0] - 360) / 600
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        middle = np.array([360 + 600 * np.sin(angle), 400 + 600 * (1 - np.cos(angle))])
        quad = (np.array(s.corners) - s.centre) @ turn + middle
        curved.append(replace(s, corners=to_quad(quad)))
    ragged = [replace(s, corners=to_quad(s.corners + np.array([0, rng.normal(0, 9)]))) for s in base]
    broken = row("123m456p789s11z888p", gaps={6: 0.4, 9: 0.4})
    for tiles in (curved, ragged, broken):
        assert faces(lay_out(tiles, 1000, 800), tiles)[0] == "123m456p789s11z888p"


@pytest.mark.parametrize(("sure", "asked"), [(0.66, "face_down_tile"), (0.9995, "no_hand")])
def test_a_gap_that_passes_for_a_face_down_tile_costs_a_question_and_not_the_hand(sure: float, asked: str) -> None:
    tiles = row("6p5z1p4z back 6z2z8p4p3z back 5z6s2z7m")
    tiles = [seen("back", *s.centre, p=sure) if s.tile.code == "back" else s for s in tiles]
    decoded = decode(lay_out(tiles, 1000, 800), tiles, None)
    assert asked in {doubt.code for doubt in decoded.doubts}
    held = [] if decoded.hand is None else [*decoded.hand.concealed, decoded.hand.winning_tile]
    shown = [str(s.tile) for s in tiles if s.tile.code != "back"]
    assert sorted(map(str, held)) == (sorted(shown) if held else [])
    assert bool(held) == (sure < 0.9)


@pytest.mark.parametrize("quarter", [0, 1, 3])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("air", [0.1, 0.8, 1.8])
def test_the_winning_tile_in_front_of_the_row_or_behind_it(quarter: int, side: int, air: float) -> None:
    tiles = row("456p789s1122z") + across("123m", 0, 560)
    away = side * ((H + (W if quarter else H)) / 2 + air * W)
    tiles.append(seen("2z", tiles[4].centre[0], 400 + away, quarter))
    assert faces(lay_out(tiles, 1000, 800), tiles) == ("456p789s1122z", ["123m"], "2z")


@pytest.mark.parametrize(("won", "role"), [("3s", Role.WINNING), ("2z", Role.OTHER)])
def test_the_last_tile_turned_beyond_the_bonus_tiles_completes_a_hand_that_waits_for_it(won: str, role: Role) -> None:
    tiles = [*row("11m345p11133456s"), *row("f1g2f3", x=140, y=400 - H - W), seen(won, 330, 400 - 2 * H - 3 * W, 1)]
    decoded = decode(lay_out(tiles, 1000, 800, "hongkong"), tiles, "hongkong")
    assert decoded.roles[-1] is role and decoded.wins == (role is Role.WINNING)
    for others, taken in ((row("1z4z6m9m6z7m", x=700, y=100), role), ([seen("9p", 700, 80)], Role.OTHER)):
        more = [*others, *tiles]
        assert decode(lay_out(more, 1000, 800, "hongkong"), more, "hongkong").roles[-1] is taken


def test_a_hand_in_two_lines() -> None:
    tiles = row("123m4567p", y=346) + row("89p11z888s", y=400)
    concealed, melds, _ = faces(lay_out(tiles, 1000, 800), tiles)
    assert (concealed, melds) == ("123m456789p11z888s", [])


def test_two_tiles_beside_four_melds_are_the_pair() -> None:
    tiles = row("8p", x=60) + row("123m456p789s777z", x=180, gaps={3: 0.5, 6: 0.5, 9: 0.5})
    tiles.append(seen("8p", 60 + 15, 400 - H / 2 - W / 2 - 3, 1))
    layout = lay_out(tiles, 1200, 800)
    assert len(layout.melds) == 4 and layout.winning == 13 and layout.concealed == (0,)


def test_a_picture_read_sideways_is_righted_by_its_neighbours() -> None:
    tiles = row("123m456p789s11z888p")
    wrong = tiles[8]
    tiles[8] = replace(wrong, corners=(*wrong.corners[1:], wrong.corners[0]))
    assert [i for i, sideways in enumerate(find_misturned([s.corners for s in tiles])) if sideways] == [8]
    assert faces(lay_out(tiles, 1000, 800), tiles)[0] == "123m456p789s11z888p"
    (only,) = find_rows(tiles, measure_frames(tiles))
    assert not any(only.across)


def test_a_tile_that_truly_lies_across_is_left_alone() -> None:
    tiles = row("123m456p11z7p8p") + across("777s", 1, x=620)
    assert not any(find_misturned([s.corners for s in tiles]))


def test_nothing_in_sight_and_no_row() -> None:
    assert lay_out([], 100, 100) == Layout()
    lone = [seen("back", 50, 50)]
    assert decode(lay_out(lone, 100, 100), lone, None).hand is None
