"""Score requests, as JSON in and out."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from hupai.web.answers import coach, scores
from hupai.web.requests.bodies import (
    ScoreAllRequest,
    ScoreBody,
    ScoreRequest,
    ScoresBody,
    ShantenBody,
    ShantenRequest,
    WaitsBody,
)
from hupai.web.requests.strict import StrictRoute
from hupai.web.routes.replies import worded

router = APIRouter(route_class=StrictRoute, tags=["scoring"])


@router.post("/score", operation_id="score_hand", responses={200: {"model": ScoreBody}})
def score_hand(request: ScoreRequest, asked: Request) -> Response:
    """Score a hand. One that may not win is an answer; one that makes no sense is refused with every fault."""
    return worded(scores.score_hand(request), asked)


@router.post("/score/all", operation_id="score_all", responses={200: {"model": ScoresBody}})
def score_all(request: ScoreAllRequest, asked: Request) -> Response:
    """The same hand under every system; tiles a system does not use are set aside and named."""
    return worded(scores.score_all(request), asked)


@router.post("/score/waits", operation_id="score_waits", responses={200: {"model": WaitsBody}})
def score_waits(request: ScoreRequest, asked: Request) -> Response:
    """What a hand waits for, and what each is worth, in riichi with riichi as well; a winning tile is ignored."""
    return worded(scores.score_waits(request), asked)


@router.post("/score/shanten", operation_id="count_shanten", responses={200: {"model": ShantenBody}})
def count_shanten(request: ShantenRequest, asked: Request) -> Response:
    """How far a hand is from waiting (0: it waits), and what brings it nearer, in a full one after which discard."""
    return worded(coach.count_shanten(request), asked)
