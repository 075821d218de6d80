"""Videos of one player's standing tiles, seen from the player's side, with what stands there at every moment.

    film = player_video(seed=3, seconds=60)
    film.truth              # which tiles stood there from when to when, and when all of them could be seen
    write_player_video(film, Path("seat.mp4"))      # H.264 at 2 Mbit/s, by FFmpeg

A player draws, discards, calls and sorts by simple rules; hands reach over the tiles, spots of light wander over them
and stay, the focus hunts, the camera is bumped. The same seed gives the same frames.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from datasets.faces.designs import load_library
from datasets.faces.textured_tileset import random_tileset
from datasets.render.camera import Camera, Pose
from datasets.render.paint import Light
from datasets.render.photo import PhotoEffects
from datasets.scenes.scene import SceneLook, render_table
from datasets.scenes.videos import Arm, Director, Film, Shot, paint_arm
from datasets.tables.layouts import BACK, PlacedTile
from scoring.tiles import PLAIN, Tile

BITS_PER_SECOND: Final = 2_000_000
COVERED_SHARE: Final = 0.12
"""Share of a face's points under a hand from which it counts as covered; ``BLOWN_SHARE``: in blown-out light."""
BLOWN_SHARE: Final = 0.2
SHARP_PX: Final = 1.5
"""Blur in which a tile can still be read for the first time, pixels."""
_State: TypeAlias = tuple[tuple[str, ...], str | None, tuple[tuple[str, ...], ...]]
Points: TypeAlias = npt.NDArray[np.float32]
_GRID: Final = np.stack(np.meshgrid(np.linspace(0.08, 0.92, 6), np.linspace(0.08, 0.92, 7)), axis=-1).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class Held:
    """Tiles by their codes as they stood from ``start`` to ``end``, seconds; ``drawn`` stands apart."""

    row: tuple[str, ...]
    drawn: str | None
    melds: tuple[tuple[str, ...], ...]
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class HeldTruth:
    """What happened in a video.

    Attributes:
        held: what stood there, one after the other. free: from when to when each tile was seen, or had been where it
            stands before light blotted it out or the picture became blurred, seconds.
        covered: share of the frames with a hand over tiles.
    """

    seed: int
    rules: str
    fps: float
    seconds: float
    tile_px: float
    held: tuple[Held, ...]
    free: tuple[tuple[float, float], ...]
    covered: float


@dataclass(slots=True)
class _Stand:
    """The player's tiles and where they are: row from the left, melds from the right, the tile drawn apart."""

    rng: np.random.Generator
    right: float
    high: float
    deep: float
    row: list[Tile | None]
    drawn: Tile | None = None
    gap: float = 0.7
    melds: list[tuple[Tile, ...]] = field(default_factory=list)
    pond: list[Tile] = field(default_factory=list)
    lie: dict[tuple[int, int], PlacedTile] = field(default_factory=dict)
    jolts: list[tuple[float, float]] = field(default_factory=list)

    def x_of(self, place: int) -> float:
        return 0.5 + 1.03 * place + self.jolts[place][0]

    def disturb(self, first: int = 0) -> None:
        """Tiles that a hand has moved stand a little differently."""
        for k in range(first, 18):
            jolt = float(self.rng.normal(0, 0.012)), float(self.rng.normal(0, 0.6))
            self.jolts[k : k + 1] = [jolt]

    def drawn_x(self) -> float:
        return 0.5 + 1.03 * len(self.row) + self.gap

    def place(self) -> list[PlacedTile]:
        found = [
            PlacedTile(t, self.x_of(k), 0.0, self.jolts[k][1], "concealed", 0, True)
            for k, t in enumerate(self.row)
            if t is not None
        ]
        if self.drawn is not None:
            found.append(PlacedTile(self.drawn, self.drawn_x(), 0.02, 0.3, "winning", 9, True))
        end = self.right
        for n, meld in enumerate(self.melds):
            across = n % 3
            for k in reversed(range(3)):
                wide = self.high if k == across else 1.0
                t = self.lie.setdefault(
                    (n, k),
                    PlacedTile(
                        meld[k],
                        end - wide / 2 - float(abs(self.rng.normal(0, 0.02))),
                        -self.deep / 2 - (1.0 if k == across else self.high) / 2 + 0.4,
                        float(self.rng.normal(90 if k == across else 0, 1.2)),
                        "meld",
                        n + 1,
                    ),
                )
                found.append(t)
                end -= wide + 0.02
            end -= 0.25
        return found


