"""Who may write what in a tournament: the director by code, others by the role of their token."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Final, cast

from fastapi import Depends, Path, Request
from sqlalchemy import select

from hupai.settings import Settings
from hupai.store.database import reading
from hupai.store.feed_tables import RoundSeat, WatchedTable
from hupai.store.play.game_rows import find_game
from hupai.store.play.histories import has_signed_result, present_table
from hupai.store.tournament.directing import is_directed
from hupai.store.tournament.refereeing import game_at
from hupai.store.tournament.tokens import Holder
from hupai.store.tournament.tournaments import last_round_at
from hupai.web.errors import WebError
from hupai.web.middleware.limits import client_of
from hupai.web.middleware.security import AccessCode
from hupai.web.middleware.tokens import SAFE, RoleRefused, holder_in
from hupai.web.services import Served, Services

DIRECTOR_COOKIE: Final = "hupai_director"
DIRECTOR_HEADER: Final = "x-hupai-director"


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
        secret = self.settings.director_code
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
    holder = holder_in(request)
    if holder is not None and holder.role == "director":
        return
    director = director_of(request)
    if not director.is_configured:
        raise _no_director()
    if not director.is_director(request):
        raise DirectorNeeded("Only the director may do this; give the director's code first.")


def need_scorer(request: Request) -> None:
    """Dependency of routes that confirm and correct hands.

    Raises:
        DirectorNeeded: the request is neither from a scorer nor from the director.
    """
    holder = holder_in(request)
    if holder is None or holder.role != "scorer":
        need_director(request)


def need_table(request: Request) -> None:
    """Dependency of routes by which the players at a table (``table``) sign their game.

    Raises:
        DirectorNeeded: the request is from nobody who may. RoleRefused: it is from another table.
    """
    holder = holder_in(request)
    if holder is None or holder.role != "table":
        need_scorer(request)
    elif holder.table != request.path_params.get("table"):
        raise _not_yours(holder)


def need_running_table(
    request: Request,
    serve: Served,
    tournament_id: Annotated[str, Path(max_length=40)],
    round_number: Annotated[int, Path(ge=1, le=10**4)],
    table: Annotated[str, Path(max_length=80)],
) -> None:
    """Dependency of routes by which a table enters the result of the game that runs there.

    Raises:
        DirectorNeeded, RoleRefused: as :func:`need_table`; the table's game of this round is over, or signed. NotFound:
            no such round.
    """
    need_table(request)
    holder = holder_in(request)
    with reading(serve.engine) as session:
        game_id = game_at(session, tournament_id, round_number, table)
        signed = has_signed_result(session, find_game(session, game_id))
    if holder is not None and holder.role == "table":
        _check_own_table(holder, game_id, serve)
    elif signed:
        need_director(request)


def registering_for(request: Request) -> str:
    """Return the tournament that the request's token lets players register for.

    Raises:
        RoleRefused: it is no such token.
    """
    holder = holder_in(request)
    if holder is None or holder.tournament is None:
        raise RoleRefused("Players register with the code for their tournament; ask the director for it.")
    return holder.tournament


def need_keeper(request: Request) -> None:
    """Dependency of routes that delete shared data: if there is a director, nobody else may.

    Raises:
        DirectorNeeded: the request is not the director's.
    """
    if director_of(request).is_configured:
        need_director(request)


def guard_game(request: Request, serve: Served) -> None:
    """Dependency of the ledger's routes: who may write into a game of a tournament or a watched table.

    The director always may, a scorer until the result is signed, the table it is played at while it runs there. Other
    games are open to everybody, except that nobody but the director, if there is one, deletes any.

    Raises:
        DirectorNeeded: the request is from nobody who may. RoleRefused: it is from a table that may not.
    """
    game_id = request.path_params.get("game_id")
    if request.method in SAFE or game_id is None:
        return
    holder = holder_in(request)
    if holder is not None and holder.role == "table":
        _check_own_table(holder, str(game_id), serve)
        return
    if request.method == "DELETE":
        need_keeper(request)
    with reading(serve.engine) as session:
        directed = is_directed(session, str(game_id))
        signed = directed and has_signed_result(session, find_game(session, str(game_id)))
    if signed:
        need_director(request)
    elif directed:
        need_scorer(request)


def _check_own_table(holder: Holder, game_id: str, serve: Services) -> None:
    """Check that a game was seated at the holder's table and runs there.

    Raises:
        RoleRefused: it was seated elsewhere, is over, or the table plays a later round.
    """
    seated = select(RoundSeat).where(RoundSeat.game_id == game_id).limit(1)
    given = select(WatchedTable.name).where(WatchedTable.game_id == game_id, WatchedTable.name == holder.table)
    with reading(serve.engine) as session:
        seat = session.scalar(seated)
        if (seat is None or seat.table_name != holder.table) and session.scalar(given) is None:
            raise _not_yours(holder)
        over = present_table(session, find_game(session, game_id)).ended is not None
        if over or (seat is not None and seat.round < last_round_at(session, seat.tournament_id, seat.table_name)):
            raise RoleRefused(f"The game at table {holder.table!r:.80} is over; only the director changes it now.")


def holder_name(request: Request) -> str | None:
    """Return the name of the holder of the request's token; None without one."""
    holder = holder_in(request)
    return holder.name if holder is not None else None


def _not_yours(holder: Holder) -> RoleRefused:
    return RoleRefused(f"This token is for table {holder.table!r:.80} only.")


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
KeeperOnly = Depends(need_keeper)
Acting = Annotated[str | None, Depends(holder_name)]
"""Parameter type of a route: the name of the token's holder, if there is a token."""
Directing = Annotated[Director, Depends(director_of)]
"""Parameter type of a route: the director's code check."""
