"""A worker process: takes lots of pictures from its pipe and sends their records back, until the pipe closes."""

from __future__ import annotations

import os
import queue
import signal
import threading
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final, TypeAlias

from hupai.batch.engines.pictures import LabelOptions, Readable, Save
from hupai.batch.records import Record
from scoring.errors import HupaiError

Lot: TypeAlias = tuple[int, Sequence[Readable]]
"""A number and the pictures to label."""
READY: Final = "ready"
DONE: Final = "done"
FAULT: Final = "fault"
MISSING: Final = "missing"


def work(pipe: Connection, options: LabelOptions, save: Save | None) -> None:
    """Label the pictures that arrive through the pipe.

    Receives lots. Sends ``(READY,)`` once; ``(DONE, number, [(name, failed, line), ...])`` for every lot;
    ``(FAULT, code, message)`` when this worker, not a picture, is at fault: models that cannot be loaded, a full disk;
    ``(MISSING, package, why)`` when a package cannot be imported.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets the signal as well, and closes the pipe
    lots: queue.SimpleQueue[Lot] = queue.SimpleQueue()
    threading.Thread(target=_take, args=(pipe, lots), daemon=True).start()
    try:
        _label(pipe, lots, options, save)
    except HupaiError as error:
        with suppress(BrokenPipeError, ConnectionResetError):  # another worker reported first, and the parent is gone
            pipe.send((FAULT, error.code, error.message))
    except ImportError as error:
        with suppress(BrokenPipeError, ConnectionResetError):
            pipe.send((MISSING, error.name, str(error)))
    except BrokenPipeError:
        return  # the parent is gone
    except Exception:  # noqa: BLE001 - the parent sees that this worker died, and tries its pictures one by one
        traceback.print_exc()
        os._exit(70)


def _take(pipe: Connection, lots: queue.SimpleQueue[Lot]) -> None:
    """Keep the pipe empty, so that neither end ever waits for the other to read."""
    while True:
        try:
            lots.put(pipe.recv())
        except (EOFError, OSError):
            os._exit(0)  # the parent is gone or done: nobody needs the current work


def _label(pipe: Connection, lots: queue.SimpleQueue[Lot], options: LabelOptions, save: Save | None) -> None:
    from hupai.batch.engines.labeller import DecodedImage, Labeller, Opener

    labeller = Labeller(options, save)
    opener = Opener()
    pipe.send((READY,))
    waiting: deque[tuple[int, Iterator[DecodedImage | Record]]] = deque()
    try:
        while True:
            # The next lot is started before this one is finished: its pictures are decoded meanwhile.
            while not waiting or not lots.empty():
                number, pictures = lots.get()
                waiting.append((number, opener.open_all(pictures)))
            number, opening = waiting.popleft()
            records: list[Any] = [(r.image, r.error is not None, r.to_line()) for r in labeller.label(opening)]
            pipe.send((DONE, number, records))
    finally:
        opener.close()
