"""A photo's detections -> the inputs of the scene classifier: a row for each detection, a vector for each pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import FloatArray, shares_inside
from vision.classify.columns import Columns
from vision.models import load_graph
from vision.models.backend import Backend
from vision.models.opencv import OPENCV
from vision.scene.detections import Detections


@dataclass(frozen=True, slots=True)
class DetectionMeasures:
    """What the inputs are computed from: a photo's detections, with the crops reduced to their colours.

    All attributes are as in :class:`Detections` but ``colours``, (n, 23) float32: see
    :func:`vision.models.opencv.colour_statistics`.
    """

    quads: FloatArray
    located: FloatArray
    probabilities: FloatArray
    embeddings: FloatArray
    colours: FloatArray
    size: FloatArray

    @classmethod
    def from_detections(cls, seen: Detections, backend: Backend = OPENCV) -> DetectionMeasures:
        """Measure a photo's detections."""
        colours = backend.colours(seen.crops)
        return cls(seen.quads, seen.located, seen.probabilities, seen.embeddings, colours, seen.size)

    def __len__(self) -> int:
        return len(self.quads)


def scene_inputs(seen: DetectionMeasures, columns: Columns) -> dict[str, FloatArray]:
    """The inputs of ``scene.onnx`` by name, for n > 0 detections of one photo; its card lists their columns."""
    kinds = np.zeros((seen.probabilities.shape[1], 5), np.float32)
    for k, which in enumerate((columns.none, columns.back, columns.white, columns.bonus, columns.red)):
        kinds[np.array(which, np.intp), k] = 1
    taken = {name: getattr(seen, name) for name in seen.__slots__ if name != "size"}
    taken |= {"kinds": kinds, "inside": shares_inside(seen.quads, *seen.size)}
    graph = load_graph("measures")
    given = graph.run(None, {name: np.asarray(value, np.float32) for name, value in taken.items()})
    return {"emb": seen.embeddings, **{end.name: value for end, value in zip(graph.get_outputs(), given, strict=True)}}
