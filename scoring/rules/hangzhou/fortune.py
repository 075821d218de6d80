"""Fortunes and stand-ins: what the physical tiles of a hand are worth, and how the hand can be read.

One indicator tile X lies open. The other three X are wild tiles (wild), and the four white dragons are ordinary tiles
with the face of X. Where the indicator is a white dragon the other three are wild tiles and nothing stands in; with
permanent fortune all four white dragons are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.arrangements.arrange import Arrangement, Shape, Wait, wait_of
from scoring.arrangements.units import CHOW, Unit, UnitType
from scoring.arrangements.wild import WildUnit, complete_pairs, complete_sets
from scoring.hand import Meld, MeldType
from scoring.rulebook.shapes import Shapes
from scoring.rules.hangzhou.context import PERMANENT, HangzhouContext
from scoring.rules.hangzhou.options import HangzhouOptions
from scoring.system import Case
from scoring.tiles import PLAIN, WHITE, Tile


@dataclass(frozen=True, slots=True)
class Fortune:
    """Which tiles are wild.

    Attributes:
        wild: the kind of the wild tiles. supply: how many there are. face: the kind that white dragons are, or -1.
    """

    wild: int
    supply: int
    face: int

    def natural(self, kind: int) -> int:
        """What a physical tile that is no fortune counts as."""
        return self.face if kind == WHITE and self.face >= 0 else kind

    def physical(self, kind: int) -> int:
        """The tile that lies there for a natural tile of this kind."""
        return WHITE if kind == self.face else kind


@dataclass(frozen=True, slots=True)
class Held:
    """A hand's concealed tiles, the winning one among them, with the wild ones counted apart.

    Attributes:
        fortune: which tiles are wild. counts: 34 numbers, the natural tiles. wilds: how many fortunes.
        won: what the winning tile counts as when natural. won_wild: the winning tile is a fortune.
        eye_sets: the sets that stand before the win beside one single fortune, or None.
        eye_pairs: the six pairs that do, or None.
    """

    fortune: Fortune
    counts: tuple[int, ...]
    wilds: int
    won: int
    won_wild: bool
    eye_sets: tuple[WildUnit, ...] | None
    eye_pairs: tuple[WildUnit, ...] | None

    @property
    def any_tile_wins(self) -> bool:
        """Wild eye: before the win the hand waited for any tile."""
        return self.eye_sets is not None or self.eye_pairs is not None

    @property
    def quads(self) -> tuple[Tile, ...]:
        """Natural tiles of which all four are here, as they lie."""
        return tuple(PLAIN[self.fortune.physical(k)] for k, n in enumerate(self.counts) if n == 4)


def is_permanent(case: Case[HangzhouOptions]) -> bool:
    """Whether the white dragons are the wild tiles for good."""
    return case.options.permanent or case.context.convert_to(HangzhouContext).indicator == PERMANENT


def fortune_of(case: Case[HangzhouOptions]) -> Fortune:
    """The fortunes of a case, whose indicator is known."""
    indicator = case.context.convert_to(HangzhouContext).indicator
    if is_permanent(case) or not isinstance(indicator, Tile):
        return Fortune(WHITE, 4, -1)
    return Fortune(indicator.kind, 3, -1 if indicator.kind == WHITE else indicator.kind)


def count_held_tiles(case: Case[HangzhouOptions]) -> Held:
    """The concealed tiles of a case, counted."""
    fortune, hand = case.compute_once(fortune_of), case.hand
    counts = [0] * len(hand.held)
    for kind, n in enumerate(hand.held):
        if n and kind != fortune.wild:
            counts[fortune.natural(kind)] += n
    wilds = hand.held[fortune.wild]
    win = hand.winning_tile.kind if hand.winning_tile else WHITE
    won_wild = win == fortune.wild
    won = fortune.natural(win)
    after = tuple(counts)
    if not won_wild:
        counts[won] -= 1
    spare = wilds - won_wild - 1  # fortunes beside the single one, before the win
    sets = complete_sets(counts, spare, pair=False, free=fortune.wild) if spare >= 0 else None
    pairs = complete_pairs(counts, spare, free=fortune.wild) if spare >= 0 and not hand.melds else None
    return Held(fortune, after, wilds, won, won_wild, sets, pairs)


def arrangements_of(case: Case[HangzhouOptions], shapes: Shapes) -> Iterator[Arrangement]:
    """One as sets and an eye, one as seven pairs, where they exist: nothing else about an arrangement counts.

    Where any tile wins, the winning tile is read as the eye of the single fortune.
    """
    held = case.compute_once(count_held_tiles)
    free = held.fortune.wild
    eye = WildUnit(UnitType.PAIR, free if held.won_wild else held.won, (held.won_wild, True))
    sets = complete_sets(held.counts, held.wilds, pair=True, free=free)
    if sets is not None:
        yield _arrangement(case, (*held.eye_sets, eye) if held.eye_sets is not None else sets, Shape.STANDARD)
    if case.hand.melds or not shapes.seven_pairs:
        return
    pairs = complete_pairs(held.counts, held.wilds, free=free)
    if pairs is not None:
        yield _arrangement(case, (*held.eye_pairs, eye) if held.eye_pairs is not None else pairs, Shape.SEVEN_PAIRS)


def _arrangement(case: Case[HangzhouOptions], parts: tuple[WildUnit, ...], shape: Shape) -> Arrangement:
    held = case.compute_once(count_held_tiles)
    won_kind = held.fortune.wild if held.won_wild else held.fortune.physical(held.won)
    lying = [_physical_kinds(held.fortune, part) for part in parts]
    # the last unit that holds such a tile: the eye comes last, where any tile wins it is the winning tile's
    last = max(i for i, kinds in enumerate(lying) if won_kind in kinds)
    units = [meld_unit(held.fortune, m) for m in case.hand.melds]
    wait = Wait.SINGLE
    for i, (part, kinds) in enumerate(zip(parts, lying, strict=True)):
        unit = _unit(part.type, part.kind, kinds, concealed=not (case.claimed and i == last), won=i == last)
        units.append(unit)
        if i == last and part.type is not UnitType.PAIR:
            as_kind = unit.kinds[kinds.index(won_kind)]
            wait = wait_of(part.kind + CHOW * (part.type is UnitType.CHOW), as_kind)
    triplets = [u for u in units if u.type in (UnitType.PUNG, UnitType.KONG)]
    return Arrangement(
        shape,
        tuple(units),
        tuple(u.kind for u in units if u.type is UnitType.CHOW),
        tuple(u.kind for u in triplets),
        tuple(u.kind for u in triplets if u.concealed),
        units[-1].kind if shape is Shape.STANDARD else -1,
        sum(u.type is UnitType.KONG for u in units),
        wait,
    )


def _physical_kinds(fortune: Fortune, part: WildUnit) -> tuple[int, ...]:
    """The kinds that lie there for a part, in its order."""
    step = part.type is UnitType.CHOW
    return tuple(fortune.wild if wild else fortune.physical(part.kind + i * step) for i, wild in enumerate(part.wild))


def _unit(
    unit_type: UnitType, kind: int, lying: tuple[int, ...], *, concealed: bool, melded: bool = False, won: bool = False
) -> Unit:
    plain = Unit(unit_type, kind, concealed, melded, won)
    return plain if lying == plain.kinds else Unit(unit_type, kind, concealed, melded, won, lying)


def meld_kinds(fortune: Fortune, meld: Meld) -> list[int]:
    """What a meld's tiles count as, lowest first."""
    return sorted(fortune.natural(t.kind) for t in meld.tiles)


def meld_unit(fortune: Fortune, meld: Meld) -> Unit:
    """A meld as a unit, white dragons standing for the indicator's face."""
    kinds = meld_kinds(fortune, meld)
    unit = UnitType.CHOW if meld.type is MeldType.CHOW else UnitType.KONG if meld.type.is_kong else UnitType.PUNG
    lying = tuple(fortune.physical(k) for k in kinds)
    return _unit(unit, kinds[0], lying, concealed=meld.type is MeldType.KONG_CONCEALED, melded=True)
