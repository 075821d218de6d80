"""Which of a photo's detections are tiles, and which tiles: a small network that looks at all of them together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from operator import mul
from typing import Final

from vision.device import Device, rows_of
from vision.geometry import overlap_ratios, share_inside
from vision.scene.detections import Detection, Detections

LEAST_SPREAD: Final = 1e-3
"""Smaller disagreement of the detector's cells says no more."""
AGREED: Final = 0.05
"""Spread below which the cells agree: stretched, the pale side of a tile looks as much like a face as a face does, and
more evenly so. A regression on the spread's logarithm itself crosses zero here."""
NEGATIVE_GAIN: Final = 1.005
"""How many times as many printed faces the negative must be likely to name right: less is chance, and the photo as it
is tells blank faces from backs better."""
APART: Final = 0.3
"""Share of what was set aside, or of a tile, from which both are one thing."""


class SceneClassifier:
    """Weighs every detection of a photo against the others: neighbours, sizes, colours, how many are alike."""

    def __init__(self, device: Device) -> None:
        """Take the device whose networks it asks."""
        self._device, self._of = device, device.metadata.scene
        self._columns = device.metadata.classifier.columns
        self._kinds = self._columns.kinds(len(device.metadata.classifier.labels))

    async def pick_view(self, views: Sequence[Detections]) -> Detections:
        """Of a photo and perhaps its negative the one that is likely to name clearly more printed faces right."""
        if len(views) == 1:
            return views[0]
        counts = [sum(self._best_printed(one) for one in await self.pick_tiles(seen)) for seen in views]
        photo, negative = counts
        return views[negative > NEGATIVE_GAIN * photo]

    def _best_printed(self, one: Detection) -> float:
        """The probability of the likeliest printed face; blank ones look like backs in the other view."""
        return max(p for k, p in enumerate(one.probabilities) if k not in self._columns.blank)

    def count_printed(self, seen: Detections) -> float:
        """How many printed tiles detector and classifier expect among the detections, each looked at by itself."""
        blank = self._columns.blank
        return sum(one.located * (1 - sum(one.probabilities[k] for k in blank)) for one in seen.found)

    async def pick_tiles(self, seen: Detections) -> list[Detection]:
        """The detections that are tiles, as :meth:`rescore` weighs them."""
        return (await self.part(seen))[0]

    async def part(self, seen: Detections) -> tuple[list[Detection], list[Detection]]:
        """Part the detections that are tiles, as :meth:`rescore` weighs them, from those set aside.

        Returns:
            The tiles; and what may well be tiles, having a printed face of its own name, with the probabilities that
            it would have as a tile.
        """
        rescored, tile = await self.rescore(seen)
        tiles = [one for one, chance in zip(rescored, tile, strict=True) if chance >= self._of.least]
        aside = []
        for alone, one, chance in zip(seen.found, rescored, tile, strict=True):
            if chance >= self._of.least or not self._is_named(alone, one, chance):
                continue
            if all(overlap_ratios(one.quad, other.quad)[1] < APART for other in tiles):
                shares = [p / chance for p in one.probabilities]
                shares[self._columns.none] = 0.0
                aside.append(replace(one, probabilities=shares))
        return tiles, aside

    def _is_named(self, alone: Detection, beside: Detection, chance: float) -> bool:
        """Whether a thing is more likely than not the printed face that the classifier takes it for by itself.

        Likely to the detector, times how likely beside all others if it is a tile, which has this ``chance``.
        """
        best = max(range(len(alone.probabilities)), key=alone.probabilities.__getitem__)
        if best in self._columns.blank or best == self._columns.none:
            return False
        return alone.located * beside.probabilities[best] > chance / 2

    async def rescore(self, seen: Detections) -> tuple[list[Detection], list[float]]:
        """Weigh each detection against the others.

        Returns:
            The detections with probabilities that take the whole photo into account (the column ``none`` holds those
            of no tile and of faces that no mahjong set has), and the probability of each of being a tile.
        """
        evidence, names = await self.evidence_of(seen)
        tile = [1 / (1 + math.exp(-sum(map(mul, given, self._of.company)))) for given in evidence]
        rescored, none = [], self._columns.none
        for one, chance, named in zip(seen.found, tile, names, strict=True):
            chances = [chance * share for share in named]
            chances.insert(none, 1 - sum(chances))
            rescored.append(replace(one, probabilities=chances))
        return rescored, tile

    async def evidence_of(self, seen: Detections) -> tuple[list[list[float]], list[Sequence[float]]]:
        """What the network makes of detections.

        Returns:
            The evidence that each is a tile, see :func:`tile_evidence`, and its chances of each name but ``none``.
        """
        if not seen.found:
            return [], []
        found, of = seen.found, self._columns
        tile, flat = await self._device.scene(
            {
                "quads": [side for one in found for corner in one.quad for side in corner],
                "inside": [share_inside(one.quad, seen.width, seen.height) for one in found],
                "located": [one.located for one in found],
                "probabilities": list(chain.from_iterable(one.probabilities for one in found)),
                "embeddings": list(chain.from_iterable(one.embedding for one in found)),
                "colours": list(chain.from_iterable(one.colours for one in found)),
                "kinds": self._kinds,
            }
        )
        names = rows_of(flat, len(found))
        best = (max(range(len(row)), key=row.__getitem__) for row in names)
        printed = [k + (k >= of.none) not in of.blank for k in best]  # a row lacks the column ``none``
        located, spread, stretch = ([getattr(one, name) for one in found] for name in ("located", "spread", "stretch"))
        return tile_evidence(tile, located, spread, stretch, printed), names


def tile_evidence(
    tile: Sequence[float],
    located: Sequence[float],
    spread: Sequence[float],
    stretch: Sequence[float],
    printed: Sequence[bool],
) -> list[list[float]]:
    """The evidence that each of n detections is a tile.

    Args:
        tile: n probabilities by the network.
        located: n scores of the detector.
        spread: n, how far its cells disagree, see :class:`vision.detect.nms.ScoredQuad`.
        stretch: n, how far the photo was stretched, likewise.
        printed: n, whether the likeliest name is that of a printed face.

    Returns:
        Of each: 1, log-odds of ``tile`` and ``located``, the logarithm of ``spread``, ``printed``, the logarithm of 1 +
        the expected number of tiles among the other detections, their mean probability, the log-odds of the best of
        them, the products of the spread's logarithm with the number of others and with ``printed``, and, for what is
        not printed, that of the logarithm of ``stretch`` with how far that of ``spread`` is below that of ``AGREED``.
    """
    whole, rest = sum(tile), max(len(tile) - 1, 1)
    second, most = sorted([0.0, 0.0, *tile])[-2:]
    first, rows = list(tile).index(most) if tile else 0, []
    for i, (chance, at, apart, by, print_) in enumerate(zip(tile, located, spread, stretch, printed, strict=True)):
        others, wide = max(0.0, whole - chance), math.log(max(apart, LEAST_SPREAD))
        best = second if i == first else most
        company = math.log1p(others)
        own = [1.0, _odds(chance), _odds(at), wide, float(print_)]
        side = 0.0 if print_ else math.log(by) * max(0.0, math.log(AGREED) - wide)
        rows.append([*own, company, others / rest, _odds(best), wide * company, wide * print_, side])
    return rows


def _odds(chance: float) -> float:
    within = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(within / (1 - within))
