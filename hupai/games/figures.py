"""Figures about the people who play, over every game that is kept.

Points of different rule systems are never added, nor games for three to games for four.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from hupai.basics.names import fold_name
from hupai.basics.timestamps import format_time
from hupai.games.history import GameTerms, Hand
from hupai.games.settling.ending import final_result
from scoring.context import Win
from scoring.payments import plain_amount

_TENTH: Final = Decimal("0.1")
_HUNDREDTH: Final = Decimal("0.01")


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
    """What somebody did under one rule system among so many; what was taken back or withdrawn does not count.

    Attributes:
        name: as in the latest game. rules: the system. players: who sat at the table, 3 or 4. games: in which a hand
            was recorded. average_place: of those that are over, to a hundredth; None without one. Who tie and share
            their places, share their mean: 1.5 each for two who are first. hands: dealt, wins of anybody and draws.
            self_draws, discards: hands won; a robbed kong counts as a discard. dealt_in: hands that others won on this
            player's tile. average_win: gained by a win, to a tenth; None without one. best: the best win.
        result: of games that are over their settled score, of others the points gained so far.
    """

    name: str
    rules: str
    players: int
    games: int
    average_place: int | str | None
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
    places: list[Decimal] = field(default_factory=list)
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

    def figures(self, rules: str, players: int) -> PlayerFigures:
        wins = self.self_draws + self.discards
        return PlayerFigures(
            name=self.name,
            rules=rules,
            players=players,
            games=self.games,
            average_place=_mean(sum(self.places), len(self.places), _HUNDREDTH),
            hands=self.hands,
            self_draws=self.self_draws,
            discards=self.discards,
            dealt_in=self.dealt_in,
            average_win=_mean(self.gained, wins, _TENTH),
            best=self.best,
            result=plain_amount(self.result),
        )


def _mean(total: Decimal | int, count: int, exactly: Decimal) -> int | str | None:
    """Return the mean to so many places; None of nothing."""
    return plain_amount((Decimal(total) / count).quantize(exactly)) if count else None


def tally_figures(games: Iterable[PlayedGame]) -> list[PlayerFigures]:
    """Return everybody's figures, the most hands first, by system and number of players; the first game comes first."""
    tallies: dict[tuple[str, str, int], _Tally] = {}
    for game in games:
        table = game.terms.rules, len(game.players)
        _add_game(game, [tallies.setdefault((fold_name(name), *table), _Tally()) for name in game.players])
    found = [tally.figures(rules, players) for (_, rules, players), tally in tallies.items()]
    return sorted(found, key=lambda one: (-one.hands, one.name))


def _add_game(game: PlayedGame, people: Sequence[_Tally]) -> None:
    """Add a game to the tallies of its players."""
    for tally, name in zip(people, game.players, strict=True):
        tally.name = name
        tally.games += 1
        tally.hands += sum(hand.dealt_out for hand in game.hands)
    for hand in game.hands:
        for win in hand.summary:
            people[win["player"]].add_win(game.terms.id, hand, win, hand.payments[str(win["player"])])
        for giver in {win["from_player"] for win in hand.summary} - {None}:
            people[giver].dealt_in += 1
    _add_results(game, people)


def _add_results(game: PlayedGame, people: Sequence[_Tally]) -> None:
    """Add what each has won or lost in a game, and the place if it is over."""
    terms, last = game.terms, game.hands[-1]
    totals = terms.totals_after(last)
    if terms.state_after(last).ended is None:
        for n, tally in enumerate(people):
            tally.result += totals[str(n)] - terms.starting_points
        return
    shares = final_result(terms.house, totals, game.fines)
    sharing = Counter(share.place for share in shares)
    for tally, share in zip(people, shares, strict=True):
        tally.result += share.score
        tally.places.append(share.place + Decimal(sharing[share.place] - 1) / 2)
