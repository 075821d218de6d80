"""Videos of a table seen from above, with the truth: discards, a hand laid down, trouble, tiles pushed away.

    film = table_video(seed=3)
    film.truth              # which hands lay there from when to when, and what troubled the picture
    for frame in film:      # (h, w, 3) RGB uint8, one after the other
        ...
    write_video(film, Path("table.avi"))

The same seed gives the same frames. Trouble is one of :data:`TROUBLES`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from datasets.faces.designs import load_library
from datasets.faces.textured_tileset import random_tileset
from datasets.objects.limbs import draw_hand
from datasets.render.camera import Pose
from datasets.render.paint import Light
from datasets.render.photo import PhotoEffects, Picture, shake
from datasets.scenes.mount import FIRM, Mount
from datasets.scenes.scene import SceneLook, hand_truth, render_table
from datasets.tables.hands import RULES, DealtHand, deal
from datasets.tables.layouts import PlacedTile, lay_hand, random_open_style
from scoring.tiles import KINDS, PLAIN

TROUBLES: Final = ("none", "hand", "linger", "flicker", "bump", "blur", "dark", "frozen", "heap")
VIEW_WIDTHS: Final = 30.0
"""Width of the picture, tile widths."""


@dataclass(frozen=True, slots=True)
class LaidHand:
    """A hand that was laid down: as the ``hand`` of a read response, when the table came to rest, when it went."""

    hand: dict[str, Any]
    settled: float
    gone: float


@dataclass(frozen=True, slots=True)
class Troubled:
    """A trouble with the picture, and from when to when, seconds."""

    kind: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Truth:
    """What happened in a video."""

    seed: int
    rules: str
    fps: float
    seconds: float
    hands: tuple[LaidHand, ...]
    troubles: tuple[Troubled, ...]


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: which stage of the table, where the hand is, and what is wrong with the picture.

    ``smear``: pixels that the camera moved while it was open. ``spot``: centre and radius of light that blots out what
    lies there, pixels.
    """

    stage: int
    hand: tuple[float, float] | None = None
    gain: float = 1.0
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    blur: float = 0.0
    repeats: bool = False
    smear: tuple[float, float] = (0.0, 0.0)
    spot: tuple[float, float, float] | None = None


@dataclass(slots=True)
class Arm:
    """A painted hand with its arm: colour, opacity, the shadow beside it, and the point inside that is moved about."""

    colour: Picture
    alpha: npt.NDArray[np.float32]
    shade: npt.NDArray[np.float32]
    point: tuple[int, int]
    away: tuple[float, float]


class FilmTruth(Protocol):
    """What a film needs to know of itself."""

    @property
    def seed(self) -> int:
        """What decides everything."""

    @property
    def fps(self) -> float:
        """Frames a second."""


T_co = TypeVar("T_co", bound=FilmTruth, covariant=True)


@dataclass(slots=True)
class Film(Generic[T_co]):
    """A video: iterate for its frames. ``mount``: how the camera stands."""

    truth: T_co
    size: tuple[int, int]
    _shots: list[Shot]
    _stages: list[Picture]
    _arm: Arm
    _noise: float
    mount: Mount = FIRM

    def __len__(self) -> int:
        return len(self._shots)

    def __iter__(self) -> Iterator[Picture]:
        """(h, w, 3) RGB uint8 frames; each has its own noise, except while the camera is frozen."""
        rng = np.random.default_rng([self.truth.seed, 9])
        w, h = self.size
        fields = [np.rint(rng.normal(0, self._noise, (h, w, 3))).astype(np.int16) for _ in range(3)]
        ups = [np.asarray(np.clip(f, 0, 255), np.uint8) for f in fields]
        downs = [np.asarray(np.clip(-f, 0, 255), np.uint8) for f in fields]
        last: Picture | None = None
        shaking = np.random.default_rng([self.truth.seed, 11])
        for number, shot in enumerate(self._shots):
            if shot.repeats and last is not None:
                yield last
                continue
            frame = self._picture(shot)
            if not self.mount.firm:
                frame = self.mount.move(frame, number / self.truth.fps, shaking)
            i, by = int(rng.integers(3)), (int(rng.integers(h)), int(rng.integers(w)))
            up, down = np.roll(ups[i], by, (0, 1)), np.roll(downs[i], by, (0, 1))
            last = np.asarray(cv2.subtract(cv2.add(frame, up), down), np.uint8)
            yield last

    def _picture(self, shot: Shot) -> Picture:
        frame = self._stages[shot.stage]
        if shot.spot is not None:
            frame = _with_spot(frame, *shot.spot)
        if shot.hand is not None:
            frame = self._with_arm(frame, shot.hand)
        if any(shot.shift):
            dx, dy, turn = shot.shift
            w, h = self.size
            move = cv2.getRotationMatrix2D((w / 2, h / 2), turn, 1.0)
            move[:, 2] += np.array([dx, dy])
            frame = np.asarray(cv2.warpAffine(frame, move, (w, h), borderMode=cv2.BORDER_REFLECT), np.uint8)
        if shot.blur > 0.3:
            frame = np.asarray(cv2.GaussianBlur(frame, (0, 0), shot.blur), np.uint8)
        if any(shot.smear):
            frame = shake(frame, shot.smear)
        if shot.gain != 1.0:
            frame = np.asarray(cv2.convertScaleAbs(frame, alpha=shot.gain), np.uint8)
        return frame

    def _with_arm(self, frame: Picture, at: tuple[float, float]) -> Picture:
        arm = self._arm
        h, w = frame.shape[:2]
        x, y = round(at[0]) - arm.point[0], round(at[1]) - arm.point[1]
        ah, aw = arm.alpha.shape
        x0, y0, x1, y1 = max(0, x), max(0, y), min(w, x + aw), min(h, y + ah)
        if x1 <= x0 or y1 <= y0:
            return frame
        part = np.s_[y0 - y : y1 - y, x0 - x : x1 - x]
        frame = frame.copy()
        under = frame[y0:y1, x0:x1] * arm.shade[part][..., None]
        alpha = arm.alpha[part][..., None]
        frame[y0:y1, x0:x1] = np.rint(under * (1 - alpha) + arm.colour[part] * alpha).astype(np.uint8)
        return frame


