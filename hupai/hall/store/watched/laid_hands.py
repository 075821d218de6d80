"""What a director does with laid hands: correct, confirm into the ledger, undo. One transaction each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict, NotFound
from hupai.games.apply import recorded_hand, settle_next
from hupai.games.commands import Command, ExpectedRevision, NewHand
from hupai.games.game_json import history_json, whole_hand_json
from hupai.games.history import RECORDED, UNDONE
from hupai.games.terms.confirmed import Confirmed, confirmed_body, score_json
from hupai.hall.camera_hands import confirm_camera_hands
from hupai.hall.events.feed import CORRECTED, SETTLED, add_hand, emit
from hupai.hall.store.watched.watched_tables import STRAY, camera_hand_json, find_table
from hupai.hall.tables import ENTERED, FeedHand, WatchedTable
from hupai.store.clock import now as now_in
from hupai.store.database import reading, writing
from hupai.store.play.changes import revision_of
from hupai.store.play.game_rows import find_game
from hupai.store.play.games import SqlGames
from hupai.store.play.histories import load_history
from hupai.store.tables import Game
from scoring.errors import Fault, InvalidRequest
from scoring.rules import system_named
from scoring.seats import Seat
from scoring.words.sentence import say


def get_camera_hand(engine: Engine, hand_id: int) -> dict[str, Any]:
    """Return a laid hand with the whole reading.

    Raises:
        NotFound: no such hand.
    """
    with reading(engine) as session:
        return camera_hand_json(_find_hand(session, hand_id), whole=True)


def dismiss_stray_hands(session: Session, tables: Sequence[str]) -> None:
    """Dismiss waiting hands of these tables that were laid in no game: nobody had a seat yet.

    If such a hand is reopened (:func:`correct`), it belongs to the game that the table has by then.
    """
    found = select(FeedHand).where(FeedHand.table_name.in_(tables), STRAY).order_by(FeedHand.id).with_for_update()
    # All rows are locked before the first event gets its number: writers at other tables lock in the same order.
    for hand in session.scalars(found).all():
        _set_status(session, hand, "dismissed")


def try_confirm(engine: Engine, hand_id: int, confirmed: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a confirmation would result in: scores and payments. Nothing is written.

    Args:
        confirmed: ``context`` of the winner, ``also`` (other winners: whole requests, or ``laid`` and ``version`` of
            another hand of this table with its ``context``), ``riichi`` (other seats).

    Raises:
        NotFound: no such hand, or no game at its table. InvalidRequest: every fault in the answers.
        Conflict: another winner's hand was changed meanwhile.
    """
    with reading(engine) as session:
        hand = _find_hand(session, hand_id)
        game = find_game(session, _game_id(session, hand))
        said = _confirmation(hand, _other_winners(session, hand, confirmed), confirmed, game.rules)
        settled = settle_next(load_history(session, game), said, now_in(session))
        return {
            "scores": score_json(settled),
            "payments": settled.payments.to_json(),
            "revision": revision_of(session, game.id),
        }


