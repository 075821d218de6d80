"""Parsers with planted mistakes, to see that the fuzzing finds them."""

from __future__ import annotations

import os
import random
import signal
import tempfile
from collections.abc import Callable


def _on(number_in: str, act: Callable[[], object]) -> Callable[[random.Random], tuple[bytes, Callable[[], None]]]:
    """A target whose every third input or so does harm."""

    def target(rng: random.Random) -> tuple[bytes, Callable[[], None]]:
        harmful = rng.random() < 0.3
        return number_in.encode(), (lambda: act() and None) if harmful else (lambda: None)

    return target


def _refuse() -> None:
    raise KeyError("a stranger's error")


def _work_forever() -> None:
    while os.getpid():
        pass


def _write_forever() -> None:
    with tempfile.TemporaryFile() as file:
        while True:
            file.write(bytes(1 << 22))


stranger = _on("stranger", _refuse)
crash = _on("crash", lambda: os.kill(os.getpid(), signal.SIGSEGV))
exits = _on("exits", lambda: os._exit(0))
memory = _on("memory", lambda: bytearray(b"x") * ((1 << 30) + (1 << 27)))
hang = _on("hang", _work_forever)
disk = _on("disk", _write_forever)
good = _on("good", lambda: None)
