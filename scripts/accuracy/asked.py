"""How often the true answer is among those a doubt offers: in photos, and on whole tables without pixels.

    HUPAI_DATA=photos python -m scripts.accuracy.asked [--tables 300]

In every collection for measuring it counts doubts about tiles whose label is known; on tables (see
``scripts/accuracy/tables``) those about which tile won, where the picture leaves that open. "No tile" and "not of this
hand" can always be answered and are not counted. Photos are read under any rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import typer

from datasets.tables.views import true_sightings
from datasets.tables.whole import WITH_HAND, simulated_table
from scoring.tiles import tile
from scripts.accuracy.holdouts import collections
from scripts.accuracy.looks import Looks
from scripts.accuracy.matching import match
from scripts.accuracy.tables import UNSEEN
from scripts.accuracy.truth import TruePhoto
from vision.hand.read import read_hand
from vision.pipeline import TileReader
from vision.reading import Reading, Sighting

ABOUT_A_TILE = frozenset(
    ("low_confidence", "close_second", "near_win", "strange_tile", "five_of_a_kind", "bonus_not_in_play")
)
"""Doubts that ask what a tile is."""
WON = frozenset(("winning_tile_unknown", "one_tile_short"))
"""Doubts that ask which tile won."""


def count_in_photo(photo: TruePhoto, sightings: list[Sighting], reading: Reading) -> Counter[str]:
    """Counts of doubts about tiles whose label is known, and of those that offer it; for all and for bonus tiles."""
    labels, found = match(photo, sightings).labels, Counter[str]()
    for doubt in reading.doubts:
        label = None if doubt.tile is None else labels.get(id(reading.tiles[doubt.tile]))
        if doubt.code in ABOUT_A_TILE and label not in (None, "back", "joker"):
            for group in ("tiles", *(["bonus tiles"] if tile(str(label)).is_bonus else [])):
                found.update({f"{group} asked": 1, f"{group} offered": int(label in doubt.answers)})
    return found


def count_in_tables(seeds: Iterable[int]) -> Counter[str]:
    """The same counts for doubts about which tile won, on tables with a hand whose winning tile is known."""
    found: Counter[str] = Counter()
    for seed in seeds:
        table = simulated_table(seed)
        if table.kind not in WITH_HAND or table.dealt is None or table.dealt.winning is None:
            continue
        sightings = true_sightings(table.seen)
        reading, _ = read_hand(sightings, table.seen.width, table.seen.height, table.rules)
        for doubt in reading.doubts:
            if doubt.code in WON and doubt.open:
                found.update({"won asked": 1, "won offered": int(table.dealt.winning.code in doubt.answers)})
    return found


def main(tables: int = 300) -> None:
    reader, counted = TileReader(threads=1), {"tables": count_in_tables(range(UNSEEN, UNSEEN + tables))}
    looks = Looks(reader)
    for name, photos in collections():
        counted[name] = Counter()
        for photo in photos:
            seen = looks(photo.path)
            sightings = reader.classify(seen)
            reading, _ = read_hand(sightings, seen.width, seen.height, None)
            counted[name].update(count_in_photo(photo, sightings, reading))
    counted["all together"] = sum(counted.values(), Counter())
    for name, counts in counted.items():
        print(f"{name:20} {', '.join(f'{key} {n}' for key, n in sorted(counts.items())) or 'nothing asked'}")


if __name__ == "__main__":
    typer.run(main)
