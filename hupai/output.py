"""What a command says: lines of JSON on standard output, refusals in words on standard error."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import Any, Final

from scoring.errors import HupaiError
from scoring.version import version

_FLAGS: Final = {"dora_indicators": "dora", "ura_indicators": "ura", "winning_tile": "winning", "concealed": "hand"}
"""Fields of a request whose flags are called otherwise."""
_FIELD: Final = re.compile(r"\bcontext\.([a-z_]+)|(?<![\w'])'(from|seat)'|^(winning_tile|concealed|bonus)\b")


def print_json(response: dict[str, Any]) -> None:
    """One JSON object, one line, UTF-8. A lone surrogate (an echoed id may hold one) is escaped."""
    try:
        line = json.dumps(response, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        line = json.dumps(response).encode()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # a stream without bytes below it, as a test's
        sys.stdout.write(line.decode() + "\n")
        return
    sys.stdout.flush()
    stream.write(line + b"\n")
    stream.flush()


def lasting(response: dict[str, Any], options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The response with what made it, for files that are kept: ``version`` and, of a score, the house rules given."""
    return {**response, **({} if options is None else {"options": dict(options)}), "version": version()}


def complain(error: HupaiError, of: str | None = None) -> None:
    """Say on standard error what is wrong, in the words of the command line; several faults stand one a line.

    Args:
        of: the path of the input at fault, where there are inputs: it is named once, in full.
    """
    told = list(dict.fromkeys(in_flags(fault.message) for fault in error.faults))
    if len(told) == 1 or not error.message.startswith(f"{len(told)} faults: "):
        told = [in_flags(error.message)]
    if len(told) == 1:
        lines = [f"hupai: {_named(of, told[0])}"]
    else:
        lines = [f"hupai: {of + ': ' if of else ''}{len(told)} things are wrong.", *(f"  - {one}" for one in told)]
    print("\n".join(_wrapped(line) for line in lines), file=sys.stderr)


def in_flags(message: str) -> str:
    """A message of the scoring core with fields of a request called by their flags: ``context.seat`` is ``--seat``."""

    def flag(match: re.Match[str]) -> str:
        name = match[1] or match[2] or match[3]
        return "--" + _FLAGS.get(name, name).replace("_", "-")

    return _FIELD.sub(flag, message)


def _named(path: str | None, message: str) -> str:
    """The message with the path in it once."""
    if path is None:
        return message
    name = re.split(r"[/\\]", path)[-1]
    return message.replace(name, path, 1) if name and name in message else f"{path}: {message}"


def _wrapped(line: str) -> str:
    """In a terminal, broken between words; a file gets one line, whatever its length."""
    if not sys.stderr.isatty():
        return line
    wide = max(40, shutil.get_terminal_size().columns)
    return textwrap.fill(line, wide, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
