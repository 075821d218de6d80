"""The class names of other people's data sets, and which tiles they probably mean.

A guess has to be confirmed once; confirmed names are kept in a file, one per line
(``bamboo 3: 3s``; nothing after the colon leaves the label out).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from scoring.errors import Fault, HupaiError, InvalidRequest
from scoring.tiles import tile

_WORDS: Final[Mapping[str, str]] = {
    word: meaning
    for meaning, words in {
        "suit s": "bamboo bamboos bam bams boo sou souzu stick sticks tiao suo b s 索 条 條",
        "suit p": "dot dots circle circles pin pinzu coin coins tong bing ball balls d p 筒 饼 餅",
        "suit m": "character characters char chars crak craks crack man manzu wan c m 万 萬",
        "1": "one 一", "2": "two 二", "3": "three 三", "4": "four 四", "5": "five 五",
        "6": "six 六", "7": "seven 七", "8": "eight 八", "9": "nine 九",
        "1z": "east ton tou dong ew e 東 东", "2z": "south nan sw 南", "3z": "west sha shaa xi ww w 西",
        "4z": "north pei pe bei nw n 北", "5z": "white haku bai wd blank 白", "6z": "green hatsu fa gd 發 发",
        "7z": "red chun zhong rd 中",
        "f1": "plum 梅", "f2": "orchid 蘭 兰", "f3": "chrysanthemum mum 菊", "f4": "竹",
        "g1": "spring 春", "g2": "summer 夏", "g3": "autumn fall 秋", "g4": "winter 冬",
        "a1": "cat", "a2": "rat mouse", "a3": "rooster cock chicken", "a4": "centipede worm",
        "back": "back backside facedown down",
        "kind f": "flower flowers", "kind g": "season seasons", "kind a": "animal animals", "five": "aka akadora r",
        "": "wind winds dragon dragons honor honors honour honours tile tiles mahjong bonus face of the suit",
    }.items()
    for word in words.split()
}  # fmt: skip
_MEANINGS: Final = {*_WORDS.values(), *"0123456789"}
_WORD: Final = re.compile(r"[A-Za-z]+|[0-9]|[^\sA-Za-z0-9_.,:/()-]")
_BETWEEN: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def guess(name: str) -> str | None:
    """Return the tile that a foreign class probably means, in the notation; None if there is no guess."""
    words = [word.lower() for word in _WORD.findall(_BETWEEN.sub(" ", name))]
    meant = [_WORDS.get(word, word) for word in words]
    if any(m not in _MEANINGS for m in meant):
        return None
    kinds = {m[-1] for m in meant if m.startswith(("suit ", "kind "))}
    numbers = [m for m in meant if m.isdigit()]
    others = {m for m in meant if m and not m.isdigit() and " " not in m}
    if len(kinds) == len(numbers) == 1:
        (kind,), (number,) = kinds, numbers
        red = others <= {"7z", "five"} and number == "5" and kind in "mps" and bool(others)
        return _valid_code(
            f"0{kind}" if red else f"{number}{kind}" if kind in "mps" else f"{kind}{number}", others, red=red
        )
    if kinds == {"s"} and words.count("s") and "wind" in words:
        return "2z"
    if "s" in kinds and not numbers and not others and {"flower", "bonus"} & set(words):
        return "f4"
    return None if numbers or kinds - {"f", "g", "a"} or len(others) != 1 else _valid_code(others.pop(), set())


def _valid_code(code: str, others: set[str], *, red: bool = False) -> str | None:
    """Return the code, if it is valid and the name says nothing else."""
    try:
        return tile(code).code if red or not others else None
    except HupaiError:
        return None


def read_names(path: Path) -> dict[str, str]:
    """Read the confirmed names of a file: foreign name -> tile, empty if the label is to be left out.

    Raises:
        InvalidRequest: it cannot be read, or has faulty lines.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequest.of([Fault("bad_names", f"{path} cannot be read ({error}).", "names")]) from None
    found: dict[str, str] = {}
    faults = []
    for at, line in enumerate(lines, 1):
        name, colon, code = line.rpartition(":")
        if not line.strip() or line.startswith("#"):
            continue
        try:
            if not colon or not name.strip():
                raise HupaiError("write NAME: TILE, as in bamboo 3: 3s")
            found[name.strip()] = tile(code.strip()).code if code.strip() else ""
        except HupaiError as error:
            faults.append(Fault("bad_names", f"{path}, line {at}: {error.message}", "names"))
    if faults:
        raise InvalidRequest.of(faults)
    return found


def write_names(path: Path, names: Mapping[str, str]) -> None:
    """Write confirmed names.

    Raises:
        HupaiError: the file cannot be written.
    """
    text = "".join(f"{name}: {code}".rstrip(" ") + "\n" for name, code in sorted(names.items()))
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise HupaiError(f"{path} cannot be written ({error.strerror}).", code="cannot_write") from error
