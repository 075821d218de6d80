"""Which pictures there are: folders, wildcards, lists and archives, hostile ones too."""

from __future__ import annotations

import io
import json
import os
import struct
import tarfile
import zipfile

import pytest

from hupai.batch.inputs import archives
from hupai.batch.inputs.fetched import at_hand
from hupai.batch.inputs.sources import Item, UnreadableItem, read_items, sources_of
from scoring.errors import InvalidRequest


def listed(*given, skip=()):
    found = [entry for source in sources_of([str(g) for g in given]) for entry in source.items(skip)]
    return {e.name: e for e in found}


def names(*given, skip=()):
    return sorted(listed(*given, skip=skip))


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "photos"
    for name in ("b.jpg", "a.JPEG", "deep/er/c.heic", "deep/d.png", "notes.txt", ".hidden.jpg", ".git/e.jpg",
                 "__MACOSX/f.jpg", "deep/._g.jpg", "h.pdf"):  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(name.encode())
    return root


def test_a_folder_yields_its_pictures_at_any_depth(tree):
    assert names(tree) == ["a.JPEG", "b.jpg", "deep/d.png", "deep/er/c.heic"]


def test_a_folder_passes_over_the_labels_within_it(tree):
    assert names(tree, skip=[tree / "deep"]) == ["a.JPEG", "b.jpg"]


def test_a_folder_passes_over_the_labels_of_other_runs_unless_they_are_named(tree):
    """There are crops and copies of its pictures in them."""
    (tree / "deep" / ".hupai").mkdir()
    assert names(tree) == ["a.JPEG", "b.jpg"]
    assert names(tree / "deep") == ["d.png", "er/c.heic"]


def test_links_to_files_count_and_links_to_folders_do_not(tree):
    (tree / "link.jpg").symlink_to(tree / "b.jpg")
    (tree / "deep" / "loop").symlink_to(tree)
    assert "link.jpg" in names(tree)
    assert len(names(tree)) == 5


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_named_like_a_picture_is_refused_not_waited_for(tree, tmp_path):
    os.mkfifo(tree / "pipe.jpg")
    (tree / "endless.jpg").symlink_to(os.devnull)
    (tmp_path / "list.txt").write_text("photos/pipe.jpg\nphotos/b.jpg\n")
    found = listed(tree) | {f"listed {name}": entry for name, entry in listed(tmp_path / "list.txt").items()}
    refused = {name for name, entry in found.items() if isinstance(entry, UnreadableItem)}
    assert refused == {"pipe.jpg", "endless.jpg", "listed photos/pipe.jpg"}
    assert all(found[name].code == "not_a_file" for name in refused)


def test_several_sources_put_their_name_first_and_equal_names_are_told_apart(tree, tmp_path):
    other = tmp_path / "other" / "photos"
    other.mkdir(parents=True)
    (other / "b.jpg").write_bytes(b"")
    assert names(tree, other)[-1] == "photos~2/b.jpg"
    assert "photos/deep/d.png" in names(tree, other)


def test_a_wildcard_matches_at_any_depth(tree):
    assert names(f"{tree}/**/*.png") == ["deep/d.png"]
    assert names(f"{tree}/[ab].*") == ["a.JPEG", "b.jpg"]
    assert names(f"{tree}/nothing*") == []


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".jsonl"])
def test_a_list_names_files_relative_to_itself(tree, tmp_path, suffix):
    lines = ["deep/d.png", str(tree / "b.jpg"), "../outside.jpg", "deep/../deep/d.png"]
    text = {
        ".txt": "# a comment\n" + "\n".join(lines) + "\n",
        ".csv": "other,image\n" + "".join(f'1,"{line}"\n' for line in lines),
        ".jsonl": "".join(json.dumps({"image": line}) + "\n" for line in lines),
    }[suffix]
    (tree / f"list{suffix}").write_text(text)
    found = listed(tree / f"list{suffix}")
    assert sorted(found) == sorted(["deep/d.png", "b.jpg", str(tmp_path / "outside.jpg").lstrip("/")])
    assert found["deep/d.png"].stamp != "missing"
    assert found[str(tmp_path / "outside.jpg").lstrip("/")].stamp == "missing"


