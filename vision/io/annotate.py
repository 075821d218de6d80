"""A reading drawn on its photo: outlines, labels, roles, doubts, and the hand in words below.

A role is shown by colour and by a word on the label, a doubt by a broken outline and a question mark: nothing is shown
by colour alone. Colours are those of Okabe and Ito, which people with any colour vision can tell apart.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, TypeAlias

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from scoring.tiles import format_tiles
from vision.arrays import FloatArray, ImageArray
from vision.geometry import Quad, extent, rescale_quad
from vision.reading import SURE, Reading, Role, SeenHand

MAX_SIDE_PX: Final = 2400
"""Longer side of the marked picture at most, pixels."""
MIN_TILE_PX: Final = 64
"""A picture of small tiles is enlarged until a tile is this wide, so that labels can be read."""

_Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont
_Colour: TypeAlias = tuple[int, int, int]
_COLOURS: Final[dict[Role, _Colour]] = {
    Role.CONCEALED: (86, 180, 233),
    Role.MELD: (0, 158, 115),
    Role.WINNING: (240, 228, 66),
    Role.BONUS: (204, 121, 167),
    Role.DORA: (230, 159, 0),
    Role.OTHER: (190, 190, 190),
}
_WORDS: Final = {role: role.value for role in Role} | {Role.CONCEALED: "", Role.WINNING: "win"}
_MARK: Final = (213, 94, 0)
_INK: Final = (20, 20, 20)
_PAPER: Final = (250, 250, 246)


@dataclass(frozen=True, slots=True)
class Notes:
    """What a marked photo shows of how it was read.

    Attributes:
        tiles: more lines for each tile of the reading.
        marks: what else is outlined, pixels of the upright original, and the lines written there.
        sentences: more of them for the strip.
    """

    tiles: Sequence[Sequence[str]]
    marks: Sequence[tuple[Quad, Sequence[str]]]
    sentences: Sequence[str]


def annotate(pixels: ImageArray, reading: Reading, notes: Notes | None = None) -> ImageArray:
    """The photo with every tile outlined and named.

    Args:
        pixels: (h, w, 3) uint8 RGB, the upright photo at any scale.
        reading: what was read in it.
        notes: what is shown beside it.

    Returns:
        (h', w', 3) uint8 RGB: the photo at a scale that lets its labels be read, at most ``MAX_SIDE_PX``, and below
        it a strip with the hand and the doubts.
    """
    height, width = pixels.shape[:2]
    quads = [rescale_quad(s.corners, (width / reading.width, height / reading.height)) for s in reading.tiles]
    edge = median(extent(quad)[0] for quad in quads) if quads else 0.0
    enlarged = max(1.0, MIN_TILE_PX / edge) if edge else 1.0
    scale = min(enlarged, MAX_SIDE_PX / max(width, height))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    canvas = np.array(cv2.resize(pixels, size, interpolation=how), np.uint8)
    shown, edge = [np.array(rescale_quad(quad, (scale, scale))) for quad in quads], edge * scale
    doubted = {doubt.tile for doubt in reading.doubts} | {repair.tile for repair in reading.repairs}
    thickness = max(2, round(edge / 22))
    by = size[0] / reading.width, size[1] / reading.height
    outlined = notes.marks if notes else [(s.corners, [f"{s.tile}?"]) for s in reading.aside.values()]
    marks = [(np.array(rescale_quad(quad, by)), texts) for quad, texts in outlined]
    for corners, _ in marks:
        cv2.polylines(canvas, [np.round(corners * 16).astype(np.int32)], True, _MARK, 2, cv2.LINE_AA, 4)
    for i, quad in enumerate(shown):
        _outline(canvas, quad, _COLOURS[reading.roles[i]], thickness, broken=i in doubted)
    image = Image.fromarray(canvas)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=float(np.clip(edge * 0.32, 12, 60)))
    small = ImageFont.load_default(size=float(np.clip(edge * 0.24, 10, 40)))
    for corners, texts in marks:
        _label(draw, corners, [(text, small) for text in texts], _MARK)
    for i, quad in enumerate(shown):
        lines = [(_name(reading, i), font), (_note(reading, i, i in doubted), small)]
        lines += [(text, small) for text in notes.tiles[i]] if notes else []
        _label(draw, quad, [(text, face) for text, face in lines if text], _COLOURS[reading.roles[i]])
    sentences = [*_sentences(reading), *(notes.sentences if notes else ())]
    return np.vstack([np.asarray(image), _strip(sentences, image.width)])


def _outline(canvas: ImageArray, quad: FloatArray, colour: _Colour, thickness: int, broken: bool) -> None:
    """The quad's edges over a dark rim, broken where there is a doubt; a mark on the picture's upper edge."""
    points = np.round(quad * 16).astype(np.int32)
    cv2.polylines(canvas, [points], True, _INK, thickness + 2, cv2.LINE_AA, 4)
    for a, b in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        stretches = np.linspace(0, 1, 8).reshape(-1, 2) if broken else np.array([[0.0, 1.0]])
        for start, stop in stretches:
            one, other = (np.round((a + (b - a) * t) * 16).astype(int).tolist() for t in (start, stop))
            cv2.line(canvas, one, other, colour, thickness, cv2.LINE_AA, 4)
    top, down = (quad[0] + quad[1]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    across = (quad[1] - quad[0]) / 2
    mark = np.round(np.array([top, top + 0.1 * down - 0.2 * across, top + 0.1 * down + 0.2 * across]) * 16)
    cv2.fillConvexPoly(canvas, mark.astype(np.int32), colour, cv2.LINE_AA, 4)


def _name(reading: Reading, i: int) -> str:
    used = next((r.used.code for r in reading.repairs if r.tile == i), None)
    read = reading.tiles[i].tile.code
    return read if used is None else f"{read} > {used}"


def _note(reading: Reading, i: int, doubted: bool) -> str:
    confidence = reading.tiles[i].confidence
    unsure = f"{confidence:.0%}" if confidence < SURE else ""
    return " ".join(filter(None, (_WORDS[reading.roles[i]], unsure, "?" * doubted)))


def _label(draw: ImageDraw.ImageDraw, quad: FloatArray, lines: list[tuple[str, _Font]], colour: _Colour) -> None:
    """A chip at the tile's lower end in the picture: its name, and under it role, probability and doubt."""
    (right, bottom), x, y = draw.im.size, float(quad[:, 0].mean()), float(quad[:, 1].max())
    boxes = [draw.textbbox((0, 0), text, font=face) for text, face in lines]
    heights = [box[3] - box[1] + 4 for box in boxes]
    width = max(box[2] - box[0] for box in boxes) + 8
    x, top = min(max(x, width / 2), right - width / 2), min(y - 0.7 * heights[0], bottom - sum(heights) - 3)
    draw.rectangle((x - width / 2, top, x + width / 2, top + sum(heights) + 2), fill=_INK, outline=colour, width=2)
    for (text, face), box, height in zip(lines, boxes, heights, strict=True):
        draw.text((x - (box[2] - box[0]) / 2 - box[0], top + 3 - box[1]), text, fill="white", font=face)
        top += height


