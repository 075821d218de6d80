"""The examples of docs/reading.md run, in the order they stand there."""

from __future__ import annotations

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_every_block_of_python_runs() -> None:
    page = (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")
    blocks = [(page[: m.start()].count("\n") + 2, m[1]) for m in BLOCK.finditer(page)]
    assert len(blocks) >= 6
    here = Path.cwd()
    os.chdir(ROOT)
    try:
        space: dict[str, object] = {}
        for line, block in blocks:
            exec(compile("\n" * (line - 1) + block, "docs/reading.md", "exec"), space)
    finally:
        os.chdir(here)
