"""Fetch the fonts, icons and outline tiles that faces are drawn from into an ignored folder.

    python -m scripts.train.collect_art --out art            # everything
    python -m scripts.train.collect_art --out art --only npm # one registry

Fetches from Debian (``apt-get download``), npm (``npm pack``) and PyPI (the simple index), never from anywhere else;
what is already there is kept. ``datasets/sources.toml`` lists every package with its licence. Of all that is
collected, only what ``build_atlas.py`` makes of packages marked ``ships`` goes into the repository.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "datasets" / "sources.toml"


def run(*command: str, cwd: Path) -> None:
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def fetch_apt(source: dict[str, Any], out: Path) -> None:
    """Download a Debian package (not installed) and keep its font files."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        run("apt-get", "download", "-q", source["package"], cwd=here)
        for deb in here.glob("*.deb"):
            run("dpkg-deb", "-x", str(deb), str(here / "x"), cwd=here)
        for file in (here / "x").rglob("*"):
            if file.suffix.lower() in (".ttf", ".otf", ".ttc") and not file.is_symlink():
                shutil.copy(file, out / file.name)


def _unpack(tar: tarfile.TarFile, folder: Path) -> None:
    tar.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.0 to 3.11.3 know no filters
    tar.extractall(folder)


def fetch_npm(source: dict[str, Any], out: Path) -> None:
    """Unpack an npm package: fonts to their own folder, other packages whole."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        run("npm", "pack", "-s", f"{source['package']}@{source['version']}", cwd=here)
        (archive,) = here.glob("*.tgz")
        with tarfile.open(archive) as tar:
            _unpack(tar, here)
        shutil.move(here / "package", out / source["name"])


def fetch_pypi(source: dict[str, Any], out: Path) -> None:
    """Take the named files out of an archive on PyPI."""
    index = f"https://pypi.org/simple/{source['package']}/"
    with urllib.request.urlopen(index) as page:
        links = re.findall(r'href="([^"#]+)', page.read().decode())
    (link,) = {x for x in links if x.endswith("/" + source["archive"])}
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / source["archive"]
        with urllib.request.urlopen(link) as stream, archive.open("wb") as file:
            shutil.copyfileobj(stream, file)
        opened = Path(folder) / "x"
        if archive.suffix in (".whl", ".zip"):
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(opened)
        else:
            with tarfile.open(archive) as tar:
                _unpack(tar, opened)
        for pattern in source["files"]:
            for file in opened.rglob(pattern):
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


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "art")
    parser.add_argument("--only", choices=sorted(FETCH))
    args = parser.parse_args()
    sources = tomllib.loads(SOURCES.read_text(encoding="utf-8"))["source"]
    failed: list[str] = []
    for source in sources:
        kind = source["from"]
        if kind not in FETCH or args.only not in (None, kind):
            continue
        done = args.out / ".done" / f"{kind}-{source['name']}"
        if done.exists():
            continue
        folder = args.out / FOLDERS[source["what"]]
        folder.mkdir(parents=True, exist_ok=True)
        try:
            FETCH[kind](source, folder)
        except (subprocess.CalledProcessError, OSError, ValueError) as error:
            failed.append(f"{source['name']}: {error}")
            continue
        done.parent.mkdir(parents=True, exist_ok=True)
        done.touch()
        print(f"{source['name']}: {source['licence']}", flush=True)
    for line in failed:
        print(f"not fetched: {line}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
