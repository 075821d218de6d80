"""Who may do what in a hall: the director by code, others by the role of their token."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Final, cast

from fastapi import Depends, Path, Request
from sqlalchemy import select
from sqlalchemy.orm import Session

from hupai.hall.settings import HallSettings
from hupai.hall.store.refereeing import game_at
from hupai.hall.store.state.played_tables import last_round_at
from hupai.hall.store.tokens import grant_of
from hupai.hall.store.watched.watched_tables import is_directed
from hupai.hall.tables import RoundSeat, Tournament, WatchedTable
from hupai.settings import Settings
from hupai.store.database import reading
from hupai.store.play.game_rows import find_game
from hupai.store.play.histories import has_signed_result, present_table
from hupai.store.tokens import Holder
from hupai.web.errors import WebError
from hupai.web.middleware.limits import client_of
from hupai.web.middleware.security import AccessCode
from hupai.web.middleware.tokens import Role, RoleRefused, holder_in
from hupai.web.services import Served
from hupai.web.wing import Guards
from scoring.words.sentence import say

_DIRECTORS_COURSE: Final = (
    "How the games of a tournament go and are settled is the director's to change; leave course out."
)
_ELSEWHERE: Final = "This token is for games at table {a} of {name} only."
_OUTSIDE: Final = "This token is for games at table {a} outside tournaments only; ask the director for a new one."
_LATER: Final = "Table {a} plays a later round now; what round {n} came to is the director's."
TournamentId = Annotated[str, Path(max_length=40)]
RoundNumber = Annotated[int, Path(ge=1, le=10**4)]
TableName = Annotated[str, Path(max_length=80)]
DIRECTOR_COOKIE: Final = "hupai_director"
DIRECTOR_HEADER: Final = "x-hupai-director"
DIRECTOR_PATH: Final = "/director"
_TRY: Final = r"/score|/laid/\d+/score|/games/[^/]+/hands/(\d+/)?try"
_ENTER: Final = rf"{_TRY}|/read|/games/[^/]+/.+|/tournaments/[^/]+/rounds/\d+/tables/.+/(sign|object|result)"
_LIVE_SEAT: Final = "/live/.+/[ESWN]"
ROLES: Final[Mapping[str, Role | None]] = {
    "viewer": Role(rf"{DIRECTOR_PATH}|{_TRY}"),
    "overlay": Role(DIRECTOR_PATH),
    "table": Role(rf"{DIRECTOR_PATH}|{_ENTER}"),
    "camera": Role(_LIVE_SEAT, reads=_LIVE_SEAT),
    "scorer": Role(rf"{DIRECTOR_PATH}|{_ENTER}|/laid/\d+/\w+|/tables/.+/laid"),
    "director": None,
    "entrant": Role(rf"{DIRECTOR_PATH}|/registrations", reads="/registrations/[^/]+"),
}
"""What a token of each role may ask for at all; what follows says more of who may do what, where it is done."""


class DirectorNeeded(WebError):
    """Only the director may do this. Codes: ``director_needed``, ``director_off``, ``code_wrong``."""

    code = "director_needed"
    status = HTTPStatus.FORBIDDEN


@dataclass(slots=True)
class Director:
    """The director's code: checked in constant time, wrong tries throttled, kept as a signed cookie.

    Attributes:
        settings: in force. key: secret of this installation.
    """

    settings: Settings
    key: bytes
    _access: AccessCode = field(init=False)

    def __post_init__(self) -> None:
        secret = self.settings.director_code if isinstance(self.settings, HallSettings) else None
        self._access = AccessCode(self.settings.model_copy(update={"access_code": secret}), self.key)

    @property
    def is_configured(self) -> bool:
        """Whether this server has a director."""
        return self._access.needed

    @property
    def cookie_value(self) -> str:
        """The content of the cookie."""
        return hmac.new(self.key, f"director {self._access.code}".encode(), hashlib.sha256).hexdigest()

    def admit(self, code: str, client: str) -> None:
        """Check the director's code.

        Raises:
            DirectorNeeded: the server has none. TooMany, CodeNeeded: as for the access code.
        """
        if not self.is_configured:
            raise _no_director()
        self._access.check(code, client)

    def is_director(self, request: Request) -> bool:
        """Whether the request is the director's.

        Raises:
            TooMany, CodeNeeded: it carries a wrong code.
        """
        if not self.is_configured:
            return False
        given = request.headers.get(DIRECTOR_HEADER)
        if given is not None:
            self._access.check(given, client_of(request.scope))
            return True
        return hmac.compare_digest(request.cookies.get(DIRECTOR_COOKIE, "").encode(), self.cookie_value.encode())


def director_of(request: Request) -> Director:
    """The director of the application that serves this request."""
    return cast(Director, request.app.state.director)


def need_director(request: Request) -> None:
    """Dependency of routes for the director only.

    Raises:
        DirectorNeeded: the request is not the director's.
    """
    if _directs(request):
        return
    if not director_of(request).is_configured:
        raise _no_director()
    raise DirectorNeeded("Only the director may do this; give the director's code first.")


def _directs(request: Request) -> bool:
    """Whether the request is the director's, by code or token."""
    holder = holder_in(request)
    return (holder is not None and holder.role == "director") or director_of(request).is_director(request)


