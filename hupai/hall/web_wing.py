"""What the hall adds to a server."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

from fastapi import FastAPI

from hupai.hall.late import LateTokens
from hupai.hall.live.permitted import Live
from hupai.hall.metrics import count_tables
from hupai.hall.roles import DIRECTOR_COOKIE, DIRECTOR_PATH, GUARDS, ROLES, Director
from hupai.hall.routes import change_request, director, feed, live, refereeing, registrations, tokens, tournaments
from hupai.hall.routes.latest_events import LatestEvents
from hupai.hall.shared_answers import SharedAnswers
from hupai.hall.store.tournaments import get_tournament, stamp_tournament
from hupai.hall.store.watched.watched_tables import get_table
from hupai.hall.store_wing import STORE
from hupai.page.files import MorePages
from hupai.web.change_notifier import ChangeNotifier
from hupai.web.middleware.tokens import API
from hupai.web.services import Services
from hupai.web.wing import WebWing


def _install(app: FastAPI) -> None:
    services = cast(Services, app.state.services)
    change_request.install(app)
    app.state.director = Director(services.settings, services.access.key)
    app.state.latest_events = LatestEvents(services.engine)
    app.state.event_notifier = ChangeNotifier(app.state.latest_events.fetch, 0)
    app.state.notifiers.append(app.state.event_notifier)
    app.state.live = Live(services.engine)
    app.state.notifiers.append(app.state.live.notifier)
    app.state.tables = SharedAnswers(services.engine, feed.tables_json)
    app.state.table = SharedAnswers(services.engine, get_table)
    app.state.tournament = SharedAnswers(services.engine, get_tournament, stamp_tournament)


WEB: Final = WebWing(
    store=STORE,
    busiest=(tournaments.router, feed.router, director.router),
    routers=(refereeing.router, refereeing.tables, registrations.router, tokens.router, live.router),
    pages=MorePages(Path(__file__).resolve().parent / "static", any_style=("overlay.html",)),
    roles=ROLES,
    guards=GUARDS,
    sign_ins=(f"{API}{DIRECTOR_PATH}",),
    cookies=(DIRECTOR_COOKIE,),
    middleware=(LateTokens,),
    metrics=count_tables,
    install=_install,
)
