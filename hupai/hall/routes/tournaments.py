"""Tournaments: created, shown, planned and seated; standings; files for other software."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from hupai.basics.names import clean_name
from hupai.games.terms.course import course_of
from hupai.hall.roles import DirectorOnly, TournamentId
from hupai.hall.routes.change_request import DONE_BEFORE, ByBody, Changing, Requested
from hupai.hall.seating.export import Event, ema_csv, standings_csv, tables_csv, tournament_export
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.seating.planning import MAX_ROUNDS, NEW_FACES
from hupai.hall.seating.standings import Scoring, Threes
from hupai.hall.shared_answers import Answers
from hupai.hall.store import report, tournaments
from hupai.hall.store.rounds import next_round, rounds
from hupai.hall.store.state import tournament_log, tournament_terms
from hupai.web.guards import Acting
from hupai.web.requests.bodies import Exact
from hupai.web.requests.game_bodies import ExactAmount
from hupai.web.requests.strict import StrictRoute
from hupai.web.routes.games import CSV, attachment, csv_file
from hupai.web.services import Served
from scoring.rules import system_named

router = APIRouter(route_class=StrictRoute, tags=["tournament"])


class PersonBody(Exact):
    """Who plays."""

    name: str = Field(max_length=200)
    club: str = Field("", max_length=200)
    country: str = Field("", max_length=200)
    ema: str = Field("", max_length=200)
    team: str = Field("", max_length=200)


class PlayerBody(PersonBody):
    """A player."""

    substitute: bool = False


TieBreaks = Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=10)]
PlacePoints = Annotated[list[ExactAmount], Field(min_length=3, max_length=4)]
Players = Annotated[list[PlayerBody], Field(max_length=tournaments.MAX_PLAYERS)]


class ThreesBody(Exact):
    """How a table of three counts where the players leave three over; its rules are the tournament's for three."""

    starting_points: ExactAmount = Decimal(35_000)
    return_points: ExactAmount | None = None
    places: Annotated[list[ExactAmount], Field(min_length=3, max_length=3)]

    def read(self) -> Threes:
        """What it says."""
        return Threes(self.starting_points, tuple(self.places), self.return_points)


class TournamentBody(Exact):
    """A tournament to begin; what the places bring is shared by equal players.

    ``rules`` and ``options`` decide for good how many sit at a table, and so how many ``places`` there are.
    ``course`` is that of its games (as in `create_game`); by default they end when the director ends them.
    With ``threes`` three who are left over play at a table of their own, instead of sitting out.
    """

    name: str = Field(max_length=200)
    rules: str = Field(max_length=100)
    options: dict[str, Any] = Field(default_factory=dict)
    course: dict[str, Any] = Field(default_factory=dict, max_length=20)
    players: Players = Field(default_factory=list)
    starting_points: ExactAmount = Decimal(0)
    divide: ExactAmount = Decimal(1)
    places: PlacePoints | None = None
    return_points: ExactAmount | None = None
    tie_breaks: TieBreaks = Field(default_factory=lambda: list(Scoring().tie_breaks))
    threes: ThreesBody | None = None


class SettingsBody(ByBody):
    """What changes of a tournament's name and of how its tables count; what is left out stays."""

    name: str | None = Field(None, max_length=200)
    starting_points: ExactAmount | None = None
    divide: ExactAmount | None = None
    places: PlacePoints | None = None
    return_points: ExactAmount | None = None
    tie_breaks: TieBreaks | None = None
    threes: ThreesBody | None = None


class CsvBody(ByBody):
    """A list of another program, as CSV."""

    csv: str = Field(max_length=200_000)


class PlanBody(ByBody):
    """How many rounds are planned."""

    rounds: int = Field(ge=1, le=MAX_ROUNDS)
    seed: int | None = Field(None, ge=0, le=2**31 - 1)


class RoundBody(ByBody):
    """How the next round is seated; without a method by the plan, where it has this round.

    ``round`` is its number, as it was seen: where another one is the next, nothing is seated. ``new_faces``: in a Swiss
    round a repeat meeting weighs as much as so many ranks. ``over_unfinished``: although games of the last one go on.
    ``minutes``: the round's timer starts with them. ``size``: of a final, a single table by default; ``first``: of
    players who are equal at a cut of the final, who goes first. ``players``: a round for these alone.
    """

    round: int | None = Field(None, ge=1, le=10**4)
    method: Literal["plan", "balanced", "swiss", "final"] | None = None
    size: int | None = Field(None, ge=3, le=tournaments.MAX_PLAYERS)
    new_faces: int = Field(NEW_FACES, ge=0, le=1000)
    over_unfinished: bool = False
    minutes: int | None = Field(None, ge=1, le=1000)
    seed: int | None = Field(None, ge=0, le=2**31 - 1)
    first: Annotated[list[Annotated[int, Field(ge=1, le=10**6)]], Field(max_length=tournaments.MAX_PLAYERS)] = Field(
        default_factory=list
    )
    tables: Annotated[list[Annotated[str, Field(min_length=1, max_length=80)]], Field(max_length=100)] = Field(
        default_factory=list
    )
    players: Annotated[list[Annotated[int, Field(ge=1, le=10**6)]], Field(max_length=tournaments.MAX_PLAYERS)] = Field(
        default_factory=list
    )


