"""What a camera does to a picture: exposure, colour, blur, noise, compression. RGB uint8 in, RGB uint8 out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from datasets.noise import grain

Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PhotoEffects:
    """How a photo was taken.

    Attributes:
        exposure: overall gain; ``balance``: (3,) gains of red, green, blue; ``gamma``, ``contrast``: tone curve.
        saturation: 1 leaves colours alone, 0 is grey.
        blur: standard deviation of the lens blur, pixels; ``motion``: (dx, dy) of shake, pixels.
        detail: the picture is taken at this share of its size and enlarged, 0.3-1.
        noise: standard deviation, grey values; ``coloured``: noise differs between channels.
        sharpen: strength of the sharpening phones apply; ``vignette``: darkening of the corners, 0-1.
        quality: of the JPEG, or 0 for none.
    """

    exposure: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gamma: float = 1.0
    contrast: float = 1.0
    saturation: float = 1.0
    blur: float = 0.6
    motion: tuple[float, float] = (0.0, 0.0)
    detail: float = 1.0
    noise: float = 2.0
    coloured: bool = True
    sharpen: float = 0.3
    vignette: float = 0.15
    quality: int = 90

    @staticmethod
    def random(rng: np.random.Generator, roughness: float = 1.0) -> PhotoEffects:
        """A photo of a hand as people take it: ``roughness`` 0 is a good camera in good light, at 1 anything goes."""
        r = roughness
        warm, tint = rng.normal(0, 0.1 * r), rng.normal(0, 0.03 * r)
        motion = (0.0, 0.0)
        if rng.random() < 0.18 * r:
            angle, length = rng.uniform(0, np.pi), rng.uniform(1, 7)
            motion = (float(length * np.cos(angle)), float(length * np.sin(angle)))
        dark = rng.random() < 0.12 * r
        return PhotoEffects(
            exposure=float(np.exp(rng.normal(-0.5 if dark else 0.0, 0.13 + 0.08 * r))),
            balance=(float(1 + warm), float(1 + tint), float(1 - warm)),
            gamma=float(np.exp(rng.normal(0, 0.12 * r))),
            contrast=float(rng.uniform(1 - 0.2 * r, 1 + 0.22 * r)),
            saturation=float(rng.uniform(1 - 0.5 * r, 1 + 0.25 * r)) if rng.random() < 0.5 else 1.0,
            blur=float(rng.choice([rng.uniform(0.35, 0.8), rng.uniform(0.5, 1.3 + 0.6 * r)])),
            motion=motion,
            detail=float(rng.uniform(0.4, 0.9)) if rng.random() < 0.25 * r else 1.0,
            noise=float(rng.uniform(0.5, 3 + 4 * r) * (2 if dark else 1)),
            coloured=bool(rng.random() < 0.6),
            sharpen=float(rng.uniform(0, 0.9)) if rng.random() < 0.5 else 0.0,
            vignette=float(rng.uniform(0, 0.35)),
            quality=int(rng.integers(round(88 - 55 * r), 97)) if rng.random() < 0.85 else 0,
        )

    def at_size(self, scale: float) -> PhotoEffects:
        """The same photo at another resolution: blurs in pixels grow with it."""
        dx, dy = self.motion
        return replace(self, blur=max(0.4, self.blur * scale), motion=(dx * scale, dy * scale))


def _tone_table(taken: PhotoEffects) -> npt.NDArray[np.uint8]:
    """(256, 3) lookup of exposure, balance, contrast and gamma, with a soft shoulder instead of hard clipping."""
    x = np.arange(256, dtype=np.float64)[:, None] / 255
    y = x * taken.exposure * np.array(taken.balance)
    y = (y - 0.5) * taken.contrast + 0.5
    y = np.clip(y, 0, None) ** taken.gamma
    y = np.where(y > 0.85, 0.85 + 0.15 * np.tanh((y - 0.85) / 0.15), y)
    return np.asarray(np.clip(np.rint(y * 255), 0, 255), np.uint8)


def multiply(picture: Picture, gain: npt.NDArray[np.float32]) -> Picture:
    """An (h, w, 3) picture with every pixel this much (h, w) brighter or darker."""
    return np.asarray(cv2.multiply(picture, cv2.merge([gain, gain, gain]), dtype=cv2.CV_8U), np.uint8)


def _darken_corners(image: Picture, strength: float) -> Picture:
    h, w = image.shape[:2]
    y, x = np.mgrid[-1:1:24j, -1:1:32j]
    fall = (1 - strength * (x * x + y * y) / 2).astype(np.float32)
    gain = cv2.resize(fall, (w, h), interpolation=cv2.INTER_LINEAR)
    return multiply(image, gain)


def shake(image: Picture, motion: tuple[float, float]) -> Picture:
    """The picture as of a camera that moved by so many pixels while it was open."""
    reach = int(np.ceil(max(abs(motion[0]), abs(motion[1])))) | 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    t = np.linspace(-0.5, 0.5, 8 * reach)
    np.add.at(kernel, (np.rint(reach + t * motion[1]).astype(int), np.rint(reach + t * motion[0]).astype(int)), 1)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def develop(image: Picture, taken: PhotoEffects, rng: np.random.Generator) -> Picture:
    """The picture as this photo shows it, (h, w, 3) RGB uint8."""
    h, w = image.shape[:2]
    if taken.vignette > 0.01:
        image = _darken_corners(image, taken.vignette)
    image = np.asarray(cv2.LUT(image, _tone_table(taken).reshape(1, 256, 3)), np.uint8)
    if abs(taken.saturation - 1) > 0.02:
        grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
        image = np.asarray(cv2.addWeighted(image, taken.saturation, grey, 1 - taken.saturation, 0), np.uint8)
    if max(abs(taken.motion[0]), abs(taken.motion[1])) >= 1:
        image = shake(image, taken.motion)
    if taken.blur > 0.3:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), taken.blur), np.uint8)
    if taken.detail < 0.99:
        small = (max(16, round(w * taken.detail)), max(16, round(h * taken.detail)))
        shrunk = cv2.resize(image, small, interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(shrunk, (w, h), interpolation=cv2.INTER_CUBIC), np.uint8)
    if taken.noise > 0.2:
        soft = 0.8 if rng.random() < 0.4 else 0.0
        field = grain(rng, h, w, 3 if taken.coloured else 1, soft)
        speckle = field if field.shape[2] == 3 else cv2.merge([field, field, field])
        image = np.asarray(cv2.addWeighted(image, 1.0, speckle, taken.noise, 0, dtype=cv2.CV_8U), np.uint8)
    if taken.sharpen > 0.02:
        soft_copy = cv2.GaussianBlur(image, (0, 0), max(0.8, taken.blur))
        image = np.asarray(cv2.addWeighted(image, 1 + taken.sharpen, soft_copy, -taken.sharpen, 0), np.uint8)
    if taken.quality:
        bgr = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
        _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, taken.quality])
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR_RGB), np.uint8)
    return np.ascontiguousarray(image)
