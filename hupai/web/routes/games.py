"""The ledger: games and their hands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from hupai.basics.ids import new_id
from hupai.basics.names import clean_name, clean_names
from hupai.imports.read import open_log, read_log
from hupai.imports.replay import replay
from hupai.ledger.beginning import NewGame
from hupai.ledger.bodies import parse_confirmed
from hupai.ledger.confirmed import Confirmed
from hupai.ledger.entering import NewHand
from hupai.ledger.exchange import import_game as read_game
from hupai.ledger.expected_revision import ExpectedRevision
from hupai.ledger.figures import PlayerFigures
from hupai.ledger.state import TableState
from hupai.store.play import figures, games, hands
from hupai.web.answers.json_text import parse_json
from hupai.web.export import csv_of, figures_csv, json_of
from hupai.web.requests.forms import FILE, TEXT, form_schema, read_form
from hupai.web.requests.game_bodies import ConfirmedHandBody, GameBody, UndoBody, expected_revision
from hupai.web.requests.strict import StrictRoute
from hupai.web.roles import Acting, actor_name
from hupai.web.services import Served
from scoring.errors import Fault, InvalidRequest
from scoring.rulebook.conventions import Rotation
from scoring.rules import system_named

router = APIRouter(route_class=StrictRoute, tags=["games"])

GameId = Annotated[str, Path(max_length=40)]
Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)]
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
    system = system_named(body.rules)
    start = body.start
    seats = system.table_size(body.options)
    state = TableState(start.round, start.dealer, start.streak, start.counters, start.riichi_sticks, players=seats)
    conventions = system.conventions
    game = games.create_game(
        serve.engine,
        NewGame(
            players=clean_names(body.players, "players"),
            system=system,
            options=body.options,
            rotation=conventions.rotation if body.rotation == "custom" else Rotation(body.rotation),
            start=state,
            first_dealer=start.dealer if start.first_dealer is None else start.first_dealer,
            starting_points=body.starting_points,
            name=clean_name(body.name, "name") if body.name.strip() else "",
            course=body.course,
            key=idempotency_key,
        ),
    )
    response.headers["Location"] = f"{request.url.path}/{game['id']}"
    return game


@router.post(
    "/games/import",
    operation_id="import_game",
    status_code=201,
    response_model=dict[str, Any],
    openapi_extra=form_schema(["game"], game=FILE, preset=TEXT),
)
async def import_game(request: Request, serve: Served) -> JSONResponse:
    """Take over a game from a file: one that was exported, under its own id, or the log of another program."""
    form = await read_form(request, texts=("preset",), files=("game",))
    data, preset = form.file("game").data, form.text("preset")

    def take_over() -> dict[str, Any]:
        log = open_log(data, parse_json)
        if isinstance(log, dict) and "history" in log:
            return games.import_game(serve.engine, read_game(log))
        made = replay(read_log(log), new_id(), datetime.now(UTC), preset)
        return {**games.import_game(serve.engine, made.history), "imported": made.to_json()}

    return JSONResponse(await run_in_threadpool(take_over), 201)


@router.get("/games", operation_id="list_games")
def list_games(
    serve: Served, limit: Annotated[int, Query(ge=1, le=500)] = 100, offset: Annotated[int, Query(ge=0, le=10**9)] = 0
) -> dict[str, Any]:
    """The games, latest first."""
    return {"games": games.list_games(serve.engine, limit, offset)}


@router.get("/games/{game_id}", operation_id="get_game")
def get_game(game_id: GameId, serve: Served, last: Last = None) -> dict[str, Any]:
    """A game: seats, totals, hands."""
    return games.get_game(serve.engine, game_id, last)


@router.get("/games/{game_id}/changes", operation_id="list_changes")
def list_changes(game_id: GameId, serve: Served, after: Annotated[int, Query(ge=0, le=10**9)] = 0) -> dict[str, Any]:
    """What was recorded and taken back after a revision, the last fifty changes of it."""
    return games.list_changes(serve.engine, game_id, after)


@router.delete("/games/{game_id}", operation_id="delete_game", status_code=204)
def delete_game(
    game_id: GameId, serve: Served, revision: Annotated[int | None, Query(ge=0, le=10**9)] = None
) -> Response:
    """Delete a game and its history, at the revision that was seen."""
    if revision is None:
        message = "Say which game you saw: ?revision= is the revision of the game that is to be forgotten."
        raise InvalidRequest.of([Fault("seen_needed", message, "revision")])
    games.delete_game(serve.engine, game_id, ExpectedRevision(revision))
    return Response(status_code=204)


@router.post(
    "/games/{game_id}/hands",
    operation_id="record_hand",
    status_code=201,
    responses={200: {"model": dict[str, Any], "description": "Recorded before under this Idempotency-Key"}},
)
def record_hand(
    game_id: GameId,
    body: ConfirmedHandBody,
    serve: Served,
    acting: Acting,
    idempotency_key: Key = None,
    last: Last = None,
) -> JSONResponse:
    """Record a confirmed hand; a retry with the same Idempotency-Key records nothing twice."""
    record = replace(record_of(body, idempotency_key), by=_signer(body.by, acting))
    hand, game, again = hands.record_hand(serve.engine, game_id, record, last)
    headers = {"Idempotency-Replayed": "true"} if again else {}
    return JSONResponse({"hand": hand, "game": game}, 200 if again else 201, headers)


@router.post("/games/{game_id}/hands/try", operation_id="try_hand")
def try_hand(game_id: GameId, body: ConfirmedHandBody, serve: Served, last: Last = None) -> dict[str, Any]:
    """What recording would come to: scores, payments, the table after it. Nothing is written."""
    return hands.try_hand(serve.engine, game_id, record_of(body, None), last)


@router.get("/games/{game_id}/hands/{number}", operation_id="get_hand")
def get_hand(game_id: GameId, number: Annotated[int, Path(ge=1, le=10**9)], serve: Served) -> dict[str, Any]:
    """One hand with everything that was confirmed and scored."""
    return hands.get_hand(serve.engine, game_id, number)


@router.post("/games/{game_id}/undo", operation_id="undo_hand")
def undo_hand(
    game_id: GameId, serve: Served, acting: Acting, body: UndoBody | None = None, last: Last = None
) -> dict[str, Any]:
    """Take the last hand back; it stays in the history, marked."""
    said = body or UndoBody.model_validate({})
    by = _signer(said.by, acting)
    return hands.undo_hand(serve.engine, game_id, said.hand, last, expected_revision(said.seen), by)


def _signer(by: str | None, acting: str | None) -> str | None:
    return actor_name(clean_name(by, "by") if by is not None else None, acting)


@router.get(
    "/games/{game_id}/export.csv",
    operation_id="export_game_csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
def export_game_csv(game_id: GameId, serve: Served) -> Response:
    """A row a hand, for a spreadsheet."""
    game, history = games.all_hands(serve.engine, game_id)
    return _download(csv_of(game, history), "text/csv; charset=utf-8", f"hupai-{game['id']}.csv")


@router.get("/games/{game_id}/export.json", operation_id="export_game_json")
def export_game_json(game_id: GameId, serve: Served) -> JSONResponse:
    """The whole game with requests and scores."""
    game, history = games.all_hands(serve.engine, game_id)
    name = f'attachment; filename="hupai-{game["id"]}.json"'
    return JSONResponse(json_of(game, history), headers={"Content-Disposition": name})


@router.get("/figures", operation_id="list_figures")
def list_figures(serve: Served) -> FigureList:
    """What everybody won and paid over all games, by rule system."""
    return FigureList(figures.list_figures(serve.engine))


@router.get(
    "/figures/export.csv",
    operation_id="export_figures_csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
def export_figures_csv(serve: Served) -> Response:
    """A row for everybody under each rule system, for a spreadsheet."""
    return _download(figures_csv(figures.list_figures(serve.engine)), "text/csv; charset=utf-8", "hupai-figures.csv")


def _download(text: str, media_type: str, name: str) -> Response:
    # The byte order mark tells spreadsheets that the text is UTF-8; without it they garble all scripts but Latin.
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8-sig"), media_type=media_type, headers=headers)


def record_of(body: ConfirmedHandBody, key: str | None) -> NewHand:
    """Return the record described by a body, without who sends it and why."""
    said = body.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude={"by", "reason"})
    return NewHand(
        confirmed=_parse_hand(body),
        body=said,
        key=key,
        expected=body.expected_payments.model_dump() if body.expected_payments else None,
        models=body.models,
        seen=expected_revision(body.seen),
    )


def _parse_hand(body: ConfirmedHandBody) -> Confirmed:
    said = body.model_dump(by_alias=True)
    for i, transfer in enumerate(said["transfers"]):
        transfer["why"] = clean_name(transfer["why"], f"transfers[{i}].why", 100)
    return parse_confirmed(said)
