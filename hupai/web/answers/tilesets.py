"""Learned tile sets: what may be asked of photos that teach one, and the requests about sets that the page keeps."""

from __future__ import annotations

import json
import math
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import unquote

from hupai.basics.names import clean_name
from hupai.games.json_store import JsonStore
from hupai.games.terms.shapes import FLAG, check, list_of, maybe, number, object_of, one_of
from hupai.tilesets import TileSets, set_json
from hupai.web.answers.json_text import parse_field
from hupai.web.answers.reading import parse_flag, parse_text
from hupai.web.errors import BadValue
from scoring.errors import Fault, InvalidRequest
from scoring.tiles import TILES, Tile, parse_tiles, tile
from scoring.words.sentence import say
from vision.geometry import Quad
from vision.learn.lessons import lessons_by_elimination, lessons_in_order, lessons_of_corrections
from vision.learn.tileset import Lesson
from vision.reading import Sighting

NETWORKS: Final = Path(__file__).with_name("networks.json")
"""In a page, whose archive it is put into (:mod:`hupai.page.alone`): hashes of the networks by role."""
_SET: Final = "set/"
PLACE: Final = number(-1e6, 1e6)
TILE_LABEL: Final = object_of(
    {"label": one_of(*(one.code for one in TILES)), "corners": list_of(list_of(PLACE, 2, 2), 4, 4)},
    {
        "state": maybe(one_of("face_up", "face_down", "standing")),
        "visible": number(0, 1),
        "row": maybe(one_of("main", "aside")),
        "sure": FLAG,
    },
)
"""A tile: what it is and where."""


@dataclass(frozen=True, slots=True)
class LearnRequest:
    """Photos that teach a set: each shows a whole set, or ``tiles`` in order, or what its ``labels`` say.

    Attributes:
        name: of the set. tiles: none, or those of the only photo. labels: none, or for each photo tiles and places.
    """

    name: str
    tiles: Sequence[Tile]
    labels: Sequence[Sequence[tuple[Tile, Quad]]]

    @classmethod
    def from_texts(cls, texts: Mapping[str, str], photos: int) -> Self:
        """Read the texts of a form with so many photos.

        Raises:
            BadValue, WebError, InvalidRequest: a field that makes no sense.
        """
        name = clean_name(parse_text(texts, "name") or "", "name")
        tiles = parse_tiles(parse_text(texts, "tiles") or "")
        said = parse_text(texts, "labels")
        labels = [] if said is None else check(list_of(list_of(TILE_LABEL)), parse_field(said, "labels"), "labels")
        if said is not None and len(labels) != photos:
            raise BadValue(f"labels holds lists for {len(labels)} photos, but {photos} came.", field="labels")
        if tiles and (labels or photos > 1):
            raise BadValue("tiles tells what lies in one photo: send that photo alone, without labels.", field="tiles")
        return cls(name, tiles, [[(tile(one["label"]), one["corners"]) for one in photo] for photo in labels])

    def lessons(self, photo: int, tiles: Sequence[Sighting], aside: Sequence[Sighting]) -> list[Lesson]:
        """Return what one of the photos teaches, in which these are the tiles, and what was set aside.

        Raises:
            TileSetError, InvalidRequest: it does not show what it should.
        """
        if self.labels:  # somebody may have kept what was set aside
            return _lessons_at([*tiles, *aside], self.labels[photo])
        return lessons_in_order(tiles, self.tiles) if self.tiles else lessons_by_elimination(tiles)


def _lessons_at(sightings: Sequence[Sighting], labels: Sequence[tuple[Tile, Quad]]) -> list[Lesson]:
    """Return lessons of labelled places in a photo.

    Args:
        sightings: those in the photo. labels: tile and corners in pixels of each.

    Raises:
        InvalidRequest: labels where no tile is in sight, all named.
    """
    right: dict[int, Tile] = {}
    faults = []
    for i, (face, corners) in enumerate(labels):
        size = min(math.dist(corners[k - 1], corners[k]) for k in range(4))
        middle = [sum(along) / 4 for along in zip(*corners, strict=True)]
        away = {k: math.dist(s.centre, middle) for k, s in enumerate(sightings)}
        nearest = min(away, key=away.__getitem__, default=-1)
        if nearest < 0 or away[nearest] > size / 2 or nearest in right:
            faults.append(
                Fault("no_tile_there", say("There is no tile where label {n} ({t}) is.", n=i, t=face), f"labels[{i}]")
            )
        else:
            right[nearest] = face
    if faults:
        raise InvalidRequest.of(faults)
    return lessons_of_corrections(sightings, right)


class JsonSets(TileSets):
    """Sets as JSON texts of the page: the name of each, and its file."""

    def __init__(self, store: JsonStore) -> None:
        self._store = store

    def _files(self) -> dict[str, str]:
        return {one["name"]: one["file"] for one in self._store.find(_SET)}

    def names(self) -> list[str]:
        """See :meth:`TileSets.names`."""
        return sorted(self._files())

    def read(self, name: str) -> bytes:
        """See :meth:`TileSets.read`."""
        return b64decode(self._files()[name])

    def write(self, name: str, data: bytes) -> None:
        """See :meth:`TileSets.write`."""
        self._store.put(_SET + name, {"name": name, "file": b64encode(data).decode()})

    def remove(self, name: str) -> None:
        """See :meth:`TileSets.remove`."""
        self._store.put(_SET + name, None)


def answer_sets(method: str, path: str, body: str, store: JsonStore) -> tuple[HTTPStatus, Any] | None:
    """Return the answer to a request about the sets that the page keeps; None if it is about something else.

    Args:
        method, path: of the request. body: JSON texts of a form, a file as a character for each byte.
        store: what is kept.

    Returns:
        The status, and a JSON value, or a file as text, a character for each byte.

    Raises:
        HupaiError: the refusal. NotFetched: more texts are needed.
    """
    sets = JsonSets(store)
    model = json.loads(NETWORKS.read_bytes())["classifier"][:12] if NETWORKS.exists() else None
    match method, *map(unquote, path.split("/")[1:]):
        case "GET", "sets":
            return HTTPStatus.OK, {"sets": sets.list_sets(model)}
        case "POST", "sets", "lessons":  # from device.py, which looks at the photos
            said = parse_field(body, "lessons")
            lessons = [Lesson(tile(code), tuple(place)) for code, place in said["lessons"]]
            return HTTPStatus.CREATED, set_json(sets.teach(said["name"], said["model"], lessons), model)
        case "POST", "sets", "import":
            form = parse_field(body, "profile")
            data, replace = form["profile"].encode("latin-1"), parse_flag(form, "replace")
            return HTTPStatus.CREATED, set_json(sets.import_set(data, "profile", replace=replace), model)
        case "GET", "sets", name, "file":
            return HTTPStatus.OK, sets.export_set(clean_name(name, "name")).decode("latin-1")
        case "DELETE", "sets", name:
            sets.delete_set(clean_name(name, "name"))
            return HTTPStatus.NO_CONTENT, ""
    return None
