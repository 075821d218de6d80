"""Sightings to a read hand: the one way there, for a photo, a folder of them, a camera and the page."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.tiles import Tile
from vision.hand.decoder import Decoded, decode
from vision.layout.layout import lay_out
from vision.reading import Reading, Sighting


def read_hand(
    sightings: Sequence[Sighting], width: int, height: int, rules: str | None, *, indicator: Tile | None = None
) -> tuple[Reading, Decoded]:
    """Lay out what was seen in a picture of ``width`` x ``height`` pixels and decode the hand in it.

    Args:
        sightings: every tile in sight; they stay as the eyes read them.
        rules: the rule system whose tiles and winning shapes help; any of them if None.
        indicator: Hangzhou's fortune indicator where it is known; one that lies open in the picture is found.

    Returns:
        The reading, without times and models; and what else decoding tells of the hand, such as what it waits for.

    Raises:
        scoring.errors.InvalidRequest: an unknown rule system.
    """
    decoded = decode(lay_out(sightings, width, height, rules), sightings, rules, indicator=indicator)
    reading = Reading(
        width,
        height,
        tuple(sightings),
        decoded.roles,
        decoded.groups,
        decoded.hand,
        decoded.doubts,
        decoded.repairs,
    )
    return reading, decoded
