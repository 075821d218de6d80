"""Three-set liability in Hangzhou: who fed whom three open sets, and whether the house makes that player liable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.hand import Meld, MeldType
from scoring.rules.hangzhou.context import HangzhouContext
from scoring.rules.hangzhou.options import HangzhouOptions, banker_of, streak_of
from scoring.seats import Seat
from scoring.words.sentence import joined, say

LIABLE_SETS: Final = 3
"""Feeding so many open sets makes liable."""
_NOBODY: Final = "three sets between {s} and {v} make nobody liable in this house"

Fed = Mapping[tuple[Seat, Seat], int]


@dataclass(frozen=True, slots=True)
class Share:
    """How many times the whole a player owes for sets fed, 0 to 3, and why; at 0, why not, if he might be liable."""

    times: int
    why: str


def count_fed_by_melds(winner: Seat, melds: Sequence[Meld]) -> dict[tuple[Seat, Seat], int]:
    """(feeder, winner) -> open sets of the winner that say whom they were claimed from.

    A filled kong keeps the source of its pung; a concealed kong has none.
    """
    fed: dict[tuple[Seat, Seat], int] = {}
    for meld in melds:
        if meld.source is not None and meld.type is not MeldType.KONG_CONCEALED:
            fed[meld.source, winner] = fed.get((meld.source, winner), 0) + 1
    return fed


def count_fed_sets(context: HangzhouContext, melds: Sequence[Meld]) -> dict[tuple[Seat, Seat], int]:
    """(feeder, receiver) -> open sets, from the context and from the winner's melds."""
    fed = dict(context.fed)
    for pair, sets in count_fed_by_melds(context.seat, melds).items():
        fed[pair] = max(sets, fed.get(pair, 0))
    return fed


def shares_of(context: HangzhouContext, melds: Sequence[Meld], options: HangzhouOptions) -> dict[Seat, Share]:
    """Loser -> his share: the whole once for three sets fed to the winner, twice for three fed by him."""
    fed = count_fed_sets(context, melds)
    return {loser: _share(context, melds, fed, loser, options) for loser in context.losers}


def _share(context: HangzhouContext, melds: Sequence[Meld], fed: Fed, other: Seat, options: HangzhouOptions) -> Share:
    winner = context.seat
    liable, counter = fed.get((other, winner), 0), fed.get((winner, other), 0)
    reasons: list[str] = []
    times, barred = 0, False
    if liable >= LIABLE_SETS:
        if _is_liability_played(context, other, options, chows=_only_chows(melds, other)):
            times += 1
            reasons.append(say("fed {s} {n} sets", s=winner, n=liable))
        else:
            barred = True
    if counter >= LIABLE_SETS:
        if _is_liability_played(context, other, options):
            times += 2
            reasons.append(say("was fed {n} sets by {s}", n=counter, s=winner))
        else:
            barred = True
    if not times and barred:
        return Share(0, say(_NOBODY, s=other, v=winner))
    return Share(times, joined(reasons, " and "))


def _is_liability_played(
    context: HangzhouContext, other: Seat, options: HangzhouOptions, *, chows: bool = False
) -> bool:
    """Whether the house lets three sets between the winner and another make liable."""
    between = options.liability_between
    if between == "anybody" or streak_of(context, options) < options.liability_between_from:
        return True
    if between == "nobody":
        return False
    return banker_of(context) in (context.seat, other) or (between == "not_chows" and not chows)


def _only_chows(melds: Sequence[Meld], feeder: Seat) -> bool:
    """Whether nothing but chows can have come from a player, as far as the winner's melds say."""
    claimed = [m for m in melds if m.type is not MeldType.KONG_CONCEALED and m.source in (None, feeder)]
    return bool(claimed) and all(m.type is MeldType.CHOW for m in claimed)
