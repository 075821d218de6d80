"""The yakuman that one arrangement of a hand adds."""

from __future__ import annotations

from scoring.arrangements.arrange import Arrangement, Shape, Wait
from scoring.rules.riichi.hand.facts import Facts
from scoring.rules.riichi.hand.kinds import HONOURS
from scoring.rules.riichi.hand.lines import yakuman_line
from scoring.rules.riichi.options import RiichiOptions
from scoring.system import Line
from scoring.tiles import DRAGONS, WINDS, kind_name

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
