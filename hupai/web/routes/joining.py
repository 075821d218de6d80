"""How the others at a table come to its game: an address, and a code that their phones' cameras can read."""

from __future__ import annotations

import io
import ipaddress
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Path, Request, Response

from hupai.store import games
from hupai.web.addresses import listening_addresses, url_of
from hupai.web.services import Served, Services
from hupai.web.strict import StrictRoute

router = APIRouter(route_class=StrictRoute, tags=["games"])
GameId = Annotated[str, Path(max_length=40)]


@router.get("/games/{game_id}/join", operation_id="join_game")
def join_game(game_id: GameId, request: Request, serve: Served) -> dict[str, Any]:
    """The address under which another phone opens this game."""
    return {"url": _address(game_id, request, serve)}


@router.get(
    "/games/{game_id}/join.svg",
    operation_id="join_game_code",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
def join_game_code(game_id: GameId, request: Request, serve: Served) -> Response:
    """That address as a QR code."""
    out = io.BytesIO()
    segno.make_qr(_address(game_id, request, serve), error="m").save(out, kind="svg", border=2, light="#ffffff")
    return Response(out.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "private, no-store"})


def _address(game_id: str, request: Request, serve: Services) -> str:
    """As the asking browser reached this server; from the host itself, as phones reach it.

    Raises:
        NotFound: no such game.
    """
    game = games.get_game(serve.engine, game_id, 0)
    url, settings = request.url, serve.settings
    host = url.hostname or "127.0.0.1"
    port = url.port or {"http": 80, "https": 443}[url.scheme]
    if _is_loopback(host):
        host = listening_addresses(settings.host)[0]
    code = settings.access_code.get_secret_value() if settings.access_code else None
    address = url_of(url.scheme, host, port, code)
    return f"{address}{'&' if code else '#'}join={game['id']}"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
