"""What belongs to games and is no tile: score sticks, plates of seats and winds, sheets, pieces of other games, cards.

Every maker yields the props of one thing or of things that lie together, about the origin.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.faces.textured_tileset import TexturedTileSet
from datasets.objects.lettering import known_character, strange_character
from datasets.objects.lookalikes import LookAlike, Picture, as_one_cell, domino, print_mask
from datasets.objects.prints import foreign_picture, number_table, rules_card
from datasets.objects.props import NO_CELLS, Prop, box
from datasets.objects.surfaces import random_colour
from datasets.render.camera import Floats, turn_x, turn_z
from datasets.render.solids import RoundedBox

WINDS: Final = "東南西北"
DOTS: Final = {
    "one": [(0.0, 0.0)],
    "five": [(-0.6, -0.5), (0.6, -0.5), (0.0, 0.0), (-0.6, 0.5), (0.6, 0.5)],
    "eight": [(x, y) for x in (-0.9, -0.3, 0.3, 0.9) for y in (-0.4, 0.4)],
    "nine": [(x, y) for x in (-0.5, 0.0, 0.5) for y in (-0.55, 0.0, 0.55) if x or not y] + [(-1.6, 0.0), (1.6, 0.0)],
}
"""Dots of score sticks: places along and across the stick, in halves of its width, from its middle."""


def move(prop: Prop, x: float, y: float, angle: float) -> Prop:
    """A prop turned about the origin by ``angle`` radians and then put at (x, y)."""
    old, turn = prop.thing.box, turn_z(angle)
    solid = RoundedBox(old.half, turn @ old.centre + [x, y, 0], turn @ old.rotation, old.radius)
    return replace(prop, thing=replace(prop.thing, box=solid))


def _slab(like: LookAlike, width: float, thick: float, at: tuple[float, float, float] = (0, 0, 0), angle: float = 0.0,
          gloss: float = 0.3, around: Picture | None = None) -> Prop:  # fmt: skip
    """A thing that lies with its picture up, ``at`` being the middle of its underside."""
    h, w = like.picture.shape[:2]
    half = (width / 2, width * h / w / 2, thick / 2)
    rim = np.median(like.picture[:2].reshape(-1, 3), axis=0).astype(np.float32)
    made = box(half, (at[0], at[1], at[2] + half[2]), angle, rim, min(0.08, 0.6 * half[2]), gloss, like.picture,
               np.asarray(like.cells / [w, h], np.float32), around)  # fmt: skip
    return replace(made, thing=replace(made.thing, fine=True))


# --- score sticks ----------------------------------------------------------------------------------------------------


def _stick_picture(rng: np.random.Generator, wide: int = 40) -> LookAlike:
    """A score stick from above: a bar, white more often than not, with dots in its middle."""
    white = rng.random() < 0.55
    ground = np.array([248, 246, 238]) * rng.uniform(0.85, 1) if white else random_colour(rng, 0.35, 0.95)
    pattern = str(rng.choice(list(DOTS)))
    red, dark, pale = (200.0, 30.0, 36.0), (26.0, 26.0, 30.0), (246.0, 244.0, 236.0)
    ink = (dark if pattern == "eight" else red) if white else (pale, pale, red, dark)[int(rng.integers(4))]
    long = round(wide * rng.uniform(8, 11))
    image = np.full((wide, long, 3), np.clip(ground, 0, 255).astype(np.uint8))
    radius = rng.uniform(0.11, 0.2)
    for n, (x, y) in enumerate(DOTS[pattern]):
        large = 1.4 if (x, y) == (0.0, 0.0) else 1.0
        at = round(8 * (long / 2 + x * wide / 2)), round(8 * (wide / 2 + y * wide / 2))
        cv2.circle(image, at, round(8 * radius * large * wide / 2), red if n == 2 else ink, -1, cv2.LINE_AA, 3)
    reach = 0.4 * wide
    x0, x1 = long / 2 - reach, long / 2 + reach
    return LookAlike(image, np.array([[[x0, 0], [x1, 0], [x1, wide], [x0, wide]]], np.float32))


def _stick(rng: np.random.Generator, like: LookAlike, at: tuple[float, float, float], angle: float) -> Prop:
    return _slab(like, 3.3, 0.14, at, angle, float(rng.uniform(0.1, 0.6)))


def score_sticks(rng: np.random.Generator, tiles: TexturedTileSet) -> list[Prop]:
    """A few sticks side by side, as before a pond, or dropped across one another."""
    side_by_side, pitch, found = rng.random() < 0.6, float(rng.uniform(0.36, 0.7)), []
    like = _stick_picture(rng)
    for n in range(int(rng.choice([1, 1, 2, 3, 5]))):
        like = like if rng.random() < 0.6 else _stick_picture(rng)
        x, y = rng.normal(0, [0.15, 0.02] if side_by_side else [0.7, 0.5])
        angle, z = (rng.normal(0, 0.03), 0.0) if side_by_side else (rng.normal(0, 0.5), 0.14 * n)
        found.append(_stick(rng, like, (float(x), n * pitch * side_by_side + float(y), z), float(angle)))
    return found


def stick_tray(rng: np.random.Generator, tiles: TexturedTileSet) -> list[Prop]:
    """One to four compartments of a table's rim, each with sticks of one kind."""
    found, paint, wall = [], random_colour(rng, 0.03, 0.35), 0.1
    deep, tall = float(rng.uniform(1.4, 2.2)) / 2, float(rng.uniform(0.15, 0.4)) / 2
    for k in range(int(rng.integers(1, 5))):
        x = 4.0 * k
        found.append(box((1.8, deep, 0.01), (x, 0, 0.01), 0.0, paint))
        for side in (-1, 1):
            found.append(box((2, wall, tall), (x, side * (deep + wall), tall), 0.0, paint))
            found.append(box((wall, deep, tall), (x + side * (1.8 + wall), 0, tall), 0.0, paint))
        like, count = _stick_picture(rng), int(rng.integers(0, int(deep / 0.18)))
        for n in range(count):
            y = (n - (count - 1) / 2) * 0.36 + float(rng.normal(0, 0.005))
            at = (x + float(rng.normal(0, 0.04)), y, 0.02 + 0.14 * int(rng.integers(0, 2)))
            found.append(_stick(rng, like, at, float(rng.normal(0, 0.008))))
    return found


