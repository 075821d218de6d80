"""How far the name of a tile is trusted, and a winning hand that differs from the likeliest face of every tile."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from scoring.tiles import BACK_KIND
from vision.hand.joint import JointReading
from vision.layout.layout import SeenMeld
from vision.layout.melds import MIN_PROBABILITY, OUT_OF_PLAY_SHARE, out_of_play
from vision.layout.shapes import HandRules
from vision.reading import SURE, Sighting

MAX_SURPRISE_NATS: Final = 2.0
"""Most nats of improbability in the unsure tiles of a repaired hand, below :data:`vision.reading.SURE`. The more tiles
are unsure, the more hands can be read into them, so many small repairs are trusted as little as one large one."""
TRUST: Final = Path(__file__).with_name("trust.json")


def chance_right(sighting: Sighting, shapes: HandRules) -> float:
    """How likely it is that a face is what it was read as; a five may be red or plain where the rules have no red ones.

    The confidence is calibrated over all crops. For bonus tiles, whose captions tell more than their network dares to
    say, it is too low; theirs is corrected by a fit of its own (``scripts/train/fit_trust.py``).
    """
    if not sighting.tile.is_bonus:
        kind = sighting.tile.kind
        same = [p for t, p in sighting.posterior.items() if t.kind == kind and t is not sighting.tile]
        return sighting.confidence + (0.0 if shapes.reds else sum(same))
    base, slope = _load_bonus_fit()
    return 1 / (1 + math.exp(-base - slope * log_odds(sighting.confidence)))


def chance_of(kind: int, sighting: Sighting, shapes: HandRules) -> float:
    """How likely it is that a face is one of a kind, given that tiles which the rules do not know hardly lie there."""
    unknown = {*out_of_play(shapes.bonus), *shapes.left_out}
    chance = sum(p for t, p in sighting.posterior.items() if t.kind == kind)
    ruled_out = (1 - OUT_OF_PLAY_SHARE) * sum(p for t, p in sighting.posterior.items() if t.kind in unknown)
    return chance / (1 - ruled_out)


def log_odds(probability: float) -> float:
    """The log-odds of a probability, no surer than :data:`vision.layout.melds.MIN_PROBABILITY` allows."""
    held = min(max(probability, MIN_PROBABILITY), 1 - MIN_PROBABILITY)
    return math.log(held / (1 - held))


@cache
def _load_bonus_fit() -> tuple[float, float]:
    base, slope = json.loads(TRUST.read_text(encoding="utf-8"))["bonus"]
    return float(base), float(slope)


def kinds_of(
    inside: Sequence[int], melds: Sequence[SeenMeld], joint: JointReading, costs: Sequence[Sequence[float]]
) -> dict[int, int]:
    """The kind that each tile of a reading has, without the face-down ones of its melds."""
    kinds = dict(zip(inside, joint.kinds, strict=True))
    for meld, reading in zip(melds, joint.melds, strict=True):
        kinds.update((i, k) for i, k in zip(meld.tiles, reading.kinds, strict=True) if costs[i][BACK_KIND] > 0)
    return kinds


def surprise_nats(kinds: Mapping[int, int], sightings: Sequence[Sighting], costs: Sequence[Sequence[float]]) -> float:
    """Nats of improbability in the unsure tiles of a reading (:func:`kinds_of`); 0 if all have their likeliest face."""
    if all(costs[i][kind] == 0 for i, kind in kinds.items()):
        return 0.0
    chances = [sum(p for t, p in sightings[i].posterior.items() if t.kind == kind) for i, kind in kinds.items()]
    return sum(-math.log(max(p, MIN_PROBABILITY)) for p in chances if p < SURE)
