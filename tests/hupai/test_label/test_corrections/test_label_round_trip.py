"""`hupai labels`: corrections come back, sets are compared, parts share nothing."""

from __future__ import annotations

import csv
import itertools
import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hupai.label.corrections.matching import is_upright
from hupai.label.corrections.merge import KINDS
from hupai.label.corrections.record_store import B, RecordStore
from hupai.label.corrections.split import (
    LabelledPicture,
    SplitAssignment,
    SplitError,
    only_in_validation,
    set_by_folder,
    set_by_list,
)
from hupai.label.corrections.split import split as split_pictures
from hupai.label.formats import BY_NAME, LabelError, read_labels
from hupai.label.photo_names import photo_of
from hupai.label.records import Box, Record
from hupai.store.files.samples import save_sample
from scoring.tiles import TILES, tile
from scoring.version import version
from tests.hupai.in_process import answer
from tests.hupai.test_label.batch_photos import agreement, hupai, merge, submit
from tests.hupai.test_label.test_formats.test_batch_formats import write

pytestmark = pytest.mark.slow


def quad(x, y, angle=0.0, size=30.0):
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = (np.array([[-1, -1.4], [1, -1.4], [1, 1.4], [-1, 1.4]]) * size / 2) @ turn.T + [x, y]
    a, b, c, d = (tuple(round(float(v), 1) for v in p) for p in corners)
    return a, b, c, d


def box(code, x, y=100.0, angle=0.3, confidence=0.9, **more):
    return Box(tile(code), quad(x, y, angle), confidence, located=0.8, **more)


def record(name, *boxes, **more):
    return Record(name, 640, 480, boxes, models={"classifier": "1" * 12}, **more)


READ = [
    record("t/a.jpg", box("1m", 60), box("2m", 120), box("3m", 180), box("9p", 240), box("4s", 400)),
    record("t/b.jpg", box("5z", 60, angle=2.0), box("back", 300)),
    record("t/c.jpg"),
]


def corrected():
    """What a person does: renames one, moves one, removes one, adds one; lets the rest stand."""
    a, b, c = READ
    one, two, three, four, _ = a.boxes
    moved = replace(three, corners=quad(186, 104, 0.3))
    added = Box(tile("7p"), quad(500, 300))
    boxes = (one, replace(two, tile=tile("0m")), moved, four, added)
    return [replace(a, boxes=boxes), b, c]


@pytest.mark.parametrize("kind", ["coco", "labelstudio", "voc", "cvat", "yolo", "yolo-obb", "csv"])
def test_corrections_come_back_through_every_tool(tmp_path, kind):
    base = write(tmp_path / "base", READ, ("jsonl",))
    plain = [replace(r, boxes=tuple(replace(b, confidence=None, located=None) for b in r.boxes)) for r in corrected()]
    given = write(tmp_path / "given", plain, (kind,))
    path = given / BY_NAME[kind].files[0]
    if kind == "labelstudio":
        submit(path)
    told = answer("labels", "import", path, "--base", base, "--out", tmp_path / "out")
    assert {k: told[k] for k in ("confirmed", "renamed", "moved", "added", "removed", "unknown")} == {
        "confirmed": 4, "renamed": 1, "moved": 1, "added": 1, "removed": 1, "unknown": [],
    }  # fmt: skip
    made = {"version": version(), "options": {"base": True}, "models": ["classifier-" + "1" * 12]}
    assert {k: told[k] for k in made} == made
    a, b, c = read_labels(tmp_path / "out")
    assert [(x.tile.code, x.origin) for x in a.boxes] == [
        ("1m", "confirmed"), ("0m", "corrected"), ("3m", "corrected"), ("9p", "confirmed"), ("7p", "corrected"),
    ]  # fmt: skip
    assert a.boxes[0] == replace(READ[0].boxes[0], origin="confirmed")  # corners, confidence: all as it was
    assert a.boxes[1].corners == READ[0].boxes[1].corners and a.boxes[1].confidence is None
    assert [x.origin for x in b.boxes] == ["confirmed"] * 2 and c.boxes == ()
    assert a.models == READ[0].models


