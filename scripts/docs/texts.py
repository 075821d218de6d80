"""Write every text of the page and of printed sheets, for a native reader: ``python -m scripts.docs.texts OUT``.

One table a language (CSV, as spreadsheets read it): the code, where it is shown, the English, the translation, and an
empty column for what the reader has to say. The texts are those of ``hupai/web/static/i18n``; the codes of phrases are
the server's sentences: their English, with {names} where values go.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from scoring.rules import systems

ROOT: Final = Path(__file__).resolve().parents[2]
STATIC: Final = ROOT / "hupai" / "web" / "static"
VIEWERS: Final = ROOT / "hupai" / "web" / "viewers"
LANGUAGES: Final = ("en", "zh-Hant", "zh-Hans", "ja")
COLUMNS: Final = ("code", "where", "English", "translation", "remark")
_SHEET: Final = "sheet."
_PARTS: Final = ("", "rules.", "board.", _SHEET)
_LITERAL: Final = re.compile(r'"([\w.-]+)"')
_TEMPLATE: Final = re.compile(r"`([\w.-]*\$\{[^`]*)`")
_HOLE: Final = re.compile(r"\$\{[^}]*\}")
_SERVER: Final = ("scoring", "vision", "hupai")


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a language: its code, the files that show or say it, the English, the translation."""

    code: str
    where: tuple[str, ...]
    english: str
    translation: str


def texts(language: str) -> Iterator[Text]:
    """Every text of a language, in the order of its catalogues."""
    for part in _PARTS:
        english = _catalogue(part, "en")
        for code, value in _catalogue(part, language).items():
            where = ("printed sheet",) if part == _SHEET else places(code)
            yield Text(code, where, _words(english.get(code, _named(code))), _words(value))
    yield from _elements(language)
    for sentence, value in _catalogue("phrases.", language):
        yield Text(sentence, speakers(sentence), sentence, value)


def _catalogue(part: str, language: str) -> Any:
    return json.loads((STATIC / "i18n" / f"{part}{language}.json").read_text(encoding="utf-8"))


def _words(value: str | dict[str, str]) -> str:
    """A text as one string; of one with plural forms, each form with its name."""
    return value if isinstance(value, str) else " | ".join(f"{form}: {text}" for form, text in value.items())


def _named(code: str) -> str:
    """The English of a group or an element, which the rules themselves name; empty for other codes."""
    return {f"element.{s.id}.{e.id}": e.name for s in systems().values() for e in s.elements}.get(
        code, code.removeprefix("group.") if code.startswith("group.") else ""
    )


def _elements(language: str) -> Iterator[Text]:
    """Elements that the catalogue has no words for: they are shown as the rules name them."""
    known = _catalogue("rules.", language)
    for system in systems().values():
        for element in system.elements:
            code = f"element.{system.id}.{element.id}"
            if code not in known:
                shown = element.name if language == "en" else element.native
                yield Text(code, places(code), element.name, shown)


@cache
def _scripts() -> dict[str, tuple[frozenset[str], tuple[re.Pattern[str], ...]]]:
    """File of the page or of what is published -> the codes it names, and patterns for codes it composes."""
    found = {}
    for path in sorted([*STATIC.rglob("*.js"), *STATIC.glob("*.html"), *VIEWERS.glob("*.py")]):
        text = path.read_text(encoding="utf-8")
        together = (_HOLE.split(template) for template in _TEMPLATE.findall(text))
        patterns = tuple(
            re.compile(".+".join(map(re.escape, pieces))) for pieces in together if "." in "".join(pieces) and pieces[0]
        )
        shown = path.relative_to(STATIC if path.is_relative_to(STATIC) else VIEWERS.parent)
        found[shown.as_posix()] = (frozenset(_LITERAL.findall(text)), patterns)
    return found


def places(code: str) -> tuple[str, ...]:
    """The page's files that show a code: those that name it, else those that compose it."""
    scripts = _scripts()
    named = tuple(name for name, (codes, _) in scripts.items() if code in codes)
    return named or tuple(name for name, (_, made) in scripts.items() if any(p.fullmatch(code) for p in made))


@cache
def _server() -> dict[str, str]:
    files = (path for folder in _SERVER for path in sorted((ROOT / folder).rglob("*.py")))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}


def speakers(sentence: str) -> tuple[str, ...]:
    """At most three of the server's files with the longest piece of a sentence; "server" if none holds it whole."""
    piece = max(re.split(r"\{\w+\}", sentence), key=len).strip()
    return tuple(name for name, text in _server().items() if piece in text)[:3] or ("server",)


def write(out: Path) -> list[Path]:
    """A table for each language under ``out``; the files that were written."""
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for language in LANGUAGES:
        written.append(out / f"{language}.csv")
        with written[-1].open("w", encoding="utf-8-sig", newline="") as file:
            table = csv.writer(file)
            table.writerow(COLUMNS)
            for text in texts(language):
                table.writerow((text.code, ", ".join(text.where), text.english, text.translation, ""))
    return written


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("out", type=Path, help="folder for the tables")
    for path in write(parser.parse_args().out):
        print(path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
