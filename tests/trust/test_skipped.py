"""What a first run of the tests had to leave out is all that the second one runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hupai.serving import ROOT

HERE = """
import os, pytest

@pytest.mark.parametrize("number", [1, 2])
def test_one(number):
    if number == 2 and "EXTRA" not in os.environ:
        pytest.skip("no extra")
"""
FILE = """
import os, pytest

if "EXTRA" not in os.environ:
    pytest.skip("no extra", allow_module_level=True)

def test_other():
    pass
"""


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    (tmp_path / "test_here.py").write_text(HERE)
    (tmp_path / "test_file.py").write_text(FILE)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def ran(folder: Path, *flags: str, **extra: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **extra}
    command = [sys.executable, "-m", "pytest", "-p", "tests.skipped", "-rA", *flags]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("cores", [(), ("-n", "2")], ids=["one", "two"])
def test_only_what_was_skipped_is_run_and_then_no_more(tests: Path, cores: tuple[str, ...]) -> None:
    assert "1 passed, 2 skipped" in ran(tests, *cores)
    said = ran(tests, *cores, "--only-skipped", EXTRA="yes")
    assert "PASSED test_here.py::test_one[2]" in said and "PASSED test_file.py::test_other" in said
    assert "2 passed" in said
    assert "passed" not in ran(tests, *cores, "--only-skipped", EXTRA="yes"), "both were run since"


def test_what_was_not_run_stays_noted(tests: Path) -> None:
    ran(tests)
    ran(tests, "test_here.py", EXTRA="yes")
    assert "1 passed" in ran(tests, "--only-skipped", EXTRA="yes")


def test_without_a_run_before_it_says_so(tests: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "tests.skipped", "--only-skipped"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tests, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 4 and "no tests were run in this folder before" in done.stderr + done.stdout
