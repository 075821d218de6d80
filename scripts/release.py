"""Make everything that a release consists of, and try it: ``python -m scripts.release FOLDER``.

The folder then holds the wheel, with what runs in browsers; the page as an archive, for any web server; what a
container is built from; and their checksums. Before that the wheel is installed in an empty environment and, where the
system can cut it off, without network: the page is written by it, a photo scored and the server asked.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from hupai.page.alone import WASM
from scoring.version import version
from scripts import fetch_wasm
from scripts.setup_env import CONSTRAINTS, ROOT, new_environment

_CONTEXT: Final = "deploy", "pyproject.toml", "hatch_build.py", "README.md", "CHANGELOG.md", "LICENSE", "models"
_PACKAGES: Final = "scoring", "vision", "hupai"
_PHOTO: Final = ROOT / "examples" / "hand-self-draw.jpg"
_CUT_OFF: Final = ("unshare", "--net", "--map-root-user")


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    out = Path(sys.argv[1]).resolve()
    if out.exists() and any(out.iterdir()):
        print(f"{out} is not empty: name a new folder.", file=sys.stderr)
        return 2
    out.mkdir(parents=True, exist_ok=True)
    if status := fetch_wasm.main():
        return status
    wheel = build("wheel", out)
    with tempfile.TemporaryDirectory() as scratch:
        commands = install(wheel, Path(scratch) / "venv")
        page = Path(scratch) / "page"
        try_installed(commands, page)
        pack_folder(page, out / f"hupai-page-{version()}.zip")
    pack_context(out / f"hupai-container-{version()}.zip")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(out.iterdir())]
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    for path in sorted(out.iterdir()):
        print(f"{path.stat().st_size / 1e6:6.1f} MB  {path.name}")
    return 0


def build(kind: str, folder: Path) -> Path:
    """Build the ``wheel`` or the ``sdist`` from this checkout, without network; its path."""
    code = f"import hatchling.build as b; print(b.build_{kind}({str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return folder / done.stdout.splitlines()[-1]


def install(wheel: Path, home: Path) -> Path:
    """Install a wheel and what it needs in an empty environment; the folder of its commands."""
    python = new_environment(home)
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", str(CONSTRAINTS), str(wheel)]
    subprocess.run(pip, check=True)
    return python.parent


def try_installed(commands: Path, page: Path) -> None:
    """Run ``scripts/try_installed.py`` in the environment, where possible without network; it writes the page.

    Raises:
        subprocess.CalledProcessError: something of it failed.
    """
    alone = shutil.which(_CUT_OFF[0]) is not None
    alone = alone and subprocess.run([*_CUT_OFF, "true"], check=False, stderr=subprocess.DEVNULL).returncode == 0
    how = f"without network, by {_CUT_OFF[0]}" if alone else "with the network, which cannot be cut off here"
    print(f"The wheel is tried {how}.", file=sys.stderr)
    trial = [str(commands / "python"), str(ROOT / "scripts" / "try_installed.py"), str(page), str(_PHOTO)]
    home = {**os.environ, "HOME": str(page.parent)}
    subprocess.run([*(_CUT_OFF if alone else ()), *trial], cwd=page.parent, env=home, check=True)


def pack_folder(folder: Path, path: Path) -> None:
    """Write a folder as an archive that is the same each time."""
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix())
            entry.external_attr = 0o644 << 16  # else only root may read what is unpacked, and no web server
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


def pack_context(path: Path) -> None:
    """Write what ``docker build -f deploy/Dockerfile`` needs, with what runs in browsers."""
    listed = subprocess.run(
        ["git", "ls-files", "--", *_CONTEXT, *_PACKAGES, "constraints.txt"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    with tempfile.TemporaryDirectory() as scratch:
        names = [name for name in listed.stdout.splitlines() if not name.startswith("models/float/")]
        names += [file.relative_to(ROOT).as_posix() for file in sorted(WASM.rglob("*")) if file.is_file()]
        for name in names:
            target = Path(scratch) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
        pack_folder(Path(scratch), path)


if __name__ == "__main__":
    raise SystemExit(main())
