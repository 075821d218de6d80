"""Pictures that show the same photo: the same bytes, or perceptual hashes that hardly differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from hupai.label.records import Record

BITS: Final = 256
NEAR: Final = 20
"""Bits of 256 in which two copies of a photo may differ. Measured on 690 photos: saved again at lower quality or other
size 8 at most, brightened or with more contrast 18, trimmed by 2 % 20 to 34; different photos 32 and more, even of the
same table (consecutive frames of a film less)."""
_BLOCK: Final = 1024
"""Rows between two sortings of what was seen."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A picture that shows the same as an earlier one.

    Attributes:
        image: the copy.
        of: position of the first picture of its kind.
        bits: how many of 256 bits of the hash differ; 0 with ``same_bytes`` where the files are equal.
    """

    image: int
    of: int
    bits: int
    same_bytes: bool


def same_photo(one: Record, sha256: str, phash: str) -> bool:
    """Whether a picture with these hashes may be that of a record: nothing speaks against it where one is unknown."""
    if not (one.sha256 and sha256) or one.sha256 == sha256:
        return True
    if len(one.phash) != len(phash) or len(phash) != BITS // 4:
        return False
    return (int(one.phash, 16) ^ int(phash, 16)).bit_count() <= NEAR


class Hashes:
    """Collects the hashes of pictures in order: 48 bytes per picture."""

    def __init__(self) -> None:
        self._phashes = bytearray()
        self._sums = bytearray()
        self._where: list[int] = []

    def add(self, position: int, phash: str, sha256: str) -> None:
        """Add the hashes of a picture; one without a perceptual hash is skipped."""
        if len(phash) == BITS // 4:
            self._phashes += bytes.fromhex(phash)
            self._sums += bytes.fromhex(sha256)[:16].ljust(16, b"\0")
            self._where.append(position)

    def duplicates(self) -> Iterator[Duplicate]:
        """Iterate over the pictures that resemble an earlier one, in order.

        A picture is compared with the first of each kind, not with every copy: a film's frames, each like the previous
        one, do not all become copies of the first. If several kinds fit, the nearest counts, of equals the first.
        """
        n = len(self._where)
        hashes = np.frombuffer(bytes(self._phashes), np.uint8).reshape(n, BITS // 8)
        sums = np.frombuffer(bytes(self._sums), np.uint8).reshape(n, 16)
        for j, found in enumerate(_nearest_firsts(hashes)):
            if found is not None:
                i, bits = found
                same = bits == 0 and bool((sums[i] == sums[j]).all() and sums[i].any())
                yield Duplicate(self._where[j], self._where[i], bits, same)


def _nearest_firsts(hashes: npt.NDArray[np.uint8]) -> Iterator[tuple[int, int] | None]:
    """Yield, for each row, the closest earlier row that is the first of its kind, and how many bits differ.

    None for a row that is the first of its own kind. Hashes that differ in fewer than 16 bits agree in at least one
    of their 16 words, so only rows with a word in common are compared; of pairs with 16 to 20 different bits, a few in
    a thousand differ in every word and are missed.
    """
    words, n = hashes.view(np.uint16), len(hashes)
    firsts, count = np.empty(n, np.uint32), 0
    for start in range(0, n, _BLOCK):
        settled = count
        # The firsts before this block in the order of each word, and where in it the words of the block's rows are.
        columns = []
        for word, here in zip(words[firsts[:settled]].T, words[start : start + _BLOCK].T, strict=True):
            order = np.argsort(word, kind="stable")
            places = (np.searchsorted(word[order], here, side).tolist() for side in ("left", "right"))
            columns.append((firsts[order], *places))
        for j in range(start, min(start + _BLOCK, n)):
            recent = firsts[settled:count]
            lists = [order[low[j - start] : high[j - start]] for order, low, high in columns]
            rows = np.concatenate([*lists, recent[(words[recent] == words[j]).any(axis=1)]])
            apart = np.bitwise_count(hashes[rows] ^ hashes[j]).sum(axis=1)
            least = int(apart.min(initial=BITS))
            if least <= NEAR:
                yield int(rows[apart == least].min()), least
            else:
                firsts[count] = j
                count += 1
                yield None
