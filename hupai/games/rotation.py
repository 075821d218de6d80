"""Decides who deals the next hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hupai.games.state import TableState
from scoring.rulebook.conventions import Rotation
from scoring.seats import SEATS


@dataclass(frozen=True, slots=True)
class HandEnding:
    """How a hand ended, as far as it matters for the rotation.

    Attributes:
        winners: player numbers, the nearest after the discarder first; empty for a draw.
        dealer_ready: the hand was drawn with the dealer one tile from a win. abortive: the draw was declared early.
        passes: the win was of a kind after which the dealer does not stay.
    """

    winners: tuple[int, ...] = ()
    dealer_ready: bool = False
    abortive: bool = False
    passes: bool = False


def next_state(before: TableState, rotation: Rotation, first_dealer: int, ended: HandEnding) -> TableState:
    """Return the table for the next hand; riichi sticks are unchanged (they follow the pot, not the seats).

    Args:
        before: the table when the hand was dealt. rotation: when the dealer stays.
        first_dealer: the player who dealt first in a round: when the deal returns to them, the round wind changes.
        ended: how the hand ended.
    """
    won, drawn = before.dealer in ended.winners and not ended.passes, not ended.winners
    if rotation is Rotation.WINNER:
        dealer = before.dealer if won or drawn else ended.winners[0]
        return replace(state_with_dealer(before, dealer, rotation, first_dealer), counters=0)
    if rotation is Rotation.RIICHI:
        stays = won or (drawn and (ended.abortive or ended.dealer_ready))
        counters = before.counters + 1 if won or drawn else 0
    else:
        stays = (won and rotation is not Rotation.NEVER) or (drawn and rotation is Rotation.WIN_OR_DRAW)
        counters = 0
    dealer = before.dealer if stays else (before.dealer + 1) % before.players
    return replace(state_with_dealer(before, dealer, rotation, first_dealer), counters=counters)


def state_with_dealer(before: TableState, dealer: int, rotation: Rotation, first_dealer: int) -> TableState:
    """Return the table for the next hand, dealt by this player: his streak, and the round wind."""
    if dealer == before.dealer:
        return replace(before, streak=before.streak + 1)
    after = replace(before, dealer=dealer, streak=1)
    comes_back = dealer == first_dealer and rotation is not Rotation.WINNER
    return replace(after, round=SEATS[(before.round.turn + 1) % before.players]) if comes_back else after
