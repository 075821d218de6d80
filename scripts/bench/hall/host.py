"""The server under the tournament: a process that can be killed and started again at the same address."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx

ROOT: Final = Path(__file__).resolve().parents[3]
DIRECTOR: Final = "hall-director"
_START_SECONDS: Final = 120


@dataclass
class Host:
    """``hupai serve`` with this data folder; ``database`` is a URL, or None for SQLite in the folder."""

    folder: Path
    database: str | None = None
    port: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def api(self) -> str:
        """The address of its API."""
        return f"http://127.0.0.1:{self.port}/api/v1"

    @property
    def database_url(self) -> str:
        """The URL of the store."""
        return self.database or f"sqlite:///{self.folder / 'hupai.db'}"

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            RuntimeError: it never does.
        """
        if not self.port:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.port = int(probe.getsockname()[1])
        flags = ["--data-folder", str(self.folder), "--host", "127.0.0.1", "--port", str(self.port), "--threads", "1"]
        flags += ["--rate-read", "off", "--rate-write", "off", "--rate-any", "off", "--log-level", "critical"]
        flags += ["--database", self.database] if self.database else []
        env = {k: v for k, v in os.environ.items() if not k.startswith("HUPAI_")}
        env |= {"PYTHONPATH": str(ROOT), "HUPAI_DIRECTOR_CODE": DIRECTOR, "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "hupai.cli", "serve", *flags]
        end = time.monotonic() + _START_SECONDS
        while time.monotonic() < end:
            if self.process is None or self.process.poll() is not None:  # a database that is gone ends it at once
                with (self.folder / "server.log").open("ab") as log:
                    self.process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
            try:
                if httpx.get(self.api.replace("/api/v1", "/healthz"), timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.2)
        raise RuntimeError(f"the server did not start; see {self.folder / 'server.log'}")

    def kill(self) -> None:
        """End it as kill -9 does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self) -> None:
        """Shut it down in order."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()


def killed(host: Host, seconds: float = 1.0) -> None:
    """The server dies in the middle of its work and is started again."""
    host.kill()
    time.sleep(seconds)
    host.start()


def file_away(host: Host, seconds: float = 3.0) -> None:
    """SQLite's file is not where it was (a disk that was unplugged), then it is again."""
    file = host.folder / "hupai.db"
    away = file.with_name("hupai.away")
    file.rename(away)
    time.sleep(seconds)
    away.rename(file)


def file_held(host: Host, seconds: float = 7.0) -> None:
    """Another program holds SQLite's file for longer than anybody waits for it."""
    connection = sqlite3.connect(host.folder / "hupai.db", isolation_level=None, timeout=30)
    try:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(seconds)
        connection.execute("ROLLBACK")
    finally:
        connection.close()
