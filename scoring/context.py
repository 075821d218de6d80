"""What a camera cannot see: seats, how the hand was won, dealt wins, liability, riichi, bankers.

The fields here are those read by several systems; a system adds its own in a subclass, its ``context_class``. In the
JSON contract they are side by side, so that one hand can be scored under every system: each ignores the others' fields.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar, TypeVar

from scoring.basics.context_field import context_field, number_fields
from scoring.basics.quick import quick
from scoring.errors import Fault, InvalidRequest
from scoring.seats import OTHERS, Seat

C = TypeVar("C", bound="Context")


class Win(StrEnum):
    """How the winning tile came."""

    SELF_DRAW = "self_draw"
    DISCARD = "discard"
    ROBBED_KONG = "robbed_kong"


SELF_DRAW, DISCARD, ROBBED_KONG = Win  # for code that runs often: looking up a member in its enumeration is slow


@dataclass(frozen=True, slots=True)
class Liable:
    """A player who pays for others, and the penalty of the rules that applies (``kind``)."""

    seat: Seat
    kind: str


@quick
@dataclass(frozen=True, slots=True)
class Context:
    """The circumstances of a win. Field names are those of the JSON contract; ``source`` is its ``from``.

    Attributes:
        seat: the winner's seat wind. win: how the winning tile came.
        source: who discarded it or was robbed; None for a self-draw or unknown.

    The other fields are described by their questions. ``dealt_replacement``: a flower that was dealt is replaced
    before the first draw, so that a win on the deal may have a replacement tile.

    Raises:
        InvalidRequest: fields that contradict each other under every system.
    """

    dealt_replacement: ClassVar[bool] = False

    seat: Seat
    win: Win
    source: Seat | None = None
    round: Seat = context_field("seat", Seat.E.value, "the prevailing wind", unsaid=Seat.E, place="table")
    last_tile: bool = context_field(
        "switch",
        False,
        "won with the last tile of the wall, or the discard after it",
        when=("!robbed_kong",),
    )
    replacement: bool = context_field(
        "switch",
        False,
        "drawn as the replacement of a kong, or of a bonus tile where the rules count that",
        follows=("melds", "bonus"),
        when=("self_draw", "kong|bonus"),
    )
    double_kong: bool = context_field(
        "switch",
        False,
        "replacement of a kong that was made with a replacement",
        follows=("melds",),
        when=("self_draw", "two_kongs"),
    )
    heavenly: bool = context_field(
        "switch",
        False,
        "the dealer's hand was complete on the deal",
        when=("self_draw", "dealer", "unmelded"),
    )
    earthly: bool = context_field(
        "switch",
        False,
        "a non-dealer's win in the very first turn, as the rules define it",
        when=("!robbed_kong", "!dealer", "unmelded"),
    )
    humanly: bool = context_field(
        "switch",
        False,
        "won on a discard before the winner's first draw",
        when=("discard", "!dealer", "unmelded"),
    )
    flower_win: bool = context_field(
        "switch",
        False,
        "won by bonus tiles alone",
        follows=("bonus",),
        leads_to=("winning_tile", "context.liable"),
        when=("seven_bonus",),
    )
    liable: Liable | None = context_field(
        "liable",
        None,
        "a player who pays for others, and which penalty says so: seat and kind",
        place="rare",
        follows=("concealed", "winning_tile", "melds"),
    )

    def __post_init__(self) -> None:
        faults = context_faults(self)
        if faults:
            raise InvalidRequest.of(faults)

    @classmethod
    def build_unchecked(cls, **values: Any) -> Context:
        """Return a context with any contradictions, only for finding further faults."""
        made = object.__new__(cls)
        for f in fields(cls):
            default = f.default if f.default_factory is MISSING else f.default_factory()
            object.__setattr__(made, f.name, values.get(f.name, default))
        return made

    def convert_to(self, kind: type[C]) -> C:
        """Return the same circumstances with the fields of another context class; those not given are left out."""
        if self.__class__ is kind:
            return self
        return kind(**{f.name: getattr(self, f.name) for f in fields(kind) if hasattr(self, f.name)})

    @property
    def self_drawn(self) -> bool:
        """True when the winner drew the winning tile."""
        return self.win is SELF_DRAW

    @property
    def losers(self) -> tuple[Seat, Seat, Seat]:
        """The other three seats, in turn order after the winner."""
        return OTHERS[self.seat]


def context_faults(c: Context) -> list[Fault]:
    """Return contradictions that no system allows."""
    faults: list[Fault] = []
    if c.source is c.seat:
        faults.append(_fault("The winning tile cannot come from the winner: 'from' and 'seat' are the same.", "from"))
    if c.win is not SELF_DRAW:
        if c.replacement:
            faults.append(_fault("A replacement tile is drawn, so win must be self_draw.", "replacement"))
        if c.double_kong:
            faults.append(_fault("double_kong is a replacement tile, so win must be self_draw.", "double_kong"))
        if c.heavenly:
            faults.append(_fault("heavenly is a win on the deal, so win must be self_draw.", "heavenly"))
    elif c.source is not None:
        message = "A self-drawn win has no discarder: leave 'from' empty, or set win to discard."
        faults.append(_fault(message, "from"))
    dealt = c.heavenly or c.earthly or c.humanly
    if dealt:
        if c.heavenly + c.earthly + c.humanly > 1:
            faults.append(_fault("Only one of heavenly, earthly and humanly can be true.", "heavenly"))
        if (c.replacement and not c.dealt_replacement) or c.double_kong or c.last_tile:
            message = "A win before the first draw has no replacement and no last tile."
            faults.append(_fault(message, "heavenly"))
    if c.win is ROBBED_KONG and (c.last_tile or dealt):
        faults.append(_fault("A robbed kong is neither the last tile nor a dealt win.", "win"))
    if c.liable is not None and c.liable.seat is c.seat:
        faults.append(_fault("The winner cannot be liable for their own win.", "liable"))
    for name, ask in number_fields(c.__class__):
        number = getattr(c, name)
        if number is not ask.default:
            faults += ask.too_low(name, number)
    return faults


def _fault(message: str, name: str) -> Fault:
    return Fault("contradiction", message, f"context.{name}")
