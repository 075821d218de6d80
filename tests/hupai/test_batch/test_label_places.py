"""Labels at an address: compared, imported and split as if they lay here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hupai.batch.formats import BY_NAME, LabelError, Target, read_labels
from hupai.batch.inputs.fetched import at_hand
from hupai.batch.inputs.filesystems import FilesystemError
from hupai.batch.records import Box, Record
from scoring.tiles import tile
from tests.hupai.test_batch.batch_photos import hupai
from tests.hupai.test_batch.stores import on_the_web

QUAD = ((10.0, 10.0), (40.0, 10.0), (40.0, 50.0), (10.0, 50.0))
RECORDS = [Record(f"{k}.jpg", 100, 100, (Box(tile(f"{k + 1}m"), QUAD, 0.9),)) for k in range(6)]


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    folder = tmp_path / "labels"
    (folder / "crops").mkdir(parents=True)
    for name in ("coco", "jsonl"):
        writer = BY_NAME[name].write(Target(folder))
        for record in RECORDS:
            writer.add(record)
        writer.close()
    (folder / "picture.jpg").write_bytes(b"no label")
    (folder / "crops" / "x.csv").write_bytes(b"no label")
    return folder


@pytest.fixture
def web(labels: Path) -> Iterator[str]:
    with on_the_web(labels) as address:
        yield address


@pytest.mark.slow
def test_labels_on_the_web_are_compared_imported_and_split(labels: Path, web: str, tmp_path: Path) -> None:
    status, said, told = hupai("labels", "compare", f"{web}/coco.json?token=1", labels, "--json")
    assert status == 0, told
    assert json.loads(said)["same_label"] == len(RECORDS)
    base = ("--base", f"{web}/labels.jsonl")
    status, _, told = hupai("labels", "import", f"{web}/coco.json", *base, "--out", tmp_path / "in")
    assert status == 0, told
    confirmed = read_labels(tmp_path / "in")
    assert [r.image for r in confirmed] == [r.image for r in RECORDS]
    assert {b.origin for r in confirmed for b in r.boxes} == {"confirmed"}
    status, _, told = hupai("labels", "split", f"{web}/coco.json", "--out", tmp_path / "parts", "--by", "photo")
    assert status == 0, told
    assert (tmp_path / "parts" / "split.csv").read_text().count("\n") == len(RECORDS) + 1


@pytest.mark.slow
def test_what_is_not_there_is_told_with_its_address(web: str) -> None:
    status, _, told = hupai("labels", "compare", f"{web}/none.json?key=secret", f"{web}/coco.json")
    assert status == 2 and f"{web}/none.json cannot be read (it answers 404)" in " ".join(told.split())
    assert "secret" not in told
    status, _, told = hupai("labels", "compare", f"{web}/picture.jpg", f"{web}/coco.json")
    assert status == 2 and f"{web}/picture.jpg is in no format" in " ".join(told.split()) and "/tmp" not in told


def test_the_label_files_of_a_folder_in_a_store_are_copied_and_go_again(labels: Path) -> None:
    pytest.importorskip("pyarrow")
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.rm("/", recursive=True) if memory.exists("/labels") else None
    memory.put(str(labels), "/labels", recursive=True)
    with at_hand("memory://labels") as place:
        assert read_labels(place) == RECORDS
        assert {p.name for p in place.rglob("*") if p.is_file()} == {"coco.json", "labels.jsonl"}
    assert not place.exists()
    with at_hand("memory://labels/coco.json") as place:
        assert len(read_labels(place)) == len(RECORDS)
    with pytest.raises(FilesystemError), at_hand("memory://nowhere"):
        pass
    with (
        pytest.raises(LabelError, match=r"^memory://labels/labels\.jsonl"),
        at_hand("memory://labels/labels.jsonl") as p,
    ):
        read_labels(p, "coco")
