"""The journal: what is kept, what is refused, what another process sees."""

from __future__ import annotations

import resource
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from hupai.label.engines.run import Job, open_journal
from hupai.label.inputs.sources import Item, UnreadableItem, sources_of
from hupai.label.journal import NAME, Journal, JournalError
from hupai.label.outputs.derive import OutputOptions
from hupai.label.plan import LabellingPlan, PlanError
from hupai.label.records import Box, Record
from scoring.errors import HupaiError
from scoring.tiles import tile

PLAN = LabellingPlan(("/photos",), {"detector": "a" * 64, "classifier": "b" * 64})


def item(name, stamp="1"):
    return Item(name, Path("/photos") / name, stamp)


def record(name):
    return Record(name, 10, 10, (Box(tile("5m"), ((0, 0), (1, 0), (1, 1), (0, 1)), 0.5),), models={"classifier": "b"})


def add(journal, one, made):
    journal.add_line(one.name, one.stamp, made.error is not None, made.to_line())


def lists(journal, *entries):
    return list(journal.list_items((0, e) for e in entries))


@pytest.fixture
def journal(tmp_path):
    journal = Journal(tmp_path / ".hupai", PLAN)
    yield journal
    journal.close()


def test_what_was_added_is_there_after_reopening(tmp_path):
    journal = Journal(tmp_path, PLAN)
    lists(journal, item("b"), item("a"), item("c"))
    add(journal, item("b"), record("b"))
    journal.close()
    journal = Journal(tmp_path, PLAN)
    assert [r.image for r in journal.records()] == ["b"]
    assert next(iter(journal.records())) == record("b")
    assert [i.name for i in journal.open_items(0)] == ["a", "c"]
    assert journal.counts().open == 2
    journal.close()


def test_a_journal_that_is_closed_right_after_a_save_is_not_called_damaged(tmp_path):
    """Ctrl-C may come between the end of one transaction and the beginning of the next."""
    journal = Journal(tmp_path, PLAN)
    add(journal, item("a"), record("a"))
    journal._db.execute("commit")
    journal.close()
    journal = Journal(tmp_path, PLAN)
    assert [r.image for r in journal.records()] == ["a"]
    journal.close()


def test_more_pictures_than_a_page_come_in_order_while_records_are_added(journal):
    names = [f"{i:05d}" for i in range(1203)]
    lists(journal, *map(item, reversed(names)))
    seen = []
    for one in journal.open_items(0):
        seen.append(one.name)
        add(journal, one, record(one.name))
    assert seen == names
    assert [r.image for r in journal.records()] == names == list(journal.names())
    assert journal.counts().open == 0


def test_a_changed_or_missing_picture_keeps_its_record(journal):
    lists(journal, item("a"), item("b"), item("c"))
    for name in "abc":
        add(journal, item(name), record(name))
    lists(journal, item("a"), item("b", stamp="2"))
    assert [(k.image, k.why) for k in journal.stale_records()] == [("b", "changed"), ("c", "gone")]
    assert [r.image for r in journal.records()] == ["a", "b", "c"]
    assert [i.name for i in journal.open_items(0)] == ["b"]
    assert (journal.counts().open, journal.counts().kept, journal.counts().labelled) == (1, 2, 3)
    lists(journal, UnreadableItem("a", "name_too_long", "no"))
    assert [r.image for r in journal.records()] == ["a", "b", "c"]


def test_what_is_refused_is_a_failure_at_once(journal):
    lists(journal, item("a"), UnreadableItem("z", "bad", "no good"))
    assert (journal.counts().listed, journal.counts().failed, journal.counts().open) == (2, 1, 1)
    assert journal.items(["a", "z"]).keys() == {"a"}
    lists(journal, item("a"))
    assert journal.counts().failed == 0


def test_failures_can_be_forgotten(journal):
    lists(journal, item("a"), item("b"))
    add(journal, item("a"), Record("a", error=("image_truncated", "breaks off")))
    add(journal, item("b"), record("b"))
    assert journal.forget_failures() == 1
    assert [i.name for i in journal.open_items(0)] == ["a"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"models": {"detector": "a" * 64, "classifier": "c" * 64}}, "models: .*bbbbbbbbbbbb, now .*cccccccccccc"),
        ({"hands": True}, "--hands: off, now on"),
        ({"hands": True, "rules": "riichi"}, "--rules: none, now riichi"),
        ({"crops": True}, "--crops: off, now on"),
        ({"sources": ("/photos", "/more")}, "sources: /photos, now /photos, /more"),
        ({"sources": tuple(f"/{n}.jpg" for n in range(40))}, "now /0.jpg, /1.jpg, /2.jpg and 37 more"),
        ({"tileset": ("home", "f" * 64)}, "--set: none, now home"),
    ],
)
def test_another_plan_is_refused_and_says_what_differs(tmp_path, change, told):
    Journal(tmp_path, PLAN).close()
    with pytest.raises(PlanError, match=f"begun differently .*{told}.*--fresh"):
        Journal(tmp_path, replace(PLAN, **change))
    Journal(tmp_path, PLAN).close()  # the refusal harmed nothing


