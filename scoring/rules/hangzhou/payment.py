"""Who pays a Hangzhou hand: factor, banker's streak, liability, chips left; and what a false win costs.

Between the winner and a loser, one of them the banker, the factor is doubled once for every hand of the banker's
streak, three times at most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import localcontext

from scoring.context import Context, Win
from scoring.errors import Fault, InvalidRequest, format_count
from scoring.hand import Meld
from scoring.payments import EXACT, Amount, Payments, Transfer, cap_payments, losers_pay, merge_payments, plain_amount
from scoring.rules.hangzhou.context import HangzhouContext
from scoring.rules.hangzhou.liability import Share, shares_of
from scoring.rules.hangzhou.options import THIRD_TIME, HangzhouOptions, banker_of, streak_of
from scoring.seats import Seat
from scoring.words.sentence import labelled, say

DueOf = Callable[[Seat], tuple[Amount, str]]
"""What a loser owes by himself, and why."""


def payments_for(
    context: Context, melds: Sequence[Meld], factor: int, options: HangzhouOptions, *, after: int = 0
) -> Payments:
    """What a win of this factor is paid.

    Args:
        context: who won, how, whose the tile was (known unless self-drawn), banker, streak, who fed whom.
        melds: of the winner; they may say who fed them.
        factor: product of the elements. options: house rules.
        after: doubles of the factor made after the discard of the player who is liable for a float.
    """
    with localcontext(EXACT):
        return _cap_to_chips(
            _uncapped_payments(context.convert_to(HangzhouContext), melds, factor, options, after), options
        )


def _uncapped_payments(
    context: HangzhouContext, melds: Sequence[Meld], factor: int, options: HangzhouOptions, after: int = 0
) -> Payments:
    due = _due_function(context, factor, options)
    if context.win is Win.ROBBED_KONG:
        return losers_pay(context, due, liable=context.source, liable_why="whose kong was robbed")
    shares = shares_of(context, melds, options)
    if context.win is Win.DISCARD and context.source is not None:
        return _claim_payments(context, shares, options, *due(context.source))
    if context.liable is None or not after:
        return _self_draw_payments(context, shares, factor, options)
    before = factor // 2**after
    later = _total_due(context, due) - _total_due(context, _due_function(context, before, options))
    why = say(
        "for {a} made after their discard, of all three: factor {n} in place of {m}",
        a=format_count(after, "doubles"),
        n=factor,
        m=before,
    )
    paid = Transfer(context.liable.seat, context.seat, later, why)
    return merge_payments((_self_draw_payments(context, shares, before, options), Payments((paid,))))


def _due_function(context: HangzhouContext, factor: int, options: HangzhouOptions) -> DueOf:
    winner, banker = context.seat, banker_of(context)
    staying = 2 ** min(streak_of(context, options), THIRD_TIME)
    why = _factor_text(factor, options)

    def due(loser: Seat) -> tuple[Amount, str]:
        if banker not in (loser, winner):
            return factor * options.unit, why
        return factor * staying * options.unit, say("{a} x {n} with the dealer, {s}", a=why, n=staying, s=banker)

    return due


def _factor_text(factor: int, options: HangzhouOptions) -> str:
    return (
        say("factor {n}", n=factor)
        if options.unit == 1
        else say("unit {k} x factor {n}", k=plain_amount(options.unit), n=factor)
    )


def _total_due(context: HangzhouContext, due: DueOf) -> Amount:
    return sum(due(loser)[0] for loser in context.losers)


def _self_draw_payments(
    context: HangzhouContext, shares: dict[Seat, Share], factor: int, options: HangzhouOptions
) -> Payments:
    """Everybody pays his due, or those tied by three sets pay the whole, once for every tie."""
    due = _due_function(context, factor, options)
    if not any(share.times for share in shares.values()):

        def own(loser: Seat) -> tuple[Amount, str]:
            amount, why = due(loser)
            return amount, say("{a}; {b}", a=why, b=shares[loser].why) if shares[loser].why else why

        return losers_pay(context, own)
    whole, at = _total_due(context, due), _factor_text(factor, options)

    def owed(loser: Seat) -> tuple[Amount, str]:
        share = shares[loser]
        sum_ = say("{k} x {n}, what all three owe at {a}", k=share.times, n=plain_amount(whole), a=at)
        return share.times * whole, labelled(share.why, sum_)

    return losers_pay(context, owed)


def _claim_payments(
    context: HangzhouContext, shares: dict[Seat, Share], options: HangzhouOptions, amount: Amount, why: str
) -> Payments:
    """The discarder alone pays; with the house rule, those tied by three sets pay on top."""

    def owed(loser: Seat) -> tuple[Amount, str]:
        own = 1 if loser is context.source else 0
        share = shares[loser]
        if not share.times or not options.liability_on_claim:
            return own * amount, say("their discard, {a}", a=why)
        times = own + share.times
        sum_ = say("{k} x {n}, {a}", k=times, n=plain_amount(amount), a=why)
        all_ = labelled(share.why, sum_)
        return times * amount, say("their discard, {a}", a=all_) if own else all_

    return losers_pay(context, owed)


def _cap_to_chips(payments: Payments, options: HangzhouOptions) -> Payments:
    """What the payers have left of it; the first in turn after the winner is paid for first."""
    return cap_payments(payments, {Seat(seat): chips for seat, chips in options.remaining.items()})


def false_win(context: Context, factor: int = 1, options: HangzhouOptions | None = None) -> Payments:
    """A false win: the offender pays what he meant to receive.

    The text names the amount, not to whom it goes: each opponent gets what he would have paid, so that who was to pay
    nothing gains nothing.

    Args:
        context: the win he claimed: ``seat`` is the offender.
        factor: product of the elements he claimed. options: house rules.

    Raises:
        InvalidRequest: he claimed a tile and ``source`` does not say whose.
    """
    options = options or HangzhouOptions()
    if context.source is None and not context.self_drawn:
        raise InvalidRequest.of([Fault("from_needed", "Whose tile was claimed? Give 'from'.", "context.from")])
    with localcontext(EXACT):
        meant = _uncapped_payments(context.convert_to(HangzhouContext), (), factor, options)
        paid = [Transfer(t.payee, t.payer, t.amount, say("false win: {a}", a=say(t.why))) for t in meant.transfers]
        return _cap_to_chips(Payments(tuple(paid)), options)
