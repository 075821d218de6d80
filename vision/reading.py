"""What the camera saw: tiles with corners and doubts, the hand they make, and how long it took.

Corners are those of the tile's printed face, (x, y) pixels of the upright image (origin top-left), clockwise from
the top-left corner of the picture on the tile as it is meant to be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from scoring.hand import Meld, format_hand
from scoring.seats import Seat, others_of
from scoring.tiles import PLAIN, Tile
from vision.geometry import Point, Quad

THRESHOLD: Final = 0.5
"""Probability above which a cell of the detector's output belongs to a tile."""
SURE: Final = 0.9
"""Probability from which a tile is taken to be what it was read as, without a second look at it."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One tile as the networks read it, before layout and rules.

    Attributes:
        corners: see the module docstring.
        tile: the likeliest tile; face-down tiles are ``back``.
        confidence: its calibrated probability, 0-1.
        posterior: probability of every tile the classifier knows, by tile, summing to at most 1 (the rest is that of
            "not a clean face", or of a face that no set it knows has).
        located: score of the detector, 0-1.
        embedding: the classifier's, for set profiles; None when not asked for.
    """

    corners: Quad
    tile: Tile
    confidence: float
    posterior: dict[Tile, float]
    located: float = 1.0
    embedding: tuple[float, ...] | None = None

    @property
    def centre(self) -> Point:
        """The mean of the corners."""
        xs, ys = zip(*self.corners, strict=True)
        return sum(xs) / 4, sum(ys) / 4

    def choices(self) -> tuple[Tile, ...]:
        """The tiles a person is asked to choose from, best first: the four likeliest.

        With a flower or season among them all eight are offered, with an animal all four animals: sets agree on what
        is written on such a tile but not on its picture, so the likeliest say little about the others.
        """
        found = [self.tile, *(t for t, _ in self.alternatives(3))]
        suits = {suit for group in ("fg", "a") for suit in group if any(t.suit in group for t in found)}
        more = [t for t in PLAIN if t.is_bonus and t.suit in suits and t not in found]
        return (*found, *sorted(more, key=lambda t: -self.posterior.get(t, 0.0)))

    def alternatives(self, count: int = 4) -> list[tuple[Tile, float]]:
        """The next likeliest tiles with their probabilities, best first."""
        ranked = sorted(self.posterior.items(), key=lambda item: (-item[1], item[0].kind, item[0].code))
        return [(t, p) for t, p in ranked if t is not self.tile and p >= 0.001][:count]

    def to_json(self) -> dict[str, Any]:
        """What a read response says of the tile by itself."""
        return {
            "tile": self.tile.code,
            "confidence": round(self.confidence, 4),
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.corners],
            "alternatives": [[t.code, round(p, 4)] for t, p in self.alternatives()],
        }


class Role(StrEnum):
    """What a tile is to the hand."""

    CONCEALED = "concealed"
    MELD = "meld"
    WINNING = "winning"
    BONUS = "bonus"
    DORA = "dora"
    OTHER = "other"


