"""What a picture may cost to decode, judged by header and markers before anything is decoded.

A few megabytes can claim hours of processor time. Decoding cannot be stopped halfway in a thread, so what it takes is
bounded beforehand: by pixels, by what a PNG unpacks to, by how often a JPEG passes over its pixels, by pages counted.
"""

from __future__ import annotations

from typing import Final

from PIL import Image

from vision.errors import PhotoError

MAX_PIXELS: Final = 110_000_000
"""Largest picture taken, pixels; the largest common phone sensor has 108 million."""
MAX_OTHER_PIXELS: Final = 50_000_000
"""Largest picture taken that is neither JPEG nor HEIC, pixels: only those two can be decoded smaller, or come from
cameras that large. WebP's decoder also holds several copies. A PNG of more than 32 bits a pixel counts as larger."""
MAX_JPEG_PASSES: Final = 16
"""How often a JPEG of the largest size may pass over its pixels, and smaller ones as many pixels; encoders make ten
scans. Another scan of nothing takes 26 bytes of the file, and 8 ms for 12 megapixels."""
MAX_PAGES: Final = 1000
"""Pages of a TIFF that are counted: they are linked, and each one is compared with all before it."""

MAX_MEMORY: Final = 1_200_000_000
"""Bytes that decoding a picture may take: enough for the largest of every kind."""
_BYTES_PER_PIXEL: Final = {"JPEG": 1, "MPO": 1, "HEIF": 7}
"""Memory while a picture is decoded, of a JPEG for its smaller views; of other formats with what
follows: they are held at full size while they are read."""
_BYTES_PER_OTHER_PIXEL: Final = 14
_BYTES_PER_PILLOW_PIXEL: Final = {"HEIF": 10, "WEBP": 16}
"""The same where Pillow decodes, see :func:`has_own_decoder`."""
VIEW_BYTES_PER_PIXEL: Final = 3
"""Memory of a view of a JPEG, while it is decoded and after."""
LARGE_BYTES: Final = 40_000_000
"""What decoding a picture takes that is larger than most: a JPEG of more than 13 megapixels is, at full size."""
_PNG_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def pixel_limit(image: Image.Image, data: bytes, max_memory: int) -> int:
    """How many pixels a picture of this kind may have; ``data`` is its file, ``max_memory`` in bytes."""
    return min(max_memory // bytes_per_pixel(image), _kind_limit(image, data))


def bytes_per_pixel(image: Image.Image) -> int:
    """Memory that decoding takes for each pixel."""
    kind = image.format or ""
    needed = _BYTES_PER_PIXEL.get(kind, _BYTES_PER_OTHER_PIXEL)
    return (needed if has_own_decoder(image) else _BYTES_PER_PILLOW_PIXEL.get(kind, needed)) + kept_bytes(image)


def kept_bytes(image: Image.Image) -> int:
    """Memory for each pixel of a progressive JPEG, whatever its view: its coefficients are kept, 16 bits each."""
    return 2 * len(image.getbands()) if image.info.get("progressive") else 0


def has_own_decoder(image: Image.Image) -> bool:
    """Whether a picture is decoded without Pillow: it takes several times its size in memory for these two formats."""
    return image.format in ("HEIF", "WEBP") and image.mode == "RGB" and not getattr(image, "is_animated", False)


def _kind_limit(image: Image.Image, data: bytes) -> int:
    if image.format in ("JPEG", "MPO", "HEIF"):
        return MAX_PIXELS
    if image.format == "PNG" and len(data) > 25:
        depth, channels = data[24], _PNG_CHANNELS.get(data[25], 4)
        return MAX_OTHER_PIXELS * 32 // max(32, depth * channels)
    return MAX_OTHER_PIXELS


def refuse_passes(image: Image.Image, data: bytes, name: str, max_pixels: int) -> None:
    """Raise PhotoError for a JPEG that has more scans than can be drawn in reasonable time.

    Args:
        image, data, name: it, its file, and what it is called. max_pixels: of the largest picture of its kind.
    """
    scans = data.count(b"\xff\xda")  # coded pixels cannot contain these two bytes; a thumbnail adds one more
    if scans * image.width * image.height > MAX_JPEG_PASSES * max_pixels:
        raise PhotoError(
            f"{name} is drawn in {scans} passes over {image.width * image.height / 1e6:.0f} megapixels, far more than "
            "any camera makes; save it anew as a plain JPEG and try again.",
            code="image_too_large",
        )


def count_pages(image: Image.Image) -> int:
    """How many pictures a file holds, :data:`MAX_PAGES` at most of a TIFF."""
    if image.format != "TIFF":
        return max(1, int(getattr(image, "n_frames", 1)))
    try:
        for page in range(1, MAX_PAGES):
            image.seek(page)
    except EOFError:
        return page
    finally:
        image.seek(0)
    return MAX_PAGES
