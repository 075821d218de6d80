"""Make ``datasets/art`` (the tile art that ships with the source) from packages fetched by ``collect_art.py``.

    python -m scripts.train.art.build_atlas                # datasets/art
    python -m scripts.train.art.build_atlas --everything   # art/library: everything collected, for training

Only art whose licence allows it goes in: sources and licences are listed in ``datasets/sources.toml``.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from datasets.faces.designs import pack_atlas
from datasets.faces.glyphs import pack_sheet, render_sheet
from datasets.faces.ink import BLUE, CANONICAL, DARK, GREEN, HEIGHT, RED, WIDTH
from scripts.train import run

Picture = npt.NDArray[np.uint8]
Circles = tuple[tuple[float, float, float], ...]

UNICODE = {
    **{0x1F000 + i: f"{i + 1}z" for i in range(4)},
    0x1F004: "7z", 0x1F005: "6z", 0x1F006: "5z",
    **{0x1F007 + i: f"{i + 1}m" for i in range(9)},
    **{0x1F010 + i: f"{i + 1}s" for i in range(9)},
    **{0x1F019 + i: f"{i + 1}p" for i in range(9)},
    0x1F022: "f1", 0x1F023: "f2", 0x1F024: "f4", 0x1F025: "f3",
    **{0x1F026 + i: f"g{i + 1}" for i in range(4)},
    0x1F02A: "joker",
}  # fmt: skip
"""Code points of tiles. Unicode has bamboo (our f4) before chrysanthemum (our f3)."""

FLUFFY = {
    **{f"{a}{n}": f"{n}{b}" for a, b in (("Man", "m"), ("Pin", "p"), ("Sou", "s")) for n in range(1, 10)},
    "Man5Dora": "0m",
    "Pin5Dora": "0p",
    "Sou5Dora": "0s",
    "Ton": "1z",
    "Nan": "2z",
    "Shaa": "3z",
    "Pei": "4z",
    "Hatsu": "6z",
    "Chun": "7z",
}


# --- pictures -------------------------------------------------------------------------------------------------------


def fit_to_cell(rgba: Picture, margin: float) -> Picture:
    """Centre cropped ink (RGBA) on a transparent cell, its proportions kept, ``margin`` of the width free all round."""
    x, y, w, h = cv2.boundingRect((rgba[..., 3] > 30).astype(np.uint8))
    free = margin * WIDTH
    scale = min((WIDTH - 2 * free) / w, (HEIGHT - 2 * free) / h)
    wide, high = max(1, round(w * scale)), max(1, round(h * scale))
    cell = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    left, top = (WIDTH - wide) // 2, (HEIGHT - high) // 2
    cell[top : top + high, left : left + wide] = _resize(rgba[y : y + h, x : x + w], wide, high)
    return cell


def _resize(picture: Picture, width: int, height: int) -> Picture:
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _paint_inks(ink: npt.NDArray[np.int64], alpha: Picture) -> Picture:
    """RGBA of the ink of every pixel and how much of it there is."""
    return np.where(alpha[..., None] > 0, np.dstack([CANONICAL[ink], alpha]), 0).astype(np.uint8)


def in_canonical_inks(rgba: Picture) -> Picture:
    """Coloured art in our four inks; white parts become bare body."""
    rgb = rgba[..., :3].astype(np.int32)
    bare = np.clip((rgb.min(axis=2) - 110) / 110.0, 0, 1)
    spread = rgb.max(axis=2) - rgb.min(axis=2)
    ink = np.choose(rgb.argmax(axis=2), [RED, GREEN, BLUE])
    ink = np.where((spread < 45) | ((ink == BLUE) & (rgb.max(axis=2) < 90)), DARK, ink)
    return _paint_inks(ink, (rgba[..., 3].astype(np.float32) * (1 - bare)).astype(np.uint8))


def rasterise(svg: str, height: int) -> Picture:
    """RGBA picture of an SVG source text."""
    done = subprocess.run(["rsvg-convert", "-h", str(height)], input=svg.encode(), capture_output=True, check=True)
    return np.asarray(Image.open(io.BytesIO(done.stdout)).convert("RGBA"))


# --- coloured vector set (React components) -------------------------------------------------------------------------

_NAMES = {name: name for name in ("viewBox", "gradientUnits", "gradientTransform")} | {"xlinkHref": "xlink:href"}


def component_to_svg(text: str) -> str:
    """The SVG inside a React component."""

    def kebab(name: str) -> str:
        return re.sub(r"[A-Z]", lambda m: "-" + m[0].lower(), name)

    def style(match: re.Match[str]) -> str:
        pairs = re.findall(r"(\w+):\s*(?:\"([^\"]*)\"|([-\d.]+))", match[1])
        return 'style="' + ";".join(f"{kebab(name)}:{words or number}" for name, words, number in pairs) + '"'

    svg = text[text.index("<svg") : text.index("</svg>")].replace("{...props}", "") + "</svg>"
    svg = re.sub(r"style=\{\{(.*?)\}\}", style, svg, flags=re.DOTALL)
    svg = re.sub(r"=\{([-\d.]+)\}", r'="\1"', svg)
    svg = re.sub(r"\s([a-zA-Z]+)=", lambda m: f" {_NAMES.get(m[1]) or kebab(m[1])}=", svg)
    return svg.replace("<svg", "<svg xmlns:xlink='http://www.w3.org/1999/xlink'", 1)


def fluffy_faces(folder: Path) -> dict[str, Picture]:
    """The riichi set of FluffyStuff (CC0), by its component names."""
    faces = {}
    for name, label in FLUFFY.items():
        svg = component_to_svg((folder / f"Regular{name}.tsx").read_text(encoding="utf-8"))
        faces[label] = fit_to_cell(in_canonical_inks(rasterise(svg, 800)), 0.1)
    return faces


# --- outline fonts with mahjong tiles -------------------------------------------------------------------------------


def _remove_frame(mask: Picture) -> Picture:
    """The ink inside the tile outline that these fonts draw around every face."""
    _, parts, stats, _ = cv2.connectedComponentsWithStats((mask > 60).astype(np.uint8), connectivity=8)
    frame = 1 + int((stats[1:, cv2.CC_STAT_WIDTH] * stats[1:, cv2.CC_STAT_HEIGHT]).argmax())
    grown = cv2.dilate((parts == frame).astype(np.uint8), np.ones((5, 5), np.uint8))
    x, y, w, h = stats[frame, :4]
    return np.where(grown > 0, 0, mask)[y : y + h, x : x + w]


def _ink_blobs(mask: Picture) -> Iterator[tuple[npt.NDArray[np.bool_], float, float]]:
    """Connected blobs of ink (their holes filled) with their centres as shares of the cell."""
    contours, _ = cv2.findContours((mask > 60).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        blob = np.zeros_like(mask)
        cv2.drawContours(blob, [contour], -1, 255, -1)
        x, y, w, h = cv2.boundingRect(contour)
        grown = cv2.dilate(blob, np.ones((3, 3), np.uint8))
        yield grown > 0, (x + w / 2) / mask.shape[1], (y + h / 2) / mask.shape[0]


def colour_outline(mask: Picture, label: str, reds: Circles, right: bool) -> Picture:
    """Give single-colour art the usual inks of its kind.

    Args:
        reds: circles (x, y, radius) that are red on a flower. right: whether seasons are named at the right.
    """
    h, w = mask.shape
    ink = np.full(mask.shape, DARK, np.int64)
    ys, xs = np.mgrid[0:h, 0:w]
    fy, fx = ys / h, xs / w
    number, kind = label[0], label[-1]
    if number in "fg":
        ink[:] = GREEN
        for x, y, r in reds:
            ink[np.hypot(fx - x, (fy - y) * h / w) < r] = RED
        ink[(fy < 0.28) & (fx > 0.55 if number == "g" and right else fx < 0.45)] = BLUE if number == "g" else RED
    elif kind == "m":
        band = (mask > 60).sum(axis=1)[int(h * 0.32) : int(h * 0.58)]
        bare = np.nonzero(band == band.min())[0]
        ink[fy > 0.32 + 0.26 * int(bare[len(bare) // 2 :].max()) / len(band)] = RED
    elif kind == "z":
        ink[:] = {"5": BLUE, "6": GREEN, "7": RED}.get(number, DARK)
    elif kind == "s":
        ink[:] = GREEN
        for blob, x, y in _ink_blobs(mask):
            if (number in "59" and abs(x - 0.5) < 0.1) or (number == "7" and y < 0.3):
                ink[blob] = RED
        if number == "1":
            ink[(fy > 0.62) & (fy < 0.78)] = BLUE
            ink[fy > 0.78] = RED
    elif kind == "p":
        ink[:] = BLUE
        if number == "1":
            ink[np.hypot(fx - 0.5, (fy - 0.5) * h / w) < 0.2] = RED
        for blob, x, y in _ink_blobs(mask):
            across = (x < 0.5) == (y > 0.5)
            red = {"3": 0.4 < y < 0.6, "5": 0.4 < y < 0.6, "6": y > 0.35, "7": y > 0.45, "9": 0.35 < y < 0.65}
            green = {
                "2": y < 0.5,
                "3": y > 0.6,
                "4": across,
                "5": across,
                "6": y < 0.35,
                "7": y < 0.45,
                "9": y < 0.35,
            }
            ink[blob] = RED if red.get(number) else GREEN if green.get(number) else BLUE
    elif label == "joker":
        ink[fy > 0.5] = RED
    return _paint_inks(ink, mask)


GL_FLOWERS: dict[str, Circles] = {
    "f1": ((0.85, 0.2, 0.12), (0.68, 0.35, 0.1), (0.2, 0.62, 0.13), (0.7, 0.1, 0.1), (0.25, 0.8, 0.12),
           (0.85, 0.45, 0.1)),
    "f2": ((0.5, 0.5, 0.12), (0.6, 0.3, 0.07)),
    "f3": ((0.78, 0.2, 0.16), (0.5, 0.62, 0.28)),
    "g1": ((0.52, 0.5, 0.3),),
    "g2": ((0.5, 0.62, 0.3),),
    "g3": ((0.5, 0.58, 0.2),),
    "g4": ((0.75, 0.46, 0.16),),
}  # fmt: skip
NOTO_FLOWERS: dict[str, Circles] = {
    "f1": ((0.5, 0.7, 0.2), (0.62, 0.4, 0.14), (0.3, 0.62, 0.1)),
    "f2": ((0.35, 0.62, 0.09), (0.66, 0.7, 0.1)),
    "f3": ((0.5, 0.66, 0.2),),
    "g1": ((0.62, 0.36, 0.2),),
    "g2": ((0.5, 0.62, 0.4),),
    "g3": ((0.5, 0.6, 0.4),),
}


def outline_font(path: Path, flowers: dict[str, Circles], margin: float) -> dict[str, Picture]:
    """Every mahjong tile of an outline font, coloured."""
    font = ImageFont.truetype(str(path), 520)
    faces: dict[str, Picture] = {}
    for code, label in UNICODE.items():
        picture = Image.new("L", (900, 1000), 0)
        ImageDraw.Draw(picture).text((150, 150), chr(code), font=font, fill=255)
        inner = _remove_frame(np.asarray(picture))
        if not inner.any():
            continue  # the blank white dragon
        coloured = colour_outline(inner, label, flowers.get(label, ()), flowers is GL_FLOWERS)
        if label[0] in "fg" or label == "joker":
            faces[label] = fit_to_cell(coloured, margin)
            continue
        faces[label] = _resize(coloured, WIDTH, HEIGHT)  # what is small on purpose stays small
        if label in ("5m", "5p", "5s"):
            coloured[inner > 0, :3] = CANONICAL[RED]
            faces["0" + label[1]] = _resize(coloured, WIDTH, HEIGHT)
    return faces


# --- icons ----------------------------------------------------------------------------------------------------------


def icon_pictures(path: Path, names: dict[str, str]) -> dict[str, Picture]:
    """Square RGBA pictures of icons (iconify JSON) in our inks, by label."""
    data = json.loads(path.read_text(encoding="utf-8"))
    pictures: dict[str, Picture] = {}
    for label, name in names.items():
        icon = data["icons"][name]
        w, h = icon.get("width", data.get("width", 16)), icon.get("height", data.get("height", 16))
        head = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        large = rasterise(f'<svg {head} viewBox="0 0 {w} {h}">{icon["body"]}</svg>', 4 * ICON_PX)
        pictures[label] = _resize(in_canonical_inks(large), ICON_PX, ICON_PX)
    return pictures


UNFIT = re.compile(r"Sousyo|KouzanBrushFontS|Rampart|SansCJK-Regular|Mono", re.IGNORECASE)
"""Unreadable grass script, outlines with a depth, near duplicates."""


def list_sheets(art: Path) -> dict[str, tuple[Path, int]]:
    """Every collected font face, and folder of a font's subsets: name -> file or folder, and face number."""
    found: dict[str, tuple[Path, int]] = {}
    for path in sorted((art / "fonts").iterdir()):
        if UNFIT.search(path.stem):
            continue
        for number in range(0, 20, 3):  # neighbours in a collection differ in a few characters only
            try:
                ImageFont.truetype(str(path), 20, index=number)
            except OSError:
                break
            found[f"{path.stem}-{number}" if number else path.stem] = (path, number)
    return found | {path.name: (path, 0) for path in sorted((art / "subsets").iterdir())}


