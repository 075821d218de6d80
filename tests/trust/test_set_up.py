"""Setting up: what is installed is fixed, fits what pyproject.toml asks for, and what fails says why."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.repository import ROOT

packaging = pytest.importorskip("packaging.requirements", reason="packaging is not installed")

EXTRAS = ("cluster", "dev", "mqtt", "postgres")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FIXED = [
    packaging.Requirement(line)
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
ASKED = [*PROJECT["dependencies"], *(d for extra in EXTRAS for d in PROJECT["optional-dependencies"][extra])]


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_one_version_of_everything_asked_for_is_fixed_and_fits(python: str, system: str) -> None:
    machine = "AMD64" if system == "win32" else "x86_64"
    version = {"python_version": python, "python_full_version": f"{python}.0"}
    where = {**version, "sys_platform": system, "platform_machine": machine}
    here = [f for f in FIXED if f.marker is None or f.marker.evaluate(where)]
    versions = {plain(f.name): str(f.specifier).removeprefix("==") for f in here}
    assert len(versions) == len(here), "a package has two versions"
    for asked in map(packaging.Requirement, ASKED):
        assert asked.specifier.contains(versions[plain(asked.name)]), f"{asked}: run python3 scripts/lock.py"


def test_constraints_name_versions_and_no_places() -> None:
    assert all(str(f.specifier).startswith("==") and f.url is None and not f.extras for f in FIXED)
    assert not any(plain(f.name) in ("torch", "hupai") or f.name.startswith("nvidia") for f in FIXED)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with what setting up reads, and nothing that could be installed."""
    (tmp_path / "scripts").mkdir()
    for name in ("pyproject.toml", "constraints.txt", "scripts/setup_env.py", "scripts/demo.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_demo_ends_with_the_next_step(bare: Path) -> None:
    command = bare / ".venv" / "bin" / "hupai"
    command.parent.mkdir(parents=True)
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    asked = b"".join((bare / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
    (bare / ".venv" / ".installed-base").write_text(hashlib.sha256(asked).hexdigest())
    done = subprocess.run([sys.executable, "scripts/demo.py"], cwd=bare, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == f"Next, on your phone: {command} serve"


def set_up(bare: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "PYTHON"))}
    code = f"import sys; sys.path.insert(0, 'scripts'); import setup_env\n{before}\nsetup_env.environment()"
    env |= {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=bare, env=env, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.slow
def test_a_broken_environment_is_made_anew_and_what_cannot_be_installed_is_tried_again(bare: Path) -> None:
    (bare / ".venv" / "bin").mkdir(parents=True)
    (bare / ".venv" / "bin" / "python").symlink_to(sys.executable)
    for _ in range(2):
        done = set_up(bare)
        assert done.returncode == 1
        assert "pip could not install what hupai needs" in done.stderr
        assert "Traceback" not in done.stderr.splitlines()[-1]
        assert not list((bare / ".venv").glob(".installed-*"))
        assert (bare / ".venv" / "pyvenv.cfg").is_file()


def test_a_python_that_cannot_make_environments_says_what_to_install(bare: Path) -> None:
    done = set_up(bare, "sys.modules['ensurepip'] = None")
    assert done.returncode == 1
    assert "apt-get install python3-venv" in done.stderr
