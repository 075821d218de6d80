"""Lines of a score as a house values them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scoring.options import is_played
from scoring.rules.riichi.elements import HAN, UNITS, YAKUMANS, yaku_line
from scoring.rules.riichi.options import RiichiOptions
from scoring.system import Line

_LESSER: Final = {
    "double_riichi": "riichi",
    "ryanpeiko": "iipeiko",
    "junchan": "chanta",
    "chinitsu": "honitsu",
    "kokushi_13": "kokushi",
    "suuankou_tanki": "suuankou",
    "suuankou": "sanankou",
    "suukantsu": "sankantsu",
    "junsei_chuuren": "chuuren",
    "chinroutou": "honroutou",
    "tsuuiisou": "honroutou",
}
"""What a hand meets as well, and has where the greater is not played."""


def yakuman_line(options: RiichiOptions, id_: str, *about: object) -> Line:
    """The line of a yakuman; its value is in units, 1 or (where doubles are played) 2."""
    return Line(YAKUMANS[id_], UNITS[id_] if options.double_yakuman else 1, 1, about)


def played_lines(options: RiichiOptions, lines: Iterable[Line], opened: bool) -> list[Line]:
    """The lines of yaku and yakuman that the house plays, at its values; open hands lose what they lose as listed."""
    found = []
    for line in lines:
        id_: str | None = line.element.id
        while id_ and not is_played(options.values, id_):
            id_ = _LESSER.get(id_)
        if not id_:
            continue
        met = line
        if id_ != line.element.id:
            met = yakuman_line(options, id_, *line.about) if id_ in UNITS else yaku_line(id_, opened, line.about)
        each = options.values.get(id_)
        found.append(met if each is None else met.valued(max(1, each - _lost_han(id_, opened))))
    return found


def _lost_han(id_: str, opened: bool) -> int:
    concealed, melded = HAN.get(id_, (0, 0))
    return concealed - melded if opened and melded else 0