def confirm(
    engine: Engine,
    hand_id: int,
    seen_version: int,
    confirmed: Mapping[str, Any],
    expected: Mapping[str, Any] | None = None,
    seen: ExpectedRevision | None = None,
) -> dict[str, Any]:
    """Record a laid hand in the ledger and emit its event: both or neither. An identical retry changes nothing.

    Raises:
        NotFound: as :func:`try_confirm`. Conflict: somebody else changed it, or the payments are different.
        MovedOn: its game has changed since it was seen. InvalidRequest: as :func:`try_confirm`.
    """
    with writing(engine) as session:
        contexts = {o["laid"]: o.get("context") or {} for o in confirmed.get("also", ()) if "laid" in o}
        # All hands are locked by number, so that confirming the same ones in another order waits.
        for number in sorted({hand_id, *contexts}):
            _find_hand(session, number, lock=True)
        hand = _find_hand(session, hand_id)
        # Not the number: a dropped table's may be given again, and a hand's key would then be that of an older one.
        key = f"laid-{hand.token}-{seen_version}"
        if hand.status == "confirmed" and hand.version == seen_version + 1 and hand.context == dict(confirmed):
            game = history_json(load_history(session, find_game(session, str(hand.game_id))), 0)
            return {"laid": camera_hand_json(hand), "game": game}
        _check_version(hand, seen_version, "settled")
        game_id = _game_id(session, hand)
        rules = find_game(session, game_id).rules
        others = _other_winners(session, hand, confirmed)
        said = _confirmation(hand, others, confirmed, rules)
        body = {"laid": hand.id, **confirmed_body(said)}
        new = NewHand(said, body, key=key, expected=expected, models=hand.reading.get("models"))
        _, now = SqlGames(session).do(game_id, Command(RECORDED, seen=seen, hand=new))
        written, game = whole_hand_json(recorded_hand(now, new)), history_json(now, 0)
        for each in (hand, *others.values()):
            each.context = dict(confirmed) if each is hand else {"context": contexts[each.id]}
        confirm_camera_hands(session, (hand, *others.values()), game_id, written, game["players"])
        return {"laid": camera_hand_json(hand), "game": game}


def enter(engine: Engine, name: str, token: str, tiles: Mapping[str, Any]) -> dict[str, Any]:
    """Add a hand that no camera saw to those waiting at a table; a token that was used before writes nothing.

    Raises:
        NotFound: no such table. Conflict: the token was used at another table.
    """
    token = f"{ENTERED}{token}"
    with writing(engine) as session:
        table = find_table(session, name, lock=True)
        hand = session.scalar(select(FeedHand).where(FeedHand.token == token))
        if hand is not None and hand.table_name != name:
            raise Conflict("This key was used at another table; give a new one.", field="key")
        if hand is None:
            now = now_in(session)
            read = {"hand": dict(tiles), "tiles": [], "doubts": [], "repairs": [], "models": {}}
            hand = add_hand(session, table, token, now, read, gone_at=now)
            event: dict[str, Any] = {"by": "director", "hand": hand.hand, "doubts": [], "repairs": [], "frame": None}
            emit(session, SETTLED, name, event, hand.id)
        return {"laid": camera_hand_json(hand)}


def correct(engine: Engine, hand_id: int, seen_version: int, tiles: Mapping[str, Any]) -> dict[str, Any]:
    """Replace the hand's tiles by the director's.

    Raises:
        NotFound: no such hand. Conflict: it was changed or confirmed meanwhile.
    """
    return _change_hand(engine, hand_id, seen_version, ("settled", "dismissed"), "settled", tiles)


def dismiss(engine: Engine, hand_id: int, seen_version: int) -> dict[str, Any]:
    """Mark the hand as not to be scored.

    Raises:
        NotFound: no such hand. Conflict: it was changed or confirmed meanwhile.
    """
    return _change_hand(engine, hand_id, seen_version, ("settled",), "dismissed", None)


def undo(engine: Engine, hand_id: int, seen_version: int) -> dict[str, Any]:
    """Undo a confirmation, in the ledger too; only possible for the last hand of a game.

    Raises:
        NotFound: no such hand. Conflict: it is not confirmed, was changed meanwhile, or later hands stand.
    """
    with writing(engine) as session:
        hand = _find_hand(session, hand_id, lock=True)
        _check_version(hand, seen_version, "confirmed")
        _, now = SqlGames(session).do(str(hand.game_id), Command(UNDONE, number=hand.hand_number))
        return {"laid": camera_hand_json(hand), "game": history_json(now, 0)}


