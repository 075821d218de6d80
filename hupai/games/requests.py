"""Bodies of the ledger's operations (docs/api.md): what they look like, and what is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hupai.basics.names import clean_name, clean_names
from hupai.games.commands import Command, ExpectedRevision, NewGame, NewHand
from hupai.games.history import Amendment
from hupai.games.terms.agreed import NEXT, body_shapes, read_agreed
from hupai.games.terms.confirmed import parse_confirmed
from hupai.games.terms.shapes import AMOUNT, FLAG, OBJECT, SEAT, Shape, list_of, maybe, object_of, one_of, text, whole
from scoring.context import Win
from scoring.payments import POT
from scoring.seats import SEATS, Seat

MAX_REASON_CHARACTERS: Final = 200
_NAME: Final = text(200)
SEEN: Final = object_of(
    {},
    {
        "revision": maybe(whole()),
        "players": maybe(object_of({}, dict.fromkeys((seat.value for seat in SEATS), _NAME))),
    },
)
"""The game as the person saw it who confirms: its revision, or the name at each seat; both must hold."""
EXPECTED: Final = object_of({}, dict.fromkeys((*(seat.value for seat in SEATS), POT), AMOUNT))
"""Payments as the players saw them."""
SAID: Final = {
    "seen": maybe(SEEN),
    "wins": list_of(OBJECT, 3),
    **dict.fromkeys(("riichi", "ready", "nagashi"), list_of(SEAT, len(SEATS))),
    **dict.fromkeys(("abortive", "dealt"), FLAG),
    **dict.fromkeys(("offender", "seat"), maybe(SEAT)),
    "transfers": list_of(object_of({"from": SEAT, "to": SEAT, "amount": AMOUNT}, {"why": _NAME}), 20),
    "claim": maybe(
        object_of(
            {},
            {
                "win": one_of(*(win.value for win in Win)),
                "from": maybe(SEAT),
                "value": whole(1, 1_000_000),
                "fed": object_of({}, maxProperties=12),
            },
        )
    ),
    "event": maybe(text(60)),
    "expected_payments": maybe(EXPECTED),
    "next": maybe(object_of({}, {name: maybe(shape) for name, shape in NEXT.items()})),
    "models": object_of({}, maxProperties=10, additionalProperties=text(80)),
}
"""What may be said of a confirmed hand besides its outcome."""
HAND: Final = object_of(
    {"outcome": one_of("win", "draw", "false_win", "instant", "payment")}, {**SAID, "by": maybe(_NAME)}
)
_FIELDS: Final = body_shapes()
GAME: Final = object_of({"players": list_of(_NAME, 4, 3), "rules": _FIELDS["rules"]}, _FIELDS)
UNDO: Final = object_of({}, {"by": maybe(_NAME), "hand": maybe(whole(1)), "seen": maybe(SEEN)})
_AMENDED: Final = {"reason": text(1000), "seen": maybe(SEEN)}
AMENDMENT: Final = object_of({"by": _NAME}, _AMENDED)
CORRECTION: Final = object_of({"by": _NAME, "outcome": HAND["properties"]["outcome"]}, {**SAID, **_AMENDED})
AGREED: Final = object_of({"by": _NAME}, {**_AMENDED, "course": _FIELDS["course"]})
PRESET: Final = object_of({"name": _NAME, "rules": text(100)}, {"options": OBJECT})
FILE: Final[Shape] = object_of({"history": list_of(OBJECT)})
"""A game that was exported (:mod:`hupai.games.exchange`)."""


def read_game(body: Mapping[str, Any], key: str | None) -> NewGame:
    """Return the game that a body of :data:`GAME` begins.

    Raises:
        InvalidRequest: unknown rules, names or a table that cannot be.
    """
    name = body.get("name", "")
    agreed = read_agreed({**body, "name": clean_name(name, "name") if name.strip() else ""})
    return NewGame(clean_names(body["players"], "players"), agreed, key)


def read_command(
    kind: str, body: Mapping[str, Any], number: int | None = None, key: str | None = None, acting: str | None = None
) -> Command:
    """Return what a body asks for that is of the shape for this kind of command.

    Args:
        kind, body: what is done. number: of the hand that the address names. key: idempotency key of a new hand.
            acting: see :func:`actor_name`.

    Raises:
        InvalidRequest: invalid names, payments or reason, or nothing that was seen.
    """
    hand = _read_hand(body, key) if "outcome" in body else None
    by, reason = read_signer(body, acting), body.get("reason", "")
    why = clean_name(reason, "reason", MAX_REASON_CHARACTERS) if reason.strip() else ""
    amendment = None if by is None else Amendment(by, why)
    return Command(kind, amendment, read_seen(body), body.get("hand", number), hand, body.get("course", {}))


def _read_hand(body: Mapping[str, Any], key: str | None) -> NewHand:
    named = [
        {**transfer, "why": clean_name(transfer.get("why", "payment"), f"transfers[{i}].why", 100)}
        for i, transfer in enumerate(body.get("transfers", ()))
    ]
    return NewHand(
        confirmed=parse_confirmed({**body, "transfers": named}),
        body={name: value for name, value in body.items() if name not in ("by", "reason")},
        key=key,
        expected=body.get("expected_payments"),
        models=body.get("models", {}),
    )


def read_seen(body: Mapping[str, Any]) -> ExpectedRevision:
    """Return the game as it was seen.

    Raises:
        InvalidRequest: the body does not say.
    """
    seen = body.get("seen") or {}
    players = seen.get("players")
    return ExpectedRevision(seen.get("revision"), players and {Seat(seat): name for seat, name in players.items()})


def read_signer(body: Mapping[str, Any], acting: str | None = None) -> str | None:
    """Return who acts, if known.

    Raises:
        InvalidRequest: an invalid name.
    """
    by = body.get("by")
    return actor_name(None if by is None else clean_name(by, "by"), acting)


def actor_name(stated: str | None, holder_name: str | None) -> str | None:
    """Return who acts: the given name, and beside it the holder of the token that was used."""
    if holder_name is None or stated is None or stated == holder_name:
        return stated if holder_name is None else holder_name
    return f"{stated} ({holder_name})"
