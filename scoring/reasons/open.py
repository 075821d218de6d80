"""What the questions that nearly every hand turns on would change, as long as nobody has answered them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from scoring.errors import InvalidRequest
from scoring.payments import Amount, plain_amount
from scoring.reasons.scored import Scored, Scorer, income_of
from scoring.system import Case


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """One of the system's ``prompts`` that has not been answered, and what an answer would change.

    Attributes:
        name: the context field. value: the answer that is supposed. legal: whether the hand wins then.
        income: what the winner gets then. change: the difference from the present income.
    """

    name: str
    value: object
    legal: bool
    income: Amount
    change: Amount

    def to_json(self) -> dict[str, Any]:
        """Return the ``open`` entry of a score response."""
        value = [str(tile) for tile in self.value] if isinstance(self.value, tuple) else self.value
        money = {"income": plain_amount(self.income), "change": plain_amount(self.change)}
        return {"name": self.name, "value": value, "legal": self.legal, **money}


def open_questions(score: Scored, again: Scorer) -> Iterator[OpenQuestion]:
    """Yield the open questions whose answer would make a valid hand; the hand is scored ``again`` with each.

    None without tiles, where they do not win, where nothing is above them, or where it is not known whose tile it was,
    on which the income depends. A number that changes nothing is not open.
    """
    if score.payments is None or score.arrangement is None or score.tally is None:
        return
    system, now = score.system, income_of(score)
    if not system.can_pay_more(score.tally, score.options):
        return
    context = score.context.convert_to(system.context_class)
    case: Case[Any] = Case(score.hand, context, score.options)
    nothing = system.context_class(context.seat, context.win, context.source)
    for name in system.prompts:
        value = system.suppose(name, case)
        if value is None or getattr(context, name) != getattr(nothing, name):
            continue
        supposed: dict[str, Any] = {name: value}
        try:
            other = again(system, Case(score.hand, replace(context, **supposed), score.options))
        except InvalidRequest:  # the hand cannot have it: riichi with an open meld, ippatsu without riichi
            continue
        income = income_of(other)
        if income == now and not isinstance(value, bool | tuple):
            continue
        yield OpenQuestion(name, value, other.legal, income, income - now)
