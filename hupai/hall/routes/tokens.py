"""Tokens: handed out by the director, one per person, table or overlay; withdrawn one by one."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Request
from pydantic import Field

from hupai.basics.names import clean_name
from hupai.hall.roles import DirectorOnly
from hupai.hall.store.state.tournament_log import DIRECTOR
from hupai.hall.store.tokens import make_token as make
from hupai.store import tokens
from hupai.web.answers.house_link import qr_of
from hupai.web.errors import BadValue
from hupai.web.guards import Acting
from hupai.web.middleware.late import MAX_DELAY
from hupai.web.requests.bodies import Exact
from hupai.web.requests.strict import StrictRoute
from hupai.web.routes.joining import page_address
from hupai.web.services import Served

router = APIRouter(prefix="/tokens", route_class=StrictRoute, tags=["tokens"], dependencies=[DirectorOnly])
_PAGES: Final = {"table": "table.html", "overlay": "overlay.html", "entrant": "register.html"}


class TokenBody(Exact):
    """Who gets a token, and for what.

    ``table`` is for the role of that name and for cameras; ``tournament`` for these, too (a table's may be null: for
    games outside tournaments, which the director gives a watched table), and for entrants. ``delay``: by how many
    seconds a viewer or an overlay sees everything late. ``live``: whether an overlay hears of hands while they are
    played.
    """

    name: str = Field(max_length=200)
    role: Literal["viewer", "overlay", "table", "camera", "scorer", "director", "entrant"]
    table: str | None = Field(None, max_length=80)
    tournament: str | None = Field(None, max_length=40)
    delay: int = Field(0, ge=0, le=MAX_DELAY)
    live: bool = False


@router.post("", operation_id="make_token", status_code=201)
def make_token(body: TokenBody, request: Request, serve: Served, acting: Acting) -> dict[str, Any]:
    """Make a token; it, its address and that as a QR code (SVG) are shown this once."""
    if body.role == "table" and "tournament" not in body.model_fields_set:
        raise BadValue("Say which tournament the table plays in (null: games outside tournaments).", field="tournament")
    table = clean_name(body.table, "table", 80) if body.table is not None else None
    holder = tokens.Holder(
        clean_name(body.name, "name"), body.role, table, body.tournament, delay=body.delay, live=body.live
    )
    made = make(serve.engine, holder, acting or DIRECTOR.by)
    page = _PAGES.get(body.role, "board.html")
    url = page_address(request, serve, page, f"code={quote(made['token'])}")
    return {**made, "url": url, "svg": qr_of(url).decode()}


@router.get("", operation_id="list_tokens")
def list_tokens(serve: Served) -> dict[str, Any]:
    """All that were made, the withdrawn ones marked; the tokens themselves nobody can tell any more."""
    return {"tokens": tokens.list_tokens(serve.engine)}


@router.delete("/{token_id}", operation_id="withdraw_token")
def withdraw_token(token_id: Annotated[str, Path(max_length=40)], serve: Served, acting: Acting) -> dict[str, Any]:
    """A token opens nothing any more; that it was there is kept."""
    return tokens.withdraw_token(serve.engine, token_id, acting or DIRECTOR.by)
