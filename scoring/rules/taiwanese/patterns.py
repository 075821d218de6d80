"""Which elements a Taiwanese hand meets; what contains what is decided afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from scoring.arrangements.arrange import Arrangement, Shape, Wait
from scoring.context import Win
from scoring.hand import KONG_CONCEALED, KONG_OPEN
from scoring.reasons.checks import kinds_waited_for
from scoring.rules.taiwanese.context import TaiwaneseContext
from scoring.rules.taiwanese.options import TaiwaneseOptions, shapes_played, tai_values
from scoring.seats import Seat
from scoring.system import Case
from scoring.tiles import EAST, WHITE, kind_name

Found = tuple[str, int, tuple[object, ...]]
"""An element: its id, how often it counts, what meets it."""

_CONCEALED: Final = ("three_concealed", "four_concealed", "five_concealed")
_KONGS: Final = ("three_kongs", "four_kongs", "five_kongs")
_SINGLE: Final = (Wait.EDGE, Wait.CLOSED, Wait.SINGLE)


def dealer_elements(case: Case[TaiwaneseOptions]) -> Iterator[Found]:
    """What the dealer's win adds."""
    c = case.context.convert_to(TaiwaneseContext)
    if c.seat is Seat.E:
        yield "dealer", 1, ()
        if c.streak > 1:
            yield "streak", c.streak - 1, ()


def flower_win_element(case: Case[TaiwaneseOptions]) -> str:
    """The element that a win by flowers is."""
    return "eight_flowers" if case.context.self_drawn else "seven_flowers"


def flower_elements(case: Case[TaiwaneseOptions]) -> Iterator[Found]:
    """Flowers and seasons."""
    held = {t.code for t in case.hand.bonus}
    if case.context.flower_win:
        yield flower_win_element(case), 1, ()
    number = case.context.seat.turn + 1
    other = set(held)
    for letter, own, full in (("f", "own_flower", "all_flowers"), ("g", "own_season", "all_seasons")):
        mine = f"{letter}{number}"
        if letter == "f" and case.options.west_flower == "bamboo":
            mine = {"f3": "f4", "f4": "f3"}.get(mine, mine)
        other.discard(mine)
        if sum(code[0] == letter for code in held) == 4:
            yield full, 1, ()
            if case.compute_once(tai_values)[full] and not case.options.flower_set_keeps_own:
                other = {code for code in other if code[0] != letter}
        if mine in held:
            yield own, 1, (mine,)
    if case.options.every_flower and other:
        yield "other_flower", len(other), tuple(sorted(other))
    if not case.hand.bonus:
        yield "no_flowers", 1, ()
        if not case.has_honours:
            yield "plain_tiles", 1, ()


def is_fourth_kong(case: Case[TaiwaneseOptions]) -> bool:
    """Whether a player's fourth kong wins here, with no winning tile: declared by himself, or claimed."""
    hand, kongs = case.hand, [m.type for m in case.hand.melds if m.type.is_kong]
    ended = case.context.self_drawn or (case.context.win is Win.DISCARD and KONG_OPEN in kongs)
    waits = hand.winning_tile is None and len(kongs) == len(hand.melds) == 4 and len(hand.concealed) == hand.sets - 1
    return case.options.fourth_kong_wins and waits and ended


def hand_elements(case: Case[TaiwaneseOptions], a: Arrangement) -> Iterator[Found]:
    """The type of hand and its sets."""
    if a.shape is Shape.EIGHT_PAIRS:
        yield "eight_pairs", 1, ()
    if case.suit_count == 0:
        yield "all_honours", 1, ()
    elif case.suit_count == 1:
        yield ("half_flush" if case.has_honours else "full_flush"), 1, ()
    if a.shape is Shape.STANDARD and len(a.triplets) == case.hand.sets:
        yield "all_pungs", 1, ()
    if _is_all_chows(case, a):
        yield "all_chows", 1, ()
    yield from set_elements(case, a)


