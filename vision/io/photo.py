"""A file, bytes or a camera frame -> an upright RGB photo, decoded no larger than it is needed.

Formats are JPEG, PNG, WebP, AVIF, BMP, TIFF and the first frame of a GIF by Pillow, and HEIC by pi-heif. Others that
Pillow knows are left out: to draw an EPS it would run a program found on the machine.
EXIF orientation is applied exactly once. A JPEG is decoded at 1/8, 1/4 or 1/2 size where that suffices: a 12 MP photo
then takes a third of the time and a 48 MP one a tenth of the memory.
"""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import ExifTags, Image, TiffImagePlugin, UnidentifiedImageError

from vision.arrays import ImageArray
from vision.errors import PhotoError
from vision.io.costs import (
    MAX_MEMORY,
    MAX_PIXELS,
    VIEW_BYTES_PER_PIXEL,
    bytes_per_pixel,
    count_pages,
    has_own_decoder,
    kept_bytes,
    pixel_limit,
    refuse_passes,
)
from vision.io.given import Source, read_bytes_of, source_name

MAX_BYTES: Final = 100_000_000
"""Largest file taken, bytes."""
MIN_SIDE: Final = 16
"""Smallest width and height taken, pixels; no tile can be read in less."""

# MAX_PIXELS is checked on the header of every picture, so Pillow's own warning at 89 megapixels would only be noise.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
# So would warnings of damaged metadata in a readable picture, which would land among the answers in a terminal.
warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")

_TIFF: Final = (b"II*\0", b"MM\0*")
_MAGIC: Final = (b"\xff\xd8\xff", b"\x89PNG", b"RIFF", b"GIF8", b"BM", *_TIFF)
_FORMATS: Final[tuple[str, ...]] = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
_BROKEN: Final = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
    struct.error,
    zlib.error,
)
"""What Pillow's decoders, and those below it, raise on data that breaks off or makes no sense."""
_STRIP: Final = 1 << 16
"""Pixels converted to RGB at once: large pictures in other modes would be held two or three times over, and every strip
goes through the same piece of memory. With larger ones a 12 MP photo takes a quarter longer to decode."""


