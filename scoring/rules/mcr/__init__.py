"""Mahjong Competition Rules (Chinese official, 國標): 81 fan, their points added, 8 of them needed.

What counts together follows five principles. Non-repeat: what a fan contains is not counted beside it
(``principles``). Non-separation: the hand is read in one way. Non-identical: no set makes the same fan twice. Freedom
of choice: of two fan the better. Account once: sets that were combined are combined again only with one that was not
(``fans``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from scoring.arrangements.arrange import Arrangement, Shape, Wait
from scoring.context import Win
from scoring.errors import Fault
from scoring.hand import KONG_CONCEALED
from scoring.options import is_played
from scoring.payments import Payments
from scoring.reasons.checks import (
    chow_source_faults,
    claimed_meld_faults,
    kinds_waited_for,
    replacement_faults,
    robbed_kong_faults,
    winning_tile_faults,
)
from scoring.rulebook.conventions import GameConventions, Rotation
from scoring.rulebook.shapes import Shapes
from scoring.rules.mcr.arrangements import arrangements_of
from scoring.rules.mcr.context import McrContext, last_of_kind_faults
from scoring.rules.mcr.elements import ELEMENTS, POINTS
from scoring.rules.mcr.fans import all_chow_fans, chow_fans, tile_fans, triplet_fans
from scoring.rules.mcr.options import PRESETS, McrOptions
from scoring.rules.mcr.payment import false_win, settle
from scoring.rules.mcr.principles import ABSORBS, ABSORBS_BY, counted_fans, uncounted_fans
from scoring.system import Case, Line, Refusal, RuleSystem, Tally, UncountedElement, tile_faults
from scoring.tiles import EAST, WHITE
from scoring.words.sentence import say_many

_WAITS: Final = {Wait.EDGE: "edge_wait", Wait.CLOSED: "closed_wait", Wait.SINGLE: "single_wait"}
_SHAPES: Final = {Shape.SEVEN_PAIRS: "seven_pairs", Shape.THIRTEEN_ORPHANS: "thirteen_orphans"}
_SHAPED_BY: Final = {
    "seven_pairs": "seven_pairs",
    "orphans": "thirteen_orphans",
    "knitted": "lesser_honors_and_knitted_tiles",
    "straight": "knitted_straight",
}


class Mcr(RuleSystem[McrOptions]):
    """Mahjong Competition Rules."""

    id = "mcr"
    name = "Chinese Official"
    native = "國標麻將"
    aliases = ("guobiao", "chinese", "competition", "國標", "国标", "国标麻将")
    unit = "points"
    option_class = McrOptions
    # Sixteen hands, four rounds of four: the deal passes after every one, and one player wins.
    conventions = GameConventions(rotation=Rotation.NEVER, winners=1, false_win=false_win)
    presets = PRESETS
    elements = tuple(ELEMENTS.values())
    context_class = McrContext
    asks = ("bonus", "round", "last_tile", "replacement", "last_of_kind")
    also_reads = ("double_kong",)
    shapes = Shapes(knitted=True, straight=True)
    bonus_letters = "fg"
    absorbs = ABSORBS
    compared = MappingProxyType({"two_concealed_kongs": (6, 8), "mixed_kongs": (5, 6)})

    def shapes_played(self, options: McrOptions) -> Shapes:
        """All but those whose fan are not played."""
        return self.shapes.less(**{shape: is_played(options.values, fan) for shape, fan in _SHAPED_BY.items()})

    def faults(self, case: Case[McrOptions]) -> list[Fault]:
        """Tiles of other sets, claims and replacements that cannot be."""
        faults = tile_faults(self, case) + winning_tile_faults(case) + claimed_meld_faults(case)
        faults += chow_source_faults(case) + robbed_kong_faults(case) + last_of_kind_faults(case)
        return faults + replacement_faults(case, bonus_counts=False)

    def arrangements(self, case: Case[McrOptions]) -> Iterable[Arrangement]:
        """Sets and a pair, seven pairs, thirteen orphans, knitted hands."""
        return arrangements_of(case, self.shapes_played(case.options))

    def tally(self, case: Case[McrOptions], arrangement: Arrangement) -> Tally:
        """Points of the fan that count, the best choice among the chows."""
        values, listed, points = case.options.values, case.compute_once(_listed_points), case.compute_once(_points)
        chows = arrangement.chows
        found = Counter(_fans(case, arrangement))
        choices = chow_fans(chows, arrangement.pair, values) if len(chows) > 1 else [[]]
        met = [found + Counter(choice) for choice in choices]
        if values:
            met = [Counter({id_: n for id_, n in fans.items() if points[id_]}) for fans in met]
        all_kept = [counted_fans(fans, case.options.contained) for fans in met]
        best = max(all_kept, key=lambda fans: sum(points[id_] * n for id_, n in fans.items()))
        if not best and points["chicken_hand"]:
            best["chicken_hand"] = 1

        def line(id_: str, times: int, *about: object) -> Line:
            return Line(ELEMENTS[id_], listed[id_] * times, times, about).valued(points[id_] * times)

        lines = tuple(line(id_, best[id_]) for id_ in ELEMENTS if best[id_])
        total = sum(line.value for line in lines)
        tiles = case.hand.bonus if case.options.flowers else ()
        flowers = points["flower_tiles"] * len(tiles)
        if flowers:
            lines = (*lines, line("flower_tiles", len(tiles), *tiles))
        if flowers:
            note = say_many(
                "{n} point and {m} for flower tiles.", "{n} points and {m} for flower tiles.", total, m=flowers
            )
        else:
            note = say_many("{n} point in all.", "{n} points in all.", total)
        return Tally(lines, total + flowers, total + flowers, (total,), notes=(note,))

    def uncounted_elements(
        self, case: Case[McrOptions], arrangement: Arrangement, tally: Tally
    ) -> Iterable[UncountedElement]:
        """What others contain, and fan of chows that are combined in another way."""
        met = {*_fans(case, arrangement), *all_chow_fans(arrangement.chows, arrangement.pair)}
        if any(k >= WHITE or k in (case.context.seat.wind, case.context.round.wind) for k in arrangement.triplets):
            met.add("pung_of_terminals_or_honors")
        if sum(EAST <= k < WHITE for k in arrangement.triplets) >= 3:
            met.add("pung_of_terminals_or_honors")
        met = {fan for fan in met if is_played(case.options.values, fan)}
        absorbs = ABSORBS_BY[case.options.contained]
        for fan, by, why in uncounted_fans(met, {line.element.id for line in tally.lines}, absorbs):
            yield UncountedElement(ELEMENTS[fan], ELEMENTS[by], why)

    def higher_tallies(
        self, case: Case[McrOptions], arrangement: Arrangement, tally: Tally
    ) -> Iterable[tuple[int, str, Tally]]:
        """A point more, or as many as a win needs."""
        points = tally.rank[0]
        more = max(1, case.options.min_points - points)
        yield (
            more,
            "points",
            tally._replace(value=tally.value + more, uncapped=tally.value + more, rank=(points + more,)),
        )

    def refusal(self, case: Case[McrOptions], arrangement: Arrangement, tally: Tally) -> Refusal | None:
        """Fewer points than the house asks for; flower tiles do not help."""
        points, need = tally.rank[0], case.options.min_points
        if points >= need:
            return None
        one, more = (
            "{n} point without flower tiles; {m} are needed.",
            "{n} points without flower tiles; {m} are needed.",
        )
        return Refusal("below_minimum", say_many(one, more, points, m=need))

    def settle(self, case: Case[McrOptions], arrangement: Arrangement, tally: Tally) -> Payments:
        """See :func:`scoring.rules.mcr.payment.settle`."""
        return settle(case.context, tally.value, case.options)


def _listed_points(case: Case[McrOptions]) -> Mapping[str, int]:
    """Fan -> its points by the text that is played."""
    own = {"two_concealed_kongs": case.options.two_concealed_kongs, "mixed_kongs": case.options.mixed_kongs}
    return {**POINTS, **own}


def _points(case: Case[McrOptions]) -> Mapping[str, int]:
    """Fan -> its points in this house; 0: not played."""
    return {**_listed_points(case), **case.options.values}


def _fans(case: Case[McrOptions], a: Arrangement) -> Iterator[str]:
    """Every fan that the hand meets, those of several chows left out; a name for each time that it counts."""
    yield from tile_fans(case, a)
    yield from _shape_fans(case, a)
    yield from _win_fans(case, a)
    if a.triplets:
        concealed = sum(m.type is KONG_CONCEALED for m in case.hand.melds)
        yield from triplet_fans(case.context, a, concealed, case.options.values)


def _shape_fans(case: Case[McrOptions], a: Arrangement) -> Iterator[str]:
    if a.shape in _SHAPES:
        yield _SHAPES[a.shape]
    if a.shape is Shape.SEVEN_PAIRS:
        held = [k for k, n in enumerate(case.counts) if n]
        if len(held) == 7 and held[-1] - held[0] == 6 and held[-1] < 27 and held[0] // 9 == held[-1] // 9:
            yield "seven_shifted_pairs"
    if a.shape is Shape.KNITTED:
        honours = sum(case.counts[27:])
        yield "lesser_honors_and_knitted_tiles"
        if honours == 7:
            yield "greater_honors_and_knitted_tiles"
        if honours == 5:
            yield "knitted_straight"
    if a.shape is Shape.KNITTED_STRAIGHT:
        yield "knitted_straight"
    sets = len(a.chows) + (a.shape is Shape.KNITTED_STRAIGHT) * 3
    if sets == 4 and 0 <= a.pair < 27:
        yield "all_chows"
    if case.nine_gates_wait:
        yield "nine_gates"


def _win_fans(case: Case[McrOptions], a: Arrangement) -> Iterator[str]:
    c, melds = case.context.convert_to(McrContext), case.hand.melds
    if c.last_tile:
        yield "last_tile_draw" if c.self_drawn else "last_tile_claim"
    if c.replacement or c.double_kong:
        yield "out_with_replacement_tile"
    if c.win is Win.ROBBED_KONG:
        yield "robbing_the_kong"
    if c.last_of_kind or _count_in_claimed_melds(case) == 3:
        yield "last_tile"
    if c.self_drawn:
        yield "self_drawn"
    if case.is_concealed:
        yield "fully_concealed_hand" if c.self_drawn else "concealed_hand"
    if len(melds) == 4 and not c.self_drawn and all(m.type is not KONG_CONCEALED for m in melds):
        yield "melded_hand"
    if a.wait in _WAITS and len(case.compute_once(_waits)) == 1:
        yield _WAITS[a.wait]


def _count_in_claimed_melds(case: Case[McrOptions]) -> int:
    """How many of the winning kind lie in the winner's claimed melds."""
    won = case.hand.winning_tile
    claimed = [m for m in case.hand.melds if m.type is not KONG_CONCEALED]
    return sum(t.kind == won.kind for m in claimed for t in m.tiles) if won else 0


def _waits(case: Case[McrOptions]) -> tuple[int, ...]:
    return kinds_waited_for(case, SYSTEM.shapes_played(case.options), formal=case.options.single_wait == "formal")


SYSTEM: Final = Mcr()
