"""Players who register themselves from their phones, and the director who confirms or declines them."""

from __future__ import annotations

import hashlib
import hmac
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request

from hupai.games.history import Amendment
from hupai.games.terms.shapes import list_of, whole
from hupai.hall.roles import DirectorOnly, registering_for
from hupai.hall.routes.change_request import Changing, amending
from hupai.hall.routes.tournaments import PERSON
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.store.players import registrations
from hupai.web.guards import Acting
from hupai.web.middleware.limits import client_of
from hupai.web.requests.shaped import Shaped
from hupai.web.requests.strict import StrictRoute
from hupai.web.services import Served

router = APIRouter(route_class=StrictRoute, tags=["tournament"])
_KEY = "^[A-Za-z0-9_-]{20,64}$"
Key = Annotated[str, Path(pattern=_KEY)]
Registering = Annotated[str, Depends(registering_for)]
"""Parameter type of a route: the tournament that the request's token lets players register for."""
RegistrationBody = Annotated[
    dict[str, Any],
    Shaped.of(
        {"name": PERSON["name"], "key": {"type": "string", "pattern": _KEY}},
        PERSON,
        "who registers; `key`, of the sender's choice and hard to guess, opens the registration later",
    ),
]
NumbersBody = Annotated[
    dict[str, Any],
    amending({"numbers": list_of(whole(1), 400, 1)}, about="registrations, by their numbers in `missing`"),
]


@router.post("/registrations", status_code=201)
def register(
    body: RegistrationBody, tournament_id: Registering, acting: Acting, request: Request, serve: Served
) -> dict[str, Any]:
    """Register for the tournament of the token; the director confirms or declines it."""
    address = hmac.new(serve.access.key, client_of(request.scope).encode(), hashlib.sha256).hexdigest()
    assert acting is not None  # whoever has no token may not register
    player = NewEntrant.parse(body, "registration")
    return registrations.register(serve.engine, tournament_id, player, body["key"], address, Amendment(acting, ""))


@router.get("/registrations/{key}")
def get_registration(key: Key, tournament_id: Registering, serve: Served) -> dict[str, Any]:
    """The registration with this key, and no other; ``registration`` is null if there is none."""
    return registrations.get_registration(serve.engine, tournament_id, key)


@router.post("/tournaments/{tournament_id}/registrations/confirm", dependencies=[DirectorOnly])
def confirm_registrations(body: NumbersBody, change: Changing) -> dict[str, Any]:
    """Add the players who registered; they play from the next round on."""
    return registrations.confirm_registrations(*change.at, body["numbers"], change.amendment(body))


@router.post("/tournaments/{tournament_id}/registrations/decline", dependencies=[DirectorOnly])
def decline_registrations(body: NumbersBody, change: Changing) -> dict[str, Any]:
    """Decline registrations; a reason is shown on their phones."""
    return registrations.decline_registrations(*change.at, body["numbers"], change.amendment(body))
