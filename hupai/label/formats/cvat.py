"""CVAT's own XML ("CVAT for images 1.1"): an ``image`` per picture, a ``polygon`` of four points or a ``box`` per tile.

``confidence`` and ``alternatives`` are attributes of a tile; CVAT keeps them if its task's labels declare them, as
those in ``cvat-labels.json`` do (to be pasted as the "raw" labels of a task).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from hupai.label.formats.base import (
    clip_corners,
    format_alternatives,
    four_corners,
    invalid_file_error,
    picture_name,
    upright_corners,
    xml_parts,
    xml_text,
)
from hupai.label.formats.coco import rotate_corners
from hupai.label.formats.format import Format, ImportContext, Target
from hupai.label.records import Box, Record
from vision.geometry import Quad, bounds

_TEXTS = ("confidence", "alternatives")


class CvatWriter:
    """Writes ``cvat.xml`` and ``cvat-labels.json``."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._file = (target.folder / "cvat.xml").open("w", encoding="utf-8")
        self._count = 0
        written = escape(str(target.made))
        names = "".join(f"<label><name>{escape(xml_text(name))}</name></label>" for name in target.classes.names)
        self._file.write(
            '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n  <version>1.1</version>\n'
            f"  <meta><task><labels>{names}</labels></task><source>{written}</source></meta>\n"
        )
        attributes = [_attribute(name) for name in _TEXTS]
        self._shape, kind = ("box", "rectangle") if target.boxes else ("polygon", "polygon")
        labels = [{"name": name, "type": kind, "attributes": attributes} for name in target.classes.names]
        (target.folder / "cvat-labels.json").write_text(json.dumps(labels, ensure_ascii=False) + "\n", encoding="utf-8")

    def add(self, record: Record) -> None:
        """Add one image."""
        size = f'width="{record.width}" height="{record.height}"'
        self._file.write(f'  <image id="{self._count}" name={_quote(record.image)} {size}>\n')
        self._count += 1
        for name, box in self._target.boxes_by_class(record):
            corners = clip_corners(box.corners, record.width, record.height)
            x0, y0, x1, y1 = bounds(corners)
            points = ";".join(f"{x:.2f},{y:.2f}" for x, y in corners)
            edges = f'xtl="{x0:.2f}" ytl="{y0:.2f}" xbr="{x1:.2f}" ybr="{y1:.2f}"'
            place = edges if self._target.boxes else f'points="{points}"'
            source = "auto" if box.origin == "read" else "manual"
            self._file.write(
                f'    <{self._shape} label={_quote(name)} source="{source}" occluded="0" {place} z_order="0">\n'
            )
            for key, value in (("confidence", box.confidence), ("alternatives", format_alternatives(box))):
                if value not in (None, ""):
                    self._file.write(f'      <attribute name="{key}">{escape(str(value))}</attribute>\n')
            self._file.write(f"    </{self._shape}>\n")
        self._file.write("  </image>\n")

    def close(self) -> None:
        """End the file."""
        self._file.write("</annotations>\n")
        self._file.close()


def _attribute(name: str) -> dict[str, object]:
    return {"name": name, "mutable": False, "input_type": "text", "default_value": "", "values": [""]}


def _quote(text: str) -> str:
    return quoteattr(xml_text(text))


def read_cvat(path: Path, context: ImportContext) -> Iterator[Record]:
    """Yield the records of CVAT's XML ("CVAT for images 1.1").

    Raises:
        LabelError: it is not such a file.
    """
    for part in xml_parts(path):
        what = f"the image {part.get('name')}" if part.get("name") else "this CVAT file"
        try:
            if part.tag == "track":
                raise ValueError("it has the tracks of a video: export the task as CVAT for images")
            context.listed.update(name.text or "" for name in part.iterfind("*/labels/label/name"))
            record = _record(part, context) if part.tag == "image" else None
        except (KeyError, ValueError) as error:
            raise invalid_file_error(path, what, error) from None
        if record is not None:
            yield record


def _record(image: ElementTree.Element, context: ImportContext) -> Record:
    name = picture_name(image.attrib["name"])
    size = context.measure(name, image.get("width"), image.get("height"))
    boxes = []
    for shape in image:
        if shape.tag == "tag":
            continue  # of the whole picture
        if shape.tag not in ("box", "polygon"):
            raise ValueError(f"it has the shape {shape.tag}, where tiles are boxes or polygons")
        found = context.tile(shape.get("label", ""))
        if found is not None:
            boxes.append(Box(found, _cvat_corners(shape), origin="corrected"))
    return Record(name, *size, tuple(boxes))


def _cvat_corners(shape: ElementTree.Element) -> Quad:
    if shape.tag == "polygon":
        points = [tuple(map(float, p.split(","))) for p in shape.attrib["points"].split(";")]
        return four_corners([(p[0], p[1]) for p in points])
    x0, y0, x1, y1 = (float(shape.attrib[k]) for k in ("xtl", "ytl", "xbr", "ybr"))
    angle = math.radians(float(shape.get("rotation", 0)))
    corners = upright_corners(x0, y0, x1, y1)
    return rotate_corners(corners, ((x0 + x1) / 2, (y0 + y1) / 2), angle) if angle else corners


CVAT: Final = Format(
    name="cvat",
    description="CVAT for images 1.1, with the labels of a task",
    files=("cvat.xml", "cvat-labels.json"),
    write=CvatWriter,
    read=read_cvat,
    sniff=lambda given: given.xml_tag == "annotations",
)
