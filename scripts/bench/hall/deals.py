"""What happens at the simulated tables: riichi hands whose value is known, drawn at random, and the standings.

These are computed from the list of hands alone, sharing no code with hupai, so that the two may disagree.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

SEATS: Final = ("E", "S", "W", "N")
START_POINTS: Final = 25_000
UMA: Final = (15, 5, -5, -15)


@dataclass(frozen=True, slots=True)
class KnownHand:
    """A concealed hand: thirteen tiles, the winning tile, and what it is worth; a self-draw is one han more.

    Attributes:
        row, winning: the tiles. han, discard_fu: by another's discard. drawn_fu: by self-draw.
    """

    row: str
    winning: str
    han: int
    discard_fu: int
    drawn_fu: int


PATTERNS: Final = (
    KnownHand("2m 3m 4m 5m 6m 7m 3p 4p 5p 6s 7s 2p 2p", "8s", 2, 30, 20),  # simples in runs
    KnownHand("7z 7z 7z 1m 2m 3m 4p 5p 7s 8s 9s 9p 9p", "6p", 1, 40, 30),  # one triplet of dragons
    KnownHand("1m 1m 3m 3m 5p 5p 7p 7p 9s 9s 2z 2z 6z", "6z", 2, 25, 25),  # seven pairs
    KnownHand("5z 5z 5z 6z 6z 6z 1m 2m 3m 4m 5m 9m 9m", "6m", 5, 0, 0),  # one suit with two triplets of dragons
)


@dataclass(frozen=True, slots=True)
class HandEnd:
    """How a hand ended; seats are those it was dealt at.

    Attributes:
        winner: None for a draw. loser: who discarded the tile, None for a self-draw or a draw. pattern: of the winner.
        declared: who had declared riichi, the winner perhaps among them. ready: who could have won, of a draw.
    """

    winner: str | None
    loser: str | None = None
    pattern: KnownHand = PATTERNS[0]
    declared: tuple[str, ...] = ()
    ready: tuple[str, ...] = ()

    @property
    def hand(self) -> dict[str, Any]:
        """The winner's tiles as the API has them."""
        return {"concealed": self.pattern.row.split(), "melds": [], "winning_tile": self.pattern.winning, "bonus": []}

    @property
    def context(self) -> dict[str, Any]:
        """What no camera sees."""
        how: dict[str, Any] = {"win": "discard", "from": self.loser} if self.loser else {"win": "self_draw"}
        return {"seat": self.winner, **how, "riichi": self.winner in self.declared}

    @property
    def others(self) -> list[str]:
        """Who else had declared."""
        return [s for s in self.declared if s != self.winner]

    @property
    def body(self) -> dict[str, Any]:
        """What a phone sends."""
        if self.winner is None:
            return {"outcome": "draw", "ready": list(self.ready), "riichi": list(self.declared)}
        return {"outcome": "win", "wins": [{**self.hand, "context": self.context}], "riichi": self.others}

    @property
    def base(self) -> int:
        """Base points of the winner's hand."""
        drawn = self.loser is None
        han = self.pattern.han + drawn + (self.winner in self.declared)
        if han >= 8:
            return 4000
        if han >= 6:
            return 3000
        fu = self.pattern.drawn_fu if drawn else self.pattern.discard_fu
        return min(2000, fu << (2 + han)) if han < 5 else 2000


def draw_hand_end(rng: random.Random, *, last: bool = False) -> HandEnd:
    """The next hand of a table; the ``last`` one is a win, so that no riichi stick is left over."""
    if not last and rng.random() < 0.2:
        ready = tuple(s for s in SEATS if rng.random() < 0.5)
        return HandEnd(None, declared=tuple(s for s in ready if rng.random() < 0.3), ready=ready)
    winner, *others = rng.sample(SEATS, 4)
    loser = others[0] if rng.random() < 0.7 else None
    declared = tuple(s for s in (winner, *others) if rng.random() < 0.25)
    return HandEnd(winner, loser, rng.choice(PATTERNS), declared)


