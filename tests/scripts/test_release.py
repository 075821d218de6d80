"""A version is tagged with its notes, once, and never from an untidy checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.hupai.serving import ROOT

CHANGELOG = """# Changelog

## 1.2.0 (2026-05-01)

### Players
- Hands are read.

## 1.1.0 (2026-04-01)

- Older.
"""


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "A")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "a@b.c")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "One")
    return tmp_path


def release(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts/release.py"), *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_tag_carries_the_notes_of_its_version_alone_and_is_made_once(checkout: Path) -> None:
    notes = release(checkout, "--notes")
    assert (notes.returncode, notes.stdout) == (0, "### Players\n- Hands are read.\n")
    assert not git(checkout, "tag", "--list")
    assert release(checkout).returncode == 0
    said = git(checkout, "tag", "--list", "v1.2.0", "--format=%(contents)")
    assert said.strip() == "hupai 1.2.0\n\n### Players\n- Hands are read."
    assert git(checkout, "rev-parse", "v1.2.0^{commit}") == git(checkout, "rev-parse", "HEAD")
    again = release(checkout)
    assert again.returncode == 1 and "tagged already" in again.stderr


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("new.txt", "not committed", "not committed"),
        ("CHANGELOG.md", "## 1.2.0\n\n- No date.\n", "## 1.2.0 (YYYY-MM-DD)"),
        ("CHANGELOG.md", "## 1.2.0 (2026-05-01)\n\n## 1.1.0\n", "## 1.2.0 (YYYY-MM-DD)"),
    ],
)
def test_what_is_untidy_or_without_dated_notes_is_not_tagged(checkout: Path, name: str, text: str, part: str) -> None:
    (checkout / name).write_text(text)
    if name == "CHANGELOG.md":
        git(checkout, "commit", "-qam", "Two")
    done = release(checkout)
    assert done.returncode == 1 and part in done.stderr and "Traceback" not in done.stderr
    assert not git(checkout, "tag", "--list")
