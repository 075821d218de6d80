"""What ships: the wheel and the source archive hold what they must and nothing else, and work where nothing else is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from hupai.page.alone import WASM
from scripts.release import build
from tests.hupai.serving import ROOT

pytestmark = pytest.mark.slow

PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".gif", ".tif", ".tiff", ".bmp", ".avif"}

hatchling = pytest.importorskip("hatchling.build", reason="hatchling is not installed")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive, built without network from the files that git knows."""
    folder = tmp_path_factory.mktemp("dist")
    for kind in ("wheel", "sdist"):
        build(kind, folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Iterator[zipfile.ZipFile]:
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as found:
        yield found


@pytest.fixture(scope="module")
def sdist(built: Path) -> list[tarfile.TarInfo]:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as found:
        return found.getmembers()


def known(*folders: str) -> set[str]:
    """The files of these folders that git knows or would take, without the weights that only training needs."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return {name for name in listed if (ROOT / name).is_file() and not name.startswith("models/float/")}


def test_the_wheel_has_three_packages_and_nothing_beside(wheel: zipfile.ZipFile) -> None:
    tops = {PurePosixPath(name).parts[0] for name in wheel.namelist()}
    assert {t for t in tops if not t.endswith(".dist-info")} == {"scoring", "vision", "hupai"}


def test_the_wheel_has_every_file_of_the_packages_and_the_models(wheel: zipfile.ZipFile) -> None:
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    wanted = {path.replace(".po", ".mo") for path in known("scoring", "vision", "hupai")}
    wanted |= {name.replace("models/", "vision/_models/", 1) for name in known("models")}
    wanted |= {path.relative_to(ROOT).as_posix() for path in WASM.glob("*/*")}  # if it has been fetched
    assert held == wanted
    assert "vision/_models/zoo.json" in held and "hupai/store/migrations/env.py" in held


def test_neither_holds_photos_or_data(wheel: zipfile.ZipFile, sdist: list[tarfile.TarInfo]) -> None:
    drawn = known("hupai/page/static/icons")
    for name in [*wheel.namelist(), *(m.name.partition("/")[2] for m in sdist)]:
        path = PurePosixPath(name)
        assert path.suffix.lower() not in PICTURES or name in drawn, name
        assert path.suffix not in {".npz", ".npy", ".pt", ".pth", ".db", ".key", ".pem", ".pyc"}, name
        assert path.parts[:1] not in (("datasets",), ("tests",), ("examples",), ("scripts",), ("docs",)), name
        assert "float" not in path.parts, f"{name}: weights in full precision stay in the repository"


def test_the_source_archive_builds_what_the_wheel_holds(sdist: list[tarfile.TarInfo]) -> None:
    names = {m.name.partition("/")[2] for m in sdist if m.isfile()}
    assert known("scoring", "vision", "hupai", "models") <= names
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "PKG-INFO"} <= names
    assert all(m.isfile() or m.isdir() for m in sdist), "links have no place in it"
    assert sum(m.size for m in sdist) < 80 << 20  # what browsers run is half of it


def test_the_metadata_say_what_pyproject_says(wheel: zipfile.ZipFile) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = next(name.partition("/")[0] for name in wheel.namelist() if ".dist-info/" in name)
    said = wheel.read(f"{folder}/METADATA").decode()
    assert f"Version: {project['version']}" in said
    assert "License-Expression: Apache-2.0" in said
    base = re.findall(r"^Requires-Dist: ([^\s;<>=!\[~]+)[^;\n]*$", said, re.MULTILINE)
    assert sorted(base) == sorted(re.split(r"[<>=!\[~ ]", d)[0] for d in project["dependencies"])
    assert "hupai = hupai.__main__:main" in wheel.read(f"{folder}/entry_points.txt").decode()
    assert any(name.startswith(f"{folder}/licenses/") for name in wheel.namelist())


SCORED = ["score", str(ROOT / "examples" / "hand-self-draw.jpg"), "--seat", "S", "--win", "self_draw", "--json"]


def test_an_unpacked_wheel_scores_a_photo_without_the_checkout(built: Path, tmp_path: Path) -> None:
    """The packages and models of the wheel alone; libraries come from this environment."""
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as found:
        found.extractall(tmp_path / "site")
    env = {k: v for k, v in os.environ.items() if not k.startswith(("HUPAI_", "PYTHON"))}
    env["PYTHONPATH"] = str(tmp_path / "site")
    code = "import hupai, vision.models.zoo, sys; print(hupai.__file__); print(vision.models.zoo.models_folder())"
    for command in ([sys.executable, "-c", code], [sys.executable, "-m", "hupai.cli", *SCORED]):
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        if command[1] == "-c":
            assert all(line.startswith(str(tmp_path / "site")) for line in done.stdout.splitlines()), done.stdout
        else:
            assert '"legal": true' in done.stdout
