"""The parts of watching: stillness, the table's plane, fused reads, sources, the file of tables."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, count, islice, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from datasets.scenes.mount import Mount
from hupai.hall.feed.background_reader import BackgroundReader
from hupai.hall.feed.capture.frames import FrameSource, VideoFrames
from hupai.hall.feed.capture.source import VideoSource
from hupai.hall.feed.errors import BadPlan, FeedError
from hupai.hall.feed.health import HealthMeter
from hupai.hall.feed.plan import parse_table, read_plan
from hupai.hall.feed.session import read_schedule, table_session
from hupai.hall.feed.session.published import PublishedHand, Verdict
from hupai.hall.feed.session.read_schedule import LATE_READS
from hupai.hall.feed.session.remembered import MISSING_READS, MISSING_SECONDS, RememberedHand
from hupai.hall.feed.session.session_events import EventKind, FeedState
from hupai.hall.feed.session.table_session import PendingRead, TableSession
from hupai.hall.feed.session.tracks import Tracks
from hupai.hall.feed.stillness.background import BackgroundModel
from hupai.hall.feed.stillness.homography import (
    TILE_ASPECT,
    homography_from_corners,
    homography_from_tiles,
    overhead_homography,
)
from hupai.hall.feed.stillness.motion import MotionGate
from scoring.tiles import Tile, tile
from scripts.bench.host import free_port
from tests.vision.laid import row
from vision.arrays import ImageArray, to_quad
from vision.reading import Sighting

pytestmark = pytest.mark.slow


def scene(seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    small = rng.integers(40, 200, (18, 32, 3)).astype(np.uint8)
    return cv2.resize(small, (640, 360), interpolation=cv2.INTER_CUBIC)


NOISE = 3 * np.random.default_rng(0).standard_normal(3_000_000, np.float32)
"""More than a picture needs: every frame takes it from another place on, which is as good as drawing it anew."""


def noisy(image: np.ndarray, rng: np.random.Generator, gain: float = 1.0) -> np.ndarray:
    begin = rng.integers(NOISE.size - image.size)
    noise = NOISE[begin : begin + image.size].reshape(image.shape)
    return np.clip(image * np.float32(gain) + noise, 0, 255).astype(np.uint8)


def test_noise_and_flicker_are_stillness_and_a_moving_thing_is_not() -> None:
    rng, gate, image = np.random.default_rng(0), MotionGate(), scene()
    for i in range(30):
        motion = gate.update(noisy(image, rng, 1 + 0.1 * np.sin(i * 2.4)), i / 10)
    assert motion.still_for == pytest.approx(2.9, abs=0.11)
    moved = image.copy()
    cv2.rectangle(moved, (300, 150), (330, 190), (250, 250, 240), -1)
    motion = gate.update(noisy(moved, rng), 3.0)
    assert motion.still_for == 0 and motion.moved > 0
    for i in range(31, 40):
        motion = gate.update(noisy(moved, rng), i / 10)
    assert motion.still_for == pytest.approx(0.9, abs=0.11)


def test_what_creeps_is_not_still() -> None:
    rng, gate, image = np.random.default_rng(0), MotionGate(), scene()
    longest = 0.0
    for i in range(60):
        moved = image.copy()
        cv2.rectangle(moved, (100 + 2 * i, 150), (140 + 2 * i, 200), (250, 250, 240), -1)
        longest = max(longest, gate.update(noisy(moved, rng), i / 10).still_for)
    assert longest < 1.0


def test_dark_and_frozen_pictures_are_told() -> None:
    rng, gate, image = np.random.default_rng(0), MotionGate(), scene()
    assert not gate.update(noisy(image, rng), 0.0).dark
    assert gate.update(noisy(image * 0, rng), 0.1).dark
    still = noisy(image, rng)
    for i in range(60):
        motion = gate.update(still, 1 + i / 10)
    assert motion.frozen_for == pytest.approx(5.9) and not motion.dark
    assert gate.update(noisy(image, rng), 8.0).frozen_for == 0


SHAKY = Mount(jitter=2.0, sway=6.0, breathing=0.003, drift=0.05, rolling=2.0)


def test_a_camera_that_shakes_sees_a_still_table() -> None:
    """2 pixels of a picture 1280 wide from frame to frame, on a slow swing of 6, with breathing focus and exposure."""
    rng, gate, image = np.random.default_rng(0), MotionGate(), scene()
    motions = [gate.update(noisy(SHAKY.move(image, i / 15, rng), rng), i / 15) for i in range(60)]
    assert max(motion.still_for for motion in motions) > 1.9 and motions[-1].shake > 1


def test_a_shake_is_told_in_pixels_of_the_picture_whatever_its_corners() -> None:
    rng, image = np.random.default_rng(0), scene()
    shakes = []
    for corners in (None, [(200, 60), (440, 60), (440, 300), (200, 300)]):
        gate, mount = MotionGate(), Mount(jitter=4.0)
        if corners:
            gate.set_table(homography_from_corners(corners))
        shakes.append(np.mean([gate.update(mount.move(image, i / 15, rng), i / 15).shake for i in range(90)][30:]))
    assert shakes[1] == pytest.approx(shakes[0], rel=0.2)


def test_what_moves_before_a_camera_that_shakes_is_motion() -> None:
    """A tile is moved every two seconds; in between the table has been still for a while, however the camera shook."""
    rng, gate, image = np.random.default_rng(0), MotionGate(), scene()
    still = []
    for i in range(90):
        moved = image.copy()
        cv2.rectangle(moved, (280, 150 + 6 * (i // 30)), (306, 186 + 6 * (i // 30)), (240, 245, 250), -1)
        still.append(gate.update(noisy(SHAKY.move(moved, i / 15, rng), rng), i / 15).still_for)
    assert still[30] == still[60] == 0
    assert min(max(still[begin : begin + 30]) for begin in (0, 30, 60)) > 0.8


def test_a_camera_that_shakes_too_much_is_told_and_one_before_busy_hands_is_not() -> None:
    rng, image = np.random.default_rng(0), scene()
    states: dict[str, list[FeedState]] = {}
    for name, mount in (("busy", SHAKY), ("loose", Mount(jitter=25.0))):
        table = TableSession(lambda _: [])
        for i in range(150):
            busy = image.copy()
            cv2.circle(busy, (int(320 + 200 * np.sin(i / 3)), 180), 60, (90, 120, 200), -1)
            events = table.process_frame(noisy(mount.move(busy, i / 15, rng), rng), i / 15)
            states.setdefault(name, []).extend(event.state for event in events)
        for i in range(150, 180):
            busy = image.copy()
            cv2.circle(busy, (int(320 + 200 * np.sin(i / 3)), 180), 60, (90, 120, 200), -1)
            events = table.process_frame(noisy(busy, rng), i / 15)
            states[name].extend(event.state for event in events)
    assert states == {
        "busy": [FeedState.WATCHING],
        "loose": [FeedState.WATCHING, FeedState.SHAKING, FeedState.WATCHING],
    }


def test_only_the_table_counts_once_its_corners_are_known() -> None:
    rng, image = np.random.default_rng(0), scene()
    gate = MotionGate()
    gate.set_table(homography_from_corners([(200, 40), (600, 40), (600, 340), (200, 340)]))
    for i in range(20):
        walker = image.copy()
        cv2.circle(walker, (60, 40 + 14 * i), 50, (0, 0, 0), -1)
        motion = gate.update(noisy(walker, rng), i / 10)
    assert motion.still_for > 1.5


def quads_of(matrix: np.ndarray, rng: np.random.Generator, count: int = 20) -> np.ndarray:
    """Tiles of one size lying about on a table, seen through a homography table -> pixels."""
    found = []
    for _ in range(count):
        x, y, a = rng.uniform(-10, 10), rng.uniform(-6, 6), rng.uniform(0, 2 * np.pi)
        h = TILE_ASPECT / 2
        corners = np.array([[-0.5, -h], [0.5, -h], [0.5, h], [-0.5, h]])
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        found.append(corners @ turn.T + [x, y])
    flat = np.array(found).reshape(-1, 1, 2)
    return cv2.perspectiveTransform(flat, matrix).reshape(-1, 4, 2)


@pytest.mark.parametrize("tilt", [0.0, 0.008, 0.016])
def test_tiles_tell_how_the_camera_stands(tilt: float) -> None:
    rng = np.random.default_rng(4)
    view = np.array([[40, 6, 640], [-4, 30 + 10 * (tilt == 0), 360], [0, tilt, 1]], float)
    quads = quads_of(view, rng) + rng.normal(0, 0.4, (20, 4, 2))
    quads[3] += 30  # one corner set that is wrong
    quads[3, 0] -= 60
    plane = homography_from_tiles(quads.astype(np.float32), 1280, 720)
    assert plane is not None
    fresh = quads_of(view, np.random.default_rng(5))
    flat = plane.to_table(fresh.astype(np.float32))
    wide = np.linalg.norm(flat[:, 1] - flat[:, 0], axis=1)
    high = np.linalg.norm(flat[:, 2] - flat[:, 1], axis=1)
    assert np.abs(wide - 1).max() < 0.08 and np.abs(high / TILE_ASPECT - 1).max() < 0.08


def test_too_few_tiles_and_nonsense_tell_nothing() -> None:
    rng = np.random.default_rng(1)
    assert homography_from_tiles(quads_of(np.diag([40.0, 40, 1]), rng, 4).astype(np.float32), 1280, 720) is None
    assert homography_from_tiles(rng.uniform(0, 700, (20, 4, 2)).astype(np.float32), 1280, 720) is None


def test_corners_make_a_square_whatever_their_order() -> None:
    corners = [(100, 80), (1100, 120), (1200, 700), (20, 660)]
    square = homography_from_corners(corners, side=10).to_table(np.array(corners, np.float32))
    assert np.allclose(square, [[0, 0], [10, 0], [10, 10], [0, 10]], atol=1e-3)
    for order in ([2, 0, 3, 1], [3, 2, 1, 0]):
        plane = homography_from_corners([corners[i] for i in order], side=10)
        assert np.allclose(plane.to_table(np.array(corners, np.float32)), square, atol=1e-3)
    for bad in (
        [(0, 0)] * 4,
        [(0, 0), (1, 1), (2, 2), (3, 3)],
        [(0, 0), (9, 9)],
        [(0, 0), (1, 0), (float("nan"), 2), (3, 3)],
    ):
        with pytest.raises(FeedError) as error:
            homography_from_corners(bad)
        assert error.value.code == "bad_corners"


def seen(x: float, posterior: dict[str, float]) -> Sighting:
    quad = (x, 0), (x + 30, 0), (x + 30, 40), (x, 40)
    known: dict[Tile, float] = {tile(code): p for code, p in posterior.items()}
    best = max(known, key=lambda t: known[t])
    return Sighting(quad, best, known[best], known)


def test_views_of_one_tile_are_weighed_together_but_do_not_make_sure_without_end() -> None:
    tracks, plane = Tracks(), overhead_homography(30)
    tracks.add([seen(0, {"6m": 0.55, "7m": 0.45}), seen(40, {"1z": 0.99})], plane)
    tracks.add([seen(41, {"1z": 0.98}), seen(1, {"6m": 0.2, "7m": 0.8})], plane)
    assert [t.fused.tile.code for t in tracks.current()] == ["7m", "1z"]
    for _ in range(30):
        tracks.add([seen(0, {"6m": 0.4, "7m": 0.6}), seen(40, {"1z": 0.99})], plane)
    first = tracks.current()[0].fused
    assert first.tile.code == "7m" and first.confidence < 0.85


def test_another_tile_in_the_same_place_is_another_tile() -> None:
    tracks, plane = Tracks(), overhead_homography(30)
    for _ in range(3):
        tracks.add([seen(0, {"6m": 0.99})], plane)
    tracks.add([seen(0, {"2p": 0.99})], plane)
    (only,) = tracks.current()
    assert only.fused.tile.code == "2p" and only.views == 1


def test_bare_table_is_told_from_what_hides_it() -> None:
    rng, background = np.random.default_rng(0), BackgroundModel()
    table = scene(7)
    places = np.array(
        [[[200, 150], [240, 150], [240, 200], [200, 200]], [[300, 150], [340, 150], [340, 200], [300, 200]]]
    )
    for _ in range(3):
        background.update(noisy(table, rng), np.zeros((0, 4, 2), np.float32), fresh=True)
    covered = noisy(table, rng)
    cv2.rectangle(covered, (190, 140), (250, 210), (120, 150, 220), -1)
    bare = background.background_share(covered, places.astype(np.float32))
    assert bare[0] < 0.3 and bare[1] > 0.9
    dimmer = background.background_share(noisy(table, rng, 0.7), places.astype(np.float32))
    assert dimmer.min() > 0.9
    move = np.array([[1, 0, 12], [0, 1, -7]], np.float32)
    pushed = cv2.warpAffine(table, move, (640, 360), borderMode=cv2.BORDER_REFLECT)
    other = background.copy()
    other.warp(move, table.shape)
    nothing = np.zeros((0, 4, 2), np.float32)
    assert other.match_share(noisy(pushed, rng), nothing) > background.match_share(noisy(pushed, rng), nothing)


def test_a_table_whose_light_wanders_while_something_hides_part_of_it_stays_bare_table() -> None:
    table, nothing = np.full((360, 640, 3), 100, np.uint8), np.zeros((0, 4, 2), np.float32)
    background = BackgroundModel()
    background.update(table, nothing, fresh=True)
    for blue in range(100, 150):
        table[:, :200, 0] = blue
        background.update(table, nothing, fresh=False)
    place = np.array([[[100, 150], [140, 150], [140, 200], [100, 200]]], np.float32)
    assert background.background_share(table, place)[0] > 0.9


def test_a_hand_is_followed_by_the_tiles_that_lie_still_in_it() -> None:
    laid, plane = row("123m456p789s11z", y=200), overhead_homography(40)
    quads = np.array([s.corners for s in laid], np.float32)
    hand = PublishedHand("", tuple(s.tile for s in laid), quads, plane.to_table(quads.mean(axis=1)))
    pushed = quads + np.array([0, 4], np.float32)
    pushed[-1] += 0, 12  # this one somebody has touched
    tracks = Tracks()
    tracks.add([replace(s, corners=to_quad(q)) for s, q in zip(laid, pushed, strict=True)], plane)
    verdict, move = hand.judge(tracks.current(), scene(), BackgroundModel())
    assert verdict is Verdict.HERE and move is not None
    assert np.allclose(cv2.transform(quads, move)[:-1], pushed[:-1], atol=0.1)


@pytest.mark.parametrize(
    ("scale", "verdict"), [(0.95, Verdict.MOVED), (1, Verdict.MOVED), (0.8, Verdict.GONE), (1.25, Verdict.GONE)]
)
def test_a_hand_that_was_pushed_keeps_its_size(scale: float, verdict: Verdict) -> None:
    laid, plane = row("123m456p789s11z", y=200), overhead_homography(40)
    quads = np.array([s.corners for s in laid], np.float32)
    hand = PublishedHand("", tuple(s.tile for s in laid), quads, plane.to_table(quads.mean(axis=1)))
    tracks = Tracks()
    tracks.add([replace(s, corners=to_quad(np.array(s.corners) * scale + (20, 60))) for s in laid], plane)
    background = BackgroundModel()
    for _ in range(3):
        background.update(scene(), np.zeros((0, 4, 2), np.float32), fresh=True)
    assert hand.judge(tracks.current(), scene(), background)[0] is verdict


@pytest.mark.parametrize(
    ("text", "kind", "shown"),
    [
        ("0", "webcam", "0"),
        ("/dev/video2", "webcam", "/dev/video2"),
        ("rtsp://boss:secret@cam:554/one?token=x", "stream", "rtsp://cam:554/one?..."),
        ("http://cam/mjpeg", "stream", "http://cam/mjpeg"),
        ("rtsp://boss:s%23cret@cam/one#two", "stream", "rtsp://cam/one"),
        ("rtsp://boss:s@cret@cam/one", "stream", "rtsp://cam/one"),
        ("rtsp://boss:12/34@cam/one", "stream", "rtsp://cam/one"),
        ("rtsp://boss:12?34@cam/one", "stream", "rtsp://cam/one"),
        ("rtsp://cam/user=admin_password=secret_channel=1", "stream", "rtsp://cam/..."),
        ("rtsp://cam:554/one?password=se@cret", "stream", "rtsp://..."),
        ("rtsp://boss:secret@cam/one?password=se@cret", "stream", "rtsp://..."),
        ("rtsp://boss:12/se=cret@cam/one", "stream", "rtsp://..."),
    ],
)
def test_sources(text: str, kind: str, shown: str) -> None:
    source = VideoSource.of(text)
    assert (source.kind, source.shown) == (kind, shown) and source.live


@pytest.mark.parametrize("mark", "#/?")
def test_a_password_that_ends_the_host_is_refused_and_not_shown(mark: str) -> None:
    with pytest.raises(FeedError, match="%23") as error:
        VideoSource.of(f"rtsp://boss:secret{mark}word@cam/one")
    assert "secret" not in error.value.message


@pytest.mark.parametrize("text", ["", "nowhere.mp4", "ftp://cam/x", "rtsp://", "http://cam:99999/x", "-1"])
def test_what_is_no_source_is_refused(text: str) -> None:
    with pytest.raises(FeedError):
        VideoSource.of(text)


@pytest.mark.parametrize(("name", "told"), [("nowhere.mp4", "is not there"), ("", "is a folder")])
def test_why_a_path_is_no_source_is_said(tmp_path: Path, name: str, told: str) -> None:
    with pytest.raises(FeedError, match=told):
        VideoSource.of(str(tmp_path / name))


def test_a_stream_without_a_picture_asks_what_may_be_wrong_with_a_stream() -> None:
    """A camera that refuses the password looks to FFmpeg's callers like one that is switched off."""
    with pytest.raises(FeedError, match="password") as error:
        VideoSource.of(f"rtsp://boss:secret@127.0.0.1:{free_port()}/one").open()
    assert error.value.code == "no_picture" and "secret" not in error.value.message


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.mp4").write_bytes(b"not a video" * 100)
    with pytest.raises(FeedError) as error:
        VideoSource.of(str(tmp_path / "x.mp4")).open()
    assert error.value.code == "no_picture"


