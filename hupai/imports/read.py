"""A file of a log -> the game in it: the format is found by its content."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from hupai.imports.logged import NOT_AS_EXPECTED, LoggedGame
from hupai.imports.mahjong_soul import read_mahjong_soul
from hupai.imports.mjlog import read_mjlog
from hupai.imports.pantheon import read_pantheon
from hupai.imports.tenhou_json import read_tenhou_json
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

MAX_BYTES: Final = 20_000_000
"""Unpacked; the log of a long game has less than one million."""
_TENHOU, _SOUL, _PANTHEON = "tenhou.net/6", "Mahjong Soul", "Pantheon"
_READERS: Final[Mapping[str, tuple[str, Callable[[Any], LoggedGame]]]] = {
    "<mjloggm": ("Tenhou mjlog", read_mjlog),
    "log": (_TENHOU, read_tenhou_json),
    **dict.fromkeys(("game", "games"), (_PANTHEON, read_pantheon)),
    **dict.fromkeys(("data", "records", "actions"), (_SOUL, read_mahjong_soul)),
}
"""What a format can be known by: its tag, or a field -> its name, what reads it."""
_UNKNOWN: Final = "hupai cannot read this log: it reads those of {names}."
_DAMAGED: Final = "This log ({name}) cannot be read: something in it is missing, or not as it should be."
_NO_GZIP: Final = "This file cannot be unpacked: it is damaged, or too large."


def open_log(data: bytes, parse_json: Callable[[bytes], Any]) -> Any:
    """Return what a file says: the text of XML, or the value of JSON.

    Args:
        data: the file, perhaps packed (gzip). parse_json: what reads JSON.

    Raises:
        InvalidRequest: packed, and damaged or more than :data:`MAX_BYTES`. Whatever ``parse_json`` raises.
    """
    if data.startswith(b"\x1f\x8b"):
        opened, refusal = zlib.decompressobj(16 + zlib.MAX_WBITS), Fault("bad_value", _NO_GZIP, "log")
        try:
            data = opened.decompress(data, MAX_BYTES)
        except zlib.error as error:
            raise InvalidRequest.of([refusal]) from error
        if not opened.eof:
            raise InvalidRequest.of([refusal])
    is_xml = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    return data.decode("utf-8", "replace").removeprefix("\ufeff") if is_xml else parse_json(data)


def read_log(log: object) -> LoggedGame:
    """Return the game of a log, as :func:`open_log` gives it.

    Raises:
        InvalidRequest: no format that is known, or something in it is not as it should be.
    """
    log = {"data": log} if isinstance(log, list) else log
    mark = next((mark for mark in _READERS if isinstance(log, Mapping | str) and mark in log), None)
    if mark is None:
        message = say(_UNKNOWN, names=", ".join(dict.fromkeys(name for name, _ in _READERS.values())))
        raise InvalidRequest.of([Fault("bad_value", message, "log")])
    name, read = _READERS[mark]
    try:
        return read(log)
    except NOT_AS_EXPECTED as error:
        raise InvalidRequest.of([Fault("bad_value", say(_DAMAGED, name=name), "log")]) from error
