"""Reads the labels of any tool, lays them over what was read, and writes them in any format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from hupai.label.classes import ALL, PRESETS, Classes
from hupai.label.corrections.losses import Losses
from hupai.label.corrections.merge import Changes, Merging
from hupai.label.corrections.parts import write_labels
from hupai.label.corrections.record_store import FILES, MERGED, A, B, RecordStore
from hupai.label.duplicates import same_photo
from hupai.label.formats import JSONL, LabelError, Target, find_format, iter_labels
from hupai.label.formats.jsonl import written_classes
from hupai.label.inputs.paths import local_path
from hupai.label.progress import Progress
from hupai.label.provenance import Provenance
from hupai.label.records import Record

AskNames = Callable[[LabelError], Mapping[str, str]]
"""Returns what the unknown names of an error mean, or raises it again."""
Doubt = tuple[str, Counter[str]]
"""The preset in which labels may have been written, and the tiles that otherwise count as removed."""
Agree = Callable[[Losses, Doubt | None], None]
"""Shows what an import changes, or raises an error to stop it."""


@dataclass(frozen=True, slots=True)
class LabelSource:
    """Labels as a tool left them.

    Attributes:
        place: file or folder, as it was given.
        kind: name of the format; None: recognised.
        classes: what its labels are called; None: as ``base`` says, or the notation.
        base: the labels that were corrected, if they were.
        images: folder of the pictures, for labels without sizes.
    """

    place: str
    kind: str | None = None
    classes: Classes | None = None
    base: str | None = None
    images: str | None = None


@dataclass(frozen=True, slots=True)
class ImportedLabels:
    """What was imported.

    Attributes:
        pictures, tiles, ignored: written; places where nobody can tell which tile there is are ignored.
        made: what the label files say made them.
        changes: against the labels that were corrected; None without any.
        left_out: pictures of those that were not among the corrected ones.
    """

    pictures: int
    tiles: int
    ignored: int
    made: Provenance
    changes: Changes | None
    left_out: int

    def to_json(self) -> dict[str, Any]:
        """Counts, changes and what made the labels."""
        sums: dict[str, Any] = {"pictures": self.pictures, "tiles": self.tiles, "ignored": self.ignored}
        if self.changes is not None:
            sums |= asdict(self.changes) | {"left_out": self.left_out}
        return sums | self.made.to_json()


@dataclass(slots=True)
class _Counts:
    """Counts of the records that were read last, and the models that had read them."""

    pictures: int = 0
    tiles: int = 0
    ignored: int = 0
    models: set[str] = field(default_factory=set)

    def count(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield records, and count them from zero."""
        self.pictures = self.tiles = self.ignored = 0
        self.models.clear()
        for record in records:
            self.pictures += 1
            self.tiles += len(record.boxes)
            self.ignored += len(record.ignored)
            self.models.add(record.model)
            yield record


def import_labels(
    source: LabelSource,
    meanings: Mapping[str, str],
    target: Target,
    formats: Sequence[str],
    *,
    ask_names: AskNames,
    agree: Agree,
    progress: Progress,
) -> ImportedLabels:
    """Import labels into a new folder.

    Args:
        meanings: foreign name -> tile; an empty tile leaves the label out.
        target: where and how they are written; what made them is added.
        ask_names: asked at most once, when a name is not known.
        agree: asked before anything is written, if there is a base.

    Raises:
        LabelError: there are no labels, or they cannot be read; some are not tiles, or cannot be where they are.
        HupaiError: the folder has something in it, or cannot be written.
    """
    base, meant, listed, counts = source.base, dict(meanings), set[str](), _Counts()
    called, merging = source.classes or ALL, None

    def to_notation(name: str) -> str:
        return called.to_notation(meant.get(name, name))

    def read() -> None:
        sizes = store.sizes(B, FILES)
        labels = iter_labels(local_path(source.place), source.kind, rename=to_notation, sizes=sizes, listed=listed)
        store.add(A, counts.count(progress.track(labels, f"reading {source.place}")), source.place)

    with RecordStore() as store:
        if source.images is not None:
            store.add_pictures(source.images)
        if base is not None:
            store.add(B, progress.track(iter_labels(local_path(base)), f"reading {base}"), base)
            format_read = find_format(local_path(source.place), source.kind)[1]
            told = source.classes is not None or format_read.keeps_notation
            called = called if told else written_classes(local_path(base))
        try:
            read()
        except LabelError as error:
            meant |= ask_names(error)
            store.clear(A)
            read()
        if base is not None:
            codes = {to_notation(name) for name in listed} - {""}
            lists = None if told else next((each for each in PRESETS.values() if each.said == codes), None)
            merging = Merging(lists or called, turns=format_read is JSONL, tells_checked=format_read.tells_checked)
            pairs = progress.track(store.pairs(), "laying them over what was read", store.size(A))
            merged = (
                # Another photo that has taken the picture's name since is not the same picture.
                merging.merge_record(one, read if read and same_photo(one, read.sha256, read.phash) else None)
                for one, read in pairs
            )
            store.add(MERGED, counts.count(merged), source.place)
            agree(merging.losses, None if told or lists else merging.doubt_classes())
        options = {
            "from": source.kind,
            "base": base is not None,
            "rename": [f"{name}={code}" for name, code in meant.items()],
            "classes": target.classes.option,
            "boxes": target.boxes,
        }
        made = Provenance.of(options, sorted(counts.models - {""}))
        side = A if merging is None else MERGED
        records = progress.track(store.records(side), f"writing {target.folder}", store.size(side))
        write_labels(records, replace(target, made=made), formats)
        changes = None if merging is None else merging.changes
        left_out = 0 if changes is None else store.size(B) - changes.pictures + len(changes.unknown)
    return ImportedLabels(counts.pictures, counts.tiles, counts.ignored, made, changes, left_out)
