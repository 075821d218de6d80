"""Hands of a game corrected, withdrawn and restored, games ended and reopened: everything after it is settled again.

Every change names who made it and why, and loses nothing: the previous state is kept with the change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from hupai.basics.errors import Conflict
from hupai.games.commands import Command, NewHand, check_payments, check_revision, require_reason
from hupai.games.game_json import again_json, whole_hand_json
from hupai.games.history import (
    CORRECTED,
    ENDED,
    REOPENED,
    RESTORED,
    SEATED,
    SETTLED,
    WITHDRAWN,
    Amendment,
    GameTerms,
    History,
    WholeHand,
)
from hupai.games.settling.ending import ENDINGS
from hupai.games.settling.replay import PastHand, confirm_at_table
from hupai.games.settling.results import result_fields
from hupai.games.settling.settle import settle_hand
from hupai.games.terms.confirmed import GameRules, GameState, HandResult, confirmed_body, parse_confirmed
from hupai.games.terms.course import EXTENDABLE, SETTLED_BY, course_of
from hupai.games.terms.state import TableState
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

_SENSELESS: Final = "Hand {n} would become invalid: {a} Correct or delete it first."
_STILL_OVER: Final = "The game would still be over: {a}. Say what changes in its course."
_FIXED: Final = "A game keeps its {a}; only {names} can be changed."


def correct_hand(history: History, command: Command, now: datetime) -> History:
    """Return the game with another hand in the place of one that counts, and everything after it settled again.

    Its seats are those of the table it was dealt at.

    Raises:
        NotFound: no such hand. MovedOn: the game has changed since it was seen. InvalidRequest: it is invalid.
        Conflict: it was taken back, or a later hand would become invalid; ``result_signed``: see
            :func:`~hupai.games.commands.require_reason`, here and below.
    """
    hand = _find_counting(history, command)
    require_reason(history, command.amendment)
    after, changed, _ = _settle_again(history, hand.number, command.hand)
    detail = {"was": whole_hand_json(hand), "settled_again": changed}
    return after.changed(CORRECTED, now, history.state, number=hand.number, amendment=command.amendment, detail=detail)


def try_correction(history: History, command: Command) -> dict[str, Any]:
    """Return what :func:`correct_hand` would result in; see :func:`~hupai.games.apply.try_command`.

    Raises:
        NotFound, MovedOn, InvalidRequest, Conflict: as :func:`correct_hand`.
    """
    number = _find_counting(history, command).number
    after, changed, settled = _settle_again(history, number, command.hand)
    assert settled is not None
    whole = whole_hand_json(after.hand(number))
    return {
        "scores": whole["scores"],
        "payments": {
            **{seat: whole["payments"][player] for seat, player in whole["seats"].items()},
            "pot": whole["pot"],
        },
        "transfers": settled.payments.transfers_json,
        "after": whole["after"],
        "settled_again": again_json(changed),
        "revision": history.revision,
    }


def withdraw_hand(history: History, command: Command, now: datetime) -> History:
    """Return the game without any hand that counts, and everything after it settled again; it stays in the history.

    Raises:
        NotFound, MovedOn: as :func:`correct_hand`. Conflict: it was taken back before, or a later hand would become
            invalid.
    """
    hand = _find_hand(history, command)
    require_reason(history, command.amendment)
    if hand.undone_at is not None:
        raise Conflict(say("Hand {n} was deleted before.", n=hand.number), field="number")
    return _replace_standing(history, WITHDRAWN, replace(hand, undone_at=now), command.amendment, now)


def withdraw_result(history: History, result: WholeHand, amendment: Amendment | None, now: datetime) -> History:
    """Return the game without its last hand that counts, a result of the table that ended it: it goes on."""
    after = replace(history, terms=replace(history.terms, closed_at=None))
    after = after.with_hands([replace(result, undone_at=now)])
    return after.changed(WITHDRAWN, now, history.state, number=result.number, amendment=amendment)


def restore_hand(history: History, command: Command, now: datetime) -> History:
    """Return the game with a hand that was taken back in its old place, and it and everything after it settled again.

    Raises:
        NotFound, MovedOn: as :func:`correct_hand`. Conflict: it already counts, or this hand or a later one would be
            invalid there.
    """
    hand = _find_hand(history, command)
    require_reason(history, command.amendment)
    if hand.undone_at is None:
        raise Conflict(say("Hand {n} was not deleted; there is nothing to restore.", n=hand.number), field="number")
    return _replace_standing(history, RESTORED, replace(hand, undone_at=None), command.amendment, now)


def seat_players(history: History, command: Command, now: datetime) -> History:
    """Return the game with others in its seats; where two trade places, what they did is settled again at the new ones.

    Their names are the store's: a history has them already.

    Raises:
        Conflict: a hand would be invalid there.
    """
    after, detail = history, None
    if command.swapped:
        after, changed, _ = _settle_again(history, 1, swapped=command.swapped)
        detail = {"swapped": list(command.swapped), "settled_again": changed}
    return after.changed(SEATED, now, history.state, amendment=command.amendment, detail=detail)


def end_game(history: History, command: Command, now: datetime) -> History:
    """Return the game ended at its players' wish, or a finished one settled in another way.

    For the end they may agree on options of :data:`SETTLED_BY`.

    Raises:
        MovedOn: as :func:`correct_hand`. InvalidRequest: options that are invalid or may not change.
        Conflict: it is over already, and no other settlement was given.
    """
    check_revision(history, command.seen)
    require_reason(history, command.amendment)
    before, terms, course = history.state, history.terms, command.course
    if before.ended is not None and not course:
        raise Conflict(say("The game is over: {a}.", a=say(ENDINGS[before.ended])), code="game_over")
    if course:
        terms = replace(terms, course=_merge_course(terms, course, SETTLED_BY))
    if before.ended is None:
        terms = replace(terms, closed_at=now)
    detail = {"course": [history.terms.course, terms.course]} if course else None
    kind = ENDED if before.ended is None else SETTLED
    return replace(history, terms=terms).changed(kind, now, before, amendment=command.amendment, detail=detail)


def reopen_game(history: History, command: Command, now: datetime) -> History:
    """Return a game ended by its players or, with another course, by its course, as it goes on.

    They may agree anew on options of :data:`EXTENDABLE`.

    Raises:
        MovedOn: as :func:`correct_hand`. InvalidRequest: options that are invalid or may not change.
        Conflict: it would still be over, or a hand that was played would come after its end; or nothing was requested.
    """
    check_revision(history, command.seen)
    require_reason(history, command.amendment)
    before, was = history.state, history.terms
    terms = replace(was, course=_merge_course(was, command.course, EXTENDABLE), closed_at=None)
    if before.ended is None and terms.course == was.course:
        raise Conflict("The game is not over; to play longer, say what changes in its course.", field="course")
    after, changed, _ = _settle_again(replace(history, terms=terms), 1)
    ended = after.state.ended
    if ended is not None:
        raise Conflict(say(_STILL_OVER, a=say(ENDINGS[ended])), code="game_over", field="course")
    detail = {
        "course": [was.course, terms.course],
        "was_ended_by_players": was.closed_at is not None,
        "settled_again": changed,
    }
    return after.changed(REOPENED, now, before, amendment=command.amendment, detail=detail)


def _merge_course(terms: GameTerms, course: Mapping[str, Any], open_now: Sequence[str]) -> dict[str, Any]:
    fixed = [name for name in course if name not in open_now and name in terms.course]
    if fixed:
        message = say(_FIXED, a=", ".join(fixed), names=", ".join(open_now))
        raise InvalidRequest.of([Fault("contradiction", message, f"course.{fixed[0]}")])
    house, start = terms.house, terms.table_after(None)
    merged = {**terms.course, **course}
    return course_of(
        merged, house.conventions, house.rotation, terms.starting_points, start.round, start.players
    ).to_json()


def _find_hand(history: History, command: Command) -> WholeHand:
    hand = history.hand(command.number or 0)
    check_revision(history, command.seen)
    return hand


def _find_counting(history: History, command: Command) -> WholeHand:
    hand = _find_hand(history, command)
    if hand.undone_at is not None:
        raise Conflict(say("Hand {n} was deleted: restore it first.", n=hand.number), field="number")
    return hand


def _replace_standing(
    history: History, kind: str, hand: WholeHand, amendment: Amendment | None, now: datetime
) -> History:
    """Return the game with a hand that counts now, or does not any more, and everything from it on settled again."""
    after, changed, _ = _settle_again(history.with_hands([hand]), hand.number)
    detail = {"settled_again": changed}
    return after.changed(kind, now, history.state, number=hand.number, amendment=amendment, detail=detail)


def _settle_again(
    history: History, first: int, record: NewHand | None = None, swapped: Sequence[int] = ()
) -> tuple[History, list[dict[str, Any]], HandResult | None]:
    """Settle the hands that count from this number on again, the first as in ``record``, or with two players swapped.

    Returns:
        The game, the others that are changed, and the result of the record.

    Raises:
        InvalidRequest: the record is invalid. Conflict: another hand would become invalid.
    """
    terms, house = history.terms, history.terms.house
    previous: WholeHand | None = None
    settled_again: list[WholeHand] = []
    changed: list[dict[str, Any]] = []
    settled: HandResult | None = None
    dealt = 0
    for was in history.counting:
        hand = was
        if hand.number >= first:
            seconds = terms.seconds_until(hand.confirmed_at)
            standing = GameState(terms.table_after(previous), terms.totals_after(previous), dealt, seconds)
            if record is not None and hand.number == first:
                settled = settle_hand(house, standing, record.confirmed)
                check_payments(record, settled)
                fields = result_fields(settled, standing.totals or {}, record.body)
                hand = replace(hand, outcome=record.confirmed.outcome, **fields)
            else:
                hand = _again(house, hand, standing, swapped)
                changed += _changed(was, hand, swapped)
            settled_again.append(hand)
        previous = hand
        dealt += hand.dealt_out
    return history.with_hands(settled_again), changed, settled


def _again(house: GameRules, hand: WholeHand, standing: GameState, swapped: Sequence[int]) -> WholeHand:
    """Settle a hand again as it was confirmed."""
    before = TableState.from_json(hand.before)
    body = {name: value for name, value in hand.request.items() if name != "scored"}
    past = PastHand(parse_confirmed(body), hand.request["scored"], before)
    confirmed = confirm_at_table(house, past, standing.state, swapped)
    if before != standing.state or swapped:
        body |= confirmed_body(confirmed)
    try:
        settled = settle_hand(house, standing, confirmed)
    except InvalidRequest as error:
        raise Conflict(
            say(_SENSELESS, n=hand.number, a=say(error.message)),
            code="later_hand",
            field="number",
        ) from None
    return replace(hand, **result_fields(settled, standing.totals or {}, body))


def _changed(hand: WholeHand, again: WholeHand, swapped: Sequence[int]) -> list[dict[str, Any]]:
    """Return the hand's previous state if its payments or seats have changed, or who did what."""
    was, now = whole_hand_json(hand), whole_hand_json(again)
    if all(was[name] == now[name] for name in ("payments", "pot", "seats", *(["request"] if swapped else []))):
        return []
    return [{"number": hand.number, "was_paid": was["payments"], "payments": now["payments"], "was": was}]
