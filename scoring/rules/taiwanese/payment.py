"""Who pays a Taiwanese hand: base and tai, more between the dealer and another player; and what a false win costs."""

from __future__ import annotations

from scoring.context import Context
from scoring.payments import Amount, Payments, Transfer, losers_pay, plain_amount
from scoring.rules.taiwanese.context import TaiwaneseContext
from scoring.rules.taiwanese.elements import TAI
from scoring.rules.taiwanese.options import TaiwaneseOptions
from scoring.seats import OTHERS, Seat
from scoring.words.sentence import say


def dealers_tai(context: Context, options: TaiwaneseOptions) -> int:
    """The tai between the dealer and another player: 1, and 2 for each hand that he has stayed (連莊拉莊)."""
    dealer, stayed = (options.values.get(id_, TAI[id_]) for id_ in ("dealer", "streak"))
    return dealer + stayed * (context.convert_to(TaiwaneseContext).streak - 1)


def tai_limit(dealers: int, options: TaiwaneseOptions) -> int | None:
    """The most tai that the house allows where ``dealers`` of them are the dealer's; None: no limit."""
    if options.max_tai is None or options.max_tai_of == "all":
        return options.max_tai
    return options.max_tai + dealers


def settle(context: Context, tai: int, options: TaiwaneseOptions) -> Payments:
    """The payments of a win of these tai, a winning dealer's own among them.

    Who gave the tile pays, or all three when it was drawn; the dealer's tai are added to what a losing dealer pays.
    """

    def due(loser: Seat) -> tuple[Amount, str]:
        if not (context.self_drawn or loser is context.source):
            return 0, ""
        more = dealers_tai(context, options) if loser is Seat.E else 0
        limit = tai_limit(dealers_tai(context, options) if Seat.E in (loser, context.seat) else 0, options)
        owed = tai + more if limit is None else min(tai + more, limit)
        base, dealers = plain_amount(options.base), owed - tai
        why = say("base {n} and {m} tai", n=base, m=owed)
        if dealers > 0:
            why = say("base {n} and {m} tai, {k} of them as the dealer", n=base, m=owed, k=dealers)
        return options.base + owed * options.unit, why

    return losers_pay(context, due)


def false_win(offender: Seat, options: TaiwaneseOptions | None = None) -> Payments:
    """A false win 詐胡: the offender pays each of the others the base and the tai of the house rule ``false_win``."""
    options = options or TaiwaneseOptions()
    share = options.base + options.false_win * options.unit
    why = say("false win, {a}", a=say("base {n} and {m} tai", n=plain_amount(options.base), m=options.false_win))
    return Payments(tuple(Transfer(offender, seat, share, why) for seat in OTHERS[offender] if share))
