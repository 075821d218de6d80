"""Write the table of context fields in ``docs/request.md`` from the fields themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from scoring.basics.context_field import ContextField
from scoring.fields.table import all_context_fields, systems_reading
from scoring.rules import systems

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "request.md"
_ALWAYS: Final = "| `from` |"
"""The row that the table of the fields comes after: the winner, how he won and from whom are written by hand."""


def page(text: str) -> str:
    """The page with its table made anew."""
    before, _, rest = text.partition(f"\n{_ALWAYS}")
    between, _, after = rest.partition("\n\n")
    rows = [_row(name, ask) for name, ask in all_context_fields().items()]
    return "\n".join([f"{before}\n{_ALWAYS}{between.splitlines()[0]}", *rows, f"\n{after}"])


def _row(name: str, ask: ContextField) -> str:
    readers = systems_reading(name)
    who = "all" if len(readers) == len(systems()) else ", ".join(s.id for s in readers)
    default = f"`{ask.default}`" if isinstance(ask.default, str) else json.dumps(ask.default)
    return f"| `{name}` | {default} | {who} | {ask.doc}{ask.more} |"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
