"""What the director does: sign-in, corners and games of tables, laid hands corrected, confirmed, undone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request, Response

from hupai.games.requests import EXPECTED, SEEN, read_seen
from hupai.games.terms.shapes import OBJECT, SEAT, check, list_of, maybe, object_of, one_of, text, whole
from hupai.hall.feed.plan import parse_corners
from hupai.hall.roles import DIRECTOR_COOKIE, Directing, DirectorOnly, ScorerToo, TableName
from hupai.hall.store.watched import laid_hands, watched_tables
from hupai.web.middleware.limits import client_of
from hupai.web.middleware.security import COOKIE
from hupai.web.middleware.tokens import TOKEN_COOKIE, drop_cookies, holder_in, keep_cookie
from hupai.web.requests.shaped import Shaped
from hupai.web.requests.strict import StrictRoute
from hupai.web.services import Served
from scoring.errors import Fault, InvalidRequest
from scoring.hand import MeldType
from scoring.tiles import parse_tiles, tile

router = APIRouter(route_class=StrictRoute, tags=["tournament"])
HandId = Annotated[int, Path(ge=1, le=2**31 - 1)]
_DAY_SECONDS: Final = 24 * 3600
_VERSION: Final = {"version": whole(1)}
_TILES: Final = {"type": "string"}
_LAID: Final = object_of(
    {"concealed": list_of(_TILES, 17), "winning_tile": maybe(_TILES)},
    {
        "melds": list_of(
            object_of({"type": one_of(*map(str, MeldType)), "tiles": list_of(_TILES, 4, 3)}, {"from": maybe(SEAT)}), 5
        ),
        "bonus": list_of(_TILES, 12),
        "dora_indicators": list_of(_TILES, 10),
    },
    description="a hand as the read response has it",
)
_ALSO: Final = {
    **object_of({}),
    "description": "another winner on the tile: a whole score request, or a hand laid at the table",
}
_ALSO_LAID: Final = object_of({"laid": whole(1, 2**31 - 1), **_VERSION, "context": OBJECT}, {})
_ANSWERS: Final = {"also": list_of(_ALSO, 2), "riichi": list_of(SEAT, 4)}
DirectorCode = Annotated[dict[str, Any], Shaped.of({"code": text(200)})]
CornersBody = Annotated[
    dict[str, Any],
    Shaped.of(
        {"corners": maybe(list_of(list_of({"type": "number"}, 2, 2), 4))},
        about="corners of the table as shares of the picture's width and height; null lets the tiles tell",
    ),
]
TableGameBody = Annotated[
    dict[str, Any], Shaped.of({"game_id": maybe(text(40))}, about="the game that gets the table's hands; null for none")
]
VersionBody = Annotated[dict[str, Any], Shaped.of(_VERSION, about="the hand's version as the director saw it")]
CorrectBody = Annotated[dict[str, Any], Shaped.of({**_VERSION, "hand": _LAID})]
EnteredBody = Annotated[
    dict[str, Any],
    Shaped.of(
        {"key": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,32}$"}, "hand": _LAID},
        about="a hand no camera saw; `key`, of the sender's choice, makes a retry of the same write safe",
    ),
]
AnswersBody = Annotated[
    dict[str, Any],
    Shaped.of(
        {"context": OBJECT},
        _ANSWERS,
        "what the camera cannot know: the winner's context, other winners on the tile, others' riichi sticks",
    ),
]
ConfirmBody = Annotated[
    dict[str, Any],
    Shaped.of(
        {"context": OBJECT, **_VERSION},
        {**_ANSWERS, "seen": maybe(SEEN), "expected_payments": maybe(EXPECTED)},
        "answers, the game and the payments as they were shown",
    ),
]


@router.get("/director")
def get_director(request: Request, director: Directing) -> dict[str, bool]:
    """Whether this server has a director, and whether you are."""
    holder = holder_in(request)
    if holder is not None:
        return {"there": True, "you": holder.role == "director"}
    return {"there": director.is_configured, "you": director.is_director(request)}


@router.post("/director", status_code=204)
def open_director(body: DirectorCode, request: Request, director: Directing, serve: Served) -> Response:
    """Give the director's code once; cookies remember it and open the access code's door too."""
    director.admit(body["code"], client_of(request.scope))
    response = Response(status_code=204)
    drop_cookies(response, TOKEN_COOKIE)
    keep_cookie(request, response, DIRECTOR_COOKIE, director.cookie_value, _DAY_SECONDS)
    if serve.access.needed:
        keep_cookie(request, response, COOKIE, serve.access.cookie_value, _DAY_SECONDS)
    return response


@router.delete("/director", status_code=204)
def close_director() -> Response:
    """Forget the director's code in this browser."""
    response = Response(status_code=204)
    drop_cookies(response, DIRECTOR_COOKIE, TOKEN_COOKIE)
    return response


