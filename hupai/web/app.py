"""The application: services, middleware from the outside in, routes, the page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from anyio import to_thread
from fastapi import APIRouter, FastAPI
from fastapi.responses import FileResponse
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

from hupai.page.files import STATIC
from hupai.page.serving import PageFiles
from hupai.settings import Settings
from hupai.web import health, problems
from hupai.web.answers.wording import TABLE_HEADER
from hupai.web.middleware.limits import BodyLimit, RateLimit
from hupai.web.middleware.security import AccessGate, KnownHosts, PlainAddress, SafeHeaders
from hupai.web.middleware.tokens import API
from hupai.web.requests.bodies import Problem
from hupai.web.routes import (
    about,
    corrections,
    following,
    games,
    joining,
    reading,
    rules,
    scoring,
    sets,
)
from hupai.web.services import Services
from hupai.web.streams import StreamingTokens
from scoring.version import version

AUTHORITY_PATH: Final = "hupai-ca.pem"
"""Where phones get the certificate to trust."""
_PHOTO_PATHS: Final = {
    f"{API}/read": 1,
    f"{API}/sets": 8,
    f"{API}/sets/import": 1,
    f"{API}/games/import": 1,
    f"{API}/corrections": 1,
}


def create_app(settings: Settings, services: Services, authority: Path | None = None) -> FastAPI:
    """Return the application for these settings.

    Args:
        settings: in force. services: its services; the application loads the models and closes them.
        authority: certificate for phones to trust, offered as ``/hupai-ca.pem``; None without HTTPS.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await to_thread.run_sync(services.recogniser.load)
        yield
        for close in app.state.closing:
            close()
        services.recogniser.close()
        services.engine.dispose()

    app = FastAPI(
        title="hupai",
        summary="Photograph a mahjong hand, get its score.",
        version=version(),
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
        lifespan=lifespan,
        middleware=_middleware(settings, services),
        responses={
            "4XX": {"model": Problem, "description": "Refused"},
            "5XX": {"model": Problem, "description": "Failed"},
        },
    )
    app.state.services = services
    problems.install_handlers(app)
    api = APIRouter(prefix=API)
    app.state.streaming_tokens = StreamingTokens(services.engine)
    app.state.followed_games = following.FollowedGames(services.engine)
    app.state.notifiers = [app.state.streaming_tokens.notifier, app.state.followed_games.notifier]
    app.state.closing = []
    for wing in services.wings:
        wing.install(app)
    # What is asked for most comes first: routes are tried one after the other.
    for router in (router for wing in services.wings for router in wing.busiest):
        api.include_router(router)
    parts = (games, scoring, following, about, reading, rules, corrections, sets, joining)
    for router in (*(part.router for part in parts), games.presets):
        api.include_router(router)
    for router in (router for wing in services.wings for router in wing.routers):
        api.include_router(router)
    app.include_router(api)
    health.install(app, services)
    _describe(app)
    if authority is not None:
        app.add_api_route(f"/{AUTHORITY_PATH}", _authority_file(authority), include_in_schema=False)
    if STATIC.is_dir():
        # Not mounted: a mount takes what a route refuses for its method, and would answer it as a file that is missing.
        app.router.redirect_slashes = False
        app.router.default = PageFiles.of(STATIC, [wing.pages for wing in services.wings if wing.pages is not None])
    return app


def _describe(app: FastAPI) -> None:
    """Make the OpenAPI description declare refusals as problems; FastAPI only knows JSON."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            for path in plain()["paths"].values():
                for operation in path.values():
                    for status, reply in operation["responses"].items():
                        if status[0] in "45" and "content" in reply:
                            reply["content"] = {problems.MEDIA_TYPE: reply["content"].pop("application/json")}
        return plain()

    app.openapi = openapi  # type: ignore[method-assign]


def _authority_file(path: Path) -> Callable[[], FileResponse]:
    def authority() -> FileResponse:
        return FileResponse(path, media_type="application/x-x509-ca-cert", filename="hupai-ca.pem")

    return authority


def _middleware(settings: Settings, services: Services) -> list[Middleware]:
    """Return the middleware from the outside in: cheap refusals first, the body last."""
    found = [
        Middleware(SafeHeaders),
        Middleware(PlainAddress),
        Middleware(KnownHosts, settings=settings),
    ]
    if settings.cors_origins:
        found.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(settings.cors_origins),
                allow_methods=["GET", "POST", "PUT", "DELETE"],
                allow_headers=["Content-Type", "Idempotency-Key", "X-Hupai-Code", TABLE_HEADER],
                expose_headers=["Location", "Retry-After", "Idempotency-Replayed"],
            )
        )
    # Behind CORS: a page of another site may not read a refusal that lacks its headers, nor when to come back.
    found.append(Middleware(RateLimit, settings=settings, reads=frozenset(_PHOTO_PATHS)))
    found.append(Middleware(GZipMiddleware, minimum_size=1000))
    sign_ins = frozenset(path for wing in services.wings for path in wing.sign_ins)
    found.append(Middleware(AccessGate, access=services.access, tokens=services.tokens, sign_ins=sign_ins))
    found += [Middleware(inside) for wing in services.wings for inside in wing.middleware]
    large = {path: photos for wing in services.wings for path, photos in wing.tasks.items()}
    found.append(Middleware(BodyLimit, settings=settings, photos=_PHOTO_PATHS | large))
    return found
