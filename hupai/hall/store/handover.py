"""A whole tournament in a file, and from it on another server: games with their histories, log, codes of its tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, Engine, select
from sqlalchemy.exc import DataError, IntegrityError, InterfaceError, ProgrammingError
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict
from hupai.basics.timestamps import format_time, parse_time
from hupai.games.exchange import export_game, import_game
from hupai.hall.seating.export import FORMAT
from hupai.hall.store.state.tournament_json import tournament_json
from hupai.hall.store.state.tournament_log import ChangeKind, find_tournament, step_json
from hupai.hall.store.tokens import grant_of, is_of
from hupai.hall.tables import Entrant, RoundSeat, Tournament, TournamentChange
from hupai.store.database import reading, writing
from hupai.store.play.game_rows import find_game
from hupai.store.play.histories import add_game, load_history
from hupai.store.tables import Base, DecimalText, Game, Token, UtcDateTime
from scoring.errors import Fault, InvalidRequest
from scoring.version import version
from scoring.words.sentence import say

Row = TypeVar("Row", bound=Base)
_TABLES: Final[Mapping[str, type[Any]]] = {
    "players": Entrant,
    "seats": RoundSeat,
    "log": TournamentChange,
    "tokens": Token,
}
_STRANGE: Final = "This file is not as hupai tournament save writes it ({a}); save it again with the same hupai."
_HERE: Final = "The tournament {name}, a game or a code of it is here already; nothing was changed."
_OTHERWISE: Final = "This tournament comes out otherwise than in the file, which hupai {name} wrote. Use that version."
_FAULTY: Final = (
    *(KeyError, TypeError, ValueError, AttributeError, ArithmeticError),
    *(DataError, IntegrityError, InterfaceError, ProgrammingError),
)
"""What reading a file brings about that says something else than this program has written."""
_COMPARED: Final = ("players", "standings", "teams", "penalties", "plan", "missing", "rounds")


def save_tournament(engine: Engine, tournament_id: str) -> dict[str, Any]:
    """Return everything of a tournament as JSON, also what nobody is shown: keep it as you keep the ledger.

    Pictures, and tokens of other roles than tables and registration, are not in it.

    Raises:
        NotFound: no such tournament.
    """
    with reading(engine) as session:
        row = find_tournament(session, tournament_id)
        seats = select(RoundSeat.game_id).where(RoundSeat.tournament_id == row.id).distinct()
        games = [export_game(load_history(session, find_game(session, g)))[0] for g in sorted(session.scalars(seats))]
        kept = {
            name: [_row_json(one) for one in session.scalars(select(kind).where(_is_of(kind, row.id)))]
            for name, kind in _TABLES.items()
        }
        return {
            "format": FORMAT,
            "saved_by": version(),
            "saved_at": format_time(datetime.now(UTC)),
            "tournament": _row_json(row),
            **kept,
            "games": games,
            "shown": _compared(tournament_json(session, row)),
        }


def take_tournament(engine: Engine, data: Any) -> dict[str, Any]:
    """Take over a tournament that was saved elsewhere, under its own id; codes of its tables go on. All or nothing.

    Returns:
        The tournament as in the API.

    Raises:
        InvalidRequest: it is no such file, or comes out otherwise. Conflict: the tournament, one of its games or codes
            is here already.
    """
    with writing(engine) as session:
        try:
            row = _add(session, data)
            shown = tournament_json(session, row)
        except _FAULTY as error:
            raise InvalidRequest.of([Fault("bad_value", say(_STRANGE, a=f"{error!r:.80}"), "file")]) from error
        if _compared(shown) != data["shown"]:
            raise InvalidRequest.of([Fault("contradiction", say(_OTHERWISE, name=data["saved_by"]), "shown")])
        return shown


def _add(session: Session, data: Any) -> Tournament:
    if data["format"] != FORMAT:
        raise ValueError(f"format {data['format']!r:.20}")
    row = _read_row(Tournament, data["tournament"])
    row.key = row.key_hash = None  # it was that server's
    rows = {name: [_read_row(kind, one) for one in data[name]] for name, kind in _TABLES.items()}
    named = {one.tournament_id for name in rows if name != "tokens" for one in rows[name]}
    named |= {grant_of(one).tournament for one in rows["tokens"]}
    games = [import_game(game) for game in data["games"]]
    for change in rows["log"]:
        ChangeKind(change.kind)
        step_json(change)
    if named - {row.id} or {seat.game_id for seat in rows["seats"]} != {game.terms.id for game in games}:
        raise ValueError("it names another tournament or game")
    taken = (
        select(Tournament.id).where(Tournament.id == row.id),
        select(Game.id).where(Game.id.in_([game.terms.id for game in games])),
        select(Token.id).where(
            Token.id.in_([t.id for t in rows["tokens"]]) | Token.digest.in_([t.digest for t in rows["tokens"]])
        ),
    )
    if any(session.scalar(query.limit(1)) is not None for query in taken):
        raise Conflict(say(_HERE, name=row.name), field="tournament")
    session.add(row)
    session.flush()
    for game in games:
        add_game(session, game)
    for name in _TABLES:
        session.add_all(rows[name])
    session.flush()
    return row


def _is_of(kind: Any, tournament_id: str) -> ColumnElement[bool]:
    mine: ColumnElement[bool] = is_of(tournament_id) if kind is Token else kind.tournament_id == tournament_id
    return mine


def _row_json(row: Base) -> dict[str, Any]:
    return {column.key: _plain(getattr(row, column.key)) for column in row.__mapper__.column_attrs}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return format_time(value)
    return str(value) if isinstance(value, Decimal) else value


def _read_row(kind: type[Row], said: Mapping[str, Any]) -> Row:
    columns = {column.key: column.columns[0] for column in kind.__mapper__.column_attrs}
    if said.keys() != columns.keys():
        raise ValueError(f"other columns than those of {kind.__tablename__}")
    return kind(**{name: _read_value(columns[name].type, value) for name, value in said.items()})


def _read_value(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(kind, DecimalText):
        return Decimal(value)
    return parse_time(value) if isinstance(kind, UtcDateTime) else value


def _compared(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return what must come out the same: all that is derived from the log and the games, but for the clock."""
    kept = {name: shown[name] for name in _COMPARED}
    kept["rounds"] = [{**played, "timer": None} for played in shown["rounds"]]
    found: dict[str, Any] = json.loads(json.dumps(kept))
    return found
