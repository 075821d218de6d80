"""A reading made anew with what a person said about it: which tile one is, or what the indicator was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scoring.tiles import Tile, parse_tiles
from vision.hand.doubts import two_hands
from vision.hand.read import read_hand
from vision.reading import Reading, Repair, Role

TOLD = "as you said"
"""Why a tile that a person named is taken for another than was read."""


def corrected(
    reading: Reading, tiles: Mapping[int, Tile | None], *, rules: str | None, indicator: Tile | None = None
) -> Reading:
    """The hand laid out and decoded anew.

    Args:
        reading: of a photo; its ``tiles`` stay as the networks read them.
        tiles: index into them -> what that tile is, None where it is no tile of the hand.
        rules: as for the reading. indicator: Hangzhou's fortune indicator, where it is known.

    Raises:
        IndexError: there is no such tile.
        scoring.errors.InvalidRequest: unknown rules.
    """
    given = {i: t for i, t in tiles.items() if t is not None}
    count = len(reading.tiles)
    if any(not 0 <= i < count for i in tiles):
        raise IndexError(f"the reading has {count} tiles")
    kept = [i for i in range(count) if i in given or i not in tiles]
    sure = {
        i: replace(reading.tiles[i], tile=t, confidence=1.0, posterior={t: 1.0}, located=1.0) for i, t in given.items()
    }
    sightings = [sure.get(i, reading.tiles[i]) for i in kept]
    decoded, _ = read_hand(sightings, reading.width, reading.height, rules, indicator=indicator)
    roles, groups = dict(zip(kept, decoded.roles, strict=True)), dict(zip(kept, decoded.groups, strict=True))
    apart = max(decoded.groups, default=0) + 1
    mended = [replace(r, tile=kept[r.tile], read=reading.tiles[kept[r.tile]].tile) for r in decoded.repairs]
    known = {r.tile for r in mended}
    said = [
        Repair(i, reading.tiles[i].tile, t, TOLD)
        for i, t in given.items()
        if i not in known and t is not reading.tiles[i].tile
    ]
    return replace(
        reading,
        roles=tuple(roles.get(i, Role.OTHER) for i in range(count)),
        groups=tuple(groups.get(i, apart) for i in range(count)),
        hand=decoded.hand,
        doubts=tuple(d if d.tile is None else replace(d, tile=kept[d.tile]) for d in decoded.doubts),
        repairs=tuple(sorted([*mended, *said], key=lambda r: r.tile)),
    )


def other_hand(reading: Reading, *, rules: str | None) -> Reading:
    """Of two hands that lie open (``two_hands``), read the one that was not read; the question then offers the other.

    If only one lies open, the reading stays as it is. ``rules``: as for the reading.

    Raises:
        scoring.errors.InvalidRequest: unknown rules.
    """
    asked = next((doubt for doubt in reading.doubts if doubt.code == "two_hands"), None)
    if asked is None:
        return reading
    other = corrected(reading, dict.fromkeys(held_tiles(reading)), rules=rules)
    one, two = (parse_tiles(text) for text in asked.answers)
    return replace(other, doubts=(*other.doubts, two_hands(two, one)))


def held_tiles(reading: Reading) -> list[int]:
    """The tiles of the hand that was read, its bonus tiles too."""
    return [i for i, role in enumerate(reading.roles) if role in (Role.CONCEALED, Role.MELD, Role.WINNING, Role.BONUS)]