def set_elements(case: Case[TaiwaneseOptions], a: Arrangement) -> Iterator[Found]:
    """The sets held."""
    concealed = sum(m.type is KONG_CONCEALED for m in case.hand.melds)
    tai = case.compute_once(tai_values)
    yield from _greatest(_KONGS[: max(0, a.kongs - 2)], tai)
    if concealed:
        yield "concealed_kong", concealed, ()
    if a.kongs > concealed:
        yield "melded_kong", a.kongs - concealed, ()
    yield from _greatest(_CONCEALED[: max(0, len(a.concealed_triplets) - 2)], tai)
    yield from _honours(case, a)


def _greatest(met: Sequence[str], tai: Mapping[str, int]) -> Iterator[Found]:
    """The greatest of these that the house plays; the lesser come first."""
    played = [name for name in met if tai[name]]
    yield from ((name, 1, ()) for name in played[-1:])


def _is_all_chows(case: Case[TaiwaneseOptions], a: Arrangement) -> bool:
    o = case.options
    two_sided = o.chows_any_wait or a.wait is Wait.TWO_SIDED
    plain = len(a.chows) == case.hand.sets and (o.chows_any_pair or a.pair < EAST) and two_sided
    flowers = case.hand.bonus and not o.chows_with_flowers
    return bool(plain and not flowers and (case.claimed or o.chows_self_drawn))


def _honours(case: Case[TaiwaneseOptions], a: Arrangement) -> Iterator[Found]:
    c = case.context
    winds = [k for k in a.triplets if EAST <= k < WHITE]
    dragons = [k for k in a.triplets if k >= WHITE]
    if len(winds) == 4:
        yield "big_winds", 1, ()
    elif len(winds) == 3 and EAST <= a.pair < WHITE:
        yield "little_winds", 1, ()
    if len(dragons) == 3:
        yield "big_dragons", 1, ()
    elif len(dragons) == 2 and a.pair >= WHITE:
        yield "little_dragons", 1, ()
    if dragons:
        yield "dragon_pung", len(dragons), tuple(map(kind_name, dragons))
    tai, own = case.compute_once(tai_values), set[int]()
    for name, wind in (("round_wind", c.round.wind), ("seat_wind", c.seat.wind)):
        if wind in winds and tai[name]:
            own.add(wind)
            yield name, 1, (kind_name(wind),)
    others = [k for k in winds if k not in own]
    if case.options.every_wind and others:
        yield "other_wind", len(others), tuple(map(kind_name, others))


def win_elements(case: Case[TaiwaneseOptions], a: Arrangement) -> Iterator[Found]:
    """How the hand was won."""
    c, melds = case.context.convert_to(TaiwaneseContext), case.hand.melds
    claimed = [m for m in melds if m.type is not KONG_CONCEALED]
    kongs = any(m.type.is_kong for m in melds)
    facts = (
        (c.heavenly, "heavenly_hand"),
        (c.earthly, "earthly_hand"),
        (c.humanly, "human_hand"),
        (c.heavenly_ready, "heavenly_ready"),
        (c.earthly_ready, "earthly_ready"),
        (len(claimed) == case.hand.sets, "half_claimed" if c.self_drawn else "all_claimed"),
        (not claimed and c.self_drawn, "fully_concealed"),
        (not claimed, "concealed_hand"),
        (c.self_drawn, "self_drawn"),
        (c.declared_ready, "declared_ready"),
        (_is_single(case, a), "single_wait"),
        (c.win is Win.ROBBED_KONG, "robbing_kong"),
        ((c.replacement and (kongs or case.options.flower_replacement)) or c.double_kong, "on_replacement"),
        (c.last_tile, "last_tile_draw" if c.self_drawn else "last_tile_claim"),
    )
    return ((name, 1, ()) for true, name in facts if true)


def _is_single(case: Case[TaiwaneseOptions], a: Arrangement) -> bool:
    if a.shape is not Shape.STANDARD or a.wait not in _SINGLE:
        return False
    return case.options.single_wait == "shape" or len(case.compute_once(_waits)) == 1


def _waits(case: Case[TaiwaneseOptions]) -> tuple[int, ...]:
    return kinds_waited_for(case, shapes_played(case.options), formal=case.options.single_wait == "formal")
