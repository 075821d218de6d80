"""Tournaments: created, listed, shown, changed, deleted. One transaction each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict
from hupai.basics.ids import new_id
from hupai.basics.timestamps import format_time
from hupai.games.agreed import Agreed, agree
from hupai.games.apply import begin_game
from hupai.games.commands import NewGame
from hupai.games.history import Amendment, RetryKey
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.seating.standings import (
    Penalty,
    Scoring,
    Standing,
    TableResult,
    Threes,
    rank_without,
    standings,
    team_standings,
)
from hupai.hall.store.day_sheet import list_missing
from hupai.hall.store.directing import natural_sort_key
from hupai.hall.store.entrants import add_entrants, check_plan, entrant_json, entrants_of
from hupai.hall.store.game_cache import GameCache, stamp_games
from hupai.hall.store.tokens import withdraw_tokens_of
from hupai.hall.store.tournament_log import (
    ChangeKind,
    TournamentState,
    can_be_undone,
    find_tournament,
    lock_tournament,
    log_change,
    refuse_repeat,
    state_of,
    step_json,
)
from hupai.hall.tables import Entrant, RoundSeat, Tournament, TournamentChange
from hupai.store.clock import now as now_in
from hupai.store.database import advisory_lock, reading, writing
from hupai.store.play.game_rows import find_false_wins
from hupai.store.play.histories import terms_of
from hupai.store.tables import Game, GameChange, GameHand
from scoring.errors import Fault, InvalidRequest
from scoring.payments import POT, plain_amount
from scoring.rules import system_named
from scoring.seats import SEATS
from scoring.version import version
from scoring.words.sentence import say

MAX_PLAYERS: Final = 400
OPEN_COURSE: Final[Mapping[str, Any]] = {"rounds": None, "out_of_points": "owes", "dealer_ends": "off"}
"""A table's game ends when its director ends it: events set their own time, and points below zero count in full."""
_THREES_STAY: Final = "A table of three was seated; how it began stays for the whole tournament."


@dataclass(frozen=True, slots=True)
class NewTournament:
    """A tournament to create: checked names, parsed rules, and what keeps a retry from creating a second one."""

    name: str
    rules: str
    options: Mapping[str, Any]
    players: Sequence[NewEntrant] = ()
    scoring: Scoring = field(default_factory=Scoring)
    once: RetryKey | None = None
    course: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table of a round.

    Attributes:
        game_id: its game. revision, changed: the game's, and when that was. ended: whether it is over.
        by_totals: whether its last hand is a result by totals. result: so far.
        false_wins: hand -> player of those that count.
    """

    game_id: str
    revision: int
    changed: datetime
    ended: bool
    by_totals: bool
    result: TableResult
    false_wins: Mapping[int, int]


def create_tournament(engine: Engine, new: NewTournament) -> dict[str, Any]:
    """Create a tournament and return it as JSON.

    Raises:
        AlreadyDone: it was created with the same key. Conflict: the key was used for another one; a name occurs twice.
        InvalidRequest: its scoring is not for as many places as a table has; its games could not begin.
    """
    row = Tournament(
        id=new_id(),
        name=new.name,
        created=datetime.now(UTC),
        version=version(),
        rules=new.rules,
        options=dict(new.options),
        course=dict(new.course),
        key=new.once.key if new.once else None,
        key_hash=new.once.content_hash if new.once else None,
    )
    _set_scoring(row, new.scoring)
    with writing(engine) as session:
        if new.once is not None:
            advisory_lock(session, new.once.key)
            known = session.scalar(select(Tournament).where(Tournament.key == new.once.key))
            if known is not None:
                refuse_repeat(known.id, known.key_hash, new.once, {})
        session.add(row)
        session.flush()
        add_entrants(session, row.id, new.players)
        return tournament_json(session, row)


def list_tournaments(engine: Engine) -> list[dict[str, Any]]:
    """Return the tournaments, latest first, in short."""
    players = select(func.count()).where(Entrant.tournament_id == Tournament.id).scalar_subquery()
    rounds = select(func.max(RoundSeat.round)).where(RoundSeat.tournament_id == Tournament.id).scalar_subquery()
    with reading(engine) as session:
        query = select(Tournament, players, rounds).order_by(Tournament.created.desc(), Tournament.id)
        return [
            {
                "id": t.id,
                "name": t.name,
                "rules": t.rules,
                "created": format_time(t.created),
                "players": n,
                "rounds": r or 0,
            }
            for t, n, r in session.execute(query)
        ]


def get_tournament(engine: Engine, tournament_id: str) -> dict[str, Any]:
    """Return a tournament: players, rounds, standings.

    Raises:
        NotFound: there is none.
    """
    with reading(engine) as session:
        return tournament_json(session, find_tournament(session, tournament_id))


def stamp_tournament(engine: Engine, tournament_id: str) -> tuple[str, int | None, int] | None:
    """Return what is another one after every change of a tournament or its games; None where there is none."""
    mine = TournamentChange.tournament_id == tournament_id
    games = select(RoundSeat.game_id).where(RoundSeat.tournament_id == tournament_id)
    changes = select(func.max(TournamentChange.revision)).where(mine).scalar_subquery()
    played = select(func.count()).where(GameChange.game_id.in_(games)).scalar_subquery()
    with reading(engine) as session:
        found = session.execute(select(Tournament.id, changes, played).where(Tournament.id == tournament_id)).first()
        return None if found is None else tuple(found)


def standings_after(engine: Engine, tournament_id: str, upto: int) -> dict[str, Any]:
    """Return the standings after a round, including corrections made since.

    Raises:
        NotFound: no such tournament.
    """
    with reading(engine) as session:
        row = find_tournament(session, tournament_id)
        results = [p.result for p in played_tables(session, row) if p.result.round <= upto]
        entrants, penalties = entrants_of(session, row.id), state_of(session, row.id).standing_penalties(upto)
        return {"round": upto, **_standings_json(row, entrants, results, penalties)}


def change_settings(
    engine: Engine, tournament_id: str, name: str | None, scoring: Mapping[str, Any], who: Amendment
) -> dict[str, Any]:
    """Change a tournament's name or fields of its :class:`Scoring`; every round is calculated again.

    Raises:
        NotFound: no such tournament. InvalidRequest: invalid scoring, or not for as many places as a table has.
        Conflict: different starting points, though a round was seated with the present ones.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        was = _settings_json(row)
        old = scoring_of(row)
        now = {f.name: scoring.get(f.name, getattr(old, f.name)) for f in fields(Scoring)}
        if now["start"] != old.start and last_round(session, row.id):
            raise Conflict("Games were begun with these points; they stay for the whole tournament.", field="start")
        begun, begins = ((s.start if s else None) for s in (old.threes, now["threes"]))
        if begun != begins and any(len(p.result.entrants) < table_size_of(row) for p in played_tables(session, row)):
            raise Conflict(_THREES_STAY, field="threes")
        _set_scoring(row, Scoring(**now))
        row.name = name or row.name
        log_change(session, row, ChangeKind.SETTINGS, who, {"was": was, "now": _settings_json(row)})
        return tournament_json(session, row)


