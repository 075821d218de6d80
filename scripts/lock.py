"""Renew ``constraints.txt``, the versions that the README's commands install: ``python3 scripts/lock.py``.

One file serves every platform and Python from 3.11 on, with markers where they differ. ``--lowest`` instead proves the
lower bounds of pyproject.toml: the oldest versions they allow are installed, and the quick tests run with them. Both
take uv, which resolves better than pip, in an environment of its own.
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


def renew(uv: list[str]) -> None:
    """Write the newest versions that work together."""
    command = [*uv, "compile", "pyproject.toml", "--universal", "--python-version", "3.11", "--system-certs", "-q"]
    command += ["--no-header", "--no-annotate", *(f"--extra={extra}" for extra in EXTRAS)]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    CONSTRAINTS.write_text(HEADER + done.stdout, encoding="utf-8")
    print(f"{CONSTRAINTS.name}: {done.stdout.count('==')} versions")


def prove_lowest(uv: list[str], home: Path) -> int:
    """Install the oldest versions in an environment of this folder, and run the quick tests; exit status."""
    python = str(new_environment(home))
    install = [*uv, "install", "-q", "--system-certs", "--python", python, "--resolution", "lowest-direct"]
    subprocess.run([*install, "-e", f".[{','.join(LOWEST)}]"], cwd=ROOT, check=True)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    checked = subprocess.run([python, "-m", "hupai.cli", "check"], cwd=ROOT, env=env, check=False).returncode
    quick = ["-n", "2", "--dist", "loadfile", "-m", "not alone and not slow"]
    quick += ["--ignore", "tests/trust/test_licences.py"]  # its page names the licences of the fixed versions
    return checked or subprocess.run([python, "-m", "pytest", *quick], cwd=ROOT, env=env, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lowest", action="store_true", help="prove the lower bounds instead")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = str(new_environment(Path(folder) / "uv"))
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "uv"], check=True)
        uv = [python, "-m", "uv", "pip"]
        if args.lowest:
            return prove_lowest(uv, Path(folder) / "lowest")
        renew(uv)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
