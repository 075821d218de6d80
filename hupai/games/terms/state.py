"""The state of a table between two hands, and who deals the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from scoring.errors import Fault, InvalidRequest
from scoring.rulebook.conventions import Rotation
from scoring.seats import EMPTY_SEAT, SEATS, Seat
from scoring.words.sentence import say

MAX_COUNT: Final = 1000
"""Largest streak, counters and sticks; a score request accepts no more."""


@dataclass(frozen=True, slots=True)
class TableState:
    """The table before a hand. Players are numbered from 0 in turn order; the dealer sits east.

    Attributes:
        round: the prevailing wind. dealer: number of the player who deals.
        streak: consecutive hands of this dealer, from 1. counters: honba. riichi_sticks: lying on the table.
        players: how many, three or four; three leave the north seat empty.
        ended: why the game is over (``hupai.games.settling.ending.ENDINGS``), or None.

    Raises:
        InvalidRequest: numbers out of range, all named.
    """

    round: Seat = Seat.E
    dealer: int = 0
    streak: int = 1
    counters: int = 0
    riichi_sticks: int = 0
    ended: str | None = None
    players: int = 4

    def __post_init__(self) -> None:
        faults = []
        for name, low, high in (
            ("dealer", 0, self.players - 1),
            ("streak", 1, MAX_COUNT),
            ("counters", 0, MAX_COUNT),
            ("riichi_sticks", 0, 99),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                message = say("{name} is {n} to {m}, not {value}.", name=name, n=low, m=high, value=value)
                faults.append(Fault("bad_value", message, name))
        if self.round not in self.seats_taken:
            faults.append(Fault("bad_value", say(EMPTY_SEAT, s=self.round), "round"))
        if faults:
            raise InvalidRequest.of(faults)

    def player_at(self, seat: Seat) -> int:
        """The number of the player in a seat."""
        return (self.dealer + seat.turn) % self.players

    def seat_of(self, player: int) -> Seat:
        """The seat of a player."""
        return SEATS[(player - self.dealer) % self.players]

    @property
    def seats_taken(self) -> tuple[Seat, ...]:
        """The seats that somebody sits in, and the winds of the rounds."""
        return SEATS[: self.players]

    @property
    def seats(self) -> dict[str, int]:
        """Seat -> player."""
        return {seat.value: self.player_at(seat) for seat in self.seats_taken}

    def to_json(self) -> dict[str, Any]:
        """For the API and the store."""
        return {**asdict(self), "round": self.round.value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TableState:
        """The inverse of :meth:`to_json`."""
        return cls(**{**data, "round": Seat(data["round"])})


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
