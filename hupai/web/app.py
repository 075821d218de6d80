"""The application: services, middleware from the outside in, routes, the page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from anyio import to_thread
from fastapi import APIRouter, Depends, FastAPI
from fastapi.responses import FileResponse
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

from hupai.settings import Settings
from hupai.store.tournament.directing import get_table
from hupai.store.tournament.tournaments import get_tournament, stamp_tournament
from hupai.web import health, problems
from hupai.web.answers.wording import TABLE_HEADER
from hupai.web.change_notifier import ChangeNotifier
from hupai.web.middleware.limits import BodyLimit, RateLimit
from hupai.web.middleware.security import AccessGate, KnownHosts, PlainAddress, SafeHeaders
from hupai.web.page.serving import PageFiles
from hupai.web.requests.bodies import Problem
from hupai.web.roles import Director, guard_game
from hupai.web.routes import about, amendments, corrections, games, presets, reading, rules, scoring, sets
from hupai.web.routes.hall import (
    change_request,
    director,
    feed,
    following,
    joining,
    refereeing,
    registrations,
    tokens,
    tournaments,
)
from hupai.web.routes.hall.latest_events import LatestEvents
from hupai.web.services import Services
from hupai.web.shared_answers import share_answers
from hupai.web.streams import StreamingTokens
from scoring.version import version

API: Final = "/api/v1"
AUTHORITY_PATH: Final = "hupai-ca.pem"
"""Where phones get the certificate to trust."""
STATIC: Final = Path(__file__).resolve().parent / "static"
_PHOTO_PATHS: Final = {
    f"{API}/read": 1,
    f"{API}/sets": 8,
    f"{API}/sets/import": 1,
    f"{API}/games/import": 1,
    f"{API}/corrections": 1,
}

_TASK_PATHS: Final = {f"{API}/label-studio/{name}": 1 for name in ("predict", "webhook", "train")}
"""Path whose bodies contain tasks with everything drawn in them: as large as a photo, but without photos."""


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
        if services.studio is not None:
            services.studio.close()
        services.recogniser.close()
        services.engine.dispose()

    app = FastAPI(
        title="hupai",
        summary="Photograph a mahjong hand, get its score.",
        version=version(),
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        middleware=_middleware(settings, services),
        responses={
            "4XX": {"model": Problem, "description": "Refused"},
            "5XX": {"model": Problem, "description": "Failed"},
        },
    )
    app.state.services = services
    problems.install_handlers(app)
    change_request.install(app)
    api = APIRouter(prefix=API)
    app.state.director = Director(settings, services.access.key)
    app.state.latest_events = LatestEvents(services.engine)
    app.state.event_notifier = ChangeNotifier(app.state.latest_events.fetch, 0)
    app.state.tables = share_answers(services.engine, feed.tables_json)
    app.state.table = share_answers(services.engine, get_table)
    app.state.tournament = share_answers(services.engine, get_tournament, stamp_tournament)
    app.state.streaming_tokens = StreamingTokens(services.engine)
    app.state.followed_games = following.FollowedGames(services.engine)
    # Not everybody may write into a tournament's game; other games are open.
    guarded = {games: [Depends(guard_game)], amendments: [Depends(guard_game)]}
    # What a hall asks for most comes first: routes are tried one after the other.
    for part in (
        tournaments,
        feed,
        director,
        games,
        scoring,
        following,
        refereeing,
        amendments,
        about,
        reading,
        rules,
        presets,
        corrections,
        sets,
        joining,
        registrations,
        tokens,
    ):
        api.include_router(part.router, dependencies=guarded.get(part))
    if services.studio is not None:
        from hupai.web.routes import labelstudio

        app.state.label_studio = services.studio
        api.include_router(labelstudio.router)
    app.include_router(api)
    health.install(app, services)
    _describe(app)
    if authority is not None:
        app.add_api_route(f"/{AUTHORITY_PATH}", _authority_file(authority), include_in_schema=False)
    if STATIC.is_dir():
        # Not mounted: a mount takes what a route refuses for its method, and would answer it as a file that is missing.
        app.router.redirect_slashes = False
        app.router.default = PageFiles.of(STATIC)
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
    found.append(Middleware(AccessGate, access=services.access, tokens=services.tokens))
    found.append(Middleware(BodyLimit, settings=settings, photos=_PHOTO_PATHS | _TASK_PATHS))
    return found
