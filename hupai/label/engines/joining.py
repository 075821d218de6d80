"""The Ray cluster to work on: the one named, one already running here, or a new one on this machine."""

from __future__ import annotations

import logging
import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from hupai.label.engines.cores import sensible_workers
from hupai.label.formats.format import MissingPackage
from hupai.label.progress import Progress
from scoring.errors import HupaiError

STORE_BYTES: Final = 256_000_000
"""Object memory of our own cluster; only names and labels go through it."""
ANSWER_SECONDS: Final = 3.0
"""Seconds within which the port of a cluster must accept a connection; Ray would try for two minutes and then exit."""


class ClusterError(HupaiError):
    """A cluster that cannot do the work."""

    code = "cluster_unsuitable"
    exit_status = 3


@contextmanager
def join_cluster(address: str | None, wanted: int | None, progress: Progress) -> Iterator[int]:
    """Join or start Ray; yields the number of workers to use.

    Args:
        address: ``host:port``, ``ray://host:port``; ``auto`` for one that runs here; ``local`` for a new one; None
            for one that runs here if there is one.
        wanted: number of workers; if None, as many as the cluster has logical CPUs.

    Raises:
        HupaiError: Ray is not installed or cannot be reached, or has too few CPUs.
    """
    try:
        import ray
    except ImportError:
        raise MissingPackage("--engine ray needs Ray; run: pip install ray.") from None
    ours = not ray.is_initialized()
    if ours:
        running = find_address(address)
        if running is None:
            _start(wanted)
        else:
            progress.stage(f"joining the Ray cluster at {running}")
            _join(running)
    try:
        cpus = int(ray.cluster_resources().get("CPU", 0))
        if cpus < (wanted or 1):
            message = f"The cluster has {cpus} logical CPUs: give --workers {max(1, cpus)}, or add machines to it."
            raise ClusterError(message)
        yield wanted or cpus
    finally:
        if ours:
            ray.shutdown()


def find_address(address: str | None) -> str | None:
    """Return the address of the cluster to join; None to start one.

    Raises:
        ClusterError: a required cluster does not answer.
    """
    if address == "local":
        return None
    if address not in (None, "auto"):
        return _check_answers(address, "check --ray-address and that the cluster runs")
    advertised = os.environ.get("RAY_ADDRESS")
    if advertised:
        return _check_answers(advertised, "check the variable RAY_ADDRESS, or unset it")
    file = address_file()
    try:
        left = file.read_text().strip()
    except OSError:
        left = ""
    if left and answers(left):
        return left
    if address is None:
        return None  # the leftover of a cluster that has ended does not matter
    if left:
        _check_answers(
            left, f"{file} was left behind by a cluster that has ended; start one, or leave out --ray-address"
        )
    raise ClusterError(
        "No Ray cluster runs on this machine: start one (ray start --head), give its host and port, or leave out "
        "--ray-address to have one started."
    )


def address_file() -> Path:
    """Return the file where Ray records the cluster that was started last on this machine."""
    return Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir()) / "ray" / "ray_current_cluster"


def answers(address: str) -> bool:
    """Whether something takes connections at ``host:port``."""
    parts = urlsplit(address if "://" in address else f"ray://{address}")
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=ANSWER_SECONDS):
            return True
    except (OSError, ValueError):
        return False


def _check_answers(address: str, hint: str) -> str:
    if not answers(address):
        raise ClusterError(f"No Ray cluster answers at {address}: {hint}.")
    return address


def _start(wanted: int | None) -> None:
    import ray

    # Our own cluster stays hidden from others, and writes warnings only to its log.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    ray.init(
        address="local",
        num_cpus=wanted or sensible_workers(),
        object_store_memory=STORE_BYTES,
        include_dashboard=False,
        logging_level=logging.ERROR,
        log_to_driver=False,
    )


def _join(address: str) -> None:
    import ray

    try:
        ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError, SystemExit) as error:
        # Ray exits the process if the other end speaks another protocol.
        what = "what answers is not Ray" if isinstance(error, SystemExit) else str(error).strip().splitlines()[0]
        raise ClusterError(f"The Ray cluster at {address} cannot be joined ({what}).") from None