def need_scorer(request: Request) -> None:
    """Dependency of routes that confirm and correct hands.

    Raises:
        DirectorNeeded: the request is neither from a scorer nor from the director.
    """
    holder = holder_in(request)
    if holder is None or holder.role != "scorer":
        need_director(request)


def need_table(
    request: Request, serve: Served, tournament_id: TournamentId, round_number: RoundNumber, table: TableName
) -> None:
    """Dependency of routes by which the players at a table sign their game.

    Raises:
        DirectorNeeded: the request is from nobody who may. RoleRefused: it is from another table. NotFound: no such
            round.
    """
    holder = _table_in(request)
    if holder is None:
        need_scorer(request)
        return
    with reading(serve.engine) as session:
        _check_table(session, holder, game_at(session, tournament_id, round_number, table), running=False)


def need_running_table(
    request: Request, serve: Served, tournament_id: TournamentId, round_number: RoundNumber, table: TableName
) -> None:
    """Dependency of routes by which a table enters the result of the game that runs there.

    Raises:
        DirectorNeeded, RoleRefused, NotFound: as :func:`need_table`; the table's game of this round is over, or signed.
    """
    if _table_in(request) is None:
        need_scorer(request)
    with reading(serve.engine) as session:
        _check_writer(request, session, game_at(session, tournament_id, round_number, table))


def registering_for(request: Request) -> str:
    """Return the tournament that the request's token lets players register for.

    Raises:
        RoleRefused: it is no such token.
    """
    holder = holder_in(request)
    tournament = grant_of(holder).tournament if holder is not None and holder.role == "entrant" else None
    if tournament is None:
        raise RoleRefused("Players register with the code for their tournament; ask the director for it.")
    return tournament


def _need_keeper(request: Request) -> None:
    """See :class:`~hupai.web.wing.Guards`: if there is a director, nobody else deletes what everybody shares.

    Raises:
        DirectorNeeded: the request is not the director's.
    """
    if director_of(request).is_configured:
        need_director(request)


def _check_terms(request: Request, session: Session, game_id: str) -> None:
    """See :class:`~hupai.web.wing.Guards`: how an event's games go is not for its tables to agree on.

    Raises:
        RoleRefused: the game is one of a tournament or a watched table, and the request is not the director's.
    """
    if not _directs(request) and is_directed(session, game_id):
        raise RoleRefused(_DIRECTORS_COURSE, field="course")


def _check_writer(request: Request, session: Session, game_id: str) -> None:
    """See :class:`~hupai.web.wing.Guards`: who may write into a game of a tournament or a watched table.

    The director always may, a scorer until the result is signed, the table it is played at while it runs there. Other
    games are open to everybody.

    Raises:
        DirectorNeeded: the request is from nobody who may. RoleRefused: it is from a table that may not.
    """
    if (holder := _table_in(request)) is not None:
        _check_table(session, holder, game_id, running=True)
    elif is_directed(session, game_id):
        signed = has_signed_result(session, find_game(session, game_id))
        (need_director if signed else need_scorer)(request)


def _table_in(request: Request) -> Holder | None:
    """Return the holder of the request's token if that is a table's."""
    holder = holder_in(request)
    return holder if holder is not None and holder.role == "table" else None


def _check_table(session: Session, holder: Holder, game_id: str, *, running: bool) -> None:
    """Check what a table's token opens: a game of its tournament that is played at its table.

    That is one seated there or given to the camera over the table, until the table plays the next round. A token for no
    tournament is for games of none.

    Args:
        session, holder, game_id: as their names say. running: whether the game must go on; signed is one that is over.

    Raises:
        RoleRefused: it is of another tournament or table, is over, or the table plays a later round.
    """
    mine = grant_of(holder)
    seat = session.scalar(select(RoundSeat).where(RoundSeat.game_id == game_id).limit(1))
    given = select(WatchedTable.name).where(WatchedTable.game_id == game_id, WatchedTable.name == mine.table)
    seated = seat is not None and seat.table_name == mine.table
    here = f"{mine.table!r:.80}"
    if mine.tournament != (seat and seat.tournament_id) or not (seated or session.scalar(given)):
        cup = session.get(Tournament, mine.tournament) if mine.tournament is not None else None
        raise RoleRefused(say(_ELSEWHERE, a=here, name=f"{cup.name!r:.80}") if cup else say(_OUTSIDE, a=here))
    # Others sit there in a later round.
    if seat is not None and seat.round < last_round_at(session, seat.tournament_id, seat.table_name):
        raise RoleRefused(say(_LATER, a=f"{seat.table_name!r:.80}", n=seat.round))
    if running and present_table(session, find_game(session, game_id)).ended is not None:
        raise RoleRefused(say("The game at table {a} is over; only the director changes it now.", a=here))


def _no_director() -> DirectorNeeded:
    return DirectorNeeded(
        "This server has no director: start hupai serve with HUPAI_DIRECTOR_CODE set, or director_code in its "
        "settings file.",
        code="director_off",
    )


DirectorOnly = Depends(need_director)
ScorerToo = Depends(need_scorer)
TableToo = Depends(need_table)
RunningTableToo = Depends(need_running_table)
GUARDS: Final = Guards(_need_keeper, _check_writer, _check_terms)
Directing = Annotated[Director, Depends(director_of)]
"""Parameter type of a route: the director's code check."""
