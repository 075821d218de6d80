"""What stands in front of a player, voted over looks; a pure function of them.

A row keeps its order but for a tile that comes, one that goes, a call, or a sort. So what was seen is held where a
hand, a sleeve or light hides it, and another hand is shown only once several looks agree on it.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import chain, pairwise, permutations
from statistics import median
from typing import Final

from hupai.hall.live.row.look import EDGE, NARROW, Face, Look, Melds, Span, steps_of
from hupai.hall.live.row.melds import FITTING
from hupai.hall.live.seat_view import SeatView
from scoring.tiles import BACK_KIND, Tile

CONFIRM: Final = 3
"""Looks that have to agree on another hand."""
CONFIRM_UNREAD: Final = 7
"""Looks that have to agree where light lies on the last tile: it may be no more than a spot of light on the table."""
CONFIRM_UNTOUCHED: Final = 10
"""Looks that have to agree where no hand has been at the row since what is held was seen first, or on a set of tiles
that never stood there; a hand that more in a row contradict is told no more."""
VOTES: Final = 8
"""Recent looks whose readings are summed."""
SAME_PLACE: Final = 0.42
"""Tile widths within which a face stands where one stood."""
APART: Final = 1.28
"""Widths of a tile from which the last one stands apart from its neighbour; ``STEP``: of a usual step."""
STEP: Final = 1.04
LIT: Final = 0.45
"""Share of a tile's width in light from which it hardly ever is read; ``LIT_END``: from which one at an end of the row
is overlooked."""
LIT_END: Final = 0.35
SURE_OTHER: Final = 0.6
"""Chance from which a look contradicts the tile that is held, and looks together name one; ``SURE_LIT``: from which one
does beside light, where no hand has been."""
SURE_LIT: Final = 0.9
KEEP_NATS: Final = 3.5
"""How much likelier another name must be than that of a tile that would otherwise have gone."""
MOST_ORDERS: Final = 120
"""Orders in which tiles that cannot be read may stand, up to which all are tried."""
COPIES: Final = 4
LOST_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class _Held:
    """A place of the row: where its middle is and how wide it is, pixels along the row; the tile that stands there.

    ``touched``: something has been before it since it was last seen to be right; ``unseen``: looks that missed it.
    """

    at: float
    wide: float
    tile: Tile
    touched: bool = False
    unseen: int = 0


@dataclass(slots=True)
class _Candidate:
    """Another hand than is held: where its tiles stand, and how many looks agreed on it."""

    faces: tuple[Face, ...]
    melds: Melds
    looks: int = 0

    def takes(self, faces: tuple[Face, ...], melds: Melds) -> bool:
        """Whether a look shows the same; it is counted if so."""
        if len(faces) != len(self.faces) or melds != self.melds:
            return False
        if not all(_stands_at(new, old) for new, old in zip(faces, self.faces, strict=True)):
            return False
        self.faces = faces
        self.looks += 1
        return True


class RowTracker:
    """Weighs looks at one seat. ``view``: what to show."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self.view = SeatView("looking", reasons=("no_row",))
        self._held: list[_Held] = []
        self._melds: Melds = ()
        self._apart = self._drawn = True  # the last tile stands apart; it may have been drawn
        self._steps = deque[float](maxlen=VOTES)  # to the last tile, widths of a tile, in looks at this hand
        self._candidate: _Candidate | None = None
        self._votes = deque[tuple[Face, ...]](maxlen=VOTES)  # what looks saw since something was at the row
        self._touched = True  # something has been at the row since what is held was seen first
        self._contradicted = 0  # looks in a row that have contradicted what is held
        self._sizes: tuple[int, ...] = FITTING
        self._seen = -math.inf

    def add(self, look: Look) -> SeatView:
        """Weigh one more look; looks come in the order of time."""
        covered = [k for k, held in enumerate(self._held) if _within(held, look.hidden)]
        for k in covered:
            self._held[k] = replace(self._held[k], touched=True)
        if look.hidden:
            self._touched = True
            self._votes.clear()
        else:
            self._votes.append(look.faces)
        if "blurred" in look.reasons and not any(f.chances for f in look.faces):  # nothing more to be learned
            return self._show(look, covered)
        if not look.faces and not look.hidden:
            return self._see_nothing(look)
        if look.faces:
            self._seen = look.time
        look = replace(look, faces=self._without_spot(self._under_glare(look)))
        melds = self._melds_in(look)
        look = replace(look, faces=self._with_cut(look, melds))
        if self._fits(look.faces[:-1], melds) and not (look.faces[-1].chances or self._fits(look.faces, melds)):
            look = replace(look, faces=look.faces[:-1])  # light on the table: with it there were a tile too many
        matched, extra = self._match(look)
        for k, held in enumerate(self._held):
            self._held[k] = replace(held, unseen=held.unseen + 1 if matched[k] is None and k not in covered else 0)
        gone = [k for k, face in enumerate(matched) if face is None and k not in covered]
        unseen = [self._held[k] for k in gone if self._overlooked(k, matched, look)]
        others = [k for k, f in enumerate(matched) if f and k not in covered and self._contradicts(f, k, look)]
        if not look.hidden:
            self._contradicted = self._contradicted + 1 if any(self._held[k].touched for k in others) else 0
        if self._held and not extra and not others and melds == self._melds and len(unseen) == len(gone):
            return self._agree(look, matched, covered)
        if covered or look.hidden:
            self._candidate = None
            return self._show(look, covered or [0])
        return self._weigh(replace(look, faces=_in_order(look.faces, unseen)), melds)

    def _see_nothing(self, look: Look) -> SeatView:
        self._candidate = None
        if look.time - self._seen < LOST_SECONDS:
            return self._show(look, list(range(len(self._held))))
        self._sizes = FITTING
        self.view = SeatView("lost" if self._held else "looking", reasons=look.reasons or ("no_row",))
        return self.view

    def _under_glare(self, look: Look) -> tuple[Face, ...]:
        """The faces of a look, with unreadable ones where light blots out what was there, if they have room.

        At the right end, where a hand has been since, as many as were detected are taken to stand there.
        """
        if not look.glare:
            return look.faces
        faces = [f for f in look.faces if f.chances or not _lit(f, look.glare)]
        if not faces:
            return look.faces

        def usual(at: float) -> float:  # seen from the side, tiles are wider at one end
            return STEP * median(face.wide for face in sorted(faces, key=lambda face: abs(face.at - at))[:5])

        added = list[_Held | Face]()
        # What has been seen since a hand was there counts more than what was before.
        before: Sequence[_Held | Face] = self._candidate.faces if self._candidate else self._held
        for a, b in pairwise(faces):
            step = usual(a.at)
            # A tile that light only touches is overlooked at times, too.
            there = [h for h in before if a.at + step / 2 < h.at < b.at - step / 2 and _lit(h, look.glare, 0.0)]
            more = (b.at - a.at) / step - 1 - len(there)  # room, maybe the gap before a drawn tile
            if -0.85 < more < 1.4:
                added += there

        lit = [h for h in before if _lit(h, look.glare, LIT_END)]
        added += [h for h in lit if h.at < faces[0].at - 0.6 * usual(h.at)]
        last = faces[-1].at + 0.6 * usual(faces[-1].at)
        ends: Sequence[_Held | Face] = [h for h in lit if h.at > last]
        detected = [f for f in look.faces if f not in faces and f.at > last]
        if not ends or (self._touched and self._candidate is None):
            ends = detected
        return _in_order(faces, [*added, *ends])

    def _without_spot(self, faces: tuple[Face, ...]) -> tuple[Face, ...]:
        """The faces but for a last one that is light on the table: unreadable, and not where the drawn tile stood.

        The drawn tile has been discarded then.
        """
        if not (self._apart and self._touched and len(faces) == len(self._held) and len(faces) % 3 == 2):
            return faces
        last, drawn = faces[-1], self._held[-1]
        return faces if last.chances or _stands_at(last, drawn) else faces[:-1]

    def _with_cut(self, look: Look, melds: Melds) -> tuple[Face, ...]:
        """The faces of a look, and unreadable ones at the picture's edges where tiles must stand.

        That is while no hand is near or none may be discarded, as before a draw, and where there were too few.
        """
        (low, high), reach = look.edges, 0.5 + EDGE
        cut = [h for h in self._held if h.at - reach * h.wide < low or h.at + reach * h.wide > high]
        cut = [h for h in cut if all(abs(face.at - h.at) > NARROW * h.wide for face in look.faces)]
        faces = _in_order(look.faces, cut)
        needed = not self._touched or len(self._held) % 3 == 1 or not self._fits(look.faces, melds)
        return faces if needed and self._fits(faces, melds) else look.faces

    def _melds_in(self, look: Look) -> Melds:
        """The melds of a look; those known where it has none, or more than the row allows: a wall may look like one."""
        known = self._candidate.melds if self._candidate else self._melds
        if look.melds is None:
            return known
        better = self._fits(look.faces, known) and not self._fits(look.faces, look.melds)
        return known if better and not Counter(known) - Counter(look.melds) else look.melds

    def _fits(self, faces: Sequence[Face], melds: Melds) -> bool:
        """Whether so many faces and melds make a hand of the size that is played."""
        return len(faces) + 3 * len(melds) in self._sizes

    def _match(self, look: Look) -> tuple[list[Face | None], list[Face]]:
        """The face at each held place, or None; faces where none is held."""
        matched: list[Face | None] = [None] * len(self._held)
        extra = []
        for face in look.faces:
            k = min(range(len(self._held)), key=lambda k: abs(self._held[k].at - face.at), default=None)
            if k is None or matched[k] or not _stands_at(self._held[k], face):
                extra.append(face)
            else:
                matched[k] = face
        return matched, extra

    def _contradicts(self, face: Face, place: int, look: Look) -> bool:
        """Whether a face is surely another tile than is held at its place."""
        tile = self._held[place].tile
        best = max(face.chances, key=face.chances.__getitem__, default=tile)
        sure = SURE_OTHER if self._touched or not _lit(face, look.glare, 0.0) else SURE_LIT
        return best is not tile and face.chances[best] >= sure

    def _overlooked(self, place: int, matched: Sequence[Face | None], look: Look) -> bool:
        """Whether a tile that is not seen must still be there: no hand has been there, and those beside it stay."""
        held = self._held[place]
        if any(abs(face.at - held.at) < NARROW * held.wide for face in look.faces):  # a bump has moved it
            return False
        if not self._touched:
            return held.unseen < CONFIRM_UNTOUCHED
        drawn = [face for face in look.faces[-1:] if face.at > self._held[-1].at + NARROW * held.wide]
        seen, beside = [*matched, *drawn], range(max(place - 1, 0), place + 2)
        stay = place + 1 < len(seen) and all(k == place or seen[k] is not None for k in beside)
        likely = stay or "blurred" in look.reasons
        return likely and not held.touched and held.unseen < CONFIRM_UNTOUCHED

    def _agree(self, look: Look, matched: Sequence[Face | None], covered: Sequence[int]) -> SeatView:
        self._candidate = None
        ends = [face for face in matched[-2:] if face is not None and face.chances]
        if len(ends) == 2 and not (look.hidden or "blurred" in look.reasons):  # light may have lain on one before
            self._steps.append(steps_of(ends)[0])
            self._apart = self._drawn and median(self._steps) > APART
        for k, face in enumerate(matched):
            if face is not None and k not in covered:
                touched = self._held[k].touched and (bool(look.hidden) or not face.chances)
                place = face if face.chances else self._held[k]  # in light places are found inexactly
                self._held[k] = replace(self._held[k], at=place.at, wide=place.wide, touched=touched)
        return self._show(look, covered)

    def _weigh(self, look: Look, melds: Melds) -> SeatView:
        faces = look.faces
        if not faces or not self._fits(faces, melds):  # at another size, or in light, a tile may be overlooked
            return self._show(look, [0])
        if self._candidate is None or not self._candidate.takes(faces, melds):
            self._candidate = _Candidate(faces, melds)
            self._candidate.takes(faces, melds)
        candidate = self._candidate
        # What lies beside a row and is not understood may belong to it: a last tile turned on its side.
        blurred = "blurred" in look.reasons
        names = self._name(candidate, blurred=blurred) if self._held or look.melds is not None else None
        read = CONFIRM if candidate.faces[-1].chances else CONFIRM_UNREAD
        needed = read if self._touched and self._stood(melds) else CONFIRM_UNTOUCHED
        if names is not None and _may_be(names, melds) and candidate.looks >= needed:
            last, too_many = candidate.faces[-1], len(names) % 3 == 2
            before = self._held[-1].at if self._held else math.inf
            # In light places are found inexactly: a tile stands apart there only if it has stood there, or was drawn.
            stood, beyond = any(_stands_at(h, last) for h in self._held[-1:]), last.at - before > last.wide
            told = too_many or stood or all(face.chances for face in candidate.faces[-2:])
            self._held = [_Held(f.at, f.wide, t) for f, t in zip(candidate.faces, names, strict=True)]
            # Where none is too many, and the last has stood there and not apart, a discard has left a hole there.
            self._melds, self._drawn = melds, self._apart or too_many or beyond
            self._apart = self._drawn and told and stands_apart(candidate.faces)
            self._sizes = FITTING[:2] if len(names) + 3 * len(melds) in FITTING[:2] else FITTING[2:]
            self._candidate, self._touched, self._contradicted = None, False, 0
            self._steps.clear()
        return self._show(look, [])

    def _stood(self, melds: Melds) -> bool:
        """Whether two tiles at least of each new set stood there, as of one that was called, or nothing is held."""
        stood = Counter(t.kind for t in (*(h.tile for h in self._held), *chain(*self._melds)))
        new = Counter(melds) - Counter(self._melds)
        return not self._held or all((Counter(t.kind for t in meld) & stood).total() >= 2 for meld in new)

    def _name(self, candidate: _Candidate, *, blurred: bool) -> list[Tile] | None:
        """The likeliest tiles of a candidate, given what stood there before; None while one is not known."""
        chances = [self._chances(face) for face in candidate.faces]
        names: list[Tile | None] = [
            max(c, key=c.__getitem__) if max(c.values(), default=0.0) >= SURE_OTHER else None for c in chances
        ]
        gone = Counter(h.tile for h in self._held) - Counter(t for t in names if t is not None)
        gone -= Counter(chain(*(Counter(candidate.melds) - Counter(self._melds)).elements()))
        new = Counter(t for t in names if t is not None) - Counter(h.tile for h in self._held)
        # A name that is new is a misreading where that of a tile that would be gone is nearly as likely, or stood there
        # and no hand has been near: blur does so, and light beside a tile in a look or two.
        for k, name in enumerate(names):
            if not name or not new[name] or not gone:
                continue
            doubtful = blurred or chances[k][name] < CONFIRM * SURE_OTHER
            stood = self._untouched(candidate.faces[k]) if doubtful else None
            like = stood if stood and stood in gone else max(gone, key=chances[k].__getitem__)
            if like is stood or chances[k][like] > chances[k][name] * math.exp(-KEEP_NATS):
                names[k] = like
                new[name] -= 1
                gone -= Counter([like])
        self._take_over(names, gone)
        return None if None in names else [name for name in names if name is not None]

    def _untouched(self, place: Face) -> Tile | None:
        """The tile that stood at a place to which no hand has been since."""
        near = [h for h in self._held if _stands_at(h, place) and not h.touched]
        return near[0].tile if near else None

    def _chances(self, place: Face) -> Counter[Tile]:
        """Of each tile at a place, summed over the looks."""
        total = Counter[Tile]()
        for face in (face for faces in self._votes for face in faces):
            if _stands_at(face, place):
                total.update(face.chances)
        return total

    def _take_over(self, names: list[Tile | None], gone: Counter[Tile]) -> None:
        """Name tiles that cannot be read as those with which most of the row has kept its order."""
        before, unread = [h.tile for h in self._held], [k for k, name in enumerate(names) if name is None]
        if not 0 < len(unread) <= gone.total() or math.perm(gone.total(), len(unread)) > MOST_ORDERS:
            return
        kept: dict[tuple[Tile, ...], int] = {}
        for tiles in set(permutations(gone.elements(), len(unread))):
            row = [*names]
            for k, tile in zip(unread, tiles, strict=True):
                row[k] = tile
            kept[tiles] = sum(b.size for b in SequenceMatcher(None, before, row, autojunk=False).get_matching_blocks())
        best = max(kept, key=kept.__getitem__)
        # Others have been seen to move, if any has: a turn leaves all but one in order.
        if list(kept.values()).count(kept[best]) == 1 and kept[best] >= len(names) - 1:
            for k, tile in zip(unread, best, strict=True):
                names[k] = tile
            gone -= Counter(best)

    def _show(self, look: Look, covered: Sequence[int]) -> SeatView:
        if not self._held or self._contradicted > CONFIRM_UNTOUCHED:
            self.view = SeatView("looking", reasons=look.reasons)
            return self.view
        tiles = [h.tile for h in self._held]
        row, drawn = (tuple(tiles[:-1]), tiles[-1]) if self._apart else (tuple(tiles), None)
        blown = tuple(f"blown_out:{k + 1}" for k, h in enumerate(self._held) if _within(h, look.glare))
        reasons = (*look.reasons, *blown)
        self.view = SeatView("covered" if covered else "hand", row, drawn, self._melds, reasons)
        return self.view


