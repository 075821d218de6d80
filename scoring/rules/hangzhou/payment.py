"""Who pays a Hangzhou hand: factor, banker's streak, three-set liability, chips left; and payments without a hand.

Between the winner and a loser, one of them the banker, the factor is doubled once for every hand of the banker's
streak, three times at most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import localcontext
from typing import Final

from scoring.context import Context, Win
from scoring.errors import Fault, InvalidRequest
from scoring.hand import Meld, MeldType
from scoring.payments import EXACT, Amount, Payments, Transfer, losers_pay, plain
from scoring.rules.hangzhou.options import THIRD_TIME, HangzhouOptions
from scoring.seats import Seat
from scoring.tiles import KINDS, Tile

LIABLE_SETS: Final = 3
"""Feeding so many open sets makes liable."""
_FIRST_HONOUR: Final = 27
_TEN: Final = 10

Fed = Mapping[tuple[Seat, Seat], int]


def streak_of(context: Context, options: HangzhouOptions) -> int:
    """The banker's streak as it counts."""
    return max(context.streak, THIRD_TIME) if options.immediate_third_banker else context.streak


def fed_by_melds(winner: Seat, melds: Sequence[Meld]) -> dict[tuple[Seat, Seat], int]:
    """(feeder, winner) -> open sets of the winner that say whom they were claimed from.

    A filled kong keeps the source of its pung; a concealed kong has none.
    """
    fed: dict[tuple[Seat, Seat], int] = {}
    for meld in melds:
        if meld.source is not None and meld.type is not MeldType.KONG_CONCEALED:
            fed[meld.source, winner] = fed.get((meld.source, winner), 0) + 1
    return fed


def all_fed(context: Context, melds: Sequence[Meld]) -> dict[tuple[Seat, Seat], int]:
    """(feeder, receiver) -> open sets, from the context and from the winner's melds."""
    fed = dict(context.fed)
    for pair, sets in fed_by_melds(context.seat, melds).items():
        fed[pair] = max(sets, fed.get(pair, 0))
    return fed


def payments_for(context: Context, melds: Sequence[Meld], factor: int, options: HangzhouOptions) -> Payments:
    """What a win of this factor is paid.

    Args:
        context: who won, how, whose the tile was (known unless self-drawn), banker, streak, who fed whom.
        melds: of the winner; they may say who fed them.
        factor: product of the elements. options: house rules.
    """
    with localcontext(EXACT):
        return _capped(_owed(context, all_fed(context, melds), factor, options), options)


def _owed(context: Context, fed: Fed, factor: int, options: HangzhouOptions) -> Payments:
    winner, source = context.seat, context.source
    streak = min(streak_of(context, options), THIRD_TIME)
    counted = f"factor {factor}" if options.unit == 1 else f"unit {plain(options.unit)} x factor {factor}"

    def due(loser: Seat) -> tuple[Amount, str]:
        if context.banker not in (loser, winner):
            return factor * options.unit, counted
        return factor * 2**streak * options.unit, f"{counted} x {2**streak} with the banker, {context.banker}"

    if context.win is Win.ROBBED_KONG:
        return losers_pay(context, due, liable=source, liable_why="whose kong was robbed")
    if context.win is Win.DISCARD and source is not None:
        return _claimed(context, fed, options, *due(source))
    if context.liable is not None:
        return losers_pay(context, due, liable=context.liable.seat, liable_why="liable after a float")
    shares = {loser: _share(winner, loser, fed) for loser in context.losers}
    if not any(share for share, _ in shares.values()):
        return losers_pay(context, due)
    whole = sum(due(loser)[0] for loser in context.losers)

    def owed(loser: Seat) -> tuple[Amount, str]:
        share, reason = shares[loser]
        return share * whole, f"{reason}: {share} x {plain(whole)}, what all three owe at {counted}"

    return losers_pay(context, owed)


