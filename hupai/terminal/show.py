"""Scores and readings as tables for people in a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table
from rich.text import Text

from hupai.basics.counts import count_of
from scoring.basics.context_field import context_fields
from scoring.context import Context, Win
from scoring.hand import format_hand
from scoring.payments import Payments, plain_amount
from scoring.score import Score
from scoring.seats import SEAT_NAMES
from scoring.system import RuleSystem
from scoring.tiles import Tile, format_tiles

if TYPE_CHECKING:
    from vision.reading import Doubt, Reading, Repair


from rich.console import Console

SEATS: Final = {**{seat.value: name for seat, name in SEAT_NAMES.items()}, "pot": "pot"}


class Paper(Console):
    """A terminal or a file. If its reader closes it, as `| head` does, an exception is raised."""

    def on_broken_pipe(self) -> None:
        """Raise: :func:`hupai.cli.main` ends the command quietly."""
        raise BrokenPipeError

    def native(self, text: str) -> str:
        """Return a name in its own script, or nothing if the output's encoding lacks such letters."""
        try:
            text.encode(self.encoding)
        except (LookupError, UnicodeEncodeError):
            return ""
        return f" {text}"


def show_hand(paper: Paper, score: Score, name: str | None = None) -> None:
    """Show what is scored: the hand with everything that overrides a photo, and how it was won."""
    hand, context, system = score.hand, score.context, score.system
    dora = getattr(context, "dora_indicators", ())
    line = format_hand(hand.concealed, hand.melds, hand.winning_tile, hand.bonus, dora)
    paper.print(Text(f"{name}: {line}" if name else line, style="bold"))
    how = ", ".join((_describe_win(context), *_circumstances(system, context)))
    paper.print(Text(f"{system.name}{paper.native(system.native)}: {how}"))


def _describe_win(context: Context) -> str:
    winner, giver = SEATS[context.seat.value], SEATS[context.source.value] if context.source else None
    if context.win is Win.SELF_DRAW:
        return f"{winner} drew the tile"
    if context.win is Win.ROBBED_KONG:
        return f"{winner} robbed {giver + chr(39) + 's' if giver else 'a'} kong"
    return f"{winner} on {giver + chr(39) + 's' if giver else 'a'} discard"


def _circumstances(system: RuleSystem[Any], context: Context) -> Iterable[str]:
    """Yield context fields that these rules read and that are not defaults, in a few words each; the round always."""
    plain_context = system.context_class(context.seat, context.win, context.source)
    known = context_fields(system.context_class)
    for name in system.reads:
        if name not in known or name == "dora_indicators":
            continue
        value, words, kind = getattr(context, name), name.replace("_", " "), known[name].kind
        if name == "round":
            yield f"round {SEATS[value]}"
        elif value == getattr(plain_context, name):
            continue
        elif kind == "switch":
            yield words
        elif name == "liable":
            yield f"{SEATS[value.seat]} liable ({value.kind.replace('_', ' ')})"
        elif kind == "fed":
            yield "fed " + " ".join(f"{a}>{b}={n}" for (a, b), n in value.items())
        elif kind == "discards":
            yield f"{words} " + " ".join(f"{seat}:{thrown}" for seat, thrown in value)
        elif isinstance(value, tuple):
            yield f"{words} {format_tiles(value)}"
        else:
            yield f"{words} {SEATS.get(str(value), value)}"


def show_score(paper: Paper, score: Score) -> None:
    """Show the elements, the total, and who pays whom."""
    if score.tally is not None:
        table = Table()
        table.add_column("Element", no_wrap=True)
        table.add_column(score.tally.line_unit or score.system.unit_name, justify="right")
        table.add_column("Why", overflow="fold")
        for line in score.tally.lines:
            name = f"{line.element.name}{paper.native(line.element.native)}"
            table.add_row(Text(name), str(line.value), Text(line.why))
        if not score.tally.lines:
            table.add_row("(no scoring element)", "", "")
        paper.print(table)
        for note in score.tally.notes:
            paper.print(Text(note))
    if score.arrangement is not None and str(score.arrangement):
        paper.print(Text(f"Read as {score.arrangement}"))
    if score.refusal is not None:
        paper.print(Text(f"This hand may not win: {score.refusal.message}", style="bold"))
        return
    if score.payments is not None:
        show_payments(paper, score.payments)
    for seat, payments in (score.payments_if or {}).items():
        paper.print(Text(f"If the tile was {SEATS[seat.value]}'s: {_format_net(payments)}"))
    if score.payments_if:
        paper.print(Text("Say whose it was with --from."))


