"""Asks a server whether a seat may be looked at, and sends it what is seen: only the newest, and only in memory."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from hupai.hall.live.seat_view import SeatView
from scoring.seats import Seat

ASK_SECONDS: Final = 3.0
RETRY_SECONDS: Final = 1.0
_TIMEOUT_SECONDS: Final = 5.0
_DISTRUST: Final = (
    "the server's certificate is not trusted here: copy certificates/authority.pem from its data folder, and name it "
    "in SSL_CERT_FILE"
)
_HEADER: Final = "X-Hupai-Code"


class SeatPost:
    """The connection of one seat's camera with the server, in a thread of its own: looking never waits for it.

    Attributes:
        may_look: whether the player has agreed, as far as is known. changed: set when that changes, or it ends.
    """

    def __init__(self, server: str, token: str, table: str, seat: Seat, report: Callable[[str], None]) -> None:
        """Prepare; ``report`` receives messages, in which there are no tiles."""
        self._address = f"{server.rstrip('/')}/api/v1/live/{quote(table)}/{seat.value}"
        self._token, self._report = token, report
        self._view: SeatView | None = None
        self._news = threading.Condition()
        self._closed = False
        self._trouble: str | None = None
        self.may_look = False
        self.changed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"post {table} {seat.value}", daemon=True)

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def show(self, view: SeatView) -> None:
        """Send a view as soon as possible; one that has not been sent yet is dropped."""
        with self._news:
            self._view = view
            self._news.notify()

    def close(self) -> None:
        """Send what is left, if the server answers, and end."""
        with self._news:
            self._closed = True
            self._news.notify()
        self._thread.join(timeout=2 * _TIMEOUT_SECONDS)

    def _run(self) -> None:
        while True:
            try:
                self._ask()
                self._send_until_asking()
                self._trouble = None
            except (OSError, http.client.HTTPException, ValueError) as error:
                self._tell(error)
            with self._news:
                if self._closed:
                    return
                if self._trouble is not None:
                    self._news.wait(RETRY_SECONDS)

    def _ask(self) -> None:
        self._set_may_look(bool(json.loads(self._request("GET"))["may_look"]))

    def _send_until_asking(self) -> None:
        """Send views as they come, until it is time to ask again."""
        while True:
            with self._news:
                if self._view is None and not self._closed:
                    self._news.wait(ASK_SECONDS)
                view, self._view = self._view, None
            if view is None or not self.may_look:
                return
            try:
                self._request("PUT", view.to_json())
            except (OSError, http.client.HTTPException) as error:
                code = error.code if isinstance(error, urllib.error.HTTPError) else HTTPStatus.SERVICE_UNAVAILABLE
                if code == HTTPStatus.FORBIDDEN:
                    self._set_may_look(False)
                    return
                if code >= HTTPStatus.INTERNAL_SERVER_ERROR:  # it goes again, if there is no newer one
                    with self._news:
                        self._view = self._view or view
                raise

    def _set_may_look(self, may_look: bool) -> None:
        if may_look != self.may_look:
            self.may_look = may_look
            self.changed.set()

    def _request(self, method: str, body: dict[str, Any] | None = None) -> bytes:
        headers = {"Content-Type": "application/json", _HEADER: self._token}
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self._address, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:
            found: bytes = answer.read()
            return found

    def _tell(self, error: Exception) -> None:
        """Report trouble once, until it is another or over. Nobody is looked at meanwhile if the server says no."""
        trouble = f"the server answered {error.code}" if isinstance(error, urllib.error.HTTPError) else str(error)
        if isinstance(getattr(error, "reason", None), ssl.SSLCertVerificationError):
            trouble = _DISTRUST
        if isinstance(error, urllib.error.HTTPError) and error.code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            trouble = f"the server does not accept this token here ({error.code})"
            self._set_may_look(False)
        if trouble != self._trouble:
            self._trouble = trouble
            self._report(trouble)