# --- plates and markers ----------------------------------------------------------------------------------------------


def _plate_ground(rng: np.random.Generator, orange: bool) -> tuple[Picture, tuple[float, ...]]:
    """RGB of a plate, orange or of any dark colour, and of the ink upon it."""
    tone = np.array([232, 92, 28]) * rng.uniform(0.75, 1.05) + rng.normal(0, 8, 3)
    ground = tone if orange else random_colour(rng, 0.15, 0.55)
    dark = ground.mean() > 80 and rng.random() < 0.75
    return np.clip(ground, 0, 255).astype(np.uint8), (28.0, 22.0, 24.0) if dark else (246.0, 240.0, 226.0)


def wind_plates(rng: np.random.Generator, tiles: TexturedTileSet) -> list[Prop]:
    """Plates of seats or of the dealer, long or nearly square, with a wind or other writing; one or a loose row."""
    long, found = bool(rng.random() < 0.5), []
    ground, ink = _plate_ground(rng, orange=not long or bool(rng.random() < 0.5))  # dark squares: dark tiles
    h, w = 100, round(100 * (rng.uniform(1.5, 2.3) if long else rng.uniform(0.8, 1.3)))
    width, thick, step = w / 100 * rng.uniform(1.0, 1.6), rng.uniform(0.15, 0.5), rng.uniform(-0.4, 0.4)
    for n in range(int(rng.choice([1, 1, 2, 4]))):
        image = np.full((h, w, 3), ground)
        mark = known_character(rng, WINDS) if rng.random() < 0.75 else strange_character(rng)
        size = round(min(h, w) * rng.uniform(0.55, 0.85))
        x, y = (w - size) // 2, (h - size) // 2
        print_mask(image, mark, (x, y, x + size, y + size), ink)
        # Only a long plate is seen to be none of a tile when it is cut out.
        cells = np.array([[[w, 0], [w, h], [0, h], [0, 0]]], np.float32) if long else NO_CELLS
        at = (float(step * n * width), float(-n * width * h / w * 1.05), 0.0)
        found.append(_slab(LookAlike(image, cells), float(width), float(thick), at, float(rng.normal(0, 0.04)),
                           float(rng.uniform(0.1, 0.8))))  # fmt: skip
    return found


