from __future__ import annotations

import contextlib
import io
import random
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from vision.errors import PhotoError
from vision.io.costs import LARGE_BYTES, MAX_PAGES, MAX_PIXELS
from vision.io.photo import Photo

RED, GREEN, BLUE, WHITE = (220, 30, 30), (30, 200, 30), (40, 40, 220), (240, 240, 240)
HEIC = Path(__file__).parent / "data" / "quadrants-turned.heic"
UNDO = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def quadrants(width: int = 64, height: int = 80) -> Image.Image:
    """Red and green above blue and white."""
    pixels = np.zeros((height, width, 3), np.uint8)
    h, w = height // 2, width // 2
    pixels[:h, :w], pixels[:h, w:], pixels[h:, :w], pixels[h:, w:] = RED, GREEN, BLUE, WHITE
    return Image.fromarray(pixels)


def stored(image: Image.Image, kind: str, orientation: int = 1, **how: object) -> bytes:
    """The file of a picture that is upright once the EXIF orientation is undone."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    turned = image.transpose(UNDO[orientation]) if orientation > 1 else image
    file = io.BytesIO()
    turned.save(file, kind, **({"exif": exif} if orientation > 1 else {}), **how)
    return file.getvalue()


def corners(pixels: np.ndarray) -> list[tuple[int, ...]]:
    h, w = pixels.shape[:2]
    return [tuple(int(v) for v in pixels[y, x]) for y in (h // 4, 3 * h // 4) for x in (w // 4, 3 * w // 4)]


def assert_quadrants(photo: Photo, width: int = 64, height: int = 80) -> None:
    assert (photo.width, photo.height) == (width, height)
    pixels = photo.pixels
    assert pixels.shape == (height, width, 3) and pixels.dtype == np.uint8
    assert np.abs(np.array(corners(pixels)) - np.array([RED, GREEN, BLUE, WHITE])).max() <= 12


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF", "AVIF"])
def test_formats(kind: str) -> None:
    assert_quadrants(Photo(stored(quadrants(), kind)))


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_exif_orientation_is_applied_exactly_once(kind: str, orientation: int) -> None:
    photo = Photo(stored(quadrants(), kind, orientation))
    assert_quadrants(photo)
    assert corners(photo.view(16))[0][0] > 150  # reduced views are upright, too


def test_heic_is_upright() -> None:
    photo = Photo(HEIC)
    assert (photo.width, photo.height) == (48, 64)
    assert np.abs(np.array(corners(photo.pixels)) - np.array([BLUE, RED, WHITE, GREEN])).max() <= 12


def test_a_large_jpeg_turned_is_the_same_at_every_size() -> None:
    data = stored(quadrants(804, 1206), "JPEG", 6, quality=95)
    photo = Photo(data)
    assert photo.view(100).shape[:2] == (151, 101)
    assert photo.view(152).shape[:2] == (302, 201)
    assert photo.view(600).shape[:2] == (603, 402)
    assert photo.view(604).shape[:2] == (1206, 804)
    assert_quadrants(photo, 804, 1206)
    fresh = Photo(data)
    assert np.abs(fresh.pixels.astype(int) - photo.pixels).max() <= 4  # two decoders, one picture


def test_a_view_is_never_smaller_than_asked_and_never_grows() -> None:
    photo = Photo(stored(quadrants(333, 201), "JPEG"))
    for side in (1, 41, 42, 43, 83, 84, 85, 166, 167, 168, 333):
        assert max(photo.view(side).shape) >= side
        assert max(Photo(photo.pixels).view(side).shape) == 333
    assert photo.view(5000).shape == (201, 333, 3)


def test_a_long_narrow_jpeg_is_not_reduced_to_less_than_a_picture() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (20_000, 100)).save(buffer, "JPEG")
    photo = Photo(buffer.getvalue())
    assert photo.view(1_000).shape == (25, 5_000, 3)
    assert Photo(photo.view(1_000)).height == 25


def test_grey_cmyk_and_palette() -> None:
    grey = np.full((40, 40), 90, np.uint8)
    assert Photo(stored(Image.fromarray(grey), "JPEG")).pixels[5, 5].tolist() == pytest.approx([90] * 3, abs=2)
    assert_quadrants(Photo(stored(quadrants().convert("CMYK"), "JPEG", quality=95)))
    assert_quadrants(Photo(stored(quadrants().quantize(8), "PNG")))


def test_a_large_cmyk_jpeg_keeps_its_colours_at_full_size() -> None:
    photo = Photo(stored(quadrants(400, 400).convert("CMYK"), "JPEG", quality=95))
    photo.view(50)
    assert_quadrants(photo, 400, 400)


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_are_scaled_not_clipped(kind: str) -> None:
    deep = np.zeros((40, 40), np.uint16)
    deep[:20], deep[20:] = 20_000, 60_000
    pixels = Photo(stored(Image.fromarray(deep), kind)).pixels
    assert pixels[5, 5].tolist() == pytest.approx([78] * 3, abs=1)
    assert pixels[35, 5].tolist() == pytest.approx([233] * 3, abs=1)


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparency_is_laid_on_white(mode: str) -> None:
    image = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    image.paste((0, 0, 0, 255), (0, 0, 20, 40))
    pixels = Photo(stored(image.convert(mode), "PNG")).pixels
    assert pixels[20, 30].tolist() == [255] * 3 and pixels[20, 10].tolist() == [0] * 3


def test_the_first_frame_of_an_animation() -> None:
    file = io.BytesIO()
    quadrants().save(file, "GIF", save_all=True, append_images=[Image.new("RGB", (64, 80), "black")])
    assert_quadrants(Photo(file.getvalue()))


def test_frames_are_taken_as_they_are_and_copied() -> None:
    frame = np.array(quadrants())
    photo = Photo(frame)
    frame[:] = 0  # as a camera does with its buffer
    assert_quadrants(photo)
    assert Photo(np.full((30, 40), 7, np.uint8)).pixels[3, 3].tolist() == [7, 7, 7]
    assert_quadrants(Photo(np.array(quadrants())[:, ::-1][:, ::-1]))


@pytest.mark.parametrize("frame", [np.zeros((20, 20, 4), np.uint8), np.zeros((20, 20, 3), np.float32), np.zeros(9)])
def test_other_arrays_are_refused(frame: np.ndarray) -> None:
    with pytest.raises(PhotoError, match="uint8"):
        Photo(frame)


def refusal(source: str | Path | bytes, **limits: int) -> PhotoError:
    with pytest.raises(PhotoError) as caught:
        _ = Photo(source, **limits).pixels
    assert caught.value.exit_status == 3
    return caught.value


def test_files_that_are_no_pictures(tmp_path: Path) -> None:
    assert refusal(tmp_path / "no.jpg").code == "image_missing"
    assert "folder" in refusal(tmp_path).message
    (tmp_path / "empty.jpg").touch()
    empty = refusal(tmp_path / "empty.jpg")
    assert (empty.code, "empty.jpg is empty" in empty.message) == ("image_truncated", True), "as in the API"
    (tmp_path / "text.png").write_text("not a picture at all")
    assert "text.png is not a picture" in refusal(str(tmp_path / "text.png")).message


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "HEIC"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.98])
def test_a_file_that_breaks_off(kind: str, share: float) -> None:
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (200, 300, 3), dtype=np.uint8))
    data = HEIC.read_bytes() if kind == "HEIC" else stored(noise, kind)
    error = refusal(data[: max(16, int(len(data) * share))])
    assert error.code in ("image_truncated", "image_unreadable")
    if kind in ("JPEG", "PNG"):
        assert error.code == "image_truncated"
    assert "again" in error.message


@pytest.mark.parametrize(
    ("data", "large"),
    [
        (stored(quadrants(1900, 1900), "PNG"), True),
        (stored(quadrants(1600, 1600), "PNG"), False),
        (stored(quadrants(2600, 2600), "JPEG", progressive=True), True),
        (stored(quadrants(2600, 2600), "JPEG"), False),
    ],
)
def test_it_tells_what_decoding_will_take(data: bytes, large: bool) -> None:
    needed: list[int] = []

    def decoding(size: int) -> contextlib.AbstractContextManager[None]:
        needed.append(size)
        return contextlib.nullcontext()

    Photo(data, decoding=decoding).view(200)
    assert [size > LARGE_BYTES for size in needed] == [large]


def test_a_reduced_view_of_a_file_that_breaks_off_is_refused_too() -> None:
    data = stored(quadrants(900, 900), "JPEG")
    with pytest.raises(PhotoError, match="breaks off"):
        Photo(data[: len(data) * 2 // 3]).view(100)


def png_header(width: int, height: int, depth: int = 8, colour: int = 2) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 1)
    chunk = b"IHDR" + header
    return (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk)) + b"\0\0\0\x10IDAT"
    )


def jpeg_header(width: int, height: int) -> bytes:
    data = stored(quadrants(), "JPEG")
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


@pytest.mark.parametrize("header", [png_header, jpeg_header])
@pytest.mark.parametrize("side", [12_000, 20_000, 60_000])
def test_a_bomb_is_refused_by_its_header(header: object, side: int) -> None:
    assert callable(header)
    error = refusal(header(side, side))
    assert error.code == "image_too_large" and "smaller" in error.message
    most = 50 if header is png_header and side == 12_000 else MAX_PIXELS // 10**6
    assert f"the {most} " in error.message, "the limit named is one that holds"


def test_limits_can_be_set() -> None:
    data = stored(quadrants(), "PNG")
    assert refusal(data, max_bytes=50).code == "image_too_large"
    assert refusal(data, max_pixels=5000).code == "image_too_large"
    assert refusal(stored(quadrants(8, 300), "PNG")).code == "image_too_small"
    assert_quadrants(Photo(data, max_pixels=5120))


def test_damaged_exif_is_no_reason_to_refuse() -> None:
    data = stored(quadrants(), "JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\xff\xff broken")
    assert_quadrants(Photo(data))


@pytest.mark.parametrize(
    ("side", "depth", "colour", "most"), [(7100, 8, 2, 50), (5800, 16, 2, 33), (5100, 16, 6, 25), (7100, 1, 0, 50)]
)
def test_a_png_is_bounded_by_what_it_unpacks_to(side: int, depth: int, colour: int, most: int) -> None:
    """110 megapixels of 16 bits and four channels took 5 s of a processor."""
    with pytest.raises(PhotoError, match=f"more than the {most} taken") as caught:
        Photo(png_header(side, side, depth, colour))
    assert caught.value.code == "image_too_large"
    near = round(most**0.5 * 990)
    with pytest.raises(PhotoError) as caught:  # a little smaller it is decoded, and breaks off
        Photo(png_header(near, near, depth, colour))
    assert caught.value.code != "image_too_large"


def with_scans(side: int, scans: int) -> bytes:
    """A progressive JPEG whose last scan is drawn again and again."""
    data = stored(Image.new("RGB", (side, side), (120, 90, 30)), "JPEG", progressive=True)
    last = data[data.rindex(b"\xff\xda") : -2]
    return data[:-2] + last * (scans - data.count(b"\xff\xda")) + b"\xff\xd9"


def test_a_jpeg_is_bounded_by_how_often_it_is_drawn() -> None:
    """Every scan of nothing takes 26 bytes; a file of some megabytes held a worker for hours."""
    assert Photo(with_scans(1000, 10)).pixels.shape == (1000, 1000, 3)
    assert Photo(with_scans(64, 500)).pixels.shape == (64, 64, 3)
    with pytest.raises(PhotoError, match="drawn in 2000 passes over 1 megapixels") as caught:
        Photo(with_scans(1000, 2000))
    assert caught.value.code == "image_too_large"


def test_the_pages_of_a_tiff_are_counted_up_to_a_thousand() -> None:
    """Counting them takes the square of their number: a quarter of a million took minutes."""
    page = Image.new("L", (16, 16), 200)
    for pages in (3, MAX_PAGES + 5):
        file = io.BytesIO()
        page.save(file, "TIFF", save_all=True, append_images=[page] * (pages - 1))
        photo = Photo(file.getvalue())
        assert photo.pages == min(pages, MAX_PAGES) and photo.pixels[0, 0].tolist() == [200] * 3


def without_palette() -> bytes:
    data = stored(quadrants().quantize(16), "PNG", transparency=3)
    return data[: data.index(b"PLTE") - 4] + data[data.index(b"IDAT") - 4 :]


def avif_of_zeros() -> bytes:
    data = stored(quadrants(), "AVIF", quality=50)
    at = data.index(b"mdat") + 4
    return data[:at] + bytes(len(data) - at)


def heic_without_places() -> bytes:
    return HEIC.read_bytes().replace(b"iloc", b"ilox")


@pytest.mark.parametrize("damaged", [without_palette, avif_of_zeros, heic_without_places])
def test_a_picture_that_lacks_an_inner_part_is_refused(damaged: Callable[[], bytes]) -> None:
    assert refusal(damaged()).code in ("image_unreadable", "image_truncated")


@pytest.mark.parametrize("kind", ["EPS", "PPM", "ICO", "PDF", "TGA"])
def test_formats_that_no_camera_makes_are_not_opened(kind: str) -> None:
    """Least of all EPS, which Pillow hands to Ghostscript."""
    stream = io.BytesIO()
    quadrants().save(stream, kind)
    assert "not a picture that can be read" in refusal(stream.getvalue()).message


def test_a_webp_larger_than_its_decoder_can_hold_is_refused() -> None:
    frames = {"save_all": True, "append_images": [quadrants().rotate(90)]}
    data = bytearray(stored(quadrants(), "WEBP", **frames))
    data[24:30] = struct.pack("<I", 9999)[:3] + struct.pack("<I", 9999)[:3]
    error = refusal(bytes(data))
    assert error.code == "image_too_large"
    assert "100 megapixels, more than the 50" in error.message


LARGE_GIF = """
import io
from PIL import Image
from vision.io.photo import Photo
stream = io.BytesIO()
picture = Image.new("P", (7_000, 7_000))
picture.putpalette([9] * 768)
picture.save(stream, "GIF", transparency=0)
del picture
open("/proc/self/clear_refs", "w").write("5")
assert Photo(stream.getvalue()).pixels[0, 0].tolist() == [255, 255, 255]
line = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(line.split()[1]) // 1000)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in /proc")
def test_a_large_transparent_picture_is_not_held_several_times() -> None:
    """A GIF of a few kilobytes that claims 49 megapixels; laid on white all at once it took 0.8 GB."""
    done = subprocess.run([sys.executable, "-c", LARGE_GIF], capture_output=True, text=True, check=True, timeout=120)
    assert int(done.stdout) < 450, f"{done.stdout} MB"


WHOLE = {kind: stored(quadrants(), kind) for kind in ("JPEG", "PNG", "WEBP", "TIFF", "GIF", "BMP", "AVIF")}


@pytest.mark.filterwarnings("ignore")  # Pillow warns of what the tags claim
@given(st.integers(0, 2**32), st.sampled_from(sorted(WHOLE)))
def test_broken_pictures_are_read_or_refused(seed: int, kind: str) -> None:
    rng = random.Random(seed)
    data = bytearray(WHOLE[kind])
    for _ in range(rng.choice((1, 2, 8))):
        at = rng.randrange(rng.choice((64, len(data))))
        data[at : at + rng.choice((0, 1, 4))] = rng.randbytes(rng.choice((0, 1, 4)))
    try:
        assert Photo(bytes(data)).pixels.dtype == np.uint8
    except PhotoError as error:
        assert error.code and error.message