def _strip(sentences: Sequence[str], width: int) -> ImageArray:
    """The hand and the doubts in words, (h, width, 3)."""
    size = max(14, width // 60)
    font = ImageFont.load_default(size=size)
    columns = max(20, int(width / (size * 0.56)))
    text = [line for part in sentences for line in textwrap.wrap(part, columns)]
    image = Image.new("RGB", (width, round(size * 1.4) * len(text) + size), _PAPER)
    draw = ImageDraw.Draw(image)
    for i, line in enumerate(text):
        draw.text((size // 2, size // 2 + i * round(size * 1.4)), line, fill=_INK, font=font)
    return np.asarray(image)


def _sentences(reading: Reading) -> list[str]:
    if not reading.tiles:
        return ["No tile in sight."]
    hand = ["No hand can be made out."] if reading.hand is None else [_describe_hand(reading.hand)]
    repairs = [f"Read {r.read} but taken for {r.used}: {r.why}." for r in reading.repairs]
    return [*hand, *repairs, *(f"? {d.message}" for d in reading.doubts)]


def _describe_hand(hand: SeenHand) -> str:
    melds = [(meld.type.value.replace("_", " "), meld.tiles) for meld in hand.melds]
    winning = (hand.winning_tile,) if hand.winning_tile else ()
    others = [("winning", winning), ("bonus", hand.bonus), ("dora", hand.dora_indicators)]
    parts = [("hand", hand.concealed), *melds, *((what, tiles) for what, tiles in others if tiles)]
    return "   |   ".join(f"{what} {format_tiles(tiles)}" for what, tiles in parts)
