"""The listening process: socket, certificate, uvicorn, and messages in the terminal."""

from __future__ import annotations

import gc
import logging
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TextIO

import segno
import uvicorn
from fastapi import FastAPI

from hupai.settings import Settings
from hupai.web.addresses import listening_addresses, url_of
from hupai.web.app import AUTHORITY_PATH, create_app
from hupai.web.listen.certificates import Certificate, lan_certificate
from hupai.web.listen.listening import bind_socket, raise_open_files
from hupai.web.listen.waiting import IDLE_SECONDS, WaitingConnections
from hupai.web.middleware.decoding import return_blocks_early
from hupai.web.middleware.security import own_names
from hupai.web.services import build_services
from hupai.web.wing import WebWing
from scoring.version import version

_STOP_SECONDS = 10
_SWITCH_SECONDS = 0.0005
"""How long the event loop may keep a thread waiting that has its answer from the database. Python's 5 ms, waited for
once a statement, add up beside a thousand streams."""
_YOUNG_COLLECTIONS = 200
"""Collections of young garbage from one of all garbage to the next; Python's 10 are for small programs."""
_CERTIFICATE_STEPS = """\
Browsers warn about the certificate, which hupai made itself. Once on each phone, go past the warning to
{url} and install it; then the page also works offline and can be installed.
  iPhone, iPad: Settings, General, VPN & Device Management; then General, About, Certificate Trust Settings.
  Android: Settings, Security, Install a certificate, CA certificate.
To be asked for nothing: hupai serve --http, without live camera, offline page and installing."""


def run_server(settings: Settings, wings: Sequence[WebWing]) -> None:
    """Serve until interrupted or terminated.

    Args:
        settings: in force. wings: what the wings add.

    Raises:
        SettingsError: the port or the data folder cannot be used. StoreError: the database cannot be used.
    """
    logging.basicConfig(level=settings.log_level.upper(), format="%(levelname)s %(name)s: %(message)s")
    if settings.log_level == "info":
        for chatty in ("alembic", "uvicorn"):
            logging.getLogger(chatty).setLevel(logging.WARNING)
    open_files = raise_open_files()
    return_blocks_early()
    sys.setswitchinterval(_SWITCH_SECONDS)
    services = build_services(settings, wings)
    listener = bind_socket(settings.host, settings.port)
    port = int(listener.getsockname()[1])
    certificate = _certificate(settings) if settings.serves_https else None
    app = create_app(settings, services, certificate.authority if certificate else None)
    connections = WaitingConnections(app, most=open_files // 4)
    server = _Announcing(
        app,
        uvicorn.Config(
            connections,
            http=connections.protocol(),
            log_config=None,
            access_log=settings.log_level == "debug",
            server_header=False,
            # Headers that claim another address would bypass the limits per address.
            proxy_headers=False,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=_STOP_SECONDS,
            ssl_certfile=certificate.chain if certificate else None,
            ssl_keyfile=str(certificate.key) if certificate else None,
        ),
        page_urls(settings, port),
    )
    # uvicorn finishes its work properly and then passes Ctrl+C on; this is not a failure.
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


class _Announcing(uvicorn.Server):
    """Prints the addresses once requests are answered."""

    def __init__(self, app: FastAPI, config: uvicorn.Config, urls: list[str]) -> None:
        super().__init__(config)
        self._app, self._urls = app, urls

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the event streams first; nothing else would end them, and the server would wait for them."""
        for notifier in self._app.state.notifiers:
            notifier.closed = True
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn."""
        await super().startup(sockets)
        # Looking for garbage in all objects stops everybody for 0.15 s, and as long again beside a thousand streams.
        # What was loaded stays, so it is left out; and the rest, looked through every 5 s in a full hall, has a minute.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], _YOUNG_COLLECTIONS)
        if self.started:
            print_addresses(self._urls, sys.stdout)


def page_urls(settings: Settings, port: int) -> list[str]:
    """Return the page's addresses, the best one for phones first."""
    code = settings.access_code.get_secret_value() if settings.access_code else None
    scheme = "https" if settings.serves_https else "http"
    return [url_of(scheme, host, port, code) for host in listening_addresses(settings.host)]


def print_addresses(urls: list[str], out: TextIO) -> None:
    """Print the addresses and what they ask of a phone; to a terminal, the first one as a QR code, too."""
    print(f"hupai {version()} is at {urls[0]}", file=out)
    for url in urls[1:]:
        print(f"  also at {url}", file=out)
    if out.isatty():
        segno.make_qr(urls[0], error="m").terminal(out=out, compact=True, border=2)
        print("Point a phone's camera at the code. Ctrl+C stops hupai.", file=out)
    if urls[0].startswith("https:"):
        print(_CERTIFICATE_STEPS.format(url=urls[0].partition("#")[0] + AUTHORITY_PATH), file=out)
    out.flush()


def _certificate(settings: Settings) -> Certificate:
    names = {*own_names(), *listening_addresses(settings.host), *settings.allowed_hosts, "127.0.0.1"}
    return lan_certificate(Path(settings.data_folder) / "certificates", sorted(names))
