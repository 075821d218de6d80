"""A PostgreSQL of a test run's own, on a socket, under an unprivileged user."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Cluster:
    """One that was initialised in ``folder``; ``user`` runs it, None for the user of the tests.

    In a network namespace (``namespace``) it listens on every address there, and trusts whoever reaches them.
    """

    folder: Path
    pg_ctl: str
    user: str | None
    namespace: str | None = None

    @property
    def url(self) -> str:
        return f"postgresql://hupai@/postgres?host={self.folder}"

    def run(self, *command: str) -> None:
        within: list[str] = []
        if self.namespace is not None:
            within = ["ip", "netns", "exec", self.namespace, "setpriv", f"--reuid={self.user}", f"--regid={self.user}"]
            within += ["--clear-groups", "--"]
        user = self.user if self.namespace is None else None
        quiet = subprocess.DEVNULL
        subprocess.run([*within, *command], check=True, user=user, cwd="/tmp", stdout=quiet, timeout=120)

    def start(self) -> None:
        listen = "" if self.namespace is None else "*"
        socket = f"-k {self.folder} -c listen_addresses='{listen}'"
        log = str(self.folder / "log")
        self.run(self.pg_ctl, "-D", str(self.folder / "cluster"), "-w", "-l", log, "-o", socket, "start")

    def stop(self) -> None:
        """At once, as a power cut would."""
        self.run(self.pg_ctl, "-D", str(self.folder / "cluster"), "-w", "-m", "immediate", "stop")


def _binary(name: str) -> str | None:
    found = shutil.which(name)
    if found:
        return found
    packaged = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(packaged[-1]) if packaged else None


@contextmanager
def cluster(namespace: str | None = None) -> Iterator[Cluster]:
    """A running cluster, removed at the end; skips where PostgreSQL is not installed."""
    initdb, pg_ctl = _binary("initdb"), _binary("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("PostgreSQL's initdb and pg_ctl are not installed")
    # PostgreSQL refuses to run as root.
    user = None
    if os.geteuid() == 0:
        known = {entry.pw_name for entry in pwd.getpwall()}
        user = next((name for name in ("postgres", "nobody") if name in known), None)
        if user is None:
            pytest.skip("running as root, and there is no user postgres or nobody to run PostgreSQL under")
    place = os.environ.get("PYTEST_DEBUG_TEMPROOT", "/tmp")  # a short path, since it holds a socket
    folder = Path(tempfile.mkdtemp(prefix="hupai-pg-", dir=place))
    if user:
        shutil.chown(folder, user)
    it = Cluster(folder, pg_ctl, user, namespace)
    try:
        it.run(initdb, "-D", str(folder / "cluster"), "-A", "trust", "-U", "hupai", "-E", "UTF8", "--no-sync")
        if namespace is not None:
            with (folder / "cluster" / "pg_hba.conf").open("a", encoding="utf-8") as allowed:
                allowed.write("host all all all trust\n")
        it.start()
        try:
            yield it
        finally:
            if (folder / "cluster" / "postmaster.pid").exists():
                it.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
