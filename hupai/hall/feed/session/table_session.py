"""One table: frames in, events out. No I/O; the session takes over a change only when the caller has stored it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from hupai.hall.feed.session.candidate import Candidate, find_candidate
from hupai.hall.feed.session.published import PublishedHand, Verdict
from hupai.hall.feed.session.read_schedule import LATE_READS, OPEN_READS, SETTLE_SECONDS, ReadSchedule
from hupai.hall.feed.session.remembered import RememberedHand
from hupai.hall.feed.session.session_events import EventKind, FeedState, SessionEvent
from hupai.hall.feed.session.tracks import Track, Tracks
from hupai.hall.feed.stillness.background import BackgroundModel
from hupai.hall.feed.stillness.glare import find_blown_faces, has_glare_beside
from hupai.hall.feed.stillness.homography import TableHomography, homography_from_tiles, overhead_homography
from hupai.hall.feed.stillness.motion import MotionGate, MotionState
from scoring.tiles import Tile
from vision.arrays import FloatArray, ImageArray
from vision.hand.doubts import MIN_IN_LINES
from vision.layout.shapes import Rules
from vision.reading import Sighting

MIN_WAVERING_SHARE: Final = 0.85
"""Share of its tiles that two reads of a late hand (see ``LATE_READS``) must have in common."""
FROZEN_SECONDS: Final = 5.0
"""Time for which the same picture may repeat before the camera counts as frozen."""
SHAKE_LIMIT_PX: Final = 12.0
"""Pixels from frame to frame, of a picture 1280 wide, that a camera may move: at 14 all hands came through, at 18
to 22 a quarter of them was lost."""
SHAKE_REPORT_SECONDS: Final = 4.0
"""Time without a still moment before a shake is reported."""
GLARE_SECONDS: Final = 2.0
"""Time for which light must hide a tile before that is reported: a spot that wanders leaves it sooner."""
UNREAD_SECONDS: Final = 60.0
"""Time for which tiles may lie still without being a hand: in play something moves all the time."""

DetectTiles = Callable[[ImageArray], list[Sighting]]


@dataclass(frozen=True, slots=True)
class PendingRead:
    """A frame to read.

    Attributes:
        image: (h, w, 3) uint8 BGR. motion: what the frame alone showed. time: when it was taken, seconds.
        period: number of the still period it belongs to.
    """

    image: ImageArray
    motion: MotionState
    time: float
    period: int


class TableSession:
    """Watches one table.

    Attributes:
        state: of the table. homography: the table in the picture. published: the published hand on the table, or None.
        reads: how many so far. motion: of the last frame.
    """

    def __init__(
        self,
        detect: DetectTiles,
        *,
        rules: Rules = None,
        published: Sequence[Tile] = (),
        token: str = "",
    ) -> None:
        """Start watching.

        Args:
            detect: image (h, w, 3) BGR uint8 -> everything in sight (``TileReader.find_tiles`` wants RGB).
            rules: whose winning shapes and tiles help the reading; any if None.
            published, token: the hand published before a restart, which may still lie there; it is called so in the
                store.
        """
        self._detect, self._rules = detect, rules
        self.homography, self._calibrated = overhead_homography(), False
        self.gate = MotionGate(self.homography)
        self.state = FeedState.STARTING
        self.published: PublishedHand | None = None
        self.reads = 0
        self.motion: MotionState | None = None
        self._remembered = RememberedHand(token, tuple(published)) if published else None
        self._tracks, self._background = Tracks(), BackgroundModel()
        self._candidate: Candidate | None = None
        self._glaring = False
        self._schedule = ReadSchedule()
        self._rested_at = 0.0  # when the picture was last still, or could not be judged
        self._shape: tuple[int, ...] = ()

    @property
    def calibrated(self) -> bool:
        """Whether the camera's view of the table is known."""
        return self._calibrated

    def set_table(self, homography: TableHomography | None) -> None:
        """Set the table's place in the picture; None finds it from the tiles again."""
        self.homography, self._calibrated = homography or overhead_homography(), homography is not None
        self.gate.set_table(self.homography)
        self._relocate_tracks()

    def set_shape(self, shape: tuple[int, ...]) -> None:
        """Set the shape of the pictures to come; if it changes, the table has to be located anew."""
        if self._shape and shape != self._shape:
            self._reset()
        self._shape = shape

    def set_rules(self, rules: Rules) -> None:
        """Read by these rules from now on."""
        self._rules = rules

    def set_published(self, token: str, published: PublishedHand) -> None:
        """Take over the settled (or revised) hand, which is called ``token`` in the store."""
        published.token = token
        self.published = published

    def process_frame(self, image: ImageArray, time: float) -> list[SessionEvent]:
        """Process one frame; read it at once if a read is due.

        Args:
            image: (h, w, 3) uint8 BGR, always of the same size. time: when it was taken, seconds.
        """
        events, pending = self.check_motion(image, time)
        return events if pending is None else [*events, *self.on_detections(pending, self._detect(image))]

    def check_motion(self, image: ImageArray, time: float) -> tuple[list[SessionEvent], PendingRead | None]:
        """Process one frame without reading it; return its events, and the read that is due, if any."""
        self.set_shape(image.shape)
        motion = self.gate.update(image, time)
        if self.motion is None or motion.still_for >= SETTLE_SECONDS:
            self._rested_at = time
        self.motion = motion
        if motion.dark or motion.frozen_for >= FROZEN_SECONDS:
            self._restart_period(time)
            self._rested_at = time
            return self._change_state(FeedState.DARK if motion.dark else FeedState.FROZEN), None
        if motion.still_for <= 0:
            self._restart_period(time)
            shake = motion.shake * 1280 / image.shape[1]
            if shake >= SHAKE_LIMIT_PX and time - self._rested_at >= SHAKE_REPORT_SECONDS:
                return self._change_state(FeedState.SHAKING), None
            again = self.state in (FeedState.DARK, FeedState.FROZEN, FeedState.STARTING)
            again = again or (self.state is FeedState.SHAKING and shake < SHAKE_LIMIT_PX / 2)
            return self._change_state(FeedState.WATCHING) if again else [], None
        if not self._schedule.is_due(motion.still_for, time):
            return [], None
        return [], PendingRead(image, motion, time, self._schedule.period)

    def on_detections(self, pending: PendingRead, sightings: list[Sighting]) -> list[SessionEvent]:
        """Process a finished read and return its events; a read during which something moved is dropped."""
        if pending.period != self._schedule.period or pending.image.shape != self._shape:
            return []
        events = self._process_read(pending, sightings)
        if not self._glaring or self._schedule.reads < LATE_READS:  # light may wander on at any time
            self._schedule.reads += 1
        self._schedule.plan_next(pending.time, resting=self._is_resting())
        return events

    def _restart_period(self, time: float) -> None:
        if self._schedule.reads:
            self._tracks.restart_period()
        self._candidate = None
        self._schedule.restart(time)

    def _is_resting(self) -> bool:
        """Whether another read would not change the result."""
        if self.state not in (FeedState.HAND, FeedState.WATCHING):
            return False
        if self.published is None:
            return self._candidate is None and not self._glaring and self._schedule.reads >= LATE_READS
        return self.published.doubted == 0

    def _process_read(self, pending: PendingRead, sightings: Sequence[Sighting]) -> list[SessionEvent]:
        image, motion = pending.image, pending.motion
        self.reads += 1
        self._calibrate(sightings, image.shape)
        self._tracks.add(sightings, self.homography, partial(find_blown_faces, image))
        tracks = self._tracks.current()
        candidate = find_candidate(tracks, image.shape, self._rules)
        self._glaring = self._hides_tiles(candidate, tracks, image)
        events = self._match_remembered(candidate, tracks, pending.time)
        events += self._follow_published(tracks, image)
        self._update_background(image, tracks)
        self._tracks.prune()
        agreed = self._reads_agree(candidate, self._candidate)
        self._candidate = candidate
        if candidate is not None and agreed and candidate.seen_twice and not candidate.blotted:
            return events + self._accept(candidate, motion)
        if self.published is not None:
            return events
        if self._glaring and motion.still_for >= GLARE_SECONDS:
            events += self._change_state(FeedState.GLARE)
        elif candidate is not None and self._schedule.reads >= OPEN_READS - 2:
            events += self._change_state(FeedState.UNCLEAR)
        elif candidate is None and tracks and motion.still_for >= UNREAD_SECONDS:
            events += self._change_state(FeedState.UNREAD)
        elif candidate is None or self.state is not FeedState.UNCLEAR:
            events += self._change_state(FeedState.WATCHING)
        return events

    def _hides_tiles(self, candidate: Candidate | None, tracks: Sequence[Track], image: ImageArray) -> bool:
        """Whether light keeps a hand that seems to lie here from being read."""
        if candidate is not None:
            return candidate.blotted
        quads = np.array([t.sighting.corners for t in tracks], np.float32)
        return len(tracks) >= MIN_IN_LINES and (not all(t.clear for t in tracks) or has_glare_beside(image, quads))

    def _accept(self, candidate: Candidate, motion: MotionState) -> list[SessionEvent]:
        """Return the events of a hand about which two reads agree."""
        events = []
        if (
            self.published is not None
            and self.state is FeedState.OCCLUDED
            and not candidate.is_again(self.published.tiles)
        ):
            # Everything of the old hand could be hidden, but another complete hand lies here: the old one is gone.
            events.append(SessionEvent(EventKind.GONE, FeedState.WATCHING, published=self.published))
            self.published = None
        if self.published is None:
            events.append(self._publish(candidate, EventKind.SETTLED, motion))
        elif candidate.improves(self.published):
            events.append(self._publish(candidate, EventKind.REVISED, motion))
        return events

    def _reads_agree(self, candidate: Candidate | None, before: Candidate | None) -> bool:
        """Whether two consecutive reads agree. If they keep differing in a tile or two, that is reported as a doubt."""
        if candidate is None or before is None:
            return False
        late = self._schedule.reads >= LATE_READS
        if candidate.doubtful and not late:
            return False
        # A winning hand may differ from the third read on: mostly a flower is hard to name.
        wavers = late or (candidate.decoded.wins and self._schedule.reads >= LATE_READS - 1)
        return candidate.shares(before, MIN_WAVERING_SHARE if wavers else 1.0)

    def _match_remembered(
        self, candidate: Candidate | None, tracks: Sequence[Track], time: float
    ) -> list[SessionEvent]:
        """After a restart: a hand like the one published last is that one; another means that it is gone."""
        remembered = self._remembered
        if remembered is None or self._schedule.reads < 1:
            return []
        if remembered.is_gone(candidate, tracks, time):
            self._remembered, self.state = None, FeedState.WATCHING
            return [SessionEvent(EventKind.GONE, FeedState.WATCHING, published=remembered.unseen())]
        if candidate is None:
            return []
        self._remembered, self.published = None, candidate.publish(remembered.token)
        return self._change_state(FeedState.HAND)

    def _follow_published(self, tracks: Sequence[Track], image: ImageArray) -> list[SessionEvent]:
        """Follow the published hand and return events about it."""
        published = self.published
        if published is None or not published.tiles:
            return []
        verdict, move = published.judge(tracks, image, self._background)
        if verdict is not Verdict.GONE:
            published.doubted = 0
        if move is not None:
            self._apply_push(move, tracks, image, published)
        if verdict is not Verdict.GONE:
            return self._change_state(FeedState.OCCLUDED if verdict is Verdict.HIDDEN else FeedState.HAND)
        published.doubted += 1
        if published.doubted < 2:
            return []
        self.published = None
        self.state = FeedState.WATCHING
        return [SessionEvent(EventKind.GONE, FeedState.WATCHING, published=published)]

    def _apply_push(
        self, move: FloatArray, tracks: Sequence[Track], image: ImageArray, published: PublishedHand
    ) -> None:
        """Handle a shift of the whole picture (the camera was bumped), or of the hand alone."""
        quads = np.array([t.sighting.corners for t in tracks], np.float32)
        other = self._background.copy()
        other.warp(move, image.shape)
        if other.match_share(image, quads) > self._background.match_share(image, quads):
            self._background = other
            self.homography = self.homography.moved_by(move)
            self.gate.set_table(self.homography)
            self._relocate_tracks()
        centres = np.asarray(published.quads.mean(axis=1), np.float64)
        centres = centres @ np.asarray(move[:, :2], np.float64).T + move[:, 2]
        published.rebase(np.asarray(move, np.float32), self.homography.to_table(centres))

    def _update_background(self, image: ImageArray, tracks: Sequence[Track]) -> None:
        quads = [t.sighting.corners for t in tracks]
        if self.published is not None:
            quads += list(self.published.quads)
        hidden = self.published is not None and (self.published.hidden.any() or self.published.doubted > 0)
        self._background.update(image, np.array(quads, np.float32).reshape(-1, 4, 2), fresh=not hidden)

    def _publish(self, candidate: Candidate, kind: EventKind, motion: MotionState) -> SessionEvent:
        self.state = FeedState.HAND
        published = candidate.publish(self.published.token if self.published is not None else "")
        return SessionEvent(kind, FeedState.HAND, motion.still_for, candidate.reading, published)

    def _change_state(self, state: FeedState) -> list[SessionEvent]:
        if state is self.state:
            return []
        self.state = state
        return [SessionEvent(EventKind.STATE, state)]

    def _calibrate(self, sightings: Sequence[Sighting], shape: tuple[int, ...]) -> None:
        """Learn the camera's view of the table from the tiles, until it is known."""
        if self._calibrated or not sightings:
            return
        quads = np.array([s.corners for s in sightings], np.float32)
        found = homography_from_tiles(_short_first(quads), shape[1], shape[0])
        if found is not None:
            self._calibrated = True
            self.homography = found
        else:
            edges = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2).min(axis=1)
            self.homography = overhead_homography(float(np.median(edges)))
        self._relocate_tracks()

    def _relocate_tracks(self) -> None:
        for track in self._tracks.tracks:
            track.place = self.homography.to_table(np.array([track.sighting.centre]))[0]
        if self.published is not None and len(self.published.quads):
            self.published.places = self.homography.to_table(self.published.quads.mean(axis=1))

    def _reset(self) -> None:
        """Start again for a picture of another size: nothing that was measured in pixels is valid any more."""
        if self.published is not None:
            self._remembered = RememberedHand(self.published.token, self.published.tiles)
        self.published, self._tracks, self._background = None, Tracks(), BackgroundModel()
        self.homography, self._calibrated, self.gate = overhead_homography(), False, MotionGate()
        self._candidate = None
        self._schedule.restart(self._schedule.next_read)


def _short_first(quads: FloatArray) -> FloatArray:
    """Return (n, 4, 2) quads with a short edge first."""
    edges = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    turned = edges[:, 0] + edges[:, 2] > edges[:, 1] + edges[:, 3]
    return np.asarray(np.where(turned[:, None, None], np.roll(quads, -1, axis=1), quads), np.float32)
