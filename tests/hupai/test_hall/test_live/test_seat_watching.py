"""A seat's camera from its pictures to the server: only with consent, and nothing of it anywhere else."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.scenes.player_videos import player_video
from hupai.hall.commands.watch import TOKEN_VARIABLE, watch
from hupai.hall.feed.capture.source import VideoSource
from hupai.hall.feed.errors import BadPlan, FeedError
from hupai.hall.feed.plan import TablePlan, read_plan
from hupai.hall.live.seat_post import SeatPost
from hupai.hall.live.seat_view import SeatView
from hupai.hall.live.seat_watching import SeatWatcher
from scoring.seats import Seat
from scoring.tiles import parse_tiles
from vision.pipeline import TileReader

VIEW = SeatView("hand", tuple(parse_tiles("123m456p789s1122z")))


class Post:
    """Takes the place of the server."""

    def __init__(self, *, may_look: bool) -> None:
        self.may_look, self.changed, self.views = may_look, threading.Event(), list[SeatView]()

    def show(self, view: SeatView) -> None:
        self.views.append(view)


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


class Hall(ThreadingHTTPServer):
    """Answers as the server does, and notes what it is asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.may_look, self.refuses = True, False
        self.asked: list[tuple[str, str, str, Any]] = []
        self.news = threading.Condition()


class Answer(BaseHTTPRequestHandler):
    server: Hall

    def do_GET(self) -> None:
        self.answer(200, {"may_look": self.server.may_look})

    def do_PUT(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(403 if self.server.refuses else 204, body=body)

    def answer(self, status: int, given: Any = None, body: Any = None) -> None:
        self.send_response(status)
        self.end_headers()
        if given is not None:
            self.wfile.write(json.dumps(given).encode())
        with self.server.news:
            self.server.asked.append((self.command, self.path, self.headers["X-Hupai-Code"], body))
            self.server.news.notify_all()

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def hall() -> Iterator[Hall]:
    server = Hall()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def post_to(hall: Hall, told: list[str]) -> SeatPost:
    return SeatPost(f"http://127.0.0.1:{hall.server_port}", "hupai-x", "Table 1", Seat.S, told.append)


def test_a_view_is_put_where_the_seat_is_with_the_token(hall: Hall) -> None:
    post = post_to(hall, told := [])
    post.start()
    assert post.changed.wait(30) and post.may_look
    post.show(VIEW)
    with hall.news:
        assert hall.news.wait_for(lambda: any(asked[0] == "PUT" for asked in hall.asked), 30)
    post.close()
    method, path, token, body = next(asked for asked in hall.asked if asked[0] == "PUT")
    assert (method, path, token) == ("PUT", "/api/v1/live/Table%201/S", "hupai-x")
    assert SeatView.from_json(body) == VIEW
    assert not told


def test_a_refused_view_ends_the_looking(hall: Hall) -> None:
    hall.refuses = True
    post = post_to(hall, [])
    post.start()
    assert post.changed.wait(30)
    post.changed.clear()
    hall.may_look = False
    post.show(VIEW)
    assert post.changed.wait(30) and not post.may_look
    post.close()


def test_trouble_is_told_once_and_without_tiles(hall: Hall) -> None:
    post = post_to(hall, told := [])
    hall.shutdown()
    hall.server_close()
    post.show(VIEW)
    for _ in range(3):
        with pytest.raises(OSError) as caught:
            post._ask()
        post._tell(caught.value)
    assert len(told) == 1 and "refused" in told[0]
    assert not post.may_look
