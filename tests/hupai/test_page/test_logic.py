"""What the page's scripts decide without a page: ``logic/``, run by deno."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scripts.page_checks import find_tool

LOGIC = Path(__file__).with_name("logic")


@pytest.mark.parametrize("path", sorted(LOGIC.glob("*_test.js")), ids=lambda path: path.stem)
def test_the_logic(path: Path, tmp_path: Path) -> None:
    deno = find_tool("deno")
    if deno is None:
        pytest.skip("deno is missing: pip install -e '.[dev]'")
    # What the scripts keep, they keep for an address.
    given = ("--no-remote", "--no-npm", "--no-check", "--location=https://hupai.test", "-c", LOGIC / "deno.json")
    kept = {"DENO_DIR": str(tmp_path), "NO_COLOR": "1"}
    done = subprocess.run([deno, "test", *given, path], env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and " 0 passed" not in done.stdout, done.stdout + done.stderr
