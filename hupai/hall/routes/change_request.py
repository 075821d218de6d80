"""Who requests a change of a tournament, why, and with which key, so that a retry changes nothing twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, TypeVar, cast

from fastapi import Depends, FastAPI, Header, Request
from fastapi.responses import JSONResponse
from sqlalchemy import Engine
from starlette.responses import Response

from hupai.basics.names import clean_name
from hupai.games.history import Amendment, RetryKey
from hupai.games.requests import MAX_REASON_CHARACTERS, read_signer
from hupai.games.terms.shapes import Shape, maybe, text
from hupai.hall.roles import RoundNumber, TableName, TournamentId
from hupai.hall.store.state import tournament_log
from hupai.hall.store.tournaments import get_tournament
from hupai.web.guards import Acting
from hupai.web.requests.shaped import Shaped
from hupai.web.services import Served, services_of

Where = TypeVar("Where")


def amending(
    needed: Mapping[str, Shape] | None = None, others: Mapping[str, Shape] | None = None, about: str = ""
) -> Shaped:
    """Return the body of a change with these fields: who does it, and why, as far as somebody says so."""
    said = {"by": maybe(text(200)), "reason": maybe(text(1000))}
    return Shaped.of(needed or {}, {**said, **(others or {})}, about)


ByBody = Annotated[dict[str, Any], amending()]


@dataclass(frozen=True, slots=True)
class ChangeRequest(Generic[Where]):
    """A request for a change.

    Attributes:
        at: where, as the first arguments of what makes the change: the store, then the tournament's id, if it has one,
            and for a change at a table the round and the table.
        holder: name of its token's holder. once: its key with a hash of its content, if any.
    """

    at: Where
    holder: str | None
    once: RetryKey | None

    def amendment(self, body: Mapping[str, Any] | None = None, *, reasoned: bool = False) -> Amendment:
        """Return who does it and why; a token determines the name, whatever the body says.

        Raises:
            InvalidRequest: an invalid name or reason; no reason where one is needed.
        """
        said = body or {}
        given = said.get("reason") or ""
        why = clean_name(given, "reason", MAX_REASON_CHARACTERS) if reasoned or given.strip() else ""
        return Amendment(read_signer(said, self.holder) or tournament_log.DIRECTOR.by, why, self.once)


async def change_request(
    request: Request,
    serve: Served,
    acting: Acting,
    idempotency_key: Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)] = None,
) -> ChangeRequest[tuple[Engine]]:
    """Dependency of routes that change or begin a tournament."""
    if idempotency_key is None:
        return ChangeRequest((serve.engine,), acting, None)
    body = await request.json() if await request.body() else None
    said = json.dumps([request.method, request.url.path, request.url.query, body], sort_keys=True)
    return ChangeRequest((serve.engine,), acting, RetryKey(idempotency_key, hashlib.sha256(said.encode()).hexdigest()))


DONE_BEFORE: Final[dict[int | str, dict[str, Any]]] = {
    200: {"model": dict[str, Any], "description": "Done before under this Idempotency-Key: the tournament as it is now"}
}
"""What a route that makes something answers to a retry, for the OpenAPI description."""

Requested = Annotated[ChangeRequest[tuple[Engine]], Depends(change_request)]
"""Parameter type of a route that begins a tournament."""


def at_tournament(change: Requested, tournament_id: TournamentId) -> ChangeRequest[tuple[Engine, str]]:
    """Dependency of routes that change a tournament."""
    return ChangeRequest((*change.at, tournament_id), change.holder, change.once)


Changing = Annotated[ChangeRequest[tuple[Engine, str]], Depends(at_tournament)]


def at_table(
    change: Changing, round_number: RoundNumber, table: TableName
) -> ChangeRequest[tuple[Engine, str, int, str]]:
    """Dependency of routes that change something at a table of a tournament."""
    return ChangeRequest((*change.at, round_number, table), change.holder, change.once)


ChangingTable = Annotated[ChangeRequest[tuple[Engine, str, int, str]], Depends(at_table)]


def install(app: FastAPI) -> None:
    """Answer a retry with the tournament in its present state."""
    app.add_exception_handler(tournament_log.AlreadyDone, _answer_retry)


def _answer_retry(request: Request, done: Exception) -> Response:
    before = cast(tournament_log.AlreadyDone, done)
    found = get_tournament(services_of(request).engine, before.tournament_id)
    more = {name: before.detail[name] for name in ("repeats", "columns", "refused") if name in before.detail}
    return JSONResponse({**found, **more}, headers={"Idempotency-Replayed": "true"})
