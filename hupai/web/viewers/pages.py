"""A tournament as HTML pages, each complete in itself: no files beside it, no external resources."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

PAGE_LANGUAGES: Final = ("en", "zh-Hant", "zh-Hans", "ja")
DATA: Final = "tournament.json"
PAGES: Final = {"index.html": "scene.standings", "seating.html": "cup.plan", "results.html": "viewers.results"}
"""Each page and the key of its title."""
MARK: Final = '<meta name="generator" content="hupai">'
_WINDS: Final = "ESWN"
_WORDS: Final = Path(__file__).parents[1] / "static" / "i18n"
_HERE: Final = Path(__file__).parent


class Words:
    """The sentences of a language, one of :data:`PAGE_LANGUAGES`."""

    def __init__(self, language: str) -> None:
        self.language = language
        parts = (json.loads((_WORDS / f"{part}{language}.json").read_text(encoding="utf-8")) for part in ("", "board."))
        self._found: dict[str, Any] = {key: words for part in parts for key, words in part.items()}

    def __call__(self, key: str, **values: object) -> str:
        """Return the words of a key, with the values filled in."""
        return str(self._found[key]).format_map(values)


def files(said: Mapping[str, Any], words: Words) -> dict[str, bytes]:
    """Return name -> content of every file, the data last: a page that requests it finds the others renewed."""
    bodies = {"index.html": _standings, "seating.html": _seating, "results.html": _results}
    made = {name: _page(name, said, words, body(said, words)).encode() for name, body in bodies.items()}
    return {**made, DATA: json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()}


def _page(name: str, said: Mapping[str, Any], words: Words, body: str) -> str:
    def link(page: str, key: str) -> str:
        here = ' aria-current="page"' if page == name else ""
        return f'<a href="{page}"{here}>{escape(words(key))}</a>'

    style, script = _asset("page.css"), _asset("page.js")
    links = "".join(link(page, key) for page, key in PAGES.items())
    return (
        f'<!doctype html>\n<html lang="{words.language}" data-version="{said["version"]}">\n<head>\n'
        f'<meta charset="utf-8">\n{MARK}\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(said['name'])} · {escape(words(PAGES[name]))}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<header><h1>{escape(said['name'])}</h1><nav>{links}</nav></header>\n{_news(said, words)}\n"
        f"<main>{body}</main>\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


@cache
def _asset(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _news(said: Mapping[str, Any], words: Words) -> str:
    """Return the last announcement, and the clock of the last round."""
    announced = "".join(f'<p class="announced">{escape(a["text"])}</p>' for a in said["announcements"][-1:])
    return announced + "".join(_clock(r, words) for r in said["rounds"][-1:] if r["timer"])


def _clock(played: Mapping[str, Any], words: Words) -> str:
    timer = played["timer"]
    label = escape(words("cup.round", n=played["round"]))
    if timer["ends_at"] is None:
        left = f"{timer['left'] // 60}:{timer['left'] % 60:02}"
        return f'<p class="clock">{label} <b>{left}</b> <small>{escape(words("overlay.paused"))}</small></p>'
    return f'<p class="clock">{label} <b role="timer" data-ends="{timer["ends_at"]}"></b></p>'


def _standings(said: Mapping[str, Any], words: Words) -> str:
    columns = ("rank", "name", "score", "won", "tables", "placed")
    head = "".join(f'<th scope="col">{escape(words(f"standing.{c}"))}</th>' for c in columns)
    rows = "".join(_standing(s, words) for s in said["standings"])
    teams = "".join(f"<tr>{_cells(t['rank'], t['team'], _signed(t['score']))}</tr>" for t in said["teams"])
    sums = f"<h2>{escape(words('cup.teams'))}</h2><table>{teams}</table>" if teams else ""
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<h2>{escape(words('scene.standings'))}</h2>{table}{sums}"


def _standing(standing: Mapping[str, Any], words: Words) -> str:
    from_where = " · ".join(escape(standing[field]) for field in ("club", "country") if standing[field])
    who = f"{escape(standing['name'])} <small>{from_where}</small>"
    lost = standing["penalties"]
    more = f" <small>{escape(words('standing.penalties', n=_signed(lost)))}</small>" if lost else ""
    placed = f"{' · '.join(map(str, standing['placed']))}{more}"
    figures = _cells(_signed(standing["score"]), _signed(standing["won"]), standing["tables"])
    return f'<tr>{_cells(standing["rank"])}<th scope="row">{who}</th>{figures}<td>{placed}</td></tr>'


def _seating(said: Mapping[str, Any], words: Words) -> str:
    """Return the seating of the seated round, and of those that are planned."""
    return "".join(_round(r, words) for r in [*said["rounds"][-1:], *said["plan"]])


def _results(said: Mapping[str, Any], words: Words) -> str:
    return "".join(_round(r, words, totals=True) for r in reversed(said["rounds"]))


def _round(seated: Mapping[str, Any], words: Words, *, totals: bool = False) -> str:
    tables = "".join(f"<li>{_table(table, words, totals=totals)}</li>" for table in seated["tables"])
    return f'<h2>{escape(words("cup.round", n=seated["round"]))}</h2><ul class="tables">{tables}</ul>'


def _table(table: Mapping[str, Any], words: Words, *, totals: bool) -> str:
    title = escape(words("table.title", name=table["table"]))
    if totals:
        far = words("cup.ended") if table["ended"] else words("cup.hands", n=table["hands"])
        title += f" <small>{escape(far)}</small>"
    rows = (
        f'<tr><td class="wind">{escape(words(f"seat.{wind}.sign"))}</td><th scope="row">{escape(player["name"])}</th>'
        f"{_cells(_grouped(player['total'])) if totals else ''}</tr>"
        for wind, player in zip(_WINDS, table["players"], strict=True)
    )
    return f"<h3>{title}</h3><table>{''.join(rows)}</table>"


def _cells(*texts: object) -> str:
    return "".join(f"<td>{escape(str(text))}</td>" for text in texts)


def _grouped(amount: object) -> str:
    return f"{Decimal(str(amount)):,}".replace("-", "−")


def _signed(amount: object) -> str:
    return f"{'+' if Decimal(str(amount)) > 0 else ''}{_grouped(amount)}"