def wind_marker(rng: np.random.Generator, tiles: TexturedTileSet) -> list[Prop]:
    """A die with winds on its sides, or a square with all four of them around its middle."""
    ground, ink = _plate_ground(rng, orange=bool(rng.random() < 0.65))
    if rng.random() < 0.5:
        top, around = (np.full((60, 60, 3), ground) for _ in range(2))
        for side in (top, around):
            print_mask(side, known_character(rng, WINDS), (10, 10, 50, 50), ink)
        width = float(rng.uniform(0.7, 1.3))
        return [_slab(LookAlike(top, NO_CELLS), width, width, gloss=0.5, around=around)]
    image = np.full((160, 160, 3), ground)
    for k, (x, y) in enumerate(((60, 112), (112, 60), (60, 8), (8, 60))):
        mark = np.ascontiguousarray(np.rot90(known_character(rng, WINDS[k]), k))
        print_mask(image, mark, (x, y, x + 40, y + 40), ink)
    cv2.circle(image, (80, 80), int(rng.integers(12, 30)), ink, -1 if rng.random() < 0.5 else 3, cv2.LINE_AA)
    return [_slab(LookAlike(image, NO_CELLS), float(rng.uniform(2.4, 5)), float(rng.uniform(0.02, 0.6)))]


# --- sheets and other games ------------------------------------------------------------------------------------------


def sheet(rng: np.random.Generator, tiles: TexturedTileSet) -> list[Prop]:
    """A rules card, more often than not, or a score sheet: flat, its pictures smaller or larger than tiles."""
    like = rules_card(rng, tiles) if rng.random() < 0.6 else number_table(rng)
    width = float(np.clip(like.picture.shape[1] / 34 * np.exp(rng.uniform(np.log(0.35), np.log(1.2))), 3, 16))
    return [_slab(like, width, float(rng.choice([0.01, 0.02, 0.15])), gloss=float(rng.uniform(0, 0.6)))]


def letter_tiles(rng: np.random.Generator, tiles: TexturedTileSet) -> list[Prop]:
    """Letters, or numbers, of a word or number game: on a rack that leans, or lying in a line."""
    letters, rack = bool(rng.random() < 0.7), bool(rng.random() < 0.5)
    ground = np.array([[236, 218, 178], [244, 238, 220], [206, 160, 104], [250, 250, 246]])[int(rng.integers(4))]
    ground = ground * rng.uniform(0.85, 1.02)
    width, thick, count = float(rng.uniform(0.75, 1.1)), float(rng.uniform(0.15, 0.35)), int(rng.integers(2, 9))
    lean, pitch, tall = float(rng.uniform(0.2, 0.7)), width + abs(float(rng.normal(0, 0.04))), width * (4 - letters) / 3
    font, found = int(rng.choice([0, 2, 3])), []
    for n in range(count):
        tone = ground * rng.uniform(0.94, 1.03)
        like = as_one_cell(_letter(rng, font, tone) if letters else foreign_picture(rng, "number", tone))
        lying = _slab(like, width, thick, ((n - (count - 1) / 2) * pitch, 0, 0), float(rng.normal(0, 0.02)), 0.2)
        found.append(_lean(lying, turn_x(np.pi / 2 - lean), 0.25) if rack else lying)
    if rack:
        paint, long = random_colour(rng, 0.1, 0.7), count * pitch / 2 + float(rng.uniform(0.1, 1.5))
        found.append(box((long, 0.5, 0.12), (0.0, 0.0, 0.12), 0.0, paint))
        rise = tall * np.cos(lean) / 2
        found.append(box((long, 0.1, rise / 2), (0, tall * np.sin(lean) / 2 + thick + 0.15, rise / 2), 0.0, paint))
    return found


