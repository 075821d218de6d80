"""How others join a game or take over house rules: an address, and a QR code for their phones' cameras."""

from __future__ import annotations

from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from hupai.settings import is_loopback
from hupai.store.play.games import SqlGames
from hupai.web.addresses import listening_addresses, url_of
from hupai.web.answers.house_link import HouseLink, qr_of
from hupai.web.guards import GameId
from hupai.web.middleware.tokens import holder_in
from hupai.web.requests.bodies import Exact
from hupai.web.requests.strict import StrictRoute
from hupai.web.services import Served, Services

router = APIRouter(route_class=StrictRoute, tags=["games"])
_SVG: Final[dict[str, Any]] = {
    "response_class": Response,
    "responses": {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
}
OptionsText = Annotated[str, Query(max_length=1500, description="house rules, as JSON")]
Name = Annotated[str, Query(max_length=60)]


def _house(
    rules_id: Annotated[str, Path(max_length=100)], options: OptionsText = "{}", preset: Name = "", name: Name = ""
) -> HouseLink:
    return HouseLink.read(rules_id, options=options, preset=preset, name=name)


House = Annotated[HouseLink, Depends(_house)]


class HouseLinkBody(Exact):
    """House rules, the page's address that hands them on, and its QR code as an address of its own (``data:``)."""

    url: str
    code: str | None
    rules: str
    preset: str
    options: dict[str, Any]
    name: str


@router.get("/games/{game_id}/join", operation_id="join_game")
def join_game(game_id: GameId, request: Request, serve: Served) -> dict[str, Any]:
    """The address under which another phone opens this game."""
    return {"url": _game_address(game_id, request, serve)}


@router.get("/games/{game_id}/join.svg", operation_id="join_game_code", **_SVG)
def join_game_code(game_id: GameId, request: Request, serve: Served) -> Response:
    """That address as a QR code."""
    return _code(_game_address(game_id, request, serve))


@router.get("/rules/{rules_id}/link", operation_id="link_rules", tags=["rules"], response_model=HouseLinkBody)
def link_rules(house: House, request: Request, serve: Served) -> dict[str, Any]:
    """The address under which another phone takes up these house rules; refused where they are none."""
    return house.to_json(_behind(house.fragment, request, serve))


@router.get("/rules/{rules_id}/link.svg", operation_id="link_rules_code", tags=["rules"], **_SVG)
def link_rules_code(house: House, request: Request, serve: Served) -> Response:
    """That address as a QR code."""
    return _code(_behind(house.fragment, request, serve))


def _code(address: str) -> Response:
    return Response(qr_of(address), media_type="image/svg+xml", headers={"Cache-Control": "private, no-store"})


def _game_address(game_id: str, request: Request, serve: Services) -> str:
    """Return the address of the page with a game in the fragment.

    Raises:
        NotFound: no such game.
    """
    game = SqlGames(serve.engine).read(game_id)
    return _behind(f"join={game.terms.id}", request, serve)


def _behind(fragment: str, request: Request, serve: Services) -> str:
    """Return the phone page's address, with the access code if the caller gave it; a token's holder gets no code."""
    secret = serve.settings.access_code
    if secret is not None and holder_in(request) is None:
        fragment = f"code={quote(secret.get_secret_value(), safe='')}&{fragment}"
    return page_address(request, serve, "", fragment)


def page_address(request: Request, serve: Services, page: str, fragment: str) -> str:
    """Return a page's address as the browser reached this server; from the host itself, as phones reach it."""
    url = request.url
    host = url.hostname or "127.0.0.1"
    port = url.port or {"http": 80, "https": 443}[url.scheme]
    if is_loopback(host):
        host = listening_addresses(serve.settings.host)[0]
    return f"{url_of(url.scheme, host, port)}{page}#{fragment}"