def delete_tournament(engine: Engine, tournament_id: str, by: str) -> None:
    """Delete a tournament in which nothing was played; tokens to register for it are withdrawn.

    Raises:
        NotFound: no such tournament. Conflict: a round is seated.
    """
    with writing(engine) as session:
        row = find_tournament(session, tournament_id, lock=True)
        if last_round(session, row.id):
            raise Conflict(
                "A tournament with a round stays; cancel rounds in which nothing was played.", field="tournament_id"
            )
        withdraw_tokens_of(session, row.id, by)
        session.delete(row)


def tournament_json(session: Session, row: Tournament) -> dict[str, Any]:
    """Return a tournament as in the API."""
    entrants = entrants_of(session, row.id)
    played = played_tables(session, row)
    state, now = state_of(session, row.id), now_in(session)
    by_number = {e.number: e for e in entrants}
    last, step = max((p.result.round for p in played), default=0), state.last_step
    tables: dict[int, list[dict[str, Any]]] = {}
    for p in played:
        tables.setdefault(p.result.round, []).append(_round_table_json(p, state, by_number))
    return {
        "id": row.id,
        "created": format_time(row.created),
        "revision": state.revision,
        "changed_at": format_time(max([state.at or row.created, *(p.changed for p in played)])),
        "rules": row.rules,
        "options": row.options,
        "table_size": table_size_of(row),
        "course": row.course,
        **_settings_json(row),
        "players": [entrant_json(e) for e in entrants],
        "rounds": [
            {
                "round": n,
                **state.rounds.get(n, {"method": "balanced", "repeats": None}),
                "timer": state.timer(n, now),
                "tables": tables[n],
            }
            for n in range(1, last + 1)
        ],
        "plan": [
            {"round": n, **planned, "fits": check_plan(planned, entrants).fits}
            for n, planned in sorted(state.plan.items())
            if n > last
        ],
        "penalties": list(state.penalties.values()),
        "announcements": state.announcements,
        "missing": list_missing(session, tables, {p.game_id: p.false_wins for p in played if p.false_wins}, state),
        "last_step": {**step_json(step), "can_be_undone": can_be_undone(step)} if step else None,
        **_standings_json(row, entrants, [p.result for p in played], state.standing_penalties()),
    }


