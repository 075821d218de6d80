"""Labelled samples on disk, and photos without what they tell."""

from __future__ import annotations

import errno
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms

from hupai.basics.errors import NotFound
from hupai.store.errors import StoreError
from hupai.store.files import samples
from hupai.store.files.metadata import bytes_after_end, hides_a_document, strip_jpeg, strip_metadata
from hupai.web.problems import status_of
from vision.errors import PhotoError
from vision.io.photo import Photo


def picture(width: int = 90, height: int = 60, mode: str = "RGB") -> Image.Image:
    """A picture with soft and hard parts."""
    y, x = np.mgrid[:height, :width]
    pixels = np.stack([x * 255 // width, y * 255 // height, (x // 7 + y // 5) % 2 * 255], axis=2).astype(np.uint8)
    return Image.fromarray(pixels).convert(mode)


def encoded(kind: str = "JPEG", mode: str = "RGB", **more: Any) -> bytes:
    out = io.BytesIO()
    picture(mode=mode).save(out, kind, **more)
    return out.getvalue()


def exif(orientation: int) -> Image.Exif:
    made = Image.Exif()
    made[0x0112] = orientation
    made[0x010F] = "SecretPhone"
    made.get_ifd(0x8825)[2] = (48.0, 8.0, 15.0)
    return made


PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("progressive", [False, True])
def test_a_jpeg_keeps_its_picture_and_its_orientation(orientation: int, progressive: bool) -> None:
    whole = encoded(exif=exif(orientation), comment=b"at home", progressive=progressive, icc_profile=PROFILE)
    bare, suffix = strip_metadata(whole)
    assert suffix == ".jpg"
    assert (Photo(bare).pixels == Photo(whole).pixels).all()
    for secret in (b"SecretPhone", b"at home", b"GPS"):
        assert secret in whole or secret == b"GPS"
        assert secret not in bare
    with Image.open(io.BytesIO(bare)) as image:
        assert image.info["icc_profile"] == PROFILE
        assert dict(image.getexif()) == ({} if orientation == 1 else {0x0112: orientation})


def test_what_programs_have_written_into_a_jpeg_is_dropped() -> None:
    whole = encoded()
    markers = (*range(0xE1, 0xEE), 0xEF, 0xFE)  # application data but for JFIF and Adobe, which decoders need; comments
    told = b"".join(bytes([0xFF, marker, 0, 8]) + b"secret" for marker in markers)
    assert strip_jpeg(whole[:2] + told + whole[2:]) == strip_jpeg(whole)


@pytest.mark.parametrize("mode", ["L", "CMYK"])
def test_other_kinds_of_jpeg(mode: str) -> None:
    whole = encoded(mode=mode, exif=exif(3), restart_marker_blocks=2)
    assert (Photo(strip_metadata(whole)[0]).pixels == Photo(whole).pixels).all()


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "GIF", "TIFF", "BMP"])
def test_everything_else_becomes_a_bare_png(kind: str) -> None:
    more = {"exif": exif(6)} if kind in ("PNG", "WEBP") else {}
    if kind == "WEBP":
        more["lossless"] = True
    whole = encoded(kind, **more)
    bare, suffix = strip_metadata(whole)
    assert suffix == ".png"
    assert (Photo(bare).pixels == Photo(whole).pixels).all()
    with Image.open(io.BytesIO(bare)) as image:
        assert not image.getexif()
        assert image.info == {}


def test_what_follows_the_end_is_cut_off() -> None:
    whole = encoded()
    for tail in (b"", b"\0" * 9, b"ftypmp42" * 3, b"<script>", encoded()):
        assert bytes_after_end(whole + tail) == tail
        assert strip_jpeg(whole + tail) == strip_jpeg(whole)
    assert not hides_a_document(whole + b"\0\0\0\x18ftypmp42")
    assert hides_a_document(whole + b"\n <html>")
    assert hides_a_document(whole + b"%PDF-1.7")
    assert not hides_a_document(encoded("PNG"))


@given(st.binary(max_size=300))
def test_damaged_jpegs_are_no_jpegs(data: bytes) -> None:
    for cut in (data, b"\xff\xd8" + data, encoded()[:200] + data):
        strip_jpeg(cut)
        bytes_after_end(cut)
    with pytest.raises(PhotoError):
        strip_metadata(b"no picture" + data)


LABELS: dict[str, Any] = {"scene": "phone", "tiles": [{"label": "1m"}], "ignore": []}


def keep(folder: Path, **more: Any) -> dict[str, Any]:
    given_: dict[str, Any] = {
        "rules": "riichi",
        "models": {"classifier": "ab"},
        "read": None,
        "max_bytes": 10**6,
        **more,
    }
    return samples.save_sample(folder, encoded(exif=exif(6)), (90, 60), LABELS, **given_)


def test_samples_are_kept_listed_and_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "samples"
    assert samples.list_samples(folder) == []
    kept = [keep(folder) for _ in range(3)]
    assert {s["id"] for s in samples.list_samples(folder)} == {k["id"] for k in kept}
    assert b"SecretPhone" not in (folder / kept[0]["image"]).read_bytes()
    document = json.loads((folder / kept[0]["annotation"]).read_text())
    assert document["image"] == kept[0]["image"]
    assert (document["models"], document["rules"], document["version"] != "") == ({"classifier": "ab"}, "riichi", True)
    for k in kept:
        samples.delete_sample(folder, k["id"])
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("sample_id", ["", ".", "..", "../x", "x", "a\0", "A"])
def test_there_is_no_such_sample(tmp_path: Path, sample_id: str) -> None:
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(NotFound):
        samples.delete_sample(tmp_path / "samples", sample_id)
    assert (tmp_path / "x.json").exists()


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ENOSPC at the last moment: when the annotation is forced to the disk."""
    calls = []

    def fsync(_: int) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", fsync)
    with pytest.raises(StoreError, match=r"disk .* is full") as caught:
        keep(tmp_path / "samples")
    assert caught.value.code == "store_full"
    assert list((tmp_path / "samples").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "samples").write_text("a file is in the way")
    with pytest.raises(StoreError, match="cannot be written"):
        keep(tmp_path / "samples")


def test_the_room_is_bounded(tmp_path: Path) -> None:
    size = len(strip_metadata(encoded(exif=exif(6)))[0])
    keep(tmp_path, max_bytes=size)
    with pytest.raises(StoreError, match="samples_mb") as full:
        keep(tmp_path, max_bytes=size)
    assert status_of(full.value) == 507


def test_what_a_crash_left_is_cleared_away(tmp_path: Path) -> None:
    kept = keep(tmp_path)
    (tmp_path / "20260101-000000-00000000.jpg").write_bytes(b"photo without labels")
    (tmp_path / "20260101-000000-00000001.jpg.new").write_bytes(b"draft")
    (tmp_path / "notes.txt").write_text("somebody's own file")
    samples.clear_leftovers(tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {kept["image"], kept["annotation"], "notes.txt"}
    samples.clear_leftovers(tmp_path / "nowhere")