def player_video(
    seed: int, *, seconds: float = 180, size: tuple[int, int] = (1280, 720), fps: float | None = None
) -> Film[HeldTruth]:
    """A video of a player's tiles; ``seed`` decides everything that is not given."""
    rng = np.random.default_rng([seed, 60])
    many = 16 if rng.random() < 0.2 else 13
    fps = fps or float(rng.choice([10, 15, 20, 25, 30]))
    tiles = random_tileset(np.random.default_rng([seed, 61]), load_library())
    right = many + 5.5
    pose, wide = _pose(rng, right, 33 if many == 13 else 30, size)
    calm = PhotoEffects(noise=0.0, quality=0, blur=float(rng.uniform(0.4, 0.9)), vignette=0.1, sharpen=0.2)
    look = SceneLook(
        size=size,
        pose=pose,
        tiles=tiles,
        light=Light.random(np.random.default_rng([seed, 62])),
        taken=replace(calm, exposure=float(np.exp(rng.normal(-0.05, 0.12)))),
    )
    unit = size[0] / wide
    wall = [t for t in PLAIN[:34] for _ in range(4)]
    wall = [wall[k] for k in rng.permutation(len(wall))]
    stand = _Stand(rng, right, tiles.height, tiles.depth, list(wall[:many]), pond=wall[100:110])
    stand.jolts = [(0.0, 0.0)] * 18
    stand.disturb()
    wall = [*wall[110:], *wall[many:100]]  # what the others have, at its beginning, is called, but never drawn
    play = _Play(rng, stand, wall, Camera(pose, *size), fps, size, arm_from_below(rng, unit), unit)
    play.run(seconds)
    shots = troubled(rng, play.d.shots, fps, unit, [play.pixel(x) for x in (0.5, stand.right - 5)])
    scenes = [render_table(stage, look, seed) for stage in play.d.stages]
    quads = [scene.painted.quads[: len(own)] for scene, own in zip(scenes, play.own, strict=True)]
    free, covered = when_free(shots, quads, play.d.arm, fps)
    truth = HeldTruth(seed, str(many), fps, len(shots) / fps, unit, _held(shots, play.states, fps), free, covered)
    return Film(truth, size, shots, [scene.image for scene in scenes], play.d.arm, float(rng.uniform(1.2, 3.0)))


def _pose(rng: np.random.Generator, right: float, widest: float, size: tuple[int, int]) -> tuple[Pose, float]:
    """A camera that has all from 0 to ``right`` in its picture, and the width of what it sees."""
    while True:
        wide = float(rng.uniform(right + 2.5, widest))
        pose = Pose(
            (right / 2 + float(rng.normal(0, 0.4)), wide * float(rng.uniform(0.06, 0.14))),
            wide * 0.8,
            float(rng.uniform(46, 70)),
            float(rng.uniform(-20, 20)),
            float(rng.normal(0, 2)),
            0.8,
        )
        ends = Camera(pose, *size).project([[0.0, 0.0, 0.7], [right, 0.0, 0.7]])[0]
        if ends[:, 0].min() > 0 and ends[:, 0].max() < size[0]:
            return pose, wide


