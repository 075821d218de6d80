"""Players of a tournament: added, imported, edited, gone, replaced, moved. One transaction each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict, NotFound
from hupai.games.commands import Command
from hupai.games.history import SEATED, Amendment
from hupai.hall.seating.importing import NewEntrant, parse_players
from hupai.hall.store.state.entrants import (
    FIELDS,
    add_entrants,
    edit_entrant,
    entrant_json,
    entrants_of,
    find_entrant,
)
from hupai.hall.store.state.played_tables import last_round
from hupai.hall.store.state.tournament_json import tournament_json
from hupai.hall.store.state.tournament_log import (
    DIRECTOR,
    ChangeKind,
    find_tournament,
    lock_tournament,
    log_change,
    state_of,
)
from hupai.hall.tables import Entrant, RoundSeat, Tournament
from hupai.store.database import reading, writing
from hupai.store.play.game_rows import find_game
from hupai.store.play.games import SqlGames
from hupai.store.play.histories import present_table
from hupai.store.tables import GameHand, Player
from scoring.words.sentence import say

_WHOSE_HANDS: Final = (
    "Hands were recorded at this table: say whether they stay with the seats or go with the players (hands)."
)


def add_players(
    engine: Engine, tournament_id: str, players: Sequence[NewEntrant], who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Add players; they play from the next round on.

    Raises:
        NotFound: no such tournament. Conflict: a name that is taken.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        after = max(state_of(session, row.id).removed, default=0)
        log_change(session, row, ChangeKind.PLAYERS, who, {"players": add_entrants(session, row.id, players, after)})
        return tournament_json(session, row)


def import_players(engine: Engine, tournament_id: str, text: str, who: Amendment = DIRECTOR) -> dict[str, Any]:
    """Add the players of a list, but for the rows that are refused; say what was made of its ``columns``, too.

    Raises:
        NotFound: no such tournament. InvalidRequest: no row can be taken.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        found = parse_players(text, [e.name for e in entrants_of(session, row.id)])
        after = max(state_of(session, row.id).removed, default=0)
        read = {name: value for name, value in found.to_json().items() if name != "players"}
        numbers = add_entrants(session, row.id, found.entrants, after)
        log_change(session, row, ChangeKind.PLAYERS, who, {"players": numbers, **read})
        return {**tournament_json(session, row), **read}


def try_players(engine: Engine, tournament_id: str, text: str) -> dict[str, Any]:
    """Return what :func:`import_players` would make of a list: its ``columns``, ``players`` and ``refused`` rows.

    Raises:
        NotFound: no such tournament. InvalidRequest: this is no CSV in UTF-8.
    """
    with reading(engine) as session:
        row = find_tournament(session, tournament_id)
        return parse_players(text, [e.name for e in entrants_of(session, row.id)]).to_json()


