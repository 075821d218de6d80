"""A tournament as files, for other software: standings and tables as CSV, everything as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from hupai.timestamps import shown
from scoring.errors import Fault, InvalidRequest
from scoring.payments import plain
from scoring.version import version

FORMAT: Final = 1
_EMA_RULES: Final = {"mcr": "MCR", "riichi": "Riichi"}
_EMA_HEAD: Final = (
    *("Tournament", "Players", "Position", "First name", "Last name", "EMA number", "Table points", "Score"),
    *("EMA member", "Country", "", "Held in", "Place", "MERS", "", "Rules", "Dates", "Days"),
)
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


@dataclass(frozen=True, slots=True)
class Event:
    """What the European Mahjong Association is told of a tournament besides its results; "" and None where unknown.

    Attributes:
        country: of three letters. place: the town. weight: its MERS. dates: such as "21-22 Nov. 2026". days: how many.
    """

    country: str = ""
    place: str = ""
    weight: Decimal | None = None
    dates: str = ""
    days: int | None = None


def ema_csv(tournament: Mapping[str, Any], event: Event) -> str:
    """A row a ranked player, in the columns A to R that the EMA's ranking reads from its workbook of results.

    Where only places count they are the table points, and the points won the score; elsewhere the score alone is told,
    in points and not in thousands. Names are parted after the first word. K and O, which are not read, are empty.

    Raises:
        InvalidRequest: rules that the EMA does not rank.

    Source: the importer of the EMA's ranking (github.com/Jesterboxboy/ema_scraper, ``calculators/get_results.py``).
    """
    rules = _EMA_RULES.get(tournament["rules"])
    if rules is None:
        raise InvalidRequest.of([Fault("bad_value", "The EMA ranks tournaments of riichi and mcr.", "rules")])
    people = {p["number"]: p for p in tournament["players"]}
    divide = Decimal(tournament["divide"])
    where, weight = [_harmless(event.country), _harmless(event.place)], event.weight
    held = [*where, "" if weight is None else plain(weight), "", rules, _harmless(event.dates), event.days or ""]
    whole = [_harmless(tournament["name"]), len(tournament["standings"])]
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_EMA_HEAD)
    for s in tournament["standings"]:
        first, _, last = people[s["player"]]["name"].partition(" ")
        mine = [s["rank"], _harmless(first), _harmless(last), s["ema"]]
        points = ["", plain(Decimal(s["score"]) * divide)] if divide else [s["score"], s["won"]]
        member = "TRUE" if s["ema"] else "FALSE"
        writer.writerow([*whole, *mine, *points, member, _harmless(s["country"]), "", *held])
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
