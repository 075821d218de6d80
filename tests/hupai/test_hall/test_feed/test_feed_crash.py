"""A table whose thread crashes is watched anew; the tables beside it do not notice."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hupai.hall.events import feed
from hupai.hall.feed import threads, worker
from hupai.hall.feed.capture.frames import Frame
from hupai.hall.feed.capture.source import VideoSource
from hupai.hall.feed.plan import FeedPlan, parse_table
from hupai.hall.feed.watching import watch_tables
from hupai.store.database import open_store
from hupai.wing import store_wings
from tests.waiting import until


class Camera:
    """Grey pictures; the first time that camera 0 is opened, the third of them brings its table down."""

    opened: list[str] = []  # noqa: RUF012
    reconnects = captured = 0
    trouble = None

    def __init__(self, source: VideoSource) -> None:
        self.opened.append(source.shown)
        self.bad = source.shown == "0" and self.opened.count("0") == 1
        self.closed = threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        number = 0
        while not self.closed.wait(0.05):
            number += 1
            if self.bad and number == 3:
                raise ZeroDivisionError("a mistake")
            yield Frame(np.full((360, 640, 3), 90 + number % 2, np.uint8), time.monotonic(), number)

    def add_read_time(self, seconds: float) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Stop."""
        self.closed.set()


@pytest.mark.slow
def test_a_table_whose_thread_crashes_is_watched_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "LiveFrames", Camera)
    monkeypatch.setattr(threads, "RESTART_SECONDS", 0.2)
    engine = open_store(f"sqlite:///{tmp_path / 'hupai.db'}", store_wings())
    plan = FeedPlan(tuple(parse_table({"name": name, "source": source}) for name, source in (("A", "0"), ("B", "1"))))
    said: list[str] = []
    stop = threading.Event()
    failed: list[object] = []
    thread = threading.Thread(
        target=lambda: failed.extend(watch_tables(plan, engine, stop=stop, report=said.append)), daemon=True
    )
    thread.start()
    try:
        crash = "A: ZeroDivisionError: a mistake; watched anew"
        assert until(lambda: crash in said), said
        assert until(lambda: Camera.opened.count("0") == 2), Camera.opened
        assert until(lambda: "A: watching" in said[said.index(crash) :]), said
    finally:
        stop.set()
        thread.join(120)
    assert not thread.is_alive() and failed == []
    assert Camera.opened.count("1") == 1, "the table beside it was touched"
    states = [(e["table"], e["state"]) for e in feed.events_after(engine, 0, 100)]
    assert states.count(("A", "ended")) == 1 and states.index(("A", "ended")) > states.index(("A", "watching"))
    engine.dispose()
