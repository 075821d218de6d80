"""Bao: a player whose play made the win possible pays for everybody.

The caller says who is liable and why; what the hand itself contradicts is refused. ``bao`` and ``other`` name no
reason and fit any hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from scoring.arrangements.arrange import arrangements
from scoring.arrangements.units import UnitType
from scoring.context import Win
from scoring.errors import Fault, choice_message
from scoring.hand import MeldType
from scoring.reasons.checks import liable_fault, winning_tile_shown
from scoring.rulebook.shapes import SETS_AND_PAIR
from scoring.rules.singapore.options import SingaporeOptions
from scoring.seats import Seat
from scoring.system import Case
from scoring.tiles import Tile
from scoring.words.sentence import say

_Case = Case[SingaporeOptions]
LiabilityCheck = Callable[[_Case, Seat], str | None]
"""What in the hand contradicts that this seat is liable, or None."""


@dataclass(frozen=True, slots=True)
class Bao:
    """A recognised reason in words, and its check."""

    why: str
    contradiction: LiabilityCheck


def _fits(case: _Case, seat: Seat) -> None:
    return None


def _other_source_fault(case: _Case, seat: Seat, who: str) -> str | None:
    if case.context.source in (None, seat):
        return None
    return say("the liable player is the {who}: seat must be the same as from.", who=who)


def _fresh_tile(case: _Case, seat: Seat) -> str | None:
    if case.context.win is not Win.DISCARD:
        return "it is about the winning discard, so win must be discard."
    if case.context.earthly or case.context.humanly:
        return "it is about the end of the wall, so it was no win before the first draw."
    if winning_tile_shown(case):
        return say("{t} lies in a meld, so it was not fresh.", t=case.hand.winning_tile)
    return _other_source_fault(case, seat, "discarder")


def _robbed_check(flower: bool) -> LiabilityCheck:
    def check(case: _Case, seat: Seat) -> str | None:
        c = case.context
        if c.win is not Win.ROBBED_KONG or c.flower_win is not flower:
            return (
                "win must be robbed_kong, with flower_win."
                if flower
                else "win must be robbed_kong, without flower_win."
            )
        return _other_source_fault(case, seat, "robbed player")

    return check


_NEEDS: Final = "it needs {n} {sets} on the table with one from {s}, or their discard to complete the last of them."
_PUNG: Final = frozenset({UnitType.PUNG})
_SET: Final = frozenset({UnitType.PUNG, UnitType.CHOW})
_ANYTHING: Final = frozenset({UnitType.PUNG, UnitType.CHOW, UnitType.PAIR})


def _completes(case: _Case, what: frozenset[UnitType]) -> bool:
    """Whether the winning tile can complete such a unit; tiles that make no hand contradict nothing."""
    hand = case.hand
    if sum(hand.held) != 14 - 3 * len(hand.melds):
        return True
    found = arrangements(hand, SETS_AND_PAIR, claimed=case.claimed)
    return not found or any(unit.won and unit.type in what for a in found for unit in a.units)


def _fed_check(need: int, wanted: Callable[[Tile], bool], sets: str, *, by: frozenset[UnitType]) -> LiabilityCheck:
    """The seat gave the last of ``need`` shown sets of wanted tiles: a claimed meld, or the winning discard.

    Args:
        need: sets in all. wanted: which tiles they are made of. sets: their name.
        by: what the winning tile must complete.
    """

    def check(case: _Case, seat: Seat) -> str | None:
        if case.is_result_only:
            return None
        c, winning = case.context, case.hand.winning_tile
        shown = [m for m in case.hand.melds if all(wanted(t) for t in m.tiles)]
        fed = [m for m in shown if m.type is not MeldType.KONG_CONCEALED and m.source in (None, seat)]
        if len(shown) >= need and fed:
            return None
        won = c.win is Win.DISCARD and c.source in (None, seat) and winning is not None and wanted(winning)
        if won and len(shown) >= need - 1 and _completes(case, by):
            return None
        return say(_NEEDS, n=need, sets=sets, s=seat)

    return check


def _all_of_suit_check(suit: str) -> LiabilityCheck:
    return _fed_check(4, lambda t: t.suit == suit, "sets of the suit", by=_SET)


_FOUR_OF: Final = {suit: _all_of_suit_check(suit) for suit in "mpsz"}


def _fourth_of_suit(case: _Case, seat: Seat) -> str | None:
    """All four sets are of one suit, or honours; the pair may be another."""
    if case.is_result_only:
        return None
    hand = case.hand
    in_sets = [t.suit for tiles in (hand.concealed, *(m.tiles[:3] for m in hand.melds)) for t in tiles]
    in_sets += [hand.winning_tile.suit] if hand.winning_tile else []
    for suit, check in _FOUR_OF.items():
        if in_sets.count(suit) >= 12:
            return check(case, seat)
    return "all four sets must be of one suit, or of honours."


BAO: Final[dict[str, Bao]] = {
    "bao": Bao("liable", _fits),
    "other": Bao("liable", _fits),
    "third_dragon": Bao(
        "who fed the third dragon set",
        _fed_check(3, lambda t: t.suit == "z" and t.number > 4, "dragon sets", by=_PUNG),
    ),
    "fourth_suit_set": Bao("who fed the fourth set of the suit", _fourth_of_suit),
    "limit_honour": Bao(
        "who fed the honour that reached the limit",
        _fed_check(1, lambda t: t.suit == "z", "honour set", by=_ANYTHING),
    ),
    "fourth_terminal_set": Bao(
        "who fed the fourth terminal set",
        _fed_check(4, lambda t: t.suit != "z" and t.number in (1, 9), "terminal sets", by=_PUNG),
    ),
    "fresh_tile": Bao("who discarded a fresh tile at the end", _fresh_tile),
    "robbed_kong": Bao("whose kong was robbed", _robbed_check(flower=False)),
    "robbed_flower": Bao("whose eighth flower was robbed", _robbed_check(flower=True)),
}
"""Kinds of ``context.liable`` and their checks."""

LIABLE_KINDS: Final = {kind: bao.why for kind, bao in BAO.items()}
"""Kinds of ``context.liable`` in words, for the payments."""


def liable_faults(case: _Case) -> list[Fault]:
    """An unknown kind, or one that the hand contradicts."""
    liable = case.context.liable
    if liable is None:
        return []
    bao = BAO.get(liable.kind)
    if bao is None:
        return [Fault("bad_value", choice_message("liable.kind", BAO, liable.kind), "context.liable")]
    contradiction = bao.contradiction(case, liable.seat)
    return [] if contradiction is None else [liable_fault(liable.kind, contradiction)]
