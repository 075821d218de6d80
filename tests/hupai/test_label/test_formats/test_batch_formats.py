"""Every label format, opened by its own reader and by ours, gives the same boxes back within a pixel."""

from __future__ import annotations

import csv
import html
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
import yaml

from hupai.label.classes import CODES
from hupai.label.formats import BY_NAME, FORMATS, LabelError, Target, detect_format, parse_formats, read_labels
from hupai.label.formats.base import Stems, clip_corners
from hupai.label.provenance import Provenance
from hupai.label.records import Box, Record
from scoring.errors import HupaiError, InvalidRequest
from scoring.tiles import TILES
from tests.hupai import in_process

SIZES = ((640, 480), (333, 517), (4000, 3000))
TOOLS = {
    "pycocotools": "pycocotools", "supervision_coco": "supervision", "supervision_obb": "supervision",
    "supervision_voc": "supervision", "labelstudio_schema": "label_studio_sdk",
}  # fmt: skip


def random_records(seed=0):
    rng = np.random.default_rng(seed)
    records = []
    for i, (w, h) in enumerate(SIZES):
        boxes = []
        for _ in range(int(rng.integers(10, 30))):
            centre = rng.uniform([0, 0], [w, h])
            size = rng.uniform(0.03, 0.08) * min(w, h) * np.array([1, 1.4])
            angle = rng.uniform(0, 2 * np.pi)
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            corners = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2) @ turn.T + centre
            a, b, c, d = (tuple(round(float(v), 1) for v in p) for p in corners)
            one, two = rng.choice(len(TILES), 2, replace=False)
            confidence = round(float(rng.uniform(0.4, 1)), 4)
            boxes.append(Box(TILES[one], (a, b, c, d), confidence, ((TILES[two], 0.01),), 0.9))
        name = f"table {i}/IMG_{i}.jpg" if i else f"IMG_{i}.jpg"
        models = {"detector": "0" * 12, "classifier": "1" * 12}
        records.append(Record(name, w, h, tuple(boxes), f"{i:064x}", f"{i:064x}", models))
    records.append(Record("table 1/empty & 空.jpg", 200, 100, (), "f" * 64, "e" * 64, {"detector": "0" * 12}))
    return sorted(records, key=lambda r: r.image)


RECORDS = random_records()


def write(folder: Path, records=RECORDS, formats=tuple(BY_NAME), **target) -> Path:
    folder.mkdir(exist_ok=True)
    for name in formats:
        writer = BY_NAME[name].write(Target(folder, **target))
        for record in records:
            writer.add(record)
        writer.close()
    return folder


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return write(tmp_path_factory.mktemp("labels"))


def expected(record):
    out = []
    for box in record.boxes:
        corners = np.array(clip_corners(box.corners, record.width, record.height))
        out.append([box.tile.code, *corners.min(axis=0), *corners.max(axis=0)])
    return out


def assert_same(found, records=RECORDS, within=1.0):
    """Every picture's boxes, in order."""
    for record in records:
        got, want = found[record.image], expected(record)
        assert [g[0] for g in got] == [w[0] for w in want], record.image
        apart = np.abs(np.array([g[1:] for g in got]).reshape(-1, 4) - np.array([w[1:] for w in want]).reshape(-1, 4))
        assert apart.max(initial=0) <= within, (record.image, apart.max())


def reader_python(package):
    """An interpreter that has the package: this one, or that of ``HUPAI_READERS``."""
    for python in filter(None, (sys.executable, os.environ.get("HUPAI_READERS"))):
        if subprocess.run([python, "-c", f"import {package}"], capture_output=True, check=False).returncode == 0:
            return python
    pytest.skip(f"{package} is not installed (HUPAI_READERS may name the Python of an environment that has it)")


