"""A tournament as in the API: players, rounds, plan, standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from hupai.basics.timestamps import format_time
from hupai.hall.seating.standings import (
    Penalty,
    Standing,
    TableResult,
    rank_without,
    standings,
    team_standings,
)
from hupai.hall.store.state.day_sheet import list_missing
from hupai.hall.store.state.entrants import check_plan, entrant_json, entrants_of
from hupai.hall.store.state.played_tables import PlayedTable, played_tables
from hupai.hall.store.state.tournament_log import (
    TournamentState,
    can_be_undone,
    state_of,
    step_json,
)
from hupai.hall.store.state.tournament_terms import scoring_of, settings_json, table_size_of
from hupai.hall.tables import Entrant, Tournament
from hupai.store.clock import now as now_in
from scoring.payments import plain_amount
from scoring.seats import SEATS


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
        **settings_json(row),
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
        "live": {"delay": state.live_delay, "players": [{"player": n, **said} for n, said in state.live.items()]},
        "missing": list_missing(session, tables, {p.game_id: p.false_wins for p in played if p.false_wins}, state),
        "last_step": {**step_json(step), "can_be_undone": can_be_undone(step)} if step else None,
        **standings_json(row, entrants, [p.result for p in played], state.standing_penalties()),
    }


def standings_json(
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
