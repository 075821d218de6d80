"""The four seats, in turn order."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Seat(StrEnum):
    """East, south, west, north; east deals.

    Attributes:
        turn: 0 for east to 3 for north. wind: the tile kind of this wind.
    """

    turn: int
    wind: int

    E = "E"
    S = "S"
    W = "W"
    N = "N"

    def __init__(self, letter: str) -> None:
        self.turn = "ESWN".index(letter)
        self.wind = 27 + self.turn

    def after(self, steps: int) -> Seat:
        """Return the seat ``steps`` turns later."""
        return SEATS[(self.turn + steps) % 4]

    def nearest(self, others: Iterable[Seat]) -> Seat:
        """Return the first of them in turn order after this seat: the winner if several claim its discard."""
        return min(others, key=lambda other: (other.turn - self.turn - 1) % 4)


SEATS = (Seat.E, Seat.S, Seat.W, Seat.N)
SEAT_OF = {seat.value: seat for seat in SEATS}
"""Letter -> seat."""
SEAT_NAMES = {Seat.E: "East", Seat.S: "South", Seat.W: "West", Seat.N: "North"}
DEALER = Seat.E
OTHERS = {seat: (seat.after(1), seat.after(2), seat.after(3)) for seat in SEATS}
"""Seat -> the other three, in turn order after it."""

EMPTY_SEAT = "Three players: there is no {s}."


def others_of(seat: Seat, players: int) -> tuple[Seat, ...]:
    """Return the other seats in turn order; with three players nobody sits north."""
    return tuple([s for s in OTHERS[seat] if s.turn < players])