@pytest.mark.parametrize("kind", ["coco", "labelstudio", "voc", "yolo", "yolo-obb"])
def test_a_tile_cut_off_by_the_edge_and_let_stand_counts_as_confirmed(tmp_path, kind):
    """Most formats only hold the part of it within the picture; what lies outside comes back from the base."""
    read = [record("a.jpg", box("1m", 5, 200), box("2m", 636, 6), box("3m", 300, 470, angle=0.0), box("4m", 100))]
    path = write(tmp_path / "given", read, (kind,)) / BY_NAME[kind].files[0]
    sizes = {"a": ("a.jpg", 640, 480)}
    merged, changes = merge(read_labels(path, sizes=sizes), read)
    assert (changes.confirmed, changes.moved, changes.added) == (4, 0, 0)
    assert [b.corners for b in merged[0].boxes] == [b.corners for b in read[0].boxes]


POLYGONS = {
    "coco": '"segmentation":[[', "labelstudio": "olygon", "cvat": "polygon", "labelme": "polygon",
}  # fmt: skip
"""What stands in the files of each format if its tiles are polygons."""


@pytest.mark.parametrize("kind", POLYGONS)
def test_boxes_go_out_where_a_tool_would_lose_polygons_and_turned_tiles_come_back(tmp_path, kind):
    base = write(tmp_path / "base", READ, ("jsonl",))
    for name, more in (("polygons", ()), ("boxes", ("--boxes",))):
        out = tmp_path / name
        assert hupai("labels", "import", base, "--out", out, "--format", kind, *more)[0] == 0
        files = [p for f in BY_NAME[kind].files for p in ([out / f] if (out / f).is_file() else (out / f).rglob("*.*"))]
        assert any(POLYGONS[kind] in path.read_text() for path in files) is (not more)
    path = tmp_path / "boxes" / BY_NAME[kind].files[0]
    (first, *_) = read_labels(path, kind, sizes={"t/c": ("t/c.jpg", 640, 480)})
    assert np.allclose([b.bounds for b in first.boxes], [b.bounds for b in READ[0].boxes], atol=0.1)
    assert all(is_upright(b.corners) for b in first.boxes)
    if kind == "labelstudio":
        submit(path)
    told = answer("labels", "import", path, "--base", base, "--out", tmp_path / "out")
    assert {k: told[k] for k in KINDS} == {**dict.fromkeys(KINDS, 0), "confirmed": 7}
    back = read_labels(tmp_path / "out")
    assert [[b.corners for b in r.boxes] for r in back] == [[b.corners for b in r.boxes] for r in READ]


def test_pictures_are_known_again_by_the_names_that_label_studio_makes_of_them(tmp_path):
    """Its COCO export has the whole address, its YOLO export the end of it; uploads get eight hex digits in front."""
    read = [record("t/a b.jpg", box("1m", 60)), record("b.jpg", box("2m", 60)), record("u/c.jpg", box("3m", 60))]
    base = write(tmp_path / "base", [*read, record("v/d.jpg", box("4m", 60))], ("jsonl",))
    names = ["/data/local-files/?d=t/a%20b.jpg", "/data/local-files/?d=b.jpg", "/data/upload/3/1a2b3c4d-c.jpg"]
    coco = write(tmp_path / "coco", [replace(r, image=n) for r, n in zip(read, names, strict=True)], ("coco",))
    yolo = write(tmp_path / "yolo", read, ("yolo-obb",)) / "yolo-obb"
    for old, new in (("t/a b", "a b"), ("b", "?d=b"), ("u/c", "1a2b3c4d-c")):
        (yolo / "labels" / f"{old}.txt").rename(yolo / "labels" / f"{new}.txt")
    for n, path in enumerate((coco / "coco.json", yolo)):
        told = answer("labels", "import", path, "--base", base, "--out", tmp_path / f"{n}")
        assert (told["confirmed"], told["unknown"], told["left_out"]) == (3, [], 1)
        assert [r.image for r in read_labels(tmp_path / f"{n}")] == ["b.jpg", "t/a b.jpg", "u/c.jpg"]