def test_a_slow_read_misses_frames_of_a_video(tmp_path: Path) -> None:
    path = tmp_path / "v.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for i in range(30):
        writer.write(np.full((48, 64, 3), 8 * i, np.uint8))
    writer.release()
    frames = VideoFrames(VideoSource.of(str(path)))
    times = []
    for frame in frames:
        times.append(round(frame.time, 3))
        if frame.time == 0.5:
            frames.add_read_time(0.45)
    assert times[:8] == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.1, 1.2] and times[-1] == 2.9


def test_no_more_frames_of_a_video_are_decoded_than_are_wanted(tmp_path: Path) -> None:
    path = tmp_path / "v.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (64, 48))
    for i in range(50):
        writer.write(np.full((48, 64, 3), 5 * i, np.uint8))
    writer.release()
    frames = VideoFrames(VideoSource.of(str(path)), most=10)
    assert [frame.number for frame in frames][:9] == [1, 4, 6, 9, 11, 14, 16, 19, 21]
    assert frames.captured == 50


class _LeavesOut:
    """A film of a phone in the evening: its file says 30 frames a second, and from the fourth on holds five."""

    def __init__(self) -> None:
        self.times = [0.0, 33.0, 67.0, *(200.0 * n for n in range(1, 11))]
        self.place = -1

    def get(self, what: int) -> float:
        return 30.0 if what == cv2.CAP_PROP_FPS else self.times[self.place]

    def grab(self) -> bool:
        self.place += 1
        return self.place < len(self.times)

    def retrieve(self) -> tuple[bool, Any]:
        return True, np.full((4, 4, 3), self.place, np.uint8)

    def read(self) -> tuple[bool, Any]:
        return (True, self.retrieve()[1]) if self.grab() else (False, None)

    def release(self) -> None:
        """Nothing is held."""


