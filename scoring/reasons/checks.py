"""Contradictions that several systems refuse, each as a function from a case to faults."""

from __future__ import annotations

from typing import Any, Final

from scoring.arrangements.splits import waits_from_counts
from scoring.context import Win
from scoring.errors import Fault
from scoring.hand import too_many_beside
from scoring.rulebook.shapes import Shapes
from scoring.seats import Seat
from scoring.system import Case
from scoring.tiles import KINDS, format_tiles
from scoring.words.sentence import say

_NONE: Final = bytes(KINDS)


def _fault(message: str, name: str) -> Fault:
    return Fault("contradiction", message, f"context.{name}")


def liable_fault(kind: str, contradiction: str) -> Fault:
    """Return the fault of a liability of this kind that the hand, in so many words, contradicts."""
    return _fault(say("{kind}: {a}", kind=kind, a=say(contradiction)), "liable")


def heavenly_faults(case: Case[Any]) -> list[Fault]:
    """A win on the deal is the dealer's, with nothing claimed."""
    faults = []
    if case.context.heavenly:
        if case.context.seat is not Seat.E:
            faults.append(_fault("Only the dealer can have a heavenly hand: seat must be E.", "heavenly"))
        if case.hand.melds:
            faults.append(_fault("A heavenly hand is won on the deal: it has no melds.", "heavenly"))
    return faults


def earthly_by_discard_faults(case: Case[Any]) -> list[Fault]:
    """Here an earthly hand wins on the dealer's first discard."""
    c = case.context
    faults = []
    if c.earthly:
        if c.seat is Seat.E:
            faults.append(_fault("The dealer cannot have an earthly hand: seat cannot be E.", "earthly"))
        if c.self_drawn or c.source not in (None, Seat.E):
            faults.append(_fault("An earthly hand wins on the dealer's first discard: from must be E.", "earthly"))
        if case.hand.melds:
            faults.append(_fault("An earthly hand has no melds.", "earthly"))
    return faults


def humanly_faults(case: Case[Any]) -> list[Fault]:
    """A humanly hand wins on a first-round discard before the winner's first draw."""
    c = case.context
    faults = []
    if c.humanly:
        if c.seat is Seat.E:
            faults.append("The dealer cannot have a human hand: seat cannot be E.")
        if c.self_drawn:
            faults.append("A human hand wins on a discard: win must be discard.")
        if case.hand.melds:
            faults.append("A human hand has no melds.")
    return [Fault("contradiction", message, "context.humanly") for message in faults]


def flower_win_faults(case: Case[Any]) -> list[Fault]:
    """A flower win shows all eight flowers and seasons, or seven and robs the eighth."""
    c, hand = case.context, case.hand
    flowers = sum(t.suit in "fg" for t in hand.bonus)
    faults = []
    if c.win is Win.DISCARD:
        faults.append("Flowers are never discarded: with flower_win, win is self_draw, or robbed_kong for the eighth.")
    elif flowers < (8 if c.self_drawn else 7):
        need = (
            "A flower win needs all eight flowers and seasons among the bonus tiles, not {n}."
            if c.self_drawn
            else "A flower win needs seven of the flowers and seasons among the bonus tiles, not {n}."
        )
        faults.append(say(need, n=flowers))
    if c.win is Win.ROBBED_KONG and hand.winning_tile is not None:
        faults.append("The robbed tile is the eighth flower: leave winning_tile out.")
    if c.heavenly or c.earthly or c.humanly:
        faults.append("A flower win is not a heavenly, earthly or human hand.")
    drawn = c.win is not Win.ROBBED_KONG  # who robs the eighth has drawn nothing
    if hand.winning_tile is None and len(hand.concealed) > 3 * (hand.sets - len(hand.melds)) + 1 + drawn:
        faults.append(too_many_beside(hand))
    return [Fault("contradiction", message, "context.flower_win") for message in faults]


def robbed_kong_faults(case: Case[Any]) -> list[Fault]:
    """A robbed tile is the fourth of its kind: the winner holds none of the other three, nor set one aside."""
    tile = case.hand.winning_tile
    if case.context.win is not Win.ROBBED_KONG or tile is None:
        return []
    if case.counts[tile.kind] > 1 or any(t.kind == tile.kind for t in case.hand.bonus):
        return [
            _fault(
                say("The robbed {t} is the fourth of its kind, so the winner cannot hold another {u}.", t=tile, u=tile),
                "win",
            )
        ]
    return []


def replacement_faults(case: Case[Any], *, bonus_counts: bool) -> list[Fault]:
    """A replacement tile needs a kong (or a bonus tile); a double one needs two kongs."""
    kongs = sum(m.type.is_kong for m in case.hand.melds)
    faults = []
    if case.context.replacement and not kongs and not (bonus_counts and case.hand.bonus):
        needs = "A replacement tile needs a kong or a bonus tile in the hand."
        faults.append(_fault(needs if bonus_counts else "A replacement tile needs a kong in the hand.", "replacement"))
    if case.context.double_kong and kongs < 2:
        faults.append(_fault(say("double_kong needs two kongs in the hand, not {n}.", n=kongs), "double_kong"))
    return faults


def winning_tile_faults(case: Case[Any]) -> list[Fault]:
    """Everything but a win by bonus tiles alone has a winning tile."""
    if case.hand.winning_tile is None:
        return [Fault("no_winning_tile", "Say which tile won: winning_tile is missing.", "winning_tile")]
    return []


def claimed_meld_faults(case: Case[Any]) -> list[Fault]:
    """A set is claimed from another player."""
    return [
        Fault("contradiction", say("A winner cannot claim their own {t}.", t=format_tiles(meld.tiles)), f"melds[{i}]")
        for i, meld in enumerate(case.hand.melds)
        if meld.source is case.context.seat
    ]


def chow_source_faults(case: Case[Any]) -> list[Fault]:
    """A chow takes the discard of the player before, nobody else's."""
    before = case.context.seat.after(3)
    return [
        Fault(
            "contradiction",
            say("{t}: {s} chows from {v} only.", t=format_tiles(m.tiles), s=case.context.seat, v=before),
            f"melds[{i}]",
        )
        for i, m in enumerate(case.hand.melds)
        if m.type.value == "chow" and m.source not in (None, before, case.context.seat)
    ]


def kinds_waited_for(case: Case[Any], shapes: Shapes, *, formal: bool) -> tuple[int, ...]:
    """Return the kinds that would have won; formally, also one of which the hand holds all four, melds included."""
    counts, held, won = list(case.hand.held), list(case.counts), case.hand.winning_tile
    if won is not None:
        counts[won.kind] -= 1
        held[won.kind] -= 1
    return waits_from_counts(counts, shapes, _NONE if formal else held)


def winning_tile_shown(case: Case[Any]) -> bool:
    """Whether a tile of the winning kind lies in one of the winner's claimed melds, seen by everybody."""
    tile = case.hand.winning_tile
    claimed = [m for m in case.hand.melds if m.type.value != "kong_concealed"]
    return tile is not None and any(t.kind == tile.kind for m in claimed for t in m.tiles)
