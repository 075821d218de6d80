"""What the whole hand scores whichever way it is read: how it was won, kinds of tiles, dora."""

from __future__ import annotations

from typing import Final, NamedTuple

from scoring.context import ROBBED_KONG, SELF_DRAW
from scoring.hand import Hand
from scoring.rules.riichi.context import RiichiContext
from scoring.rules.riichi.elements import DORAS, RENHOU, YAKU_LINES
from scoring.rules.riichi.hand.kinds import (
    ALL_GREEN,
    DORA_OF,
    DORA_OF_THREE,
    ORPHANS,
    counts_with_kita,
)
from scoring.rules.riichi.hand.lines import yakuman_line
from scoring.rules.riichi.options import RiichiOptions
from scoring.seats import DEALER
from scoring.system import HONOURS, SIMPLES, SUITS, Case, Line, house_lines
from scoring.tiles import Tile, format_tiles, kind_name
from scoring.words.sentence import joined, say

_CHARACTERS, _DOTS, _BAMBOO = SUITS
_new: Final = tuple.__new__  # a named tuple of its parts, in half the time that calling its class takes


RiichiCase = Case[RiichiOptions]


class Facts(NamedTuple):
    """A case as the arrangements of its hand look at it; a named tuple, for one is made for every score.

    Attributes:
        options: the house rules.
        opened: something was claimed. claimed: the winning tile was another player's. dealer: the winner is east.
        kinds: a bit for each kind present, as in ``Hand.kinds``.
        seat_wind, round_wind, winning: tile kinds.
        yaku, yakuman: those that no arrangement changes: how it was won, kinds of tiles.
    """

    options: RiichiOptions
    opened: bool
    claimed: bool
    dealer: bool
    kinds: int
    seat_wind: int
    round_wind: int
    winning: int
    yaku: list[Line]
    yakuman: list[Line]


def norths_count(facts: Facts) -> bool:
    """Whether norths are a value for everybody, as some tables of three have it."""
    return facts.options.north_value and facts.options.players == 3


def facts_of(case: RiichiCase) -> Facts:
    """The case as its arrangements look at it."""
    c, hand, options = case.context, case.hand, case.options
    if c.__class__ is not RiichiContext:
        c = c.convert_to(RiichiContext)
    opened, claimed, winning = not hand.is_concealed, c.win is not SELF_DRAW, hand.winning_tile
    lines: list[Line] = []
    whole: list[Line] = []
    if c.double_riichi:
        lines.append(YAKU_LINES["double_riichi"][opened])
    elif c.riichi:
        lines.append(YAKU_LINES["riichi"][opened])
    if c.ippatsu:
        lines.append(YAKU_LINES["ippatsu"][opened])
    if not (opened or claimed):
        lines.append(YAKU_LINES["menzen_tsumo"][opened])
    if c.last_tile or c.replacement or c.win is ROBBED_KONG:
        lines += _last_tile_lines(case, opened, claimed)
    if c.heavenly:
        whole.append(yakuman_line(options, "tenhou"))
    elif c.earthly:
        whole.append(yakuman_line(options, "chiihou"))
    elif c.humanly and options.renhou == "yakuman":
        whole.append(Line(RENHOU, 1))
    elif c.humanly and options.renhou == "5han":
        lines.append(Line(RENHOU, 5))
    kinds = hand.kinds
    if not kinds & ORPHANS:
        if not opened or options.kuitan:
            lines.append(YAKU_LINES["tanyao"][opened])
    elif not kinds & SIMPLES:
        if not kinds & HONOURS:
            whole.append(yakuman_line(options, "chinroutou"))
        elif not kinds & ~HONOURS:
            whole.append(yakuman_line(options, "tsuuiisou"))
        else:
            lines.append(YAKU_LINES["honroutou"][opened])
    if (not kinds & _CHARACTERS) + (not kinds & _DOTS) + (not kinds & _BAMBOO) == 2:
        lines.append(YAKU_LINES["honitsu" if kinds & HONOURS else "chinitsu"][opened])
        if not kinds & ~ALL_GREEN:
            whole.append(yakuman_line(options, "ryuuiisou"))
        elif kinds in SUITS and not hand.melds and _is_nine_gates(case):
            whole.append(yakuman_line(options, "junsei_chuuren" if case.nine_gates_wait else "chuuren"))
    seat, won = c.seat, winning.kind if winning is not None else -1
    parts = (options, opened, claimed, seat is DEALER, kinds, seat.wind, c.round.wind, won, lines, whole)
    return _new(Facts, parts)


def _last_tile_lines(case: RiichiCase, opened: bool, claimed: bool) -> list[Line]:
    """Kan replacements, last tiles, robbed kans; a kan replacement is not the last tile of the wall."""
    c = case.context
    if c.win is ROBBED_KONG:
        return [YAKU_LINES["chankan"][opened]]
    if c.replacement:
        return [YAKU_LINES["rinshan"][opened]]
    return [YAKU_LINES["houtei" if claimed else "haitei"][opened]]


def _is_nine_gates(case: RiichiCase) -> bool:
    """All nine numbers of the one suit there is, three of its 1s and 9s."""
    base = 9 * SUITS.index(case.hand.kinds)
    return case.hand.counts[base] >= 3 and case.hand.counts[base + 8] >= 3


def dora_lines(case: RiichiCase) -> list[Line]:
    """The dora of a hand that has a yaku: each tile counts once for every indicator that points to it."""
    c, lines = case.context, []
    if c.__class__ is not RiichiContext:
        c = c.convert_to(RiichiContext)
    if c.dora_indicators:
        lines += _indicator_lines(case, "dora", c.dora_indicators)
    if c.ura_indicators:
        lines += _indicator_lines(case, "ura_dora", c.ura_indicators)
    reds = case.hand.reds
    if reds:
        lines.append(_new(Line, (DORAS["aka_dora"], reds, reds, (_new(Reds, (case.hand,)),), None)))
    kita = case.hand.bonus
    if kita:
        lines.append(Line(DORAS["kita"], len(kita), len(kita), (format_tiles(kita),)))
    return house_lines(lines, case.options.values) if case.options.values else lines


def _indicator_lines(case: RiichiCase, id_: str, indicators: tuple[Tile, ...]) -> list[Line]:
    counts, total = counts_with_kita(case.hand), 0
    dora_of = DORA_OF if case.options.players == 4 else DORA_OF_THREE
    for t in indicators:
        total += counts[dora_of[t.kind]]
    return [_new(Line, (DORAS[id_], total, total, (_new(Hits, (counts, dora_of, indicators)),), None))] if total else []


class Reds(NamedTuple):
    """The red fives of a hand; like the next, made for a line that is seldom read out."""

    hand: Hand

    def __str__(self) -> str:
        return format_tiles(t for t in self.hand.tiles if t.red)


class Hits(NamedTuple):
    """The tiles of a hand that indicators point to, with the indicator of each."""

    counts: bytes
    dora_of: tuple[int, ...]
    indicators: tuple[Tile, ...]

    def __str__(self) -> str:
        counts, dora_of, indicators = self
        hits = [(counts[dora_of[t.kind]], t) for t in indicators]
        one = "{n} x {t} (shown by {u})"
        return joined([say(one, n=n, t=kind_name(dora_of[t.kind]), u=t.code) for n, t in hits if n], " ")