def test_a_stem_that_two_pictures_have_is_no_picture(tmp_path):
    """YOLO files that lost their folders: whose they are must not be guessed."""
    read = [record("x/1.jpg", box("1m", 60)), record("y/1.jpg", box("2m", 60)), record("y/2.jpg", box("2m", 60))]
    with RecordStore() as store:
        store.add(B, read, "read")
        known = [stem for stem in ("x/1", "y/1", "y/2", "1", "2", "3") if store.sizes(B).get(stem) is not None]
    assert known == ["x/1", "y/1", "y/2", "2"]


def test_pictures_that_differ_only_in_their_suffix_come_back_from_yolo(tmp_path):
    """Their text files are ``a.txt`` and ``a_png.txt``; neither may be refused, nor taken for the other's."""
    read = [record("a.jpg", box("1m", 60)), record("a.png", box("2m", 60)), record("a_png.jpg", box("3m", 60)),
            record("b_png.jpg", box("4m", 60))]  # fmt: skip
    base = write(tmp_path / "base", read, ("jsonl", "yolo"))
    (base / "yolo" / "labels" / "a_png_jpg.txt").unlink()
    assert answer("labels", "import", base / "yolo", "--base", base, "--out", tmp_path / "1")["confirmed"] == 3
    assert [(r.image, r.boxes[0].tile.code) for r in read_labels(tmp_path / "1")] == [
        ("a.jpg", "1m"), ("a.png", "2m"), ("b_png.jpg", "4m"),
    ]  # fmt: skip


def test_pictures_are_known_again_without_their_folders_and_at_another_size():
    smaller = replace(
        READ[0], image="a.jpg", width=320, height=240,
        boxes=tuple(
            replace(b, corners=tuple((x / 2, y / 2) for x, y in b.corners), confidence=None) for b in READ[0].boxes
        ),
    )  # fmt: skip
    alike = agreement([smaller], READ)
    assert (alike.matched, alike.whole) == (5, 1)
    merged, changes = merge([smaller, record("other.jpg", box("1m", 9))], READ)
    assert (changes.confirmed, changes.moved, changes.unknown) == (5, 0, ("other.jpg",))
    assert {r.image for r in merged} == {"t/a.jpg", "other.jpg"}


def test_labels_of_a_photo_that_a_tool_did_not_turn_upright_are_refused():
    """They would be stretched to another shape, and every tile count as removed and another as added."""
    lying = replace(READ[0], width=480, height=640)
    with pytest.raises(LabelError, match=r"t/a\.jpg is 480 x 640 in these labels, but 640 x 480 upright"):
        merge([lying], READ)
    with pytest.raises(LabelError, match="EXIF"):
        agreement([lying], READ)


def test_names_that_end_alike_are_not_mixed_up():
    read = [record("x/1.jpg", box("1m", 60)), record("y/1.jpg", box("2m", 60))]
    _, changes = merge([record("1.jpg", box("1m", 60))], read)
    assert changes.unknown == ("1.jpg",)
    read = [replace(r, sha256=s * 64) for r, s in zip(read, "ab", strict=True)]
    merged, _ = merge([record("1.jpg", box("1m", 60), sha256="b" * 64)], read)
    assert merged[0].image == "y/1.jpg"


