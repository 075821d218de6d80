"""Renew the table of label formats in ``docs/labeller.md``."""

from __future__ import annotations

from pathlib import Path

from hupai.label.formats import FORMATS
from scripts.docs import renew_table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "labeller.md"


def page(text: str) -> str:
    """The page's text with the table made anew."""
    rows = (
        (
            f"`{each.name}`",
            each.description + (f"; needs {each.package}" if each.package else ""),
            ", ".join(f"`{file}`" for file in each.files),
        )
        for each in FORMATS
    )
    return renew_table(text, ("format", "what it is", "files"), rows)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
