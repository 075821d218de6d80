"""Who pays an MCR hand: everybody the base, the giver of the tile (or everybody, when drawn) the points as well."""

from __future__ import annotations

from scoring.context import Context
from scoring.payments import Amount, Payments, Transfer, losers_pay
from scoring.rules.mcr.options import McrOptions
from scoring.seats import OTHERS, Seat
from scoring.words.sentence import say, say_many


def settle(context: Context, points: int, options: McrOptions) -> Payments:
    """The payments of a win of these points, flower tiles included."""

    def due(loser: Seat) -> tuple[Amount, str]:
        if context.self_drawn or loser is context.source:
            why = say_many("base {m} and {n} point", "base {m} and {n} points", points, m=options.base)
            return (options.base + points) * options.unit, why
        return options.base * options.unit, say("base {n}, another gave the tile", n=options.base)

    return losers_pay(context, due)


def false_win(offender: Seat, options: McrOptions | None = None) -> Payments:
    """A false win: the offender pays each of the others, as the house has it."""
    options = options or McrOptions()
    share = options.false_win * options.unit
    others = OTHERS[offender] if share else ()
    return Payments(tuple(Transfer(offender, seat, share, "false win") for seat in others))
