"""The functions of a WebAssembly module: what each names, and the module with other bodies for them.

Functions are numbered from 0; those that the module has from outside are left out.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final

_IMPORTS, _START, _ELEMENTS, _CODE, _DATA = 2, 8, 9, 10, 11
_CALL, _BRANCH_TABLE, _CONSTANT, _BULK, _VECTOR, _THREAD = 0x10, 0x0E, 0x41, 0xFC, 0xFD, 0xFE
_NUMBERS: Final = dict.fromkeys((2, 3, 4, 12, 13, _CALL, *range(32, 37), *range(63, 67), 208, 210), 1) | dict.fromkeys(
    (17, *range(40, 63)), 2
)
"""How many whole numbers follow an instruction of one byte: none, most often."""
_FLOATS: Final = {0x43: 4, 0x44: 8}
"""Bytes that do."""
_INTO_MEMORY: Final = 8
_OF_BULK: Final = {_INTO_MEMORY: 2, 9: 1, 10: 2, 11: 1}
_LONGEST: Final = 32
"""Addresses of functions one after the other that are taken for one table, that of a class."""


class ModuleFunctions:
    """A module as Emscripten links it: one table of functions, data that its start copies into memory.

    Attributes:
        functions: locals and instructions of each.
    """

    def __init__(self, module: bytes) -> None:
        """Read it."""
        self._module, self._sections = module, dict(_sections(module))
        self._outside = _count_imported(self._sections[_IMPORTS])
        self.functions = list(_functions(self._sections[_CODE]))

    @cached_property
    def calls(self) -> list[set[int]]:
        """What each function calls by number."""
        called = (
            {numbers[0] - self._outside for op, numbers in _instructions(code) if op == _CALL}
            for _, code in self.functions
        )
        return [{one for one in some if one >= 0} for some in called]

    def points_to(self, number: int) -> set[int]:
        """Return the functions whose addresses a function has, or that of a table of."""
        found = set[int]()
        values = (numbers[0] for op, numbers in _instructions(self.functions[number][1]) if op == _CONSTANT)
        for value in values:
            found.add(self._table.get(value, -1))
            for (address,) in struct.iter_unpack("<I", self._memory[value : value + 4 * _LONGEST]):
                if address not in self._table:
                    break
                found.add(self._table[address])
        return {one for one in found if one >= 0}

    def rewrite(self, body: Callable[[int, bytes, bytes], bytes]) -> bytes:
        """Return the module with another body for each function, made of its number, locals and instructions."""
        out = bytearray(self._module[:8])
        for kind, content in _sections(self._module):
            parts = [content]
            if kind == _CODE:
                bodies = [body(number, *function) for number, function in enumerate(self.functions)]
                parts = [written(len(bodies)), *(written(len(one)) + one for one in bodies)]
            out += bytes([kind]) + written(sum(map(len, parts))) + b"".join(parts)
        return bytes(out)

    @cached_property
    def _table(self) -> dict[int, int]:
        """Addresses of functions."""
        content = self._sections[_ELEMENTS]
        first, at = _number(content, 3)  # after the count of tables, a flag and an instruction
        count, at = _number(content, at + 1)
        found = {}
        for address in range(first, first + count):
            number, at = _number(content, at)
            found[address] = number - self._outside
        return found

    @cached_property
    def _memory(self) -> bytes:
        """What lies in memory from the start, up to a multiple of four bytes."""
        parts, out = list(_parts(self._sections[_DATA])), bytearray()
        given = list[int]()
        start = _number(self._sections[_START], 0)[0] - self._outside
        for op, numbers in _instructions(self.functions[start][1]):
            if op == _CONSTANT:
                given += numbers
            elif op == _BULK and numbers[0] == _INTO_MEMORY:
                to, begin, size = given[-3:]
                out.extend(bytes(max(0, to + size - len(out))))
                out[to : to + size] = parts[numbers[1]][begin : begin + size]
        return bytes(out) + bytes(-len(out) % 4)


def written(value: int) -> bytes:
    """Return a whole number as modules have it, seven bits a byte."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a whole number, and where it ends; one below 0 comes out large."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def _sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    at = 8
    while at < len(module):
        size, start = _number(module, at + 1)
        yield module[at], module[start : start + size]
        at = start + size


def _functions(code: bytes) -> Iterator[tuple[bytes, bytes]]:
    count, at = _number(code, 0)
    for _ in range(count):
        size, start = _number(code, at)
        groups, begin = _number(code, start)
        for _ in range(groups):
            begin = _number(code, begin)[1] + 1
        at = start + size
        yield code[start:begin], code[begin:at]


def _parts(data: bytes) -> Iterator[bytes]:
    """Give parts of memory that lie ready, each after a flag."""
    count, at = _number(data, 0)
    for _ in range(count):
        size, start = _number(data, at + 1)
        at = start + size
        yield data[start:at]


def _count_imported(content: bytes) -> int:
    """Return how many functions come from outside."""
    count, at = _number(content, 0)
    functions = 0
    for _ in range(count):
        for _name in range(2):
            size, start = _number(content, at)
            at = start + size
        kind = content[at]
        functions += kind == 0
        # A function's type; a table's and a memory's least and, if there is one, largest size; a global's type.
        numbers = {0: 1, 1: 3 + (content[at + 2] & 1), 2: 2 + (content[at + 1] & 1), 3: 2}[kind]
        at += 1
        for _part in range(numbers):
            at = _number(content, at)[1]
    return functions


def _instructions(code: bytes) -> Iterator[tuple[int, list[int]]]:
    """Give instructions with the whole numbers that follow; of those with two parts the second is the first of these.

    Raises:
        ValueError: not all are known.
    """
    at = 0
    while at < len(code):
        op, at = code[at], at + 1
        given = list[int]()
        count, more = _NUMBERS.get(op, 0), _FLOATS.get(op, 0)
        if op in (_BULK, _VECTOR, _THREAD):
            kind, at = _number(code, at)
            given.append(kind)
            count, more = _after(op, kind)
        elif op == _BRANCH_TABLE:
            count = _number(code, at)[0] + 2
        for _ in range(count):
            number, at = _number(code, at)
            given.append(number)
        at += more
        yield op, given
    if at != len(code):
        raise ValueError("The module has instructions that are not known here.")


def _after(op: int, kind: int) -> tuple[int, int]:
    """Return how many whole numbers, then bytes, follow an instruction of two parts."""
    if op == _THREAD:
        return (1, 0) if kind == 3 else (2, 0)
    if op == _BULK:
        return _OF_BULK.get(kind, 0), 0
    if kind <= 11 or kind in (92, 93):
        return 2, 0
    if kind in (12, 13):
        return 0, 16
    if 84 <= kind <= 91:
        return 2, 1
    return 0, int(21 <= kind <= 34)
