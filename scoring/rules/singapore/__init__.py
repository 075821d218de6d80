"""Singapore scoring: doubles are added, money is the base times two to their number.

``elements`` is the table, ``patterns`` finds what a hand meets, ``payment`` turns doubles into money and knows
the instant payments, ``liability`` the reasons why one player pays for all, ``options`` the house rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from scoring.arrangements.arrange import Arrangement, Shape, Wait
from scoring.context import Win
from scoring.errors import Fault, InvalidRequest, format_count
from scoring.options import is_played
from scoring.payments import Payments, merge_payments
from scoring.reasons.checks import (
    chow_source_faults,
    claimed_meld_faults,
    earthly_by_discard_faults,
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
from scoring.rules.singapore.elements import ABSORBS, DOUBLES, EACH, ELEMENTS
from scoring.rules.singapore.liability import LIABLE_KINDS, liable_faults
from scoring.rules.singapore.options import PRESETS, SingaporeOptions
from scoring.rules.singapore.patterns import bonus_elements, hand_elements, win_elements
from scoring.rules.singapore.payment import (
    INSTANT,
    columns_text,
    false_win,
    instant_events,
    instant_payments,
    settle,
)
from scoring.system import (
    Case,
    LazySentences,
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

_BY_FLOWERS: Final = Arrangement(Shape.BONUS, (), (), (), (), -1, 0, Wait.SINGLE)


class Singapore(RuleSystem[SingaporeOptions]):
    """Singapore tai, each of which doubles the payment."""

    id = "singapore"
    name = "Singapore"
    native = "新加坡"
    aliases = ("sg", "singaporean", "tai", "台")
    unit = "doubles"
    option_class = SingaporeOptions
    conventions = GameConventions(
        false_win=false_win,
        instant=lambda seat, event, options, dealt: instant_payments(seat, event, options, dealt=dealt),
        events=tuple(INSTANT),
    )
    presets = PRESETS
    elements = tuple(ELEMENTS.values())
    asks = (
        "bonus",
        "round",
        "last_tile",
        "replacement",
        "double_kong",
        "heavenly",
        "earthly",
        "humanly",
        "flower_win",
        "liable",
    )
    bonus_letters = "fga"
    liable_kinds = LIABLE_KINDS
    absorbs = ABSORBS
    compared = MappingProxyType({"limit": (5, 6, 10, None), "min": (1, 2)})

    @property
    def unit_name(self) -> str:
        """Tai; ``unit`` says what each does."""
        return "tai"

    def shapes_played(self, options: SingaporeOptions) -> Shapes:
        """Seven pairs where they are switched on, thirteen orphans unless they are switched off."""
        pairs = options.seven_pairs and is_played(options.values, "seven_pairs")
        return self.shapes.less(seven_pairs=pairs, orphans=is_played(options.values, "thirteen_orphans"))

    def faults(self, case: Case[SingaporeOptions]) -> list[Fault]:
        """See the base class; also flower wins without the flowers and reasons for bao that do not fit."""
        faults = tile_faults(self, case) + claimed_meld_faults(case) + heavenly_faults(case)
        faults += earthly_by_discard_faults(case) + humanly_faults(case) + chow_source_faults(case)
        faults += flower_win_faults(case) if case.context.flower_win else winning_tile_faults(case)
        faults += robbed_kong_faults(case) + replacement_faults(case, bonus_counts=True)
        faults += liable_faults(case)
        return faults or _limit_honour_faults(case, (self.tally(case, r).uncapped for r in self.arrangements(case)))

    def result_faults(self, case: Case[SingaporeOptions]) -> list[Fault]:
        """A reason for bao that how it was won contradicts."""
        return liable_faults(case)

    def arrangements(self, case: Case[SingaporeOptions]) -> Iterable[Arrangement]:
        """Ordinary hands and, where played, seven pairs, thirteen orphans and the flowers by themselves."""
        yield from usual_arrangements(case, self.shapes_played(case.options))
        if case.context.flower_win and is_played(case.options.values, "flower_win"):
            yield _BY_FLOWERS

    def tally(self, case: Case[SingaporeOptions], arrangement: Arrangement) -> Tally:
        """Doubles added up, contained elements left out, cut to the limit."""
        played = _matched_lines(case, arrangement)
        absorbed = {inner for line in played for inner in ABSORBS.get(line.element.id, ())}
        lines = tuple(line for line in played if line.element.id not in absorbed)
        return _tally(lines, sum(line.value for line in lines), case.options)

    def result_tally(self, case: Case[SingaporeOptions], result: Result) -> Tally:
        """Doubles, a robbed kong's own among them, cut to the limit."""
        robbing = case.options.values.get("robbing_kong", DOUBLES["robbing_kong"])
        robbed = robbing if case.context.win is Win.ROBBED_KONG else 0
        tally = _tally((), result.value_in(self.unit, least=robbed), case.options)
        faults = _limit_honour_faults(case, (tally.uncapped,))
        if faults:
            raise InvalidRequest.of(faults)
        return tally

    def uncounted_elements(
        self, case: Case[SingaporeOptions], arrangement: Arrangement, tally: Tally
    ) -> Iterable[UncountedElement]:
        """What another element contains."""
        return contained_elements((line.element.id for line in _matched_lines(case, arrangement)), tally.lines, self)

    def higher_tallies(
        self, case: Case[SingaporeOptions], arrangement: Arrangement, tally: Tally
    ) -> Iterable[tuple[int, str, Tally]]:
        """One tai more and so on; past the limit only one, which pays where the house adds something for it."""
        top = max(case.options.limit or 0, tally.uncapped + 1, case.options.min)
        for total in range(tally.uncapped + 1, top + 1):
            yield total - tally.uncapped, "doubles", tally._replace(value=total, uncapped=total)

    def refusal(self, case: Case[SingaporeOptions], arrangement: Arrangement, tally: Tally) -> Refusal | None:
        """Too few tai."""
        need = case.options.min
        if tally.uncapped >= need:
            return None
        return Refusal("below_minimum", say("{n} tai; a win needs {m}.", n=tally.uncapped, m=need))

    def settle(self, case: Case[SingaporeOptions], arrangement: Arrangement, tally: Tally) -> Payments:
        """The two columns, liability, and the instant payments where the house adds them."""
        paid = settle(case.context, tally.uncapped, case.options)
        if not case.options.instant:
            return paid
        seat = case.context.seat
        events = instant_events(case.hand, seat)
        return merge_payments((paid, *(instant_payments(seat, event, case.options) for event in events)))


