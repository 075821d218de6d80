"""Events forwarded to a webhook or an MQTT broker: in order, each at least once, resuming where it stopped."""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import logging
import queue
import socket
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias
from urllib.parse import SplitResult, quote, unquote, urlsplit

from sqlalchemy import Engine

from hupai.hall.events import deliveries, feed
from hupai.hall.feed.errors import BadPlan, FeedError
from hupai.store.errors import STORE_AWAY
from scoring.words.sentence import say

if TYPE_CHECKING:
    from paho.mqtt.client import Client
    from paho.mqtt.reasoncodes import ReasonCode

POLL_SECONDS: Final = 0.3
RETRY_SECONDS: Final = (1, 2, 5, 10, 30)
_TIMEOUT_SECONDS: Final = 10
log = logging.getLogger("hupai.watch")


class Undelivered(Exception):
    """The receiver did not accept the event; worth trying again."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirections: a redirected event would arrive as a GET without its body, and count as accepted."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER: Final = urllib.request.build_opener(_NoRedirect)


@dataclass(frozen=True, slots=True)
class Webhook:
    """POSTs each event as JSON; any answer 200 to 299 counts as accepted. ``X-Hupai-Event`` is its number.

    A user name and a password in the address are sent as basic authorisation. Redirections are not followed.
    ``address``: the complete one, which identifies the target.
    """

    address: str

    def __post_init__(self) -> None:
        _split_address(self.address, ("http", "https"), "A webhook is an http:// or https:// address", "webhook")

    @property
    def shown(self) -> str:
        """The host only: paths of webhooks are often secrets."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{_host(parts)}"

    def send(self, event: dict[str, Any]) -> None:
        """Deliver one event; on return the receiver has it.

        Raises:
            Undelivered: the receiver does not have it.
        """
        parts = urlsplit(self.address)
        headers = {"Content-Type": "application/json; charset=utf-8", "X-Hupai-Event": str(event["number"])}
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
        query = quote(parts.query, safe="/%:@!$&'()*+,;=~?")
        address = f"{parts.scheme}://{_host(parts)}{path}{f'?{query}' if query else ''}"
        body = json.dumps(event, ensure_ascii=False).encode()
        try:
            _OPENER.open(urllib.request.Request(address, body, headers), timeout=_TIMEOUT_SECONDS).close()
        except urllib.error.HTTPError as error:
            moved = "it answered {n} and redirects, which is not followed"
            raise Undelivered(say(moved if 300 <= error.code < 400 else "it answered {n}", n=error.code)) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Undelivered(_reason_text(error)) from error

    def close(self) -> None:
        """Do nothing: no connection is kept open."""


class Mqtt:
    """Publishes each event with QoS 1 under ``PREFIX/TABLE/KIND``; the broker's acknowledgement counts as accepted.

    ``shown``: the address without secrets.
    """

    def __init__(self, address: str) -> None:
        """Prepare a client; the connection is made with the first event.

        Args:
            address: ``mqtt://[user:password@]host[:port][/prefix]``, or ``mqtts://`` with TLS.

        Raises:
            BadPlan, FeedError: no such address, or paho-mqtt is not installed.
        """
        parts = _split_address(address, ("mqtt", "mqtts"), "A broker is mqtt://host:1883/prefix", "mqtt")
        try:
            from paho.mqtt.client import Client  # noqa: F401 - needed with the first event
        except ImportError:
            raise FeedError("MQTT needs a client: pip install paho-mqtt.", code="mqtt_missing") from None
        self.address = address
        self.shown = f"{parts.scheme}://{_host(parts)}{parts.path}"
        self._prefix = parts.path.strip("/") or "hupai"
        self._parts = parts
        self._client: Client | None = None

    def send(self, event: dict[str, Any]) -> None:
        """See :meth:`Webhook.send`."""
        try:
            self._publish(event)
        except Undelivered:
            self.close()  # a client keeps what it was given: the next try would only add the same event to it
            raise

    def close(self) -> None:
        """Disconnect."""
        if self._client is not None:
            self._client.disconnect()
            self._client.loop_stop()
            self._client = None

    def _publish(self, event: dict[str, Any]) -> None:
        # MQTT's wildcards and separators must not occur in a name.
        table = event["table"].translate(str.maketrans("/+#", "___"))
        text = json.dumps(event, ensure_ascii=False)
        try:
            info = self._connect().publish(f"{self._prefix}/{table}/{event['event']}", text, qos=1)
            info.wait_for_publish(_TIMEOUT_SECONDS)
        except (OSError, RuntimeError, ValueError) as error:
            raise Undelivered(_reason_text(error)) from error
        if not info.is_published():
            raise Undelivered("the broker did not confirm it")

    def _connect(self) -> Client:
        """Return the client, a new one if the connection is gone.

        Raises:
            OSError: there is no connection. Undelivered: the broker refuses it.
        """
        if self._client is not None and self._client.is_connected():
            return self._client
        self.close()
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        answers: queue.SimpleQueue[ReasonCode] = queue.SimpleQueue()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda _client, _data, _flags, reason, _more: answers.put(reason)
        tls = self._parts.scheme == "mqtts"
        if self._parts.username:
            self._client.username_pw_set(unquote(self._parts.username), unquote(self._parts.password or ""))
        if tls:
            self._client.tls_set()
        self._client.connect(str(self._parts.hostname), self._parts.port or (8883 if tls else 1883), keepalive=30)
        self._client.loop_start()
        try:
            reason = answers.get(timeout=_TIMEOUT_SECONDS)
        except queue.Empty:
            raise TimeoutError from None
        if reason.is_failure:
            raise Undelivered(say("it refuses the connection ({reason})", reason=str(reason)))
        return self._client


