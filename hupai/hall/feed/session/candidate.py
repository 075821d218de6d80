"""A complete hand among the tiles on the table, which is published once two reads agree about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hupai.hall.feed.session.published import PublishedHand
from hupai.hall.feed.session.tracks import Track
from scoring.tiles import Tile
from vision.hand.decoder import Decoded
from vision.hand.read import read_hand
from vision.layout.shapes import Rules
from vision.reading import Reading, Role

MAX_SHANTEN: Final = 1
"""Largest distance from winning (shanten) of a hand: beyond it, the tiles only happen to lie like a hand."""
SAME_HAND_SHARE: Final = 0.7
"""Share of a hand's tiles that another reading must have in common to be that hand read again."""
_OF_HAND: Final = (Role.CONCEALED, Role.MELD, Role.WINNING, Role.BONUS)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hand found by a read.

    Attributes:
        decoded, reading: the hand. tracks: of its tiles. tiles: what they count as.
    """

    decoded: Decoded
    reading: Reading
    tracks: tuple[Track, ...]
    tiles: tuple[Tile, ...]

    @property
    def doubtful(self) -> bool:
        """Whether it is two exchanges from a win: a badly read hand, or tiles that only happen to lie like one."""
        return not self.decoded.wins and (self.decoded.shanten or 0) > 0

    @property
    def seen_twice(self) -> bool:
        """Whether two reads of this still period have shown each of its tiles."""
        return all(t.in_row >= 2 for t in self.tracks)

    @property
    def blotted(self) -> bool:
        """Whether light has blotted out one of its tiles ever since it lies there."""
        return not all(t.clear for t in self.tracks)

    def shares(self, other: Candidate, share: float) -> bool:
        """Whether the two have at least this share of their tiles in common."""
        most = max(len(self.tiles), len(other.tiles))
        return common_tiles(self.tiles, other.tiles) >= share * most

    def is_again(self, tiles: Sequence[Tile]) -> bool:
        """Whether it is a hand of these tiles, read again."""
        return common_tiles(tiles, self.tiles) >= SAME_HAND_SHARE * len(tiles)

    def improves(self, published: PublishedHand) -> bool:
        """Whether it is the published hand and wins, while that one did not or showed fewer tiles."""
        more = not published.wins or len(self.tiles) > len(published.tiles)
        return self.decoded.wins and self.is_again(published.tiles) and more

    def publish(self, token: str) -> PublishedHand:
        """Return it as the published hand, called ``token`` in the store."""
        quads = np.array([t.sighting.corners for t in self.tracks], np.float32)
        places = np.array([t.place for t in self.tracks], np.float32)
        return PublishedHand(token, self.tiles, quads, places, self.decoded.wins)


def find_candidate(tracks: Sequence[Track], shape: tuple[int, ...], rules: Rules) -> Candidate | None:
    """Return the hand these tiles form, if it is complete and wins or is at most two exchanges from a win.

    Args:
        tracks: the tiles on the table. shape: of the picture, (height, width, ...).
        rules: whose winning shapes and tiles help the reading; any if None.
    """
    if not tracks:
        return None
    sightings = [t.fused for t in tracks]
    height, width = shape[:2]
    reading, decoded = read_hand(sightings, width, height, rules, second=False)
    hand = decoded.hand
    hidden = sum(doubt.code == "hidden_kong" for doubt in decoded.doubts)
    if hand is None or not hand.complete_with(hidden):
        return None
    if not decoded.wins and (decoded.shanten is None or decoded.shanten > MAX_SHANTEN):
        return None
    inside = [i for i, role in enumerate(decoded.roles) if role in _OF_HAND]
    used = {r.tile: r.used for r in decoded.repairs}
    tiles = tuple(used.get(i, sightings[i].tile) for i in inside)
    return Candidate(decoded, reading, tuple(tracks[i] for i in inside), tiles)


def common_tiles(one: Sequence[Tile], other: Sequence[Tile]) -> int:
    """Return how many tiles two hands have in common."""
    return sum((Counter(one) & Counter(other)).values())
