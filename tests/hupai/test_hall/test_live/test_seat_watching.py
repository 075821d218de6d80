"""A seat's camera from its pictures to the server: only with consent, and nothing of it anywhere else."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NoReturn

import cv2
import numpy as np
import pytest

from datasets.scenes.player_videos import player_video
from hupai.hall.commands.watch import TOKEN_VARIABLE, watch
from hupai.hall.feed import threads
from hupai.hall.feed.capture.source import VideoSource
from hupai.hall.feed.errors import BadPlan, FeedError
from hupai.hall.feed.plan import TablePlan, read_plan
from hupai.hall.live import seat_watching
from hupai.hall.live.seat_post import SeatPost
from hupai.hall.live.seat_view import SeatView
from hupai.hall.live.seat_watching import SeatWatcher, watch_seats
from scoring.seats import Seat
from scoring.tiles import parse_tiles
from vision.pipeline import TileReader

VIEW = SeatView("hand", tuple(parse_tiles("123m456p789s1122z")))


class Post(SeatPost):
    """Keeps what would be sent."""

    def __init__(self, *, may_look: bool) -> None:
        super().__init__("http://nowhere", "hupai-x", "A", Seat.E, lambda _: None)
        self.may_look, self.views = may_look, list[SeatView]()

    def start(self) -> None:
        """Ask nobody."""

    def show(self, view: SeatView) -> None:
        self.views.append(view)

    def close(self) -> None:
        """Nothing is left to send."""


def plan_of(path: Path) -> TablePlan:
    return TablePlan("A", VideoSource.of(str(path)), seat=Seat.E)


def held_of(view: SeatView) -> tuple[tuple[str, ...], str | None]:
    return tuple(t.code for t in view.row), view.drawn.code if view.drawn else None


@pytest.mark.slow
def test_a_row_is_followed_through_a_video_and_nothing_is_left_of_it(
    reader: TileReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    film, video = player_video(2, seconds=1, fps=10), tmp_path / "seat.avi"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 10, film.size)
    for frame in film:
        writer.write(np.ascontiguousarray(frame[..., ::-1]))
    writer.release()
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    post, told = Post(may_look=True), list[str]()
    SeatWatcher(plan_of(video), reader, post, told.append).run()
    stood = [(held.row, held.drawn) for held in film.truth.held]
    shown = [held_of(view) for view in post.views if view.concealed]
    assert shown and set(shown) <= set(stood)
    assert shown[-1] == stood[-1]
    assert {"looking", "hand", "covered"} <= {view.state for view in post.views}
    words = " ".join([*told, *(record.getMessage() for record in caplog.records)]).split()
    assert not any(code in words for code in film.truth.held[0].row)
    assert not [*work.iterdir()]


def test_no_camera_is_opened_before_the_player_agrees(reader: TileReader, tmp_path: Path) -> None:
    video = tmp_path / "none.avi"
    video.write_text("no video: to open it is an error")
    post, told = Post(may_look=False), list[str]()
    asked = threading.Event()

    def report(text: str) -> None:
        told.append(text)
        asked.set()

    watcher = SeatWatcher(plan_of(video), reader, post, report)
    failed: list[FeedError] = []

    def run() -> None:
        try:
            watcher.run()
        except FeedError as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert asked.wait(30)
    assert "consent" in told[0]
    assert not failed
    post.may_look = True
    post.changed.set()
    thread.join(30)
    assert failed and not post.views


def test_a_seat_is_one_of_four_and_stands_once_in_a_plan(tmp_path: Path) -> None:
    (tmp_path / "seat.avi").touch()
    entry = f'[[table]]\nname = "A"\nsource = "{tmp_path / "seat.avi"}"\nseat = "{{}}"\n'
    plan = tmp_path / "tables.toml"
    plan.write_text(entry.format("e") + entry.format("N"))
    assert [t.seat for t in read_plan(plan).tables] == [Seat.E, Seat.N]
    plan.write_text(entry.format("E") + entry.format("e"))
    with pytest.raises(BadPlan, match="A E"):
        read_plan(plan)
    plan.write_text(entry.format("5"))
    with pytest.raises(BadPlan, match="E, S, W, N"):
        read_plan(plan)


@pytest.mark.parametrize(
    ("server", "token", "wanted"),
    [(None, "hupai-x", "--server"), ("hall", "hupai-x", "--server"), ("http://hall", "1234", TOKEN_VARIABLE)],
)
def test_a_seat_needs_a_server_and_a_token(
    server: str | None, token: str, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "seat.avi").touch()
    monkeypatch.setenv(TOKEN_VARIABLE, token)
    with pytest.raises(BadPlan, match=wanted):
        watch(str(tmp_path / "seat.avi"), table="A", seat="E", server=server)


def test_trouble_is_told_once_and_without_tiles() -> None:
    told: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    post = SeatPost(f"http://127.0.0.1:{port}", "hupai-x", "Table 1", Seat.S, told.append)
    post.show(VIEW)
    for _ in range(3):
        with pytest.raises(OSError) as caught:
            post._ask()
        post._tell(caught.value)
    assert len(told) == 1 and "refused" in told[0]
    assert not post.may_look


class Agreed(BaseHTTPRequestHandler):
    """A server that says that the player has agreed."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"may_look": true}')

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Broken:
    """A camera that brings its seat down with each picture that it would take."""

    def __init__(self, *_: object) -> None:
        """Nothing to open."""

    def __iter__(self) -> NoReturn:
        raise ZeroDivisionError(VIEW.row[0])

    def close(self) -> None:
        """Nothing to close."""


@pytest.fixture
def agreed() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Agreed) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_seat_that_crashes_is_watched_anew_and_no_tile_is_told(
    agreed: str, reader: TileReader, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(seat_watching, "LiveFrames", Broken)
    monkeypatch.setattr(threads, "RESTART_SECONDS", 0.0)
    stop, told = threading.Event(), list[str]()

    def report(text: str) -> None:
        if text.endswith("anew"):
            told.append(text)
        if len(told) == 2:
            stop.set()

    plan = TablePlan("A", VideoSource.of("0"), seat=Seat.E)
    assert watch_seats([plan], reader, agreed, "hupai-x", stop=stop, report=report) == []
    assert told == ["A E: ZeroDivisionError; watched anew"] * 2
    assert "in _look_on" in caplog.text and VIEW.row[0].code not in caplog.text


def test_a_video_that_crashes_a_seat_ends_the_command_with_the_crash(
    agreed: str, reader: TileReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_watching, "VideoFrames", Broken)
    video = tmp_path / "seat.avi"
    video.touch()
    with pytest.raises(ZeroDivisionError):
        watch_seats([plan_of(video)], reader, agreed, "hupai-x", stop=threading.Event(), report=lambda _: None)


def test_a_source_that_cannot_be_watched_is_named(agreed: str, reader: TileReader, tmp_path: Path) -> None:
    video = tmp_path / "none.avi"
    video.write_text("no video")
    told: list[str] = []
    failed = watch_seats([plan_of(video)], reader, agreed, "hupai-x", stop=threading.Event(), report=told.append)
    assert len(failed) == 1 and told[-1] == f"A E: {failed[0].message}"
