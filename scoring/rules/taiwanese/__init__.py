"""Taiwanese mahjong: five sets and a pair, tai are added, and base and tai are paid.

``elements`` is the table, ``patterns`` finds what a hand meets, ``options`` the house rules, ``payment`` who pays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Final

from scoring.arrangements.arrange import Arrangement, Shape, Wait, arrangements, fixed_melds
from scoring.arrangements.splits import is_eight_pairs
from scoring.arrangements.units import PAIRS, SETS, WON_PAIRS, WON_SETS, Unit
from scoring.errors import Fault, format_count
from scoring.payments import Payments
from scoring.reasons.checks import (
    chow_source_faults,
    claimed_meld_faults,
    flower_win_faults,
    heavenly_faults,
    humanly_faults,
    replacement_faults,
    robbed_kong_faults,
    winning_tile_faults,
)
from scoring.rulebook.conventions import GameConventions
from scoring.rulebook.result import Result
from scoring.rulebook.shapes import Shapes
from scoring.rules.taiwanese.context import TaiwaneseContext, context_faults
from scoring.rules.taiwanese.elements import ABSORBS, ELEMENTS
from scoring.rules.taiwanese.options import (
    PRESETS,
    SHAPES,
    TaiwaneseOptions,
    absorbs_of,
    listed_tai,
    shapes_played,
    tai_values,
)
from scoring.rules.taiwanese.patterns import (
    Found,
    dealer_elements,
    flower_elements,
    flower_win_element,
    hand_elements,
    is_fourth_kong,
    set_elements,
    win_elements,
)
from scoring.rules.taiwanese.payment import dealers_tai, false_win, settle, tai_limit
from scoring.seats import Seat
from scoring.system import Case, Line, Refusal, RuleSystem, Tally, UncountedElement, tile_faults
from scoring.words.sentence import say

_BY_FLOWERS: Final = Arrangement(Shape.BONUS, (), (), (), (), -1, 0, Wait.SINGLE)
_ORDER: Final = {name: n for n, name in enumerate(ELEMENTS)}


class Taiwanese(RuleSystem[TaiwaneseOptions]):
    """Taiwanese tai."""

    id = "taiwanese"
    name = "Taiwanese"
    native = "台灣麻將"
    aliases = ("taiwan", "16-tile", "台灣", "台湾", "台湾麻将", "十六張", "十六张")
    unit = "tai"
    option_class = TaiwaneseOptions
    # The dealer stays after a win of his and after a drawn hand.
    conventions = GameConventions(passes=(Shape.KONGS,), false_win=false_win)
    presets = PRESETS
    elements = tuple(ELEMENTS.values())
    context_class = TaiwaneseContext
    asks = (
        "bonus",
        "round",
        "streak",
        "last_tile",
        "replacement",
        "heavenly",
        "earthly",
        "humanly",
        "heavenly_ready",
        "earthly_ready",
        "flower_win",
    )
    prompts = ("streak",)
    also_reads = ("double_kong", "declared_ready")
    shapes = SHAPES
    bonus_letters = "fg"
    absorbs = ABSORBS
    compared = MappingProxyType({"heavenly": (16, 24), "all_honours": (8, 16), "eight_pairs": (0, 8)})

    def shapes_played(self, options: TaiwaneseOptions) -> Shapes:
        """See :func:`scoring.rules.taiwanese.options.shapes_played`."""
        return shapes_played(options)

    def faults(self, case: Case[TaiwaneseOptions]) -> list[Fault]:
        """See the base class; also flower wins without the flowers and dealt hands that were not."""
        faults = tile_faults(self, case) + claimed_meld_faults(case) + chow_source_faults(case)
        faults += heavenly_faults(case) + humanly_faults(case) + context_faults(case)
        if case.context.flower_win:
            faults += flower_win_faults(case)
        elif not is_fourth_kong(case):
            faults += winning_tile_faults(case)
        return faults + robbed_kong_faults(case) + replacement_faults(case, bonus_counts=True)

    def arrangements(self, case: Case[TaiwaneseOptions]) -> Iterable[Arrangement]:
        """Five sets and a pair, seven pairs and a pung where they are played, the flowers or a fourth kong alone."""
        yield from arrangements(case.hand, self.shapes, claimed=case.claimed)
        eight_pairs = shapes_played(case.options).eight_pairs
        if eight_pairs and not case.hand.melds and is_eight_pairs(case.hand.held):
            yield _eight_pairs(case)
        if case.context.flower_win and case.compute_once(tai_values)[flower_win_element(case)]:
            yield _BY_FLOWERS
        if is_fourth_kong(case) and case.compute_once(tai_values)["four_kongs"]:
            units, chows, triplets, hidden, kongs = fixed_melds(case.hand.melds)
            yield Arrangement(Shape.KONGS, units, chows, triplets, hidden, -1, kongs, Wait.SINGLE)

    def tally(self, case: Case[TaiwaneseOptions], arrangement: Arrangement) -> Tally:
        """Tai added up, contained elements left out, cut to the limit."""
        tai, listed = case.compute_once(tai_values), case.compute_once(listed_tai)
        lines = tuple(
            Line(ELEMENTS[id_], listed[id_] * n, n, about).valued(tai[id_] * n)
            for id_, n, about in _counted_elements(case, arrangement)
        )
        return _tally(lines, sum(line.value for line in lines), _limit(case))

    def result_tally(self, case: Case[TaiwaneseOptions], result: Result) -> Tally:
        """Tai, a winning dealer's own among them, cut to the limit."""
        return _tally((), result.value_in(self.unit, least=_dealer_tai(case)), _limit(case))

    def uncounted_elements(
        self, case: Case[TaiwaneseOptions], arrangement: Arrangement, tally: Tally
    ) -> Iterable[UncountedElement]:
        """What another element contains."""
        counts = {line.element.id: line.element for line in tally.lines}
        absorbs = case.compute_once(absorbs_of)
        for id_, _, _ in _matched_elements(case, arrangement):
            by = next((e for name, e in counts.items() if id_ in absorbs.get(name, ())), None)
            if by is not None and id_ not in counts:
                yield UncountedElement(ELEMENTS[id_], by, say("contained in {a}", a=by))

    def higher_tallies(
        self, case: Case[TaiwaneseOptions], arrangement: Arrangement, tally: Tally
    ) -> Iterable[tuple[int, str, Tally]]:
        """A tai more, or as many as a win needs; none past the limit."""
        limit = _limit(case)
        more = max(1, case.options.min_tai - _hand_tai(case, tally))
        total = tally.uncapped + more
        if limit is None or total <= limit:
            yield more, "tai", tally._replace(value=total, uncapped=total)

    def refusal(self, case: Case[TaiwaneseOptions], arrangement: Arrangement, tally: Tally) -> Refusal | None:
        """Too few tai; the dealer's do not help."""
        own, need = _hand_tai(case, tally), case.options.min_tai
        return None if own >= need else Refusal("below_minimum", say("{n} tai; a win needs {m}.", n=own, m=need))

    def settle(self, case: Case[TaiwaneseOptions], arrangement: Arrangement, tally: Tally) -> Payments:
        """See :func:`scoring.rules.taiwanese.payment.settle`."""
        return settle(case.context, tally.uncapped, case.options)

    def shape_refusal(self, case: Case[TaiwaneseOptions]) -> Refusal:
        """Five sets here."""
        return Refusal("not_a_winning_hand", "The tiles do not make five sets and a pair, nor a special hand.")


