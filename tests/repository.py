"""Where the repository lies, what its documents and sources hold that several tests ask for, and its scripts run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```([a-z]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
"""A block of code in a document: its language and its text."""


def run_script(
    name: str, *arguments: object, folder: Path = ROOT, data: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a module of ``scripts`` in a folder, with the photos of another folder or with none."""
    env = {k: v for k, v in os.environ.items() if k != "HUPAI_DATA"}
    env |= {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | ({"HUPAI_DATA": str(data)} if data else {})
    command = [sys.executable, "-m", f"scripts.{name}", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def python_blocks(page: str) -> list[str]:
    """The blocks of Python of a document, by its path in the repository."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [block for language, block in FENCE.findall(text) if language == "python"]


def all_doubts() -> set[str]:
    """The code of every doubt that reading a photo can have."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "vision").rglob("*.py"))
    return set(re.findall(r'Doubt\(\s*(?:code=)?"(\w+)"', text))
