"""Changes to what was settled: hands corrected, withdrawn and restored; games ended and reopened."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path

from hupai.basics.names import clean_name
from hupai.ledger.history import Amendment
from hupai.store.play import amendments, games
from hupai.web.requests.game_bodies import (
    MAX_REASON_CHARACTERS,
    AgreedBody,
    AmendmentBody,
    ConfirmedHandBody,
    CorrectionBody,
    expected_revision,
)
from hupai.web.requests.strict import StrictRoute
from hupai.web.roles import Acting, actor_name
from hupai.web.routes.games import GameId, Last, record_of
from hupai.web.services import Served

router = APIRouter(route_class=StrictRoute, tags=["games"])

Number = Annotated[int, Path(ge=1, le=10**9)]


@router.put("/games/{game_id}/hands/{number}", operation_id="correct_hand")
def correct_hand(
    game_id: GameId, number: Number, body: CorrectionBody, serve: Served, acting: Acting, last: Last = None
) -> dict[str, Any]:
    """Put another hand in the place of one that stands; what follows is settled again."""
    record = record_of(body, None)
    return amendments.correct_hand(serve.engine, game_id, number, record, _amendment(body, acting), last)


@router.post("/games/{game_id}/hands/{number}/try", operation_id="try_correction")
def try_correction(
    game_id: GameId, number: Number, body: ConfirmedHandBody, serve: Served, last: Last = None
) -> dict[str, Any]:
    """What a correction would come to: its scores, payments, the later hands settled again. Nothing is written."""
    return amendments.try_correction(serve.engine, game_id, number, record_of(body, None), last)


@router.post("/games/{game_id}/hands/{number}/withdraw", operation_id="withdraw_hand")
def withdraw_hand(
    game_id: GameId, number: Number, body: AmendmentBody, serve: Served, acting: Acting, last: Last = None
) -> dict[str, Any]:
    """Take any hand back; what follows is settled again, and the hand stays in the history."""
    return amendments.withdraw_hand(
        serve.engine, game_id, number, _amendment(body, acting), expected_revision(body.seen), last
    )


@router.post("/games/{game_id}/hands/{number}/restore", operation_id="restore_hand")
def restore_hand(
    game_id: GameId, number: Number, body: AmendmentBody, serve: Served, acting: Acting, last: Last = None
) -> dict[str, Any]:
    """Let a hand that was taken back stand again in its place; what follows is settled again."""
    return amendments.restore_hand(
        serve.engine, game_id, number, _amendment(body, acting), expected_revision(body.seen), last
    )


@router.post("/games/{game_id}/end", operation_id="end_game")
def end_game(game_id: GameId, body: AgreedBody, serve: Served, acting: Acting, last: Last = None) -> dict[str, Any]:
    """End the game here, or settle one that is over in another way."""
    return amendments.end_game(
        serve.engine, game_id, body.course, _amendment(body, acting), expected_revision(body.seen), last
    )


@router.post("/games/{game_id}/reopen", operation_id="reopen_game")
def reopen_game(game_id: GameId, body: AgreedBody, serve: Served, acting: Acting, last: Last = None) -> dict[str, Any]:
    """Let a game go on, or make it longer."""
    return amendments.reopen_game(
        serve.engine, game_id, body.course, _amendment(body, acting), expected_revision(body.seen), last
    )


@router.get("/games/{game_id}/changes/{revision}", operation_id="get_change")
def get_change(game_id: GameId, revision: Number, serve: Served) -> dict[str, Any]:
    """One change with what was there before it."""
    return games.get_change(serve.engine, game_id, revision)


def _amendment(body: AmendmentBody | CorrectionBody, acting: str | None) -> Amendment:
    reason = clean_name(body.reason, "reason", MAX_REASON_CHARACTERS) if body.reason.strip() else ""
    return Amendment(actor_name(clean_name(body.by, "by"), acting) or "", reason)
