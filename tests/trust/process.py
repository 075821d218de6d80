"""``hupai`` as a process of its own, and what its refusals must look like."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.hupai.serving import ROOT

WITHOUT_POWERS = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all")
"""Runs a command as a root who may not read and write everything."""


def at_home(home: Path) -> dict[str, str]:
    """Variables of somebody whose data folder is here; no other setting counts."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("HUPAI_")}
    return env | {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "HUPAI_DATA_FOLDER": str(home / "data")}


def run_hupai(
    *arguments: object,
    root: Path = ROOT,
    before: Sequence[str] = (),
    home: Path | None = None,
    program: Sequence[str] = ("-m", "hupai.cli"),
    **options: Any,
) -> subprocess.CompletedProcess[str]:
    """Run a command, or another program, of the code below ``root``; with a home, :func:`at_home`."""
    env = dict(os.environ) if home is None else at_home(home)
    env |= {"PYTHONPATH": str(root), "OMP_NUM_THREADS": "1", **options.pop("variables", {})}
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 600, "cwd": root} | options
    command = [*before, sys.executable, *program, *map(str, arguments)]
    return subprocess.run(command, text=True, check=False, env=env, **options)


def assert_one_sentence(done: subprocess.CompletedProcess[str], *parts: str, status: int = 3) -> None:
    """It ended with this status and one line on standard error, which holds these parts."""
    assert done.returncode == status, done.stderr
    assert done.stderr.startswith("hupai: ") and len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert [part for part in parts if part not in done.stderr] == [], done.stderr
