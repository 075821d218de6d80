"""Ten honours, a house rule: who discards ten winds and dragons in a row from the start of a hand wins without one."""

from __future__ import annotations

from typing import Final

from scoring.arrangements.arrange import Arrangement, Shape, Wait
from scoring.errors import Fault
from scoring.hand import too_many_beside
from scoring.rules.hangzhou.context import HangzhouContext
from scoring.rules.hangzhou.options import HangzhouOptions
from scoring.system import Case
from scoring.words.sentence import say

WINNING_HONOURS: Final = 10
BY_DISCARDS: Final = Arrangement(Shape.DISCARDS, (), (), (), (), -1, 0, Wait.SINGLE)
_FIRST_HONOUR: Final = 27
_HONOURS_IN_SET: Final = 28  # winds and dragons of a whole set


def honours_doubles(case: Case[HangzhouOptions]) -> int:
    """How often the honours discarded double: ten count as a self-drawn tile or as a Wild Eye, every one more once."""
    return case.context.convert_to(HangzhouContext).honours - WINNING_HONOURS + (case.options.ten_honours == "wild_eye")


def honours_faults(case: Case[HangzhouOptions]) -> list[Fault]:
    """Honours discarded where the house does not play them, too few or too many, or beside what the hand cannot be.

    The text knows no agreement about floats meanwhile, so they are refused.
    """
    c, hand, field = case.context.convert_to(HangzhouContext), case.hand, "context.honours"
    faults = []
    if case.options.ten_honours == "none":
        faults.append(Fault("contradiction", "Ten honours do not win here: set ten_honours.", field))
    held = sum(hand.counts[_FIRST_HONOUR:])
    if c.honours < WINNING_HONOURS:
        faults.append(Fault("contradiction", say("Ten honours win, not {n}.", n=c.honours), field))
    elif c.honours + held > _HONOURS_IN_SET:
        message = say(
            "{n} honours discarded and {m} in hand: there are only {k}.", n=c.honours, m=held, k=_HONOURS_IN_SET
        )
        faults.append(Fault("contradiction", message, field))
    if not c.self_drawn:
        faults.append(Fault("contradiction", "Ten honours are paid as a self-drawn tile: set win to self_draw.", field))
    if c.floats or c.kong_streak or c.replacement or c.double_kong:
        message = "Ten honours win by the discards alone: leave floats and kongs in a row out."
        faults.append(Fault("contradiction", message, field))
    if hand.winning_tile is not None:
        message = "Ten honours win with a discard: leave winning_tile out."
        faults.append(Fault("contradiction", message, "winning_tile"))
    elif len(hand.concealed) > 13 - 3 * len(hand.melds):
        faults.append(Fault("contradiction", too_many_beside(hand), "concealed"))
    return faults
