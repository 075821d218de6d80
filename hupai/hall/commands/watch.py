"""``hupai watch``: cameras over tables become events, those of seats live hands. Runs without a screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hupai.terminal.each_picture import NOTHING_READ, SOME_FAILED
from hupai.terminal.options import Database, DataFolder
from hupai.terminal.stop_event import stop_event
from scoring.errors import HupaiError

if TYPE_CHECKING:
    from hupai.hall.feed.plan import FeedPlan

TOKEN_VARIABLE = "HUPAI_TOKEN"
"""Environment variable with the token of the table's camera: flags are seen by everybody on the machine."""
_SEAT = "E, S, W or N: the camera sees the standing tiles of whoever sat there when the game began."
_SERVER = f"Where live hands of seats go: https://hall:8000; the camera's token is taken from {TOKEN_VARIABLE}."
_CORNERS = "Corners of the table as shares of the picture: '0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9'."


def watch(
    source: Annotated[
        str | None, typer.Argument(help="Webcam (0, /dev/video0), stream (rtsp://, http://) or video file.")
    ] = None,
    table: Annotated[str | None, typer.Option(help="Name of the table.")] = None,
    seat: Annotated[str | None, typer.Option(help=_SEAT)] = None,
    server: Annotated[str | None, typer.Option(help=_SERVER)] = None,
    tables: Annotated[Path | None, typer.Option(help="TOML file with several tables.")] = None,
    rules: Annotated[str | None, typer.Option(help="Rule system; the one of the table's game if not given.")] = None,
    corners: Annotated[str | None, typer.Option(help=_CORNERS)] = None,
    speed: Annotated[float | None, typer.Option(help="Play a video file this many times as fast.")] = None,
    database: Database = None,
    data_folder: DataFolder = None,
    webhook: Annotated[list[str] | None, typer.Option(help="POST every event to this address.")] = None,
    mqtt: Annotated[list[str] | None, typer.Option(help="Publish every event there: mqtt://host:1883/prefix.")] = None,
    keep_frames: Annotated[int, typer.Option(min=1, help="Audit pictures kept per table.")] = 1000,
) -> None:
    """Watch tables: every hand that is laid down becomes one event.

    With --seat one player's standing tiles are watched instead, if the player has agreed: nothing of them is stored.
    """
    from hupai.hall.feed.errors import BadPlan
    from hupai.hall.feed.plan import FeedPlan, parse_table, read_plan

    if (source is None) == (tables is None):
        raise BadPlan("Give a source with --table NAME, or --tables FILE.", code="usage", field="source")
    if tables is not None:
        plan = read_plan(tables)
    elif table is None:
        raise BadPlan("Give the table's name: --table NAME.", code="usage", field="table")
    else:
        given = {"source": source, "name": table, "rules": rules, "corners": _parse_corners(corners), "speed": speed}
        given["seat"] = seat
        plan = FeedPlan((parse_table({k: v for k, v in given.items() if v is not None}),))
    plan = FeedPlan(plan.tables, (*plan.webhooks, *(webhook or ())), (*plan.mqtt, *(mqtt or ())))
    if any(t.seat for t in plan.tables):
        sys.exit(_watch_seats(plan, server))
    sys.exit(_run(plan, database, data_folder, keep_frames))


def _parse_corners(text: str | None) -> list[list[str]] | None:
    return [pair.split(",") for pair in text.split()] if text is not None else None


def _watch_seats(plan: FeedPlan, server: str | None) -> int:
    from hupai.hall.feed.errors import BadPlan
    from hupai.hall.live.seat_watching import watch_seats
    from hupai.settings import TOKEN_PREFIX, is_address
    from vision.pipeline import TileReader

    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if any(t.seat is None for t in plan.tables):
        raise BadPlan("Watch seats and whole tables by two commands.", code="usage", field="tables")
    if server is None or not is_address(server):
        raise BadPlan("Give the server's address: --server https://hall:8000.", code="usage", field="server")
    if not token.startswith(TOKEN_PREFIX):
        raise BadPlan(f"Put the token of the table's camera into {TOKEN_VARIABLE}.", code="usage", field="server")
    reader = TileReader(threads=1)
    failed = watch_seats(
        plan.tables, reader, server, token, stop=stop_event(), report=lambda text: print(text, flush=True)
    )
    return _status(failed, plan)


def _run(plan: FeedPlan, database: str | None, data_folder: Path | None, keep_frames: int) -> int:
    from hupai.hall.feed.forward import EventReceiver, Forwarder, Mqtt, Webhook
    from hupai.hall.feed.watching import watch_tables
    from hupai.settings import load_settings
    from hupai.store.database import open_store
    from hupai.wing import store_wings

    targets: list[EventReceiver] = [*(Webhook(a) for a in plan.webhooks), *(Mqtt(a) for a in plan.mqtt)]
    url = load_settings(None, database=database, data_folder=data_folder).database_url
    engine = open_store(url, store_wings())
    failed = watch_tables(
        plan,
        engine,
        forwarders=[Forwarder(engine, t) for t in targets],
        stop=stop_event(),
        keep_frames=keep_frames,
        report=lambda text: print(text, flush=True),
    )
    engine.dispose()
    return _status(failed, plan)


def _status(failed: Sequence[HupaiError], plan: FeedPlan) -> int:
    """Name what could not be watched, and return the exit status."""
    for error in failed:
        print(f"hupai: {error.message}", file=sys.stderr)
    if not failed:
        return 0
    return NOTHING_READ if len(failed) == len(plan.tables) else SOME_FAILED
