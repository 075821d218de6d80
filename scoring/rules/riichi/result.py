"""Han and fu that the players counted themselves, or yakuman."""

from __future__ import annotations

from typing import Final

from scoring.errors import InvalidRequest
from scoring.reasons.checks import liable_fault
from scoring.rulebook.result import Result, result_fault
from scoring.rules.riichi.elements import UNITS
from scoring.rules.riichi.hand.whole import RiichiCase
from scoring.rules.riichi.options import RiichiOptions
from scoring.rules.riichi.payments import YAKUMAN_BASE, YAKUMAN_HAN, base_of, win_points
from scoring.seats import DEALER
from scoring.system import Tally
from scoring.words.sentence import say

_FU: Final = (20, 25, *range(30, 111, 10))
_MAX_YAKUMAN: Final = 8  # more units than any hand reaches by the listed values
_MANGAN_HAN: Final = 5  # from here on fu no longer matter


def result_tally(case: RiichiCase, result: Result) -> Tally:
    """The tally of a told result; with fewer than five han its fu are needed.

    Raises:
        InvalidRequest: han and fu that no hand has; somebody is liable, and there is no yakuman.
    """
    if result.yakuman is not None:
        return _yakuman_tally(case, result)
    if case.context.liable is not None:
        message = "a player is liable for a yakuman, but none is given."
        raise InvalidRequest.of([liable_fault(case.context.liable.kind, message)])
    han = result.value or 0
    enough = int(han >= case.options.min_han)
    if han < 1:
        raise InvalidRequest.of([result_fault("A win has at least 1 han.", "value")])
    if han >= _MANGAN_HAN:
        base, limit = base_of(han, 30, case.options)
        return Tally((), han, han, (enough, base, 0, han, 0), limit, {"fu": None, "points": _win_points(case, base)})
    fu = result.fu
    if fu is None or fu not in _FU:
        message = say("With {n} han the fu count: {names}.", n=han, names=", ".join(map(str, _FU)))
        raise InvalidRequest.of([result_fault(message, "fu")])
    if _is_impossible(case, han, fu):
        raise InvalidRequest.of([result_fault(say("No winning hand has {n} han {m} fu.", n=han, m=fu), "fu")])
    base, limit = base_of(han, fu, case.options)
    return Tally((), han, han, (enough, base, 0, han, fu), limit, {"fu": fu, "points": _win_points(case, base)})


def liable_units(case: RiichiCase, kind: str, yakuman: int) -> int:
    """Of so many yakuman told, those of the kind that somebody is liable for; whatever else was won is not his."""
    return min(_units(case.options, kind), yakuman)


def _units(options: RiichiOptions, kind: str) -> int:
    return options.values.get(kind, UNITS[kind] if options.double_yakuman else 1)


def _is_impossible(case: RiichiCase, han: int, fu: int) -> bool:
    """20 fu are a self-drawn pinfu, 25 are seven pairs; both hands are concealed, so their self-draw is a han."""
    options = case.options
    drawn = 0 if case.claimed else options.values.get("menzen_tsumo", 1)
    if fu == 20:
        pinfu = options.values.get("pinfu", 1)
        return not pinfu or han < pinfu + drawn or case.claimed or options.pinfu_tsumo_fu
    pairs = options.values.get("chiitoitsu", 2)
    return fu == 25 and (options.chiitoi != "25fu2han" or not pairs or han < pairs + drawn)


def _yakuman_tally(case: RiichiCase, result: Result) -> Tally:
    units, options = result.yakuman or 0, case.options
    highest = max(_units(options, kind) for kind in UNITS)
    more = sum(max(0, options.values.get(kind, 1) - 1) for kind in UNITS)  # what the house may add
    most = _MAX_YAKUMAN + more if options.multiple_yakuman else highest
    if not 1 <= units <= most or result.fu is not None:
        message = say("A yakuman counts from 1 to {n}, without fu.", n=most)
        raise InvalidRequest.of([result_fault(message, "yakuman")])
    base, han = YAKUMAN_BASE * units, YAKUMAN_HAN * units
    extra = {"fu": None, "points": _win_points(case, base), "yakuman": units}
    return Tally((), han, han, (1, base, 1, han, 0), "yakuman", extra, line_unit="yakuman")


def _win_points(case: RiichiCase, base: int) -> int:
    return win_points(base, case.options, dealer=case.context.seat is DEALER, self_drawn=not case.claimed)