def test_comparing_counts_what_is_there(tmp_path):
    a, b = write(tmp_path / "a", READ, ("jsonl",)), write(tmp_path / "b", corrected(), ("coco",))
    told = answer("labels", "compare", a, b / "coco.json")
    assert (told["pictures"], told["pictures_alike"]) == (3, 2)
    assert (told["boxes_a"], told["boxes_b"], told["matched"], told["same_label"]) == (7, 7, 6, 5)
    assert told["label_agreement"] == 0.8333 and told["agreement"] == 0.625
    assert told["confusions"] == [{"a": "2m", "b": "0m", "count": 1}]
    assert (told["missing_in_a"], told["extra_in_a"]) == ({"7p": 1}, {"4s": 1})
    assert told["pictures_unlike"] == {"t/a.jpg": 3}
    assert told["classes"]["2m"] == {"in_a": 1, "in_b": 0, "agree": 0, "precision": 0.0, "recall": None}
    assert told["classes"]["0m"]["recall"] == 0.0
    stdout = hupai("labels", "compare", a, b / "coco.json")[1]
    assert "2m" in stdout and "0m" in stdout and "83.33%" in stdout


def test_kappa_is_agreement_beyond_chance():
    """A worked example: 100 pairs, 70 alike; the names fall 60/40 and 50/50, so 50 would be alike by chance."""
    pairs = [("1m", "1m")] * 40 + [("1m", "2m")] * 20 + [("2m", "1m")] * 10 + [("2m", "2m")] * 30
    a = [record(f"{i:03d}", box(x, 60)) for i, (x, _) in enumerate(pairs)]
    b = [record(f"{i:03d}", box(y, 60)) for i, (_, y) in enumerate(pairs)]
    assert agreement(a, b).kappa == pytest.approx((0.7 - 0.5) / 0.5)


def test_sets_without_a_common_picture_are_refused(tmp_path):
    write(tmp_path / "a", READ[:1], ("jsonl",))
    write(tmp_path / "b", READ[1:], ("jsonl",))
    status, _, stderr = hupai("labels", "compare", tmp_path / "a", tmp_path / "b")
    assert status == 2 and "no picture in common" in stderr


def sets_of_photos():
    """Three tile sets of ten photos; one photo in several versions, one copied into another set's folder."""
    records = []
    for s, n in itertools.product("abc", range(10)):
        phash = f"{int(np.random.default_rng([ord(s), n]).integers(2**62)) * 0x9E3779B97F4A7C15 % 2**256:064x}"
        records.append(record(f"{s}/{n}.jpg", box("1m", 60), box("2m", 160), phash=phash, sha256=f"{s}{n}" * 32))
    return sorted(records, key=lambda r: r.image)


def split(records, share, **how):
    return split_pictures([LabelledPicture.of(r) for r in records], share, **how)


def test_versions_and_copies_of_a_photo_stay_together():
    records = sets_of_photos()
    flipped = f"{int(records[3].phash, 16) ^ 0b1011:064x}"
    extra = [
        record("a/5_jpg.rf.0a1b2c3d4e.jpg", phash="f" * 64),
        record("a/5_aug2.png", phash="e" * 64),
        record("z/unlike-name.jpg", phash=flipped),
        record("z/same-bytes.jpg", phash="1" * 64, sha256=records[7].sha256),
    ]
    for seed in range(12):
        placed = {p.image: p for p in split(sorted([*records, *extra], key=lambda r: r.image), 0.4, seed=seed)}
        for one, other in (
            ("a/5.jpg", "a/5_jpg.rf.0a1b2c3d4e.jpg"),
            ("a/5.jpg", "a/5_aug2.png"),
            (records[3].image, "z/unlike-name.jpg"),
            (records[7].image, "z/same-bytes.jpg"),
        ):
            assert placed[one].group == placed[other].group
            assert placed[one].part == placed[other].part


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 30), st.integers(0, 8)), min_size=2, max_size=40, unique=True),
    st.floats(0.05, 0.8),
    st.integers(0, 5),
    st.booleans(),
)
def test_whatever_the_labels_nothing_is_in_both_parts(keys, share, seed, by_set):
    """Against the plain statement of the rule, for every pair of pictures."""
    records = []
    for s, n, tiles in keys:
        boxes = tuple(box(TILES[(s + n + i) % 34].code, 60 + 40 * i) for i in range(tiles))
        records.append(record(f"set{s}/{n}_aug{tiles}.jpg", *boxes, sha256=f"{n:064x}" if n % 7 == 0 else ""))
    records.sort(key=lambda r: r.image)
    try:
        placed = split(records, share, tileset=set_by_folder if by_set else None, seed=seed)
    except SplitError:
        return
    assert [p.image for p in placed] == [r.image for r in records]
    assert {p.part for p in placed} == {"train", "val"}
    assert placed == split(records, share, tileset=set_by_folder if by_set else None, seed=seed)
    for (one, a), (other, b) in itertools.combinations(zip(placed, records, strict=True), 2):
        if one.part != other.part:
            assert one.photo != other.photo
            assert not a.sha256 or a.sha256 != b.sha256
            assert not by_set or one.tileset != other.tileset


