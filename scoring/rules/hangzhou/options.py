"""House rules and presets of Hangzhou; what differs from game to game is the chips each player begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from scoring.options import choice, custom, decimal_option, element_values, exact_amount, switch
from scoring.rulebook.presets import Preset
from scoring.rules.hangzhou.context import HangzhouContext
from scoring.seats import SEATS, Seat

THIRD_TIME: Final = 3
"""The banker's hand from which on discards may be claimed."""
MAX_FACTOR: Final = 100
"""The highest value an element may be given."""


def _parse_remaining(given: object) -> dict[str, Decimal]:
    """Chips left, by seat: one amount for everybody, or an object of seats."""
    if given is None or given == "none":
        return {}
    if not isinstance(given, Mapping):
        try:
            return dict.fromkeys(map(str, SEATS), _parse_chips(given))
        except ValueError as error:
            raise ValueError(f'{error}, or an object of seats, such as {{"E": 12}}') from error
    wrong = [str(seat)[:20] for seat in given if seat not in list(SEATS)]
    if wrong:
        raise ValueError(f"must be one amount or an object of seats (E, S, W, N), and {', '.join(wrong)} is none")
    found: dict[str, Decimal] = {}
    faults: dict[str, ValueError] = {}
    for seat, chips in given.items():
        try:
            found[str(seat)] = _parse_chips(chips)
        except ValueError as error:
            faults[str(seat)] = error
    if faults:
        raise ValueError(f"{next(iter(faults.values()))}, for {', '.join(faults)}")
    return found


def _parse_chips(given: object) -> Decimal:
    return exact_amount(given, zero=True, example="40")


@dataclass(frozen=True, slots=True)
class HangzhouOptions:
    """House rules; every variation that the source text names is one, and off.

    - ``rob_min_streak``: the text calls three the standard, and says that some allow it from two on.
    - ``seven_pairs_pure_on_claim``: the list of doubles makes no difference; some, perhaps many, do. A robbed tile
      never makes seven pairs: it is the fourth of its kind.
    - ``liability_on_claim``: the author made it a variation after comparing the rules of a competition.
    - ``liability_between``: three sets make liable whoever the two players are; restrictions are variations. Where a
      house forbids the third set, nobody is liable for one that was taken all the same.
    - ``float_liability``: as the text has it, all three pay what was there before the discard, and the discarder alone
      pays the rest. Wild Eye and the first float were there; ``doubles_after`` says how much came later.
    - ``ten_honours``: the text knows both ladders and nobody who plays them at a table. Floats meanwhile are refused,
      for nobody agrees on them.
    - ``immediate_third_banker``: mostly online, after some rolls of the dice.
    - ``values``: of what is in the hand; floats and kongs double, for who is liable pays those made after his discard.
    - ``remaining``: chips differ from hand to hand; in a game the ledger counts them itself.
    """

    permanent: bool = switch(False, "no indicator: the four white dragons are the wild tiles (白板财神)")
    wall_only: bool = switch(False, "wins by self-draw only, nothing is claimed or robbed")
    rob_min_streak: int = choice(3, (2,), "from which hand of the dealer on a kong may be robbed")
    immediate_third_banker: bool = switch(
        False,
        "every dealer is a third-time dealer from the first hand (笃三老庄); where only some rolls of the dice make "
        "him one, say streak 3",
    )
    seven_pairs_pure_on_claim: bool = switch(True, "seven pairs without wild tiles also on a claimed or robbed tile")
    liability_on_claim: bool = switch(False, "three-set liability also on a claimed discard")
    liability_between: str = choice(
        "anybody",
        ("banker", "not_chows", "nobody"),
        "between whom three open sets make liable: anybody; banker: only the dealer and another player; "
        "not_chows: two other players only with a pung or kong among the three; nobody",
    )
    liability_between_from: int = choice(
        1, (2, 3), "from which hand of the dealer on liability_between holds; before it anybody is liable"
    )
    float_liability: bool = switch(
        False,
        "who discards a tile that keeps a float going (liable, kind float) alone pays the doubles made after it",
    )
    ten_honours: str = choice(
        "none",
        ("own_tile", "wild_eye"),
        "ten or more winds and dragons discarded from the start win, 十风 (honours): ten as a self-drawn tile, x1, or "
        "as a Wild Eye, x2, and x2 for every one more; none: not played",
    )
    values: Mapping[str, int] = element_values(
        ("wild_eye", "robbing_kong", "seven_pairs", "seven_pairs_pure", "deluxe"),
        MAX_FACTOR,
        "factors",
        {"wild_eye": 4, "deluxe": 0},
    )
    remaining: Mapping[str, Decimal] = custom(
        {},
        _parse_remaining,
        'chips left, nobody pays more: one amount for all or an object of seats, such as {"E": 12}',
        factory=dict,
    )
    unit: Decimal = decimal_option("1", "money for a factor of one")


def banker_of(context: HangzhouContext) -> Seat:
    """The banker; east, where nobody said who: the dealer of a table is its east."""
    return context.banker or Seat.E


def streak_of(context: HangzhouContext, options: HangzhouOptions) -> int:
    """The banker's streak as it counts."""
    return max(context.streak, THIRD_TIME) if options.immediate_third_banker else context.streak


_BLOG: Final = "kzpn200, rules of Hangzhou mahjong (2018)"
_CHIPS: Final = {"out_of_points": "pays_what_is_left"}

PRESETS: Final = (
    Preset("hz-40", "40 chips", "四十点", f"{_BLOG}: who has lost them owes nothing", points=40, course=_CHIPS),
    Preset("hz-50", "50 chips", "五十点", f"{_BLOG}: who has lost them owes nothing", points=50, course=_CHIPS),
    Preset("hz-100", "100 chips", "一百点", f"{_BLOG}: who has lost them owes nothing", points=100, course=_CHIPS),
    Preset(
        "hz-white",
        "White dragons are the wild tiles",
        "白板财神",
        f"{_BLOG}: a variation without an indicator",
        {"permanent": True},
    ),
    Preset(
        "hz-wall",
        "Self-drawn wins only",
        "自摸胡",
        f"{_BLOG}: a variation in which nothing is claimed or robbed",
        {"wall_only": True},
    ),
)
"""In the order they are listed to people."""
