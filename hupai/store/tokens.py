"""Personal keys: made, listed, withdrawn. Only their digests are stored."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict, NotFound
from hupai.basics.ids import ID_LENGTH, new_id
from hupai.basics.timestamps import format_time, format_time_or_none
from hupai.settings import TOKEN_PREFIX
from hupai.store.clock import now as now_in
from hupai.store.database import reading, writing
from hupai.store.tables import Token
from scoring.words.sentence import say

_LETTERS: Final = 32


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of a token.

    Attributes:
        name: the holder's. role: decides what the token opens. id: the token's, once it is made. granted: what the
            wing that has the role keeps with it, as JSON.
    """

    name: str
    role: str
    id: str = ""
    granted: Mapping[str, Any] = field(default_factory=dict)


def add_token(session: Session, holder: Holder, by: str) -> dict[str, Any]:
    """Make a token; the result contains the ``token`` itself, which cannot be shown again."""
    token = TOKEN_PREFIX + new_id(_LETTERS)
    row = Token(
        id=new_id(),
        name=holder.name,
        role=holder.role,
        granted=dict(holder.granted),
        digest=_digest(token),
        made_at=now_in(session),
        made_by=by,
        withdrawn_at=None,
        withdrawn_by=None,
    )
    session.add(row)
    session.flush()
    return {**_token_json(row), "token": token}


def list_tokens(engine: Engine) -> list[dict[str, Any]]:
    """Return all tokens ever made, latest first, with the withdrawn ones marked."""
    with reading(engine) as session:
        return [_token_json(row) for row in session.scalars(select(Token).order_by(Token.made_at.desc(), Token.id))]


def withdraw_token(engine: Engine, token_id: str, by: str) -> dict[str, Any]:
    """Withdraw a token.

    Raises:
        NotFound: there is none. Conflict: it was withdrawn before.
    """
    with writing(engine) as session:
        row = session.get(Token, token_id, with_for_update=True) if len(token_id) == ID_LENGTH else None
        if row is None:
            raise NotFound(say("There is no token {a}.", a=f"{token_id!r:.40}"), field="token_id")
        if row.withdrawn_at is not None:
            raise Conflict("This token was withdrawn before.", field="token_id")
        row.withdrawn_at, row.withdrawn_by = now_in(session), by
        return _token_json(row)


def token_holders(engine: Engine) -> dict[str, Holder]:
    """Return digest -> holder for the valid tokens."""
    with reading(engine) as session:
        rows = session.scalars(select(Token).where(Token.withdrawn_at.is_(None)))
        return {row.digest: _holder_of(row) for row in rows}


def withdrawn_among(engine: Engine, token_ids: Collection[str]) -> frozenset[str]:
    """Return the ids of those tokens that are valid no more, or are not there."""
    valid = select(Token.id).where(Token.id.in_(token_ids), Token.withdrawn_at.is_(None))
    with reading(engine) as session:
        return frozenset(token_ids) - set(session.scalars(valid))


def holder_of(known: dict[str, Holder], token: str) -> Holder | None:
    """Return the holder of this token; None if there is none."""
    return known.get(_digest(token))


def _holder_of(row: Token) -> Holder:
    return Holder(row.name, row.role, row.id, row.granted)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _token_json(row: Token) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "role": row.role,
        **row.granted,
        "made_at": format_time(row.made_at),
        "made_by": row.made_by,
        "withdrawn_at": format_time_or_none(row.withdrawn_at),
        "withdrawn_by": row.withdrawn_by,
    }
