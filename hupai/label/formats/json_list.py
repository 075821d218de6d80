"""The entries of long JSON lists, one after another, so that memory holds one of them instead of the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, TextIO

MAX_ENTRY_CHARACTERS: Final = 100_000_000
"""Characters per entry; if no entry ends for longer than that, the file is not such a list."""
_READ_CHARACTERS: Final = 1 << 20
_BLANK: Final = " \t\r\n"
_ENDS: Final = tuple(",:]}" + _BLANK)
_DECODER: Final = json.JSONDecoder()


def is_list(file: TextIO) -> bool:
    """Whether the first character in a file, after whitespace, begins a list."""
    return _Window(file).peek() == "["


def entries(file: TextIO) -> Iterator[Any]:
    """Yield the entries of the list that a file contains, opened as text.

    Raises:
        ValueError: it is not a complete JSON list; raised after the entries before the fault.
    """
    window = _Window(file)
    yield from _entries(window)
    window.end("list")


def members(file: TextIO) -> Iterator[tuple[str, Iterator[Any]]]:
    """Yield the names in the object that a file contains, each with the entries of its list, or with its one value.

    What is not taken before the next name is asked for is passed over.

    Raises:
        ValueError: it is not a complete JSON object; raised after what is before the fault.
    """
    window = _Window(file)
    for _ in window.items("{", "}"):
        name = window.value()
        if not isinstance(name, str):
            raise ValueError(f"a name is missing at character {window.place}")
        window.skip(":")
        values = _entries(window) if window.peek() == "[" else iter((window.value(),))
        yield name, values
        for _ in values:
            pass
    window.end("object")


def _entries(window: _Window) -> Iterator[Any]:
    return (window.value() for _ in window.items("[", "]"))


class _Window:
    """The part of a file that is being looked at: nothing from ``_at`` on has been consumed yet."""

    def __init__(self, file: TextIO) -> None:
        self._file, self._text, self._at, self._passed = file, "", 0, 0

    @property
    def place(self) -> int:
        """Characters consumed so far."""
        return self._passed + self._at

    def peek(self) -> str:
        """Return the next character that is not whitespace; empty at the end of the file."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _BLANK:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def skip(self, sign: str) -> None:
        """Consume one character, which has to be this one."""
        if self.peek() != sign:
            raise ValueError(f"{sign!r} is missing at character {self.place}")
        self._at += 1

    def items(self, begin: str, end: str) -> Iterator[None]:
        """Consume the signs around and between items, which are to be consumed at each step."""
        self.skip(begin)
        if self.peek() != end:
            yield
            while self.peek() == ",":
                self.skip(",")
                yield
        self.skip(end)

    def end(self, what: str) -> None:
        """Check that nothing is left."""
        if self.peek():
            raise ValueError(f"something follows the {what} at character {self.place}")

    def value(self) -> Any:
        """Consume one value."""
        self.peek()
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._more():
                    continue
                raise ValueError(f"{error.msg} at character {self._passed + error.pos}") from None
            if self._text[end : end + 1] not in _ENDS and self._more():
                continue  # a number may continue
            self._at = end
            return found

    def _more(self) -> bool:
        """Double what has been read, so that a long entry is not parsed too often; return whether there was more."""
        if len(self._text) - self._at > MAX_ENTRY_CHARACTERS:
            return False
        piece = self._file.read(max(_READ_CHARACTERS, len(self._text) - self._at))
        if not piece:
            return False
        self._passed += self._at
        self._text, self._at = self._text[self._at :] + piece, 0
        return True
