"""A worker process: takes pictures from its pipe and sends their records back, in order, until the pipe closes."""

from __future__ import annotations

import os
import queue
import signal
import threading
import traceback
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from hupai.label.engines.pictures import LabelOptions, Readable, Save
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
    try:
        _label(pipe, options, save)
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


class _ReadAhead:
    """A picture whose bytes were read before anybody asks for them, or what kept them from being read."""

    def __init__(self, picture: Readable) -> None:
        self.name = picture.name
        self._bytes: Future[bytes] = Future()
        try:
            self._bytes.set_result(picture.read())
        except Exception as error:  # noqa: BLE001 - raised again where the picture is labelled
            self._bytes.set_exception(error)

    def read(self) -> bytes:
        """Return the bytes."""
        return self._bytes.result()


def _take(pipe: Connection, given: queue.SimpleQueue[_ReadAhead]) -> None:
    """Read pictures as they arrive, while others are recognised: storage may be slow. Decoding would win nothing."""
    while True:
        try:
            picture = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)  # the parent is gone or done: nobody needs the current work
        given.put(_ReadAhead(picture))


def _label(pipe: Connection, options: LabelOptions, save: Save | None) -> None:
    from hupai.label.engines.labeller import Labeller, decode

    labeller = Labeller(options, save)
    pipe.send((READY,))
    # Not before: a picture that kills whoever reads it would look like a worker that cannot start.
    given: queue.SimpleQueue[_ReadAhead] = queue.SimpleQueue()
    threading.Thread(target=_take, args=(pipe, given), daemon=True).start()
    for record in labeller.label(map(decode, iter(given.get, None))):
        pipe.send((DONE, (record.image, record.error is not None, record.to_line())))
