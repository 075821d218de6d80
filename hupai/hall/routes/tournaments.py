"""Tournaments: created, shown, planned and seated; standings; files for other software."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any, Final, cast

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from hupai.basics.names import clean_name
from hupai.games.terms.course import course_of
from hupai.games.terms.shapes import AMOUNT, FLAG, OBJECT, list_of, maybe, object_of, one_of, text, whole
from hupai.hall.roles import DirectorOnly, TournamentId
from hupai.hall.routes.change_request import DONE_BEFORE, Changing, Requested, amending
from hupai.hall.seating.export import Event, ema_csv, standings_csv, tables_csv, tournament_export
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.seating.planning import MAX_ROUNDS
from hupai.hall.seating.standings import Scoring
from hupai.hall.shared_answers import SharedAnswers
from hupai.hall.store import report, tournaments
from hupai.hall.store.rounds import next_round, rounds
from hupai.hall.store.state import tournament_log, tournament_terms
from hupai.web.guards import Acting
from hupai.web.requests.shaped import Shaped
from hupai.web.requests.strict import StrictRoute
from hupai.web.routes.games import CSV
from hupai.web.routes.replies import attachment, csv_file
from hupai.web.services import Served
from scoring.rules import system_named

router = APIRouter(route_class=StrictRoute, tags=["tournament"])
_SEED: Final = whole(0, 2**31 - 1)
NUMBER: Final = whole(1, 10**6)
"""A player's number."""
PERSON: Final = dict.fromkeys(("name", "club", "country", "ema", "team"), text(200))
PLAYERS: Final = list_of(object_of({"name": PERSON["name"]}, {**PERSON, "substitute": FLAG}), tournaments.MAX_PLAYERS)
_NUMBERS: Final = list_of(NUMBER, tournaments.MAX_PLAYERS)
_THREES: Final = object_of(
    {"places": list_of(AMOUNT, 3, 3)},
    {"starting_points": AMOUNT, "return_points": maybe(AMOUNT)},
    description="how a table of three counts where the players leave three over, by the tournament's rules for three",
)
_COUNTING: Final = {
    "starting_points": AMOUNT,
    "divide": AMOUNT,
    "places": list_of(AMOUNT, 4, 3),
    "return_points": AMOUNT,
    "tie_breaks": list_of(text(40), 10),
    "threes": _THREES,
}
TournamentBody = Annotated[
    dict[str, Any],
    Shaped.of(
        {"name": text(200), "rules": text(100)},
        {
            **{"options": OBJECT, "course": object_of({}, maxProperties=20), "players": PLAYERS},
            **_COUNTING,
            **{name: maybe(_COUNTING[name]) for name in ("places", "return_points", "threes")},
        },
        "a tournament to begin; what the places bring is shared by equal players. `rules` and `options` decide for "
        "good how many sit at a table, and so how many `places` there are. `course` is that of its games (as in "
        "create_game); by default they end when the director ends them. With `threes` three who are left over play at "
        "a table of their own, instead of sitting out",
    ),
]
SettingsBody = Annotated[
    dict[str, Any],
    amending(
        others={"name": maybe(text(200)), **{name: maybe(shape) for name, shape in _COUNTING.items()}},
        about="what changes of a tournament's name and of how its tables count; what is left out stays",
    ),
]
CsvBody = Annotated[dict[str, Any], amending({"csv": text(200_000)}, about="a list of another program, as CSV")]
PlanBody = Annotated[
    dict[str, Any],
    amending({"rounds": whole(1, MAX_ROUNDS)}, {"seed": maybe(_SEED)}, "how many rounds are planned"),
]
RoundBody = Annotated[
    dict[str, Any],
    amending(
        others={
            "round": maybe(whole(1, 10**4)),
            "method": maybe(one_of(*next_round.METHODS)),
            "size": maybe(whole(3, tournaments.MAX_PLAYERS)),
            "new_faces": whole(0, 1000),
            "over_unfinished": FLAG,
            "minutes": maybe(whole(1, 1000)),
            "seed": maybe(_SEED),
            "first": _NUMBERS,
            "tables": list_of(text(80), 100),
            "players": _NUMBERS,
        },
        about="how the next round is seated; without a method by the plan, where it has this round. `round` is its "
        "number, as it was seen: where another one is the next, nothing is seated. `new_faces`: in a Swiss round a "
        "repeat meeting weighs as much as so many ranks. `over_unfinished`: although games of the last one go on. "
        "`minutes`: the round's timer starts with them. `size`: of a final, a single table by default; `first`: of "
        "players who are equal at a cut of the final, who goes first. `players`: a round for these alone",
    ),
]


