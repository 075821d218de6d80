"""Server processes for the tests, and what their refusals must look like."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from hupai.web.requests.bodies import Problem
from tests.hupai.forked import Forked, fork_hupai
from tests.hupai.hurried import Constants, words

ROOT = Path(__file__).resolve().parent.parent.parent
_START_SECONDS = 600
_ANSWER_SECONDS = 300
for _part in ("connect", "read", "write", "pool"):  # httpx itself gives up after five, which a busy machine may take
    setattr(httpx._config.DEFAULT_TIMEOUT_CONFIG, _part, _ANSWER_SECONDS)


@dataclass
class Server:
    """A running ``hupai serve`` process."""

    process: subprocess.Popen[str] | Forked
    data_folder: Path
    url: str = ""
    said: list[str] = field(default_factory=list)

    @property
    def api(self) -> str:
        return f"{self.url}/api/v1"

    def client(self, **more: Any) -> httpx.Client:
        return httpx.Client(base_url=self.api, **more)

    def client_at(self, address: str) -> httpx.Client:
        """A client with an address of its own."""
        return self.client(transport=httpx.HTTPTransport(local_address=address))

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(120)
            except subprocess.TimeoutExpired:
                self.kill()


def command(settings: dict[str, Any], hurried: Constants | None = None) -> list[str]:
    """``hupai serve`` with these settings as flags."""
    return [sys.executable, "-m", *words(hurried or {}), *serve(settings)]


def serve(settings: dict[str, Any]) -> list[str]:
    """The command with its flags."""
    flags = ["serve"]
    for name, value in settings.items():
        flag = f"--{name.replace('_', '-')}"
        if name == "https":
            flags.append("--https" if value else "--http")
        elif isinstance(value, bool):
            flags += [flag] if value else []
        else:
            for one in value if isinstance(value, list) else [value]:
                flags += [flag, str(one)]
    return flags


def launch(
    data_folder: Path, *, within: Sequence[str] = (), hurried: Constants | None = None, **settings: Any
) -> Server:
    """Start a server process on a free port and wait until it tells its address.

    Args:
        data_folder: of the server. within: comes before the command, which is forked without it, since that is quicker.
        hurried: its constants. settings: as flags.
    """
    given = {"data_folder": str(data_folder), "host": "127.0.0.1", "port": 0, "threads": 1, **settings}
    env = {k: v for k, v in os.environ.items() if not k.startswith("HUPAI_")}
    env |= {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    process: subprocess.Popen[str] | Forked
    if within:
        pipe, line = subprocess.PIPE, [*within, *command(given, hurried)]
        process = subprocess.Popen(line, stdout=pipe, stderr=subprocess.STDOUT, text=True, env=env, cwd=data_folder)
    else:
        process = fork_hupai(serve(given), hurried or {}, env, data_folder)
    server = Server(process, data_folder)
    ready = threading.Event()

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            server.said.append(line.rstrip("\n"))
            if line.startswith("hupai ") and " is at " in line:
                server.url = line.split(" is at ")[1].strip().split("/#")[0].rstrip("/")
                ready.set()
        ready.set()

    threading.Thread(target=listen, daemon=True).start()
    ready.wait(_START_SECONDS)
    if not server.url:
        process.kill()
        raise AssertionError("the server did not start: " + "\n".join(server.said))
    return server


@contextmanager
def running(data_folder: Path, **settings: Any) -> Iterator[Server]:
    server = launch(data_folder, **settings)
    try:
        yield server
    finally:
        server.stop()


OPEN = {"rate_read": "off", "rate_write": "off", "rate_any": "off"}
"""Settings without limits of rate."""


def problem(reply: httpx.Response, status: int, code: str, *also: str) -> dict[str, Any]:
    """The problem a refusal must be; ``also``: what it says beside the usual."""
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = reply.json()
    more = {"changed", *also} if code == "game_moved_on" else {*also}
    assert set(body) == {"type", "title", "status", "detail", "code", "field", "faults"} | more
    assert body["title"] == {413: "Content Too Large", 422: "Unprocessable Content"}.get(body["status"], body["title"])
    assert (body["status"], body["code"]) == (status, code), body
    Problem.model_validate(body)
    assert body["type"] == f"urn:hupai:error:{code}"
    assert body["detail"]
    return body


def seen(client: httpx.Client, game: str) -> dict[str, Any]:
    """What somebody saw who has just looked at a game."""
    return {"revision": client.get(f"/games/{game}").json()["revision"]}


def record(client: httpx.Client, game: str, body: dict[str, Any], key: str | None = None) -> httpx.Response:
    """A hand confirmed by somebody who has just looked, and looks again where another was faster."""
    headers = {} if key is None else {"Idempotency-Key": key}
    while True:
        told = {**body, "seen": seen(client, game)}
        reply = client.post(f"/games/{game}/hands", json=told, headers=headers)
        if reply.status_code != 409 or reply.json()["code"] != "game_moved_on":
            return reply
