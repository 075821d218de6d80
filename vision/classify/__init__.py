"""Quads -> upright crops -> calibrated probabilities of every face."""

from __future__ import annotations

from vision.classify.bonus import BonusClassifier
from vision.classify.classifier import Classification, Classifier

__all__ = ["BonusClassifier", "Classification", "Classifier"]
