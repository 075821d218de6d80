"""The hand that was published before a restart, which may still lie on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hupai.hall.feed.session.candidate import Candidate, common_tiles
from hupai.hall.feed.session.published import PublishedHand
from hupai.hall.feed.session.tracks import Track, labels
from scoring.tiles import Tile

MISSING_SECONDS: Final = 30.0
"""Time after a restart, and reads, without half of the earlier hand's tiles: the hand was taken away."""
MISSING_READS: Final = 8


@dataclass(slots=True)
class RememberedHand:
    """A hand that nobody has seen since the restart.

    Attributes:
        token: names it in the store. tiles: its tiles.
        missing_since: time of the first of the latest reads that lacked most of its tiles, seconds.
        missing_reads: how many these are.
    """

    token: str
    tiles: tuple[Tile, ...]
    missing_since: float = 0.0
    missing_reads: int = 0

    def is_gone(self, candidate: Candidate | None, tracks: Sequence[Track], time: float) -> bool:
        """Whether a read shows that the hand has left the table: by another hand, or by a table long without it.

        A table without a hand is no evidence for a while: somebody's arm may be over it.
        """
        if candidate is not None:
            return not candidate.is_again(self.tiles)
        if 2 * common_tiles(self.tiles, labels(tracks)) >= len(self.tiles):
            self.missing_reads = 0
            return False
        if not self.missing_reads:
            self.missing_since = time
        self.missing_reads += 1
        return time - self.missing_since >= MISSING_SECONDS and self.missing_reads >= MISSING_READS

    def unseen(self) -> PublishedHand:
        """Return it as a published hand whose tiles lie nowhere."""
        return PublishedHand(self.token, (), np.zeros((0, 4, 2), np.float32), np.zeros((0, 2), np.float32))
