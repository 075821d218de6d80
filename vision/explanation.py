"""Why a photo is read as it is: what every stage made of it.

A reading keeps none of this. What it asks of its device is watched from outside, and the rest is weighed once more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from vision.device import Device, DeviceCrops, DevicePhoto, DeviceView, ScoredQuad
from vision.geometry import Bounds, Quad, rescale_quad
from vision.hand.decoder import decode
from vision.layout.evidence import NAMES, load_weights
from vision.layout.interpretations import interpret_table
from vision.layout.shapes import Rules
from vision.reader import KnownSet, PhotoReader
from vision.reading import Reading
from vision.scene.detections import Detections
from vision.scene.views import Clock

BEST: Final = 3
Names: TypeAlias = Sequence[tuple[str, float]]
"""The :data:`BEST` likeliest of the classifier's labels with their probabilities."""


class WatchedPass(NamedTuple):
    """One pass of the search, maybe through the photo's negative.

    Attributes:
        window: the part looked at, pixels of the photo, as are the quads found.
        size: width and height at which the detector saw it, pixels.
    """

    negative: bool
    window: Bounds
    size: tuple[int, int]
    found: Sequence[ScoredQuad]


class ExplainedDetection(NamedTuple):
    """A detection, and what was made of it.

    Attributes:
        quad, score: of the detector, pixels of the photo and 0-1. found_in: number of the pass.
        classifier, scene: its names looked at by itself, and beside all other detections.
        chance: that it is a tile, beside all others.
        tile: its number among those of the reading; None where it was dropped.
    """

    quad: Quad
    score: float
    found_in: int
    classifier: Names
    scene: Names
    chance: float
    tile: int | None


class WeighedInterpretation(NamedTuple):
    """One interpretation of the table, and the hand that the rules make of it.

    Attributes:
        nats: its score; no hand at all has 0. chance: among all interpretations, no hand being one.
        taken: it is the reading's.
        hand: in one line; None for no hand. shanten, changed_nats: see :class:`vision.hand.decoder.Decoded`.
        parts: numbers of the tiles that are concealed, melds, winning, bonus, dora.
        evidence: what it was weighed by (:data:`vision.layout.evidence.NAMES`), without zeros.
    """

    nats: float
    chance: float
    taken: bool
    hand: str | None = None
    shanten: int | None = None
    changed_nats: float = 0.0
    parts: Mapping[str, Any] = {}
    evidence: Mapping[str, float] = {}


class Explanation(NamedTuple):
    """A reading and how it came about: detections the surest first, interpretations the likeliest first.

    ``negative``: the detections are those in the photo's negative. ``least``: the chance from which one is a tile.
    """

    reading: Reading
    passes: Sequence[WatchedPass]
    negative: bool
    least: float
    detections: Sequence[ExplainedDetection]
    interpretations: Sequence[WeighedInterpretation]

    def to_json(self) -> dict[str, Any]:
        """Everything but the reading, which has a JSON of its own."""
        return {name: _plain(value) for name, value in self._asdict().items() if name != "reading"}


async def explain(device: Device, photo: DevicePhoto, rules: Rules, tileset: KnownSet | None) -> Explanation:
    """Read a photo as :meth:`vision.reader.PhotoReader.read` does, and say how."""
    passes: list[WatchedPass] = []
    reader, of = _KeepingReader(device), device.metadata
    watched = _WatchedPhoto(photo, (photo.width, photo.height), passes)
    reading = await reader.read(watched, rules, tileset=tileset)
    seen, labels, least = reader.seen, of.classifier.labels, of.scene.least
    found_in = {
        (quad.score, quad.spread): number
        for number, one in enumerate(passes)
        for quad in one.found
        if one.negative == seen.negative
    }
    rescored, chances = await reader.scene.rescore(seen)
    numbers = iter(range(len(chances)))
    detections = [
        ExplainedDetection(
            before.quad,
            before.located,
            found_in[before.located, before.spread],
            _best_names(labels, before.probabilities),
            _best_names(labels, after.probabilities),
            chance,
            next(numbers) if chance >= least else None,
        )
        for before, after, chance in zip(seen.found, rescored, chances, strict=True)
    ]
    weighed = _weigh(reading, rules) if reading.tiles else []
    return Explanation(reading, passes, seen.negative, least, detections, weighed)


