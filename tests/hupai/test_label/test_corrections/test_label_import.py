"""Imports of any size: entries of a long list one at a time, memory that does not grow with the tasks."""

from __future__ import annotations

import gc
import io
import itertools
import json
import re
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import pytest

from hupai.label.corrections.record_store import A, B, RecordStore
from hupai.label.formats import BY_NAME, LabelError, iter_labels, read_labels
from hupai.label.formats.base import xml_parts
from hupai.label.formats.json_list import entries, is_list, members
from hupai.label.progress import Progress, ProgressLines
from hupai.label.records import Box, Record
from scoring.tiles import TILES
from tests.hupai.test_label.batch_photos import hupai
from tests.hupai.test_label.test_formats.test_batch_formats import write as write_format


def boxes(count: int) -> tuple[Box, ...]:
    places = [(10.0 + 30 * (i % 20), 20.0 + 60 * (i // 20)) for i in range(count)]
    return tuple(
        Box(TILES[i], ((x, y), (x + 24, y), (x + 24, y + 40), (x, y + 40)), 0.9, located=0.8)
        for i, (x, y) in enumerate(places)
    )


def write(folder: Path, tasks: int, tiles: int = 8) -> None:
    """Labels and a finished Label Studio project of them: in every task one tile is renamed; every tenth has none."""
    folder.mkdir()
    read = boxes(tiles)
    shapes = [
        {
            "type": "rectanglelabels", "original_width": 640, "original_height": 480,
            "value": {
                "x": b.corners[0][0] / 6.4, "y": b.corners[0][1] / 4.8, "width": 24 / 6.4, "height": 40 / 4.8,
                "rotation": 0, "rectanglelabels": ["7z" if i == 0 else b.tile.code],
            },
        }
        for i, b in enumerate(read)
    ]  # fmt: skip
    drawn = json.dumps([{"result": shapes}])
    with (folder / "labels.jsonl").open("w") as base, (folder / "export.json").open("w") as export:
        for i in range(tasks):
            name = f"table {i % 7}/{i:06d}.jpg"
            empty = i % 10 == 9
            base.write(Record(name, 640, 480, () if empty else read).to_line() + "\n")
            told = '[{"result": []}]' if empty else drawn
            task = f'{{"id": {i}, "data": {{"image": "/data/local-files/?d={name}"}}, "annotations": {told}}}'
            export.write(("[" if i == 0 else ",\n") + task)
        export.write("]\n")


@pytest.mark.parametrize(
    "command",
    [
        ("import", "export.json", "--base", "labels.jsonl", "--out", "out", "--format", "coco,yolo"),
        ("compare", "labels.jsonl", "labels.jsonl"),
        ("split", "labels.jsonl", "--by", "photo", "--out", "out", "--format", "coco,csv"),
    ],
    ids=lambda command: command[0],
)
def test_only_a_few_records_are_in_memory(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "in", 200, tiles=2)
    steps, held = itertools.count(1), list[int]()

    def step(self: Progress, *, failed: bool = False) -> None:
        if next(steps) % 50 == 0:
            held.append(sum(isinstance(one, Record) for one in gc.get_objects()))

    monkeypatch.setattr(Progress, "step", step)
    monkeypatch.setattr(ProgressLines, "step", step)
    monkeypatch.chdir(tmp_path / "in")
    gc.freeze()  # what other tests hold is not counted, nor gone through
    try:
        status, said, told = hupai("labels", *command)
    finally:
        gc.unfreeze()
    assert status == 0, told
    assert len(held) >= 8 and 0 < max(held) < 30, held
    if command[0] == "import":
        assert "200 pictures with 360 tiles written" in said
        assert "180 confirmed, 180 renamed, 0 moved, 0 added, 0 removed" in said
        first = read_labels(tmp_path / "in" / "out")[0]
        assert [(b.tile.code, b.origin) for b in first.boxes] == [("7z", "corrected"), (TILES[1].code, "confirmed")]


@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
def test_entries_come_whole_wherever_the_file_is_cut(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hupai.label.formats.json_list._READ_CHARACTERS", piece)
    for given in ([], [1], [12, -3.5e2, True, None, "a,]"], [{"a": [1, {"b": "é]"}]}, [], {}]):
        text = json.dumps(given, ensure_ascii=False)
        for shown in (text, text.replace(", ", " ,\n "), f"\n {text} \n"):
            assert list(entries(io.StringIO(shown))) == json.loads(shown)
            assert is_list(io.StringIO(shown))
            within = f'{{"a": {shown}, "passed over": {shown} , "b": {{"c": [1]}}, "": -2}}'
            found = {name: list(values) for name, values in members(io.StringIO(within)) if name != "passed over"}
            assert found == {"a": json.loads(shown), "b": [{"c": [1]}], "": [-2]}
    assert list(members(io.StringIO(" {} "))) == []


@pytest.mark.parametrize(
    ("read", "text", "told"),
    [
        (entries, "", "'[' is missing at character 0"),
        (entries, '{"a": 1}', "'[' is missing at character 0"),
        (entries, "[1, 2", "']' is missing at character 5"),
        (entries, "[1 2]", "']' is missing at character 3"),
        (entries, "[1,]", "Expecting value at character 3"),
        (entries, '[{"a": }]', "Expecting value at character 7"),
        (entries, "[1] [2]", "something follows the list at character 4"),
        (members, "", "'{' is missing at character 0"),
        (members, "[1]", "'{' is missing at character 0"),
        (members, '{"a": [1]', "'}' is missing at character 9"),
        (members, '{"a": [1}', "']' is missing at character 8"),
        (members, '{"a" [1]}', "':' is missing at character 5"),
        (members, "{1: 2}", "a name is missing at character 2"),
        (members, '{"a": 1} {', "something follows the object at character 9"),
    ],
)
def test_what_is_no_list_or_object_is_told_with_its_place(
    read: Callable[[TextIO], Iterator[object]], text: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hupai.label.formats.json_list._READ_CHARACTERS", 2)
    with pytest.raises(ValueError, match=re.escape(told)):
        list(read(io.StringIO(text)))


@pytest.mark.parametrize("name", ["coco", "cvat", "labelstudio", "csv", "jsonl"])
def test_reading_takes_no_more_memory_for_more_pictures(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the format has to be recognised; a few records are in memory, or a piece of the file."""
    for module in ("json_list", "base"):
        monkeypatch.setattr(f"hupai.label.formats.{module}._READ_CHARACTERS", 4096)
    most = []
    for count in (20, 150, 600):  # what is loaded or made once is there after the first
        records = [Record(f"{i:06d}.jpg", 640, 480, boxes(8)) for i in range(count)]
        path = write_format(tmp_path / f"{len(most)}", records, (name,)) / BY_NAME[name].files[0]
        del records
        gc.collect()
        tracemalloc.start()
        assert sum(1 for _ in iter_labels(path)) == count
        most.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert most[2] - most[1] < path.stat().st_size / 4, most


def test_the_lists_of_coco_and_their_entries_may_come_in_any_order(tmp_path: Path) -> None:
    """And the number of an image may be written as a decimal, or be a word."""
    read = [Record(f"{i}.jpg", 640, 480, boxes(i)[::-1]) for i in range(4)]
    write_format(tmp_path / "l", read, ("coco",))
    given = json.loads((tmp_path / "l" / "coco.json").read_text())
    given["images"][2]["id"] = "two"
    for annotation in given["annotations"]:
        annotation["image_id"] = "two" if annotation["image_id"] == 3 else float(annotation["image_id"])
    given["annotations"].sort(key=lambda a: a["category_id"])
    for order in itertools.permutations(given):
        (tmp_path / "any.json").write_text(json.dumps({key: given[key] for key in order}))
        found = read_labels(tmp_path / "any.json")
        assert [(r.image, [b.tile for b in r.boxes]) for r in found] == [
            (r.image, [b.tile for b in r.boxes[::-1]]) for r in read
        ]


@pytest.mark.parametrize("piece", [1, 7, 4096])
def test_xml_comes_whole_wherever_the_file_is_cut(piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hupai.label.formats.base._READ_CHARACTERS", piece)
    path = tmp_path / "a.xml"
    path.write_text("<?xml version='1.0'?>\n<a b='c'>東<d><e f='1'>g</e>h</d>\n<d/>i<j k='é'/></a>")
    root, *parts = xml_parts(path)
    assert (root.tag, root.attrib, [p.tag for p in parts]) == ("a", {}, ["d", "d", "j"])
    assert parts[0][0].text == "g" and parts[0][0].tail == "h" and parts[2].get("k") == "é"
    path.write_text(f"<!--{' ' * 20_000}-->\n<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")
    with pytest.raises(LabelError, match="declares entities"):
        list(xml_parts(path))
    path.write_text("<a><b/><c></a>")
    with pytest.raises(LabelError, match="not valid XML"):
        list(xml_parts(path))


def test_an_entry_without_an_end_is_not_read_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hupai.label.formats.json_list._READ_CHARACTERS", 10)
    monkeypatch.setattr("hupai.label.formats.json_list.MAX_ENTRY_CHARACTERS", 100)
    file = io.StringIO('["' + 10_000 * "a" + '"]')
    with pytest.raises(ValueError, match="Unterminated string"):
        list(entries(file))
    assert file.tell() < 500


@pytest.mark.slow
def test_an_export_that_breaks_off_writes_nothing(tmp_path: Path) -> None:
    write(tmp_path / "in", 8)
    export = tmp_path / "in" / "export.json"
    export.write_text(export.read_text()[:-40])
    with pytest.raises(LabelError, match="is not valid JSON"):
        read_labels(export)
    status, _, told = hupai("labels", "import", export, "--out", tmp_path / "out")
    assert status == 2 and "export.json is not valid JSON" in " ".join(told.split()) and not (tmp_path / "out").exists()


def test_sizes_and_partners_of_many_pictures_are_found_without_going_through_all() -> None:
    """Work is counted in steps of the database's machine: it would be quadratic if an index were passed over."""

    def steps(count: int) -> int:
        done = 0

        def step() -> None:
            nonlocal done
            done += 1

        with RecordStore() as store:
            # Half of the names end alike, so that nothing but the whole name tells them apart.
            names = [f"{i}/{i if i % 2 else 'frame'}.jpg" for i in range(count)]
            store.add(B, (Record(f"base/{n}", 640, 480) for n in names), "read")
            store.add(A, (Record(f"tool/{n}", 640, 480) for n in names), "given")
            store._db.set_progress_handler(step, 100)
            sizes = store.sizes(B)
            assert all(sizes.get(str(i)) == (f"base/{i}/{i}.jpg", 640, 480) for i in range(1, count, 2))
            assert sizes.get("nothing") is None and sizes.get("frame") is None
            assert sum(read is not None for _, read in store.pairs()) == count // 2
        return done

    assert steps(4000) < 6 * steps(1000)


@pytest.mark.parametrize("name", ["{outside}/a.jpg", "../../../outside/a.jpg"])
def test_no_name_of_a_picture_leads_out_of_the_new_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    given = {
        "images": [{"id": 1, "file_name": name.format(outside=tmp_path / "outside"), "width": 640, "height": 480}],
        "categories": [{"id": 1, "name": "5m"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 30]}],
    }
    (tmp_path / "coco.json").write_text(json.dumps(given))
    made = "yolo,voc,labelme,annotations"
    status, _, told = hupai(
        "labels", "import", tmp_path / "coco.json", "--out", tmp_path / "new" / "in", "--format", made
    )
    assert status == 0, told
    assert not any((tmp_path / "outside").iterdir())
    assert {p.name for p in tmp_path.iterdir()} == {"outside", "coco.json", "new"}
    assert {p.suffix for p in (tmp_path / "new" / "in").rglob("a.*")} == {".txt", ".xml", ".json"}
    assert read_labels(tmp_path / "new" / "in")[0].image.endswith("outside/a.jpg")


def test_corrections_are_not_laid_over_another_photo_that_took_the_name(tmp_path: Path) -> None:
    for name, sha256 in (("said", "aa" * 32), ("read", "bb" * 32)):
        (tmp_path / f"{name}.jsonl").write_text(Record("a.jpg", 640, 480, boxes(3), sha256).to_line() + "\n")
    where = ("--base", tmp_path / "read.jsonl", "--out", tmp_path / "new")
    status, stdout, told = hupai("labels", "import", tmp_path / "said.jsonl", *where)
    assert status == 0, told
    assert f"; not in {tmp_path / 'read.jsonl'}: 1 picture;" in stdout
    assert read_labels(tmp_path / "new")[0].sha256 == "aa" * 32
