"""Make ``datasets/art`` (the tile art that ships with the source) from packages fetched by ``collect_art.py``.

    python -m scripts.train.build_atlas --art art                # datasets/art
    python -m scripts.train.build_atlas --art art --everything   # art/library: everything collected, for training

Only art whose licence allows it goes in: sources and licences are listed in ``datasets/sources.toml``.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from datasets.faces.designs import pack_atlas
from datasets.faces.glyphs import pack_sheet, render_sheet
from datasets.faces.ink import BLUE, CANONICAL, DARK, GREEN, HEIGHT, RED, WIDTH

Picture = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.uint8]

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
    **{"Man5Dora": "0m", "Pin5Dora": "0p", "Sou5Dora": "0s"},
    **{"Ton": "1z", "Nan": "2z", "Shaa": "3z", "Pei": "4z", "Hatsu": "6z", "Chun": "7z"},
}


# --- pictures -------------------------------------------------------------------------------------------------------


def fit(mask_or_rgba: npt.NDArray[np.uint8], margin: float) -> Picture:
    """Centre cropped ink (RGBA) on a transparent cell, its proportions kept, ``margin`` of the width free all round."""
    alpha = mask_or_rgba[..., 3]
    ys, xs = np.nonzero(alpha > 30)
    crop = mask_or_rgba[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    free = margin * WIDTH
    scale = min((WIDTH - 2 * free) / crop.shape[1], (HEIGHT - 2 * free) / crop.shape[0])
    size = (max(1, round(crop.shape[1] * scale)), max(1, round(crop.shape[0] * scale)))
    small = cv2.resize(crop, size, interpolation=cv2.INTER_AREA)
    cell = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    y, x = (HEIGHT - size[1]) // 2, (WIDTH - size[0]) // 2
    cell[y : y + size[1], x : x + size[0]] = small
    return cell


def canonical(rgba: Picture) -> Picture:
    """Coloured art in our four inks; white parts become bare body."""
    rgb = rgba[..., :3].astype(np.int32)
    alpha = rgba[..., 3].astype(np.float32)
    bare = np.clip((rgb.min(axis=2) - 110) / 110.0, 0, 1)
    spread = rgb.max(axis=2) - rgb.min(axis=2)
    ink = np.choose(rgb.argmax(axis=2), [RED, GREEN, BLUE])
    ink = np.where((spread < 45) | ((ink == BLUE) & (rgb.max(axis=2) < 90)), DARK, ink)
    out = np.dstack([CANONICAL[ink], (alpha * (1 - bare)).astype(np.uint8)])
    out[out[..., 3] == 0] = 0
    return np.ascontiguousarray(out.astype(np.uint8))


def rasterise(svg: str, height: int) -> Picture:
    """RGBA picture of an SVG source text."""
    done = subprocess.run(["rsvg-convert", "-h", str(height)], input=svg.encode(), capture_output=True, check=True)
    picture = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise ValueError("rsvg-convert gave no picture")
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGRA2RGBA), np.uint8)


# --- coloured vector set (React components) -------------------------------------------------------------------------

_KEEP = {"viewBox", "gradientUnits", "gradientTransform"}


def _kebab(name: str) -> str:
    return re.sub(r"[A-Z]", lambda m: "-" + m[0].lower(), name)


def component_to_svg(text: str) -> str | None:
    """The SVG inside a React component; None for an empty one."""
    found = re.search(r"<svg.*</svg>", text, re.DOTALL)
    if not found:
        return None

    def style(match: re.Match[str]) -> str:
        pairs = re.findall(r"(\w+):\s*(?:\"([^\"]*)\"|([-\d.]+))", match[1])
        return 'style="' + ";".join(f"{_kebab(k)}:{a or n}" for k, a, n in pairs) + '"'

    svg = re.sub(r"style=\{\{(.*?)\}\}", style, found[0].replace("{...props}", ""), flags=re.DOTALL)
    svg = re.sub(r"=\{([-\d.]+)\}", r'="\1"', svg)

    def attribute(match: re.Match[str]) -> str:
        name = match[1]
        return f" {'xlink:href' if name == 'xlinkHref' else name if name in _KEEP else _kebab(name)}="

    svg = re.sub(r"\s([a-zA-Z]+)=", attribute, svg)
    return svg.replace("<svg", "<svg xmlns:xlink='http://www.w3.org/1999/xlink'", 1)


def fluffy(folder: Path) -> dict[str, Picture]:
    """The riichi set of FluffyStuff (CC0), by its component names."""
    faces: dict[str, Picture] = {}
    for name, label in FLUFFY.items():
        svg = component_to_svg((folder / f"Regular{name}.tsx").read_text(encoding="utf-8"))
        if svg is None:
            raise ValueError(f"{name} is empty")
        faces[label] = fit(canonical(rasterise(svg, 800)), 0.1)
    return faces


# --- outline fonts with mahjong tiles -------------------------------------------------------------------------------


def _without_frame(mask: Mask) -> Mask:
    """The ink inside the tile outline that these fonts draw around every face."""
    count, parts, stats, _ = cv2.connectedComponentsWithStats((mask > 60).astype(np.uint8), connectivity=8)
    areas = stats[1:, cv2.CC_STAT_WIDTH] * stats[1:, cv2.CC_STAT_HEIGHT]
    frame = 1 + int(areas.argmax())
    grown = cv2.dilate((parts == frame).astype(np.uint8), np.ones((5, 5), np.uint8))
    inside = mask.copy()
    inside[grown > 0] = 0
    x, y, w, h = stats[frame, :4]
    outside = np.ones_like(mask)
    outside[y : y + h, x : x + w] = 0
    inside[outside > 0] = 0
    return inside[y : y + h, x : x + w] if count > 1 else inside


def _parts(mask: Mask) -> list[tuple[Mask, float, float]]:
    """Connected blobs of ink (holes filled for finding, not in the result) with their centres as shares of the cell."""
    contours, _ = cv2.findContours((mask > 60).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        blob = np.zeros_like(mask)
        cv2.drawContours(blob, [contour], -1, 255, -1)
        x, y, w, h = cv2.boundingRect(contour)
        grown = np.asarray(cv2.dilate(blob, np.ones((3, 3), np.uint8)), np.uint8)
        found.append((grown, (x + w / 2) / mask.shape[1], (y + h / 2) / mask.shape[0]))
    return found


def colour_outline(mask: Mask, label: str, flowers: dict[str, list[tuple[float, float, float]]]) -> Picture:
    """Give single-colour art the usual inks of its kind. ``flowers``: circles (x, y, r) drawn in red, by label."""
    h, w = mask.shape
    ink = np.full(mask.shape, DARK, np.int64)
    ys, xs = np.mgrid[0:h, 0:w]
    fy, fx = ys / h, xs / w
    number, kind = label[0], label[-1]
    if label[0] in "fg":
        ink[:] = GREEN
        for x, y, r in flowers.get(label, []):
            ink[np.hypot(fx - x, (fy - y) * h / w) < r] = RED
        side = fx < 0.45 if label[0] == "f" else fx > 0.55 if "right" in flowers else fx < 0.45
        ink[(fy < 0.28) & side] = BLUE if label[0] == "g" else RED
    elif kind == "m":
        band = (mask > 60).sum(axis=1)[int(h * 0.32) : int(h * 0.58)]
        bare = np.nonzero(band == band.min())[0]
        ink[fy > 0.32 + 0.26 * int(bare[len(bare) // 2 :].max()) / len(band)] = RED
    elif kind == "z":
        ink[:] = {"5": BLUE, "6": GREEN, "7": RED}.get(number, DARK)
    elif kind == "s":
        ink[:] = GREEN
        for blob, x, y in _parts(mask):
            accent = (number == "5" and abs(x - 0.5) < 0.1) or (number == "7" and y < 0.3)
            if accent or (number == "9" and abs(x - 0.5) < 0.1):
                ink[blob > 0] = RED
        if number == "1":
            ink[(fy > 0.62) & (fy < 0.78)] = BLUE
            ink[fy > 0.78] = RED
    elif kind == "p":
        ink[:] = BLUE
        if number == "1":
            ink[np.hypot(fx - 0.5, (fy - 0.5) * h / w) < 0.2] = RED
        for blob, x, y in _parts(mask):
            green = {
                "2": y < 0.5,
                "3": y > 0.6,
                "4": (x < 0.5) == (y > 0.5),
                "6": y < 0.35,
                "7": y < 0.45,
                "9": y < 0.35,
            }
            green["5"] = (x < 0.5) == (y > 0.5)
            red = {"3": 0.4 < y < 0.6, "5": 0.4 < y < 0.6, "6": y > 0.35, "7": y > 0.45, "9": 0.35 < y < 0.65}
            ink[blob > 0] = RED if red.get(number) else GREEN if green.get(number) else BLUE
    elif label == "joker":
        ink[fy > 0.5] = RED
    out = np.dstack([CANONICAL[ink], mask])
    out[mask == 0] = 0
    return np.ascontiguousarray(out.astype(np.uint8))


GL_FLOWERS = {
    "f1": [
        (0.85, 0.2, 0.12),
        (0.68, 0.35, 0.1),
        (0.2, 0.62, 0.13),
        (0.7, 0.1, 0.1),
        (0.25, 0.8, 0.12),
        (0.85, 0.45, 0.1),
    ],
    "f2": [(0.5, 0.5, 0.12), (0.6, 0.3, 0.07)],
    "f3": [(0.78, 0.2, 0.16), (0.5, 0.62, 0.28)],
    "g1": [(0.52, 0.5, 0.3)],
    "g2": [(0.5, 0.62, 0.3)],
    "g3": [(0.5, 0.58, 0.2)],
    "g4": [(0.75, 0.46, 0.16)],
    "right": [],
}
NOTO_FLOWERS = {
    "f1": [(0.5, 0.7, 0.2), (0.62, 0.4, 0.14), (0.3, 0.62, 0.1)],
    "f2": [(0.35, 0.62, 0.09), (0.66, 0.7, 0.1)],
    "f3": [(0.5, 0.66, 0.2)],
    "g1": [(0.62, 0.36, 0.2)],
    "g2": [(0.5, 0.62, 0.4)],
    "g3": [(0.5, 0.6, 0.4)],
}


def outline_font(path: Path, flowers: dict[str, list[tuple[float, float, float]]], margin: float) -> dict[str, Picture]:
    """Every mahjong tile of an outline font, coloured."""
    font = ImageFont.truetype(str(path), 520)
    faces: dict[str, Picture] = {}
    for code, label in UNICODE.items():
        picture = Image.new("L", (900, 1000), 0)
        ImageDraw.Draw(picture).text((150, 150), chr(code), font=font, fill=255)
        inner = _without_frame(np.asarray(picture))
        if not inner.any():
            continue  # the blank white dragon
        coloured = colour_outline(inner, label, flowers)
        faces[label] = fit(coloured, margin) if label[0] in "fg" or label == "joker" else _keep_place(coloured)
        if label[0] == "5" and label != "5z":
            red = coloured.copy()
            red[inner > 0, :3] = CANONICAL[RED]
            faces["0" + label[1]] = _keep_place(red)
    return faces


def _keep_place(coloured: Picture) -> Picture:
    """The whole face scaled to the cell: what is small on purpose stays small."""
    return np.asarray(cv2.resize(coloured, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


# --- icons ----------------------------------------------------------------------------------------------------------


def icon_pictures(path: Path, names: dict[str, str]) -> dict[str, Picture]:
    """Square RGBA pictures of icons (iconify JSON) in our inks, by label."""
    data = json.loads(path.read_text(encoding="utf-8"))
    pictures: dict[str, Picture] = {}
    for label, name in names.items():
        icon = data["icons"][name]
        w, h = icon.get("width", data.get("width", 16)), icon.get("height", data.get("height", 16))
        head = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        large = canonical(rasterise(f'<svg {head} viewBox="0 0 {w} {h}">{icon["body"]}</svg>', 4 * ICON))
        pictures[label] = np.asarray(cv2.resize(large, (ICON, ICON), interpolation=cv2.INTER_AREA), np.uint8)
    return pictures


UNFIT = re.compile(r"Sousyo|KouzanBrushFontS|Rampart|SansCJK-Regular|Mono", re.IGNORECASE)
"""Unreadable grass script, outlines with a depth, near duplicates."""


def sheets_of(art: Path) -> dict[str, tuple[Path, int]]:
    """Every collected font face that draws all needed characters: name -> file or folder, and face number."""
    found: dict[str, tuple[Path, int]] = {}
    for path in sorted((art / "fonts").iterdir()):
        faces = 1
        if path.suffix == ".ttc":
            faces = sum(1 for _ in _faces_in(path))
        if UNFIT.search(path.stem):
            continue
        for number in range(0, faces, 3):  # neighbours in a collection differ in a few characters only
            found[f"{path.stem}-{number}" if number else path.stem] = (path, number)
    for path in sorted((art / "subsets").iterdir()):
        found[path.name] = (path, 0)
    return found


def _faces_in(path: Path) -> Iterator[int]:
    for number in range(20):
        try:
            ImageFont.truetype(str(path), 20, index=number)
        except OSError:
            return
        yield number


def _write(path: Path, picture: npt.NDArray[np.uint8], lossless: bool) -> None:
    mode = "RGBA" if picture.ndim == 3 else "L"
    Image.fromarray(picture, mode).save(path, lossless=lossless, quality=100 if lossless else 82, method=6)


TILE_FONTS = {
    "gl": ("GL-MahjongTile.ttf", GL_FLOWERS, 0.07),
    "noto": ("noto-sans-symbols-2/files/noto-sans-symbols-2-symbols-400-normal.woff", NOTO_FLOWERS, 0.1),
    "symbola": ("Symbola_hint.ttf", {}, 0.08),
    "hanazono": ("HanaMinA.ttf", {}, 0.1),
}
"""Outline tiles: file, red places of flowers, margin of bonus tiles."""
SHIPPED_FONTS = ("gl", "noto")
SHEET_FONTS = {
    "wenkai": ("fonts/LXGWWenKai-Bold.ttf", 0),
    "noto_serif": ("fonts/NotoSerifCJK-Bold.ttc", 3),
    "yuji_boku": ("subsets/yuji-boku", 0),
    "kaisei_tokumin": ("subsets/kaisei-tokumin", 0),
}
"""Glyph sheets that ship: open fonts (OFL-1.1) and the face number inside the file."""
ICON_SETS = ("fluent-emoji-high-contrast", "fluent-emoji-flat", "noto-emoji")
ANIMALS = {"a1": "cat", "a2": "rat", "a3": "rooster"}
ICON = 200
"""Side of an animal's picture."""


