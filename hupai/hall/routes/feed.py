"""Events as they happen (SSE) and past events, with their pictures."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from email.utils import format_datetime
from typing import Annotated, Any, Final, cast

from anyio import to_thread
from fastapi import APIRouter, Header, Path, Query, Request, Response
from sqlalchemy import Engine

from hupai.hall.events import deliveries, feed
from hupai.hall.roles import TableName
from hupai.hall.routes.latest_events import MAX_AT_ONCE, LatestEvents, ServerSentEvent
from hupai.hall.shared_answers import SharedAnswers
from hupai.hall.store.watched import laid_hands, watched_tables
from hupai.messages import Wording
from hupai.web.answers.wording import language_of
from hupai.web.change_notifier import ChangeNotifier
from hupai.web.listen.direct_write import write_directly
from hupai.web.requests.strict import StrictRoute
from hupai.web.services import Served
from hupai.web.streams import EventStream
from scoring.words.sentence import say

router = APIRouter(route_class=StrictRoute, tags=["tournament"])
_PING_SECONDS: Final = 15.0
_MAX_DIGITS: Final = 18
_JPEG: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}}
}


@router.get("/events", include_in_schema=False)
async def stream_events(
    request: Request,
    serve: Served,
    table: Annotated[str | None, Query(max_length=80)] = None,
    after: Annotated[int | None, Query(ge=0)] = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> EventStream:
    """Server-sent events; ``Last-Event-ID`` (or ``after``) brings what was missed, without it only what comes."""
    notifier = cast(ChangeNotifier[int], request.app.state.event_notifier)
    latest = cast(LatestEvents, request.app.state.latest_events)
    last = await to_thread.run_sync(feed.last_number, serve.engine)
    start = after
    if last_event_id is not None and last_event_id.isdecimal():
        start = int(last_event_id) if len(last_event_id) <= _MAX_DIGITS else last
    # A number from a store that was replaced must not make the consumer wait for ever.
    start = last if start is None else min(start, last)

    async def lines(seen: int) -> AsyncIterator[str | bytes]:
        def is_behind(upto: int) -> bool:
            """Whether something is new that could not be written directly."""
            nonlocal seen
            new = latest.after(seen, table) if seen < upto else None
            if new is not None and write_directly(request.scope, new[1]):
                seen = new[0]
            return seen < upto

        notifier.listeners += 1
        try:
            # The retry time of EventSource, and a first line that opens the connection through proxies.
            yield f"retry: 2000\n: from {seen}\n\n"
            while not notifier.closed:
                if not await notifier.wait_until(is_behind, _PING_SECONDS):
                    yield ": still here\n\n"
                    continue
                upto = notifier.value
                if (new := latest.after(seen, table)) is not None:
                    seen, text = new
                    yield text
                    continue
                found = await to_thread.run_sync(feed.events_after, serve.engine, seen, MAX_AT_ONCE, table)
                if found:
                    seen = found[-1]["number"]
                    yield "".join(ServerSentEvent.serialise(e).text for e in found)
                if len(found) < MAX_AT_ONCE:
                    seen = max(seen, upto)
        finally:
            notifier.listeners -= 1

    return EventStream(request, lines(start))


@router.get("/events/list")
def list_events(
    serve: Served,
    after: Annotated[int, Query(ge=0, le=10**12)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    table: Annotated[str | None, Query(max_length=80)] = None,
) -> dict[str, Any]:
    """The events after a number, in order."""
    return {"events": feed.events_after(serve.engine, after, limit, table), "last": feed.last_number(serve.engine)}


@router.get("/frames/{frame_id}", response_class=Response, responses=_JPEG)
def get_frame(frame_id: Annotated[int, Path(ge=1, le=2**31 - 1)], serve: Served) -> Response:
    """The picture of an event."""
    frame = feed.find_frame(serve.engine, frame_id)
    headers = {"Cache-Control": "private, max-age=600", "Last-Modified": format_datetime(frame.taken, usegmt=True)}
    return Response(frame.jpeg, media_type="image/jpeg", headers=headers)


@router.get("/tables", response_model=dict[str, Any])
def list_tables(request: Request) -> Response:
    """Every table: how it is watched, its last hand, its game; and who takes no events."""
    return cast(SharedAnswers, request.app.state.tables).value(language_of(request.headers) or "").respond(request)


def tables_json(engine: Engine, language: str) -> dict[str, Any]:
    """Return the content of ``/tables`` in a language or ""; every open board requests it every few seconds."""
    tables, undelivered = watched_tables.list_tables(engine), deliveries.list_undelivered(engine)
    return {
        "tables": [{**table, "health": _word_trouble(table["health"], language)} for table in tables],
        "undelivered": [_word_trouble(target, language) for target in undelivered],
    }


def _word_trouble(said: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return what a feed reported with its ``trouble`` in the language."""
    told = {name: value for name, value in said.items() if name != "trouble_parts"}
    if language and told.get("trouble"):
        parts = {"template": told["trouble"], "values": {}} | (said.get("trouble_parts") or {})
        told["trouble"] = Wording(language).word(say(parts["template"], **parts["values"]))
    return told


@router.get("/tables/{name:path}/preview", response_class=Response, responses=_JPEG)
def get_preview(name: TableName, serve: Served) -> Response:
    """What the camera saw a moment ago."""
    return Response(watched_tables.preview(serve.engine, name), media_type="image/jpeg")


@router.get("/tables/{name:path}", response_model=dict[str, Any])
def get_table(name: TableName, request: Request) -> Response:
    """A table with its last hands."""
    return cast(SharedAnswers, request.app.state.table).value(name).respond(request)


@router.get("/laid/{hand_id}")
def get_laid_hand(hand_id: Annotated[int, Path(ge=1, le=2**31 - 1)], serve: Served) -> dict[str, Any]:
    """A laid hand with the whole reading."""
    return laid_hands.get_camera_hand(serve.engine, hand_id)
