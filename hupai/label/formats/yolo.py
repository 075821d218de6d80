"""YOLO text files, upright boxes or four corners (OBB), with ``data.yaml``; as in Ultralytics, CVAT and Label Studio.

``data.yaml`` names no ``path``: trainers then look for the pictures beside the file, wherever they are started. Its
``train.txt`` and ``val.txt`` share no photo, but do share tile sets; ``hupai labels split`` keeps those apart, too.

A line is ``class x y w h`` or ``class x1 y1 x2 y2 x3 y3 x4 y4``, in fractions of the upright picture's size; others
write polygons of more points. We write no confidence and no alternatives; those are in ``labels.jsonl`` beside.
Trainers find the text file of a picture by the last folder ``images`` in its path, so the labels of a picture
``images/a.jpg`` are in ``images/labels/a.txt``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from hupai.label.classes import ALL, Classes
from hupai.label.formats.base import (
    LabelError,
    Stems,
    clip_corners,
    four_corners,
    invalid_file_error,
    list_faults,
    read_text,
    upright_corners,
)
from hupai.label.formats.format import Format, ImportContext, PartLists, Target
from hupai.label.inputs.sources import SUFFIXES
from hupai.label.photo_names import PARTS
from hupai.label.provenance import Provenance
from hupai.label.records import Box, Record
from scoring.errors import Fault, HupaiError
from vision.geometry import bounds

_NAME_FILES = ("data.yaml", "dataset.yaml", "classes.txt", "obj.names")


class YoloWriter:
    """Writes ``yolo/`` or ``yolo-obb/``: ``data.yaml`` and one text file per picture, where trainers look for it."""

    def __init__(self, target: Target, *, corners: bool) -> None:
        self._folder = target.folder / ("yolo-obb" if corners else "yolo")
        self._corners = corners
        self._stems = Stems()
        self._place_picture = target.place_picture
        (self._folder / "labels").mkdir(parents=True)
        self._classes = target.classes
        content = data_yaml({part: f"{part}.txt" for part in PARTS}, target.made, target.classes)
        (self._folder / "data.yaml").write_text(content, encoding="utf-8")
        self._lists = PartLists(self._folder)

    def add(self, record: Record) -> None:
        """Write the text file of a picture, empty if it has no tiles."""
        stem = self._stems.of(record.image)
        picture = f"images/{stem}{Path(record.image).suffix}"
        if self._place_picture is not None:
            self._place_picture(record.image, self._folder / picture)
        self._lists.add(record.image, f"./{picture}")
        path = self._folder / f"{_labels_of(f'images/{stem}')}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yolo_lines(record, corners=self._corners, classes=self._classes), encoding="utf-8")

    def close(self) -> None:
        """End the lists."""
        self._lists.close()


def _labels_of(picture: str) -> str:
    """Return where trainers look for a picture's labels: the last folder ``images`` of its path is ``labels`` there."""
    head, _, tail = f"/{picture}".rpartition("/images/")
    return f"{head}/labels/{tail}".removeprefix("/")


def yolo_lines(record: Record, *, corners: bool, classes: Classes = ALL) -> str:
    """Return the text file of a picture."""
    w, h = record.width, record.height
    lines = []
    numbers = classes.numbers
    for box in record.boxes:
        if box.tile.code not in numbers:
            continue
        points = clip_corners(box.corners, w, h)
        x0, y0, x1, y1 = bounds(points)
        values = [v for x, y in points for v in (x / w, y / h)] if corners else []
        values = values or [(x0 + x1) / 2 / w, (y0 + y1) / 2 / h, (x1 - x0) / w, (y1 - y0) / h]
        lines.append(f"{numbers[box.tile.code]} {' '.join(f'{v:.6f}' for v in values)}\n")
    return "".join(lines)


def data_yaml(parts: Mapping[str, str], made: Provenance, classes: Classes = ALL) -> str:
    """Return the file with the class names and the pictures of each part; a comment says what made the labels."""
    import yaml  # here, since every command imports this module

    content = {**parts, "names": dict(enumerate(classes.names))}
    return f"# Made with {made}\n{yaml.safe_dump(content, sort_keys=False, allow_unicode=True)}"


def read_yolo(folder: Path, context: ImportContext) -> Iterator[Record]:
    """Yield the records of a folder of YOLO labels.

    Args:
        folder: holds ``data.yaml``, ``classes.txt`` or ``obj.names``, and text files at any depth.
        context: the meaning of the names, and the sizes of pictures: YOLO files contain neither suffix nor size. Those
            that trainers would find in the folder need not be known.

    Raises:
        LabelError: no names, broken lines, or pictures of unknown size; all at once.
    """
    names, named_in = _names(folder)
    context.listed.update(names.values())
    faults: list[Fault] = []
    pictures = _PicturesBeside(folder)
    for path in sorted(folder.rglob("*.txt")):
        if path == named_in or path.name in ("train.txt", "val.txt", "valid.txt", "test.txt", *_NAME_FILES):
            continue
        stem = _stem(path.relative_to(folder))
        known = context.size(stem) or pictures.size(path, stem)
        if known is None and path.name.startswith("README"):  # Roboflow's notes
            continue
        if known is None:
            faults.append(Fault("unknown_size", f"{path.name}: there is no picture {stem}", stem))
            continue
        name, width, height = known
        boxes = []
        for at, line in enumerate(read_text(path).splitlines(), 1):
            if line.strip():
                try:
                    boxes += _boxes(line.split(), names, context, width, height)
                except ValueError as error:
                    faults.append(Fault("bad_line", f"{path.name}, line {at}: {error}", path.name))
        yield Record(name, width, height, tuple(boxes))
    if faults:
        hint = " Name the folder of pictures with --images." if any(f.code == "unknown_size" for f in faults) else ""
        raise LabelError(f"{list_faults(faults)}.{hint}", faults=tuple(faults))


