"""Corrected labels as a page sends them -> the annotation format of labelled photos."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from fastapi.exceptions import RequestValidationError
from pydantic import AfterValidator, Field, ValidationError

from hupai.web.answers.json_text import parse_field
from hupai.web.errors import BadValue
from hupai.web.requests.bodies import Exact
from scoring.errors import Fault, NotationError
from scoring.tiles import tile
from scoring.words.sentence import joined, say

_MARGIN_SHARE = 0.25  # how far a corner may lie outside the picture, in fractions of its size: its edge cuts tiles off
_OUTSIDE: Final = "Tile {i} ({t}) lies outside the {n} x {m} picture."


def _check_tile(code: str) -> str:
    try:
        return tile(code).code
    except NotationError as error:
        raise ValueError(error.message) from None


Number = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
Point = tuple[Number, Number]


class TileLabel(Exact):
    """A tile: what it is and where."""

    label: Annotated[str, Field(max_length=8), AfterValidator(_check_tile)]
    corners: tuple[Point, Point, Point, Point]
    state: Literal["face_up", "face_down", "standing"] | None = None
    visible: Annotated[float, Field(ge=0, le=1)] = 1.0
    row: Literal["main", "aside"] | None = None
    sure: bool = True


class Annotation(Exact):
    """The labels of a photo."""

    tiles: Annotated[list[TileLabel], Field(max_length=400)]
    ignore: list[tuple[Number, Number, Number, Number]] = Field([], max_length=100)
    scene: Annotated[str, Field(max_length=40, pattern=r"^[a-z0-9_-]*$")] = "phone"
    rules: Annotated[str, Field(max_length=40)] | None = None

    def to_json(self) -> dict[str, Any]:
        """``scene``, ``tiles``, ``ignore`` as they are stored."""
        tiles = []
        for t in self.tiles:
            state = t.state or ("face_down" if t.label == "back" else "face_up")
            tiles.append({**t.model_dump(mode="json"), "state": state})
        return {"scene": self.scene, "tiles": tiles, "ignore": [list(box) for box in self.ignore]}

    def check_inside(self, width: int, height: int) -> None:
        """Refuse corners far outside the picture: they belong to another picture, or to a shrunk copy.

        Raises:
            BadValue: naming every such tile.
        """
        x_room, y_room = _MARGIN_SHARE * width, _MARGIN_SHARE * height
        faults = tuple(
            Fault("bad_value", say(_OUTSIDE, i=i, t=t.label, n=width, m=height), f"tiles[{i}]")
            for i, t in enumerate(self.tiles)
            if any(not (-x_room <= x <= width + x_room and -y_room <= y <= height + y_room) for x, y in t.corners)
        )
        if faults:
            raise BadValue(joined((f.message for f in faults[:5]), " "), field=faults[0].field, faults=faults)


def parse_annotation(text: str | None) -> Annotation:
    """Return the annotation in a form's field.

    Raises:
        BadValue: missing. WebError: not JSON. RequestValidationError: with faults.
    """
    if text is None:
        raise BadValue('Send the labels as JSON in the field "annotation".', code="missing", field="annotation")
    try:
        return Annotation.model_validate(parse_field(text, "annotation"))
    except ValidationError as error:
        raise RequestValidationError(error.errors()[:20]) from None