@router.post("/tournaments", status_code=201, responses=DONE_BEFORE, dependencies=[DirectorOnly])
def create_tournament(
    body: TournamentBody, response: Response, request: Request, serve: Served, change: Requested
) -> dict[str, Any]:
    """Begin a tournament; as with every change of one, a retry with the same Idempotency-Key does nothing twice."""
    system, options, course = system_named(body["rules"]), body.get("options", {}), body.get("course", {})
    table_size, conventions = system.table_size(options), system.conventions
    counting = Scoring(**{"places": (Decimal(0),) * table_size, **tournament_terms.read_counting(body)})
    whole_course = {**tournament_terms.OPEN_COURSE, **course}
    course_of(whole_course, conventions, conventions.rotation, counting.start, players=table_size)
    name, players = clean_name(body["name"], "name"), new_entrants(body.get("players", ()))
    new = tournaments.NewTournament(name, system.id, options, players, counting, change.once, course)
    made = tournaments.create_tournament(serve.engine, new)
    response.headers["Location"] = f"{request.url.path}/{made['id']}"
    return made


@router.get("/tournaments")
def list_tournaments(serve: Served) -> dict[str, Any]:
    """The tournaments, latest first."""
    return {"tournaments": tournaments.list_tournaments(serve.engine)}


@router.get("/tournaments/{tournament_id}", response_model=dict[str, Any])
def get_tournament(tournament_id: TournamentId, request: Request) -> Response:
    """A tournament: players, rounds with totals, standings."""
    return cast(SharedAnswers, request.app.state.tournament).value(tournament_id).respond(request)


@router.post("/tournaments/{tournament_id}/settings", dependencies=[DirectorOnly])
def change_tournament(body: SettingsBody, change: Changing) -> dict[str, Any]:
    """Give it another name, or let its tables count otherwise; every round is reckoned again."""
    said = {name: value for name, value in body.items() if value is not None or name in ("return_points", "threes")}
    counting = tournament_terms.read_counting(said)
    name = clean_name(body["name"], "name") if body.get("name") is not None else None
    return tournaments.change_settings(*change.at, name, counting, change.amendment(body, reasoned=True))


@router.delete("/tournaments/{tournament_id}", status_code=204, dependencies=[DirectorOnly])
def delete_tournament(tournament_id: TournamentId, serve: Served, acting: Acting) -> None:
    """Take a tournament away in which nothing was played; tokens to register for it are withdrawn."""
    tournaments.delete_tournament(serve.engine, tournament_id, acting or tournament_log.DIRECTOR.by)


@router.get("/tournaments/{tournament_id}/changes")
def list_tournament_changes(
    tournament_id: TournamentId, serve: Served, after: Annotated[int, Query(ge=0, le=10**9)] = 0
) -> dict[str, Any]:
    """What was done in it, by whom and why, in order."""
    return tournament_log.list_tournament_changes(serve.engine, tournament_id, after)


@router.get("/tournaments/{tournament_id}/standings")
def get_standings(
    tournament_id: TournamentId, serve: Served, upto: Annotated[int, Query(alias="round", ge=1, le=10**4)]
) -> dict[str, Any]:
    """The standings as they were after a round."""
    return tournaments.standings_after(serve.engine, tournament_id, upto)


