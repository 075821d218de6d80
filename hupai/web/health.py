"""Whether the server is well: for people, for supervisors, for Prometheus."""

from __future__ import annotations

from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from prometheus_client import CollectorRegistry, Gauge
from prometheus_fastapi_instrumentator import Instrumentator
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from hupai.store.errors import StoreError
from hupai.web.services import Services


def install(app: FastAPI, services: Services) -> None:
    """Add ``/healthz``, ``/readyz`` and ``/metrics``."""

    @app.get("/healthz", operation_id="healthz", tags=["health"])
    async def healthz() -> dict[str, str]:
        """The process answers."""
        return {"status": "ok"}

    @app.get("/readyz", operation_id="readyz", tags=["health"])
    async def readyz(request: Request) -> JSONResponse:
        """Models and store work; 503 otherwise, and for whom the server lets in the reasons."""
        troubles = await to_thread.run_sync(_troubles, services)
        inside = services.keys.holder(request.scope) is not None or services.access.open_to(request.scope)
        told = troubles if inside else []
        return JSONResponse({"ready": not troubles, "troubles": told}, 503 if troubles else 200)

    registry = CollectorRegistry()
    waiting = Gauge("hupai_photos_waiting", "Photos in the queue or being read", registry=registry)
    waiting.set_function(lambda: services.recogniser.waiting)
    seconds = Gauge("hupai_photo_seconds", "Running mean of seconds a photo takes", registry=registry)
    seconds.set_function(lambda: services.recogniser.seconds)
    uploads = Gauge("hupai_uploads", "Uploads being taken in", registry=registry)
    uploads.set_function(lambda: services.uploads.taken)
    Instrumentator(registry=registry, excluded_handlers=["/metrics", "/healthz", "/readyz"]).instrument(app).expose(
        app, include_in_schema=False
    )


def _troubles(services: Services) -> list[str]:
    found = []
    if services.recogniser.failure is not None:
        found.append(services.recogniser.failure.message)
    elif not services.recogniser.models:
        found.append("The models are still being loaded.")
    if services.recogniser.stalled:
        found.append("A photo has been in work for over a minute: a worker hangs; start hupai again.")
    try:
        with services.engine.connect() as connection:
            connection.execute(text("select 1"))
    except StoreError as error:
        found.append(error.message)
    except SQLAlchemyError as error:
        found.append(f"The store does not answer: {str(error).splitlines()[0]:.200}")
    return found
