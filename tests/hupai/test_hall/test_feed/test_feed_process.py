"""``hupai watch`` as a process: killed, cut off, restarted; what it tells and whom. Real streams, brokers, servers."""

from __future__ import annotations

import contextlib
import http.server
import json
import shutil
import signal
import socket
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.client import HTTPResponse
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import cv2
import httpx
import pytest
from sqlalchemy import Engine, update

from datasets.scenes.videos import table_video, write_video
from hupai.hall.events import feed
from hupai.hall.feed import forward
from hupai.hall.feed.forward import Forwarder, Mqtt, Undelivered, Webhook
from hupai.hall.store.watched import laid_hands, watched_tables
from hupai.hall.tables import FeedDelivery, WatchedTable
from hupai.store.database import reading, writing
from scripts.bench.host import free_port
from tests.hupai import in_process
from tests.hupai.serving import OPEN, running
from tests.hupai.store_builders import see_game
from tests.hupai.test_hall.test_feed.feeding import HAND, JPEG, READ, game_at, rtsp_server, watching
from tests.waiting import until

pytestmark = pytest.mark.slow
LEASE_SECONDS = 600
LEASE = {"hupai.hall.events.feed.LEASE": LEASE_SECONDS}
"""Longer than it is: a dead watcher still has its table when the next one has started, however long that took."""


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One hand is laid down, lies for seconds, is pushed away."""
    path = tmp_path_factory.mktemp("film") / "table.avi"
    write_video(table_video(105, hands=1, troubles=["none"], size=(1120, 630), fps=12, rules="hongkong"), path)
    return path


@pytest.fixture(scope="module")
def published(video: Path) -> Path:
    """The hand lies there from the first frame to the last; in between the camera hangs for 7 seconds."""
    truth = json.loads(video.with_suffix(".json").read_text())
    capture = cv2.VideoCapture(str(video))
    capture.set(cv2.CAP_PROP_POS_FRAMES, round(12 * truth["hands"][0]["settled"]) + 2)
    frames = [capture.read()[1] for _ in range(24)]
    path = video.with_name("published.avi")
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 12, frames[0].shape[1::-1])
    for frame in (*frames, *[frames[-1]] * 84, *frames):
        writer.write(frame)
    writer.release()
    return path


def forget_beats(engine: Engine) -> None:
    """As if every watcher had been silent for longer than a lease, also for who began to look a moment ago."""
    with writing(engine) as session:
        session.execute(update(WatchedTable).values(beat=datetime.now(UTC) - timedelta(seconds=2 * LEASE_SECONDS)))


def events(engine: Engine, kind: str | None = None) -> list[dict[str, Any]]:
    return [e for e in feed.events_after(engine, 0, 1000) if kind is None or e["event"] == kind]


def test_a_file_is_watched_to_its_end(video: Path, tmp_path: Path, store: Engine) -> None:
    it = watching(str(video), "A", tmp_path, "--rules", "hongkong")
    assert it.process.wait(600) == 0, it.said
    told = events(store)
    assert [e["event"] for e in told].count("hand.settled") == 1 and told[-1]["state"] == "ended"
    table = watched_tables.get_table(store, "A")
    assert not table["watched"] and table["health"]["reads"] > 3 and table["last"]["gone_at"] is not None
    assert watched_tables.preview(store, "A")[:2] == b"\xff\xd8"


def test_killed_between_event_and_confirmation_nothing_is_lost_or_doubled(
    published: Path, tmp_path: Path, store: Engine
) -> None:
    """kill -9 while the hand lies there, watch again while it still does, confirm meanwhile."""
    first = watching(str(published), "A", tmp_path, "--rules", "hongkong", "--speed", "0.3", hurried=LEASE)
    assert first.heard("won with"), first.said
    first.kill()
    (settled,) = events(store, "hand.settled")
    key = settled["hand_id"]
    assert laid_hands.get_camera_hand(store, key)["status"] == "settled"
    assert feed.find_frame(store, settled["frame"]).jpeg[:2] == b"\xff\xd8"
    # The table still belongs to the dead process; the new one waits until that has been silent for long enough.
    again = watching(str(published), "A", tmp_path, "--rules", "hongkong", hurried=LEASE)
    assert again.heard("waiting whether it is still alive"), again.said
    game = game_at(store)
    laid_hands.correct(store, key, 1, HAND)
    laid_hands.confirm(store, key, 2, {"context": {"seat": "S", "win": "self_draw"}, "also": [], "riichi": []})
    forget_beats(store)
    assert again.process.wait(600) == 0, again.said
    kinds = Counter(e["event"] for e in events(store))
    assert (kinds["hand.settled"], kinds["hand.confirmed"], kinds["hand.corrected"]) == (1, 1, 1)
    assert laid_hands.get_camera_hand(store, key)["status"] == "confirmed"
    assert len(see_game(store, game)["hands"]) == 1
    numbers = [e["number"] for e in events(store)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_table_that_is_watched_is_not_taken(published: Path, tmp_path: Path, store: Engine) -> None:
    slowly = ("--rules", "hongkong", "--speed", "0.01")  # for longer than the other takes to start
    first = watching(str(published), "A", tmp_path, *slowly, hurried=LEASE)
    assert first.heard("A: watching"), first.said
    second = watching(str(published), "A", tmp_path, hurried=LEASE)
    assert second.process.wait(600) == 3 and second.heard("is being watched by"), second.said
    assert first.process.poll() is None and first.stop() == 0
    assert len(events(store, "hand.settled")) <= 1


def test_a_server_killed_while_it_confirms_pays_once(tmp_path: Path, store: Engine) -> None:
    feed.claim(store, feed.Claim("A", "0", "w1", None))
    settle(store, 1)
    game = game_at(store)
    (laid,) = watched_tables.get_table(store, "A")["hands"]
    url = f"/laid/{laid['id']}/confirm"
    body = {"context": {"seat": "S", "win": "self_draw"}, "version": 1, "seen": {"revision": 0}}
    code = {"X-Hupai-Director": "chief"}
    with running(tmp_path, director_code="chief", **OPEN) as server, server.client(headers=code) as client:

        def send() -> None:
            with contextlib.suppress(httpx.HTTPError):  # it dies under the request, or just after
                client.post(url, json=body)

        thread = threading.Thread(target=send)
        thread.start()
        server.kill()
        thread.join(120)
    with running(tmp_path, director_code="chief", **OPEN) as server, server.client(headers=code) as client:
        for _ in range(2):
            assert client.post(url, json=body).status_code == 200
    assert len(see_game(store, game)["hands"]) == 1
    assert [e["event"] for e in events(store)] == ["table.state", "hand.settled", "hand.confirmed"]


@pytest.mark.release
def test_a_stream_that_freezes_hangs_and_is_cut_comes_back_and_the_hand_is_one(
    published: Path, tmp_path: Path, store: Engine
) -> None:
    """The same picture again and again; a server that is stopped; one that is killed and started anew."""
    port = free_port()
    server = rtsp_server(port, published)
    if server is None:
        needed = "ffmpeg gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-bad"
        pytest.skip(f"ffmpeg or GStreamer's RTSP server is not installed (apt-get install {needed})")
    it = watching(f"rtsp://user:secret@127.0.0.1:{port}/table", "A", tmp_path, "--rules", "hongkong")
    try:
        assert it.heard("won with"), it.said
        assert it.heard("A: frozen"), it.said
        count = len(it.said)
        assert until(lambda: any("A: hand" in line for line in it.said[count:])), it.said
        for stop, back in ((server.send_signal, signal.SIGCONT), (server.kill, None)):
            count = len(it.said)
            stop(*([signal.SIGSTOP] if back else []))
            assert until(lambda: any("A: lost (" in line for line in it.said[count:])), it.said  # noqa: B023
            count = len(it.said)
            if back:
                server.send_signal(back)
            else:
                server.wait()
                server = rtsp_server(port, published)
                assert server is not None
            assert until(lambda: any("A: hand" in line for line in it.said[count:])), it.said  # noqa: B023
        assert until(lambda: watched_tables.get_table(store, "A")["health"].get("reconnects", 0) >= 1)
        assert "secret" not in json.dumps(watched_tables.get_table(store, "A"))
        assert it.stop() == 0
        assert not [line for line in it.said if not line.startswith("A: ")], it.said
        assert "secret" not in "".join(it.said)
        assert len(events(store, "hand.settled")) == 1
    finally:
        it.process.kill()
        if server is not None:
            server.kill()
            server.wait()


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["nowhere.avi"], 3, "nowhere.avi"),
        (["0", "--corners", "0.1,0.1"], 2, "four points"),
        (["0", "--rules", "chess"], 2, "chess"),
    ],
)
def test_what_cannot_be_watched_is_said(tmp_path: Path, arguments: list[str], status: int, told: str) -> None:
    found, _, stderr = in_process.hupai("watch", *arguments, "--table", "A", "--data-folder", tmp_path)
    assert found == status and told in stderr


class _Hook(http.server.BaseHTTPRequestHandler):
    took: ClassVar[list[int]] = []
    refuse: ClassVar[list[int]] = [3]  # more often than there are waits

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.refuse[0]:
            self.refuse[0] -= 1
            self.send_response(503)
        else:
            self.took.append(body["number"])
            assert self.headers["X-Hupai-Event"] == str(body["number"])
            self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quiet."""


