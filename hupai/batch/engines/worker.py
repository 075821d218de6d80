"""A worker process: takes pictures from its pipe and sends their records back, in order, until the pipe closes."""

from __future__ import annotations

import os
import queue
import signal
import threading
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from hupai.batch.engines.pictures import LabelOptions, Readable, Save
from hupai.batch.records import Record
from scoring.errors import HupaiError

READY: Final = "ready"
DONE: Final = "done"
FAULT: Final = "fault"
MISSING: Final = "missing"


def work(pipe: Connection, options: LabelOptions, save: Save | None) -> None:
    """Label the pictures that arrive through the pipe.

    Sends ``(READY,)`` once; ``(DONE, (name, failed, line))`` for every picture, in order; ``(FAULT, code, message)``
    when this worker, not a picture, is at fault: models that cannot be loaded, a full disk; ``(MISSING, package, why)``
    when a package cannot be imported.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets the signal as well, and closes the pipe
    given: queue.SimpleQueue[Readable] = queue.SimpleQueue()
    threading.Thread(target=_take, args=(pipe, given), daemon=True).start()
    try:
        _label(pipe, given, options, save)
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


def _take(pipe: Connection, given: queue.SimpleQueue[Readable]) -> None:
    """Keep the pipe empty, so that neither end ever waits for the other to read."""
    while True:
        try:
            given.put(pipe.recv())
        except (EOFError, OSError):
            os._exit(0)  # the parent is gone or done: nobody needs the current work


def _label(pipe: Connection, given: queue.SimpleQueue[Readable], options: LabelOptions, save: Save | None) -> None:
    from hupai.batch.engines.labeller import DecodedImage, Labeller, Opener

    labeller = Labeller(options, save)
    opener = Opener()
    pipe.send((READY,))
    waiting: deque[Iterator[DecodedImage | Record]] = deque()
    try:
        while True:
            # The next picture is begun before this one is finished: it is decoded meanwhile.
            while not waiting or not given.empty():
                waiting.append(opener.open_all([given.get()]))
            for record in labeller.label(waiting.popleft()):
                pipe.send((DONE, (record.image, record.error is not None, record.to_line())))
    finally:
        opener.close()