def _letter(rng: np.random.Generator, font: int, ground: npt.NDArray[np.float64]) -> Picture:
    """The face of a letter tile: a black letter, and in a corner what it counts."""
    image, ink = np.full((60, 60, 3), np.clip(ground, 0, 255).astype(np.uint8)), (20, 20, 26)
    letter = chr(int(rng.integers(65, 91)))
    (wide, high), _ = cv2.getTextSize(letter, font, 1.3, 3)
    cv2.putText(image, letter, ((60 - wide) // 2, 12 + high), font, 1.3, ink, 3, cv2.LINE_AA)
    cv2.putText(image, str(int(rng.integers(1, 11))), (42, 54), 0, 0.36, ink, 1, cv2.LINE_AA)
    return image


def _lean(prop: Prop, spin: Floats, z: float) -> Prop:
    """A lying prop set up on an edge, leaning, at height ``z``."""
    old = prop.thing.box
    high = z + float(np.abs(spin[2]) @ old.half)
    solid = RoundedBox(old.half, np.array([old.centre[0], old.centre[1], high]), old.rotation @ spin, old.radius)
    return replace(prop, thing=replace(prop.thing, box=solid))


def dominoes(rng: np.random.Generator, tiles: TexturedTileSet) -> list[Prop]:
    """Dominoes of one set: side by side, end to end, or standing."""
    dark, count, width = bool(rng.random() < 0.5), int(rng.integers(2, 9)), float(rng.uniform(0.8, 1.2))
    how, thick, found = int(rng.integers(3)), float(rng.uniform(0.25, 0.5)), []
    for n in range(count):
        step = (n - (count - 1) / 2) * (width if how else 2 * width) * float(rng.uniform(1.02, 1.06))
        lying = _slab(domino(rng, dark), width, thick, (step, 0, 0), 0.0 if how else np.pi / 2, 0.5)
        found.append(_lean(lying, turn_x(np.pi / 2 - 0.05), 0.0) if how == 2 else lying)
    return found


def cards(rng: np.random.Generator, tiles: TexturedTileSet) -> list[Prop]:
    """Playing cards: fanned, in a row, or one alone."""
    count, fan = int(rng.choice([1, 2, 3, 5, 7])), float(rng.choice([0.0, rng.uniform(0.05, 0.3)]))
    width, step = float(rng.uniform(2.4, 3.0)), float(rng.choice([0.8, rng.uniform(0.2, 0.5), 1.05]))
    found = []
    for n in range(count):
        like = as_one_cell(foreign_picture(rng, "card"))
        card = _slab(like, width, 0.015, (0, 0, 0.015 * n), 0.0, 0.4)
        at = n - (count - 1) / 2
        found.append(move(card, at * step * width, -abs(at) * fan * 0.4, -at * fan + float(rng.normal(0, 0.02))))
    return found


ACCESSORIES: Final[dict[str, tuple[Callable[[np.random.Generator, TexturedTileSet], list[Prop]], float]]] = {
    "score_sticks": (score_sticks, 0.22), "stick_tray": (stick_tray, 0.12), "wind_plates": (wind_plates, 0.15),
    "wind_marker": (wind_marker, 0.06), "sheet": (sheet, 0.2), "letter_tiles": (letter_tiles, 0.11),
    "dominoes": (dominoes, 0.07), "cards": (cards, 0.07),
}  # fmt: skip
"""How each is made, and its share."""