def build(art: Path, out: Path, everything: bool) -> dict[str, dict[str, object]]:
    """Write the library folder; returns its index. ``everything``: all that was collected, else only what ships."""
    out.mkdir(parents=True, exist_ok=True)
    index: dict[str, dict[str, object]] = {"atlases": {}, "sheets": {}, "animals": {}}
    designs = {} if everything else {"fluffy": fluffy(art / "npm/riichi-mahjong-tiles/components/regular/regular")}
    for name, (file, flowers, margin) in TILE_FONTS.items():
        if (name in SHIPPED_FONTS) != everything:
            designs[name] = outline_font(art / "tile-fonts" / file, flowers, margin)
    for name, faces in designs.items():
        grid, labels = pack_atlas(faces)
        _write(out / f"{name}.webp", grid, not everything)
        index["atlases"][name] = labels
    shipped = {name: (art / file, number) for name, (file, number) in SHEET_FONTS.items()}
    chosen = sheets_of(art) if everything else shipped
    for name, (path, number) in chosen.items():
        if everything and (path, number) in shipped.values():
            continue
        sheet = render_sheet(path, number)
        if sheet is None:
            print(f"left out: {name} does not draw every needed character", flush=True)
            continue
        picture, chars = pack_sheet(sheet)
        _write(out / f"{name}.webp", picture, not everything)
        index["sheets"][name] = chars
    for name in ("game-icons",) if everything else ICON_SETS:
        names = ANIMALS | ({"a4": "centipede"} if name == "game-icons" else {})
        icons = icon_pictures(art / f"npm/{name}/icons.json", names)
        _write(out / f"{name}.webp", np.ascontiguousarray(np.hstack(list(icons.values()))), not everything)
        index["animals"][name] = list(icons)
    return index


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--art", type=Path, default=Path("art"), help="folder filled by collect_art.py")
    parser.add_argument("--out", type=Path, default=None, help="datasets/art, or ART/library with --everything")
    parser.add_argument("--everything", action="store_true", help="what was collected but does not ship")
    args = parser.parse_args()
    out = args.out or (args.art / "library" if args.everything else Path("datasets/art"))
    if shutil.which("rsvg-convert") is None:
        parser.error("rsvg-convert is missing; it draws the outline tiles. Debian has it in librsvg2-bin.")
    index = build(args.art, out, args.everything)
    text = json.dumps(index, ensure_ascii=False, indent=None if args.everything else 1)
    (out / "index.json").write_text(text + "\n", encoding="utf-8")
    print({kind: len(names) for kind, names in index.items()})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
