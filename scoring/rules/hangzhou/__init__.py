"""Hangzhou mahjong: three fortunes stand for any tile, everything that doubles multiplies, the banker pays most."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from math import prod
from typing import Final

from scoring.arrangements.arrange import Arrangement, Shape
from scoring.arrangements.units import UnitType
from scoring.context import Win
from scoring.errors import Fault, InvalidRequest
from scoring.options import is_played
from scoring.payments import Payments
from scoring.rulebook.conventions import GameConventions, Rotation
from scoring.rulebook.result import Result, result_fault
from scoring.rulebook.shapes import Shapes
from scoring.rules.hangzhou.context import HangzhouContext
from scoring.rules.hangzhou.elements import ELEMENTS
from scoring.rules.hangzhou.faults import LIABLE_KINDS, fed_faults, hangzhou_faults, kong_streak_of, liable_faults
from scoring.rules.hangzhou.fortune import arrangements_of, count_held_tiles
from scoring.rules.hangzhou.honours import BY_DISCARDS, WINNING_HONOURS, honours_doubles
from scoring.rules.hangzhou.options import PRESETS, THIRD_TIME, HangzhouOptions, banker_of, streak_of
from scoring.rules.hangzhou.payment import false_win, payments_for
from scoring.system import Case, Line, Refusal, RuleSystem, Tally, house_lines
from scoring.tiles import PLAIN
from scoring.words.sentence import say


class Hangzhou(RuleSystem[HangzhouOptions]):
    """Hangzhou factors."""

    id = "hangzhou"
    name = "Hangzhou"
    native = "杭州"
    aliases = ("hz", "hangzhou mahjong", "杭州麻将", "杭州麻將")
    unit = "factor"
    option_class = HangzhouOptions
    # The winner is the next banker; the banker stays when he wins, and at a draw. So the end is a matter of time, and a
    # player who has lost his chips, 50 of them for example, owes nothing and plays on.
    conventions = GameConventions(
        rotation=Rotation.WINNER,
        winners=1,
        claimed_back=false_win,
        points=50,
        course={"rounds": None, "out_of_points": "pays_what_is_left"},
    )
    presets = PRESETS
    elements = tuple(ELEMENTS.values())
    asks = ("indicator", "banker", "streak", "floats", "kong_streak", "honours", "fed", "liable", "doubles_after")
    prompts = ("indicator",)
    also_reads = ("replacement", "double_kong")
    context_class = HangzhouContext
    shapes = Shapes(orphans=False)
    stand_ins = True
    liable_kinds = LIABLE_KINDS

    def shapes_played(self, options: HangzhouOptions) -> Shapes:
        """Seven pairs unless they are not played."""
        return self.shapes.less(seven_pairs=is_played(options.values, "seven_pairs"))

    def faults(self, case: Case[HangzhouOptions]) -> list[Fault]:
        """See :func:`scoring.rules.hangzhou.faults.hangzhou_faults`."""
        return hangzhou_faults(self, case)

    def arrangements(self, case: Case[HangzhouOptions]) -> Iterable[Arrangement]:
        """Sets and an eye, and seven pairs, with fortunes for any tile; or the honours discarded."""
        discarded = case.context.convert_to(HangzhouContext).honours
        won_by = discarded >= WINNING_HONOURS
        return (BY_DISCARDS,) if won_by else arrangements_of(case, self.shapes_played(case.options))

    def tally(self, case: Case[HangzhouOptions], arrangement: Arrangement) -> Tally:
        """The product of everything that doubles. Wild eye is a fact of the 13 tiles, whatever they became."""
        lines = tuple(_lines(case, arrangement))
        product = prod(line.value for line in lines)
        steps = " x ".join(str(line.value) for line in lines)
        notes = [] if arrangement is BY_DISCARDS else [_fortune_note(case)]
        notes.append(say("Factor {a} = {n}.", a=steps, n=product) if len(lines) > 1 else say("Factor {n}.", n=product))
        c = case.context.convert_to(HangzhouContext)
        if c.banker is None:
            notes.append(say("Nobody said who the dealer is: {s} is taken to be.", s=banker_of(c)))
        if c.floats and not any(line.element.id == "fortune_float" for line in lines):
            notes.append("The wild tile thrown earlier does not count: the hand was not won by Wild Eye.")
        return Tally(lines, product, product, (product,), notes=tuple(notes))

    def result_faults(self, case: Case[HangzhouOptions]) -> list[Fault]:
        """Liability that the circumstances contradict, more sets fed than there are."""
        return [*fed_faults(case), *liable_faults(case)]

    def result_tally(self, case: Case[HangzhouOptions], result: Result) -> Tally:
        """A factor: everything doubles, so it is 1, 2, 4 ...; what the circumstances double is in it."""
        factor = result.value_in("a factor", least=_least_factor(case))
        if factor & (factor - 1) and not case.options.values:
            raise InvalidRequest.of([result_fault(say("A factor is 1, 2, 4, 8 ..., not {n}.", n=factor), "value")])
        return Tally((), factor, factor, (factor,))

    def higher_tallies(
        self, case: Case[HangzhouOptions], arrangement: Arrangement, tally: Tally
    ) -> Iterable[tuple[int, str, Tally]]:
        """One double more; there is no limit."""
        yield 1, "doubles", tally._replace(value=2 * tally.value, uncapped=2 * tally.value)

    def refusal(self, case: Case[HangzhouOptions], arrangement: Arrangement, tally: Tally) -> Refusal | None:
        """Why a discard or a kong may not be claimed; what does not depend on whose tile it was comes first."""
        if not case.claimed:
            return None
        reasons = list(_claim_refusals(case))
        return Refusal.of(reasons) if reasons else None

    def settle(self, case: Case[HangzhouOptions], arrangement: Arrangement, tally: Tally) -> Payments:
        """See :func:`scoring.rules.hangzhou.payment.payments_for`."""
        after, c = 0, case.context.convert_to(HangzhouContext)
        if c.liable is not None:
            doubles = {line.element.id: line.count for line in tally.lines}
            floats, kongs = doubles.get("fortune_float", 0), doubles.get("kong_bloom", 0)
            if case.is_result_only:
                floats, kongs = c.floats, kong_streak_of(case)
            after = min(c.doubles_after or 1, max(floats - 1, 0) + kongs)
        return payments_for(case.context, case.hand.melds, tally.value, case.options, after=after)


def _least_factor(case: Case[HangzhouOptions]) -> int:
    """The factor of what is known without tiles: a robbed kong, kongs, the floats that somebody is liable for."""
    c, values = case.context.convert_to(HangzhouContext), case.options.values
    doubles = kong_streak_of(case) + (c.floats if c.liable else 0)
    met = (("wild_eye", c.liable is not None), ("robbing_kong", c.win is Win.ROBBED_KONG))
    return prod(values.get(id_, 2) or 1 for id_, true in met if true) << doubles


def _line(id_: str, times: int = 1, about: Iterable[object] = ()) -> Line:
    return Line(ELEMENTS[id_], 2**times, times, tuple(about))


def _lines(case: Case[HangzhouOptions], a: Arrangement) -> list[Line]:
    """The elements that the house plays, at its values, which multiply like all factors."""
    return house_lines(_met_lines(case, a), case.options.values, operator.pow)


def _met_lines(case: Case[HangzhouOptions], a: Arrangement) -> Iterable[Line]:
    if a is BY_DISCARDS:
        yield Line(ELEMENTS["ten_honours"], 2 ** honours_doubles(case))  # one element, whatever it doubles
        return
    held, c = case.compute_once(count_held_tiles), case.context.convert_to(HangzhouContext)
    if a.shape is Shape.SEVEN_PAIRS:
        yield _line("seven_pairs", about=a.units)
        if not held.wilds and (not case.claimed or case.options.seven_pairs_pure_on_claim):
            yield _line("seven_pairs_pure")
        if held.quads:
            yield _line("deluxe", len(held.quads), held.quads)
    if held.any_tile_wins and not case.claimed:
        yield _line("wild_eye", about=(PLAIN[held.fortune.wild],))
        if c.floats:
            yield _line("fortune_float", c.floats)
    streak = kong_streak_of(case)
    if streak:
        kongs = [u for u in a.units if u.type is UnitType.KONG]
        yield _line("kong_bloom", streak, kongs if len(kongs) == streak else ())  # which of more, nobody said
    if c.win is Win.ROBBED_KONG:
        yield _line("robbing_kong", about=(case.hand.winning_tile,))


def _fortune_note(case: Case[HangzhouOptions]) -> str:
    held = case.compute_once(count_held_tiles)
    wild, face = PLAIN[held.fortune.wild], held.fortune.face
    if face < 0:
        return say("{t} is the wild tile, {n} in hand.", t=wild.code, n=held.wilds)
    ordinary = "{t} is the wild tile, {n} in hand; 5z is an ordinary {u}."
    return say(ordinary, t=wild.code, n=held.wilds, u=PLAIN[face].code)


def _claim_refusals(case: Case[HangzhouOptions]) -> Iterable[Refusal]:
    c, options = case.context.convert_to(HangzhouContext), case.options
    robbed = c.win is Win.ROBBED_KONG
    if options.wall_only:
        yield Refusal("wall_only", "This house lets only a self-drawn tile win.")
    if case.hand.winning_tile is not None:
        yield from _tile_refusals(case, robbed)
    need = options.rob_min_streak if robbed else THIRD_TIME
    if streak_of(c, options) < need:
        what = (
            "A kong is robbed only from the dealer's hand {n} in a row, not in {m}."
            if robbed
            else "A discard is claimed only from the dealer's hand {n} in a row, not in {m}."
        )
        yield Refusal("claim_needs_streak", say(what, n=need, m=c.streak))
    banker = banker_of(c)
    if banker not in (c.seat, c.source):
        message = say(
            "Winner or discarder must be the dealer, {s}: other players claim nothing from each other.", s=banker
        )
        yield Refusal("claim_needs_banker", message)


def _tile_refusals(case: Case[HangzhouOptions], robbed: bool) -> Iterable[Refusal]:
    held = case.compute_once(count_held_tiles)
    if held.won_wild:
        why = (
            "{t} is a wild tile: it is never part of a kong, so nobody robs it."
            if robbed
            else "{t} is a wild tile: a discarded one can never be claimed."
        )
        yield Refusal("fortune_claimed", say(why, t=case.hand.winning_tile))
    if held.any_tile_wins:
        yield Refusal("wild_eye_claim", "The hand waited for any tile (Wild Eye): it wins by self-draw only.")


SYSTEM: Final = Hangzhou()
