"""The ledger: games and their hands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from hupai.games.expected_revision import SEEN_NEEDED, ExpectedRevision
from hupai.games.figures import PlayerFigures
from hupai.games.requests import read_game, read_hand, read_seen, read_signer
from hupai.store.play.games import SqlGames
from hupai.web.answers.kept import take_over
from hupai.web.export import BOM, csv_of, figures_csv, json_of
from hupai.web.guards import Acting, GameId, check_writing
from hupai.web.requests.forms import FILE, TEXT, form_schema, read_form
from hupai.web.requests.game_bodies import GameBody, HandBody, UndoBody
from hupai.web.requests.strict import StrictRoute
from hupai.web.services import Served
from hupai.web.worded import worded
from scoring.errors import Fault, InvalidRequest

router = APIRouter(route_class=StrictRoute, tags=["games"])

Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)]
CSV: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
Last = Annotated[int | None, Query(ge=0, le=100_000, description="show only the last so many hands")]


@dataclass(frozen=True, slots=True)
class FigureList:
    """The figures of everybody under every rule system that they played."""

    figures: list[PlayerFigures]


@router.post("/games", operation_id="create_game", status_code=201)
def create_game(
    body: GameBody, response: Response, request: Request, serve: Served, idempotency_key: Key = None
) -> dict[str, Any]:
    """Begin a game; a retry with the same Idempotency-Key begins no second one."""
    game = SqlGames(serve.engine).create_game(read_game(body, idempotency_key))
    response.headers["Location"] = f"{request.url.path}/{game['id']}"
    return game


@router.post(
    "/games/import",
    operation_id="import_game",
    status_code=201,
    response_model=dict[str, Any],
    responses={200: {"model": dict[str, Any], "description": "It was here already; `added` is new"}},
    openapi_extra=form_schema(["game"], game=FILE, preset=TEXT),
)
async def import_game(request: Request, serve: Served) -> JSONResponse:
    """Take over a game, or what is new of one, from a file: one that was exported, or the log of another program."""
    form = await read_form(request, texts=("preset",), files=("game",))
    data, preset = form.file("game").data, form.text("preset")
    games = SqlGames(serve.engine, partial(check_writing, request, serve))
    game = await run_in_threadpool(take_over, games, data, preset)
    return JSONResponse(game, 200 if "added" in game else 201)


@router.get("/games", operation_id="list_games")
def list_games(
    serve: Served, limit: Annotated[int, Query(ge=1, le=500)] = 100, offset: Annotated[int, Query(ge=0, le=10**9)] = 0
) -> dict[str, Any]:
    """The games, latest first."""
    return {"games": SqlGames(serve.engine).list_games(limit, offset)}


@router.get("/games/{game_id}", operation_id="get_game")
def get_game(game_id: GameId, serve: Served, last: Last = None) -> dict[str, Any]:
    """A game: seats, totals, hands."""
    return SqlGames(serve.engine).get_game(game_id, last)


@router.get("/games/{game_id}/changes", operation_id="list_changes")
def list_changes(game_id: GameId, serve: Served, after: Annotated[int, Query(ge=0, le=10**9)] = 0) -> dict[str, Any]:
    """What was recorded and taken back after a revision, the last fifty changes of it."""
    return SqlGames(serve.engine).list_changes(game_id, after)


@router.delete("/games/{game_id}", operation_id="delete_game", status_code=204)
def delete_game(game_id: GameId, serve: Served, revision: Annotated[int | None, Query(ge=0, le=10**9)] = None) -> None:
    """Delete a game and its history, at the revision that was seen."""
    if revision is None:
        raise InvalidRequest.of([Fault("seen_needed", SEEN_NEEDED, "revision")])
    SqlGames(serve.engine).delete_game(game_id, ExpectedRevision(revision))


@router.post(
    "/games/{game_id}/hands",
    operation_id="record_hand",
    status_code=201,
    responses={200: {"model": dict[str, Any], "description": "Recorded before under this Idempotency-Key"}},
)
def record_hand(
    game_id: GameId,
    body: HandBody,
    serve: Served,
    acting: Acting,
    idempotency_key: Key = None,
    last: Last = None,
) -> JSONResponse:
    """Record a confirmed hand; a retry with the same Idempotency-Key records nothing twice."""
    record = read_hand(body, idempotency_key, acting)
    hand, game, again = SqlGames(serve.engine).record_hand(game_id, record, last)
    headers = {"Idempotency-Replayed": "true"} if again else {}
    return JSONResponse({"hand": hand, "game": game}, 200 if again else 201, headers)


@router.post("/games/{game_id}/hands/try", operation_id="try_hand")
def try_hand(game_id: GameId, body: HandBody, serve: Served, asked: Request, last: Last = None) -> Response:
    """What recording would come to: scores, payments, the table after it. Nothing is written."""
    return worded(SqlGames(serve.engine).try_hand(game_id, read_hand(body)), asked)


@router.get("/games/{game_id}/hands/{number}", operation_id="get_hand")
def get_hand(game_id: GameId, number: Annotated[int, Path(ge=1, le=10**9)], serve: Served) -> dict[str, Any]:
    """One hand with everything that was confirmed and scored."""
    return SqlGames(serve.engine).get_hand(game_id, number)


@router.post("/games/{game_id}/undo", operation_id="undo_hand")
def undo_hand(
    game_id: GameId, serve: Served, acting: Acting, body: UndoBody | None = None, last: Last = None
) -> dict[str, Any]:
    """Take the last hand back; it stays in the history, marked."""
    said = body or {}
    by = read_signer(said, acting)
    return SqlGames(serve.engine).undo_hand(game_id, said.get("hand"), last, read_seen(said), by)


@router.get("/games/{game_id}/export.csv", operation_id="export_game_csv", response_class=Response, responses=CSV)
def export_game_csv(game_id: GameId, serve: Served) -> Response:
    """A row a hand, for a spreadsheet."""
    game, history = SqlGames(serve.engine).all_hands(game_id)
    return csv_file(csv_of(game, history), game["id"])


@router.get("/games/{game_id}/export.json", operation_id="export_game_json")
def export_game_json(game_id: GameId, serve: Served) -> JSONResponse:
    """The whole game with requests and scores."""
    game, history = SqlGames(serve.engine).all_hands(game_id)
    return JSONResponse(json_of(game, history), headers=attachment(game["id"], "json"))


@router.get("/figures", operation_id="list_figures")
def list_figures(serve: Served) -> FigureList:
    """What everybody won and paid over all games, by rule system."""
    return FigureList(SqlGames(serve.engine).list_figures())


@router.get("/figures/export.csv", operation_id="export_figures_csv", response_class=Response, responses=CSV)
def export_figures_csv(serve: Served) -> Response:
    """A row for everybody under each rule system, for a spreadsheet."""
    return csv_file(figures_csv(SqlGames(serve.engine).list_figures()), "figures")


def csv_file(text: str, name: str) -> Response:
    """Return a download of a table for spreadsheets."""
    return Response((BOM + text).encode(), media_type="text/csv; charset=utf-8", headers=attachment(name, "csv"))


def attachment(name: str, suffix: str) -> dict[str, str]:
    """Return the header of a download."""
    return {"Content-Disposition": f'attachment; filename="hupai-{name}.{suffix}"'}
