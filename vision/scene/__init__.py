"""All detections of a photo together: which of them are tiles, and which tiles."""

from __future__ import annotations

from vision.scene.classifier import SceneClassifier
from vision.scene.detections import Clock, Detections, looks_at, timed

__all__ = ["Clock", "Detections", "SceneClassifier", "looks_at", "timed"]
