"""The repository holds no pictures but those made for it."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from tests.hupai.serving import ROOT

PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".gif", ".tif", ".tiff", ".bmp", ".avif"}
PLACES = ("examples/", "docs/img/", "datasets/art/", "hupai/page/static/icons/", "tests/vision/data/")
BINARY = {*PICTURES, ".onnx", ".npz", ".woff2", ".ttf", ".mp4", ".avi"}
LARGEST = 25 << 20


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("no git checkout")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def test_pictures_lie_only_where_pictures_made_for_the_project_lie() -> None:
    for path in tracked():
        name = str(path.relative_to(ROOT))
        assert path.stat().st_size < LARGEST, f"{name} is too large for a repository"
        if path.suffix.lower() in PICTURES:
            assert name.startswith(PLACES), name
        elif path.suffix.lower() not in BINARY:
            head = path.read_bytes()[:12]
            assert not head.startswith((b"\xff\xd8\xff", b"\x89PNG", b"RIFF", b"GIF8")), name
            assert head[4:8] != b"ftyp", name


def test_shipped_photos_tell_nothing_of_where_and_with_what_they_were_taken() -> None:
    from PIL import Image

    for path in tracked():
        if path.suffix.lower() in {".jpg", ".jpeg"}:
            with Image.open(path) as picture:
                tags = picture.getexif()
                # How it is turned, and which program marked it.
                assert set(tags) <= {0x0112, 0x0131}, f"{path.name} has metadata: {dict(tags)}"
                assert str(tags.get(0x0131, "hupai")).startswith("hupai")


@pytest.mark.skipif(not os.environ.get("HUPAI_DATA"), reason="HUPAI_DATA names no folder of photos")
def test_no_photo_of_the_data_is_in_the_repository() -> None:
    ours = {hashlib.sha256(p.read_bytes()).hexdigest(): p for p in tracked() if p.suffix.lower() in BINARY}
    for path in Path(os.environ["HUPAI_DATA"]).rglob("*"):
        if path.suffix.lower() in PICTURES:
            assert hashlib.sha256(path.read_bytes()).hexdigest() not in ours, path.name