@router.post(
    "/tournaments",
    operation_id="create_tournament",
    status_code=201,
    responses=DONE_BEFORE,
    dependencies=[DirectorOnly],
)
def create_tournament(
    body: TournamentBody, response: Response, request: Request, serve: Served, change: Requested
) -> dict[str, Any]:
    """Begin a tournament; as with every change of one, a retry with the same Idempotency-Key does nothing twice."""
    system = system_named(body.rules)
    table_size, conventions, course = system.table_size(body.options), system.conventions, body.course
    course_of(
        {**tournament_terms.OPEN_COURSE, **course},
        conventions,
        conventions.rotation,
        body.starting_points,
        players=table_size,
    )
    places = tuple(body.places or [Decimal(0)] * table_size)
    threes = body.threes.read() if body.threes else None
    counting = Scoring(body.starting_points, body.divide, places, body.return_points, tuple(body.tie_breaks), threes)
    made = tournaments.create_tournament(
        serve.engine,
        tournaments.NewTournament(
            clean_name(body.name, "name"),
            system.id,
            body.options,
            new_entrants(body.players),
            counting,
            change.once,
            course,
        ),
    )
    response.headers["Location"] = f"{request.url.path}/{made['id']}"
    return made


@router.get("/tournaments", operation_id="list_tournaments")
def list_tournaments(serve: Served) -> dict[str, Any]:
    """The tournaments, latest first."""
    return {"tournaments": tournaments.list_tournaments(serve.engine)}


@router.get("/tournaments/{tournament_id}", operation_id="get_tournament", response_model=dict[str, Any])
def get_tournament(tournament_id: TournamentId, request: Request) -> Response:
    """A tournament: players, rounds with totals, standings."""
    return cast(Answers, request.app.state.tournament).value(tournament_id).respond(request)


@router.post("/tournaments/{tournament_id}/settings", operation_id="change_tournament", dependencies=[DirectorOnly])
def change_tournament(body: SettingsBody, change: Changing) -> dict[str, Any]:
    """Give it another name, or let its tables count otherwise; every round is reckoned again."""
    names = {"starting_points": "start", "return_points": "returned"}
    given = body.model_dump(exclude_unset=True, exclude={"name", "by", "reason", "threes"})
    counting = {
        names.get(k, k): tuple(v) if isinstance(v, list) else v
        for k, v in given.items()
        if v is not None or k == "return_points"
    }
    if "threes" in body.model_fields_set:
        counting["threes"] = body.threes.read() if body.threes else None
    name = clean_name(body.name, "name") if body.name is not None else None
    return tournaments.change_settings(*change.at, name, counting, change.amendment(body, reasoned=True))


@router.delete(
    "/tournaments/{tournament_id}", operation_id="delete_tournament", status_code=204, dependencies=[DirectorOnly]
)
def delete_tournament(tournament_id: TournamentId, serve: Served, acting: Acting) -> None:
    """Take a tournament away in which nothing was played; tokens to register for it are withdrawn."""
    tournaments.delete_tournament(serve.engine, tournament_id, acting or tournament_log.DIRECTOR.by)


@router.get("/tournaments/{tournament_id}/changes", operation_id="list_tournament_changes")
def list_changes(
    tournament_id: TournamentId, serve: Served, after: Annotated[int, Query(ge=0, le=10**9)] = 0
) -> dict[str, Any]:
    """What was done in it, by whom and why, in order."""
    return tournament_log.list_tournament_changes(serve.engine, tournament_id, after)


@router.get("/tournaments/{tournament_id}/standings", operation_id="get_standings")
def get_standings(
    tournament_id: TournamentId, serve: Served, upto: Annotated[int, Query(alias="round", ge=1, le=10**4)]
) -> dict[str, Any]:
    """The standings as they were after a round."""
    return tournaments.standings_after(serve.engine, tournament_id, upto)


@router.post("/tournaments/{tournament_id}/plan", operation_id="plan_rounds", dependencies=[DirectorOnly])
def plan_rounds(body: PlanBody, change: Changing) -> dict[str, Any]:
    """Plan the next rounds so that as few players as can be meet again."""
    return rounds.plan_rounds(*change.at, body.rounds, body.seed, change.amendment(body))