def _claimed(context: Context, fed: Fed, options: HangzhouOptions, amount: Amount, why: str) -> Payments:
    """The discarder alone pays; with the house rule, those tied by three sets pay on top."""

    def owed(loser: Seat) -> tuple[Amount, str]:
        own = 1 if loser is context.source else 0
        share, reason = _share(context.seat, loser, fed) if options.liability_on_claim else (0, "")
        if not share:
            return own * amount, f"his discard, {why}"
        return (own + share) * amount, f"{'his discard, ' * own}{reason}: {own + share} x {plain(amount)}, {why}"

    return losers_pay(context, owed)


def _share(winner: Seat, other: Seat, fed: Fed) -> tuple[int, str]:
    """How many times the whole a player owes for sets fed to the winner (1) and by him (2), and why."""
    liable, counter = fed.get((other, winner), 0), fed.get((winner, other), 0)
    share = (liable >= LIABLE_SETS) + 2 * (counter >= LIABLE_SETS)
    reasons = ("", f"fed {winner} {liable} sets", f"was fed {counter} sets by {winner}")
    return share, f"{reasons[1]} and {reasons[2]}" if share == 3 else reasons[share]


def _capped(payments: Payments, options: HangzhouOptions) -> Payments:
    """Nobody pays more chips than he has left; the first in turn after the winner is paid for first."""
    left = {Seat(seat): chips for seat, chips in options.remaining.items()}
    kept: list[Transfer] = []
    for t in payments.transfers:
        payer = Seat(t.payer)
        amount, why = t.amount, t.why
        if payer in left:
            if left[payer] < amount:
                amount, why = left[payer], f"{why}, but has only {plain(left[payer])} left"
            left[payer] -= amount
        if amount:
            kept.append(Transfer(payer, t.payee, amount, why))
    return Payments(tuple(kept))


def false_win(
    context: Context, factor: int = 1, options: HangzhouOptions | None = None, melds: Sequence[Meld] = ()
) -> Payments:
    """A false win: the offender pays each opponent what that opponent would have paid him.

    Args:
        context: the win he claimed: ``seat`` is the offender.
        factor: product of the elements he claimed. options: house rules. melds: his open sets.

    Raises:
        InvalidRequest: he claimed a tile and ``source`` does not say whose.
    """
    options = options or HangzhouOptions()
    if context.source is None and not context.self_drawn:
        raise InvalidRequest.of([Fault("from_needed", "Whose tile was claimed? Give 'from'.", "context.from")])
    with localcontext(EXACT):
        meant = _owed(context, all_fed(context, melds), factor, options)
        paid = [Transfer(t.payee, t.payer, t.amount, f"false win: {t.why}") for t in meant.transfers]
        return _capped(Payments(tuple(paid)), options)


def ten_honours(context: Context, discards: Sequence[Tile], options: HangzhouOptions) -> Payments:
    """Ten honours, a house rule: a player whose first ten discards were winds and dragons is paid as for a self-draw.

    Args:
        context: ``seat`` is that player, ``win`` a self-draw; banker, streak.
        discards: his first ten discards, white dragons with their own face; nothing melded meanwhile.
        options: house rules; ``ten_honours`` is the factor.

    Raises:
        InvalidRequest: the house does not play it, the context is no self-draw, or the discards are not such ten.
    """
    faults = []
    if options.ten_honours is None:
        faults.append(Fault("bad_option", "Ten honours are not played: set ten_honours.", "options.ten_honours"))
    if not context.self_drawn:
        faults.append(Fault("contradiction", "Ten honours are paid as a self-draw: set win to it.", "context.win"))
    if len(discards) != _TEN or not all(_FIRST_HONOUR <= t.kind < KINDS for t in discards):
        faults.append(Fault("bad_value", f"Ten honours are {_TEN} first discards, all winds and dragons.", "discards"))
    if faults or options.ten_honours is None:
        raise InvalidRequest.of(faults)
    return payments_for(context, (), options.ten_honours, options)
