"""Singapore money: what a number of doubles costs each loser, and the payments made at once during play.

A figure has two columns: what a loser pays on another player's discard, and the doubled rate, which the
discarder and everybody on a self-draw pay. All amounts are exact decimals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal, localcontext
from typing import Final

from scoring.context import Context, Win
from scoring.errors import InvalidRequest, format_count, quote_value
from scoring.hand import Hand, MeldType
from scoring.payments import EXACT, Amount, Payments, Transfer, losers_pay, plain_amount
from scoring.rules.singapore.liability import LIABLE_KINDS
from scoring.rules.singapore.options import SingaporeOptions
from scoring.seats import OTHERS, SEATS, Seat
from scoring.words.sentence import joined, say

_HALF: Final = Decimal("0.5")
_USUAL_LIMIT: Final = 5


def payment_columns(doubles: int, options: SingaporeOptions) -> tuple[Decimal, Decimal]:
    """What this many doubles cost a payer: on another's discard, and at the doubled rate.

    Args:
        doubles: before the limit. options: base, limit, rounding, bonus over the limit.
    """
    capped = doubles if options.limit is None else min(doubles, options.limit)
    with localcontext(EXACT):
        single = options.base * 2**capped
        columns = (single, 2 * single)
        if options.rounding == "up":
            columns = (_round_figure(columns[0]), _round_figure(columns[1]))
        over = (doubles - capped) * options.over_bonus
        return columns[0] + over, columns[1] + over


def _round_figure(figure: Decimal) -> Decimal:
    return _HALF if figure <= _HALF else figure.to_integral_value(ROUND_CEILING)


def columns_text(doubles: int, options: SingaporeOptions) -> str:
    """The two columns and how they came about, for the explanation."""
    single, double = payment_columns(doubles, options)
    capped = doubles if options.limit is None else min(doubles, options.limit)
    with localcontext(EXACT):
        steps: list[str] = [f"{plain_amount(options.base)}/{plain_amount(2 * options.base)} x 2^{capped}"]
    if options.rounding == "up":
        steps.append("rounded up")
    if doubles > capped and options.over_bonus:
        steps.append(say("{n} for each tai over the limit", n=plain_amount(options.over_bonus)))
    return say(
        "{a}: {n} from each payer, {m} at the double rate.",
        a=joined(steps, ", "),
        n=plain_amount(single),
        m=plain_amount(double),
    )


def settle(context: Context, doubles: int, options: SingaporeOptions) -> Payments:
    """Who pays the winner, for this many doubles before the limit."""
    single, double = payment_columns(doubles, options)
    source = context.source
    payer, why = None, ""
    if context.win is Win.ROBBED_KONG and options.rob_kong_bao:
        payer, why = source, "who was robbed"
    elif options.shooter and not context.self_drawn:
        payer, why = source, "the shooter"
    if context.liable is not None:
        payer, why = context.liable.seat, LIABLE_KINDS[context.liable.kind]

    def due(loser: Seat) -> tuple[Amount, str]:
        amount, reason = single, "single rate"
        if context.self_drawn:
            amount, reason = double, "double rate, self-draw"
        elif loser is source and options.discarder == "twice":
            amount, reason = 2 * single, "twice the single rate, the discarder"
        elif loser is source:
            amount, reason = double, "double rate, the discarder"
        return _double_for_east(amount, reason, (loser, context.seat), options)

    return losers_pay(context, due, liable=payer, liable_why=why)


def _double_for_east(
    amount: Amount, reason: str, between: tuple[Seat, Seat], options: SingaporeOptions
) -> tuple[Amount, str]:
    if options.dealer_doubling and Seat.E in between:
        return 2 * amount, say("{a}, doubled for east", a=say(reason))
    return amount, reason


def false_win(offender: Seat, options: SingaporeOptions | None = None) -> Payments:
    """A false win, such as one without a double: the offender pays each other player a limit hand as if self-drawn.

    The source calls such wins penalisable and names no amount; the house rule ``false_win`` does.

    Raises:
        InvalidRequest: the house has no fixed penalty.
    """
    options = options or SingaporeOptions()
    if options.false_win is None:
        raise InvalidRequest("This house has no fixed penalty for a false win: set false_win.", field="offender")
    most = options.limit or _USUAL_LIMIT
    doubles = most if isinstance(options.false_win, str) else options.false_win
    share = payment_columns(doubles, options)[1]
    why = say("false win, {a}", a=format_count(doubles, "tai"))
    paid = [(seat, *_double_for_east(share, why, (offender, seat), options)) for seat in OTHERS[offender]]
    return Payments(tuple(Transfer(offender, seat, amount, reason) for seat, amount, reason in paid))


@dataclass(frozen=True, slots=True)
class InstantEvent:
    """Something that each other player pays for at once, whoever wins the hand.

    Attributes:
        id: snake_case name. name: English. native: Chinese.
        doubles: it is paid at the self-draw rate of so many.
        dealt: the doubles when it was complete in the opening deal, or None where that makes no difference.
    """

    id: str
    name: str
    native: str
    doubles: int
    dealt: int | None = None


INSTANT: Final[dict[str, InstantEvent]] = {
    event.id: event
    for event in (
        InstantEvent("cat_and_rat", "Cat and rat", "猫咬鼠", 1, 2),
        InstantEvent("rooster_and_centipede", "Rooster and centipede", "鸡咬虫", 1, 2),
        InstantEvent("own_flower_and_season", "Own flower and own season", "咬", 1, 2),
        InstantEvent("flower_set", "All four flowers", "一台花（花）", 2),
        InstantEvent("season_set", "All four seasons", "一台花（季）", 2),
        InstantEvent("animal_set", "All four animals", "动物杠", 2),
        InstantEvent("exposed_kong", "Exposed kong", "明杠", 1),
        InstantEvent("concealed_kong", "Concealed kong", "暗杠", 2),
    )
}
"""Every event with an instant payment, by id."""


def instant_payments(
    seat: Seat, event: str, options: SingaporeOptions | None = None, *, dealt: bool = False
) -> Payments:
    """What the others pay ``seat`` at once for an event of :data:`INSTANT`.

    Args:
        seat: who holds the tiles. event: an id of :data:`INSTANT`.
        options: base and rounding of the house; its limit where ``instant_limit`` says so.
        dealt: a pair that was complete in the opening deal.

    Raises:
        InvalidRequest: no such event, or one for which the deal makes no difference.
    """
    found = INSTANT.get(event)
    if found is None:
        known = ", ".join(INSTANT)
        message = say("No instant payment for {name}; there are {names}.", name=quote_value(event), names=known)
        raise InvalidRequest(message, field="event")
    if dealt and found.dealt is None:
        raise InvalidRequest(
            say("{a} pays the same in the opening deal: leave dealt off.", a=say(found.name)), field="dealt"
        )
    doubles = found.dealt if dealt and found.dealt is not None else found.doubles
    options = options or SingaporeOptions()
    share = payment_columns(doubles, options if options.instant_limit else replace(options, limit=None))[1]
    paid_for = "instant payment for {a}, dealt" if dealt else "instant payment for {a}"
    why = say(paid_for, a=say(found.name.lower()))
    return Payments(tuple(Transfer(payer, seat, share, why) for payer in SEATS if payer is not seat))


def instant_events(hand: Hand, seat: Seat) -> tuple[str, ...]:
    """The events that a shown hand proves, one entry each; whether a pair was dealt cannot be seen."""
    held = {t.code for t in hand.bonus}
    number = seat.turn + 1
    needs = (
        ("cat_and_rat", {"a1", "a2"}),
        ("rooster_and_centipede", {"a3", "a4"}),
        ("own_flower_and_season", {f"f{number}", f"g{number}"}),
        ("flower_set", {"f1", "f2", "f3", "f4"}),
        ("season_set", {"g1", "g2", "g3", "g4"}),
        ("animal_set", {"a1", "a2", "a3", "a4"}),
    )
    found = [name for name, need in needs if need <= held]
    for meld in hand.melds:
        if meld.type.is_kong:
            found.append("concealed_kong" if meld.type is MeldType.KONG_CONCEALED else "exposed_kong")
    return tuple(found)
