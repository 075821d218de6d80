"""Other people's classes, on the way out and in; and the lists of pictures that trainers read."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from hupai.label.classes import ALL, PRESETS, parse_classes
from hupai.label.formats import BY_NAME, LabelError, read_labels
from hupai.label.records import Box, Record
from scoring.errors import InvalidRequest
from scoring.tiles import TILES, tile
from tests.hupai.test_label.batch_photos import hupai, merge, submit
from tests.hupai.test_label.test_formats.test_batch_formats import RECORDS, write

HAND = Record(
    "a.jpg", 640, 480,
    tuple(
        Box(tile(code), ((x, 10), (x + 20, 10), (x + 20, 40), (x, 40)), 0.9)
        for x, code in zip(range(10, 600, 30), ("5s", "0s", "1z", "f2", "g4", "a1", "back"), strict=False)
    ),
)  # fmt: skip


@pytest.mark.parametrize(("name", "count"), [("34", 34), ("37", 37), ("42", 42), ("camerash", 42), ("jonchan", 42)])
def test_presets_have_as_many_classes_as_they_say_and_no_tile_twice(name, count):
    classes = parse_classes(name)
    assert len(classes.names) == count == len(set(classes.names))
    assert set(classes.numbers) <= {t.code for t in TILES}
    assert ("0s" in classes.numbers) and (classes.same_class(tile("5s"), tile("0s")) == (name != "37"))


def test_well_known_sets_have_their_own_names_and_order():
    camerash, jonchan = PRESETS["camerash"], PRESETS["jonchan"]
    assert camerash.names[0] == "dots-1" and camerash.names.index("honors-red") == 31
    assert camerash.names[-1] == "bonus-bamboo" and camerash.to_notation("bonus-winter") == "g4"
    assert jonchan.names[:6] == ("1B", "1C", "1D", "1F", "1S", "2B") and jonchan.names[-7:] == (
        "EW", "GD", "NW", "RD", "SW", "WD", "WW",
    )  # fmt: skip
    assert [jonchan.to_notation(n) for n in ("5B", "3F", "WD")] == ["5s", "f3", "5z"]


@pytest.mark.parametrize("kind", ["coco", "yolo", "yolo-obb", "labelstudio", "voc", "cvat"])
def test_labels_go_out_and_come_back_under_other_names(tmp_path, kind):
    classes = parse_classes("camerash")
    folder = write(tmp_path / "out", [HAND], (kind,), classes=classes)
    path = BY_NAME[kind].files[0]
    sizes = {"a": ("a.jpg", 640, 480)}
    with pytest.raises(LabelError, match="bamboo-5"):
        read_labels(folder / path, sizes=sizes)
    (back,) = read_labels(folder / path, rename=classes.to_notation, sizes=sizes)
    assert [b.tile.code for b in back.boxes] == ["5s", "5s", "1z", "f2", "g4"]
    merged, changes = merge([back], [HAND], classes)
    # What the classes do not tell apart or leave out was let stand by whoever saw only them.
    assert (changes.confirmed, changes.renamed, changes.removed) == (5, 0, 0)
    assert sorted(b.tile.code for b in merged[0].boxes) == sorted(b.tile.code for b in HAND.boxes)


OWN = "any honour: 1z 2z 3z 4z 5z 6z 7z\nred five: 0s\n5s\nflower: f2 f1 f3 f4\n"


@pytest.mark.parametrize("kind", [name for name, each in BY_NAME.items() if not each.package])
@pytest.mark.parametrize("called", [*PRESETS, OWN])
def test_one_correction_is_one_change_whatever_the_classes(tmp_path, called, kind):
    """The labels that were read say which classes the files beside them are in."""
    if called == OWN:
        (tmp_path / "own").write_text(OWN)
        called = str(tmp_path / "own")
    labels, path = tmp_path / "labels", tmp_path / "labels" / BY_NAME[kind].files[0]
    write(tmp_path / "in", [HAND], ("jsonl",))
    assert hupai("labels", "import", tmp_path / "in", "--out", labels, "--format", kind, "--classes", called)[0] == 0
    classes = ALL if BY_NAME[kind].keeps_notation else parse_classes(called)

    def changes(path: Path, out: str) -> tuple[dict[str, int], Record]:
        done = hupai("labels", "import", path, "--base", labels, "--out", tmp_path / out, "--json")
        assert done[0] == 0 and "--from-classes" not in done[2], done
        (merged,) = read_labels(tmp_path / out)
        told = json.loads(done[1])
        return {key: told[key] for key in ("renamed", "moved", "added", "removed") if told[key]}, merged

    told, same = changes(path, "same")
    assert not told and Counter(b.tile for b in same.boxes) == Counter(b.tile for b in HAND.boxes)
    (given,) = read_labels(path, rename=classes.to_notation, sizes={"a": ("a.jpg", 640, 480)})
    given = replace(given, boxes=tuple(replace(b, origin="corrected") for b in given.boxes))
    for name, first in (("renamed", replace(given.boxes[0], tile=tile(classes.tiles[-1][0]))), ("removed", None)):
        boxes = (*([first] if first else []), *given.boxes[1:])
        made = write(tmp_path / name, [replace(given, boxes=boxes)], (kind,), classes=classes)
        if kind == "labelstudio":
            submit(made / path.name)
        told, merged = changes(made / path.name, f"{name} merged")
        assert told == {name: 1} and len(merged.boxes) == len(HAND.boxes) - (first is None)


def test_a_doubt_is_told_where_nothing_says_which_classes_labels_have(tmp_path):
    """Files with the whole list of their classes need not be doubted; a tool's that names only what is there must."""
    base = write(tmp_path / "base", [HAND], ("jsonl", "voc"))
    made = write(tmp_path / "made", [HAND], ("voc", "coco"), classes=PRESETS["34"])
    call = ("labels", "import", "--base", base, "--json", "--yes", "--out")
    _, told, doubt = hupai(*call, tmp_path / "1", made / "voc")
    assert (json.loads(told)["renamed"], json.loads(told)["removed"]) == (1, 4)
    assert "No label of" in doubt and "0s, a1, back, f2, g4, of which" in doubt and "--from-classes 34:" in doubt
    _, told, doubt = hupai(*call, tmp_path / "2", made / "coco.json")
    assert "No label of" not in doubt and json.loads(told)["confirmed"] == 3
    assert "No label of" not in hupai(*call, tmp_path / "3", base / "voc")[2]


