"""A pinhole camera over a table. World: the table is z = 0, the unit is one tile width, z points up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def turn_z(angle: float) -> Floats:
    """Rotation about the upright axis, radians, anticlockwise seen from above."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def turn_x(angle: float) -> Floats:
    """Rotation about the x axis, radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])


def turn_y(angle: float) -> Floats:
    """Rotation about the y axis, radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1.0, 0], [-s, 0, c]])


def picture_corners(width: int, height: int) -> npt.NDArray[np.float32]:
    """(4, 2) corners of a picture in its own pixels (centres at integers), clockwise from the top-left."""
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return corners - np.float32(0.5)


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the photographer stands.

    Attributes:
        target: (x, y) on the table that appears in the middle of the picture.
        distance: from the target, tile widths.
        tilt: degrees from straight down (0) towards the horizon (90).
        azimuth: degrees; 0 looks along +y (the reader of the hand), 180 from the other side of the table.
        roll: degrees the camera is turned about its axis, clockwise in the picture.
        focal: focal length in picture widths (long sides); a phone has about 0.75.
    """

    target: tuple[float, float]
    distance: float
    tilt: float = 0.0
    azimuth: float = 0.0
    roll: float = 0.0
    focal: float = 0.75


class Camera:
    """Projects world points to pixels of a picture ``width`` x ``height`` (pixel centres at integers)."""

    def __init__(self, pose: Pose, width: int, height: int) -> None:
        self.pose, self.width, self.height = pose, width, height
        tilt, az, roll = np.radians([pose.tilt, pose.azimuth, pose.roll])
        target = np.array([*pose.target, 0.0])
        away = np.array([-np.sin(az) * np.sin(tilt), -np.cos(az) * np.sin(tilt), np.cos(tilt)])
        self.eye = target + pose.distance * away
        up = np.array([np.sin(az) * np.cos(tilt), np.cos(az) * np.cos(tilt), np.sin(tilt)])
        right = np.cross(-away, up)
        c, s = np.cos(roll), np.sin(roll)
        right, up = c * right + s * up, c * up - s * right
        self.axes = np.stack([right, -up, -away])
        self.focal = pose.focal * max(width, height)
        self.centre = np.array([(width - 1) / 2, (height - 1) / 2])

    def project(self, points: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Pixels (n, 2) and depths (n,) of world points (n, 3)."""
        seen = (np.asarray(points, float).reshape(-1, 3) - self.eye) @ self.axes.T
        depth = seen[:, 2]
        return seen[:, :2] / np.maximum(depth[:, None], 0.05) * self.focal + self.centre, depth

    def table_homography(self, height: float = 0.0) -> Floats:
        """(3, 3) matrix from table coordinates (x, y, 1) at this height to pixels."""
        m = self.focal * self.axes[:2] + self.centre[:, None] * self.axes[2]
        p = np.vstack([m, self.axes[2]])
        offset = p @ (np.array([0, 0, height]) - self.eye)
        return np.stack([p[:, 0], p[:, 1], offset], axis=1)

    def pixels_per_unit(self) -> float:
        """Size of one tile width at the target, in pixels."""
        return self.focal / self.pose.distance
