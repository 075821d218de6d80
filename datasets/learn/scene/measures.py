"""A photo's detections as arrays, and as the inputs of the scene classifier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.quads import shares_inside
from vision.arrays import FloatArray
from vision.metadata import Columns
from vision.onnx_device import scene_inputs
from vision.scene.detections import Detections


@dataclass(frozen=True, slots=True)
class DetectionMeasures:
    """What the inputs are computed from: a photo's n detections, see :class:`vision.scene.detections.Detection`.

    Attributes:
        quads: (n, 4, 2) float32 pixels.
        located: (n,) float32.
        probabilities: (n, classes) float32.
        embeddings: (n, D) float32.
        colours: (n, 23) float32.
        size: (2,) float32 width and height of the photo, pixels.
    """

    quads: FloatArray
    located: FloatArray
    probabilities: FloatArray
    embeddings: FloatArray
    colours: FloatArray
    size: FloatArray

    @classmethod
    def from_detections(cls, seen: Detections) -> DetectionMeasures:
        """The arrays of a photo's detections."""
        names = ("quad", "located", "probabilities", "embedding", "colours")
        columns = [np.array([getattr(one, name) for one in seen.found], np.float32) for name in names]
        if not seen.found:
            columns = [np.zeros(shape, np.float32) for shape in ((0, 4, 2), 0, (0, 0), (0, 0), (0, 23))]
        quads, located, probabilities, embeddings, colours = columns
        size = np.array([seen.width, seen.height], np.float32)
        return cls(quads, located, probabilities, embeddings, colours, size)

    def __len__(self) -> int:
        return len(self.quads)

    def to_inputs(self, columns: Columns) -> dict[str, FloatArray]:
        """The inputs of ``scene.onnx`` by name, for n > 0 detections; its card lists their columns."""
        measured = {name: getattr(self, name) for name in self.__slots__ if name != "size"}
        kinds = np.array(columns.kinds(self.probabilities.shape[1]), np.float32).reshape(-1, 5)
        return scene_inputs({**measured, "kinds": kinds, "inside": shares_inside(self.quads, *self.size)})
