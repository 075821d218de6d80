"""Why a hand scores no more: what was not counted, other arrangements, tiles and house rules, the next step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from scoring.arrangements.arrange import Arrangement
from scoring.errors import InvalidRequest
from scoring.options import format_value
from scoring.payments import Amount, plain_amount
from scoring.reasons.nearest import Exchange, nearest_elements
from scoring.reasons.scored import Scored, Scorer, income_of
from scoring.system import Case, Tally, UncountedElement
from scoring.words.sentence import say, say_many


@dataclass(frozen=True, slots=True)
class Step:
    """What a little more would pay.

    Attributes:
        more: number of additional units. unit: which: ``faan``, ``doubles``, ``han``, ``fu`` ... unit_name: in words.
        income: what the winner would get then. now: what the winner gets at present; None if it is no win.
    """

    more: int
    unit: str
    unit_name: str
    income: Amount
    now: Amount | None

    def __str__(self) -> str:
        one, more = self.unit_name.removesuffix("s"), self.unit_name
        return say_many("{n} more " + one + ": {a}.", "{n} more " + more + ": {a}.", self.more, a=self._outcome)

    @property
    def _outcome(self) -> str:
        if self.now is None:
            return say("a win")
        return say("the winner gets {n} instead of {m}", n=plain_amount(self.income), m=plain_amount(self.now))

    def to_json(self) -> dict[str, Any]:
        """Return the figures and the sentence, for programs."""
        figures = {"income": plain_amount(self.income), "now": None if self.now is None else plain_amount(self.now)}
        return {"more": self.more, "unit": self.unit, **figures, "sentence": str(self)}


@dataclass(frozen=True, slots=True)
class HouseRuleEffect:
    """The same hand under another house rule.

    Attributes:
        option, value: the rule, and its value instead of the present one.
        legal: whether the hand wins then. income: what the winner gets. change: the difference from the present income.
    """

    option: str
    value: object
    legal: bool
    income: Amount
    change: Amount

    def __str__(self) -> str:
        rule = f"with {self.option}={format_value(self.value)}"
        if not self.legal:
            return f"{rule}: no win"
        sign = "+" if self.change > 0 else ""
        return f"{rule}: {sign}{plain_amount(self.change)} ({plain_amount(self.income)})"

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        value = self.value if self.value is None or isinstance(self.value, bool | int) else str(self.value)
        money = {"income": plain_amount(self.income), "change": plain_amount(self.change)}
        return {"option": self.option, "value": value, "legal": self.legal, **money}


@dataclass(frozen=True, slots=True)
class Why:
    """Why a hand scores no more.

    Attributes:
        not_counted: elements that the hand meets and that were not counted, and why.
        second_best: the next best arrangement of the hand, and its value; None if there is no other.
        next_steps: the smallest increases that pay more; none if the limit is reached or nobody can pay.
        nearest: elements that another tile in the place of one would make, and that pay more, the best first.
        house_rules: single house rules that change what the winner gets, the greatest change first.
    """

    not_counted: tuple[UncountedElement, ...]
    second_best: str | None
    next_steps: tuple[Step, ...]
    nearest: tuple[Exchange, ...]
    house_rules: tuple[HouseRuleEffect, ...]

    @property
    def sentences(self) -> list[str]:
        """Everything but the house rules, one sentence per line."""
        lines = [str(left) for left in self.not_counted]
        lines += [self.second_best] if self.second_best else []
        return lines + [str(step) for step in self.next_steps]

    def to_json(self) -> dict[str, Any]:
        """Return the ``why`` object of a score response."""
        return {
            "not_counted": [left.to_json() for left in self.not_counted],
            "second_best": self.second_best,
            "next_steps": [step.to_json() for step in self.next_steps],
            "nearest": [exchange.to_json() for exchange in self.nearest],
            "house_rules": [rule.to_json() for rule in self.house_rules],
        }


_NOTHING: Final = Why((), None, (), (), ())


def explain_score(score: Scored, again: Scorer) -> Why:
    """Return why this score is no higher; the hand is scored ``again`` under other house rules and more: slow."""
    if score.tally is None or score.arrangement is None:
        return _NOTHING
    case: Case[Any] = Case(score.hand, score.context, score.options)
    left_out = tuple(score.system.uncounted_elements(case, score.arrangement, score.tally))
    if case.claimed and case.context.source is None:  # payments depend on who discarded the tile
        return Why(left_out, None, (), (), ())
    return Why(
        left_out,
        _second_best(score, case, score.arrangement, score.tally),
        tuple(_next_steps(score, case, score.arrangement, score.tally)),
        tuple(nearest_elements(score, again)),
        tuple(
            sorted(_house_rule_effects(score, case, again), key=lambda rule: (-_magnitude(rule.change), rule.option))
        ),
    )


def _second_best(score: Scored, case: Case[Any], best: Arrangement, tally: Tally) -> str | None:
    """Return the best of the arrangements that look different; the same sets with another winning unit do not count."""
    found: tuple[Tally, Arrangement] | None = None
    for arrangement in score.system.arrangements(case):
        if str(arrangement) == str(best):
            continue
        other = score.system.tally(case, arrangement)
        if found is None or other.rank > found[0].rank:
            found = other, arrangement
    if found is None or found[0].rank > tally.rank:
        return None
    return say("Read as {a} it would be {b}.", a=str(found[1]), b=score.system.describe_value(found[0]))


def _next_steps(score: Scored, case: Case[Any], a: Arrangement, tally: Tally) -> Iterator[Step]:
    """Yield the first increase of each unit that pays more, or makes the hand a win."""
    now = income_of(score)
    done: set[str] = set()
    for more, unit, higher in score.system.higher_tallies(case, a, tally):
        if unit in done or score.system.refusal(case, a, higher) is not None:
            continue
        income = score.system.settle(case, a, higher).net[case.context.seat.value]
        if income > now or not score.legal:
            done.add(unit)
            name = score.system.unit_name if unit == score.system.unit else unit
            yield Step(more, unit, name, income, now if score.legal else None)


def _house_rule_effects(score: Scored, case: Case[Any], again: Scorer) -> Iterator[HouseRuleEffect]:
    now, around = income_of(score), score.system.conventions.play_options
    for option in (o for o in score.system.options if o.name not in around):
        current = getattr(case.options, option.name)
        for value in option.values or score.system.compared.get(option.name, ()):
            if value == current and type(value) is type(current):
                continue
            try:
                other = again(
                    score.system, Case(case.hand, case.context, replace(case.options, **{option.name: value}))
                )
            except InvalidRequest:  # house rules that contradict each other, or this hand
                continue
            income = income_of(other)
            if income != now or other.legal is not score.legal:
                yield HouseRuleEffect(option.name, value, other.legal, income, income - now)


def _magnitude(change: Amount) -> Amount:
    return -change if change < 0 else change
