"""All detections of a photo together: which of them are tiles."""

from __future__ import annotations

from vision.scene.classes import Classes
from vision.scene.context import judge
from vision.scene.detections import Clock, Detections, TwoStageDetector

__all__ = ["Classes", "Clock", "Detections", "TwoStageDetector", "judge"]
