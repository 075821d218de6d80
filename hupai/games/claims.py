"""A falsely claimed win, for rules where the penalty is the amount that the offender meant to receive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hupai.games.state import TableState
from scoring.basics.context_field import context_fields
from scoring.context import Context, Win
from scoring.errors import InvalidRequest
from scoring.fields.reader import FieldReader
from scoring.seats import Seat
from scoring.system import RuleSystem
from scoring.words.sentence import say

_FIELDS: Final = ("win", "from", "value", "fed")
_MAX_VALUE: Final = 1_000_000


def parse_claim(
    system: RuleSystem[Any], before: TableState, offender: Seat, claim: Mapping[str, Any]
) -> tuple[Context, int]:
    """Return the circumstances of the claimed win, completed from the table, and the value claimed for it.

    Args:
        system: the rules. before: the table. offender: who claimed.
        claim: ``win`` (self_draw), ``from`` (whose tile), ``value`` in the unit of the rules (1), ``fed`` as in a score
            request.

    Raises:
        InvalidRequest: faults in the claim, all named.
    """
    reader = FieldReader()
    reader.unknown(claim, _FIELDS, "claim.")
    win = reader.enum(Win, claim.get("win") or Win.SELF_DRAW.value, "claim.win")
    source = reader.seat(claim.get("from"), "claim.from")
    fed = reader.fed(claim.get("fed") or {}, "claim.fed")
    value = claim.get("value", 1)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _MAX_VALUE:
        message = say("{field} is a whole number from 1 to {n}.", field="claim.value", n=_MAX_VALUE)
        reader.fault("bad_value", message, "claim.value")
    if reader.faults or win is None:
        raise InvalidRequest.of(reader.faults)
    known_here: dict[str, Any] = {"banker": Seat.E, "streak": before.streak, "fed": fed}
    kind = system.context_class
    known = {name: known_here[name] for name in context_fields(kind) if name in known_here}
    return kind(offender, win, source, **known), int(value)
