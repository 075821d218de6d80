"""Hosts of a hall as network namespaces: each has a cable to the one with the database, and cables can be pulled."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import pytest

from tests.hupai.postgres import Cluster, cluster

_NETWORK: Final = 0x40000000
"""CLONE_NEWNET of setns(2)."""
T = TypeVar("T")


@dataclass(frozen=True)
class Host:
    """A namespace with one cable.

    Attributes:
        name: of the namespace. address: its own. database: the address of the database at the other end of its cable.
    """

    name: str
    address: str
    database: str

    @property
    def within(self) -> tuple[str, ...]:
        """What comes before a command that runs there."""
        return ("ip", "netns", "exec", self.name)

    def pull(self) -> None:
        """Pull the cable: packets are lost, nobody is told."""
        _ip("-n", self.name, "link", "set", "cable", "down")

    def plug(self) -> None:
        """Plug it in again."""
        _ip("-n", self.name, "link", "set", "cable", "up")


@dataclass(frozen=True)
class Network:
    """Two hosts and the database between them; the director sits beside the database."""

    hosts: tuple[Host, Host]
    postgres: Cluster
    _director: ThreadPoolExecutor

    def ask(self, act: Callable[[], T]) -> T:
        """What a function answers where the director sits."""
        return self._director.submit(act).result()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, timeout=20)


def _enter(name: str) -> None:
    """Move the calling thread into a namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/var/run/netns", name).open() as place:
        if libc.setns(place.fileno(), _NETWORK):
            raise OSError(ctypes.get_errno(), f"setns {name}")


def _allowed() -> bool:
    """Whether namespaces can be made here."""
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("setpriv"):
        return False
    name = f"hupai-{os.getpid()}-try"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, timeout=20, check=False).returncode == 0
    if made:
        _ip("netns", "del", name)
    return made


@contextmanager
def network() -> Iterator[Network]:
    """The hosts, removed at the end; skips where namespaces cannot be made or PostgreSQL is missing."""
    if not _allowed():
        pytest.skip("network namespaces need root and iproute2 (apt-get install iproute2)")
    middle, *names = (f"hupai-{os.getpid()}-{what}" for what in ("db", "one", "two"))
    hosts = []
    try:
        for name in (middle, *names):
            _ip("netns", "add", name)
            _ip("-n", name, "link", "set", "lo", "up")
        for i, name in enumerate(names, 1):
            _ip("-n", name, "link", "add", "cable", "type", "veth", "peer", "name", f"cable{i}", "netns", middle)
            for there, end, last in ((middle, f"cable{i}", 1), (name, "cable", 2)):
                _ip("-n", there, "address", "add", f"10.77.{i}.{last}/24", "dev", end)
                _ip("-n", there, "link", "set", end, "up")
            hosts.append(Host(name, f"10.77.{i}.2", f"postgresql://hupai@10.77.{i}.1/postgres"))
        with cluster(middle) as postgres, ThreadPoolExecutor(1, initializer=_enter, initargs=(middle,)) as director:
            yield Network((hosts[0], hosts[1]), postgres, director)
    finally:
        for name in (middle, *names):
            subprocess.run(["ip", "netns", "del", name], capture_output=True, timeout=20, check=False)
