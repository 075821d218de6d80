"""The documents: their text, and every command line that stands in them."""

from __future__ import annotations

import re
import shlex

from tests.trust.codes import ROOT

PAGES = sorted(
    path
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "models").glob("*.md"))
    if path.name != "CHANGELOG.md"
)
TEXT = {path: path.read_text(encoding="utf-8") for path in PAGES}
FENCE = re.compile(r"^```([a-z]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
PROGRAM = re.compile(
    r"^(?:\$ )?((?:python3? (?:-m )?|HUPAI_\w+=\S+ )*(?:hupai|scripts/\w+\.py|scripts(?:\.\w+)+)(?: .*)?)$"
)
STANDS_FOR = {"PHOTO": "examples/hand-self-draw.jpg", "FOLDER": "photos", "NAME": "riichi", "R": "riichi"}


def typed_lines() -> list[tuple[str, str]]:
    """(page, command line) of every fenced block, and of every `hupai ...` in the text."""
    found = []
    for path, text in TEXT.items():
        if path.name == "commands.md":
            continue
        for language, block in FENCE.findall(text):
            if language in ("", "sh", "bash", "console"):
                for line in block.replace("\\\n", " ").splitlines():
                    match = PROGRAM.match(re.split(r"\s#\s", line)[0].strip())
                    if match:
                        found.append((path.name, match[1].strip()))
        for code in re.findall(r"`(hupai (?!->)[^`]+|python3? (?:-m )?scripts[/.][^`]+)`", FENCE.sub("", text)):
            found.append((path.name, code.replace("\\|", "|").partition(" | ")[0]))
    return sorted(set(found))


def words_of(line: str) -> list[str]:
    """The words of a line, with files and names in place of what only stands for them."""
    return [STANDS_FOR.get(w, w) for w in shlex.split(line) if w not in ("...", "…")]
