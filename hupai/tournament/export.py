"""A tournament as files, for other software: standings and tables as CSV, everything as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from hupai.timestamps import shown
from scoring.version import version

FORMAT: Final = 1
_COMMANDS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def standings_csv(tournament: Mapping[str, Any]) -> str:
    """A row a player, the leader first."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(
        [
            "rank",
            "player",
            "name",
            "club",
            "score",
            "won",
            "tables",
            "first",
            "second",
            "third",
            "fourth",
            "penalties",
            "country",
            "ema",
            "team",
        ]
    )
    for s in tournament["standings"]:
        who = [s["player"], _harmless(s["name"]), _harmless(s["club"])]
        more = [s["penalties"], _harmless(s["country"]), s["ema"], _harmless(s["team"])]
        writer.writerow([s["rank"], *who, s["score"], s["won"], s["tables"], *s["placed"], *more])
    return out.getvalue()


def tables_csv(tournament: Mapping[str, Any]) -> str:
    """A row a seat of every table: what pairing and rating software reads."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["round", "table", "seat", "player", "name", "total", "hands", "game_id"])
    for played in tournament["rounds"]:
        for table in played["tables"]:
            for seat, player in zip("ESWN", table["players"], strict=True):
                writer.writerow(
                    [
                        played["round"],
                        _harmless(table["table"]),
                        seat,
                        player["number"],
                        _harmless(player["name"]),
                        player["total"],
                        table["hands"],
                        table["game_id"],
                    ]
                )
    return out.getvalue()


def tournament_export(tournament: Mapping[str, Any]) -> dict[str, Any]:
    """Everything, with what wrote it."""
    return {
        "format": FORMAT,
        "exported_at": shown(datetime.now(UTC)),
        "exported_by": f"hupai {version()}",
        **tournament,
    }


def _harmless(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_COMMANDS) else text
