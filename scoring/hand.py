"""A winning hand as it lies on the table: concealed tiles, melds, winning tile, bonus tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from scoring.basics.counts import KINDS, PLAYABLE, five_or_not_playable, kinds_in, reds_in
from scoring.basics.quick import quick
from scoring.errors import Fault, InvalidRequest
from scoring.seats import SEAT_NAMES, Seat
from scoring.tiles import NORTH, PLAIN, Tile, format_tiles
from scoring.words.sentence import say, say_many


class MeldType(StrEnum):
    """How a meld was made. An added kong is a claimed pung raised with a drawn tile."""

    CHOW = "chow"
    PUNG = "pung"
    KONG_OPEN = "kong_open"
    KONG_ADDED = "kong_added"
    KONG_CONCEALED = "kong_concealed"

    @property
    def is_kong(self) -> bool:
        """True for the three kongs."""
        return self in _KONGS


NOT_BONUS = "{t} is not a bonus tile (f, g, a)."
CHOW, PUNG, KONG_OPEN, KONG_ADDED, KONG_CONCEALED = MeldType  # looking a member up in its class is slow
_KONGS = frozenset((KONG_OPEN, KONG_ADDED, KONG_CONCEALED))


@dataclass(frozen=True, slots=True)
class Meld:
    """A declared set.

    Attributes:
        type: how it was made.
        tiles: 3 tiles (chow, pung) or 4 (kongs), any order.
        source: the seat it was claimed from; None when unknown, or for a concealed kong.
        kind: the lowest tile kind in it (computed).
        units: its tiles as a number to count with (computed); see :mod:`scoring.basics.counts`.
        codes: its tiles as they are written (computed).

    Raises:
        InvalidRequest: the tiles do not make such a meld.
    """

    type: MeldType
    tiles: tuple[Tile, ...]
    source: Seat | None = None
    kind: int = field(init=False, repr=False, compare=False)
    units: int = field(init=False, repr=False, compare=False)
    codes: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        faults = meld_faults(self.type, self.tiles)
        if self.type is KONG_CONCEALED and self.source is not None:
            faults.append(Fault("bad_meld", "A concealed kong is claimed from nobody: leave 'from' empty.", "melds"))
        if faults:
            raise InvalidRequest.of(faults)
        object.__setattr__(self, "kind", min(t.kind for t in self.tiles))
        object.__setattr__(self, "units", sum(t.unit for t in self.tiles))
        object.__setattr__(self, "codes", tuple(t.code for t in self.tiles))

    def to_json(self) -> dict[str, Any]:
        """Return one of the ``melds`` of a score request or a reading."""
        return {
            "type": self.type.value,
            "tiles": list(self.codes),
            "from": self.source.value if self.source else None,
        }


def meld_faults(kind: MeldType, tiles: tuple[Tile, ...]) -> list[Fault]:
    """Return the faults of these tiles as such a meld; stand-in tiles (Hangzhou's whites) are accepted in chows.

    A white dragon in a chow, or beside two or three others of one kind, can only be a stand-in: the rule system
    checks whether its rules have stand-ins.
    """
    text = format_tiles(tiles)
    size = 4 if kind.is_kong else 3
    if any(not t.is_playable for t in tiles):
        return [
            Fault(
                "bad_meld",
                say("{t} cannot be a {kind}: only suit and honour tiles make sets.", t=text, kind=kind),
                "melds",
            )
        ]
    if len(tiles) != size:
        return [
            Fault(
                "bad_meld",
                say(
                    "A {kind} has {n} tiles, {t} has {m}." if tiles else "A {kind} has {n} tiles; none is given.",
                    kind=kind,
                    n=size,
                    t=text,
                    m=len(tiles),
                ),
                "melds",
            )
        ]
    kinds = sorted(t.kind for t in tiles if t.code != "5z") if len({t.kind for t in tiles}) > 1 else [0]
    if kind is CHOW:
        distinct = len({t.kind for t in tiles}) == 3 and (len(kinds) == 3 or any(t.code == "5z" for t in tiles))
        one_suit = kinds[-1] < 27 and kinds[-1] // 9 == kinds[0] // 9
        good = distinct and one_suit and kinds[-1] - kinds[0] <= 2
    else:
        good = len(set(kinds)) <= 1
    return [] if good else [Fault("bad_meld", say("{t} is not a {kind}.", t=text, kind=kind), "melds")]


def format_hand(
    concealed: Iterable[Tile],
    melds: Iterable[Meld],
    winning_tile: Tile | None,
    bonus: Iterable[Tile],
    dora: Iterable[Tile] = (),
) -> str:
    """Return a hand in one line: ``123m456p11z78p | won with 6p | pung 999s from West | bonus f1``."""
    parts = [format_tiles(concealed)]
    parts += [f"won with {winning_tile}"] if winning_tile else []
    for meld in melds:
        source = f" from {SEAT_NAMES[meld.source]}" if meld.source else ""
        parts.append(f"{meld.type.value.replace('_', ' ')} {format_tiles(meld.tiles)}{source}")
    parts += [
        f"{name} {text}"
        for name, tiles in (("bonus", bonus), ("dora indicator", dora))
        if (text := format_tiles(tiles))
    ]
    return " | ".join(filter(None, parts))


@quick
@dataclass(frozen=True, slots=True)
class Hand:
    """Everything that a player shows when winning.

    Attributes:
        concealed: tiles in hand without the winning tile and without melds: one, and three for each set not declared.
        melds: declared sets.
        winning_tile: the tile that completed the hand; None only for a win by bonus tiles alone.
        bonus: flowers, seasons, animals; norths set aside.
        sets: number of sets in a whole hand beside its pair, from the rules (``scoring.rulebook.shapes.Shapes.sets``).
        kita: whether norths may be set aside, from the rules: three players of riichi do.
        counts: 34 numbers (computed): how many of each kind, melds and winning tile included.
        held: 34 numbers (computed): the concealed tiles and the winning tile, without melds.
        kinds: which kinds are present, melds included (computed), as ``scoring.basics.counts.kind_bits``.
        is_concealed: nothing was claimed (computed): no meld but concealed kongs.
        reds: how many red fives (computed).

    Raises:
        InvalidRequest: naming every fault at once (see :func:`hand_faults`).
    """

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    winning_tile: Tile | None = None
    bonus: tuple[Tile, ...] = ()
    sets: int = 4
    kita: bool = False
    counts: bytes = field(init=False, repr=False, compare=False)
    held: bytes = field(init=False, repr=False, compare=False)
    kinds: int = field(init=False, repr=False, compare=False)
    is_concealed: bool = field(init=False, repr=False, compare=False)
    reds: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        opened: Any = self  # see :func:`quick`
        melds, won = self.melds, self.winning_tile
        total = sum([t.unit for t in self.concealed])
        if won is not None:
            total += won.unit
        held = total & PLAYABLE
        opened.held = opened.counts = held.to_bytes(KINDS, "little")
        opened.is_concealed = True
        if melds:
            for m in melds:
                total += m.units
                if m.type is not KONG_CONCEALED:
                    opened.is_concealed = False
            held = total & PLAYABLE
            opened.counts = held.to_bytes(KINDS, "little")
        opened.kinds = kinds_in(held)
        opened.reds = reds_in(total)
        # Most hands are complete: then there is nothing to find, and at most 30 tiles are counted.
        if (
            won is None
            or self.bonus
            or len(self.concealed) != 3 * (self.sets - len(melds)) + 1
            or five_or_not_playable(total)
        ):
            faults = hand_faults(self.concealed, melds, won, self.bonus, self.sets, self.kita)
            if faults:
                raise InvalidRequest.of(faults)

    @classmethod
    def build_with_faults(
        cls,
        concealed: tuple[Tile, ...],
        melds: tuple[Meld, ...],
        winning_tile: Tile | None,
        bonus: tuple[Tile, ...],
        sets: int = 4,
        kita: bool = False,
    ) -> tuple[Hand, tuple[Fault, ...]]:
        """Return a hand as given, and its faults; a faulty one is only for finding further faults."""
        made = object.__new__(cls)
        try:
            Hand.__init__(made, concealed, melds, winning_tile, bonus, sets, kita)
        except InvalidRequest as error:
            return made, error.faults
        return made, ()

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All playable tiles: concealed, winning tile, melds."""
        tiles = (*self.concealed, self.winning_tile) if self.winning_tile else self.concealed
        for meld in self.melds:
            tiles += meld.tiles
        return tiles

    def to_json(self) -> dict[str, Any]:
        """Return the hand's part of a score request."""
        return {
            "concealed": [t.code for t in self.concealed],
            "melds": [m.to_json() for m in self.melds],
            "winning_tile": self.winning_tile.code if self.winning_tile else None,
            "bonus": [t.code for t in self.bonus],
        }


def _wrong_count(concealed: tuple[Tile, ...], melds: tuple[Meld, ...], winning_tile: Tile, want: int) -> str:
    if len(concealed) == want + 1 and winning_tile in concealed:
        return say("The concealed tiles include the winning tile {t}: leave it out.", t=winning_tile)
    one, more = (
        "Besides the winning tile a hand with {n} meld has {m} concealed, not {k}.",
        "Besides the winning tile a hand with {n} melds has {m} concealed, not {k}.",
    )
    return say_many(one, more, len(melds), m=want, k=len(concealed))


def too_many_beside(hand: Hand) -> str:
    """Return the message for more concealed tiles than there may be beside the hand's melds."""
    one, more = (
        "{m} concealed tiles are too many beside {n} meld.",
        "{m} concealed tiles are too many beside {n} melds.",
    )
    return say_many(one, more, len(hand.melds), m=len(hand.concealed))


def hand_faults(
    concealed: tuple[Tile, ...],
    melds: tuple[Meld, ...],
    winning_tile: Tile | None,
    bonus: tuple[Tile, ...],
    sets: int = 4,
    kita: bool = False,
) -> list[Fault]:
    """Return all faults that do not depend on the rules: sizes, tile classes, five of a kind, a bonus tile twice."""
    faults: list[Fault] = []
    if len(melds) > sets:
        faults.append(
            Fault("too_many_melds", say("A hand has at most {m} melds, not {n}.", m=sets, n=len(melds)), "melds")
        )
    wrong = [t for t in concealed if not t.is_playable]
    if wrong:
        faults.append(
            Fault("wrong_tile", say("{t} cannot be among the concealed tiles.", t=format_tiles(wrong)), "concealed")
        )
    if winning_tile is not None and not winning_tile.is_playable:
        faults.append(Fault("wrong_tile", say("{t} cannot be the winning tile.", t=winning_tile), "winning_tile"))
    norths = tuple(t for t in bonus if kita and t.kind == NORTH)
    not_bonus = [t for t in bonus if not t.is_bonus and t not in norths]
    if not_bonus:
        message = say(NOT_BONUS, t=format_tiles(not_bonus))
        faults.append(Fault("wrong_tile", message, "bonus"))
    twice = [code for code, n in Counter(t.code for t in bonus if t not in norths).items() if n > 1]
    if twice:
        faults.append(
            Fault("bonus_twice", say("There is only one of each bonus tile: {t} twice.", t=" ".join(twice)), "bonus")
        )
    want = 3 * (sets - len(melds)) + 1
    if winning_tile is not None and len(melds) <= sets and len(concealed) != want:
        faults.append(
            Fault(
                "wrong_count",
                _wrong_count(concealed, melds, winning_tile, want),
                "concealed",
            )
        )
    won = (winning_tile,) if winning_tile else ()
    counts = Counter(t.kind for group in (concealed, won, norths, *(m.tiles for m in melds)) for t in group)
    for kind, n in sorted(counts.items()):
        if n > 4 and kind < KINDS:
            faults.append(
                Fault("five_of_a_kind", say("{n} of {t}: there are only four.", n=n, t=PLAIN[kind].code), "concealed")
            )
    return faults