def test_frames_that_a_file_leaves_out_take_their_time() -> None:
    frames = VideoFrames(cast(VideoSource, SimpleNamespace(open=_LeavesOut)))
    assert np.allclose([frame.time for frame in frames], [0.0, 1 / 30, 2 / 30, *(0.2 * n for n in range(1, 11))])


def test_the_file_of_tables(tmp_path: Path) -> None:
    path = tmp_path / "tables.toml"
    path.write_text(
        'webhooks = ["http://127.0.0.1:9/x"]\n[[table]]\nname = "A"\nsource = 0\nrules = "riichi"\n'
        'corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]\n[[table]]\nname = "B"\nsource = "rtsp://cam/b"\n'
    )
    plan = read_plan(path)
    assert [(t.name, t.source.kind, t.rules) for t in plan.tables] == [("A", "webcam", "riichi"), ("B", "stream", None)]
    assert plan.webhooks == ("http://127.0.0.1:9/x",)
    path.write_text('[[table]]\nname = "A"\nsorce = 0\n[[table]]\nname = "A"\nsource = "nope.avi"\n[tabel]\nx = 1\n')
    with pytest.raises(FeedError) as error:
        read_plan(path)
    assert error.value.exit_status == 2, "wrong usage"
    assert len(error.value.faults) == 3 and "did you mean source?" in error.value.message
    with pytest.raises(FeedError):
        read_plan(tmp_path / "missing.toml")
    with pytest.raises(FeedError):
        parse_table({"name": "A", "source": "0", "corners": [[0, 0], [2, 0], [1, 1], [0, 1]]})
    with pytest.raises(FeedError):
        parse_table({"name": "A", "source": "0", "speed": 0})


