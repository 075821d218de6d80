"""Histories of games in the database: read as the ledger takes them, written as it gives them back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import datetime
from decimal import Decimal
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from hupai.games.history import Change, GameTerms, Hand, History, WholeHand
from hupai.games.terms.state import TableState
from hupai.store.clock import now as now_in
from hupai.store.play.game_rows import find_game
from hupai.store.tables import Game, GameChange, GameHand, Payment, Player
from hupai.store.wing import wings_of

_OF_A_GAME: Final = tuple(f.name for f in fields(GameTerms))
_IN_SHORT: Final = tuple(f.name for f in fields(Hand) if f.name != "payments")
_WHOLE: Final = tuple(f.name for f in fields(WholeHand) if f.name != "payments")
_OF_A_CHANGE: Final = tuple(f.name for f in fields(Change))


def terms_of(game: Game) -> GameTerms:
    """Return what was agreed on for a game."""
    return GameTerms(**{name: getattr(game, name) for name in _OF_A_GAME})


def short_hand(hand: GameHand) -> Hand:
    """Return a hand in short."""
    payments = {payment.account: payment.amount for payment in hand.payments}
    return Hand(**{name: getattr(hand, name) for name in _IN_SHORT}, payments=payments)


def load_history(session: Session, game: Game) -> History:
    """Return a game with all its hands and changes."""
    paid: defaultdict[int, dict[str, Decimal]] = defaultdict(dict)
    payments = select(Payment.hand_id, Payment.account, Payment.amount).join(GameHand, GameHand.id == Payment.hand_id)
    for hand_id, account, amount in session.execute(payments.where(GameHand.game_id == game.id)):
        paid[hand_id][account] = amount
    hands = select(GameHand.id, *(getattr(GameHand, name) for name in _WHOLE)).order_by(GameHand.number)
    changes = select(*(getattr(GameChange, name) for name in _OF_A_CHANGE)).order_by(GameChange.revision)
    history = History(
        terms_of(game),
        tuple(player.name for player in game.players),
        tuple(
            WholeHand(**dict(zip(_WHOLE, columns, strict=True)), payments=paid[hand_id])
            for hand_id, *columns in session.execute(hands.where(GameHand.game_id == game.id))
        ),
        tuple(Change(*columns) for columns in session.execute(changes.where(GameChange.game_id == game.id))),
    )
    over = history.state.ended is not None  # only then a signature matters, and they are many in a tournament
    return replace(history, signed=over and _is_signed(session, game.id))


def present_table(session: Session, game: Game) -> TableState:
    """Return the present table of a game; only its last hand is read."""
    counting = (GameHand.game_id == game.id, GameHand.undone_at.is_(None))
    last = session.scalar(select(GameHand).where(*counting).order_by(GameHand.number.desc()).limit(1))
    return terms_of(game).state_after(last)


def has_signed_result(session: Session, game: Game) -> bool:
    """Return :attr:`~hupai.games.history.History.has_signed_result` of a game; little of it is read."""
    return present_table(session, game).ended is not None and _is_signed(session, game.id)


def add_game(session: Session, history: History) -> Game:
    """Write a game that is not there yet."""
    players = [Player(number=number, name=name) for number, name in enumerate(history.players)]
    game = Game(**{name: getattr(history.terms, name) for name in _OF_A_GAME}, players=players)
    session.add(game)
    _save(session, game, History(history.terms, history.players), history)
    return game


def change_game(
    session: Session, game_id: str, change: Callable[[History, datetime], History]
) -> tuple[History, History]:
    """Change a game within a transaction and tell the wings; return it as it was, and as it is now.

    Raises:
        NotFound: no such game. Whatever ``change`` raises.
    """
    game = find_game(session, game_id, lock=True)
    was = load_history(session, game)
    now = change(was, now_in(session))
    _save(session, game, was, now)
    for wing in wings_of(session):
        wing.follow(session, now, now.changes[was.revision :])
    return was, now


def _save(session: Session, game: Game, was: History, now: History) -> None:
    game.course, game.closed_at = dict(now.terms.course), now.terms.closed_at
    before = {hand.number: hand for hand in was.hands}
    written = [hand for hand in now.hands if before.get(hand.number) is not hand]
    known = (GameHand.game_id == game.id, GameHand.number.in_([hand.number for hand in written]))
    query = select(GameHand).where(*known).options(selectinload(GameHand.payments))
    rows = {row.number: row for row in session.scalars(query)} if written else {}
    for hand in written:
        row = rows.get(hand.number) or GameHand(game_id=game.id, payments=[])
        _write(row, hand, before.get(hand.number))
        session.add(row)
    for change in now.changes[was.revision :]:
        session.add(GameChange(game_id=game.id, **{name: getattr(change, name) for name in _OF_A_CHANGE}))
    session.flush()


def _write(row: GameHand, hand: WholeHand, was: WholeHand | None) -> None:
    for name in _WHOLE:
        if was is None or getattr(was, name) != getattr(hand, name):
            setattr(row, name, getattr(hand, name))
    kept = {payment.account: payment for payment in row.payments}
    for account, amount in hand.payments.items():
        if account in kept:
            kept[account].amount = amount
        else:
            row.payments.append(Payment(account=account, amount=amount))


def _is_signed(session: Session, game_id: str) -> bool:
    return any(wing.is_signed(session, game_id) for wing in wings_of(session))