def _with_spot(frame: Picture, x: float, y: float, radius: float) -> Picture:
    """The frame with light on it that is at the sensor's limit within the radius and fades around it."""
    h, w = frame.shape[:2]
    reach = 2.2 * radius
    x0, y0, x1, y1 = max(0, int(x - reach)), max(0, int(y - reach)), min(w, int(x + reach)), min(h, int(y + reach))
    if x1 <= x0 or y1 <= y0:
        return frame
    down, across = np.mgrid[y0:y1, x0:x1]
    off = np.hypot(across - x, down - y) / radius
    light = (255 * np.clip((2.2 - off) / 1.2, 0, 1) ** 2)[..., None]
    frame = frame.copy()
    frame[y0:y1, x0:x1] = np.clip(frame[y0:y1, x0:x1] + light, 0, 255).astype(np.uint8)
    return frame


def paint_arm(rng: np.random.Generator, unit: float) -> Arm:
    """A hand on a canvas of its own, painted at half size; its arm is long enough to reach out of the picture."""
    size = round(44 * unit) // 2
    while True:
        canvas = np.full((size, size, 3), 200, np.uint8)
        mask = draw_hand(canvas, rng, unit / 2)
        touches = mask[0].any() or mask[-1].any() or mask[:, 0].any() or mask[:, -1].any()
        if mask.mean() > 0.03 and touches:
            break
    canvas = np.asarray(cv2.resize(canvas, (2 * size, 2 * size)), np.uint8)
    mask = cv2.resize(mask.astype(np.uint8), (2 * size, 2 * size), interpolation=cv2.INTER_NEAREST) > 0
    # The thickest place away from the canvas's edge is the palm or the wrist.
    inside = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 3)
    band = round(4 * unit)
    inside[:band], inside[-band:], inside[:, :band], inside[:, -band:] = 0, 0, 0, 0
    if inside.max() <= 0:
        return paint_arm(rng, unit)
    y, x = np.unravel_index(int(inside.argmax()), inside.shape)
    rows, columns = np.nonzero(mask)
    away = np.array([columns.mean() - x, rows.mean() - y])
    away /= max(1e-6, float(np.linalg.norm(away)))
    alpha = np.asarray(cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 1.0), np.float32)
    shade = np.where(mask, 1.0, np.clip(canvas.mean(axis=2) / 200, 0.4, 1.0)).astype(np.float32)
    return Arm(canvas, alpha, shade, (int(x), int(y)), (float(away[0]), float(away[1])))


