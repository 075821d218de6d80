"""Whose hands cameras of this server may show, and who may ask: a camera at its table, or the director."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Final, cast

from fastapi import Request
from sqlalchemy import Engine

from hupai.hall.live.hands import LiveHands
from hupai.hall.roles import need_director
from hupai.hall.store.live import Permit, Permits, Place, list_permits
from hupai.hall.store.tokens import grant_of
from hupai.store.ttl_cache import TtlCache
from hupai.web.change_notifier import ChangeNotifier
from hupai.web.middleware.tokens import RoleRefused, holder_in
from scoring.words.sentence import say

_NO_CONSENT: Final = "The player in seat {s} at table {a} has not agreed to it; the director notes it when he does."
_ELSEWHERE: Final = "This camera is for table {a} in its own tournament only."


class NoConsent(RoleRefused):
    """A player's hands may not be looked at."""

    code = "no_consent"


@dataclass(slots=True)
class Live:
    """The live hands of this server, and who permits them.

    Attributes:
        engine: the store. hands: in memory. notifier: follows what is permitted while somebody listens.
        turn: whoever shows a hand takes it: what is told of one depends on the others.
    """

    engine: Engine
    hands: LiveHands = field(default_factory=LiveHands)
    notifier: ChangeNotifier[Permits] = field(init=False)
    turn: threading.Lock = field(default_factory=threading.Lock)
    _permits: TtlCache[Permits] = field(init=False)

    def __post_init__(self) -> None:
        self._permits = TtlCache(self.engine, list_permits)
        self.notifier = ChangeNotifier(self.refresh, {})

    def refresh(self) -> Permits:
        """Return what is permitted now; the rest is dropped."""
        permits = self._permits.value()
        self.hands.permit(permits)
        return permits


def live_of(request: Request) -> Live:
    """The live hands of the application that serves this request."""
    return cast(Live, request.app.state.live)


def permit_for(request: Request, place: Place) -> Permit | None:
    """Return the leave to look at a place, None without the player's consent.

    Raises:
        RoleRefused: the camera is another table's. DirectorNeeded: neither a camera asks nor the director.
    """
    holder = holder_in(request)
    camera = grant_of(holder) if holder is not None and holder.role == "camera" else None
    if camera is None:
        need_director(request)
    permit = live_of(request).refresh().get(place)
    away = permit is not None and camera is not None and permit.tournament != camera.tournament
    if camera is not None and (camera.table != place.table or away):
        raise RoleRefused(say(_ELSEWHERE, a=f"{camera.table!r:.80}"))
    return permit


def no_consent(place: Place) -> NoConsent:
    """Return the refusal of a view of a place that nobody may look at."""
    return NoConsent(say(_NO_CONSENT, s=place.seat, a=f"{place.table!r:.80}"), field="seat")
