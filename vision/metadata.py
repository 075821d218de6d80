"""What the networks say of themselves: labels, sizes, temperatures, from their ONNX metadata as JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.tiles import PLAIN, TILES, Tile
from vision.errors import ModelError

EVIDENCE: Final = 11
"""How many numbers :func:`vision.scene.classifier.tile_evidence` gives, each with a weight of the scene classifier."""
_TILES: Final = {t.code: t for t in TILES}
_BONUS: Final = frozenset(tile.code for tile in PLAIN if tile.is_bonus)


@dataclass(frozen=True, slots=True)
class Columns:
    """The classifier's columns of the classes that a photo as a whole says something about; -1 for one it lacks.

    Attributes:
        white, back, none: white dragon, face-down tile, and "not a clean face".
        red, bonus: red fives; flowers, seasons and animals.
        fives: the red and the plain five of each suit; dots: those of dots.
    """

    white: int
    back: int
    none: int
    red: tuple[int, ...]
    bonus: tuple[int, ...]
    fives: tuple[tuple[int, int], ...]
    dots: tuple[int, int]

    @classmethod
    def from_labels(cls, labels: tuple[str, ...], none: int) -> Columns:
        """The columns by label."""
        at = {label: i for i, label in enumerate(labels)}
        red, bonus = (tuple(i for label, i in at.items() if label[0] in first) for first in ("0", "fga"))
        fives = tuple((at[f"0{suit}"], at[f"5{suit}"]) for suit in "mps" if {f"0{suit}", f"5{suit}"} <= at.keys())
        dots = (at["0p"], at["5p"]) if {"0p", "5p"} <= at.keys() else (-1, -1)
        return cls(at.get("5z", -1), at.get("back", -1), none, red, bonus, fives, dots)

    @property
    def blank(self) -> tuple[int, int, int]:
        """The columns of what has no print."""
        return self.none, self.white, self.back

    def kinds(self, classes: int) -> list[float]:
        """Which class is of which kind, for the graph ``measures``, flat: classes x 5, 1 or 0."""
        kinds = ((self.none,), (self.back,), (self.white,), self.bonus, self.red)
        return [float(column in kind) for column in range(classes) for kind in kinds]


@dataclass(frozen=True, slots=True)
class DetectorMetadata:
    """Of the detector.

    Attributes:
        multiple: width and height of a picture it takes are multiples of it, pixels.
        stride: side of a cell, pixels.
        unit: its codes are in units of so many pixels.
        tile_px: least and greatest narrower span of a tile that it finds well, pixels.
    """

    multiple: int
    stride: int
    unit: float
    tile_px: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ClassifierMetadata:
    """Of the classifier.

    Attributes:
        labels: the class of each column, a tile's notation or the name for "not a clean face".
        columns: where white dragon, back, red fives and bonus tiles are; ``none``: that of "not a clean face".
        crop: width and height of the crops it takes, pixels.
        margin: how much wider and higher than the quad a crop is, as a share.
        temperature: logits are divided by it; fitted on labelled photos.
    """

    labels: tuple[str, ...]
    columns: Columns
    crop: tuple[int, int]
    margin: float
    temperature: float

    @property
    def tiles(self) -> tuple[Tile | None, ...]:
        """The tile of each column, None for "not a clean face" and classes without a notation."""
        return tuple(map(_TILES.get, self.labels))


@dataclass(frozen=True, slots=True)
class BonusMetadata:
    """Of the classifier of bonus tiles: the classifier's column of each of its own, and its temperature."""

    columns: tuple[int, ...]
    temperature: float


@dataclass(frozen=True, slots=True)
class SceneMetadata:
    """Of the scene classifier.

    Attributes:
        least: the chance from which a detection is a tile.
        company: the weight of each number of the evidence.
    """

    least: float
    company: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Metadata:
    """Of all networks of a folder of models, which may lack ``bonus``.

    ``weights``: role -> the first 12 hex digits of the SHA-256 of its file.
    """

    detector: DetectorMetadata
    classifier: ClassifierMetadata
    scene: SceneMetadata
    bonus: BonusMetadata | None
    weights: Mapping[str, str]

    @classmethod
    def from_json(cls, given: Mapping[str, Mapping[str, Any]]) -> Metadata:
        """Check the metadata of each role, as :func:`vision.models.describe_models` gives them.

        Raises:
            ModelError: a network lacks a value, has one that makes no sense, or does not belong to the others.
        """
        of = {role: _Values(role, values) for role, values in given.items()}
        try:
            classifier = _classifier(of["classifier"])
            return cls(
                _detector(of["detector"]),
                classifier,
                _scene(of["scene"], (len(classifier.labels), of["classifier"]["widths"]["emb"])),
                _bonus(of["bonus"], classifier.labels) if "bonus" in of else None,
                {role: str(values["sha256"]) for role, values in of.items()},
            )
        except (TypeError, ValueError) as error:
            raise _unsuitable(f"A model has metadata that make no sense ({error})") from error


class _Values(dict[str, Any]):
    """A network's metadata, which say what they lack."""

    def __init__(self, role: str, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self._role = role

    def __missing__(self, key: str) -> None:
        raise _unsuitable(f"The {self._role} model lacks {key!r} in its metadata")


def _detector(of: _Values) -> DetectorMetadata:
    least, greatest = of["tile_px"]
    return DetectorMetadata(int(of["multiple"]), int(of["stride"]), float(of["unit"]), (float(least), float(greatest)))


def _classifier(of: _Values) -> ClassifierMetadata:
    labels, (width, height) = tuple(of["labels"]), of["crop"]
    if of["none"] not in labels:
        raise _unsuitable("The classifier has no class for what is not a clean face")
    columns = Columns.from_labels(labels, labels.index(of["none"]))
    return ClassifierMetadata(labels, columns, (int(width), int(height)), float(of["margin"]), float(of["temperature"]))


def _bonus(of: _Values, labels: tuple[str, ...]) -> BonusMetadata:
    known = tuple(of["labels"])
    if set(known) != _BONUS.intersection(labels):
        raise _unsuitable("The models do not know the same flowers, seasons and animals")
    return BonusMetadata(tuple(map(labels.index, known)), float(of["temperature"]))


def _scene(of: _Values, given: tuple[int, int]) -> SceneMetadata:
    company = tuple(map(float, of["company"]))
    if len(company) != EVIDENCE:
        weighs = f"weighs company by {len(company)} numbers, this hupai gives {EVIDENCE}"
        raise _unsuitable(f"The scene model {weighs}")
    taken = of["widths"]["logp"], of["widths"]["emb"]
    if taken != given:
        takes = f"takes {taken[0]} classes and embeddings of {taken[1]} numbers"
        raise _unsuitable(f"The scene model {takes}, the classifier gives {given[0]} and {given[1]}")
    return SceneMetadata(float(of["least"]), company)


def _unsuitable(what: str) -> ModelError:
    return ModelError(f"{what}; install hupai again, or use models that belong together.", code="model_unsuitable")
