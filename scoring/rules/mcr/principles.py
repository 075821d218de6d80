"""Which fan contain which, and what is left of those that a hand meets: the principle of non-repeat.

A fan takes away what it contains wherever it stands in the hand, except where :data:`OF_ITS_SETS` says that only the
sets of the fan itself are meant: a dragon pung is not counted again as a pung of honours, but a pung of terminals
beside it counts.

Source: as for ``elements``; what follows inevitably from a fan is not counted beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from scoring.rules.mcr.elements import ELEMENTS
from scoring.words.sentence import say

_CLOSED: Final = ("concealed_hand", "fully_concealed_hand")

ABSORBS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "big_four_winds": (
            "big_three_winds",
            "all_pungs",
            "prevalent_wind",
            "seat_wind",
            "pung_of_terminals_or_honors",
        ),
        "big_three_dragons": ("two_dragon_pungs", "dragon_pung"),
        "all_green": ("half_flush",),
        "nine_gates": ("full_flush", "no_honors", *_CLOSED, "pung_of_terminals_or_honors"),
        "four_kongs": ("three_kongs", "all_pungs", "melded_kong", "concealed_kong", "single_wait"),
        "seven_shifted_pairs": ("seven_pairs", "full_flush", "no_honors", *_CLOSED, "single_wait"),
        "thirteen_orphans": ("all_types", "all_terminals_and_honors", *_CLOSED, "single_wait"),
        "all_terminals": ("all_pungs", "outside_hand", "pung_of_terminals_or_honors", "double_pung", "no_honors"),
        "little_four_winds": ("big_three_winds", "pung_of_terminals_or_honors"),
        "little_three_dragons": ("two_dragon_pungs", "dragon_pung"),
        "all_honors": ("all_pungs", "outside_hand", "pung_of_terminals_or_honors"),
        "four_concealed_pungs": ("three_concealed_pungs", "two_concealed_pungs", "all_pungs", *_CLOSED),
        "pure_terminal_chows": ("full_flush", "no_honors", "all_chows", "pure_double_chow", "two_terminal_chows"),
        "quadruple_chow": ("pure_triple_chow", "pure_double_chow", "tile_hog"),
        "four_pure_shifted_pungs": ("pure_shifted_pungs", "all_pungs"),
        "four_pure_shifted_chows": ("pure_shifted_chows", "short_straight", "two_terminal_chows"),
        "three_kongs": ("melded_kong", "concealed_kong"),
        "all_terminals_and_honors": ("all_pungs", "outside_hand", "pung_of_terminals_or_honors"),
        "seven_pairs": (*_CLOSED, "single_wait"),
        "greater_honors_and_knitted_tiles": ("lesser_honors_and_knitted_tiles", "all_types", *_CLOSED),
        "all_even_pungs": ("all_pungs", "all_simples", "no_honors"),
        "full_flush": ("no_honors",),
        "pure_triple_chow": ("pure_double_chow",),
        "upper_tiles": ("upper_four", "no_honors"),
        "middle_tiles": ("all_simples", "no_honors"),
        "lower_tiles": ("lower_four", "no_honors"),
        "pure_straight": ("short_straight", "two_terminal_chows"),
        "three_suited_terminal_chows": ("mixed_double_chow", "two_terminal_chows", "all_chows", "no_honors"),
        "all_fives": ("all_simples", "no_honors"),
        "triple_pung": ("double_pung",),
        "three_concealed_pungs": ("two_concealed_pungs",),
        "lesser_honors_and_knitted_tiles": ("all_types", *_CLOSED),
        "upper_four": ("no_honors",),
        "lower_four": ("no_honors",),
        "big_three_winds": ("pung_of_terminals_or_honors",),
        "reversible_tiles": ("one_voided_suit",),
        "mixed_triple_chow": ("mixed_double_chow",),
        "last_tile_draw": ("self_drawn",),
        "out_with_replacement_tile": ("self_drawn",),
        "robbing_the_kong": ("last_tile",),
        "melded_hand": ("single_wait",),
        "two_concealed_kongs": ("concealed_kong", "two_concealed_pungs"),
        "mixed_kongs": ("melded_kong", "concealed_kong"),
        "two_dragon_pungs": ("dragon_pung",),
        "fully_concealed_hand": ("self_drawn",),
        "two_melded_kongs": ("melded_kong",),
        "dragon_pung": ("pung_of_terminals_or_honors",),
        "prevalent_wind": ("pung_of_terminals_or_honors",),
        "seat_wind": ("pung_of_terminals_or_honors",),
        "all_chows": ("no_honors",),
        "all_simples": ("no_honors",),
    }
)
"""Fan -> those that it contains."""

_CHOWS: Final = ("pure_triple_chow", "pure_straight", "mixed_triple_chow")
_PUNGS: Final = ("little_four_winds", "big_three_winds", "dragon_pung", "prevalent_wind", "seat_wind")
OF_ITS_SETS: Final = frozenset(
    {
        *((by, inner) for by in _CHOWS for inner in ABSORBS[by]),
        *((by, "pung_of_terminals_or_honors") for by in _PUNGS),
    }
)
"""(fan, what it contains in its own sets only); those sets are not looked at for it in the first place."""

_BESIDE_IN_2006: Final = (("all_green", "half_flush"), ("all_terminals", "double_pung"))
ABSORBS_BY: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "1998": ABSORBS,
    "2006": {
        **{
            by: tuple(fan for fan in inner if fan != "fully_concealed_hand" and (by, fan) not in _BESIDE_IN_2006)
            for by, inner in ABSORBS.items()
        },
        "knitted_straight": ("edge_wait", "closed_wait"),
    },
}
"""The house rule ``contained`` -> fan -> those that it contains."""

_PUNG: Final = "pung_of_terminals_or_honors"
_OF_ITS_SETS_BY: Final = {"1998": OF_ITS_SETS | {("nine_gates", _PUNG)}, "2006": OF_ITS_SETS}
_ELSEWHERE: Final = {
    text: {by: tuple(fan for fan in inner if (by, fan) not in _OF_ITS_SETS_BY[text]) for by, inner in absorbs.items()}
    for text, absorbs in ABSORBS_BY.items()
}


def counted_fans(found: Counter[str], contained: str) -> Counter[str]:
    """What is left when every fan, the greatest first, has taken away those that it contains.

    Args:
        found: fan -> how often the hand meets it. contained: the house rule of that name.
    """
    if contained == "1998" and found["nine_gates"] and found[_PUNG]:
        found = found - Counter([_PUNG])  # nine gates contain one; a second counts
    elsewhere = _ELSEWHERE[contained]
    gone: set[str] = set()
    left: Counter[str] = Counter()
    for fan in ELEMENTS:
        if found[fan] and fan not in gone:
            left[fan] = found[fan]
            gone.update(elsewhere.get(fan, ()))
    return left


def uncounted_fans(
    met: Collection[str], counted: Collection[str], absorbs: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str, str]]:
    """(fan, the counted one in its place, why) for everything that is met and not counted.

    Args:
        met: every fan that the hand meets, as if there were no principles. counted: those that are counted.
        absorbs: fan -> those that it contains.
    """
    chows = [fan for fan in ELEMENTS if fan in counted and ELEMENTS[fan].group == "Chows" and fan != "all_chows"]
    for fan in ELEMENTS:
        if fan not in met or fan in counted:
            continue
        by = next((one for one in ELEMENTS if one in counted and fan in absorbs.get(one, ())), None)
        if by is not None:
            yield fan, by, say("contained in {a}", a=ELEMENTS[by])
        elif chows and ELEMENTS[fan].group == "Chows":
            yield fan, chows[0], "its chows are combined in another way already"
