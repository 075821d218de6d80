"""Who pays an MCR hand: everybody the base, the giver of the tile (or everybody, when drawn) the points as well."""

from __future__ import annotations

from scoring.context import Context
from scoring.errors import counted
from scoring.payments import Amount, Payments, Transfer, losers_pay
from scoring.rules.mcr.options import McrOptions
from scoring.seats import OTHERS, Seat


def settle(context: Context, points: int, options: McrOptions) -> Payments:
    """The payments of a win of these points, flower tiles included."""

    def due(loser: Seat) -> tuple[Amount, str]:
        if context.self_drawn or loser is context.source:
            return (options.base + points) * options.unit, f"base {options.base} and {counted(points, 'points')}"
        return options.base * options.unit, f"base {options.base}, another gave the tile"

    return losers_pay(context, due)


def false_win(offender: Seat, options: McrOptions | None = None) -> Payments:
    """A false win: the offender pays each of the others, as the house has it."""
    options = options or McrOptions()
    share = options.false_win * options.unit
    others = OTHERS[offender] if share else ()
    return Payments(tuple(Transfer(offender, seat, share, "false win") for seat in others))
