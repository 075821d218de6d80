"""The likeliest joint reading that is a legal hand.

Every tile's probabilities, the groups of the layout and the rules' winning shapes are weighed together: joint readings
are tried in order of likelihood until one is a winning hand. What that costs against the likeliest reading of every
tile by itself is capped, so that a hand that does not win is not made into one, and every change is listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from scoring.hand import MeldType
from scoring.tiles import BACK_KIND, KINDS, PLAIN, Tile
from vision.hand import doubts as asking
from vision.hand.joint import ASK_CAP, Joint, JointSearch, Parts, Wins
from vision.hand.shanten import shanten, waits
from vision.hand.tiles import bonus_tiles, faces, seen_meld, within_reds
from vision.hand.trust import SURPRISE_CAP, surprise_of
from vision.layout.layout import Layout, SeenMeld
from vision.layout.melds import kind_costs, meld_readings
from vision.layout.shapes import Shapes, shapes_of, wilds_that_win, wins, wins_with_wild
from vision.reading import Doubt, Relation, Repair, Role, SeenHand, Sighting

AWAITED: Final = 1.0
"""A hand that waits is taken for won if, in a layout at most this many nats dearer, a tile set apart completes it: by
chance about one tile in twelve would. With 2.0 twice as many hands that wait are taken for won."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """What the rules-aware reading makes of a layout.

    Attributes:
        hand: None when no hand can be made out.
        roles, groups: one for each sighting.
        repairs: where the hand differs from what the networks read.
        doubts: what to ask the user.
        wins: the hand has a winning shape of the rules.
        cost: nats above reading the likeliest face of every tile; 0 when nothing was changed.
        shanten: -1 wins, 0 waits for one tile, and so on; None when the number of tiles is no hand's.
        waits: what a hand that waits is waiting for.
    """

    hand: SeenHand | None
    roles: tuple[Role, ...]
    groups: tuple[int, ...]
    repairs: tuple[Repair, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    wins: bool = False
    cost: float = 0.0
    shanten: int | None = None
    waits: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One layout read under the rules.

    Attributes:
        layout: the layout, a tile that does not belong already left out.
        joint: the reading chosen. melds: the layout's melds whose tiles could be made out.
        found: the outcome of the search for a winning hand.
        price: nats of the layout above the best one, including the price of a left-out tile.
        costs: the 47 costs of every sighting.
        surprise: improbability of the winning hand found, see :data:`SURPRISE_CAP`; 0 when nothing is repaired.
    """

    layout: Layout
    costs: Sequence[Sequence[float]]
    joint: Joint
    melds: tuple[SeenMeld, ...]
    found: JointSearch
    price: float
    surprise: float

    @property
    def wins(self) -> bool:
        return self.found.best is not None and self.price + self.surprise <= SURPRISE_CAP


def decode(
    layout: Layout, sightings: Sequence[Sighting], rules: str | None, *, indicator: Tile | None = None
) -> Decoded:
    """The hand in a layout under the rules (None: any of them).

    Args:
        layout: of :func:`vision.layout.layout.lay_out` for these sightings.
        indicator: Hangzhou's fortune indicator where it is known; one that lies open in the photo is found.

    Raises:
        scoring.errors.InvalidRequest: an unknown rule system.
    """
    shapes = shapes_of(rules)
    if not layout.inside and not layout.melds:
        n = len(sightings)
        return Decoded(None, layout.roles(n), layout.groups(n), doubts=(asking.no_hand(layout),))
    costs = [kind_costs(s, shapes) for s in sightings]
    wild = _wild(layout, costs, shapes, indicator)
    goal = _goal(shapes, wild)
    best = _attempt(layout, sightings, costs, shapes, goal, 0.0)
    if not best.wins:
        others = layout.alternatives
        tries: list[_Attempt | None] = []
        if len(layout.inside) == shapes.size - 1 - 3 * len(layout.melds):
            # A hand that waits is a complete answer, unless a tile set apart is just what it waits for.
            others = tuple((price, o) for price, o in others if price <= AWAITED and _adds_winning_tile(o, layout))
        else:
            tries.append(_without_stray(layout, sightings, costs, shapes, goal))
        tries += [_attempt(other, sightings, costs, shapes, goal, price) for price, other in others]
        winners = [a for a in tries if a is not None and a.wins]
        best = min(winners, key=lambda a: a.price + a.joint.cost, default=best)
    return _decoded(best, sightings, shapes, wild)


