"""The standings, computed from the list of hands alone, sharing no code with hupai, so that the two may disagree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from scripts.bench.hall.deals import SEATS, Deal

START: Final = 25_000
UMA: Final = (15, 5, -5, -15)
_WORTH: Final[dict[str, tuple[int, int, int]]] = {
    # name: han by another's discard, fu by another's discard, fu by self-draw; self-draw is one han more
    "flat": (2, 30, 20),
    "dragon": (1, 40, 30),
    "pairs": (2, 25, 25),
    "suit": (5, 0, 0),
}


def _base(pattern: str, *, drawn: bool, declared: bool) -> int:
    han, discard_fu, drawn_fu = _WORTH[pattern]
    han += drawn + declared
    if han >= 8:
        return 4000
    if han >= 6:
        return 3000
    return min(2000, (drawn_fu if drawn else discard_fu) << (2 + han)) if han < 5 else 2000


def _hundreds(amount: int) -> int:
    return -(-amount // 100) * 100


@dataclass(slots=True)
class Table:
    """A game in progress.

    Attributes:
        totals: of the four who sat E, S, W, N when it began. dealer: which of them deals. counters, sticks: on the
            table.
    """

    totals: list[int] = field(default_factory=lambda: [START] * 4)
    dealer: int = 0
    counters: int = 0
    sticks: int = 0

    def payments(self, deal: Deal) -> dict[str, int]:
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
        pot = 1000 * self.sticks + moved["pot"]
        base = _base(deal.pattern, drawn=deal.loser is None, declared=deal.winner in deal.declared)
        for seat in SEATS:
            if seat == deal.winner or (deal.loser is not None and seat != deal.loser):
                continue
            if deal.loser is not None:
                paid = _hundreds(base * (6 if deal.winner == "E" else 4)) + 300 * self.counters
            else:
                paid = _hundreds(base * (2 if "E" in (deal.winner, seat) else 1)) + 100 * self.counters
            moved[seat] -= paid
            moved[deal.winner] += paid
        moved[deal.winner] += pot
        moved["pot"] -= pot
        return moved

    def take(self, deal: Deal) -> None:
        """Count the hand."""
        moved = self.payments(deal)
        for i, seat in enumerate(SEATS):
            self.totals[(self.dealer + i) % 4] += moved[seat]
        self.sticks += moved["pot"] // 1000
        stays = deal.winner == "E" or (deal.winner is None and "E" in deal.ready)
        self.counters = self.counters + 1 if stays or deal.winner is None else 0
        if not stays:
            self.dealer = (self.dealer + 1) % 4


def table_of(deals: Sequence[Deal]) -> Table:
    """A game after these hands."""
    table = Table()
    for deal in deals:
        table.take(deal)
    return table


def ranked(
    games: Sequence[tuple[Sequence[int], Sequence[Deal]]], penalties: Mapping[int, int], players: Sequence[int]
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
        totals = table_of(deals).totals
        for player, total in zip(seated, totals, strict=True):
            above, level = sum(t > total for t in totals), totals.count(total)
            won[player] += Fraction(total - START, 1000)
            score[player] += Fraction(total - START, 1000) + Fraction(sum(UMA[above : above + level]), level)
            placed[player][above] += 1
    key = {p: (score[p], placed[p][:3], won[p]) for p in players}
    order = sorted(sorted(players), key=lambda p: key[p], reverse=True)
    return [(1 + sum(key[q] > key[p] for q in players), p, score[p]) for p in order]
