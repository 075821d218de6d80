"""Several tables watched by one process, each in its own thread, with one set of models."""

from __future__ import annotations

import os
import socket
import threading
import uuid
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from sqlalchemy import Engine

from hupai.hall.feed.forward import Forwarder
from hupai.hall.feed.plan import FeedPlan, TablePlan
from hupai.hall.feed.threads import raising_crashes, watch_each
from hupai.hall.feed.worker import Worker
from scoring.errors import HupaiError
from vision.pipeline import TileReader


def worker_name() -> str:
    """Return a name for this process that no other has: host, process number, random part."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"[:120]


def watch_tables(
    plan: FeedPlan,
    engine: Engine,
    *,
    forwarders: Sequence[Forwarder] = (),
    stop: threading.Event | None = None,
    keep_frames: int = 1000,
    report: Callable[[str], None] = lambda _: None,
) -> list[HupaiError]:
    """Watch until every source has ended or ``stop`` is set.

    Args:
        plan: which tables. engine: the store. forwarders: forward events meanwhile, and what is left at the end.
        stop: set it to end. keep_frames: audit pictures kept per table. report: receives messages about what happens.

    Returns:
        The reasons why tables could not be watched (any more); the others went on. Crashed threads are restarted.

    Raises:
        ModelError: the models cannot be used.
    """
    stop = stop or threading.Event()
    name = worker_name()
    cores = os.cpu_count() or 1
    # One thread per read: the tables share the cores, and many small reads are faster than a few wide ones.
    reader = TileReader(threads=1 if len(plan.tables) > 1 else None)
    limit = threading.Semaphore(cores)

    def make_worker(table: TablePlan) -> Worker:
        return Worker(table, engine, reader, name, limit, keep_frames=keep_frames, report=report)

    with raising_crashes(), ExitStack() as stack:
        for forwarder in forwarders:
            stack.enter_context(forwarder.running(name))
        return watch_each(plan.tables, make_worker, stop=stop, report=report)
