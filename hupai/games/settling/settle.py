"""A confirmed hand -> what it pays every player, and the table after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from itertools import product
from typing import Any, Final

from hupai.games.settling.ending import ENDINGS, ending_reason
from hupai.games.settling.wins import declared_seats, parse_claim, settle_wins
from hupai.games.terms.confirmed import (
    OUTCOMES,
    RIICHI_STICK_POINTS,
    Confirmed,
    GameRules,
    GameState,
    HandResult,
    riichi_stick_payments,
)
from hupai.games.terms.state import HandEnding, TableState, next_state, state_with_dealer
from scoring.errors import Fault, InvalidRequest, choice_message
from scoring.payments import NO_PAYMENTS, POT, Amount, Payments, Transfer, cap_payments, merge_payments, plain_amount
from scoring.rules.riichi import nagashi_mangan, noten_payments
from scoring.seats import EMPTY_SEAT, Seat
from scoring.words.sentence import joined, say, say_many

_MOST_LEFT: Final = 8
"""Riichi sticks, or draws that filled a jackpot, of a table whose hands are not known: two last draws with riichi by
all; if more is missing, a digit is wrong."""


def settle_hand(house: GameRules, standing: GameState, confirmed: Confirmed) -> HandResult:
    """Score and settle a hand.

    Raises:
        InvalidRequest: the game is over, fields that do not belong to the outcome or the rules, hands that are invalid
            or may not win; all faults of one kind are named at once.
    """
    before = standing.state
    faults = (
        _game_over_faults(before)
        or _field_faults(house, confirmed)
        or _seat_faults(before, confirmed)
        or _stick_faults(house, standing, confirmed)
    )
    if faults:
        raise InvalidRequest.of(faults)
    if confirmed.outcome == "win":
        settled = settle_wins(house, before, confirmed)
    elif confirmed.outcome == "draw":
        settled = _settle_draw(house, before, confirmed)
    elif confirmed.outcome == "result":
        settled = _settle_result(house, standing, confirmed.totals)
    else:
        settled = HandResult((), (), _other_payments(house, before, confirmed), before, before)
    jackpot = _jackpot_payments(house, standing, settled, confirmed)
    settled = replace(settled, payments=merge_payments([settled.payments, jackpot]))
    capped = house.course.out_of_points == "pays_what_is_left" and confirmed.outcome != "result"
    if standing.totals is not None and capped:
        settled = replace(settled, payments=_cap_payments(settled.payments, confirmed, before, standing.totals))
    after = _override_state(house, before, settled.after, confirmed.next_state)
    if standing.totals is not None:
        amounts = settled.by_account
        points = [standing.totals[str(n)] + amounts[str(n)] for n in range(before.players)]
        after = replace(after, ended=ending_reason(house, standing, confirmed, after, points))
    return replace(settled, after=after)


def _game_over_faults(before: TableState) -> list[Fault]:
    if before.ended is None:
        return []
    message = say("The game is over: {a}. Reopen it to go on.", a=say(ENDINGS[before.ended]))
    return [Fault("game_over", message, "outcome")]


def _seat_faults(before: TableState, c: Confirmed) -> list[Fault]:
    """Return faults: seats that nobody sits in; those of winners and discarders are found with their hands."""
    named = {
        "riichi": c.riichi,
        "ready": c.ready,
        "nagashi": c.nagashi,
        "offender": (c.offender,),
        "transfers": [account for t in c.transfers for account in (t.payer, t.payee)],
    }
    return [
        Fault("bad_value", say(EMPTY_SEAT, s=seat), name)
        for name, seats in named.items()
        for seat in dict.fromkeys(seats)
        if isinstance(seat, Seat) and seat not in before.seats_taken
    ]


def _stick_faults(house: GameRules, standing: GameState, c: Confirmed) -> list[Fault]:
    """Return faults: riichi without the points for a stick, in a game that ends when somebody has none."""
    if standing.totals is None or not house.conventions.sticks or house.course.out_of_points == "owes":
        return []
    has = {seat: standing.totals[str(standing.state.player_at(seat))] for seat in declared_seats(c)}
    template = "{s} has {n} points: a riichi stick is {m}."
    return [
        Fault("contradiction", say(template, s=seat, n=plain_amount(points), m=RIICHI_STICK_POINTS), "riichi")
        for seat, points in has.items()
        if points < RIICHI_STICK_POINTS
    ]


_BELONGS: Final[Mapping[str, tuple[str, ...]]] = {
    "wins": ("win",),
    "riichi": ("win", "draw"),
    "ready": ("draw",),
    "nagashi": ("draw",),
    "abortive": ("draw",),
    "transfers": ("payment",),
    "offender": ("false_win",),
    "claim": ("false_win",),
    "seat": ("instant",),
    "event": ("instant",),
    "dealt": ("instant",),
    "totals": ("result",),
}

_NEEDED: Final = {
    "win": "wins",
    "payment": "transfers",
    "false_win": "offender",
    "instant": "seat",
    "result": "totals",
}


def _field_faults(house: GameRules, c: Confirmed) -> list[Fault]:
    """Return faults: fields where they do not belong, missing fields, customs that the rules do not have."""
    template = "{field} belongs to {names}, not to {name}."
    found = [
        Fault("contradiction", say(template, field=name, names=" or ".join(where), name=c.outcome), name)
        for name, where in _BELONGS.items()
        if getattr(c, name) and c.outcome not in where
    ]
    needed = _NEEDED.get(c.outcome)
    if c.outcome not in OUTCOMES:
        found.append(Fault("bad_value", choice_message("outcome", OUTCOMES, c.outcome), "outcome"))
    elif needed and not getattr(c, needed):
        message = say("A {name} needs {field}.", name=c.outcome.replace("_", " "), field=needed)
        found.append(Fault("missing", message, needed))
    conventions, name = house.conventions, house.system.name
    if not conventions.sticks:
        found += [
            Fault("contradiction", say("{system} has no {field}.", system=name, field=field), field)
            for field in ("riichi", "ready", "nagashi", "abortive")
            if getattr(c, field)
        ]
    if c.outcome == "false_win" and conventions.claimed_back is None and c.claim:
        message = say("{system} has one penalty for any false win: leave claim out.", system=name)
        found.append(Fault("contradiction", message, "claim"))
    if c.outcome == "false_win" and conventions.claimed_back is not None and not c.claim:
        template = "A false win in {system} pays what it meant to receive: say in claim how, whose tile and what value."
        message = say(template, system=name)
        found.append(Fault("missing", message, "claim"))
    if c.outcome == "false_win" and conventions.false_win is None and conventions.claimed_back is None:
        message = say("{system} has no fixed amount for a false win; enter it as payments.", system=name)
        found.append(Fault("no_penalty", message, "outcome"))
    if c.outcome == "instant" and conventions.instant is None:
        message = say("{system} has no instant payments; enter it as payments.", system=name)
        found.append(Fault("no_instant", message, "outcome"))
    play = house.play
    if len(c.wins) > play.winners:
        found.append(Fault("bad_value", _too_many_winners(house), "wins"))
    if c.nagashi and not play.nagashi:
        found.append(Fault("contradiction", "By the house rules there is no nagashi mangan.", "nagashi"))
    if c.abortive and not play.abortive_draws:
        found.append(Fault("contradiction", "By the house rules no hand is drawn early.", "abortive"))
    if c.abortive and (c.ready or c.nagashi):
        found.append(
            Fault("contradiction", "At an abortive draw nobody is paid: leave ready and nagashi out.", "ready")
        )
    if c.outcome == "draw" and not c.abortive and (waiting := [s for s in c.riichi if s not in c.ready]):
        template = "{a} declared riichi and must be ready; if not, it is a false win (chombo)."
        message = say(template, a=joined([say("{s}", s=seat) for seat in waiting], ", "))
        found.append(Fault("contradiction", message, "ready"))
    if len(c.riichi) != len(set(c.riichi)):
        found.append(Fault("bad_value", "Name each seat that declared riichi once.", "riichi"))
    return found


def _too_many_winners(house: GameRules) -> str:
    play = house.play
    if play.three_draw:
        return "By the house rules three who claim one tile draw the hand: enter it as drawn early."
    if play.winners == house.conventions.winners:
        one, more = "{system} allows {n} winner on one tile.", "{system} allows {n} winners on one tile."
        return say_many(one, more, play.winners, system=house.system.name)
    if play.winners == 1:
        return "By the house rules the nearest after the discarder wins alone: leave the others out."
    return "By the house rules the nearest two after the discarder win: leave the third out."


def _settle_draw(house: GameRules, before: TableState, c: Confirmed) -> HandResult:
    parts = [riichi_stick_payments(c.riichi)]
    if c.nagashi:
        parts.append(nagashi_mangan(*c.nagashi, options=house.parsed_options))
    elif house.conventions.sticks and not c.abortive:
        parts.append(noten_payments(c.ready, house.parsed_options))
    ended = HandEnding(dealer_ready=Seat.E in c.ready, abortive=c.abortive)
    after = next_state(before, house.rotation, house.first_dealer, ended)
    after = replace(after, riichi_sticks=before.riichi_sticks + len(c.riichi))
    return HandResult((), (), merge_payments(parts), before, after)


def _jackpot_payments(house: GameRules, standing: GameState, settled: HandResult, c: Confirmed) -> Payments:
    """Return what everybody pays into the jackpot for a drawn hand, or what a winner takes.

    Of several winners whose hands are worth enough, the nearest after the discarder takes all that lies there.
    """
    course = house.course
    if course.jackpot and c.outcome == "draw":
        return Payments(tuple(Transfer(seat, POT, course.jackpot, "jackpot") for seat in standing.state.seats_taken))
    if course.jackpot and standing.totals is not None and standing.totals[POT]:
        for score in settled.scores:
            if score.tally is not None and score.tally.value >= course.jackpot_from:
                return Payments((Transfer(POT, score.context.seat, standing.totals[POT], "jackpot"),))
    return NO_PAYMENTS


def _settle_result(house: GameRules, standing: GameState, totals: tuple[Decimal, ...]) -> HandResult:
    """Return the payments that bring the table to these totals; what they lack to the whole lies in the pot.

    Raises:
        InvalidRequest: the totals do not add up, lack too much, or are not those of all players.
    """
    before, now = standing.state, standing.totals
    assert now is not None
    if len(totals) != before.players:
        message = say("Give the totals of all {n} players, not of {m}.", n=before.players, m=len(totals))
        raise InvalidRequest.of([Fault("bad_value", message, "totals")])
    pot, sticks = sum(now.values()) - sum(totals), house.conventions.sticks
    each = Decimal(RIICHI_STICK_POINTS) if sticks else before.players * (house.course.jackpot or Decimal(0))
    left = each and 0 < pot <= max(now[POT], _MOST_LEFT * each) and pot % each == 0
    if not left and pot not in (0, now[POT]):
        template = (
            "The totals and the riichi sticks left over must add up to {n}, not to {m}."
            if sticks
            else "The totals must add up to {n}, not to {m}."
        )
        message = say(template, n=plain_amount(sum(now.values())), m=plain_amount(sum(totals, Decimal(0))))
        raise InvalidRequest.of([Fault("contradiction", message, "totals")])
    change: dict[Seat | str, Decimal] = {
        s: totals[before.player_at(s)] - now[str(before.player_at(s))] for s in before.seats_taken
    }
    change[POT] = pot - now[POT]
    transfers = []
    for payer, payee in product([a for a in change if change[a] < 0], [a for a in change if change[a] > 0]):
        amount = min(-change[payer], change[payee])
        if amount > 0:
            transfers.append(Transfer(payer, payee, amount, "result of the table"))
            change[payer] += amount
            change[payee] -= amount
    after = replace(before, riichi_sticks=int(pot / RIICHI_STICK_POINTS)) if sticks else before
    return HandResult((), (), Payments(tuple(transfers)), before, after)


def _other_payments(house: GameRules, before: TableState, c: Confirmed) -> Payments:
    conventions = house.conventions
    if c.outcome == "payment":
        return Payments(c.transfers)
    if c.outcome == "false_win" and c.offender is not None:
        if conventions.claimed_back is not None:
            context, value = parse_claim(house.system, before, c.offender, c.claim)
            return conventions.claimed_back(context, value, house.parsed_options)
        if conventions.false_win is not None:
            return conventions.false_win(c.offender, house.parsed_options)
    if conventions.instant is not None and c.seat is not None:
        return conventions.instant(c.seat, c.event or "", house.parsed_options, c.dealt)
    raise AssertionError(f"unchecked outcome {c.outcome}")


def _cap_payments(payments: Payments, c: Confirmed, before: TableState, totals: Mapping[str, Any]) -> Payments:
    """Limit payments to what the payers have, in the order they are due; payments named by hand must not exceed it."""
    left: dict[Seat | str, Amount] = {seat: totals[str(before.player_at(seat))] for seat in before.seats_taken}
    paid = cap_payments(payments, left)
    if c.outcome == "payment" and paid != payments:
        short = next(t.payer for t, p in zip(payments.transfers, [*paid.transfers, None], strict=False) if t != p)
        template = "{s} has only {n} left, and nobody owes anything in this game."
        message = say(template, s=short, n=plain_amount(left[short]))
        raise InvalidRequest.of([Fault("contradiction", message, "transfers")])
    return paid


def _override_state(house: GameRules, before: TableState, state: TableState, fields: Mapping[str, Any]) -> TableState:
    """Return the state with some fields overridden by the players.

    The streak of another dealer than the rotation's and the round follow from who deals, unless they are said, too.

    Raises:
        InvalidRequest: values out of range.
    """
    dealer = fields.get("dealer", state.dealer)
    if dealer != state.dealer:
        dealt = state_with_dealer(before, dealer, house.rotation, house.first_dealer)
        state = replace(state, dealer=dealer, streak=dealt.streak, round=dealt.round)
    return replace(state, **fields)
