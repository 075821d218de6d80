"""Upright crops -> calibrated probabilities of every face, quarter turns to add, embeddings.

A quad starts with a short edge. On a tile seen so steeply that it looks wider than high, that edge is one of its sides
and the crop lies sideways, which the network seldom met. Where unsure, it looks at a quarter-turned crop as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from vision.classify.bonus import name_bonus_tiles
from vision.classify.logits import softmax, uprightness
from vision.device import DeviceCrops, rows_of
from vision.metadata import Metadata
from vision.reading import SURE

LYING_NATS: Final = 4.0
"""Nats by which both looks together must favour a crop that lies sideways; for dice and pale things, whose turns mean
nothing, the evidence is weaker."""


class Classification(NamedTuple):
    """What the classifier makes of a crop.

    Attributes:
        probabilities: of each class, summing to 1; in the order of the classifier's labels.
        turns: quarter turns: which corner of the crop, counted clockwise, is the picture's top-left one.
        embedding: D numbers.
    """

    probabilities: list[float]
    turns: int
    embedding: Sequence[float]


async def classify(crops: DeviceCrops, count: int, networks: Metadata) -> list[Classification]:
    """Classify ``count`` crops that are upright or turned by quarters; bonus tiles by their own network, if any."""
    temperature = networks.classifier.temperature
    read, upright = await _look(crops, range(count), 0, temperature)
    quarters = [0] * count
    doubted = [i for i, one in enumerate(read) if max(one.probabilities) < SURE]
    if doubted:
        across, other = await _look(crops, doubted, 1, temperature)
        for i, one, odds in zip(doubted, across, other, strict=True):
            if odds - upright[i] > LYING_NATS:
                read[i], quarters[i] = one._replace(turns=(one.turns + 1) % 4), 1
    if networks.bonus:
        await name_bonus_tiles(crops, [one.probabilities for one in read], quarters, networks.bonus)
    return read


async def _look(
    crops: DeviceCrops, rows: Sequence[int], quarters: int, temperature: float
) -> tuple[list[Classification], list[float]]:
    """The network's classification of some crops, each turned by so many quarters, and how upright they then are."""
    given = await crops.look("classifier", ("face", "turn", "emb"), rows, [quarters] * len(rows))
    faces, turns, embeddings = (rows_of(flat, len(rows)) for flat in given)
    read = [
        Classification(softmax(face, temperature), max(range(4), key=turn.__getitem__), embedding)
        for face, turn, embedding in zip(faces, turns, embeddings, strict=True)
    ]
    return read, list(map(uprightness, turns))
