"""Real servers and real databases for the tests of the application."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from hupai.store.database import open_store
from hupai.wing import store_wings
from scripts.browser import firefox
from scripts.browser.chromium import ARGS
from scripts.browser.phone import WAIT_MS
from tests.hupai.browsing import NO_PLAYWRIGHT, chromium
from tests.hupai.postgres import cluster
from tests.hupai.serving import OPEN, ROOT, Server, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright
    from sqlalchemy import Engine


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Who writes into a store waits for its other writers, servers among them, as long as a busy machine takes."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("hupai.store.database._BUSY_SECONDS", 120)
        yield


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers with settings of the test's own; all are stopped at its end."""
    with ExitStack() as stack:
        yield lambda data_folder=tmp_path, **settings: stack.enter_context(running(data_folder, **settings))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that need no settings of their own."""
    with running(tmp_path_factory.mktemp("hupai"), **OPEN) as it:
        yield it


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with server.client() as it:
        yield it


@pytest.fixture(scope="session")
def photo() -> bytes:
    """A photo of a hand, shipped with the project."""
    return (ROOT / "examples" / "hand-riichi.jpg").read_bytes()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """URL of a PostgreSQL cluster of this test run's own."""
    with cluster() as it:
        yield it.url


@pytest.fixture
def fresh_postgresql(postgresql: str) -> Iterator[str]:
    """URL of an empty database of the test's own."""
    from sqlalchemy import create_engine, text

    name = f"t_{os.urandom(6).hex()}"
    admin = create_engine(postgresql.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"create database {name}"))
    try:
        yield postgresql.replace("/postgres?", f"/{name}?")
    finally:
        with admin.connect() as connection:
            connection.execute(text(f"drop database {name} with (force)"))
        admin.dispose()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Stores are SQLite's; in tests marked ``both_databases`` they are PostgreSQL's, too."""
    if "database" in metafunc.fixturenames:
        kinds = ["sqlite", pytest.param("postgresql", marks=pytest.mark.tools)]
        both = metafunc.definition.get_closest_marker("both_databases") is not None
        metafunc.parametrize("database", kinds if both else kinds[:1], indirect=True)


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database of the kind the test asks for."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'hupai.db'}"
    return str(request.getfixturevalue("fresh_postgresql"))


@pytest.fixture(scope="session")
def new_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an empty store: to copy it is quicker than to make its tables for every test."""
    path = tmp_path_factory.mktemp("store") / "hupai.db"
    open_store(f"sqlite:///{path}", ()).dispose()
    return path


@pytest.fixture
def store(database: str, new_store: Path, tmp_path: Path) -> Iterator[Engine]:
    """An empty store."""
    if database.startswith("sqlite:"):
        shutil.copy(new_store, tmp_path / "hupai.db")
    engine = open_store(database, store_wings())
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    api = pytest.importorskip("playwright.sync_api", reason=NO_PLAYWRIGHT)
    api.expect.set_options(timeout=WAIT_MS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(*firefox.ENVIRONMENT)
        play = api.sync_playwright().start()
    yield play
    play.stop()


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    path = chromium()  # before Playwright is started, for nothing where there is no browser
    play: Playwright = request.getfixturevalue("playwright")
    it = play.chromium.launch(executable_path=path, args=ARGS)
    yield it
    it.close()
