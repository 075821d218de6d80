"""Which pictures there are: folders, wildcards and lists, hostile ones too."""

from __future__ import annotations

import json
import os

import pytest

from hupai.label.inputs.paths import local_path
from hupai.label.inputs.sources import Item, UnreadableItem, sources_of
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
    with pytest.raises(InvalidRequest, match="is empty"):
        local_path(empty)


@pytest.mark.parametrize("address", ["s3://bucket/photos", "https://host/photos/"])
def test_an_address_is_not_a_folder_of_this_machine(address):
    with pytest.raises(InvalidRequest, match=f"{address} is not on this machine"):
        sources_of([address])
    with pytest.raises(InvalidRequest, match=f"{address} is not on this machine"):
        local_path(address)


@pytest.mark.parametrize("name", ["photos.zip", "photos.tar.gz"])
def test_an_archive_is_to_be_unpacked_first(tmp_path, name):
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(InvalidRequest, match="unpack it into a folder"):
        sources_of([str(tmp_path / name)])


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


@pytest.mark.parametrize(
    "line", ["a\0b.jpg", "~nobody-of-this-name/a.jpg", "https://host/a.jpg", '{"image": "\\ud800.jpg"}']
)
def test_a_line_that_can_name_no_file_is_told_and_the_rest_goes_on(tmp_path, line):
    (tmp_path / "good.jpg").write_bytes(b"x")
    path = tmp_path / ("list.jsonl" if line.startswith("{") else "list.txt")
    good = '{"image": "good.jpg"}' if line.startswith("{") else "good.jpg"
    path.write_text(f"{line}\n{good}\n")
    first, second = sources_of([str(path)])[0].items()
    assert first.code == "bad_line"
    assert second.name.endswith("good.jpg")
