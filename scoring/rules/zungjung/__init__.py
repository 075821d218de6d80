"""Zung Jung as played by Mahjong Australia: patterns of points are added, at most one of each series."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from scoring.arrangements.arrange import Arrangement
from scoring.context import Win
from scoring.errors import Fault
from scoring.options import is_played
from scoring.payments import Payments
from scoring.reasons.checks import (
    chow_source_faults,
    claimed_meld_faults,
    earthly_by_discard_faults,
    heavenly_faults,
    replacement_faults,
    robbed_kong_faults,
    winning_tile_faults,
)
from scoring.rulebook.conventions import GameConventions, Rotation
from scoring.rulebook.result import Result
from scoring.rulebook.shapes import Shapes
from scoring.rules.zungjung.context import ZungJungContext
from scoring.rules.zungjung.options import PRESETS, ZungJungOptions
from scoring.rules.zungjung.patterns import matched_patterns, scored_lines
from scoring.rules.zungjung.payment import false_win, responsible_faults, settle
from scoring.rules.zungjung.table import ELEMENTS, LISTED_LIMIT_POINTS, SEED, SERIES
from scoring.system import (
    Case,
    Line,
    Refusal,
    RuleSystem,
    Tally,
    UncountedElement,
    house_lines,
    tile_faults,
    usual_arrangements,
)
from scoring.words.sentence import say, say_many


class ZungJung(RuleSystem[ZungJungOptions]):
    """Zung Jung points."""

    id = "zungjung"
    name = "Zung Jung"
    native = "中庸"
    aliases = ("zj", "zung-jung", "mahjong australia", "australia", "中庸麻將")
    unit = "points"
    option_class = ZungJungOptions
    # Sixteen hands, four rounds of four: the deal passes after every one.
    conventions = GameConventions(rotation=Rotation.NEVER, winners=1, false_win=false_win)
    presets = PRESETS
    elements = tuple(ELEMENTS.values())
    asks = ("last_tile", "replacement", "heavenly", "earthly", "responsible")
    context_class = ZungJungContext
    also_reads = ("double_kong", "turn_discards")
    compared = MappingProxyType({"minimum": (0, 5), "limit": (320, None), "standard_score": (25, 30)})

    def shapes_played(self, options: ZungJungOptions) -> Shapes:
        """All but those whose patterns are not played."""
        orphans = is_played(options.values, "thirteen_terminals")
        return self.shapes.less(seven_pairs=is_played(options.values, "seven_pairs"), orphans=orphans)

    def faults(self, case: Case[ZungJungOptions]) -> list[Fault]:
        """See the base class; also a responsible player who cannot be."""
        faults = tile_faults(self, case) + winning_tile_faults(case) + claimed_meld_faults(case)
        faults += chow_source_faults(case)
        faults += heavenly_faults(case) + earthly_by_discard_faults(case) + robbed_kong_faults(case)
        return faults + replacement_faults(case, bonus_counts=False) + responsible_faults(case)

    def arrangements(self, case: Case[ZungJungOptions]) -> Iterable[Arrangement]:
        """Ordinary hands, seven pairs, thirteen terminals."""
        return usual_arrangements(case, self.shapes_played(case.options))

    def tally(self, case: Case[ZungJungOptions], arrangement: Arrangement) -> Tally:
        """The best of each series added up; a pattern listed at 320 or more counts alone, a sum is cut to 320."""
        options = case.options
        lines = scored_lines(case, arrangement)
        if not lines and options.needed <= max(1, options.points["chicken_hand"]):
            lines = house_lines([Line(ELEMENTS["chicken_hand"], SEED["chicken_hand"])], options.values)
        total = sum(line.value for line in lines)
        value, limit, note = total, None, say_many("{n} point in all.", "{n} points in all.", total)
        listed = [line for line in lines if line.value >= LISTED_LIMIT_POINTS * line.count]
        if listed:
            top = max(listed, key=lambda line: line.value)
            value, lines, limit = top.value, [top], "listed limit"  # each of them implies other patterns
            note = say("{e} counts alone; with everything else the sum would be {n} points.", e=top.element, n=total)
        elif options.limit is not None and total >= options.limit:
            value, limit = options.limit, "compound limit"
            if total > value:
                note = say("{n} points, cut to the compound limit of {m}.", n=total, m=value)
        return Tally(tuple(lines), value, total, (value, total), limit, notes=(note,))

    def result_tally(self, case: Case[ZungJungOptions], result: Result) -> Tally:
        """Points, a robbed kong's own among them; cut to the limit unless they are those of a listed pattern."""
        options = case.options
        robbed = options.points["rob_a_kong"] if case.context.win is Win.ROBBED_KONG else 0
        total = result.value_in(self.unit, least=robbed)
        value, limit = total, None
        if total >= LISTED_LIMIT_POINTS and total in options.points.values():
            limit = "listed limit"
        elif options.limit is not None and total >= options.limit:
            value, limit = options.limit, "compound limit"
        return Tally((), value, total, (value, total), limit)

    def uncounted_elements(
        self, case: Case[ZungJungOptions], arrangement: Arrangement, tally: Tally
    ) -> Iterable[UncountedElement]:
        """Patterns beside a listed limit, which counts alone, and those that another of their series is worth more."""
        kept = [line.element for line in tally.lines]
        alone = kept[0] if kept and tally.limit == "listed limit" else None
        for id_ in dict.fromkeys(name for name, _ in matched_patterns(case, arrangement)):
            element = ELEMENTS[id_]
            if element in kept:
                continue
            by = next((e for e in kept if SERIES[e.id] == SERIES[id_]), alone)
            if by is not None:
                clause = say("{a} counts alone", a=by) if alone else say("{a} is the best of its series", a=by)
                yield UncountedElement(element, by, clause)

    def higher_tallies(
        self, case: Case[ZungJungOptions], arrangement: Arrangement, tally: Tally
    ) -> Iterable[tuple[int, str, Tally]]:
        """Five points more, the least a pattern adds; below the limit only."""
        top = case.options.limit
        for more in (5, 10, 15, 20):
            value = tally.value + more if top is None else max(tally.value, min(tally.value + more, top))
            if value > tally.value:
                yield value - tally.value, "points", tally._replace(value=value, uncapped=value)

    def refusal(self, case: Case[ZungJungOptions], arrangement: Arrangement, tally: Tally) -> Refusal | None:
        """Too few points, which is a false win."""
        need = case.options.needed
        if tally.value < need:
            few = say_many("{n} point; {m} are needed.", "{n} points; {m} are needed.", tally.value, m=need)
            return Refusal("below_minimum", few)
        return None

    def settle(self, case: Case[ZungJungOptions], arrangement: Arrangement, tally: Tally) -> Payments:
        """See :func:`scoring.rules.zungjung.payment.settle`."""
        return settle(case, tally.value)


SYSTEM: Final = ZungJung()
