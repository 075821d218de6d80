"""The yaku and the yakuman that one arrangement of a hand adds."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.arrangements.arrange import Arrangement, Shape, Wait
from scoring.arrangements.units import Unit, UnitType
from scoring.options import is_played
from scoring.rules.riichi.elements import YAKU_LINES, yaku_line
from scoring.rules.riichi.hand.kinds import IS_ORPHAN
from scoring.rules.riichi.hand.lines import yakuman_line
from scoring.rules.riichi.hand.whole import Facts, norths_count
from scoring.rules.riichi.options import RiichiOptions
from scoring.system import HONOURS, Line
from scoring.tiles import DRAGONS, GREEN, NORTH, RED, WHITE, WINDS, kind_name

_NAMES = {WHITE: "haku", GREEN: "hatsu", RED: "chun"}
_ONES = 1 << 0 | 1 << 9 | 1 << 18
_OUTER_CHOWS = _ONES | _ONES << 6
_SEVEN_PAIRS, _TWO_SIDED = Shape.SEVEN_PAIRS, Wait.TWO_SIDED


def yaku_of_arrangement(facts: Facts, a: Arrangement, pinfu: bool) -> list[Line]:
    """The yaku that this arrangement adds; no dora, no yakuman."""
    shape, _, chows, triplets, _, pair, _, _ = a  # quicker than one by one
    if shape is _SEVEN_PAIRS:
        return [seven_pairs_line(facts)]
    opened = facts.opened
    lines = [YAKU_LINES["pinfu"][False]] if pinfu else []
    low = 0  # a bit for each kind that sequences start with
    for k in chows:
        low |= 1 << k
    if low.bit_count() < len(chows) and not opened:
        lines.append(_twin_line(a, tuple([k for k in chows if chows.count(k) > 1])))
    if len(chows) > 2:  # four sequences cannot hold both
        if colours := low & low >> 9 & low >> 18:
            k = _kind_of(colours)
            lines.append(yaku_line("sanshoku_doujun", opened, _chows(a, (k, k + 9, k + 18))))
        elif straight := low & low >> 3 & low >> 6 & _ONES:
            k = _kind_of(straight)
            lines.append(yaku_line("ittsuu", opened, _chows(a, (k, k + 3, k + 6))))
    if triplets:
        lines += _triplet_yaku(facts, a)
    if chows and not low & ~_OUTER_CHOWS and IS_ORPHAN[pair] and all(IS_ORPHAN[k] for k in triplets):
        lines.append(YAKU_LINES["chanta" if facts.kinds & HONOURS else "junchan"][opened])
    return lines


def _kind_of(bits: int) -> int:
    """The lowest kind that has a bit."""
    return (bits & -bits).bit_length() - 1


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
        and not (a.pair == NORTH and norths_count(facts))
        and (facts.claimed or not facts.options.pinfu_tsumo_fu)
        and is_played(facts.options.values, "pinfu")
    )


def _twin_line(a: Arrangement, twins: tuple[int, ...]) -> Line:
    if len(twins) == 4:
        return yaku_line("ryanpeiko", False, _chows(a, twins))
    return yaku_line("iipeiko", False, _chows(a, twins)[:2])


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
        if NORTH in triplets and norths_count(facts):
            lines.append(YAKU_LINES["north"][opened])
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


def _chows(a: Arrangement, kinds: Sequence[int]) -> tuple[Unit, ...]:
    """The sequences of the arrangement that start with these kinds."""
    return tuple(u for u in a.units if u.type is UnitType.CHOW and u.kind in kinds)


def _triplets(a: Arrangement, kinds: Sequence[int]) -> tuple[Unit, ...]:
    """The triplets and kans of the arrangement of these kinds."""
    return tuple(u for u in a.units if u.kind in kinds and u.type in (UnitType.PUNG, UnitType.KONG))


_THIRTEEN_ORPHANS, _SINGLE = Shape.THIRTEEN_ORPHANS, Wait.SINGLE


def yakuman_of_arrangement(facts: Facts, a: Arrangement) -> list[Line]:
    """The yakuman of this arrangement: thirteen orphans, or three triplets at least."""
    options = facts.options
    if a.shape is _THIRTEEN_ORPHANS:
        return [yakuman_line(options, "kokushi_13" if facts.winning == a.pair else "kokushi", kind_name(a.pair))]
    lines = []
    if len(a.concealed_triplets) == 4:
        lines.append(yakuman_line(options, "suuankou_tanki" if a.wait is _SINGLE else "suuankou"))
    if facts.kinds & HONOURS:
        lines += _honour_lines(options, a)
    if a.kongs == 4:
        lines.append(yakuman_line(options, "suukantsu"))
    return lines


def _honour_lines(options: RiichiOptions, a: Arrangement) -> list[Line]:
    lines = []
    if all(k in a.triplets for k in DRAGONS):
        lines.append(yakuman_line(options, "daisangen"))
    winds = len([k for k in WINDS if k in a.triplets])
    if winds == 4:
        lines.append(yakuman_line(options, "daisuushii"))
    elif winds == 3 and a.pair in WINDS:
        lines.append(yakuman_line(options, "shousuushii"))
    return lines
