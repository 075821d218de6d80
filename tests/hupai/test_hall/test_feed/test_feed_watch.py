"""Tables watched in short seeded videos: every settled hand once, nothing invented, trouble seen as what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.scenes.mount import FIRM, Mount
from datasets.scenes.videos import Film, Truth, table_video
from hupai.hall.events.feed import tiles_in
from hupai.hall.feed.session.session_events import EventKind, FeedState, SessionEvent
from hupai.hall.feed.session.table_session import TableSession
from hupai.hall.feed.tile_search import TileSearch
from scoring.tiles import Tile, tile
from vision.pipeline import Picture, TileReader
from vision.reading import Sighting
from vision.scene.detections import Detections

pytestmark = pytest.mark.slow

SIZE, FPS = (1120, 630), 12.0


def looking(reader: TileReader) -> Callable[[np.ndarray], list[Sighting]]:
    """What the reader finds in a BGR frame."""
    return lambda bgr: reader.find_tiles(np.ascontiguousarray(bgr[..., ::-1]))


@dataclass
class Seen:
    settled: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    gone: list[float] = field(default_factory=list)
    states: list[tuple[float, FeedState]] = field(default_factory=list)


def watched(film: Film[Truth], reader: TileReader, table: TableSession | None = None, until: float = 1e9) -> Seen:
    seen = Seen()
    table = table or TableSession(looking(reader), rules=film.truth.rules)
    for i, frame in enumerate(film):
        at = i / film.truth.fps
        if at > until:
            break
        for event in table.process_frame(np.asarray(cv2.cvtColor(frame, cv2.COLOR_RGB2BGR)), at):
            if event.kind is EventKind.STATE:
                seen.states.append((at, event.state))
            elif event.kind is EventKind.GONE:
                seen.gone.append(at)
            elif event.kind is EventKind.SETTLED:
                assert event.reading is not None and event.reading.hand is not None
                assert event.published is not None
                seen.settled.append((at, event.reading.hand.to_json()))
                table.set_published(str(len(seen.settled)), event.published)
    return seen


@cache
def film_of(seed: int, trouble: str) -> Film[Truth]:
    return table_video(seed, hands=1, troubles=[trouble], size=SIZE, fps=FPS)


SHAKY = Mount(jitter=1.0, sway=4.0, breathing=0.003, drift=0.05, rolling=1.0)
"""By 1 pixel from frame to frame, swinging by 4, focus and exposure hunting."""


@pytest.mark.parametrize(
    ("seed", "trouble", "mount"),
    [(101, "hand", SHAKY), (102, "bump", FIRM), (103, "frozen", FIRM), (104, "heap", FIRM)],
)
def test_a_settled_hand_is_published_once(seed: int, trouble: str, mount: Mount, reader: TileReader) -> None:
    film = replace(film_of(seed, trouble), mount=mount)
    seen = watched(film, reader)
    (laid,) = film.truth.hands
    assert len(seen.settled) == 1, (seen, laid)
    at, hand = seen.settled[0]
    # Frames lie 1/12 s apart, and reading takes no time here.
    assert laid.settled - 0.5 <= at <= laid.settled + 1.0
    want = Counter(tile(t).kind for t in tiles_in(laid.hand))
    got = Counter(tile(t).kind for t in tiles_in(hand))
    assert sum((want & got).values()) >= 0.8 * sum(want.values())
    assert len(seen.gone) == 1 and seen.gone[0] > laid.gone
    told = {state for _, state in seen.states}
    (troubled,) = [t for t in film.truth.troubles if t.kind == trouble]
    if trouble == "hand":
        hidden = [t for t, state in seen.states if state is FeedState.OCCLUDED]
        assert hidden and troubled.start < hidden[0] < troubled.end
    if trouble == "frozen":
        assert [troubled.start + 4 < t < troubled.end for t, state in seen.states if state is FeedState.FROZEN] == [
            True
        ]
        assert seen.states[-1][1] is not FeedState.FROZEN
    if trouble == "bump":
        assert FeedState.OCCLUDED not in told
    assert FeedState.SHAKING not in told


@dataclass(frozen=True)
class Plain:
    """A film, its first frame, and two seconds of the hand that lies there before anything goes wrong; BGR."""

    film: Film
    bare: np.ndarray
    still: list[np.ndarray]


@pytest.fixture(scope="module")
def plain() -> Plain:
    film = film_of(101, "hand")
    (laid,) = film.truth.hands
    first, last = round(laid.settled * FPS), round((laid.settled + 2) * FPS)
    frames = [np.ascontiguousarray(frame[..., ::-1]) for frame in islice(film, last)]
    return Plain(film, frames[0], frames[first:])


def restarted(
    film: Film[Truth], look: Callable[[np.ndarray], list[Sighting]], before: Sequence[Tile] = ()
) -> TableSession:
    """A watch that begins again and remembers hand 7: the film's one hand, or another one."""
    (laid,) = film.truth.hands
    remembered = before or tuple(tile(t) for t in tiles_in(laid.hand))
    return TableSession(look, rules=film.truth.rules, published=remembered, token="7")


def test_a_restart_knows_the_hand_that_still_lies_there(reader: TileReader, plain: Plain) -> None:
    table = restarted(plain.film, looking(reader))
    happened = [h for i, frame in enumerate(plain.still) for h in table.process_frame(frame.copy(), i / FPS)]
    assert {h.kind for h in happened} == {EventKind.STATE}
    assert table.published is not None and table.published.token == "7"