def with_wrong_discarder(deal: HandEnd) -> HandEnd:
    """The same win with another discarder, as somebody may enter it by mistake; the next dealer is the same."""
    return replace(deal, loser=next(s for s in SEATS if s not in (deal.winner, deal.loser)))


@dataclass(slots=True)
class RunningGame:
    """A game in progress.

    Attributes:
        totals: of the four who sat E, S, W, N when it began. dealer: which of them deals. counters, sticks: on the
            table.
    """

    totals: list[int] = field(default_factory=lambda: [START_POINTS] * 4)
    dealer: int = 0
    counters: int = 0
    sticks: int = 0

    def payments(self, deal: HandEnd) -> dict[str, int]:
        """What each seat, and the pot, gets or pays if a hand ends like this now."""
        moved = dict.fromkeys((*SEATS, "pot"), 0)
        for seat in deal.declared:
            moved[seat] -= 1000
            moved["pot"] += 1000
        if deal.winner is None:
            if len(deal.ready) in (1, 2, 3):
                for seat in SEATS:
                    share = 3000 // len(deal.ready) if seat in deal.ready else -3000 // (4 - len(deal.ready))
                    moved[seat] += share
            return moved
        for seat in [deal.loser] if deal.loser else [s for s in SEATS if s != deal.winner]:
            if deal.loser:
                paid = _round_up_to_hundreds(deal.base * (6 if deal.winner == "E" else 4)) + 300 * self.counters
            else:
                paid = _round_up_to_hundreds(deal.base * (2 if "E" in (deal.winner, seat) else 1)) + 100 * self.counters
            moved[seat] -= paid
            moved[deal.winner] += paid
        moved[deal.winner] += 1000 * self.sticks + moved["pot"]
        moved["pot"] = -1000 * self.sticks
        return moved

    def take(self, deal: HandEnd) -> None:
        """Count the hand."""
        moved = self.payments(deal)
        for i, seat in enumerate(SEATS):
            self.totals[(self.dealer + i) % 4] += moved[seat]
        self.sticks += moved["pot"] // 1000
        stays = deal.winner == "E" or (deal.winner is None and "E" in deal.ready)
        self.counters = self.counters + 1 if stays or deal.winner is None else 0
        self.dealer = (self.dealer + (not stays)) % 4


def _round_up_to_hundreds(amount: int) -> int:
    return -(-amount // 100) * 100


def game_after(deals: Sequence[HandEnd]) -> RunningGame:
    """A game after these hands."""
    table = RunningGame()
    for deal in deals:
        table.take(deal)
    return table


def rank_players(
    games: Sequence[tuple[Sequence[int], Sequence[HandEnd]]], penalties: Mapping[int, int], players: Sequence[int]
) -> list[tuple[int, int, Fraction]]:
    """Rank, player and score, the leader first.

    Thousands won, the place's points and penalties count; ties are broken by more first, second, third places,
    then by what was won at the tables.

    Args:
        games: the players in the order of their seats, and the hands. penalties: by player. players: who is ranked.
    """
    score = {p: Fraction(penalties.get(p, 0)) for p in players}
    won = dict.fromkeys(players, Fraction(0))
    placed = {p: [0, 0, 0, 0] for p in players}
    for seated, deals in games:
        totals = game_after(deals).totals
        for player, total in zip(seated, totals, strict=True):
            above, level = sum(t > total for t in totals), totals.count(total)
            won[player] += Fraction(total - START_POINTS, 1000)
            score[player] += Fraction(total - START_POINTS, 1000) + Fraction(sum(UMA[above : above + level]), level)
            placed[player][above] += 1
    key = {p: (score[p], placed[p][:3], won[p]) for p in players}
    order = sorted(sorted(players), key=lambda p: key[p], reverse=True)
    return [(1 + sum(key[q] > key[p] for q in players), p, score[p]) for p in order]
