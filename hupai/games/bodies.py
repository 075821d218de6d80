"""Converts what players confirmed from and to the stored request."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from hupai.games.confirmed import Confirmed
from scoring.errors import Fault, InvalidRequest
from scoring.payments import Transfer, plain_amount
from scoring.seats import Seat


def parse_confirmed(body: Mapping[str, Any]) -> Confirmed:
    """Read what was confirmed from a request body (docs/api.md, record_hand) whose fields have the right types.

    Raises:
        InvalidRequest: invalid payments by hand.
    """
    return Confirmed(
        outcome=body.get("outcome", "win"),
        wins=tuple(body.get("wins", ())),
        riichi=_seats(body, "riichi"),
        ready=_seats(body, "ready"),
        nagashi=_seats(body, "nagashi"),
        abortive=body.get("abortive", False),
        transfers=tuple(_transfer(t, i) for i, t in enumerate(body.get("transfers", ()))),
        offender=_seat(body, "offender"),
        claim={name: value for name, value in (body.get("claim") or {}).items() if value is not None},
        seat=_seat(body, "seat"),
        event=body.get("event"),
        dealt=body.get("dealt", False),
        next_state=_next_state(body.get("next")),
        totals=tuple(Decimal(str(points)) for points in body.get("totals", ())),
    )


def confirmed_body(confirmed: Confirmed) -> dict[str, Any]:
    """Return the request body for what was confirmed: the inverse of :func:`parse_confirmed`."""
    c = confirmed
    said: dict[str, Any] = {
        "outcome": c.outcome,
        "wins": [dict(win) for win in c.wins],
        "riichi": [s.value for s in c.riichi],
        "ready": [s.value for s in c.ready],
        "nagashi": [s.value for s in c.nagashi],
        "abortive": c.abortive,
        "transfers": [
            {"from": str(t.payer), "to": str(t.payee), "amount": plain_amount(t.amount), "why": t.why}
            for t in c.transfers
        ],
        "offender": c.offender.value if c.offender else None,
        "claim": dict(c.claim),
        "seat": c.seat.value if c.seat else None,
        "event": c.event,
        "dealt": c.dealt,
        "totals": [plain_amount(points) for points in c.totals],
        "next": {name: str(v) if isinstance(v, Seat) else v for name, v in c.next_state.items()},
    }
    return {name: value for name, value in said.items() if value}


def _seat(body: Mapping[str, Any], name: str) -> Seat | None:
    return Seat(body[name]) if body.get(name) else None


def _seats(body: Mapping[str, Any], name: str) -> tuple[Seat, ...]:
    return tuple(Seat(s) for s in body.get(name, ()))


def _next_state(body: Mapping[str, Any] | None) -> dict[str, Any]:
    said = {name: value for name, value in (body or {}).items() if value is not None}
    return {**said, "round": Seat(said["round"])} if "round" in said else said


def _transfer(body: Mapping[str, Any], number: int) -> Transfer:
    amount = Decimal(str(body["amount"]))
    if body["from"] == body["to"] or amount <= 0:
        message = "A payment goes from one seat to another and is more than nothing."
        raise InvalidRequest.of([Fault("bad_value", message, f"transfers[{number}]")])
    return Transfer(Seat(body["from"]), Seat(body["to"]), amount, body.get("why", "payment"))
