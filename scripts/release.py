"""Tag the version that ``pyproject.toml`` names, with its notes from ``CHANGELOG.md``: ``python -m scripts.release``.

Refuses while anything is uncommitted, while the version has no notes or bears a tag already. ``--notes`` prints the
notes and tags nothing.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def version_of(root: Path) -> str:
    """The version in ``pyproject.toml``."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def notes_of(root: Path, version: str) -> str:
    """The section ``## <version> (<date>)`` of ``CHANGELOG.md``, without its heading.

    Raises:
        ValueError: there is none, or it has no date or no text.
    """
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(
        rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    )
    if not found or not found[1].strip():
        raise ValueError(f'CHANGELOG.md has no notes under "## {version} (YYYY-MM-DD)"; write them first.')
    return found[1].strip() + "\n"


def git(root: Path, *words: str) -> str:
    """What a git command prints.

    Raises:
        ValueError: git failed; the message is what git says.
    """
    done = subprocess.run(["git", *words], cwd=root, check=False, capture_output=True, text=True)
    if done.returncode:
        raise ValueError(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout


def tag(root: Path, version: str, notes: str) -> None:
    """Tag the commit that is checked out, ``v<version>``.

    Raises:
        ValueError: something is uncommitted, there is such a tag, or this is no checkout.
    """
    if git(root, "status", "--porcelain").strip():
        raise ValueError("Something is not committed; commit it or put it away first.")
    if git(root, "tag", "--list", f"v{version}").strip():
        raise ValueError(f"v{version} is tagged already; give pyproject.toml the next version.")
    git(root, "tag", "--annotate", "--cleanup=verbatim", f"v{version}", "--message", f"hupai {version}\n\n{notes}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--notes", action="store_true", help="print the notes, tag nothing")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout (default: this one)")
    given = parser.parse_args()
    version = version_of(given.root)
    try:
        notes = notes_of(given.root, version)
        if given.notes:
            print(notes, end="")
            return 0
        tag(given.root, version, notes)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"v{version} is tagged; git push origin v{version} publishes it")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
