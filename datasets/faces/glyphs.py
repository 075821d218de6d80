"""Glyph sheets: masks of the characters, digits and letters that tiles carry, rendered once from open fonts.

A sheet holds what a font really draws: a font whose tables promise a character but which draws nothing is caught when
the sheet is made (:func:`render_sheet`), not when a tile turns out blank.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Mask = npt.NDArray[np.uint8]
GlyphSheet = dict[str, Mask]

NUMERALS: Final = "一二三四五六七八九"
NEEDED: Final = NUMERALS + "萬東南西北中發"
WILD: Final = "聽用飛總皇元合喜花JK"
"""On jokers alone; the other letters of their name are among those of other tiles."""
WANTED: Final = NEEDED + "万伍発白春夏秋冬梅蘭菊竹貓鼠雞蜈蚣百搭" + "0123456789" + "ESWNFCPBGRDWhitOr" + WILD
CELL: Final = 128


def render_glyph(font: ImageFont.FreeTypeFont, char: str) -> Mask | None:
    """The cropped mask of one character, its longer side at most ``CELL``; None where the font draws nothing."""
    size = int(font.size)
    picture = Image.new("L", (size * 2, size * 2), 0)
    ImageDraw.Draw(picture).text((size // 2, size // 3), char, font=font, fill=255)
    mask = np.asarray(picture)
    ys, xs = np.nonzero(mask > 60)
    if len(ys) < size:
        return None
    crop = mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    scale = min(1.0, CELL / max(crop.shape))
    shape = (max(2, round(crop.shape[1] * scale)), max(2, round(crop.shape[0] * scale)))
    return np.ascontiguousarray(cv2.resize(crop, shape, interpolation=cv2.INTER_AREA))


def render_sheet(path: Path, index: int = 0) -> GlyphSheet | None:
    """All wanted characters of a font: a file, or the folder of a web font split into subsets.

    Returns:
        None if a character that every set needs is missing, empty, or drawn with the font's glyph for missing ones.

    Raises:
        OSError: not a font.
    """
    files = subset_files(path) if path.is_dir() else dict.fromkeys(WANTED, path)
    fonts: dict[Path, tuple[ImageFont.FreeTypeFont, Mask | None]] = {}
    sheet: GlyphSheet = {}
    for char, file in files.items():
        if file not in fonts:
            font = ImageFont.truetype(str(file), 180, index=index)
            fonts[file] = font, render_glyph(font, "\U000f1234")
        font, missing = fonts[file]
        mask = render_glyph(font, char)
        if mask is not None and not (missing is not None and np.array_equal(mask, missing)):
            sheet[char] = mask
    if any(char not in sheet for char in NEEDED):
        return None
    distinct = {sheet[char].tobytes() for char in NEEDED}
    return sheet if len(distinct) == len(NEEDED) else None


def subset_files(folder: Path) -> dict[str, Path]:
    """Which file of a web font package holds each wanted character, as its style sheet says."""
    style = folder / ("400.css" if (folder / "400.css").is_file() else "index.css")
    files: dict[str, Path] = {}
    for block in re.findall(r"@font-face \{(.*?)\}", style.read_text(encoding="utf-8"), re.DOTALL):
        url = re.search(r"url\(\./(files/[^)]+\.woff)\)", block)
        ranges = re.search(r"unicode-range:([^;]+);", block)
        if not url or not ranges:
            continue
        for part in ranges[1].split(","):
            low, _, high = part.strip().removeprefix("U+").partition("-")
            span = range(int(low, 16), int(high or low, 16) + 1)
            files |= {c: folder / url[1] for c in WANTED if ord(c) in span and c not in files}
    return files


def pack_sheet(sheet: GlyphSheet) -> tuple[npt.NDArray[np.uint8], str]:
    """A picture of ``CELL`` x ``CELL`` cells, 12 a row, and the characters in their order."""
    chars = "".join(sheet)
    rows = -(-len(chars) // 12)
    picture = np.zeros((rows * CELL, 12 * CELL), np.uint8)
    for i, char in enumerate(chars):
        mask = sheet[char]
        y, x = i // 12 * CELL, i % 12 * CELL
        picture[y : y + mask.shape[0], x : x + mask.shape[1]] = mask
    return picture, chars


def unpack_sheet(picture: npt.NDArray[np.uint8], chars: str) -> GlyphSheet:
    """The sheet packed by :func:`pack_sheet`."""
    sheet: GlyphSheet = {}
    for i, char in enumerate(chars):
        y, x = i // 12 * CELL, i % 12 * CELL
        cell = picture[y : y + CELL, x : x + CELL]
        ys, xs = np.nonzero(cell > 16)
        sheet[char] = np.ascontiguousarray(cell[: ys.max() + 1, : xs.max() + 1])
    return sheet