def _in_order(faces: Sequence[Face], unread: Sequence[_Held | Face]) -> tuple[Face, ...]:
    """Faces and, where others stood, unreadable ones, from the left."""
    return tuple(sorted([*faces, *(Face(one.at, one.wide) for one in unread)], key=lambda face: face.at))


def stands_apart(faces: Sequence[Face]) -> bool:
    """Whether the last tile of a row stands apart from the others."""
    return any(step > APART for step in steps_of(faces[-2:]))


def _may_be(names: Sequence[Tile], melds: Melds) -> bool:
    """Whether there are no more than four tiles of a kind."""
    kinds = Counter(t.kind for t in (*names, *(t for meld in melds for t in meld)) if t.kind != BACK_KIND)
    return max(kinds.values(), default=0) <= COPIES


def _stands_at(one: _Held | Face, place: _Held | Face) -> bool:
    """Whether a tile stands where another does or did."""
    return abs(one.at - place.at) < SAME_PLACE * place.wide


def _within(place: _Held | Face, spans: Sequence[Span]) -> bool:
    """Whether a place is touched by one of these spans."""
    return any(a - 0.25 * place.wide < place.at < b + 0.25 * place.wide for a, b in spans)


def _lit(place: _Held | Face, spans: Sequence[Span], share: float = LIT) -> bool:
    """Whether more than a share of a place lies in these spans; by default so much that nothing can be said of it."""
    half = place.wide / 2
    return sum(max(0.0, min(b, place.at + half) - max(a, place.at - half)) for a, b in spans) > share * place.wide
