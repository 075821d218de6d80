"""What a camera cannot see: seats, how the hand was won, dealt wins, liability, riichi, bankers.

One flat context serves all systems, as in the JSON contract, so that the same hand can be scored under each; a
system ignores the fields of the others and says in its ``asks`` which ones it reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from scoring.errors import Fault, InvalidRequest
from scoring.seats import OTHERS, Seat
from scoring.tiles import Tile


class Win(StrEnum):
    """How the winning tile came."""

    SELF_DRAW = "self_draw"
    DISCARD = "discard"
    ROBBED_KONG = "robbed_kong"


SELF_DRAW, DISCARD, ROBBED_KONG = Win  # for code that runs often: looking a member up in its class is slow


@dataclass(frozen=True, slots=True)
class Liable:
    """A player who pays for others, and which penalty of the rules says so (``kind``)."""

    seat: Seat
    kind: str


@dataclass(frozen=True, slots=True)
class Context:
    """The circumstances of a win. Field names are those of the JSON contract; ``source`` is its ``from``.

    Attributes:
        seat: the winner's seat wind. round: the prevailing wind.
        win: how the winning tile came. source: who discarded it or was robbed; None for a self-draw or unknown.
        last_tile: last tile of the wall, or the discard after it. replacement: drawn after a kong or bonus tile.
        double_kong: replacement of a kong that was itself made with a replacement.
        heavenly, earthly, humanly: wins on the deal or before the first draw, as each system defines them.
        flower_win: won by bonus tiles alone. liable: a penalty payer.
        responsible: Zung Jung: ``auto`` (the discarder, or as ``turn_discards`` say), ``none``, or a seat.
        turn_discards: Zung Jung: (seat, tile) from the winner's previous discard to the winning one.
        indicator: Hangzhou: the indicator tile, or ``permanent``. streak, floats, kong_streak: Hangzhou.
        banker: Hangzhou: None when nobody said who; east is then taken to be.
        honours: Hangzhou: winds and dragons discarded from the start of the hand, one after the other.
        doubles_after: Hangzhou: floats and kongs made after the discard of a player liable for a float; 0: not said.
        fed: Hangzhou: (feeder, receiver) -> number of open sets fed.
        riichi, double_riichi, ippatsu, dora_indicators, ura_indicators, counters, riichi_sticks, wareme: riichi.

    Raises:
        InvalidRequest: fields that contradict each other under every system.
    """

    seat: Seat
    win: Win
    source: Seat | None = None
    round: Seat = Seat.E
    last_tile: bool = False
    replacement: bool = False
    double_kong: bool = False
    heavenly: bool = False
    earthly: bool = False
    humanly: bool = False
    flower_win: bool = False
    liable: Liable | None = None
    responsible: Seat | str = "auto"
    turn_discards: tuple[tuple[Seat, Tile], ...] = ()
    indicator: Tile | str | None = None
    banker: Seat | None = None
    streak: int = 1
    floats: int = 0
    kong_streak: int = 0
    honours: int = 0
    doubles_after: int = 0
    fed: Mapping[tuple[Seat, Seat], int] = field(default_factory=dict)
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    dora_indicators: tuple[Tile, ...] = ()
    ura_indicators: tuple[Tile, ...] = ()
    counters: int = 0
    riichi_sticks: int = 0
    wareme: Seat | None = None

    def __post_init__(self) -> None:
        faults = context_faults(self)
        if faults:
            raise InvalidRequest.of(faults)

    @classmethod
    def unchecked(cls, **values: Any) -> Context:
        """A context as it is told, contradictions and all, to look for further faults in; nothing else may use it."""
        made = object.__new__(cls)
        for f in fields(cls):
            default = {} if f.name == "fed" else f.default
            object.__setattr__(made, f.name, values.get(f.name, default))
        return made

    @property
    def self_drawn(self) -> bool:
        """True when the winner drew the winning tile."""
        return self.win is SELF_DRAW

    @property
    def losers(self) -> tuple[Seat, Seat, Seat]:
        """The other three seats, in turn order after the winner."""
        return OTHERS[self.seat]


def context_faults(c: Context) -> list[Fault]:
    """Contradictions that no system allows."""
    faults: list[Fault] = []

    def fault(message: str, name: str) -> None:
        faults.append(Fault("contradiction", message, f"context.{name}"))

    dealt = c.heavenly or c.earthly or c.humanly
    if c.source is c.seat:
        fault("The winning tile cannot come from the winner: 'from' and 'seat' are the same.", "from")
    if c.win is not SELF_DRAW:
        if c.replacement:
            fault("A replacement tile is drawn, so win must be self_draw.", "replacement")
        if c.double_kong:
            fault("double_kong is a replacement tile, so win must be self_draw.", "double_kong")
        if c.heavenly:
            fault("heavenly is a win on the deal, so win must be self_draw.", "heavenly")
    elif c.source is not None:
        fault("A self-drawn tile comes from nobody: leave 'from' empty, or set win to discard.", "from")
    if dealt:
        if c.heavenly + c.earthly + c.humanly > 1:
            fault("Only one of heavenly, earthly and humanly can be true.", "heavenly")
        if c.replacement or c.double_kong or c.last_tile:
            fault("A win before the first draw has no replacement and no last tile.", "heavenly")
    if c.win is ROBBED_KONG and (c.last_tile or dealt):
        fault("A robbed kong is neither the last tile nor a dealt win.", "win")
    if c.liable is not None and c.liable.seat is c.seat:
        fault("The winner cannot be liable for his own win.", "liable")
    if min(c.counters, c.riichi_sticks, c.floats, c.kong_streak, c.honours, c.doubles_after) < 0:
        for name in ("counters", "riichi_sticks", "floats", "kong_streak", "honours", "doubles_after"):
            if getattr(c, name) < 0:
                fault(f"{name} cannot be negative.", name)
    if c.streak < 1:
        fault("streak counts from 1, the banker's first hand.", "streak")
    return faults
