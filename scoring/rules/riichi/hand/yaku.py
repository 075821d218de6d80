"""The yaku that one reading of a hand adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from scoring.arrangements.arrange import Arrangement, Shape, Unit, UnitType, Wait
from scoring.rules.riichi.elements import YAKU_LINES, yaku_line
from scoring.rules.riichi.hand.facts import Facts
from scoring.rules.riichi.hand.kinds import HONOURS, IS_ORPHAN
from scoring.system import Line
from scoring.tiles import GREEN, RED, WHITE

_SEVEN_PAIRS, _TWO_SIDED, _CHOW = Shape.SEVEN_PAIRS, Wait.TWO_SIDED, UnitType.CHOW
_TRIPLETS = (UnitType.PUNG, UnitType.KONG)
_NAMES = {WHITE: "haku", GREEN: "hatsu", RED: "chun"}
_PINFU = YAKU_LINES["pinfu"][False]
_OUTER_CHOWS = frozenset((0, 6, 9, 15, 18, 24))


class SequencePatterns(NamedTuple):
    """What the sequences of a reading make.

    Attributes:
        twins: two equal ones, or all four of twice two; ``twice``: there are twice two.
        three: the three of three colours or of a straight, and the id of that yaku.
        outer: every one holds a terminal.
    """

    twins: tuple[int, ...]
    twice: bool
    three: tuple[int, ...]
    three_id: str
    outer: bool


class Sequences(dict[tuple[int, ...], SequencePatterns | None]):
    """Lowest kinds of sequences -> what they make, None where that is nothing. It is emptied when full."""

    max_cached: ClassVar[int] = 1 << 15

    def __missing__(self, chows: tuple[int, ...]) -> SequencePatterns | None:
        if len(self) >= self.max_cached:
            self.clear()
        first, second, *rest = sorted(chows) if len(chows) > 1 else (0, 1)
        twice = len(rest) == 2 and first == second and rest[0] == rest[1]
        twins = chows if twice else tuple([k for k in chows if chows.count(k) > 1])
        three, three_id = _find_three(chows)
        outer = bool(chows) and _OUTER_CHOWS.issuperset(chows)
        found = SequencePatterns(twins, twice, three, three_id, outer)
        self[chows] = patterns = found if twins or three or outer else None
        return patterns


def _find_three(chows: tuple[int, ...]) -> tuple[tuple[int, ...], str]:
    """Three-colour sequences or a straight; four sequences cannot hold both."""
    for k in chows:
        if k < 9 and k + 9 in chows and k + 18 in chows:
            return (k, k + 9, k + 18), "sanshoku_doujun"
        if k % 9 == 0 and k + 3 in chows and k + 6 in chows:
            return (k, k + 3, k + 6), "ittsuu"
    return (), ""


_SEQUENCES: Final = Sequences()


def yaku_of_reading(facts: Facts, a: Arrangement, pinfu: bool) -> list[Line]:
    """The yaku that this reading adds; no dora, no yakuman."""
    if a.shape is _SEVEN_PAIRS:
        return [seven_pairs_line(facts)]
    patterns, opened = _SEQUENCES[a.chows], facts.opened
    lines = [_PINFU] if pinfu else []
    if patterns is not None:
        if patterns.twins and not opened:
            lines.append(_twin_line(a, patterns))
        if patterns.three:
            lines.append(yaku_line(patterns.three_id, opened, _chows(a, patterns.three)))
    if a.triplets:
        lines += _triplet_yaku(facts, a)
    if patterns is not None and patterns.outer and _is_outer(a):
        lines.append(YAKU_LINES["chanta" if facts.kinds & HONOURS else "junchan"][opened])
    return lines


def seven_pairs_line(facts: Facts) -> Line:
    """Seven pairs: 2 han, or 1 where they have 50 fu."""
    line = YAKU_LINES["chiitoitsu"][False]
    return line if facts.options.chiitoi == "25fu2han" else Line(line.element, 1)


def is_pinfu(facts: Facts, a: Arrangement) -> bool:
    """Four sequences: concealed, nothing but the win scores fu, and the 2 fu of a self-draw are waived."""
    return (
        a.wait is _TWO_SIDED
        and not facts.opened
        and a.pair < WHITE
        and a.pair not in (facts.seat_wind, facts.round_wind)
        and (facts.claimed or not facts.options.pinfu_tsumo_fu)
    )


def _twin_line(a: Arrangement, patterns: SequencePatterns) -> Line:
    if patterns.twice:
        return yaku_line("ryanpeiko", False, _chows(a, patterns.twins))
    return yaku_line("iipeiko", False, _chows(a, patterns.twins)[:2])


def _triplet_yaku(facts: Facts, a: Arrangement) -> list[Line]:
    triplets, opened = a.triplets, facts.opened
    lines = []
    if facts.kinds & HONOURS:
        dragons = 0
        for k in triplets:
            if k >= WHITE:
                dragons += 1
                lines.append(YAKU_LINES[_NAMES[k]][opened])
        if dragons == 2 and a.pair >= WHITE:
            lines.append(YAKU_LINES["shousangen"][opened])
        if facts.seat_wind in triplets:
            lines.append(YAKU_LINES["seat_wind"][opened])
        if facts.round_wind in triplets:
            lines.append(YAKU_LINES["round_wind"][opened])
    if len(triplets) > 2:
        if len(triplets) == 4:
            lines.append(YAKU_LINES["toitoi"][opened])
        if len(a.concealed_triplets) == 3:
            lines.append(yaku_line("sanankou", opened, _triplets(a, a.concealed_triplets)))
        for k in triplets:
            if k < 9 and k + 9 in triplets and k + 18 in triplets:
                lines.append(yaku_line("sanshoku_doukou", opened, _triplets(a, (k, k + 9, k + 18))))
        if a.kongs == 3:
            lines.append(YAKU_LINES["sankantsu"][opened])
    return lines


def _is_outer(a: Arrangement) -> bool:
    """A terminal or honour in the pair and in every triplet."""
    return IS_ORPHAN[a.pair] and all(IS_ORPHAN[k] for k in a.triplets)


def _chows(a: Arrangement, kinds: Sequence[int]) -> tuple[Unit, ...]:
    """The sequences of the reading that start with these kinds."""
    return tuple([u for u in a.units if u.type is _CHOW and u.kind in kinds])


def _triplets(a: Arrangement, kinds: Sequence[int]) -> tuple[Unit, ...]:
    """The triplets and kans of the reading of these kinds."""
    return tuple([u for u in a.units if u.kind in kinds and u.type in _TRIPLETS])
