"""What was learned of one physical tile set: prototypes of its faces, and reading with them.

A set's own faces look alike from photo to photo, to the classifier too: its embeddings of one face lie close together,
whatever tile it takes the face for. A prototype is such a place among the embeddings, with its label. Reading weighs
the classifier's probabilities with the nearness of each label's prototypes; labels without a prototype count as if
theirs lay at the usual distance of a foreign set's, so that a set may be learned bit by bit. The chance that the face
is none of them is weighed likewise: what was learned is known, however odd it looks.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import mul
from typing import Final, TypeAlias

from scoring.tiles import Tile
from vision.errors import TileSetError
from vision.layout.melds import MIN_PROBABILITY
from vision.reading import Sighting

MAX_PROTOTYPES: Final = 6
"""Prototypes of one label: light, blur and angle move a face's place a little."""
SAME_FACE_COSINE: Final = 0.93
"""Lessons this near (cosine) to a prototype of their label refine it; others start a new one."""
NEARNESS_NATS: Final = 10.0
"""Weight of nearness beside the classifier's log probabilities, nats for a whole unit of cosine. Fitted, like
``STRANGER_COSINE``, on photos of six sets, each learned from one photo."""
STRANGER_COSINE: Final = 0.45
"""Nearness assumed for a label that was not learned."""
KIN_COSINE: Final = 0.62
"""Most nearness assumed for a bonus tile that was not learned, where a learned one is as near: within one set flowers
and seasons often share a picture but for the number. The same face again is nearer than that."""
NAME: Final = re.compile(r"[^\W_][\w .()-]{0,39}")
"""Names of sets: they are file names too."""

Vector: TypeAlias = tuple[float, ...]
"""D numbers that fit into float32."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One tile of the set with its right label and the classifier's embedding of it."""

    tile: Tile
    embedding: Vector


@dataclass(frozen=True, slots=True)
class TileSet:
    """A learned set.

    Attributes:
        name: what people call it.
        model: first 12 hex digits of the sha256 of the classifier it was learned with.
        tiles: the label of each of P prototypes.
        prototypes: P vectors of unit length.
        weights: lessons behind each prototype.

    Raises:
        TileSetError: a name that cannot be a file's.
    """

    name: str
    model: str
    tiles: tuple[Tile, ...]
    prototypes: tuple[Vector, ...]
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise TileSetError(
                f"{self.name!r:.60} cannot be the name of a set: use up to 40 letters, digits, spaces and . ( ) - _.",
                code="set_bad_name",
                field="name",
            )
        if not len(self.tiles) == len(self.prototypes) == len(self.weights):
            raise ValueError("a tile set needs one label and one weight for each prototype")

    @classmethod
    def empty(cls, name: str, model: str) -> TileSet:
        """A set that has learned nothing yet."""
        return cls(name, model, (), (), ())

    @property
    def labels(self) -> frozenset[Tile]:
        """The labels it has seen."""
        return frozenset(self.tiles)

    @property
    def lessons(self) -> int:
        """How many lessons it has had."""
        return sum(self.weights)

    def fits(self, model: str | None) -> bool:
        """Whether it can be read with a classifier; with any there may be if that is None."""
        return model is None or not self.tiles or self.model == model

    def for_model(self, model: str | None) -> TileSet:
        """Itself, checked.

        Raises:
            TileSetError: it cannot be read with that classifier.
        """
        if self.fits(model):
            return self
        learned = f"The set {self.name} was learned with classifier {self.model}"
        raise TileSetError(f"{learned}, in use is {model}: learn it again from photos.", code="set_other_model")

    def with_lessons(self, lessons: Iterable[Lesson]) -> TileSet:
        """The set with more lessons; the same photo twice changes little.

        Raises:
            TileSetError: the embeddings are of another classifier.
        """
        tiles, places, weights = list(self.tiles), list(self.prototypes), list(self.weights)
        for lesson in lessons:
            place = self._unit(lesson.embedding)
            near = {k: _dot(places[k], place) for k, t in enumerate(tiles) if t is lesson.tile}
            nearest = max(near, key=near.__getitem__, default=None)
            if nearest is not None and (len(near) >= MAX_PROTOTYPES or near[nearest] >= SAME_FACE_COSINE):
                places[nearest] = _scaled(
                    [p * weights[nearest] + q for p, q in zip(places[nearest], place, strict=True)]
                )
                weights[nearest] += 1
            else:
                tiles.append(lesson.tile)
                places.append(place)
                weights.append(1)
        prototypes = tuple(tuple(array("f", place)) for place in places)
        return replace(self, tiles=tuple(tiles), prototypes=prototypes, weights=tuple(weights))

    def read(self, sightings: Sequence[Sighting]) -> list[Sighting]:
        """The same sightings with the set's own pictures taken into account; those without embedding stay as they are.

        Raises:
            TileSetError: the embeddings are of another classifier.
        """
        if not self.tiles:
            return list(sightings)
        return [s if s.embedding is None else self._read(s, self._unit(s.embedding)) for s in sightings]

    def _read(self, sighting: Sighting, place: Vector) -> Sighting:
        nearest: dict[Tile, float] = {}
        for t, prototype in zip(self.tiles, self.prototypes, strict=True):
            nearest[t] = max(nearest.get(t, -1.0), _dot(prototype, place))
        nothing = (
            math.log(max(0.0, 1 - sum(sighting.posterior.values())) + MIN_PROBABILITY) + NEARNESS_NATS * STRANGER_COSINE
        )
        kin = max((near for t, near in nearest.items() if t.is_bonus), default=STRANGER_COSINE)
        strange = {True: max(STRANGER_COSINE, min(KIN_COSINE, kin)), False: STRANGER_COSINE}
        score = {
            t: math.log(sighting.posterior.get(t, 0.0) + MIN_PROBABILITY)
            + NEARNESS_NATS * nearest.get(t, strange[t.is_bonus])
            for t in sighting.posterior | nearest
        }
        top = max(*score.values(), nothing)
        weight = {t: math.exp(s - top) for t, s in score.items()}
        whole = sum(weight.values()) + math.exp(nothing - top)
        posterior = {t: w / whole for t, w in weight.items()}
        best = max(posterior, key=lambda t: posterior[t])
        return replace(sighting, tile=best, confidence=posterior[best], posterior=posterior)

    def _unit(self, embedding: Vector) -> Vector:
        """An embedding scaled to length 1."""
        if self.tiles and len(embedding) != len(self.prototypes[0]):
            message = f"The set {self.name} was learned with another classifier; learn it again from photos."
            raise TileSetError(message, code="set_other_model")
        return _scaled(embedding)


def _scaled(vector: Sequence[float]) -> Vector:
    """A vector scaled to length 1."""
    length = max(math.sqrt(_dot(vector, vector)), 1e-9)
    return tuple(x / length for x in vector)


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    """The scalar product, the same to the bit in every Python."""
    return math.fsum(map(mul, one, other))
