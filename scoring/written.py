"""Tiles as people and other programs write them, beside the notation of :mod:`scoring.tiles`.

Accepted: capitals (``123M``), wide digits, Unicode's tiles, 東 to 中, 二萬三筒 and 234萬, the suit before the digits
(``m234p567``), ``E S W N P F C`` of mjai for winds, white, green and red, ``5mr`` or ``r5m`` for a red five.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from scoring.errors import NotationError, quote_value
from scoring.tiles import BY_CODE, Tile, parse_tiles, tile
from scoring.words.sentence import say

_BLOCK: Final = (  # U+1F000 to U+1F029, then the back
    *["1z", "2z", "3z", "4z", "7z", "6z", "5z"],
    *(f"{n}{suit}" for suit in "msp" for n in range(1, 10)),
    *["f1", "f2", "f4", "f3", "g1", "g2", "g3", "g4"],
)
GLYPHS: Final = {**{chr(0x1F000 + i): code for i, code in enumerate(_BLOCK)}, "\U0001f02b": "back"}
"""Unicode mahjong tiles -> their codes; Unicode has the bamboo flower before the chrysanthemum."""
_HONOURS: Final = ("東东", "南", "西", "北", "白", "發発发", "中")
_SIGNS: Final = {
    **{ord(glyph): f" {code} " for glyph, code in GLYPHS.items()},
    **{ord(sign): f" {n}z " for n, signs in enumerate(_HONOURS, 1) for sign in signs},
    **{ord(sign): str(n) for n, sign in enumerate("一二三四五六七八九", 1)},
    **{ord(sign): suit for suit, signs in (("m", "萬万"), ("p", "筒饼餅"), ("s", "索條条")) for sign in signs},
    **dict.fromkeys(map(ord, "\ufe0e\ufe0f\u200d"), ""),  # selects how a glyph is drawn
}
_LETTERS: Final = {letter: f"{n}z" for n, letter in enumerate("ESWNPFC", 1)}
_SUIT_FIRST: Final = re.compile(r"(?:[mpsz][0-9]+)+")
_TILES: Final = re.compile(
    r"(?P<red>5(?P<a>[mps])r|r5(?P<b>[mps]))|(?P<digits>[0-9]+)(?P<suit>[mpszMPSZ])|[fgaFGA][1-4]|(?i:back)|[ESWNPFC]"
)
_AMBIGUOUS: Final = re.compile(r"(?<![0-9])[SP][0-9]|5[mps]r5[mps]|[0-9][SP][ESWNPFC]|^[spf]$")
"""A wind or a suit, a red five before or after another five, a suit or an honour."""
_TWO_WAYS: Final = "{value} can be read in two ways; write tiles as in 123m 55z f1 0p."


def read_tiles(text: str) -> tuple[Tile, ...]:
    """Return the tiles of a run, in the notation or written in another way.

    Raises:
        NotationError: text that is no tiles, or could be different ones (``ambiguous_tile``).
    """
    try:
        return parse_tiles(text)
    except NotationError:
        found: list[Tile] = []
        for part in re.split(r"[\s,]+", unicodedata.normalize("NFKC", text).translate(_SIGNS)):
            if _AMBIGUOUS.search(part):
                message = say(_TWO_WAYS, value=quote_value(part))
                raise NotationError(message, code="ambiguous_tile") from None
            codes = _codes(part)
            if codes is None or not BY_CODE.keys() >= set(codes):
                raise
            found += [BY_CODE[code] for code in codes]
        return tuple(found)


def read_tile(text: str) -> Tile:
    """Return one tile, in the notation or written in another way.

    Raises:
        NotationError: no tile, several, or one that could be two (``ambiguous_tile``).
    """
    found = BY_CODE.get(text)
    if found is not None:
        return found
    try:
        tiles = read_tiles(text)
    except NotationError as error:
        if error.code != NotationError.code:
            raise
        tiles = ()
    return tiles[0] if len(tiles) == 1 else tile(text)


def _codes(part: str) -> list[str] | None:
    """Return the codes of tiles that stand together, perhaps of some that do not exist; None: it is something else."""
    if _SUIT_FIRST.fullmatch(part):
        return [digit + run[0] for run in re.findall("[mpsz][0-9]+", part) for digit in run[1:]]
    found, at = list[str](), 0
    while at < len(part):
        match = _TILES.match(part, at)
        if match is None:
            return None
        at = match.end()
        if match["red"]:
            found.append(f"0{match['a'] or match['b']}")
        elif match["digits"]:
            found += [digit + match["suit"].lower() for digit in match["digits"]]
        else:
            found.append(_LETTERS.get(match[0]) or match[0].lower())
    return found
