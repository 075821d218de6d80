"""Pascal VOC: XML in ``Annotations/``, one file per picture, as LabelImg, CVAT and supervision read and write it.

``ImageSets/Main/`` lists the pictures of each part, by which CVAT, torchvision and others find them; the pictures
themselves belong into ``JPEGImages/``.

VOC counts pixels from 1: ``xmin`` and ``ymin`` are one more than the box's edge, ``xmax`` and ``ymax`` are the edge.
Label Studio and X-AnyLabeling count from 0. ``polygon`` holds the four corners, counted alike; ``confidence``,
``alternatives`` and ``model`` are ours.
An object that is ``difficult`` counts neither as found nor as missed: a place where nobody can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from hupai.label.formats.base import (
    clip_corners,
    format_alternatives,
    four_corners,
    invalid_file_error,
    picture_name,
    upright_corners,
    xml_root,
    xml_text,
)
from hupai.label.formats.format import Format, ImportContext, PartLists, PictureFileWriter, Target
from hupai.label.records import Box, Record
from vision.geometry import Bounds, Quad, bounds

_UNSURE: Final = "unsure"
"""What a place is called where nobody can tell which tile there is."""


class VocWriter(PictureFileWriter):
    """Writes ``voc/``."""

    def __init__(self, target: Target) -> None:
        super().__init__(target, "voc/Annotations", ".xml", self._list_and_label)
        lists = target.folder / "voc" / "ImageSets" / "Main"
        lists.mkdir(parents=True)
        self._lists = PartLists(lists)

    def _list_and_label(self, target: Target, record: Record, stem: str) -> bytes:
        self._lists.add(record.image, stem)
        if target.place_picture is not None:
            picture = f"{stem}{Path(record.image).suffix}"
            target.place_picture(record.image, target.folder / "voc" / "JPEGImages" / picture)
        return _voc_file(target, record)

    def close(self) -> None:
        """End the lists."""
        self._lists.close()


def _voc_file(target: Target, record: Record) -> bytes:
    root = ElementTree.Element("annotation")
    folder, _, name = record.image.rpartition("/")
    _add_text(root, "folder", folder)
    _add_text(root, "filename", name)
    _add_text(root, "path", record.image)
    source = ElementTree.SubElement(root, "source")
    _add_text(source, "database", "hupai")
    _add_text(source, "annotation", str(target.made))
    size = ElementTree.SubElement(root, "size")
    for tag, value in (("width", record.width), ("height", record.height), ("depth", 3)):
        _add_text(size, tag, value)
    _add_text(root, "segmented", 0)
    for label, box in target.boxes_by_class(record):
        _add_box(root, record, label, box)
    for place in record.ignored:
        _add_object(root, record, _UNSURE, upright_corners(*place), difficult=True)
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _add_object(
    root: ElementTree.Element, record: Record, name: str, corners: Quad, *, difficult: bool = False
) -> ElementTree.Element:
    x0, y0, x1, y1 = bounds(clip_corners(corners, record.width, record.height))
    item = ElementTree.SubElement(root, "object")
    _add_text(item, "name", name)
    _add_text(item, "pose", "Unspecified")
    cut = any(not (0 <= x <= record.width and 0 <= y <= record.height) for x, y in corners)
    _add_text(item, "truncated", int(cut))
    _add_text(item, "difficult", int(difficult))
    edges = ElementTree.SubElement(item, "bndbox")
    xmin, ymin = round(x0) + 1, round(y0) + 1
    for tag, value in (("xmin", xmin), ("ymin", ymin), ("xmax", max(xmin, round(x1))), ("ymax", max(ymin, round(y1)))):
        _add_text(edges, tag, value)
    polygon = ElementTree.SubElement(item, "polygon")
    for i, (x, y) in enumerate(corners, 1):
        _add_text(polygon, f"x{i}", round(x + 1, 2))
        _add_text(polygon, f"y{i}", round(y + 1, 2))
    return item


def _add_box(root: ElementTree.Element, record: Record, name: str, box: Box) -> None:
    item = _add_object(root, record, name, box.corners)
    if box.confidence is not None:
        _add_text(item, "confidence", box.confidence)
    if box.alternatives:
        _add_text(item, "alternatives", format_alternatives(box))
    _add_text(item, "origin", box.origin)
    _add_text(item, "model", record.model)


def _add_text(parent: ElementTree.Element, tag: str, value: object) -> None:
    ElementTree.SubElement(parent, tag).text = xml_text(str(value))


def read_voc(folder: Path, context: ImportContext) -> Iterator[Record]:
    """Yield the records of a folder of VOC files, or of one file.

    Raises:
        LabelError: a file that is not VOC.
    """
    paths = [folder] if folder.is_file() else sorted(folder.rglob("*.xml"))
    return (_record(path, xml_root(path), context) for path in paths)


def _record(path: Path, root: ElementTree.Element, context: ImportContext) -> Record:
    try:
        name = root.findtext("path") if root.findtext("source/database") == "hupai" else None
        name = name or picture_name(_text(root, "filename"))
        size = context.measure(name, root.findtext("size/width"), root.findtext("size/height"))
        first = 0 if _counts_from_zero(root) else 1
        boxes: list[Box] = []
        ignored: list[Bounds] = []
        for item in root.findall("object"):
            if (item.findtext("difficult") or "").strip() == "1":
                ignored.append(bounds(_voc_corners(item, first)))
                continue
            found = context.tile(_text(item, "name"))
            if found is not None:
                confidence = item.findtext("confidence")
                boxes.append(
                    Box(
                        found,
                        _voc_corners(item, first),
                        float(confidence) if confidence else None,
                        origin=item.findtext("origin") or "corrected",
                    )
                )
        return Record(name, *size, tuple(boxes), ignored=tuple(ignored))
    except (KeyError, ValueError) as error:
        raise invalid_file_error(path, "this VOC file", error) from None


def _counts_from_zero(root: ElementTree.Element) -> bool:
    """Whether a tool wrote the file that counts the first pixel as 0."""
    database = root.findtext("source/database") or ""
    return root.findtext("owner/name") == "Label Studio" or database.endswith("/X-AnyLabeling")


def _voc_corners(item: ElementTree.Element, first: int) -> Quad:
    """Return the corners of an object; ``first`` is the number of the first pixel."""
    polygon = item.find("polygon")
    if polygon is not None and polygon.find("x3") is not None:
        count = sum(coordinate.tag.startswith("x") for coordinate in polygon)
        numbers = range(1, count + 1)
        points = ((float(_text(polygon, f"x{i}")), float(_text(polygon, f"y{i}"))) for i in numbers)
        return four_corners([(x - first, y - first) for x, y in points])
    x0, y0, x1, y1 = (float(_text(item, f"bndbox/{tag}")) for tag in ("xmin", "ymin", "xmax", "ymax"))
    return upright_corners(x0 - first, y0 - first, x1 - first + 1, y1 - first + 1)


def _text(parent: ElementTree.Element, path: str) -> str:
    text = parent.findtext(path)
    if text is None:
        raise KeyError(path)
    return text


VOC: Final = Format(
    name="voc",
    description="Pascal VOC XML, one file per picture",
    files=("voc",),
    write=VocWriter,
    read=read_voc,
    sniff=lambda given: given.xml_tag == "annotation",
    picture_suffix=".xml",
    takes_pictures=True,
    holds_ignored=True,
)
