"""Scores and readings as tables for people in a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from scoring.payments import Payments, plain
from scoring.score import Score
from scoring.tiles import format_tiles
from vision.reading import Reading, Role, SeenHand

_SEATS = {"E": "East", "S": "South", "W": "West", "N": "North", "pot": "pot"}


def hand_line(hand: SeenHand) -> str:
    """A hand in one line: concealed, winning tile, melds, bonus, dora."""
    parts = [format_tiles(hand.concealed)]
    if hand.winning_tile is not None:
        parts.append(f"won with {hand.winning_tile}")
    parts += [f"{m.type.value.replace('_', ' ')} {format_tiles(m.tiles)}" for m in hand.melds]
    if hand.bonus:
        parts.append(f"bonus {format_tiles(hand.bonus)}")
    if hand.dora_indicators:
        parts.append(f"dora indicator {format_tiles(hand.dora_indicators)}")
    return " | ".join(parts)


def show_score(console: Console, score: Score) -> None:
    """The elements, the sum, and who pays whom."""
    if score.tally is not None:
        table = Table(title=f"{score.system.name} {score.system.native}", title_justify="left", expand=False)
        table.add_column("Element", no_wrap=True)
        table.add_column(score.tally.line_unit or score.system.unit, justify="right")
        table.add_column("Why", overflow="fold")
        for line in score.tally.lines:
            table.add_row(f"{line.element.name} {line.element.native}", str(line.value), Text(line.why))
        if not score.tally.lines:
            table.add_row("(no scoring element)", "", "")
        console.print(table)
        for note in score.tally.notes:
            console.print(Text(note))
    if score.arrangement is not None and str(score.arrangement):
        console.print(Text(f"Read as {score.arrangement}"))
    if score.refusal is not None:
        console.print(Text(f"This hand may not win: {score.refusal.message}", style="bold"))
        return
    if score.payments is not None:
        show_payments(console, score.payments)
    for seat, payments in (score.payments_if or {}).items():
        console.print(Text(f"If the tile was {_SEATS[seat.value]}'s:"))
        show_payments(console, payments)


def show_payments(console: Console, payments: Payments) -> None:
    """A table of transfers, if there are any, and what everybody ends with."""
    if not payments.transfers:
        console.print(Text("Nobody pays."))
        return
    table = Table(title="Who pays whom", title_justify="left", expand=False)
    table.add_column("From")
    table.add_column("To")
    table.add_column("Amount", justify="right")
    table.add_column("Why", overflow="fold")
    for t in payments.transfers:
        table.add_row(_SEATS[str(t.payer)], _SEATS[str(t.payee)], str(plain(t.amount)), Text(t.why))
    console.print(table)
    net = [f"{_SEATS[a]} {amount:+}" for a, amount in payments.to_json().items() if isinstance(amount, int) and amount]
    net += [f"{_SEATS[a]} {amount}" for a, amount in payments.to_json().items() if isinstance(amount, str)]
    console.print(Text("In all: " + ("   ".join(net) or "nobody pays")))


def show_reading(console: Console, name: str, reading: Reading) -> None:
    """What was seen in one picture: the hand, other tiles, repairs and doubts."""
    console.print(Text(name, style="bold"), Text(f"{len(reading.tiles)} tiles", style="dim"))
    if reading.hand is not None:
        console.print(Text(f"  {hand_line(reading.hand)}"))
    else:
        console.print(Text(f"  {format_tiles(s.tile for s in reading.tiles)}"))
    others = [s.tile for s, role in zip(reading.tiles, reading.roles, strict=True) if role is Role.OTHER]
    if reading.hand is not None and others:
        console.print(Text(f"  not of the hand: {format_tiles(others)}", style="dim"))
    show_doubts(console, reading)


def show_doubts(console: Console, reading: Reading) -> None:
    """Repairs and questions, one a line."""
    for repair in reading.repairs:
        console.print(Text(f"  repaired: {repair.read} read as {repair.used} ({repair.why})"))
    for doubt in reading.doubts:
        console.print(Text(f"  ? {doubt.message}"))