EventReceiver: TypeAlias = Webhook | Mqtt


def _split_address(address: str, schemes: tuple[str, ...], wanted: str, field: str) -> SplitResult:
    """Split an address.

    Raises:
        BadPlan: it is not a valid address. What was given is not shown: it may contain a password.
    """

    def refuse() -> NoReturn:
        raise BadPlan(f"{wanted}; write @, /, # and ? of a name or password as %40, %2F, %23 and %3F.", field=field)

    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:  # half an IPv6 address, or a port that is not a number
        refuse()
    # An @ behind the host may be the one before it: nobody can tell whether a / before it belongs to a password.
    if parts.scheme not in schemes or not parts.hostname or "@" in parts.path + parts.query + parts.fragment:
        refuse()
    return parts


_TROUBLES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (socket.gaierror, "there is no such host, or no network"),
    (ConnectionRefusedError, "nothing answers at that address"),
    (TimeoutError, "it did not answer in time"),
    (ssl.SSLCertVerificationError, "its certificate is not trusted"),
    (ConnectionError, "it closed the connection"),
    (http.client.HTTPException, "it does not speak HTTP"),
)
"""Kinds of connection errors, and words for them that the pages can translate; the first that fits is used."""


def _reason_text(error: Exception) -> str:
    """Return in words why an event could not be delivered."""
    reason = getattr(error, "reason", error)
    for kind, words in _TROUBLES:
        if isinstance(reason, kind):
            return words
    return str(reason) or type(error).__name__


def _host(parts: SplitResult) -> str:
    """Return host and port without user name and password."""
    return parts.netloc.rpartition("@")[2]


@dataclass(slots=True)
class Forwarder:
    """Forwards events to one target. If several processes have the same target, one forwards at a time."""

    engine: Engine
    target: EventReceiver

    @property
    def key(self) -> str:
        """Identifies the target in the store."""
        return hashlib.sha256(self.target.address.encode()).hexdigest()

    @contextmanager
    def running(self, holder: str) -> Iterator[None]:
        """Forward in a thread while the block runs, and what is left when it ends."""
        done = threading.Event()

        def run() -> None:
            tries = 0
            while not done.wait(POLL_SECONDS if not tries else RETRY_SECONDS[min(tries, len(RETRY_SECONDS)) - 1]):
                tries = 0 if self._forward_new(holder) else tries + 1
            self._forward_new(holder)
            self.target.close()

        thread = threading.Thread(target=run, name=f"forward {self.target.shown}", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join(timeout=2 * _TIMEOUT_SECONDS)

    def _forward_new(self, holder: str) -> bool:
        """Forward all new events; return False if another try is needed later."""
        try:
            number = deliveries.claim_target(self.engine, self.key, self.target.shown, holder)
            while number is not None:
                events = feed.events_after(self.engine, number, limit=20)
                if not events:
                    return True
                for event in events:
                    self.target.send(event)
                    deliveries.mark_delivered(self.engine, self.key, holder, event["number"])
                number = deliveries.claim_target(self.engine, self.key, self.target.shown, holder)
        except Undelivered as error:
            log.warning("%s takes no events: %s; trying again", self.target.shown, error)
            with suppress(*STORE_AWAY):  # the board is notified at the next try
                deliveries.mark_refused(self.engine, self.key, error.args[0])
            return False
        except STORE_AWAY as error:
            log.warning("events are not told to %s, the store does not answer: %s", self.target.shown, error)
            return False
        return True