@router.post("/tournaments/{tournament_id}/plan/import", operation_id="import_plan", dependencies=[DirectorOnly])
def import_plan(body: CsvBody, change: Changing) -> dict[str, Any]:
    """Take over another program's schedule for the rounds to come."""
    return rounds.import_plan(*change.at, body.csv, change.amendment(body))


@router.post(
    "/tournaments/{tournament_id}/rounds",
    operation_id="seat_round",
    status_code=201,
    responses=DONE_BEFORE,
    dependencies=[DirectorOnly],
)
def seat_round(change: Changing, body: RoundBody | None = None) -> dict[str, Any]:
    """Seat the next round and begin a game a table."""
    body = body or RoundBody.model_validate({})
    return rounds.seat_round(*change.at, _seating_options(body), change.amendment(body))


@router.post("/tournaments/{tournament_id}/rounds/try", operation_id="try_round", dependencies=[DirectorOnly])
def try_round(tournament_id: TournamentId, body: RoundBody, serve: Served) -> dict[str, Any]:
    """How the next round would be seated, with its repeat meetings and how close the ranks are; nothing is written.

    Seated with the ``seed`` of the answer, it is so.
    """
    return rounds.try_round(serve.engine, tournament_id, _seating_options(body))


def _seating_options(body: RoundBody) -> next_round.SeatingOptions:
    names = [clean_name(t, f"tables[{i}]", 80) for i, t in enumerate(body.tables)]
    return next_round.SeatingOptions(
        body.method,
        body.seed,
        names,
        body.size,
        body.round,
        body.new_faces,
        body.over_unfinished,
        body.minutes,
        body.first,
        body.players,
    )


@router.delete("/tournaments/{tournament_id}/rounds/last", operation_id="drop_round", dependencies=[DirectorOnly])
def drop_round(
    change: Changing,
    seen: Annotated[int | None, Query(alias="round", ge=1, le=10**4)] = None,
) -> dict[str, Any]:
    """Take the last round back while nothing was played in it; ``round`` is its number, as it was seen."""
    return rounds.drop_round(*change.at, seen, change.amendment())


@router.get("/tournaments/{tournament_id}/report", operation_id="get_report")
def get_report(tournament_id: TournamentId, serve: Served) -> dict[str, Any]:
    """What its report tells besides the standings: everybody's figures, the best hands, the list of chombo."""
    return report.tournament_report(serve.engine, tournament_id)


@router.get("/tournaments/{tournament_id}/export.json", operation_id="export_tournament_json")
def export_json(tournament_id: TournamentId, serve: Served) -> JSONResponse:
    """Everything, for other software."""
    found = tournaments.get_tournament(serve.engine, tournament_id)
    return JSONResponse(tournament_export(found), headers=attachment(found["id"], "json"))


@router.get(
    "/tournaments/{tournament_id}/standings.csv",
    operation_id="export_standings_csv",
    response_class=Response,
    responses=CSV,
)
def export_standings(tournament_id: TournamentId, serve: Served) -> Response:
    """A row a player."""
    found = tournaments.get_tournament(serve.engine, tournament_id)
    return csv_file(standings_csv(found), f"{found['id']}-standings")


@router.get(
    "/tournaments/{tournament_id}/tables.csv", operation_id="export_tables_csv", response_class=Response, responses=CSV
)
def export_tables(tournament_id: TournamentId, serve: Served) -> Response:
    """A row a seat of every table."""
    found = tournaments.get_tournament(serve.engine, tournament_id)
    return csv_file(tables_csv(found), f"{found['id']}-tables")


@router.get(
    "/tournaments/{tournament_id}/ema.csv", operation_id="export_ema_csv", response_class=Response, responses=CSV
)
def export_ema(
    tournament_id: TournamentId,
    serve: Served,
    country: Annotated[str, Query(max_length=40)] = "",
    place: Annotated[str, Query(max_length=80)] = "",
    weight: Annotated[Decimal | None, Query(ge=0, le=100)] = None,
    dates: Annotated[str, Query(max_length=80)] = "",
    days: Annotated[int | None, Query(ge=1, le=100)] = None,
) -> Response:
    """A row a ranked player, in the columns of the European Mahjong Association's results."""
    found = tournaments.get_tournament(serve.engine, tournament_id)
    return csv_file(ema_csv(found, Event(country, place, weight, dates, days)), f"{found['id']}-ema")


def new_entrants(bodies: list[PlayerBody]) -> list[NewEntrant]:
    """Return the players in the bodies.

    Raises:
        InvalidRequest: an invalid name or number.
    """
    return [
        NewEntrant.parse(p.model_dump(exclude={"substitute"}), f"players[{i}]", substitute=p.substitute)
        for i, p in enumerate(bodies)
    ]