def test_a_class_that_only_one_photo_has_stays_where_it_can_be_learned():
    records = [*sets_of_photos(), record("d/rare.jpg", box("f1", 60))]
    for seed in range(10):
        assert only_in_validation(split(records, 0.2, seed=seed)) == {}


def test_classes_that_nothing_can_learn_are_counted():
    parts = (("train", ("1m", "2m")), ("val", ("3m", "2m", "3m")))
    placed = [SplitAssignment(f"{part}.jpg", codes, part, "", n, part) for n, (part, codes) in enumerate(parts)]
    assert only_in_validation(placed) == {"3m": 2}


def test_one_tile_set_cannot_be_split_by_set():
    records = [r for r in sets_of_photos() if r.image.startswith("a/")]
    with pytest.raises(SplitError, match=r"one tile set.*--sets.*--by photo"):
        split(records, 0.2, tileset=set_by_folder)
    assert sum(p.part == "val" for p in split(records, 0.2)) == 2


def test_photos_are_known_by_their_names():
    same = [
        "x/IMG_1.jpg",
        "x/IMG_1_jpg.rf.0123abcd.jpg",
        "x/IMG_1_jpg.rf.ffff.png",
        "x/IMG_1_aug3.jpg",
        "x/IMG_1-flip.jpg",
    ]
    assert {photo_of(n) for n in same} == {"x/IMG_1"}
    apart = ["IMG_1.jpg", "IMG_2.jpg", "x/IMG_1.jpg", "photo (1).jpg", "photo (2).jpg", "aug1.jpg"]
    assert len({photo_of(n) for n in apart}) == len(apart)
    by_list = set_by_list([("x/*", "home"), ("*", "")])
    assert (by_list("x/1.jpg"), by_list("y/1.jpg")) == ("home", "")


