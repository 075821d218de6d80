"""``import hupai``: a photo in whatever form, an object that explains and draws itself, and our error for all else."""

from __future__ import annotations

import io
import itertools
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

import hupai
from hupai.api import UnscorableHand
from scoring.tiles import parse_tiles, tile
from tests.hupai.serving import ROOT
from vision.hand.correction import Correction, DropTile, SetConcealed, SetWinningTile
from vision.io.photo import Photo

PHOTO = ROOT / "examples" / "hand-self-draw.jpg"
HAND = "1223456799p777z | won with 3p | bonus f2 f3"


@pytest.fixture(scope="module")
def scored() -> hupai.ScoredPhoto:
    return hupai.score(PHOTO, "hongkong", seat="S", win="self_draw")


def upright() -> Image.Image:
    return ImageOps.exif_transpose(Image.open(PHOTO))


def closed_file() -> io.BytesIO:
    file = io.BytesIO(b"x")
    file.close()
    return file


SOURCES = {
    "path": lambda: PHOTO,
    "text": lambda: str(PHOTO),
    "bytes": PHOTO.read_bytes,
    "view": lambda: memoryview(PHOTO.read_bytes()),
    "file": lambda: io.BytesIO(PHOTO.read_bytes()),
    "image": lambda: Image.open(PHOTO),
    "array": lambda: np.asarray(upright()),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_a_photo_is_taken_in_every_form(kind: str) -> None:
    assert np.array_equal(Photo(SOURCES[kind]()).pixels, upright())


@pytest.mark.parametrize(
    ("source", "said"),
    [
        pytest.param(None, "NoneType is not a picture", id="none"),
        pytest.param("no such.jpg", "There is no file no such.jpg", id="missing"),
        pytest.param("a\0b", "not a path", id="nul"),
        pytest.param(io.StringIO("words"), 'open(path, "rb")', id="text file"),
        pytest.param(closed_file(), "closed", id="closed file"),
    ],
)
def test_what_is_no_picture_is_our_error(source: object, said: str) -> None:
    with pytest.raises(hupai.HupaiError, match=re.escape(said)):
        hupai.read(source)  # type: ignore[arg-type]


def test_what_the_hand_is_worth(scored: hupai.ScoredPhoto) -> None:
    assert scored.legal
    assert scored.total["value"] == 7
    assert scored.payments == {"E": -128, "S": 256, "W": -64, "N": -64, "pot": 0}
    assert repr(scored) == "<ScoredPhoto hand-self-draw.jpg: Hong Kong, 7 faan>"
    assert HAND in repr(scored.read) and scored.read.explain().startswith(HAND)
    assert "Mixed One Suit" in scored.explain()
    assert "W pays S 64" in scored.explain()
    assert scored.to_json()["read"]["image"] == "hand-self-draw.jpg"


def test_a_reading_is_scored_again_without_the_photo(scored: hupai.ScoredPhoto) -> None:
    again = scored.read.score("hongkong", seat="E", win="discard", from_="N", options={"min_faan": 0}, last_tile=True)
    assert again.payments is not None
    assert [seat for seat, amount in again.payments.items() if amount > 0] == ["E"]
    assert "Self-Pick" in scored.explain()
    assert "Self-Pick" not in again.explain()


def test_everyday_words_are_taken(scored: hupai.ScoredPhoto) -> None:
    again = scored.read.score("hongkong", seat="South", win="tsumo", round="東", winning="🀛", bonus="F2F3")
    assert again.request == scored.request


def test_what_no_photo_shows_is_asked_for_before_it_is_read() -> None:
    with pytest.raises(hupai.HupaiError) as error:
        hupai.score("no such.jpg")
    assert [(fault.code, fault.field) for fault in error.value.faults] == [
        ("missing", "context.seat"),
        ("missing", "context.win"),
    ]


@pytest.mark.parametrize("first", [None, "hongkong"])
def test_a_reading_is_scored_under_rules_that_did_not_help_it(first: str | None) -> None:
    again = hupai.read(PHOTO, first).score("riichi", seat="S", win="self_draw")
    assert again.total == hupai.score(PHOTO, "riichi", seat="S", win="self_draw").total
    assert [doubt[:2] for doubt in again.read.doubts] == ["f2", "f3"], "riichi has no flowers"
    assert "bonus f2" not in again.read.explain()
    assert again.read.score("hongkong", seat="S", win="self_draw").total["value"] == 7, "and back, with the flowers"


def test_what_a_person_corrects_is_scored_and_the_reading_stays_what_the_photo_shows(scored: hupai.ScoredPhoto) -> None:
    def worth(*corrections: Correction) -> hupai.ScoredPhoto:
        return scored.read.score("hongkong", seat="S", win="self_draw", corrections=corrections)

    nine = worth(SetWinningTile(tile("9p")))
    assert str(nine.result.hand.winning_tile) == "9p" and str(nine.read.hand and nine.read.hand.winning_tile) == "3p"
    f2 = next(i for i, s in enumerate(scored.read.reading.tiles) if s.tile.code == "f2")
    fewer = worth(DropTile(f2))
    assert [str(t) for t in fewer.result.hand.bonus] == ["f3"] and fewer.read.hand and len(fewer.read.hand.bonus) == 1
    with pytest.raises(hupai.HupaiError, match="There is no tile 99"):
        worth(DropTile(99))
    with pytest.raises(UnscorableHand, match="cannot be scored") as error:
        worth(SetConcealed(parse_tiles("123m")))
    assert str(error.value.hand).startswith("123m | won with 3p")


@pytest.mark.parametrize(
    ("rules", "given", "lying", "asked"),
    [
        ("hangzhou", {}, "4s", {"indicator": "4s"}),
        ("hangzhou", {"indicator": "permanent"}, "4s", {"indicator": "permanent"}),
        ("riichi", {}, "4s", {"dora_indicators": ["4s"]}),
    ],
)
def test_the_open_tile_of_a_wall_is_the_indicator_unless_another_is_given(
    scored: hupai.ScoredPhoto, rules: str, given: dict[str, str], lying: str, asked: dict[str, object]
) -> None:
    read = scored.read.under(rules)
    assert read.hand is not None
    shown = replace(read.reading, hand=replace(read.hand, dora_indicators=parse_tiles(lying)))
    again = replace(read, reading=shown).score(rules, seat="S", win="self_draw", **given)  # type: ignore[arg-type]
    assert again.request["context"] == {"seat": "S", "win": "self_draw", "round": "E", **asked}
    two = replace(shown, hand=replace(read.hand, dora_indicators=parse_tiles("4s5s")))
    if rules == "hangzhou" and not given:
        with pytest.raises(UnscorableHand, match="Which tile is the wild tile indicator"):
            replace(read, reading=two).score(rules, seat="S", win="self_draw")


def test_what_makes_no_sense_says_so(scored: hupai.ScoredPhoto) -> None:
    for wrong in ({"seat": "Q"}, {"win": "luck"}, {"riichi_stick": 2}, {"options": {"no_such": 1}}):
        with pytest.raises(hupai.HupaiError):
            scored.read.score(**{"rules": "hongkong", "seat": "S", "win": "self_draw", **wrong})  # type: ignore[arg-type]
    odd: tuple[object, ...] = (5, [5], {5: 5}, 1.5)
    for name, wrong in itertools.product(("rules", "seat", "win", "winning", "bonus", "options", "last_tile"), odd):
        with pytest.raises(hupai.HupaiError, match=r"context\.|is text, not|is a mapping such as|no option '5'"):
            scored.read.score(**{"rules": "hongkong", "seat": "S", "win": "self_draw", name: wrong})  # type: ignore[arg-type]
    for wrong in odd:
        with pytest.raises(hupai.HupaiError, match="No rules called"):
            hupai.read(PHOTO, wrong)  # type: ignore[arg-type]
        with pytest.raises(hupai.HupaiError, match="cannot be the name of a set"):
            hupai.read(PHOTO, tileset=wrong)  # type: ignore[arg-type]
    blank = hupai.read(np.full((200, 300, 3), 90, np.uint8))
    assert blank.plot().size[0] >= 300
    with pytest.raises(hupai.HupaiError, match="No tile in sight"):
        blank.score(seat="E", win="self_draw")


def test_the_card_stands_alone_and_writes_no_foreign_markup(scored: hupai.ScoredPhoto, tmp_path: Path) -> None:
    card = scored._repr_html_()
    assert "Mixed One Suit" in card
    assert "256" in card
    assert 'src="data:image/jpeg;base64,' in card
    assert not re.search(r"https?:|<script", card)
    strange = tmp_path / 'a"><script>.jpg'
    strange.write_bytes(PHOTO.read_bytes())
    assert "<script>" not in hupai.read(strange)._repr_html_()


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, hupai; print(hupai.__version__); print({'numpy', 'cv2', 'PIL', 'typer'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == "set()"
    assert re.match(r"\d", done.stdout)


def test_the_package_runs_as_the_command() -> None:
    command = [sys.executable, "-m", "hupai", "--version"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"hupai {hupai.__version__}"


_SLOW_TO_LOAD = """
import os, runpy, signal, sys
class Interrupts:
    def find_spec(self, name, path, target=None):
        if name == WHERE:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
sys.argv = ["hupai", "rules"]
runpy.run_module("hupai", run_name="__main__")
"""


_BEGINNING = "import hupai.cli as c\ndef interrupted(*_): raise KeyboardInterrupt\nc.build_app = interrupted; c.main()"


@pytest.mark.parametrize(
    "code",
    [*(_SLOW_TO_LOAD.replace("WHERE", repr(w)) for w in ("hupai.cli", "hupai.commands.rules")), _BEGINNING],
    ids=["cli", "rules", "beginning"],
)
def test_ctrl_c_before_the_command_works_ends_it_without_a_word(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_reading_leaves_nothing_behind_at_home(tmp_path: Path) -> None:
    """Some wheels of onnxruntime keep an identifier and a list of events there, to be sent."""
    code = f"import hupai; hupai.read({str(PHOTO)!r})"
    env = {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, check=True, timeout=120)
    assert list(tmp_path.rglob("*")) == []
