"""Riichi as a rule system: arrangements, tally, legality, settlement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from scoring.arrangements.arrange import Arrangement, Shape, arrangements
from scoring.context import SELF_DRAW
from scoring.errors import Fault
from scoring.options import is_played
from scoring.payments import Payments
from scoring.rulebook.result import Result
from scoring.rulebook.shapes import Shapes
from scoring.rules.riichi.context import RiichiContext
from scoring.rules.riichi.conventions import CONVENTIONS
from scoring.rules.riichi.elements import ABSORBS, ALL, DORAS, HAN, RENHOU, YAKU
from scoring.rules.riichi.faults import liable_faults, riichi_faults, seat_faults
from scoring.rules.riichi.hand.fu import Part, fu_of, fu_sentence
from scoring.rules.riichi.hand.kinds import DORA_OF, DORA_OF_THREE, LEFT_OUT_KINDS
from scoring.rules.riichi.hand.lines import played_lines
from scoring.rules.riichi.hand.whole import Facts, RiichiCase, dora_lines, facts_of
from scoring.rules.riichi.hand.yaku import is_pinfu, yaku_of_arrangement, yakuman_of_arrangement
from scoring.rules.riichi.options import PRESETS, RiichiOptions
from scoring.rules.riichi.payments import (
    MANGAN_BASE,
    YAKUMAN_BASE,
    YAKUMAN_HAN,
    base_of,
    ladder_step,
    win_payments,
    win_points,
)
from scoring.rules.riichi.result import liable_units, result_tally
from scoring.system import LazySentences, Line, Refusal, RuleSystem, Tally, UncountedElement
from scoring.tiles import PLAIN
from scoring.words.sentence import joined, say

_new: Final = tuple.__new__  # a named tuple of its parts, in half the time that calling its class takes
_THIRTEEN_ORPHANS: Final = Shape.THIRTEEN_ORPHANS
_RENHOU: Final = Line(RENHOU, 5)
"""Renhou as a mangan: it stands alone, as the five han that make one."""
_RENHOU_RANK: Final = (1, MANGAN_BASE, 0, 0, 0)
"""Below every arrangement that is a mangan by itself."""

_ORDER: Final = {element.id: place for place, element in enumerate(ALL)}
_YAKUMAN: Final = "{n} yakuman: base {a} = {b}; other yaku, fu and dora do not count."
_RENHOU_UNPLAYED: Final = "Renhou is not played (option renhou)."
_NO_YAKU: Final = Refusal("no_yaku", "The hand has no yaku, and dora alone do not win.")


LIABLE_KINDS: Final = {
    "daisangen": "who gave the third dragon set 大三元",
    "daisuushii": "who gave the fourth wind set 大四喜",
    "suukantsu": "who gave the fourth kan 四槓子, with the option pao_suukantsu",
}
"""Kinds of ``context.liable``: the yakuman whose last set was fed (包)."""


class Riichi(RuleSystem[RiichiOptions]):
    """Japanese mahjong: han and fu."""

    id = "riichi"
    name = "Riichi"
    native = "立直麻雀"
    aliases = ("japanese", "jp", "japan", "reach", "リーチ", "日本麻雀")
    unit = "han"
    option_class = RiichiOptions
    conventions = CONVENTIONS
    presets = PRESETS
    elements = ALL
    context_class = RiichiContext
    shapes = Shapes(quad_pairs=False)
    asks = (
        "round",
        "dora_indicators",
        "riichi",
        "double_riichi",
        "ippatsu",
        "ura_indicators",
        "last_tile",
        "replacement",
        "heavenly",
        "earthly",
        "humanly",
        "robbed_concealed",
        "counters",
        "riichi_sticks",
        "wareme",
        "liable",
    )
    prompts = ("riichi", "dora_indicators", "ippatsu", "ura_indicators")
    in_single_tiles = frozenset(DORAS)
    red_fives = True
    claims_lie_across = True
    absorbs = ABSORBS
    compared = MappingProxyType({"aka": (0,), "min_han": (2,)})
    liable_kinds = LIABLE_KINDS

    def shapes_played(self, options: RiichiOptions) -> Shapes:
        """All but those whose yaku are not played."""
        values = options.values
        if not values:
            return self.shapes
        return self.shapes.less(seven_pairs=is_played(values, "chiitoitsu"), orphans=is_played(values, "kokushi"))

    def players(self, options: RiichiOptions) -> int:
        """Three or four."""
        return options.players

    def sets_norths_aside(self, options: RiichiOptions) -> bool:
        """With three players, by the option kita."""
        return options.players == 3 and options.kita

    def kinds_left_out(self, options: RiichiOptions) -> frozenset[int]:
        """With three players, 2m to 8m."""
        return LEFT_OUT_KINDS if options.players == 3 else frozenset()

    def suppose(self, name: str, case: RiichiCase) -> object | None:
        """See the base class; for indicators one that shows a dora, or as few as the hand can have of one kind."""
        c = case.context.convert_to(RiichiContext)
        if not name.endswith("_indicators"):
            return None if name == "riichi" and c.double_riichi else super().suppose(name, case)
        lie = Counter(t.kind for t in (*c.dora_indicators, *c.ura_indicators))
        dora_of = DORA_OF if case.options.players == 4 else DORA_OF_THREE
        out = self.kinds_left_out(case.options)
        free = [k for k in range(34) if k not in out and case.counts[k] + lie[k] < 4 and case.counts[dora_of[k]]]
        return (PLAIN[min(free, key=lambda kind: case.counts[dora_of[kind]])],)

    def can_pay_more(self, tally: Tally, options: RiichiOptions) -> bool:
        """Not above a yakuman, or the highest limit that han reach."""
        return not tally.rank[2] and tally.rank[1] < base_of(YAKUMAN_HAN, 0, options)[0]

    def faults(self, case: RiichiCase) -> list[Fault]:
        """See the base class; also riichi, dealt wins, indicators, red fives and liability that do not fit."""
        return riichi_faults(self, case)

    def arrangements(self, case: RiichiCase) -> Iterable[Arrangement]:
        """Ordinary hands, seven different pairs, thirteen orphans."""
        return arrangements(case.hand, self.shapes_played(case.options), claimed=case.context.win is not SELF_DRAW)

    def tally(self, case: RiichiCase, arrangement: Arrangement) -> Tally:
        """Yakuman by units where there are any, else han of yaku and dora, with fu; ranked by base points."""
        facts = case.compute_once(facts_of)
        yakuman = facts.yakuman
        if len(arrangement.triplets) > 2 or arrangement.shape is _THIRTEEN_ORPHANS:
            yakuman = yakuman + yakuman_of_arrangement(facts, arrangement)
        lesser: list[Line] = []
        if yakuman and case.options.values:
            played = played_lines(case.options, yakuman, facts.opened)
            yakuman = [line for line in played if line.element.id not in HAN]
            lesser = [line for line in played if line.element.id in HAN]
        return _yakuman_tally(case, facts, yakuman) if yakuman else _han_tally(case, facts, arrangement, lesser)

    def result_faults(self, case: RiichiCase) -> list[Fault]:
        """A yakuman that nobody is liable for, a seat that three players leave empty."""
        return liable_faults(case) + seat_faults(case)

    def result_tally(self, case: RiichiCase, result: Result) -> Tally:
        """Han and fu, or yakuman; see :mod:`scoring.rules.riichi.result`."""
        return result_tally(case, result)

    def refusal(self, case: RiichiCase, arrangement: Arrangement, tally: Tally) -> Refusal | None:
        """No yaku, or fewer han of yaku than the house asks for; dora are no yaku."""
        if not tally.rank[1]:
            return _NO_YAKU
        if not tally.rank[0]:
            return Refusal(
                "below_minimum", say("Fewer than {n} han of yaku; dora do not count.", n=case.options.min_han)
            )
        return None

    def uncounted_elements(
        self, case: RiichiCase, arrangement: Arrangement, tally: Tally
    ) -> Iterable[UncountedElement]:
        """Beside a yakuman, everything else; a yaku that another contains."""
        facts, kept = case.compute_once(facts_of), [line.element for line in tally.lines]
        if tally.rank[2]:
            yakuman = facts.yakuman + yakuman_of_arrangement(facts, arrangement)
            pinfu = len(arrangement.chows) == 4 and is_pinfu(facts, arrangement)
            shape = [] if arrangement.shape is _THIRTEEN_ORPHANS else yaku_of_arrangement(facts, arrangement, pinfu)
            everything = played_lines(case.options, (*yakuman, *facts.yaku, *shape), facts.opened)
            for line in (*everything, *dora_lines(case)):
                if line.element not in kept:
                    yield UncountedElement(line.element, kept[0], say("{a} counts alone", a=kept[0]))
        elif kept != [RENHOU]:
            counted = {e.id: e for e in kept}
            for id_, inner in ABSORBS.items():
                if id_ in counted:
                    yield from (
                        UncountedElement(YAKU[i], counted[id_], say("contained in {a}", a=counted[id_]))
                        for i in inner
                        if is_played(case.options.values, i)
                    )

    def higher_tallies(
        self, case: RiichiCase, arrangement: Arrangement, tally: Tally
    ) -> Iterable[tuple[int, str, Tally]]:
        """Han one by one up to a counted yakuman, and fu by tens; nothing is above a yakuman."""
        fu = tally.extra["fu"]
        if fu is None or not tally.lines or (tally.lines == (_RENHOU,) and case.options.renhou == "mangan"):
            return
        for more in range(1, YAKUMAN_HAN):
            base, limit = base_of(tally.value + more, fu, case.options)
            yield more, "han", tally._replace(value=tally.value + more, rank=_rank_with_base(tally, base), limit=limit)
        if fu % 10 or not tally.rank[0]:
            return
        for more in (10, 20, 30):
            base, limit = base_of(tally.value, fu + more, case.options)
            yield more, "fu", tally._replace(rank=_rank_with_base(tally, base), limit=limit)

    def describe_value(self, tally: Tally) -> str:
        """Han and fu, and what the winner gets without counters and sticks."""
        if tally.extra["fu"] is None:
            return say("{n} yakuman, {m} points", n=tally.extra["yakuman"], m=tally.extra["points"])
        return say("{n} han {m} fu, {k} points", n=tally.value, m=tally.extra["fu"], k=tally.extra["points"])

    def settle(self, case: RiichiCase, arrangement: Arrangement, tally: Tally) -> Payments:
        """See :func:`scoring.rules.riichi.payments.win_payments`."""
        liable = case.context.liable
        if liable is None:
            return win_payments(case.context, tally.rank[1], case.options)
        pao = sum(line.value for line in tally.lines if line.element.id == liable.kind)
        if not tally.lines:  # told without tiles
            pao = liable_units(case, liable.kind, tally.extra["yakuman"])
        if pao and case.options.pao_covers == "hand":
            pao = tally.extra["yakuman"]
        return win_payments(case.context, tally.rank[1], case.options, pao_units=pao)


def _rank_with_base(tally: Tally, base: int) -> tuple[int, ...]:
    return (1, base, *tally.rank[2:])


def _han_tally(case: RiichiCase, facts: Facts, a: Arrangement, lesser: list[Line]) -> Tally:
    """The tally of yaku and dora; ``lesser``: yaku of a hand whose yakuman the house does not play."""
    options = case.options
    pinfu = len(a.chows) == 4 and is_pinfu(facts, a)
    lines = facts.yaku + yaku_of_arrangement(facts, a, pinfu)
    if options.values:
        lines = played_lines(options, (*lines, *lesser), facts.opened)
    fu, unrounded, parts = fu_of(facts, a, pinfu)
    yaku_han = 0
    for line in lines:
        yaku_han += line.value
    han, base, limit, points = yaku_han, 0, None, 0
    if yaku_han:
        for line in case.compute_once(dora_lines):
            lines.append(line)
            han += line.value
        base, limit, points = ladder_step(han, fu, options, facts.dealer, facts.claimed)
    rank = (int(yaku_han >= options.min_han), base, 0, han, unrounded)
    if case.context.humanly and options.renhou == "mangan" and rank < _RENHOU_RANK:
        lines, han, base, limit, rank = [_RENHOU], _RENHOU.value, MANGAN_BASE, "mangan", _RENHOU_RANK
        points = win_points(base, options, dealer=facts.dealer, self_drawn=not facts.claimed)
    unplayed = case.context.humanly and options.renhou == "off"
    notes = LazySentences(_han_notes, tuple(parts), han, fu, base, limit, unplayed)
    return _new(Tally, (tuple(lines), han, han, rank, limit, {"fu": fu, "points": points}, notes, None))


def _yakuman_tally(case: RiichiCase, facts: Facts, lines: list[Line]) -> Tally:
    lines = kept = sorted(lines, key=lambda line: _ORDER[line.element.id])
    if len(lines) > 1 and not case.options.multiple_yakuman:
        liable = case.context.liable.kind if case.context.liable else None
        kept = [max(lines, key=lambda line: (line.value, line.element.id == liable))]
    units = sum([line.value for line in kept])
    base = YAKUMAN_BASE * units
    return Tally(
        tuple(kept),
        YAKUMAN_HAN * units,
        YAKUMAN_HAN * sum([line.value for line in lines]),
        (1, base, 1, YAKUMAN_HAN * units, 0),
        "yakuman",
        {
            "fu": None,
            "points": win_points(base, case.options, dealer=facts.dealer, self_drawn=not facts.claimed),
            "yakuman": units,
        },
        LazySentences(_yakuman_notes, case, units, [line for line in lines if line not in kept]),
        "yakuman",
    )


@lru_cache(maxsize=1 << 12)
def _han_notes(
    parts: tuple[Part, ...], han: int, fu: int, base: int, limit: str | None, renhou_unplayed: bool
) -> tuple[str, ...]:
    notes = [fu_sentence(fu, parts)]
    if limit:
        notes.append(say("{n} han {m} fu: {limit}, base {b}.", n=han, m=fu, limit=say(limit), b=base))
    elif base:
        notes.append(say("{n} han {m} fu: base {a} = {b}.", n=han, m=fu, a=f"{fu} x 2^(2 + {han})", b=base))
    return (*notes, _RENHOU_UNPLAYED) if renhou_unplayed else tuple(notes)


def _yakuman_notes(case: RiichiCase, units: int, left_out: list[Line]) -> list[str]:
    base = f"{units} x {YAKUMAN_BASE}"
    notes: list[str] = [say(_YAKUMAN, n=units, a=base, b=units * YAKUMAN_BASE)]
    if left_out:
        names = joined((say(line.element.name) for line in left_out), "; ")  # one name has a comma
        notes.append(say("Only one yakuman counts (option multiple_yakuman); left out: {names}.", names=names))
    return [*notes, _RENHOU_UNPLAYED] if case.context.humanly and case.options.renhou == "off" else notes


SYSTEM: Final = Riichi()