class _KeepingReader(PhotoReader):
    """Keeps the detections of the photo it has read."""

    seen: Detections

    async def detect(self, photo: DevicePhoto, clock: Clock | None = None, *, thorough: bool = True) -> Detections:
        self.seen = await super().detect(photo, clock, thorough=thorough)
        return self.seen


class _WatchedPhoto:
    """A photo on its device, or its negative, whose ``passes`` are noted, in pixels of a photo of size ``whole``."""

    def __init__(
        self, photo: DevicePhoto, whole: tuple[int, int], passes: list[WatchedPass], *, is_negative: bool = False
    ) -> None:
        self._photo, self.width, self.height = photo, photo.width, photo.height
        self.whole, self.passes, self.is_negative = whole, passes, is_negative

    async def view(self, side: int) -> DeviceView:
        return _WatchedView(await self._photo.view(side), self)

    async def negative(self, side: int) -> DevicePhoto:
        return _WatchedPhoto(await self._photo.negative(side), self.whole, self.passes, is_negative=True)


class _WatchedView:
    def __init__(self, view: DeviceView, of: _WatchedPhoto) -> None:
        self._view, self.width, self.height, self._of = view, view.width, view.height, of

    async def detect(self, window: tuple[int, int, int, int], width: int, height: int) -> Sequence[ScoredQuad]:
        found, (x0, y0, x1, y1) = await self._view.detect(window, width, height), window
        across, down = self._of.whole[0] / self.width, self._of.whole[1] / self.height
        by = (x1 - x0) / width, (y1 - y0) / height
        quads = [one._replace(quad=rescale_quad(one.quad, by)) for one in found]
        quads = [one._replace(quad=rescale_quad(one.quad, (across, down), (x0, y0))) for one in quads]
        part = x0 * across, y0 * down, x1 * across, y1 * down
        self._of.passes.append(WatchedPass(self._of.is_negative, part, (width, height), quads))
        return found

    async def crop(self, quads: Sequence[float], size: tuple[int, int], margin: float) -> DeviceCrops:
        return await self._view.crop(quads, size, margin)


def _best_names(labels: Sequence[str], probabilities: Sequence[float]) -> Names:
    return sorted(zip(labels, probabilities, strict=True), key=lambda one: -one[1])[:BEST]


def _weigh(reading: Reading, rules: Rules) -> list[WeighedInterpretation]:
    """All interpretations of a reading's tiles, each decoded by itself, and that there is no hand."""
    found, _ = interpret_table(reading.tiles, reading.width, reading.height, rules)
    decoded = [decode(one.layout, reading.tiles, rules) for one in found]
    scores = [load_weights().score(one.evidence) for one in found]
    whole = sum(map(math.exp, [0.0, *scores]))
    alike = [(one.roles, one.groups) == (reading.roles, reading.groups) for one in decoded]
    taken = alike.index(True) if any(alike) and max(scores) >= 0 else -1  # else what makes no hand looks the same
    weighed = [WeighedInterpretation(0.0, 1 / whole, taken < 0)]
    for at, (nats, made, one) in enumerate(zip(scores, decoded, found, strict=True)):
        parts = {role: getattr(one.layout, role) for role in ("concealed", "winning", "bonus", "dora")}
        parts["melds"] = [meld.tiles for meld in one.layout.melds]
        evidence = {name: value for name, value in zip(NAMES, one.evidence, strict=True) if value}
        outcome = (str(made.hand) if made.hand else None, made.shanten, made.cost, parts, evidence)
        weighed.append(WeighedInterpretation(nats, math.exp(nats) / whole, at == taken, *outcome))
    return sorted(weighed, key=lambda one: -one.nats)


def _plain(value: Any) -> Any:
    """JSON values of named tuples, mappings and sequences, numbers rounded."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return round(value, 4) if isinstance(value, float) else value