def edit_player(
    engine: Engine, tournament_id: str, number: int, detail: Mapping[str, Any], who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Change fields of a player's :class:`NewEntrant`; the player's games show the new name, too.

    Raises:
        NotFound: no such tournament or player. Conflict: a name that is taken.
        InvalidRequest: an invalid name or number.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        entrant = find_entrant(session, row.id, number)
        was = entrant_json(entrant)
        said = {**was, **detail}
        clean = NewEntrant.parse({f: said[f] for f in FIELDS[:-1]}, "player", substitute=said["substitute"])
        _edit(session, row, entrant, {f: getattr(clean, f) for f in FIELDS})
        log_change(session, row, ChangeKind.PLAYER, who, {"was": was, "now": entrant_json(entrant)})
        return tournament_json(session, row)


def let_player_leave(
    engine: Engine, tournament_id: str, number: int, *, back: bool = False, who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Let a player leave after the rounds seated so far (or come ``back``); the points won so far stay.

    Raises:
        NotFound: no such tournament or player.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        entrant = find_entrant(session, row.id, number)
        detail = {"player": number, "left_after": entrant.left_after}
        entrant.left_after = None if back else last_round(session, row.id)
        log_change(session, row, ChangeKind.BACK if back else ChangeKind.LEFT, who, detail)
        return tournament_json(session, row)


def remove_player(engine: Engine, tournament_id: str, number: int, who: Amendment = DIRECTOR) -> dict[str, Any]:
    """Remove a player who was added by mistake; the number is not used again, and a plan that contains it is dropped.

    Raises:
        NotFound: no such tournament or player. Conflict: a round, a substitution or a penalty names the player
            already.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        entrant = find_entrant(session, row.id, number)
        seated = (RoundSeat.tournament_id == row.id, RoundSeat.entrant == number)
        state = state_of(session, row.id)
        penalised = {p["player"] for p in state.penalties.values()}
        if number in state.moved | penalised or session.scalar(select(RoundSeat.round).where(*seated).limit(1)):
            message = "{name} belongs to what was played; a player who does not go on leaves."
            raise Conflict(say(message, name=entrant.name), field="player")
        was = entrant_json(entrant)
        session.delete(entrant)
        session.flush()
        log_change(session, row, ChangeKind.REMOVED, who, {"was": was})
        return tournament_json(session, row)


def replace_player(
    engine: Engine, tournament_id: str, number: int, out: int, into: int, who: Amendment, hands: str | None = None
) -> dict[str, Any]:
    """Put ``into`` in the seat of ``out`` in a round, or let two swap seats before either has played.

    What the seat has won so far goes with it: it counts for the player who sits there at the end. It is a change of the
    games, too: a phone that still shows the former players enters nothing for them.

    Two at one table may swap later, too: ``hands`` says whether what was recorded stays with the ``seats``, or goes
    with the ``players`` and is settled again.

    Raises:
        NotFound: no such tournament, player or seat. Conflict: both are seated, and hands were recorded, at two tables
            or without ``hands``; a table of theirs has ended; a hand would be invalid at its new seats.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        move_player(session, row, number, out, into, who, hands)
        detail = {"round": number, "out": out, "into": into}
        log_change(session, row, ChangeKind.REPLACED, who, {**detail, **({"hands": hands} if hands else {})})
        return tournament_json(session, row)


def move_player(
    session: Session, row: Tournament, number: int, out: int, into: int, who: Amendment, hands: str | None = None
) -> None:
    """Do the same as :func:`replace_player` within a writing transaction, but log nothing in the tournament."""
    entrants = find_entrant(session, row.id, out), find_entrant(session, row.id, into)
    seat, other = (session.get(RoundSeat, (row.id, number, e.number)) for e in entrants)
    if seat is None:
        raise NotFound(say("{name} has no seat in round {n}.", name=entrants[0].name, n=number), field="out")
    seats = [s for s in (seat, other) if s is not None]
    games = {s.game_id: find_game(session, s.game_id, lock=True) for s in sorted(seats, key=lambda s: s.game_id)}
    together = other is not None and len(games) == 1
    if other is not None and session.scalar(select(func.count()).where(GameHand.game_id.in_(games))):
        if not together:
            raise Conflict("Two seated players can swap only before a hand is recorded at their tables.", field="into")
        if hands is None:
            raise Conflict(_WHOSE_HANDS, field="hands")
    if not (together and hands) and any(present_table(session, game).ended is not None for game in games.values()):
        raise Conflict("The game at this table has ended; reopen it first.", code="game_over", field="round")
    places = [(s.table_name, s.seat, s.game_id) for s in seats]
    for taken in seats:
        session.delete(taken)
    session.flush()
    for (table, place, game_id), entrant in zip(places, reversed(entrants), strict=False):
        session.add(
            RoundSeat(
                tournament_id=row.id,
                round=number,
                entrant=entrant.number,
                table_name=table,
                seat=place,
                game_id=game_id,
            )
        )
        _name_at(session, game_id, place, entrant.name)
    for game_id in games:
        swapped = [s[1] for s in places] if together and hands == "players" else []
        SqlGames(session).do(game_id, Command(SEATED, who, swapped=swapped))


def restore_player(session: Session, row: Tournament, was: Mapping[str, Any]) -> None:
    """Give a player the details back that were logged, within a writing transaction.

    Raises:
        NotFound: no such player. Conflict: the name is taken meanwhile.
    """
    _edit(session, row, find_entrant(session, row.id, was["number"]), {f: was[f] for f in FIELDS})


def _edit(session: Session, row: Tournament, entrant: Entrant, values: Mapping[str, Any]) -> None:
    name = entrant.name
    edit_entrant(session, entrant, values)
    if entrant.name != name:
        _rename(session, row, entrant)


def _rename(session: Session, row: Tournament, entrant: Entrant) -> None:
    mine = (RoundSeat.tournament_id == row.id, RoundSeat.entrant == entrant.number)
    for seat in session.scalars(select(RoundSeat).where(*mine)):
        _name_at(session, seat.game_id, seat.seat, entrant.name)


def _name_at(session: Session, game_id: str, number: int, name: str) -> None:
    session.get_one(Player, (game_id, number)).name = name
