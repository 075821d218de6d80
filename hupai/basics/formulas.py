"""Text in CSV files that a spreadsheet would take for a formula, and run."""

from __future__ import annotations

from typing import Final

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What the text of such a cell begins with."""
_QUOTED: Final = tuple(f"'{start}" for start in FORMULA_STARTS)


def quote_formula(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def unquote_formula(cell: str) -> str:
    """Return the text that :func:`quote_formula` made this cell of."""
    return cell[1:] if cell.startswith(_QUOTED) else cell
