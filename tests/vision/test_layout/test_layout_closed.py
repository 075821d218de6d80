"""Tiles that lie close: melds in one line, a set a line, trays and ponds, walls."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.tiles import format_tiles, parse_tiles
from tests.vision.laid import H, W, row, seen
from tests.vision.test_layout.test_layout import faces
from vision.hand.decoder import decode
from vision.hand.doubts import MIN_IN_LINES
from vision.layout.evidence import NAMES, WEIGHTS, count_sets, load_weights
from vision.layout.interpretations import interpret_table, lay_out
from vision.reading import Role, Sighting


def asked(tiles: list[Sighting], rules: str | None = "hongkong") -> list[str]:
    return [d.code for d in decode(lay_out(tiles, 1200, 900, rules), tiles, rules).doubts]


@pytest.mark.parametrize("away", [-1, 1])
def test_melds_in_one_closed_line_with_bonus_tiles_at_its_end(away: int) -> None:
    tiles = row("77p555p", x=220) + row("f4 g1 111p444z555z", x=80, y=400 + away * (H + 0.6 * W))
    layout = lay_out(tiles, 1200, 900, "hongkong")
    concealed, melds, won = faces(layout, tiles)
    assert (concealed, sorted(melds), won) == ("77555p", ["111p", "444z", "555z"], None)
    assert sorted(str(tiles[i].tile) for i in layout.bonus) == ["f4", "g1"]


def test_a_pair_in_front_of_a_line_of_four_sets_is_the_hand() -> None:
    tiles = row("444m6666m222m777p") + row("11m", x=350, y=400 - H - 0.4 * W)
    concealed, melds, _ = faces(lay_out(tiles, 1200, 900), tiles)
    assert (concealed, sorted(melds)) == ("11m", ["222m", "444m", "6666m", "777p"])


def test_two_closed_lines_are_one_hand() -> None:
    tiles = row("11678m", x=180, y=400 - H) + row("888m111z555m")
    concealed, melds, _ = faces(lay_out(tiles, 1200, 900), tiles)
    assert (concealed, melds) == (format_tiles(t.tile for t in tiles), [])


def stack(*lines: str) -> list[Sighting]:
    """Lines one close above the other, flush left."""
    return [s for n, line in enumerate(lines) for s in row(line, x=300, y=200 + n * (H + 3))]


def test_a_hand_laid_one_set_a_line() -> None:
    tiles = stack("g3 f1", "123m", "123m", "567m", "678m", "77z")
    layout = lay_out(tiles, 1200, 900, "hongkong")
    assert faces(layout, tiles) == ("123123567678m77z", [], None)
    assert sorted(layout.bonus) == [0, 1]
    assert "winning_tile_unknown" in asked(tiles)
    assert decode(layout, tiles, "hongkong").wins
    others = [faces(other, tiles) for _, other in layout.alternatives]
    assert ("77z", ["123m", "123m", "567m", "678m"], None) in others, "all sets may have been declared"


def test_kongs_in_a_stack_are_melds_and_a_tile_apart_won() -> None:
    tiles = [*stack("1111m", "2222m", "333p", "45s", "77z"), seen("6s", 600, 340)]
    concealed, melds, won = faces(lay_out(tiles, 1200, 900), tiles)
    assert (concealed, melds, won) == ("333p45s77z", ["1111m", "2222m"], "6s")


def test_a_tray_of_tiles_is_no_hand() -> None:
    tiles = [s for n, line in enumerate(TRAY) for s in row(line, x=200, y=200 + n * (H + 2))]
    decoded = decode(lay_out(tiles, 1200, 900), tiles, None)
    assert decoded.hand is None and set(decoded.roles) == {Role.OTHER}
    (doubt,) = decoded.doubts
    assert doubt.code == "no_hand" and "lines of tiles" in doubt.message


TRAY = ("3p3m9m2m1s5z2m9p5m", "2z5m3s4m2z6p8p9m5s", "3p9s7p6p3s3z5z4z3z", "1m3s1z5z5p8m9m2s1m")


@pytest.mark.parametrize("loose", ["2p 7z", "1m", "f1 f2 f3 f4 g1 g2 g3 g4"])
def test_loose_tiles_are_no_hand(loose: str) -> None:
    tiles = row(loose)
    (doubt,) = decode(lay_out(tiles, 1200, 900), tiles, None).doubts
    assert doubt.code == "no_hand"
    assert len(tiles) >= MIN_IN_LINES or "lines of tiles" not in doubt.message


def test_sixteen_tiles_in_a_line_stay_together() -> None:
    tiles = row("123m456m789m234p678s1z")
    layout = lay_out(tiles, 1200, 900)
    assert len(layout.concealed) == 16 and not layout.melds and not layout.others
    (doubt,) = decode(layout, tiles, None).doubts
    assert doubt.code == "too_many_tiles" and "Taiwan" in doubt.message


@pytest.mark.parametrize(
    ("stretch", "sets"),
    [("222m", 1), ("312p", 1), ("6666s", 1), ("111z456m", 2), ("back 6s6s back", 1), ("1111222333m", 3)]
    + [(text, 0) for text in ("22m", "124m", "222m5z", "891m", "123z", "back back back", "6s back 7s 6s")],
)
def test_sets_in_a_stretch_of_tiles(stretch: str, sets: int) -> None:
    assert count_sets([t.kind for t in parse_tiles(stretch)]) == sets


def test_a_set_right_behind_thirteen_tiles_makes_sixteen() -> None:
    tiles = row("123m456m789m2p678s") + row("222z", x=200, y=400 - H - 8)
    layout = lay_out(tiles, 1200, 900)
    held = [*layout.inside, *(i for meld in layout.melds for i in meld.tiles)]
    assert len(held) == 16 and not layout.others


def test_a_knitted_hand_that_waits_for_nothing_near_its_tiles_is_known_to_wait() -> None:
    tiles = row("17m28p39s1234567z")
    ways, _ = interpret_table(tiles, 1200, 900, "mcr")
    whole = next(way for way in ways if len(way.layout.concealed) == 13)
    assert whole.evidence[NAMES.index("waits")] == 1


def test_weights_of_other_evidence_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "weights.json"
    other.write_text(WEIGHTS.read_text().replace('"winning_air"', '"winning_hair"'))
    monkeypatch.setattr("vision.layout.evidence.WEIGHTS", other)
    load_weights.cache_clear()
    with pytest.raises(ValueError, match="fit_layout"):
        load_weights()


def test_tiles_left_out_are_asked_about() -> None:
    tiles = row("123m456p789s11z888p") + row("5z7z", x=140, y=400 + H + 2)
    (doubt,) = [d for d in decode(lay_out(tiles, 1200, 900), tiles, None).doubts if d.code == "left_out"]
    assert "against the hand" in doubt.message
    assert "left_out" not in asked(row("123m456p789s11z88p8p", gaps={13: 0.9}))


def test_face_down_tiles_of_a_broken_wall_are_no_hidden_kong() -> None:
    hand = row("123m456p789s11z88p8p", gaps={13: 0.9})
    wall = row("back back", x=100, y=230) + row("back back back back", x=100 + 3 * W, y=230)
    assert "hidden_kong" not in asked(hand + wall)


def test_four_kongs_that_touch_are_no_wall() -> None:
    line = row("1111m2222p back back back 3s back back back 4z 77z")
    concealed, melds, _ = faces(lay_out(line, 1200, 900, "riichi"), line)
    assert concealed == "77z" and len(melds) == 4
    wall = row("123m456p789s11z88p8p", gaps={13: 0.9}) + row("back back back 3s back back back 4z back back", y=200)
    layout = lay_out(wall, 1200, 900, "riichi")
    assert not layout.melds and [str(wall[i].tile) for i in layout.dora] == ["3s", "4z"], "a wall goes on"


@pytest.mark.parametrize("gap", [0.05, 0.5])
def test_concealed_kongs_of_three_backs_and_a_face_wherever_that_lies(gap: float) -> None:
    kongs = "back back 1m back", "5z back back back", "9999p", "back 3s back back"
    hand = row("77z", x=300, y=500)
    line = [s for n, kong in enumerate(kongs) for s in row(kong, x=60 + n * (4 + gap) * W)]
    lines = [s for n, kong in enumerate(kongs) for s in row(kong, x=300, y=150 + n * (H + gap * W))]
    for laid in (line, lines):
        tiles = hand + laid
        decoded = decode(lay_out(tiles, 1200, 900), tiles, None)
        assert decoded.wins and decoded.hand is not None
        found = sorted((meld.type.value, format_tiles(meld.tiles)) for meld in decoded.hand.melds)
        assert found == [("kong_concealed", kong) for kong in ("1111m", "3333s", "5555z")] + [("kong_open", "9999p")]


def test_a_piece_of_a_wall_with_a_face_inside_is_no_kong_beside_a_whole_hand() -> None:
    tiles = row("123m456p789s11z88p8p", gaps={13: 0.9}) + row("back back 3z back", y=200)
    layout = lay_out(tiles, 1200, 900, "riichi")
    assert not layout.melds and [str(tiles[i].tile) for i in layout.dora] == ["3z"]


def test_faces_in_a_wall_are_indicators_only_where_there_are_any() -> None:
    tiles = row("123m456p789s11z88p8p", gaps={13: 0.9}) + row("back back 3z back back back", y=200)
    assert [len(lay_out(tiles, 1200, 900, rules).dora) for rules in ("riichi", "hangzhou", None)] == [1, 1, 1]
    assert [len(lay_out(tiles, 1200, 900, rules).dora) for rules in ("hongkong", "zungjung", "singapore")] == [0, 0, 0]


def test_a_back_that_may_be_a_white_dragon_is_no_indicator() -> None:
    hand = row("123m456p789s11z88p8p", gaps={13: 0.9})
    wall = row("back back 5z back back back", y=200)
    x, y = (float(v) for v in wall[2].centre)
    unsure = [*wall[:2], seen("5z", x, y, 0, 0.6, back=0.38), *wall[3:]]
    assert len(lay_out(hand + wall, 1200, 900, "riichi").dora) == 1
    assert not lay_out(hand + unsure, 1200, 900, "riichi").dora


def test_the_winning_tile_is_not_taken_from_a_line_of_bonus_tiles() -> None:
    tiles = [*row("123m456p789s11z88p"), *row("f1 g2 8p g4", x=150, y=250), seen("8p", 100 + 16 * W, 400)]
    assert lay_out(tiles, 1200, 900, "hongkong").winning == 17


def test_an_unreadable_tile_in_a_line_of_bonus_tiles_is_one_and_asked_about() -> None:
    tiles = row("123m456p789s11z88p8p", gaps={13: 0.9}) + row("f1 g2 6z g4", x=150, y=250)
    decoded = decode(lay_out(tiles, 1200, 900, "hongkong"), tiles, "hongkong")
    assert decoded.roles[14:] == (Role.BONUS,) * 4
    assert decoded.hand is not None and [str(t) for t in decoded.hand.bonus] == ["f1", "g2", "g4"]
    assert [(d.code, d.tile) for d in decoded.doubts] == [("bonus_not_in_play", 16)]