@pytest.mark.parametrize("tool", TOOLS)
def test_each_format_opens_in_its_own_tool_with_the_same_boxes(tool, tmp_path):
    python = reader_python(TOOLS[tool])
    # Tools other than pycocotools look for pictures in one flat folder.
    records = [r for r in RECORDS if "/" not in r.image or tool in ("pycocotools", "labelstudio_schema")]
    folder, images = write(tmp_path / "labels", records), tmp_path / "images"
    images.mkdir()
    for r in records:
        if "/" not in r.image:
            cv2.imwrite(str(images / r.image), np.zeros((r.height, r.width, 3), np.uint8))
    script = Path(__file__).parent / "label_readers.py"
    done = subprocess.run(
        [python, str(script), tool, str(folder), str(images)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert_same(json.loads(done.stdout.splitlines()[-1]), records)


def plain_yolo(folder):
    """YOLO labels as a training tool reads them: class, then shares of the picture's size."""
    names = yaml.safe_load((folder / "data.yaml").read_text())["names"]
    assert names == dict(enumerate(CODES))
    found = {}
    for record in RECORDS:
        lines = (folder / "labels" / record.image).with_suffix(".txt").read_text().splitlines()
        rows = []
        for line in lines:
            label, *values = line.split()
            v = np.array(values, float)
            assert (v >= 0).all() and (v <= 1).all()
            if len(v) == 4:
                low, high = v[:2] - v[2:] / 2, v[:2] + v[2:] / 2
            else:
                corners = v.reshape(4, 2)
                low, high = corners.min(axis=0), corners.max(axis=0)
            size = [record.width, record.height]
            rows.append([names[int(label)], *(low * size), *(high * size)])
        found[record.image] = rows
    return found


@pytest.mark.parametrize("name", ["yolo", "yolo-obb"])
def test_yolo_opens_in_a_plain_parser(written, name):
    assert_same(plain_yolo(written / name), within=0.05)


@pytest.mark.parametrize("format_", FORMATS, ids=lambda each: each.name)
def test_what_we_write_we_recognise_and_read(written, format_):
    path = written / format_.files[0]
    detected = detect_format(path)
    assert detected is format_ or (format_.sniff is None and detected.read is format_.read)
    sizes = {r.image.rpartition(".")[0]: (r.image, r.width, r.height) for r in RECORDS}
    records = read_labels(path, sizes=sizes)
    assert records == read_labels(path, format_.name, sizes=sizes)
    assert [r.image for r in records] == [r.image for r in RECORDS]
    for got, want in zip(records, RECORDS, strict=True):
        assert (got.width, got.height) == (want.width, want.height)
    whole_pixels = format_.name == "voc"
    assert_same({r.image: expected(r) for r in records}, within=1.0 if whole_pixels else 0.1)


@pytest.mark.parametrize("path", ["coco.json", "labels.csv", "voc"])
def test_formats_with_corners_keep_the_way_a_tile_is_turned(written, path):
    for got, want in zip(read_labels(written / path), RECORDS, strict=True):
        for a, b in zip(got.boxes, want.boxes, strict=True):
            assert np.abs(np.array(a.corners) - np.array(b.corners)).max() <= 0.01
            assert (a.confidence, a.tile) == (b.confidence, b.tile)


@pytest.mark.parametrize("path", ["labels.jsonl", "labels.parquet"])
def test_records_come_back_to_the_last_bit(tmp_path, path):
    if path == "labels.parquet":
        pytest.importorskip("pyarrow")
    first, *others = RECORDS
    boxes = tuple(replace(box, role="concealed", group=0) for box in first.boxes)
    hand = {"hand": None, "doubts": [], "repairs": []}
    records = [replace(first, boxes=boxes, hand=hand, ignored=((1, 2, 3, 4.5), (5, 6, 7, 8))), *others]
    assert read_labels(write(tmp_path, records, (path.partition(".")[2],)) / path) == records


def test_every_box_has_confidence_alternatives_and_model(written):
    a = json.loads((written / "coco.json").read_text())["annotations"][0]
    box = RECORDS[0].boxes[0]
    alternatives = [[t.code, p] for t, p in box.alternatives]
    assert (a["score"], a["alternatives"], a["model"]) == (box.confidence, alternatives, RECORDS[0].model)
    task = json.loads((written / "labelstudio.json").read_text())[0]["predictions"][0]
    assert task["model_version"] == RECORDS[0].model
    assert task["score"] == min(b.confidence for b in RECORDS[0].boxes)
    assert task["result"][0]["score"] == box.confidence
    head, row = (written / "labels.csv").read_text().splitlines()[:2]
    cells = dict(zip(head.split(","), row.split(","), strict=True))
    assert (cells["confidence"], cells["model"]) == (str(box.confidence), RECORDS[0].model)
    assert box.alternatives[0][0].code in cells["alternatives"]
    voc = (written / "voc" / "Annotations" / "IMG_0.xml").read_text()
    assert f"<confidence>{box.confidence}</confidence>" in voc and RECORDS[0].model in voc


def test_a_box_of_coco_has_the_area_of_its_sides(tmp_path):
    folder = write(tmp_path / "labels", formats=("coco",), boxes=True)
    for one in json.loads((folder / "coco.json").read_text())["annotations"]:
        assert one["area"] == pytest.approx(one["bbox"][2] * one["bbox"][3], rel=1e-3)


@pytest.mark.parametrize("format_", FORMATS, ids=lambda each: each.name)
def test_every_format_says_what_made_it(tmp_path, format_):
    made = Provenance({"hands": True, "rules": "riichi", "min_confidence": 0.3}, (RECORDS[0].model,), "9.8.7")
    folder = write(tmp_path / "l", RECORDS[:1], (format_.name,), made=made)
    told = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file()).decode(errors="replace")
    told = html.unescape(told).replace('\\"', '"').replace('""', '"').replace(" ", "")
    for want in ("9.8.7", '"hands":true', '"rules":"riichi"', '"min_confidence":0.3', RECORDS[0].models["classifier"]):
        assert want in told, want


def test_what_made_labels_that_others_wrote_stays_a_comment(tmp_path):
    """Programs run what stands under ``download`` in a data.yaml."""
    made = Provenance({"rename": ["\u2028\x7f\ufffe=1m"]}, ("classifier-1\ndownload: import os",), "9.8.7")
    folder = write(tmp_path / "l", made=made)
    plain = yaml.safe_load((write(tmp_path / "plain") / "yolo" / "data.yaml").read_text())
    assert yaml.safe_load((folder / "yolo" / "data.yaml").read_text()) == plain
    told = ElementTree.parse(folder / "voc" / "Annotations" / "IMG_0.xml").findtext("source/annotation")
    assert told == 'hupai 9.8.7 classifier-1?download: import os {"rename":["???=1m"]}'


def test_trainers_find_the_yolo_labels_of_pictures_in_folders_called_images_or_labels(tmp_path):
    """Ultralytics takes the last folder ``images`` of a picture's path for the one beside ``labels``."""
    names = ["a.jpg", "images/a.jpg", "images/labels/b.jpg", "labels/a.jpg", "x/images/c.jpg", "x/images/images/d.jpg"]
    records = [Record(name, 640, 480, RECORDS[0].boxes[:1]) for name in names]
    folder = write(tmp_path / "l", records, ("yolo",)) / "yolo"
    listed = [line for part in ("train", "val") for line in (folder / f"{part}.txt").read_text().split()]
    for line in listed:
        path = "/labels/".join(str(folder / line).rsplit("/images/", 1)).rsplit(".", 1)[0] + ".txt"
        assert Path(path).is_file(), line
    assert len(set(listed)) == len(names)
    sizes = {name.removesuffix(".jpg"): (name, 640, 480) for name in names}
    assert [r.image for r in read_labels(folder, sizes=sizes)] == names


def test_pictures_that_differ_only_in_their_suffix_get_files_of_their_own(tmp_path):
    records = [Record(n, 10, 10) for n in sorted(("a/x.jpg", "a/x.png", "a/x_png.jpg", "b/x.jpg", "noend"))]
    write(tmp_path / "l", records, ("yolo", "voc", "annotations", "labelme"))
    tools = (("yolo/labels", ".txt"), ("voc/Annotations", ".xml"), ("annotations", ".json"), ("labelme", ".json"))
    for name, suffix in tools:
        assert len(list((tmp_path / "l" / name).rglob(f"*{suffix}"))) == len(records)
    stems = Stems()
    assert [stems.of(r.image) for r in records] == ["a/x", "a/x_png", "a/x_png_jpg", "b/x", "noend"]


def test_readers_of_voc_find_labels_and_pictures_by_the_lists(tmp_path):
    """As torchvision does: a line of a list names the files in both other folders."""
    placed = []
    folder = write(tmp_path / "l", formats=("voc",), place_picture=lambda name, path: placed.append((name, path)))
    voc = folder / "voc"
    lists = [(voc / "ImageSets" / "Main" / f"{part}.txt").read_text().splitlines() for part in ("train", "val")]
    assert all(lists) and sorted(lists[0] + lists[1]) == sorted(r.image.rpartition(".")[0] for r in RECORDS)
    for name in (*lists[0], *lists[1]):
        root = ElementTree.parse(voc / "Annotations" / f"{name}.xml").getroot()
        assert (root.findtext("path"), voc / "JPEGImages" / f"{name}.jpg") in placed


def test_names_that_a_spreadsheet_would_run_are_made_harmless(tmp_path):
    records = [Record('=cmd|" /C calc"!A0.jpg', 640, 480, RECORDS[0].boxes[:1])]
    write(tmp_path / "l", records, ("csv",))
    assert '"./=cmd' in (tmp_path / "l" / "labels.csv").read_text()
    assert read_labels(tmp_path / "l" / "labels.csv")[0].image == records[0].image


def test_csv_as_a_spreadsheet_in_europe_saves_it_is_read(tmp_path):
    """Semicolons between cells, commas in numbers; a comma in a name stays."""
    records = [replace(r, image=f"a,{r.image}") for r in RECORDS]
    path = write(tmp_path / "l", records, ("csv",)) / "labels.csv"
    with path.open(newline="") as file:
        head, *rows = csv.reader(file)
    numbers = {head.index(c) for c in ("confidence", "x0", "y0", "x1", "y1", "x2", "y2", "x3", "y3", "located")}
    with (tmp_path / "e.csv").open("w", newline="", encoding="utf-8-sig") as file:
        for row in [head, *rows]:
            cells = [cell.replace(".", ",") if i in numbers else cell for i, cell in enumerate(row)]
            csv.writer(file, delimiter=";").writerow(cells)
    assert read_labels(tmp_path / "e.csv") == read_labels(path)


def test_names_with_line_breaks_come_back_from_csv(tmp_path):
    names = ["a\nb.jpg", "c\rd.jpg", "e\r\nf.jpg", "g\u2028h.jpg", "i\x0bj.jpg"]
    write(tmp_path / "l", [Record(name, 640, 480, RECORDS[0].boxes) for name in names], ("csv",))
    assert [r.image for r in read_labels(tmp_path / "l" / "labels.csv")] == names


@pytest.mark.parametrize(("row", "cell"), [(2, "640"), (2, "5"), (3, "5"), (4, "640"), (4, "5")])
def test_the_invalid_row_of_a_csv_file_is_named(tmp_path, row, cell):
    """As a spreadsheet counts: the names of the columns are row 1. Two rows of one picture, one of another."""
    lines = ["image,width,height,tile,x0,y0,x1,y1,x2,y2,x3,y3"]
    lines += [f"{image}.jpg,640,480,1m,5,0,9,0,9,9,0,9" for image in "aab"]
    lines[row - 1] = lines[row - 1].replace(f",{cell},", ",wide,")
    (tmp_path / "labels.csv").write_text("\n".join(lines))
    with pytest.raises(LabelError, match=f"row {row} is invalid .*'wide'"):
        read_labels(tmp_path / "labels.csv")


def test_label_studio_addresses_are_quoted_and_can_be_chosen(tmp_path):
    write(tmp_path / "l", formats=("labelstudio",), image_url="http://host/photos/")
    urls = [t["data"]["image"] for t in json.loads((tmp_path / "l" / "labelstudio.json").read_text())]
    assert "http://host/photos/table%201/empty%20%26%20%E7%A9%BA.jpg" in urls


def test_formats_are_named_or_refused():
    assert parse_formats("coco, CSV,coco") == ("coco", "csv")
    with pytest.raises(InvalidRequest, match="no format tfrecord: give one or more of coco"):
        parse_formats("coco,tfrecord")
    with pytest.raises(InvalidRequest):
        parse_formats(",")


@pytest.mark.parametrize("name", BY_NAME)
def test_a_format_writes_the_files_that_it_names_and_no_others(name, tmp_path):
    format_ = BY_NAME[name]
    if format_.package:
        pytest.importorskip(format_.package)
    write(tmp_path, formats=(name,))
    assert {path.name for path in tmp_path.iterdir()} == set(format_.files)


@pytest.mark.parametrize("command", [("label",), ("labels", "import"), ("labels", "split")])
def test_the_help_of_the_commands_lists_every_format(command):
    status, said, _ = in_process.hupai(*command, "--help")
    assert status == 0 and all(name in said for name in BY_NAME)


@pytest.mark.parametrize(
    "change", [{"name": "Two words"}, {"files": ()}, {"files": ("a/b.txt",)}, {"description": "A sentence."}]
)
def test_a_faulty_format_is_refused_when_it_is_made(change):
    with pytest.raises(ValueError, match=r"format|files|description"):
        replace(FORMATS[0], **change)


def test_a_format_whose_package_is_missing_is_refused_before_anything_is_read(monkeypatch):
    monkeypatch.setitem(BY_NAME, "coco", replace(FORMATS[0], package="no_such_package"))
    with pytest.raises(HupaiError) as told:
        parse_formats("coco")
    assert told.value.code == "not_installed" and "pip install no_such_package" in told.value.message


# What other tools write.


def test_what_people_drew_in_x_anylabeling_comes_back(tmp_path):
    def shape(label, points, kind="polygon", **more):
        return {"label": label, "points": points, "shape_type": kind, "flags": {}, "score": None, **more}

    given = {
        "version": "2.4.4", "flags": {}, "imagePath": "IMG 1.jpg", "imageData": None,
        "imageHeight": 100, "imageWidth": 200,
        "shapes": [
            shape("1m", [[1, 2], [11, 2], [11, 22], [1, 22]], "rotation", direction=0.3),
            shape("2m", [[40, 60], [30, 40]], "rectangle"),  # labelme's, drawn from below
            shape("3m", [[50, 1], [60, 1], [60, 21], [50, 21]], "rectangle"),  # X-AnyLabeling's
            shape("4m", [[70, 1], [75, 1], [80, 1], [80, 21], [70, 21]]),
        ],
    }  # fmt: skip
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "IMG 1.json").write_text(json.dumps(given))
    (record,) = read_labels(tmp_path)
    assert (record.image, record.width, record.height) == ("sub/IMG 1.jpg", 200, 100)
    assert [b.tile.code for b in record.boxes] == ["1m", "2m", "3m", "4m"]
    assert record.boxes[1].corners == ((30, 40), (40, 40), (40, 60), (30, 60))
    assert {b.origin for b in record.boxes} == {"corrected"}
    (alone,) = read_labels(tmp_path / "sub" / "IMG 1.json")
    assert alone.image == "IMG 1.jpg"
    given["shapes"].append(shape("5m", [[1, 1], [2, 2]], "circle"))
    (tmp_path / "sub" / "IMG 1.json").write_text(json.dumps(given))
    with pytest.raises(LabelError, match="a 'circle', where tiles are polygons"):
        read_labels(tmp_path)


