"""Output of commands: lines of JSON on standard output, errors in words on standard error."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import Any

from hupai.messages import TERMINAL, Wording, with_flags
from scoring.errors import HupaiError


def print_json(response: object) -> None:
    """Print one JSON value on one line, UTF-8. A lone surrogate (an echoed id may contain one) is escaped."""
    try:
        line = json.dumps(response, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        line = json.dumps(response).encode()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # a stream without an underlying byte buffer, as in tests
        sys.stdout.write(line.decode() + "\n")
        return
    sys.stdout.flush()
    stream.write(line + b"\n")
    stream.flush()


def with_provenance(response: dict[str, Any], options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the response with its origin, for files: ``version`` and, for a score, the given house rules."""
    from scoring.version import version  # here, since it imports an e-mail parser

    return {**response, **({} if options is None else {"options": dict(options)}), "version": version()}


def print_error(error: HupaiError, of: str | None = None) -> None:
    """Print on standard error what is wrong, in the command line's words; several faults are printed one per line.

    Args:
        of: the path of the faulty input, if there are inputs: it is named once, in full.
    """
    faults = list(dict.fromkeys(with_flags(fault) for fault in error.faults))
    if error.message not in (error.faults[0].message, f"{len(faults)} faults: {_all_messages(error)}"):
        faults = [Wording(TERMINAL).word(error.message)]
    if len(faults) == 1:
        lines = [f"hupai: {_name_once(of, faults[0])}"]
    else:
        lines = [f"hupai: {of + ': ' if of else ''}{len(faults)} things are wrong.", *(f"  - {one}" for one in faults)]
    print("\n".join(_wrap(line) for line in lines), file=sys.stderr)


def _all_messages(error: HupaiError) -> str:
    return " ".join(dict.fromkeys(fault.message for fault in error.faults))


def _name_once(path: str | None, message: str) -> str:
    """Return the message with the path in it exactly once."""
    if path is None:
        return message
    name = re.split(r"[/\\]", path)[-1]
    if path in message:
        return message
    return message.replace(name, path, 1) if name and name in message else f"{path}: {message}"


def _wrap(line: str) -> str:
    """Return the line broken between words for a terminal; unchanged for a file."""
    if not sys.stderr.isatty():
        return line
    wide = max(40, shutil.get_terminal_size().columns)
    return textwrap.fill(line, wide, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
