"""Render the photos in ``examples/``: the same pictures every time, with their truth beside them.

python -m scripts.train.render_examples --out examples
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from datasets.faces.designs import AtlasDesign, load_library
from datasets.faces.materials import Material
from datasets.faces.textured_tileset import TexturedTileSet
from datasets.render.paint import Light
from datasets.render.photo import PhotoEffects
from datasets.scenes.scene import Scene, SceneLook, render_hand, save_scene
from datasets.tables.layouts import Style
from scripts.train import run

LIMIT_BYTES = 1_500_000
"""Bytes a shipped photo may take."""


def _coloured_set(
    design: str, body: tuple[int, int, int], back: tuple[int, int, int], seed: int, **more: float
) -> TexturedTileSet:
    """A tile set of chosen colours."""
    library = load_library()
    cells = {atlas.name: atlas.cells for atlas in library.atlases}
    bonus = {label: cell for label, cell in cells["noto"].items() if label[0] in "fg"}
    designs = (AtlasDesign(design, cells[design] | bonus), library.draw(np.random.default_rng(seed), "wenkai"))
    inks = np.array([(22, 24, 34), (186, 28, 34), (16, 98, 54), (28, 58, 148)], np.float32)
    colours = np.array(body, np.float32), np.array(back, np.float32)
    material = Material(*colours, 0.42, inks, more.get("gloss", 0.55), 60.0, 0.75, 0.1)
    return TexturedTileSet(
        height=1.36, depth=0.78, radius=more.get("radius", 0.075), material=material,
        designs=designs, margin=more.get("margin", 0.02), seed=seed,
    )  # fmt: skip


def _lamp(x: float, y: float, z: float, ambient: float, softness: float, glint: float) -> Light:
    v = np.array([x, y, z]) / np.linalg.norm([x, y, z])
    second = np.array([-0.5, 0.62, 0.6]) / np.linalg.norm([-0.5, 0.62, 0.6])
    lamps, glints = np.array([v, second]), np.array([glint, glint * 0.7])
    return Light(v, ambient, softness, 0.85, lamps, glints, 90.0)


def self_drawn() -> Scene:
    """Hong Kong, self-drawn: fourteen tiles, two bonus tiles, on a wooden table at a slight angle."""
    look = SceneLook(
        size=(4000, 3000), tilt=40, azimuth=-11, roll=-1.5, fill=0.9, focal=0.8, table="wood", texture=3000,
        tiles=_coloured_set("gl", (246, 241, 226), (30, 118, 72), 3),
        light=_lamp(-0.55, 0.5, 1.1, 0.5, 0.16, 120),
        taken=PhotoEffects(exposure=1.04, contrast=1.06, blur=0.9, noise=1.4, sharpen=0.35, vignette=0.28, quality=0),
    )  # fmt: skip
    how = Style(hand="row", winning="right", bonus="front_left", wall=True)
    return render_hand("12234567p99p777z", "3p", bonus="f2 f3", seed=6, layout=how, look=look)


def riichi() -> Scene:
    """Riichi: two melds with claimed tiles across, a red five, dora indicators in the wall."""
    look = SceneLook(
        size=(4000, 3000), tilt=38, azimuth=6, roll=2, fill=0.9, focal=0.8, table="felt", texture=3000,
        tiles=_coloured_set("fluffy", (250, 248, 242), (232, 170, 40), 5, gloss=0.8),
        light=_lamp(0.5, 0.6, 1.3, 0.58, 0.22, 150),
        taken=PhotoEffects(exposure=1.0, contrast=1.05, blur=1.0, noise=1.2, sharpen=0.3, vignette=0.2, quality=0),
    )  # fmt: skip
    how = Style(hand="row", winning="across_end", melds="right", turned=True, wall=True)
    melds = [("pung", "666z", "opposite"), ("chow", "456p", "left")]
    return render_hand("3405m678s", "5m", melds, dora="3p", seed=13, layout=how, look=look, rules="riichi")


def dark_diagonal() -> Scene:
    """A dim photo from a corner of the table, the hand lying diagonally, with melds and a concealed kong."""
    look = SceneLook(
        size=(4000, 3000), tilt=42, azimuth=36, roll=-6, fill=0.88, focal=0.75, table="slate", texture=2400,
        tiles=_coloured_set("noto", (244, 232, 200), (36, 74, 140), 8, gloss=0.5, radius=0.1),
        light=_lamp(0.9, 0.25, 0.75, 0.36, 0.3, 150),
        taken=PhotoEffects(
            exposure=0.62, balance=(1.08, 1.0, 0.86), blur=1.3, noise=4.0, sharpen=0.2, vignette=0.35, quality=0
        ),
    )  # fmt: skip
    how = Style(hand="row", winning="right", melds="front", turned=True)
    melds = [("kong_concealed", "2222s", None), ("pung", "333z", "right")]
    return render_hand("678s99s11z", "1z", melds, seed=21, layout=how, look=look, rules="zungjung")


def taiwanese() -> Scene:
    """Taiwanese, a hand of seventeen tiles: two melds, two flowers, the winning tile to the right."""
    look = SceneLook(
        size=(2800, 2100), tilt=36, azimuth=8, roll=1, fill=0.92, focal=0.8, table="felt", texture=2400,
        tiles=_coloured_set("gl", (250, 246, 236), (24, 96, 150), 11, gloss=0.6),
        light=_lamp(-0.4, 0.6, 1.2, 0.55, 0.2, 130),
        taken=PhotoEffects(exposure=1.02, contrast=1.05, blur=0.8, noise=1.3, sharpen=0.3, vignette=0.24, quality=0),
    )  # fmt: skip
    how = Style(hand="row", winning="right", melds="front", bonus="front_left", turned=True)
    melds = [("pung", "777z", "opposite"), ("chow", "678p", "left")]
    return render_hand("123456m67s99s", "8s", melds, bonus="f2 g2", seed=17, layout=how, look=look, rules="taiwanese")


EXAMPLES = {
    "hand-self-draw": self_drawn,
    "hand-riichi": riichi,
    "hand-dark-diagonal": dark_diagonal,
    "hand-taiwanese": taiwanese,
}


def main(
    out: Path = Path("examples"), only: Annotated[str | None, typer.Option(help=f"of {', '.join(EXAMPLES)}")] = None
) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name in [only] if only else EXAMPLES:
        path, scene = out / f"{name}.jpg", EXAMPLES[name]()
        for quality in range(92, 40, -4):
            save_scene(scene, path, quality)
            if path.stat().st_size <= LIMIT_BYTES:
                break
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB at quality {quality}")


if __name__ == "__main__":
    run(main)