LABEL_STUDIO = [
    {
        "id": 7,
        "data": {"image": "/data/upload/1/1a2b3c4d-hand.jpg"},
        "annotations": [
            {"id": 1, "was_cancelled": True, "updated_at": "2026-05-09", "result": []},
            {
                "id": 2,
                "updated_at": "2026-05-02",
                "result": [
                    {
                        "type": "rectanglelabels", "original_width": 200, "original_height": 100,
                        "value": {"x": 50, "y": 20, "width": 10, "height": 40, "rotation": 90,
                                  "rectanglelabels": ["bamboo 5"]},
                    },
                    {
                        "type": "polygonlabels", "original_width": 200, "original_height": 100,
                        "value": {"points": [[0, 0], [10, 0], [10, 50], [0, 50]], "polygonlabels": ["east"]},
                    },
                ],
            },
            {"id": 3, "updated_at": "2026-05-01", "result": []},
        ],
    },
    {"id": 8, "data": {"image": "s3://b/skipped.jpg"}, "annotations": [{"id": 4, "was_cancelled": True, "result": []}]},
]  # fmt: skip


def test_a_label_studio_export_of_rectangles_and_skipped_tasks(tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(LABEL_STUDIO))
    rename = {"bamboo 5": "5s", "east": "1z"}
    (record,) = read_labels(path, rename=lambda n: rename.get(n, n))
    assert record.image == "1a2b3c4d-hand.jpg" and (record.width, record.height) == (200, 100)
    turned, plain = record.boxes
    # 20 x 40 pixels at (100, 20), turned clockwise by a quarter about that corner.
    assert np.allclose(turned.corners, [(100, 20), (100, 40), (60, 40), (60, 20)])
    assert plain.bounds == (0, 0, 20, 50) and plain.tile.code == "1z" and plain.origin == "corrected"


