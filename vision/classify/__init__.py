"""Quads -> upright crops -> calibrated probabilities of every face."""

from __future__ import annotations

from vision.classify.bonus import BonusClassifier
from vision.classify.classifier import Classification, Classifier
from vision.classify.crops import rectify_all

__all__ = ["BonusClassifier", "Classification", "Classifier", "rectify_all"]
