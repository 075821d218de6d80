"""Keys that a director hands out, each for a role in a hall."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Engine, update
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


def make_token(engine: Engine, holder: Holder, by: str) -> dict[str, Any]:
    """Make a token; see :func:`~hupai.store.tokens.add_token`.

    Raises:
        InvalidRequest: unknown role; a table or tournament given for a role that has none, or missing for one that has
            (a ``table`` may have no tournament); a delay for one that acts; live hands for one that is no overlay, or
            has a delay. NotFound: no such tournament.
    """
    wrong = (holder.role in ("table", "camera")) != (holder.table is not None)
    misplaced = holder.role != "table" and (holder.role in ("camera", "entrant")) != (holder.tournament is not None)
    if holder.role not in ROLES or wrong or misplaced:
        message = say(_NO_ROLE, names=", ".join(ROLES))
        raise InvalidRequest.of([Fault("bad_value", message, "role")])
    if holder.delay and holder.role not in ("viewer", "overlay"):
        raise InvalidRequest.of([Fault("bad_value", _NOT_LATE, "delay")])
    if holder.live and (holder.role != "overlay" or holder.delay):
        raise InvalidRequest.of([Fault("bad_value", _NOT_LIVE, "live")])
    with writing(engine) as session:
        if holder.tournament is not None:
            find_tournament(session, holder.tournament)
        return add_token(session, holder, by)


def withdraw_tokens_of(session: Session, tournament_id: str, by: str) -> None:
    """Withdraw the tokens of a tournament: its tables', and those to register for it."""
    mine = update(Token).where(Token.tournament_id == tournament_id, Token.withdrawn_at.is_(None))
    session.execute(mine.values(withdrawn_at=now_in(session), withdrawn_by=by))
