"""The likeliest joint reading that is a legal hand.

Every tile's probabilities, the groups of the layout and the rules' winning shapes are weighed together: joint readings
are tried in order of likelihood until one is a winning hand. What that costs against the likeliest reading of every
tile by itself is capped, so that a hand that does not win is not made into one, and every change is listed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from scoring.hand import MeldType
from scoring.tiles import BACK_KIND, KINDS, PLAIN, TILES, Tile
from vision.hand import doubts as questions
from vision.hand.joint import NEARLY_AS_LIKELY_NATS, JointReading, joint_readings, winning_hands
from vision.hand.shanten import shanten
from vision.hand.tiles import assign_bonus_tiles, limit_red_fives, tile_of_kind, to_meld
from vision.hand.trust import MAX_SURPRISE_NATS, kinds_of, surprise_nats
from vision.layout.layout import Layout, SeenMeld
from vision.layout.melds import UNLIKELY_NATS, kind_costs, likeliest, meld_readings
from vision.layout.shapes import HandRules, Rules, is_winning, shapes_of, waiting_kinds, winning_wilds
from vision.reading import Doubt, Relation, Repair, Role, SeenHand, Sighting

BY_CHANCE_NATS: Final = math.log(12)
"""What speaks for a tile that completes a hand which waits: by chance one in twelve would. It counts where no
other tile of the photo lies by itself; elsewhere there may be many to choose from."""


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
        shanten: -1 wins, 0 waits for one tile, and so on; None when no hand has that number of tiles.
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


def decode(layout: Layout, sightings: Sequence[Sighting], rules: Rules, *, indicator: Tile | None = None) -> Decoded:
    """The hand in a layout under the rules (None: any of them).

    Args:
        layout: of :func:`vision.layout.interpretations.lay_out` for these sightings.
        indicator: Hangzhou's fortune indicator where it is known; one that lies open in the photo is found.

    Raises:
        scoring.errors.InvalidRequest: an unknown rule system.
    """
    shapes = shapes_of(rules)
    if not layout.inside and not layout.melds:
        n, faces = len(sightings), {i: s.tile for i, s in enumerate(sightings) if s.tile.kind != BACK_KIND}
        doubts = questions.no_hand(layout, n), *questions.about_tiles(faces, (), sightings, (), shapes)
        return Decoded(None, layout.roles(n), layout.groups(n), doubts=doubts)
    costs = [kind_costs(s, shapes) for s in sightings]
    wild = None
    if shapes.wild and indicator is not None:
        wild = indicator.kind
    elif shapes.wild and len(layout.dora) == 1:
        wild = likeliest(costs[layout.dora[0]][:KINDS])
    decoder = _Decoder(sightings, costs, shapes, wild)
    return decoder.conclude(decoder.best(layout))


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One layout read under the rules.

    Attributes:
        layout: the layout, a tile that does not belong already left out.
        joint: the reading chosen. melds: the layout's melds whose tiles could be made out.
        found: the likeliest winning hand and a close second, as far as there are any.
        wins: the likeliest winning hand is probable enough to be chosen.
        cost: nats above the best layout read as its likeliest faces, including that of a left-out tile.
    """

    layout: Layout
    joint: JointReading
    melds: tuple[SeenMeld, ...]
    found: list[JointReading]
    wins: bool
    cost: float