_TABLE = '[[table]]\nname = "East"\n'


@pytest.mark.parametrize(
    "text",
    [
        '[table]\nname = "A"\nsource = 0\n',
        "table = 5\n",
        f"webhooks = 5\n{_TABLE}source = 0\n",
        f"mqtt = [1]\n{_TABLE}source = 0\n",
        f"{_TABLE}source = 0\n{_TABLE}source = 1\n",
        f"{_TABLE}source = true\n",
        f"{_TABLE}source = 0\nrules = 3\n",
        f"{_TABLE}source = 0\nspeed = true\n",
        f"{_TABLE}source = 0\nspeed = [1]\n",
        f"{_TABLE}source = 0\nsize = 5\n",
        f'{_TABLE}source = 0\nsize = ["a", "b"]\n',
        f'{_TABLE}source = "{"a" * 5000}"\n',
        f'{_TABLE}source = "a\\u0000b"\n',
        f'{_TABLE}source = "~nobody-of-this-name/x"\n',
        f'{_TABLE}source = ""\n',
        f'{_TABLE}source = "http://[x"\n',
    ],
)
def test_a_file_of_tables_that_makes_no_sense_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "tables.toml").write_text(text)
    with pytest.raises(BadPlan) as refused:
        read_plan(tmp_path / "tables.toml")
    assert refused.value.code in ("bad_source", "bad_tables") and refused.value.message


