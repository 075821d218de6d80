"""Where the repository lies, and what its documents and sources hold that several tests ask for."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```([a-z]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
"""A block of code in a document: its language and its text."""


def python_blocks(page: str) -> list[str]:
    """The blocks of Python of a document, by its path in the repository."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [block for language, block in FENCE.findall(text) if language == "python"]


def all_doubts() -> set[str]:
    """The code of every doubt that reading a photo can have."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "vision").rglob("*.py"))
    return set(re.findall(r'Doubt\(\s*(?:code=)?"(\w+)"', text))