def settle(engine: Engine, count: int, first: int = 0) -> None:
    for i in range(first, first + count):
        feed.add_settled_hand(engine, "A", "w1", f"t{i}", READ, JPEG, {})


def begun(engine: Engine) -> bool:
    """Whether somebody who is told has a place in the store: from where on."""
    with reading(engine) as session:
        return session.query(FeedDelivery).count() > 0


def test_a_webhook_gets_every_event_though_it_refuses_at_first(store: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward, "RETRY_SECONDS", (0.1, 0.2))
    feed.claim(store, feed.Claim("A", "0", "w1", None))
    hook = _Hook
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/x"
    with Forwarder(store, Webhook(address)).running("p1"):
        assert until(lambda: begun(store)), "it does not know where to begin"
        settle(store, 5)
        assert until(lambda: len(hook.took) >= 5), hook.took
    settle(store, 2, 5)  # while nobody tells
    with Forwarder(store, Webhook(address)).running("p1"):
        assert until(lambda: len(hook.took) >= 7), hook.took
    server.shutdown()
    assert hook.took == [2, 3, 4, 5, 6, 7, 8]


@dataclass
class Broker:
    """A running mosquitto, and the topic and number of everything published under ``cup``."""

    process: subprocess.Popen[bytes]
    port: int
    heard: list[tuple[str, int]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}/cup"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    client = pytest.importorskip("paho.mqtt.client", reason="paho-mqtt is not installed (pip install paho-mqtt)")
    binary = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if binary is None:
        pytest.skip("mosquitto is not installed (apt-get install mosquitto)")
    port = free_port()
    (tmp_path / "m.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    it = Broker(subprocess.Popen([binary, "-c", str(tmp_path / "m.conf")], stderr=subprocess.DEVNULL), port)
    listener = client.Client(client.CallbackAPIVersion.VERSION2)
    listener.on_message = lambda _c, _u, m: it.heard.append((m.topic, json.loads(m.payload)["number"]))
    try:

        def connected() -> bool:
            try:
                listener.connect("127.0.0.1", port)
            except OSError:
                return False
            return True

        assert until(connected)
        listens = threading.Event()
        listener.on_subscribe = lambda *_: listens.set()
        listener.subscribe("cup/#", qos=1)
        listener.loop_start()
        assert listens.wait(120), "the broker does not know of the listener"
        yield it
    finally:
        listener.loop_stop()
        it.process.kill()
        it.process.wait(120)


def test_what_was_tried_often_while_a_broker_hung_comes_at_most_twice(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once more for the try that it had already been sent; a client that keeps every try would tell them all."""
    target = Mqtt(broker.address)
    events = [{"number": n, "event": "hand.settled", "table": "A"} for n in (1, 2, 3)]
    target.send(events[0])
    monkeypatch.setattr(forward, "_TIMEOUT_SECONDS", 0.5)
    broker.process.send_signal(signal.SIGSTOP)
    for words in ("did not confirm", "did not answer in time", "did not answer in time"):
        with pytest.raises(Undelivered, match=words):
            target.send(events[1])
    broker.process.send_signal(signal.SIGCONT)
    monkeypatch.setattr(forward, "_TIMEOUT_SECONDS", 20)
    for event in events[1:]:
        target.send(event)
    assert until(lambda: ("cup/A/hand.settled", 3) in broker.heard)
    target.close()
    numbers = [number for _, number in broker.heard]
    assert numbers in ([1, 2, 3], [1, 2, 2, 3])


Told = list[tuple[int, str, dict[str, Any]]]


def sse(url: str, headers: dict[str, str], count: int, opened: threading.Event | None = None) -> Told:
    """The first events of a stream."""
    found: Told = []
    with httpx.stream("GET", url, headers=headers) as reply:
        assert reply.status_code == 200 and reply.headers["content-type"].startswith("text/event-stream")
        if opened is not None:
            opened.set()
        item: dict[str, str] = {}
        for line in reply.iter_lines():
            if not line and "data" in item:
                found.append((int(item["id"]), item["event"], json.loads(item["data"])))
                item = {}
                if len(found) == count:
                    return found
            elif ": " in line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                item[name] = value
    return found


def heard_while(act: Callable[[], None], url: str, headers: dict[str, str], count: int) -> Told:
    """The first events of a stream that is open before something is done."""
    opened = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        listening = pool.submit(sse, url, headers, count, opened)
        assert opened.wait(120)
        act()
        return listening.result()


def test_a_consumer_that_comes_back_gets_what_it_missed(tmp_path: Path, store: Engine) -> None:
    with running(tmp_path, **OPEN) as server:
        for table in "AB":
            feed.claim(store, feed.Claim(table, "0", "w1", None))
        settle(store, 4)
        url = f"{server.api}/events"
        assert [n for n, _, _ in sse(url, {"Last-Event-ID": "3"}, 3)] == [4, 5, 6]
        assert [n for n, _, _ in sse(f"{url}?after=0&table=A", {}, 5)] == [1, 3, 4, 5, 6]
        waiting = heard_while(lambda: settle(store, 2, 4), url, {}, 2)
        assert [(n, kind) for n, kind, _ in waiting] == [(7, "hand.settled"), (8, "hand.settled")]
        assert waiting[0][2]["hand"] == HAND
        # The number of a store that was replaced since: what happens from now on comes all the same.
        stale = heard_while(lambda: settle(store, 1, 6), url, {"Last-Event-ID": "99999"}, 1)
        assert [n for n, _, _ in stale] == [9]


def test_slow_and_old_listeners_hear_what_a_quick_one_hears(tmp_path: Path, store: Engine) -> None:
    """A crowd's sockets are written to directly; not one that is full, nor one that is not sent chunks."""

    def add_large_events() -> None:
        for i in range(60):
            feed.add_settled_hand(store, "A", "w1", f"t{i}", READ, JPEG, {"note": f"{i}" * 100_000})

    def follow(version: str) -> HTTPResponse:
        stream = stack.enter_context(socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), 600))
        stream.sendall(f"GET /api/v1/events HTTP/{version}\r\nHost: localhost\r\n\r\n".encode())
        answer = HTTPResponse(stream)
        answer.begin()
        assert [answer.readline()[:6] for _ in range(3)] == [b"retry:", b": from", b"\n"]
        return answer

    with running(tmp_path, **OPEN) as server, ExitStack() as stack:
        feed.claim(store, feed.Claim("A", "0", "w1", None))
        others = [follow("1.1"), follow("1.0")]
        quick = heard_while(add_large_events, f"{server.api}/events", {}, 60)
        assert [n for n, _, _ in quick] == list(range(2, 62)), "after that the table is watched"
        for answer in others:
            told = islice((line for line in iter(answer.readline, b"") if line.startswith(b"data: ")), 60)
            assert [json.loads(line[6:]) for line in told] == [body for _, _, body in quick]


def test_the_server_stops_though_somebody_listens(tmp_path: Path) -> None:
    opened, ended = threading.Event(), threading.Event()
    with running(tmp_path, **OPEN) as server:

        def listen() -> None:
            with httpx.stream("GET", f"{server.api}/events", timeout=None) as reply:
                for _ in reply.iter_lines():
                    opened.set()
            ended.set()

        thread = threading.Thread(target=listen)
        thread.start()
        assert opened.wait(120)
        server.process.terminate()
        assert server.process.wait(600) in (0, -signal.SIGTERM)
        assert ended.wait(120)
        thread.join()
