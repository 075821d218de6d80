"""Who pays whom: transfers, which sum to zero by construction. Amounts are exact (int or Decimal)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Context as Precision
from decimal import Decimal, Inexact, localcontext
from functools import lru_cache
from typing import Any, Final, NamedTuple

from scoring.context import Context
from scoring.seats import Seat
from scoring.words.sentence import say

Amount = int | Decimal
POT: Final = "pot"
"""The table's pot of riichi sticks, a fifth account."""
EXACT: Final = Precision(prec=1000, traps=[Inexact])
"""The precision of money: many digits, and an error instead of a rounded figure."""


class Transfer(NamedTuple):
    """One payment from ``payer`` to ``payee`` (a seat, or the pot), and the rule's reason for its size."""

    payer: Seat | str
    payee: Seat | str
    amount: Amount
    why: str

    def __str__(self) -> str:
        return f"{self.payer} pays {self.payee} {plain_amount(self.amount)}: {self.why}"


@dataclass(frozen=True, slots=True)
class Payments:
    """All transfers of one hand.

    Raises:
        ValueError: a transfer to oneself, or of less than nothing.
    """

    transfers: tuple[Transfer, ...] = ()

    def __post_init__(self) -> None:
        for payer, payee, amount, _ in self.transfers:
            if payer == payee or amount < 0:
                raise ValueError(f"no transfer: {payer} -> {payee}: {amount}")

    @property
    def net(self) -> dict[str, Amount]:
        """Seat (and ``pot``) -> what it wins or loses; the five numbers sum to zero."""
        for _, _, amount, _ in self.transfers:
            if not isinstance(amount, int):
                with localcontext(EXACT):
                    return _net(self.transfers)
        return _net(self.transfers)  # integers are exact anyway

    def written(self) -> WrittenPayments:
        """Return the payments for a score response, shared by all that are equal: not to be changed."""
        return _written(self.transfers)

    def to_json(self) -> dict[str, int | str]:
        """Return the ``payments`` object: integers, or decimal strings for amounts that are not whole."""
        return dict(self.written().net)

    @property
    def transfers_json(self) -> list[dict[str, Any]]:
        """The ``transfers`` of a score response."""
        return [dict(t) for t in self.written().transfers]


class WrittenPayments(NamedTuple):
    """Payments in JSON, and who pays whom how much and why, one sentence per transfer."""

    net: Mapping[str, int | str]
    transfers: tuple[Mapping[str, Any], ...]
    sentences: tuple[str, ...]


@lru_cache(maxsize=1 << 12)
def _written(transfers: tuple[Transfer, ...]) -> WrittenPayments:
    """Cached, because the same few payments occur again and again."""
    net = {account: plain_amount(amount) for account, amount in Payments(transfers).net.items()}
    entries = [
        {"from": str(payer), "to": str(payee), "amount": plain_amount(amount), "why": why}
        for payer, payee, amount, why in transfers
    ]
    return WrittenPayments(net, tuple(entries), tuple([f"{t}." for t in transfers]))


def _net(transfers: tuple[Transfer, ...]) -> dict[str, Amount]:
    total: dict[str, Amount] = {"E": 0, "S": 0, "W": 0, "N": 0, POT: 0}
    for payer, payee, amount, _ in transfers:
        total[payer] -= amount
        total[payee] += amount
    return total


NO_PAYMENTS: Final = Payments()


def plain_amount(amount: Amount) -> int | str:
    """Return an amount for JSON and for people: an int, or a decimal string if it is not whole."""
    if isinstance(amount, int):
        return amount
    if amount == int(amount):
        return int(amount)
    return format(amount.normalize(EXACT), "f")


def losers_pay(
    context: Context, due: Callable[[Seat], tuple[Amount, str]], *, liable: Seat | None = None, liable_why: str = ""
) -> Payments:
    """Return payments in which every loser pays the due amount, or ``liable`` pays all three.

    Args:
        context: who won.
        due: loser -> (amount, why), computed in :data:`EXACT`.
        liable: the seat that pays for everybody, or None.
        liable_why: the rule that makes it pay.
    """
    winner = context.seat
    transfers = []
    with localcontext(EXACT):
        dues = [(loser, *due(loser)) for loser in context.losers]
    for loser, amount, why in dues:
        if amount:
            payer = loser if liable is None else liable
            reason = why if payer is loser else say("for {s}, {a}; {b}", s=loser, a=say(liable_why), b=say(why))
            transfers.append(Transfer(payer, winner, amount, reason))
    return Payments(tuple(transfers))


def merge_payments(parts: Iterable[Payments]) -> Payments:
    """Return all transfers of several payments."""
    return Payments(tuple(t for p in parts for t in p.transfers))


def cap_payments(payments: Payments, left: Mapping[Seat | str, Amount]) -> Payments:
    """Limit payments, in order, to what each payer has left; a payer who is not in ``left`` pays in full."""
    rest = dict(left)
    kept: list[Transfer] = []
    with localcontext(EXACT):
        for t in payments.transfers:
            amount, why = t.amount, t.why
            if t.payer in rest:
                if rest[t.payer] < amount:
                    amount, why = rest[t.payer], say("{a}, but has only {n} left", a=why, n=plain_amount(rest[t.payer]))
                rest[t.payer] -= amount
            if amount:
                kept.append(Transfer(t.payer, t.payee, amount, why))
    return Payments(tuple(kept))
