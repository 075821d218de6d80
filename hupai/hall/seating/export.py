"""A tournament as files, for other software: standings and tables as CSV, everything as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from hupai.basics.csv_files import csv_text
from hupai.basics.formulas import quote_formula
from hupai.basics.timestamps import format_time
from scoring.errors import Fault, InvalidRequest
from scoring.payments import plain_amount
from scoring.version import version

FORMAT: Final = 1
_EMA_RULES: Final = {"mcr": "MCR", "riichi": "Riichi"}
_EMA_HEAD: Final = (
    *("Tournament", "Players", "Position", "First name", "Last name", "EMA number", "Table points", "Score"),
    *("EMA member", "Country", "", "Held in", "Place", "MERS", "", "Rules", "Dates", "Days"),
)


def standings_csv(tournament: Mapping[str, Any]) -> str:
    """Standings as CSV, one row per player, the leader first."""
    places = ("first", "second", "third", "fourth")[: tournament["table_size"]]
    head = ("rank", "player", "name", "club", "score", "won", "tables", *places, "penalties", "country", "ema", "team")
    rows: list[Sequence[object]] = [head]
    for s in tournament["standings"]:
        who = [s["player"], quote_formula(s["name"]), quote_formula(s["club"])]
        more = [s["penalties"], quote_formula(s["country"]), s["ema"], quote_formula(s["team"])]
        rows.append([s["rank"], *who, s["score"], s["won"], s["tables"], *s["placed"], *more])
    return csv_text(rows)


def tables_csv(tournament: Mapping[str, Any]) -> str:
    """Tables as CSV, one row per seat of every table: the input of pairing and rating software."""
    rows: list[Sequence[object]] = [("round", "table", "seat", "player", "name", "total", "hands", "game_id")]
    for played in tournament["rounds"]:
        for table in played["tables"]:
            where = played["round"], quote_formula(table["table"])
            for seat, player in zip("ESWN", table["players"], strict=False):
                who = player["number"], quote_formula(player["name"]), player["total"]
                rows.append([*where, seat, *who, table["hands"], table["game_id"]])
    return csv_text(rows)


@dataclass(frozen=True, slots=True)
class Event:
    """Details of a tournament for the European Mahjong Association besides its results; "" and None where unknown.

    Attributes:
        country: three letters. place: the town. weight: its MERS. dates: such as "21-22 Nov. 2026". days: their number.
    """

    country: str = ""
    place: str = ""
    weight: Decimal | None = None
    dates: str = ""
    days: int | None = None


def ema_csv(tournament: Mapping[str, Any], event: Event) -> str:
    """One row per ranked player, in the columns A to R that the EMA's ranking reads from its workbook of results.

    If only places count, they give the table points, and the points won the score; otherwise only the score is given,
    in points and not in thousands. Names are split after the first word. K and O, which are not read, are empty.

    Raises:
        InvalidRequest: the EMA does not rank these rules, or tables of three.

    Source: the importer of the EMA's ranking (github.com/Jesterboxboy/ema_scraper, ``calculators/get_results.py``).
    """
    rules = _EMA_RULES.get(tournament["rules"])
    if rules is None:
        raise InvalidRequest.of([Fault("bad_value", "The EMA ranks tournaments of riichi and mcr.", "rules")])
    tables = [table for played in tournament["rounds"] for table in played["tables"]]
    if {tournament["table_size"], *(len(table["players"]) for table in tables)} != {4}:
        message = "The EMA ranks tables of four; take standings.csv or tables.csv."
        raise InvalidRequest.of([Fault("bad_value", message, "options.players")])
    people = {p["number"]: p for p in tournament["players"]}
    divide = Decimal(tournament["divide"])
    weight = "" if event.weight is None else plain_amount(event.weight)
    where = [quote_formula(event.country), quote_formula(event.place)]
    held = [*where, weight, "", rules, quote_formula(event.dates), event.days or ""]
    whole = [quote_formula(tournament["name"]), len(tournament["standings"])]
    rows: list[Sequence[object]] = [_EMA_HEAD]
    for s in tournament["standings"]:
        first, _, last = people[s["player"]]["name"].partition(" ")
        mine = [s["rank"], quote_formula(first), quote_formula(last), s["ema"]]
        points = ["", plain_amount(Decimal(s["score"]) * divide)] if divide else [s["score"], s["won"]]
        member = "TRUE" if s["ema"] else "FALSE"
        rows.append([*whole, *mine, *points, member, quote_formula(s["country"]), "", *held])
    return csv_text(rows)


def tournament_export(tournament: Mapping[str, Any]) -> dict[str, Any]:
    """The whole tournament as JSON, with the program that wrote it."""
    return {
        "format": FORMAT,
        "exported_at": format_time(datetime.now(UTC)),
        "exported_by": f"hupai {version()}",
        **tournament,
    }
