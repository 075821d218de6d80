"""Show that hupai works without each of its wings: ``python -m scripts.without_wings``.

In a clone of what is committed here it deletes a wing with its tests, scripts and documents, and runs the core's tests;
then the same for the next. ``hall`` or ``label`` names one; other arguments go to pytest.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
WINGS: Final = {
    "hall": (
        *("hupai/hall", "tests/hupai/test_hall", "scripts/bench/hall", "scripts/bench/feed.py"),
        *("scripts/bench/live.py", "scripts/bench/live_photos.py"),
        *("docs/cameras.md", "docs/overlay.md", "docs/tournament.md", "deploy/hupai-watch@.service"),
    ),
    "label": (
        *("hupai/label", "tests/hupai/test_label", "tests/scripts/test_label", "scripts/bench/batch.py"),
        *("scripts/accuracy/label", "scripts/docs/formats.py", "docs/labeller.md", "docs/contributing/format.md"),
    ),
}
"""Wing -> what goes with it."""
CORE: Final = (
    *("tests/hupai", "tests/scripts", "tests/trust"),
    *(f"--ignore=tests/trust/test_{name}.py" for name in ("docs", "deploy")),
    *(f"--ignore={place}" for places in WINGS.values() for place in places if place.startswith("tests/")),
)
"""The core's tests, but for those of documents and services that speak of every part."""


def remove_wing(name: str, clone: Path) -> None:
    """Delete what belongs to a wing, and what tells the checks of scripts about it."""
    for place in WINGS[name]:
        path = clone / place
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    config = clone / "deno.json"
    lines = config.read_text(encoding="utf-8").splitlines(keepends=True)
    config.write_text("".join(line for line in lines if f"hupai/{name}/" not in line), encoding="utf-8")


def run_tests(name: str, arguments: list[str]) -> int:
    """Status of the tests without a wing."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "hupai"
        subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, clone], check=True)
        fetched = ROOT / "hupai" / "page" / "wasm"
        if fetched.exists():
            shutil.copytree(fetched, clone / "hupai" / "page" / "wasm")
        remove_wing(name, clone)
        print(f"== without {name}", flush=True)
        env = {**os.environ, "PYTHONPATH": str(clone)}
        line = [sys.executable, "-m", "pytest", *CORE, *(arguments or ("-m", "not release"))]
        return subprocess.run(line, cwd=clone, env=env, check=False).returncode


def main() -> int:
    named = [name for name in sys.argv[1:] if name in WINGS]
    arguments = [one for one in sys.argv[1:] if one not in WINGS]
    return max(run_tests(name, arguments) for name in named or WINGS)


if __name__ == "__main__":
    raise SystemExit(main())