@router.post("/tables/{name:path}/corners", dependencies=[DirectorOnly])
def set_corners(name: TableName, body: CornersBody, serve: Served) -> dict[str, Any]:
    """Say where the table's corners are in the picture; its worker follows within seconds."""
    corners = parse_corners(body["corners"])
    return watched_tables.set_corners(serve.engine, name, [list(p) for p in corners] if corners is not None else None)


@router.post("/tables/{name:path}/game", dependencies=[DirectorOnly])
def set_table_game(name: TableName, body: TableGameBody, serve: Served) -> dict[str, Any]:
    """Say which game gets the table's hands."""
    return watched_tables.set_game(serve.engine, name, body["game_id"])


@router.delete("/tables/{name:path}", status_code=204, dependencies=[DirectorOnly])
def forget_table(name: TableName, serve: Served) -> None:
    """Drop a table that is not watched any more, with its history; games stay."""
    watched_tables.forget_table(serve.engine, name)


@router.post("/tables/{name:path}/laid", status_code=201, dependencies=[ScorerToo])
def enter_hand(name: TableName, body: EnteredBody, serve: Served) -> dict[str, Any]:
    """Enter a hand that no camera saw; it waits at the table like one that was laid down."""
    return laid_hands.enter(serve.engine, name, body["key"], _check_tiles(body["hand"]))


@router.post("/laid/{hand_id}/score")
def score_laid_hand(hand_id: HandId, body: AnswersBody, serve: Served) -> dict[str, Any]:
    """What confirming would come to: scores and payments. Nothing is written."""
    return laid_hands.try_confirm(serve.engine, hand_id, _answers(body))


@router.post("/laid/{hand_id}/confirm", dependencies=[ScorerToo])
def confirm_laid_hand(hand_id: HandId, body: ConfirmBody, serve: Served) -> dict[str, Any]:
    """Record the hand in its table's game; a retry that says the same records nothing twice."""
    answers, expected = _answers(body), body.get("expected_payments")
    return laid_hands.confirm(serve.engine, hand_id, body["version"], answers, expected, read_seen(body))


@router.post("/laid/{hand_id}/correct", dependencies=[ScorerToo])
def correct_laid_hand(hand_id: HandId, body: CorrectBody, serve: Served) -> dict[str, Any]:
    """Say what the hand really is; a dismissed one is a hand again."""
    return laid_hands.correct(serve.engine, hand_id, body["version"], _check_tiles(body["hand"]))


@router.post("/laid/{hand_id}/dismiss", dependencies=[ScorerToo])
def dismiss_laid_hand(hand_id: HandId, body: VersionBody, serve: Served) -> dict[str, Any]:
    """Say that it was no hand to score."""
    return laid_hands.dismiss(serve.engine, hand_id, body["version"])


@router.post("/laid/{hand_id}/undo", dependencies=[ScorerToo])
def undo_laid_hand(hand_id: HandId, body: VersionBody, serve: Served) -> dict[str, Any]:
    """Take the confirmation back, in the game too."""
    return laid_hands.undo(serve.engine, hand_id, body["version"])


def _answers(body: Mapping[str, Any]) -> dict[str, Any]:
    also = body.get("also", [])
    for i, other in enumerate(also):
        if "laid" in other:
            check(_ALSO_LAID, other, f"also[{i}]")
    return {"context": body["context"], "also": also, "riichi": body.get("riichi", [])}


def _check_tiles(hand: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hand with all its fields.

    Raises:
        InvalidRequest: text that is not a tile.
    """
    melds = [{"from": None, **meld} for meld in hand.get("melds", ())]
    found = {**hand, "melds": melds, **{name: hand.get(name, []) for name in ("bonus", "dora_indicators")}}
    if hand["winning_tile"] is not None and len(parse_tiles(hand["winning_tile"])) != 1:
        raise InvalidRequest.of([Fault("bad_tile", "The winning tile is one tile.", "hand.winning_tile")])
    for code in (
        *found["concealed"],
        *found["bonus"],
        *found["dora_indicators"],
        *(t for m in melds for t in m["tiles"]),
    ):
        tile(code)
    return found
