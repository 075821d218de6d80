"""Imports player lists and schedules from other programs: CSV with commas, semicolons or tabs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from hupai.basics.csv_files import separator
from hupai.basics.formulas import unquote_formula
from hupai.basics.names import clean_name, fold_name
from hupai.hall.seating.columns import read_titles
from hupai.hall.seating.seating import Seating
from scoring.errors import Fault, HupaiError, InvalidRequest
from scoring.seats import SEAT_OF
from scoring.words.sentence import Sentence, say

MAX_FAULTS: Final = 20
_WIDE: Final = str.maketrans("，、", ",,")
_PLAIN: Final = ("name", "club", "country", "ema", "team")
_EMA: Final = re.compile(r"[0-9A-Za-z-]{1,20}")
_SHORT_EMA: Final = re.compile(r"[0-9]{7}")  # a spreadsheet takes the number for an amount, and drops its first zero
_LINE_END: Final = re.compile(r"\r\n?|\n")
_SCRIPT: Final = re.compile(r"\s*\d+(-\d+)+\s*$", re.MULTILINE)
_YES: Final = frozenset(
    ["1", "x", "○", "yes", "y", "true", "はい", "是", "oui", "tak", "ja", "j", "si", "sí", "sim", "kyllä", "ano"]
)
_WINDS: Final = ("E", "S", "W", "N")
_WORDS: Final = ("east", "south", "west", "north")
_PARTS: Final = {"first": "first_name", "given": "first_name", "last": "last_name", "family": "last_name"}
TAKEN_NAME: Final = "There is a player {a} already; add something that tells them apart."
_TWICE: Final = "Line {n} of the list names {a} as line {m} does."
_REFUSED: Final = "Line {n} of the list cannot be taken: {a}"
_TOO_FEW: Final = "Round {n}, table {name}: a table has {m} players."
_TAKEN: Final = "Line {n}: seat {s} of table {a} is taken twice in round {m}."


@dataclass(frozen=True, slots=True)
class NewEntrant:
    """A player as entered: clean text, "" where nothing was given.

    Attributes:
        ema: the player's number at the European Mahjong Association. substitute: plays only where somebody is missing,
            and is not ranked.
    """

    name: str
    club: str = ""
    country: str = ""
    ema: str = ""
    team: str = ""
    substitute: bool = False

    @classmethod
    def parse(cls, said: Mapping[str, str], field: str, *, substitute: bool = False) -> NewEntrant:
        """Clean and check the fields.

        Raises:
            InvalidRequest: an invalid name or number.
        """
        clean = {"name": clean_name(said.get("name", ""), f"{field}.name")}
        for key in ("club", "country", "team"):
            text = said.get(key, "")
            clean[key] = clean_name(text, f"{field}.{key}") if text.strip() else ""
        ema = said.get("ema", "").strip()
        if ema and not _EMA.fullmatch(ema):
            why = say("{a} is not an EMA number; it has digits, such as 04290012.", a=f"{ema!r:.30}")
            raise InvalidRequest.of(
                [Fault("bad_value", say("{field}: {a}", field=f"{field}.ema", a=why), f"{field}.ema")]
            )
        return cls(**clean, ema=ema, substitute=substitute)


@dataclass(frozen=True, slots=True)
class PlayerList:
    """What was made of a list.

    Attributes:
        columns: title and field of each column; the field is ``None`` where the column is not used, the title "" where
            the list names no columns. players: those that can be taken, each with its line. refused: the line and the
            reason of each row that cannot.
    """

    columns: tuple[tuple[str, str | None], ...]
    players: tuple[tuple[int, NewEntrant], ...]
    refused: tuple[tuple[int, Fault], ...]

    @property
    def entrants(self) -> list[NewEntrant]:
        """The players that can be taken.

        Raises:
            InvalidRequest: there are none.
        """
        if not self.players:
            faults = [fault for _, fault in self.refused[:MAX_FAULTS]]
            raise InvalidRequest.of(faults or [Fault("bad_value", "There is no player in this list.", "csv")])
        return [player for _, player in self.players]

    def to_json(self) -> dict[str, Any]:
        """Return it as in the API."""
        return {
            "columns": [{"title": title, "field": _PARTS.get(field or "", field)} for title, field in self.columns],
            "players": [{"line": line, **asdict(player)} for line, player in self.players],
            "refused": [{"line": line, "message": fault.message} for line, fault in self.refused],
        }


def parse_players(text: str, taken: Iterable[str] = ()) -> PlayerList:
    """Read the players of a list.

    The first row may name the columns (see :func:`read_titles`; others are ignored); without such a row they are name,
    club, country, EMA number, team. A faulty row, or one with a name that is ``taken`` or occurred before, is refused,
    and the others stay.

    Raises:
        InvalidRequest: this is no CSV in UTF-8.
    """
    rows = _rows(text)
    titles = rows[0][1] if rows else []
    fields = read_titles(titles)
    if any(fields):
        rows = rows[1:]
    else:
        most = max((len(cells) for _, cells in rows), default=0)
        titles, fields = [""] * most, [*_PLAIN[:most], *[None] * (most - len(_PLAIN))]
    known = {fold_name(name) for name in taken}
    lines: dict[str, int] = {}
    players: list[tuple[int, NewEntrant]] = []
    refused: list[tuple[int, Fault]] = []
    for line, cells in rows:
        try:
            player = _read_player({f: cell for f, cell in zip(fields, cells, strict=False) if f}, line)
        except HupaiError as error:
            refused += [(line, _fault_on_line(line, fault)) for fault in error.faults]
            continue
        name, where = fold_name(player.name), {"n": line, "a": f"{player.name!r}"}
        if name in known:
            refused.append((line, _fault_on_line(line, Fault("conflict", say(TAKEN_NAME, a=where["a"]), "csv"))))
        elif (first := lines.setdefault(name, line)) != line:
            refused.append((line, Fault("bad_value", say(_TWICE, **where, m=first), "csv")))
        else:
            players.append((line, player))
    return PlayerList(tuple(zip((t.strip() for t in titles), fields, strict=True)), tuple(players), tuple(refused))


def _read_player(said: dict[str, str], line: int) -> NewEntrant:
    parts = (said.get(part, "") for part in ("family", "first", "last", "given"))
    said.setdefault("name", " ".join(" ".join(parts).split()))
    if _SHORT_EMA.fullmatch(said.get("ema", "").strip()):
        said["ema"] = f"0{said['ema'].strip()}"
    substitute = said.get("substitute", "").strip().casefold() in _YES
    return NewEntrant.parse(said, f"line {line}", substitute=substitute)


def parse_schedule(text: str, names: Mapping[int, str], table_size: int) -> list[tuple[Seating, tuple[str, ...]]]:
    """Read the rounds of a schedule with the names of their tables.

    The first row names the columns: ``round``, ``table`` and either ``east``, ``south``, ``west``, ``north`` (E, S, W,
    N), or ``seat`` and ``player``. Players are given by number or name. At tables of three there is no north. Or it is
    a seating script of Pantheon: the numbers at a table joined by hyphens, a line for each table, rounds apart by empty
    lines; its tables are named by their numbers.

    Raises:
        InvalidRequest: unknown columns or players, seats that are empty or taken twice.

    Source: Pantheon's ``EventPrescript`` (github.com/MahjongPantheon/pantheon) for its script.
    """
    faults: list[Fault] = []
    text = text.lstrip("\ufeff")
    read = _read_script if _SCRIPT.match(text) else _read_table
    known = {**{str(n): n for n in names}, **{fold_name(name): n for n, name in names.items()}}
    seats: dict[int, dict[str, dict[int, int]]] = {}
    for place in read(text, table_size, faults):
        number = known.get(fold_name(" ".join(place.player.split())))
        if number is None:
            message = say("Line {n}: nobody is called {a}.", n=place.line, a=f"{place.player!r:.60}")
            faults.append(Fault("unknown_player", message, "csv"))
        elif not place.round.isdecimal() or len(place.round) > 3 or int(place.round) < 1:
            message = say("Line {n}: {a} is not a round.", n=place.line, a=f"{place.round!r:.20}")
            faults.append(Fault("bad_value", message, "csv"))
        else:
            table = clean_name(place.table, f"line {place.line}", 80)
            here = seats.setdefault(int(place.round), {}).setdefault(table, {})
            if place.seat in here:
                seat = SEAT_OF[_WINDS[place.seat]]
                message = say(_TAKEN, n=place.line, s=seat, a=place.table, m=place.round)
                faults.append(Fault("contradiction", message, "csv"))
            here[place.seat] = number
    faults += _holes(seats, table_size)
    if not seats:
        faults.append(Fault("bad_value", "There is no round in this schedule.", "csv"))
    if faults:
        raise InvalidRequest.of(faults[:MAX_FAULTS])
    return [_round(tables, names) for _, tables in sorted(seats.items())]


class _Place(NamedTuple):
    """A seat of a schedule, as written; ``seat`` is 0 for east."""

    line: int
    round: str
    table: str
    seat: int
    player: str


def _read_table(text: str, table_size: int, faults: list[Fault]) -> list[_Place]:
    rows = _rows(text)
    head = [c.strip().casefold() for c in rows[0][1]] if rows else []
    words, winds = _WORDS[:table_size], _WINDS[:table_size]
    names_of = [(word, wind.casefold()) for word, wind in zip(words, winds, strict=True)]
    wide = [next((head.index(c) for c in cells if c in head), -1) for cells in names_of]
    long = [head.index(c) if c in head else -1 for c in ("seat", "player")]
    if not {"round", "table"} <= set(head) or (-1 in wide and -1 in long):
        message = say("A schedule's first row names its columns: round, table, {names}.", names=", ".join(words))
        raise InvalidRequest.of([Fault("bad_value", message, "csv")])
    found = []
    for line, given in rows[1:]:
        cells = [*given, *[""] * (len(head) - len(given))]
        where = cells[head.index("round")].strip(), cells[head.index("table")].strip()
        if -1 not in wide:
            found += [_Place(line, *where, seat, cells[column]) for seat, column in enumerate(wide)]
        elif (wind := cells[long[0]].strip().upper()[:1]) in winds:
            found.append(_Place(line, *where, winds.index(wind), cells[long[1]]))
        else:
            message = say("Line {n}: a seat is one of {names}.", n=line, names=", ".join(winds))
            faults.append(Fault("bad_value", message, "csv"))
    return found


def _read_script(text: str, table_size: int, faults: list[Fault]) -> list[_Place]:
    found, number, table = [], 1, 0
    for line, given in enumerate(text.splitlines(), 1):
        if not given.strip():
            number, table = number + bool(table), 0
            continue
        table += 1
        players = given.split("-")
        if len(players) > table_size:
            message = say(_TOO_FEW, n=number, name=table, m=table_size)
            faults.append(Fault("bad_value", message, "csv"))
        found += [_Place(line, str(number), str(table), seat, p) for seat, p in enumerate(players[:table_size])]
    return found


def _round(tables: Mapping[str, Mapping[int, int]], names: Mapping[int, str]) -> tuple[Seating, tuple[str, ...]]:
    seated = tuple(tuple(player for _, player in sorted(t.items())) for t in tables.values())
    sitting = {p for t in seated for p in t}
    return Seating(seated, tuple(n for n in names if n not in sitting), 0), tuple(tables)


def _holes(seats: Mapping[int, Mapping[str, Mapping[int, int]]], table_size: int) -> list[Fault]:
    faults = []
    for number, tables in seats.items():
        players = [p for t in tables.values() for p in t.values()]
        faults += [
            Fault("bad_value", say(_TOO_FEW, n=number, name=name, m=table_size), "csv")
            for name, t in tables.items()
            if len(t) < table_size
        ]
        if len(set(players)) < len(players):
            faults.append(Fault("contradiction", say("Somebody sits twice in round {n}.", n=number), "csv"))
    return faults


def _fault_on_line(line: int, fault: Fault) -> Fault:
    """Return the fault for a row of a list; its text already names the field."""
    message = fault.message
    why = message.values["a"] if isinstance(message, Sentence) and "field" in message.values else message
    return Fault("bad_value", say(_REFUSED, n=line, a=say(why)), fault.field)


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the non-empty rows with the numbers of the lines on which they begin, from 1.

    Raises:
        InvalidRequest: not UTF-8, no CSV, or a quotation mark that opens a cell and is not closed.
    """
    if "\ufffd" in text or "\0" in text:
        message = "This file is not in UTF-8: save it as CSV in UTF-8."
        raise InvalidRequest.of([Fault("bad_value", message, "csv")])
    lines = _LINE_END.split(text.lstrip("\ufeff"))
    lines = [line if any(c in line for c in ",;\t") else line.translate(_WIDE) for line in lines]
    first = next((line for line in lines if line.strip()), "")
    split = separator(first)
    reader = csv.reader(io.StringIO("\n".join(lines)), delimiter=split)
    rows, line = [], 1
    try:
        for row in reader:
            _refuse_open_cell(lines[line - 1 : reader.line_num], split, line)
            rows.append((line, row))
            line = reader.line_num + 1  # a cell in quotes may reach over several lines
    except csv.Error as error:
        raise InvalidRequest.of([Fault("bad_value", say("This is not valid CSV: {a}.", a=str(error)), "csv")]) from None
    filled = [(line, row) for line, row in rows if any(cell.strip() for cell in row)]
    return [(line, [unquote_formula(cell) for cell in row]) for line, row in filled]


def _refuse_open_cell(lines: Sequence[str], split: str, first: int) -> None:
    """Refuse a row with a cell that is not closed: it would hide the lines that follow. ``"Bo" Fox`` is no such row."""
    if len(lines) == 1 and lines[0].count('"') % 2 == 0:
        return
    try:
        list(csv.reader(io.StringIO("\n".join(lines)), delimiter=split, strict=True))
    except csv.Error:
        message = say("Line {n}: a quotation mark opens a cell, and none closes it.", n=first)
        raise InvalidRequest.of([Fault("bad_value", message, "csv")]) from None