@router.post("/tournaments/{tournament_id}/plan", dependencies=[DirectorOnly])
def plan_rounds(body: PlanBody, change: Changing) -> dict[str, Any]:
    """Plan the next rounds so that as few players as can be meet again."""
    return rounds.plan_rounds(*change.at, body["rounds"], body.get("seed"), change.amendment(body))


@router.post("/tournaments/{tournament_id}/plan/import", dependencies=[DirectorOnly])
def import_plan(body: CsvBody, change: Changing) -> dict[str, Any]:
    """Take over another program's schedule for the rounds to come."""
    return rounds.import_plan(*change.at, body["csv"], change.amendment(body))


@router.post("/tournaments/{tournament_id}/rounds", status_code=201, responses=DONE_BEFORE, dependencies=[DirectorOnly])
def seat_round(change: Changing, body: RoundBody | None = None) -> dict[str, Any]:
    """Seat the next round and begin a game a table."""
    return rounds.seat_round(*change.at, _seating_options(body or {}), change.amendment(body))


@router.post("/tournaments/{tournament_id}/rounds/try", dependencies=[DirectorOnly])
def try_round(tournament_id: TournamentId, body: RoundBody, serve: Served) -> dict[str, Any]:
    """How the next round would be seated, with its repeat meetings and how close the ranks are; nothing is written.

    Seated with the ``seed`` of the answer, it is so.
    """
    return rounds.try_round(serve.engine, tournament_id, _seating_options(body))


def _seating_options(body: Mapping[str, Any]) -> next_round.SeatingOptions:
    said = {name: value for name, value in body.items() if name not in ("by", "reason", "round")}
    said["tables"] = [clean_name(table, f"tables[{i}]", 80) for i, table in enumerate(body.get("tables", ()))]
    return next_round.SeatingOptions(**{"over_unfinished": False, **said, "number": body.get("round")})


@router.delete("/tournaments/{tournament_id}/rounds/last", dependencies=[DirectorOnly])
def drop_round(
    change: Changing,
    seen: Annotated[int | None, Query(alias="round", ge=1, le=10**4)] = None,
) -> dict[str, Any]:
    """Take the last round back while nothing was played in it; ``round`` is its number, as it was seen."""
    return rounds.drop_round(*change.at, seen, change.amendment())


@router.get("/tournaments/{tournament_id}/report")
def get_report(tournament_id: TournamentId, serve: Served) -> dict[str, Any]:
    """What its report tells besides the standings: everybody's figures, the best hands, the list of chombo."""
    return report.tournament_report(serve.engine, tournament_id)


@router.get("/tournaments/{tournament_id}/export.json")
def export_tournament_json(tournament_id: TournamentId, serve: Served) -> JSONResponse:
    """Everything, for other software."""
    found = tournaments.get_tournament(serve.engine, tournament_id)
    return JSONResponse(tournament_export(found), headers=attachment(found["id"], "json"))


@router.get(
    "/tournaments/{tournament_id}/standings.csv",
    response_class=Response,
    responses=CSV,
)
def export_standings_csv(tournament_id: TournamentId, serve: Served) -> Response:
    """A row a player."""
    found = tournaments.get_tournament(serve.engine, tournament_id)
    return csv_file(standings_csv(found), f"{found['id']}-standings")


@router.get("/tournaments/{tournament_id}/tables.csv", response_class=Response, responses=CSV)
def export_tables_csv(tournament_id: TournamentId, serve: Served) -> Response:
    """A row a seat of every table."""
    found = tournaments.get_tournament(serve.engine, tournament_id)
    return csv_file(tables_csv(found), f"{found['id']}-tables")


@router.get("/tournaments/{tournament_id}/ema.csv", response_class=Response, responses=CSV)
def export_ema_csv(
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


def new_entrants(said: Iterable[Mapping[str, Any]]) -> list[NewEntrant]:
    """Return the players in a body.

    Raises:
        InvalidRequest: an invalid name or number.
    """
    return [
        NewEntrant.parse(player, f"players[{i}]", substitute=player.get("substitute", False))
        for i, player in enumerate(said)
    ]
