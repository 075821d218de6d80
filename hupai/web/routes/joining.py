"""How others join a game or take over house rules: an address, and a QR code for their phones' cameras."""

from __future__ import annotations

import io
import json
from typing import Annotated, Any
from urllib.parse import quote

import segno
from fastapi import APIRouter, Path, Query, Request, Response

from hupai.basics.errors import NotFound
from hupai.basics.names import clean_name
from hupai.settings import is_loopback
from hupai.store.play.games import SqlGames
from hupai.web.addresses import house_fragment, listening_addresses, url_of
from hupai.web.answers.json_text import parse_field
from hupai.web.errors import BadValue, WebError
from hupai.web.middleware.tokens import holder_in
from hupai.web.requests.strict import StrictRoute
from hupai.web.services import Served, Services
from scoring.errors import InvalidRequest
from scoring.options import options_of
from scoring.rules import preset_named, system_named

router = APIRouter(route_class=StrictRoute, tags=["games"])
GameId = Annotated[str, Path(max_length=40)]
RulesId = Annotated[str, Path(max_length=100)]
OptionsText = Annotated[str, Query(max_length=1500, description="house rules, as JSON")]
Name = Annotated[str, Query(max_length=60)]


@router.get("/games/{game_id}/join", operation_id="join_game")
def join_game(game_id: GameId, request: Request, serve: Served) -> dict[str, Any]:
    """The address under which another phone opens this game."""
    return {"url": _game_address(game_id, request, serve)}


@router.get(
    "/games/{game_id}/join.svg",
    operation_id="join_game_code",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
def join_game_code(game_id: GameId, request: Request, serve: Served) -> Response:
    """That address as a QR code."""
    return _code(_game_address(game_id, request, serve))


@router.get("/rules/{rules_id}/link", operation_id="link_rules", tags=["rules"])
def link_rules(
    rules_id: RulesId, request: Request, serve: Served, options: OptionsText = "{}", preset: Name = "", name: Name = ""
) -> dict[str, Any]:
    """The address under which another phone takes up these house rules."""
    return {"url": _rules_address(rules_id, options, preset, name, request, serve)}


@router.get(
    "/rules/{rules_id}/link.svg",
    operation_id="link_rules_code",
    tags=["rules"],
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
def link_rules_code(
    rules_id: RulesId, request: Request, serve: Served, options: OptionsText = "{}", preset: Name = "", name: Name = ""
) -> Response:
    """That address as a QR code."""
    return _code(_rules_address(rules_id, options, preset, name, request, serve))


def qr_of(address: str) -> bytes:
    """Return an address as a QR code (SVG)."""
    out = io.BytesIO()
    segno.make_qr(address, error="m").save(out, kind="svg", border=2, light="#ffffff")
    return out.getvalue()


def _code(address: str) -> Response:
    return Response(qr_of(address), media_type="image/svg+xml", headers={"Cache-Control": "private, no-store"})


def _rules_address(rules_id: str, options: str, preset: str, name: str, request: Request, serve: Services) -> str:
    """Return the address of the page with a system's house rules in the fragment.

    Raises:
        NotFound: no such system. BadValue: options that are no JSON object. InvalidRequest: options it does not have,
            an unknown preset.
    """
    try:
        system = system_named(rules_id)
    except InvalidRequest as error:
        raise NotFound(error.message, field="rules_id") from None
    try:
        said = parse_field(options, "options")
    except WebError:
        said = None
    if not isinstance(said, dict):
        raise BadValue('options is a JSON object such as {"kiriage": true}.', field="options")
    options_of(system.option_class, said, system.name)
    if preset and preset_named(preset)[0] is not system:
        raise BadValue(f"{preset} is not a preset of {system.name}.", field="preset")
    house = json.dumps(said, separators=(",", ":"))
    given = clean_name(name, "name") if name and not preset else ""
    fragment = house_fragment(system.id, preset=preset, options=house, name=given)
    return _behind(fragment, request, serve)


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
