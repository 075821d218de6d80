"""Photos of a tile set in, a learned set out.

``read("hand.jpg", tileset=learn_set("home", ["all-tiles.jpg"]))`` reads a hand of the set; :mod:`vision.learn.setfiles`
keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from scoring.tiles import Tile
from vision.device import finish, rows_of
from vision.errors import TileSetError
from vision.learn.lessons import lessons_by_elimination, lessons_in_order
from vision.learn.tileset import Lesson, TileSet
from vision.pipeline import Picture, TileReader, shared_reader
from vision.reading import Sighting


def learn_set(
    name: str,
    pictures: Sequence[Picture],
    *,
    tiles: Sequence[Tile] | None = None,
    known: TileSet | None = None,
    reader: TileReader | None = None,
) -> TileSet:
    """Learn a set from photos.

    Args:
        name: of the set.
        pictures: each shows a whole set, one or four of each kind in any order; or, with ``tiles``, just these.
        tiles: the face-up tiles of every picture, line by line, left to right and from top to bottom.
        known: what was learned before; it is added to.
        reader: to read the pictures with; that of this process if not given.

    Raises:
        PhotoError: a picture cannot be used.
        TileSetError: a picture does not show what it should, or ``known`` is of another classifier model.
    """
    reader = reader or shared_reader()
    model = reader.models["classifier"]
    known = known or TileSet.empty(name, model)
    if known.model != model:
        message = f"The set {known.name} was learned with another classifier; learn it anew under its name."
        raise TileSetError(message, code="set_other_model")
    teach = lessons_by_elimination if tiles is None else partial(lessons_in_order, tiles=tiles)
    for picture in pictures:
        known = known.with_lessons(lessons_of(picture, teach, reader))
    return replace(known, name=name)


def lessons_of(
    picture: Picture, teach: Callable[[Sequence[Sighting]], list[Lesson]], reader: TileReader
) -> list[Lesson]:
    """What one picture teaches: each tile as it lies and upside down, for hands are photographed from both sides.

    Raises:
        PhotoError: the picture cannot be used.
        TileSetError: as ``teach`` does.
    """
    detected, sightings = reader.detect(picture)
    if not len(detected):
        raise TileSetError("No tile in sight: fill the picture with the set, in good light.", code="set_order_unclear")
    lessons = teach(sightings)
    every = range(len(detected))
    (flat,) = finish(detected.crops.look("classifier", ("emb",), every, [2] * len(detected)))
    turned = rows_of(flat, len(detected))
    upside_down = {tuple(one.embedding): tuple(other) for one, other in zip(detected.found, turned, strict=True)}
    return lessons + [Lesson(x.tile, upside_down[x.embedding]) for x in lessons]
