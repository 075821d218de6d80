"""Flowers, seasons and animals, looked at again both ways up by a network that learnt nothing else.

Sets agree on what a bonus tile's caption says but not on its picture, and captions are small: a network for all faces
goes by the picture too often.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.classify.logits import softmax
from vision.device import DeviceCrops, rows_of
from vision.metadata import BonusMetadata

MIN_BONUS_CHANCE: Final = 0.05
"""Crops whose chance of showing a bonus tile is above this are looked at again."""


async def name_bonus_tiles(
    crops: DeviceCrops, probabilities: Sequence[list[float]], quarters: Sequence[int], bonus: BonusMetadata
) -> None:
    """Redistribute each crop's chance of showing a bonus tile among the bonus tiles, by two looks: both ways up.

    Args:
        crops: n of them, each to be turned by so many ``quarters`` (0 or 1) before the first look.
        probabilities: n rows of the classifier's probabilities. Changed in place: a row's total for bonus tiles is as
            before, its split among them is new.
    """
    given = [sum(row[k] for k in bonus.columns) for row in probabilities]
    again = [i for i, chance in enumerate(given) if chance > MIN_BONUS_CHANCE]
    if not again:
        return
    turns = [quarters[i] + over for over in (0, 2) for i in again]
    (faces,) = await crops.look("bonus", ("face",), 2 * again, turns)
    looks = rows_of(faces, len(turns))
    for i, one, other in zip(again, looks, looks[len(again) :], strict=False):
        mean = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
        for k, share in zip(bonus.columns, softmax(mean, bonus.temperature), strict=True):
            probabilities[i][k] = given[i] * share
