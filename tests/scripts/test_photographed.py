"""Hands in photographs as a person wrote them down: the file holds hands that can be, and readings are judged by it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scoring.tiles import parse_tiles
from scripts.accuracy.holdouts import NO_IGNORE
from scripts.accuracy.photographed import TrueHand, annotated_hand, judge, true_hands, with_true_faces
from scripts.accuracy.truth import TruePhoto, TrueTile, load
from tests.vision.laid import W, row
from vision.hand.read import read_hand
from vision.reading import Reading, Sighting

pytestmark = pytest.mark.release

HELD = "123m456p789s11z88p"


def hand(concealed: str, winning: str | None = None) -> TrueHand:
    tiles = parse_tiles(concealed + (winning or ""))
    return TrueHand("hand", winning, (tuple(sorted(t.code for t in tiles)),))


def reading(tiles: list[Sighting]) -> Reading:
    return read_hand(tiles, 1200, 800, "hongkong")[0]


def test_the_hands_written_down_can_be() -> None:
    found = true_hands()
    shown = Counter(truth.shows for truth in found.values())
    assert shown["hand"] >= 50 and shown["none"] >= 25 and shown["few"] and shown["long"]
    for truth in found.values():
        assert (truth.shows == "hand") == bool(truth.sets)
        faces = Counter(tile.replace("0", "5") for part in truth.sets for tile in part)
        assert not truth.sets or truth.tiles in (13, 14, 15)
        assert max(faces.values(), default=0) <= 4


def test_a_hand_is_right_with_its_winning_tile_or_the_question_for_it() -> None:
    told = reading(row(HELD) + row("8p", x=160 + 14.2 * W))
    assert judge(hand(HELD, "8p"), told) | {"doubted": False} == {
        "whole": True,
        "winning": True,
        "silent": False,
        "doubted": False,
    }
    assert judge(hand(HELD + "8p"), reading(row(HELD + "8p")))["winning"]
    other = judge(hand(HELD, "9p"), told)
    assert not other["whole"] and not other["winning"]


@pytest.mark.parametrize(
    ("shows", "right"), [("none", False), ("few", False), ("long", False)], ids=("none", "few", "long")
)
def test_a_hand_where_there_is_none_is_invented(shows: str, right: bool) -> None:
    marks = judge(TrueHand(shows), reading(row(HELD) + row("8p", x=160 + 14.2 * W)))
    assert marks["invented"] and marks["right"] == right and marks["silent"]


def test_a_tile_without_a_box_has_the_face_that_somebody_saw() -> None:
    boxed, beside, covered = row("1m2m3m")
    quads = [np.asarray(s.corners, np.float32) for s in (boxed, beside, covered)]
    truth = TrueTile("9p", quads[0], True, False)
    photo = TruePhoto(Path("one.jpg"), (truth,), NO_IGNORE, (("1s", quads[1]), ("?", quads[2])))
    assert [s.tile.code for s in with_true_faces(photo, [boxed, beside, covered])] == ["9p", "1s", "3m"]


def test_an_annotation_may_name_its_hand(tmp_path: Path) -> None:
    named = {"concealed": ["5z", "1m"], "melds": [["9s", "7s", "8s"]], "winning_tile": "5z", "bonus": []}
    (tmp_path / "one.json").write_text(json.dumps({"image": "one.jpg", "tiles": [], "hand": named}))
    [photo] = load(tmp_path)
    assert annotated_hand(photo) == TrueHand("hand", "5z", (("1m", "5z", "5z"), ("7s", "8s", "9s")))
    assert annotated_hand(replace(photo, hand=None)) is None


def test_fewer_tiles_are_right_when_that_is_said() -> None:
    marks = judge(TrueHand("few"), reading(row("123m456p789s")))
    assert marks["right"] and not marks["silent"]
