"""Augmentation of a sample: fewer detections, other scores, confidence, sizes and light, and strays among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import softmax

from datasets.learn.scene.pale import (
    LIGHTNESS_SPREAD,
    PaleAugmentation,
    gaps,
    pale_walls,
    sides_of_tiles,
    tilings,
)
from datasets.learn.scene.samples import DOWN, WHITE, Sample, shift_odds
from datasets.quads import shares_inside, tile_sizes

MOST: Final = 90
"""Most detections of one sample in a step; of more, those nearest to a random one are taken."""

CROPPED: Final = 0.4
"""Share of the samples that are cropped at random."""
LEAST_SHOWN: Final = 0.5
"""Share of a detection that must lie within the picture."""


@dataclass(frozen=True, slots=True)
class AugmentationPool:
    """The material that samples are mixed from.

    Attributes:
        samples: those whose detections may be set into others.
        strays: sample and row of what is neither a tile nor the side of one.
        pale: how often pale things are made, and what they look like.
    """

    samples: Sequence[Sample]
    strays: Sequence[tuple[Sample, int]]
    pale: PaleAugmentation


def jitter(rng: np.random.Generator, sample: Sample, pool: AugmentationPool) -> Sample:
    """One sample changed at random in all these ways."""
    changed = _resize(rng, _thin_out(rng, crop(rng, sample)))
    if pool.strays and rng.random() < 0.3:
        changed = _with_strays(rng, changed, pool)
    for made, chance in (
        (tilings, pool.pale.tilings),
        (pale_walls, pool.pale.walls),
        (sides_of_tiles, pool.pale.sides),
        (gaps, pool.pale.gaps),
    ):
        if rng.random() < chance:
            changed = made(rng, changed, pool.pale)
    return _relit(rng, _doubt(rng, changed))


def crop(rng: np.random.Generator, sample: Sample) -> Sample:
    """Crop some samples to a part of the picture with one of the detections; those cut by more than half are gone."""
    if rng.random() >= CROPPED:
        return sample
    quads, size = sample.seen.quads, sample.seen.size
    middle = quads[int(rng.integers(len(quads)))].mean(axis=0)
    reach = size * np.exp(rng.uniform(-2.2, 0, 2))
    low = np.maximum(middle - reach * rng.random(2), 0)
    high = np.minimum(low + reach, size)
    inside = shares_inside(quads - low.astype(np.float32), *(high - low)) >= LEAST_SHOWN
    return sample.only(inside).but(quads=quads[inside] - low, size=high - low) if inside.any() else sample


def _thin_out(rng: np.random.Generator, sample: Sample) -> Sample:
    n, centre = len(sample), sample.seen.quads.mean(axis=1)
    which = np.flatnonzero(rng.random(n) > rng.choice([0, 0, 0.15, 0.4, 0.7]))
    most = int(rng.integers(4, MOST)) if rng.random() < 0.3 else MOST
    if len(which) > most:
        around = centre[which[rng.integers(len(which))]]
        which = which[np.argsort(np.linalg.norm(centre[which] - around, axis=1))[:most]]
    return sample.only(which if len(which) else np.arange(min(n, MOST)))


def _resize(rng: np.random.Generator, sample: Sample) -> Sample:
    """Printed faces of any size stay tiles; plain ones of another size than the rest may be none."""
    if rng.random() >= 0.25:
        return sample
    odd = np.flatnonzero((rng.random(len(sample)) < 0.15) & sample.printed)
    quads = sample.seen.quads.copy()
    middle = quads[odd].mean(axis=1, keepdims=True)
    quads[odd] = middle + (quads[odd] - middle) * np.exp(rng.normal(0, 0.4, (len(odd), 1, 1)))
    return sample.but(quads=quads)


def _with_strays(rng: np.random.Generator, sample: Sample, pool: AugmentationPool) -> Sample:
    """Add things from other pictures, about as large as the tiles; now and then a printed tile from another photo."""
    usual, size = np.median(tile_sizes(sample.seen.quads)), sample.seen.size
    for _ in range(int(rng.integers(1, 5))):
        other, row = pool.strays[int(rng.integers(len(pool.strays)))]
        if rng.random() < 0.35:
            other = pool.samples[int(rng.integers(len(pool.samples)))]
            row = int(rng.integers(len(other)))
            if other.labels[row] in (WHITE, DOWN):
                continue
        stray = other.only(np.array([row]))
        quad = stray.seen.quads - stray.seen.quads.mean(axis=1, keepdims=True)
        ratio = np.exp(rng.normal(0, 0.5)) * usual / max(1.0, float(tile_sizes(quad)[0]))
        sample = sample.plus(stray.but(quads=quad * ratio + rng.random(2) * size))
    return sample


def _doubt(rng: np.random.Generator, sample: Sample) -> Sample:
    """Make the networks less sure, or surer, of all or of single detections."""
    n = len(sample)
    logits = sample.logarithms / np.exp(rng.uniform(-0.2, 0.9))
    logits = logits + rng.normal(0, rng.choice([0, 0.3, 0.8]), logits.shape)
    located = shift_odds(sample.seen.located, rng.normal(0, 0.3) + rng.normal(0, 0.3, n))
    embeddings = sample.seen.embeddings * (1 + rng.normal(0, 0.1, sample.seen.embeddings.shape))
    return sample.but(probabilities=softmax(logits, axis=1), located=located, embeddings=embeddings)


def _relit(rng: np.random.Generator, sample: Sample) -> Sample:
    """Other light, other materials: hues turned, all lighter or darker; and another size of picture."""
    size = sample.seen.size * np.exp(rng.normal(0, 0.3))
    colours = sample.seen.colours.copy()
    if rng.random() < 0.6:
        angle = rng.uniform(-np.pi, np.pi) if rng.random() < 0.5 else rng.normal(0, 0.2)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * rng.uniform(0.6, 1.3)
        for k in range(0, LIGHTNESS_SPREAD, 3):
            colours[:, k + 1 : k + 3] = (colours[:, k + 1 : k + 3] - 128) @ turn.T + 128
        gain = rng.uniform(0.75, 1.15)
        colours[:, 0:LIGHTNESS_SPREAD:3] *= gain
        colours[:, LIGHTNESS_SPREAD] *= gain
    return sample.but(colours=colours, size=size)
