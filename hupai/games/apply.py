"""Does in a game what a command says: begins it, records hands and takes them back; the rest is in ``amendments``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final

from hupai.basics.errors import Conflict
from hupai.games import history as kinds
from hupai.games.amendments import (
    correct_hand,
    end_game,
    reopen_game,
    restore_hand,
    seat_players,
    try_correction,
    withdraw_hand,
)
from hupai.games.commands import Command, NewGame, NewHand, check_payments, check_revision, require_reason
from hupai.games.history import GameTerms, History, WholeHand
from hupai.games.settling.ending import ENDINGS
from hupai.games.settling.results import find_duplicate, result_fields
from hupai.games.settling.settle import settle_hand
from hupai.games.terms.agreed import Agreed
from hupai.games.terms.confirmed import Confirmed, GameState, HandResult, score_json
from hupai.games.terms.course import course_of
from hupai.games.terms.state import TableState
from scoring.errors import Fault, InvalidRequest
from scoring.rulebook.conventions import Rotation
from scoring.version import version
from scoring.words.sentence import say


def begin_game(new: NewGame, game_id: str, now: datetime) -> History:
    """Return the game before its first hand.

    Raises:
        InvalidRequest: an invalid course, too many or too few players for the rules, sticks that they do not have.
    """
    agreed, conventions, table = new.agreed, new.agreed.system.conventions, new.agreed.table
    if len(new.players) != table.players:
        message = say("By these rules {n} play, not {m}.", n=table.players, m=len(new.players))
        raise InvalidRequest.of([Fault("bad_value", message, "players")])
    if table.riichi_sticks and not conventions.sticks:
        message = say("{system} has no {field}.", system=agreed.system.name, field="riichi_sticks")
        raise InvalidRequest.of([Fault("contradiction", message, "start.riichi_sticks")])
    rotation, points = Rotation(agreed.rotation), agreed.starting_points
    course = course_of(agreed.course, conventions, rotation, points, table.round, table.players).to_json()
    terms = GameTerms(
        **{each.name: getattr(agreed, each.name) for each in fields(Agreed) if each.name != "course"},
        course=course,
        id=game_id,
        created=now,
        version=version(),
        key=new.key,
        key_hash=None if new.key is None else new.content_hash,
    )
    return History(terms, new.players)


def apply(history: History, command: Command, now: datetime) -> History:
    """Return the game after a command; the same game if nothing is left to do, as for a retry.

    Raises:
        NotFound: no such hand. MovedOn: the game has changed since it was seen. InvalidRequest: what was said is
            invalid. Conflict: it cannot be done; see the functions for each.
    """
    return _ACTS[command.kind](history, command, now)


def try_command(history: History, command: Command, now: datetime) -> dict[str, Any]:
    """Return what recording or correcting a hand would result in.

    Returns:
        Its ``scores``, ``payments`` by seat, all ``transfers``, the table ``after`` it, the game's ``revision``; of a
        new hand ``same_as``, the number of the hand that seems to be this one if another phone has just recorded it;
        of a correction ``settled_again``.

    Raises:
        NotFound, MovedOn, InvalidRequest, Conflict: as :func:`apply`, whatever payments were seen with a new hand.
    """
    if command.kind == kinds.CORRECTED:
        return try_correction(history, command)
    check_revision(history, command.seen)
    settled = settle_next(history, command.new_hand.confirmed, now)
    return {
        "scores": score_json(settled),
        "payments": settled.payments.to_json(),
        "transfers": settled.payments.transfers_json,
        "after": settled.after.to_json(),
        "revision": history.revision,
        "same_as": find_duplicate(history, settled, now),
    }


def recorded_hand(history: History, hand: NewHand) -> WholeHand:
    """Return a hand that was recorded just now, or before with its key."""
    return _find_recorded(history, hand) or history.hands[-1]


def settle_next(history: History, confirmed: Confirmed, at: datetime) -> HandResult:
    """Return the result of the next hand, confirmed at this time.

    Raises:
        Conflict: the game is over. InvalidRequest: what was confirmed is invalid.
    """
    terms, last, state = history.terms, history.last, history.state
    if state.ended is not None:
        raise Conflict(say("The game is over: {a}. Reopen it to go on.", a=say(ENDINGS[state.ended])), code="game_over")
    dealt = sum(hand.dealt_out for hand in history.counting)
    return settle_hand(
        terms.house, GameState(state, terms.totals_after(last), dealt, terms.seconds_until(at)), confirmed
    )


def _record(history: History, command: Command, now: datetime) -> History:
    """Return the game with a confirmed hand; the same game if it was recorded before with this key.

    Raises:
        Conflict: the key was used for something else, the game is over, or the players saw other payments.
        MovedOn: the game has changed since it was seen. InvalidRequest: what was confirmed is invalid.
    """
    new = command.new_hand
    if _find_recorded(history, new) is not None:
        return history
    check_revision(history, command.seen)
    settled = settle_next(history, new.confirmed, now)
    check_payments(new, settled)
    hand = WholeHand(
        number=history.next_number,
        key=new.key,
        body_hash=new.body_hash,
        outcome=new.confirmed.outcome,
        confirmed_at=now,
        undone_at=None,
        models=dict(new.models or {}),
        rules=history.terms.rules,
        options=dict(history.terms.options),
        **result_fields(settled, history.terms.totals_after(history.last), new.body),
    )
    after = history.with_hands([hand])
    return after.changed(kinds.RECORDED, now, settled.before, number=hand.number, amendment=command.amendment)


def _undo(history: History, command: Command, now: datetime) -> History:
    """Return the game without the last hand that counts; it stays in the history, marked.

    If it is named and was already taken back, the game is the same.

    Raises:
        NotFound: no such hand. Conflict: another hand is the last one, there is none, or the result is signed.
        MovedOn: the game has changed since it was seen.
    """
    meant = None if command.number is None else history.hand(command.number, "hand")
    if meant is not None and meant.undone_at is not None:
        return history
    check_revision(history, command.seen)
    last = history.last
    if meant is not None and meant is not last:
        message = say("Hand {n} is not the last one: undo the later ones first.", n=command.number)
        raise Conflict(message, field="hand")
    if last is None:
        raise Conflict("There is no hand to undo.", field="hand")
    require_reason(history)
    before = TableState.from_json(last.after)
    undone = history.with_hands([replace(last, undone_at=now)])
    return undone.changed(kinds.UNDONE, now, before, number=last.number, amendment=command.amendment)


def _find_recorded(history: History, new: NewHand) -> WholeHand | None:
    known = next((hand for hand in history.hands if hand.key == new.key), None) if new.key is not None else None
    if known is not None and known.body_hash != new.body_hash:
        raise Conflict("This Idempotency-Key was used for another hand; give a new one.", field="Idempotency-Key")
    return known


_ACTS: Final[Mapping[str, Callable[[History, Command, datetime], History]]] = {
    kinds.RECORDED: _record,
    kinds.UNDONE: _undo,
    kinds.CORRECTED: correct_hand,
    kinds.WITHDRAWN: withdraw_hand,
    kinds.RESTORED: restore_hand,
    kinds.ENDED: end_game,
    kinds.SETTLED: end_game,
    kinds.REOPENED: reopen_game,
    kinds.SEATED: seat_players,
}
