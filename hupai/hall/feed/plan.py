"""The tables to watch: one from flags, several from a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from hupai.basics.names import clean_name
from hupai.hall.feed.capture.source import VideoSource
from hupai.hall.feed.errors import BadPlan
from hupai.hall.feed.stillness.homography import homography_from_corners
from scoring.errors import Fault, HupaiError
from scoring.rules import system_named
from scoring.seats import SEAT_OF, Seat

_KEYS: Final = ("source", "name", "rules", "corners", "speed", "size", "seat")
_WHOLE: Final = ("table", "webhooks", "mqtt")


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table to watch.

    Attributes:
        name: of the table. source: of its pictures. rules: rule system, or None for that of the table's game.
        corners: of the table, as fractions of the picture's width and height (0-1), or None.
        speed: plays a video file so many times as fast as it was taken; None: as fast as possible.
        seat: of the player whose standing tiles the camera sees; None: it sees the table.
    """

    name: str
    source: VideoSource
    rules: str | None = None
    corners: tuple[tuple[float, float], ...] | None = None
    speed: float | None = None
    seat: Seat | None = None

    @property
    def label(self) -> str:
        """What it is called in messages."""
        return f"{self.name} {self.seat.value}" if self.seat else self.name


@dataclass(frozen=True, slots=True)
class FeedPlan:
    """The settings of a watching process."""

    tables: tuple[TablePlan, ...]
    webhooks: tuple[str, ...] = ()
    mqtt: tuple[str, ...] = field(default=())


def parse_table(given: Mapping[str, Any]) -> TablePlan:
    """Read a table from its keys.

    Raises:
        BadPlan: unknown keys, bad values.
    """
    for key in given:
        if key not in _KEYS:
            close = get_close_matches(key, _KEYS, 1)
            raise BadPlan(
                f"A table has no {key!r:.40}; {f'did you mean {close[0]}?' if close else ', '.join(_KEYS)}",
                code="bad_tables",
                field=key,
            )
    for key in ("source", "name"):
        if not isinstance(given.get(key), str | int) or isinstance(given[key], bool) or given[key] == "":
            raise BadPlan(f"A table needs a {key}.", code="bad_tables", field=key)
    size = given.get("size", (1280, 720))
    pair = isinstance(size, list | tuple) and len(size) == 2
    if not pair or not all(isinstance(v, int) and 160 <= v <= 8192 for v in size):
        raise BadPlan("size is width and height in pixels, such as [1280, 720].", code="bad_tables", field="size")
    rules = given.get("rules")
    speed = given.get("speed")
    if speed is not None and not (isinstance(speed, int | float) and speed is not True and 0 < speed <= 100):
        raise BadPlan("speed is more than 0 and at most 100.", code="bad_tables", field="speed")
    if rules is not None and not isinstance(rules, str):
        raise BadPlan("rules is the name of a rule system.", code="bad_tables", field="rules")
    return TablePlan(
        clean_name(str(given["name"]), "name", 80),
        VideoSource.of(str(given["source"]), (size[0], size[1])),
        system_named(rules).id if rules else None,
        parse_corners(given.get("corners")),
        float(speed) if speed is not None else None,
        _parse_seat(given.get("seat")),
    )


def _parse_seat(value: Any) -> Seat | None:
    if value is None or (isinstance(value, str) and value.upper() in SEAT_OF):
        return SEAT_OF[value.upper()] if value is not None else None
    raise BadPlan(f"A seat is one of {', '.join(SEAT_OF)}.", code="bad_tables", field="seat")


def parse_corners(value: Any) -> tuple[tuple[float, float], ...] | None:
    """Check four corners, fractions of the picture's width and height.

    Raises:
        BadPlan: they are not four points between 0 and 1 that enclose a table.
    """
    if value is None:
        return None
    try:
        points = tuple((float(x), float(y)) for x, y in value)
    except (TypeError, ValueError):
        points = ()
    if len(points) != 4 or not all(-0.5 <= v <= 1.5 for p in points for v in p):
        message = "Corners are four points x,y as shares of the picture's width and height, such as 0.1,0.2."
        raise BadPlan(message, code="bad_corners", field="corners")
    homography_from_corners([(1000 * x, 1000 * y) for x, y in points])
    return points


def read_plan(path: Path) -> FeedPlan:
    """Read the plan from a TOML file: ``[[table]]`` entries, ``webhooks`` and ``mqtt``.

    Raises:
        BadPlan: no such file, no TOML, or faults in it (all are named).
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadPlan(f"{path} cannot be read ({error.strerror}).", code="bad_tables") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadPlan(f"{path} is not valid TOML: {error}.", code="bad_tables") from None
    faults = [
        Fault("bad_tables", f"There is no {k!r:.40}; there are {', '.join(_WHOLE)}.", k)
        for k in data
        if k not in _WHOLE
    ]
    entries = data.get("table", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        faults.append(Fault("bad_tables", "Every table begins with a line [[table]], in double brackets.", "table"))
        entries = []
    tables = []
    for i, entry in enumerate(entries):
        try:
            tables.append(parse_table(entry))
        except HupaiError as error:
            faults.append(Fault(error.code, f"table {i + 1}: {error.message}", f"table[{i}]"))
    names = [t.label for t in tables]
    faults += [
        Fault("bad_tables", f"Two tables are called {n!r:.80}.", "name")
        for n in sorted({n for n in names if names.count(n) > 1})
    ]
    if not tables and not faults:
        faults.append(Fault("bad_tables", f"{path} names no [[table]].", "table"))
    if faults:
        raise BadPlan(" ".join(f.message for f in faults), code="bad_tables", faults=tuple(faults))
    return FeedPlan(tuple(tables), _texts(data, "webhooks"), _texts(data, "mqtt"))


def _texts(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = data.get(key, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
        raise BadPlan(f'{key} is a list of addresses, such as ["..."].', code="bad_tables", field=key)
    return tuple(texts)