@dataclass(frozen=True, slots=True)
class _Decoder:
    """Reads layouts of the same sightings under the same rules; ``costs``: the 47 of every sighting."""

    sightings: Sequence[Sighting]
    costs: Sequence[Sequence[float]]
    shapes: HandRules
    wild: int | None

    def best(self, layout: Layout) -> _Attempt:
        """The layout as it is, unless it wins only without a tile, or only an alternative does."""
        first = self.attempt(layout, 0.0)
        if first.wins:
            return first
        others = layout.alternatives
        tries: list[_Attempt] = []
        over = len(layout.inside) - self.size(layout)
        if over == -1:
            # A hand that waits is a complete answer, unless a tile set apart is just what it waits for.
            others = tuple(
                (at, o)
                for cost, o in others
                if (at := cost if o.alone else max(0.0, cost - BY_CHANCE_NATS)) <= NEARLY_AS_LIKELY_NATS
                and _adds_winning_tile(o, layout)
            )
        elif over == 1 and len(layout.concealed) > 1:
            tries.append(self.without_stray(layout))
        tries += [self.attempt(other, cost) for cost, other in others]
        return min((a for a in tries if a.wins), key=lambda a: a.cost, default=first)

    def size(self, layout: Layout) -> int:
        """How many concealed tiles a hand with these melds has when it wins."""
        return self.shapes.size - 3 * len(layout.melds)

    def attempt(self, layout: Layout, cost: float) -> _Attempt:
        """Read one layout: the cheapest winning hand, else the cheapest legal one."""
        costs, shapes = self.costs, self.shapes
        options = {m: meld_readings([costs[i] for i in m.tiles], shapes) for m in layout.melds}
        melds = tuple(meld for meld in layout.melds if options[meld])
        held = [0] * KINDS
        for i in (*layout.dora, *(layout.bonus if shapes.kita else ())):
            kind = likeliest(costs[i])
            if kind < KINDS:
                held[kind] = min(3, held[kind] + 1)
        readings = partial(joint_readings, [costs[i] for i in layout.inside], [options[meld] for meld in melds])
        found: list[JointReading] = []
        if len(layout.inside) == self.size(layout):
            found = winning_hands(readings(), held, partial(is_winning, shapes=shapes, wild=self.wild))
        if found and cost + self.surprise(layout.inside, melds, found[0]) <= MAX_SURPRISE_NATS:
            return _Attempt(layout, found[0], melds, found, True, cost + found[0].cost)
        legal = next((joint for joint in readings() if joint.is_legal(held)), None) or next(readings())
        return _Attempt(layout, legal, melds, found, False, cost + legal.cost)

    def surprise(self, inside: Sequence[int], melds: Sequence[SeenMeld], joint: JointReading) -> float:
        """Nats of improbability in the unsure tiles of a reading."""
        return surprise_nats(kinds_of(inside, melds, joint, self.costs), self.sightings, self.costs)

    def without_stray(self, layout: Layout) -> _Attempt:
        """An attempt without the concealed tile that is most likely none: sure detections with sure faces are tiles."""
        stray_costs = {i: 8.0 * max(0.0, s.located - 0.5) + 2.0 * s.confidence for i, s in enumerate(self.sightings)}
        stray = min(layout.concealed, key=lambda i: (stray_costs[i], i))
        kept = tuple(i for i in layout.concealed if i != stray)
        left = (*layout.left_out, stray) if self.sightings[stray].tile.is_playable else layout.left_out
        without = replace(layout, concealed=kept, others=(*layout.others, stray), left_out=left)
        return self.attempt(without, stray_costs[stray])

    def conclude(self, attempt: _Attempt) -> Decoded:
        """Everything that follows from the reading chosen."""
        sightings, shapes = self.sightings, self.shapes
        layout, joint, inside = attempt.layout, attempt.joint, attempt.layout.inside
        want = self.size(layout)
        used = self.used_tiles(attempt)
        melds = [to_meld(meld, [used[i] for i in meld.tiles], sightings) for meld in attempt.melds]
        winning, roles = layout.winning, layout.roles(len(sightings))
        doubts: list[Doubt] = []
        if winning is None and len(inside) == want:
            winning = layout.concealed[-1]
            roles = tuple(Role.WINNING if i == winning else role for i, role in enumerate(roles))
            doubts.append(questions.winning_tile(winning, used[winning], [used[i] for i in reversed(layout.concealed)]))
        elif winning is not None and len(layout.concealed) == 1 and used[winning] is not used[layout.concealed[0]]:
            # Beside four melds two lone tiles are left: which of them came last, only the winner knows.
            doubts.append(questions.which_won(winning, used[winning], used[layout.concealed[0]]))
        elif winning is not None and len(inside) == want and layout.won < questions.MIN_SURE_WON:
            row = [used[i] for i in reversed(layout.concealed)]
            doubts.append(questions.winning_tile(winning, used[winning], row, apart=True))
        bonus, strange = assign_bonus_tiles(layout.bonus, sightings, shapes)
        used.update(bonus)
        dora = {i: tile_of_kind(sightings[i].tile.kind, sightings[i], shapes) for i in layout.dora}
        distance, waiting = self.distance(attempt)
        hand = SeenHand(
            tuple(used[i] for i in layout.concealed if i != winning and used[i].is_playable),
            tuple(melds),
            used[winning] if winning is not None and used[winning].is_playable else None,
            tuple(bonus.values()),
            tuple(t for t in dora.values() if t.is_playable),
            # A chow is claimed from the left whether or not a tile lies across.
            tuple(
                Relation.LEFT if made.type is MeldType.CHOW else meld.relation
                for meld, made in zip(attempt.melds, melds, strict=True)
            ),
            shapes.sets,
        )
        repairs = tuple(
            Repair(i, read, t, questions.explain_repair(read, t, roles[i], attempt.wins, shapes.reds))
            for i, t in sorted((used | dora).items())
            if t is not (read := sightings[i].tile) and read.kind != BACK_KIND
        )
        doubts += questions.about_melds(layout, attempt.melds, sightings, shapes)
        doubts += questions.about_count(layout, want, waiting)
        doubts += questions.about_left_out(layout, sightings)
        explained = {r.tile for r in repairs if attempt.wins or r.tile not in inside}
        doubts += questions.about_tiles(used | dora, inside, sightings, repairs, shapes, explained=explained)
        if not attempt.wins and self.surprise(inside, attempt.melds, joint) > MAX_SURPRISE_NATS:
            asked = {doubt.tile for doubt in doubts}
            made = [r for r in repairs if roles[r.tile] is Role.MELD and r.tile not in asked]
            doubts += questions.about_sets(made, sightings)
        doubts += questions.about_kinds(used | dora, sightings)
        doubts += questions.about_bonus(strange, sightings, shapes)
        whole, unknown = len(inside) == want, shapes.wild and self.wild is None
        told = distance if whole and not unknown else None  # without the indicator nobody can tell
        found = [kinds_of(inside, attempt.melds, other, self.costs) for other in attempt.found]
        about_win = questions.about_win(found, attempt.wins, used, sightings, told)
        twice = {doubt.tile for doubt in about_win}  # these say more than that a tile is not sure
        doubts = [d for d in doubts if d.code != "low_confidence" or d.tile not in twice] + about_win
        if unknown:
            known = winning_wilds(joint.counts(), shapes) if whole and not attempt.wins else ()
            doubts.append(questions.indicator([PLAIN[kind] for kind in known]))
        if shapes.left_out:
            unplayed = {t.code for t in TILES if self.is_left_out(t)}
            doubts = [replace(d, answers=tuple(code for code in d.answers if code not in unplayed)) for d in doubts]
        return Decoded(
            hand,
            roles,
            layout.groups(len(sightings)),
            repairs,
            tuple(doubts),
            wins=attempt.wins,
            cost=joint.cost,
            shanten=distance,
            waits=tuple(PLAIN[k] for k in waiting),
        )

    def used_tiles(self, attempt: _Attempt) -> dict[int, Tile]:
        """The tile that each sighting of the hand is taken for, without bonus tiles."""
        inside, joint, sightings = attempt.layout.inside, attempt.joint, self.sightings
        kinds = dict(zip(inside, joint.kinds, strict=True))
        # Nothing is gained by taking a tile for one it does not look like: leave it as it was read and ask.
        unlike = [i for i in inside if self.costs[i][kinds[i]] > UNLIKELY_NATS or self.is_left_out(sightings[i].tile)]
        strange = [] if attempt.wins else unlike
        for meld, reading in zip(attempt.melds, joint.melds, strict=True):
            kinds.update(zip(meld.tiles, reading.kinds, strict=True))
        used = {i: tile_of_kind(kind, sightings[i], self.shapes) for i, kind in kinds.items()}
        # What the back of a tile is likely to be says nothing of its face: no red five is made of it.
        hidden = {i: PLAIN[kinds[i]] for meld in attempt.melds for i in meld.tiles if self.costs[i][BACK_KIND] == 0}
        return limit_red_fives(used | hidden | {i: sightings[i].tile for i in strange}, sightings)

    def is_left_out(self, tile: Tile) -> bool:
        """Whether the rules are played without this tile."""
        return tile.kind in self.shapes.left_out

    def distance(self, attempt: _Attempt) -> tuple[int | None, tuple[int, ...]]:
        """Shanten, and what a hand one tile short of winning waits for."""
        joint, over = attempt.joint, len(attempt.joint.kinds) - self.size(attempt.layout)
        if attempt.wins:
            return -1, ()
        if over not in (0, -1) or BACK_KIND in joint.kinds:
            return None, ()
        found = waiting_kinds(joint.counts(), self.shapes, self.wild, joint.shown()) if over == -1 else ()
        if self.wild is not None:
            return (0 if found else None), found
        distance = shanten(joint.counts(), self.shapes)
        return distance, found if distance == 0 else ()


def _adds_winning_tile(other: Layout, layout: Layout) -> bool:
    """Whether ``other`` is ``layout`` plus a winning tile, with no more tiles left out against the hand."""
    same = set(other.concealed) == set(layout.inside) and other.melds == layout.melds
    return other.winning is not None and same and set(other.left_out) <= set(layout.left_out)
