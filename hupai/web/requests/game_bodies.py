"""Bodies of the ledger's operations."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from hupai.ledger.expected_revision import ExpectedRevision
from scoring.seats import Seat


def _exact(value: object) -> Decimal:
    """Return an amount with at most four decimals.

    Raises:
        ValueError: it is not such a number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str) or len(str(value)) > 20:
        raise ValueError("an amount is a whole number, or a decimal string such as 0.5")
    try:
        number = Decimal(str(value))
    except ArithmeticError:
        raise ValueError("an amount is a whole number, or a decimal string such as 0.5") from None
    if not number.is_finite() or abs(number) > 10**9 or number != round(number, 4):
        raise ValueError("an amount is at most a thousand million, with at most four decimals")
    return number


ExactAmount = Annotated[
    Decimal,
    BeforeValidator(_exact),
    WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"^-?\d{1,9}(\.\d{1,4})?$"}]}),
]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class StartBody(_Body):
    """Where a game begins; ``first_dealer`` is who dealt first in the round (the dealer, if not given)."""

    round: Seat = Seat.E
    dealer: int = Field(0, ge=0, le=3)
    first_dealer: int | None = Field(None, ge=0, le=3)
    streak: int = Field(1, ge=1, le=1000)
    counters: int = Field(0, ge=0, le=1000)
    riichi_sticks: int = Field(0, ge=0, le=99)


class GameBody(_Body):
    """A game to begin."""

    players: Annotated[list[Annotated[str, Field(max_length=200)]], Field(min_length=3, max_length=4)]
    rules: str = Field(max_length=100)
    options: dict[str, Any] = Field(default_factory=dict)
    name: str = Field("", max_length=200)
    start: StartBody = Field(default_factory=lambda: StartBody.model_validate({}))
    starting_points: ExactAmount = Decimal(0)
    rotation: Literal["custom", "win_or_draw", "win", "never", "winner", "riichi"] = "custom"
    course: dict[str, Any] = Field(default_factory=dict, max_length=20)


class TransferBody(_Body):
    """A payment made by hand."""

    from_: Seat = Field(alias="from")
    to: Seat
    amount: ExactAmount
    why: str = Field("payment", max_length=200)


class NextBody(_Body):
    """Where the table goes on, overruling the rotation; what is left out follows it."""

    round: Seat | None = None
    dealer: int | None = Field(None, ge=0, le=3)
    streak: int | None = Field(None, ge=1, le=1000)
    counters: int | None = Field(None, ge=0, le=1000)


class ExpectedBody(_Body):
    """Payments as the players saw them."""

    E: ExactAmount = Decimal(0)
    S: ExactAmount = Decimal(0)
    W: ExactAmount = Decimal(0)
    N: ExactAmount = Decimal(0)
    pot: ExactAmount = Decimal(0)


class SeenBody(_Body):
    """The game as the person saw it who confirms: its revision, or the name at each seat; both must hold."""

    revision: int | None = Field(None, ge=0, le=10**9)
    players: dict[Seat, Annotated[str, Field(max_length=200)]] | None = None


def expected_revision(body: SeenBody | None) -> ExpectedRevision:
    """Return what was seen.

    Raises:
        InvalidRequest: the body does not say.
    """
    return ExpectedRevision(body.revision, body.players) if body is not None else ExpectedRevision()


Seats = Annotated[list[Seat], Field(max_length=4)]


class ClaimBody(_Body):
    """The win that was claimed falsely, where the penalty is what it meant to receive."""

    win: Literal["self_draw", "discard", "robbed_kong"] = "self_draw"
    from_: Seat | None = Field(None, alias="from")
    value: int = Field(1, ge=1, le=1_000_000)
    fed: dict[str, Any] = Field(default_factory=dict, max_length=12)


class ConfirmedHandBody(_Body):
    """A confirmed hand, and who enters it, if that is known; docs/api.md says which fields belong to which outcome."""

    by: str | None = Field(None, max_length=200)
    outcome: Literal["win", "draw", "false_win", "instant", "payment"]
    seen: SeenBody | None = None
    wins: Annotated[list[dict[str, Any]], Field(max_length=3)] = Field(default_factory=list)
    riichi: Seats = Field(default_factory=list)
    ready: Seats = Field(default_factory=list)
    nagashi: Seats = Field(default_factory=list)
    abortive: bool = False
    transfers: Annotated[list[TransferBody], Field(max_length=20)] = Field(default_factory=list)
    offender: Seat | None = None
    claim: ClaimBody | None = None
    seat: Seat | None = None
    event: str | None = Field(None, max_length=60)
    dealt: bool = False
    expected_payments: ExpectedBody | None = None
    next: NextBody | None = None
    models: dict[str, Annotated[str, Field(max_length=80)]] = Field(default_factory=dict, max_length=10)


class UndoBody(_Body):
    """Which hand is meant (the last one if not said), who undoes it, if known, and the game as the person saw it."""

    by: str | None = Field(None, max_length=200)
    hand: int | None = Field(None, ge=1, le=10**9)
    seen: SeenBody | None = None


MAX_REASON_CHARACTERS = 200


class AmendmentBody(_Body):
    """Who changes what was settled, why, if they say so, and the game as they saw it."""

    by: str = Field(max_length=200)
    reason: str = Field("", max_length=1000)
    seen: SeenBody | None = None


class CorrectionBody(ConfirmedHandBody):
    """The hand as it should have been, who says so and perhaps why; seats are those of the table it was dealt at."""

    by: str = Field(max_length=200)
    reason: str = Field("", max_length=1000)


class AgreedBody(AmendmentBody):
    """What is agreed on anew of the game's course: how long it goes on, or how it is settled."""

    course: dict[str, Any] = Field(default_factory=dict, max_length=20)
