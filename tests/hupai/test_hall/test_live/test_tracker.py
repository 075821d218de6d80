"""What the tracker makes of looks that are made up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from hupai.hall.live.row.look import Face, Look, Melds
from hupai.hall.live.row.tracker import CONFIRM, CONFIRM_UNREAD, CONFIRM_UNTOUCHED, LOST_SECONDS, VOTES, RowTracker
from hupai.hall.live.seat_view import SeatView
from scoring.tiles import Tile, parse_tiles, tile

HAND = "123m456p789s1122z"
STEP = 53.0


def faces(
    text: str, drawn: str | None = None, *, without: Iterable[int] = (), unread: Iterable[int] = ()
) -> list[Face]:
    """Tiles that stand side by side, 50 px wide, and one apart; those at some places unseen or unreadable."""
    found = [(k * STEP, t) for k, t in enumerate(parse_tiles(text))]
    if drawn is not None:
        found.append((found[-1][0] + 1.7 * STEP, tile(drawn)))
    return [Face(at, 50.0, {} if k in unread else {t: 0.97}) for k, (at, t) in enumerate(found) if k not in without]


class Watched:
    """A tracker that gets ten looks a second."""

    def __init__(self, text: str = HAND, drawn: str | None = None) -> None:
        self.tracker, self.time = RowTracker(), 0.0
        self.look(faces(text, drawn), times=12)

    def look(
        self,
        row: list[Face],
        *,
        times: int = 1,
        melds: Melds | None = (),
        hidden: tuple[tuple[float, float], ...] = (),
        glare: tuple[tuple[float, float], ...] = (),
        reasons: tuple[str, ...] = (),
        edges: tuple[float, float] = (-1000.0, 1000.0),
    ) -> SeatView:
        for _ in range(times):
            self.time += 0.1
            self.tracker.add(Look(self.time, tuple(row), melds, hidden, glare, reasons, edges))
        return self.tracker.view

    def hand_over(self, place: int, row: list[Face], times: int = 3) -> SeatView:
        """Looks with a hand over three places."""
        span = ((place - 1) * STEP, (place + 1) * STEP)
        return self.look([f for f in row if not span[0] <= f.at <= span[1]], times=times, hidden=(span,))


def shows(view: SeatView, row: str, drawn: str | None = None) -> bool:
    return view.row == tuple(parse_tiles(row)) and view.drawn == (tile(drawn) if drawn else None)


def test_a_row_is_shown_once_looks_agree() -> None:
    tracker = RowTracker()
    first = tracker.add(Look(0.0, tuple(faces(HAND)), ()))
    assert first.state == "looking" and not first.row
    view = Watched().tracker.view
    assert view.state == "hand" and shows(view, HAND)


def test_a_row_is_shown_though_looks_at_other_sizes_overlook_a_tile() -> None:
    watched = Watched()
    watched.tracker = RowTracker()
    for _ in range(CONFIRM):
        watched.look(faces(HAND, without=[4]))
        view = watched.look(faces(HAND))
    assert shows(view, HAND)


def test_no_row_is_shown_while_a_tile_beside_it_is_not_understood() -> None:
    watched = Watched()
    watched.tracker = RowTracker()
    view = watched.look(faces(HAND), times=50, melds=None)  # the last of 14, turned on its side, makes no set
    assert view.state == "looking" and not view.row
    assert shows(watched.look(faces(HAND)), HAND)


def test_a_sleeve_changes_nothing_however_long_it_lies_there() -> None:
    watched = Watched()
    view = watched.hand_over(4, faces(HAND), times=100)
    assert view.state == "covered" and shows(view, HAND)
    assert watched.look(faces(HAND)).state == "hand"


def test_one_in_and_one_out() -> None:
    watched = Watched()
    watched.hand_over(13, faces(HAND))
    assert shows(watched.look(faces(HAND, "5z"), times=3), HAND, "5z")
    watched.hand_over(0, faces(HAND, "5z"))
    assert shows(watched.look(faces("23m456p789s11225z"), times=3), "23m456p789s11225z")


def test_a_sort_needs_no_hand_over_every_tile() -> None:
    watched = Watched("231m456p789s1122z")
    watched.hand_over(9, faces("231m456p789s1122z"))
    assert shows(watched.look(faces(HAND), times=3), HAND)


@pytest.mark.parametrize(("row", "melds"), [("123m456p788s1122z", ()), ("456p789s1122z", (parse_tiles("123m"),))])
def test_what_no_hand_has_changed_is_a_misreading(row: str, melds: Melds) -> None:
    watched = Watched()
    assert shows(watched.look(faces(row), times=CONFIRM_UNTOUCHED - 1, melds=tuple(map(tuple, melds))), HAND)


def test_one_other_name_where_a_hand_was_is_believed() -> None:
    watched = Watched()
    other = faces("123m456p788s1122z")
    watched.hand_over(8, faces(HAND))
    assert shows(watched.look(other, times=3), "123m456p788s1122z")


@pytest.mark.parametrize("reading", ["788s", "799s"])
def test_a_name_that_would_be_new_gives_way_to_one_nearly_as_likely(reading: str) -> None:
    watched = Watched()
    watched.hand_over(8, faces(HAND))
    other = faces(f"123m456p{reading}1122z")
    wanted = parse_tiles(HAND)
    doubtful = [
        f if wanted[k] in f.chances else replace(f, chances={**dict.fromkeys(f.chances, 0.7), wanted[k]: 0.25})
        for k, f in enumerate(other)
    ]
    assert shows(watched.look(doubtful, times=9), HAND)


def test_a_tile_is_not_named_by_one_doubtful_look() -> None:
    watched = Watched()
    watched.hand_over(13, faces(HAND))
    drawn = faces(HAND, "6z")
    lit = [*drawn[:-1], replace(drawn[-1], chances={tile("1s"): 0.3, tile("6z"): 0.1})]
    watched.look(faces(HAND, "6z", unread=[13]), times=2)
    assert shows(watched.look(lit), HAND)
    assert shows(watched.look(drawn), HAND, "6z")


def test_light_that_wanders_over_a_row_changes_nothing() -> None:
    watched = Watched(drawn="5z")
    for place in range(14):
        at = faces(HAND, "5z")[place].at
        view = watched.look(faces(HAND, "5z", without=[place]), times=10, glare=((at - 40, at + 40),))
        assert view.state == "hand" and shows(view, HAND, "5z")
        assert f"blown_out:{place + 1}" in view.reasons


def test_tiles_under_light_that_stays_are_told_from_those_beside_them() -> None:
    watched = Watched()
    glare = ((4 * STEP, 5 * STEP),)
    watched.look(faces(HAND, unread=[4, 5]), times=3, glare=glare)
    watched.look([f for f in faces(HAND) if f.at > 150], times=3, hidden=((-30, 60),), glare=glare)
    # The first has gone and the row has moved up: what was the sixth and the seventh stands in the light.
    view = watched.look(faces("23m456p789s11223z", unread=[4, 5]), times=9, glare=glare)
    assert shows(view, "23m456p789s11223z")


def test_a_tile_that_is_overlooked_stays() -> None:
    watched = Watched(drawn="5z")
    view = watched.look(faces(HAND, "5z", without=[3]), times=10)
    assert shows(view, HAND, "5z")


def test_a_tile_that_no_hand_was_near_is_overlooked_though_another_is_drawn() -> None:
    watched = Watched()
    watched.hand_over(13, faces(HAND))
    assert shows(watched.look(faces(HAND, "5z", without=[0]), times=3), HAND, "5z")
    watched.hand_over(1, faces(HAND, "5z"))
    assert shows(watched.look(faces(HAND, "5z", without=[0]), times=3), HAND[1:], "5z")


def test_the_last_tile_that_no_hand_was_near_is_overlooked_beside_one_that_is_drawn() -> None:
    watched = Watched()
    watched.hand_over(15, faces(HAND))
    assert shows(watched.look(faces(HAND, "5z", without=[12]), times=CONFIRM_UNTOUCHED - 1), HAND, "5z")


def test_the_last_tile_that_no_hand_was_near_is_overlooked_in_a_blurred_picture() -> None:
    watched = Watched(HAND, "5z")
    watched.hand_over(2, faces(HAND, "5z"))
    view = watched.look(faces(HAND), times=CONFIRM, melds=None, reasons=("blurred",))
    assert shows(view, HAND, "5z")


def test_a_tile_seen_since_a_hand_was_over_it_is_overlooked_though_another_is_touched() -> None:
    watched = Watched(HAND, "5z")
    row = faces(HAND, "5z")
    watched.hand_over(4, row)
    watched.look(row)
    watched.hand_over(9, row)
    view = watched.look(faces(HAND, "5z", without=[4]), times=CONFIRM_UNTOUCHED - 1)
    assert shows(view, HAND, "5z")


def test_a_tile_that_no_hand_was_near_is_not_renamed_by_one_look_beside_light() -> None:
    watched = Watched()
    watched.hand_over(13, faces(HAND))
    row, light = faces(HAND, "5z"), ((-60.0, -20.0),)
    watched.look([replace(row[0], chances={tile("2m"): 0.87, tile("1m"): 0.01}), *row[1:]], glare=light)
    view = watched.look([replace(row[0], chances={}), *row[1:]], times=CONFIRM, glare=light)
    assert shows(view, HAND, "5z")


def test_a_tile_that_no_hand_was_near_is_renamed_beside_light_only_by_what_is_sure() -> None:
    watched, light = Watched(), ((5 * STEP + 15, 6 * STEP),)
    row = faces(HAND)
    other = [*row[:5], replace(row[5], chances={tile("8p"): 0.8}), *row[6:]]
    assert shows(watched.look(other, times=30, glare=light), HAND)
    view = watched.look(faces("123m458p789s1122z"), times=VOTES + CONFIRM_UNTOUCHED, glare=light)
    assert shows(view, "123m458p789s1122z")


def test_a_blurred_picture_tells_nothing() -> None:
    watched = Watched()
    view = watched.look(faces(HAND, unread=range(13), without=[5]), times=30, reasons=("blurred",))
    assert view.state == "hand" and shows(view, HAND) and view.reasons == ("blurred",)


def test_a_blurred_picture_in_which_tiles_are_read_tells_them() -> None:
    watched = Watched(drawn="5z")
    watched.hand_over(13, faces(HAND, "5z"))
    assert shows(watched.look(faces(HAND), times=3, melds=None, reasons=("blurred",)), HAND)


def test_blur_renames_no_tile_that_no_hand_was_near() -> None:
    watched = Watched(drawn="5z")
    watched.hand_over(13, faces(HAND, "5z"))
    assert shows(watched.look(faces("123m456p689s1122z"), times=3, reasons=("blurred",)), HAND)


def test_a_tile_stands_apart_beside_the_hole_that_a_discard_leaves() -> None:
    watched = Watched(drawn="5z")
    watched.hand_over(11, faces(HAND, "5z"))
    assert shows(watched.look(faces(HAND, "5z", without=[11]), times=3), "123m456p789s112z", "5z")
    watched.hand_over(10, faces(HAND, "5z"))
    assert shows(watched.look(faces(HAND, "5z", without=[12]), times=3), "123m456p789s112z", "5z")


def test_a_tile_beside_the_hole_alone_was_not_drawn() -> None:
    watched, melds = Watched(), (tuple(parse_tiles("111z")),)
    watched.hand_over(9, faces(HAND))
    watched.look(faces("123m456p78s789m"), times=3, melds=melds)
    watched.hand_over(9, faces("123m456p78s789m"))
    assert shows(watched.look(faces("123m456p78s789m", without=[9]), times=3, melds=melds), "123m456p78s79m")


def test_a_tile_whose_neighbour_is_not_read_was_not_drawn_unless_it_has_stayed() -> None:
    watched = Watched(HAND, "5z")
    watched.hand_over(13, faces(HAND, "5z"))
    row = faces(HAND, unread=[11])
    row[11] = replace(row[11], at=row[11].at - 15)
    assert shows(watched.look(row, times=CONFIRM), HAND)
    watched = Watched(HAND, "5z")
    watched.hand_over(12, faces(HAND, "5z"))
    left = "123m456p789s112z"
    assert shows(watched.look(faces(HAND, "5z", without=[12], unread=[11]), times=CONFIRM), left, "5z")
    watched = Watched(HAND, "5z")
    watched.hand_over(12, faces(HAND, "5z"))
    moved = faces(left, "5z", unread=[11])
    assert shows(watched.look(moved, times=CONFIRM), f"{left}5z")
    assert shows(watched.look(faces(left, "5z")), left, "5z"), "it is told once its neighbour is read"


def test_a_drawn_tile_stands_apart_where_its_side_is_seen_with_it() -> None:
    near = [*faces("4p678s"), Face(4.29 * STEP, 50.0, {tile("8p"): 0.97})]
    watched = Watched("4p678s8p")
    watched.tracker = RowTracker()
    melds = tuple(tuple(parse_tiles(text)) for text in ("111z", "222z", "333z"))
    assert shows(watched.look(near, times=12, melds=melds), "4p678s", "8p")
    jolted = [*faces("4p678s"), Face(4.15 * STEP, 50.0, {tile("8p"): 0.97})]
    watched.tracker = RowTracker()
    assert shows(watched.look(jolted, times=12, melds=melds), "4p678s8p")


def test_a_drawn_tile_stays_apart_though_a_look_finds_it_nearer() -> None:
    watched, (*row, last) = Watched(HAND, "5z"), faces(HAND, "5z")
    row, nearer = ([*row, replace(last, at=row[-1].at + step)] for step in (77.0, 60.0))
    watched.look(row)
    assert shows(watched.look(nearer, times=VOTES, reasons=("blurred",)), HAND, "5z")
    for _ in range(VOTES):
        watched.look(row, times=2)
        assert shows(watched.look(nearer), HAND, "5z")
    assert shows(watched.look(nearer, times=VOTES), HAND + "5z"), "a jolt had moved it"


def test_light_over_the_gap_before_a_drawn_tile_hides_none_there() -> None:
    watched = Watched()
    watched.hand_over(13, faces(HAND))
    row = faces(HAND, "5z", without=[12])
    view = watched.look(row, times=9, glare=((11.6 * STEP, 12.8 * STEP),))
    assert shows(view, HAND, "5z")


def test_light_hides_no_tile_in_the_wide_steps_at_the_near_end_of_a_row() -> None:
    def slanted(row: list[Face]) -> list[Face]:
        return [replace(f, at=f.at + f.at**2 / (70 * STEP), wide=f.wide + f.at / 35) for f in row]

    watched = Watched()
    watched.tracker = RowTracker()
    watched.look(slanted(faces(HAND)), times=12)
    row = [*faces(HAND, without=[12]), Face(14.03 * STEP, 50.0, {tile("5z"): 0.97})]
    watched.look(slanted(row[:11]), times=3, hidden=((640, 1000),))
    assert shows(watched.look(slanted(row), times=9, glare=((700, 790),)), HAND, "5z")


def test_a_drawn_tile_that_a_hand_took_is_gone_though_light_lies_where_it_stood() -> None:
    watched = Watched(drawn="5z")
    at = faces(HAND, "5z")[13].at
    glare = ((at - 40, at + 40),)
    assert shows(watched.look(faces(HAND), times=30, glare=glare), HAND, "5z")
    watched.look(faces(HAND), times=3, hidden=glare)
    assert shows(watched.look(faces(HAND, "5z", unread=[13]), times=30, glare=glare), HAND, "5z")
    assert shows(watched.look(faces(HAND), times=CONFIRM - 1, glare=glare), HAND, "5z")
    assert shows(watched.look(faces(HAND), glare=glare), HAND)


def test_a_drawn_tile_that_is_found_in_light_is_there_though_looks_before_missed_it() -> None:
    watched = Watched(HAND, "5z")
    at = faces(HAND, "5z")[-1].at
    watched.hand_over(2, faces(HAND, "5z"))
    watched.look(faces(HAND), times=CONFIRM - 1, glare=((at - 40, at + 40),))
    view = watched.look(faces(HAND, "5z", unread=[13]), times=CONFIRM, glare=((at - 40, at + 40),))
    assert shows(view, HAND, "5z")


def test_a_hole_beside_light_is_one() -> None:
    watched = Watched(drawn="5z")
    watched.hand_over(5, faces(HAND, "5z"))
    row = faces(HAND, "5z", without=[5])
    beside = ((5.7 * STEP, 6.5 * STEP),)
    assert shows(watched.look(row, times=CONFIRM, glare=beside), "123m45p789s1122z", "5z")


def test_a_tile_that_light_only_touches_is_overlooked() -> None:
    watched = Watched(drawn="5z")
    watched.hand_over(5, faces(HAND, "5z"))
    row = faces(HAND, "5z", without=[5])
    touching = ((5.3 * STEP, 6.5 * STEP),)
    assert shows(watched.look(row, times=2 * CONFIRM_UNTOUCHED, glare=touching), HAND, "5z")


def test_the_last_tile_is_overlooked_though_light_lies_on_less_than_half_of_it() -> None:
    watched = Watched()
    row, melds = faces("123m6p789s112z"), (tuple(parse_tiles("345p")),)
    watched.hand_over(4, faces(HAND))
    watched.look(row, times=CONFIRM - 1, melds=melds)
    light = ((9 * STEP - 60, 9 * STEP - 6),)
    assert shows(watched.look(row[:-1], times=CONFIRM_UNREAD, melds=melds, glare=light), "123m6p789s112z")


def test_a_drawn_tile_that_has_gone_has_not_moved_into_light() -> None:
    watched = Watched(drawn="5z")
    watched.hand_over(13, faces(HAND, "5z"))
    at = 14.6 * STEP
    assert shows(watched.look([*faces(HAND), Face(at, 50.0, {})], times=CONFIRM, glare=((at - 40, at + 40),)), HAND)


def test_light_beside_a_drawn_tile_is_no_tile_too_many() -> None:
    watched = Watched()
    watched.hand_over(13, faces(HAND))
    at = 15 * STEP
    light = ((at - 40, at + 40),)
    assert shows(watched.look([*faces(HAND, "5z"), Face(at, 50.0, {})], times=CONFIRM, glare=light), HAND, "5z")


def test_a_drawn_tile_stands_where_it_was_read_though_light_was_found_beside_it() -> None:
    watched = Watched(drawn="5z")
    drawn, light = 13.7 * STEP, ((13 * STEP, 15.5 * STEP),)
    assert shows(watched.look([*faces(HAND), Face(drawn + 20, 50.0, {})], times=3, glare=light), HAND, "5z")
    watched.hand_over(13, faces(HAND, "5z"))
    assert shows(watched.look([*faces(HAND), Face(drawn + 38, 50.0, {})], times=CONFIRM, glare=light), HAND)


def test_light_on_a_last_tile_that_has_moved_up_to_the_others_is_no_spot() -> None:
    melds = tuple(tuple(parse_tiles(text)) for text in ("123p", "345p"))
    watched = Watched()
    watched.tracker = RowTracker()
    watched.look([*faces("123m456s"), Face(6.7 * STEP, 50.0, {tile("9s"): 0.97})], times=12, melds=melds)
    watched.look([], times=3, melds=None, hidden=((-30, 400),))
    light = ((5.6 * STEP, 6.5 * STEP),)
    view = watched.look(faces("123m456s9s", unread=[6]), times=CONFIRM_UNREAD, melds=melds, glare=light)
    assert shows(view, "123m456s9s")


def test_a_tile_drawn_while_light_hid_it_stands_apart_beside_a_hole() -> None:
    watched = Watched()
    watched.hand_over(12, faces(HAND))
    row = faces(HAND, "5z", without=[12])
    assert shows(watched.look(row, times=CONFIRM), "123m456p789s112z", "5z")


def test_looks_agree_though_light_hides_a_tile_in_one_between_them() -> None:
    watched = Watched(drawn="5z")
    watched.hand_over(4, faces(HAND, "5z"))
    row, light = faces(HAND, "5z", without=[4]), ((14.2 * STEP, 15 * STEP),)
    watched.look(row, times=CONFIRM - 1, glare=light)
    watched.look(row[:-1], glare=light)
    assert shows(watched.look(row, glare=light), "123m46p789s1122z", "5z")


def test_tiles_that_were_called_do_not_stand_in_light() -> None:
    watched = Watched()
    watched.hand_over(9, faces(HAND))
    end = ((11 * STEP - 30, 12 * STEP + 30),)
    called = faces("123m456p789s22z")
    assert shows(watched.look(called, times=9, melds=None, glare=end), HAND)


@pytest.mark.parametrize(
    ("drawn", "after", "unread"),
    [("5m", "123m5m456p789s112z", 2), ("2p", "123m2p456p789s112z", 10), ("1m", "1123m456p789s112z", 12)],
)
def test_what_light_hides_is_what_keeps_the_order_of_the_row(drawn: str, after: str, unread: int) -> None:
    watched = Watched(drawn=drawn)
    watched.hand_over(unread, faces(HAND, drawn))
    at = unread * STEP
    view = watched.look(faces(after, unread=[unread]), times=9, glare=((at - 30, at + 30),))
    assert shows(view, after)


def test_what_was_seen_before_light_came_counts() -> None:
    watched = Watched()
    watched.hand_over(13, faces(HAND))
    watched.look(faces(HAND, "5z"), times=CONFIRM)
    watched.hand_over(12, faces(HAND, "5z"))
    moved = faces("123m456p789s112z5z")
    doubles = [replace(moved[k], at=moved[k].at + 25) for k in (3, 6)]
    watched.look(sorted([*moved, *doubles], key=lambda face: face.at), times=3)  # too many for a hand
    light = ((moved[-1].at - 40, moved[-1].at + 40),)
    unread = [*moved[:-1], replace(moved[-1], chances={})]
    # What light lies on at the end of a row may be no tile.
    assert shows(watched.look(unread, times=CONFIRM_UNREAD - 1, glare=light), HAND, "5z")
    assert shows(watched.look(unread, glare=light), "123m456p789s112z5z")


def test_a_call_is_shown_when_row_and_set_fit_together() -> None:
    watched = Watched()
    meld: tuple[Tile, ...] = tuple(parse_tiles("111z"))
    watched.hand_over(9, faces(HAND))
    assert shows(watched.look(faces("123m456p789s22z"), times=10), HAND)  # the tiles are in the player's hand
    watched.look(faces("123m456p789s22z"), times=2, melds=(meld,))
    view = watched.look(faces("123m456p789s22z"), melds=None)  # light has come over the set
    assert shows(view, "123m456p789s22z") and view.melds == (meld,)
    # Where the set cannot be made out for a while, it is still there.
    assert watched.look(faces("123m456p789s22z"), times=9, melds=None).melds == (meld,)


def test_tiles_of_a_set_that_was_called_are_not_the_one_in_light() -> None:
    watched, meld = Watched(), tuple(parse_tiles("234m"))
    watched.hand_over(1, faces(HAND))
    row = faces("1m456p789s1122z", unread=[0])
    view = watched.look(row, times=CONFIRM, melds=(meld,), glare=((-25.0, 25.0),))
    assert shows(view, "1m456p789s1122z") and view.melds == (meld,)


def test_a_set_for_which_the_row_has_lost_no_tile_is_not_the_players() -> None:
    melds = tuple(tuple(parse_tiles(text)) for text in ("123p", "345p", "666m"))
    watched = Watched("1222z")
    watched.tracker = RowTracker()
    watched.look(faces("1222z"), times=12, melds=melds)
    watched.look([], times=3, melds=None, hidden=((-30, 400),))
    wall = tuple(parse_tiles("555z"))
    view = watched.look(faces("1222z", "9s"), times=CONFIRM, melds=(wall, *melds))
    assert shows(view, "1222z", "9s") and view.melds == melds


def test_a_set_of_tiles_that_never_stood_there_is_doubted() -> None:
    watched = Watched()
    row, wall, called = faces("123m6p789s112z"), (tuple(parse_tiles("555z")),), (tuple(parse_tiles("345p")),)
    watched.hand_over(4, faces(HAND))
    assert shows(watched.look(row, times=CONFIRM, melds=wall), HAND)
    assert shows(watched.look(row, times=CONFIRM, melds=called), "123m6p789s112z")
    watched.hand_over(9, row)
    view = watched.look(faces("123m6p789s11z"), times=CONFIRM_UNTOUCHED - 1, melds=(*wall, *called))
    assert shows(view, "123m6p789s112z")


def test_a_hand_that_is_contradicted_for_long_is_told_no_more() -> None:
    watched = Watched()
    row = faces("123m6p789s112z")  # two tiles were called away, and light lies on their set
    for place in (4, 12):
        watched.hand_over(place, faces(HAND))
    assert shows(watched.look(row, times=CONFIRM_UNTOUCHED, melds=None), HAND)
    view = watched.look(row, melds=None)
    assert view.state == "looking" and not view.row
    view = watched.look(row, times=3, melds=(tuple(parse_tiles("345p")),))
    assert shows(view, "123m6p789s112z") and view.state == "hand"


def test_a_tile_that_the_edge_of_the_picture_cuts_stands_there_until_one_may_be_discarded() -> None:
    watched, edges = Watched(), (-27.0, 1000.0)
    cut = faces(HAND, "5z", without=[0])
    watched.hand_over(0, faces(HAND))
    assert shows(watched.look(cut, times=CONFIRM, edges=edges), HAND, "5z"), "none is discarded before a draw"
    assert shows(watched.look(cut, times=2 * CONFIRM_UNTOUCHED, edges=edges), HAND, "5z"), "no hand was near"
    watched.hand_over(0, cut)
    assert shows(watched.look(faces(HAND, without=[0]), times=CONFIRM, edges=edges), HAND), "else they were too few"
    watched = Watched(HAND, "5z")
    watched.hand_over(0, faces(HAND, "5z"))
    assert shows(watched.look(cut, times=CONFIRM, edges=edges), "23m456p789s1122z", "5z")


def test_a_row_that_is_bumped_is_the_same_row() -> None:
    watched = Watched()
    moved = [replace(f, at=f.at + 18) for f in faces(HAND)]
    assert watched.look(moved, times=5).state == "hand"
    moved = [replace(f, at=f.at + 36) for f in faces(HAND)]
    assert shows(watched.look(moved, times=5), HAND)


def test_a_tile_that_a_bump_moves_a_little_further_than_the_others_is_not_there_twice() -> None:
    watched = Watched(drawn="5z")
    watched.hand_over(13, faces(HAND, "5z"))
    moved = [replace(f, at=f.at + (22 if k == 3 else 20)) for k, f in enumerate(faces(HAND))]
    assert shows(watched.look(moved, times=CONFIRM), HAND)


def test_what_is_out_of_sight_is_lost() -> None:
    watched = Watched()
    assert shows(watched.look([], times=int(10 * LOST_SECONDS) - 5, melds=None), HAND)
    view = watched.look([], times=10, melds=None, reasons=("no_row",))
    assert view == SeatView("lost", reasons=("no_row",))
    assert shows(watched.look(faces(HAND)), HAND)


def test_a_new_deal_is_another_hand() -> None:
    watched = Watched()
    other = "234m567p234s5566z"
    watched.hand_over(4, faces(HAND))
    assert shows(watched.look(faces(other), times=CONFIRM - 1), HAND)
    assert shows(watched.look(faces(other)), other)
