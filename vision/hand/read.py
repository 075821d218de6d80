"""From sightings to a read hand, in one way for a photo, a folder of photos, a camera and the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoring.tiles import BACK_KIND, Tile
from vision.hand import doubts as questions
from vision.hand.decoder import Decoded, decode
from vision.layout.interpretations import lay_out
from vision.layout.shapes import Rules, shapes_of
from vision.reading import Reading, Role, Sighting


def read_hand(
    sightings: Sequence[Sighting],
    width: int,
    height: int,
    rules: Rules,
    *,
    indicator: Tile | None = None,
    second: bool = True,
) -> tuple[Reading, Decoded]:
    """Lay out what was seen in a picture of ``width`` x ``height`` pixels and decode the hand in it.

    Args:
        sightings: every tile in sight; they stay as the networks read them.
        rules: the rule system whose tiles and winning shapes help; any of them if None.
        indicator: Hangzhou's fortune indicator where it is known; one that lies open in the picture is found.
        second: whether another whole hand is looked for and asked about.

    Returns:
        The reading, without times and models; and what else decoding finds out, such as what the hand waits for.

    Raises:
        scoring.errors.InvalidRequest: an unknown rule system.
    """
    decoded = decode(lay_out(sightings, width, height, rules), sightings, rules, indicator=indicator)
    if second and (other := _other_hand(decoded, sightings, width, height, rules)):
        held = (Role.CONCEALED, Role.MELD, Role.WINNING)
        first = [s.tile for s, role in zip(sightings, decoded.roles, strict=True) if role in held]
        decoded = replace(decoded, doubts=(*decoded.doubts, questions.two_hands(first, other)))
    made_out = (decoded.roles, decoded.groups, decoded.hand, decoded.doubts, decoded.repairs)
    return Reading(width, height, tuple(sightings), *made_out), decoded


def _other_hand(decoded: Decoded, sightings: Sequence[Sighting], width: int, height: int, rules: Rules) -> list[Tile]:
    """The tiles of a second whole hand among those outside the first, empty if there is none."""
    rest = [s for s, role in zip(sightings, decoded.roles, strict=True) if role is Role.OTHER]
    size = shapes_of(rules).size
    if decoded.hand is None or sum(s.tile.kind != BACK_KIND for s in rest) < size - 1:
        return []
    layout = lay_out(rest, width, height, rules)
    whole = len(layout.inside) + 3 * len(layout.melds) in (size - 1, size)
    return [rest[i].tile for i in layout.held] if whole else []
