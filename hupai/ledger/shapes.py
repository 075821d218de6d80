"""What JSON from a file must look like before anything is taken from it, and the places in it that do not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from hupai.basics.timestamps import parse_time
from scoring.seats import Seat

Shape = Callable[[object, str], Iterator[str]]
"""A value, and where it is -> the places in it that do not fit."""

_MOST: Final = 10**9
_AMOUNT: Final = re.compile(r"-?\d{1,10}(\.\d{1,9})?", re.ASCII)
_NO_TEXT: Final = re.compile("[\0-\x1f\ud800-\udfff]")


def that(fits: Callable[[Any], bool]) -> Shape:
    """A value that fits."""

    def misfits(value: object, where: str) -> Iterator[str]:
        if not fits(value):
            yield where

    return misfits


def one_of(*values: object) -> Shape:
    """One of these values."""
    return that(lambda value: any(type(value) is type(one) and value == one for one in values))


def maybe(shape: Shape) -> Shape:
    """A value of this shape, or null."""
    return lambda value, where: iter(()) if value is None else shape(value, where)


def list_of(shape: Shape, most: int | None = None) -> Shape:
    """A list of values of this shape."""

    def misfits(value: object, where: str) -> Iterator[str]:
        if not isinstance(value, list) or (most is not None and len(value) > most):
            yield where
        else:
            for number, one in enumerate(value):
                yield from shape(one, f"{where}[{number}]")

    return misfits


def object_of(needed: Mapping[str, Shape], others: Mapping[str, Shape] | None = None) -> Shape:
    """An object with these fields, perhaps ``others``, and no more; with any more if ``others`` is None."""

    def misfits(value: object, where: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield where
            return
        known = {**needed, **(others or {})}
        yield from (f"{where}.{name}" for name in needed if name not in value)
        for name, one in value.items():
            if name in known:
                yield from known[name](one, f"{where}.{name}")
            elif others is not None:
                yield f"{where}.{name:.40}"

    return misfits


def text(most: int) -> Shape:
    """A text of so many characters at most, none of them a control character."""
    return that(lambda value: isinstance(value, str) and len(value) <= most and not _NO_TEXT.search(value))


def _is_time(value: object) -> bool:
    try:
        return isinstance(value, str) and len(value) <= 40 and parse_time(value) is not None
    except (ValueError, OverflowError):
        return False


TIME: Final = that(_is_time)
WHOLE: Final = that(lambda value: type(value) is int and 0 <= value <= _MOST)
FLAG: Final = that(lambda value: isinstance(value, bool))
SEAT: Final = one_of(*(seat.value for seat in Seat))
AMOUNT: Final = that(lambda value: type(value) in (int, str) and _AMOUNT.fullmatch(str(value)) is not None)
OBJECT: Final = that(lambda value: isinstance(value, dict))
