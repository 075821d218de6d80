"""Tournaments: players, rounds, standings, files for other software."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from hupai.names import clean_name
from hupai.store import tournaments
from hupai.tournament.export import standings_csv, tables_csv, tournament_export
from hupai.tournament.standings import Scoring
from hupai.web.errors import BadValue
from hupai.web.game_bodies import ExactAmount
from hupai.web.roles import DirectorOnly
from hupai.web.services import Served
from hupai.web.strict import StrictRoute
from scoring.options import options_of
from scoring.rules import system_named

router = APIRouter(route_class=StrictRoute, tags=["tournament"])
TournamentId = Annotated[str, Path(max_length=40)]
_MOST_PLAYERS: Final = 400
_CSV: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class PlayerBody(_Body):
    """A player."""

    name: str = Field(max_length=200)
    club: str = Field("", max_length=200)


Players = Annotated[list[PlayerBody], Field(max_length=_MOST_PLAYERS)]


class TournamentBody(_Body):
    """A tournament to begin; what the places bring is shared by equal players."""

    name: str = Field(max_length=200)
    rules: str = Field(max_length=100)
    options: dict[str, Any] = Field(default_factory=dict)
    players: Players = Field(default_factory=list)
    starting_points: ExactAmount = Decimal(0)
    divide: ExactAmount = Decimal(1)
    places: Annotated[list[ExactAmount], Field(min_length=4, max_length=4)] = Field(
        default_factory=lambda: [Decimal(0)] * 4
    )


class PlayersBody(_Body):
    """Players to add."""

    players: Annotated[Players, Field(min_length=1)]


class LeaveBody(_Body):
    """Whether he plays again."""

    back: bool = False


class RoundBody(_Body):
    """How the next round is seated."""

    seed: int | None = Field(None, ge=0, le=2**31 - 1)
    tables: Annotated[list[Annotated[str, Field(min_length=1, max_length=80)]], Field(max_length=100)] = Field(
        default_factory=list
    )


@router.post("/tournaments", operation_id="create_tournament", status_code=201, dependencies=[DirectorOnly])
def create_tournament(body: TournamentBody, response: Response, request: Request, serve: Served) -> dict[str, Any]:
    """Begin a tournament."""
    system = system_named(body.rules)
    options_of(system.option_class, body.options, system.name)
    if body.divide <= 0:
        raise BadValue("What points are divided by is more than nothing.", field="divide")
    made = tournaments.create_tournament(
        serve.engine,
        tournaments.NewTournament(
            clean_name(body.name, "name"),
            system.id,
            body.options,
            _players(body.players),
            Scoring(body.starting_points, body.divide, tuple(body.places)),
        ),
    )
    response.headers["Location"] = f"{request.url.path}/{made['id']}"
    return made


@router.get("/tournaments", operation_id="list_tournaments")
def list_tournaments(serve: Served) -> dict[str, Any]:
    """The tournaments, latest first."""
    return {"tournaments": tournaments.list_tournaments(serve.engine)}


@router.get("/tournaments/{tournament_id}", operation_id="get_tournament")
def get_tournament(tournament_id: TournamentId, serve: Served) -> dict[str, Any]:
    """A tournament: players, rounds with totals, standings."""
    return tournaments.get_tournament(serve.engine, tournament_id)


@router.post("/tournaments/{tournament_id}/players", operation_id="add_players", dependencies=[DirectorOnly])
def add_players(tournament_id: TournamentId, body: PlayersBody, serve: Served) -> dict[str, Any]:
    """Add players; they play from the next round on."""
    return tournaments.add_players(serve.engine, tournament_id, _players(body.players))


@router.post(
    "/tournaments/{tournament_id}/players/{number}/leave", operation_id="leave_tournament", dependencies=[DirectorOnly]
)
def leave_tournament(
    tournament_id: TournamentId,
    number: Annotated[int, Path(ge=1, le=10**6)],
    serve: Served,
    body: LeaveBody | None = None,
) -> dict[str, Any]:
    """A player does not play any more (or is back); what he won stays."""
    return tournaments.let_go(serve.engine, tournament_id, number, back=body.back if body else False)


@router.post(
    "/tournaments/{tournament_id}/rounds", operation_id="seat_round", status_code=201, dependencies=[DirectorOnly]
)
def seat_round(tournament_id: TournamentId, serve: Served, body: RoundBody | None = None) -> dict[str, Any]:
    """Seat the next round and begin a game a table."""
    body = body or RoundBody.model_validate({})
    names = [clean_name(t, f"tables[{i}]", 80) for i, t in enumerate(body.tables)]
    return tournaments.seat_round(serve.engine, tournament_id, seed=body.seed, tables=names)


@router.delete("/tournaments/{tournament_id}/rounds/last", operation_id="drop_round", dependencies=[DirectorOnly])
def drop_round(tournament_id: TournamentId, serve: Served) -> dict[str, Any]:
    """Take the last round back while nothing was played in it."""
    return tournaments.drop_round(serve.engine, tournament_id)


@router.get("/tournaments/{tournament_id}/export.json", operation_id="export_tournament_json")
def export_json(tournament_id: TournamentId, serve: Served) -> JSONResponse:
    """Everything, for other software."""
    found = tournaments.get_tournament(serve.engine, tournament_id)
    return JSONResponse(tournament_export(found), headers=_attachment(found["id"], "json"))


@router.get(
    "/tournaments/{tournament_id}/standings.csv",
    operation_id="export_standings_csv",
    response_class=Response,
    responses=_CSV,
)
def export_standings(tournament_id: TournamentId, serve: Served) -> Response:
    """A row a player."""
    found = tournaments.get_tournament(serve.engine, tournament_id)
    return _csv(standings_csv(found), f"{found['id']}-standings")


@router.get(
    "/tournaments/{tournament_id}/tables.csv", operation_id="export_tables_csv", response_class=Response, responses=_CSV
)
def export_tables(tournament_id: TournamentId, serve: Served) -> Response:
    """A row a seat of every table."""
    found = tournaments.get_tournament(serve.engine, tournament_id)
    return _csv(tables_csv(found), f"{found['id']}-tables")


def _players(bodies: list[PlayerBody]) -> list[tuple[str, str]]:
    return [
        (clean_name(p.name, f"players[{i}].name"), clean_name(p.club, f"players[{i}].club") if p.club.strip() else "")
        for i, p in enumerate(bodies)
    ]


def _csv(text: str, name: str) -> Response:
    # The mark tells spreadsheets that the text is UTF-8.
    return Response(text.encode("utf-8-sig"), media_type="text/csv; charset=utf-8", headers=_attachment(name, "csv"))


def _attachment(name: str, suffix: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="hupai-{name}.{suffix}"'}
