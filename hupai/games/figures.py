"""Figures about the people who play, over every game that is kept; points of different rule systems are never added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from hupai.basics.names import fold_name
from hupai.basics.timestamps import format_time
from hupai.games.ending import final_result
from hupai.games.history import GameTerms, Hand
from scoring.context import Win
from scoring.payments import plain_amount

_TENTH: Final = Decimal("0.1")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game, its players' names by number, its hands that count, and what each loses after the placing if any does."""

    terms: GameTerms
    players: Sequence[str]
    hands: Sequence[Hand]
    fines: Sequence[int] = ()


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

    def add_win(self, game_id: str, hand: Hand, win: Mapping[str, Any], amount: Decimal) -> None:
        if win["win"] == Win.SELF_DRAW:
            self.self_draws += 1
        else:
            self.discards += 1
        self.gained += amount
        rank = Decimal(str(win["total"]["value"])), amount
        if self.best_rank is None or rank > self.best_rank:
            at, shown = format_time(hand.confirmed_at), plain_amount(amount)
            self.best_rank = rank
            self.best = BestHand(game_id, hand.number, at, win["elements"], win["total"], shown)

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


def tally_figures(games: Iterable[PlayedGame]) -> list[PlayerFigures]:
    """Return everybody's figures under every system, the most hands first; the first of the games comes first."""
    tallies: dict[tuple[str, str], _Tally] = {}
    for game in games:
        people = [tallies.setdefault((fold_name(name), game.terms.rules), _Tally()) for name in game.players]
        _add_game(game, people)
    found = [tally.figures(rules) for (_, rules), tally in tallies.items()]
    return sorted(found, key=lambda one: (-one.hands, one.name))


def _add_game(game: PlayedGame, people: Sequence[_Tally]) -> None:
    """Add a game to the tallies of its players."""
    for tally, name, result in zip(people, game.players, _results(game), strict=True):
        tally.name = name
        tally.games += 1
        tally.hands += sum(hand.dealt_out for hand in game.hands)
        tally.result += result
    for hand in game.hands:
        for win in hand.summary:
            people[win["player"]].add_win(game.terms.id, hand, win, hand.payments[str(win["player"])])
        for giver in {win["from_player"] for win in hand.summary} - {None}:
            people[giver].dealt_in += 1


def _results(game: PlayedGame) -> list[Decimal]:
    """Return what each player has won or lost in a game, by number."""
    terms, last = game.terms, game.hands[-1]
    totals = terms.totals_after(last)
    if terms.state_after(last).ended is None:
        return [totals[str(n)] - terms.starting_points for n in range(len(game.players))]
    return [share.score for share in final_result(terms.house, totals, game.fines)]
