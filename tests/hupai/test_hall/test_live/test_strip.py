"""Where a row stands in a picture, and what comes before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hupai.hall.live.row.front import LEARN_SECONDS, Front
from hupai.hall.live.row.look import Face
from hupai.hall.live.row.strip import Row, beside_of, find_row, middle, standing_of, two_for_one
from scoring.tiles import Tile, parse_tiles, tile
from vision.arrays import FloatArray, ImageArray
from vision.reading import Sighting

WIDE, HIGH = 40.0, 52.0


def sightings(tiles: Sequence[Tile], left: float, middle: float) -> list[Sighting]:
    """Tiles side by side in a picture."""
    found = []
    for k, t in enumerate(tiles):
        x0, y0 = left + k * (WIDE + 2), middle - HIGH / 2
        corners = ((x0, y0), (x0 + WIDE, y0), (x0 + WIDE, y0 + HIGH), (x0, y0 + HIGH))
        found.append(Sighting(corners, t, 0.99, {t: 0.99}))
    return found


def row_at(middle: float = 300.0) -> Row:
    found = find_row(sightings(parse_tiles("123m456p789s1122z"), 200, middle))
    assert found is not None
    return found


def faces_of(places: range) -> list[Face]:
    """Faces at places of the row, in its own coordinates."""
    row = row_at()
    left = row.span[0] + 1.8 * row.wide + WIDE / 2
    return [Face(left + k * (WIDE + 2), WIDE) for k in places]


def test_a_wall_is_not_taken_for_the_row() -> None:
    wall = sightings([tile("back")] * 13, 200, 230)
    found = find_row([*wall, *sightings(parse_tiles("4567s11z"), 300, 330)])
    assert found is not None and found.anchor[1] == pytest.approx(330, abs=1)
    assert find_row(wall) is None


def test_sets_in_line_with_a_row_are_no_part_of_it() -> None:
    row = sightings(parse_tiles("3s8s8s9s"), 200, 300)
    sets = [sightings(parse_tiles(text), 520 + 150 * k, 300 + k) for k, text in enumerate(("111s", "777p", "555p"))]
    melds = [one for found in sets for one in found]
    found = find_row([*row, *melds])
    assert found is not None and found.anchor[0] + found.span[1] < 520
    # What makes no set belongs to the row beside the hole that a discard has left.
    hole = find_row([*row, *sightings(parse_tiles("9s1z1z1z"), 410, 300)])
    assert hole is not None and hole.anchor[0] + hole.span[1] > 580
    assert find_row(melds) is None
    assert find_row(sightings([*parse_tiles("123p666p222z555z"), tile("g2")], 200, 300)) is not None


def test_a_tile_off_the_line_stands_in_a_crooked_row_if_it_touches_it() -> None:
    row = row_at()
    quads = [row.to_row(np.array(s.corners)) for s in sightings(parse_tiles("123m456p789s1122z"), 200, 300)]
    first = quads[0] - (0.0, 0.5 * WIDE)
    assert len(standing_of([first, *quads[1:]], row)) == 13
    assert len(standing_of([first, *quads[2:]], row)) == 11, "beside a hole it may be another's"
    assert len(standing_of([*quads, quads[-1] + (0.7 * WIDE, -0.5 * WIDE)], row)) == 13, "there is no room for it"
    assert len(standing_of([quads[0] - (0.0, 0.8 * WIDE), *quads[1:]], row)) == 12


def test_a_last_tile_turned_on_its_side_stands_in_the_row_and_a_meld_does_not() -> None:
    row = row_at()
    quads = [row.to_row(np.array(s.corners)) for s in sightings(parse_tiles("123m456p789s1122z"), 200, 300)]
    shape = np.array([[0.0, -WIDE / 2], [HIGH, -WIDE / 2], [HIGH, WIDE / 2], [0.0, WIDE / 2]])
    end = float(quads[-1][:, 0].max())
    turned, beyond, apart = (np.add(shape, (end + gap, 4.0)) for gap in (2.0, 4.0 + HIGH, 40.0))
    assert len(standing_of([*quads, turned], row)) == 14
    assert len(standing_of([*quads, turned, beyond], row)) == 13
    assert len(standing_of([*quads, turned - (2.0, 0.0), beyond], row)) == 13, "though it touches the row"
    assert len(standing_of([*quads, apart], row)) == 13
    # A set in line, two tiles of which stand as the row does.
    upright = [np.add(quads[0], (end - quads[0][:, 0].min() + gap + HIGH, 0.0)) for gap in (4.0, 6.0 + WIDE)]
    assert len(standing_of([*quads, turned, *upright], row)) == 13
    assert len(beside_of([turned, *upright], row)) == 3 and not beside_of(upright, row)
    apart_from_it = [np.add(q, (3 * WIDE, 0.0)) for q in (turned, *upright)]
    assert len(standing_of([*quads, turned, *apart_from_it], row)) == 14


def test_a_row_that_a_bump_has_moved_stands_though_its_near_tiles_are_wider() -> None:
    row = row_at()
    wide = [np.add([[0.0, -25.0], [47.0, -25.0], [47.0, 25.0], [0.0, 25.0]], (50 * k, 9)) for k in range(3)]
    usual = [np.add([[0.0, -26.0], [40.0, -26.0], [40.0, 26.0], [0.0, 26.0]], (160 + 42 * k, 9)) for k in range(5)]
    assert len(standing_of([*wide, *usual], row)) == 8


def test_a_row_stands_that_a_bump_has_moved_so_far_that_one_tile_is_left_on_its_line() -> None:
    row = row_at()
    quads = [row.to_row(np.array(s.corners)) for s in sightings(parse_tiles("4567s"), 200, 300)]
    moved = [np.add(quads[0], (0.0, 10.0)), *(np.add(q, (0.0, 15.0)) for q in quads[1:])]
    assert len(standing_of(moved, row)) == 4
    far = [np.add(quads[0], (0.0, 10.0)), *(np.add(q, (0.0, 0.5 * HIGH)) for q in quads[1:])]
    assert len(standing_of(far, row)) == 1


def test_the_near_end_of_a_row_seen_from_the_side_stands_though_it_is_much_larger() -> None:
    row, quads, left = row_at(), list[FloatArray](), 0.0
    for k in range(14):
        size = 0.65 + 0.08 * k
        quads.append(np.array([[0, -HIGH / 2], [WIDE, -HIGH / 2], [WIDE, HIGH / 2], [0, HIGH / 2]]) * size + (left, 0))
        left += 1.05 * WIDE * size
    assert len(standing_of(quads, row)) == 14


def test_what_stands_far_off_is_no_part_of_a_row() -> None:
    row = row_at()
    quads = [row.to_row(np.array(s.corners)) for s in sightings(parse_tiles("123m45678p"), 200, 300)]
    apart, far = ([np.add(quads[-1], (gap * WIDE + 42 * k, 0)) for k in range(3)] for gap in (3.0, 6.0))
    assert len(standing_of([*quads, *apart], row)) == 11
    assert len(standing_of([*quads, *far], row)) == 8
    sets = [np.add(quads[-1], (6 * WIDE + 42 * k, -0.25 * WIDE)) for k in range(6)]
    assert len(standing_of([*quads[-4:], *sets], row)) == 4, "sets in line are more, and less in line"


@pytest.mark.parametrize(("down", "beside"), [(0.0, True), (-0.45, True), (-0.8, False)])
def test_what_lies_beyond_a_row_is_not_beside_it(down: float, beside: bool) -> None:
    row = row_at()
    flat = np.array([[900.0, -WIDE], [900.0 + HIGH, -WIDE], [900.0 + HIGH, 0.0], [900.0, 0.0]])
    flat[:, 1] += down * WIDE
    assert bool(beside_of([flat], row)) == beside


def test_the_side_of_a_turned_tile_is_none() -> None:
    row = row_at()
    upright = np.array([[900.0, -WIDE], [900.0 + HIGH, -WIDE], [900.0 + HIGH, 0.0], [900.0, 0.0]])
    flat = [np.add(upright, (k * HIGH, 0.0)) for k in range(3)]
    side = np.add((upright - (900.0, 0.0)) * (1.0, 0.5), (900.0, -WIDE / 2))
    assert [middle(q) for q in beside_of([*flat, side], row)] == [middle(q) for q in flat]
    assert not beside_of([], row)


@pytest.mark.parametrize(("hidden", "glare"), [(True, False), (False, True)])
def test_a_row_is_looked_for_where_its_ends_are_hidden(hidden: bool, glare: bool) -> None:
    row = row_at()
    seen = faces_of(range(3, 10))
    assert row.follow([], seen, hidden=hidden, glare=glare).span == row.span
    left, right = row.follow([], seen, hidden=False, glare=False).span
    assert left > row.span[0] + 2 * WIDE and right < row.span[1] - 2 * WIDE
    # A tile more can be seen at each end of what is looked at, wherever it has not moved enough to be followed.
    assert left < seen[0].at - 1.8 * WIDE and right > seen[-1].at + 1.8 * WIDE


def picture(*, arm: bool) -> ImageArray:
    found = np.full((600, 1000, 3), 90, np.uint8)
    if arm:
        found[280:, 400:480] = (20, 40, 200)
    return found


def test_what_lies_before_a_row_for_a_while_belongs_to_the_table() -> None:
    row = row_at()
    front = Front(picture(arm=False), row, 0.0)
    ((left, right),) = front.look(picture(arm=True), 0.1, ())
    where = row.to_picture(np.array([[left, 0.0], [right, 0.0]]))[:, 0]
    assert where == pytest.approx([400, 480], abs=WIDE / 4)
    for time in np.arange(0.2, LEARN_SECONDS, 0.1):
        assert front.look(picture(arm=True), float(time), ())
    front.look(picture(arm=True), LEARN_SECONDS + 0.2, ())
    assert front.look(picture(arm=True), LEARN_SECONDS + 0.3, ()) == ()
    assert front.look(picture(arm=False), 5.0, ())


def test_a_bump_of_the_camera_hides_nothing_on_a_table_with_a_pattern() -> None:
    cloth = np.full((600, 1000, 3), (120, 20, 200), np.uint8)
    cloth[:, 300:700] = (90, 200, 90)
    front = Front(cloth, row_at(), 0.0)
    bumped = np.roll(cloth, (3, 8), (0, 1))
    assert front.look(bumped, 0.1, ()) == ()
    bumped[280:, 400:480] = (20, 40, 200)
    assert front.look(bumped, 0.2, ())


def test_an_arm_that_lingers_is_not_taken_for_the_pattern_of_the_table() -> None:
    cloth = np.full((600, 1000, 3), (200, 20, 120), np.uint8)
    for k in range(0, 1000, 40):
        cloth[:, k : k + 20] = (40, 200, 90)
    front, arm = Front(cloth, row_at(), 0.0), cloth.copy()
    arm[280:, 400:480] = (120, 110, 105)  # lies between the colours of the pattern
    arm[280:, 430:450] = (20, 40, 240)
    for time in np.arange(0.1, LEARN_SECONDS - 0.2, 0.1):
        assert front.look(arm, float(time), ())
    assert front.look(cloth, LEARN_SECONDS, ()) == ()


def test_two_tiles_without_a_seam_between_them_are_two() -> None:
    row = row_at()
    step = WIDE + 2
    places = [step * k - 200 for k in range(8)]
    quads = [box(at, WIDE) for at in places]
    wide = box((places[3] + places[4]) / 2, 1.4 * WIDE)
    found = two_for_one([*quads[:3], wide, *quads[5:]], row)
    assert sorted(map(middle, found)) == pytest.approx(places, abs=2)
    end = two_for_one([*quads[:6], box((places[6] + places[7]) / 2, 1.4 * WIDE), box(places[7] + 90, WIDE)], row)
    assert len(end) == 9
    drawn = [*quads, box(places[7] + 1.6 * WIDE, 1.05 * WIDE)]
    hole = [*quads[:3], *quads[4:]]
    for alone in (quads, drawn, hole, quads[:1]):
        assert len(two_for_one(alone, row)) == len(alone)


def box(at: float, wide: float) -> FloatArray:
    """A face in row coordinates."""
    return np.array([[u, v] for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * (wide / 2, HIGH / 2) + (at, 0.0)


def test_the_shadow_of_a_tile_hides_nothing_and_an_arm_over_it_does() -> None:
    row = row_at()
    front, shadow = Front(picture(arm=False), row, 0.0), picture(arm=False)
    shadow[280:350, 390:490] = 30
    assert front.look(shadow, 0.1, ()) == ()
    arm = picture(arm=True)
    arm[280:350, 390:400] = 30
    assert front.look(arm, 0.2, ())


def test_light_before_a_row_hides_nothing() -> None:
    front = Front(picture(arm=False), row_at(), 0.0)
    lit = picture(arm=False)
    lit[280:, 400:480] = 250
    assert front.look(lit, 0.1, ())
    assert front.look(lit, 0.2, ((-60.0, -10.0),)) == ()
    assert front.look(lit, 0.3, ((150.0, 190.0),)), "a pale sleeve, far from any light"


def test_a_row_moves_with_its_faces_but_not_while_something_is_before_it() -> None:
    row = row_at()
    quads = [row.to_row(np.array(s.corners)) for s in sightings(parse_tiles("123m456p"), 200, 312)]
    moved = row.follow(quads, [], hidden=False, glare=False)
    assert moved.anchor[1] == pytest.approx(row.anchor[1] + 12, abs=0.5)
    assert row.follow(quads, [], hidden=True, glare=False) == row
    assert replace(moved, anchor=row.anchor) == row


def test_places_stay_what_they_were_where_near_tiles_alone_are_seen_and_are_wider() -> None:
    row = row_at()
    near = sightings(parse_tiles("123m456p"), 200, 312)
    quads = [row.to_row(np.array(s.corners)) for s in near]
    wide = [q.mean(axis=0) + (q - q.mean(axis=0)) * (1.3, 1.0) for q in quads]
    moved = row.follow(wide, [], hidden=False, glare=False)
    assert moved.anchor != row.anchor and moved.wide == pytest.approx(1.3 * row.wide)
    now = moved.to_row(np.array(near[0].corners))
    assert now[:, 0].mean() == pytest.approx(quads[0][:, 0].mean(), abs=0.5)


def test_a_row_keeps_its_size_where_few_of_its_tiles_are_in_line() -> None:
    row = row_at()
    seen = [row.to_row(np.array(s.corners)) for s in sightings(parse_tiles("123m4p"), 200, 300)]
    twice = [seen[0], seen[0] + np.array([5.0, 0.0]), seen[1], seen[1] + np.array([5.0, 0.0])]
    quads = [q + np.array([0.0, 9.0 * (k % 2)]) for k, q in enumerate(twice)]
    assert row.follow(quads, [], hidden=False, glare=True) == row
