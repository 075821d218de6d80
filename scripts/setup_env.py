"""Make the repository's own virtual environment (standard library only, so that a bare Python can run it)."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
"""The versions that are installed; ``scripts/lock.py`` renews them."""


def environment(extra: str = "") -> Path:
    """The folder of commands of ``.venv`` with hupai installed in it, editable, made or updated when needed.

    Args:
        extra: an extra of pyproject.toml, or comma-separated extras, to install with it.
    """
    home = ROOT / ".venv"
    stamp = home / f".installed-{extra.replace(',', '-') or 'base'}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + CONSTRAINTS.read_bytes()).hexdigest()
    python = _python(home)
    if stamp.is_file() and stamp.read_text() == wanted:
        return python.parent
    made = (home / "pyvenv.cfg").is_file() and python.exists()
    # Where making it was broken off, pip is missing, which comes last.
    if not made or subprocess.run([python, "-c", "import pip"], check=False, stderr=subprocess.DEVNULL).returncode:
        print("making .venv ...", file=sys.stderr, flush=True)
        new_environment(home)
    print("installing hupai and what it needs (a minute or two the first time) ...", file=sys.stderr, flush=True)
    what = f".[{extra}]" if extra else "."
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-e", what]
    # As variables, which also reach the build environment; by a bare name, since pip splits their values at spaces.
    fixed = dict.fromkeys(("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT"), CONSTRAINTS.name)
    if subprocess.run(pip, cwd=ROOT, env={**os.environ, **fixed}, check=False).returncode:
        raise SystemExit("pip could not install what hupai needs (see above); is there a way to the package index?")
    stamp.write_text(wanted)
    return python.parent


def new_environment(home: Path) -> Path:
    """Make an empty virtual environment with pip in a folder, in place of what is there; its Python."""
    if sys.version_info < (3, 11):
        raise SystemExit(f"hupai needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    if importlib.util.find_spec("ensurepip") is None:
        raise SystemExit("This Python cannot make environments; on Debian and Ubuntu: apt-get install python3-venv")
    venv.create(home, clear=True, with_pip=True)
    return _python(home)


def _python(home: Path) -> Path:
    return home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
