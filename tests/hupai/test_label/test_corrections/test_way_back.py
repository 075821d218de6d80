"""Labels that other tools give back: read as they were meant, or refused by name; nothing changes silently."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from hupai.label.corrections.record_store import B, RecordStore
from hupai.label.formats import BY_NAME, LabelError, read_labels
from hupai.label.formats.base import upright_corners
from hupai.label.records import Box, Record, record_of_line
from scoring.tiles import tile
from tests.hupai.test_label.batch_photos import UNCHECKED, agreement, hupai, merge
from tests.hupai.test_label.test_formats.test_batch_formats import write

WIDTH, HEIGHT = 200, 100
SIDEWAYS = ((60, 10), (60, 30), (20, 30), (20, 10))
"""Corners of a tile that lies on its left side."""


def flat(points):
    return [v for point in points for v in point]


def coco(folder: Path, *annotations: dict[str, Any], **image: Any) -> Path:
    given = {
        "images": [{"id": 1, "file_name": "a.jpg", "width": WIDTH, "height": HEIGHT} | image],
        "categories": [{"id": 3, "name": "5s"}, {"id": 4, "name": "6s"}],
        "annotations": [{"image_id": 1, "category_id": 3, "bbox": [20, 10, 20, 40]} | a for a in annotations],
    }
    path = folder / "coco.json"
    path.write_text(json.dumps(given))
    return path


def labelme(folder: Path, points, kind="polygon", name="a.jpg", label="5s") -> Path:
    shape = {"label": label, "points": points, "shape_type": kind}
    given = {"imagePath": name, "imageWidth": WIDTH, "imageHeight": HEIGHT, "shapes": [shape]}
    path = folder / "a.json"
    path.write_text(json.dumps(given))
    return path


def voc(folder: Path, points, name="a.jpg") -> Path:
    corners = "".join(f"<x{i}>{x + 1}</x{i}><y{i}>{y + 1}</y{i}>" for i, (x, y) in enumerate(points, 1))
    path = folder / "a.xml"
    path.write_text(
        f"<annotation><filename>{name}</filename><size><width>{WIDTH}</width><height>{HEIGHT}</height></size>"
        f"<object><name>5s</name><bndbox><xmin>21</xmin><ymin>11</ymin><xmax>60</xmax><ymax>30</ymax></bndbox>"
        f"<polygon>{corners}</polygon></object></annotation>"
    )
    return path


def cvat(folder: Path, shape: str, name="a.jpg", more="") -> Path:
    path = folder / "cvat.xml"
    image = f'<image name="{name}" width="{WIDTH}" height="{HEIGHT}">{shape}</image>'
    path.write_text(f"<annotations>{image}{more}</annotations>")
    return path


def cvat_polygon(folder: Path, points, name="a.jpg") -> Path:
    return cvat(folder, f'<polygon label="5s" points="{";".join(f"{x},{y}" for x, y in points)}"/>', name)


def region(kind: str, value: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "r", "type": kind, "original_width": WIDTH, "original_height": HEIGHT, "value": value, **more}


def labelstudio(folder: Path, *regions: dict[str, Any], name="a.jpg") -> Path:
    path = folder / "labelstudio.json"
    path.write_text(json.dumps([{"data": {"name": name}, "annotations": [{"id": 1, "result": list(regions)}]}]))
    return path


def per_cent(points):
    return [[100 * x / WIDTH, 100 * y / HEIGHT] for x, y in points]


def labelstudio_polygon(folder: Path, points, name="a.jpg") -> Path:
    shape = {"points": per_cent(points), "polygonlabels": ["5s"]}
    return labelstudio(folder, region("polygonlabels", shape), name=name)


def coco_polygon(folder: Path, points, name="a.jpg") -> Path:
    return coco(folder, {"segmentation": [flat(points)]}, file_name=name)


def labelme_polygon(folder: Path, points, name="a.jpg") -> Path:
    return labelme(folder, points, name=name)


def yolo_polygon(folder: Path, points, name="a.jpg") -> Path:
    shares = " ".join(str(v) for x, y in points for v in (x / WIDTH, y / HEIGHT))
    (folder / "classes.txt").write_text("1m\n5s\n")
    (folder / "a.txt").write_text(f"1 {shares}\n")
    return folder


POLYGONS = [coco_polygon, labelstudio_polygon, labelme_polygon, voc, cvat_polygon, yolo_polygon]
SIZES = {"a": ("a.jpg", WIDTH, HEIGHT)}


def only_box(path: Path, **how: Any) -> Box:
    (record,) = read_labels(path, **how)
    (box,) = record.boxes
    return box


@pytest.mark.parametrize("write_polygon", POLYGONS)
@pytest.mark.parametrize("order", ["ab5cd", "adcb", "acbd"], ids=["five points", "counter-clockwise", "crossing"])
def test_a_polygon_is_the_tile_that_it_spans_and_lies_as_it_does(tmp_path, write_polygon, order):
    points = dict(zip("abcd5", (*SIDEWAYS, (40, 30)), strict=True))
    box = only_box(write_polygon(tmp_path, [points[name] for name in order]), sizes=SIZES)
    assert np.allclose(box.corners, SIDEWAYS, atol=0.01)


@pytest.mark.parametrize("write_polygon", POLYGONS)
def test_a_tile_that_was_moved_stays_turned_as_it_was(tmp_path, write_polygon):
    """Of a polygon that begins anywhere, or an upright box, the turn nearest to what had been read."""
    read = [Record("a.jpg", WIDTH, HEIGHT, (Box(tile("5s"), SIDEWAYS),))]
    a, b, c, d = [(x + 4, y) for x, y in SIDEWAYS]
    given = [write_polygon(tmp_path, (c, (39, 10), d, a, b)), coco(tmp_path, {"bbox": [24, 10, 40, 20]})]
    for path in given:
        ((merged,), changes) = merge(read_labels(path, sizes=SIZES), read)
        assert changes.moved == 1
        assert np.allclose(merged.boxes[0].corners, (a, b, c, d), atol=0.01)


def test_a_polygon_of_yolo_may_have_any_number_of_points_and_a_confidence(tmp_path):
    (a, b, c, d), folder = SIDEWAYS, tmp_path
    for points in ((a, b, d), (a, (60, 20), b, c, (40, 30), d)):
        yolo_polygon(folder, points)
        assert only_box(folder, sizes=SIZES).confidence is None
        assert np.allclose(only_box(folder, sizes=SIZES).corners, SIDEWAYS, atol=0.01)
        (folder / "a.txt").write_text((folder / "a.txt").read_text().strip() + " 0.87")
        assert only_box(folder, sizes=SIZES).confidence == 0.87
    (folder / "a.txt").write_text("1 0.5 0.5 0.1")
    with pytest.raises(LabelError, match=r"a.txt, line 1: 4 values; 5 are a box, 7 or more a polygon"):
        read_labels(folder, sizes=SIZES)


@pytest.mark.parametrize("kind", ["ellipselabels", "brushlabels", "keypointlabels", "ellipse", "videorectangle"])
def test_regions_of_label_studio_that_are_no_tiles_are_refused(tmp_path, kind):
    with pytest.raises(LabelError, match=f"type {kind}"):
        read_labels(labelstudio(tmp_path, region(kind, {"x": 1, "y": 1, "radiusX": 3, kind: ["5s"]})))


def test_label_studios_shapes_with_labels_apart_are_tiles(tmp_path):
    points = {"points": per_cent(SIDEWAYS)}
    shape, label = region("polygon", points), region("labels", points | {"labels": ["5s"]})
    choice = {"type": "choices", "value": {"choices": ["blurred"]}}
    assert np.allclose(only_box(labelstudio(tmp_path, shape, label, choice)).corners, SIDEWAYS)
    with pytest.raises(LabelError, match="polygon without a label"):
        read_labels(labelstudio(tmp_path, shape))


@pytest.mark.parametrize("shape", ["mask", "ellipse", "polyline", "points", "cuboid", "skeleton"])
def test_shapes_of_cvat_that_are_no_tiles_are_refused(tmp_path, shape):
    with pytest.raises(LabelError, match=f"image a.jpg is invalid .it has the shape {shape}"):
        read_labels(cvat(tmp_path, f'<{shape} label="5s"/>'))


def test_tracks_of_a_video_are_refused(tmp_path):
    with pytest.raises(LabelError, match="tracks"):
        read_labels(cvat(tmp_path, "", more='<track label="5s"/>'))


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (
            lambda folder: labelstudio(folder, region("ellipselabels", {})),
            r"task 7 \(a.jpg\) is invalid .a region of type",
        ),
        (lambda folder: labelstudio(folder, {"type": "labels"}), r"task 7 \(a.jpg\) is invalid .'original_width'"),
        (lambda folder: coco(folder, {"bbox": [1, 2, 3]}), "image a.jpg is invalid .a bbox of 3 numbers"),
        (lambda folder: cvat(folder, '<polygon label="5s" points="1,2;x"/>'), "image a.jpg is invalid .could not"),
    ],
)
def test_a_refusal_names_the_picture(tmp_path, path, told):
    given = path(tmp_path)
    given.write_text(given.read_text().replace('"data"', '"id": 7, "data"'))
    with pytest.raises(LabelError, match=told):
        read_labels(given)


def test_a_task_without_an_id_is_named_by_its_place(tmp_path):
    (tmp_path / "a.json").write_text(
        '[{"data": {"name": "a.jpg"}}, {"data": {"name": "b.jpg"}, "annotations": [7]}, 3]'
    )
    with pytest.raises(LabelError, match=r"task 2 \(b.jpg\) is invalid"):
        read_labels(tmp_path / "a.json")
    (tmp_path / "a.json").write_text('[{"data": {"name": "a.jpg"}}, 3]')
    with pytest.raises(LabelError, match="task 2 of this Label Studio export is invalid"):
        read_labels(tmp_path / "a.json")


def test_an_object_of_pascal_voc_has_edges_as_counted_from_one(tmp_path):
    """From the development kit: the box of the pixels 48 to 195 across and 240 to 371 down, of which the first is 1."""
    (tmp_path / "Annotations").mkdir()
    edges = "<xmin>48</xmin><ymin>240</ymin><xmax>195</xmax><ymax>371</ymax>"
    (tmp_path / "Annotations" / "000001.xml").write_text(
        "<annotation><folder>VOC2007</folder><filename>000001.jpg</filename>"
        "<source><database>The VOC2007 Database</database><annotation>PASCAL VOC2007</annotation></source>"
        "<size><width>353</width><height>500</height><depth>3</depth></size><segmented>0</segmented>"
        f"<object><name>5s</name><truncated>1</truncated><difficult>0</difficult><bndbox>{edges}</bndbox></object>"
        "<object><name>6s</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>353</xmax><ymax>500</ymax></bndbox></object>"
        f"<object><name>7s</name><difficult>1</difficult><bndbox>{edges}</bndbox></object></annotation>"
    )
    (record,) = read_labels(tmp_path)
    assert [(b.tile.code, b.bounds) for b in record.boxes] == [("5s", (47, 239, 195, 371)), ("6s", (0, 0, 353, 500))]
    assert record.ignored == ((47, 239, 195, 371),)


@pytest.mark.parametrize(
    "of_tool",
    [
        "<owner><name>Label Studio</name></owner>",
        "<source><database>https://github.com/CVHub520/X-AnyLabeling</database></source>",
    ],
)
def test_tools_that_count_pixels_from_0_move_no_tile(tmp_path, of_tool):
    """Both cut off decimals: of a width and a place, or of two edges."""
    read = Record("a.jpg", WIDTH, HEIGHT, (Box(tile("5s"), ((30.9, 10.9), (50.8, 12.9), (46.8, 52.8), (26.9, 50.8))),))
    for right, below in ((49, 51), (50, 52)):
        path = voc(tmp_path, SIDEWAYS)
        text = re.sub("<polygon>.*</polygon>", "", path.read_text()).replace("<object>", f"{of_tool}<object>")
        for edge, value in (("xmin", 26), ("ymin", 10), ("xmax", right), ("ymax", below)):
            text = re.sub(rf"<{edge}>\d+", f"<{edge}>{value}", text)
        path.write_text(text)
        ((merged,), changes) = merge(read_labels(path), [read])
        assert (changes.confirmed, merged.boxes[0].corners) == (1, read.boxes[0].corners)
    assert only_box(path).bounds == (26, 10, 51, 53)


def test_crowds_of_coco_are_kept(tmp_path):
    (given,) = read_labels(coco(tmp_path, {"iscrowd": 1}))
    assert given.ignored == ((20, 10, 40, 50),)
    assert record_of_line(given.to_line()) == given
    ((merged,), _) = merge([given], [replace(given, width=2 * WIDTH, height=2 * HEIGHT, ignored=())])
    assert merged.ignored == ((40, 20, 80, 100),)


PLACE = (60.0, 20.0, 80.0, 60.0)


def upright(code: str, x: float) -> Box:
    return Box(tile(code), upright_corners(x, 20, x + 20, 60))


def test_a_tile_of_which_nobody_can_tell_was_not_removed(tmp_path):
    """An object of VOC that is difficult, and a crowd of COCO over several tiles."""
    read = [Record("a.jpg", WIDTH, HEIGHT, (upright("1m", 20), upright("2m", 60), upright("3m", 150)))]
    path = voc(tmp_path, upright_corners(20, 20, 40, 60))
    path.write_text(path.read_text().replace("<bndbox>", "<difficult>1</difficult><bndbox>"))
    ((merged,), changes) = merge(read_labels(path), read)
    assert (changes.unsure, changes.removed, merged.ignored) == (1, 2, ((20, 20, 40, 60),))
    ((merged,), changes) = merge(read_labels(coco(tmp_path, {"iscrowd": 1, "bbox": [10, 10, 80, 60]})), read)
    assert (changes.unsure, changes.removed, merged.boxes) == (2, 1, ())


@pytest.mark.parametrize("name", BY_NAME)
def test_where_nobody_can_tell_comes_back_or_is_told_to_be_missing(tmp_path, name):
    if BY_NAME[name].package:
        pytest.importorskip(BY_NAME[name].package)
    read = [Record("a.jpg", WIDTH, HEIGHT, (upright("1m", 20),), ignored=(PLACE,))]
    base = write(tmp_path / "base", read, ("jsonl",))
    status, _, said = hupai("labels", "import", base, "--out", tmp_path / "l", "--format", name)
    assert status == 0 and ("1 place where nobody can tell" in said) is not BY_NAME[name].holds_ignored
    path = tmp_path / "l" / BY_NAME[name].files[0]
    (alone,) = read_labels(path, name, sizes={"a": ("a.jpg", WIDTH, HEIGHT)})
    assert alone.ignored == ((PLACE,) if BY_NAME[name].holds_ignored else ())
    status, told, _ = hupai("labels", "import", path, "--from", name, "--base", base, "--out", tmp_path / "o", "--json")
    kept = "unchecked" if name in UNCHECKED else "confirmed"
    assert status == 0 and {k: json.loads(told)[k] for k in (kept, "removed", "ignored")} == {
        kept: 1, "removed": 0, "ignored": 1,
    }  # fmt: skip
    assert read_labels(tmp_path / "o")[0].ignored == (PLACE,)


def test_a_tile_drawn_where_nobody_could_tell_takes_the_place(tmp_path):
    read = [Record("a.jpg", WIDTH, HEIGHT, ignored=(PLACE, (150, 20, 170, 60)))]
    ((merged,), changes) = merge([Record("a.jpg", WIDTH, HEIGHT, (upright("1m", 62),))], read)
    assert changes.added == 1 and merged.ignored == ((150, 20, 170, 60),)


def test_where_nobody_can_tell_nothing_is_right_or_wrong():
    tested = [Record("a.jpg", WIDTH, HEIGHT, (upright("1m", 20), upright("2m", 60)))]
    trusted = [Record("a.jpg", WIDTH, HEIGHT, (upright("1m", 20),), ignored=(PLACE,))]
    for one, other in ((tested, trusted), (trusted, tested)):
        told = agreement(one, other)
        assert (told.boxes_a, told.boxes_b, told.matched, told.whole) == (1, 1, 1, 1)


def test_a_tile_of_two_polygons_is_one_tile(tmp_path):
    a, b, c, d = SIDEWAYS
    upper, lower = [a, (60, 18), (20, 18), d], [(60, 22), b, c, (20, 22)]
    box = only_box(coco(tmp_path, {"segmentation": [flat(upper), flat(lower)]}))
    assert np.allclose(box.corners, SIDEWAYS, atol=0.01)


def test_boxes_drawn_from_below_are_meant_as_they_look(tmp_path):
    corners = ((20, 10), (40, 10), (40, 50), (20, 50))
    assert only_box(coco(tmp_path, {"bbox": [40, 50, -20, -40]})).corners == corners
    upwards = {"x": 20, "y": 50, "width": -10, "height": -40, "rectanglelabels": ["5s"]}
    assert np.allclose(only_box(labelstudio(tmp_path, region("rectanglelabels", upwards))).corners, corners)
    assert only_box(cvat(tmp_path, '<box label="5s" xtl="40" ytl="50" xbr="20" ybr="10"/>')).corners == corners


@pytest.mark.parametrize(
    ("boxes", "told"),
    [
        ([[300, 10, 20, 40]], "lies outside"),
        ([[-60, 10, 20, 40]], "lies outside"),
        ([[20, 10, 0, 40]], "has no area"),
        ([[-100, -50, 800, 400]], "larger than the picture"),
        ([[-20, -10, 240, 120]], "larger than the picture"),
        ([[20, 10, 20, 40], [20, 10, 20, 40]], "is there twice"),
    ],
)
def test_boxes_that_cannot_be_true_are_named(tmp_path, boxes, told):
    with pytest.raises(LabelError, match=f"a.jpg: 5s at .*{told}"):
        read_labels(coco(tmp_path, *({"bbox": box} for box in boxes)))


def test_a_model_may_give_one_place_two_classes(tmp_path):
    (record,) = read_labels(coco(tmp_path, {"score": 0.6}, {"score": 0.3, "category_id": 4}))
    assert [b.tile.code for b in record.boxes] == ["5s", "6s"]


def test_all_boxes_that_cannot_be_true_are_counted(tmp_path):
    with pytest.raises(LabelError, match="and 2 more") as refused:
        read_labels(coco(tmp_path, *({"bbox": [300 + i, 10, 20, 40]} for i in range(7))))
    assert len(refused.value.faults) == 7


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (r"C:\photos\table 1\a.jpg", "photos/table 1/a.jpg"),
        (r"table 1\a.jpg", "table 1/a.jpg"),
        (r"\\server\photos\a.jpg", "server/photos/a.jpg"),
        (r"\xff\xfe.jpg", r"\xff\xfe.jpg"),
    ],
)
@pytest.mark.parametrize("write_polygon", [coco_polygon, voc, cvat_polygon])
def test_paths_of_windows_are_names_of_pictures(tmp_path, write_polygon, given, name):
    (record,) = read_labels(write_polygon(tmp_path, SIDEWAYS, name=given))
    assert record.image == name


def test_names_that_label_studio_quotes_are_found(tmp_path):
    yolo = write(tmp_path / "l", [Record("a b 東.jpg", WIDTH, HEIGHT)], ("yolo",)) / "yolo"
    (yolo / "labels" / "a b 東.txt").rename(yolo / "labels" / "a%20b%20%E6%9D%B1.txt")
    (record,) = read_labels(yolo, sizes={"a b 東": ("a b 東.jpg", WIDTH, HEIGHT)})
    assert record.image == "a b 東.jpg"


@pytest.mark.parametrize("name", ["1a2b3c4d-a%20%231.jpg", "s3://bucket/photos/a #1.jpg", "a%20%231.jpg"])
@pytest.mark.parametrize("write_polygon", [coco_polygon, voc, cvat_polygon])
def test_marks_and_quotes_of_label_studio_hide_no_picture(tmp_path, write_polygon, name):
    read = [Record("a #1.jpg", WIDTH, HEIGHT, (Box(tile("5s"), SIDEWAYS),))]
    _, changes = merge(read_labels(write_polygon(tmp_path, SIDEWAYS, name=name)), read)
    assert (changes.unknown, changes.confirmed) == ((), 1)


def test_spaces_around_a_label_do_not_count(tmp_path):
    assert only_box(labelme(tmp_path, SIDEWAYS, label=" 5s ")).tile.code == "5s"


def without_size(path: Path) -> Path:
    """The file, where width and height are 0 now."""
    path.write_text(re.sub(r'((?:[wW]idth|[hH]eight)["=:> ]+)\d+', r"\g<1>0", path.read_text()))
    return path


@pytest.mark.parametrize(
    "write_labels",
    [
        lambda folder: coco(folder, width=None, height=None),
        lambda folder: without_size(coco(folder)),
        lambda folder: without_size(voc(folder, SIDEWAYS)),
        lambda folder: without_size(labelme(folder, SIDEWAYS)),
        lambda folder: without_size(cvat(folder, "")),
        labelstudio,
    ],
)
def test_a_picture_without_a_size_has_that_of_the_base(tmp_path, write_labels):
    path = write_labels(tmp_path)
    (record,) = read_labels(path, sizes={"a": ("a.jpg", WIDTH, HEIGHT)})
    assert (record.width, record.height) == (WIDTH, HEIGHT)
    with pytest.raises(LabelError, match=r"a\.jpg has no size"):
        read_labels(path)


def test_a_name_with_a_line_break_is_one_line_in_a_list_of_pictures(tmp_path):
    records = [Record("a\nb.jpg", WIDTH, HEIGHT), Record("c\u2028d.jpg", WIDTH, HEIGHT)]
    folder = write(tmp_path / "l", records, ("yolo",)) / "yolo"
    lists = [(folder / f"{part}.txt").read_text().splitlines() for part in ("train", "val")]
    assert sorted(line for one in lists for line in one) == ["./images/a_b.jpg", "./images/c_d.jpg"]
    with RecordStore() as store:
        store.add(B, records, "read")
        back = read_labels(folder, sizes=store.sizes(B))
    assert [r.image for r in back] == [r.image for r in records]


def test_pictures_beside_yolo_labels_tell_their_sizes(tmp_path):
    records = [
        Record(name, WIDTH, HEIGHT, (Box(tile("5s"), ((20, 10), (40, 10), (40, 50), (20, 50))),))
        for name in ("a.jpg", "images/b.png", "labels/c.jpg")
    ]

    def place(name: str, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (WIDTH, HEIGHT)).save(path)

    back = read_labels(write(tmp_path / "l", records, ("yolo",), place_picture=place) / "yolo")
    assert [(r.image, r.width, r.height) for r in back] == [(r.image, WIDTH, HEIGHT) for r in records]
    assert all(np.allclose(r.boxes[0].corners, records[0].boxes[0].corners, atol=0.1) for r in back)


def test_rows_of_csv_with_corners_the_other_way_round_are_no_mirrored_tile(tmp_path):
    a, b, c, d = SIDEWAYS
    head = "image,width,height,tile,x0,y0,x1,y1,x2,y2,x3,y3"
    (tmp_path / "a.csv").write_text(f"{head}\na.jpg,{WIDTH},{HEIGHT},5s,{','.join(map(str, flat((a, d, c, b))))}\n")
    assert only_box(tmp_path / "a.csv").corners == SIDEWAYS


def test_notes_that_roboflow_adds_are_no_labels(tmp_path):
    (tmp_path / "data.yaml").write_text("names: [5s]\n")
    (tmp_path / "README.roboflow.txt").write_text("Exported by\n")
    (tmp_path / "a.txt").write_text("0 0.5 0.5 0.1 0.4\n")
    assert only_box(tmp_path, sizes={"a": ("a.jpg", WIDTH, HEIGHT)}).tile.code == "5s"


def test_classes_of_yolo_may_be_written_as_decimals(tmp_path):
    (tmp_path / "classes.txt").write_text("1m\n5s\n")
    (tmp_path / "a.txt").write_text("1.0 0.5 0.5 0.1 0.4\n")
    assert only_box(tmp_path, sizes={"a": ("a.jpg", WIDTH, HEIGHT)}).tile.code == "5s"


@pytest.mark.parametrize(
    ("annotation", "told"),
    [
        ({"bbox": [1, 2, 3, 4, 5]}, "a bbox of 5 numbers"),
        ({"segmentation": [[1, 2, 3, 4, 5, 6, 7]]}, "a polygon of 7 numbers"),
        ({"segmentation": [flat(SIDEWAYS), [1, 2, 3, 4]]}, "a polygon of 4 numbers"),
        ({"category_id": 999}, "category 999, which is not there"),
        ({"image_id": 13}, "image 13, which is not there"),
    ],
)
def test_faults_of_coco_are_told_in_words(tmp_path, annotation, told):
    with pytest.raises(LabelError, match=told):
        read_labels(coco(tmp_path, annotation))


def test_a_list_that_coco_lacks_is_named(tmp_path):
    path = coco(tmp_path, {})
    path.write_text(json.dumps({**json.loads(path.read_text()), "annotations": None}))
    with pytest.raises(LabelError, match="'annotations' is not a list of objects"):
        read_labels(path)


def test_json_min_is_named(tmp_path):
    path = tmp_path / "min.json"
    path.write_text(json.dumps([{"id": 1, "image": "/data/upload/1/a.jpg", "tile": [{"polygonlabels": ["5s"]}]}]))
    with pytest.raises(LabelError, match="JSON-MIN"):
        read_labels(path)
