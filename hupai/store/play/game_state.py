"""The state of a game: the last hand that counts, the table and the totals after it."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session, selectinload, undefer

from hupai.basics.errors import Conflict, NotFound
from hupai.ledger.confirmed import RIICHI_STICK_POINTS, Confirmed, GameRules, GameState, HandResult
from hupai.ledger.course import Course
from hupai.ledger.ending import ENDINGS
from hupai.ledger.settle import settle
from hupai.ledger.state import TableState
from hupai.store.play.changes import last_change
from hupai.store.play.game_json import game_json, hand_json
from hupai.store.tables import Game, GameHand
from scoring.options import options_of
from scoring.payments import POT
from scoring.rulebook.conventions import Rotation
from scoring.rules import system_named
from scoring.seats import Seat
from scoring.words.sentence import say

ID_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH: Final = 12


def new_id(length: int = ID_LENGTH) -> str:
    """Return random letters that nobody can guess: 5 bits each."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(length))


def find_game(session: Session, game_id: str, *, lock: bool = False) -> Game:
    """Return the game with this id; ``lock`` keeps others from changing it until the transaction ends.

    Raises:
        NotFound: no such game.
    """
    well_formed = len(game_id) == ID_LENGTH and all(c in ID_LETTERS for c in game_id)
    game = session.get(Game, game_id, with_for_update=True if lock else None) if well_formed else None
    if game is None:
        raise NotFound(say("There is no game {a}.", a=f"{game_id!r:.40}"), field="game_id")
    return game


def game_rules(game: Game) -> GameRules:
    """Return the rules of a game, its rotation, and its course."""
    course = options_of(Course, game.course, "A game's course")
    rotation, first = Rotation(game.rotation), int(game.start["first_dealer"])
    return GameRules(system_named(game.rules), game.options, rotation, first, course, game.starting_points)


def state_of(game: Game, previous: GameHand | None) -> TableState:
    """Return the table for the next hand."""
    state = state_after(game, previous)
    return replace(state, ended="agreed") if game.closed_at is not None and state.ended is None else state


def current_state(session: Session, game: Game) -> TableState:
    """Return the present table, according to the hands that count and what the players agreed on."""
    return state_of(game, last_counting_hand(session, game.id))


def state_after(game: Game, previous: GameHand | None) -> TableState:
    """Return the table after this hand, or before the first one, according to the rules."""
    data = previous.after if previous else {k: v for k, v in game.start.items() if k != "first_dealer"}
    return TableState.from_json(data)


def count_dealt_hands(session: Session, game: Game, previous: GameHand | None) -> int:
    """Return how many dealt hands count up to this one: wins and draws."""
    if previous is None:
        return 0
    mine = (GameHand.game_id == game.id, GameHand.undone_at.is_(None), GameHand.number <= previous.number)
    return session.scalar(select(func.count()).where(*mine, GameHand.outcome.in_(("win", "draw")))) or 0


def settle_next(session: Session, game: Game, confirmed: Confirmed, at: datetime) -> HandResult:
    """Return the result of the next hand.

    Args:
        session, game: where. confirmed: the hand. at: when it is confirmed.

    Raises:
        Conflict: the game is over. InvalidRequest: what was confirmed is invalid.
    """
    previous = last_counting_hand(session, game.id)
    state = state_of(game, previous)
    if state.ended is not None:
        raise Conflict(say("The game is over: {a}. Reopen it to go on.", a=say(ENDINGS[state.ended])), code="game_over")
    seconds = (at - game.created).total_seconds()
    standing = GameState(state, totals_of(game, previous), count_dealt_hands(session, game, previous), seconds)
    return settle(game_rules(game), standing, confirmed)


def last_counting_hand(session: Session, game_id: str) -> GameHand | None:
    """Return the last hand that was not taken back."""
    query = (
        select(GameHand)
        .where(GameHand.game_id == game_id, GameHand.undone_at.is_(None))
        .order_by(GameHand.number.desc())
        .limit(1)
    )
    return session.scalar(query)


def totals_of(game: Game, previous: GameHand | None) -> dict[str, Decimal]:
    """Return the running totals by account after this hand."""
    if previous is not None:
        return {account: Decimal(amount) for account, amount in previous.totals.items()}
    pot = Decimal(RIICHI_STICK_POINTS * int(game.start["riichi_sticks"]))
    return {**{str(n): game.starting_points for n in range(game_rules(game).players)}, POT: pot}


def find_false_wins(session: Session, game_ids: Collection[str]) -> dict[str, dict[int, int]]:
    """Return game -> number of the hand -> player of each false win that counts."""
    counted = (GameHand.game_id.in_(game_ids), GameHand.undone_at.is_(None), GameHand.outcome == "false_win")
    query = select(GameHand).where(*counted).order_by(GameHand.number).options(undefer(GameHand.request))
    found: dict[str, dict[int, int]] = {}
    for hand in session.scalars(query):
        player = TableState.from_json(hand.before).player_at(Seat(hand.request["offender"]))
        found.setdefault(hand.game_id, {})[hand.number] = player
    return found


def fines_of(game: Game, false_wins: Mapping[int, int]) -> tuple[int, ...]:
    """Return what each player loses after the placing, by number, for false wins (hand -> player)."""
    house, offenders = game_rules(game), list(false_wins.values())
    each = house.play.after_placing if offenders else 0
    return tuple(each * offenders.count(n) for n in range(house.players))


def load_game_json(session: Session, game: Game, last_hands: int | None) -> dict[str, Any]:
    """Return the game as in the API, with its last hands (all if None)."""
    previous = last_counting_hand(session, game.id)
    query = (
        select(GameHand)
        .where(GameHand.game_id == game.id)
        .order_by(GameHand.number.desc())
        .options(selectinload(GameHand.payments))
    )
    hands = list(session.scalars(query if last_hands is None else query.limit(last_hands)))[::-1]
    rules = game_rules(game)
    false_wins = find_false_wins(session, [game.id]).get(game.id, {}) if rules.play.after_placing else {}
    next_number = 1 + (session.scalar(select(func.max(GameHand.number)).where(GameHand.game_id == game.id)) or 0)
    return game_json(
        game,
        rules,
        state_of(game, previous),
        totals_of(game, previous),
        fines_of(game, false_wins),
        next_number,
        last_change(session, game),
        [hand_json(h) for h in hands],
    )
