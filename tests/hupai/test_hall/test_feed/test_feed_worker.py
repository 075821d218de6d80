"""One watched table in its thread: corners, pictures of another size, a camera whose pictures break, a table lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest
from sqlalchemy import Engine, update

from hupai.hall.events import feed
from hupai.hall.events.feed import Displaced
from hupai.hall.feed import worker as worker_module
from hupai.hall.feed.capture import frames as frames_module
from hupai.hall.feed.capture.frames import Frame, LiveFrames
from hupai.hall.feed.capture.source import VideoSource
from hupai.hall.feed.errors import FeedError
from hupai.hall.feed.plan import TablePlan
from hupai.hall.feed.session.published import PublishedHand
from hupai.hall.feed.session.session_events import EventKind, FeedState, SessionEvent
from hupai.hall.feed.session.table_session import TableSession
from hupai.hall.feed.worker import Worker
from hupai.hall.feed.write_queue import WriteQueue
from hupai.hall.store.watched import laid_hands, watched_tables
from hupai.hall.tables import WatchedTable
from hupai.store.database import writing
from hupai.store.errors import StoreError
from tests.hupai.store_builders import begin_game
from tests.hupai.test_hall.test_feed.feeding import READ
from tests.vision.laid import row
from tests.waiting import until
from vision.pipeline import TileReader
from vision.reading import Reading

pytestmark = pytest.mark.slow

CORNERS = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]
BLIND = cast(TileReader, SimpleNamespace(find_tiles=lambda _, **__: [], models={}))


class Camera:
    """Pictures of noise, of the size it is told, until it is closed; none while it has no size."""

    trouble = None
    reconnects = 0

    def __init__(self) -> None:
        self.size: tuple[int, int] | None = (320, 180)
        self.closed = threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        rng, number = np.random.default_rng(0), 0
        while not self.closed.wait(0.02):
            number += 1
            image = None
            if self.size is not None:
                width, height = self.size
                image = rng.integers(80, 90, (height, width, 3)).astype(np.uint8)
            yield Frame(image, time.monotonic(), number)

    def add_read_time(self, seconds: float) -> None:
        """Time passes by itself."""

    def close(self) -> None:
        self.closed.set()


class Started:
    """A worker in a thread, and what it ended with."""

    def __init__(self, engine: Engine, camera: Camera, reader: TileReader = BLIND, **table: Any) -> None:
        watched = TablePlan("A", VideoSource("0", "webcam"), **table)
        self.worker = Worker(watched, engine, reader, "w1", threading.Semaphore(1), frames=lambda: camera)
        self.error: Exception | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.worker.run()
        except Exception as error:  # noqa: BLE001 - looked at by the test
            self.error = error

    def corners(self) -> list[list[float]] | None:
        """Where the watch believes the table's corners, shares of the picture."""
        session, meter = self.worker._session, self.worker._meter
        corners = session.homography.corners if session is not None and session.motion is not None else None
        return None if corners is None else (corners / np.array([meter.width, meter.height])).round(2).tolist()

    def stop(self) -> None:
        self.worker.stop()
        self.thread.join(120)
        assert not self.thread.is_alive()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "BEAT_SECONDS", 0.1)


def test_a_camera_that_comes_back_is_said_to(store: Engine) -> None:
    camera = Camera()
    it = Started(store, camera)
    for size, state in (((320, 180), "watching"), (None, "lost"), ((320, 180), "watching")):
        camera.size = size
        assert until(lambda: [t["state"] for t in watched_tables.list_tables(store)] == [state]), state  # noqa: B023
    it.stop()


@pytest.mark.parametrize("asked", [None, "riichi"])
def test_the_hands_of_a_game_of_three_are_read_and_paid_by_its_house_rules(
    store: Engine, quick: None, asked: str | None
) -> None:
    laid = row("111m456p789s11z88p8p", x=60, y=300, gaps={13: 0.9}) + row("44z", x=60, y=150)
    camera = Camera()
    camera.size = (800, 600)
    seeing = cast(TileReader, SimpleNamespace(find_tiles=lambda _, **__: laid if dealt.is_set() else [], models={}))
    dealt = threading.Event()
    it = Started(store, camera, seeing, rules=asked)
    assert until(lambda: bool(watched_tables.list_tables(store)))
    game = begin_game(
        store,
        "riichi",
        {"players": 3},
        players=("Ann", "Bo", "Cy"),
        starting_points=Decimal(35_000),
    )
    watched_tables.set_game(store, "A", game)
    assert until(lambda: it.worker._session is not None and getattr(it.worker._session._rules, "players", 4) == 3)
    dealt.set()
    assert until(lambda: watched_tables.get_table(store, "A")["waiting"] == 1)
    it.stop()
    (hand,) = watched_tables.get_table(store, "A")["hands"]
    assert (hand["game_id"], hand["hand"]["bonus"], hand["hand"]["winning_tile"]) == (game, ["4z", "4z"], "8p")
    answers = {"context": {"seat": "S", "win": "self_draw", "riichi": True}, "also": [], "riichi": []}
    done = laid_hands.confirm(store, hand["id"], hand["version"], answers)["game"]
    assert [p["total"] for p in done["players"]] == [31_000, 41_000, 33_000]
    assert [e["event"] for e in feed.events_after(store, 0)].count("hand.confirmed") == 1


