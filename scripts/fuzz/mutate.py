"""Changes that break well-formed input: bytes, the structure of pictures, text, JSON values."""

from __future__ import annotations

import copy
import json
import random
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

NUMBERS: Final = (
    *(0, 1, 2, 15, 16, 127, 128, 255, 256, 9_999, 20_000),
    *(2**15 - 1, 2**16 - 1, 2**16, 2**31 - 1, 2**31, 2**32 - 1),
)
"""Values at which readers of binary formats go wrong."""
_WORDS: Final = (
    *("", " ", "\0", "\ufeff", "１２３m", "٣m", "\ud800", "💥", "a" * 5000, "-1", "1e999", "NaN", "null"),
    *("../..", "%s", "{}", "0m" * 40, "f5", "8z", "back"),
)
_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 10**30, 1.5, -0.0, 1e308, "", "x", "E", "１m", "\ud800", [], {}, [[]], {"": None}),
    *(["1m"] * 30, "1m" * 300, "0.1", "1e400"),
)


def mutated_bytes(rng: random.Random, seed: bytes, others: Sequence[bytes] = ()) -> bytes:
    """The seed with one to eight random changes of its bytes; ends of others, or its own, may take its end's place."""
    data = bytearray(seed)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        end = len(data) if rng.random() < 0.5 else min(len(data), 64)  # heads of files more often than their middles
        at = rng.randrange(end) if end else 0
        match rng.choice(("flip", "flip", "number", "number", "cut", "remove", "repeat", "insert", "splice")):
            case "flip":
                data[at : at + 1] = bytes(byte ^ 1 << rng.randrange(8) for byte in data[at : at + 1])
            case "number":
                size, order = rng.choice(((1, "big"), (2, "big"), (2, "little"), (4, "big"), (4, "little")))
                data[at : at + size] = (rng.choice(NUMBERS) % 256**size).to_bytes(size, order)
            case "cut":
                del data[at:]
            case "remove":
                del data[at : at + rng.choice((1, 2, 4, 64))]
            case "repeat":
                data[at:at] = data[at : at + rng.choice((1, 4, 64, 1024))] * rng.choice((1, 2, 50))
            case "insert":
                data[at:at] = rng.randbytes(rng.choice((1, 2, 16)))
            case "splice":
                other = rng.choice(others or [seed])
                data[at:] = other[rng.randrange(len(other) + 1) :]
    return bytes(data)


