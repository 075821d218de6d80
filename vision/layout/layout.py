"""The structure of a hand as it lies: concealed row, melds, winning tile, bonus tiles, dora, the rest."""

from __future__ import annotations

from dataclasses import dataclass

from vision.reading import Relation, Role


@dataclass(frozen=True, slots=True)
class SeenMeld:
    """A group that lies like a declared set.

    Attributes:
        tiles: indices of its sightings in reading order, a stacked tile last.
        turned: which of them lies across, None when none does.
        relation: whom the turned tile was claimed from; None when nothing lies across.
        stacked: the tile laid beside the turned one (added kong), None otherwise.
    """

    tiles: tuple[int, ...]
    turned: int | None = None
    relation: Relation | None = None
    stacked: int | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """What lies where; every sighting is in exactly one of the fields.

    Attributes:
        concealed: the hand's row(s) in reading order, without the winning tile where that is known.
        melds: declared sets, in reading order.
        winning: the tile set apart or laid across, None when none is.
        bonus, dora, others: flowers and animals; indicators in a wall; everything that is not of this hand.
        nothing: of the others, detections that are taken for no tiles.
        edges: which sides of the picture (left, right, top, bottom) the hand reaches: it may go on beyond them.
        left_out: of the others, face-up tiles that lie against tiles of the hand, or near a pung of the same face.
        alone: of the others, face-up tiles that lie in no row with another tile.
        alternatives: the next likely ways to interpret the table, each with its extra cost in nats.
        won: the chance of the winning tile, if one is set apart, among the ways to read the same tiles and melds.
        unclear: sets that may be melds or a part of the hand, each tile in one of them at most.
    """

    concealed: tuple[int, ...] = ()
    melds: tuple[SeenMeld, ...] = ()
    winning: int | None = None
    bonus: tuple[int, ...] = ()
    dora: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    nothing: tuple[int, ...] = ()
    edges: tuple[str, ...] = ()
    left_out: tuple[int, ...] = ()
    alone: tuple[int, ...] = ()
    alternatives: tuple[tuple[float, Layout], ...] = ()
    won: float = 1.0
    unclear: tuple[tuple[int, ...], ...] = ()

    @property
    def inside(self) -> tuple[int, ...]:
        """The concealed tiles and the winning tile, where that is known last."""
        return self.concealed if self.winning is None else (*self.concealed, self.winning)

    @property
    def melded(self) -> tuple[int, ...]:
        """The tiles of all melds."""
        return tuple(i for meld in self.melds for i in meld.tiles)

    @property
    def held(self) -> tuple[int, ...]:
        """Concealed tiles, winning tile and melds."""
        return self.inside + self.melded

    def roles(self, count: int) -> tuple[Role, ...]:
        """The role of each of ``count`` sightings."""
        roles = dict.fromkeys(self.concealed, Role.CONCEALED) | dict.fromkeys(self.melded, Role.MELD)
        roles |= dict.fromkeys(self.bonus, Role.BONUS) | dict.fromkeys(self.dora, Role.DORA)
        if self.winning is not None:
            roles[self.winning] = Role.WINNING
        return tuple(roles.get(i, Role.OTHER) for i in range(count))

    def groups(self, count: int) -> tuple[int, ...]:
        """A group number for each of ``count`` sightings: 0 the hand's row, then melds, winning, bonus, dora, rest."""
        winning = () if self.winning is None else (self.winning,)
        parts = (self.concealed, *(meld.tiles for meld in self.melds), winning, self.bonus, self.dora, self.others)
        groups = {i: number for number, tiles in enumerate(parts) for i in tiles}
        return tuple(groups.get(i, 0) for i in range(count))
