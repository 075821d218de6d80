"""One table: frames in, events out. No I/O; the session takes over a change only when the caller has stored it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from hupai.feed.fuse import Track, Tracks, labels
from hupai.feed.published import PublishedHand, Verdict
from hupai.feed.stillness.motion import Glance, MotionGate
from hupai.feed.stillness.plane import Plane, from_tiles, plain_plane
from hupai.feed.stillness.surface import Surface
from scoring.tiles import Tile
from vision.hand import Decoded, read_hand
from vision.reading import FloatArray, ImageArray, Reading, Role, Sighting

SETTLE: Final = 0.1
"""Seconds without motion before the table is read."""
AGAIN: Final = 0.15
"""Seconds between the first reads of a still period."""
EVERY: Final = 0.5
"""Seconds between reads while the outcome is open."""
FRAME: Final = 0.1
"""Longest time from one frame to the next of a camera that keeps up, seconds."""
IDLE: Final = 2.0
"""Seconds between reads while nothing changes."""
OPEN_READS: Final = 8
LATE_READS: Final = 3
"""From this read of a still period on, a hand that is not quite clear is accepted as read, with its doubts."""
WAVERING: Final = 0.85
"""Share of its tiles that two reads of such a late hand must have in common."""
MOST_SHANTEN: Final = 1
"""Largest distance from winning (shanten) of a hand: beyond it, the tiles only happen to lie like a hand."""
FROZEN: Final = 5.0
"""Seconds for which the same picture may repeat before the camera counts as frozen."""
SHAKES: Final = 12.0
"""Pixels from frame to frame, of a picture 1280 wide, that a camera may move: at 14 all hands came through, at 18
to 22 a quarter of them was lost."""
UNREAD: Final = 4.0
"""Seconds without a still moment before a shake is reported."""
SAME_HAND: Final = 0.7
"""Share of a hand's tiles that another reading must have in common to be that hand read again."""
MISSED: Final = 30.0
"""Seconds after a restart, and reads, without half of the earlier hand's tiles: the hand was taken away."""
MISSED_READS: Final = 8
_OF_HAND: Final = (Role.CONCEALED, Role.MELD, Role.WINNING, Role.BONUS)

DetectTiles = Callable[[ImageArray], list[Sighting]]


class FeedState(StrEnum):
    """The state of a table, as the board shows it."""

    STARTING = "starting"
    WATCHING = "watching"
    HAND = "hand"
    OCCLUDED = "occluded"
    UNCLEAR = "unclear"
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
        reading: of SETTLED and REVISED. wins: the hand has a winning shape.
        published: the hand on the table, to be passed to :meth:`TableSession.keep` with its token.
    """

    kind: EventKind
    state: FeedState
    still_for: float = 0.0
    reading: Reading | None = None
    wins: bool = False
    published: PublishedHand | None = None


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A hand found by a read: the tracks of its tiles, and the tiles they count as."""

    decoded: Decoded
    reading: Reading
    tracks: tuple[Track, ...]
    tiles: tuple[Tile, ...]

    @property
    def doubtful(self) -> bool:
        """Whether it is two exchanges from a win: a badly read hand, or tiles that only happen to lie like one."""
        return not self.decoded.wins and (self.decoded.shanten or 0) > 0

    def same_as(self, other: _Candidate, share: float) -> bool:
        """Whether the two have at least this share of their tiles in common."""
        most = max(len(self.tiles), len(other.tiles))
        return _common(self.tiles, other.tiles) >= share * most


@dataclass(frozen=True, slots=True)
class Due:
    """A frame to read.

    Attributes:
        image: (h, w, 3) uint8 BGR. glance: what the frame alone showed. time: when it was taken, seconds.
        stirs: how often something had moved until then.
    """

    image: ImageArray
    glance: Glance
    time: float
    stirs: int


