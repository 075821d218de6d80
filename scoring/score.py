"""hand + context -> score: the steps every system shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from scoring.arrangements.arrange import Arrangement, Shape, Wait
from scoring.context import Context
from scoring.errors import Fault, InvalidRequest, format_count
from scoring.hand import Hand
from scoring.options import default_options, options_of
from scoring.payments import NO_PAYMENTS, Payments
from scoring.reasons.open import open_questions
from scoring.reasons.why import Why, explain_score
from scoring.rulebook.result import Result
from scoring.rules import system_named
from scoring.seats import SEATS, Seat, others_of
from scoring.system import Case, Refusal, RuleSystem, Tally
from scoring.tiles import Tile
from scoring.words.sentence import say


class Score(NamedTuple):
    """The score of a hand, the reasons, and who pays; a named tuple, since one is created for every hand.

    Attributes:
        system: the rules. hand, context: what was scored.
        refusal: why the hand may not win, or None when it is legal.
        tally: the elements and their sum; None when the tiles make no winning shape.
        arrangement: the one that was chosen; None when the tiles make no winning shape.
        payments: zero for a refused hand; None when the discarder's seat is unknown (see ``payments_if``).
        payments_if: discarder -> payments, only when that seat is unknown.
        options: the house rules it was scored under.
    """

    system: RuleSystem[Any]
    hand: Hand
    context: Context
    refusal: Refusal | None
    tally: Tally | None
    arrangement: Arrangement | None
    payments: Payments | None
    payments_if: Mapping[Seat, Payments] | None = None
    options: Any = None

    @property
    def legal(self) -> bool:
        """True when the hand may win."""
        return self.refusal is None

    @property
    def explanation(self) -> list[str]:
        """The steps to the result, one sentence per line."""
        whys = [line.why for line in self.tally.lines] if self.tally else []
        return _explain(self, whys, self.payments.written().sentences if self.payments is not None else ())

    @property
    def why(self) -> Why:
        """Why it is no higher: what was not counted, the next best arrangement, the next step, other house rules."""
        return explain_score(self, score_case)

    def to_json(self, request_id: object = None, *, with_why: bool = False, with_open: bool = False) -> dict[str, Any]:
        """Return the score response of the JSON contracts.

        Args:
            request_id: is echoed. with_why: say why the score is no higher. with_open: say what open questions
                would change.
        """
        system, hand, _, refusal, tally, arrangement, payments, payments_if, _ = self  # quicker than one by one
        lines = tally.lines if tally else ()
        whys = [line.why for line in lines]
        paid = payments.written() if payments is not None else None
        response: dict[str, Any] = {
            "id": request_id,
            "rules": system.id,
            "legal": refusal is None,
            "reason": {"code": refusal.code, "message": refusal.message} if refusal else None,
            "elements": [line.to_json(why) for line, why in zip(lines, whys, strict=True)],
            "total": _total_json(system, tally) if tally else None,
            "arrangement": _arrangement_json(hand, arrangement) if arrangement else [],
            "payments": dict(paid.net) if paid else None,
            "transfers": [dict(t) for t in paid.transfers] if paid else [],
            "explanation": _explain(self, whys, paid.sentences if paid else ()),
        }
        if payments_if is not None:
            response["payments_if_from"] = {seat.value: p.to_json() for seat, p in payments_if.items()}
        if with_why:
            response["why"] = self.why.to_json()
        if with_open:
            response["open"] = [question.to_json() for question in open_questions(self, score_case)]
        return response


def score(
    hand: Hand, context: Context, rules: str | RuleSystem[Any], options: Mapping[str, object] | None = None
) -> Score:
    """Score a hand: every arrangement is valued, the best after limits is chosen, payments follow from it.

    Args:
        hand: the winning hand. context: how it was won.
        rules: a system, its name or an alias (:func:`scoring.rules.system_named`).
        options: house rules by name, as in JSON.

    Raises:
        InvalidRequest: unknown rules, options or values, invalid tiles or circumstances; all faults
            are named at once. A hand that may not win is not an error: the result says why.
    """
    system = system_named(rules) if isinstance(rules, str) else rules
    kind = system.option_class
    house = options_of(kind, options, system.name) if options else default_options(kind)  # type: ignore[arg-type]
    return score_case(system, Case(hand, context, house))


def score_case(system: RuleSystem[Any], case: Case[Any]) -> Score:
    """Do the same as :func:`score` for a case that has already been parsed."""
    sets = system.shapes.sets
    if case.hand.sets != sets:
        template = "{system} is played with {n} sets and a pair: make the Hand with sets={n}."
        message = say(template, system=system.name, n=sets)
        raise InvalidRequest.of([Fault("wrong_count", message, "concealed")])
    faults = system.faults(case)
    if faults:
        raise InvalidRequest.of(faults)
    if case.context.source is None and case.claimed:
        return _for_every_discarder(system, case)
    arrangement, tally = None, None
    for each in system.arrangements(case):
        found = system.tally(case, each)
        if tally is None or found.rank > tally.rank:
            arrangement, tally = each, found
    if arrangement is None or tally is None:
        none = system.shape_refusal(case)
        return Score(system, case.hand, case.context, none, None, None, NO_PAYMENTS, options=case.options)
    refusal = system.refusal(case, arrangement, tally)
    payments = NO_PAYMENTS if refusal else system.settle(case, arrangement, tally)
    parts = (system, case.hand, case.context, refusal, tally, arrangement, payments, None, case.options)
    return tuple.__new__(Score, parts)  # in half the time of Score(...)


def score_result(system: RuleSystem[Any], case: Case[Any], result: Result) -> Score:
    """Return the score of a result given without tiles: it has payments, but its elements are unknown.

    Raises:
        InvalidRequest: a figure that the rules do not have, circumstances that make no sense.
    """
    faults = system.result_faults(case)
    if faults:
        raise InvalidRequest.of(faults)
    tally = system.result_tally(case, result)
    refusal = system.refusal(case, _NO_TILES, tally)
    if refusal is None and case.claimed and case.context.source is None:
        cases = {seat: replace(case, context=replace(case.context, source=seat)) for seat in _losers(system, case)}
        by_seat = {seat: system.settle(one, _NO_TILES, tally) for seat, one in cases.items()}
        return Score(system, case.hand, case.context, None, tally, None, None, by_seat, case.options)
    payments = NO_PAYMENTS if refusal else system.settle(case, _NO_TILES, tally)
    return Score(system, case.hand, case.context, refusal, tally, None, payments, None, case.options)


_NO_TILES: Final = Arrangement(Shape.STANDARD, (), (), (), (), -1, 0, Wait.SINGLE)


def _for_every_discarder(system: RuleSystem[Any], case: Case[Any]) -> Score:
    """Score with each possible discarder; return one answer if they agree in all but the payments.

    A hand that cannot win from any of them is refused for the reasons that apply to all.
    """
    scores: dict[Seat, Score] = {}
    refused: InvalidRequest | None = None
    losers = _losers(system, case)
    for seat in losers:
        try:
            scores[seat] = score_case(system, replace(case, context=replace(case.context, source=seat)))
        except InvalidRequest as error:
            refused = error
    if not scores and refused is not None:
        raise refused
    answers = {(s.legal, s.tally and s.tally.rank) for s in scores.values()}
    first, *others = scores.values()
    common = [r for r in _reasons(first) if all(r in _reasons(s) for s in others)]
    one_answer = len(answers) == 1 and (first.legal or common)
    if not one_answer or 1 < len(scores) < len(losers):  # with one seat left it was that one's, and nobody is asked
        message = say("Under {system} this hand depends on whose tile it was: give 'from'.", system=system.name)
        raise InvalidRequest.of([Fault("from_needed", message, "context.from")])
    if common:
        return first._replace(context=case.context, refusal=Refusal.of(common))
    by_seat = {s: scores[s].payments or Payments() for s in SEATS if s in scores}
    return first._replace(context=case.context, payments=None, payments_if=by_seat)


def _losers(system: RuleSystem[Any], case: Case[Any]) -> tuple[Seat, ...]:
    return others_of(case.context.seat, system.players(case.options))


def _reasons(s: Score) -> tuple[Refusal, ...]:
    return s.refusal.reasons if s.refusal else ()


def _total_json(system: RuleSystem[Any], t: Tally) -> dict[str, Any]:
    return {"unit": system.unit, "value": t.value, "uncapped": t.uncapped, "limit": t.limit, **t.extra}


def _explain(s: Score, whys: Sequence[str], paid: Sequence[str]) -> list[str]:
    lines: list[str] = []
    system, hand, _, refusal, tally, arrangement, payments, _, _ = s
    if arrangement is not None:
        if read := str(arrangement):
            lines.append(
                f"Read as {read}, won with {hand.winning_tile.code}." if hand.winning_tile else f"Read as {read}."
            )
        else:
            alone = "discards" if arrangement.shape is Shape.DISCARDS else "bonus tiles"
            lines.append(f"Won by {alone} alone.")
    if tally is not None:
        unit = tally.line_unit or system.unit_name
        for (element, value, _, _, listed), why in zip(tally.lines, whys, strict=True):
            lines.append(f"{element.name} {element.native}: {_line_value(value, listed, unit)} - {why}.")
        lines += tally.notes
    if refusal is not None:
        lines.append(f"No win: {refusal.message}")
    elif payments is not None:
        lines += paid
    else:
        for seat, payments in (s.payments_if or {}).items():
            lines.append(f"If {seat} gave the tile: " + "; ".join(str(t) for t in payments.transfers) + ".")
    return lines


@lru_cache(maxsize=1 << 10)
def _line_value(value: int, listed: int | None, unit: str) -> str:
    """Return what a line adds in words, and beside it the listed value that the house has replaced.

    ``2 points``, ``1 point``; factors multiply, so they are ``x2``.
    """
    said = f"x{value}" if unit == "factor" else format_count(value, unit)
    return said if listed is None else f"{said} (house rule; listed: {_line_value(listed, None, unit)})"


def _arrangement_json(hand: Hand, arrangement: Arrangement) -> list[dict[str, Any]]:
    """Return the arrangement in JSON, made of the hand's own tiles, so that red fives remain visible.

    The winning tile is in the unit that it completed, all others are taken from the concealed tiles.
    If a unit contains wild tiles or stand-ins, ``stands_for`` lists what its tiles are read as, one for one.
    """
    fives = [t for t in hand.concealed if t.kind in _FIVES] if hand.reds else None
    melds = iter(hand.melds)
    drawn: list[dict[str, Any]] = []
    for unit in arrangement.units:
        entry = unit.written.copy()
        if unit.melded:
            entry["tiles"] = list(next(melds).codes)
        else:
            entry["tiles"] = codes = list(entry["tiles"])
            if unit.physical:
                entry["stands_for"] = list(entry["stands_for"])
            elif fives is not None and not _FIVES.isdisjoint(unit.kinds):
                _put_fives(codes, unit.kinds, fives, hand.winning_tile if unit.won else None)
        drawn.append(entry)
    return drawn


_FIVES: Final = frozenset((4, 13, 22))
"""The kinds that have red tiles."""


def _put_fives(codes: list[str], kinds: tuple[int, ...], fives: list[Tile], won: Tile | None) -> None:
    """Put the fives that a hand has in the place of plain ones: the winning tile if given, others out of the list."""
    for at, kind in enumerate(kinds):
        if won is not None and won.kind == kind:
            codes[at], won = won.code, None
        elif kind in _FIVES:
            five = next(t for t in fives if t.kind == kind)
            fives.remove(five)
            codes[at] = five.code
