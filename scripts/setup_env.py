"""Make the repository's own virtual environment (standard library only, so that a bare Python can run it)."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def environment(extra: str = "") -> Path:
    """The folder of commands of ``.venv`` with hupai installed in it, editable, made or updated when needed.

    Args:
        extra: an extra of pyproject.toml, or comma-separated extras, to install with it.
    """
    if sys.version_info < (3, 11):
        raise SystemExit(f"hupai needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    home = ROOT / ".venv"
    bin_dir = home / ("Scripts" if sys.platform == "win32" else "bin")
    stamp = home / f".installed-{extra.replace(',', '-') or 'base'}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return bin_dir
    if not (bin_dir / ("python.exe" if sys.platform == "win32" else "python")).exists():
        print("making .venv ...", file=sys.stderr, flush=True)
        venv.create(home, with_pip=True)
    print("installing hupai and what it needs (a minute or two the first time) ...", file=sys.stderr, flush=True)
    target = f".[{extra}]" if extra else "."
    pip = [str(bin_dir / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-e", target]
    subprocess.run(pip, cwd=ROOT, check=True)
    stamp.write_text(wanted)
    return bin_dir