class Photo:
    """An upright RGB picture, decoded when asked for and only as large as asked for. For one thread at a time.

    Attributes:
        name: what to call it in messages.
        width, height: pixels of the upright picture at its original resolution.
        pages: of a TIFF, a thousand at most, or frames of an animation; only the first is looked at.

    Asked for its pixels, it raises PhotoError where a JPEG's data breaks off or makes no sense.
    """

    def __init__(
        self,
        source: Source,
        *,
        name: str | None = None,
        max_bytes: int = MAX_BYTES,
        max_pixels: int = MAX_PIXELS,
        max_memory: int = MAX_MEMORY,
        decoding: Callable[[int], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        """Open a picture. Of a JPEG only the header is read at this point; any other format is decoded.

        Args:
            source: see :data:`Source`.
            name: what to call it in messages; the file's name if not given.
            max_bytes: larger files are refused.
            max_pixels: larger pictures are refused, by their header, before anything is decoded.
            max_memory: so are those that would take more bytes to decode; views of a JPEG keep within it.
            decoding: returns what is entered while pixels are decoded, which takes so many bytes.

        Raises:
            PhotoError: missing, too large, too small, truncated or no picture.
        """
        self._views: dict[int, ImageArray] = {}
        self._jpeg = b""
        self._orientation = 1
        self._kept_bytes = 0
        self._max_view_pixels = max_memory // VIEW_BYTES_PER_PIXEL
        self._decoding = decoding
        self.pages = 1
        self.name = name or source_name(source)
        if isinstance(source, np.ndarray):
            pixels = _copy_frame(source, self.name)
            self._refuse_size(pixels.shape[1], pixels.shape[0], max_pixels)
            self._keep(pixels)
        elif isinstance(source, Image.Image):
            self._refuse_size(*source.size, max_pixels)
            self._keep(self._load_pixels(source, close=False))
        else:
            self._open(read_bytes_of(source, self.name, max_bytes), max_pixels, max_memory)

    def _open(self, data: bytes, max_pixels: int, max_memory: int) -> None:
        with self._open_image(data, max_pixels) as image:
            limit = min(max_pixels, pixel_limit(image, data, max_memory))
            self._refuse_size(*image.size, limit)
            if image.format in ("JPEG", "MPO"):
                refuse_passes(image, data, self.name, limit)
                self._jpeg, self._orientation = data, _read_orientation(image)
                self.width, self.height = image.size[:: -1 if self._orientation >= 5 else 1]
                self._kept_bytes = kept_bytes(image) * self.width * self.height
                self._max_view_pixels = (max_memory - self._kept_bytes) // VIEW_BYTES_PER_PIXEL
                return
            with suppress(*_BROKEN):  # the first page may be whole where others are not
                self.pages = count_pages(image)
            with self._decoding(bytes_per_pixel(image) * image.width * image.height):
                if has_own_decoder(image):
                    self._keep(_turn_upright(_decode_directly(image, data, self.name), _read_orientation(image)))
                else:
                    self._keep(self._load_pixels(image))

    @property
    def pixels(self) -> ImageArray:
        """(height, width, 3) uint8 RGB at the original resolution, read-only."""
        return self.view(max(self.width, self.height))

    def view(self, long_side: int) -> ImageArray:
        """The photo with its longer side at least ``long_side`` pixels, where the original has as many.

        It is (h, w, 3) uint8 RGB, read-only: the original or, of a JPEG, its 1/2, 1/4 or 1/8 size (rounded up), as long
        as both sides keep :data:`MIN_SIDE`; a smaller one where the memory allowed suffices for no larger.
        """
        full, least = max(self.width, self.height), min(self.width, self.height)
        wanted = next((r for r in (8, 4, 2) if -(-full // r) >= long_side and least >= r * MIN_SIDE), 1)
        while self._jpeg and wanted < 8 and full * least > self._max_view_pixels * wanted**2:
            wanted *= 2
        known = max((r for r in self._views if r <= wanted), default=None)
        if known is None:
            with self._decoding(self._kept_bytes + VIEW_BYTES_PER_PIXEL * full * least // wanted**2):
                self._keep(self._decode_jpeg(wanted), wanted)
            known = wanted
        return self._views[known]

    def _keep(self, pixels: ImageArray, reduction: int = 1) -> None:
        pixels.flags.writeable = False
        self._views[reduction] = pixels
        if reduction == 1:
            self.height, self.width = pixels.shape[:2]

    def _open_image(self, data: bytes, max_pixels: int = MAX_PIXELS) -> Image.Image:
        formats = _FORMATS
        if data[4:8] == b"ftyp":
            from pi_heif import register_heif_opener  # noqa: PLC0415 - loads a library few photos need

            register_heif_opener()
            formats = (*_FORMATS, "HEIF")
        try:
            return Image.open(io.BytesIO(data), formats=formats)
        except Image.DecompressionBombError:
            raise _too_large_error(
                f"{self.name} claims far more than the {max_pixels / 1e6:.0f} megapixels taken"
            ) from None
        except UnidentifiedImageError:
            if not data:
                raise PhotoError(
                    f"{self.name} is empty; copy or take the photo again.", code="image_truncated"
                ) from None
            if data.startswith(_TIFF) and _has_foreign_pixels(data):
                raise PhotoError(
                    f"{self.name} has pixels of a kind that cannot be read; save it with 8 or 16 bits a colour."
                ) from None
            if data.startswith(_MAGIC) or data[4:8] == b"ftyp":
                raise _truncated_error(self.name) from None
            raise PhotoError(
                f"{self.name} is not a picture that can be read; give a JPEG, PNG, WebP or HEIC file."
            ) from None
        except _BROKEN as error:
            raise _broken_error(self.name, error) from error

    def _refuse_size(self, width: int, height: int, max_pixels: int) -> None:
        if width * height > max_pixels:
            has = f"{self.name} has {width} x {height} = {width * height / 1e6:.0f} megapixels"
            raise _too_large_error(f"{has}, more than the {max_pixels / 1e6:.0f} taken")
        if min(width, height) < MIN_SIDE:
            raise PhotoError(
                f"{self.name} has only {width} x {height} pixels, too few to tell a tile; take a larger photo.",
                code="image_too_small",
            )

    def _load_pixels(self, image: Image.Image, *, close: bool = True) -> ImageArray:
        """Decode, turn to RGB and upright; the picture is closed, since large ones are too much to hold twice."""
        try:
            image.load()
            pixels = _to_rgb(image)
            # Read only now: Pillow rotates some formats itself while loading, and then removes the tag.
            orientation = _read_orientation(image)
            if close:
                image.close()
        except _BROKEN as error:
            raise _broken_error(self.name, error) from error
        except MemoryError:
            raise _too_large_error(f"{self.name} needs more memory than there is") from None
        return _turn_upright(pixels, orientation)

    def _decode_jpeg(self, reduction: int) -> ImageArray:
        with self._open_image(self._jpeg) as image:
            if reduction == 1 and self._views and image.mode in ("RGB", "L"):
                # A reduced view was decoded, so the data is whole: OpenCV takes half of Pillow's time and memory.
                pixels = _decode_by_opencv(self._jpeg)
                if pixels is not None and pixels.shape[1::-1] == image.size:
                    return _turn_upright(pixels, self._orientation)
            if reduction > 1:
                image.draft(None, (image.width // reduction, image.height // reduction))
            return self._load_pixels(image)


def _decode_directly(image: Image.Image, data: bytes, name: str) -> ImageArray:
    """Decode an RGB picture for which :func:`has_own_decoder` holds, as stored; ``data`` is its file."""
    if image.format == "WEBP":
        pixels = _decode_by_opencv(data)
        if pixels is None:
            raise _truncated_error(name)
        return pixels
    from pi_heif import open_heif  # noqa: PLC0415 - loads a library few photos need

    try:
        heif = open_heif(io.BytesIO(data), remove_stride=False)
        rows = np.frombuffer(heif.data, np.uint8).reshape(heif.size[1], heif.stride)
    except _BROKEN as error:
        raise _broken_error(name, error) from error
    # A copy: the array is the decoder's own memory.
    return rows[:, : 3 * heif.size[0]].reshape(heif.size[1], heif.size[0], 3).copy()


def _decode_by_opencv(data: bytes) -> ImageArray | None:
    """Return (h, w, 3) uint8 RGB pixels as stored, or None."""
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    # In place: OpenCV's own flag for RGB makes a second copy.
    return None if pixels is None else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB, dst=pixels), np.uint8)


def _has_foreign_pixels(data: bytes) -> bool:
    """Whether a TIFF has a header that Pillow understands, of pixels that it does not, such as 32-bit colours."""
    try:
        TiffImagePlugin.TiffImageFile(io.BytesIO(data))
    except SyntaxError as error:
        return "unknown pixel mode" in str(error)
    except _BROKEN:
        return False
    return False


def _copy_frame(frame: npt.NDArray[np.uint8], name: str) -> ImageArray:
    if frame.dtype != np.uint8 or frame.ndim not in (2, 3) or (frame.ndim == 3 and frame.shape[2] != 3):
        raise PhotoError(
            f"{name} is an array of shape {frame.shape} and type {frame.dtype}; "
            "give (height, width, 3) RGB or (height, width) grey, uint8."
        )
    # A copy: camera drivers write the next frame into the same memory, and _keep makes the array read-only.
    return np.repeat(frame[:, :, None], 3, axis=2) if frame.ndim == 2 else np.array(frame, order="C")


def _too_large_error(what: str) -> PhotoError:
    return PhotoError(f"{what}; make it smaller and try again.", code="image_too_large")


def _truncated_error(name: str) -> PhotoError:
    return PhotoError(f"{name} breaks off before its end; copy or take the photo again.", code="image_truncated")


def _broken_error(name: str, error: Exception) -> PhotoError:
    if any(word in str(error).lower() for word in ("truncated", "unexpected end", "eof", "end of file")):
        return _truncated_error(name)
    return PhotoError(f"{name} is damaged ({error}); copy or take the photo again.")


def _read_orientation(image: Image.Image) -> int:
    """EXIF orientation 1-8; damaged EXIF is not a reason to refuse a photo."""
    try:
        value = image.getexif().get(ExifTags.Base.Orientation, 1)
    except _BROKEN:
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _turn_upright(pixels: ImageArray, orientation: int) -> ImageArray:
    """Undo an EXIF orientation (EXIF 2.32, 4.6.4 A): 5 to 8 swap width and height, 2 4 5 7 mirror."""
    if orientation >= 5:
        pixels = np.asarray(cv2.transpose(pixels), np.uint8)
    code = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}.get(orientation)
    return pixels if code is None else np.asarray(cv2.flip(pixels, code), np.uint8)


def _to_rgb(image: Image.Image) -> ImageArray:
    """Any Pillow picture -> (h, w, 3) uint8; transparency is laid on white, 16 bits are scaled, not clipped."""
    pixels = np.empty((image.height, image.width, 3), np.uint8)
    rows = max(1, _STRIP // image.width)
    strips = [(0, top, image.width, min(top + rows, image.height)) for top in range(0, image.height, rows)]
    deep, clear = image.mode.startswith("I") or image.mode == "F", image.has_transparency_data
    # Only for 32-bit and float pictures is the range unknown.
    wide = deep and ("16" in image.mode or max(float(np.asarray(image.crop(s)).max()) for s in strips) > 255)
    for strip in strips:
        part = image.crop(strip)
        if deep:
            grey = np.asarray(part, np.float32) * (255 / (65535 if wide else 255))
            pixels[strip[1] : strip[3]] = np.nan_to_num(grey.clip(0, 255)).astype(np.uint8)[:, :, None]
            continue
        if clear:
            ground = Image.new("RGBA", part.size, "white")
            ground.alpha_composite(part.convert("RGBA"))
            part = ground
        # Pillow would copy a picture that already has the mode asked for.
        pixels[strip[1] : strip[3]] = np.asarray(part if part.mode == "RGB" else part.convert("RGB"))
    return pixels
