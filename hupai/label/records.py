"""What is known about one labelled picture, and its line of JSON.

A record's JSON is a read response of the project's contract with a few more keys: ``located`` (score of the detector)
for each tile, ``sha256`` and ``phash`` of the picture, and ``models``. It contains nothing that differs between runs:
no times, no dates, no absolute paths.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from scoring.errors import HupaiError
from scoring.tiles import Tile, tile
from vision.geometry import Bounds, Quad, bounds

ORIGINS: Final = ("read", "confirmed", "corrected")
"""Origin of a label: recognition; recognition and then a person; a person."""
_HAND: Final = ("hand", "doubts", "repairs")


class BadRecord(HupaiError):
    """A line that is not a record."""

    code = "bad_record"


@dataclass(frozen=True, slots=True)
class Box:
    """One labelled tile.

    Attributes:
        tile: what it is.
        corners: four (x, y), pixels of the upright picture, origin top-left, clockwise from the top-left corner of the
            tile's picture as it is meant to be read; of a label drawn as an upright box, from the box's top-left.
        confidence: calibrated probability of ``tile``, 0-1; None if a person named it.
        alternatives: further tiles with their probabilities, best first.
        located: score of the detector, 0-1; None if a person drew it.
        role, group: what the tile is to the hand, if hands were read.
        origin: see :data:`ORIGINS`.
    """

    tile: Tile
    corners: Quad
    confidence: float | None = None
    alternatives: tuple[tuple[Tile, float], ...] = ()
    located: float | None = None
    role: str | None = None
    group: int | None = None
    origin: str = "read"

    def __post_init__(self) -> None:
        if len(self.corners) != 4:
            raise ValueError("a box needs four corners")
        for x, y in self.corners:
            if not (abs(x) < 1e7 and abs(y) < 1e7):  # also refuses nan
                raise ValueError("corners must be finite pixels")
        if self.origin not in ORIGINS:
            raise ValueError(f"origin must be one of {', '.join(ORIGINS)}")

    @property
    def bounds(self) -> Bounds:
        """The upright box around the corners."""
        return bounds(self.corners)

    @property
    def doubt(self) -> float:
        """Probability that the label is wrong, 0-1; 0 if a person made it."""
        if self.confidence is None or self.origin != "read":
            return 0.0
        return 1.0 - self.confidence

    def to_json(self) -> dict[str, Any]:
        """One entry of ``tiles``."""
        out: dict[str, Any] = {
            "tile": self.tile.code,
            "confidence": self.confidence,
            "corners": [list(p) for p in self.corners],
            "alternatives": [[t.code, p] for t, p in self.alternatives],
            "located": self.located,
        }
        if self.role is not None:
            out |= {"role": self.role, "group": self.group}
        if self.origin != "read":
            out["origin"] = self.origin
        return out


@dataclass(frozen=True, slots=True)
class Record:
    """One picture: its tiles, or why it has none.

    Attributes:
        image: name of the picture within its source, parts joined by ``/``.
        width, height: pixels of the upright picture; 0 if it could not be read.
        boxes: the surest located first.
        sha256: of the file's bytes, 64 hex digits; empty if unknown.
        phash: 256-bit perceptual hash, 64 hex digits; empty if unknown.
        models: role -> first 12 hex digits of the weights' sha256.
        error: (code, message) if it could not be labelled.
        hand: the keys ``hand``, ``doubts``, ``repairs`` of a read response, if hands were read.
        pages: number of pictures in the file; only the first was labelled.
        ignored: x0, y0, x1, y1 of places where nobody knows what there is, or nobody can tell; finds there count
            neither as right nor as wrong. Only labels that people made have them.
    """

    image: str
    width: int = 0
    height: int = 0
    boxes: tuple[Box, ...] = ()
    sha256: str = ""
    phash: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    error: tuple[str, str] | None = None
    hand: Mapping[str, Any] | None = None
    pages: int = 1
    ignored: tuple[Bounds, ...] = ()

    def __post_init__(self) -> None:
        if not self.image:
            raise ValueError("a record needs the picture's name")
        if self.error is None and (self.width <= 0 or self.height <= 0):
            raise ValueError("a labelled picture has a width and a height")

    @property
    def doubt(self) -> float:
        """Expected number of wrong labels; 1 for a picture without any, which somebody should look at."""
        return sum(b.doubt for b in self.boxes) if self.boxes else 1.0

    @property
    def model(self) -> str:
        """The models, see :func:`model_signature`."""
        return model_signature(self.models)

    def to_json(self) -> dict[str, Any]:
        """See the module's docstring."""
        if self.error is not None:
            out: dict[str, Any] = {
                "image": self.image,
                "error": {"code": self.error[0], "message": self.error[1]},
            }
            return out | ({"sha256": self.sha256} if self.sha256 else {})
        out = {
            "image": self.image,
            "width": self.width,
            "height": self.height,
            "tiles": [b.to_json() for b in self.boxes],
        }
        if self.hand is not None:
            out |= {key: self.hand[key] for key in _HAND}
        if self.pages > 1:
            out["pages"] = self.pages
        if self.ignored:
            out["ignored"] = [list(place) for place in self.ignored]
        return out | {"sha256": self.sha256, "phash": self.phash, "models": dict(self.models)}

    def to_line(self) -> str:
        """The JSON on one line, without a line break."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"))


def model_signature(models: Mapping[str, str]) -> str:
    """Return models by role in one word, such as ``detector-754c85f15c28+classifier-1d3f07147882``."""
    return "+".join(f"{role}-{sha}" for role, sha in models.items())


def record_of(given: Mapping[str, Any]) -> Record:
    """Return the record of a JSON object.

    Raises:
        BadRecord: it is not a record; the message says what is missing or wrong.
    """
    try:
        if "error" in given:
            error = given["error"]
            return Record(
                given["image"], sha256=given.get("sha256", ""), error=(str(error["code"]), str(error["message"]))
            )
        return Record(
            given["image"],
            int(given["width"]),
            int(given["height"]),
            tuple(_box(t) for t in given["tiles"]),
            given.get("sha256", ""),
            given.get("phash", ""),
            dict(given.get("models", {})),
            None,
            {key: given.get(key, [] if key != "hand" else None) for key in _HAND} if "hand" in given else None,
            int(given.get("pages", 1)),
            tuple(_bounds(place) for place in given.get("ignored", ())),
        )
    except (KeyError, TypeError, ValueError, AttributeError, HupaiError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise BadRecord(f"Not a record of a labelled picture: {what}.") from None


def record_of_line(line: str) -> Record:
    """Return the record of a line of JSON.

    Raises:
        BadRecord: it is not a record.
    """
    try:
        given = json.loads(line)
    except ValueError as error:
        raise BadRecord(f"Not a record of a labelled picture: not valid JSON ({error}).") from None
    if not isinstance(given, dict):
        raise BadRecord("Not a record of a labelled picture: not a JSON object.")
    return record_of(given)


def parse_share(given: Any) -> float | None:
    """Return a confidence or score from a file; None if there is none.

    Raises:
        TypeError, ValueError: it is not a number.
    """
    return None if given is None else float(given)


def _bounds(given: Sequence[Any]) -> Bounds:
    x0, y0, x1, y1 = map(float, given)
    return x0, y0, x1, y1


def _box(given: Mapping[str, Any]) -> Box:
    corners = tuple((float(x), float(y)) for x, y in given["corners"])
    if len(corners) != 4:
        raise ValueError("a tile needs four corners")
    return Box(
        tile(given["tile"]),
        (corners[0], corners[1], corners[2], corners[3]),
        parse_share(given.get("confidence")),
        tuple((tile(code), float(p)) for code, p in given.get("alternatives", ())),
        parse_share(given.get("located")),
        given.get("role"),
        given.get("group"),
        given.get("origin", "read"),
    )
