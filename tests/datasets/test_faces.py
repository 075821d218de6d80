"""Every face of every design is there, and the art that ships is accounted for."""

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from datasets.faces.designs import ART, load_library
from datasets.faces.glyphs import WILD
from datasets.faces.ink import HEIGHT, WIDTH
from datasets.faces.jokers import JOKERS
from datasets.faces.materials import LEAST_RGB_DISTANCE, random_material, unusual_material
from datasets.faces.textured_tileset import random_tileset
from datasets.labels import FACES, INDEX, LABELS
from datasets.objects.lettering import known_character, strange_character
from scoring.tiles import TILES

pytestmark = pytest.mark.release

LIBRARY = load_library()
BASE = [label for label in FACES if label[0] not in "fga" and label not in ("5z", "joker")]


def test_labels_cover_every_tile_once() -> None:
    assert len(set(LABELS)) == len(LABELS)
    assert {t.code for t in TILES} <= set(LABELS)
    assert LABELS[-2:] == ("back", "none")
    assert INDEX[LABELS[7]] == 7


@pytest.mark.parametrize("design", LIBRARY.atlases, ids=lambda d: d.name)
def test_an_atlas_has_all_base_faces_and_they_differ(design) -> None:
    faces = {label: design.face(label) for label in BASE}
    assert all(face is not None and face.any() for face in faces.values())
    assert len({face.tobytes() for face in faces.values()}) == len(BASE)


@pytest.mark.parametrize("sheet", sorted(LIBRARY.sheets))
def test_a_drawn_design_has_every_face_and_they_differ(sheet) -> None:
    drawn = LIBRARY.draw(np.random.default_rng(3), sheet)
    faces = {label: drawn.face(label) for label in FACES}
    for label, face in faces.items():
        assert face.shape == (HEIGHT, WIDTH, 4)
        assert face.any() or (label == "5z" and drawn.characters.white == 0), label
    inked = [face.tobytes() for label, face in faces.items() if label != "5z"]
    assert len(set(inked)) == len(inked)


def test_what_is_written_on_jokers_can_be_drawn_and_is_no_strange_character() -> None:
    assert all(set("".join(JOKERS)) <= set(sheet) for sheet in LIBRARY.sheets.values())
    written = [known_character(np.random.default_rng(seed), one) for one in WILD for seed in range(20)]
    strange = {strange_character(np.random.default_rng(seed)).tobytes() for seed in range(400)}
    assert not strange & {mask.tobytes() for mask in written}


def test_carvers_make_other_jokers() -> None:
    faces = [LIBRARY.draw(np.random.default_rng(seed)).face("joker") for seed in range(60)]
    inked = [face.sum(axis=2) > 128 for face in faces]
    distinct = [a for i, a in enumerate(inked) if all((a & b).sum() < 0.5 * (a | b).sum() for b in inked[:i])]
    assert len(distinct) > 10


def test_red_fives_are_red_and_plain_fives_are_not() -> None:
    for design in (*LIBRARY.atlases, LIBRARY.draw(np.random.default_rng(1))):
        for suit in "mps":
            red, plain = design.face(f"0{suit}").astype(int), design.face(f"5{suit}").astype(int)
            share = [face[..., 1].sum() / face.sum() for face in (red, plain)]
            assert share[0] > 0.95, (design.name, suit)
            assert share[1] < 0.75, (design.name, suit)


def test_a_tile_set_paints_every_face_and_backs_differ_from_blank_whites() -> None:
    for seed in range(6):
        tiles = random_tileset(np.random.default_rng(seed), LIBRARY)
        textures = {label: tiles.texture(label, 2)[0] for label in (*FACES, "back")}
        assert all(t.shape == (HEIGHT >> 2, WIDTH >> 2, 3) for t in textures.values())
        if tiles.material.back_share > 0:
            gap = np.abs(textures["back"].mean((0, 1)) - tiles.material.body).max()
            assert gap > 12, seed


def test_print_stands_out_on_dark_wooden_and_coloured_tiles_and_their_backs_are_no_faces() -> None:
    made = []
    for seed in range(80):
        rng = np.random.default_rng(seed)
        material = unusual_material(rng, random_material(rng))
        assert np.linalg.norm(material.inks - material.body, axis=1).min() >= LEAST_RGB_DISTANCE, seed
        assert np.linalg.norm(material.back - material.body) >= LEAST_RGB_DISTANCE, seed
        made.append((material.body.mean() < material.inks.mean(), material.grained > 0))
    dark, wood = np.array(made).sum(axis=0)
    assert dark >= 30 and wood >= 8


def test_shipped_art_is_listed_with_a_licence() -> None:
    sources = tomllib.loads((ART.parent / "sources.toml").read_text(encoding="utf-8"))["source"]
    assert all(s["licence"] for s in sources)
    shipped = {s.get("atlas") or s.get("sheet") or s["name"] for s in sources if s["ships"]}
    index = json.loads((ART / "index.json").read_text(encoding="utf-8"))
    names = {name for part in index.values() for name in part}
    assert names <= shipped
    files = {p.stem for p in ART.glob("*.webp")}
    assert files == names
    assert Path(ART / "LICENCES.md").is_file()
    assert not any("GPL" in s["licence"] for s in sources if s["ships"])
