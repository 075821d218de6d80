"""The address the server listens at: binding it, or checking it beforehand."""

from __future__ import annotations

import json
import socket
import ssl
import sys
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError
from urllib.request import HTTPSHandler, OpenerDirector, ProxyHandler, build_opener

from hupai.settings import SettingsError
from hupai.web.addresses import listening_addresses, url_of

ANSWER_SECONDS: Final = 2.0
"""Seconds given to a server that may already listen there."""
MAX_OPEN_FILES: Final = 16_384
"""Open files that a server wants, one of them for each connection; usually a process may have 1,024."""


def bind_socket(host: str, port: int) -> socket.socket:
    """Return a bound socket that child processes inherit.

    Raises:
        SettingsError: the address is not this machine's, the port is in use, or this user may not use it.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # The protocol is named, since otherwise asyncio leaves connections without TCP_NODELAY, and answers wait 40 ms.
        bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, port))
        except OSError:
            bound.close()
            raise
    except OSError as error:
        raise SettingsError(
            f"hupai cannot listen on {host} port {port} ({error.strerror or error}); give another --host or --port.",
            field="port",
        ) from None
    bound.set_inheritable(True)
    return bound


def raise_open_files() -> int:
    """Let this process have ``MAX_OPEN_FILES``, connections among them, or as many as the system allows.

    Returns:
        How many it may have.
    """
    if sys.platform == "win32":
        return MAX_OPEN_FILES
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if most == resource.RLIM_INFINITY else min(most, MAX_OPEN_FILES)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    return wanted


def serves_already(host: str, port: int) -> bool:
    """Whether a hupai server answers at this address."""
    # Directly, without the environment's proxies, and accepting a self-signed certificate.
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    straight = build_opener(ProxyHandler({}), HTTPSHandler(context=trusting))
    for scheme in ("http", "https"):
        try:
            said = _read_json(straight, url_of(scheme, listening_addresses(host)[-1], port) + "readyz")
        except (OSError, HTTPException, ValueError):
            continue
        if isinstance(said, dict) and {"ready", "troubles"} <= said.keys():
            return True
    return False


def _read_json(straight: OpenerDirector, url: str) -> object:
    """Return the JSON at an address, even if the server answers with an error."""
    try:
        answer = straight.open(url, timeout=ANSWER_SECONDS)
    except HTTPError as error:
        answer = error
    with answer:
        return json.load(answer)