def test_a_line_that_names_nothing_is_told_and_the_rest_goes_on(tree):
    (tree / "l.jsonl").write_text('{"image": "b.jpg"}\nnonsense\n{"photo": "b.jpg"}\n')
    found = listed(tree / "l.jsonl")
    assert isinstance(found["b.jpg"], Item)
    assert {found[n].code for n in ("l.jsonl, line 2", "l.jsonl, line 3")} == {"bad_line"}


def test_a_list_without_the_column_is_refused(tree):
    (tree / "l.csv").write_text("file\nb.jpg\n")
    with pytest.raises(InvalidRequest, match='no column "image"'):
        listed(tree / "l.csv")


def test_what_is_not_there_is_named_all_at_once(tmp_path):
    with pytest.raises(InvalidRequest) as refused:
        sources_of([str(tmp_path / "x"), str(tmp_path / "y.jpg"), str(tmp_path), str(tmp_path)])
    assert [f.message.split(";")[0] for f in refused.value.faults] == [
        f"There is no file or folder {tmp_path}/x",
        f"There is no file or folder {tmp_path}/y.jpg",
        "The same source is named twice",
    ]


@pytest.mark.parametrize("empty", ["", "file://"])
def test_an_empty_name_is_not_the_current_folder(tree, monkeypatch, empty):
    """As from a variable without a value, in quotes."""
    monkeypatch.chdir(tree)
    with pytest.raises(InvalidRequest, match="is empty"):
        sources_of([empty])
    with pytest.raises(InvalidRequest, match="is empty"), at_hand(empty):
        pass


def test_a_stamp_changes_with_the_file(tree):
    before = listed(tree)["b.jpg"].stamp
    os.utime(tree / "b.jpg", (1, 1))
    assert listed(tree)["b.jpg"].stamp != before


def test_a_name_too_long_for_label_files_is_told(tree):
    (tree / f"{'x' * 220}.jpg").write_bytes(b"")
    (refused,) = [e for e in listed(tree).values() if isinstance(e, UnreadableItem)]
    assert refused.code == "name_too_long"


def test_a_name_that_is_no_text_can_be_listed(tree):
    raw = os.fsencode(tree) + b"/\xff\xfe.jpg"
    file = os.open(raw, os.O_CREAT | os.O_WRONLY)
    os.write(file, b"x")
    os.close(file)
    item = listed(tree)["\\xff\\xfe.jpg"]
    assert item.place.read_bytes() == b"x"


HOSTILE = ["../up.jpg", "/etc/root.jpg", "a/../../b.jpg", "C:/win.jpg", "back\\slash.jpg", "a//b.jpg"]


