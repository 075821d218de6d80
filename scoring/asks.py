"""The context fields of a score request: what each one asks, and which rule systems read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from scoring.rules import systems
from scoring.seats import SEATS
from scoring.system import RuleSystem


@dataclass(frozen=True, slots=True)
class Ask:
    """A context field.

    Attributes:
        kind: what sort of answer it takes. default: what holds when it is left out.
        doc: the question behind it. values: the answers there are, empty when open.
    """

    kind: str
    default: object
    doc: str
    values: tuple[str, ...] = ()


_SEATS: Final = tuple(s.value for s in SEATS)

ASKS: Final = {
    "bonus": Ask("bonus", [], "flowers, seasons, animals of the winner; having none can count, too (field bonus)"),
    "round": Ask("seat", "E", "the prevailing wind", _SEATS),
    "last_tile": Ask("switch", False, "won with the last tile of the wall, or the discard after it"),
    "replacement": Ask("switch", False, "drawn as the replacement of a kong or a bonus tile"),
    "double_kong": Ask("switch", False, "replacement of a kong that was made with a replacement"),
    "heavenly": Ask("switch", False, "the dealer's hand was complete on the deal"),
    "earthly": Ask("switch", False, "a non-dealer's win in the very first turn, as the rules define it"),
    "humanly": Ask("switch", False, "won on a discard before the own first draw"),
    "flower_win": Ask("switch", False, "won by bonus tiles alone"),
    "liable": Ask("liable", None, "a player who pays for others, and which penalty says so: seat and kind"),
    "responsible": Ask("responsible", "auto", "who gave the tile: auto is the discarder", ("auto", "none", *_SEATS)),
    "turn_discards": Ask("discards", [], "discards of the same turn before the winning one: seat and tile each"),
    "indicator": Ask("tile", None, "the indicator tile, or permanent when the white dragons are wild", ("permanent",)),
    "banker": Ask("seat", "E", "the banker's seat", _SEATS),
    "streak": Ask("number", 1, "the banker's hand in a row, from 1"),
    "floats": Ask("number", 0, "fortune tiles floated in a row before the win"),
    "kong_streak": Ask("number", 0, "kongs in a row before the win"),
    "honours": Ask("number", 0, "winds and dragons discarded from the start of the hand, where ten of them win"),
    "doubles_after": Ask("number", 0, "floats and kongs made after the discard of who is liable for a float"),
    "fed": Ask("fed", {}, "who fed whom how many open sets, such as N>S: 3"),
    "remaining": Ask("chips", {}, "chips a player has left, which cap what he pays"),
    "riichi": Ask("switch", False, "the winner declared riichi"),
    "double_riichi": Ask("switch", False, "riichi in the first turn"),
    "ippatsu": Ask("switch", False, "won within a turn of riichi, without a call between"),
    "dora_indicators": Ask("tiles", [], "the dora indicators turned up"),
    "ura_indicators": Ask("tiles", [], "the indicators underneath, after riichi"),
    "counters": Ask("number", 0, "counters on the table (honba)"),
    "riichi_sticks": Ask("number", 0, "riichi sticks the winner takes, his own included"),
    "wareme": Ask("seat", None, "the seat where the wall was broken, when that rule is played", _SEATS),
}
"""Field -> what it asks. A field that is not here is still served, as an open question."""


def readers_of(field: str) -> tuple[RuleSystem[Any], ...]:
    """The systems that read a context field."""
    return tuple(system for system in systems().values() if field in system.reads)


def asks_of(system: RuleSystem[Any]) -> list[dict[str, Any]]:
    """The questions of a system, in its order."""
    return [_question(system, name) for name in system.asks]


def _question(system: RuleSystem[Any], name: str) -> dict[str, Any]:
    ask = ASKS.get(name, Ask("json", None, name.replace("_", " ")))
    values = tuple(system.liable_kinds) if name == "liable" else ask.values
    return {"name": name, "kind": ask.kind, "default": ask.default, "values": list(values), "doc": ask.doc}
