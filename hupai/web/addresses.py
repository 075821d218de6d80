"""The addresses at which phones reach this machine."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from typing import Final
from urllib.parse import quote

# Reserved for documentation (RFC 5737, RFC 3849). Connecting a datagram socket sends nothing: it only makes the
# system choose the interface, whose address can then be read.
_ELSEWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def lan_addresses() -> list[str]:
    """Return this machine's addresses on its networks, the one towards the default route first; without loopback."""
    found: list[str] = []
    for family, target in _ELSEWHERE:
        # No route, or this address family is missing: there is no address to return.
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            found.append(str(probe.getsockname()[0]))
    with suppress(OSError):
        found.extend(str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None))
    return [a for a in dict.fromkeys(found) if _reachable(a)]


def _reachable(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified)


def listening_addresses(host: str) -> list[str]:
    """Return the addresses that phones can use when the server listens on ``host``."""
    try:
        anywhere = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return [host]
    if not anywhere:
        return [host]
    version = ipaddress.ip_address(host).version
    own = [a for a in lan_addresses() if version == 6 or ipaddress.ip_address(a).version == 4]
    return [*own, "127.0.0.1"]


def url_of(scheme: str, host: str, port: int, code: str | None = None) -> str:
    """Return the page's address; the access code is in the fragment (percent-encoded), which browsers never send."""
    name = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}[scheme] == port
    return f"{scheme}://{name}{'' if usual else f':{port}'}/{f'#code={quote(code, safe=str())}' if code else ''}"
