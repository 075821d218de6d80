"""Upright crops -> calibrated probabilities of every face, quarter turns to add, embeddings.

A quad starts with a short edge. On a tile seen so steeply that it looks wider than high, that edge is one of its sides
and the crop lies sideways, which the network seldom met. Where unsure, it looks at a quarter-turned crop as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from vision.device import DeviceCrops, rows_of
from vision.metadata import BonusMetadata, Metadata
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


def softmax(logits: Sequence[float], temperature: float) -> list[float]:
    """Probabilities in proportion to the exponentials of logits divided by a temperature."""
    most = max(logits)
    shares = [math.exp((logit - most) / temperature) for logit in logits]
    whole = sum(shares)
    return [share / whole for share in shares]


def uprightness(turns: Sequence[float]) -> float:
    """Log-odds, from the logits of the four turns, that a crop is upright or upside down rather than on a side."""
    return _log_sum(turns[0], turns[2]) - _log_sum(turns[1], turns[3])


def _log_sum(a: float, b: float) -> float:
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


MIN_BONUS_CHANCE: Final = 0.05
"""Crops whose chance of showing a bonus tile is above this are looked at again."""


async def name_bonus_tiles(
    crops: DeviceCrops, probabilities: Sequence[list[float]], quarters: Sequence[int], bonus: BonusMetadata
) -> None:
    """Redistribute each crop's chance of showing a bonus tile among the bonus tiles, by two looks: both ways up.

    They are by a network that learnt nothing else. Sets agree on what a bonus tile's caption says but not on its
    picture, and captions are small: a network for all faces goes by the picture too often.

    Args:
        crops: n of them, each to be turned by so many ``quarters`` (0 or 1) before the first look.
        probabilities: n rows of the classifier's probabilities. Changed in place: a row's total for bonus tiles is as
            before, its split among them is new, unless the device has no answer yet.
    """
    given = [sum(row[k] for k in bonus.columns) for row in probabilities]
    again = [i for i, chance in enumerate(given) if chance > MIN_BONUS_CHANCE]
    if not again:
        return
    turns = [quarters[i] + over for over in (0, 2) for i in again]
    found = await crops.look("bonus", ("face",), 2 * again, turns)
    if not found:
        return
    looks = rows_of(found[0], len(turns))
    for i, one, other in zip(again, looks, looks[len(again) :], strict=False):
        mean = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
        for k, share in zip(bonus.columns, softmax(mean, bonus.temperature), strict=True):
            probabilities[i][k] = given[i] * share