@dataclass(slots=True)
class Director:
    """Composes the shots one after the other."""

    rng: np.random.Generator
    fps: float
    size: tuple[int, int]
    arm: Arm
    shots: list[Shot] = field(default_factory=list)
    stages: list[Sequence[PlacedTile]] = field(default_factory=list)
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def now(self) -> float:
        """How long the film is so far, seconds."""
        return len(self.shots) / self.fps

    def stage(self, placed: Sequence[PlacedTile]) -> int:
        """Set another stage; return its number."""
        self.stages.append(list(placed))
        return len(self.stages) - 1

    def rest(self, seconds: float, **more: Any) -> None:
        """Show the last stage as it is; ``more``: of every shot."""
        shot = Shot(len(self.stages) - 1, shift=self.shift, **more)
        self.shots += [shot] * max(1, round(seconds * self.fps))

    def reach(
        self,
        stages: Sequence[int],
        at: tuple[float, float],
        busy: float = 0.35,
        linger: float = 0.0,
        before: int | None = None,
    ) -> None:
        """A hand comes in over the stage before, the table goes through these under it, the hand leaves."""
        far = (at[0] + self.arm.away[0] * self.size[0], at[1] + self.arm.away[1] * self.size[0])
        steps = max(3, round(0.35 * self.fps))
        path = [(far[0] + (at[0] - far[0]) * t, far[1] + (at[1] - far[1]) * t) for t in np.linspace(0, 1, steps)]
        before = max(0, stages[0] - 1) if before is None else before
        self.shots += [Shot(before, p, shift=self.shift) for p in path]
        for stage in stages:
            for _ in range(max(2, round(busy * self.fps))):
                wobble = self.rng.normal(0, 9, 2)
                self.shots.append(Shot(stage, (at[0] + wobble[0], at[1] + wobble[1]), shift=self.shift))
        self.shots += [Shot(stages[-1], at, shift=self.shift)] * round(linger * self.fps)
        self.shots += [Shot(stages[-1], p, shift=self.shift) for p in path[::-1]]

    def trouble(self, kind: str, at: tuple[float, float]) -> Troubled | None:
        """Something happens to a table at rest."""
        start, n = self.now, len(self.stages) - 1
        if kind == "hand":
            self.reach([n], at, linger=2.0)
        elif kind == "flicker":
            for i in range(round(2.5 * self.fps)):
                self.rest(1 / self.fps, gain=float(1 + 0.12 * np.sin(i * 2.4) + self.rng.normal(0, 0.02)))
        elif kind == "bump":
            for _ in range(round(0.3 * self.fps)):
                x, y, turn = self.rng.normal(0, (12, 12, 0.6))
                self.shots.append(Shot(n, shift=(float(x), float(y), float(turn)), blur=1.5))
            self.shift = (float(self.rng.uniform(-35, 35)), float(self.rng.uniform(-25, 25)), 0.8)
        elif kind == "blur":
            for t in np.concatenate([np.linspace(0, 3.5, round(0.8 * self.fps)), np.linspace(3.5, 0, round(self.fps))]):
                self.rest(1 / self.fps, blur=float(t))
        elif kind == "dark":
            self.rest(2.0, gain=0.02)
        elif kind == "frozen":
            self.rest(8.0, repeats=True)
        else:
            return None
        end = self.now
        self.rest(2.2)
        return Troubled(kind, start, end)


