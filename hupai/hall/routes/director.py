"""What the director does: sign-in, corners and games of tables, laid hands corrected, confirmed, undone."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import Discriminator, Field, Tag

from hupai.games.requests import read_seen
from hupai.hall.feed.plan import parse_corners
from hupai.hall.roles import DIRECTOR_COOKIE, Directing, DirectorOnly, ScorerToo, TableName
from hupai.hall.store.watched import laid_hands, watched_tables
from hupai.web.middleware.limits import client_of
from hupai.web.middleware.security import COOKIE
from hupai.web.middleware.tokens import TOKEN_COOKIE, drop_cookies, holder_in, keep_cookie
from hupai.web.requests.bodies import Exact
from hupai.web.requests.game_bodies import ExpectedBody, SeenBody
from hupai.web.requests.strict import StrictRoute
from hupai.web.services import Served
from scoring.errors import Fault, InvalidRequest
from scoring.hand import MeldType
from scoring.seats import Seat
from scoring.tiles import parse_tiles, tile

router = APIRouter(route_class=StrictRoute, tags=["tournament"])
HandId = Annotated[int, Path(ge=1, le=2**31 - 1)]
_DAY_SECONDS = 24 * 3600


class DirectorCode(Exact):
    """The director's code."""

    code: str = Field(max_length=200)


class CornersBody(Exact):
    """Corners of the table as shares of the picture's width and height; null lets the tiles tell."""

    corners: Annotated[list[Annotated[list[float], Field(min_length=2, max_length=2)]], Field(max_length=4)] | None


class TableGameBody(Exact):
    """The game that gets the table's hands; null for none."""

    game_id: str | None = Field(max_length=40)


class VersionBody(Exact):
    """The hand's version as the director saw it."""

    version: int = Field(ge=1, le=10**9)


class LaidMeld(Exact):
    """A meld of a corrected hand."""

    type: MeldType
    tiles: Annotated[list[str], Field(min_length=3, max_length=4)]
    from_: Seat | None = Field(None, alias="from")


class LaidTiles(Exact):
    """A hand as the read response has it."""

    concealed: Annotated[list[str], Field(max_length=17)]
    melds: Annotated[list[LaidMeld], Field(max_length=5)] = Field(default_factory=list)
    winning_tile: str | None
    bonus: Annotated[list[str], Field(max_length=12)] = Field(default_factory=list)
    dora_indicators: Annotated[list[str], Field(max_length=10)] = Field(default_factory=list)


class CorrectBody(VersionBody):
    """The hand as the director sees it."""

    hand: LaidTiles


class EnteredBody(Exact):
    """A hand no camera saw; ``key``, of the sender's choice, makes a retry of the same write safe."""

    key: str = Field(min_length=8, max_length=32, pattern="^[A-Za-z0-9_-]+$")
    hand: LaidTiles


class AlsoLaid(Exact):
    """Another winner on the same tile whose hand was laid at the table too, as the director saw it."""

    laid: int = Field(ge=1, le=2**31 - 1)
    version: int = Field(ge=1, le=10**9)
    context: dict[str, Any]


def _kind(other: object) -> str:
    return "laid" if isinstance(other, AlsoLaid) or (isinstance(other, dict) and "laid" in other) else "request"


Also = Annotated[
    Annotated[AlsoLaid, Tag("laid")] | Annotated[dict[str, Any], Tag("request")],
    Discriminator(_kind),
]
"""Another winner on the tile: a hand laid at the table, or a whole score request."""


class AnswersBody(Exact):
    """What the camera cannot know: the winner's context, other winners on the tile, others' riichi sticks."""

    context: dict[str, Any]
    also: Annotated[list[Also], Field(max_length=2)] = Field(default_factory=list)
    riichi: Annotated[list[Seat], Field(max_length=4)] = Field(default_factory=list)


class ConfirmBody(AnswersBody, VersionBody):
    """Answers, the game and the payments as they were shown."""

    seen: SeenBody | None = None
    expected_payments: ExpectedBody | None = None


@router.get("/director", operation_id="get_director")
def get_director(request: Request, director: Directing) -> dict[str, bool]:
    """Whether this server has a director, and whether you are."""
    holder = holder_in(request)
    if holder is not None:
        return {"there": True, "you": holder.role == "director"}
    return {"there": director.is_configured, "you": director.is_director(request)}


@router.post("/director", operation_id="open_director", status_code=204)
def open_director(body: DirectorCode, request: Request, director: Directing, serve: Served) -> Response:
    """Give the director's code once; cookies remember it and open the access code's door too."""
    director.admit(body.code, client_of(request.scope))
    response = Response(status_code=204)
    drop_cookies(response, TOKEN_COOKIE)
    keep_cookie(request, response, DIRECTOR_COOKIE, director.cookie_value, _DAY_SECONDS)
    if serve.access.needed:
        keep_cookie(request, response, COOKIE, serve.access.cookie_value, _DAY_SECONDS)
    return response


