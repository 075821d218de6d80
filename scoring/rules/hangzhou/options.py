"""House rules of Hangzhou."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from scoring.options import amount, choice, custom, exact_amount, switch, whole
from scoring.seats import SEATS

THIRD_TIME: Final = 3
"""The banker's hand from which on discards may be claimed."""
_MOST: Final = 1024


def _remaining(given: object) -> dict[str, Decimal]:
    """Chips left, by seat: one amount for everybody, or an object of seats."""
    if given is None or given == "none":
        return {}
    if not isinstance(given, Mapping):
        try:
            return dict.fromkeys(map(str, SEATS), _chips(given))
        except ValueError as error:
            raise ValueError(f'{error}, or an object of seats, such as {{"E": 12}}') from error
    wrong = [str(seat)[:20] for seat in given if seat not in list(SEATS)]
    if wrong:
        raise ValueError(f"must be one amount or an object of seats (E, S, W, N), and {', '.join(wrong)} is none")
    found: dict[str, Decimal] = {}
    faults: dict[str, ValueError] = {}
    for seat, chips in given.items():
        try:
            found[str(seat)] = _chips(chips)
        except ValueError as error:
            faults[str(seat)] = error
    if faults:
        raise ValueError(f"{next(iter(faults.values()))}, for {', '.join(faults)}")
    return found


def _chips(given: object) -> Decimal:
    return exact_amount(given, zero=True, example="40")


@dataclass(frozen=True, slots=True)
class HangzhouOptions:
    """House rules."""

    permanent: bool = switch(False, "no indicator: the four white dragons are the fortunes (白板财神)")
    wall_only: bool = switch(False, "wins by self-draw only, nothing is claimed or robbed")
    rob_min_streak: int = choice(3, (2,), "from which hand of the banker on a kong may be robbed")
    immediate_third_banker: bool = switch(False, "every banker is a third-time banker from the first hand (笃三老庄)")
    seven_pairs_pure_on_claim: bool = switch(True, "seven pairs without fortune also on a claimed or robbed tile")
    liability_on_claim: bool = switch(False, "three-set liability also on a claimed discard")
    float_liability: bool = switch(False, "who is made liable after a float (liable, kind float) pays for all")
    ten_honours: int | None = whole(
        None,
        "factor paid for ten honours, 十风: ten first discards all winds and dragons, nothing melded; none: not played",
        low=1,
        high=_MOST,
        words=(None,),
    )
    remaining: Mapping[str, Decimal] = custom(
        {},
        _remaining,
        'chips left, nobody pays more: one amount for all or an object of seats, such as {"E": 12}',
        factory=dict,
    )
    unit: Decimal = amount("1", "money for a factor of one")