TILE_FONTS = {
    "gl": ("GL-MahjongTile.ttf", GL_FLOWERS, 0.07),
    "noto": ("noto-sans-symbols-2/files/noto-sans-symbols-2-symbols-400-normal.woff", NOTO_FLOWERS, 0.1),
    "symbola": ("Symbola_hint.ttf", {}, 0.08),
    "hanazono": ("HanaMinA.ttf", {}, 0.1),
}
"""Outline tiles: file, red places of flowers, margin of bonus tiles."""
SHEET_FONTS = {
    "wenkai": ("fonts/LXGWWenKai-Bold.ttf", 0),
    "noto_serif": ("fonts/NotoSerifCJK-Bold.ttc", 3),
    "yuji_boku": ("subsets/yuji-boku", 0),
    "kaisei_tokumin": ("subsets/kaisei-tokumin", 0),
}
"""Glyph sheets that ship: open fonts (OFL-1.1) and the face number inside the file."""
ANIMALS = {"a1": "cat", "a2": "rat", "a3": "rooster"}
ICON_PX = 200
"""Side of an animal's picture."""


def write_library(art: Path, out: Path, everything: bool) -> dict[str, dict[str, object]]:
    """Write the library folder; returns its index. ``everything``: what was collected but does not ship."""
    out.mkdir(parents=True, exist_ok=True)
    shipped = {name: (art / file, number) for name, (file, number) in SHEET_FONTS.items()}
    if everything:
        designs, fonts = {}, ("symbola", "hanazono")
        sheets = {name: font for name, font in list_sheets(art).items() if font not in shipped.values()}
        icons = {"game-icons": ANIMALS | {"a4": "centipede"}}
    else:
        fonts = ("gl", "noto")
        designs = {"fluffy": fluffy_faces(art / "npm/riichi-mahjong-tiles/components/regular/regular")}
        sheets = shipped
        icons = dict.fromkeys(("fluent-emoji-high-contrast", "fluent-emoji-flat", "noto-emoji"), ANIMALS)
    for name in fonts:
        file, flowers, margin = TILE_FONTS[name]
        designs[name] = outline_font(art / "tile-fonts" / file, flowers, margin)
    index: dict[str, dict[str, object]] = {"atlases": {}, "sheets": {}, "animals": {}}

    def write(kind: str, name: str, picture: Picture, holds: object) -> None:
        mode = "RGBA" if picture.ndim == 3 else "L"
        how: dict[str, Any] = {"quality": 82} if everything else {"quality": 100, "lossless": True}
        Image.fromarray(picture, mode).save(out / f"{name}.webp", method=6, **how)
        index[kind][name] = holds

    for name, faces in designs.items():
        write("atlases", name, *pack_atlas(faces))
    for name, (path, number) in sheets.items():
        sheet = render_sheet(path, number)
        if sheet is None:
            print(f"left out: {name} does not draw every needed character", flush=True)
        else:
            write("sheets", name, *pack_sheet(sheet))
    for name, names in icons.items():
        found = icon_pictures(art / f"npm/{name}/icons.json", names)
        write("animals", name, np.ascontiguousarray(np.hstack(list(found.values()))), list(found))
    text = json.dumps(index, ensure_ascii=False, indent=None if everything else 1)
    (out / "index.json").write_text(text + "\n", encoding="utf-8")
    return index


def main(everything: bool = False) -> None:
    index = write_library(Path("art"), Path("art/library" if everything else "datasets/art"), everything)
    print({kind: len(names) for kind, names in index.items()})


if __name__ == "__main__":
    run(main)
