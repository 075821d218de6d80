"""A table on which training scenes are laid: tiles put down one by one or in rows, and the things beside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from datasets.faces.textured_tileset import TexturedTileSet
from datasets.labels import FACES
from datasets.objects.props import Prop
from datasets.render.camera import Floats, turn_x, turn_y, turn_z
from datasets.render.paint import SceneObject
from datasets.render.solids import RoundedBox

_WEIGHT: Final = {"5z": 2.5, "0m": 1.3, "0p": 1.3, "0s": 1.3, "joker": 0.4}
_BONUS_WEIGHT: Final = {"f": 1.5, "g": 1.5, "a": 0.7}
_WEIGHTS: Final = np.array([_WEIGHT.get(f, _BONUS_WEIGHT.get(f[0], 1.0)) for f in FACES])
LABEL_CHANCES: Final = _WEIGHTS / _WEIGHTS.sum()


@dataclass
class Heap:
    """A table under construction."""

    rng: np.random.Generator
    tiles: TexturedTileSet
    things: list[SceneObject] = field(default_factory=list)
    props: list[Prop] = field(default_factory=list)
    chances: npt.NDArray[np.float64] = field(default_factory=lambda: LABEL_CHANCES)
    """Probability of each of ``FACES``."""
    subjects: list[Floats] = field(default_factory=list)
    """(3,) places that the camera looks at where there is no tile."""

    def label(self) -> str:
        """A random face; white dragons, red fives and bonus tiles come more often than in play."""
        return FACES[int(self.rng.choice(len(FACES), p=self.chances))]

    def put(self, x: float, y: float, yaw: float = 0.0, label: str | None = None, pose: str = "up",
            z: float = 0.0, lean: float = 0.0, tilt: tuple[float, float] = (0.0, 0.0)) -> None:  # fmt: skip
        """Put down one tile.

        Args:
            yaw: radians about the upright axis.
            pose: ``up``, ``down``, ``stand`` (face to -y before yaw), ``away`` (standing, back to -y), ``side``.
            z: height of what it lies on; ``lean``: radians a standing tile leans back.
            tilt: small rotations about its own axes, for tiles that lie on others.
        """
        t = self.tiles
        pose_spin = {
            "up": np.eye(3),
            "down": turn_y(np.pi),
            "stand": turn_x(np.pi / 2 - lean),
            "away": turn_z(np.pi) @ turn_x(np.pi / 2 - lean),
            "side": turn_y(np.pi / 2),
        }[pose]
        spin = turn_z(yaw) @ turn_x(tilt[0]) @ turn_y(tilt[1]) @ pose_spin
        half = np.array([0.5, t.height / 2, t.depth / 2])
        high = float(np.abs(spin[2]) @ half)
        self.things.append(
            SceneObject(RoundedBox(half, np.array([x, y, z + high]), spin, t.radius), label or self.label())
        )

    def row(self, count: int, x: float, y: float, yaw: float = 0.0, gap: float = 0.015, pose: str = "up",
            turned: bool = False, down: bool = False, lean: float = 0.0) -> None:  # fmt: skip
        """Tiles side by side from (x, y) along ``yaw``; now and then one upside down, across, or face down."""
        rng, along = self.rng, 0.0
        labels = [self.label() for _ in range(count)]
        if rng.random() < 0.5:
            labels.sort(key=FACES.index)
        for i in range(count):
            across = turned and i in (0, count - 1) and rng.random() < 0.5
            flip = np.pi if pose == "up" and rng.random() < 0.12 else 0.0
            hidden = down and i in (0, count - 1)
            wide = self.tiles.height if across else 1.0
            at, off = along + wide / 2, float(rng.normal(0, 0.02))
            spin = yaw + (np.pi / 2 if across else 0) + flip + float(rng.normal(0, 0.012))
            px, py = x + at * np.cos(yaw) - off * np.sin(yaw), y + at * np.sin(yaw) + off * np.cos(yaw)
            self.put(float(px), float(py), spin, labels[i], "down" if hidden and pose == "up" else pose, lean=lean)
            along += wide + abs(float(rng.normal(0, gap)))
