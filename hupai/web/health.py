"""Health of the server: for people, for supervisors, for Prometheus."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from shutil import disk_usage
from typing import Final

from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from prometheus_client import CollectorRegistry, Gauge
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_fastapi_instrumentator import Instrumentator
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from hupai.store.errors import STORE_AWAY, StoreError
from hupai.web.services import Services
from hupai.web.wing import WebWing

log = logging.getLogger("hupai.web")
MIN_FREE_BYTES: Final = 1_000_000
"""Room on the disk of the data folder with less of which the server is not ready."""


def install(app: FastAPI, services: Services) -> None:
    """Add ``/healthz``, ``/readyz`` and ``/metrics``."""

    @app.head("/healthz", include_in_schema=False)  # what monitors ask with
    @app.get("/healthz", operation_id="healthz", tags=["health"])
    async def healthz() -> dict[str, str]:
        """The process answers."""
        return {"status": "ok"}

    @app.head("/readyz", include_in_schema=False)
    @app.get("/readyz", operation_id="readyz", tags=["health"])
    async def readyz(request: Request) -> JSONResponse:
        """Models and store work; 503 otherwise, and for whom the server lets in the reasons."""
        troubles = await to_thread.run_sync(_list_troubles, services)
        inside = await to_thread.run_sync(_has_access, services, request)
        listed = troubles if inside else []
        return JSONResponse({"ready": not troubles, "troubles": listed}, 503 if troubles else 200)

    registry = CollectorRegistry()
    waiting = Gauge("hupai_photos_waiting", "Photos in the queue or being read", registry=registry)
    waiting.set_function(lambda: services.recogniser.pending_photos)
    seconds = Gauge("hupai_photo_seconds", "Running mean of seconds a photo takes", registry=registry)
    seconds.set_function(lambda: services.recogniser.seconds)
    uploads = Gauge("hupai_uploads", "Uploads being taken in", registry=registry)
    uploads.set_function(lambda: services.uploads.taken)
    registry.register(StoreFigures(services.engine, services.wings))
    Instrumentator(registry=registry, excluded_handlers=["/metrics", "/healthz", "/readyz"]).instrument(app).expose(
        app, include_in_schema=False
    )


@dataclass(slots=True, eq=False)
class StoreFigures(Collector):
    """Whether the store answers, and what wings count in it, for Prometheus."""

    engine: Engine
    wings: Sequence[WebWing]

    def collect(self) -> Iterator[Metric]:
        """See prometheus_client; if the store is unavailable, only ``hupai_store_up`` 0 is reported."""
        try:
            with self.engine.connect() as connection:
                connection.execute(text("select 1"))
            counted = [m for wing in self.wings if wing.metrics is not None for m in wing.metrics(self.engine)]
        except STORE_AWAY:
            yield GaugeMetricFamily("hupai_store_up", "Whether the store answers", value=0)
            return
        yield GaugeMetricFamily("hupai_store_up", "Whether the store answers", value=1)
        yield from counted


def _has_access(services: Services, request: Request) -> bool:
    try:
        holder = services.tokens.holder(request.scope)
    except STORE_AWAY:  # the holder of a token is unknown then: the answer contains no reasons
        return False
    return holder is not None or services.access.open_to(request.scope)


def _list_troubles(services: Services) -> list[str]:
    found = []
    if services.recogniser.failure is not None:
        found.append(services.recogniser.failure.message)
    elif not services.recogniser.models:
        found.append("The models are still being loaded.")
    if services.recogniser.stalled:
        found.append("A photo has been in work for over a minute: a worker hangs; start hupai again.")
    if disk_usage(services.settings.data_folder).free < MIN_FREE_BYTES:
        found.append("The disk is full: nothing can be recorded until there is room.")
    try:
        with services.engine.connect() as connection:
            connection.execute(text("select 1"))
    except StoreError as error:
        found.append(error.message)
    except SQLAlchemyError as error:
        log.warning("the store does not answer: %s", error)
        found.append("The store does not answer; the server's log says why.")
    return found
