"""Events of a table's session -> the store, in order; what has been stored is reported."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
from sqlalchemy import Engine

from hupai.hall.events import feed
from hupai.hall.feed.session.session_events import EventKind, FeedState, SessionEvent
from hupai.hall.feed.write_queue import WriteQueue
from vision.arrays import ImageArray

_JPEG_QUALITY: Final = 85


@dataclass(slots=True)
class EventWriter:
    """Stores the events of one table.

    Attributes:
        engine: the store. table, worker: names of the table and of the process that watches it.
        queue: writes in the background. models: that read the table. keep_frames: audit pictures kept.
        report: receives messages about what was stored. hands: published so far.
    """

    engine: Engine
    table: str
    worker: str
    queue: WriteQueue
    models: Mapping[str, str]
    keep_frames: int
    report: Callable[[str], None]
    hands: int = 0

    def put(self, event: SessionEvent, image: ImageArray) -> str | None:
        """Store an event of this picture, (h, w, 3) uint8 BGR; return the name in the store of a hand it shows."""
        if event.kind is EventKind.STATE:
            self.put_state(event.state)
        elif event.kind is EventKind.GONE and event.published is not None:
            self._put_gone(event.published.token)
        elif event.reading is not None and event.published is not None:
            read = {**event.reading.to_json(self.table), "models": dict(self.models)}
            jpeg = encode_jpeg(image, _JPEG_QUALITY)
            if event.kind is EventKind.SETTLED:
                token = uuid.uuid4().hex
                more = {"wins": event.published.wins, "still_for": round(event.still_for, 3)}
                self._put_settled(token, read, jpeg, more)
            else:
                token = event.published.token
                self.queue.put(lambda: feed.revise_hand(self.engine, self.table, self.worker, token, read, jpeg))
            self.queue.put(lambda: feed.prune_frames(self.engine, self.table, self.keep_frames))
            return token
        return None

    def put_state(self, state: FeedState, trouble: str | None = None) -> None:
        """Store the state of the table; ``trouble``: why there is no picture, of LOST."""
        more = {"trouble": trouble} if state is FeedState.LOST else {}
        self.queue.put(
            lambda: feed.set_state(self.engine, self.table, self.worker, state.value, more),
            lambda _: self.report(f"{self.table}: {state.value}{f' ({trouble})' if trouble else ''}"),
        )

    def _put_gone(self, token: str) -> None:
        self.queue.put(
            lambda: feed.mark_hand_gone(self.engine, self.table, self.worker, token),
            lambda _: self.report(f"{self.table}: the hand has left the table"),
        )

    def _put_settled(self, token: str, read: dict[str, Any], jpeg: bytes, more: dict[str, Any]) -> None:
        self.queue.put(
            lambda: feed.add_settled_hand(self.engine, self.table, self.worker, token, read, jpeg, more),
            lambda hand_id: self._count(read["hand"], hand_id),
        )

    def _count(self, hand: dict[str, Any], hand_id: int) -> None:
        self.hands += 1
        self.report(f"{self.table}: {_hand_text(hand)} (hand {hand_id})")


def encode_jpeg(image: ImageArray, quality: int) -> bytes:
    """Return a (h, w, 3) uint8 BGR picture as JPEG."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("OpenCV cannot write JPEG")
    return data.tobytes()


def _hand_text(hand: dict[str, Any]) -> str:
    melds = "".join(f" [{''.join(m['tiles'])}]" for m in hand["melds"])
    bonus = f" {' '.join(hand['bonus'])}" if hand["bonus"] else ""
    return f"{' '.join(hand['concealed'])}{melds}{bonus}, won with {hand['winning_tile']}"
