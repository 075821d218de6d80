"""Keys that a director hands out, each for a role in a hall."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from sqlalchemy import ColumnElement, Engine, select
from sqlalchemy.orm import Session

from hupai.hall.store.state.tournament_log import find_tournament
from hupai.store.clock import now as now_in
from hupai.store.database import writing
from hupai.store.tables import Token
from hupai.store.tokens import Holder, add_token
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

ROLES: Final = ("viewer", "overlay", "table", "camera", "scorer", "director", "entrant")
"""A ``table`` is for one table, and for games of a tournament (None: games outside tournaments, of the camera over the
table); a ``camera`` looks at the hands of players at a table of a tournament; with an ``entrant``'s token players
register for a tournament."""
_NO_ROLE: Final = (
    "A role is one of {names}; tokens of tables and cameras name their table and tournament, an entrant's its "
    "tournament, the others neither."
)
_NOT_LIVE: Final = "An overlay hears of live hands, as late as its event wants; it has no delay of its own."
_NOT_LATE: Final = "Viewers and overlays may see everything late; the others act on what is there now."


@dataclass(frozen=True, slots=True)
class Grant:
    """What the hall keeps with a token.

    Attributes:
        table, tournament: what it is limited to, in roles that are; the tournament by its id. delay: seconds by which
            it sees all late. live: whether it hears of hands while they are played.
    """

    table: str | None = None
    tournament: str | None = None
    delay: int = 0
    live: bool = False


def grant_of(holder: Holder | Token) -> Grant:
    """Return what the holder of a token was granted."""
    return Grant(**holder.granted)


def make_token(engine: Engine, holder: Holder, by: str) -> dict[str, Any]:
    """Make a token; see :func:`~hupai.store.tokens.add_token`.

    Raises:
        InvalidRequest: unknown role; a table or tournament given for a role that has none, or missing for one that has
            (a ``table`` may have no tournament); a delay for one that acts; live hands for one that is no overlay, or
            has a delay. NotFound: no such tournament.
    """
    grant = grant_of(holder)
    wrong = (holder.role in ("table", "camera")) != (grant.table is not None)
    misplaced = holder.role != "table" and (holder.role in ("camera", "entrant")) != (grant.tournament is not None)
    if holder.role not in ROLES or wrong or misplaced:
        message = say(_NO_ROLE, names=", ".join(ROLES))
        raise InvalidRequest.of([Fault("bad_value", message, "role")])
    if grant.delay and holder.role not in ("viewer", "overlay"):
        raise InvalidRequest.of([Fault("bad_value", _NOT_LATE, "delay")])
    if grant.live and (holder.role != "overlay" or grant.delay):
        raise InvalidRequest.of([Fault("bad_value", _NOT_LIVE, "live")])
    with writing(engine) as session:
        if grant.tournament is not None:
            find_tournament(session, grant.tournament)
        return add_token(session, replace(holder, granted=asdict(grant)), by)


def is_of(tournament_id: str) -> ColumnElement[bool]:
    """Return the condition that a token is one of a tournament: its tables' and cameras', and those to register."""
    mine: ColumnElement[bool] = Token.granted["tournament"].as_string() == tournament_id
    return mine


def forget_tournament(session: Session, tournament_id: str, by: str) -> None:
    """Withdraw the tokens of a tournament that is removed; which one it was is not kept."""
    for row in session.scalars(select(Token).where(is_of(tournament_id))):
        row.granted = {**row.granted, "tournament": None}
        if row.withdrawn_at is None:
            row.withdrawn_at, row.withdrawn_by = now_in(session), by
