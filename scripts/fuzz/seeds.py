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
TILES: Final = [
    *("123m406p11z f1 g3", "19m19p19s1234567z", "11122233344455z", "back back 5z", "a1 a2", "0m0p0s", ""),
    "1112345678999m",
]
FLAGS: Final = [
    *("678s", "pung:555z@W", "kong_concealed:1111m", "table=canton", "kazoe=off", "N>S=3", "W:nine_piece", "E"),
]
SETTINGS: Final = (
    'port = 8000\nhost = "127.0.0.1"\nhttps = true\nallowed_hosts = ["a.example", "b.example"]\n',
    'rate_read = "60/minute"\nrate_code = "10/minute"\naccess_code = "1234"\ncors_origins = ["https://a.example"]\n',
    'database = "postgresql://me@host/hupai"\nworkers = 2\nqueue = 5\nlog_level = "debug"\ndata_folder = "/tmp/x"\n',
)
LINES: Final = (ROOT / "examples" / "requests.jsonl").read_bytes().splitlines()
"""Score requests that use every field there is."""
REQUESTS: Final[list[dict[str, Any]]] = [
    *map(json.loads, LINES),
    *(
        case["request"]
        for path in sorted((ROOT / "tests" / "golden").glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))
    ),
]
GAME: Final[dict[str, Any]] = {
    **{"players": ["Ann", "Bo", "Chi", "Dee"], "rules": "riichi", "options": {}, "name": "Friday"},
    **{"start": {"round": "E", "dealer": 0}, "starting_points": 25000, "rotation": "custom"},
}
WIN: Final = next(request for request in REQUESTS if request["id"] == "riichi")
CONFIRMED: Final[tuple[dict[str, Any], ...]] = (
    {"outcome": "win", "wins": [WIN | {"options": {}}], "riichi": [], "next": {"round": "E", "dealer": 1}},
    {"outcome": "draw", "ready": ["E", "S"], "nagashi": [], "abortive": False},
    {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": "2", "why": "kong"}]},
    {"outcome": "false_win", "offender": "S"},
)
ANNOTATION: Final[dict[str, Any]] = {
    "tiles": [{"label": "1m", "corners": [[1, 1], [20, 1], [20, 30], [1, 30]], "state": "face_up", "visible": 1.0}],
    **{"ignore": [[0, 0, 5, 5]], "rules": "riichi", "scene": "phone"},
}


def _saved(image: Image.Image, kind: str, **how: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **how)
    return stream.getvalue()


@lru_cache(maxsize=1)
def pictures() -> tuple[bytes, ...]:
    """Files of every format and of many kinds within it, some hundred bytes to some kilobytes each."""
    y, x = np.mgrid[:44, :60]
    plain = Image.fromarray(np.stack([x * 4 % 256, y * 5 % 256, (x + y) * 3 % 256], axis=2).astype(np.uint8))
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
    kinds: dict[str, tuple[Image.Image, ...]] = {
        "JPEG": (grey, cmyk),
        "PNG": (plain, grey, palette, clear, deep, plain.convert("1"), grey.convert("LA")),
        "TIFF": (deep, floating, clear, cmyk, plain.convert("1"), lab),
        "BMP": (plain, palette, plain.convert("1"), clear),
        **dict.fromkeys(("PPM", "ICO", "EPS"), (plain,)),
    }
    found = [
        *(_saved(image, kind) for kind, images in kinds.items() for image in images),
        *(_saved(plain, kind, **frames) for kind in ("PNG", "WEBP", "TIFF", "MPO")),
        *(_saved(plain, "TIFF", compression=c) for c in ("raw", "tiff_lzw", "tiff_deflate", "jpeg", "packbits")),
        _saved(plain, "JPEG", quality=70),
        _saved(plain, "JPEG", progressive=True, exif=exif),
        _saved(plain, "JPEG", subsampling=0, optimize=True, dpi=(72, 72), comment=b"x"),
        _saved(palette, "PNG", transparency=3, exif=exif),
        _saved(plain, "WEBP", quality=60),
        _saved(clear, "WEBP", lossless=True, exif=exif),
        _saved(palette, "GIF", transparency=2),
        _saved(palette, "GIF", **frames),
        (ROOT / "tests" / "vision" / "data" / "quadrants-turned.heic").read_bytes(),
    ]
    if "AVIF" in Image.SAVE:
        found += [_saved(plain, "AVIF", quality=50), _saved(clear, "AVIF", quality=50)]
    return tuple(found)
