"""Which elements that a hand lacks are nearest: those that one other tile would make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from scoring.arrangements.splits import waits_from_counts
from scoring.errors import InvalidRequest
from scoring.hand import Hand
from scoring.payments import Amount, plain_amount
from scoring.reasons.scored import Scored, Scorer, income_of
from scoring.system import Case, Line
from scoring.tiles import KINDS, PLAIN, Tile


@dataclass(frozen=True, slots=True)
class Exchange:
    """One tile in the place of another, and what the hand has then that it lacks.

    Attributes:
        drop: the tile that goes. take: that which takes its place. winning: whether it is the winning tile.
        lines: the elements that come, at their value. income: what the winner gets then.
        change: the difference from the present income, which counts what goes, too.
    """

    drop: Tile
    take: Tile
    winning: bool
    lines: tuple[Line, ...]
    income: Amount
    change: Amount

    def __str__(self) -> str:
        names = ", ".join(line.element.name for line in self.lines)
        won = "won with " if self.winning else ""
        figures = f"+{plain_amount(self.change)} ({plain_amount(self.income)})"
        return f"{won}{self.take} in the place of {self.drop}: {names}, {figures}"

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "drop": self.drop.code,
            "take": self.take.code,
            "winning": self.winning,
            "elements": [
                {"id": line.element.id, "name": line.element.name, "native": line.element.native, "value": line.value}
                for line in self.lines
            ],
            "income": plain_amount(self.income),
            "change": plain_amount(self.change),
        }


def nearest_elements(score: Scored, again: Scorer) -> list[Exchange]:
    """Return the exchanges of one tile that bring elements and pay more, those that pay most first.

    Melds stay as they are, and so do the circumstances. Of exchanges that bring the same elements the one that pays
    most is named, and none that pays no more than another which brings fewer. Elements that lie in single tiles (dora)
    are none to aim at. The hand is scored ``again`` with each tile that makes it whole.
    """
    won = score.hand.winning_tile
    if score.tally is None or score.payments is None or won is None:
        return []
    had, now = {line.element.id for line in score.tally.lines}, income_of(score)
    best: dict[frozenset[str], Exchange] = {}
    for drop, take, hand in _exchanged(score, won):
        try:
            other = again(score.system, Case(hand, score.context, score.options))
        except InvalidRequest:  # a fifth tile, which an indicator shows; circumstances that such a hand cannot have
            continue
        income = income_of(other)
        if other.tally is None or not other.legal or income <= now:
            continue
        lines = tuple(line for line in other.tally.lines if line.element.id not in had)
        brings = frozenset(line.element.id for line in lines)
        if brings <= score.system.in_single_tiles:
            continue
        if brings not in best or income > best[brings].income:
            winning = hand.concealed == score.hand.concealed
            best[brings] = Exchange(drop, take, winning, lines, income, income - now)
    return sorted(
        (
            found
            for brings, found in best.items()
            if not any(fewer < brings and less.income >= found.income for fewer, less in best.items())
        ),
        key=lambda found: -found.income,
    )


def _exchanged(score: Scored, won: Tile) -> Iterator[tuple[Tile, Tile, Hand]]:
    """Yield the whole hands with another tile in the place of one: of a kind a plain five goes before a red one."""
    hand, system = score.hand, score.system
    shapes, left_out = system.shapes_played(score.options), system.kinds_left_out(score.options)
    for winning in (True, False):
        tiles = (won,) if winning else sorted(hand.concealed, key=_red_first)
        for drop in {tile.kind: tile for tile in tiles}.values():
            held, counts = list(hand.held), list(hand.counts)
            held[drop.kind] -= 1
            counts[drop.kind] -= 1
            # With wild tiles other tiles make a hand whole, too.
            kinds = range(KINDS) if system.stand_ins else waits_from_counts(held, shapes, counts)
            for kind in kinds:
                if kind == drop.kind or kind in left_out or counts[kind] >= 4:
                    continue
                take = PLAIN[kind]
                if winning:
                    yield drop, take, replace(hand, winning_tile=take)
                else:
                    at = hand.concealed.index(drop)
                    yield drop, take, replace(hand, concealed=(*hand.concealed[:at], take, *hand.concealed[at + 1 :]))


def _red_first(tile: Tile) -> tuple[int, bool]:
    return tile.kind, not tile.red