def test_unknown_labels_are_named_all_at_once_and_can_be_left_out(tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(LABEL_STUDIO))
    told = r"'bamboo 5' \(1 box\) is not a tile; 'east' \(1 box\).*--rename 'bamboo 5'=5m"
    with pytest.raises(LabelError, match=told):
        read_labels(path)
    (record,) = read_labels(path, rename=lambda n: "" if n == "east" else "5s")
    assert [b.tile.code for b in record.boxes] == ["5s"]


CVAT = """<?xml version="1.0" encoding="utf-8"?>
<annotations><version>1.1</version>
<image id="0" name="a/hand.jpg" width="200" height="100">
<box label="5s" source="manual" occluded="0" xtl="90" ytl="10" xbr="110" ybr="50" rotation="90" z_order="0"></box>
<polygon label="1z" points="0,0;10.5,0;10.5,20;0,20" z_order="0"></polygon>
</image><image id="1" name="none.jpg" width="200" height="100"></image></annotations>"""


def test_cvat_xml_with_turned_boxes(tmp_path):
    path = tmp_path / "cvat.xml"
    path.write_text(CVAT)
    assert detect_format(path).name == "cvat"
    hand, none = read_labels(path)
    assert np.allclose(sorted(hand.boxes[0].corners), sorted([(120, 20), (120, 40), (80, 40), (80, 20)]))
    assert hand.boxes[1].corners == ((0, 0), (10.5, 0), (10.5, 20), (0, 20))
    assert none.boxes == ()


