"""Corrected labels as a page sends them -> the annotation format of labelled photos."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hupai.games.terms.shapes import check, list_of, maybe, object_of, text
from hupai.web.answers.json_text import parse_field
from hupai.web.answers.tilesets import PLACE, TILE_LABEL
from hupai.web.errors import BadValue
from scoring.errors import Fault
from scoring.words.sentence import say

_MARGIN_SHARE = 0.25  # how far a corner may lie outside the picture, in fractions of its size: its edge cuts tiles off
_OUTSIDE: Final = "Tile {i} ({t}) lies outside the {n} x {m} picture."
_ANNOTATION: Final = object_of(
    {"tiles": list_of(TILE_LABEL, 400)},
    {
        "ignore": list_of(list_of(PLACE, 4, 4), 100),
        "scene": {**text(40), "pattern": "[a-z0-9_-]*"},
        "rules": maybe(text(40)),
    },
)


def parse_annotation(said: str | None) -> dict[str, Any]:
    """Return the annotation in a form's field.

    Raises:
        BadValue: missing. WebError: not JSON. InvalidRequest: not an annotation, with faults.
    """
    if said is None:
        raise BadValue('Send the labels as JSON in the field "annotation".', code="missing", field="annotation")
    found: dict[str, Any] = check(_ANNOTATION, parse_field(said, "annotation"), "annotation")
    return found


def annotation_json(annotation: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``scene``, ``tiles``, ``ignore`` as they are stored."""
    tiles = [
        {
            "label": label["label"],
            "corners": label["corners"],
            "state": label.get("state") or ("face_down" if label["label"] == "back" else "face_up"),
            "visible": label.get("visible", 1.0),
            "row": label.get("row"),
            "sure": label.get("sure", True),
        }
        for label in annotation["tiles"]
    ]
    return {"scene": annotation.get("scene", "phone"), "tiles": tiles, "ignore": annotation.get("ignore", [])}


def check_inside(annotation: Mapping[str, Any], width: int, height: int) -> None:
    """Refuse corners far outside the picture: they belong to another picture, or to a shrunk copy.

    Raises:
        BadValue: naming every such tile.
    """
    x_room, y_room = _MARGIN_SHARE * width, _MARGIN_SHARE * height
    faults = [
        Fault("bad_value", say(_OUTSIDE, i=i, t=t["label"], n=width, m=height), f"annotation.tiles[{i}]")
        for i, t in enumerate(annotation["tiles"])
        if any(not (-x_room <= x <= width + x_room and -y_room <= y <= height + y_room) for x, y in t["corners"])
    ]
    if faults:
        raise BadValue.of(faults)
