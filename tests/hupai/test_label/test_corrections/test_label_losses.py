"""Imports that lack labels: what would change is told first, and what a tool may have lost is not removed unasked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from hupai.label.corrections.losses import MAX_LISTED, Losses
from hupai.label.formats import BY_NAME, read_labels
from hupai.label.formats.base import upright_corners
from hupai.label.records import Box, Record
from scoring.tiles import TILES
from tests.hupai.at_terminal import at_terminal
from tests.hupai.in_process import answer
from tests.hupai.test_label.batch_photos import UNCHECKED, command, hupai, submit
from tests.hupai.test_label.test_formats.test_batch_formats import write

READ = [
    Record(
        f"t/{name}.jpg", 640, 480,
        tuple(Box(TILES[i], upright_corners(20 + 40 * i, 50, 50 + 40 * i, 90), 0.9, located=0.8) for i in range(count)),
    )
    for name, count in zip("abcd", (8, 8, 4, 0), strict=True)
]  # fmt: skip


def give_back(folder: Path, kind: str, records: Iterable[Record]) -> Path:
    """Records as a person saved them in a tool."""
    path = write(folder, records, (kind,)) / BY_NAME[kind].files[0]
    if kind == "labelstudio":
        submit(path)
    return path


def keep(counts: dict[str, int]) -> list[Record]:
    """What was read, of some pictures only so many tiles."""
    return [replace(r, boxes=r.boxes[: counts.get(r.image[2], len(r.boxes))]) for r in READ]


@pytest.mark.parametrize("kind", ["coco", "yolo", "yolo-obb", "voc", "cvat", "labelme", "labelstudio"])
@pytest.mark.parametrize(("left", "lost"), [({"a": 0, "b": 0, "c": 0}, 20), ({"a": 0, "c": 2}, 10)])
def test_labels_that_a_tool_lost_are_not_removed_unasked(
    tmp_path: Path, kind: str, left: dict[str, int], lost: int
) -> None:
    base, out = write(tmp_path / "base", READ, ("jsonl",)), tmp_path / "out"
    call = ("labels", "import", give_back(tmp_path / "given", kind, keep(left)), "--base", base, "--out", out)
    status, said, told = hupai(*call)
    assert (status, said) == (1, "") and not out.exists()
    told = " ".join(told.split())
    assert f"{lost} of the 20 tiles that {base} has" in told and "Nothing was written" in told and "--yes" in told
    assert "t/a.jpg: lost 8 of 8 tiles" in told
    status, said, _ = hupai(*call, "--yes")
    assert status == 0 and f"{20 - lost} confirmed" in said and f"{lost} removed" in said


def test_what_people_remove_is_removed_and_every_change_is_told_first(tmp_path: Path) -> None:
    """A find where there is no tile, a few others; one is renamed, one drawn."""
    base = write(tmp_path / "base", READ, ("jsonl",))
    a, b, c, d = keep({"a": 6, "b": 7})
    a = replace(a, boxes=(replace(a.boxes[0], tile=TILES[30]), *a.boxes[1:]))
    d = replace(d, boxes=(Box(TILES[5], upright_corners(100, 200, 130, 240)),))
    path = give_back(tmp_path / "given", "coco", [a, b, c, d])
    status, said, told = hupai("labels", "import", path, "--base", base, "--out", tmp_path / "out")
    assert status == 0 and "16 confirmed, 1 renamed, 0 moved, 1 added, 3 removed, 0 unsure." in said
    assert told.splitlines()[-5:-1] == [
        "Pictures by the tiles that they lost, all: 0, some: 2, none: 2; tiles lost: 3 of 20, added: 1, renamed: 1",
        "  t/a.jpg: lost 2 of 8 tiles, 0 added, 1 renamed",
        "  t/b.jpg: lost 1 of 8 tiles, 0 added, 0 renamed",
        "  t/d.jpg: lost 0 of 0 tiles, 1 added, 0 renamed",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "ended"), [("n", 1), ("y", 0)])
def test_at_a_terminal_somebody_is_asked(tmp_path: Path, answer: str, ended: int) -> None:
    base, out = write(tmp_path / "base", READ, ("jsonl",)), tmp_path / "out"
    path = give_back(tmp_path / "given", "yolo", keep({"a": 0}))
    status, shown = at_terminal(command("labels", "import", path, "--base", base, "--out", out), f"{answer}\n")
    assert status == ended and "Did somebody remove them?" in shown and out.exists() is not bool(ended)


@pytest.mark.parametrize(
    ("tiles", "lost", "too_many"), [(1, 1, False), (3, 1, False), (2, 2, True), (100, 25, False), (100, 26, True)]
)
def test_more_than_a_quarter_is_too_many_unless_it_is_one(tiles: int, lost: int, too_many: bool) -> None:
    losses = Losses()
    losses.add("a.jpg", tiles, lost)
    assert losses.are_too_many is too_many


def test_the_pictures_that_lost_most_are_listed_and_the_others_counted() -> None:
    losses = Losses()
    for n in range(40):
        losses.add(f"{n}.jpg", 40, n % 20)
    first, *listed, last = losses.lines()
    assert "all: 0, some: 38, none: 2" in first and last == "  and 28 more pictures with changes"
    assert [line.split()[2] for line in listed] == [str(19 - n // 2) for n in range(MAX_LISTED)]


def task(name: str, **more: object) -> dict:
    """A task as Label Studio exports it, with a prediction of one tile that was not read as that."""
    size = {"original_width": 640, "original_height": 480}
    place = {"x": 100 * 20 / 640, "y": 100 * 50 / 480, "width": 100 * 30 / 640, "height": 100 * 40 / 480}
    shape = {**size, "type": "rectanglelabels", "value": {**place, "rectanglelabels": ["9p"]}}
    return {"id": 1, "data": {"name": name}, "annotations": [], "predictions": [{"result": [shape]}], **more}


UNFINISHED = [
    task("t/a.jpg"),
    task("t/b.jpg", annotations=[{"id": 1, "was_cancelled": True, "result": []}]),
    task("t/c.jpg", drafts=[{"id": 1, "result": []}]),
]


def test_tasks_that_nobody_finished_are_left_out(tmp_path: Path) -> None:
    base, export = write(tmp_path / "base", READ, ("jsonl",)), tmp_path / "export.json"
    export.write_text(json.dumps(UNFINISHED))
    for more in ((), ("--base", base)):
        status, _, told = hupai("labels", "import", export, *more, "--out", tmp_path / "none")
        assert (
            status == 2
            and "has no task that was submitted" in " ".join(told.split())
            and not (tmp_path / "none").exists()
        )
    finished = task("t/d.jpg")
    finished["annotations"] = [{"id": 2, "result": finished["predictions"][0]["result"]}]
    export.write_text(json.dumps([*UNFINISHED, finished]))
    told = answer("labels", "import", export, "--base", base, "--out", tmp_path / "one")
    assert (told["pictures"], told["added"], told["confirmed"], told["left_out"]) == (1, 1, 0, 3)
    assert [r.image for r in read_labels(tmp_path / "one")] == ["t/d.jpg"]


@pytest.mark.parametrize("kind", UNCHECKED)
def test_what_nobody_saved_stays_as_it_was_read(tmp_path: Path, kind: str) -> None:
    """An older reading laid over a newer one: no tile is confirmed, renamed, added or removed by it."""
    if BY_NAME[kind].package:
        pytest.importorskip(BY_NAME[kind].package)
    base = write(tmp_path / "base", READ, ("jsonl",))
    older = keep({"a": 2})
    older[1] = replace(older[1], boxes=(replace(older[1].boxes[0], tile=TILES[30]), *older[1].boxes[1:]))
    older.append(replace(READ[0], image="t/z.jpg"))
    path = write(tmp_path / "older", older, (kind,)) / BY_NAME[kind].files[0]
    told = answer("labels", "import", path, "--base", base, "--out", tmp_path / "out")
    assert told["unchecked"] == 20 and told["unknown"] == ["t/z.jpg"]
    assert not any(told[what] for what in ("confirmed", "renamed", "moved", "added", "removed", "unsure"))
    *same, new = read_labels(tmp_path / "out")
    assert same == READ and {b.origin for b in new.boxes} == {"read"}


def test_what_a_model_says_in_yolo_confirms_nothing(tmp_path: Path) -> None:
    """Lines with a confidence; those without are a person's."""
    base = write(tmp_path / "base", READ[:1], ("jsonl",))
    path = write(tmp_path / "given", READ[:1], ("yolo",)) / "yolo"
    lines = (path / "labels" / "t" / "a.txt").read_text().splitlines()
    (path / "labels" / "t" / "a.txt").write_text("\n".join([*(f"{line} 0.97" for line in lines[:3]), *lines[3:]]))
    told = answer("labels", "import", path, "--base", base, "--out", tmp_path / "out")
    assert (told["confirmed"], told["unchecked"]) == (5, 3)


@pytest.mark.parametrize("kind", ["jsonl", "annotations"])
def test_of_a_picture_only_the_tiles_that_somebody_saved_are_confirmed(tmp_path: Path, kind: str) -> None:
    base = write(tmp_path / "base", READ[:1], ("jsonl",))
    boxes = [replace(b, origin="confirmed" if i < 3 else "read") for i, b in enumerate(READ[0].boxes)]
    path = write(tmp_path / "given", [replace(READ[0], boxes=tuple(boxes))], (kind,)) / BY_NAME[kind].files[0]
    told = answer("labels", "import", path, "--base", base, "--out", tmp_path / "out")
    assert (told["confirmed"], told["unchecked"]) == (3, 5)
    (merged,) = read_labels(tmp_path / "out")
    assert [b.origin for b in merged.boxes] == ["confirmed"] * 3 + ["read"] * 5
