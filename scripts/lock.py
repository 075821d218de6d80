"""Renew ``constraints.txt``, the versions that the README's commands install: ``python3 scripts/lock.py``.

One file serves every platform and Python from 3.11 on, with markers where they differ. ``--lowest`` instead proves the
lower bounds of pyproject.toml: the oldest versions they allow are installed, and the tests but the slow ones run with
them. Both take uv, which resolves better than pip, in an environment of its own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

from setup_env import CONSTRAINTS, ROOT, new_environment

EXTRAS = ("cluster", "dev", "mqtt", "postgres")
"""Extras whose versions are fixed; ``train`` fixes torch itself, and the rest of it depends on the graphics card."""
LOWEST = ("dev", "mqtt", "postgres")
HEADER = "# Written by scripts/lock.py; pip takes it by -c constraints.txt.\n"


def write_constraints(uv: list[str]) -> int:
    """Write the newest versions that work together; exit status."""
    command = [*uv, "compile", "pyproject.toml", "--universal", "--python-version", "3.11", "--system-certs", "-q"]
    command += ["--no-header", "--no-annotate", *(f"--extra={extra}" for extra in EXTRAS)]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    CONSTRAINTS.write_text(HEADER + done.stdout, encoding="utf-8")
    return 0


def prove_lowest(uv: list[str], home: Path) -> int:
    """Install the oldest versions in an environment of this folder, and run all but the slow tests; exit status."""
    python = str(new_environment(home))
    install = [*uv, "install", "-q", "--system-certs", "--python", python, "--resolution", "lowest-direct"]
    subprocess.run([*install, "-e", f".[{','.join(LOWEST)}]"], cwd=ROOT, check=True)
    quick = ["-n", "2", "--dist", "loadfile", "-m", "not slow and not release"]
    quick += ["--ignore", "tests/trust/test_licences.py"]  # its page names the licences of the fixed versions
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    steps = (["hupai.cli", "check"], ["pytest", *quick])
    return int(any(subprocess.run([python, "-m", *step], cwd=ROOT, env=env, check=False).returncode for step in steps))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lowest", action="store_true", help="prove the lower bounds instead")
    lowest = parser.parse_args().lowest
    with tempfile.TemporaryDirectory() as folder:
        own = str(new_environment(Path(folder) / "uv"))
        subprocess.run([own, "-m", "pip", "install", "-q", "--disable-pip-version-check", "uv"], check=True)
        pip = [own, "-m", "uv", "pip"]
        raise SystemExit(prove_lowest(pip, Path(folder) / "lowest") if lowest else write_constraints(pip))
