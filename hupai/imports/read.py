"""A file of a log -> the game in it: the format is found by its content."""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote

from hupai.imports.logged import NOT_AS_EXPECTED, LoggedGame
from hupai.imports.mahjong_soul import read_mahjong_soul
from hupai.imports.mjai import read_mjai
from hupai.imports.mjlog import read_mjlog
from hupai.imports.pantheon import read_pantheon
from hupai.imports.tenhou_json import read_tenhou_json
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

MAX_BYTES: Final = 5_000_000
"""Unpacked; the log of a long game has less than one million, and JSON takes fifty times its size to read."""
_XML: Final = "<mjloggm"
_TENHOU, _SOUL, _PANTHEON, _MJAI = "tenhou.net/6", "Mahjong Soul", "Pantheon", "mjai"
_READERS: Final[Mapping[str, tuple[str, Callable[[Any], LoggedGame]]]] = {
    _XML: ("Tenhou mjlog", read_mjlog),
    "log": (_TENHOU, read_tenhou_json),
    "mjai": (_MJAI, read_mjai),
    **dict.fromkeys(("game", "games"), (_PANTHEON, read_pantheon)),
    **dict.fromkeys(("data", "records", "actions"), (_SOUL, read_mahjong_soul)),
}
"""What a format can be known by: its tag, or a field -> its name, what reads it."""
_IN_LINK: Final = "#json="
"""Before the log in a link to the viewer of tenhou.net/6, as its editor and exporters of Mahjong Soul give it."""
_UNKNOWN: Final = "hupai cannot read this log: it reads those of {names}."
_DAMAGED: Final = "This log ({name}) cannot be read: something in it is missing, or not as it should be."
_ELSEWHERE: Final = (
    "This is a link to a log, and hupai fetches nothing: give the log, or a link to tenhou.net/6 with the log in it."
)
_SEVERAL: Final = "These are logs of several games: give one at a time."
_NO_FILE: Final = "This file cannot be opened: it is damaged, or larger than {n} MB."


def open_log(data: bytes, parse_json: Callable[[bytes], Any]) -> Any:
    """Return what a file says: the text of XML, or the value of JSON; the parts of one game are joined.

    Args:
        data: the file, perhaps packed (gzip): XML or JSON, or a line for each part: JSON, or a link to Tenhou's viewer
            that has it in it. parse_json: what reads JSON.

    Raises:
        InvalidRequest: packed, and damaged; more than :data:`MAX_BYTES`; neither XML nor JSON; links without a log;
            parts of several games. Whatever ``parse_json`` raises.
    """
    refusal = InvalidRequest.of([Fault("bad_value", say(_NO_FILE, n=MAX_BYTES // 1_000_000), "log")])
    if data.startswith(b"\x1f\x8b"):
        opened = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            data = opened.decompress(data, MAX_BYTES)
        except zlib.error as error:
            raise refusal from error
        if not opened.eof:
            raise refusal
    if len(data) > MAX_BYTES:
        raise refusal
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    # A browser's Python has no codecs besides UTF-8 to find by name.
    text = codecs.utf_16_decode(data, "replace", True)[0] if wide else data.decode("utf-8", "replace")
    text = text.lstrip("\ufeff").strip()
    if text.startswith("<"):
        return text
    texts = _split(text)
    parts = {part: parse_json(part.encode()) for part in texts}  # what is there twice counts once, but for events
    return [parts[part] for part in texts] if _is_mjai([*parts.values()]) else _join([*parts.values()])


def _split(text: str) -> list[str]:
    """Return every JSON text in a file: most have one, some one in each line."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if text.startswith("http"):
        if not all(_IN_LINK in line for line in lines):
            raise InvalidRequest.of([Fault("bad_value", _ELSEWHERE, "log")])
        linked = [unquote(line.split(_IN_LINK, 1)[1]) for line in lines]
        return [said[: said.rfind("}") + 1] for said in linked]  # whose view it is, and of which hand, may follow
    if not text.startswith(("{", "[")):
        raise InvalidRequest.of([_unknown()])
    return lines if all(line[0] + line[-1] == "{}" for line in lines) else [text]


def _join(parts: Sequence[Any]) -> Any:
    """Return the one part, or the game that all are parts of."""
    if len(parts) == 1:
        return parts[0]
    if not all(isinstance(part, Mapping) and isinstance(part.get("log"), list) for part in parts):
        raise InvalidRequest.of([_unknown()])
    if any(part.get(same) != parts[0].get(same) for part in parts for same in ("name", "ref")):
        raise InvalidRequest.of([Fault("bad_value", _SEVERAL, "log")])
    return {**parts[-1], "log": [hand for part in parts for hand in part["log"]]}


def _is_mjai(events: Sequence[Any]) -> bool:
    return bool(events) and all(isinstance(event, Mapping) and isinstance(event.get("type"), str) for event in events)


def _unknown() -> Fault:
    names = ", ".join(dict.fromkeys(name for name, _ in _READERS.values()))
    return Fault("bad_value", say(_UNKNOWN, names=names), "log")


def read_log(log: object) -> LoggedGame:
    """Return the game of a log, as :func:`open_log` gives it.

    Raises:
        InvalidRequest: no format that is known, or something in it is not as it should be.
    """
    if isinstance(log, list):
        log = {"mjai" if _is_mjai(log) else "data": log}
    fields = log if isinstance(log, Mapping) else {_XML} if isinstance(log, str) and _XML in log else ()
    mark = next((mark for mark in _READERS if mark in fields), None)
    if mark is None:
        raise InvalidRequest.of([_unknown()])
    name, read = _READERS[mark]
    try:
        return read(log)
    except NOT_AS_EXPECTED as error:
        raise InvalidRequest.of([Fault("bad_value", say(_DAMAGED, name=name), "log")]) from error
