"""Hands in photographs, as a person saw them, and how well they are read: as detected, and given the true faces.

``hands.jsonl`` has a line a photo, known by the first 16 hex digits of its file's SHA-256: what it ``shows``, and of a
hand its concealed tiles, melds, bonus tiles and the tile that won, ``null`` where the photo does not show it.
``either`` says that sets which lie apart may count as concealed, too. A photo's own annotation may name its hand, too.

| shows | read right is |
|---|---|
| ``hand`` | the same tiles concealed and in melds; the winning tile too, or it is asked for |
| ``none`` (a heap, a tray, a set on show, one or two tiles) | no hand |
| ``few`` (a line of fewer tiles than a hand has) | no hand, or one reported to lack tiles |
| ``long`` (sixteen or seventeen tiles) | no hand, or one reported to have too many |
"""

from __future__ import annotations

import functools
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from scoring.tiles import Tile, parse_tiles, tile
from scripts.accuracy import shares
from scripts.accuracy.matching import match, said_beside
from scripts.accuracy.truth import NO_TILE, SIDE, UNTOLD, TruePhoto, key_of
from vision.hand.read import read_hand
from vision.io.photo import Photo
from vision.reading import Reading, Sighting

HANDS: Final = Path(__file__).with_name("hands.jsonl")
LABELLED: Final = 0.995
"""The confidence given to a sighting whose label comes from people."""
COUNT_ASKED: Final = {"few": {"too_few_tiles", "one_tile_short"}, "long": {"too_many_tiles"}, "none": set()}
"""The doubts that a right reading has of a photo without a hand of these rules, by what the photo shows."""


@dataclass(frozen=True, slots=True)
class TrueHand:
    """What a person saw in a photo; ``sets`` are the concealed tiles, the winning one included, then the melds."""

    shows: str
    winning: str | None = None
    sets: tuple[tuple[str, ...], ...] = ()
    either: bool = False

    @property
    def tiles(self) -> int:
        """How many tiles the hand has, a kong counted as three."""
        return sum(min(len(s), 3) if n else len(s) for n, s in enumerate(self.sets))


@functools.cache
def true_hands() -> dict[str, TrueHand]:
    """The annotated photos by their key."""
    found = {}
    for line in map(json.loads, HANDS.read_text(encoding="utf-8").splitlines()):
        sets: tuple[tuple[str, ...], ...] = ()
        if "concealed" in line:
            concealed = _sorted_codes(parse_tiles(line["concealed"] + (line["winning"] or "")))
            sets = (concealed, *sorted(_sorted_codes(parse_tiles(meld)) for meld in line.get("melds", ())))
        found[line["photo"]] = TrueHand(line["shows"], line.get("winning"), sets, line.get("either", False))
    return found


def annotated_hand(photo: TruePhoto) -> TrueHand | None:
    """The hand that the photo's annotation names, if it does."""
    if photo.hand is None:
        return None
    winning = photo.hand["winning_tile"]
    melds = [meld["tiles"] if isinstance(meld, dict) else meld for meld in photo.hand["melds"]]
    inside = sorted([*photo.hand["concealed"], *([winning] if winning else [])])
    return TrueHand("hand", winning, (tuple(inside), *sorted(tuple(sorted(meld)) for meld in melds)))


def true_hand(photo: TruePhoto) -> TrueHand | None:
    """What a person saw in the photo, if anybody has written that down."""
    return annotated_hand(photo) or true_hands().get(key_of(photo.path))


def with_true_faces(photo: TruePhoto, sightings: Sequence[Sighting]) -> list[Sighting]:
    """The sightings with the true faces in place of those read, where somebody has annotated or checked the tile."""
    beside = {id(s): said_beside(photo.beside, s.corners) for s in sightings}
    faces = {key: what for key, what in beside.items() if what not in (None, SIDE, NO_TILE, UNTOLD)}
    faces |= match(photo, sightings).labels
    known = {key: tile(label) for key, label in faces.items()}
    return [
        replace(s, tile=known[id(s)], confidence=LABELLED, posterior={known[id(s)]: LABELLED}) if id(s) in known else s
        for s in sightings
    ]


def judge(truth: TrueHand, reading: Reading) -> dict[str, bool]:
    """What is true of a reading: found whole, winning tile too, wrong without a doubt and so on."""
    hand, asked = reading.hand, {doubt.code for doubt in reading.doubts}
    if truth.shows != "hand":
        right = hand is None or bool(asked & COUNT_ASKED[truth.shows])
        return {"right": right, "invented": hand is not None, "silent": not right and not asked}
    if hand is None:
        return {"whole": False, "winning": False, "silent": False, "doubted": False}
    won = (hand.winning_tile,) if hand.winning_tile else ()
    sets = (_sorted_codes((*hand.concealed, *won)), *sorted(_sorted_codes(meld.tiles) for meld in hand.melds))
    whole = sets == truth.sets
    if truth.either:
        whole = sorted(sum(sets, ())) == sorted(sum(truth.sets, ()))
    settled = truth.winning is None and (truth.tiles < 14 or "winning_tile_unknown" in asked)
    winning = whole and (settled or [t.code for t in won] == [truth.winning])
    doubted = winning and any(not doubt.open for doubt in reading.doubts)
    return {"whole": whole, "winning": winning, "silent": not winning and not asked, "doubted": doubted}


def read_photo(photo: TruePhoto, sightings: Sequence[Sighting]) -> dict[str, dict[str, bool]]:
    """The marks of a photo as seen, and given its true faces; empty if nobody has written down what it shows."""
    truth = true_hand(photo)
    if truth is None:
        return {}
    opened = Photo(photo.path)
    found = {"as seen": sightings, "given the faces": with_true_faces(photo, sightings)}
    return {f"{truth.shows}, {how}": judge(truth, read_sightings(opened, given)) for how, given in found.items()}


def read_sightings(photo: Photo, sightings: Sequence[Sighting]) -> Reading:
    """What a photo's sightings are read as, under any rules."""
    return read_hand(list(sightings), photo.width, photo.height, None)[0]


def shares_over_photos(results: Sequence[dict[str, dict[str, bool]]]) -> dict[str, dict[str, float]]:
    """Shares over photos, by what they show and how they were read, each with its number of photos."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for key, marks in (pair for result in results for pair in result.items()):
        counts[key].update(n=1, **{k: int(v) for k, v in marks.items()})
    return {key: shares(count) for key, count in sorted(counts.items())}


def _sorted_codes(tiles: Sequence[Tile]) -> tuple[str, ...]:
    return tuple(sorted(t.code for t in tiles))
