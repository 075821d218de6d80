"""Lines of text and pictures laid out on A4 pages, portrait, black on white."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from hupai.printed.letters import Font, Letters

DOTS: Final = 200
"""Pixels per inch."""
WIDE, HIGH, EDGE = 1654, 2339, 100
"""An A4 page and its margin, pixels."""
INSIDE: Final = WIDE - 2 * EDGE
TITLE, HEAD, MINOR, ROW, SMALL = 54, 34, 28, 25, 22
"""Font sizes, pixels."""
_SPACE: Final = 14
"""Gap between columns, pixels."""
_LEADING: Final = 1.3
_WORDS: Final = re.compile(
    r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef][，。、；：！？）」』】ー]*|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+|\s+"
)
"""Where a text may be broken: between words, and between Chinese or Japanese letters, but not before punctuation."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A text in a column: its start and width, pixels from the margin, and its font size."""

    text: str
    at: int
    wide: int
    size: int = ROW


@dataclass(frozen=True, slots=True)
class PageLine:
    """Content side by side, never split across pages: cells with the same start are placed one below the other.

    ``picture`` begins at ``picture_at``, pixels from the margin; ``rule``: a thin rule above; ``with_next``: on the
    same page as the next line, if a page can hold everything that is kept together.
    """

    cells: tuple[Cell, ...]
    picture: Image.Image | None = None
    picture_at: int = 0
    rule: bool = False
    with_next: bool = False


def laid_out(lines: list[PageLine], letters: Letters, corner: Image.Image | None = None) -> list[Image.Image]:
    """Lay the lines out on as many pages as they need, greyscale (``L``).

    Args:
        corner: placed at the right of the first line; the others begin below it.
    """
    pages: list[Image.Image] = []
    y, free = HIGH, 0
    for i, line in enumerate(lines):
        need = _height(line, letters)
        whole = _together(lines[i:], letters)
        if y + (whole if whole <= HIGH - 2 * EDGE else need) > HIGH - EDGE:
            pages.append(Image.new("L", (WIDE, HIGH), 255))
            y = EDGE
        _draw(pages[-1], line, y, letters)
        y += need
        if i == 0 and corner is not None:
            pages[0].paste(corner, (WIDE - EDGE - corner.width, EDGE))
            free = EDGE + corner.height + _SPACE
        y = max(y, free if len(pages) == 1 else 0)
    return pages


def _together(lines: list[PageLine], letters: Letters) -> int:
    """Return the height of the first line with all that are kept with it."""
    high = 0
    for line in lines:
        high += _height(line, letters)
        if not line.with_next:
            break
    return high


def columns(*widths: int) -> tuple[tuple[int, int], ...]:
    """Return (start, width) of columns with these widths; a last width of 0 reaches to the margin."""
    found, at = [], 0
    for width in widths:
        found.append((at, (width or INSIDE - at) - _SPACE))
        at += width
    return tuple(found)


def _height(line: PageLine, letters: Letters) -> int:
    texts = max((bottom for _, _, bottom in _placed(line, letters)), default=0)
    tall = line.picture.height if line.picture is not None else 0
    return max(texts, tall) + _above(line) + _SPACE // 2


def _above(line: PageLine) -> int:
    """Return the space above a line: larger above headings."""
    size = max((cell.size for cell in line.cells), default=ROW)
    return size // 2 if size > ROW else _SPACE // 2 if line.rule else 0


def _placed(line: PageLine, letters: Letters) -> list[tuple[Cell, int, int]]:
    """Return each cell with its upper and lower end below the top of the line."""
    ends: dict[int, int] = {}
    found = []
    for cell in line.cells:
        top = ends.get(cell.at, 0)
        rows = len(wrapped(cell.text, letters.of(cell.text, cell.size), cell.wide))
        ends[cell.at] = top + round(rows * cell.size * _LEADING)
        found.append((cell, top, ends[cell.at]))
    return found


def _draw(page: Image.Image, line: PageLine, y: int, letters: Letters) -> None:
    draw = ImageDraw.Draw(page)
    if line.rule:
        draw.line((EDGE, y, WIDE - EDGE, y), 190)
    y += _above(line)
    for cell, top, _ in _placed(line, letters):
        font = letters.of(cell.text, cell.size)
        for i, row in enumerate(wrapped(cell.text, font, cell.wide)):
            draw.text((EDGE + cell.at, y + top + round(i * cell.size * _LEADING)), row, 0, font)
    if line.picture is not None:
        page.paste(line.picture, (EDGE + line.picture_at, y))


def wrapped(text: str, font: Font, wide: int) -> list[str]:
    """Break a text into rows of at most this width, pixels; a word that is wider has a row of its own."""
    rows = [""]
    for word in _WORDS.findall(text):
        longer = rows[-1] + word
        if rows[-1].strip() and font.getlength(longer.rstrip()) > wide:
            rows[-1] = rows[-1].rstrip()
            rows.append(word.lstrip())
        else:
            rows[-1] = longer if rows[-1] else longer.lstrip()
    return rows if rows == [""] else [row.rstrip() for row in rows if row.strip()] or [""]
