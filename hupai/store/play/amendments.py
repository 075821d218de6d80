"""Hands of a game corrected, withdrawn and restored, games ended and reopened: everything after it is settled again.

Every operation is one transaction, names who did it and why, and loses nothing: the previous state is stored with
the change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session, selectinload, undefer

from hupai.basics.errors import Conflict
from hupai.ledger.bodies import confirmed_body, parse_confirmed
from hupai.ledger.confirmed import GameRules, GameState
from hupai.ledger.course import EXTENDABLE, SETTLED_BY, course_of
from hupai.ledger.ending import ENDINGS
from hupai.ledger.replay import PastHand, confirm_at_table
from hupai.ledger.settle import settle
from hupai.ledger.state import TableState
from hupai.store.clock import now as now_in
from hupai.store.database import reading, writing
from hupai.store.play.camera_hands import emit_payments, reconfirm_camera_hands, reopen_camera_hands
from hupai.store.play.changes import (
    CORRECTED,
    ENDED,
    REOPENED,
    RESTORED,
    SETTLED,
    WITHDRAWN,
    Amendment,
    record_change,
    record_game_change,
    revision_of,
)
from hupai.store.play.expected_revision import ExpectedRevision, check_revision
from hupai.store.play.game_json import whole_hand_json
from hupai.store.play.game_state import (
    current_state,
    find_game,
    game_rules,
    load_game_json,
    state_after,
    totals_of,
)
from hupai.store.play.hand_result import write_result
from hupai.store.play.hands import NewHand, check_payments, hand_of
from hupai.store.play.signatures import require_reason
from hupai.store.tables import Game, GameHand
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

_SENSELESS: Final = "Hand {n} would become invalid: {a} Correct or delete it first."
_STILL_OVER: Final = "The game would still be over: {a}. Say what changes in its course."
_FIXED: Final = "A game keeps its {a}; only {names} can be changed."


def correct_hand(
    engine: Engine, game_id: str, number: int, record: NewHand, amendment: Amendment, last_hands: int | None = None
) -> dict[str, Any]:
    """Replace a hand that counts by another one, and settle everything after it again.

    Args:
        engine, game_id, number: which. record: the hand as it should have been; its seats are those of the table it
            was dealt at. amendment: who and why. last_hands: how many to show.

    Returns:
        ``hand``, ``game``, ``settled_again`` (the later hands whose payments or seats changed).

    Raises:
        NotFound: no such game or hand. MovedOn: the game has changed since it was seen. InvalidRequest: it is invalid.
        Conflict: it was taken back, or a later hand would become invalid; ``result_signed``: see
            :func:`~hupai.store.play.signatures.require_reason`, here and below.
    """
    with writing(engine) as session:
        game, hand, before = _lock_counting_hand(session, game_id, number, record.seen, last_hands)
        require_reason(session, game, amendment)
        was = whole_hand_json(hand)
        changed = _settle_again(session, game, number, record)
        detail = {"was": was, "settled_again": changed}
        record_change(session, CORRECTED, hand, before, amendment=amendment, detail=detail)
        found = load_game_json(session, game, last_hands)
        emit_payments(session, game_id, [number, *_numbers(changed)], found["players"])
        return {"hand": whole_hand_json(hand), "game": found, "settled_again": _summaries(changed)}


def try_correction(
    engine: Engine, game_id: str, number: int, record: NewHand, last_hands: int | None = None
) -> dict[str, Any]:
    """Return what :func:`correct_hand` would result in; nothing is written.

    Returns:
        ``scores``, ``payments`` by seat and ``after`` of the hand, ``settled_again``, ``revision`` of the game.

    Raises:
        NotFound, MovedOn, InvalidRequest, Conflict: as :func:`correct_hand`.
    """
    with reading(engine) as session, session.no_autoflush:
        game, hand, _ = _lock_counting_hand(session, game_id, number, record.seen, last_hands)
        changed = _settle_again(session, game, number, record)
        whole = whole_hand_json(hand)
        session.expunge_all()
        return {
            "scores": whole["scores"],
            "payments": {
                **{seat: whole["payments"][player] for seat, player in whole["seats"].items()},
                "pot": whole["pot"],
            },
            "after": whole["after"],
            "settled_again": _summaries(changed),
            "revision": revision_of(session, game_id),
        }


def withdraw_hand(
    engine: Engine,
    game_id: str,
    number: int,
    amendment: Amendment,
    seen: ExpectedRevision | None,
    last_hands: int | None = None,
) -> dict[str, Any]:
    """Withdraw any hand that counts, and settle everything after it again; it stays in the history, marked.

    Raises:
        NotFound, MovedOn: as :func:`correct_hand`. Conflict: it was taken back before, or a later hand would become
            invalid.
    """
    with writing(engine) as session:
        game, hand, before = _lock_hand(session, game_id, number, seen, last_hands)
        require_reason(session, game, amendment)
        if hand.undone_at is not None:
            raise Conflict(say("Hand {n} was deleted before.", n=number), field="number")
        hand.undone_at = datetime.now(UTC)
        session.flush()
        changed = _settle_again(session, game, number)
        record_change(session, WITHDRAWN, hand, before, amendment=amendment, detail={"settled_again": changed})
        found = load_game_json(session, game, last_hands)
        reopen_camera_hands(session, hand, found["players"])
        emit_payments(session, game_id, _numbers(changed), found["players"])
        return {"game": found, "settled_again": _summaries(changed)}


def restore_hand(
    engine: Engine,
    game_id: str,
    number: int,
    amendment: Amendment,
    seen: ExpectedRevision | None,
    last_hands: int | None = None,
) -> dict[str, Any]:
    """Restore a hand that was taken back in its old place, and settle it and everything after it again.

    Raises:
        NotFound, MovedOn: as :func:`correct_hand`. Conflict: it already counts, or this hand or a later one would be
            invalid there; what was laid down for it was confirmed as another hand meanwhile.
    """
    with writing(engine) as session:
        game, hand, before = _lock_hand(session, game_id, number, seen, last_hands)
        require_reason(session, game, amendment)
        if hand.undone_at is None:
            raise Conflict(say("Hand {n} was not deleted; there is nothing to restore.", n=number), field="number")
        hand.undone_at = None
        session.flush()
        changed = _settle_again(session, game, number)
        record_change(session, RESTORED, hand, before, amendment=amendment, detail={"settled_again": changed})
        found = load_game_json(session, game, last_hands)
        reconfirm_camera_hands(session, hand, found["players"])
        emit_payments(session, game_id, _numbers(changed), found["players"])
        return {"game": found, "settled_again": _summaries(changed)}


def end_game(
    engine: Engine,
    game_id: str,
    course: Mapping[str, Any],
    amendment: Amendment,
    seen: ExpectedRevision | None,
    last_hands: int | None = None,
) -> dict[str, Any]:
    """End the game at its players' wish, or settle a finished one in another way. Returns the game as JSON.

    Args:
        engine, game_id: which. course: options that are agreed on for the end, of :data:`SETTLED_BY`.

    Raises:
        NotFound, MovedOn: as :func:`correct_hand`. InvalidRequest: options that are invalid or may not change.
        Conflict: it is over already, and no other settlement was given.
    """
    with writing(engine) as session:
        game = find_game(session, game_id, lock=True)
        check_revision(session, game, seen, last_hands)
        require_reason(session, game, amendment)
        before = current_state(session, game)
        if before.ended is not None and not course:
            raise Conflict(say("The game is over: {a}.", a=say(ENDINGS[before.ended])), code="game_over")
        old = game.course
        if course:
            game.course = _merge_course(game, course, SETTLED_BY)
        if before.ended is None:
            game.closed_at = now_in(session)
        session.flush()
        kind = ENDED if before.ended is None else SETTLED
        detail = {"course": [old, game.course]} if course else None
        record_game_change(session, kind, game_id, before, amendment=amendment, detail=detail)
        return load_game_json(session, game, last_hands)


def reopen_game(
    engine: Engine,
    game_id: str,
    course: Mapping[str, Any],
    amendment: Amendment,
    seen: ExpectedRevision | None,
    last_hands: int | None = None,
) -> dict[str, Any]:
    """Continue a game ended by its players or, with another course, by its course. Returns the game as JSON.

    Args:
        engine, game_id: which. course: options that are agreed on anew, of :data:`EXTENDABLE`.
        amendment, seen, last_hands: as :func:`correct_hand`.

    Raises:
        NotFound, MovedOn: as :func:`correct_hand`. InvalidRequest: options that are invalid or may not change.
        Conflict: it would still be over, or a hand that was played would come after its end; or nothing was requested.
    """
    with writing(engine) as session:
        game = find_game(session, game_id, lock=True)
        check_revision(session, game, seen, last_hands)
        require_reason(session, game, amendment)
        before = current_state(session, game)
        if before.ended is None and not course:
            raise Conflict("The game is not over; to play longer, say what changes in its course.", field="course")
        old, was_closed = game.course, game.closed_at is not None
        game.course, game.closed_at = _merge_course(game, course, EXTENDABLE), None
        changed = _settle_again(session, game, 1)
        after = current_state(session, game)
        if after.ended is not None:
            message = say(_STILL_OVER, a=say(ENDINGS[after.ended]))
            raise Conflict(message, code="game_over", field="course")
        detail = {"course": [old, game.course], "was_ended_by_players": was_closed, "settled_again": changed}
        record_game_change(session, REOPENED, game_id, before, amendment=amendment, detail=detail)
        found = load_game_json(session, game, last_hands)
        emit_payments(session, game_id, _numbers(changed), found["players"])
        return found


def _merge_course(game: Game, course: Mapping[str, Any], open_now: Sequence[str]) -> dict[str, Any]:
    fixed = [name for name in course if name not in open_now and name in game.course]
    if fixed:
        message = say(_FIXED, a=", ".join(fixed), names=", ".join(open_now))
        raise InvalidRequest.of([Fault("contradiction", message, f"course.{fixed[0]}")])
    house = game_rules(game)
    start = state_after(game, None)
    merged = {**game.course, **course}
    return course_of(
        merged, house.conventions, house.rotation, game.starting_points, start.round, start.players
    ).to_json()


def _lock_hand(
    session: Session, game_id: str, number: int, seen: ExpectedRevision | None, last_hands: int | None
) -> tuple[Game, GameHand, TableState]:
    """Return the locked game, the hand, and the present table."""
    game = find_game(session, game_id, lock=True)
    hand = hand_of(session, game_id, number)
    check_revision(session, game, seen, last_hands)
    return game, hand, current_state(session, game)


def _lock_counting_hand(
    session: Session, game_id: str, number: int, seen: ExpectedRevision | None, last_hands: int | None
) -> tuple[Game, GameHand, TableState]:
    game, hand, before = _lock_hand(session, game_id, number, seen, last_hands)
    if hand.undone_at is not None:
        raise Conflict(say("Hand {n} was deleted: restore it first.", n=number), field="number")
    return game, hand, before


def _settle_again(session: Session, game: Game, first: int, record: NewHand | None = None) -> list[dict[str, Any]]:
    """Settle the hands that count from this number on again, the first as in ``record``; return the others changed.

    Raises:
        InvalidRequest: the record is invalid. Conflict: another hand would become invalid.
    """
    house = game_rules(game)
    query = select(GameHand).where(GameHand.game_id == game.id, GameHand.undone_at.is_(None)).order_by(GameHand.number)
    query = query.options(selectinload(GameHand.payments), undefer(GameHand.request), undefer(GameHand.scores))
    previous: GameHand | None = None
    dealt, changed = 0, []
    for hand in session.scalars(query).all():
        if hand.number >= first:
            seconds = (hand.confirmed_at - game.created).total_seconds()
            standing = GameState(state_after(game, previous), totals_of(game, previous), dealt, seconds)
            if record is not None and hand.number == first:
                settled = settle(house, standing, record.confirmed)
                check_payments(record, settled)
                write_result(hand, standing.totals or {}, settled, record.body)
                hand.outcome = record.confirmed.outcome
            else:
                changed += _again(house, hand, standing)
        previous = hand
        dealt += hand.outcome in ("win", "draw")
    return changed


def _again(house: GameRules, hand: GameHand, standing: GameState) -> list[dict[str, Any]]:
    """Settle a hand again as it was confirmed; return its previous state if its payments or seats have changed."""
    was, before = whole_hand_json(hand), TableState.from_json(hand.before)
    body = {name: value for name, value in hand.request.items() if name != "scored"}
    confirmed = confirm_at_table(house, PastHand(parse_confirmed(body), hand.request["scored"], before), standing.state)
    if before != standing.state:
        body |= confirmed_body(confirmed)
    try:
        settled = settle(house, standing, confirmed)
    except InvalidRequest as error:
        raise Conflict(
            say(_SENSELESS, n=hand.number, a=say(error.message)),
            code="later_hand",
            field="number",
        ) from None
    write_result(hand, standing.totals or {}, settled, body)
    now = whole_hand_json(hand)
    if all(was[name] == now[name] for name in ("payments", "pot", "seats")):
        return []
    return [{"number": hand.number, "was_paid": was["payments"], "payments": now["payments"], "was": was}]


def _numbers(changed: Sequence[Mapping[str, Any]]) -> list[int]:
    return [hand["number"] for hand in changed]


def _summaries(changed: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{name: hand[name] for name in ("number", "was_paid", "payments")} for hand in changed]
