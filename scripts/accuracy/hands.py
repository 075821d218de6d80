"""Whole hands in real photos: exact before and after decoding, and after learning the set from one other photo of it.

    python -m scripts.benchmark_hands --data scenes-d-validation

Photos are chosen by a rule: all whose annotated tiles, flowers and seasons aside, are a complete winning hand (14
tiles, and one more for each four of a kind that must be a kong), whatever the layout. A hand is exact when the tiles
taken for it are these tiles, no more and no less.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from itertools import combinations
from typing import Any

from scoring.arrange import is_seven_pairs, is_standard, is_thirteen_orphans
from scoring.tiles import BACK_KIND, KINDS, tile
from scripts.accuracy.holdouts import folder_of
from scripts.accuracy.set_photos import by_set, learned, same_shot, set_of, teacher_of
from scripts.accuracy.truth import TruePhoto, load
from vision.hand import Decoded, read_hand
from vision.io.photo import Photo
from vision.learn.tileset import TileSet
from vision.pipeline import Eyes
from vision.reading import Role, Sighting

HAND = (Role.CONCEALED, Role.WINNING, Role.MELD)


def hand_of(photo: TruePhoto) -> list[str] | None:
    """The tiles of the photo where they are one winning hand, sorted; None otherwise."""
    faces = [tile(t.label) for t in photo.tiles]
    hand = [t for t in faces if t.is_playable]
    counts = [sum(t.kind == k for t in hand) for k in range(KINDS)]
    fours = [k for k in range(KINDS) if counts[k] == 4]
    for kongs in combinations(fours, max(0, len(hand) - 14)):
        rest = [n - (k in kongs) for k, n in enumerate(counts)]
        whole = sum(rest) == 14 and (is_standard(rest) or is_seven_pairs(rest) or is_thirteen_orphans(rest))
        if whole and all(t.kind < BACK_KIND for t in faces):
            return sorted(t.code for t in hand)
    return None


def read(photo: TruePhoto, sightings: list[Sighting], size: tuple[int, int], rules: str | None) -> dict[str, Any]:
    """What becomes of the hand: as the eyes read it, and as it is decoded."""
    _, decoded = read_hand(sightings, *size, rules)
    hand = hand_of(photo)
    bonus = sorted(t.label for t in photo.tiles if tile(t.label).is_bonus)
    whole = decoded.hand
    return {
        "raw": sorted(s.tile.code for s, r in zip(sightings, decoded.roles, strict=True) if r in HAND) == hand,
        "decoded": _codes(decoded) == hand,
        "bonus": whole is not None and sorted(str(t) for t in whole.bonus) == bonus,
        "wins": decoded.wins,
        "read": " ".join(_codes(decoded)),
        "doubts": [d.code for d in decoded.doubts],
    }


def _codes(decoded: Decoded) -> list[str]:
    hand = decoded.hand
    if hand is None:
        return []
    won = (hand.winning_tile,) if hand.winning_tile else ()
    return sorted(t.code for t in (*hand.concealed, *won, *(t for m in hand.melds for t in m.tiles)))


def main() -> None:
    """Print the figures, and every photo that was chosen."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", action="append", required=True, help="folder of annotated photos; may be repeated")
    options.add_argument("--rules", help="rules whose winning shapes help (default: any)")
    options.add_argument("--threads", type=int, help="cores for one photo")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    eyes = Eyes(threads=given.threads)
    photos = [photo for name in given.data for photo in load(folder_of(name))]
    sets = by_set(photos)
    chosen = [p for p in photos if hand_of(p) is not None]
    known: dict[str, TileSet] = {}
    rows: list[dict[str, Any]] = []
    for photo in chosen:
        opened = Photo(photo.path)
        seen = eyes.look(opened)
        size = (opened.width, opened.height)
        row: dict[str, Any] = {"photo": photo.path.name, "set": set_of(photo)}
        row["without"] = read(photo, seen, size, given.rules)
        group = next((group for group in sets.values() if photo in group), [])
        others = [p for p in group if not same_shot(p, photo)]
        if others:
            teacher = teacher_of(others)
            if teacher.path.name not in known:
                known[teacher.path.name] = learned(teacher, eyes)
            row["teacher"] = teacher.path.name
            row["learned"] = read(photo, known[teacher.path.name].read(seen), size, given.rules)
        rows.append(row)
    count: Counter[str] = Counter()
    for row in rows:
        for how in ("without", "learned"):
            for key in ("raw", "decoded", "bonus"):
                count[f"{how} {key}"] += bool(row.get(how, row["without"])[key])
    figures = {"photos": len(rows), **{key: f"{n} ({n / max(1, len(rows)):.3f})" for key, n in sorted(count.items())}}
    if given.json:
        print(json.dumps({"figures": figures, "photos": rows}, indent=1))
        return
    for key, value in figures.items():
        print(f"{key:20s} {value}")
    for row in rows:
        marks = " ".join(
            "ok " if row.get(how, row["without"])[key] else "-- "
            for how in ("without", "learned")
            for key in ("raw", "decoded", "bonus")
        )
        print(f"{marks} {row['photo']}  {row['set'] or ''}")


if __name__ == "__main__":
    main()