def test_a_tile_that_classes_leave_out_gives_way_to_one_that_is_drawn_there():
    drawn = replace(HAND, boxes=tuple(replace(b, tile=tile("2z"), confidence=None) for b in HAND.boxes[-1:]))
    (merged,), told = merge([drawn], [HAND], PRESETS["34"])
    assert (told.renamed, told.removed, told.added) == (1, 3, 0)
    assert [b.tile.code for b in merged.boxes] == ["f2", "g4", "a1", "2z"]


def test_a_red_five_is_no_other_five_where_a_tool_names_it():
    (merged,), told = merge([replace(HAND, boxes=(replace(HAND.boxes[0], tile=tile("0s")),))], [HAND], PRESETS["34"])
    assert told.renamed == 1 and merged.boxes[-1].tile.code == "0s"


def test_a_file_of_classes_orders_merges_and_renames(tmp_path):
    (tmp_path / "c.txt").write_text(
        "# ours\nwest: 3z\n\nany five : 5m 0m 5p 0p 5s 0s\n1m # as it is\n", encoding="utf-8"
    )
    classes = parse_classes(str(tmp_path / "c.txt"))
    assert classes.names == ("west", "any five", "1m")
    folder = write(tmp_path / "out", [HAND], ("yolo",), classes=classes)
    assert yaml.safe_load((folder / "yolo/data.yaml").read_text())["names"] == {0: "west", 1: "any five", 2: "1m"}
    assert [line[0] for line in (folder / "yolo/labels/a.txt").read_text().splitlines()] == ["1", "1"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1m\n9z\nbamboo: \n", "Line 2: .*9z.* Line 3: no tile"),
        ("a: 1m\nb: 1m\n", "1m appear in two classes"),
        ("1m\n1m\n", "Line 2: 1m is listed twice"),
        ("# nothing\n", "no class"),
        (None, "neither a text file nor one of 50, 34, 37"),
    ],
)
def test_a_file_of_classes_that_makes_no_sense_is_refused(tmp_path, text, told):
    if text is not None:
        (tmp_path / "c.txt").write_text(text)
    with pytest.raises(InvalidRequest, match=told):
        parse_classes(str(tmp_path / "c.txt"))