def test_a_zip_yields_its_pictures_and_refuses_hostile_names(tmp_path):
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("one.jpg", "sub/two.png", "readme.md", ".hidden.jpg", *HOSTILE):
            archive.writestr(name, name)
        link = zipfile.ZipInfo("link.jpg")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("one.jpg", "again")
    found = listed(path)
    items = [n for n, e in found.items() if isinstance(e, Item)]
    assert sorted(items) == ["one.jpg", "sub/two.png"]
    codes = {n: e.code for n, e in found.items() if isinstance(e, UnreadableItem)}
    assert {codes[n] for n in HOSTILE} == {"name_unsafe"}
    assert codes["link.jpg"] == "not_a_file"
    assert codes["one.jpg#2"] == "name_twice"
    assert {i.name: d for i, d in read_items({n: found[n] for n in items})}["sub/two.png"] == b"sub/two.png"


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
def test_a_tar_yields_its_pictures_and_refuses_links_and_devices(tmp_path, mode):
    path = tmp_path / f"p.tar{mode[1:].replace(':', '.')}"
    with tarfile.open(path, mode) as archive:
        for name in ("./one.jpg", "sub/two.png", "../up.jpg", "/abs.jpg"):
            info = tarfile.TarInfo(name)
            info.size = len(name)
            archive.addfile(info, io.BytesIO(name.encode()))
        for name, kind in (("sym.jpg", tarfile.SYMTYPE), ("hard.jpg", tarfile.LNKTYPE), ("dev.jpg", tarfile.CHRTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    found = listed(path)
    assert sorted(n for n, e in found.items() if isinstance(e, Item)) == ["one.jpg", "sub/two.png"]
    codes = {n: e.code for n, e in found.items() if isinstance(e, UnreadableItem)}
    assert codes == {"../up.jpg": "name_unsafe", "/abs.jpg": "name_unsafe", "sym.jpg": "not_a_file",
                     "hard.jpg": "not_a_file", "dev.jpg": "not_a_file"}  # fmt: skip
    data = {m.name: m.data for m in archives.members(path, lambda name: True) if m.data is not None}
    assert data == {"one.jpg": b"./one.jpg", "sub/two.png": b"sub/two.png"}


def test_a_locked_zip_says_so(tmp_path):
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("one.jpg", "secret")
    raw = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = raw.index(signature) + offset
        raw[at : at + 2] = struct.pack("<H", struct.unpack("<H", raw[at : at + 2])[0] | 1)
    path.write_bytes(raw)
    assert listed(path)["one.jpg"].code == "archive_locked"


def test_an_archive_that_breaks_off_yields_what_comes_before(tmp_path):
    path = tmp_path / "p.tar"
    with tarfile.open(path, "w") as archive:
        for name in ("one.jpg", "two.jpg"):
            info = tarfile.TarInfo(name)
            info.size = 5000
            archive.addfile(info, io.BytesIO(bytes(5000)))
    path.write_bytes(path.read_bytes()[:6500])
    found = listed(path)
    assert isinstance(found["one.jpg"], Item)
    assert found["p.tar"].code == "archive_broken"
    (tmp_path / "q.zip").write_bytes(b"PK\x03\x04 nonsense")
    assert listed(tmp_path / "q.zip")["q.zip"].code == "archive_broken"


def test_an_archive_that_swells_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "SWELL_FROM", 100_000)
    path = tmp_path / "bomb.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for i in range(40):
            info = tarfile.TarInfo(f"{i}.bmp")
            info.size = 1_000_000
            archive.addfile(info, io.BytesIO(bytes(1_000_000)))
    assert path.stat().st_size * archives.SWELL < 40_000_000
    found = listed(path)
    assert "200 times its size" in found["bomb.tar.gz"].message
    assert len(found) < 40


def test_a_member_larger_than_a_picture_may_be_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_BYTES", 1000)
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("big.jpg", bytes(2000))
        archive.writestr("small.jpg", bytes(500))
    members = {m.name: m for m in archives.members(path, lambda name: True)}
    assert members["big.jpg"].error[0] == "image_too_large" and members["big.jpg"].data is None
    assert members["small.jpg"].data == bytes(500)


@pytest.mark.parametrize("line", ["a\0b.jpg", "~nobody-of-this-name/a.jpg", '{"image": "\\ud800.jpg"}'])
def test_a_line_that_can_name_no_file_is_told_and_the_rest_goes_on(tmp_path, line):
    (tmp_path / "good.jpg").write_bytes(b"x")
    path = tmp_path / ("list.jsonl" if line.startswith("{") else "list.txt")
    good = '{"image": "good.jpg"}' if line.startswith("{") else "good.jpg"
    path.write_text(f"{line}\n{good}\n")
    first, second = sources_of([str(path)])[0].items()
    assert first.code == "bad_line"
    assert second.name.endswith("good.jpg")


def test_an_archive_with_a_nameless_member_is_told(tmp_path):
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("a.jpg", b"x")
        made.filelist[0].filename = ""  # what the directory at the archive's end calls it
    (found,) = archives.members(path, lambda name: True)
    assert found.error[0] == "archive_broken"


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"\x1f\x8b\x08", id="ends"),
        pytest.param(b"\x1f\x8b\x08\x04" + bytes(6) + b"\x10\0" + b"\xff" * 2000, id="extra"),
    ],
)
def test_a_packed_tar_whose_head_is_broken_is_told(tmp_path, head):
    (tmp_path / "photos.tar.gz").write_bytes(head)
    (found,) = archives.members(tmp_path / "photos.tar.gz", lambda name: True)
    assert found.error is not None
