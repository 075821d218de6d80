"""A version is tagged with its notes, once, and never from an untidy checkout."""

from __future__ import annotations

import re
import shutil
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


def test_the_tag_carries_the_notes_of_its_version_alone(checkout: Path) -> None:
    done = release(checkout)
    assert done.returncode == 0 and "git push origin v1.2.0" in done.stdout
    said = git(checkout, "tag", "--list", "v1.2.0", "--format=%(contents)")
    assert said.strip() == "hupai 1.2.0\n\n### Players\n- Hands are read."
    assert git(checkout, "rev-parse", "v1.2.0^{commit}") == git(checkout, "rev-parse", "HEAD")
    again = release(checkout)
    assert again.returncode == 1 and "tagged already" in again.stderr


def test_notes_are_printed_without_a_tag(checkout: Path) -> None:
    done = release(checkout, "--notes")
    assert (done.returncode, done.stdout) == (0, "### Players\n- Hands are read.\n")
    assert not git(checkout, "tag", "--list")


def test_an_untidy_checkout_is_not_tagged(checkout: Path) -> None:
    (checkout / "new.txt").write_text("not committed")
    done = release(checkout)
    assert done.returncode == 1 and "not committed" in done.stderr
    assert not git(checkout, "tag", "--list")


@pytest.mark.parametrize("text", ["# Changelog\n", "## 1.2.0\n\n- No date.\n", "## 1.2.0 (2026-05-01)\n\n## 1.1.0\n"])
def test_a_version_without_dated_notes_is_not_tagged(checkout: Path, text: str) -> None:
    (checkout / "CHANGELOG.md").write_text(text)
    git(checkout, "commit", "-qam", "Two")
    done = release(checkout)
    assert done.returncode == 1 and "## 1.2.0 (YYYY-MM-DD)" in done.stderr
    assert not git(checkout, "tag", "--list")


def test_a_folder_that_is_no_checkout_is_told(checkout: Path) -> None:
    shutil.rmtree(checkout / ".git")
    done = release(checkout)
    assert done.returncode == 1 and "not a git repository" in done.stderr and "Traceback" not in done.stderr


def test_this_version_has_notes() -> None:
    done = release(ROOT, "--notes")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^- \w", done.stdout, re.MULTILINE)
