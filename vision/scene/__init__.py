"""All detections of a photo together: which of them are tiles, and which tiles."""

from __future__ import annotations

from vision.scene.classifier import SceneClassifier
from vision.scene.detections import Detections
from vision.scene.sightings import to_sightings
from vision.scene.views import Clock, detect, time_stage

__all__ = ["Clock", "Detections", "SceneClassifier", "detect", "time_stage", "to_sightings"]
