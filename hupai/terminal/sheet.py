"""A rule system on paper: elements, what contains what, house rules, as pages of a PDF to print (A4, upright)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import segno
from PIL import Image, ImageDraw, ImageFont

from hupai.web.addresses import house_fragment
from scoring.errors import HupaiError
from scoring.options import worded
from scoring.rulebook.presets import Preset
from scoring.system import RuleSystem

DOTS: Final = 150
"""Pixels an inch."""
_WIDE, _HIGH, _EDGE = 1240, 1754, 90  # A4
_COLUMNS: Final = (0, 400, 600)
"""Where names, values and conditions begin, pixels from the edge."""
_TITLE, _HEAD, _ROW = 40, 26, 19
_MODULE: Final = 5
"""Pixels a module of the QR code, somewhat less than a millimetre."""


class _Line(NamedTuple):
    """A line of the sheet: the size of its letters, and a text for each column that has one."""

    size: int
    cells: tuple[str, ...]


def write_sheet(system: RuleSystem[Any], preset: Preset | None, path: Path, page: str = "") -> int:
    """Write the sheet; names are in English, for the letters that Pillow brings know no Chinese.

    Args:
        system: the rules. preset: whose house rules stand on it; None: the usual ones. path: where to.
        page: the address of a phone page; a QR code beside the title then opens it with these rules taken up.

    Returns:
        The number of pages.

    Raises:
        HupaiError: the file cannot be written.
    """
    fragment = house_fragment(system.id, preset=preset.id if preset else "")
    code = _code(f"{page.rstrip('/')}/#{fragment}") if page else None
    pages = _pages(list(_lines(system, preset)), code)
    title = f"{system.name}: {preset.name if preset else 'usual rules'}"
    try:
        pages[0].save(path, "PDF", save_all=True, append_images=pages[1:], resolution=DOTS, title=title)
    except OSError as error:
        raise HupaiError(f"{path} cannot be written: {error.strerror or error}.", code="cannot_write") from error
    return len(pages)


def _lines(system: RuleSystem[Any], preset: Preset | None) -> Iterator[_Line]:
    yield _Line(_TITLE, (f"{system.name}{f': {preset.name}' if preset else ''}",))
    for group in dict.fromkeys(element.group for element in system.elements):
        yield _Line(_HEAD, (group, system.unit))
        for element in system.elements:
            if element.group == group:
                yield _Line(_ROW, (element.name, element.value, element.condition))
    if system.absorbs:
        names = {e.id: e.name for e in system.elements}
        yield _Line(_HEAD, ("What is counted", "", "and contains, so that it is not counted"))
        for by, inner in system.absorbs.items():
            yield _Line(_ROW, (names[by], "", ", ".join(names[id_] for id_ in inner)))
    yield _Line(_HEAD, ("House rules",))
    own = preset.options if preset else {}
    for option in system.options:
        value = own.get(option.name, option.default)
        yield _Line(_ROW, (option.name, "as listed" if value == {} else worded(value), option.doc))
    if preset is not None:
        yield _Line(_HEAD, ("Source",))
        yield _Line(_ROW, ("", "", preset.source))
        if preset.unsettled:
            yield _Line(_ROW, ("left open", "", ", ".join(preset.unsettled)))


def _code(address: str) -> Image.Image:
    """A QR code of this address."""
    out = io.BytesIO()
    segno.make_qr(address, error="m").save(out, kind="png", scale=_MODULE, border=0)
    return Image.open(out).convert("L")


def _pages(lines: list[_Line], code: Image.Image | None) -> list[Image.Image]:
    """The lines on as many pages as they need; long cells are wrapped, none is cut in two.

    The code stands at the right of the first line, and the others begin below it.
    """
    pages: list[Image.Image] = []
    y = _HIGH
    for line in lines:
        font = ImageFont.load_default(size=line.size)
        step = round(line.size * 1.35)
        wrapped = [_wrapped(text, font, width) for text, width in zip(line.cells, _widths(line), strict=False)]
        need = step * max(len(rows) for rows in wrapped) + (step // 2 if line.size > _ROW else 0)
        if y + need > _HIGH - _EDGE:
            pages.append(Image.new("L", (_WIDE, _HIGH), 255))
            y = _EDGE
        draw = ImageDraw.Draw(pages[-1])
        top = y + need - step * max(len(rows) for rows in wrapped)
        for column, rows in zip(_COLUMNS, wrapped, strict=False):
            for i, row in enumerate(rows):
                draw.text((_EDGE + column, top + i * step), row, 0, font)
        y += need
        if code is not None and line is lines[0]:
            pages[0].paste(code, (_WIDE - _EDGE - code.width, _EDGE))
            y = max(y, _EDGE + code.height)
    return pages


def _widths(line: _Line) -> tuple[int, ...]:
    """How wide each column of a line is; the last one that it has reaches to the edge."""
    inside = _WIDE - 2 * _EDGE
    ends = (*_COLUMNS[1 : len(line.cells)], inside)
    return tuple(end - start - 12 for start, end in zip(_COLUMNS, ends, strict=False))


def _wrapped(text: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, width: int) -> list[str]:
    rows = [""]
    for word in text.split():
        longer = f"{rows[-1]} {word}".strip()
        if rows[-1] and font.getlength(longer) > width:
            rows.append(word)
        else:
            rows[-1] = longer
    return rows