def test_cvat_coco_with_turned_boxes_and_crowds(tmp_path):
    path = tmp_path / "instances_default.json"
    box = {"image_id": 1, "category_id": 3, "bbox": [90, 10, 20, 40], "segmentation": [], "iscrowd": 0}
    path.write_text(
        json.dumps(
            {
                "images": [{"id": 1, "file_name": "hand.jpg", "width": 200, "height": 100}],
                "categories": [{"id": 3, "name": "5s"}],
                "annotations": [box | {"attributes": {"rotation": 90.0}}, box, box | {"iscrowd": 1}],
            }
        )
    )
    (record,) = read_labels(path)
    assert [tuple(np.round(b.bounds)) for b in record.boxes] == [(80, 20, 120, 40), (90, 10, 110, 50)]


def test_yolo_as_label_studio_and_cvat_export_it(tmp_path):
    for names, folder in (("classes.txt", "labels"), ("obj.names", "obj_train_data"), ("data.yaml", "labels/train")):
        place = tmp_path / names
        (place / folder).mkdir(parents=True)
        (place / names).write_text("names: [1m, 5s]\n" if names == "data.yaml" else "1m\n5s\n")
        (place / "train.txt").write_text("data/obj_train_data/hand.jpg\n")
        (place / folder / "hand.txt").write_text("1 0.5 0.5 0.1 0.4 0.87\n")
        key = "train/hand" if names == "data.yaml" else "hand"
        (record,) = read_labels(place, sizes={key: ("hand.jpg", 200, 100)})
        assert record.boxes[0].bounds == pytest.approx((90, 30, 110, 70))
        assert (record.boxes[0].confidence, record.boxes[0].tile.code) == (0.87, "5s")


