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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from scoring.tiles import Tile
from vision.arrays import FloatArray
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


@dataclass(frozen=True, slots=True)
class Lesson:
    """One tile of the set with its right label and the classifier's embedding of it, (D,) float32."""

    tile: Tile
    embedding: FloatArray


@dataclass(frozen=True, slots=True)
class TileSet:
    """A learned set.

    Attributes:
        name: what people call it.
        model: first 12 hex digits of the sha256 of the classifier it was learned with.
        tiles: the label of each of P prototypes.
        prototypes: (P, D) float32, unit length.
        weights: (P,) int32, lessons behind each prototype.

    Raises:
        TileSetError: a name that cannot be a file's.
    """

    name: str
    model: str
    tiles: tuple[Tile, ...]
    prototypes: FloatArray
    weights: npt.NDArray[np.int32]

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
        return cls(name, model, (), np.zeros((0, 0), np.float32), np.zeros(0, np.int32))

    @property
    def labels(self) -> frozenset[Tile]:
        """The labels it has seen."""
        return frozenset(self.tiles)

    def with_lessons(self, lessons: Iterable[Lesson]) -> TileSet:
        """The set with more lessons; the same photo twice changes little."""
        tiles, places = list(self.tiles), [np.asarray(p, np.float64) for p in self.prototypes]
        weights = [int(w) for w in self.weights]
        for lesson in lessons:
            place = np.asarray(_unit(lesson.embedding), np.float64)
            own = [k for k, t in enumerate(tiles) if t is lesson.tile]
            nearest = max(own, key=lambda k: float(places[k] @ place), default=None)
            if nearest is not None and (
                len(own) >= MAX_PROTOTYPES or float(places[nearest] @ place) >= SAME_FACE_COSINE
            ):
                blended = places[nearest] * weights[nearest] + place
                places[nearest] = blended / max(float(np.linalg.norm(blended)), 1e-9)
                weights[nearest] += 1
            else:
                tiles.append(lesson.tile)
                places.append(place)
                weights.append(1)
        prototypes = np.array(places, np.float32) if places else self.prototypes
        return replace(self, tiles=tuple(tiles), prototypes=prototypes, weights=np.array(weights, np.int32))

    def read(self, sightings: Sequence[Sighting]) -> list[Sighting]:
        """The same sightings with the set's own pictures taken into account; those without embedding stay as they are.

        Raises:
            TileSetError: the embeddings are of another classifier.
        """
        if not self.tiles:
            return list(sightings)
        return [s if s.embedding is None else self._read(s, np.array(s.embedding, np.float32)) for s in sightings]

    def _read(self, sighting: Sighting, embedding: FloatArray) -> Sighting:
        if embedding.shape != self.prototypes.shape[1:]:
            message = f"The set {self.name} was learned with another classifier; learn it again from photos."
            raise TileSetError(message, code="set_other_model")
        nearness = self.prototypes @ _unit(embedding)
        nearest: dict[Tile, float] = {}
        for t, near in zip(self.tiles, nearness, strict=True):
            nearest[t] = max(nearest.get(t, -1.0), float(near))
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


def _unit(vector: FloatArray) -> FloatArray:
    """A vector scaled to length 1."""
    return np.asarray(vector / np.maximum(np.linalg.norm(vector, axis=0), 1e-9), np.float32)