def test_split_as_a_user_runs_it(tmp_path):
    images, labels = tmp_path / "images", tmp_path / "labels"
    records = [replace(r, phash="", sha256="", image=r.image) for r in sets_of_photos()]
    rng = np.random.default_rng(1)
    for r in records:
        (images / r.image).parent.mkdir(parents=True, exist_ok=True)
        noise = cv2.resize(rng.integers(0, 255, (12, 16, 3), dtype=np.uint8), (640, 480))
        cv2.imwrite(str(images / r.image), noise)
    cv2.imwrite(str(images / "c" / "4.jpg"), cv2.imread(str(images / "a" / "4.jpg")), [cv2.IMWRITE_JPEG_QUALITY, 50])
    write(labels, records, ("jsonl",))
    (tmp_path / "sets.csv").write_text("image,set\na/*,one\nb/*,two\nc/*,three\n")
    status, stdout, stderr = hupai(
        "labels", "split", labels, "--out", tmp_path / "out", "--validation", 0.3, "--sets", tmp_path / "sets.csv",
        "--images", images, "--format", "yolo,coco", "--json",
    )  # fmt: skip
    assert status == 0, stderr
    told = json.loads(stdout)
    # A photo of set c is a copy of one of set a: both sets are one group, and b is the other.
    assert (told["train"]["groups"], told["val"]["groups"]) == (1, 1)
    assert (told["train"]["pictures"], told["val"]["pictures"]) == (20, 10)
    with (tmp_path / "out" / "split.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(r["tile_set"], r["part"]) for r in rows} == {("one", "train"), ("two", "val"), ("three", "train")}
    assert told["options"] == {"validation": 0.3, "by": "set", "sets": True} and told["version"] == version()
    whole = (tmp_path / "out" / "yolo.yaml").read_text()
    assert whole.startswith(f"# Made with hupai {version()} ")
    data = yaml.safe_load(whole)
    for part, count in (("train", 20), ("val", 10)):
        folder = tmp_path / "out" / data[part]
        pictures = sorted(p for p in folder.rglob("*.jpg"))
        assert len(pictures) == count and all(p.is_symlink() and p.is_file() for p in pictures)
        for p in pictures:
            text = folder.parent / "labels" / p.relative_to(folder).with_suffix(".txt")
            assert len(text.read_text().splitlines()) == 2
        assert len(json.loads((tmp_path / "out" / part / "coco.json").read_text())["images"]) == count
    status, _, stderr = hupai("labels", "split", labels, "--out", tmp_path / "out")
    assert status == 2 and "not empty" in stderr


def test_corrections_that_the_server_keeps_come_out_in_any_format(tmp_path, monkeypatch):
    picture = cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))[1].tobytes()
    tiles = [{"label": "5m", "corners": [list(p) for p in quad(60, 60)], "state": "face_up", "sure": True}]
    for _ in range(2):
        save_sample(
            tmp_path / "data" / "samples", picture, (640, 480), {"scene": "phone", "tiles": tiles, "ignore": []},
            rules=None, models={"classifier": "1" * 12}, read=None, max_bytes=10**9,
        )  # fmt: skip
    monkeypatch.setenv("HUPAI_DATA_FOLDER", str(tmp_path / "data"))
    status, stdout, stderr = hupai(
        "labels", "import", "--corrections", "--out", tmp_path / "out", "--format", "coco,yolo"
    )
    assert status == 0, stderr
    assert "2 pictures with 2 tiles" in stdout
    records = read_labels(tmp_path / "out")
    assert [b.origin for r in records for b in r.boxes] == ["corrected"] * 2
    assert len(list((tmp_path / "out" / "yolo" / "labels").glob("*.txt"))) == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["import", "--out", "{out}"], "Give a file or folder of labels, or --corrections"),
        (["import", "{labels}", "--from", "pascal", "--out", "{out}"], "--from pascal: give one of coco"),
        (["import", "{labels}", "--rename", "bamboo", "--out", "{out}"], "write NAME=TILE"),
        (["import", "{labels}", "--out", "{labels}"], "not empty"),
        (["split", "{labels}", "--by", "crop", "--out", "{out}"], "--by crop: give set or photo"),
        (["split", "{labels}", "--by", "photo", "--sets", "x.csv", "--out", "{out}"], "--sets goes with"),
        (["split", "{labels}", "--sets", "x.csv", "--out", "{out}"], "x.csv cannot be read"),
        (["split", "{labels}", "--sets", "{twice}", "--out", "{out}"], "names two sets for a.jpg: one and two"),
        (["compare", "{labels}", "{empty}"], "holds no labels"),
    ],
)
def test_wrong_usage_is_told_in_a_sentence(tmp_path, arguments, told):
    where = {
        "labels": write(tmp_path / "labels", READ, ("jsonl",)),
        "out": tmp_path / "out",
        "empty": tmp_path / "empty",
        "twice": tmp_path / "twice.csv",
    }
    where["twice"].write_text("image,set\na.jpg,one\na.jpg,two\n")
    (tmp_path / "empty").mkdir()
    status, stdout, stderr = hupai("labels", *(a.format(**where) for a in arguments))
    assert (status, stdout) == (2, "") and told in stderr and "Traceback" not in stderr
