"""Faces that carry characters: 1m-9m, winds, dragons, bonus captions, western index signs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from datasets.faces.glyphs import NUMERALS, GlyphSheet, Mask
from datasets.faces.ink import BLUE, DARK, GREEN, RED, Canvas, InkFace
from datasets.faces.plants import draw_bonus

CAPTIONS: Final = {"f": "梅蘭菊竹", "g": "春夏秋冬", "a": "貓鼠雞蜈"}
CAPTION_KINDS: Final = ("both", "digit", "name", "numeral", "numeral_name", "none")
"""What a caption shows: name and digit; only one of them; the Chinese numeral; that and the name; nothing."""
PICTURES: Final = ("sprig", "other", "own")
WINDS: Final = "東南西北"


@dataclass(frozen=True, slots=True)
class CharacterStyle:
    """How one carver writes; a carver stands for the lettering of one tile set.

    Attributes:
        numeral: ink of the upper character of 1m-9m; ``honour`` of the winds.
        five: ``五`` or ``伍``; wan: ``萬`` or ``万``.
        split: where the upper character ends, share of the face height; ``inset`` (x, y) of the characters.
        stretch: width against height that a character may be pulled to fill its box, 1 = none.
        weight: pixels of thickening (or thinning) of glyphs at ``CELL`` size.
        slant: shear of the characters; ``bend``: pixels (at ``CELL`` size) by which strokes are bent.
        index: 0 none, 1 a digit or letter in the top-left corner of every face, 2 there and turned bottom-right.
        index_ink: its ink, or -1 for the face's own.
        index_size: its height as a share of the face height.
        white: 0 blank, 1 frame, 2 double frame, 3 chequered frame, 4 cut corners, 5 letter, 6 character 白,
            7 frame with a letter.
        captions: how flowers, seasons and animals are named, see ``CAPTION_KINDS``.
        caption_inks: inks of the captions of flowers, seasons, animals; ``digit_inks``: of their digits.
        swapped: for flowers, and for seasons and animals: names and digits change sides.
        outlined: pictures of bonus tiles are outlines of this thickness (tile widths), 0 for filled ones.
        pictures: of bonus tiles: ``own``, the plant that is meant; ``other``, that of any flower or season; ``sprig``,
            any sprig or pot. Unless it is its own, only the caption identifies the tile, as on most carved sets.
        seed: for pictures.
        doubled: the number of a bonus tile stands in the opposite corner, too, upside down.
        caption_size: of the names and digits of bonus tiles, 1 is a third of a face's width.
    """

    numeral: int
    honour: int
    five: str
    wan: str
    split: float
    inset: tuple[float, float]
    stretch: float
    weight: int
    slant: float
    bend: float
    index: int
    index_ink: int
    index_size: float
    white: int
    captions: tuple[str, str, str]
    caption_inks: tuple[int, int, int]
    digit_inks: tuple[int, int, int]
    swapped: tuple[bool, bool]
    outlined: float
    pictures: str
    seed: int
    doubled: bool = False
    caption_size: float = 1.0

    @staticmethod
    def random(rng: np.random.Generator) -> CharacterStyle:
        """A random carver."""
        flower = str(rng.choice(CAPTION_KINDS[:3], p=[0.6, 0.25, 0.15]))
        season = str(rng.choice(CAPTION_KINDS[:5], p=[0.5, 0.13, 0.12, 0.17, 0.08]))
        animal = str(rng.choice(["none", "both", "digit", "name"], p=[0.6, 0.2, 0.1, 0.1]))
        inks = [int(i) for i in rng.choice([DARK, BLUE, RED, GREEN], 6, p=[0.3, 0.3, 0.34, 0.06])]
        if rng.random() < 0.6:  # most sets tell flowers from seasons by colour
            inks[0], inks[1] = int(rng.choice([DARK, BLUE])), RED
        if flower == season == "digit":
            inks[3], inks[4] = int(rng.choice([DARK, BLUE])), RED
        return CharacterStyle(
            numeral=int(rng.choice([DARK, BLUE, GREEN], p=[0.5, 0.45, 0.05])),
            honour=int(rng.choice([DARK, BLUE, GREEN], p=[0.45, 0.5, 0.05])),
            five=str(rng.choice(["五", "伍"])),
            wan="萬" if rng.random() < 0.9 else "万",
            split=float(rng.uniform(0.43, 0.5)),
            inset=(float(rng.uniform(0.08, 0.2)), float(rng.uniform(0.06, 0.12))),
            stretch=float(rng.uniform(0.8, 1.6)),
            weight=int(rng.choice([-2, 0, 0, 3, 5])),
            slant=float(rng.normal(0, 0.05)) if rng.random() < 0.5 else 0.0,
            bend=float(rng.uniform(0.5, 3.5)) if rng.random() < 0.6 else 0.0,
            index=int(rng.choice([0, 1, 2], p=[0.62, 0.26, 0.12])),
            index_ink=int(rng.choice([-1, DARK, BLUE, RED])),
            index_size=float(rng.uniform(0.12, 0.17)),
            white=int(rng.choice(8, p=[0.38, 0.08, 0.12, 0.07, 0.24, 0.03, 0.03, 0.05])),
            captions=(flower, season, animal),
            caption_inks=(inks[0], inks[1], inks[2]),
            digit_inks=(inks[3], inks[4], inks[5]),
            swapped=(bool(rng.random() < 0.25), bool(rng.random() < 0.25)),
            outlined=float(rng.uniform(0.018, 0.035)) if rng.random() < 0.45 else 0.0,
            pictures=PICTURES[int(np.searchsorted((0.35, 0.8), rng.random()))],
            seed=int(rng.integers(1 << 30)),
            doubled=bool(rng.random() < 0.3),
            caption_size=float(rng.uniform(0.65, 1.05)),
        )


def carve(glyph: Mask, style: CharacterStyle, weight: int | None = None) -> Mask:
    """The glyph in this carver's hand: thicker or thinner strokes, a slant, strokes bent a little."""
    k = abs(style.weight if weight is None else weight)
    pad = 10 + k
    mask = cv2.copyMakeBorder(glyph, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    if k:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (k, k))
        mask = (cv2.dilate if (style.weight if weight is None else weight) > 0 else cv2.erode)(mask, kernel)
    h, w = mask.shape
    if style.bend or style.slant:
        rng = np.random.default_rng([style.seed, *glyph.shape, int(glyph[glyph.shape[0] // 2].sum())])
        field = cv2.resize(
            rng.normal(0, style.bend, (4, 4, 2)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC
        )
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        shifted = x + field[..., 0] + style.slant * (y - h / 2)
        mask = cv2.remap(mask, shifted, y + field[..., 1], cv2.INTER_LINEAR)
    ys, xs = np.nonzero(mask > 40)
    if not len(ys):  # thinned away to nothing
        return glyph
    return np.ascontiguousarray(mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], np.uint8)


def draw_character(number: int, sheet: GlyphSheet, style: CharacterStyle, red: bool = False) -> InkFace:
    """1m-9m; ``red`` for the red five."""
    c = Canvas()
    upper = style.five if number == 5 and style.five in sheet else NUMERALS[number - 1]
    wan = style.wan if style.wan in sheet else "萬"
    x, y = style.inset
    thin = upper in "一二三"  # short characters keep their proportion
    pull = min(style.stretch, 1.15) if thin else style.stretch
    box = (x, y + (0.08 if upper == "一" else 0), 1 - x, style.split - (0.08 if upper == "一" else 0))
    c.stamp(carve(sheet[upper], style), box, RED if red else style.numeral, pull)
    c.stamp(carve(sheet[wan], style), (x, style.split + 0.02, 1 - x, 1 - y), RED, style.stretch)
    return c.face()


def draw_honour(label: str, sheet: GlyphSheet, style: CharacterStyle) -> InkFace:
    """Winds and dragons."""
    c = Canvas()
    number = int(label[0])
    x, y = style.inset[0] * 0.9, style.inset[1] * 1.4
    box = (x, y, 1 - x, 1 - y)
    if number <= 4:
        c.stamp(carve(sheet[WINDS[number - 1]], style), box, style.honour, style.stretch)
    elif number == 6:
        char = "発" if style.seed % 9 == 0 and "発" in sheet else "發"
        c.stamp(carve(sheet[char], style), box, GREEN, style.stretch)
    elif number == 7:
        c.stamp(carve(sheet["中"], style), box, RED, style.stretch)
    else:
        _draw_white_dragon(c, sheet, style)
    return c.face()


def draw_frame(c: Canvas, inset: float, thick: float, ink: int, cut: float = 0.0) -> None:
    """A frame ``inset`` from the edges, corners cut off by ``cut`` (all in tile widths)."""
    a = c.width / c.height
    for far, paint in ((inset, ink), (inset + thick, None)):
        k = max(0.0, cut - (far - inset) * 0.4)
        x0, y0, kx, ky = far, far * a, k, k * a
        c.polygon(
            [
                (x0 + kx, y0), (1 - x0 - kx, y0), (1 - x0, y0 + ky), (1 - x0, 1 - y0 - ky),
                (1 - x0 - kx, 1 - y0), (x0 + kx, 1 - y0), (x0, 1 - y0 - ky), (x0, y0 + ky),
            ],
            paint,
        )  # fmt: skip


def _draw_white_dragon(c: Canvas, sheet: GlyphSheet, style: CharacterStyle) -> None:
    rng = np.random.default_rng([style.seed, 5])
    ink = int(rng.choice([BLUE, DARK, GREEN, RED], p=[0.6, 0.25, 0.1, 0.05]))
    inset, thick = rng.uniform(0.08, 0.17), rng.uniform(0.03, 0.07)
    kind = style.white
    if kind in (1, 2, 3, 7):
        draw_frame(c, inset, thick, ink)
    if kind == 2:
        draw_frame(c, inset + thick * 1.9, thick * 0.45, ink)
    if kind == 3:
        tall = c.height / c.width
        for t in np.arange(inset, 1 - inset, thick * 2):
            for y in (inset, tall - inset - thick):
                c.rectangle(t, y / tall, t + thick, (y + thick) / tall, None)
        for t in np.arange(inset, tall - inset, thick * 2):
            for x in (inset, 1 - inset - thick):
                c.rectangle(x, t / tall, x + thick, (t + thick) / tall, None)
    if kind == 4:
        draw_frame(c, inset, thick, ink, cut=0.13)
        draw_frame(c, inset + thick * 2, thick * 0.5, ink, cut=0.1)
    if kind in (5, 7):
        letter = "P" if rng.random() < 0.6 else "B"
        if letter in sheet:
            c.stamp(sheet[letter], (0.32, 0.34, 0.68, 0.66), ink)
    if kind == 6 and "白" in sheet:
        c.stamp(carve(sheet["白"], style), (0.16, 0.16, 0.84, 0.84), ink, style.stretch)


def index_sign(label: str) -> str:
    """The western sign of a face: 1-9 for suits, E S W N, C F P for the dragons, 1-4 for bonus tiles."""
    if label[-1] == "z":
        return "ESWNPFC"[int(label[0]) - 1]
    if label[0] in "fga":
        return label[1]
    return "5" if label[0] == "0" else label[0]


def add_index(face: InkFace, label: str, sheet: GlyphSheet, style: CharacterStyle) -> InkFace:
    """The face with its index sign in the corner; the picture shrinks a little to make room."""
    sign = sheet.get(index_sign(label))
    bare = label == "joker" or label[0] in "fga" or (label == "5z" and style.white == 0)
    if style.index == 0 or sign is None or bare:
        return face
    c = Canvas(face.shape[1], face.shape[0])
    shrink = 0.9
    shift = np.array([[shrink, 0, face.shape[1] * 0.07], [0, shrink, face.shape[0] * 0.06]], np.float32)
    c.planes = np.ascontiguousarray(
        cv2.warpAffine(face, shift, (face.shape[1], face.shape[0]), flags=cv2.INTER_AREA).transpose(2, 0, 1)
    )
    own = int(np.argmax(face.reshape(-1, 4).sum(axis=0, dtype=np.int64)))
    ink = own if style.index_ink < 0 else style.index_ink
    size = style.index_size
    box = (0.05, 0.035, 0.05 + size * 1.1, 0.035 + size)
    right, low = 0.07 + size * 0.9, 0.05 + size
    c.rectangle(0.0, 0.0, right, low, None)
    c.stamp(sign, box, ink)
    if style.index == 2:
        turned = np.ascontiguousarray(sign[::-1, ::-1])
        c.rectangle(1 - right, 1 - low, 1.0, 1.0, None)
        c.stamp(turned, (1 - box[2], 1 - box[3], 1 - box[0], 1 - box[1]), ink)
    return c.face()


def draw_bonus_face(label: str, sheet: GlyphSheet, style: CharacterStyle, animal: InkFace | None = None) -> InkFace:
    """Flowers, seasons, animals: a picture with caption and number.

    Flowers mostly have their name on the left and the digit on the right, seasons the other way round; sets that
    print only digits tell the two groups apart by colour.

    Args:
        animal: the picture of a1-a3.
    """
    c = Canvas()
    group, number = "fga".index(label[0]), int(label[1])
    rng = np.random.default_rng([style.seed, group, number])
    kind = style.captions[group]
    top = 0.08 if kind == "none" else 0.24
    if animal is not None:
        c.lay(animal, (0.08, top, 0.92, 0.94), mirror=style.seed % 2 == 0)
    else:
        width = min(0.86, (0.97 - top) * c.height / c.width)
        other = style.pictures == "other" and group < 2
        shown = f"{'fg'[int(rng.integers(2))]}{1 + int(rng.integers(4))}" if other else label
        place = (0.5 - width / 2, 0.96 - width * c.width / c.height, width)
        draw_bonus(c, shown, place, rng, style.pictures == "sprig")
    if style.outlined:
        c.outline(style.outlined)
    name = sheet.get(CAPTIONS[label[0]][number - 1])
    digit = sheet.get(str(number))
    if kind in ("numeral", "numeral_name"):
        digit = sheet.get(NUMERALS[number - 1])
    if style.seed % 23 == 0 and kind == "both":  # sets made for advertising carry other words in place of the names
        name = sheet.get("東南西北中發萬百"[int(rng.integers(8))])
    name_left = (group == 0) != style.swapped[min(group, 1)]
    if kind in ("both", "name", "numeral_name") and name is not None:
        wide, tall = 0.32 * style.caption_size, 0.235 * style.caption_size
        x = 0.06 if name_left else 0.94 - wide
        box = (x, 0.045, x + wide, 0.045 + tall)
        c.stamp(carve(name, style, max(0, style.weight)), box, style.caption_inks[group])
    if kind not in ("name", "none") and digit is not None:
        wide, tall = 0.23 * style.caption_size, style.index_size * 1.4 * style.caption_size
        x = 0.93 - wide if name_left else 0.07
        c.stamp(digit, (x, 0.045, x + wide, 0.045 + tall), style.digit_inks[group])
        if style.doubled:
            turned = np.ascontiguousarray(digit[::-1, ::-1])
            c.stamp(turned, (1 - x - wide, 0.955 - tall, 1 - x, 0.955), style.digit_inks[group])
    return c.face()
