"""What the reasons for a score need of it, and of the way to score its hand again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from scoring.arrangements.arrange import Arrangement
from scoring.context import Context
from scoring.hand import Hand
from scoring.payments import Amount, Payments
from scoring.system import Case, RuleSystem, Tally


class Scored(Protocol):
    """A score, as far as it is needed here; see :class:`scoring.score.Score`."""

    @property
    def system(self) -> RuleSystem[Any]: ...
    @property
    def hand(self) -> Hand: ...
    @property
    def context(self) -> Context: ...
    @property
    def tally(self) -> Tally | None: ...
    @property
    def arrangement(self) -> Arrangement | None: ...
    @property
    def payments(self) -> Payments | None: ...
    @property
    def options(self) -> Any: ...
    @property
    def legal(self) -> bool: ...


Scorer = Callable[[RuleSystem[Any], Case[Any]], Scored]
"""Scores a case, as :func:`scoring.score.score_case`."""


def income_of(score: Scored) -> Amount:
    """Return what the winner gets; 0 where that is not known."""
    return score.payments.net[score.context.seat.value] if score.payments is not None else 0


__all__ = ["Scorer", "income_of"]