def test_faults_in_yolo_files_are_told_together(tmp_path):
    (tmp_path / "labels").mkdir()
    (tmp_path / "classes.txt").write_text("1m\n")
    (tmp_path / "labels" / "a.txt").write_text("0 0.5 0.5 0.1\n7 0.5 0.5 0.1 0.1\n0 nan 0 0 0\n")
    (tmp_path / "labels" / "b.txt").write_text("")
    with pytest.raises(LabelError) as told:
        read_labels(tmp_path, sizes={"a": ("a.jpg", 10, 10)})
    assert [f.message.split(":")[0] for f in told.value.faults] == [
        "a.txt, line 1",
        "a.txt, line 2",
        "a.txt, line 3",
        "b.txt",
    ]
    assert "--images" in told.value.message


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("x.json", "{", "not valid JSON"),
        ("x.json", '{"images": [], "annotations": []}', "'categories' is missing"),
        ("x.json", '{"a": 1}', "in no format that can be read"),
        ("x.json", '[{"data": {}}]', "no task that was submitted"),
        ("x.json", '[{"image_id": 1, "category_id": 1}]', "is a list of COCO results"),
        ("x.json", '[{"data": {}, "annotations": [{"result": [{"type": "polygonlabels"}]}]}]', "original_width"),
        ("x.xml", "<annotations><image/></annotations>", "'name' is missing"),
        ("x.xml", '<!DOCTYPE a [<!ENTITY b "c">]><annotations/>', "declares entities"),
        ("x.xml", "<a", "not valid XML"),
        ("x.csv", "image,width\n", "lacks the columns height"),
        ("x.csv", "x" * 200_000, "field larger than field limit"),
        ("x.csv", "x" * 50_000 + "\udcff", "not a text file .* at byte 50000"),
        ("x.jsonl", '{"image": "a"}\n', "line 1: .*'width' is missing"),
        ("x.bmp", "x", "in no format"),
        ("missing.json", None, "There is no file"),
    ],
)
def test_files_that_make_no_sense_are_refused_in_words(tmp_path, name, text, told):
    path = tmp_path / name
    if text is not None:
        path.write_text(text, errors="surrogateescape")
    with pytest.raises(LabelError, match=told):
        read_labels(path)


