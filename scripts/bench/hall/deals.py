"""What happens at the simulated tables: riichi hands whose value is known, drawn at random."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

SEATS: Final = ("E", "S", "W", "N")
PATTERNS: Final[dict[str, tuple[str, str]]] = {
    # name: thirteen tiles, the winning tile; all concealed
    "flat": ("2m 3m 4m 5m 6m 7m 3p 4p 5p 6s 7s 2p 2p", "8s"),
    "dragon": ("7z 7z 7z 1m 2m 3m 4p 5p 7s 8s 9s 9p 9p", "6p"),
    "pairs": ("1m 1m 3m 3m 5p 5p 7p 7p 9s 9s 2z 2z 6z", "6z"),
    "suit": ("5z 5z 5z 6z 6z 6z 1m 2m 3m 4m 5m 9m 9m", "6m"),
}
"""Simples in runs; one triplet of dragons; seven pairs; one suit with two triplets of dragons."""


@dataclass(frozen=True, slots=True)
class Deal:
    """How a hand ended; seats are those it was dealt at.

    Attributes:
        winner: None for a draw. loser: who discarded the tile, None for a self-draw or a draw. pattern: of the winner.
        declared: who had declared riichi, the winner perhaps among them. ready: who could have won, of a draw.
    """

    winner: str | None
    loser: str | None = None
    pattern: str = "flat"
    declared: tuple[str, ...] = ()
    ready: tuple[str, ...] = ()

    @property
    def hand(self) -> dict[str, Any]:
        """The winner's tiles as the API has them."""
        row, winning = PATTERNS[self.pattern]
        return {"concealed": row.split(), "melds": [], "winning_tile": winning, "bonus": []}

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


def drawn(rng: random.Random, *, last: bool = False) -> Deal:
    """The next hand of a table; the ``last`` one is a win, so that no riichi stick is left over."""
    if not last and rng.random() < 0.2:
        ready = tuple(s for s in SEATS if rng.random() < 0.5)
        return Deal(None, declared=tuple(s for s in ready if rng.random() < 0.3), ready=ready)
    winner, *others = rng.sample(SEATS, 4)
    loser = others[0] if rng.random() < 0.7 else None
    declared = tuple(s for s in (winner, *others) if rng.random() < 0.25)
    return Deal(winner, loser, rng.choice(tuple(PATTERNS)), declared)


def mistaken(deal: Deal) -> Deal:
    """The same win with another discarder, as somebody may enter it by mistake; the next dealer is the same."""
    others = [s for s in SEATS if s not in (deal.winner, deal.loser)]
    return Deal(deal.winner, others[0], deal.pattern, deal.declared)
