"""The fonts of a sheet: Pillow's own, and for Chinese and Japanese a font of this computer."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from PIL import ImageFont

from scoring.errors import Fault, InvalidRequest

_FOLDERS: Final = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
    "C:/Windows/Fonts",
    "~/AppData/Local/Microsoft/Windows/Fonts",
)
_KNOWN: Final = (
    *(
        "notosanscjk-regular",
        "notosanscjk",
        "sourcehansans",
        "notoserifcjk-regular",
        "pingfang",
        "hiragino",
        "ヒラギノ角ゴシック w3",
    ),
    *("yugothm", "yugothic", "meiryo", "msgothic", "msjh", "msyh", "simsun", "songti", "stheiti", "notosanstc"),
    *("notosanssc", "notosansjp", "notosanshk", "wqy-", "ipagp", "ipag", "takao", "uming", "ukai", "droidsansfallback"),
)
"""Beginnings of the names of font files with Chinese or Japanese letters, the plainest first."""
_FACES: Final = {"zh-Hant": (" TC", " HK", "JhengHei"), "zh-Hans": (" SC", "YaHei"), "ja": (" JP", "Gothic")}
"""Endings of the names of a collection's faces, by language."""
_ABSENT: Final = "\U0010fffe"
"""A character without a glyph: what a font draws for those that it lacks."""
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


class Letters:
    """Fonts for the texts of a sheet.

    Args:
        language: of the sheet. text: everything that will be written. file: the font to use; None: find one.

    Raises:
        InvalidRequest: the file is not a font, or lacks letters; or none is found for a language that needs one.
    """

    def __init__(self, language: str, text: str, file: Path | None = None) -> None:
        needed = {letter for letter in text if not letter.isspace()}
        self._face: tuple[str, int] | None = None
        if file is not None:
            self._face = _given(file, language, needed)
        elif language != "en" or not _has(None, needed):
            self._face = next((face for face in _found(language) if _has(face, needed)), None)
            if self._face is None and language != "en":
                message = "No font of this computer has the letters of this language: name one with --font FILE."
                raise InvalidRequest.of([Fault("no_font", message, "font")])
        self._plain = language == "en"

    def of(self, text: str, size: int) -> Font:
        """Return the font for a text: Pillow's own if that is sufficient."""
        if self._face is None or (self._plain and _has(None, {c for c in text if not c.isspace()})):
            return _font(None, size)
        return _font(self._face, size)


def _given(file: Path, language: str, needed: set[str]) -> tuple[str, int]:
    try:
        face = _face(file, language)
        lacking = sorted(c for c in needed if not _has(face, {c}))
    except OSError:
        lacking, message = ["?"], f"{file} is no font that can be read."
    else:
        message = f"{file} has no {', '.join(lacking[:5])}: name another font."
    if lacking:
        raise InvalidRequest.of([Fault("no_font", message, "font")])
    return face


def _found(language: str) -> Iterator[tuple[str, int]]:
    """Yield fonts of this computer that may be suitable, the likeliest first."""
    files: dict[str, Path] = {}
    for folder in _FOLDERS:
        for root, _, names in os.walk(Path(folder).expanduser()):
            files |= {
                name.lower(): Path(root, name) for name in names if name.lower().endswith((".ttf", ".ttc", ".otf"))
            }
    for known in _KNOWN:
        for name in sorted(files):
            if name.startswith(known):
                yield _face(files[name], language)


def _face(file: Path, language: str) -> tuple[str, int]:
    """Return the face of a file that is made for a language; the first if none says so."""
    for index in range(32):
        try:
            name = str(ImageFont.truetype(str(file), 10, index).getname()[0])
        except OSError:
            if index == 0:
                raise
            break
        if name.endswith(_FACES.get(language, ())):
            return str(file), index
    return str(file), 0


@lru_cache(maxsize=64)
def _font(face: tuple[str, int] | None, size: int) -> Font:
    return ImageFont.load_default(size) if face is None else ImageFont.truetype(face[0], size, face[1])


def _has(face: tuple[str, int] | None, letters: set[str]) -> bool:
    return all(_drawn(face, letter) != _drawn(face, _ABSENT) for letter in letters)


@cache
def _drawn(face: tuple[str, int] | None, letter: str) -> tuple[tuple[int, int], bytes]:
    mask = _font(face, 16).getmask(letter)
    return mask.size, bytes(mask)
