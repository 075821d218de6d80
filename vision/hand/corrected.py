"""A reading again, with what a person said about it: which tile one is, or what the indicator was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scoring.tiles import Tile
from vision.hand.read import read_hand
from vision.reading import Reading, Repair, Role, Sighting

TOLD = "as you said"
"""Why a tile that a person named is taken for another than was read."""


def corrected(
    reading: Reading, tiles: Mapping[int, Tile | None], *, rules: str | None, indicator: Tile | None = None
) -> Reading:
    """The hand laid out and decoded anew.

    Args:
        reading: of a photo; its ``tiles`` stay as the eyes read them.
        tiles: index into them -> what that tile is, None where it is no tile of the hand.
        rules: as for the reading. indicator: Hangzhou's fortune indicator, where it is known.

    Raises:
        IndexError: there is no such tile.
        scoring.errors.InvalidRequest: unknown rules.
    """
    told = {i: t for i, t in tiles.items() if t is not None}
    count = len(reading.tiles)
    if any(not 0 <= i < count for i in tiles):
        raise IndexError(f"the reading has {count} tiles")
    kept = [i for i in range(count) if i in told or i not in tiles]
    sightings = [_sure(reading.tiles[i], told[i]) if i in told else reading.tiles[i] for i in kept]
    decoded, _ = read_hand(sightings, reading.width, reading.height, rules, indicator=indicator)
    roles, groups = [Role.OTHER] * count, [max(decoded.groups, default=0) + 1] * count
    for i, role, group in zip(kept, decoded.roles, decoded.groups, strict=True):
        roles[i], groups[i] = role, group
    mended = [replace(r, tile=kept[r.tile]) for r in decoded.repairs]
    mended = [replace(r, read=reading.tiles[r.tile].tile) for r in mended]
    known = {r.tile for r in mended}
    said = [
        Repair(i, reading.tiles[i].tile, t, TOLD)
        for i, t in told.items()
        if i not in known and t is not reading.tiles[i].tile
    ]
    return replace(
        reading,
        roles=tuple(roles),
        groups=tuple(groups),
        hand=decoded.hand,
        doubts=tuple(d if d.tile is None else replace(d, tile=kept[d.tile]) for d in decoded.doubts),
        repairs=tuple(sorted([*mended, *said], key=lambda r: r.tile)),
    )


def _sure(sighting: Sighting, told: Tile) -> Sighting:
    return replace(sighting, tile=told, confidence=1.0, posterior={told: 1.0}, located=1.0)