def mutated_picture(rng: random.Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    """The seed with its declared size or one of its parts changed and the checksums corrected, or with broken bytes."""
    changed = None
    if rng.random() < 0.4:
        changed = _png(rng, seed) if seed.startswith(b"\x89PNG") else _resized(rng, seed)
    return changed or mutated_bytes(rng, seed, others)


def png_chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Names and contents of a well-formed PNG's chunks."""
    found, at = [], 8
    while at + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        found.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def png_of(chunks: list[tuple[bytes, bytes]]) -> bytes:
    """The PNG of these chunks, with right lengths and checksums."""
    packed = (struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def _png(rng: random.Random, seed: bytes) -> bytes:
    chunks = png_chunks(seed)
    at = rng.randrange(len(chunks))
    name, content = chunks[at]
    if name == b"IHDR" or rng.random() < 0.3:
        header = bytearray(chunks[0][1])
        if rng.random() < 0.7:
            struct.pack_into(">I", header, rng.choice((0, 4)), rng.choice(NUMBERS))
        else:
            header[rng.randrange(8, 13)] = rng.choice((0, 1, 2, 3, 4, 6, 8, 16, 255))
        chunks[0] = (b"IHDR", bytes(header))
    elif rng.random() < 0.3:
        chunks.insert(at, chunks.pop(rng.randrange(len(chunks))))
    elif name == b"IDAT" and rng.random() < 0.5:
        lines = mutated_bytes(rng, zlib.decompress(content)) * rng.choice((1, 1, 200))
        chunks[at] = (name, zlib.compress(lines))
    else:
        chunks[at] = (name, mutated_bytes(rng, content))
    return png_of(chunks)


def _resized(rng: random.Random, seed: bytes) -> bytes | None:
    """The picture claiming another width and height; None for formats that keep it in no simple place."""
    data = bytearray(seed)
    wide, high = rng.choice(NUMBERS), rng.choice(NUMBERS)
    if seed.startswith(b"\xff\xd8") and (frame := re.search(rb"\xff[\xc0-\xc2]", seed)):
        struct.pack_into(">HH", data, frame.end() + 3, high & 0xFFFF, wide & 0xFFFF)
    elif seed.startswith(b"GIF8"):
        struct.pack_into("<HH", data, 6, wide & 0xFFFF, high & 0xFFFF)
    elif seed.startswith(b"BM"):
        struct.pack_into("<II", data, 18, wide, high)
    elif seed[:2] in (b"II", b"MM"):  # TIFF: the count or the value of an entry
        order = "<" if seed[:2] == b"II" else ">"
        (start,) = struct.unpack_from(order + "I", data, 4)
        (count,) = struct.unpack_from(order + "H", data, start)
        entry = start + 2 + 12 * rng.randrange(count)
        struct.pack_into(order + "I", data, entry + rng.choice((4, 8)), rng.choice(NUMBERS))
    elif seed[12:16] == b"VP8X":
        data[24:30] = struct.pack("<I", wide)[:3] + struct.pack("<I", high)[:3]
    else:
        return None
    return bytes(data)


def mutated_text(rng: random.Random, seed: str, others: Sequence[str] = ()) -> str:
    """The seed with letters, runs and strange words put in, taken out or swapped."""
    letters = list(seed)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(letters) + 1)
        what = rng.randrange(6)
        if what == 0:
            letters[at : at + rng.choice((1, 2, 8))] = []
        elif what == 1:
            letters[at:at] = rng.choice(_WORDS)
        elif what == 2:
            letters[at:at] = chr(rng.choice((rng.randrange(32, 127), rng.randrange(0xD800), rng.randrange(0x110000))))
        elif what == 3:
            letters[at:at] = letters[at : at + 12] * rng.choice((1, 2, 40))
        elif what == 4:
            other = rng.choice(others or [seed])
            letters[at:] = other[rng.randrange(len(other) + 1) :]
        elif letters:
            letters[at % len(letters)] = rng.choice(letters)
    return "".join(letters)


def mutated_json(rng: random.Random, seed: Any, others: Sequence[Any]) -> Any:
    """A deep copy of the seed with some of its values, keys and lists changed."""
    value = copy.deepcopy(seed)
    for _ in range(rng.choice((1, 1, 2, 4))):
        places = list(_places(value))
        holder, key = rng.choice(places) if places else (None, None)
        what = rng.randrange(6)
        if holder is None or (what == 0 and rng.random() < 0.1):
            value = rng.choice(_VALUES)
        elif what == 1:
            del holder[key]
        elif what == 2 and isinstance(holder, dict):
            holder[rng.choice(_WORDS)] = holder.pop(key)
        elif what == 3:
            donor = list(_places(rng.choice(others)))
            other, at = rng.choice(donor)
            holder[key] = copy.deepcopy(other[at])
        elif what == 4 and isinstance(holder[key], str):
            holder[key] = mutated_text(rng, holder[key])
        elif what == 5 and isinstance(holder[key], list):
            holder[key] = holder[key] * rng.choice((2, 3, 20))
        else:
            holder[key] = copy.deepcopy(rng.choice(_VALUES))
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) in a JSON value."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])


def json_bytes(rng: random.Random, value: Any) -> bytes:
    """The value as JSON text, now and then with broken bytes, NaN, endless nesting or doubled keys."""
    try:
        data = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode()
    except UnicodeEncodeError:
        data = json.dumps(value).encode()
    if rng.random() < 0.3:
        data = mutated_bytes(rng, data, [data, b"[" * 100_000, b'{"a":' * 5000, b"NaN", b"9" * 6000, b"\xff\xfe"])
    return data