@dataclass(slots=True)
class _Play:
    """Plays a round alone, and films it."""

    rng: np.random.Generator
    stand: _Stand
    wall: list[Tile]
    camera: Camera
    fps: float
    size: tuple[int, int]
    arm: Arm
    unit: float
    d: Director = field(init=False)
    own: list[list[PlacedTile]] = field(default_factory=list)
    states: list[_State] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.d = Director(self.rng, self.fps, self.size, self.arm)

    def pixel(self, x: float, y: float = 0.0) -> tuple[float, float]:
        px, py = self.camera.project([[x, -y, self.stand.high / 2]])[0][0]
        return float(px), float(py)

    def stage(self) -> int:
        s = self.stand
        own = s.place()
        self.own.append(own)
        row = tuple(t.code for t in s.row if t is not None)
        self.states.append((row, s.drawn.code if s.drawn else None, tuple(tuple(t.code for t in m) for m in s.melds)))
        others = [
            PlacedTile(t, 4 + 1.06 * (n % 6), -6.0 - 1.45 * (n // 6), 0.0, "other", 99) for n, t in enumerate(s.pond)
        ]
        others += [PlacedTile(BACK, 1.0 + 1.02 * n, -3.6, 0.0, "other", 98) for n in range(11)]
        return self.d.stage([*own, *others])

    def pause(self, low: float, high: float) -> None:
        self.d.rest(float(self.rng.uniform(low, high)))

    def run(self, seconds: float) -> None:
        s, rng = self.stand, self.rng
        self.stage()
        self.pause(3, 4)
        self._sort()
        self.pause(2, 4)
        while self.d.now < seconds and len(self.wall) > 2:
            if len(s.melds) < 3 and rng.random() < 0.25 and self._call():
                self.pause(0.8, 2.5)
                self._discard()
            else:
                s.drawn, s.gap = self.wall.pop(), float(rng.uniform(0.45, 1.0))
                self.d.reach([self.stage()], self.pixel(s.drawn_x()), busy=0.25)
                self.pause(1, 4)
                self._discard()
            self.pause(1.5, 5)
            if rng.random() < 0.35:
                at = self.pixel(float(rng.uniform(0, len(s.row))))
                n = len(self.d.stages) - 1
                self.d.reach([n], at, linger=float(rng.choice([0, 0.5, 2.0])), before=n)
                self.pause(0.8, 2)

    def _sort(self) -> None:
        s = self.stand
        wanted = sorted((t for t in s.row if t), key=_order)
        half = [*wanted[: len(wanted) // 2], *sorted((t for t in s.row if t), key=_order)[len(wanted) // 2 :][::-1]]
        for row in (half, wanted):
            s.row = list(row)
            s.disturb()
            self.d.reach([self.stage()], self.pixel(len(row) * float(self.rng.uniform(0.3, 0.7))), busy=0.6)
            self.pause(0.6, 1.5)

    def _call(self) -> bool:
        s = self.stand
        have = [t for t in s.row if t]
        pairs = [t for t in have if have.count(t) == 2]
        runs = [(t, u) for t in have for u in have if t.kind < 27 and u.kind == t.kind + 1 and t.kind % 9 < 7]
        if pairs and self.rng.random() < 0.6:
            gone: Sequence[Tile] = [pairs[0], pairs[0]]
            meld = (pairs[0],) * 3
        elif runs:
            gone = runs[int(self.rng.integers(len(runs)))]
            meld = (PLAIN[gone[0].kind + 2], *gone)
        else:
            return False
        if meld[0] not in self.wall:
            return False  # all four are out
        self.wall.remove(meld[0])
        at = self.pixel(s.row.index(gone[0]))
        for t in gone:
            s.row.remove(t)
        s.disturb()
        first = self.stage()  # the tiles are in the hand
        s.melds.append(meld)
        self.d.reach([first], at, busy=0.3)
        self.d.reach([self.stage()], self.pixel(s.right - 2 - 3.6 * (len(s.melds) - 1), -0.7), busy=0.3)
        return True

    def _discard(self) -> None:
        s, rng = self.stand, self.rng
        have = [t for t in (*s.row, s.drawn) if t]
        out = min(have, key=lambda t: (_use(t, have), float(rng.random())))
        s.pond.append(out)
        if out is s.drawn:
            at = self.pixel(s.drawn_x())
            s.drawn = None
            self.d.reach([self.stage()], at, busy=0.25)
            return
        place = s.row.index(out)
        at = self.pixel(s.x_of(place))
        s.row[place] = None
        stages = [self.stage()]
        if rng.random() < 0.35:
            self.d.reach(stages, at, busy=0.25)
            self.pause(0.8, 2.0)
            stages = []
        s.row = sorted([t for t in (*s.row, s.drawn) if t], key=_order)
        s.drawn = None
        s.disturb(0 if rng.random() < 0.5 else place)
        self.d.reach([*stages, self.stage()], at, busy=0.4)


def _order(t: Tile | None) -> int:
    return t.kind if t is not None else -1


def _use(t: Tile, have: Sequence[Tile]) -> int:
    """How much a tile has to do with the others."""
    near = [abs(o.kind - t.kind) for o in have if t.kind < 27 and o.kind // 9 == t.kind // 9]
    return 3 * have.count(t) + 2 * near.count(1) + near.count(2)


def arm_from_below(rng: np.random.Generator, unit: float) -> Arm:
    while True:
        arm = paint_arm(rng, unit)
        if arm.away[1] > 0.75:
            return arm


def troubled(
    rng: np.random.Generator, shots: Sequence[Shot], fps: float, unit: float, ends: Sequence[tuple[float, float]]
) -> list[Shot]:
    """Add spots of light, bumps and a hunting focus; ``ends``: left and right end of the row, pixels."""
    found, n = list(shots), len(shots)
    (x0, y0), (x1, y1) = ends
    radius = float(rng.uniform(0.45, 0.8)) * unit
    for at in np.arange(8, n / fps - 12, 28):
        start, long = float(at + rng.uniform(0, 4)), float(rng.uniform(7, 12))
        stays = rng.random() < 0.4
        fixed = float(rng.uniform(0.1, 0.9))
        for k in range(round(start * fps), min(n, round((start + long) * fps))):
            share = (k / fps - start) / long
            along = fixed if stays else -0.1 + 1.2 * share
            wave = 0.0 if stays else 0.4 * unit * np.sin(9 * share)
            found[k] = replace(found[k], spot=(x0 + (x1 - x0) * along, y0 + (y1 - y0) * along + wave, radius))
    for at in np.arange(6, n / fps - 4, 17):
        first = round(float(at + rng.uniform(0, 6)) * fps)
        if rng.random() < 0.5:
            hunt = np.concatenate([np.linspace(0, 3.2, round(0.8 * fps)), np.linspace(3.2, 0, round(fps))])
            for k, blur in zip(range(first, n), hunt, strict=False):
                found[k] = replace(found[k], blur=float(blur))
        else:
            for k in range(first, min(n, first + round(0.4 * fps))):
                dx, dy = rng.normal(0, 0.12 * unit, 2)
                x, y, turn = found[k].shift
                moved = (x + dx, y + dy, turn + float(rng.normal(0, 0.3)))
                found[k] = replace(found[k], shift=moved, smear=(dx, dy))
            by = [*rng.normal(0, 5, 2), float(rng.normal(0, 0.15))]
            for k in range(first + round(0.4 * fps), n):
                x, y, turn = found[k].shift
                found[k] = replace(found[k], shift=(x + by[0], y + by[1], turn + by[2]))
    return found


def when_free(
    shots: Sequence[Shot], quads: Sequence[Points], arm: Arm, fps: float
) -> tuple[tuple[tuple[float, float], ...], float]:
    """From when to when every tile is seen or has been where it stands; the share of frames with a hand over one."""
    h, w = arm.alpha.shape
    points = [_points_in(q) for q in quads]
    seen = [np.zeros(len(q), bool) for q in quads]
    free, over = [], 0
    for shot in shots:
        inside = points[shot.stage]
        covered = blown = np.zeros(len(inside), bool)
        if shot.hand is not None:
            at = np.rint(inside - np.rint(shot.hand) + arm.point).astype(int)
            within = ((at >= 0) & (at < (w, h))).all(axis=2)
            alpha = arm.alpha[at[..., 1].clip(0, h - 1), at[..., 0].clip(0, w - 1)] * within
            covered = (alpha > 0.3).mean(axis=1) > COVERED_SHARE
        if shot.spot is not None:
            x, y, radius = shot.spot
            off = np.hypot(inside[..., 0] - x, inside[..., 1] - y)
            blown = (off < 1.3 * radius).mean(axis=1) > BLOWN_SHARE
        sharp = not any(shot.smear) and shot.blur < SHARP_PX
        seen[shot.stage] |= ~covered & ~blown & sharp
        over += bool(covered.any())
        free.append(not covered.any() and bool(seen[shot.stage].all()))
    spans, number = [], 0
    for value, run in groupby(free):
        long = len(list(run))
        if value:
            spans.append((number / fps, (number + long) / fps))
        number += long
    return tuple(spans), over / len(shots)


def _points_in(quads: Points) -> Points:
    """(n, k, 2) points spread over (n, 4, 2) quads."""
    u, v = _GRID.T[..., None]
    a, b, c, d = (quads[:, None, k] for k in range(4))
    return np.asarray(a * (1 - u) * (1 - v) + b * u * (1 - v) + c * u * v + d * (1 - u) * v)


def _held(shots: Sequence[Shot], states: Sequence[_State], fps: float) -> tuple[Held, ...]:
    found, number = [], 0
    for state, run in groupby(shots, key=lambda shot: states[shot.stage]):
        long = len(list(run))
        found.append(Held(*state, number / fps, (number + long) / fps))
        number += long
    return tuple(found)


def write_player_video(film: Film[HeldTruth], path: Path) -> None:
    """Write an MP4 (H.264 at 2 Mbit/s) and the truth beside it as JSON; FFmpeg with libx264 is needed.

    Raises:
        OSError: it is missing, or failed.
    """
    w, h = film.size
    given = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{w}x{h}", "-r", f"{film.truth.fps:g}", "-i", "-"]
    coding = ["-c:v", "libx264", "-preset", "superfast", "-b:v", str(BITS_PER_SECOND), "-maxrate", str(BITS_PER_SECOND)]
    coding += ["-bufsize", str(BITS_PER_SECOND), "-threads", "1", "-pix_fmt", "yuv420p"]
    process = subprocess.Popen(["ffmpeg", "-y", "-v", "error", *given, *coding, str(path)], stdin=subprocess.PIPE)
    assert process.stdin is not None
    for frame in film:
        process.stdin.write(frame.tobytes())
    process.stdin.close()
    if process.wait():
        raise OSError(f"FFmpeg could not write {path}")
    path.with_suffix(".json").write_text(json.dumps(asdict(film.truth)) + "\n", encoding="utf-8")
