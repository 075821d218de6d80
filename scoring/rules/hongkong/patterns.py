"""Which elements a Hong Kong hand meets, as scored lines; what absorbs what is decided afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scoring.arrangements.arrange import Arrangement, Shape
from scoring.arrangements.units import UnitType
from scoring.context import Win
from scoring.options import is_played
from scoring.rules.hongkong.elements import ELEMENTS, FAAN
from scoring.rules.hongkong.options import HongKongOptions
from scoring.system import Case, Line
from scoring.tiles import GREEN, RED, WHITE, WINDS, kind_name

DRAGONS: Final = ((RED, "red_dragon"), (GREEN, "green_dragon"), (WHITE, "white_dragon"))


def _line(id_: str, *about: object) -> Line:
    return Line(ELEMENTS[id_], FAAN[id_], about=about)


def hand_lines(case: Case[HongKongOptions], a: Arrangement) -> Iterator[Line]:
    """The type of hand and the sets held."""
    if a.shape is Shape.THIRTEEN_ORPHANS:
        yield _line("thirteen_orphans", kind_name(a.pair))
        return
    standard = a.shape is Shape.STANDARD
    if not standard:
        yield _line("seven_pairs", *a.units)
    elif len(a.chows) == 4 or len(a.triplets) == 4:
        sets = [u for u in a.units if u.type is not UnitType.PAIR]
        yield _line("common_hand" if a.chows else "all_triplets", *sets)
    if case.suit_count == 0:
        yield _line("all_honors")
    elif case.suit_count == 1:
        if case.nine_gates_wait or (case.options.nine_gates_self_drawn and _nine_gates_drawn(case)):
            yield _line("nine_gates", case.hand.winning_tile)
        yield _line("mixed_one_suit" if case.has_honours else "all_one_suit")
    if standard and a.triplets:
        yield from _triplet_lines(case, a)
    outer = case.has_terminals and case.has_honours and not case.has_simples
    if outer and (standard or case.options.seven_pairs_mixed_orphans):
        yield _line("mixed_orphans")


def _nine_gates_drawn(case: Case[HongKongOptions]) -> bool:
    """A self-drawn 1112345678999 and one more, of the one suit there is, whatever the hand waited for."""
    won, hand = case.hand.winning_tile, case.hand
    if not case.context.self_drawn or won is None or hand.melds or case.has_honours:
        return False
    numbers = hand.counts[won.kind - won.kind % 9 :][:9]
    return min(numbers) > 0 and numbers[0] > 2 and numbers[8] > 2


def _small_winds_pair(case: Case[HongKongOptions], pair: int) -> bool:
    """Whether the house allows this wind as the pair of Small Winds."""
    barred = {
        "any": (),
        "not_round": (case.context.round.wind,),
        "not_seat": (case.context.seat.wind,),
        "neither": (case.context.round.wind, case.context.seat.wind),
    }
    return pair in WINDS and pair not in barred[case.options.small_winds_pair]


def _triplet_lines(case: Case[HongKongOptions], a: Arrangement) -> Iterator[Line]:
    dragons = [name for kind, name in DRAGONS if kind in a.triplets]
    winds = [k for k in WINDS if k in a.triplets]
    if len(dragons) == 3:
        yield _line("great_dragons")
    elif len(dragons) == 2 and a.pair in (RED, GREEN, WHITE):
        yield _line("small_dragons")
    if len(winds) == 4:
        yield _line("great_winds")
    elif len(winds) == 3 and _small_winds_pair(case, a.pair):
        yield _line("small_winds")
    if a.kongs == 4:
        yield _line("all_kongs")
    if len(a.concealed_triplets) == 4 and (case.options.self_triplets_kongs or not a.kongs):
        yield _line("self_triplets")
    if case.has_terminals and not case.has_simples and not case.has_honours:
        yield _line("orphans")
    if case.context.seat.wind in winds:
        yield _line("seat_wind", kind_name(case.context.seat.wind))
    if case.context.round.wind in winds:
        yield _line("prevailing_wind", kind_name(case.context.round.wind))
    for name in dragons:
        yield _line(name)


def win_lines(case: Case[HongKongOptions]) -> list[Line]:
    """How the hand was won."""
    c = case.context
    facts = (
        (c.self_drawn, "self_pick"),
        (case.is_concealed and (c.self_drawn or not case.options.concealed_requires_self_pick), "concealed_hand"),
        (c.win is Win.ROBBED_KONG, "robbing_kong"),
        (c.last_tile, "last_catch"),
        (c.replacement, "win_by_kong"),
        (c.double_kong, "win_by_double_kong"),
        (c.heavenly, "heavenly_hand"),
        (c.earthly, "earthly_hand"),
    )
    return [_line(name) for true, name in facts if true]


def bonus_lines(case: Case[HongKongOptions]) -> list[Line]:
    """Flowers and seasons, or that there is none."""
    if not case.options.bonus_tiles_in_play:
        return []
    held = {t.code for t in case.hand.bonus}
    if not held:
        return [_line("no_bonus_tiles")]
    lines = []
    number = case.context.seat.turn + 1
    for letter, own, full in (("f", "own_flower", "all_flowers"), ("g", "own_season", "all_seasons")):
        complete = sum(code[0] == letter for code in held) == 4 and is_played(case.options.values, full)
        if complete:
            lines.append(_line(full))
        if f"{letter}{number}" in held and (not complete or case.options.flower_set_keeps_own):
            lines.append(_line(own, f"{letter}{number}"))
    return lines
