"""Games as files: CSV for a spreadsheet, JSON for everything else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from hupai.basics.csv_files import csv_text
from hupai.basics.formulas import quote_formula
from hupai.basics.timestamps import format_time
from hupai.games.exchange import export_history
from hupai.games.figures import PlayerFigures
from hupai.games.history import History
from scoring.payments import POT, plain_amount
from scoring.version import version

BOM: Final = "\ufeff"
"""With it before a table spreadsheets know that the text is UTF-8; without it they garble all scripts but Latin."""
FORMAT: Final = 1
"""Version of the exported JSON."""


def csv_of(game: Mapping[str, Any], history: Sequence[Mapping[str, Any]]) -> str:
    """One row per hand: when, how, who, then what each player won and had in all; amounts with a decimal point."""
    names = [quote_formula(str(p["name"])) for p in game["players"]]
    head = ("hand", "confirmed_at", "undone_at", "outcome", "round", "dealer", "winners", "from", "value", "unit")
    rows: list[Sequence[object]] = [[*head, *names, *(f"{name} (total)" for name in names), POT]]
    for hand in history:
        wins = hand["wins"]
        rows.append(
            [
                hand["number"],
                hand["confirmed_at"],
                hand["undone_at"] or "",
                hand["outcome"],
                hand["state"]["round"],
                names[hand["state"]["dealer"]],
                " + ".join(names[w["player"]] for w in wins),
                next((names[w["from_player"]] for w in wins if w["from_player"] is not None), ""),
                " + ".join(str(w["total"]["value"]) for w in wins),
                wins[0]["total"]["unit"] if wins else "",
                *hand["payments"],
                *(plain_amount(Decimal(hand["totals"][str(n)])) for n in range(len(names))),
                hand["pot"],
            ]
        )
    return csv_text(rows)


def games_lines(histories: Iterable[History]) -> str:
    """Return every game, a line for each after one that says what this is; each line is a file of its game.

    A page takes such a file over line by line (``js/game/files/takeover.js``): none of them is large.
    """
    lines: list[dict[str, Any]] = [{"hupai": "games", **_exported()}]
    lines += [{"history": export_history(history)} for history in histories]
    return "".join(f"{json.dumps(line, ensure_ascii=False, separators=(',', ':'))}\n" for line in lines)


def figures_csv(figures: Sequence[PlayerFigures]) -> str:
    """One row per person, rule system and number of players; amounts with a decimal point."""
    counted = ("players", "games", "average_place", "hands", "self_draws", "discards", "dealt_in")
    counts = (*counted, "average_win", "result")
    best_of = ("best_value", "unit", "best_elements", "best_amount", "best_at", "game", "hand")
    rows: list[Sequence[object]] = [("name", "rules", *counts, *best_of)]
    for one in figures:
        row = [quote_formula(one.name), one.rules, *(getattr(one, name) for name in counts)]
        if best := one.best:
            row += [best.total["value"], best.total["unit"], " + ".join(best.elements)]
            row += [best.amount, best.at, best.game_id, best.number]
        rows.append(row)
    return csv_text(rows)


def json_of(game: Mapping[str, Any], history: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The game with every hand, its requests, scores and running totals, and what wrote it."""
    return {
        "format": FORMAT,
        **_exported(),
        **{name: value for name, value in game.items() if name != "hands"},
        "hands": list(history),
    }


def _exported() -> dict[str, str]:
    return {"exported_at": format_time(datetime.now(UTC)), "exported_by": f"hupai {version()}"}