def _adds_winning_tile(other: Layout, layout: Layout) -> bool:
    """Whether ``other`` is ``layout`` plus a winning tile, with no more tiles left out against the hand."""
    same = set(other.concealed) == set(layout.inside) and other.melds == layout.melds
    return other.winning is not None and same and set(other.left_out) <= set(layout.left_out)


def _wild(layout: Layout, costs: Sequence[Sequence[float]], shapes: Shapes, indicator: Tile | None) -> int | None:
    """The wild kind where an indicator is known or lies open in a wall, else None."""
    if not shapes.wild:
        return None
    if indicator is not None:
        return indicator.kind
    if len(layout.dora) != 1:
        return None
    shown = costs[layout.dora[0]]
    return min(range(KINDS), key=lambda kind: shown[kind])


def _goal(shapes: Shapes, wild: int | None) -> Wins:
    if wild is None:
        return partial(wins, shapes=shapes)
    return partial(wins_with_wild, shapes=shapes, wild=wild)


def _attempt(
    layout: Layout,
    sightings: Sequence[Sighting],
    costs: Sequence[Sequence[float]],
    shapes: Shapes,
    goal: Wins,
    price: float,
) -> _Attempt:
    """Read one layout: the cheapest winning hand, else the cheapest legal one."""
    melds, readings = [], []
    for meld in layout.melds:
        options = meld_readings([costs[i] for i in meld.tiles], ASK_CAP, stand_in=shapes.wild)
        if options:
            melds.append(meld)
            readings.append(options)
    held = [0] * KINDS
    for i in layout.dora:
        kind = costs[i].index(min(costs[i]))
        if kind < KINDS:
            held[kind] = min(3, held[kind] + 1)
    parts = Parts([costs[i] for i in layout.inside], readings, held)
    full = len(layout.inside) == shapes.size - 3 * len(layout.melds)
    found = parts.search(goal) if full else JointSearch(None, None, True)
    surprise = 0.0 if found.best is None else surprise_of(layout.inside, melds, found.best, sightings, costs)
    attempt = _Attempt(layout, costs, parts.legal(), tuple(melds), found, price, surprise)
    return replace(attempt, joint=found.best) if found.best is not None and attempt.wins else attempt


def _without_stray(
    layout: Layout, sightings: Sequence[Sighting], costs: Sequence[Sequence[float]], shapes: Shapes, goal: Wins
) -> _Attempt | None:
    """An attempt without the tile that is most likely none, if there is one tile too many; else None."""
    if len(layout.concealed) < 2 or len(layout.inside) != shapes.size + 1 - 3 * len(layout.melds):
        return None
    price, stray = min((_stray_price(sightings[i]), i) for i in layout.concealed)
    kept = tuple(i for i in layout.concealed if i != stray)
    less = replace(layout, concealed=kept, others=(*layout.others, stray))
    return _attempt(less, sightings, costs, shapes, goal, price)


def _stray_price(sighting: Sighting) -> float:
    """How unlikely it is that a sighting is no tile of the hand: sure detections with sure faces are tiles."""
    return 8.0 * max(0.0, sighting.located - 0.5) + 2.0 * sighting.confidence


