"""A file of a log -> the game in it: the format is found by its content."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from hupai.imports.logged import NOT_AS_EXPECTED, LoggedGame
from hupai.imports.mahjong_soul import is_mahjong_soul, read_mahjong_soul
from hupai.imports.mjlog import is_mjlog, read_mjlog
from hupai.imports.pantheon import is_pantheon, read_pantheon
from hupai.imports.tenhou_json import is_tenhou_json, read_tenhou_json
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

MAX_BYTES: Final = 20_000_000
"""Unpacked; the log of a long game has less than one million."""
FORMATS: Final[Mapping[str, tuple[Callable[[object], bool], Callable[[Any], LoggedGame]]]] = {
    "Tenhou mjlog": (is_mjlog, read_mjlog),
    "tenhou.net/6": (is_tenhou_json, read_tenhou_json),
    "Mahjong Soul": (is_mahjong_soul, read_mahjong_soul),
    "Pantheon": (is_pantheon, read_pantheon),
}
_GZIP: Final = b"\x1f\x8b"
_UNKNOWN: Final = "This is no log of a game that hupai knows; it reads {names}."
_DAMAGED: Final = "This log ({name}) cannot be read: something in it is missing, or not as it should be."
_NO_GZIP: Final = "This file cannot be unpacked: it is damaged, or too large."


def unpack(data: bytes) -> bytes:
    """Return what is in a gzip file; anything else as it is.

    Raises:
        InvalidRequest: it is damaged, or more than :data:`MAX_BYTES`.
    """
    if not data.startswith(_GZIP):
        return data
    opened = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        found = opened.decompress(data, MAX_BYTES)
    except zlib.error as error:
        raise InvalidRequest.of([Fault("bad_value", _NO_GZIP, "log")]) from error
    if not opened.eof:
        raise InvalidRequest.of([Fault("bad_value", _NO_GZIP, "log")])
    return found


def open_log(data: bytes, parse_json: Callable[[bytes], Any]) -> Any:
    """Return what a file says: the text of XML, or the value of JSON.

    Args:
        data: the file, perhaps packed (gzip). parse_json: what reads JSON.

    Raises:
        InvalidRequest: see :func:`unpack`. Whatever ``parse_json`` raises.
    """
    data = unpack(data)
    is_xml = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    return data.decode("utf-8-sig", "replace") if is_xml else parse_json(data)


def read_log(log: object) -> LoggedGame:
    """Return the game of a log, as :func:`open_log` gives it.

    Raises:
        InvalidRequest: no format that is known, or something in it is not as it should be.
    """
    name, read = next(((name, read) for name, (fits, read) in FORMATS.items() if fits(log)), ("", None))
    if read is None:
        message = say(_UNKNOWN, names=", ".join(FORMATS))
        raise InvalidRequest.of([Fault("bad_value", message, "log")])
    try:
        return read(log)
    except NOT_AS_EXPECTED as error:
        raise InvalidRequest.of([Fault("bad_value", say(_DAMAGED, name=name), "log")]) from error
