"""Fetch the fonts, icons and outline tiles that faces are drawn from into an ignored folder.

    python -m scripts.train.art.collect_art

Fetches from Debian (``apt-get download``), npm (``npm pack``) and PyPI (the simple index), never from anywhere else;
what is already there is kept. ``datasets/sources.toml`` lists every package with its licence. Of all that is
collected, only what ``build_atlas.py`` makes of packages marked ``ships`` goes into the repository.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import typer

ROOT = Path(__file__).resolve().parents[3]


def run(*command: str, cwd: Path) -> None:
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def unpack(archive: Path, folder: Path) -> None:
    if archive.suffix == ".whl":
        shutil.unpack_archive(archive, folder, "zip")
        return
    with tarfile.open(archive) as tar:
        tar.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.0 to 3.11.3 know no filters
        tar.extractall(folder)


def fetch_apt(source: dict[str, Any], out: Path, here: Path) -> None:
    """Download a Debian package (not installed) and keep its font files."""
    run("apt-get", "download", "-q", source["package"], cwd=here)
    (package,) = here.glob("*.deb")
    run("dpkg-deb", "-x", str(package), "x", cwd=here)
    for file in (here / "x").rglob("*"):
        if file.suffix.lower() in (".ttf", ".otf", ".ttc") and not file.is_symlink():
            shutil.copy(file, out / file.name)


def fetch_npm(source: dict[str, Any], out: Path, here: Path) -> None:
    """Unpack an npm package into a folder of its name."""
    run("npm", "pack", "-s", f"{source['package']}@{source['version']}", cwd=here)
    (archive,) = here.glob("*.tgz")
    unpack(archive, here)
    shutil.move(here / "package", out / source["name"])


def fetch_pypi(source: dict[str, Any], out: Path, here: Path) -> None:
    """Take the named files out of an archive on PyPI."""
    with urllib.request.urlopen(f"https://pypi.org/simple/{source['package']}/") as page:
        links = re.findall(r'href="([^"#]+)', page.read().decode())
    (link,) = {x for x in links if x.endswith("/" + source["archive"])}
    archive = here / source["archive"]
    urllib.request.urlretrieve(link, archive)
    unpack(archive, here / "x")
    for pattern in source["files"]:
        for file in (here / "x").rglob(pattern):
            shutil.copy(file, out / file.name)


FETCH = {"apt": fetch_apt, "npm": fetch_npm, "pypi": fetch_pypi}
FOLDERS = {
    "font": "fonts",
    "font-subsets": "subsets",
    "icons": "npm",
    "vectors": "npm",
    "tile-font": "tile-fonts",
    "photos": "photos",
    "weights": "weights",
}


def main() -> None:
    out = ROOT / "art"
    failed: list[str] = []
    for source in tomllib.loads((ROOT / "datasets" / "sources.toml").read_text(encoding="utf-8"))["source"]:
        done = out / ".done" / f"{source['from']}-{source['name']}"
        if source["from"] not in FETCH or done.exists():
            continue
        folder = out / FOLDERS[source["what"]]
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with tempfile.TemporaryDirectory() as here:
                FETCH[source["from"]](source, folder, Path(here))
        except (subprocess.CalledProcessError, OSError, ValueError) as error:
            failed.append(f"{source['name']}: {error}")
            continue
        done.parent.mkdir(parents=True, exist_ok=True)
        done.touch()
        print(f"{source['name']}: {source['licence']}", flush=True)
    for line in failed:
        print(f"not fetched: {line}", file=sys.stderr)
    raise typer.Exit(bool(failed))


if __name__ == "__main__":
    typer.run(main)
