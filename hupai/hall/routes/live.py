"""Live hands: what a player's camera sees comes in, and leaves through one stream, late, for overlays made for it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

from anyio import to_thread
from fastapi import APIRouter, Query, Request

from hupai.basics.timestamps import format_time
from hupai.games.terms.shapes import FLAG, SEAT, list_of, maybe, text, whole
from hupai.hall.late import MAX_DELAY
from hupai.hall.live.hands import LiveView
from hupai.hall.live.permitted import Live, live_of, no_consent, permit_for
from hupai.hall.live.seat_view import SeatView
from hupai.hall.live.worth import tell
from hupai.hall.roles import DirectorOnly, TableName
from hupai.hall.routes.change_request import Changing, amending
from hupai.hall.store import live as store
from hupai.hall.store.live import Permits, Place
from hupai.web.change_notifier import ChangeNotifier
from hupai.web.middleware.tokens import RoleRefused, holder_in
from hupai.web.requests.shaped import Shaped
from hupai.web.requests.strict import StrictRoute
from hupai.web.streams import EventStream
from scoring.seats import Seat

router = APIRouter(route_class=StrictRoute, tags=["live"])
_PING_SECONDS: Final = 15.0
_LOOK_SECONDS: Final = 0.1
"""How often a stream looks whether a view has come whose time is over at once."""
_NOT_LIVE: Final = "Live hands are for overlays whose token the director has made for them."


_TEXT: Final = {"type": "string"}
ViewBody = Annotated[
    dict[str, Any],
    Shaped.of(
        {"state": _TEXT},
        {
            "row": list_of(_TEXT, 17),
            "drawn": maybe(_TEXT),
            "melds": list_of(list_of(_TEXT), 5),
            "reasons": list_of(_TEXT, 20),
        },
        "what a camera sees of a player's tiles",
    ),
]
ConsentBody = Annotated[
    dict[str, Any],
    amending(
        {"table": {**text(80), "pattern": ".+"}, "seat": SEAT, "given": FLAG},
        about="whether the player who sits there lets his hands be shown; `seat` is his wind when the game began",
    ),
]
DelayBody = Annotated[
    dict[str, Any],
    amending({"seconds": whole(0, MAX_DELAY)}, about="by how many seconds live hands are shown late"),
]


@router.post("/tournaments/{tournament_id}/live/consent", operation_id="note_consent", dependencies=[DirectorOnly])
def note_consent(body: ConsentBody, change: Changing, request: Request) -> dict[str, Any]:
    """Note that a player lets his hands be shown while they are played, or not any more: then nothing leaves."""
    place = Place(body["table"], Seat(body["seat"]))
    found = store.note_consent(*change.at, place, change.amendment(body), given=body["given"])
    live_of(request).refresh()
    return found


@router.post("/tournaments/{tournament_id}/live/delay", operation_id="set_live_delay", dependencies=[DirectorOnly])
def set_live_delay(body: DelayBody, change: Changing, request: Request) -> dict[str, Any]:
    """Say by how many seconds the live hands of this tournament are shown late; 60 where nobody says."""
    found = store.set_live_delay(*change.at, body["seconds"], change.amendment(body))
    live_of(request).refresh()
    return found


@router.get("/live/stream", include_in_schema=False)
async def stream_live(
    request: Request, table: Annotated[str, Query(max_length=80)], seat: Annotated[Seat | None, Query()] = None
) -> EventStream:
    """Server-sent events: what is shown now of each place at a table, or of one; it begins with what is shown."""
    holder = holder_in(request)
    if holder is None or not holder.granted.get("live"):
        raise RoleRefused(_NOT_LIVE)
    live = live_of(request)

    async def lines() -> AsyncIterator[str]:
        shown: dict[Place, LiveView] = {}
        quiet, notifier = 0.0, live.notifier
        notifier.listeners += 1
        try:
            await to_thread.run_sync(live.refresh)
            yield "retry: 2000\n: live\n\n"
            while not notifier.closed:
                due = {p: v for p, v in live.hands.due().items() if p.table == table and seat in (None, p.seat)}
                news = "".join(
                    _event(live, place, due.get(place))
                    for place in sorted({*due, *shown}, key=lambda p: p.seat.turn)
                    if due.get(place) is not shown.get(place)
                )
                shown, quiet = due, 0.0 if news else quiet
                if news or quiet >= _PING_SECONDS:
                    quiet = 0.0
                    yield news or ": still here\n\n"
                    continue
                wait = min(live.hands.wait() or _LOOK_SECONDS, _LOOK_SECONDS)
                await _wait_for_change(notifier, wait)
                quiet += wait
        finally:
            notifier.listeners -= 1

    return EventStream(request, lines())


async def _wait_for_change(notifier: ChangeNotifier[Permits], seconds: float) -> None:
    known = notifier.value
    await notifier.wait_until(lambda now: now is not known, seconds)


def _event(live: Live, place: Place, shown: LiveView | None) -> str:
    told: Mapping[str, Any] = {"table": place.table, "seat": place.seat.value, "state": "off"}
    permit = live.notifier.value.get(place)
    if shown is not None and permit is not None:
        now = datetime.now(UTC)
        taken = now - timedelta(seconds=live.hands.clock() - shown.at)
        told = {**told, "name": permit.name, **shown.told, "taken_at": format_time(taken), "sent_at": format_time(now)}
    return f"event: seat\ndata: {json.dumps(told, ensure_ascii=False)}\n\n"


@router.get("/live/{table:path}/{seat}", operation_id="get_live_seat")
def get_live_seat(table: TableName, seat: Seat, request: Request) -> dict[str, Any]:
    """Whether a camera may look at whoever sits there, and the rules that are played by.

    A camera asks every few seconds, too, while nothing changes: one that is silent for half a minute is gone.
    """
    place = Place(table, seat)
    permit = permit_for(request, place)
    if permit is None:
        return {"may_look": False, "rules": None, "options": {}}
    live = live_of(request)
    live.hands.hear(place, permit)
    now = store.table_now(live.engine, table, permit.game_id)
    return {"may_look": True, "rules": now.rules, "options": dict(now.options)}


@router.put("/live/{table:path}/{seat}", operation_id="show_live_seat", status_code=204)
def show_live_seat(table: TableName, seat: Seat, body: ViewBody, request: Request) -> None:
    """What a camera sees of a player's tiles now; it waits in memory, and is stored nowhere."""
    place, live = Place(table, seat), live_of(request)
    view = SeatView.from_json(body)
    permit = permit_for(request, place)
    if permit is None:
        raise no_consent(place)
    at = live.hands.hear(place, permit)
    now = store.table_now(live.engine, table, permit.game_id)
    with live.turn:
        before = live.hands.latest(table)
        views = {**before, place: view}
        opened = place not in before or before[place].melds != view.melds
        for there in views if opened else (place,):  # what somebody lays open is left for nobody
            wind, others = now.state.seat_of(there.seat.turn), [views[other] for other in views if other != there]
            told = {"wind": wind.value, **tell(views[there], wind, now, others)}
            if not live.hands.put(there, LiveView(at, views[there], told)) and there == place:
                raise no_consent(place)  # it was withdrawn meanwhile
