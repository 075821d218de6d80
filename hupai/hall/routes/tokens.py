"""Tokens: handed out by the director, one per person, table or overlay; withdrawn one by one."""

from __future__ import annotations

from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Path, Request

from hupai.basics.names import clean_name
from hupai.games.terms.shapes import FLAG, maybe, one_of, text, whole
from hupai.hall.late import MAX_DELAY
from hupai.hall.roles import DirectorOnly
from hupai.hall.store.state.tournament_log import DIRECTOR
from hupai.hall.store.tokens import ROLES
from hupai.hall.store.tokens import make_token as make
from hupai.store import tokens
from hupai.web.answers.house_link import qr_of
from hupai.web.errors import BadValue
from hupai.web.guards import Acting
from hupai.web.requests.shaped import Shaped
from hupai.web.requests.strict import StrictRoute
from hupai.web.routes.joining import page_address
from hupai.web.services import Served

router = APIRouter(prefix="/tokens", route_class=StrictRoute, tags=["tokens"], dependencies=[DirectorOnly])
_PAGES: Final = {"table": "table.html", "overlay": "overlay.html", "entrant": "register.html"}


TokenBody = Annotated[
    dict[str, Any],
    Shaped.of(
        {"name": text(200), "role": one_of(*ROLES)},
        {"table": maybe(text(80)), "tournament": maybe(text(40)), "delay": whole(0, MAX_DELAY), "live": FLAG},
        "who gets a token, and for what. `table` is for the role of that name and for cameras; `tournament` for these "
        "(a table's may be null: for games outside tournaments, which the director gives a watched table) and for "
        "entrants. `delay`: by how many seconds a viewer or an overlay sees everything late. `live`: whether an "
        "overlay hears of hands while they are played",
    ),
]


@router.post("", status_code=201)
def make_token(body: TokenBody, request: Request, serve: Served, acting: Acting) -> dict[str, Any]:
    """Make a token; it, its address and that as a QR code (SVG) are shown this once."""
    if body["role"] == "table" and "tournament" not in body:
        raise BadValue("Say which tournament the table plays in (null: games outside tournaments).", field="tournament")
    table = clean_name(body["table"], "table", 80) if body.get("table") is not None else None
    grant: dict[str, Any] = {name: body[name] for name in ("tournament", "delay", "live") if name in body}
    holder = tokens.Holder(clean_name(body["name"], "name"), body["role"], granted={**grant, "table": table})
    made = make(serve.engine, holder, acting or DIRECTOR.by)
    page = _PAGES.get(body["role"], "board.html")
    url = page_address(request, serve, page, f"code={quote(made['token'])}")
    return {**made, "url": url, "svg": qr_of(url).decode()}


@router.get("")
def list_tokens(serve: Served) -> dict[str, Any]:
    """All that were made, the withdrawn ones marked; the tokens themselves nobody can tell any more."""
    return {"tokens": tokens.list_tokens(serve.engine)}


@router.delete("/{token_id}")
def withdraw_token(token_id: Annotated[str, Path(max_length=40)], serve: Served, acting: Acting) -> dict[str, Any]:
    """A token opens nothing any more; that it was there is kept."""
    return tokens.withdraw_token(serve.engine, token_id, acting or DIRECTOR.by)
