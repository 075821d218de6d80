"""Write every text of the page, for a native reader: ``python -m scripts.docs.texts OUT``.

One table a language (CSV, as spreadsheets read it): the code, where it is shown, the English, the translation, and an
empty column for what the reader has to say. The texts are those of ``hupai/web/static/i18n``; the messages of the
server are in ``hupai/locale``, for which there are editors.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import typer

from hupai.messages import LANGUAGES, read_texts
from scoring.rules import systems

ROOT: Final = Path(__file__).resolve().parents[2]
STATIC: Final = ROOT / "hupai" / "web" / "static"
COLUMNS: Final = ("code", "where", "English", "translation", "remark")
_LITERAL: Final = re.compile(r'"([\w.-]+)"')
_TEMPLATE: Final = re.compile(r"`([\w.-]*\$\{[^`]*)`")
_HOLE: Final = re.compile(r"\$\{[^}]*\}")


def texts(language: str) -> Iterator[tuple[str, str, str, str]]:
    """Every text of a language, in the order of its catalogues: code, where it is shown, English, translation."""
    for part in ("", "rules.", "board."):
        english = read_texts(part, "en")
        for code, value in read_texts(part, language).items():
            named = code.removeprefix("group.") if code.startswith("group.") else _elements().get(code, ("", ""))[0]
            yield code, places(code), _text(english.get(code, named)), _text(value)
    known = read_texts("rules.", language)
    for code, (name, native) in _elements().items():  # those without words are shown as the rules name them
        if code not in known:
            yield code, places(code), name, name if language == "en" else native


def _text(value: str | dict[str, str]) -> str:
    """A text as one string; of one with plural forms, each form with its name."""
    return value if isinstance(value, str) else " | ".join(f"{form}: {text}" for form, text in value.items())


@cache
def _elements() -> dict[str, tuple[str, str]]:
    """Code of an element -> its English name and its native one, as the rules have them."""
    return {f"element.{s.id}.{e.id}": (e.name, e.native) for s in systems().values() for e in s.elements}


@cache
def _scripts() -> dict[str, tuple[frozenset[str], tuple[re.Pattern[str], ...]]]:
    """File of the page -> the codes it names, and patterns for codes it composes."""
    found = {}
    for path in sorted([*STATIC.rglob("*.js"), *STATIC.glob("*.html")]):
        text = path.read_text(encoding="utf-8")
        together = (_HOLE.split(template) for template in _TEMPLATE.findall(text))
        patterns = tuple(
            re.compile(".+".join(map(re.escape, pieces))) for pieces in together if "." in "".join(pieces) and pieces[0]
        )
        found[path.relative_to(STATIC).as_posix()] = (frozenset(_LITERAL.findall(text)), patterns)
    return found


def places(code: str) -> str:
    """The page's files that show a code: those that name it, else those that compose it."""
    scripts = _scripts()
    named = [name for name, (codes, _) in scripts.items() if code in codes]
    return ", ".join(named or (name for name, (_, made) in scripts.items() if any(p.fullmatch(code) for p in made)))


def write(out: Path) -> None:
    """A table for each language under ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        with (out / f"{language}.csv").open("w", encoding="utf-8-sig", newline="") as file:
            table = csv.writer(file)
            table.writerow(COLUMNS)
            table.writerows((*text, "") for text in texts(language))


if __name__ == "__main__":
    typer.run(write)
