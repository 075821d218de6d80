"""Changes to what was settled: hands corrected, withdrawn and restored; games ended and reopened."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from hupai.games.requests import read_amendment, read_hand, read_seen
from hupai.store.play.games import SqlGames
from hupai.web.guards import Acting, AgreedCourse, GameId
from hupai.web.requests.game_bodies import AgreedBody, AmendmentBody, CorrectionBody, HandBody
from hupai.web.requests.strict import StrictRoute
from hupai.web.routes.games import Last
from hupai.web.services import Served
from hupai.web.worded import worded

router = APIRouter(route_class=StrictRoute, tags=["games"])

Number = Annotated[int, Path(ge=1, le=10**9)]


@router.put("/games/{game_id}/hands/{number}", operation_id="correct_hand")
def correct_hand(
    game_id: GameId, number: Number, body: CorrectionBody, serve: Served, acting: Acting, last: Last = None
) -> dict[str, Any]:
    """Put another hand in the place of one that stands; what follows is settled again."""
    return SqlGames(serve.engine).correct_hand(game_id, number, read_hand(body), read_amendment(body, acting), last)


@router.post("/games/{game_id}/hands/{number}/try", operation_id="try_correction")
def try_correction(
    game_id: GameId, number: Number, body: HandBody, serve: Served, asked: Request, last: Last = None
) -> Response:
    """What a correction would come to: its scores, payments, the later hands settled again. Nothing is written."""
    return worded(SqlGames(serve.engine).try_correction(game_id, number, read_hand(body)), asked)


@router.post("/games/{game_id}/hands/{number}/withdraw", operation_id="withdraw_hand")
def withdraw_hand(
    game_id: GameId, number: Number, body: AmendmentBody, serve: Served, acting: Acting, last: Last = None
) -> dict[str, Any]:
    """Take any hand back; what follows is settled again, and the hand stays in the history."""
    return SqlGames(serve.engine).withdraw_hand(game_id, number, read_amendment(body, acting), read_seen(body), last)


@router.post("/games/{game_id}/hands/{number}/restore", operation_id="restore_hand")
def restore_hand(
    game_id: GameId, number: Number, body: AmendmentBody, serve: Served, acting: Acting, last: Last = None
) -> dict[str, Any]:
    """Let a hand that was taken back stand again in its place; what follows is settled again."""
    return SqlGames(serve.engine).restore_hand(game_id, number, read_amendment(body, acting), read_seen(body), last)


@router.post("/games/{game_id}/end", operation_id="end_game")
def end_game(
    game_id: GameId, body: AgreedBody, course: AgreedCourse, serve: Served, acting: Acting, last: Last = None
) -> dict[str, Any]:
    """End the game here, or settle one that is over in another way; in an event's game ``course`` is the director's."""
    amendment = read_amendment(body, acting)
    return SqlGames(serve.engine).end_game(game_id, course, amendment, read_seen(body), last)


@router.post("/games/{game_id}/reopen", operation_id="reopen_game")
def reopen_game(
    game_id: GameId, body: AgreedBody, course: AgreedCourse, serve: Served, acting: Acting, last: Last = None
) -> dict[str, Any]:
    """Let a game go on, or make it longer; in an event's game ``course`` is the director's."""
    amendment = read_amendment(body, acting)
    return SqlGames(serve.engine).reopen_game(game_id, course, amendment, read_seen(body), last)


@router.get("/games/{game_id}/changes/{revision}", operation_id="get_change")
def get_change(game_id: GameId, revision: Number, serve: Served) -> dict[str, Any]:
    """One change with what was there before it."""
    return SqlGames(serve.engine).get_change(game_id, revision)
