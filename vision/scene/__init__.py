"""All detections of a photo together: which of them are tiles, and which tiles."""

from __future__ import annotations

from vision.scene.classifier import SceneClassifier
from vision.scene.detections import Detections
from vision.scene.looks import Clock, looked_again, looks_at, timed

__all__ = ["Clock", "Detections", "SceneClassifier", "looked_again", "looks_at", "timed"]
