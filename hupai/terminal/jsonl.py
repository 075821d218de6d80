"""Score requests, one per line: one response per line, in the same order; a faulty line gives an error line."""

from __future__ import annotations

import codecs
import io
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from hupai.terminal.output import print_json, with_provenance
from scoring.errors import Fault, InvalidRequest
from scoring.request import respond

MAX_LINE_BYTES = 1 << 20
"""Bytes of one request; a hand needs less than a thousandth of this."""


def score_lines(source: str) -> int:
    """Score every line of a file (``-``: standard input) to standard output.

    Returns:
        Exit status: 0, or 1 if some lines were not requests that could be scored (they are counted on stderr).

    Raises:
        InvalidRequest: the file cannot be opened.
    """
    if source == "-":
        return _score_stream(cast("io.BufferedReader", sys.stdin.buffer), "standard input")
    with _open_lines(Path(source)) as stream:
        return _score_stream(stream, source)


def _open_lines(path: Path) -> io.BufferedReader:
    try:
        stream = path.open("rb")
        stream.peek(1)  # opening a folder or a file on a broken disk alone reports nothing
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}."
        raise InvalidRequest.of([Fault("unreadable_file", message)]) from error
    return stream


def _score_stream(stream: io.BufferedReader, name: str) -> int:
    failed: list[int] = []
    number, read_line = 0, _line_reader(stream)
    while line := read_line(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            while line and not line.endswith(b"\n"):
                line = read_line(MAX_LINE_BYTES)
            response = _error("line_too_long", f"Line {number} is longer than {MAX_LINE_BYTES} bytes.")
        elif not line.strip():
            continue
        else:
            response = score_line(line, number)
        if "error" in response:
            failed.append(number)
        print_json(response)
    if failed:
        shown = ", ".join(map(str, failed[:20])) + (" ..." if len(failed) > 20 else "")
        print(f"hupai: {name}: {len(failed)} of {number} lines could not be scored: {shown}", file=sys.stderr)
    return 1 if failed else 0


def _line_reader(stream: io.BufferedReader) -> Callable[[int], bytes]:
    """Return what reads the next line, of so many bytes at most, in UTF-8; files of PowerShell have UTF-16."""
    if not stream.peek(2).startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return stream.readline
    wide = io.TextIOWrapper(stream, "utf-16", "replace", newline="\n")
    return lambda most: wide.readline(most).encode()


def score_line(line: bytes, number: int) -> dict[str, Any]:
    """Return the response to one line of JSON with its origin; never raises."""
    try:
        request = json.loads(line, parse_constant=_no_number, object_pairs_hook=_object)
    except RecursionError:
        return _error("bad_json", f"Line {number} is nested too deeply.")
    except ValueError as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        return _error("bad_json", f"Line {number} isn't valid JSON: {error}.")
    response = respond(request)
    return with_provenance(response, None if "error" in response else request.get("options") or {})


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    repeated = [name for name, n in Counter(name for name, _ in pairs).items() if n > 1]
    if repeated:
        raise ValueError(f"{repeated[0]!r:.60} stands twice in one object")
    return dict(pairs)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} isn't a JSON number")


def _error(code: str, message: str) -> dict[str, Any]:
    return with_provenance({"id": None, "error": InvalidRequest.of([Fault(code, message)]).to_json()})
