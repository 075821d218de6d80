"""``hupai replay``: a game played elsewhere, scored anew from its log; what differs is listed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hupai.terminal.each_picture import SOME_FAILED
from hupai.terminal.options import PresetName
from hupai.terminal.output import print_json, with_provenance

if TYPE_CHECKING:
    from hupai.imports.logged import LoggedHand
    from hupai.imports.replay import Difference, Replayed


def replay(
    log: Annotated[
        Path,
        typer.Argument(
            metavar="LOG", help="A log of Tenhou (JSON or mjlog), Mahjong Soul or Pantheon, perhaps gzipped."
        ),
    ],
    preset: PresetName = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Score every hand of a game of riichi that was played elsewhere; exit status 1 if its log differs."""
    from datetime import UTC, datetime

    from hupai.basics.ids import new_id
    from hupai.imports.read import open_log, read_log
    from hupai.imports.replay import replay as play_again
    from hupai.ledger.game_json import history_json
    from hupai.web.answers.json_text import parse_json
    from scoring.errors import Fault, InvalidRequest

    try:
        data = log.read_bytes()
    except OSError as error:
        raise InvalidRequest.of([Fault("unreadable_file", f"{log} cannot be read: {error.strerror}.")]) from error
    made = play_again(read_log(open_log(data, parse_json)), new_id(), datetime.now(UTC), preset)
    if as_json:
        print_json(with_provenance({**made.to_json(), "game": history_json(made.history)}))
    else:
        _show(made)
    raise typer.Exit(SOME_FAILED if made.differences else 0)


def _show(made: Replayed) -> None:
    from rich.table import Table

    from hupai.terminal.paper import Paper

    paper, players = Paper(markup=False, highlight=False), made.log.players
    paper.print(f"{made.log.source} {made.log.name}")
    hands = Table("Hand", "Table", "Who", *players)
    for column in hands.columns[3:]:
        column.justify = "right"
    for hand, logged in zip(made.history.hands, made.log.hands, strict=True):
        paid = (str(hand.payments[str(n)]) for n in range(len(players)))
        hands.add_row(str(hand.number), _table(hand.before), _who(logged, players), *paid)
    paper.print(hands)
    if not made.differences:
        paper.print("Nothing differs from the log.")
        return
    table = Table("Hand", "Differs", "Log", "hupai", title="What differs from the log", title_justify="left")
    for found in made.differences:
        table.add_row(str(found.hand), _what(found, players), _words(found.logged), _words(found.scored))
    paper.print(table)


def _table(state: Mapping[str, Any]) -> str:
    counters = f" +{state['counters']}" if state["counters"] else ""
    return f"{state['round']}{state['dealer'] + 1}{counters}"


def _who(hand: LoggedHand, players: tuple[str, ...]) -> str:
    wins = [
        players[win.winner] + (" drew" if win.payer is None else f" from {players[win.payer]}") for win in hand.wins
    ]
    return ", ".join(wins) or ("false win" if hand.outcome == "false_win" else "draw")


def _what(found: Difference, players: tuple[str, ...]) -> str:
    return found.what if found.player is None else f"{found.what} of {players[found.player]}"


def _words(value: object) -> str:
    """Return a side of a difference for people."""
    if isinstance(value, Mapping):
        return str(value["message"]) if "message" in value else ", ".join(f"{n} {v}" for n, v in value.items()) or "-"
    return " ".join(map(str, value)) if isinstance(value, list) else "-" if value is None else str(value)