def test_another_hand_after_a_restart_is_a_new_one(reader: TileReader, plain: Plain) -> None:
    before = tuple(tile(f"{n}z") for n in (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5))
    table = restarted(plain.film, looking(reader), before)
    happened: list[EventKind] = []
    for i, frame in enumerate(plain.still):
        for event in table.process_frame(frame.copy(), i / FPS):
            happened.append(event.kind)
            if event.kind is EventKind.SETTLED:
                assert event.published is not None
                table.set_published("8", event.published)
    assert [kind for kind in happened if kind is not EventKind.STATE] == [EventKind.GONE, EventKind.SETTLED]


def _for_a_minute(image: np.ndarray, table: TableSession) -> list[EventKind]:
    """A minute of one still picture with the noise of a camera, four times a second."""
    rng = np.random.default_rng(1)
    noisy = [np.clip(image + rng.integers(-1, 2, image.shape), 0, 255).astype(np.uint8) for _ in range(4)]
    return [event.kind for i in range(240) for event in table.process_frame(noisy[i % 4], i / 4)]


def test_a_hand_taken_away_while_nobody_watched_is_gone_after_a_while(reader: TileReader, plain: Plain) -> None:
    seen = looking(reader)(plain.bare)
    kinds = _for_a_minute(plain.bare, restarted(plain.film, lambda _: seen))
    assert [kind for kind in kinds if kind is not EventKind.STATE] == [EventKind.GONE]


def test_a_hand_half_hidden_at_a_restart_is_not_gone(reader: TileReader, plain: Plain) -> None:
    frame = plain.still[round(FPS)]
    seen = looking(reader)(frame)
    table = restarted(plain.film, lambda _: seen[::2] + seen[1:4:2])
    assert set(_for_a_minute(frame, table)) <= {EventKind.STATE}
    assert table.reads > 10


def lit(image: np.ndarray, at: tuple[float, float], radius: float) -> np.ndarray:
    """A spot of light that leaves nothing of what lies within its radius, pixels."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]].astype(np.float32)
    away = np.hypot(x - at[0], y - at[1]) / radius
    light = 300 / (1 + np.exp(np.minimum((away - 1) / 0.15, 50)))
    return np.clip(image + light[..., None], 0, 255)


def watch_lit(
    plain: Plain, reader: TileReader, spot: Callable[[float], tuple[float, float, float] | None], seconds: float
) -> Iterator[tuple[float, SessionEvent]]:
    """A hand that lies there under a spot of light: x, y and radius in tile sides, after so many seconds."""
    rng, table = np.random.default_rng(0), TableSession(looking(reader), rules=plain.film.truth.rules)
    for i in range(round(seconds * FPS)):
        at = spot(i / FPS)
        frame = plain.still[12] if at is None else lit(plain.still[12], at[:2], at[2])
        noisy = np.clip(frame + rng.normal(0, 2, frame.shape), 0, 255).astype(np.uint8)
        for event in table.process_frame(noisy, i / FPS):
            if event.kind is EventKind.SETTLED and event.published is not None:
                table.set_published("1", event.published)
            yield i / FPS, event


def laid_row(plain: Plain, reader: TileReader) -> tuple[list[Sighting], float]:
    """What lies in the hand's row, from left to right, and the side of a tile in pixels."""
    row = sorted((s for s in looking(reader)(plain.still[12]) if s.centre[1] > SIZE[1] / 2), key=lambda s: s.centre)
    return row, float(np.median([cv2.contourArea(np.array(s.corners, np.float32)) for s in row]) ** 0.5)


def hand_of(event: SessionEvent) -> Counter[str]:
    assert event.reading is not None and event.reading.hand is not None
    return Counter(tiles_in(event.reading.hand.to_json()))


def test_a_spot_of_light_that_wanders_over_a_hand_does_not_hide_it(reader: TileReader, plain: Plain) -> None:
    row, side = laid_row(plain, reader)
    left, right = row[0].centre, row[-1].centre

    def spot(time: float) -> tuple[float, float, float]:
        return min(left[0] + 1.5 * side * time, right[0]), left[1], side

    told = watch_lit(plain, reader, spot, 14)
    settled = next(event for _, event in told if event.kind is EventKind.SETTLED)
    (laid,) = plain.film.truth.hands
    assert hand_of(settled) == Counter(tiles_in(laid.hand))


def test_a_tile_under_a_spot_of_light_is_told_and_not_read_as_a_white_dragon(reader: TileReader, plain: Plain) -> None:
    row, side = laid_row(plain, reader)
    under = next(s for s in row if s.tile.suit == "m")
    told = list(watch_lit(plain, reader, lambda time: (*under.centre, 0.6 * side) if time < 3 else None, 5))
    glare = [at for at, event in told if event.state is FeedState.GLARE]
    settled = [(at, event) for at, event in told if event.kind is EventKind.SETTLED]
    assert glare and glare[0] < 3 and [at > 3 for at, _ in settled] == [True]
    (laid,) = plain.film.truth.hands
    assert hand_of(settled[0][1]) == Counter(tiles_in(laid.hand))


class NotingReader(TileReader):
    """Notes which of its searches were thorough."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.thorough: list[bool] = []

    def detect(self, picture: Picture, *, thorough: bool = True) -> tuple[Detections, list[Sighting]]:
        self.thorough.append(thorough)
        return super().detect(picture, thorough=thorough)


@pytest.mark.parametrize("dark", [False, True])
def test_a_bare_table_is_searched_quickly_once_that_is_known_to_find_its_tiles(plain: Plain, dark: bool) -> None:
    """Dark tiles are found in the negative alone, which every search goes on to look at."""
    bare, laid = (255 - image if dark else image for image in (plain.bare, plain.still[12]))
    noting = NotingReader()
    search = TileSearch(noting)
    found = [len(search.find_tiles(image)) for image in (bare, laid, bare, bare, laid)]
    assert found[0] == found[2] == found[3] == 0 and found[1] == found[4] > 13
    assert noting.thorough == [True, True, False, dark, dark, dark]
