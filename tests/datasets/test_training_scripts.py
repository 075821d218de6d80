"""The scripts around training, as a person runs them."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.photographs.packs import make_pack
from scripts.accuracy.truth import load

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", f"scripts.train.{script}", *map(str, arguments)],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
    )  # fmt: skip


@pytest.mark.parametrize("what", ["scenes", "faces", "crops"])
def test_contact_sheets_are_rendered(what, tmp_path: Path) -> None:
    more = ["--truth", "--kind", "rows"] if what == "scenes" else []
    sheet = tmp_path / "sheet.png"
    done = run("contact_sheet", "--what", what, "--count", 1, "--size", 192, "--out", sheet, *more)
    assert done.returncode == 0, done.stderr
    assert cv2.imread(str(sheet)).std() > 10


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    make_pack([np.full((64, 48, 3), 200, np.uint8)], [{"source": "here", "label": "1m"}]).save(folder / "faces.npz")
    return folder


def test_a_bundle_holds_code_pack_and_checkpoints_and_its_code_imports(pack: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "detector.pt").write_bytes(b"weights")
    out = tmp_path / "bundle.tar"
    done = run("bundle", "--pack", pack, "--run", tmp_path / "run", "--out", out)
    assert done.returncode == 0, done.stderr
    with tarfile.open(out) as tar:
        tar.extractall(tmp_path)  # Python 3.11.0 to 3.11.3 know no filters
    bundle = tmp_path / "bundle"
    assert (bundle / "run" / "detector.pt").read_bytes() == b"weights"
    assert os.access(bundle / "run.sh", os.X_OK)
    assert not list(bundle.rglob("__pycache__"))
    code = """
import datasets.scenes.training
from datasets.photographs.packs import open_studio
from pathlib import Path
print(open_studio(Path("pack")).photos)
"""
    there = subprocess.run(
        [sys.executable, "-c", code], cwd=bundle, capture_output=True, text=True, check=False,
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
    )  # fmt: skip
    assert there.returncode == 0, there.stderr
    assert "1m" in there.stdout


def test_a_bundle_over_the_limit_is_refused_with_its_parts(pack: Path, tmp_path: Path) -> None:
    done = run("bundle", "--pack", pack, "--out", tmp_path / "b.tar", "--limit", 0.5)
    assert done.returncode == 1
    assert "over 0" in done.stderr
    assert "code" in done.stderr
    assert not (tmp_path / "b.tar").exists()


def test_a_wheel_is_repacked_whole_but_for_what_nobody_needs(pack: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "cv2.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("cv2/__init__.py", "here = 1")
        packed.writestr("cv2/data/face.xml", "x" * 1000)
    done = run("bundle", "--pack", pack, "--out", tmp_path / "b.tar", "--opencv", wheel)
    assert done.returncode == 0, done.stderr
    with tarfile.open(tmp_path / "b.tar") as tar:
        tar.extractall(tmp_path)  # Python 3.11.0 to 3.11.3 know no filters
    with tarfile.open(tmp_path / "bundle" / "opencv.tar.xz") as inner:
        assert inner.getnames() == ["cv2/__init__.py"]


def test_training_without_torch_or_with_nonsense_says_so() -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra: train)")
    done = run("run", "--out", "/nowhere", "--nets", "ears")
    assert done.returncode == 2
    assert "detector" in done.stderr


@pytest.mark.parametrize("sweep", [None, "tilt", "size"])
def test_validation_photos_say_how_they_were_taken(sweep, tmp_path: Path) -> None:
    more = ["--sweep", sweep] if sweep else []
    done = run("render_validation", "--out", tmp_path, "--count", 2, "--width", 480, *more)
    assert done.returncode == 0, done.stderr
    photos = load(tmp_path)
    assert len(photos) == 2
    for photo in photos:
        assert photo.path.is_file()
        assert all({"tilt", "blur", "light", "jpeg", "state"} <= set(t.facts) for t in photo.tiles)
    if sweep == "tilt":
        tilts = [np.mean([t.facts["tilt"] for t in photo.tiles]) for photo in photos]
        assert tilts[1] > tilts[0] + 20
