"""Hong Kong penalties: a player who pays what all three losers would have paid.

The caller names the penalty; what the hand itself contradicts is refused. ``other`` fits any hand.
"""

from __future__ import annotations

from typing import Final

from scoring.context import Win
from scoring.errors import Fault, choice_message
from scoring.hand import MeldType
from scoring.reasons.checks import liable_fault, winning_tile_shown
from scoring.rules.hongkong.options import HongKongOptions
from scoring.seats import Seat
from scoring.system import Case
from scoring.words.sentence import say

LIABLE_KINDS: Final = {
    "nine_piece": "nine-piece penalty 九張包",
    "twelve_piece": "twelve-piece penalty 十二張包自摸",
    "fifth_tile": "fifth-tile penalty 五子包生",
    "robbed_kong": "robbed kong 搶槓",
    "other": "house penalty",
}
"""Kinds of ``context.liable`` and their names."""
_TWELVE_PIECE: Final = (
    "All four sets of the suit were exposed: by the twelve-piece penalty 十二張包自摸 the giver of the fourth pays for "
    "all. Name them as liable."
)
_NINE_PIECE: Final = (
    "{n} sets of the suit were exposed: by the nine-piece penalty 九張包 the discarder pays for all. "
    "Name them as liable."
)


def liable_faults(case: Case[HongKongOptions]) -> list[Fault]:
    """An unknown penalty, or one that the hand contradicts."""
    liable = case.context.liable
    if liable is None:
        return []
    if liable.kind not in LIABLE_KINDS:
        return [Fault("bad_value", choice_message("liable.kind", LIABLE_KINDS, liable.kind), "context.liable")]
    return [liable_fault(liable.kind, message) for message in _contradictions(case, liable.kind, liable.seat)]


def liable_hint(case: Case[HongKongOptions]) -> str | None:
    """A penalty that the hand calls for although nobody was named, in a sentence; None where there is none."""
    c = case.context
    if c.liable is not None or c.win is Win.ROBBED_KONG or case.suit_count != 1 or case.has_honours:
        return None
    exposed = _count_exposed_sets(case)
    if c.self_drawn:
        if exposed < 4:
            return None
        return _TWELVE_PIECE
    return say(_NINE_PIECE, n=exposed) if exposed >= 3 else None


def _contradictions(case: Case[HongKongOptions], kind: str, seat: Seat) -> list[str]:
    """Sentences about what does not fit; the winning tile's giver pays, but for twelve pieces, which is self-drawn."""
    c = case.context
    if kind == "other":
        return []
    if kind == "twelve_piece":
        wrong = _too_few_sets(case, 4)
        if not c.self_drawn:
            wrong.append("it is paid on a self-drawn win only.")
        if not case.is_result_only and all(m.source not in (None, seat) for m in case.hand.melds):
            wrong.append(say("no set was claimed from {s}, who should have given the fourth.", s=seat))
        return wrong
    wrong = []
    if kind == "robbed_kong":
        if c.win is not Win.ROBBED_KONG:
            wrong.append("win must be robbed_kong.")
    elif c.self_drawn:
        wrong.append("it is paid on a discard.")
    if c.source not in (None, seat):
        wrong.append("the liable player gave the winning tile: seat must be the same as from.")
    if kind == "nine_piece":
        wrong += _too_few_sets(case, 3)
    if kind == "fifth_tile" and (c.win is Win.ROBBED_KONG or winning_tile_shown(case)):
        seen = say("{t} had been seen on the table.", t=case.hand.winning_tile)
        wrong.append("it is about the winning discard, so win must be discard." if case.is_result_only else seen)
    return wrong


def _too_few_sets(case: Case[HongKongOptions], need: int) -> list[str]:
    if case.is_result_only:
        return []
    wrong = []
    exposed = _count_exposed_sets(case)
    if case.suit_count != 1 or case.has_honours:
        wrong.append("the hand must be all of one suit.")
    if exposed < need:
        wrong.append(say("the winner needs {n} exposed sets of the suit, not {m}.", n=need, m=exposed))
    return wrong


def _count_exposed_sets(case: Case[HongKongOptions]) -> int:
    return sum(m.type is not MeldType.KONG_CONCEALED for m in case.hand.melds)