class Relation(StrEnum):
    """Which player a claimed tile came from, relative to the winner."""

    LEFT = "left"
    OPPOSITE = "opposite"
    RIGHT = "right"

    def seat(self, winner: Seat, players: int = 4) -> Seat | None:
        """The seat of that player: turns go to the right, so the player to the left plays before the winner.

        Of three players the one opposite may play before or after the winner: which side is empty, no tile tells.
        """
        others = others_of(winner, players)
        if self is Relation.OPPOSITE:
            return others[1] if players == 4 else None
        return others[0 if self is Relation.RIGHT else -1]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something the camera is not sure of, or that no picture of the table shows.

    Attributes:
        code: stable snake_case name.
        message: one sentence, a question the user can answer where there is one.
        tile: index into the reading's tiles, or None when it is about the whole hand.
        answers: the choices offered, best first: tiles and kinds of melds in the notation of the contracts; empty
            where any tile is possible.
        open: the reading is not in question and this is merely left open, such as which tile of a row won.
    """

    code: str
    message: str
    tile: int | None = None
    answers: tuple[str, ...] = ()
    open: bool = False

    def to_json(self) -> dict[str, Any]:
        """The doubt in a read response."""
        fields: dict[str, Any] = {"code": self.code, "tile": self.tile, "message": self.message}
        return fields | {"answers": list(self.answers), "open": self.open}


@dataclass(frozen=True, slots=True)
class Repair:
    """A tile that the rules-aware reading takes for another than the networks alone did."""

    tile: int
    read: Tile
    used: Tile
    why: str


@dataclass(frozen=True, slots=True)
class SeenHand:
    """The hand as read; not checked against any rules (a photo may show 13 tiles, or nonsense).

    ``complete`` says whether it has as many tiles as a winning hand needs. ``relations`` has one entry for each meld:
    whom it was claimed from if a tile lies across or it is a chow, else None (see :meth:`seated`). ``sets`` is how
    many sets a hand has beside its pair under the rules it was read for.
    """

    concealed: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()
    winning_tile: Tile | None = None
    bonus: tuple[Tile, ...] = ()
    dora_indicators: tuple[Tile, ...] = ()
    relations: tuple[Relation | None, ...] = ()
    sets: int = 4

    def seated(self, winner: Seat, players: int = 4) -> SeenHand:
        """The same hand with the seats its melds were claimed from, where the photo shows them, for a winner's seat."""
        melds = tuple(
            meld if relation is None or meld.source else replace(meld, source=relation.seat(winner, players))
            for meld, relation in zip(self.melds, self.relations or (None,) * len(self.melds), strict=True)
        )
        return replace(self, melds=melds)

    @property
    def complete(self) -> bool:
        """True when all tiles but those of the melds are concealed, and a winning tile is known."""
        return self.complete_with(0)

    def complete_with(self, hidden: int) -> bool:
        """Whether it is complete given ``hidden`` more melds that cannot be named yet: kongs lying wholly face-down."""
        wanted = 3 * (self.sets - len(self.melds) - hidden) + 1
        return self.winning_tile is not None and len(self.concealed) == wanted

    def to_json(self) -> dict[str, Any]:
        """The ``hand`` object of a read response."""
        return {
            "concealed": [t.code for t in self.concealed],
            "melds": [m.to_json() for m in self.melds],
            "winning_tile": self.winning_tile.code if self.winning_tile else None,
            "bonus": [t.code for t in self.bonus],
            "dora_indicators": [t.code for t in self.dora_indicators],
        }

    def __str__(self) -> str:
        """The hand in one line: concealed tiles, winning tile, melds, bonus tiles, dora indicators."""
        return format_hand(self.concealed, self.melds, self.winning_tile, self.bonus, self.dora_indicators)

    def __post_init__(self) -> None:
        if self.relations and len(self.relations) != len(self.melds):
            raise ValueError("a seen hand needs one relation for each meld, or none")


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything made out in one image.

    Attributes:
        width, height: of the upright image, pixels.
        tiles: every tile seen, as read by the networks alone.
        roles, groups: one for each tile; tiles of one meld or row share a group number.
        hand: after the rules-aware reading; None when no hand can be made out.
        doubts: what to ask, including what is merely left open (:attr:`Doubt.open`).
        timings_ms: milliseconds by stage: decode, find, classify, read, total.
        models: name -> sha256 (first 12 hex digits) of the weights that made it.
        aside: what is named like a tile but was not taken for one beside all else, by number; named as if it were.
    """

    width: int
    height: int
    tiles: tuple[Sighting, ...]
    roles: tuple[Role, ...]
    groups: tuple[int, ...]
    hand: SeenHand | None
    doubts: tuple[Doubt, ...] = ()
    repairs: tuple[Repair, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    aside: Mapping[int, Sighting] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not len(self.tiles) == len(self.roles) == len(self.groups):
            raise ValueError("a reading needs one role and one group for each tile")

    def tile_used(self, number: int) -> Tile:
        """The tile that a tile of the picture counts as: what the networks read, or a repair of it."""
        return next((r.used for r in self.repairs if r.tile == number), self.tiles[number].tile)

    def to_json(self, image: str) -> dict[str, Any]:
        """The read response of the JSON contracts for the image of this name."""
        return {
            "image": image,
            "width": self.width,
            "height": self.height,
            "tiles": [
                {**s.to_json(), "role": role.value, "group": group}
                for s, role, group in zip(self.tiles, self.roles, self.groups, strict=True)
            ],
            "hand": self.hand.to_json() if self.hand else None,
            "doubts": [d.to_json() for d in self.doubts],
            "repairs": [{"tile": r.tile, "read": r.read.code, "used": r.used.code, "why": r.why} for r in self.repairs],
            "timings_ms": {name: round(ms, 1) for name, ms in self.timings_ms.items()},
            "models": dict(self.models),
            "aside": [{**s.to_json(), "number": number} for number, s in self.aside.items()],
        }
