"""Players who register themselves from their phones, and the director who confirms or declines them."""

from __future__ import annotations

import hashlib
import hmac
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from pydantic import Field

from hupai.games.history import Amendment
from hupai.hall.roles import DirectorOnly, registering_for
from hupai.hall.routes.change_request import ByBody, Changing
from hupai.hall.routes.tournaments import PersonBody
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.store.players import registrations
from hupai.web.guards import Acting
from hupai.web.middleware.limits import client_of
from hupai.web.requests.strict import StrictRoute
from hupai.web.services import Served

router = APIRouter(route_class=StrictRoute, tags=["tournament"])
_KEY = "^[A-Za-z0-9_-]{20,64}$"
Key = Annotated[str, Path(pattern=_KEY)]
Registering = Annotated[str, Depends(registering_for)]
"""Parameter type of a route: the tournament that the request's token lets players register for."""


class RegistrationBody(PersonBody):
    """Who registers; ``key``, of the sender's choice and hard to guess, opens the registration later."""

    key: str = Field(pattern=_KEY)


class NumbersBody(ByBody):
    """Registrations, by their numbers in ``missing``."""

    numbers: Annotated[list[Annotated[int, Field(ge=1, le=10**9)]], Field(min_length=1, max_length=400)]


@router.post("/registrations", operation_id="register", status_code=201)
def register(
    body: RegistrationBody, tournament_id: Registering, acting: Acting, request: Request, serve: Served
) -> dict[str, Any]:
    """Register for the tournament of the token; the director confirms or declines it."""
    said = body.model_dump(exclude={"key"})
    address = hmac.new(serve.access.key, client_of(request.scope).encode(), hashlib.sha256).hexdigest()
    assert acting is not None  # whoever has no token may not register
    who = Amendment(acting, "")
    return registrations.register(
        serve.engine, tournament_id, NewEntrant.parse(said, "registration"), body.key, address, who
    )


@router.get("/registrations/{key}", operation_id="get_registration")
def get_registration(key: Key, tournament_id: Registering, serve: Served) -> dict[str, Any]:
    """The registration with this key, and no other; ``registration`` is null if there is none."""
    return registrations.get_registration(serve.engine, tournament_id, key)


@router.post(
    "/tournaments/{tournament_id}/registrations/confirm",
    operation_id="confirm_registrations",
    dependencies=[DirectorOnly],
)
def confirm(body: NumbersBody, change: Changing) -> dict[str, Any]:
    """Add the players who registered; they play from the next round on."""
    return registrations.confirm_registrations(*change.at, body.numbers, change.amendment(body))


@router.post(
    "/tournaments/{tournament_id}/registrations/decline",
    operation_id="decline_registrations",
    dependencies=[DirectorOnly],
)
def decline(body: NumbersBody, change: Changing) -> dict[str, Any]:
    """Decline registrations; a reason is shown on their phones."""
    return registrations.decline_registrations(*change.at, body.numbers, change.amendment(body))
