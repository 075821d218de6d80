"""How a Label Studio project labels tiles: the drawing tag, the names of the classes, the key of the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from xml.etree import ElementTree

from hupai.label.classes import ALL, PRESETS, Classes
from hupai.label.formats.labelstudio import polygon, rectangle
from hupai.label.records import Record
from hupai.web.errors import BadValue

TOOLS: Final = {"PolygonLabels": "polygonlabels", "RectangleLabels": "rectanglelabels"}
"""Tags of a labelling configuration for drawing tiles -> the type of their regions; polygons are preferred."""


@dataclass(frozen=True, slots=True)
class Project:
    """The content of a labelling configuration.

    Attributes:
        kind: type of the regions, a value of :data:`TOOLS`.
        name: of the drawing tag. to_name: of the picture's tag. key: of the picture in a task's data.
        classes: names of the tiles.
        labels: the names that the project has; tiles of other names are left out.
    """

    kind: str
    name: str
    to_name: str
    key: str
    classes: Classes
    labels: frozenset[str]

    def regions(self, record: Record) -> list[dict[str, Any]]:
        """Return the tiles of a picture as regions of a prediction."""
        numbers = self.classes.numbers
        found = []
        for i, box in enumerate(record.boxes):
            label = self.classes.names[numbers[box.tile.code]] if box.tile.code in numbers else None
            if label not in self.labels:
                continue
            draw = polygon if self.kind == "polygonlabels" else rectangle
            found.append({**draw(record, str(label), box, i), "from_name": self.name, "to_name": self.to_name})
        return found


def project_of(config: str) -> Project:
    """Return the project of a labelling configuration.

    Raises:
        BadValue: not XML, or without a tag for drawing tiles on a picture.
    """
    if "<!DOCTYPE" in config or "<!ENTITY" in config:
        raise BadValue("The labelling set-up declares entities; remove the DOCTYPE.", field="label_config")
    try:
        root = ElementTree.fromstring(config)
    except ElementTree.ParseError as error:
        raise BadValue(f"The labelling set-up is not valid XML ({error}).", field="label_config") from None
    pictures = {p.get("name"): p.get("value", "") for p in root.iter("Image")}
    for tag, kind in TOOLS.items():
        for tool in root.iter(tag):
            value = pictures.get(tool.get("toName"))
            if value and value.startswith("$"):
                labels = frozenset(label.get("value", "") for label in tool.iter("Label"))
                key = value[1:]
                return Project(kind, str(tool.get("name")), str(tool.get("toName")), key, _classes(labels), labels)
    raise BadValue(
        f"The labelling set-up has no {' or '.join(TOOLS)} on an Image: take labelstudio.xml, which hupai label "
        "--format labelstudio writes.",
        field="label_config",
    )


def _classes(labels: frozenset[str]) -> Classes:
    """Return the classes whose names match most of a project's labels.

    Raises:
        BadValue: none of them names a tile.
    """
    best = max((ALL, *PRESETS.values()), key=lambda known: len(labels & set(known.names)))
    if not labels & set(best.names):
        raise BadValue(
            "No label of the labelling set-up names a tile: call them 1m, 5z, f1 ... (docs/tiles.md), or as one of "
            f"{', '.join(PRESETS)} does.",
            field="label_config",
        )
    return best
