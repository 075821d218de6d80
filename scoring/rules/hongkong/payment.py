"""Hong Kong money: doubling for the self-draw, the discarder and east, or the printed columns of the Canton table."""

from __future__ import annotations

from scoring.context import Context, Win
from scoring.payments import NO_PAYMENTS, Amount, Payments, Transfer, losers_pay, plain_amount
from scoring.rules.hongkong.liability import LIABLE_KINDS
from scoring.rules.hongkong.options import HongKongOptions, base_of
from scoring.seats import OTHERS, Seat
from scoring.words.sentence import say


def due_of(
    payer: Seat,
    payee: Seat,
    faan: int,
    options: HongKongOptions,
    *,
    self_drawn: bool,
    his_tile: bool,
    drawn_how: str = "{a}, doubled for self-draw",
) -> tuple[Amount, str]:
    """What one player owes another for a hand of this many faan (after the cap), and why.

    Args:
        payer, payee: loser and winner. faan: after the cap. options: house rules.
        self_drawn: the winner drew the tile. his_tile: the payer discarded it or was robbed of it.
        drawn_how: the reason for doubling a self-draw, a template that begins with what is doubled.
    """
    base = base_of(faan, options)
    if options.table == "canton" and options.canton_settlement == "columns":
        share = base // 2 if self_drawn else base if his_tile else 0  # a self-draw has 1 faan at least, so base >= 2
        return share * options.unit, say("printed column for {n} faan", n=faan)
    factors = (
        (self_drawn, drawn_how),
        (his_tile, "{a}, doubled for the discarder"),
        (options.dealer_doubling and Seat.E in (payer, payee), "{a}, doubled for east"),
    )
    text = say("base {n}", n=plain_amount(base * options.unit))
    for doubled, reason in factors:
        if doubled:
            base, text = 2 * base, say(reason, a=say(text))
    return base * options.unit, text


def settle(context: Context, faan: int, options: HongKongOptions) -> Payments:
    """Who pays the winner for this many faan after the cap; nobody for fewer than the house pays from."""
    if faan < options.pays_from:
        return NO_PAYMENTS
    liable, why = None, ""
    robbed_as_drawn = context.win is Win.ROBBED_KONG and options.rob_kong_as_self_pick
    if context.win is Win.ROBBED_KONG and options.rob_kong_pays_all:
        liable, why = context.source, "whose kong was robbed"
    if context.liable is not None:
        liable, why = context.liable.seat, say("liable by {a}", a=say(LIABLE_KINDS[context.liable.kind]))

    def due(loser: Seat) -> tuple[Amount, str]:
        return due_of(
            loser,
            context.seat,
            faan,
            options,
            self_drawn=context.self_drawn or robbed_as_drawn,
            his_tile=loser is context.source and not robbed_as_drawn,
            drawn_how="{a}, doubled for a robbed kong" if robbed_as_drawn else "{a}, doubled for self-draw",
        )

    return losers_pay(context, due, liable=liable, liable_why=why)


def false_win(offender: Seat, options: HongKongOptions | None = None) -> Payments:
    """A false win 詐糊: the offender pays every other player a limit hand's self-draw share.

    The source text names false wins without an amount; this is the customary penalty. The unlimited table has no
    limit: there 13 faan are paid.
    """
    options = options or HongKongOptions()
    faan = 13 if options.table == "unlimited" else options.max_faan
    transfers = []
    for seat in OTHERS[offender]:
        share, why = due_of(offender, seat, faan, options, self_drawn=True, his_tile=False)
        transfers.append(Transfer(offender, seat, share, say("false win, {a}", a=why)))
    return Payments(tuple(transfers))
