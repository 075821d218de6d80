"""Hong Kong (Cantonese) scoring: faan are added, a stricter element absorbs the one it implies.

``elements`` is the table, ``patterns`` finds what a hand meets, ``options`` holds the house rules and the tables of
money, ``payment`` who pays what, ``liability`` the penalties.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from scoring.arrangements.arrange import Arrangement
from scoring.context import Win
from scoring.errors import Fault, format_count
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
from scoring.rulebook.conventions import GameConventions
from scoring.rulebook.result import Result
from scoring.rulebook.shapes import Shapes
from scoring.rules.hongkong.elements import ABSORBS, ELEMENTS, FAAN, HAND, SETS
from scoring.rules.hongkong.liability import LIABLE_KINDS, liable_faults, liable_hint
from scoring.rules.hongkong.options import PRESETS, HongKongOptions, minimum_of, option_faults
from scoring.rules.hongkong.patterns import bonus_lines, hand_lines, win_lines
from scoring.rules.hongkong.payment import false_win, settle
from scoring.system import (
    Case,
    Line,
    Refusal,
    RuleSystem,
    Tally,
    UncountedElement,
    contained_elements,
    house_lines,
    tile_faults,
    usual_arrangements,
)
from scoring.words.sentence import say


class HongKong(RuleSystem[HongKongOptions]):
    """Hong Kong faan."""

    id = "hongkong"
    name = "Hong Kong"
    native = "香港"
    aliases = ("hk", "cantonese", "hong-kong", "港式", "廣東")
    unit = "faan"
    option_class = HongKongOptions
    # Out of chips, some owe and buy chips back, some play on without risk, some end the game: no rule is
    # followed by all.
    conventions = GameConventions(false_win=false_win)
    presets = PRESETS
    elements = tuple(ELEMENTS.values())
    asks = ("bonus", "round", "last_tile", "replacement", "double_kong", "heavenly", "earthly", "liable")
    bonus_letters = "fg"
    liable_kinds = LIABLE_KINDS
    absorbs = ABSORBS
    compared = MappingProxyType({"min_faan": (0, 1, 3), "max_faan": (8, 10, 13)})

    def shapes_played(self, options: HongKongOptions) -> Shapes:
        """All but those that are switched off."""
        pairs = options.seven_pairs and is_played(options.values, "seven_pairs")
        return self.shapes.less(seven_pairs=pairs, orphans=is_played(options.values, "thirteen_orphans"))

    def faults(self, case: Case[HongKongOptions]) -> list[Fault]:
        """See the base class; also penalties that do not fit the hand, and house rules at odds with each other."""
        faults = tile_faults(self, case) + winning_tile_faults(case) + claimed_meld_faults(case)
        faults += chow_source_faults(case)
        faults += heavenly_faults(case) + earthly_by_discard_faults(case) + robbed_kong_faults(case)
        faults += replacement_faults(case, bonus_counts=case.options.bonus_tiles_in_play)
        return faults + option_faults(case.options) + liable_faults(case)

    def arrangements(self, case: Case[HongKongOptions]) -> Iterable[Arrangement]:
        """Ordinary hands, seven pairs unless switched off, thirteen orphans."""
        return usual_arrangements(case, self.shapes_played(case.options))

    def tally(self, case: Case[HongKongOptions], arrangement: Arrangement) -> Tally:
        """Faan added up, stricter elements absorbing what they imply, cut to the cap."""
        lines = _matched_lines(case, arrangement)
        absorbed = {name for line in lines for name in _absorptions_of(line.element.id, case.options)}
        kept = tuple(line for line in lines if line.element.id not in absorbed)
        total = sum(line.value for line in kept)
        value, limit = _apply_cap(total, case.options)
        cap = case.options.max_faan
        note = (
            say("{n} faan, cut to the limit of {m}.", n=total, m=cap)
            if value < total
            else say("{n} faan in all.", n=total)
        )
        free = case.options.pays_from
        hint = say("A win of fewer than {n} faan pays nothing here.", n=free) if value < free else liable_hint(case)
        notes = (note, hint) if hint else (note,)
        return Tally(kept, value, total, (value, total), limit, notes=notes)

    def result_faults(self, case: Case[HongKongOptions]) -> list[Fault]:
        """A penalty that how it was won contradicts."""
        return liable_faults(case)

    def result_tally(self, case: Case[HongKongOptions], result: Result) -> Tally:
        """Faan, a self-pick's or a robbed kong's own among them, cut to the cap."""
        total = result.value_in(self.unit, least=_least_faan(case))
        value, limit = _apply_cap(total, case.options)
        return Tally((), value, total, (value, total), limit)

    def uncounted_elements(
        self, case: Case[HongKongOptions], arrangement: Arrangement, tally: Tally
    ) -> Iterable[UncountedElement]:
        """What a stricter element contains."""
        return contained_elements((line.element.id for line in _matched_lines(case, arrangement)), tally.lines, self)

    def higher_tallies(
        self, case: Case[HongKongOptions], arrangement: Arrangement, tally: Tally
    ) -> Iterable[tuple[int, str, Tally]]:
        """One faan more and so on, up to the limit."""
        top = tally.value + 1 if case.options.table == "unlimited" else case.options.max_faan
        for value in range(tally.value + 1, top + 1):
            yield value - tally.value, "faan", tally._replace(value=value, uncapped=value)

    def refusal(self, case: Case[HongKongOptions], arrangement: Arrangement, tally: Tally) -> Refusal | None:
        """Too few faan, or none of them for the hand itself where the house asks for that."""
        need = minimum_of(case.options)
        if tally.value < need:
            return Refusal(
                "below_minimum",
                say("{n} faan; {m} is needed." if need == 1 else "{n} faan; {m} are needed.", n=tally.value, m=need),
            )
        if case.options.min_needs_pattern and need and tally.lines:
            dealt = case.context.heavenly or case.context.earthly
            if not dealt and not any(line.element.group in (HAND, SETS) for line in tally.lines):
                return Refusal("below_minimum", "None of the faan is for the hand or its sets, as the house asks.")
        return None

    def settle(self, case: Case[HongKongOptions], arrangement: Arrangement, tally: Tally) -> Payments:
        """Base from the table, doubled for self-draw, for the discarder, and for east."""
        return settle(case.context, tally.value, case.options)


def _matched_lines(case: Case[HongKongOptions], arrangement: Arrangement) -> list[Line]:
    """Everything the hand meets that the house plays, contained elements too."""
    lines = (*hand_lines(case, arrangement), *case.compute_once(win_lines), *case.compute_once(bonus_lines))
    return house_lines(lines, case.options.values)


def _least_faan(case: Case[HongKongOptions]) -> int:
    """The faan for how the hand was won, which every such hand has."""
    by = {Win.SELF_DRAW: "self_pick", Win.ROBBED_KONG: "robbing_kong"}.get(case.context.win)
    return case.options.values.get(by, FAAN[by]) if by else 0


def _absorptions_of(element: str, options: HongKongOptions) -> tuple[str, ...]:
    """What is not scored beside an element, house rules considered."""
    names = ABSORBS.get(element, ())
    if element == "self_triplets" and options.self_triplets_keep_all_triplets:
        return tuple(name for name in names if name != "all_triplets")
    return names


def _apply_cap(total: int, options: HongKongOptions) -> tuple[int, str | None]:
    """The faan that are paid, and the name of the limit they reach."""
    if options.table == "unlimited":
        return total, None
    value = min(total, options.max_faan)
    return value, format_count(value, "faan") if value == options.max_faan else None


SYSTEM: Final = HongKong()
