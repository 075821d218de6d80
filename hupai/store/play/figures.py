"""Figures about the people who play, over every game that is kept; points of different rule systems are never added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session, selectinload

from hupai.basics.names import fold_name
from hupai.basics.timestamps import format_time
from hupai.ledger.settlement import settlement
from hupai.store.database import reading
from hupai.store.play.game_state import find_false_wins, fines_of, game_rules, state_of, totals_of
from hupai.store.tables import Game, GameHand
from scoring.context import Win
from scoring.payments import plain_amount

_TENTH: Final = Decimal("0.1")
_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class BestHand:
    """The win of the highest value, among equals the one that was paid most, or else the first.

    Attributes:
        game_id, number: the hand. at: when it was confirmed. elements: ids. total: as in a score. amount: what the
            winner gained by it.
    """

    game_id: str
    number: int
    at: str
    elements: list[str]
    total: dict[str, Any]
    amount: int | str


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """What somebody did under one rule system; what was taken back or withdrawn does not count.

    Attributes:
        name: as in the latest game. rules: the system. games: in which a hand was recorded. hands: dealt, wins of
            anybody and draws. self_draws, discards: hands won; a robbed kong counts as a discard. dealt_in: hands
            that others won on this player's tile. average_win: gained by a win, to a tenth; None without one.
        best: the best win. result: of games that are over their settled score, of others the points gained so far.
    """

    name: str
    rules: str
    games: int
    hands: int
    self_draws: int
    discards: int
    dealt_in: int
    average_win: int | str | None
    best: BestHand | None
    result: int | str


@dataclass(slots=True)
class _Tally:
    """The figures of a player while the games are counted."""

    name: str = ""
    games: int = 0
    hands: int = 0
    self_draws: int = 0
    discards: int = 0
    dealt_in: int = 0
    gained: Decimal = Decimal(0)
    result: Decimal = Decimal(0)
    best_rank: tuple[Decimal, Decimal] | None = None
    best: BestHand | None = None

    def add_win(self, hand: GameHand, win: dict[str, Any], amount: Decimal) -> None:
        if win["win"] == Win.SELF_DRAW:
            self.self_draws += 1
        else:
            self.discards += 1
        self.gained += amount
        rank = Decimal(str(win["total"]["value"])), amount
        if self.best_rank is None or rank > self.best_rank:
            at, shown = format_time(hand.confirmed_at), plain_amount(amount)
            self.best_rank = rank
            self.best = BestHand(hand.game_id, hand.number, at, win["elements"], win["total"], shown)

    def figures(self, rules: str) -> PlayerFigures:
        wins = self.self_draws + self.discards
        return PlayerFigures(
            name=self.name,
            rules=rules,
            games=self.games,
            hands=self.hands,
            self_draws=self.self_draws,
            discards=self.discards,
            dealt_in=self.dealt_in,
            average_win=plain_amount((self.gained / wins).quantize(_TENTH)) if wins else None,
            best=self.best,
            result=plain_amount(self.result),
        )


def list_figures(engine: Engine) -> list[PlayerFigures]:
    """Return the figures of everybody under every system they played; who played the most hands comes first."""
    query = (
        select(GameHand)
        .join(Game, Game.id == GameHand.game_id)
        .where(GameHand.undone_at.is_(None))
        .order_by(Game.created, Game.id, GameHand.number)
        .options(selectinload(GameHand.payments))
        .execution_options(yield_per=_AT_ONCE)
    )
    tallies: dict[tuple[str, str], _Tally] = {}
    with reading(engine) as session:
        games = {game.id: game for game in session.scalars(select(Game).options(selectinload(Game.players)))}
        for game_id, hands in groupby(session.scalars(query), key=lambda hand: hand.game_id):
            game = games[game_id]
            people = [tallies.setdefault((fold_name(p.name), game.rules), _Tally()) for p in game.players]
            _add_game(session, game, list(hands), people)
    found = [tally.figures(rules) for (_, rules), tally in tallies.items()]
    return sorted(found, key=lambda one: (-one.hands, one.name))


def _add_game(session: Session, game: Game, hands: Sequence[GameHand], people: Sequence[_Tally]) -> None:
    """Add a game and its hands, one at least, to the tallies of its players."""
    for tally, player, result in zip(people, game.players, _results(session, game, hands[-1]), strict=True):
        tally.name = player.name
        tally.games += 1
        tally.hands += sum(hand.outcome in ("win", "draw") for hand in hands)
        tally.result += result
    for hand in hands:
        amounts = {payment.account: payment.amount for payment in hand.payments}
        for win in hand.summary:
            people[win["player"]].add_win(hand, win, amounts[str(win["player"])])
        for giver in {win["from_player"] for win in hand.summary} - {None}:
            people[giver].dealt_in += 1


def _results(session: Session, game: Game, last: GameHand) -> list[Decimal]:
    """Return what each player has won or lost in a game whose last hand that counts is this one, by number."""
    totals = totals_of(game, last)
    if state_of(game, last).ended is None:
        return [totals[str(player.number)] - game.starting_points for player in game.players]
    rules = game_rules(game)
    false_wins = find_false_wins(session, [game.id]).get(game.id, {}) if rules.play.after_placing else {}
    return [share.score for share in settlement(rules, totals, fines_of(game, false_wins))]
