"""What a session tells: the state of its table, and hands that settle, change and go."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hupai.hall.feed.session.published import PublishedHand
from vision.reading import Reading


class FeedState(StrEnum):
    """The state of a table, as the board shows it."""

    STARTING = "starting"
    WATCHING = "watching"
    HAND = "hand"
    OCCLUDED = "occluded"
    UNCLEAR = "unclear"
    UNREAD = "unread"
    GLARE = "glare"
    DARK = "dark"
    FROZEN = "frozen"
    SHAKING = "shaking"
    LOST = "lost"
    ENDED = "ended"


class EventKind(StrEnum):
    """Kinds of events."""

    SETTLED = "settled"
    REVISED = "revised"
    GONE = "gone"
    STATE = "state"


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """An event to be stored.

    Attributes:
        kind: of the event. state: of the table from now on. still_for: seconds since the table came to rest.
        reading: of SETTLED and REVISED.
        published: the hand on the table, to be passed to ``TableSession.set_published`` with its token.
    """

    kind: EventKind
    state: FeedState
    still_for: float = 0.0
    reading: Reading | None = None
    published: PublishedHand | None = None