def test_fresh_forgets(tmp_path):
    journal = Journal(tmp_path, PLAN)
    lists(journal, item("a"))
    add(journal, item("a"), record("a"))
    journal.close()
    journal = Journal(tmp_path, replace(PLAN, crops=True), fresh=True)
    assert journal.counts().listed == 0
    journal.close()


def test_a_damaged_journal_says_so(tmp_path):
    (tmp_path / NAME).write_bytes(b"this is no database, and long enough to be looked at" * 100)
    with pytest.raises(JournalError, match=r"is damaged .*--fresh") as told:
        Journal(tmp_path, PLAN)
    assert told.value.code == "journal_damaged"


@contextmanager
def full_disk():
    """The limit on the size of files stands for it."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_journal_that_cannot_be_written_is_not_called_damaged(tmp_path):
    """Begun again with --fresh, the labels would be gone."""
    journal = Journal(tmp_path, PLAN)
    lists(journal, item("a"))
    add(journal, item("a"), record("a"))
    journal.close()
    with full_disk(), pytest.raises(JournalError) as told:
        Journal(tmp_path, PLAN)
    assert told.value.code == "cannot_write" and "--fresh" not in told.value.message
    journal = Journal(tmp_path, PLAN)
    assert [r.image for r in journal.records()] == ["a"]
    journal.close()


def test_nor_is_one_whose_disk_fills_up_during_a_run(tmp_path):
    with pytest.raises(JournalError) as told, closing(Journal(tmp_path, PLAN)) as journal:
        lists(journal, item("a"), item("b"))
        add(journal, item("a"), record("a"))
        journal.save()
        add(journal, item("b"), record("b"))
        with full_disk():
            journal.save()
    assert told.value.code == "cannot_write" and "--fresh" not in told.value.message
    with closing(Journal(tmp_path, PLAN)) as journal:
        assert [r.image for r in journal.records()] == ["a"]


@pytest.mark.parametrize("left", [b"", None])
def test_labels_whose_journal_is_lost_are_not_begun_again_in_silence(tmp_path, left):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").write_bytes(b"x")
    (tmp_path / "out" / ".hupai").mkdir(parents=True)
    (tmp_path / "out" / "labels.jsonl").write_text(record("a.jpg").to_line() + "\n")
    if left is not None:
        (tmp_path / "out" / ".hupai" / NAME).write_bytes(left)
    job = Job((str(tmp_path / "photos"),), tmp_path / "out", OutputOptions(("jsonl",)))
    with pytest.raises(JournalError, match="empty or gone"):
        open_journal(job, sources_of(job.sources))
    assert (tmp_path / "out" / "labels.jsonl").stat().st_size
    open_journal(replace(job, fresh=True), sources_of(job.sources)).thing.close()


def test_begun_again_from_a_source_without_pictures_nothing_is_removed(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "out" / ".hupai").mkdir(parents=True)
    labels = tmp_path / "out" / "labels.jsonl"
    labels.write_text(record("a.jpg").to_line() + "\n")
    job = Job((str(tmp_path / "photos"),), tmp_path / "out", OutputOptions(("jsonl",)), fresh=True)
    with pytest.raises(HupaiError) as told:
        open_journal(job, sources_of(job.sources))
    assert told.value.code == "no_pictures" and labels.is_file()


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="cannot be made"):
        Journal(tmp_path / "file" / "labels", PLAN)


def test_pictures_that_were_away_when_they_were_to_be_read_are_open_again_once_they_are_back(journal):
    lists(journal, item("a"), item("b"), item("c", "missing"), item("d"))
    add(journal, item("d"), record("d"))
    lists(journal, item("a"), item("b"), item("c", "missing"), item("d", "2"))
    for name, stamp in (("a", "1"), ("c", "missing"), ("d", "2")):
        add(journal, item(name, stamp), Record(name, error=("image_missing", "It is not there.")))
    add(journal, item("b"), Record("b", error=("image_truncated", "It breaks off.")))
    assert journal.counts().open == 0
    lists(journal, item("a"), item("b"), item("c", "missing"), item("d", "2"))
    assert [i.name for i in journal.open_items(0)] == ["a", "d"]
    assert journal.counts().failed == 2 and [r.image for r in journal.records() if r.error is None] == ["d"]
