"""``hupai replay``: a game played elsewhere, scored anew from its log; what differs is listed."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hupai.terminal.each_picture import SOME_FAILED
from hupai.terminal.options import PresetName, PrintJson
from hupai.terminal.output import print_json, with_provenance
from scoring.options import format_value

if TYPE_CHECKING:
    from hupai.imports.logged import LoggedHand
    from hupai.imports.replay import Replayed


def replay(
    log: Annotated[
        str,
        typer.Argument(
            metavar="LOG",
            help="A log of Tenhou (JSON, mjlog), Mahjong Soul, Pantheon or mjai, perhaps gzipped; - for standard "
            "input; or a link to tenhou.net/6.",
        ),
    ],
    preset: PresetName = None,
    as_json: PrintJson = False,
) -> None:
    """Score every hand of a game of riichi that was played elsewhere; exit status 1 if its log differs."""
    from datetime import UTC, datetime

    from hupai.basics.ids import new_id
    from hupai.games.game_json import history_json
    from hupai.imports.read import open_log, read_log
    from hupai.imports.replay import replay as play_again
    from hupai.web.answers.json_text import parse_json
    from scoring.errors import Fault, InvalidRequest

    try:
        data = log.encode() if log.startswith(("https://", "http://")) else _read_file(log)
    except OSError as error:
        raise InvalidRequest.of([Fault("unreadable_file", f"{log} cannot be read: {error.strerror}.")]) from error
    made = play_again(read_log(open_log(data, parse_json)), new_id(), datetime.now(UTC), preset)
    if as_json:
        print_json(with_provenance({**made.to_json(), "game": history_json(made.history)}))
    else:
        _show(made)
    raise typer.Exit(SOME_FAILED if made.differences else 0)


def _read_file(log: str) -> bytes:
    return sys.stdin.buffer.read() if log == "-" else Path(log).read_bytes()


def _show(made: Replayed) -> None:
    """Print a line for each hand: its number and table, what everybody got, who won; below it what the log says."""
    from hupai.terminal.show import Paper

    paper, players = Paper(markup=False, highlight=False), made.log.players
    paper.print(f"{' '.join(filter(None, (made.log.source, made.log.name)))}: {', '.join(players)}")
    for hand, logged in zip(made.history.hands, made.log.hands, strict=True):
        before, counters = hand.before, hand.before["counters"]
        table = f"{before['round']}{before['dealer'] + 1}{f' +{counters}' if counters else ''}"
        paid = "".join(f"{hand.payments[str(n)]:>7}" for n in range(len(players)))
        given = ("drew" if win.payer is None else f"from {players[win.payer]}" for win in logged.wins)
        won = ", ".join(f"{players[win.winner]} {how}" for win, how in zip(logged.wins, given, strict=True))
        paper.print(f"{hand.number:>3}  {table:<6}{paid}  {won or _nobody_won(logged, players)}")
        for one in made.differences:
            if one.hand == hand.number:
                paper.print(f"     {one.what}: {_words(one.logged)} in the log, here {_words(one.scored)}")
    if not made.differences:
        paper.print("Nothing differs from the log.")


def _nobody_won(hand: LoggedHand, players: Sequence[str]) -> str:
    """Return how a hand ended that nobody won: "false win of Bo"."""
    if hand.offender is not None:
        return f"false win of {players[hand.offender]}"
    kind = "abortive draw" if hand.abortive else "draw"
    return kind + "".join(f", nagashi mangan of {players[n]}" for n in hand.nagashi)


def _words(side: object) -> str:
    """Return a side of a difference for people."""
    if isinstance(side, Mapping):
        return ", ".join(f"{name} {value}" for name, value in side.items()) or "nothing"
    if isinstance(side, list):
        return " ".join(map(str, side))
    return format_value(side)