def test_corners_hold_for_pictures_of_another_size(store: Engine, quick: None) -> None:
    """A camera that comes back with another resolution still looks at the same table, whatever the director clicks."""
    camera = Camera()
    it = Started(store, camera, corners=tuple(tuple(p) for p in CORNERS))
    assert until(lambda: it.corners() == CORNERS)
    assert until(lambda: watched_tables.get_table(store, "A")["health"].get("frames", 0) > 5), "no beat was kept"
    camera.size = (640, 360)
    assert until(lambda: it.worker._meter.width == 640)
    assert until(lambda: it.corners() == CORNERS), it.corners()
    it.stop()


def test_corners_that_are_clicked_reach_the_watch_and_are_taken_back(store: Engine, quick: None) -> None:
    it = Started(store, Camera())
    assert until(lambda: watched_tables.list_tables(store)) and it.corners() is None
    watched_tables.set_corners(store, "A", CORNERS)
    assert until(lambda: it.corners() == CORNERS)
    watched_tables.set_corners(store, "A", None)
    assert until(lambda: it.corners() is None)
    it.stop()


def test_a_worker_that_lost_its_table_says_so(store: Engine, quick: None) -> None:
    it = Started(store, Camera())
    assert until(lambda: [t["state"] for t in watched_tables.list_tables(store)] == ["watching"])
    with writing(store) as session:  # as another process does once this one has been silent for too long
        session.execute(update(WatchedTable).values(worker="w2"))
    it.thread.join(120)
    assert isinstance(it.error, Displaced) and it.error.exit_status == 3
    assert watched_tables.get_table(store, "A")["watched"], "the other one keeps it"
    assert [e["state"] for e in feed.events_after(store, 0)][-1] != "ended"


