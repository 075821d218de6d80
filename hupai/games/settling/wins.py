"""The winners of one hand, scored together; a falsely claimed win, where the penalty is what it would have paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hupai.games.terms.confirmed import Confirmed, GameRules, HandResult, riichi_stick_payments, winners_contexts
from hupai.games.terms.state import HandEnding, TableState, next_state
from scoring.basics.context_field import context_fields
from scoring.context import Context, Win
from scoring.errors import Fault, InvalidRequest
from scoring.fields.reader import FieldReader, field_names
from scoring.payments import merge_payments
from scoring.request import Request, parse_request
from scoring.rules import system_named
from scoring.score import Score
from scoring.seats import Seat
from scoring.system import RuleSystem
from scoring.words.sentence import say

_DORA: Final = "dora_indicators"
_URA: Final = "ura_indicators"
_LISTED: Final = "{s} is listed in riichi, but the hand says otherwise."


def settle_wins(house: GameRules, before: TableState, c: Confirmed) -> HandResult:
    """Score every winner with what the table knows, and settle the whole hand.

    Raises:
        InvalidRequest: hands that are invalid or may not win, winners who contradict each other; all at once.
    """
    declared = declared_seats(c) if house.conventions.sticks else []
    lying = before.riichi_sticks + len(declared)
    order = sorted(range(len(c.wins)), key=lambda i: _turns_after_discarder(c.wins[i]))
    tables = winners_contexts(house, before, [_seat_said(c.wins[i], "seat") for i in order], declared)
    wins = _with_indicators(c.wins, declared)
    faults = _several_faults(wins) + _riichi_faults(c.wins, c.riichi)
    requests: list[dict[str, Any]] = []
    parsed: list[Request] = []
    for i, table in zip(order, tables, strict=True):
        request, found = _full_request(house, wins[i], {**table, **_riichi_known(c.wins[i], declared)})
        requests.append(request)
        try:
            parsed.append(parse_request(request))
        except InvalidRequest as error:
            found += error.faults
        faults += [Fault(f.code, f.message, f"wins[{i}].{f.field}" if f.field else f"wins[{i}]") for f in found]
    if faults:
        raise InvalidRequest.of(faults)
    scores = _scored(parsed, order)
    taken = sum(r["context"].get("riichi_sticks") or 0 for r in requests) if house.conventions.sticks else 0
    if taken > lying:
        message = say("Only {n} riichi sticks lie on the table, not {m}.", n=lying, m=taken)
        raise InvalidRequest.of([Fault("contradiction", message, "wins[0].context.riichi_sticks")])
    paid = merge_payments([riichi_stick_payments(declared), *(s.payments for s in scores if s.payments is not None)])
    winners = tuple(before.player_at(p.case.context.seat) for p in parsed)
    passes = any(s.arrangement is not None and s.arrangement.shape in house.conventions.passes for s in scores)
    after = next_state(before, house.rotation, house.first_dealer, HandEnding(winners, passes=passes))
    return HandResult(tuple(requests), tuple(scores), paid, before, replace(after, riichi_sticks=lying - taken))


def _scored(parsed: Sequence[Request], order: Sequence[int]) -> list[Score]:
    """Return the scores; hands that may not win and discarders that nobody named are refused, all at once."""
    scores: list[Score] = []
    faults: list[Fault] = []
    for i, request in zip(order, parsed, strict=True):
        try:
            result = request.score()
        except InvalidRequest as error:
            faults += [Fault(f.code, f.message, f"wins[{i}].{f.field}") for f in error.faults]
            continue
        scores.append(result)
        if result.refusal is not None:
            faults.append(
                Fault(result.refusal.code, say("Not a valid win: {a}", a=say(result.refusal.message)), f"wins[{i}]")
            )
        elif result.payments is None:
            faults.append(Fault("from_needed", "Say whose tile it was, so that they pay.", f"wins[{i}].context.from"))
    if faults:
        raise InvalidRequest.of(faults)
    return scores


def _full_request(
    house: GameRules, win: Mapping[str, Any], table: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Fault]]:
    """Return one winner's score request: the game's rules, and the table's facts overridden by the players' answers."""
    faults: list[Fault] = []
    rules, options = win.get("rules"), win.get("options")
    if rules is not None and rules != house.system.id and not _same_system(rules, house):
        message = say("This game is played by {system} rules.", system=house.system.name)
        faults.append(Fault("contradiction", message, "rules"))
    if options and options != dict(house.options):
        faults.append(Fault("contradiction", "House rules are those of the game: leave options out.", "options"))
    context = win.get("context")
    said = dict(context) if isinstance(context, Mapping) else {}
    full = {**win, "rules": house.system.id, "options": dict(house.options)}
    if isinstance(context, Mapping):
        full["context"] = {**table, **{k: v for k, v in said.items() if v is not None or k == "from"}}
    return full, faults


def _same_system(name: object, house: GameRules) -> bool:
    try:
        return system_named(str(name)) is house.system
    except InvalidRequest:
        return False


def _said(win: Mapping[str, Any], name: str) -> Any:
    context = win.get("context")
    return context.get(name) if isinstance(context, Mapping) else None


def _seat_said(win: Mapping[str, Any], name: str) -> Seat | None:
    value = _said(win, name)
    return Seat(value) if isinstance(value, str) and value in list(Seat) else None


def _turns_after_discarder(win: Mapping[str, Any]) -> int:
    winner, source = _seat_said(win, "seat"), _seat_said(win, "from")
    return (winner.turn - source.turn) % 4 if winner and source else 0


def _with_indicators(wins: Sequence[Mapping[str, Any]], declared: Sequence[Seat]) -> list[Mapping[str, Any]]:
    """Complete winners on one tile: indicators entered for one hold for all, ura indicators only after riichi."""
    shared = {name: next((v for w in wins if (v := _said(w, name))), None) for name in (_DORA, _URA)}
    found: list[Mapping[str, Any]] = []
    for win in wins:
        names = (_DORA, _URA) if _seat_said(win, "seat") in declared else (_DORA,)
        lying = {name: shared[name] for name in names if shared[name] and not _said(win, name)}
        context = win.get("context")
        found.append({**win, "context": {**context, **lying}} if isinstance(context, Mapping) and lying else win)
    return found


def declared_seats(c: Confirmed) -> list[Seat]:
    """Return who declared riichi in a hand: those listed, and winners whose own request contains it."""
    said = [w for w in c.wins if _said(w, "riichi") is True or _said(w, "double_riichi") is True]
    winners = [seat for w in said if (seat := _seat_said(w, "seat")) is not None]
    return [*c.riichi, *(seat for seat in winners if seat not in c.riichi)]


def _riichi_known(win: Mapping[str, Any], declared: Sequence[Seat]) -> dict[str, Any]:
    """Add riichi to the request of a winner who declared it, unless it has double riichi."""
    return {"riichi": True} if _seat_said(win, "seat") in declared and _said(win, "double_riichi") is not True else {}


def _riichi_faults(wins: Sequence[Mapping[str, Any]], listed: Sequence[Seat]) -> list[Fault]:
    """Return faults: winners in the list of riichi declarations whose own request denies it."""
    return [
        Fault("contradiction", say(_LISTED, s=seat), f"wins[{i}].context.riichi")
        for i, win in enumerate(wins)
        if (seat := _seat_said(win, "seat")) in listed
        and _said(win, "riichi") is False
        and _said(win, "double_riichi") is not True
    ]


def _several_faults(wins: Sequence[Mapping[str, Any]]) -> list[Fault]:
    """Return faults: winners on one tile who contradict each other."""
    if len(wins) < 2:
        return []
    faults = []
    if any(_said(w, "win") == "self_draw" for w in wins):
        faults.append(Fault("contradiction", "Only one player can win by self-draw.", "wins"))
    for name in ("from", "win", _DORA):
        if any(_said(w, name) != _said(wins[0], name) for w in wins):
            faults.append(
                Fault(
                    "contradiction", say("Winners of one tile agree on {name}.", name=name), f"wins[1].context.{name}"
                )
            )
    if any(w.get("winning_tile") != wins[0].get("winning_tile") for w in wins):
        faults.append(Fault("contradiction", "Winners of one tile win with the same tile.", "wins[1].winning_tile"))
    seats = [_said(w, "seat") for w in wins]
    if any(seats.count(seat) > 1 for seat in seats):
        faults.append(Fault("contradiction", "Each winner has a different seat.", "wins[1].context.seat"))
    return faults


_FIELDS: Final = field_names("win", "from", "value", "fed")
_MAX_VALUE: Final = 1_000_000


def parse_claim(
    system: RuleSystem[Any], before: TableState, offender: Seat, claim: Mapping[str, Any]
) -> tuple[Context, int]:
    """Return the circumstances of the claimed win, completed from the table, and the value claimed for it.

    Args:
        system: the rules. before: the table. offender: who claimed.
        claim: ``win`` (self_draw), ``from`` (whose tile), ``value`` in the unit of the rules (1), ``fed`` as in a score
            request.

    Raises:
        InvalidRequest: faults in the claim, all named.
    """
    reader = FieldReader()
    reader.unknown(claim, _FIELDS, "claim.")
    win = reader.enum(Win, claim.get("win") or Win.SELF_DRAW.value, "claim.win")
    source = reader.seat(claim.get("from"), "claim.from")
    fed = reader.fed(claim.get("fed") or {}, "claim.fed")
    value = claim.get("value", 1)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _MAX_VALUE:
        message = say("{field} is a whole number from 1 to {n}.", field="claim.value", n=_MAX_VALUE)
        reader.fault("bad_value", message, "claim.value")
    if reader.faults or win is None:
        raise InvalidRequest.of(reader.faults)
    known_here: dict[str, Any] = {"banker": Seat.E, "streak": before.streak, "fed": fed}
    kind = system.context_class
    known = {name: known_here[name] for name in context_fields(kind) if name in known_here}
    return kind(offender, win, source, **known), int(value)