def test_corners_are_taken_back() -> None:
    table = TableSession(lambda _: [])
    table.set_table(homography_from_corners([(200, 40), (600, 40), (600, 340), (200, 340)]))
    assert table.calibrated and table.homography.corners is not None
    table.set_table(None)
    assert not table.calibrated and table.homography.corners is None
    rng, image = np.random.default_rng(0), scene()
    for i in range(10):
        table.process_frame(noisy(image, rng), i / 10)
    cv2.circle(image, (60, 100), 50, (0, 0, 0), -1)  # beside the corners that were: it counts again
    table.process_frame(noisy(image, rng), 1.1)
    assert table.motion is not None and table.motion.still_for == 0


@pytest.mark.parametrize("rate", [15, 25])
def test_reads_keep_their_pace_whatever_the_camera_s(rate: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read that falls due between two frames does not put off all that follow."""
    monkeypatch.setattr(read_schedule, "IDLE_REREAD_SECONDS", read_schedule.REREAD_SECONDS)
    rng, image, now, reads = np.random.default_rng(0), scene(), 0.0, []

    def look(_: ImageArray) -> list[Sighting]:
        reads.append(now)
        return []

    table = TableSession(look)
    frames = [noisy(image, rng) for _ in range(rate)]  # which come again every second: to draw noise takes long
    for i in range(20 * rate):
        now = i / rate
        table.process_frame(frames[i % rate], now)
    paced = reads[read_schedule.LATE_READS :]  # the first ones follow one another faster
    assert (paced[-1] - paced[0]) / (len(paced) - 1) == pytest.approx(read_schedule.REREAD_SECONDS, rel=0.02)


def test_a_read_during_which_something_moved_does_not_count() -> None:
    """A hand is published after two reads of a still table, not after one and an older one."""
    sightings = row("123m456p789s11p22z") + row("2z", x=700)
    rng, image = np.random.default_rng(0), np.zeros((800, 1000, 3), np.uint8) + 90
    table = TableSession(lambda _: sightings, rules="hongkong")
    times = count()

    def due() -> PendingRead:
        for at in islice(times, 30):
            _, found = table.check_motion(noisy(image, rng), at / 15)
            if found is not None:
                return found
        raise AssertionError("no read falls due")

    late = due()
    cv2.circle(image, (500, 150), 60, (0, 0, 0), -1)
    assert table.check_motion(noisy(image, rng), next(times) / 15) == ([], None)
    assert table.on_detections(late, sightings) == []
    told = [{event.kind for event in table.on_detections(due(), sightings)} for _ in range(2)]
    assert [EventKind.SETTLED in kinds for kinds in told] == [False, True]


def test_tiles_that_lie_still_and_are_no_hand_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_session, "UNREAD_SECONDS", 3.0)
    sightings = row("123m456p78s")
    rng, image = np.random.default_rng(0), np.zeros((400, 1000, 3), np.uint8) + 90
    table = TableSession(lambda _: sightings, rules="hongkong")
    frames = [noisy(image, rng) for _ in range(5)]
    states = {}
    for i in range(30):
        for event in table.process_frame(frames[i % 5], i / 5):
            states[event.state] = i / 5
    assert table.state is FeedState.UNREAD and 3 <= states[FeedState.UNREAD] < 6
    cv2.circle(image, (500, 150), 60, (0, 0, 0), -1)
    for i in range(30, 40):
        table.process_frame(noisy(image, rng), i / 5)
    assert table.state is FeedState.WATCHING, "somebody plays"


def test_a_hand_is_gone_when_reads_in_a_row_miss_it() -> None:
    """What was seen just before counts as seen, and what is missed once may be seen again."""
    lying = row("123m456p789s11p22z") + row("2z", x=700)
    rng, image = np.random.default_rng(0), np.zeros((800, 1000, 3), np.uint8) + 90
    sights = chain([lying] * 3, [[], [], lying], repeat([]))
    table = TableSession(lambda _: next(sights), rules="hongkong")
    gone: list[int] = []
    for i in range(180):
        for event in table.process_frame(noisy(image, rng), i / 15):
            if event.kind is EventKind.SETTLED and event.published is not None:
                table.set_published("1", event.published)
            elif event.kind is EventKind.GONE:
                gone.append(table.reads)
    assert gone == [9]


def test_a_table_without_the_remembered_hand_is_believed_after_many_reads_and_long_alone() -> None:
    tiles = tuple(tile(f"{n}m") for n in range(1, 10))
    often, long = RememberedHand("7", tiles), RememberedHand("7", tiles)
    assert not any(often.is_gone(None, (), n * 0.5) for n in range(2 * MISSING_READS)), "an arm may lie over it"
    assert not any(long.is_gone(None, (), time) for time in (0.0, MISSING_SECONDS, 2 * MISSING_SECONDS))
    assert often.is_gone(None, (), MISSING_SECONDS)


def test_a_hand_that_lies_there_while_the_camera_changes_its_size_is_settled_once() -> None:
    lying = row("123m456p789s11p22z") + row("2z", x=700)
    rng, told = np.random.default_rng(0), list[EventKind]()
    table = TableSession(lambda _: lying, rules="hongkong")
    for begin, height in ((0, 800), (45, 900)):
        frames = [noisy(np.zeros((height, 1000, 3), np.uint8) + 90, rng) for _ in range(5)]
        for i in range(begin, begin + 45):
            for event in table.process_frame(frames[i % 5], i / 15):
                told.append(event.kind)
                if event.kind is EventKind.SETTLED and event.published is not None:
                    table.set_published("1", event.published)
    assert (told.count(EventKind.SETTLED), told.count(EventKind.GONE)) == (1, 0)
    assert table.published is not None and table.published.token == "1"


@pytest.mark.parametrize(("tiles", "reads"), [("123m456p789s11p22z", 2), ("123m456p79s11p332z", LATE_READS + 1)])
def test_a_hand_that_is_far_from_winning_is_read_more_often_before_it_is_believed(tiles: str, reads: int) -> None:
    lying = row(tiles) + row("2z", x=700)
    rng, image = np.random.default_rng(0), np.zeros((800, 1000, 3), np.uint8) + 90
    table, settled = TableSession(lambda _: lying, rules="hongkong"), list[int]()
    for i in range(60):
        for event in table.process_frame(noisy(image, rng), i / 15):
            if event.kind is EventKind.SETTLED:
                settled.append(table.reads)
    assert settled[:1] == [reads]


def test_a_hand_with_a_kong_that_lies_wholly_face_down_is_published_and_asked_about() -> None:
    sightings = row("123m456p11z7p8p") + row("6p", x=540) + row("back back back back", x=640)
    rng, image = np.random.default_rng(0), np.zeros((800, 1000, 3), np.uint8) + 90
    table = TableSession(lambda _: sightings, rules="hongkong")
    found = []
    for i in range(30):
        for event in table.process_frame(noisy(image, rng), i / 15):
            if event.kind is EventKind.SETTLED and event.published is not None:
                table.set_published("1", event.published)
                found.append(event)
    (settled,) = found
    assert settled.reading is not None and settled.reading.hand is not None
    assert settled.reading.hand.melds == ()
    assert "hidden_kong" in [d.code for d in settled.reading.doubts]


def test_a_heartbeat_says_milliseconds_where_it_measures_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hupai.hall.feed.health.time.monotonic", lambda: 104.0)
    session = cast(TableSession, SimpleNamespace(reads=3, motion=None, calibrated=True))
    source = cast(FrameSource, SimpleNamespace(reconnects=0, trouble=None))
    reader = cast(BackgroundReader, SimpleNamespace(seconds=0.42, count=3))
    found = HealthMeter(frames=60, lag_seconds=0.25, _measured_at=100.0).measure(session, source, reader)
    assert (found["lag_ms"], found["read_ms"]) == (250, 140)
    assert (found["fps"], found["reads_per_second"]) == (15.0, 0.75)
    assert found["memory_mb"] > 20
