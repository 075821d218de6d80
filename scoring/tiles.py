"""Tiles and their notation: parsing and printing round-trip.

``1m``-``9m`` characters, ``p`` dots, ``s`` bamboo, ``1z``-``7z`` east south west north white green red,
``0m 0p 0s`` red fives, ``f1``-``f4`` flowers, ``g1``-``g4`` seasons, ``a1``-``a4`` animals, ``back`` a
face-down tile. A run is compact: ``123m406p11z f1 g3``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from scoring.basics import counts
from scoring.errors import NotationError, quote_value
from scoring.words.sentence import say

SUITS: Final = "mps"
KINDS: Final = counts.KINDS  # kinds that make sets: m 0-8, p 9-17, s 18-26, z 27-33
EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED = range(27, 34)
WINDS: Final = (EAST, SOUTH, WEST, NORTH)
DRAGONS: Final = (WHITE, GREEN, RED)
GREENS: Final = (19, 20, 21, 23, 25, GREEN)
"""The kinds of a hand that is all green: 2 3 4 6 8 of bamboo and green dragons."""
BACK_KIND: Final = 46


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """One tile face. Get tiles from :func:`tile`: equal codes give the same object, and tiles are compared by identity.

    Attributes:
        code: the notation, such as ``5m`` or ``0m``.
        kind: 0-33 for the kinds that make sets (a red five has the kind of its five), 34-37 flowers,
            38-41 seasons, 42-45 animals, 46 a face-down tile.
        red: True for a red five.
        unit: this tile as a number to count with (computed); see :mod:`scoring.basics.counts`.
    """

    code: str
    kind: int
    red: bool = False
    unit: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "unit", counts.unit(self.kind) + (counts.RED if self.red else 0))

    @property
    def suit(self) -> str:
        """The letter: m p s z, f g a, or b for a face-down tile."""
        return "b" if self.kind == BACK_KIND else self.code[0] if self.kind >= KINDS else self.code[-1]

    @property
    def number(self) -> int:
        """1-9 for suits, 1-7 for honours, 1-4 for bonus tiles, 0 for a face-down tile."""
        if self.kind < KINDS:
            return self.kind % 9 + 1
        return 0 if self.kind == BACK_KIND else int(self.code[1])

    @property
    def is_bonus(self) -> bool:
        """True for flowers, seasons and animals."""
        return KINDS <= self.kind < BACK_KIND

    @property
    def is_playable(self) -> bool:
        """True for the 34 kinds that make sets."""
        return self.kind < KINDS

    @property
    def name(self) -> str:
        """The English name, such as ``5 of dots`` or ``white dragon``."""
        return _name(self)

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"tile({self.code!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return tile, (self.code,)


def _all_tiles() -> list[Tile]:
    found = [Tile(f"{n}{s}", 9 * i + n - 1) for i, s in enumerate("mpsz") for n in range(1, 8 if s == "z" else 10)]
    found += [Tile(f"{s}{n}", 34 + 4 * i + n - 1) for i, s in enumerate("fga") for n in range(1, 5)]
    found += [Tile(f"0{s}", 9 * i + 4, red=True) for i, s in enumerate(SUITS)]
    return [*found, Tile("back", BACK_KIND)]


TILES: Final[tuple[Tile, ...]] = tuple(_all_tiles())
"""Every tile: 34 kinds, 4 flowers, 4 seasons, 4 animals, 3 red fives, the face-down tile."""

BY_CODE: Final = {t.code: t for t in TILES}
"""Every tile by its code."""
PLAIN: Final[tuple[Tile, ...]] = TILES[:46]
"""The plain (not red) tile of kinds 0-45."""

_HONOURS = ("east wind", "south wind", "west wind", "north wind", "white dragon", "green dragon", "red dragon")
_BONUS = {
    "f": ("plum", "orchid", "chrysanthemum", "bamboo flower"),
    "g": ("spring", "summer", "autumn", "winter"),
    "a": ("cat", "rat", "rooster", "centipede"),
}
_SUIT_NAMES = {"m": "characters", "p": "dots", "s": "bamboo"}


def _name(t: Tile) -> str:
    if t.kind == BACK_KIND:
        return "face-down tile"
    if t.is_bonus:
        return _BONUS[t.suit][t.number - 1]
    if t.suit == "z":
        return _HONOURS[t.number - 1]
    return f"{'red ' if t.red else ''}{t.number} of {_SUIT_NAMES[t.suit]}"


_NO_TILE = "{value} is not a tile; write 1m-9m 1p-9p 1s-9s 1z-7z 0m 0p 0s f1-f4 g1-g4 a1-a4 or back."
_NO_RUN = (
    "{value} at position {n} is not a tile; digits come before m p s z, as in 123m 55z, "
    "and letters before the digit for bonus tiles, as in f1."
)


def tile(code: str) -> Tile:
    """Return the tile written ``code``.

    Raises:
        NotationError: no such tile.
    """
    try:
        return BY_CODE[code]
    except (KeyError, TypeError):
        raise NotationError(say(_NO_TILE, value=quote_value(code)), code="unknown_tile") from None


_RUN = re.compile(r"(?P<digits>[0-9]+)(?P<suit>[mpsz])|(?P<bonus>[fga][1-4])|(?P<back>back)|(?P<gap>[\s,]+)")


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Return the tiles of a compact run such as ``123m406p11z f1 g3``; spaces and commas may stand between parts.

    Raises:
        NotationError: text that is not a run of tiles; the message points at the place.
    """
    found: list[Tile] = []
    at = 0
    while at < len(text):
        match = _RUN.match(text, at)
        if match is None:
            raise NotationError(say(_NO_RUN, value=repr(text[at : at + 12]), n=at + 1))
        at = match.end()
        if match["digits"]:
            found.extend(tile(digit + match["suit"]) for digit in match["digits"])
        elif match["bonus"] or match["back"]:
            found.append(BY_CODE[match[0]])
    return tuple(found)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Return the compact run for these tiles, in their order; :func:`parse_tiles` reads it back unchanged."""
    parts: list[str] = []
    digits = suit = ""
    for t in tiles:
        if t.kind < KINDS:
            if suit and t.code[1] != suit:
                parts.append(digits + suit)
                digits = ""
            digits, suit = digits + t.code[0], t.code[1]
        else:
            if suit:
                parts.append(digits + suit)
                digits = suit = ""
            parts.append(f" {t.code} ")
    if suit:
        parts.append(digits + suit)
    return " ".join("".join(parts).split())


def kind_name(kind: int) -> str:
    """Return the code of the plain tile of a kind, such as ``5m`` for 4."""
    return PLAIN[kind].code
