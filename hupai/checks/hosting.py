"""Looks at a page without a server (``hupai page``) where it is served, as browsers would ask for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import Message
from functools import cached_property, partial
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import Request, urlopen

from hupai.checks.result import CheckResult, run_check
from hupai.page.alone import LEAST_COPIED_BYTES
from scoring.errors import HupaiError

_SECONDS: Final = 20
_AT_ONCE: Final = 8
_LATE_SECONDS: Final = 3600
"""Seconds that the page itself may be kept without asking again; hosts that nobody can set up take minutes."""
_HERE: Final = ("localhost", "127.0.0.1", "[::1]")
_TYPES: Final = {"js": "text/javascript", "mjs": "text/javascript", "wasm": "application/wasm"}


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: Message
    body: bytes = b""


@dataclass(frozen=True)
class _Host:
    url: str

    def ask(self, path: str, method: str = "GET") -> _Answer:
        """Ask for a file; raises HupaiError where nobody answers."""
        packs = {"Accept-Encoding": "br, gzip"} if method == "HEAD" else {}
        request = Request(urljoin(self.url, path), method=method, headers=packs)
        try:
            with urlopen(request, timeout=_SECONDS) as answer:
                return _Answer(answer.status, answer.headers, answer.read())
        except HTTPError as error:
            return _Answer(error.code, error.headers)
        except (URLError, OSError, ValueError) as error:
            raise HupaiError(f"{request.full_url} does not answer: {getattr(error, 'reason', error)}") from error

    @cached_property
    def page(self) -> str:
        """The page; raises HupaiError if it is another."""
        answer = self.ask("")
        text = answer.body.decode("utf-8", "replace")
        if answer.status != 200 or "data-pyodide=" not in text:
            raise HupaiError(
                f"{self.url} gives {answer.status} and no page of hupai; name the folder, with / at its end."
            )
        return text

    @cached_property
    def files(self) -> dict[str, int]:
        """Address of every file that phones keep -> its bytes; raises HupaiError where the lists are missing."""
        found: dict[str, int] = json.loads(_listed(self.ask("worker.js"), r"FILES = (\{.*?\});", "worker.js"))
        (models,) = re.findall(r'data-models="(.*?)"', self.page)
        listed = json.loads(_listed(self.ask(f"{models}models.json"), r"(?s)(.*)", "models.json"))
        here = urljoin(self.url, models)
        more = {urljoin(here, name): size for name, size in (listed["files"] | listed["spare"]).items()}
        return {urljoin(self.url, path): size for path, size in found.items()} | more

    @cached_property
    def heads(self) -> dict[str, _Answer]:
        """What is said of each file."""
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return dict(zip(self.files, pool.map(lambda path: self.ask(path, "HEAD"), self.files), strict=True))


def check_host(url: str) -> Iterator[CheckResult]:
    """Check a page where it is served: its address, what may be kept, its files, their types and their size.

    Args:
        url: of the folder that ``hupai page`` has written.
    """
    host = _Host(url if url.endswith("/") else f"{url}/")
    for name, look in (
        ("address", _look_at_address),
        ("page", _look_at_page),
        ("files", _look_at_files),
        ("types", _look_at_types),
        ("size", _look_at_size),
    ):
        (found,) = run_check(name, partial(look, host))
        yield found
        if not found.ok and name == "page":
            return


def _listed(answer: _Answer, pattern: str, name: str) -> str:
    found = re.search(pattern, answer.body.decode("utf-8", "replace")) if answer.status == 200 else None
    if found is None:
        raise HupaiError(f"{name} is missing ({answer.status}) or of another hupai; put the whole folder there again.")
    return found[1]


def _look_at_address(host: _Host) -> str:
    parts = urlsplit(host.url)
    if parts.scheme != "https" and parts.hostname not in _HERE:
        raise HupaiError("only over HTTPS do browsers keep a page, install it and show the live camera; serve it so.")
    return host.url


def _look_at_page(host: _Host) -> str:
    (build,) = set(re.findall(r'src="at/(\w+)/', host.page))
    for path in ("", "worker.js"):
        said = host.ask(path, "HEAD").headers.get("Cache-Control", "")
        kept = re.search(r"max-age=(\d+)", said)
        if kept and int(kept[1]) > _LATE_SECONDS:
            name = path or "index.html"
            raise HupaiError(f"{name} may be kept for {kept[1]} seconds; send Cache-Control: no-cache with it.")
    return f"build {build}, {len(host.files)} files"


def _look_at_files(host: _Host) -> str:
    gone = [path for path, answer in host.heads.items() if answer.status != 200]
    if gone:
        raise HupaiError(
            f"{len(gone)} of {len(host.files)} are missing, such as {gone[0]}; put the whole folder there."
        )
    return "all are there"


def _look_at_types(host: _Host) -> str:
    for path, answer in host.heads.items():
        wanted, said = _TYPES.get(path.rsplit(".", 1)[-1]), answer.headers.get_content_type()
        if wanted and answer.status == 200 and not said.endswith(wanted.split("/")[1]):
            raise HupaiError(f"{path} is sent as {said}; browsers run it only as {wanted}.")
    return "as browsers want them"


def _look_at_size(host: _Host) -> str:
    plain = [
        path
        for path, answer in host.heads.items()
        if host.files[path] > LEAST_COPIED_BYTES and "Content-Encoding" not in answer.headers
    ]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        copied = [answer.status == 200 for answer in pool.map(lambda path: host.ask(f"{path}.gz", "HEAD"), plain)]
    if not all(copied):
        first = plain[copied.index(False)]
        raise HupaiError(f"{first} is sent as it is and has no compressed copy; put the .gz files there, too.")
    return f"{len(plain)} large files by their compressed copies" if plain else "compressed by the server"
