"""Players who register themselves: each waits in the tournament's log until the director confirms or declines it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Engine

from hupai.basics.errors import Conflict, NotFound
from hupai.games.history import Amendment
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.store.state.entrants import add_entrants, entrants_of, refuse_taken
from hupai.hall.store.state.tournament_json import tournament_json
from hupai.hall.store.state.tournament_log import (
    ChangeKind,
    Registration,
    TournamentState,
    find_tournament,
    lock_tournament,
    log_change,
    state_of,
)
from hupai.hall.store.tournaments import MAX_PLAYERS
from hupai.hall.tables import Tournament
from hupai.store.database import reading, writing
from scoring.words.sentence import say

MAX_WAITING: Final = 8
"""Registrations of one address that may wait: a family, or a club's table, but not a hall full of invented names."""
_TOO_MANY: Final = (
    "{n} registrations from your address wait for the director; register when they are confirmed, or at the desk."
)


def register(
    engine: Engine, tournament_id: str, player: NewEntrant, key: str, address: str, who: Amendment
) -> dict[str, Any]:
    """Let a player wait for the director; a retry with the same key changes nothing.

    Args:
        engine, tournament_id, player: who registers, and where. key: opens the registration; only its digest is kept.
        address: a digest of where it comes from. who: the token's holder.

    Returns:
        As :func:`get_registration`.

    Raises:
        NotFound: no such tournament. Conflict: a name that is taken; too many wait already, from this address or in
            all.
    """
    with writing(engine) as session:
        row = find_tournament(session, tournament_id, lock=True)
        state = state_of(session, row.id)
        if _find_registration(key, state) is None:
            people = entrants_of(session, row.id)
            waiting = state.waiting
            if sum(r.address == address for r in waiting) >= MAX_WAITING:
                raise Conflict(say(_TOO_MANY, n=MAX_WAITING), field="registration")
            if len(people) + len(waiting) >= MAX_PLAYERS:
                raise Conflict("The tournament is full.", field="registration")
            refuse_taken([player.name], [*(e.name for e in people), *(r.player["name"] for r in waiting)])
            detail = {"player": asdict(player), "key": _digest(key), "address": address}
            log_change(session, row, ChangeKind.REGISTERED, who, detail)
            state = state_of(session, row.id)
        return _own_json(row, _find_registration(key, state))


def get_registration(engine: Engine, tournament_id: str, key: str) -> dict[str, Any]:
    """Return what whoever registered with this key may see.

    Returns:
        ``tournament``, its name; ``registration``: None if there is none, otherwise its ``state`` (``waiting``,
        ``confirmed``, ``declined``), ``name`` and the ``reason`` for which it was declined.

    Raises:
        NotFound: no such tournament.
    """
    with reading(engine) as session:
        row = find_tournament(session, tournament_id)
        return _own_json(row, _find_registration(key, state_of(session, row.id)))


def confirm_registrations(engine: Engine, tournament_id: str, numbers: Sequence[int], who: Amendment) -> dict[str, Any]:
    """Add the players of these registrations; as any who are added, they play from the next round on.

    Raises:
        NotFound: no such tournament or registration. Conflict: one does not wait any more; a name is taken by now.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        state = state_of(session, row.id)
        found = _waiting(state, numbers)
        players = [NewEntrant(**r.player) for r in found]
        added = add_entrants(session, row.id, players, max(state.removed, default=0))
        detail = {"players": added, "registrations": [r.number for r in found]}
        log_change(session, row, ChangeKind.PLAYERS, who, detail)
        return tournament_json(session, row)


def decline_registrations(engine: Engine, tournament_id: str, numbers: Sequence[int], who: Amendment) -> dict[str, Any]:
    """Decline these registrations; their players are told the reason, if there is one, and may register again.

    Raises:
        NotFound: no such tournament or registration. Conflict: one does not wait any more.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        found = _waiting(state_of(session, row.id), numbers)
        names = ", ".join(r.player["name"] for r in found)
        log_change(session, row, ChangeKind.DECLINED, who, {"registrations": [r.number for r in found], "text": names})
        return tournament_json(session, row)


def _waiting(state: TournamentState, numbers: Sequence[int]) -> list[Registration]:
    """Return these registrations, each once; raises as :func:`decline_registrations`."""
    found = []
    for number in dict.fromkeys(numbers):
        registration = state.registrations.get(number)
        if registration is None:
            raise NotFound(say("This tournament has no registration {n}.", n=number), field="numbers")
        if registration.state != "waiting":
            message = say("{a} does not wait any more; look again.", a=f"{registration.player['name']!r}")
            raise Conflict(message, field="numbers")
        found.append(registration)
    return found


def _find_registration(key: str, state: TournamentState) -> Registration | None:
    digest = _digest(key)
    return next((r for r in state.registrations.values() if r.key == digest), None)


def _own_json(row: Tournament, mine: Registration | None) -> dict[str, Any]:
    own = mine and {"state": mine.state, "name": mine.player["name"], "reason": mine.reason}
    return {"tournament": row.name, "registration": own}


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