def _standings_json(
    row: Tournament, entrants: Sequence[Entrant], results: Sequence[TableResult], penalties: Sequence[Penalty]
) -> dict[str, Any]:
    """Return ``standings`` and ``teams``."""
    people = {e.number: e for e in entrants if not e.substitute}
    found = standings(list(people), results, scoring_of(row), penalties)
    # Who left without having played is not ranked; a penalty still counts for the team.
    ranked = rank_without(
        found, {s.entrant for s in found if not s.tables and people[s.entrant].left_after is not None}
    )
    teams: dict[str, list[int]] = {}
    for e in people.values():
        if e.team:
            teams.setdefault(e.team, []).append(e.number)
    return {
        "standings": [_standing_json(s, people[s.entrant]) for s in ranked],
        "teams": team_standings(teams, found),
    }


def _standing_json(standing: Standing, entrant: Entrant) -> dict[str, Any]:
    more = {"country": entrant.country, "ema": entrant.ema, "team": entrant.team}
    return {**standing.to_json(entrant.name, entrant.club), **more}


def played_tables(session: Session, row: Tournament) -> list[PlayedTable]:
    """Return every table of every round in its present state, in order."""
    columns = (RoundSeat.game_id, RoundSeat.round, RoundSeat.table_name, RoundSeat.entrant)
    seats = select(*columns).where(RoundSeat.tournament_id == row.id).order_by(RoundSeat.round, RoundSeat.table_name)
    games: dict[str, tuple[int, str, list[int]]] = {}
    for game_id, number, table, entrant in session.execute(seats.order_by(RoundSeat.seat)):
        games.setdefault(game_id, (number, table, []))[2].append(entrant)
    stamps = stamp_games(session, games)
    scores = _scores.values(session, stamps)
    found = []
    for game_id, (number, table, seated) in games.items():
        stamp, score = stamps[game_id], scores[game_id]
        points = tuple(score.totals[str(i)] for i in range(len(seated)))
        result = TableResult(number, table, tuple(seated), points, score.hands, score.sticks, score.fines)
        state = (stamp.revision, stamp.changed, score.ended, score.by_totals)
        found.append(PlayedTable(game_id, *state, result, score.false_wins))
    return sorted(found, key=lambda played: (played.result.round, natural_sort_key(played.result.table)))


@dataclass(frozen=True, slots=True)
class _GameScore:
    """What a game has come to.

    Attributes:
        totals: by account. hands: how many count. sticks: the points of those that are left, for the first.
        fines: by player. ended, by_totals, false_wins: as in :class:`PlayedTable`.
    """

    totals: Mapping[str, Decimal]
    hands: int
    sticks: Decimal
    fines: tuple[int, ...]
    ended: bool
    by_totals: bool
    false_wins: Mapping[int, int]


def _load_scores(session: Session, game_ids: Collection[str]) -> dict[str, _GameScore]:
    standing = (
        select(GameHand.game_id, func.count().label("count"), func.max(GameHand.number).label("number"))
        .where(GameHand.game_id.in_(game_ids), GameHand.undone_at.is_(None))
        .group_by(GameHand.game_id)
        .subquery()
    )
    last = (GameHand.game_id == standing.c.game_id) & (GameHand.number == standing.c.number)
    ends = {h.game_id: (h, int(n)) for h, n in session.execute(select(GameHand, standing.c.count).join(standing, last))}
    false_wins = find_false_wins(session, game_ids)
    found = {}
    for game in session.scalars(select(Game).where(Game.id.in_(game_ids))):
        hand, count = ends.get(game.id, (None, 0))
        terms = terms_of(game)
        totals = terms.totals_after(hand)
        sticks = totals[POT] if terms.course["sticks_left"] == "first" else Decimal(0)
        wrong = false_wins.get(game.id, {})
        fines = terms.fines(list(wrong.values()))
        ended, by_totals = terms.state_after(hand).ended is not None, hand is not None and hand.outcome == "result"
        found[game.id] = _GameScore(totals, count, sticks, fines, ended, by_totals, wrong)
    return found


_scores: Final = GameCache(_load_scores)


def table_size_of(row: Tournament) -> int:
    """Return how many sit at a table by its rules, which never change."""
    return system_named(row.rules).table_size(row.options)


def scoring_of(row: Tournament) -> Scoring:
    """Return how its tables count."""
    places = tuple(Decimal(p) for p in row.places)
    threes = None if row.threes is None else read_threes(row.threes)
    return Scoring(row.starting_points, row.divide, places, row.return_points, tuple(row.tie_breaks), threes)


