"""Pages that are made from the code."""

from __future__ import annotations

import re
from collections.abc import Iterable


def table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    cells = ((str(cell).replace("|", "\\|").replace("\n", " ") for cell in row) for row in rows)
    head, *lines = (f"| {' | '.join(row)} |" for row in (heads, *cells))
    return "\n".join([head, "|" + "---|" * (head.count(" | ") + 1), *lines])


def renew_table(text: str, heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """The text of a page with its table of these heads made anew."""
    made = table(heads, rows)
    old = rf"^{re.escape(made.partition(chr(10))[0])}\n.*?(?=\n\n|\n*\Z)"
    return re.sub(old, lambda _: made, text, flags=re.MULTILINE | re.DOTALL)