def test_training_and_validation_lists_share_no_photo_and_every_picture_is_in_one(tmp_path):
    records = [
        replace(HAND, image=f"t{i % 3}/IMG_{i}{version}.jpg") for i in range(60) for version in ("", "_aug1", "-copy")
    ]
    folder = write(tmp_path / "many", records, ("yolo",)) / "yolo"
    train, val = ((folder / f"{part}.txt").read_text().splitlines() for part in ("train", "val"))
    assert sorted(train + val) == sorted(f"./images/{r.image}" for r in records)
    assert 15 <= len(val) <= 60 and len(val) % 3 == 0
    told = yaml.safe_load((folder / "data.yaml").read_text())
    assert (told["train"], told["val"]) == ("train.txt", "val.txt") and "path" not in told
    two = write(tmp_path / "two", [replace(HAND, image=f"{i}.jpg") for i in (1, 2)], ("yolo",)) / "yolo"
    assert {len((two / f"{part}.txt").read_text().splitlines()) for part in ("train", "val")} == {1}


def test_cvat_gets_confidences_and_labels_that_hold_them(tmp_path):
    folder = write(tmp_path / "out", RECORDS, ("cvat",))
    images = ElementTree.parse(folder / "cvat.xml").getroot().findall("image")
    assert [i.get("name") for i in images] == [r.image for r in RECORDS]
    first = images[0].find("polygon/attribute[@name='confidence']")
    assert float(first.text) == RECORDS[0].boxes[0].confidence
    labels = json.loads((folder / "cvat-labels.json").read_text())
    assert [label["name"] for label in labels] == list(ALL.names)
    assert {a["name"] for a in labels[0]["attributes"]} == {"confidence", "alternatives"}


def test_label_studios_export_of_all_tasks_is_read(tmp_path):
    """It has what nobody touched, too, with the numbers of its predictions in place of them."""
    region = {
        "type": "rectanglelabels", "original_width": 200, "original_height": 100,
        "value": {"x": 10, "y": 10, "width": 5, "height": 20, "rotationangle": 0, "rectanglelabels": ["5s"]},
    }  # fmt: skip
    tasks = [
        {"id": 1, "data": {"name": "a.jpg"}, "annotations": [{"id": 1, "result": [region]}], "predictions": [41]},
        {"id": 2, "data": {"name": "b.jpg"}, "annotations": [], "predictions": [42]},
    ]
    path = tmp_path / "all.json"
    path.write_text(json.dumps(tasks))
    assert [r.image for r in read_labels(path)] == ["a.jpg"]
    path.write_text(json.dumps([{**tasks[0], "annotations": [7]}]))
    with pytest.raises(LabelError, match="by number only"):
        read_labels(path)


def test_the_command_tells_presets_apart_from_files_that_are_not_there(tmp_path):
    write(tmp_path / "in", [HAND], ("jsonl",))
    call = ("labels", "import", tmp_path / "in", "--out", tmp_path / "o", "--classes")
    status, _, told = hupai(*call, "35")
    assert status == 2 and "35 is neither" in told
    assert hupai(*call, "jonchan", "--format", "coco")[0] == 0
    given = json.loads((tmp_path / "o" / "coco.json").read_text())
    names = {c["id"]: c["name"] for c in given["categories"]}
    assert [names[a["category_id"]] for a in given["annotations"]] == ["5B", "5B", "EW", "2F", "4S"]
