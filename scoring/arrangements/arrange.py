"""A hand -> every way to read it as sets and a pair, with the winning tile assigned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from scoring.arrangements.splits import (
    ALL_BUT_ONE,
    SUITS,
    Ending,
    Split,
    Suit,
    Suits,
    is_seven_pairs,
    is_thirteen_orphans,
)
from scoring.arrangements.units import (
    CHOW,
    NO_MELDS,
    ORPHAN_KINDS,
    PAIRS,
    WON_PAIRS,
    WON_SETS,
    FixedMelds,
    Unit,
    UnitType,
)
from scoring.hand import Hand, Meld, MeldType
from scoring.rulebook.shapes import Shapes
from scoring.tiles import KINDS


class Shape(StrEnum):
    """The shape of a complete hand."""

    STANDARD = "standard"
    SEVEN_PAIRS = "seven_pairs"
    THIRTEEN_ORPHANS = "thirteen_orphans"
    EIGHT_PAIRS = "eight_pairs"  # seven pairs and a triplet
    KNITTED = "knitted"  # single honours and knitted tiles
    KNITTED_STRAIGHT = "knitted_straight"  # 147, 258, 369 beside a set and a pair
    KONGS = "kongs"  # won by the last of so many kongs alone
    BONUS = "bonus"  # won by bonus tiles alone
    DISCARDS = "discards"  # won by what was discarded


class Wait(StrEnum):
    """How the last tile completed its unit."""

    TWO_SIDED = "two_sided"  # 23 waiting for 1 4
    CLOSED = "closed"  # 24 waiting for 3
    EDGE = "edge"  # 12 or 89
    DOUBLE_PUNG = "double_pung"  # two pairs, one becomes a pung
    SINGLE = "single"  # a pair


# Looking up a member in its enumeration is slow, and thousands of arrangements are made.
_STANDARD: Final = Shape.STANDARD
_CHOW, _ORPHANS = UnitType.CHOW, UnitType.ORPHANS
_TWO_SIDED, _CLOSED, _EDGE, _DOUBLE_PUNG, _SINGLE = Wait


class Arrangement(NamedTuple):
    """One arrangement of a complete hand; a named tuple, since many are made and most are dropped.

    Attributes:
        shape: ordinary, seven pairs, thirteen orphans, or a win by bonus tiles.
        units: sets in hand order (melds first), then the pair or pairs.
        chows: kinds of the lowest tile of every chow. triplets: kinds of pungs and kongs.
        concealed_triplets: kinds of the concealed pungs and kongs (one completed by a claimed tile is not).
        pair: kind of the pair of an ordinary hand, the doubled kind of thirteen orphans, else -1.
        kongs: number of kongs. wait: how the winning tile completed its unit.
    """

    shape: Shape
    units: tuple[Unit, ...]
    chows: tuple[int, ...]
    triplets: tuple[int, ...]
    concealed_triplets: tuple[int, ...]
    pair: int
    kongs: int
    wait: Wait

    def __str__(self) -> str:
        return " ".join([u.shown for u in self.units])


def arrangements(hand: Hand, shapes: Shapes, *, claimed: bool) -> list[Arrangement]:
    """Every arrangement of a complete hand as sets and a pair, seven pairs or thirteen orphans, in a fixed order.

    Args:
        hand: a hand with a winning tile. shapes: which win.
        claimed: the winning tile was another player's (a discard or a robbed kong).
    """
    won, melds = hand.winning_tile, hand.melds
    if won is None:
        return []
    win = won.kind
    found = standard_arrangements(hand.held, melds, win, claimed=claimed)
    if melds:
        return found
    kinds = hand.kinds.bit_count()
    if kinds <= 7 and shapes.seven_pairs and is_seven_pairs(hand.held, distinct=not shapes.quad_pairs):
        found.append(_pairs_arrangement(hand.held, win, claimed))
    if kinds == 13 and shapes.orphans and is_thirteen_orphans(hand.held):
        pair = next(k for k in ORPHAN_KINDS if hand.held[k] == 2)
        unit = Unit(_ORPHANS, pair, concealed=not claimed, won=True)
        found.append(Arrangement(Shape.THIRTEEN_ORPHANS, (unit,), (), (), (), pair, 0, _SINGLE))
    return found


def standard_arrangements(held: bytes, melds: Sequence[Meld], win: int, *, claimed: bool) -> list[Arrangement]:
    """Return every arrangement of some concealed tiles as sets and a pair beside the melds.

    If the winning tile could have completed several units, each of them gives an arrangement.

    Args:
        held: 34 numbers, the winning tile among them. win: its kind. claimed: it was another player's.
    """
    melded, melded_chows, melded_triplets, melded_hidden, kongs = fixed_melds(melds) if melds else NO_MELDS
    characters, dots, bamboo, honours = _WON[claimed][win]
    place = win // 9
    found: list[Arrangement] = []
    for way in product(characters[held[:9]], dots[held[9:18]], bamboo[held[18:27]], honours[held[27:]]):
        m, p, s, z = way
        pair = m[0] + p[0] + s[0] + z[0] - ALL_BUT_ONE
        if not 0 <= pair < KINDS:  # none, or several
            continue
        chows, own = melded_chows + m[1] + p[1] + s[1], m[2] + p[2] + s[2] + z[2]
        triplets, hidden = melded_triplets + own, melded_hidden + own
        sets = [m[3], p[3], s[3], z[3]]
        for whole, last, wait, given in way[place][4]:
            sets[place] = whole
            units = melded + sets[0] + sets[1] + sets[2] + sets[3] + (last or _PAIRS[pair])
            kept = tuple([k for k in hidden if k != win]) if given else hidden
            found.append(_new(Arrangement, (_STANDARD, units, chows, triplets, kept, pair, kongs, wait)))
    return found


_new: Final = tuple.__new__
"""Makes a named tuple from its parts in half the time of calling its class."""

_PAIRS: Final = tuple((pair,) for pair in PAIRS)


class _WonSuit(Suit):
    """Like :class:`Suit` for the suit of the winning tile: every split with its endings."""

    max_cached = 1 << 10  # there are many of them

    def __init__(self, win: int, claimed: bool) -> None:
        super().__init__(win // 9 * 9)
        self.win, self.claimed = win, claimed

    def split(self, counts: bytes) -> tuple[Split, ...]:
        ways = SUITS[self.win // 9][counts]
        return tuple([(*way[:4], tuple(_endings(way, self.win, self.claimed))) for way in ways])


def _suits_with_win(win: int, claimed: bool) -> Suits:
    m, p, s, z = [_WonSuit(win, claimed) if win // 9 == i else suit for i, suit in enumerate(SUITS)]
    return m, p, s, z


_WON: Final = tuple(tuple(_suits_with_win(win, claimed) for win in range(KINDS)) for claimed in (False, True))
"""Claimed or not -> kind of the winning tile -> the four suits, with endings for the suit of that tile."""


def _endings(split: Split, win: int, claimed: bool) -> Iterator[Ending]:
    """Yield one ending for each different unit of a suit that the winning tile may have completed."""
    pair, _, _, units, _ = split
    for i, unit in enumerate(units):
        if win in unit.kinds and unit not in units[:i]:
            code = unit.kind + CHOW if unit.type is _CHOW else win
            whole = (*units[:i], WON_SETS[claimed][code], *units[i + 1 :])
            yield whole, (), wait_of(code, win), claimed and code == win
    if pair == win:
        yield units, (WON_PAIRS[claimed][pair],), _SINGLE, False


def fixed_melds(melds: Sequence[Meld]) -> FixedMelds:
    """Return the melds as they are in every arrangement of the hand."""
    if not melds:
        return NO_MELDS
    first, *others = melds
    table = _fixed_meld(first.type, first.kind)
    for meld in others:
        (a, b, c, d, e), (f, g, h, i, j) = table, _fixed_meld(meld.type, meld.kind)
        table = _new(FixedMelds, (a + f, b + g, c + h, d + i, e + j))
    return table


@lru_cache(maxsize=256)
def _fixed_meld(kind: MeldType, lowest: int) -> FixedMelds:
    """Return the table of one meld."""
    if kind is MeldType.CHOW:
        return FixedMelds((Unit(UnitType.CHOW, lowest, concealed=False, melded=True),), (lowest,), (), (), 0)
    hidden = kind is MeldType.KONG_CONCEALED
    unit = Unit(UnitType.KONG if kind.is_kong else UnitType.PUNG, lowest, hidden, melded=True)
    return FixedMelds((unit,), (), (lowest,), (lowest,) if hidden else (), int(kind.is_kong))


def _pairs_arrangement(counts: Sequence[int], win: int, claimed: bool) -> Arrangement:
    kinds = [k for k, n in enumerate(counts) for _ in range(n // 2)]
    units = [PAIRS[k] for k in kinds]
    units[len(kinds) - 1 - kinds[::-1].index(win)] = WON_PAIRS[claimed][win]
    return Arrangement(Shape.SEVEN_PAIRS, tuple(units), (), (), (), -1, 0, _SINGLE)


def wait_of(s: int, win: int) -> Wait:
    """Return how a tile of kind ``win`` completed set ``s``: the kind of a pung, ``CHOW`` + lowest kind for a chow."""
    if s < CHOW:
        return _DOUBLE_PUNG
    low = s - CHOW
    if win == low + 1:
        return _CLOSED
    edge = (win == low and low % 9 == 6) or (win == low + 2 and low % 9 == 0)
    return _EDGE if edge else _TWO_SIDED
