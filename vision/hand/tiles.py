"""From kinds back to tiles: red or plain, which bonus tile, what kind of meld."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import Final

from scoring.hand import Meld, MeldType
from scoring.tiles import BACK_KIND, NORTH, PLAIN, WHITE, Tile, tile
from vision.hand.joint import MAX_TRIES, cheapest_first
from vision.layout.layout import SeenMeld
from vision.layout.melds import MIN_PROBABILITY
from vision.layout.shapes import HandRules
from vision.reading import SURE, Sighting

RED_FIVES: Final = {"0m": 1, "0p": 2, "0s": 1}
"""Most red fives of each suit in any known set."""
MAX_BONUS_NATS: Final = 2.5
"""Most nats that taking a bonus tile for another than the one read may cost."""
MIN_KITA_PROBABILITY: Final = math.exp(-MAX_BONUS_NATS)
"""Least probability of a north that is taken for one set aside."""


def tile_of_kind(kind: int, sighting: Sighting, shapes: HandRules) -> Tile:
    """The tile of a kind: red where red fives are played and the face is likelier red."""
    if kind == BACK_KIND:
        return tile("back")
    plain, chance = PLAIN[kind], sighting.posterior
    if shapes.reds and kind < 27 and kind % 9 == 4:
        red = tile(f"0{plain.suit}")
        return red if chance.get(red, 0.0) > chance.get(plain, 0.0) else plain
    return plain


def limit_red_fives(used: dict[int, Tile], sightings: Sequence[Sighting]) -> dict[int, Tile]:
    """The same tiles with no more red fives than a set has, the least sure made plain; a second must be sure."""
    found = dict(used)
    for code, most in RED_FIVES.items():
        reds = sorted(
            (i for i, t in found.items() if t.code == code), key=lambda i: -sightings[i].posterior[tile(code)]
        )
        for place, i in enumerate(reds):
            if place >= most or (place >= 1 and sightings[i].posterior[tile(code)] < SURE):
                found[i] = PLAIN[found[i].kind]
    return found


def assign_bonus_tiles(
    tiles: Sequence[int], sightings: Sequence[Sighting], shapes: HandRules
) -> tuple[dict[int, Tile], list[int]]:
    """Which bonus tile each is, no tile twice but norths set aside: the likeliest assignment.

    Returns:
        The tile of each sighting, and the sightings that can be none of the rules' bonus tiles.
    """
    if shapes.kita:
        north = PLAIN[NORTH]
        aside = [i for i in tiles if sightings[i].posterior.get(north, 0.0) >= MIN_KITA_PROBABILITY]
        return dict.fromkeys(aside, north), [i for i in tiles if i not in aside]
    known = [t for t in PLAIN if t.is_bonus and t.suit in shapes.bonus]
    if not known or not tiles:
        return {}, list(tiles)
    options = []
    for i in tiles:
        chance = sightings[i].posterior
        best = math.log(max(MIN_PROBABILITY, *chance.values()))
        costs = sorted((best - math.log(chance.get(t, 0.0) + MIN_PROBABILITY), t.code) for t in known)
        options.append([*(option for option in costs if option[0] <= MAX_BONUS_NATS), (MAX_BONUS_NATS, "")])
    for _, choice in islice(cheapest_first([[cost for cost, _ in o] for o in options]), MAX_TRIES):
        codes = [option[at][1] for option, at in zip(options, choice, strict=True)]
        given = [code for code in codes if code]
        if len(set(given)) == len(given):
            taken = {i: tile(code) for i, code in zip(tiles, codes, strict=True) if code}
            return taken, [i for i in tiles if i not in taken]
    return {}, list(tiles)


def to_meld(meld: SeenMeld, tiles: Sequence[Tile], sightings: Sequence[Sighting]) -> Meld:
    """The declared set of a group: face-down tiles were never claimed, a stacked one was added."""
    if len(tiles) == 3:
        kind = MeldType.PUNG if len({t.kind for t in tiles}) == 1 else MeldType.CHOW
    elif any(sightings[i].tile.kind == BACK_KIND for i in meld.tiles):
        kind = MeldType.KONG_CONCEALED
    else:
        kind = MeldType.KONG_ADDED if meld.stacked is not None else MeldType.KONG_OPEN
    ordered = sorted(tiles, key=lambda t: t.kind) if kind is MeldType.CHOW and PLAIN[WHITE] not in tiles else tiles
    return Meld(kind, tuple(ordered))
