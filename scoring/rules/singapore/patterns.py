"""Which elements a Singapore hand meets: each as its id and the tiles that meet it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scoring.arrangements.arrange import Arrangement, Shape
from scoring.arrangements.splits import count_tiles, is_seven_pairs, is_standard
from scoring.arrangements.units import UnitType
from scoring.context import Win
from scoring.rules.singapore.options import SingaporeOptions
from scoring.system import Case
from scoring.tiles import DRAGONS, GREENS, KINDS, PLAIN, WINDS

Found = tuple[str, tuple[object, ...]]
"""An element's id, and what it is about; one that counts for each tile or set (``EACH``) is about all of them."""

FLOWERS: Final = tuple(f"{letter}{number}" for letter in "fg" for number in range(1, 5))
ANIMALS: Final = ("a1", "a2", "a3", "a4")


def held_bonus_tiles(case: Case[SingaporeOptions]) -> tuple[str, ...]:
    """The bonus tiles, among them the eighth flower that was robbed."""
    held = {t.code for t in case.hand.bonus}
    if case.context.flower_win:
        held.update(FLOWERS)
    return tuple(code for code in (*FLOWERS, *ANIMALS) if code in held)


def bonus_elements(case: Case[SingaporeOptions]) -> list[Found]:
    """Flowers, seasons, animals, and a win by flowers."""
    if not case.hand.bonus:
        return []
    c = case.context
    held = held_bonus_tiles(case)
    number = str(c.seat.turn + 1)
    animals = tuple(code for code in held if code[0] == "a")
    own = tuple(code for code in held if code[0] != "a" and code[1] == number)
    found: list[Found] = [("seat_flower", own)] if own else []
    for letter, name in (("f", "flower_set"), ("g", "season_set")):
        if sum(code[0] == letter for code in held) == 4:
            found.append((name, ()))
    if animals:
        found.append(("animal", animals))
    if len(animals) == 4:
        found.append(("animal_set", ()))
    if c.flower_win:
        own_tiles = {t.code for t in case.hand.bonus}
        found.append(("flower_win", tuple(code for code in FLOWERS if code not in own_tiles)))  # the robbed one
    return found


def hand_elements(case: Case[SingaporeOptions], a: Arrangement) -> Iterator[Found]:
    """What the tiles themselves make."""
    if a.shape is Shape.THIRTEEN_ORPHANS:
        yield "thirteen_orphans", (PLAIN[a.pair],)
        return
    if a.shape is Shape.SEVEN_PAIRS:
        yield "seven_pairs", a.units
    if case.suit_count == 0:
        yield "all_honours", ()
    elif case.suit_count == 1:
        yield ("half_flush" if case.has_honours else "full_flush"), ()
        if case.nine_gates_wait:
            yield "nine_gates", (case.hand.winning_tile,)
    if sum(case.counts[k] for k in GREENS) == sum(case.counts):
        yield "all_green", ()
    if len(a.chows) == 4:
        if _all_chows(case, a):
            yield ("lesser_all_chows" if case.hand.bonus else "all_chows"), ()
    elif a.triplets:
        yield from _triplet_elements(case, a)


def _triplet_elements(case: Case[SingaporeOptions], a: Arrangement) -> Iterator[Found]:
    triplets = a.triplets
    if len(triplets) == 4:
        yield "all_pungs", tuple(u for u in a.units if u.type is not UnitType.PAIR)
        if not case.has_simples and case.has_terminals:
            yield ("mixed_terminals" if case.has_honours else "all_terminals"), ()
        if len(a.concealed_triplets) == 4 and (case.options.concealed_pungs_by_discard or not case.claimed):
            yield "four_concealed_pungs", ()
        if a.kongs == 4:
            yield "all_kongs", ()
    dragons = [k for k in triplets if k in DRAGONS]
    if dragons:
        yield "dragon_pung", tuple(PLAIN[k] for k in dragons)
    if len(dragons) == 3:
        yield "big_three_dragons", ()
    elif len(dragons) == 2 and a.pair in DRAGONS:
        yield "small_three_dragons", ()
    winds = [k for k in triplets if k in WINDS]
    if case.context.seat.wind in winds:
        yield "seat_wind", (PLAIN[case.context.seat.wind],)
    if case.context.round.wind in winds:
        yield "prevailing_wind", (PLAIN[case.context.round.wind],)
    if len(winds) == 4:
        yield "big_four_winds", ()
    elif len(winds) == 3 and a.pair in WINDS:
        yield "small_four_winds", ()


def win_elements(case: Case[SingaporeOptions]) -> list[Found]:
    """How the winning tile came."""
    c = case.context
    facts = (
        (case.is_concealed and (case.options.concealed_by_discard or c.self_drawn), "concealed_hand"),
        (c.self_drawn and c.last_tile, "last_tile"),
        (c.replacement, "replacement_tile"),
        (c.win is Win.ROBBED_KONG, "robbing_kong"),
        (c.double_kong, "double_kong"),
        (c.heavenly, "heavenly_hand"),
        (c.earthly, "earthly_hand"),
        (c.humanly, "humanly_hand"),
    )
    return [(name, ()) for true, name in facts if true]


def _all_chows(case: Case[SingaporeOptions], a: Arrangement) -> bool:
    """Four chows pass when the pair is worth nothing and the wait was for two kinds, or the tile self-drawn."""
    c = case.context
    if a.pair in DRAGONS or a.pair in (c.seat.wind, c.round.wind):
        return False
    if not case.claimed and len(case.hand.melds) < 4:
        return True
    return _waits_for_two(case)


def _waits_for_two(case: Case[SingaporeOptions]) -> bool:
    """Another kind than the winning one would have completed the hand; a kind held four times is no wait.

    The two other ends of a chow are tried first, as most hands have such a wait.
    """
    winning = case.hand.winning_tile
    assert winning is not None  # an arrangement with sets has one
    counts = count_tiles(case.hand.concealed)
    win = winning.kind
    others = (win + 3, win - 3, *(k for k in range(KINDS) if k not in (win, win - 3, win + 3)))
    for kind in others:
        if not 0 <= kind < KINDS or case.counts[kind] == 4:
            continue
        counts[kind] += 1
        if is_standard(counts) or (case.options.seven_pairs and is_seven_pairs(counts)):
            return True
        counts[kind] -= 1
    return False