def table_video(
    seed: int,
    *,
    hands: int = 2,
    troubles: Sequence[str] | None = None,
    size: tuple[int, int] = (1280, 720),
    fps: float = 20.0,
    rules: str | None = None,
    mount: Mount = FIRM,
) -> Film[Truth]:
    """A video of a table.

    Args:
        seed: decides everything. hands: how many are laid down. troubles: one for each hand; random if None.
        size: (width, height). rules: of the hands; random if None. mount: how the camera stands.
    """
    rng = np.random.default_rng([seed, 40])
    rules = rules or str(rng.choice(RULES))
    chosen = list(troubles) if troubles is not None else [str(t) for t in rng.choice(TROUBLES, hands)]
    unit = size[0] / VIEW_WIDTHS
    look = _random_look(rng, size, seed)
    d = Director(rng, fps, size, paint_arm(rng, unit))
    laid, troubled = [], []
    pond: list[PlacedTile] = []
    d.stage(pond)
    d.rest(1.2)
    for number in range(hands):
        kind = chosen[number % len(chosen)]
        hand, placed = _lay_hand(rng, rules, look)
        for _ in range(int(rng.integers(2, 5))):
            pond = _add_discard(rng, pond)
            d.reach([d.stage(pond)], _pixel_of(pond[-1], size))
            d.rest(float(rng.uniform(0.2, 0.9)))
        middle = _middle_of(placed, size)
        thirds = [placed[: len(placed) // 3], placed[: 2 * len(placed) // 3], placed]
        stages = [d.stage([*pond, *part]) for part in thirds]
        start = d.now
        d.reach(stages, middle, linger=1.4 if kind == "linger" else 0.0)
        settled = d.now
        if kind == "linger":
            troubled.append(Troubled("linger", start, settled))
        d.rest(2.4)
        trouble = d.trouble(kind, middle)
        if trouble is not None:
            troubled.append(trouble)
        begin = d.now
        d.reach([d.stage([*pond, *_push_into_heap(rng, placed, t)]) for t in (0.3, 0.6, 1.0)], middle, busy=0.2)
        if kind == "heap":
            d.rest(1.5)
            troubled.append(Troubled("heap", begin, d.now))
        pond = [] if rng.random() < 0.6 else pond
        d.reach([d.stage(pond)], middle, busy=0.2)
        laid.append(LaidHand(hand, settled, begin))
        d.rest(1.6)
    taken = [render_table(stage, look, seed).image for stage in d.stages]
    truth = Truth(seed, rules, fps, d.now, tuple(laid), tuple(troubled))
    return Film(truth, size, d.shots, taken, d.arm, float(rng.uniform(1.2, 3.5)), mount)


def _random_look(rng: np.random.Generator, size: tuple[int, int], seed: int) -> SceneLook:
    pose = Pose((0.0, 0.0), VIEW_WIDTHS * 0.8, float(rng.uniform(0, 28)), 0.0, float(rng.normal(0, 2)), 0.8)
    calm = PhotoEffects(noise=0.0, quality=0, blur=float(rng.uniform(0.4, 0.9)), vignette=0.1, sharpen=0.2)
    exposure = float(np.exp(rng.normal(0, 0.12)))
    return SceneLook(
        size=size,
        pose=pose,
        tiles=random_tileset(np.random.default_rng([seed, 3]), load_library()),
        light=Light.random(np.random.default_rng([seed, 4])),
        taken=replace(calm, exposure=exposure),
    )


def _lay_hand(rng: np.random.Generator, rules: str, look: SceneLook) -> tuple[dict[str, Any], list[PlacedTile]]:
    """A winning hand, laid out so that it fits into the lower half of the picture."""
    tiles = look.tiles
    while True:
        dealt: DealtHand = deal(rng, rules)
        if rules == "hangzhou" and dealt.dora:
            continue  # whether it wins may depend on an indicator that this picture does not show
        how = random_open_style(rng, dealt)
        if how.hand == "rack":
            how = replace(how, hand="row", winning="right")
        how = replace(how, clutter=0, wall=False)
        dealt = replace(dealt, dora=())
        placed = lay_hand(rng, dealt, how, (tiles.height, tiles.depth) if tiles else None)
        x, y = np.array([p.x for p in placed]), np.array([p.y for p in placed])
        if x.max() - x.min() > 20.5 or y.max() - y.min() > 6.5 or any(p.standing or p.role == "other" for p in placed):
            continue
        dx, dy = -(x.max() + x.min()) / 2 + rng.normal(0, 0.8), 5.6 - y.max() + rng.uniform(-0.6, 0.3)
        return hand_truth(dealt), [replace(p, x=p.x + dx, y=p.y + dy) for p in placed]


def _add_discard(rng: np.random.Generator, pond: Sequence[PlacedTile]) -> list[PlacedTile]:
    """One more tile in the pond, six to a row."""
    n = len(pond)
    x, y = -3.0 + 1.08 * (n % 6), -5.4 + 1.45 * (n // 6)
    t = PLAIN[int(rng.integers(KINDS))]
    return [
        *pond,
        PlacedTile(t, x + rng.normal(0, 0.03), y + rng.normal(0, 0.03), float(rng.normal(0, 2)), "other", 99),
    ]


def _push_into_heap(rng: np.random.Generator, placed: Sequence[PlacedTile], share: float) -> list[PlacedTile]:
    """The tiles on their way into a heap."""
    return [
        replace(
            p,
            x=p.x * (1 - 0.35 * share) + float(rng.normal(0, 1.4 * share)),
            y=p.y - 2.6 * share + float(rng.normal(0, 1.2 * share)),
            angle=p.angle + float(rng.normal(0, 70 * share)),
        )
        for p in placed
    ]


def _pixel_of(p: PlacedTile, size: tuple[int, int]) -> tuple[float, float]:
    unit = size[0] / VIEW_WIDTHS
    return size[0] / 2 + p.x * unit, size[1] / 2 + p.y * unit


def _middle_of(placed: Sequence[PlacedTile], size: tuple[int, int]) -> tuple[float, float]:
    points = np.array([_pixel_of(p, size) for p in placed])
    return float(points[:, 0].mean()), float(points[:, 1].mean())


def write_video(film: Film[Truth], path: Path) -> None:
    """Write an AVI (motion JPEG, as webcams send) and the truth beside it as JSON."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), film.truth.fps, film.size)
    if not writer.isOpened():
        raise OSError(f"{path} cannot be written")
    last: tuple[Picture, Picture] | None = None
    for frame in film:
        if last is None or last[0] is not frame:
            last = (frame, np.asarray(cv2.cvtColor(frame, cv2.COLOR_RGB2BGR), np.uint8))
        writer.write(last[1])
    writer.release()
    path.with_suffix(".json").write_text(json.dumps(asdict(film.truth)) + "\n", encoding="utf-8")