@pytest.mark.parametrize(("made", "name"), [("coco.json", "_annotations.coco.json"), ("cvat.xml", "annotations.xml")])
def test_a_folder_with_one_file_for_all_pictures_says_to_name_that_file(written, tmp_path, made, name):
    """As archives of Roboflow and CVAT are unpacked."""
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / name).write_bytes((written / made).read_bytes())
    with pytest.raises(LabelError, match=f"If {tmp_path}/train/{name} holds them all, name that file"):
        read_labels(tmp_path)
    (tmp_path / "train" / "z.json").write_bytes((written / "labelme" / "IMG_0.json").read_bytes())
    assert detect_format(tmp_path).name == "labelme"


@pytest.mark.parametrize("kind", ["coco", "cvat", "yolo", "voc"])
@pytest.mark.parametrize("named", [True, False])
def test_an_archive_is_to_be_unpacked(written, tmp_path, kind, named):
    """As CVAT, Roboflow and Label Studio hand labels out."""
    file = BY_NAME[kind].files[0]
    archive = shutil.make_archive(str(tmp_path / "export"), "zip", written, file)
    with pytest.raises(LabelError, match=r"export.zip is an archive: unpack it, and name the folder, or the file"):
        read_labels(Path(archive), kind if named else None)


@pytest.mark.parametrize(("name", "path"), [("voc", "voc"), ("cvat", "cvat.xml")])
def test_xml_holds_every_name_that_it_can_and_is_xml_with_any(tmp_path, name, path):
    given = ['a\x07<&>".jpg', "b\ufffe\uffff.jpg", "c\x1f\r.jpg", "d\n\t\x85\u2028\U0001f004.jpg"]
    write(tmp_path / "l", [Record(image, 640, 480, RECORDS[0].boxes[:1]) for image in given], (name,))
    names = ['a\ufffd<&>".jpg', "b\ufffd\ufffd.jpg", "c\ufffd\ufffd.jpg", given[3]]
    assert [r.image for r in read_labels(tmp_path / "l" / path)] == names
