"""``hupai`` run by the process of the tests: to load everything anew for each command takes longer than the command.

For tests of what a command answers. What a process does (signals, two at once, the terminal) needs one of its own.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from hupai import cli


def hupai(*arguments: object, stdin: bytes = b"", **variables: str) -> tuple[int, str, str]:
    """Exit status, standard output, standard error of a command with these variables in its environment."""
    status, said, told = run(*arguments, stdin=stdin, environment={**os.environ, **variables})
    return status, said.decode(), told.decode()


def answer(*arguments: object) -> Any:
    """The JSON that a command answers with, which must end well."""
    status, said, told = hupai(*arguments, "--json")
    assert status == 0, told
    return json.loads(said)


def run(
    *arguments: object, environment: Mapping[str, str], stdin: bytes = b"", folder: Path | None = None
) -> tuple[int, bytes, bytes]:
    """The same in a folder and with an environment, both streams as they were written.

    They are encoded as ``PYTHONIOENCODING`` says, which Python looks at when it starts, and else in UTF-8.
    """
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    said, told = io.BytesIO(), io.BytesIO()
    with (
        chdir(folder or Path.cwd()),
        patch.object(sys, "argv", ["hupai", *map(str, arguments)]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)), encoding)),
        patch.dict(os.environ, {"OMP_NUM_THREADS": "1", **environment}, clear=True),
        redirect_stdout(io.TextIOWrapper(said, encoding)) as out,
        redirect_stderr(io.TextIOWrapper(told, encoding, "backslashreplace")) as err,
        pytest.raises(SystemExit) as end,
    ):
        cli.main()
    out.flush()
    err.flush()
    return int(end.value.code or 0), said.getvalue(), told.getvalue()
