"""Tag the version that ``pyproject.toml`` names, with its notes from ``CHANGELOG.md``: ``python -m scripts.release``.

Refuses while anything is uncommitted, while the version has no notes or bears a tag already. ``--notes`` prints the
notes and tags nothing.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path


def notes_of(version: str) -> str:
    """The section ``## <version> (<date>)`` of ``CHANGELOG.md``, which must have both, without its heading."""
    text = Path("CHANGELOG.md").read_text(encoding="utf-8")
    heading = rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)\n"
    found = re.search(rf"{heading}(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found or not found[1].strip():
        sys.exit(f'CHANGELOG.md has no notes under "## {version} (YYYY-MM-DD)"; write them first.')
    return found[1].strip() + "\n"


def git(*words: str) -> str:
    """What a git command prints; where it fails, what it says ends the script."""
    done = subprocess.run(["git", *words], check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def main() -> None:
    version = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    notes = notes_of(version)
    if sys.argv[1:] == ["--notes"]:
        print(notes, end="")
        return
    if git("status", "--porcelain"):
        sys.exit("Something is not committed; commit it or put it away first.")
    if git("tag", "--list", f"v{version}"):
        sys.exit(f"v{version} is tagged already; give pyproject.toml the next version.")
    git("tag", "--annotate", "--cleanup=verbatim", f"v{version}", "--message", f"hupai {version}\n\n{notes}")
    print(f"v{version} is tagged; git push origin v{version} publishes it")


if __name__ == "__main__":
    main()