def _tally(lines: tuple[Line, ...], total: int, options: SingaporeOptions) -> Tally:
    limit = options.limit
    value = total if limit is None else min(total, limit)
    reached = None if limit is None or value < limit else format_count(limit, "tai")
    return Tally(lines, value, total, (total,), reached, notes=LazySentences(_steps, total, options))


def _matched_lines(case: Case[SingaporeOptions], arrangement: Arrangement) -> list[Line]:
    """Everything the hand meets that the house plays, contained elements too."""
    found = [*case.compute_once(bonus_elements)]
    if arrangement.shape is not Shape.BONUS:
        found += hand_elements(case, arrangement)
        found += case.compute_once(win_elements)
    return house_lines((_line(name, about) for name, about in found), case.options.values)


def _line(name: str, about: tuple[object, ...]) -> Line:
    times = len(about) if name in EACH else 1
    return Line(ELEMENTS[name], times * DOUBLES[name], times, about)


def _steps(total: int, options: SingaporeOptions) -> tuple[str, str]:
    if options.limit is not None and total > options.limit:
        return say("{n} tai, cut to the limit of {m}.", n=total, m=options.limit), columns_text(total, options)
    return say("{n} tai in all.", n=total), columns_text(total, options)


def _limit_honour_faults(case: Case[SingaporeOptions], totals: Iterable[int]) -> list[Fault]:
    """Who fed the honour that reached the limit is liable only where the hand, as one of the totals, reaches it."""
    c, limit = case.context, case.options.limit
    if c.liable is None or c.liable.kind != "limit_honour":
        return []
    if limit is None:
        message = "limit_honour: there is no limit to reach in this house."
        return [Fault("contradiction", message, "context.liable")]
    most = max(totals, default=limit)
    if most >= limit:
        return []
    message = say("limit_honour: the hand has {a}, the limit is {n}.", a=format_count(most, "tai"), n=limit)
    return [Fault("contradiction", message, "context.liable")]


SYSTEM: Final = Singapore()
