"""Checks whether labels contain the same hand as the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hupai.label.classes import Classes
from hupai.label.formats.base import LabelError
from hupai.label.records import Record
from scoring.errors import HupaiError
from scoring.tiles import parse_tiles
from vision.hand.read import read_hand
from vision.reading import Sighting


def hand_comes_out(labels: Record | None, truth: Record, classes: Classes, least: float) -> bool:
    """Whether labels contain the hand of the truth.

    That is: the same concealed tiles with the winning one (and the same winning one, if the truth names it), the
    same melds (open and concealed kongs are one), the same bonus tiles. If labels contain no hand, it is made out from
    their tiles of at least the confidence ``least`` as in a photo.

    Raises:
        LabelError: an invalid hand.
    """
    if labels is None or truth.hand is None:
        return False
    made_out = labels.hand["hand"] if labels.hand is not None else _make_out(labels, least)
    right = truth.hand["hand"]
    if made_out is None:
        return False
    try:
        named = right.get("winning_tile") is not None
        return _parts(made_out, classes, named) == _parts(right, classes, named)
    except (KeyError, TypeError, AttributeError, HupaiError) as error:
        raise LabelError(f"The hand of {truth.image} makes no sense ({error}).") from None


def _make_out(record: Record, least: float) -> Mapping[str, Any] | None:
    sightings = []
    for box in record.boxes:
        sure = 1.0 if box.confidence is None else box.confidence
        if sure >= least:
            likely = {box.tile: sure, **dict(box.alternatives)}
            located = 1.0 if box.located is None else box.located
            sightings.append(Sighting(box.corners, box.tile, sure, likely, located))
    reading, _ = read_hand(sightings, record.width, record.height, None)
    hand: Mapping[str, Any] | None = reading.to_json(record.image)["hand"]
    return hand


def _parts(hand: Mapping[str, Any], classes: Classes, named: bool) -> tuple[object, ...]:
    """Return the parts that have to be equal, in a fixed order."""
    won = _sorted(hand.get("winning_tile") or "", classes)
    row = sorted(_sorted(hand["concealed"], classes) + won)
    melds = sorted(
        (str(meld["type"]).partition("_")[0], _sorted(meld["tiles"], classes)) for meld in hand.get("melds") or ()
    )
    return row, won if named else [], melds, _sorted(hand.get("bonus") or "", classes)


def _sorted(tiles: Any, classes: Classes) -> list[str]:
    """Return the classes of tiles given as a list or as text; for tiles in no class, the tiles."""
    text = tiles if isinstance(tiles, str) else " ".join(tiles)
    numbers, names = classes.numbers, classes.names
    return sorted(names[numbers[t.code]] if t.code in numbers else t.code for t in parse_tiles(text))
