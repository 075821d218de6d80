"""When the table is read: twice soon after it has come to rest, then the more rarely the clearer the outcome is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SETTLE_SECONDS: Final = 0.1
"""Time without motion before the table is read."""
FIRST_REREAD_SECONDS: Final = 0.15
"""Time between the first reads of a still period."""
REREAD_SECONDS: Final = 0.5
"""Time between reads while the outcome is open."""
IDLE_REREAD_SECONDS: Final = 2.0
"""Time between reads while nothing changes."""
MAX_FRAME_SECONDS: Final = 0.1
"""Longest time from one frame to the next of a camera that keeps up."""
OPEN_READS: Final = 8
"""Reads of a still period with an open outcome before they become rarer."""
LATE_READS: Final = 3
"""From this read of a still period on, a hand that is not quite clear is accepted as read, with its doubts."""


@dataclass(slots=True)
class ReadSchedule:
    """The reads of a still period.

    Attributes:
        period: number of the still period; a read that was begun in an earlier one is out of date.
        reads: finished in this period. next_read: time of the next one, seconds.
    """

    period: int = 0
    reads: int = 0
    next_read: float = 0.0

    def restart(self, time: float) -> None:
        """Begin a new still period: something has moved."""
        self.period += 1
        self.reads, self.next_read = 0, time

    def is_due(self, still_seconds: float, time: float) -> bool:
        """Whether the table, which has been still for so long, is to be read now."""
        return still_seconds >= SETTLE_SECONDS and time >= self.next_read

    def plan_next(self, time: float, *, resting: bool) -> None:
        """Set when to read after a read of the frame taken at ``time``; ``resting``: another would change nothing."""
        settled = self.reads >= 2 and resting
        if self.reads < LATE_READS and not settled:
            self.next_read = time + FIRST_REREAD_SECONDS
        else:
            # A read that fell due between two frames was made with the later one; this does not delay the next read.
            due = self.next_read if time - self.next_read < MAX_FRAME_SECONDS else time
            self.next_read = due + (IDLE_REREAD_SECONDS if settled or self.reads >= OPEN_READS else REREAD_SECONDS)
