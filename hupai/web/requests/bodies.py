"""The contracts' JSON objects as types, for the OpenAPI description and for checks."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from hupai.games.terms.shapes import FLAG, SEAT, list_of, maybe, object_of, one_of, text, whole
from scoring.context import Win
from scoring.hand import MeldType
from scoring.rulebook.result import FIELDS
from scoring.rules import systems
from scoring.tiles import TILES

_TILE: Final = one_of(*(t.code for t in TILES))
_TILES: Final = {"anyOf": [list_of(_TILE, 20), {**text(100), "description": "a compact run such as 123m406p11z f1"}]}
_RULES: Final = {"type": "string", "description": f"{', '.join(systems())}, or an alias"}
_PRESET: Final = {"type": "string", "description": "house rules by the name people use, see GET /rules"}
_OPTIONS: Final = {"type": "object", "description": "house rules by name, see GET /rules"}
_CIRCUMSTANCES: Final = {
    "seat": SEAT,
    "win": one_of(*(win.value for win in Win)),
    "from": maybe(SEAT),
    "round": SEAT,
}
_ABOUT: Final = "what a camera cannot see; which fields a system reads is in the asks of GET /rules"
_CONTEXT: Final = {
    **{"type": "object", "required": ["seat", "win"], "properties": _CIRCUMSTANCES},
    **{"description": _ABOUT, "additionalProperties": True},
}
_MELDS: Final = list_of(object_of({"type": one_of(*map(str, MeldType)), "tiles": _TILES}, {"from": maybe(SEAT)}), 4)
_HAND: Final = {
    "id": {"description": "anything, echoed"},
    "concealed": _TILES,
    "melds": _MELDS,
    "winning_tile": maybe(_TILE),
    "bonus": _TILES,
    "context": _CONTEXT,
    "why": {**FLAG, "description": "say why the score is not higher"},
    "open": {**FLAG, "description": "say what an answer to each open one of the prompts would change"},
    "rules": _RULES,
    "options": _OPTIONS,
}
_RESULT: Final = object_of(
    {},
    dict.fromkeys(FIELDS, whole(0, 1_000_000)),
    description="what the players counted themselves, instead of tiles",
)


def _schema(title: str, required: list[str], **more: Any) -> WithJsonSchema:
    return WithJsonSchema({"title": title, "type": "object", "required": required, "properties": {**_HAND, **more}})


ScoreRequest = Annotated[dict[str, Any], _schema("ScoreRequest", ["context"], preset=_PRESET, result=_RESULT)]
"""A score request; the scoring core checks it and names every fault. Rules or a preset are needed."""

ScoreAllRequest = Annotated[
    dict[str, Any],
    _schema(
        "ScoreAllRequest",
        ["concealed", "context"],
        options_by_rules={"type": "object", "additionalProperties": _OPTIONS},
    ),
]
"""A score request whose rules may be left out."""

_BETWEEN_WINS: Final = object_of(
    {"rules": _RULES, "concealed": _TILES},
    {
        **{"options": _OPTIONS, "seen": list_of(_TILE), "melds": _MELDS, "bonus": _TILES},
        "context": {**_CONTEXT, "required": []},
    },
    title="ShantenRequest",
)
ShantenRequest = Annotated[dict[str, Any], WithJsonSchema(dict(_BETWEEN_WINS))]
"""A hand between wins: its concealed tiles, full or one short, and the tiles that lie open elsewhere. With the context
of a score, and melds and bonus tiles, the waits of a full one are scored."""


class Exact(BaseModel):
    """A body with no fields but its own."""

    model_config = ConfigDict(extra="forbid")


Amount = int | str
"""An integer, or a decimal string."""


class ElementLine(Exact):
    """One line of a score; ``listed`` is what it would add if the house had no value of its own for the element."""

    id: str
    name: str
    native: str
    value: int
    count: int
    listed: int | None = None
    why: str


class Total(BaseModel):
    """The sum; ``fu``, ``points`` and ``yakuman`` only where the system has them."""

    model_config = ConfigDict(extra="allow")
    unit: str
    value: int
    uncapped: int
    limit: str | None


class UnitBody(Exact):
    """A set of the arrangement; ``stands_for`` only where wild tiles lie in it: what each tile is read as."""

    type: str
    tiles: list[str]
    concealed: bool
    completed_by_winning_tile: bool
    stands_for: list[str] | None = None


class PaymentsBody(Exact):
    """What each seat and the pot win or lose; the sum is zero."""

    E: Amount
    S: Amount
    W: Amount
    N: Amount
    pot: Amount


class TransferLine(Exact):
    """One payment."""

    from_: str = Field(alias="from")
    to: str
    amount: Amount
    why: str


class Reason(Exact):
    """Why a hand may not win."""

    code: str
    message: str


class NotCounted(Exact):
    """An element that is met and not counted, the one that counts in its place, and why."""

    id: str
    name: str
    native: str
    by: str
    why: str


class NextStep(Exact):
    """What so much more would pay the winner, and what he gets now."""

    more: int
    unit: str
    income: Amount
    now: Amount | None
    sentence: str


class GainedElement(Exact):
    """An element that a hand lacks."""

    id: str
    name: str
    native: str
    value: int


class OtherTile(Exact):
    """The same hand with another tile in the place of one, and the elements that it has then besides."""

    drop: str
    take: str
    winning: bool
    elements: list[GainedElement]
    income: Amount
    change: Amount


class OtherRule(Exact):
    """The same hand under another house rule."""

    option: str
    value: Any
    legal: bool
    income: Amount
    change: Amount


class WhyBody(Exact):
    """Why a score is not higher."""

    not_counted: list[NotCounted]
    second_best: str | None
    next_steps: list[NextStep]
    nearest: list[OtherTile]
    house_rules: list[OtherRule]


class OpenBody(Exact):
    """The same hand with an answer to a question that nearly every hand turns on, and that is open."""

    name: str
    value: Any
    legal: bool
    income: Amount
    change: Amount


class ScoreBody(Exact):
    """A score response. ``payments`` is null when the discarder is unknown: see ``payments_if_from``."""

    id: Any
    rules: str
    legal: bool
    reason: Reason | None
    elements: list[ElementLine]
    total: Total | None
    arrangement: list[UnitBody]
    payments: PaymentsBody | None
    transfers: list[TransferLine]
    explanation: list[str]
    payments_if_from: dict[str, PaymentsBody] | None = None
    why: WhyBody | None = None
    open: list[OpenBody] | None = None


class ScoreErrorBody(Exact):
    """Why a system could not score the hand at all."""

    code: str
    message: str
    field: str | None
    faults: list[str]


class RefusedBody(Exact):
    """In place of a score: the hand or context makes no sense under these rules."""

    id: Any
    rules: str
    error: ScoreErrorBody
    set_aside: list[str]


class ScoreOfSystem(ScoreBody):
    """A score, with what the system does not use."""

    set_aside: list[str]


class ScoresBody(Exact):
    """One answer a system."""

    scores: list[ScoreOfSystem | RefusedBody]


class WaitBody(Exact):
    """A tile that completes the hand, and its score; not legal where the rules refuse it nonetheless.

    ``riichi`` is the score had riichi been declared; null where it is, or cannot be.
    """

    tile: str
    score: ScoreBody
    riichi: ScoreBody | None


class WaitsBody(Exact):
    """What the hand waits for, in the order of the tiles."""

    waits: list[WaitBody]


class DrawBody(Exact):
    """A tile that brings the hand nearer, and how many of its kind are left."""

    tile: str
    left: int


class DiscardBody(Exact):
    """A tile to discard, the tiles that then bring the hand nearer, and the scores of those that it then waits for."""

    tile: str
    draws: list[DrawBody]
    waits: list[WaitBody]


class ShantenBody(Exact):
    """How far the hand is from waiting, -1 where it wins; null where nobody said which tiles are wild.

    ``draws`` of a hand that lacks a tile bring it nearer; ``discards`` of a full one keep it as near, the best first.
    """

    shanten: int | None
    draws: list[DrawBody]
    discards: list[DiscardBody]


class TileBody(Exact):
    """A tile in the photo."""

    tile: str
    confidence: float
    corners: list[tuple[float, float]]
    alternatives: list[tuple[str, float]]
    role: str
    group: int


class AsideBody(Exact):
    """What was set aside in the photo, though it may well be a tile."""

    number: int
    tile: str
    confidence: float
    corners: list[tuple[float, float]]
    alternatives: list[tuple[str, float]]


class MeldBody(Exact):
    """A declared set."""

    type: str
    tiles: list[str]
    from_: str | None = Field(alias="from")


class HandBody(Exact):
    """The hand as read."""

    concealed: list[str]
    melds: list[MeldBody]
    winning_tile: str | None
    bonus: list[str]
    dora_indicators: list[str]


class DoubtBody(Exact):
    """Something the camera is not sure of, or that no picture tells (``open``), with the answers that are offered."""

    code: str
    tile: int | None
    message: str
    answers: list[str]
    open: bool


class RepairBody(Exact):
    """Where the rules-aware reading differs from what the classifier saw."""

    tile: int
    read: str
    used: str
    why: str


class ReadBody(Exact):
    """A read response."""

    image: str
    width: int
    height: int
    tiles: list[TileBody]
    hand: HandBody | None
    doubts: list[DoubtBody]
    repairs: list[RepairBody]
    timings_ms: dict[str, float]
    models: dict[str, str]
    aside: list[AsideBody]
    set: str | None
    photo_id: str | None = None


class ProblemFault(Exact):
    """One thing wrong."""

    code: str
    message: str
    field: str | None


class Problem(Exact):
    """A refusal (RFC 9457).

    ``changed`` only of ``game_moved_on``: what has happened in the game since it was seen; ``parted`` only of
    ``file_refused``: what differs between a game and the file of it.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    field: str | None
    faults: list[ProblemFault]
    changed: dict[str, Any] | None = None
    parted: dict[str, Any] | None = None
