"""What functions of a WebAssembly module name, and modules with other functions."""

from __future__ import annotations

from scripts.wasm.module_functions import ModuleFunctions, written

END = b"\x0b"


def section(kind: int, *parts: bytes) -> bytes:
    content = written(len(parts)) + b"".join(parts)
    return bytes([kind]) + written(len(content)) + content


def function(code: bytes) -> bytes:
    body = b"\1\2\x7f" + code + END  # two locals of one type
    return written(len(body)) + body


def const(value: int) -> bytes:
    return b"\x41" + written(value)


TABLE = b"\0" + const(40) + END + b"\2" + written(1) + written(3)
"""At 40 and 41, of one function from outside and four others, the first and the third of these."""
DATA = b"\1\x04" + bytes([41, 0, 0, 0])
CODES = [
    const(8) + b"\x1a" + b"\x10\2",  # the address of 41, dropped; a call
    b"\xfd\x0c" + bytes(range(0x41, 0x51)) + b"\x1a\x10\0",  # a vector, of bytes like instructions; a call outside
    const(40) + b"\x1a",
    const(8) + const(0) + const(4) + b"\xfc\x08\0\0",  # data into memory
]
MODULE = b"\0asm\1\0\0\0" + b"".join(
    (
        section(1, b"\x60\0\0"),
        section(2, b"\1e\1f\0\0", b"\1e\1m\2\3\1\2"),
        section(3, *[b"\0"] * 4),
        b"\x08" + written(1) + written(4),
        section(9, TABLE),
        section(10, *map(function, CODES)),
        section(11, DATA),
    )
)


def test_calls_and_addresses_are_found() -> None:
    module = ModuleFunctions(MODULE)
    assert [code for _, code in module.functions] == [code + END for code in CODES]
    assert module.calls == [{1}, set(), set(), set()]
    assert [module.points_to(number) for number in range(4)] == [{2}, set(), {0}, {2}]


def test_other_functions_are_put_in_place() -> None:
    module = ModuleFunctions(MODULE)
    assert module.rewrite(lambda _, given, code: given + code) == MODULE
    trimmed = module.rewrite(lambda number, given, code: b"\0\0\x0b" if number == 2 else given + code)
    assert [code for _, code in ModuleFunctions(trimmed).functions] == [
        b"\0\x0b" if number == 2 else code + END for number, code in enumerate(CODES)
    ]
