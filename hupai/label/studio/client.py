"""The Label Studio named in the settings: its tasks and their pictures. No other address is ever contacted."""

from __future__ import annotations

import base64
import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, unquote, urljoin, urlsplit

from hupai.web.errors import BadValue, WebError

PAGE_TASKS: Final = 100
"""Tasks requested at once."""
_TIMEOUT_SECONDS: Final = 30.0
_TOKEN_LIFE_SECONDS: Final = 120.0  # Label Studio's own tokens are valid for five minutes
_MAX_JSON_BYTES: Final = 200_000_000
_CLOUDS: Final = ("s3", "gs", "azure-blob")
_MOVED: Final = (301, 302, 303, 307, 308)


class StudioError(WebError):
    """Label Studio, or a picture it names, is unavailable."""

    code = "label_studio_unreachable"
    status = HTTPStatus.BAD_GATEWAY


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirection could lead anywhere; the expected one is followed explicitly."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER: Final = urllib.request.build_opener(_NoRedirect)


@dataclass(slots=True)
class LabelStudio:
    """A Label Studio as its users see it.

    Attributes:
        address: of its first page, without a trailing slash.
        token: a personal access token, or a legacy one; None if pictures need none.
        pictures: further origins (``https://host``) from which tasks may use pictures.
        max_bytes: larger pictures are refused.
    """

    address: str
    token: str | None
    pictures: tuple[str, ...]
    max_bytes: int
    _access: tuple[float, str] = field(default=(-1e9, ""))

    def task(self, number: int) -> dict[str, Any]:
        """Return a task with its annotations.

        Raises:
            StudioError: it is unavailable.
        """
        found = self._json(f"/api/tasks/{number}/")
        if not isinstance(found, dict):
            raise StudioError(f"Label Studio answers no task {number}.")
        return found

    def tasks(self, project: int) -> Iterator[dict[str, Any]]:
        """Yield the tasks of a project with their annotations, a hundred in memory at once.

        Raises:
            StudioError: they are unavailable.
        """
        page, seen = 1, 0
        while True:
            query = f"project={project}&fields=all&page={page}&page_size={PAGE_TASKS}"
            found = self._json(f"/api/tasks/?{query}")
            tasks = found.get("tasks") if isinstance(found, dict) else None
            if not isinstance(tasks, list):
                raise StudioError(f"Label Studio answers no tasks of project {project}.")
            yield from (t for t in tasks if isinstance(t, dict))
            seen, page = seen + len(tasks), page + 1
            if not tasks or seen >= int(found.get("total", 0)):
                return

    def config(self, project: int) -> str:
        """Return the labelling configuration of a project, XML.

        Raises:
            StudioError: it is unavailable.
        """
        found = self._json(f"/api/projects/{project}/")
        if not isinstance(found, dict) or not isinstance(found.get("label_config"), str):
            raise StudioError(f"Label Studio answers no project {project}.")
        return str(found["label_config"])

    def picture(self, uri: str, task: int) -> bytes:
        """Return the bytes of a task's picture.

        Args:
            uri: as in the task: a path of Label Studio's, an address there, at one of ``pictures`` or in a
                cloud storage that Label Studio knows.
            task: the task's number.

        Raises:
            BadValue: an address that may not be used. StudioError: it is unavailable.
        """
        parts = urlsplit(uri)
        if parts.scheme in _CLOUDS:
            said = base64.b64encode(uri.encode()).decode()
            return self._get(f"{self.address}/tasks/{task}/resolve/?fileuri={quote(said)}", self.max_bytes, follow=True)
        own = urlsplit(self.address)
        if (not parts.scheme and not parts.netloc) or (parts.scheme, parts.netloc) == (own.scheme, own.netloc):
            path = parts.path.removeprefix(own.path)
            if not path.startswith("/data/") or ".." in unquote(path).split("/"):
                raise BadValue(f"Task {task} names the picture {uri!r:.80}, which is none of Label Studio's.")
            query = f"?{parts.query}" if parts.query else ""
            return self._get(f"{self.address}{quote(path, safe='/%')}{query}", self.max_bytes)
        if f"{parts.scheme}://{parts.netloc.lower()}" in self.pictures:
            return self._get(uri, self.max_bytes, token=False)
        host = parts.netloc.rpartition("@")[2]  # with its port, without a password
        raise BadValue(
            f"Task {task} names a picture of {parts.scheme}://{host}, which this server does not ask: "
            "name that address with --label-studio-pictures.",
        )

    def _json(self, path: str) -> Any:
        return self._value(self._get(self.address + path, _MAX_JSON_BYTES))

    def _value(self, data: bytes) -> Any:
        try:
            return json.loads(data)
        except ValueError:
            raise StudioError(f"{self.address} does not answer like a Label Studio; check the address.") from None

    def _authorisation(self) -> str | None:
        """Return the header's value. A personal access token is exchanged for one that is valid for minutes."""
        if self.token is None or self.token.count(".") != 2:
            return f"Token {self.token}" if self.token else None
        made, access = self._access
        if time.monotonic() - made > _TOKEN_LIFE_SECONDS:
            body = json.dumps({"refresh": self.token}).encode()
            request = urllib.request.Request(
                f"{self.address}/api/token/refresh", body, {"Content-Type": "application/json"}
            )
            given = self._value(self._open(request, _MAX_JSON_BYTES))
            access = str(given.get("access", "")) if isinstance(given, dict) else ""
            self._access = (time.monotonic(), access)
        return f"Bearer {access}"

    def _get(self, address: str, most: int, *, token: bool = True, follow: bool = False) -> bytes:
        request = urllib.request.Request(address)
        authorisation = self._authorisation() if token else None
        if authorisation is not None:
            request.add_unredirected_header("Authorization", authorisation)
        return self._open(request, most, follow=follow)

    def _open(self, request: urllib.request.Request, most: int, *, follow: bool = False) -> bytes:
        try:
            with _OPENER.open(request, timeout=_TIMEOUT_SECONDS) as reply:
                data: bytes = reply.read(most + 1)
        except urllib.error.HTTPError as error:
            place = urljoin(request.full_url, error.headers.get("Location", ""))
            if follow and error.code in _MOVED and urlsplit(place).scheme in ("http", "https"):
                return self._get(place, most, token=False)
            raise StudioError(f"{_address(request)} answers {error.code}; {_advice(error.code)}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise StudioError(f"{_address(request)} cannot be reached ({getattr(error, 'reason', error)}).") from None
        if len(data) > most:
            raise StudioError(f"{_address(request)} has more than the {most / 1e6:.0f} MB taken here.")
        return data


def _address(request: urllib.request.Request) -> str:
    """Return an address without its query, which may contain a signature."""
    return request.full_url.partition("?")[0]


def _advice(status: int) -> str:
    if status in (401, 403, *_MOVED):
        return "does the token (label_studio_token) belong to a user who may see the project?"
    return "check the address, and that the task is still there."