def test_a_worker_without_a_heartbeat_ends_with_what_stopped_it(
    store: Engine, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it is begun anew: everybody else takes the table for lost."""
    it = Started(store, Camera())
    assert until(lambda: [t["state"] for t in watched_tables.list_tables(store)] == ["watching"])
    monkeypatch.setattr(TableSession, "set_rules", lambda *_: 1 // 0)
    it.thread.join(120)
    assert isinstance(it.error, ZeroDivisionError)


def test_a_file_that_is_no_video_leaves_the_table_to_others(store: Engine, tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_text("no film")
    watched = TablePlan("A", VideoSource.of(str(tmp_path / "film.mp4")))
    with pytest.raises(FeedError, match=r"film\.mp4"):
        Worker(watched, store, BLIND, "w1", threading.Semaphore(1)).run()
    feed.claim(store, feed.Claim("A", "0", "w2", None))


def test_hands_laid_while_the_ledger_is_not_there_are_all_kept(
    store: Engine, quick: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Two hands come and go during the outage; each is settled and gone once, in that order, when it is over.

    Meanwhile the pictures are watched, and the heartbeat goes on afterwards.
    """
    coming: list[list[SessionEvent]] = []
    monkeypatch.setattr(TableSession, "check_motion", lambda *_: (coming.pop(0) if coming else [], None))
    monkeypatch.setattr(worker_module, "PREVIEW_SECONDS", 0.1)
    it = Started(store, Camera())
    assert until(lambda: it.worker._meter.frames > 2)
    file = tmp_path / "hupai.db"
    file.rename(tmp_path / "away")
    reading = cast(Reading, SimpleNamespace(to_json=lambda _: READ))
    for _ in range(2):
        hand = PublishedHand("", (), np.zeros((0, 4, 2), np.float32), np.zeros((0, 2), np.float32))
        coming.append([SessionEvent(EventKind.SETTLED, FeedState.HAND, 1.0, reading, hand)])
        coming.append([SessionEvent(EventKind.GONE, FeedState.WATCHING, published=hand)])
    assert until(lambda: not coming), "the pictures waited for the ledger"
    assert until(lambda: "the store does not answer" in caplog.text) and it.worker.events.hands == 0
    assert until(lambda: "the beat was not kept: The ledger" in caplog.text)
    seen = it.worker._meter.frames
    assert until(lambda: it.worker._meter.frames > seen + 20)
    (tmp_path / "away").rename(file)
    assert until(lambda: it.worker.events.hands == 2)
    heard = watched_tables.get_table(store, "A")["beat"]
    assert until(lambda: watched_tables.get_table(store, "A")["beat"] > heard)
    it.stop()
    every = feed.events_after(store, 0)
    told = [(e["event"], e["hand_id"] or e["gone"]) for e in every if e["hand_id"] or e.get("gone")]
    assert it.error is None and every[-1]["state"] == "ended"
    assert told == [("hand.settled", 1), ("table.state", 1), ("hand.settled", 2), ("table.state", 2)]


class _Broken:
    """A capture whose third picture cannot be decoded."""

    def __init__(self) -> None:
        self.reads = 0

    def grab(self) -> bool:
        self.reads += 1
        return True

    def retrieve(self) -> tuple[bool, Any]:
        if self.reads == 3:
            raise cv2.error("cannot be decoded")
        return True, np.full((18, 32, 3), self.reads, np.uint8)

    def release(self) -> None:
        """Nothing is held."""


def test_a_picture_that_cannot_be_decoded_does_not_end_the_watching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames_module, "RECONNECT_SECONDS", (0.01,))
    opened: list[_Broken] = []

    def another() -> _Broken:
        opened.append(_Broken())
        return opened[-1]

    source = cast(VideoSource, SimpleNamespace(open=cast(Callable[[], Any], another), shown="0"))
    live = LiveFrames(source)
    assert until(lambda: live.reconnects >= 2)
    live.close()
    assert len(opened) >= 3


class _LetThrough:
    """A camera whose frames are let through one by one; which were decoded is noted."""

    def __init__(self) -> None:
        self.frames, self.decoded, self.number = SimpleQueue[bool](), list[int](), 0

    def grab(self) -> bool:
        self.number += 1
        return self.frames.get()

    def retrieve(self) -> tuple[bool, Any]:
        self.decoded.append(self.number)
        return True, np.full((18, 32, 3), 1, np.uint8)

    def release(self) -> None:
        """Nothing is held."""


def test_a_camera_is_not_decoded_while_nobody_waits_for_a_frame() -> None:
    camera = _LetThrough()
    live = LiveFrames(cast(VideoSource, SimpleNamespace(open=lambda: camera, shown="0")), most=1e6)

    def pass_on() -> bool:
        before = live.captured
        camera.frames.put(True)
        return until(lambda: live.captured > before)

    assert all(pass_on() for _ in range(5)) and not camera.decoded
    taken: list[Frame] = []
    waiting = threading.Thread(target=lambda: taken.append(next(iter(live))))
    waiting.start()
    assert until(lambda: pass_on() and taken)
    waiting.join()
    assert all(pass_on() for _ in range(5))
    assert camera.decoded == [taken[0].number] and taken[0].number > 5
    camera.frames.put(False)
    live.close()


def test_a_camera_that_never_opens_is_tried_ever_more_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def refuse() -> Any:
        raise FeedError("No picture.")

    class Closed(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(timeout or 0)
            if len(waits) == 9:
                self.set()
            return self.is_set()

    mine = SimpleNamespace(Event=Closed, Condition=threading.Condition, Thread=threading.Thread)
    monkeypatch.setattr(frames_module, "threading", mine)
    live = LiveFrames(cast(VideoSource, SimpleNamespace(open=refuse, shown="0")))
    live._thread.join(120)
    assert waits == [0.5, 1, 2, 4, 8, 15, 30, 30, 30]


def test_a_store_that_stays_away_is_asked_ever_more_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("hupai.hall.feed.write_queue.time", SimpleNamespace(sleep=waits.append))

    def write() -> str:
        if len(waits) < 7:
            raise StoreError("The ledger is away.")
        return "kept"

    assert WriteQueue("A", threading.Event(), lambda: None).now(write) == "kept"
    assert waits == [0.5, 1, 2, 4, 8, 8, 8]