def _decoded(attempt: _Attempt, sightings: Sequence[Sighting], shapes: Shapes, wild: int | None) -> Decoded:
    """Everything that follows from the reading chosen."""
    layout, joint = attempt.layout, attempt.joint
    inside, n = layout.inside, len(sightings)
    want = shapes.size - 3 * len(layout.melds)
    counts, shown = joint.counts(), joint.shown()
    used = dict(zip(inside, faces(inside, joint.kinds, sightings, shapes), strict=True))
    if not attempt.wins:
        # Nothing is gained by taking a tile for one it does not look like: leave it as it was read and ask.
        used |= {
            i: sightings[i].tile for i, k in zip(inside, joint.kinds, strict=True) if attempt.costs[i][k] > ASK_CAP
        }
    for meld, reading in zip(attempt.melds, joint.melds, strict=True):
        used.update(zip(meld.tiles, faces(meld.tiles, reading.kinds, sightings, shapes), strict=True))
    used = within_reds(used, sightings)
    melds = [seen_meld(meld, [used[i] for i in meld.tiles], sightings) for meld in attempt.melds]
    winning, roles = layout.winning, layout.roles(n)
    doubts: list[Doubt] = []
    if winning is None and len(inside) == want:
        winning = layout.concealed[-1]
        roles = tuple(Role.WINNING if i == winning else role for i, role in enumerate(roles))
        doubts.append(asking.winning_tile(winning, used[winning], [used[i] for i in reversed(layout.concealed)]))
    elif winning is not None and len(layout.concealed) == 1 and used[winning] is not used[layout.concealed[0]]:
        # Beside four melds two lone tiles are left: which of them came last, only the winner knows.
        doubts.append(asking.which_won(winning, used[winning], used[layout.concealed[0]]))
    bonus, strange = bonus_tiles(layout.bonus, sightings, shapes)
    used.update(bonus)
    distance, waiting = _distance(attempt, counts, shown, want, shapes, wild)
    hand = SeenHand(
        tuple(used[i] for i in layout.concealed if i != winning and used[i].is_playable),
        tuple(melds),
        used[winning] if winning is not None and used[winning].is_playable else None,
        tuple(bonus.values()),
        tuple(sightings[i].tile for i in layout.dora if sightings[i].tile.is_playable),
        # A chow is claimed from the left whether or not a tile lies across.
        tuple(
            Relation.LEFT if made.type is MeldType.CHOW else meld.relation
            for meld, made in zip(attempt.melds, melds, strict=True)
        ),
        shapes.sets,
    )
    repairs = tuple(
        Repair(i, sightings[i].tile, t, asking.why(sightings[i].tile, t, roles[i], attempt.wins, shapes.reds))
        for i, t in sorted(used.items())
        if t is not sightings[i].tile and sightings[i].tile.kind != BACK_KIND
    )
    doubts += asking.about_melds(layout, attempt.melds, sightings, shapes)
    doubts += asking.about_count(layout, len(inside), want, waiting)
    doubts += asking.about_left_out(layout, sightings)
    doubts += asking.about_tiles(used, inside, sightings, repairs)
    doubts += asking.about_bonus(strange, sightings, shapes)
    complete = len(inside) == want and not (shapes.wild and wild is None)  # without the indicator nobody can tell
    doubts += asking.about_win(attempt.found, attempt.wins, inside, used, sightings, distance if complete else None)
    if shapes.wild and wild is None:
        known = () if attempt.wins or len(inside) != want else wilds_that_win(counts, want, shapes)
        doubts.append(asking.indicator([PLAIN[kind] for kind in known]))
    return Decoded(
        hand,
        roles,
        layout.groups(n),
        repairs,
        tuple(doubts),
        wins=attempt.wins,
        cost=joint.cost,
        shanten=distance,
        waits=tuple(PLAIN[k] for k in waiting),
    )


def _distance(
    attempt: _Attempt, counts: list[int], shown: list[int], want: int, shapes: Shapes, wild: int | None
) -> tuple[int | None, tuple[int, ...]]:
    """Shanten, and what a hand one tile short of winning waits for."""
    size = len(attempt.joint.kinds)
    if attempt.wins:
        return -1, ()
    if size not in (want, want - 1) or BACK_KIND in attempt.joint.kinds:
        return None, ()
    if wild is not None:
        if size == want:
            return None, ()
        more = [[*counts[:k], counts[k] + 1, *counts[k + 1 :]] for k in range(KINDS)]
        found = tuple(k for k in range(KINDS) if counts[k] < 4 and wins_with_wild(more[k], want, shapes, wild))
        return (0 if found else None), found
    distance = shanten(counts, size, shapes)
    return distance, waits(counts, size, shapes, shown) if distance == 0 and size == want - 1 else ()
