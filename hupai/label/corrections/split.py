"""Labels -> training and validation parts that share nothing: no tile set, no photo, no copy of a photo.

A network recognises a tile set it was trained on, and the copies of a photo it has seen: figures from such pictures
are worthless. So pictures are grouped first, and each group goes to one part:

- by source photo: copies (by perceptual hash) and the versions that tools make of one photo (``IMG_1_jpg.rf.3f2a.jpg``,
  ``IMG_1_aug2.jpg``) stay together;
- also by tile set, if the sets are told apart: by a list, or by the folder of the pictures.

Never by tile: crops of one photo resemble each other.
"""

from __future__ import annotations

import fnmatch
import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hupai.label.duplicates import Hashes
from hupai.label.photo_names import PARTS, photo_of
from hupai.label.records import Record
from scoring.errors import HupaiError


class SplitError(HupaiError):
    """Labels that cannot be split as asked."""

    code = "cannot_split"


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """What decides the part of a picture: its name, the hashes of its file and the codes of its tiles."""

    image: str
    sha256: str
    phash: str
    codes: tuple[str, ...]

    @classmethod
    def of(cls, record: Record) -> LabelledPicture:
        """Return that of a record."""
        return cls(record.image, record.sha256, record.phash, tuple(b.tile.code for b in record.boxes))


@dataclass(frozen=True, slots=True)
class SplitAssignment:
    """A picture and the part it goes to.

    Attributes:
        image: name of the picture. codes: of its tiles.
        photo: the photo it comes from. tileset: the set it shows, or empty if unknown.
        group: number of its group. part: ``train`` or ``val``.
    """

    image: str
    codes: tuple[str, ...]
    photo: str
    tileset: str
    group: int
    part: str


def set_by_folder(name: str) -> str:
    """Return the tile set of a picture: the first folder of its name; empty without one."""
    folders, _, _ = name.rpartition("/")
    return folders.partition("/")[0]


def set_by_list(patterns: Sequence[tuple[str, str]]) -> Callable[[str], str]:
    """Return a function that finds a picture's tile set: of the first (wildcard, set) that fits, else empty."""
    return lambda name: next((s for pattern, s in patterns if fnmatch.fnmatchcase(name, pattern)), "")


def split(
    pictures: Sequence[LabelledPicture],
    share: float,
    *,
    tileset: Callable[[str], str] | None = None,
    seed: int = 0,
) -> list[SplitAssignment]:
    """Place every picture in a part.

    Args:
        pictures: by name.
        share: of the tiles that should be in ``val``, as close as whole groups allow.
        tileset: picture -> tile set; None to keep only photos together.
        seed: another seed distributes the groups differently; the same seed always gives the same parts.

    Raises:
        SplitError: fewer than two groups.
    """
    groups = _groups(pictures, tileset)
    if len(groups) < 2:
        what = "tile set" if tileset is not None else "photo"
        raise SplitError(
            f"All {len(pictures)} pictures belong to one {what}: nothing would be left to train on or to test with. "
            + ("Tell the sets apart with --sets, or split by photo only with --by photo." if tileset else "Add photos.")
        )
    chosen = _validation(groups, share, seed)
    placed = []
    for number, group in enumerate(groups):
        part = PARTS[number in chosen]
        for one in group:
            known = tileset(one.image) if tileset else ""
            placed.append(SplitAssignment(one.image, one.codes, photo_of(one.image), known, number, part))
    return sorted(placed, key=lambda p: p.image)


def only_in_validation(placed: Sequence[SplitAssignment]) -> dict[str, int]:
    """Return classes that are in ``val`` but not in ``train``, with their counts: nothing can learn them."""
    counts: Mapping[str, Counter[str]] = {part: Counter() for part in PARTS}
    for p in placed:
        counts[p.part].update(p.codes)
    return {code: n for code, n in sorted(counts["val"].items()) if code not in counts["train"]}


def _groups(pictures: Sequence[LabelledPicture], tileset: Callable[[str], str] | None) -> list[list[LabelledPicture]]:
    """Return the groups of pictures that must stay together, by the name of their first one."""
    leader = list(range(len(pictures)))

    def top(i: int) -> int:
        while leader[i] != i:
            leader[i] = leader[leader[i]]
            i = leader[i]
        return i

    def join(i: int, j: int) -> None:
        a, b = sorted((top(i), top(j)))
        leader[b] = a

    first: dict[tuple[str, str], int] = {}
    hashes = Hashes()
    for i, one in enumerate(pictures):
        hashes.add(i, one.phash, one.sha256)
        keys = [("photo", photo_of(one.image)), ("bytes", one.sha256)]
        keys += [("set", tileset(one.image))] if tileset else []
        for key in keys:
            if key[1]:
                join(i, first.setdefault(key, i))
    for copy in hashes.duplicates():
        join(copy.image, copy.of)
    groups: dict[int, list[LabelledPicture]] = {}
    for i, one in enumerate(pictures):
        groups.setdefault(top(i), []).append(one)
    return [groups[i] for i in sorted(groups)]


def _validation(groups: Sequence[Sequence[LabelledPicture]], share: float, seed: int) -> set[int]:
    """Return the groups for ``val``, tried in an order set by the seed; each is kept if it brings the share closer.

    At least one group goes to each part. A class that only one group has stays in ``train`` if possible.
    """
    sizes = [max(1, sum(len(one.codes) for one in group)) for group in groups]
    codes = [{code for one in group for code in one.codes} for group in groups]
    holders = Counter(itertools.chain.from_iterable(codes))
    needed = {i for i, own in enumerate(codes) if any(holders[code] == 1 for code in own)}
    order = sorted(range(len(groups)), key=lambda i: (i in needed, _deal_key(groups[i][0].image, seed)))
    want, have = share * sum(sizes), 0
    chosen: set[int] = set()
    for i in order:
        if len(chosen) < len(groups) - 1 and abs(have + sizes[i] - want) < abs(have - want):
            chosen.add(i)
            have += sizes[i]
    return chosen or {min(order, key=lambda i: (i in needed, sizes[i], i))}


def _deal_key(name: str, seed: int) -> str:
    return hashlib.sha256(f"{seed}:{name}".encode()).hexdigest()
