"""Looks at a page without a server (``hupai page``) where it is served, as browsers would ask for it."""

from __future__ import annotations

import json
import posixpath
import re
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
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
_HERE: Final = ("localhost", "127.0.0.1", "::1")
_TYPES: Final = {"js": "text/javascript", "mjs": "text/javascript", "wasm": "application/wasm"}
_AGAIN: Final = "put the folder there again"


@dataclass(frozen=True, slots=True)
class _Answer:
    url: str
    status: int
    headers: Message
    body: bytes = field(default=b"", repr=False)

    def could_be(self, size: int) -> bool:
        """Whether it is a file of so many bytes: not what a host says, or leads to, where there is none."""
        page = self.headers.get_content_type() == "text/html"
        length = None if self.packed else self.headers["Content-Length"]
        return self.status == 200 and not page and length in (None, str(size))

    @property
    def packed(self) -> bool:
        return "Content-Encoding" in self.headers


@dataclass
class _Host:
    url: str

    def ask(self, path: str, method: str = "GET") -> _Answer:
        """Ask for a file; raises HupaiError where nobody answers."""
        packs = {"Accept-Encoding": "br, gzip"} if method == "HEAD" else {}
        request = Request(urljoin(self.url, path), method=method, headers=packs)
        try:
            with urlopen(request, timeout=_SECONDS) as answer:
                return _Answer(answer.url, answer.status, answer.headers, answer.read())
        except HTTPError as error:
            return _Answer(error.url, error.code, error.headers)
        except (URLError, OSError, ValueError) as error:
            why = getattr(error, "reason", error)
            if isinstance(why, ssl.SSLCertVerificationError):
                raise HupaiError(f"phones do not trust its certificate ({why.verify_message}); get another.") from error
            raise HupaiError(f"{request.full_url} does not answer: {why}") from error

    @cached_property
    def page(self) -> str:
        """The page; raises HupaiError if it is another."""
        answer = self.ask("")
        text = answer.body.decode("utf-8", "replace")
        if answer.status != 200 or "data-pyodide=" not in text:
            raise HupaiError(f"{self.url} gives {answer.status} and no page of hupai; name the folder that has it.")
        return text

    @cached_property
    def files(self) -> dict[str, int]:
        """Path of every file that phones keep -> its bytes; raises HupaiError where the lists are missing."""
        found: dict[str, int] = json.loads(_listed(self.ask("worker.js"), r"FILES = (\{.*?\});", "worker.js"))
        (models,) = re.findall(r'data-models="(.*?)"', self.page)
        listed = json.loads(_listed(self.ask(f"{models}models.json"), r"(?s)(\{.*\})", "models.json"))
        more = listed["files"] | listed["spare"]
        return found | {posixpath.normpath(models + name): size for name, size in more.items()}

    def heads(self, paths: list[str]) -> dict[str, _Answer]:
        """What is said of each file."""
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return dict(zip(paths, pool.map(lambda path: self.ask(path, "HEAD"), paths), strict=True))

    @cached_property
    def said(self) -> dict[str, _Answer]:
        """What is said of each that phones keep."""
        return self.heads(list(self.files))


def check_host(url: str) -> Iterator[CheckResult]:
    """Check a page where it is served: its address, what may be kept, its files, their types and their size.

    Args:
        url: of the folder that ``hupai page`` has written.
    """
    host = _Host(url if url.endswith("/") else f"{url}/")
    for name, look in (
        ("address", _look_at_address),
        ("https", _look_at_scheme),
        ("page", _look_at_page),
        ("files", _look_at_files),
        ("types", _look_at_types),
        ("size", _look_at_size),
    ):
        (found,) = run_check(name, partial(look, host))
        yield found
        if not found.ok and name in ("address", "page", "files"):
            return


def _listed(answer: _Answer, pattern: str, name: str) -> str:
    found = re.search(pattern, answer.body.decode("utf-8", "replace")) if answer.status == 200 else None
    if found is None:
        raise HupaiError(f"{name} is missing ({answer.status}) or of another hupai; {_AGAIN}.")
    return found[1]


def _look_at_address(host: _Host) -> str:
    if urlsplit(host.url).scheme not in ("http", "https"):
        raise HupaiError(f"{host.url} is no web address; write it like https://club.example/mahjong/.")
    led = host.ask("").url
    if not led.endswith("/"):
        raise HupaiError(f"{host.url} leads to {led}, below which no file is found; keep the / at its end.")
    host.url = led
    return led


def _look_at_scheme(host: _Host) -> str:
    parts = urlsplit(host.url)
    if parts.scheme != "https" and parts.hostname not in _HERE:
        raise HupaiError("only over HTTPS do browsers keep a page, install it and show the live camera; serve it so.")
    return "encrypted" if parts.scheme == "https" else "not needed on this computer"


def _look_at_page(host: _Host) -> str:
    (build,) = set(re.findall(r'src="at/(\w+)/', host.page))
    for path in ("", "worker.js"):
        said = host.ask(path, "HEAD").headers.get("Cache-Control", "")
        kept = re.search(r"max-age=(\d+)", said)
        if kept and int(kept[1]) > _LATE_SECONDS:
            name = path or "index.html"
            raise HupaiError(f"{name} may be kept for {kept[1]} seconds; send Cache-Control: no-cache with it.")
    if f"at/{build}/js/main.js" not in host.files:
        raise HupaiError("index.html and worker.js are of two builds; send both anew, past any cache.")
    return f"build {build}, {len(host.files)} files"


def _look_at_files(host: _Host) -> str:
    for path, answer in host.said.items():
        there = urlsplit(answer.url).netloc
        if there != urlsplit(host.url).netloc:
            raise HupaiError(f"{posixpath.basename(path)} comes from {there}; all must come from the page's host.")
        if answer.status in (405, 501):
            raise HupaiError(f"HEAD is refused ({answer.status}), which finds compressed copies; allow it.")
    gone = [path for path, answer in host.said.items() if not answer.could_be(host.files[path])]
    if gone:
        first, status = posixpath.basename(gone[0]), host.said[gone[0]].status
        what = "not as written" if status == 200 else f"missing ({status})"
        raise HupaiError(f"{len(gone)} of {len(host.files)} {what}, such as {first}; {_AGAIN}.")
    return "all are there"


def _look_at_types(host: _Host) -> str:
    kinds = {path.rsplit(".", 1)[-1]: answer.headers.get_content_type() for path, answer in host.said.items()}
    for kind, wanted in _TYPES.items():
        if not kinds[kind].endswith(wanted.split("/")[1]):
            raise HupaiError(f".{kind} comes as {kinds[kind]}; send it as {wanted}.")
    return "as browsers want them"


def _look_at_size(host: _Host) -> str:
    plain = [path for path, answer in host.said.items() if host.files[path] > LEAST_COPIED_BYTES and not answer.packed]
    if any("Content-Length" not in host.said[path].headers for path in plain):
        raise HupaiError("large files come without Content-Length, so uncompressed; have it sent.")
    for path, copy in host.heads([f"{path}.gz" for path in plain]).items():
        found = copy.status == 200 and copy.headers.get_content_type() != "text/html"
        if not found or copy.headers["Content-Length"] == "0":
            raise HupaiError(f"{posixpath.basename(path)} is missing; put the copies (.gz) there, too, or compress.")
    return f"{len(plain)} large files by their compressed copies" if plain else "compressed by the server"