def _stem(path: Path) -> str:
    """Return the picture's name without suffix: the path below ``labels/`` or ``obj_train_data/`` and a part's name.

    Within ``images/`` a folder ``labels`` stands for another ``images``; see :func:`_labels_of`.
    """
    parts = list(path.with_suffix("").parts)
    if parts[0] == "images" and "labels" in parts[:-1]:
        last = len(parts) - 1 - parts[::-1].index("images")
        parts[parts.index("labels", last)] = "images"
        return "/".join(parts[1:])
    for marker in ("labels", "obj_train_data", "obj_valid_data"):
        if marker in parts[:-1]:
            parts = parts[parts.index(marker) + 1 :]
    return "/".join(parts)


class _PicturesBeside:
    """The pictures in a folder of YOLO labels, where trainers look for them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._listed: dict[Path, dict[str, Path]] = {}

    def size(self, labels: Path, stem: str) -> tuple[str, int, int] | None:
        """Return name, width and height of the picture that a text file is about, if it is there and can be read."""
        parts = list(labels.relative_to(self._folder).with_suffix("").parts)
        for at in reversed(range(len(parts) - 1)):
            if parts[at] == "labels":
                picture = self._find(self._folder.joinpath(*parts[:at], "images", *parts[at + 1 :]))
                if picture is not None:
                    return self._measure(picture, stem)
        return None

    def _find(self, place: Path) -> Path | None:
        folder = place.parent
        if folder not in self._listed:
            files = sorted(folder.iterdir()) if folder.is_dir() else []
            self._listed[folder] = {file.stem: file for file in files if file.suffix.lower() in SUFFIXES}
        return self._listed[folder].get(place.name)

    @staticmethod
    def _measure(picture: Path, stem: str) -> tuple[str, int, int] | None:
        from vision.io.photo import Photo  # loads OpenCV, which every other command does without

        try:
            photo = Photo(picture)
        except HupaiError:
            return None
        return f"{stem}{picture.suffix}", photo.width, photo.height


def _names(folder: Path) -> tuple[dict[int, str], Path]:
    for name in _NAME_FILES:
        path = folder / name
        if not path.is_file():
            continue
        text = read_text(path)
        if path.suffix != ".yaml":
            return dict(enumerate(line.strip() for line in text.splitlines() if line.strip())), path
        import yaml

        try:
            given: Any = yaml.safe_load(text)["names"]
            listed = given if isinstance(given, dict) else dict(enumerate(given))
            return {int(k): str(v) for k, v in listed.items()}, path
        except (yaml.YAMLError, KeyError, TypeError, ValueError) as error:
            raise invalid_file_error(path, "the list of names", error) from None
    raise LabelError(f"{folder} has no data.yaml, classes.txt or obj.names that says what the class numbers mean.")


def _boxes(words: list[str], names: Mapping[int, str], context: ImportContext, width: int, height: int) -> list[Box]:
    """Return the box of a line, or none if its label is to be left out."""
    number = words[0].removesuffix(".0")
    if not number.isdecimal() or int(number) not in names:
        raise ValueError(f"there is no class {words[0]}")
    if len(words) < 5:
        raise ValueError(f"{len(words)} values; 5 are a box, 7 or more a polygon, one more a confidence")
    values = [float(w) for w in words[1:]]
    if not all(math.isfinite(v) and -0.5 < v < 1.5 for v in values):
        raise ValueError("values must be shares of the picture's size")
    found = context.tile(names[int(number)])
    if found is None:
        return []
    if len(words) < 7:
        x, y, w, h = values[:4]
        corners = upright_corners((x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height)
    else:
        corners = four_corners([(x * width, y * height) for x, y in zip(values[::2], values[1::2], strict=False)])
    confidence = values[-1] if len(words) % 2 == 0 else None
    return [Box(found, corners, confidence, origin="corrected" if confidence is None else "read")]


YOLO: Final = Format(
    name="yolo",
    description="YOLO text files of upright boxes, with data.yaml",
    files=("yolo",),
    write=partial(YoloWriter, corners=False),
    read=read_yolo,
    sniff=lambda given: any((given.path / name).is_file() for name in _NAME_FILES),
    takes_pictures=True,
    tells_checked=True,  # a line with a confidence is a model's
)
YOLO_OBB: Final = Format(
    name="yolo-obb",
    description="YOLO text files of four corners, with data.yaml",
    files=("yolo-obb",),
    write=partial(YoloWriter, corners=True),
    read=read_yolo,
    sniff=None,
    takes_pictures=True,
    tells_checked=True,  # a line with a confidence is a model's
)