def read_threes(said: Mapping[str, Any]) -> Threes:
    """Return how a table of three counts, from JSON."""
    back = said["return_points"]
    places = tuple(Decimal(p) for p in said["places"])
    return Threes(Decimal(said["starting_points"]), places, None if back is None else Decimal(back))


def agreed_at(row: Tournament, players: int, name: str = "") -> Agreed:
    """Return what the players of a table agree on, as many as they are.

    Raises:
        InvalidRequest: the rules or the course are not for so many.
    """
    threes = scoring_of(row).at(players)
    smaller = {"players": players} if players < table_size_of(row) else {}
    return agree(
        row.rules,
        options={**row.options, **smaller},
        start={"players": players},
        starting_points=threes.start,
        course={**OPEN_COURSE, **row.course},
        name=name,
    )


def last_round(session: Session, tournament_id: str) -> int:
    """Return the number of the last seated round, 0 if there is none."""
    return session.scalar(select(func.max(RoundSeat.round)).where(RoundSeat.tournament_id == tournament_id)) or 0


def last_round_at(session: Session, tournament_id: str, table: str) -> int:
    """Return the number of the last round in which this table has a game, 0 if there is none."""
    mine = (RoundSeat.tournament_id == tournament_id, RoundSeat.table_name == table)
    return session.scalar(select(func.max(RoundSeat.round)).where(*mine)) or 0


def _set_scoring(row: Tournament, scoring: Scoring) -> None:
    if len(scoring.places) != table_size_of(row):
        message = say("A table of {n} players has {n} places, not {m}.", n=table_size_of(row), m=len(scoring.places))
        raise InvalidRequest.of([Fault("bad_value", message, "places")])
    row.starting_points, row.divide, row.return_points = scoring.start, scoring.divide, scoring.returned
    row.places = [format(p, "f") for p in scoring.places]
    row.tie_breaks = list(scoring.tie_breaks)
    row.threes = None if scoring.threes is None else _threes_json(scoring.threes)
    if scoring.threes is not None:
        if table_size_of(row) != 4 or len(scoring.threes.places) != 3:
            message = "A table of three, with three places, is for tournaments of tables of four."
            raise InvalidRequest.of([Fault("bad_value", message, "threes")])
        begin_game(NewGame(("East", "South", "West"), agreed_at(row, 3)), row.id, row.created)  # whether one can


def set_settings(row: Tournament, was: Mapping[str, Any]) -> None:
    """Give a tournament the settings back that were logged."""
    back = was["return_points"]
    places = tuple(Decimal(p) for p in was["places"])
    returned = None if back is None else Decimal(back)
    start, divide = Decimal(was["starting_points"]), Decimal(was["divide"])
    threes = read_threes(was["threes"]) if was.get("threes") else None
    _set_scoring(row, Scoring(start, divide, places, returned, tuple(was["tie_breaks"]), threes))
    row.name = was["name"]


def _settings_json(row: Tournament) -> dict[str, Any]:
    return {
        "name": row.name,
        "starting_points": plain_amount(row.starting_points),
        "return_points": None if row.return_points is None else plain_amount(row.return_points),
        "divide": plain_amount(row.divide),
        "places": [plain_amount(Decimal(p)) for p in row.places],
        "tie_breaks": row.tie_breaks,
        "threes": row.threes,
    }


def _threes_json(threes: Threes) -> dict[str, Any]:
    back = threes.returned
    return {
        "starting_points": plain_amount(threes.start),
        "return_points": None if back is None else plain_amount(back),
        "places": [plain_amount(p) for p in threes.places],
    }


def _round_table_json(played: PlayedTable, state: TournamentState, entrants: Mapping[int, Entrant]) -> dict[str, Any]:
    """Return a table.

    ``extra``: minutes and hands beyond the round's time, None if the director gave none.
    ``signed`` are the starting seats of players who have signed the game in its present state, ``signed_before`` those
    who signed it before it was changed and have not signed again, ``objected`` why others do not sign.
    """
    result = played.result
    signed = {i: s["revision"] == played.revision for i, s in state.signed.get(played.game_id, {}).items()}
    return {
        "table": result.table,
        "game_id": played.game_id,
        "revision": played.revision,
        "hands": result.hands,
        "ended": played.ended,
        "by_totals": played.by_totals,
        "extra": state.extra.get(played.game_id),
        "signed": [s.value for i, s in enumerate(SEATS) if signed.get(i) is True],
        "signed_before": [s.value for i, s in enumerate(SEATS) if signed.get(i) is False],
        "objected": {SEATS[i].value: why for i, why in sorted(state.objected.get(played.game_id, {}).items())},
        "players": [
            {"number": n, "name": entrants[n].name, "total": plain_amount(total)}
            for n, total in zip(result.entrants, result.totals, strict=True)
        ],
    }