def _change_hand(
    engine: Engine,
    hand_id: int,
    seen_version: int,
    before: tuple[str, ...],
    status: str,
    tiles: Mapping[str, Any] | None,
) -> dict[str, Any]:
    with writing(engine) as session:
        hand = _find_hand(session, hand_id, lock=True)
        _check_version(hand, seen_version, *before)
        if tiles is not None:
            hand.hand = dict(tiles)
        if hand.status == "dismissed" and (hand.game_id is None or session.get(Game, hand.game_id) is None):
            table = session.get(WatchedTable, hand.table_name)
            hand.game_id = table.game_id if table is not None else None
        _set_status(session, hand, status)
        return {"laid": camera_hand_json(hand)}


def _set_status(session: Session, hand: FeedHand, status: str) -> None:
    """Set a hand's status and emit the event."""
    hand.status, hand.version = status, hand.version + 1
    body = {"by": "director", "hand": hand.hand, "status": status, "frame": hand.frame_id}
    emit(session, CORRECTED, hand.table_name, body, hand.id)


def _check_version(hand: FeedHand, seen_version: int, *statuses: str) -> None:
    if hand.version != seen_version or hand.status not in statuses:
        raise Conflict(say("This hand is {a} and was changed meanwhile; look again.", a=hand.status), field="version")


def _other_winners(session: Session, hand: FeedHand, said: Mapping[str, Any]) -> dict[int, FeedHand]:
    """Return the other winners' hands that were laid at this table, by number.

    Raises:
        NotFound, InvalidRequest: no hand has this number; it lay at another table, or is named twice.
        Conflict: it was changed or confirmed meanwhile.
    """
    found: dict[int, FeedHand] = {}
    for i, other in enumerate(said.get("also", ())):
        if "laid" not in other:
            continue
        laid = _find_hand(session, other["laid"])
        if laid.table_name != hand.table_name or laid.id == hand.id or laid.id in found:
            message = "Another winner's hand must be a different one at the same table."
            raise InvalidRequest.of([Fault("contradiction", message, f"also[{i}].laid")])
        _check_version(laid, other["version"], "settled")
        found[laid.id] = laid
    return found


def _confirmation(hand: FeedHand, others: Mapping[int, FeedHand], said: Mapping[str, Any], rules: str) -> Confirmed:
    wins = [_win(hand, said.get("context") or {}, rules)]
    for other in said.get("also", ()):
        if "laid" not in other:
            wins.append(dict(other))
            continue
        win = _win(others[other["laid"]], other.get("context") or {}, rules)
        # There is one winning tile, and it may lie with the first winner only.
        wins.append({**win, "winning_tile": win["winning_tile"] or wins[0]["winning_tile"]})
    return Confirmed("win", tuple(wins), riichi=tuple(Seat(s) for s in said.get("riichi", ())))


def _win(hand: FeedHand, said: Mapping[str, Any], rules: str) -> dict[str, Any]:
    """Return the score request of a laid hand with its answers."""
    context = dict(said)
    tiles = {k: v for k, v in hand.hand.items() if k != "dora_indicators"}
    dora = hand.hand.get("dora_indicators")
    if dora and "dora_indicators" not in context and "dora_indicators" in system_named(rules).asks:
        context["dora_indicators"] = dora
    return {**tiles, "id": hand.id, "context": context}


def _game_id(session: Session, hand: FeedHand) -> str:
    """Return the game a hand is paid in: the one it was laid in, though the table may have another round's by now."""
    table = session.get(WatchedTable, hand.table_name)
    found = hand.game_id or (table.game_id if table is not None else None)
    if found is None:
        raise NotFound(say("Table {a} has no game; give it one first.", a=f"{hand.table_name!r:.80}"), field="game_id")
    return found


def _find_hand(session: Session, hand_id: int, *, lock: bool = False) -> FeedHand:
    hand = session.get(FeedHand, hand_id, with_for_update=True if lock else None)
    if hand is None:
        raise NotFound(say("There is no laid hand {n}.", n=hand_id), field="hand_id")
    return hand