class TableSession:
    """Watches one table.

    Attributes:
        state: of the table. plane: the table in the picture. published: the published hand on the table, or None.
        reads: how many so far. glance: of the last frame.
    """

    def __init__(
        self,
        look: DetectTiles,
        *,
        rules: str | None = None,
        plane: Plane | None = None,
        published: Sequence[Tile] = (),
        token: str = "",
    ) -> None:
        """Start watching.

        Args:
            look: image (h, w, 3) BGR uint8 -> everything in sight (:meth:`vision.pipeline.Eyes.look` wants RGB).
            rules: the rule system whose winning shapes help the reading; any if None.
            plane: of the table if known; otherwise it is found from the tiles.
            published, token: the hand published before a restart, which may still lie there; it is called so in the
                store.
        """
        self._look, self._rules = look, rules
        self.plane = plane or plain_plane()
        self._calibrated = plane is not None
        self.gate = MotionGate(self.plane)
        self.state = FeedState.STARTING
        self.published: PublishedHand | None = None
        self.reads = 0
        self.glance: Glance | None = None
        self._remembered = (token, tuple(published)) if published else None
        self._missed: tuple[float, int] | None = None  # since when, and in how many reads
        self._tracks, self._surface = Tracks(), Surface()
        self._candidate: _Candidate | None = None
        self._period_reads, self._next_read, self._stirs = 0, 0.0, 0
        self._rested = 0.0  # when the picture was last still, or could not be judged
        self._shape: tuple[int, ...] = ()
        self._models: dict[str, str] = {}

    def aim(self, plane: Plane | None) -> None:
        """Set the table's place in the picture; None finds it from the tiles again."""
        self.plane, self._calibrated = plane or plain_plane(), plane is not None
        self.gate.aim(self.plane)
        self._replace_tracks()

    @property
    def calibrated(self) -> bool:
        """Whether the camera's view of the table is known."""
        return self._calibrated

    def fit(self, shape: tuple[int, ...]) -> None:
        """Set the shape of the pictures to come; if it changes, the table has to be located anew."""
        if self._shape and shape != self._shape:
            self._begin_again()
        self._shape = shape

    def play(self, rules: str | None) -> None:
        """Read by these rules from now on."""
        self._rules = rules

    def keep(self, token: str, published: PublishedHand) -> None:
        """Note that the settled (or revised) hand is called ``token`` in the store."""
        published.token = token
        self.published = published

    def see(self, image: ImageArray, time: float) -> list[SessionEvent]:
        """Process one frame; read it at once if a read is due.

        Args:
            image: (h, w, 3) uint8 BGR, always of the same size. time: when it was taken, seconds.
        """
        found, due = self.glimpse(image, time)
        return found if due is None else [*found, *self.take(due, self._look(image))]

    def glimpse(self, image: ImageArray, time: float) -> tuple[list[SessionEvent], Due | None]:
        """Process one frame without reading it; return its events, and the read that is due, if any.

        Args:
            image, time: as for :meth:`see`.
        """
        self.fit(image.shape)
        glance = self.gate.see(image, time)
        if self.glance is None or glance.still_for >= SETTLE:
            self._rested = time
        self.glance = glance
        if glance.dark or glance.frozen_for >= FROZEN:
            self._stir(time)
            self._rested = time
            return self._become(FeedState.DARK if glance.dark else FeedState.FROZEN), None
        if glance.still_for <= 0:
            self._stir(time)
            if glance.shake * 1280 >= SHAKES * image.shape[1] and time - self._rested >= UNREAD:
                return self._become(FeedState.SHAKING), None
            again = self.state in (FeedState.DARK, FeedState.FROZEN, FeedState.STARTING)
            return self._become(FeedState.WATCHING) if again else [], None
        if glance.still_for < SETTLE or time < self._next_read:
            return [], None
        return [], Due(image, glance, time, self._stirs)

    def take(self, due: Due, sightings: list[Sighting]) -> list[SessionEvent]:
        """Process a finished read and return its events; a read during which something moved is dropped."""
        if due.stirs != self._stirs or due.image.shape != self._shape:
            return []
        found = self._read(due, sightings)
        self._schedule(due.time)
        return found

    def _stir(self, time: float) -> None:
        if self._period_reads:
            self._tracks.stirred()
        self._period_reads, self._candidate, self._next_read = 0, None, time
        self._stirs += 1

    def _schedule(self, time: float) -> None:
        self._period_reads += 1
        settled = self._period_reads >= 2 and self.state in (FeedState.HAND, FeedState.WATCHING) and not self._open()
        if self._period_reads < LATE_READS and not settled:
            self._next_read = time + AGAIN
        else:
            # A read that fell due between two frames was made with the later one; this does not delay the next read.
            due = self._next_read if time - self._next_read < FRAME else time
            self._next_read = due + (IDLE if settled or self._period_reads >= OPEN_READS else EVERY)

    def _open(self) -> bool:
        """Whether another read may change the result."""
        if self.published is None:
            return self._candidate is not None or self._period_reads < LATE_READS
        return self.published.doubted > 0

    def _read(self, due: Due, sightings: Sequence[Sighting]) -> list[SessionEvent]:
        image, glance = due.image, due.glance
        self.reads += 1
        self._calibrate(sightings, image.shape)
        self._tracks.add(sightings, self.plane)
        tracks = self._tracks.settled()
        candidate = self._candidate_of(tracks, image.shape)
        found = self._remember(candidate, tracks, due.time)
        found += self._follow(tracks, image)
        self._learn(image, tracks)
        self._tracks.prune()
        agreed = self._agreed(candidate, self._candidate)
        twice = candidate is not None and all(t.in_row >= 2 for t in candidate.tracks)
        self._candidate = candidate
        if candidate is not None and agreed and twice:
            if (
                self.published is not None
                and self.state is FeedState.OCCLUDED
                and not _alike(candidate, self.published)
            ):
                # Everything of the old hand could be hidden, but another complete hand lies here: the old one is gone.
                found.append(SessionEvent(EventKind.GONE, FeedState.WATCHING, published=self.published))
                self.published = None
            if self.published is None:
                found.append(self._settled(candidate, EventKind.SETTLED, glance))
            elif self._betters(candidate, self.published):
                found.append(self._settled(candidate, EventKind.REVISED, glance))
        elif self.published is None and candidate is not None and self._period_reads >= OPEN_READS - 2:
            found += self._become(FeedState.UNCLEAR)
        elif self.published is None and (candidate is None or self.state is not FeedState.UNCLEAR):
            found += self._become(FeedState.WATCHING)
        return found

    def _agreed(self, candidate: _Candidate | None, before: _Candidate | None) -> bool:
        """Whether two consecutive reads agree. If they keep differing in a tile or two, that is reported as a doubt."""
        if candidate is None or before is None:
            return False
        late = self._period_reads >= LATE_READS
        if candidate.doubtful and not late:
            return False
        # A winning hand may differ from the third read on: mostly a flower is hard to name.
        wavers = late or (candidate.decoded.wins and self._period_reads >= LATE_READS - 1)
        return candidate.same_as(before, WAVERING if wavers else 1.0)

    def _candidate_of(self, tracks: Sequence[Track], shape: tuple[int, ...]) -> _Candidate | None:
        """Return the hand these tiles form, if it is complete and wins or is at most two exchanges from a win."""
        if not tracks:
            return None
        sightings = [t.fused for t in tracks]
        height, width = shape[:2]
        reading, decoded = read_hand(sightings, width, height, self._rules, second=False)
        hand = decoded.hand
        hidden = sum(doubt.code == "hidden_kong" for doubt in decoded.doubts)
        if hand is None or not hand.complete_with(hidden):
            return None
        if not decoded.wins and (decoded.shanten is None or decoded.shanten > MOST_SHANTEN):
            return None
        inside = [i for i, role in enumerate(decoded.roles) if role in _OF_HAND]
        used = {r.tile: r.used for r in decoded.repairs}
        tiles = tuple(used.get(i, sightings[i].tile) for i in inside)
        return _Candidate(decoded, reading, tuple(tracks[i] for i in inside), tiles)

    def _remember(self, candidate: _Candidate | None, tracks: Sequence[Track], time: float) -> list[SessionEvent]:
        """After a restart: a hand like the one published last is the same one; another means that the old one is gone.

        A table without a hand is no evidence for a while: somebody's arm may be over it.
        """
        if self._remembered is None or self._period_reads < 1:
            return []
        token, tiles = self._remembered
        if candidate is None:
            if not self._long_missed(tiles, tracks, time):
                return []
        elif _common(tiles, candidate.tiles) >= SAME_HAND * len(tiles):
            self._remembered, self.published = None, self._published(candidate, token)
            return self._become(FeedState.HAND)
        self._remembered, self.state = None, FeedState.WATCHING
        return [SessionEvent(EventKind.GONE, FeedState.WATCHING, published=self._shadow(token))]

    def _long_missed(self, tiles: Sequence[Tile], tracks: Sequence[Track], time: float) -> bool:
        """Whether most of these tiles have been missing from the table for long enough while it could be read."""
        if 2 * _common(tiles, labels(tracks)) >= len(tiles):
            self._missed = None
            return False
        since, reads = self._missed or (time, 0)
        self._missed = since, reads + 1
        return time - since >= MISSED and reads + 1 >= MISSED_READS

    @staticmethod
    def _shadow(token: str) -> PublishedHand:
        return PublishedHand(token, (), np.zeros((0, 4, 2), np.float32), np.zeros((0, 2), np.float32))

    def _follow(self, tracks: Sequence[Track], image: ImageArray) -> list[SessionEvent]:
        """Follow the published hand and return events about it."""
        published = self.published
        if published is None or not published.tiles:
            return []
        verdict, move = published.judge(tracks, image, self._surface)
        if verdict is not Verdict.GONE:
            published.doubted = 0
        if move is not None:
            self._pushed(move, tracks, image, published)
        if verdict is not Verdict.GONE:
            return self._become(FeedState.OCCLUDED if verdict is Verdict.HIDDEN else FeedState.HAND)
        published.doubted += 1
        if published.doubted < 2:
            return []
        self.published = None
        self.state = FeedState.WATCHING
        return [SessionEvent(EventKind.GONE, FeedState.WATCHING, published=published)]

    def _pushed(self, move: FloatArray, tracks: Sequence[Track], image: ImageArray, published: PublishedHand) -> None:
        """Handle a shift of the whole picture (the camera was bumped), or of the hand alone."""
        quads = np.array([t.sighting.corners for t in tracks], np.float32)
        other = self._surface.copy()
        other.pushed(move, image.shape)
        if other.fits(image, quads) > self._surface.fits(image, quads):
            self._surface = other
            self.plane = self.plane.after(move)
            self.gate.aim(self.plane)
            self._replace_tracks()
        centres = np.asarray(published.quads.mean(axis=1), np.float64)
        centres = centres @ np.asarray(move[:, :2], np.float64).T + move[:, 2]
        published.rebase(tracks, np.asarray(move, np.float32), self.plane.to_table(centres))

    def _learn(self, image: ImageArray, tracks: Sequence[Track]) -> None:
        quads = [t.sighting.corners for t in tracks]
        if self.published is not None:
            quads += list(self.published.quads)
        hidden = self.published is not None and (self.published.hidden.any() or self.published.doubted > 0)
        self._surface.learn(image, np.array(quads, np.float32).reshape(-1, 4, 2), fresh=not hidden)

    def _betters(self, candidate: _Candidate, published: PublishedHand) -> bool:
        """Whether this later read of the same hand wins, while the published one did not or showed fewer tiles."""
        more = not published.wins or len(candidate.tiles) > len(published.tiles)
        return candidate.decoded.wins and _alike(candidate, published) and more

    def _settled(self, candidate: _Candidate, kind: EventKind, glance: Glance) -> SessionEvent:
        self.state = FeedState.HAND
        token = self.published.token if self.published is not None else ""
        return SessionEvent(
            kind,
            FeedState.HAND,
            glance.still_for,
            candidate.reading,
            candidate.decoded.wins,
            self._published(candidate, token),
        )

    @staticmethod
    def _published(candidate: _Candidate, token: str) -> PublishedHand:
        quads = np.array([t.sighting.corners for t in candidate.tracks], np.float32)
        places = np.array([t.place for t in candidate.tracks], np.float32)
        return PublishedHand(token, candidate.tiles, quads, places, candidate.decoded.wins)

    def _become(self, state: FeedState) -> list[SessionEvent]:
        if state is self.state:
            return []
        self.state = state
        return [SessionEvent(EventKind.STATE, state)]

    def _calibrate(self, sightings: Sequence[Sighting], shape: tuple[int, ...]) -> None:
        """Learn the camera's view of the table from the tiles, until it is known."""
        if self._calibrated or not sightings:
            return
        quads = np.array([s.corners for s in sightings], np.float32)
        found = from_tiles(_short_first(quads), shape[1], shape[0])
        if found is not None:
            self._calibrated = True
            self.plane = found
        else:
            edges = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2).min(axis=1)
            self.plane = plain_plane(float(np.median(edges)))
        self._replace_tracks()

    def _replace_tracks(self) -> None:
        for track in self._tracks.tracks:
            track.place = self.plane.to_table(track.sighting.centre[None])[0]
        if self.published is not None and len(self.published.quads):
            self.published.places = self.plane.to_table(self.published.quads.mean(axis=1))

    def _begin_again(self) -> None:
        """Start again for a picture of another size: nothing that was measured in pixels is valid any more."""
        published = self.published
        self._remembered = (published.token, published.tiles) if published is not None else self._remembered
        self.published, self._tracks, self._surface = None, Tracks(), Surface()
        self.plane, self._calibrated, self.gate = plain_plane(), False, MotionGate()
        self._candidate, self._period_reads, self._stirs = None, 0, self._stirs + 1


def _common(one: Sequence[Tile], other: Sequence[Tile]) -> int:
    return sum((Counter(one) & Counter(other)).values())


def _alike(candidate: _Candidate, published: PublishedHand) -> bool:
    return _common(published.tiles, candidate.tiles) >= SAME_HAND * len(published.tiles)


def _short_first(quads: FloatArray) -> FloatArray:
    """Return (n, 4, 2) quads with a short edge first."""
    edges = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    turned = edges[:, 0] + edges[:, 2] > edges[:, 1] + edges[:, 3]
    return np.asarray(np.where(turned[:, None, None], np.roll(quads, -1, axis=1), quads), np.float32)
