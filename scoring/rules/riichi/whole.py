"""What the whole hand scores whichever way it is read: how it was won, kinds of tiles, dora."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.context import ROBBED_KONG, SELF_DRAW
from scoring.hand import Hand
from scoring.rules.riichi.context import RiichiContext
from scoring.rules.riichi.elements import DORAS, RENHOU, yaku, yakuman
from scoring.rules.riichi.facts import Facts, RiichiCase
from scoring.rules.riichi.kinds import ALL_GREEN, HONOURS, ORPHANS, SHOWN, SIMPLES, SUITS
from scoring.seats import DEALER
from scoring.system import Line
from scoring.tiles import Tile, format_tiles, kind_name

_CHARACTERS, _DOTS, _BAMBOO = SUITS


def facts_of(case: RiichiCase) -> Facts:
    """The case as its readings look at it."""
    c, hand, options = case.context.under(RiichiContext), case.hand, case.options
    opened, claimed, winning = not hand.is_concealed, c.win is not SELF_DRAW, hand.winning_tile
    lines: list[Line] = []
    whole: list[Line] = []
    if c.double_riichi:
        lines.append(yaku("double_riichi", opened))
    elif c.riichi:
        lines.append(yaku("riichi", opened))
    if c.ippatsu:
        lines.append(yaku("ippatsu", opened))
    if not (opened or claimed):
        lines.append(yaku("menzen_tsumo", opened))
    if c.last_tile or c.replacement or c.win is ROBBED_KONG:
        lines += _last_moment(case, opened, claimed)
    if c.heavenly:
        whole.append(yakuman(options, "tenhou"))
    elif c.earthly:
        whole.append(yakuman(options, "chiihou"))
    elif c.humanly and options.renhou == "yakuman":
        whole.append(Line(RENHOU, 1))
    kinds = hand.kinds
    if not kinds & ORPHANS:
        if not opened or options.kuitan:
            lines.append(yaku("tanyao", opened))
    elif not kinds & SIMPLES:
        if not kinds & HONOURS:
            whole.append(yakuman(options, "chinroutou"))
        elif not kinds & ~HONOURS:
            whole.append(yakuman(options, "tsuuiisou"))
        else:
            lines.append(yaku("honroutou", opened))
    if (not kinds & _CHARACTERS) + (not kinds & _DOTS) + (not kinds & _BAMBOO) == 2:
        lines.append(yaku("honitsu" if kinds & HONOURS else "chinitsu", opened))
        if not kinds & ~ALL_GREEN:
            whole.append(yakuman(options, "ryuuiisou"))
        elif kinds in SUITS and not hand.melds and _nine_gates(case):
            whole.append(yakuman(options, "junsei_chuuren" if case.nine_gates_wait else "chuuren"))
    return Facts(
        options,
        opened,
        claimed,
        c.seat is DEALER,
        kinds,
        c.seat.wind,
        c.round.wind,
        winning.kind if winning is not None else -1,
        lines,
        whole,
    )


def _last_moment(case: RiichiCase, opened: bool, claimed: bool) -> list[Line]:
    """Kan replacements, last tiles, robbed kans; a kan replacement is not the last tile of the wall."""
    c = case.context
    if c.win is ROBBED_KONG:
        return [yaku("chankan", opened)]
    if c.replacement:
        return [yaku("rinshan", opened)]
    return [yaku("houtei" if claimed else "haitei", opened)]


def _nine_gates(case: RiichiCase) -> bool:
    """All nine numbers of the one suit there is, three of its 1s and 9s."""
    base = 9 * SUITS.index(case.hand.kinds)
    return case.hand.counts[base] >= 3 and case.hand.counts[base + 8] >= 3


def dora_lines(case: RiichiCase) -> list[Line]:
    """The dora of a hand that has a yaku: each tile counts once for every indicator that points to it."""
    c, lines = case.context.under(RiichiContext), []
    if c.dora_indicators:
        lines += _shown(case, "dora", c.dora_indicators)
    if c.ura_indicators:
        lines += _shown(case, "ura_dora", c.ura_indicators)
    reds = case.hand.reds
    if reds:
        lines.append(Line(DORAS["aka_dora"], reds, reds, (Reds(case.hand),)))
    return lines


def _shown(case: RiichiCase, id_: str, indicators: tuple[Tile, ...]) -> list[Line]:
    counts, total = case.hand.counts, 0
    for t in indicators:
        total += counts[SHOWN[t.kind]]
    return [Line(DORAS[id_], total, total, (Hits(case.hand, indicators),))] if total else []


@dataclass(slots=True)  # not frozen, like the next: made for a line that is seldom read out
class Reds:
    """The red fives of a hand."""

    hand: Hand

    def __str__(self) -> str:
        return format_tiles(t for t in self.hand.tiles if t.red)


@dataclass(slots=True)
class Hits:
    """The tiles of a hand that indicators point to, with the indicator of each."""

    hand: Hand
    indicators: tuple[Tile, ...]

    def __str__(self) -> str:
        hits = [(self.hand.counts[SHOWN[t.kind]], t) for t in self.indicators]
        return " ".join(f"{n} x {kind_name(SHOWN[t.kind])} (shown by {t})" for n, t in hits if n)
