"""Han and fu that the players counted themselves, or yakuman."""

from __future__ import annotations

from typing import Final

from scoring.errors import InvalidRequest
from scoring.rulebook.result import Result, bad
from scoring.rules.riichi.hand.facts import RiichiCase
from scoring.rules.riichi.payments.ladder import YAKUMAN, YAKUMAN_HAN, base_of, worth
from scoring.seats import DEALER
from scoring.system import Tally
from scoring.words.sentence import say

_FU: Final = (20, 25, *range(30, 111, 10))
_MOST_YAKUMAN: Final = 8
_ALL_LIMITS: Final = 5


def result_tally(case: RiichiCase, result: Result) -> Tally:
    """The tally of a told result; with fewer than five han its fu are needed.

    Raises:
        InvalidRequest: han and fu that no hand has.
    """
    if result.yakuman is not None:
        return _yakuman(case, result)
    han = result.value or 0
    if han < 1:
        raise InvalidRequest.of([bad("A win has 1 han at least.", "value")])
    if han >= _ALL_LIMITS:
        base, limit = base_of(han, 30, case.options)
        return Tally((), han, han, (1, base, 0, han, 0), limit, {"fu": None, "points": _points(case, base)})
    fu = result.fu
    if fu is None or fu not in _FU:
        message = say("With {n} han the fu count: {names}.", n=han, names=", ".join(map(str, _FU)))
        raise InvalidRequest.of([bad(message, "fu")])
    if (fu in (20, 25) and han == 1) or (fu == 20 and case.claimed):
        raise InvalidRequest.of([bad(say("No hand wins so with {n} han {m} fu.", n=han, m=fu), "fu")])
    base, limit = base_of(han, fu, case.options)
    return Tally((), han, han, (1, base, 0, han, fu), limit, {"fu": fu, "points": _points(case, base)})


def _yakuman(case: RiichiCase, result: Result) -> Tally:
    units = result.yakuman or 0
    if not 1 <= units <= _MOST_YAKUMAN or result.fu is not None:
        message = say("A yakuman counts from 1 to {n}, without fu.", n=_MOST_YAKUMAN)
        raise InvalidRequest.of([bad(message, "yakuman")])
    base, han = YAKUMAN * units, YAKUMAN_HAN * units
    extra = {"fu": None, "points": _points(case, base), "yakuman": units}
    return Tally((), han, han, (1, base, 1, han, 0), "yakuman", extra, line_unit="yakuman")


def _points(case: RiichiCase, base: int) -> int:
    return worth(base, dealer=case.context.seat is DEALER, self_drawn=not case.claimed)
