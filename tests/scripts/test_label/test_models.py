"""Figures of models' labels, worked out by hand, and the command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from hupai.label.classes import ALL, PRESETS
from hupai.label.formats import BY_NAME, LabelError, Target, read_labels
from hupai.label.records import Box, Record
from scoring.errors import InvalidRequest
from scoring.tiles import tile
from scripts.accuracy.label.models import interval, main, measure


def at(code: str, x: float, confidence: float | None = None, size: float = 40) -> Box:
    """A tile of 40 x 50 pixels, its left edge at x; the middle stays where the size is another."""
    left, top, bottom = x + 20 - size / 2, 45 - size * 5 / 8, 45 + size * 5 / 8
    return Box(tile(code), ((left, top), (left + size, top), (left + size, bottom), (left, bottom)), confidence)


def photo(name: str, *boxes: Box) -> Record:
    return Record(name, 1000, 100, boxes)


TRUTH = [photo("a.jpg", at("1m", 0), at("1m", 100), at("2m", 200)), photo("b.jpg", at("1m", 0))]


def test_labels_that_are_the_truth_are_perfect() -> None:
    surely = [replace(r, boxes=tuple(replace(b, confidence=1.0) for b in r.boxes)) for r in TRUTH]
    told = measure(TRUTH, surely, ALL)
    assert (told["map_50"], told["map_centres"], told["photos_exact"], told["calibration_error"]) == (1.0, 1.0, 2, 0.0)
    assert measure(TRUTH, TRUTH, ALL)["calibration_error"] is None, "people tell no confidence"


def test_the_area_is_that_under_the_envelope() -> None:
    """1m: of three the finds are right (0.9), wrong (0.8), right (0.7); 2m is not found: (1/3 + 1/3 x 2/3 + 0) / 2."""
    mine = [photo("a.jpg", at("1m", 0, 0.9), at("1m", 500, 0.8), at("1m", 100, 0.7)), photo("b.jpg")]
    told = measure(TRUTH, mine, ALL)
    assert told["map_50"] == round((1 / 3 + 2 / 9) / 2, 4)
    assert told["photos_exact"] == 0 and told["finds"] == 3 and told["tiles"] == 4


def test_a_second_find_of_a_tile_is_wrong_and_so_is_another_name() -> None:
    one = [photo("a.jpg", at("1m", 0))]
    assert measure(one, [photo("a.jpg", at("1m", 0, 0.9), at("1m", 2, 0.8))], ALL)["photos_exact"] == 0
    below_the_least = [photo("a.jpg", at("1m", 0, 0.9), at("1m", 2, 0.4))]
    assert measure(one, below_the_least, ALL)["photos_exact"] == 1
    assert measure(one, [photo("a.jpg", at("9m", 0, 0.9))], ALL)["map_50"] == 0
    surest_first = [photo("a.jpg", at("1m", 15, 0.9), at("1m", 0, 0.8))]  # the surer one overlaps too little
    assert measure(one, surest_first, ALL)["map_50"] == 1 / 2


def test_finds_of_the_same_confidence_come_in_no_order() -> None:
    one = [photo("a.jpg", at("1m", 0))]
    for boxes in ((at("1m", 0, 0.5), at("1m", 500, 0.5)), (at("1m", 500, 0.5), at("1m", 0, 0.5))):
        assert measure(one, [photo("a.jpg", *boxes)], ALL)["map_50"] == 1 / 2


def test_by_centres_small_boxes_count_too() -> None:
    told = measure(TRUTH[1:], [photo("b.jpg", at("1m", 0, 0.9, size=20))], ALL)
    assert (told["map_50"], told["map_centres"]) == (0.0, 1.0)


def test_calibration_is_the_gap_of_confidence_and_truth() -> None:
    """Four finds at 0.75 of which two are right: 0.25 apart; one at 1.0 that is right: none. Together 4/5 x 0.25."""
    one = [photo("a.jpg", *(at("1m", 100 * k) for k in range(3)))]
    finds = [at("1m", 0, 0.75), at("1m", 100, 0.75), at("2m", 200, 0.75), at("1m", 700, 0.75)]
    assert measure(one, [photo("a.jpg", *finds)], ALL)["calibration_error"] == pytest.approx(0.25)
    one = [photo("a.jpg", *one[0].boxes, at("5p", 400))]
    assert measure(one, [photo("a.jpg", *finds, at("5p", 400, 1.0))], ALL)["calibration_error"] == pytest.approx(0.2)


def test_photos_without_labels_count_and_strange_ones_do_not() -> None:
    told = measure(TRUTH, [photo("elsewhere/0123abcd-b.jpg", at("1m", 0, 0.9)), photo("c.jpg", at("1m", 0, 0.9))], ALL)
    assert (told["pictures_missing"], told["finds"], told["photos_exact"]) == (1, 1, 1)
    assert told["map_50"] == round((1 / 3) / 2, 4)
    with pytest.raises(InvalidRequest, match="no picture in common"):
        measure(TRUTH, [photo("z.jpg")], ALL)


def test_the_interval_is_wilson_s() -> None:
    assert interval(29, 40) == pytest.approx([0.5717, 0.8389], abs=2e-4)
    assert interval(0, 0) == [0.0, 1.0] and interval(10, 10)[1] == 1.0


def row_of(codes: list[str], name: str = "h.jpg", hand: dict | None = None) -> Record:
    """Tiles side by side in one row, with or without a hand."""
    boxes = tuple(at(code, 50.0 * k, None if hand else 0.9) for k, code in enumerate(codes))
    told = None if hand is None else {"hand": hand, "doubts": [], "repairs": []}
    return Record(name, 1000, 200, boxes, hand=told)


HAND = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "1z", "1z", "5z", "5z"]


def test_a_hand_comes_out_where_tiles_melds_and_bonus_are_the_same() -> None:
    truth = [row_of(HAND, hand={"concealed": "123m456p789s111z55z", "melds": [], "winning_tile": None, "bonus": []})]
    told = measure(truth, [row_of(HAND)], ALL)  # a detector's finds: the hand is made out here
    assert (told["hands"], told["hands_exact"]) == (1, 1)
    assert measure(truth, [row_of([*HAND[:-1], "6z"])], ALL)["hands_exact"] == 0
    assert measure(truth, [row_of(HAND[:-1])], ALL)["hands_exact"] == 0
    faint = replace(row_of(HAND), boxes=tuple(replace(b, confidence=0.4) for b in row_of(HAND).boxes))
    assert measure(truth, [faint], ALL)["hands_exact"] == 0, "below the least"
    assert measure(truth, [replace(row_of(HAND), image="x/h.jpg")], ALL)["hands_exact"] == 1
    assert measure(TRUTH, TRUTH, ALL)["hands"] == 0


def test_hands_that_labels_tell_are_compared_part_by_part() -> None:
    right = {
        "concealed": ["1m", "2m", "3m", "0p", "5z", "5z", "7s", "8s", "9s", "5p"], "winning_tile": "5p", "bonus": "f1",
        "melds": [{"type": "kong_open", "tiles": ["1z", "1z", "1z", "1z"]}],
    }  # fmt: skip

    def comes_out(classes=ALL, **other):
        mine = row_of(HAND, hand={**right, **other})
        return measure([row_of(HAND, hand=right)], [mine], classes)["hands_exact"]

    assert comes_out()
    assert comes_out(concealed="123m0p5p789s55z", melds=[{"type": "kong_concealed", "tiles": ["1z"] * 4}])
    assert not comes_out(concealed="123m5p5p789s55z")
    assert comes_out(PRESETS["34"], concealed="123m5p5p789s55z"), "red fives are fives there"
    assert not comes_out(winning_tile="0p", concealed="123m5p5p789s55z"), "another tile won"
    assert not comes_out(bonus=[]) and not comes_out(melds=[])
    with pytest.raises(LabelError, match=r"The hand of h\.jpg makes no sense"):
        comes_out(concealed=["9q"])


def test_the_command_puts_models_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    peer = [replace(r, boxes=tuple(replace(b, confidence=0.9) for b in r.boxes[:1])) for r in TRUTH]
    for name, records in (("truth", TRUTH), ("peer", peer)):
        (tmp_path / name).mkdir()
        writer = BY_NAME["coco"].write(Target(tmp_path / name))
        for record in records:
            writer.add(record)
        writer.close()
    truth, theirs = tmp_path / "truth" / "coco.json", tmp_path / "peer" / "coco.json"
    main(truth, [f"ours={truth}", f"theirs={theirs}"])
    figures = json.loads(capsys.readouterr().out)
    assert figures["ours"]["map_50"] == 1 and figures["ours"]["photos_exact"] == 2
    assert figures["theirs"]["map_50"] == round((2 / 3) / 2, 4) and figures["theirs"]["photos_exact"] == 1
    assert figures["theirs"]["calibration_error"] == 0.1
    for given in ([str(theirs)], [f"same={truth}", f"same={theirs}"]):
        with pytest.raises(typer.BadParameter, match="NAME=LABELS, each name once"):
            main(truth, given)


def test_finds_where_the_truth_says_nothing_count_neither_way(tmp_path: Path) -> None:
    truth = [replace(TRUTH[0], ignored=((290, 0, 400, 100), (180, 0, 260, 100)))]
    mine = [photo("a.jpg", *(at(code, x, 0.9) for code, x in (("1m", 0), ("1m", 100), ("2m", 200), ("9p", 320))))]
    assert (measure(truth, mine, ALL)["photos_exact"], measure(truth, mine, ALL)["finds"]) == (1, 3)
    assert measure([TRUTH[0]], mine, ALL)["photos_exact"] == 0
    wrong = [photo("a.jpg", at("1m", 0), at("1m", 100), at("3m", 200))]
    assert measure(truth, wrong, ALL)["photos_exact"] == 0, "a tile that is told counts, wherever it lies"
    for name in ("coco", "annotations"):
        folder = tmp_path / name
        folder.mkdir()
        writer = BY_NAME[name].write(Target(folder))
        writer.add(truth[0])
        writer.close()
        (read,) = read_labels(next(folder.iterdir()))
        assert read.ignored == truth[0].ignored and len(read.boxes) == 3


def test_classes_say_what_counts_as_the_same() -> None:
    one, red = [photo("a.jpg", at("5m", 0), at("f1", 200))], [photo("a.jpg", at("0m", 0, 0.9))]
    assert measure(one, red, ALL)["map_50"] == 0
    told = measure(one, red, PRESETS["34"])
    assert (told["map_50"], told["photos_exact"], told["tiles"]) == (1.0, 1, 1), "flowers are in no class of these"