def _tally(lines: tuple[Line, ...], total: int, limit: int | None) -> Tally:
    value = total if limit is None else min(total, limit)
    reached = None if limit is None or value < limit else format_count(limit, "tai")
    cut = value < total
    note = say("{n} tai, cut to the limit of {m}.", n=total, m=limit) if cut else say("{n} tai in all.", n=total)
    return Tally(lines, value, total, (total,), reached, notes=(note,))


def _limit(case: Case[TaiwaneseOptions]) -> int | None:
    """The most tai that the winner's own can come to, a dealer's among them."""
    return tai_limit(_dealer_tai(case), case.options)


def _hand_tai(case: Case[TaiwaneseOptions], tally: Tally) -> int:
    """The tai of the hand without the dealer's."""
    return tally.uncapped - _dealer_tai(case)


def _dealer_tai(case: Case[TaiwaneseOptions]) -> int:
    """The tai that a winner has as the dealer."""
    return dealers_tai(case.context, case.options) if case.context.seat is Seat.E else 0


def _matched_elements(case: Case[TaiwaneseOptions], arrangement: Arrangement) -> list[Found]:
    """Everything the hand meets that the house plays, contained elements too, in the order of the table."""
    found = [*flower_elements(case), *dealer_elements(case)]
    if arrangement.shape is Shape.BONUS:
        found += [("self_drawn", 1, ())] * case.context.self_drawn
    elif arrangement.shape is Shape.KONGS:  # no tile was won with
        found += set_elements(case, arrangement)
    else:
        found += [*hand_elements(case, arrangement), *win_elements(case, arrangement)]
    tai = case.compute_once(tai_values)
    return sorted((one for one in found if tai[one[0]]), key=lambda one: _ORDER[one[0]])


def _counted_elements(case: Case[TaiwaneseOptions], arrangement: Arrangement) -> Iterator[Found]:
    """What is left when each, the containing ones first, has taken away what it contains."""
    absorbs, gone = case.compute_once(absorbs_of), set[str]()
    for one in _matched_elements(case, arrangement):
        if one[0] not in gone:
            gone.update(absorbs.get(one[0], ()))
            yield one


def _eight_pairs(case: Case[TaiwaneseOptions]) -> Arrangement:
    held, claimed = case.hand.held, case.claimed
    win = case.hand.winning_tile.kind if case.hand.winning_tile else -1
    pung = held.index(3)
    kinds = [k for k, n in enumerate(held) if k != pung for _ in range(n // 2)]
    units: list[Unit] = [(WON_SETS[claimed] if pung == win else SETS)[pung], *(PAIRS[k] for k in kinds)]
    if pung != win:
        units[1 + kinds.index(win)] = WON_PAIRS[claimed][win]
    hidden = () if claimed and pung == win else (pung,)
    wait = Wait.DOUBLE_PUNG if pung == win else Wait.SINGLE
    return Arrangement(Shape.EIGHT_PAIRS, tuple(units), (), (pung,), hidden, -1, 0, wait)


SYSTEM: Final = Taiwanese()
