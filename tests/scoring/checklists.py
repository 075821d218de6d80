"""The sources checklists: which sentence of a rule text is covered by which test, worked hand or option.

A checklist (tests/golden/sources/*.toml) holds no sentence of its text: each line has the sentence's number and a
hash of it, the fact in our words, its kind, and what covers it. ``covered`` names tests (``tests/x.py::test_y``),
worked hands (``hand:HK-05``) and house rules (``option:hongkong.table`` or ``option:hongkong.table=canton``; those of
a game are ``option:course.rounds``).
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
CHECKLISTS: Final = ROOT / "tests" / "golden" / "sources"
UNCOVERED: Final = ("not a rule", "at the table")
KINDS: Final = (
    *("rule of play", "payment", "liability", "penalty", "exception", "named variation", "definition", *UNCOVERED),
)
"""What a sentence can be. ``not a rule`` is history, strategy, headings and the furniture of the page; ``at the table``
is a rule that only the players can follow: how seats are drawn, walls built and broken, whose call goes first."""

# Wiki markup may hold many items on one line: headings, list items, table cells and rows.
_MARKUP: Final = re.compile(r"={2,}|\{\||\|\}|\|-|\|\||\s:\(?(?=\d+\.)|\s:(?=\[)|\s[#*](?=[\sA-Z])")
_END: Final = re.compile(r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\b\d\.)(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a checklist: the sentence's number and hash, the fact, its kind, and what covers it."""

    n: int
    hash: str
    kind: str
    fact: str
    covered: tuple[str, ...] = ()


def sentences(text: str) -> list[str]:
    """The sentences, headings, list items and table rows of a text in order, with whitespace normalised."""
    found = []
    for row in text.splitlines():
        for part in _MARKUP.split(row) if "{|" in row else [row]:
            ends = [0, *(end.end() for end in _END.finditer(part)), len(part)]
            found += [" ".join(part[a:b].split()) for a, b in pairwise(ends)]
    return [sentence for sentence in found if any(c.isalnum() for c in sentence)]


def hash_of(sentence: str) -> str:
    """The first ten hexadecimal digits of a sentence's SHA-256."""
    return hashlib.sha256(sentence.encode()).hexdigest()[:10]


def checklist(name: str) -> list[Line]:
    """The lines of a checklist, by the name of its text.

    Raises:
        TypeError: a line whose fields are not those of :class:`Line`.
    """
    data = tomllib.loads((CHECKLISTS / f"{name}.toml").read_text(encoding="utf-8"))
    return [Line(**{**line, "covered": tuple(line.get("covered", ()))}) for line in data["lines"]]


def differences(text: str, lines: Sequence[Line]) -> list[str]:
    """Where a text and its checklist differ: sentences without a line, lines without a sentence; else empty."""
    expected = {(n, hash_of(said)): said for n, said in enumerate(sentences(text), 1)}
    have = Counter((line.n, line.hash) for line in lines)
    missing = [f"sentence {n} ({key}) has no line: {expected[n, key]}" for n, key in expected if (n, key) not in have]
    stale = [f"line {n} ({key}) is no sentence of the text" for n, key in have if (n, key) not in expected]
    return missing + stale + [f"line {n} ({key}) is there more than once" for (n, key), k in have.items() if k > 1]


def open_lines(lines: Sequence[Line]) -> list[str]:
    """Lines that say too little: an unknown kind, no fact, or a rule that nothing covers."""
    found = []
    for line in lines:
        if line.kind not in KINDS:
            found.append(f"line {line.n}: {line.kind!r} is no kind; there are {', '.join(KINDS)}")
        if not line.fact.strip():
            found.append(f"line {line.n}: no fact")
        if (line.kind in UNCOVERED) is bool(line.covered):
            found.append(f"line {line.n}: {f'{line.kind}, yet covered' if line.covered else 'nothing covers it'}")
    return found
