"""Well-formed input to start from: small pictures, drawn here in every format that is read, hands and settings."""

from __future__ import annotations

import io
import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image

ROOT: Final = Path(__file__).resolve().parents[2]
TILES: Final = (
    *("123m406p11z f1 g3", "19m19p19s1234567z", "11122233344455z", "back back 5z", "a1 a2", "0m0p0s", ""),
    "1112345678999m",
)
FLAGS: Final = (
    "678s",
    "pung:555z@W",
    "kong_concealed:1111m",
    "table=canton",
    "kazoe=off",
    "N>S=3",
    "W:nine_piece",
    "E",
)
SETTINGS: Final = (
    'port = 8000\nhost = "127.0.0.1"\nhttps = true\nallowed_hosts = ["a.example", "b.example"]\n',
    'rate_read = "60/minute"\nrate_code = "10/minute"\naccess_code = "1234"\ncors_origins = ["https://a.example"]\n',
    'database = "postgresql://me@host/hupai"\nworkers = 2\nqueue = 5\nlog_level = "debug"\ndata_folder = "/tmp/x"\n',
)
_NATIVE: Final = {"seat": "S", "round": "E", "win": "discard", "from": "W"}
REQUESTS: Final[tuple[dict[str, Any], ...]] = (
    {
        **{"id": "a", "rules": "riichi", "options": {"kazoe": False}, "bonus": [], "winning_tile": "8s"},
        "concealed": ["2m", "3m", "4m", "0p", "6p", "7p", "3s", "4s", "5s", "8s"],
        "melds": [{"type": "chow", "tiles": ["6s", "7s", "8s"], "from": None}],
        "context": {**_NATIVE, "dora_indicators": ["7s"], "counters": 1, "riichi_sticks": 2},
    },
    {
        **{"id": 7, "rules": "hongkong", "options": {}, "bonus": "f1 g2", "winning_tile": "9p"},
        "concealed": "123456789m9p",
        "melds": [{"type": "kong_open", "tiles": "5555z", "from": "E"}],
        "context": {**_NATIVE, "win": "self_draw", "from": None, "replacement": True},
    },
    {
        **{"rules": "hangzhou", "concealed": "1122334455667z", "winning_tile": "7z"},
        "context": {"seat": "E", "win": "self_draw", "indicator": "1m", "banker": "E", "streak": 2, "fed": {"N>S": 3}},
    },
    {
        **{
            "rules": "singapore",
            "concealed": "111222333m44455p"[:-1],
            "winning_tile": "5p",
            "bonus": ["a1", "a2", "f1"],
        },
        "context": {**_NATIVE, "liable": {"seat": "W", "kind": "nine_piece"}, "last_tile": True},
    },
    {
        **{"rules": "zj", "concealed": "19m19p19s123456z7z", "winning_tile": "7z", "melds": []},
        "context": {**_NATIVE, "win": "robbed_kong", "responsible": "auto"},
    },
)
GAME: Final[dict[str, Any]] = {
    **{"players": ["Ann", "Bo", "Chi", "Dee"], "rules": "riichi", "options": {}, "name": "Friday"},
    **{"start": {"round": "E", "dealer": 0}, "starting_points": 25000, "rotation": "custom"},
}
CONFIRMED: Final[tuple[dict[str, Any], ...]] = (
    {"outcome": "win", "wins": [REQUESTS[0] | {"options": {}}], "riichi": [], "next": {"round": "E", "dealer": 1}},
    {"outcome": "draw", "ready": ["E", "S"], "nagashi": [], "abortive": False},
    {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": "2", "why": "kong"}]},
    {"outcome": "false_win", "offender": "S"},
)
ANNOTATION: Final[dict[str, Any]] = {
    "tiles": [{"label": "1m", "corners": [[1, 1], [20, 1], [20, 30], [1, 30]], "state": "face_up", "visible": 1.0}],
    **{"ignore": [[0, 0, 5, 5]], "rules": "riichi", "scene": "phone"},
}


def _drawing() -> Image.Image:
    y, x = np.mgrid[:44, :60]
    return Image.fromarray(np.stack([x * 4 % 256, y * 5 % 256, (x + y) * 3 % 256], axis=2).astype(np.uint8))


def _saved(image: Image.Image, kind: str, **how: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **how)
    return stream.getvalue()


@lru_cache(maxsize=1)
def pictures() -> tuple[bytes, ...]:
    """Files of every format and of many kinds within it, some hundred bytes to some kilobytes each."""
    plain = _drawing()
    grey, cmyk, palette, clear = plain.convert("L"), plain.convert("CMYK"), plain.quantize(16), plain.convert("RGBA")
    clear.putalpha(grey)
    lab = plain.convert("LAB")
    profile = lab.info["icc_profile"]
    lab.info["icc_profile"] = profile[:24] + bytes(12) + profile[36:]  # without the time of day
    deep = Image.fromarray((np.asarray(grey).astype(np.uint16)) * 257)
    floating = Image.fromarray(np.asarray(grey).astype(np.float32))
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "drawn"
    frames = {"save_all": True, "append_images": [plain.rotate(90), plain.rotate(180)]}
    found = [
        _saved(plain, "JPEG", quality=70),
        _saved(plain, "JPEG", progressive=True, exif=exif),
        _saved(plain, "JPEG", subsampling=0, optimize=True, dpi=(72, 72), comment=b"x"),
        *(_saved(image, "JPEG") for image in (grey, cmyk)),
        *(
            _saved(image, "PNG")
            for image in (plain, grey, palette, clear, deep, plain.convert("1"), grey.convert("LA"))
        ),
        _saved(palette, "PNG", transparency=3, exif=exif),
        _saved(plain, "PNG", **frames),
        _saved(plain, "WEBP", quality=60),
        _saved(clear, "WEBP", lossless=True, exif=exif),
        _saved(plain, "WEBP", **frames),
        _saved(palette, "GIF", transparency=2),
        _saved(palette, "GIF", **frames),
        *(_saved(plain, "TIFF", compression=c) for c in ("raw", "tiff_lzw", "tiff_deflate", "jpeg", "packbits")),
        *(_saved(image, "TIFF") for image in (deep, floating, clear, cmyk, plain.convert("1"), lab)),
        _saved(plain, "TIFF", **frames),
        *(_saved(image, "BMP") for image in (plain, palette, plain.convert("1"), clear)),
        _saved(plain, "MPO", **frames),
        _saved(plain, "PPM"),
        _saved(plain, "ICO"),
        _saved(plain, "EPS"),
        (ROOT / "tests" / "vision" / "data" / "quadrants-turned.heic").read_bytes(),
    ]
    if "AVIF" in Image.SAVE:
        found += [_saved(plain, "AVIF", quality=50), _saved(clear, "AVIF", quality=50)]
    return tuple(found)


@lru_cache(maxsize=1)
def request_lines() -> tuple[bytes, ...]:
    """The requests as lines of JSON."""
    return tuple(json.dumps(r).encode() for r in REQUESTS)
