"""What a wing adds to a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from fastapi import APIRouter, FastAPI, Request
from prometheus_client.core import Metric
from sqlalchemy import Engine
from sqlalchemy.orm import Session
from starlette.types import ASGIApp

from hupai.page.files import MorePages
from hupai.store.wing import StoreWing
from hupai.web.middleware.tokens import Role


@dataclass(frozen=True, slots=True)
class Guards:
    """What a wing forbids: each raises a :class:`~hupai.web.errors.WebError` where the request may not do that.

    Attributes:
        delete: delete what everybody shares. write: write into the game with this id.
        agree: change what was agreed on for it.
    """

    delete: Callable[[Request], None]
    write: Callable[[Request, Session, str], None]
    agree: Callable[[Request, Session, str], None]


@dataclass(frozen=True, slots=True)
class WebWing:
    """What a wing adds to a server; paths of the API are whole.

    Attributes:
        store: what it does with the store. busiest: its routes that are asked for most, tried before all others.
        routers: the rest of its routes. pages: its own, for browsers.
        roles: by name, what tokens open; None for one that opens everything. guards: what it forbids.
        sign_ins: paths that a code of its own is posted to. cookies: that remember one; a token takes their place.
        middleware: ASGI middleware behind the gate, where ``state["holder"]`` is the token's; each is given the app.
        tasks: path -> how many photos its bodies may be as large as, though they have none.
        metrics: of the store, for Prometheus.
        install: adds to an application what its routes find in ``app.state``; what must end with it joins the lists
            there: streams' ``notifiers`` when it is told to stop, functions in ``closing`` when it has.
    """

    store: StoreWing | None = None
    busiest: tuple[APIRouter, ...] = ()
    routers: tuple[APIRouter, ...] = ()
    pages: MorePages | None = None
    roles: Mapping[str, Role | None] = field(default_factory=dict)
    guards: Guards | None = None
    sign_ins: tuple[str, ...] = ()
    cookies: tuple[str, ...] = ()
    middleware: tuple[Callable[[ASGIApp], ASGIApp], ...] = ()
    tasks: Mapping[str, int] = field(default_factory=dict)
    metrics: Callable[[Engine], Iterator[Metric]] | None = None
    install: Callable[[FastAPI], None] = lambda _: None
