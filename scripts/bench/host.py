"""A server under measurement: a process that can be killed and started again at the same address."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx

ROOT: Final = Path(__file__).resolve().parents[2]
OPEN: Final = {"rate_read": "off", "rate_write": "off", "rate_any": "off"}
"""Settings without limits of rate."""
_START_SECONDS: Final = 600
_PORTS: Final = range(20_000, 32_768)
"""Below those that systems give to whoever asks for any."""


def free_port() -> int:
    """A port that nobody listens at. It stays free until it is used: the system gives no other process one of these."""
    while True:
        port = secrets.choice(_PORTS)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


class Host:
    """``hupai serve`` with its data in ``folder``, and its log; runs while the context is open.

    Attributes:
        folder: of its data. url, api: the addresses of its page and its API. process: it, since it was last started.
    """

    process: subprocess.Popen[bytes]

    def __init__(self, folder: Path, settings: Mapping[str, Any] | None = None) -> None:
        port = free_port()
        self.folder, self.url = folder, f"http://127.0.0.1:{port}"
        self.api = f"{self.url}/api/v1"
        self._settings: dict[str, Any] = {
            "data_folder": folder,
            "host": "127.0.0.1",
            "port": port,
            "log_level": "warning",
        }
        self._settings |= settings or {}

    def __enter__(self) -> Host:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()

    @property
    def database(self) -> str:
        """The URL of its store."""
        return self._settings.get("database") or f"sqlite:///{self.folder / 'hupai.db'}"

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            RuntimeError: it never does.
        """
        self._launch()
        end = time.monotonic() + _START_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:  # a database that is gone ends it at once
                self._launch()
            try:
                if httpx.get(f"{self.url}/healthz", timeout=5).is_success:
                    return
            except httpx.TransportError:
                time.sleep(0.2)
        raise RuntimeError(f"the server did not start: {(self.folder / 'server.log').read_text()[-1000:]}")

    def _launch(self) -> None:
        env = {k: v for k, v in os.environ.items() if not k.startswith("HUPAI_")} | {"PYTHONPATH": str(ROOT)}
        env |= {f"HUPAI_{name.upper()}": str(value) for name, value in self._settings.items()}
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "hupai", "serve"], env=env, cwd=ROOT, stdout=log, stderr=log
            )

    def kill(self) -> None:
        """End it as kill -9 does."""
        self.process.kill()
        self.process.wait()
