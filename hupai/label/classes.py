"""The classes of label files: all tiles of the notation in one fixed order, or the classes of another training set.

A file of classes has one class per line, in order: its name and, if the name is not a tile itself, a colon and the
tiles it stands for (``bamboo-5: 5s 0s``). If there are several, the first is the tile that the name means when labels
are read. Tiles in no class are left out of the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from scoring.errors import Fault, HupaiError, InvalidRequest
from scoring.tiles import TILES, Tile, tile

CODES: Final[tuple[str, ...]] = tuple(t.code for t in TILES)
"""Notation of every tile."""


@dataclass(frozen=True)
class Classes:
    """Named classes in their order; the position is the class number (from 0; COCO's category ids are one more).

    Attributes:
        names: of the classes, in order.
        tiles: for each class the codes of its tiles, at least one; no tile occurs twice.
    """

    names: tuple[str, ...]
    tiles: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        held = [code for codes in self.tiles for code in codes]
        twice = sorted({c for c in held if held.count(c) > 1} | {n for n in self.names if self.names.count(n) > 1})
        if twice:
            raise _bad(f"{', '.join(twice)} appear in two classes.")
        if not self.names:
            raise _bad("The file names no class.")

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Code of a tile -> class number; tiles in no class are missing."""
        return {code: i for i, codes in enumerate(self.tiles) for code in codes}

    def to_notation(self, name: str) -> str:
        """Return the tile code that a class name means in the notation; other names are unchanged."""
        return self.tiles[self.names.index(name)][0] if name in self.names else name

    @property
    def option(self) -> str | list[str] | None:
        """What a set of labels records of them: the name of a preset, or the lines of a file; None for every tile."""
        if self == ALL:
            return None
        lines = [f"{name}: {' '.join(codes)}" for name, codes in zip(self.names, self.tiles, strict=True)]
        return next((name for name, each in PRESETS.items() if each == self), lines)

    @classmethod
    def of_option(cls, given: object) -> Classes:
        """Return the classes of which this is the :attr:`option`; every tile if it is not one."""
        return _parse_lines(list(map(str, given))) if isinstance(given, list) else PRESETS.get(str(given), ALL)

    @cached_property
    def said(self) -> frozenset[str]:
        """Codes of the tiles that the names mean: all that labels of these classes can say."""
        return frozenset(codes[0] for codes in self.tiles)

    def as_read(self, code: str) -> str | None:
        """Return what becomes of a tile's code that is written under its class and read back; None if it is in none."""
        return self.tiles[self.numbers[code]][0] if code in self.numbers else None

    def same_class(self, one: Tile, other: Tile) -> bool:
        """Whether two tiles have the same class."""
        if one is other:
            return True
        return one.code in self.numbers and self.numbers[one.code] == self.numbers.get(other.code)

    def __iter__(self) -> Iterator[tuple[str, Tile]]:
        """Iterate over the classes with the tile that each name means."""
        return ((name, tile(codes[0])) for name, codes in zip(self.names, self.tiles, strict=True))


def _classes_of(pairs: Mapping[str, str]) -> Classes:
    return Classes(tuple(pairs), tuple(tuple(codes.split()) for codes in pairs.values()))


def _with_reds(code: str) -> str:
    return f"{code} 0{code[1]}" if code in ("5m", "5p", "5s") else code


def _suits(**letters: str) -> dict[str, str]:
    return {f"{name}-{n}": _with_reds(f"{n}{suit}") for name, suit in letters.items() for n in range(1, 10)}


_KINDS: Final = [c for c in CODES if c[-1] in "mpsz" and c[0] != "0"]
_BONUS: Final = [f"{kind}{n}" for kind in "fg" for n in range(1, 5)]
_HONOURS: Final = {"east": "1z", "south": "2z", "west": "3z", "north": "4z", "red": "7z", "green": "6z", "white": "5z"}
_SEASONS: Final = {"spring": "g1", "summer": "g2", "autumn": "g3", "winter": "g4"}
_FLOWERS: Final = {"plum": "f1", "orchid": "f2", "chrysanthemum": "f3", "bamboo": "f4"}
_LETTERS: Final = {"B": "s", "C": "m", "D": "p", "F": "f", "S": "g"}
_WINDS: Final = {"EW": "1z", "GD": "6z", "NW": "4z", "RD": "7z", "SW": "2z", "WD": "5z", "WW": "3z"}


def _letter_classes() -> dict[str, str]:
    """Names such as ``1B`` and ``EW``, in alphabetical order."""
    found = dict(_WINDS)
    for n in range(1, 10):
        for letter, suit in _LETTERS.items():
            if suit in "msp" or n <= 4:
                found[f"{n}{letter}"] = _with_reds(f"{n}{suit}") if suit in "msp" else f"{suit}{n}"
    return dict(sorted(found.items()))


ALL: Final = _classes_of({code: code for code in CODES})
"""Every tile of the notation, so that any two label sets agree."""
PRESETS: Final[Mapping[str, Classes]] = {
    "50": ALL,
    "34": _classes_of({code: _with_reds(code) for code in _KINDS}),
    "37": _classes_of({code: code for code in [*_KINDS, "0m", "0p", "0s"]}),
    "42": _classes_of({code: _with_reds(code) for code in [*_KINDS, *_BONUS]}),
    "camerash": _classes_of(
        _suits(dots="p", bamboo="s", characters="m")
        | {f"honors-{name}": code for name, code in _HONOURS.items()}
        | {f"bonus-{name}": code for name, code in (_SEASONS | _FLOWERS).items()}
    ),
    "jonchan": _classes_of(_letter_classes()),
}
"""34 kinds, with red fives as fives; 37 with red fives apart; 42 with flowers and seasons. ``camerash``:
github.com/Camerash/mahjong-dataset (``dots-1``); ``jonchan``: the Roboflow set by Jon Chan (``1B``, ``EW``)."""


def parse_classes(given: str | None) -> Classes:
    """Return the classes of a preset or of a file; every tile if neither is given.

    Raises:
        InvalidRequest: it is neither, or the file is faulty.
    """
    if not given:
        return ALL
    if given.lower() in PRESETS:
        return PRESETS[given.lower()]
    try:
        lines = Path(given).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise _bad(f"{given} is neither a text file nor one of {', '.join(PRESETS)}.") from None
    return _parse_lines(lines)


def _parse_lines(lines: Sequence[str]) -> Classes:
    pairs: dict[str, tuple[str, ...]] = {}
    faults = []
    for at, line in enumerate(lines, 1):
        name, colon, codes = line.partition("#")[0].strip().rpartition(":")
        name = (name if colon else codes).strip()
        if not name:
            continue
        try:
            if name in pairs:
                raise _bad(f"{name} is listed twice")
            pairs[name] = tuple(tile(code).code for code in (codes.split() if colon else [name]))
            if not pairs[name]:
                raise _bad("no tile comes after the colon")
        except HupaiError as error:
            faults.append(Fault("bad_classes", f"Line {at}: {error.message.rstrip('.')}.", "classes"))
    if faults:
        raise InvalidRequest.of(faults)
    return Classes(tuple(pairs), tuple(pairs.values()))


def _bad(message: str) -> InvalidRequest:
    return InvalidRequest.of([Fault("bad_classes", message, "classes")])