@router.delete("/director", operation_id="close_director", status_code=204)
def close_director() -> Response:
    """Forget the director's code in this browser."""
    response = Response(status_code=204)
    drop_cookies(response, DIRECTOR_COOKIE, TOKEN_COOKIE)
    return response


@router.post("/tables/{name:path}/corners", operation_id="set_corners", dependencies=[DirectorOnly])
def set_corners(name: TableName, body: CornersBody, serve: Served) -> dict[str, Any]:
    """Say where the table's corners are in the picture; its worker follows within seconds."""
    corners = parse_corners(body.corners)
    return watched_tables.set_corners(serve.engine, name, [list(p) for p in corners] if corners is not None else None)


@router.post("/tables/{name:path}/game", operation_id="set_table_game", dependencies=[DirectorOnly])
def set_table_game(name: TableName, body: TableGameBody, serve: Served) -> dict[str, Any]:
    """Say which game gets the table's hands."""
    return watched_tables.set_game(serve.engine, name, body.game_id)


@router.delete("/tables/{name:path}", operation_id="forget_table", status_code=204, dependencies=[DirectorOnly])
def forget_table(name: TableName, serve: Served) -> None:
    """Drop a table that is not watched any more, with its history; games stay."""
    watched_tables.forget_table(serve.engine, name)


@router.post("/tables/{name:path}/laid", operation_id="enter_hand", status_code=201, dependencies=[ScorerToo])
def enter_hand(name: TableName, body: EnteredBody, serve: Served) -> dict[str, Any]:
    """Enter a hand that no camera saw; it waits at the table like one that was laid down."""
    return laid_hands.enter(serve.engine, name, body.key, _parse_tiles(body.hand))


@router.post("/laid/{hand_id}/score", operation_id="score_laid_hand")
def score_laid_hand(hand_id: HandId, body: AnswersBody, serve: Served) -> dict[str, Any]:
    """What confirming would come to: scores and payments. Nothing is written."""
    return laid_hands.try_confirm(serve.engine, hand_id, _answers(body))


@router.post("/laid/{hand_id}/confirm", operation_id="confirm_laid_hand", dependencies=[ScorerToo])
def confirm_laid_hand(hand_id: HandId, body: ConfirmBody, serve: Served) -> dict[str, Any]:
    """Record the hand in its table's game; a retry that says the same records nothing twice."""
    seen = read_seen({"seen": body.seen})
    return laid_hands.confirm(serve.engine, hand_id, body.version, _answers(body), body.expected_payments, seen)


@router.post("/laid/{hand_id}/correct", operation_id="correct_laid_hand", dependencies=[ScorerToo])
def correct_laid_hand(hand_id: HandId, body: CorrectBody, serve: Served) -> dict[str, Any]:
    """Say what the hand really is; a dismissed one is a hand again."""
    return laid_hands.correct(serve.engine, hand_id, body.version, _parse_tiles(body.hand))


@router.post("/laid/{hand_id}/dismiss", operation_id="dismiss_laid_hand", dependencies=[ScorerToo])
def dismiss_laid_hand(hand_id: HandId, body: VersionBody, serve: Served) -> dict[str, Any]:
    """Say that it was no hand to score."""
    return laid_hands.dismiss(serve.engine, hand_id, body.version)


@router.post("/laid/{hand_id}/undo", operation_id="undo_laid_hand", dependencies=[ScorerToo])
def undo_laid_hand(hand_id: HandId, body: VersionBody, serve: Served) -> dict[str, Any]:
    """Take the confirmation back, in the game too."""
    return laid_hands.undo(serve.engine, hand_id, body.version)


def _answers(body: AnswersBody) -> dict[str, Any]:
    also = [other.model_dump() if isinstance(other, AlsoLaid) else other for other in body.also]
    return {"context": body.context, "also": also, "riichi": [seat.value for seat in body.riichi]}


def _parse_tiles(hand: LaidTiles) -> dict[str, Any]:
    """Return the hand with every tile parsed.

    Raises:
        InvalidRequest: text that is not a tile.
    """
    found = hand.model_dump(mode="json", by_alias=True)
    if hand.winning_tile is not None and len(parse_tiles(hand.winning_tile)) != 1:
        raise InvalidRequest.of([Fault("bad_tile", "The winning tile is one tile.", "hand.winning_tile")])
    for code in (*hand.concealed, *hand.bonus, *hand.dora_indicators, *(t for m in hand.melds for t in m.tiles)):
        tile(code)
    return found
