"""Worker processes on this machine: pictures out, records back, dead workers replaced.

Processes and not threads, because a third of the work is Python and because a decoder that crashes on one bad file must
not take the others with it. A picture that was being worked on when its worker died is tried again alone; if the
worker dies again, the picture is listed as a failure.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Any, Final, TypeAlias

from hupai.label.engines.pictures import LabelOptions, Readable, Save
from hupai.label.engines.worker import DONE, FAULT, MISSING, READY, work
from hupai.label.records import Record
from scoring.errors import HupaiError

PICTURES_PER_WORKER: Final = 2
"""Pictures that a worker has at once: the one it works on and the one it reads meanwhile. With more, at the end one
worker would have several left while the others have none."""
MAX_DEATHS: Final = 2
"""How often a picture may be alone with a worker that dies."""
SILENCE_SECONDS: Final = 600.0
"""Seconds without a message after which a worker counts as hung."""
START_SECONDS: Final = 600.0
"""Seconds that a worker may take to start."""

RecordLine: TypeAlias = tuple[str, bool, str]
"""A picture's name, whether it failed, and its record as a line of JSON."""


class WorkerError(HupaiError):
    """Workers cannot work."""

    code = "worker_failed"
    exit_status = 3


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    pictures: deque[Readable] = field(default_factory=deque)
    ready: bool = False
    heard: float = field(default_factory=time.monotonic)


class Pool:
    """A number of worker processes, started on entry and stopped on exit."""

    def __init__(self, options: LabelOptions, workers: int, save: Save | None = None) -> None:
        self._options, self._save = options, save
        self._workers: list[_Worker] = []
        self._count = workers
        self._suspects: deque[Readable] = deque()
        self._deaths: dict[str, int] = {}

    def __enter__(self) -> Pool:
        self._workers = [self._start() for _ in range(self._count)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(5)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()

    @property
    def pids(self) -> list[int]:
        """Process ids of the workers."""
        return [w.process.pid or 0 for w in self._workers]

    def label(self, pictures: Iterator[Readable]) -> Iterator[RecordLine]:
        """Yield the record of every picture, as they are finished.

        Raises:
            HupaiError: a worker is unable to work: models that cannot be loaded, crops that cannot be written.
            ImportError: a package that it needs cannot be imported.
        """
        more = True
        while True:
            # Each worker gets one picture before any gets a second: all share a short job, or the end of a long one.
            for depth in range(1, PICTURES_PER_WORKER + 1):
                for worker in self._workers:
                    more = self._fill(worker, pictures, more, depth)
            if not more and not self._suspects and not any(w.pictures for w in self._workers):
                return
            yield from self._receive()

    def _fill(self, worker: _Worker, pictures: Iterator[Readable], more: bool, depth: int) -> bool:
        """Give a worker what it can take, until it has ``depth`` pictures; returns whether more may come."""
        if self._suspects:
            # Alone, so that it is clear which picture is the cause.
            if not worker.pictures:
                self._send(worker, self._suspects.popleft())
            return more
        if any(picture.name in self._deaths for picture in worker.pictures):
            return more
        while more and len(worker.pictures) < depth:
            picture = next(pictures, None)
            if picture is None:
                return False
            self._send(worker, picture)
        return more

    def _send(self, worker: _Worker, picture: Readable) -> None:
        if not worker.pictures:
            worker.heard = time.monotonic()
        worker.pictures.append(picture)
        try:
            worker.pipe.send(picture)
        except (BrokenPipeError, ConnectionResetError):
            return  # it has died; the next read of its pipe shows that

    def _receive(self) -> Iterator[RecordLine]:
        """Wait for messages from the workers and handle them."""
        ready = wait([w.pipe for w in self._workers], timeout=1.0)
        for place, worker in enumerate(self._workers):
            patience = SILENCE_SECONDS if worker.ready else START_SECONDS
            if worker.pipe in ready:
                try:
                    message = worker.pipe.recv()
                except (EOFError, OSError):
                    yield from self._replace(place, worker)
                else:
                    worker.heard = time.monotonic()
                    yield from self._handle(worker, message)
            elif worker.pictures and time.monotonic() - worker.heard > patience:
                worker.process.kill()

    def _handle(self, worker: _Worker, message: tuple[Any, ...]) -> Iterator[RecordLine]:
        if message[0] == READY:
            worker.ready = True
        elif message[0] == FAULT:
            raise WorkerError(message[2], code=message[1])
        elif message[0] == MISSING:
            raise ImportError(message[2], name=message[1])
        elif message[0] == DONE:
            self._deaths.pop(worker.pictures.popleft().name, None)
            yield message[1]

    def _replace(self, place: int, worker: _Worker) -> Iterator[RecordLine]:
        """Handle a worker's death: start another one, and suspect the pictures it had."""
        worker.pipe.close()
        worker.process.join()
        code = worker.process.exitcode or 0
        end = f"signal {-code}" if code < 0 else f"exit status {code}"
        if not worker.ready:
            raise WorkerError(
                f"A worker process died before it began ({end}); is there enough memory? Try --workers 1."
            )
        self._workers[place] = self._start()
        for picture in worker.pictures:
            deaths = self._deaths.get(picture.name, 0) + (len(worker.pictures) == 1)
            self._deaths[picture.name] = deaths
            if deaths < MAX_DEATHS:
                self._suspects.append(picture)
                continue
            del self._deaths[picture.name]
            message = (
                f"The worker that read it died {MAX_DEATHS} times ({end}); make the picture smaller or save it anew."
            )
            record = Record(picture.name, error=("worker_died", message))
            yield record.image, True, record.to_line()

    def _start(self) -> _Worker:
        # Spawned, not forked: a fork would inherit locks held by this process's threads.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs, self._options, self._save), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)