def show_why(paper: Paper, score: Score, *, everything: bool = False) -> None:
    """Show what was not counted and what a little more pays; ``everything``: other readings, tiles, house rules."""
    why = score.why
    reasons: dict[str, list[str]] = {}
    for left in why.not_counted:
        reasons.setdefault(left.why, []).append(f"{left.element.name}{paper.native(left.element.native)}")
    for reason, names in reasons.items():
        paper.print(Text(f"Not counted: {', '.join(names)} ({reason})"))
    for step in why.next_steps:
        paper.print(Text(str(step)))
    if not everything:
        return
    if why.second_best:
        paper.print(Text(why.second_best))
    for exchange in why.nearest:
        paper.print(Text(f"One tile away: {exchange}"))
    if why.house_rules:
        paper.print(Text("With another house rule the winner gets more, less or nothing:"))
    for rule in why.house_rules:
        paper.print(Text(f"  {rule}"))


def show_payments(paper: Paper, payments: Payments) -> None:
    """Show a table of transfers, if there are any, and everybody's net result."""
    if not payments.transfers:
        paper.print(Text("Nobody pays."))
        return
    table = Table()
    table.add_column("Who pays")
    table.add_column("whom")
    table.add_column("Amount", justify="right")
    table.add_column("Why", overflow="fold")
    for t in payments.transfers:
        table.add_row(SEATS[str(t.payer)], SEATS[str(t.payee)], str(plain_amount(t.amount)), Text(t.why))
    paper.print(table)
    paper.print(Text(f"In all: {_format_net(payments)}", style="bold"))


def _format_net(payments: Payments) -> str:
    net = payments.to_json()
    pieces = [f"{SEATS[a]} {amount:+}" for a, amount in net.items() if isinstance(amount, int) and amount]
    pieces += [f"{SEATS[a]} {amount}" for a, amount in net.items() if isinstance(amount, str)]
    return "   ".join(pieces) or "nobody pays"


def show_reading(paper: Paper, name: str, reading: Reading) -> None:
    """Show what was seen in one picture: the hand, other tiles, repairs and doubts."""
    from hupai.terminal.corrections import KEEP_ASIDE, questions
    from vision.reading import Role

    paper.print(Text(name, style="bold"), Text(count_of(len(reading.tiles), "tile"), style="dim"))
    if reading.hand is not None:
        paper.print(Text(f"  {reading.hand}"))
    else:
        paper.print(Text(f"  {format_tiles(s.tile for s in reading.tiles)}"))
    others = [s.tile for s, role in zip(reading.tiles, reading.roles, strict=True) if role is Role.OTHER]
    if reading.hand is not None and others:
        paper.print(Text(f"  not of the hand: {_format_tiles(others)}", style="dim"))
    show_repairs(paper, reading.repairs)
    for doubt, flag in questions(sorted(reading.doubts, key=lambda d: d.open), reading.hand):
        show_doubt(paper, doubt, flag if flag == KEEP_ASIDE else None)


def _format_tiles(tiles: list[Tile]) -> str:
    """Return tiles with the face-down ones counted: ``5z, 10 face-down``."""
    up, down = [t for t in tiles if t.code != "back"], sum(t.code == "back" for t in tiles)
    return ", ".join(filter(None, [format_tiles(up), f"{down} face-down" if down else ""]))


def show_repairs(paper: Paper, repairs: Iterable[Repair]) -> None:
    """Show tiles that count as another than was read, one per line."""
    for repair in repairs:
        _print_point(paper, "-", Text(f"read {repair.read}, taken for {repair.used}: {repair.why}"))


def show_doubt(paper: Paper, doubt: Doubt, answer: str | None = None) -> None:
    """Show a question and the flag that answers it; what no picture can show has a mark of its own."""
    pieces = Text(doubt.message) + Text(f" ({answer})" if answer else "", style="dim")
    _print_point(paper, "open:" if doubt.open else "?", pieces)


def _print_point(paper: Paper, mark: str, text: Text) -> None:
    """Show a sentence behind its mark, with further lines indented."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_row(Text(f"  {mark}"), text)
    paper.print(grid)
