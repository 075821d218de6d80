"""Photo in, score out, as a user runs it; and every kind of picture that cannot be read."""

import json
import re
import sys
from dataclasses import replace

import pytest
from PIL import Image

from tests.hupai.at_terminal import at_terminal
from tests.hupai.in_process import answer, hupai
from tests.hupai.three_photo import hand_of_three
from tests.repository import ROOT
from vision import metadata

pytestmark = pytest.mark.slow

PHOTO = ROOT / "examples" / "hand-self-draw.jpg"
TRUTH = json.loads(PHOTO.with_suffix(".json").read_text())["hand"]
WON = ["--seat", "S", "--round", "E", "--win", "self_draw"]


@pytest.fixture
def bad(tmp_path):
    path = tmp_path / "text.jpg"
    path.write_text("not a picture")
    return path


def test_the_shipped_photo_is_scored_and_marked(tmp_path):
    marked = tmp_path / "marked.png"
    status, out, err = hupai("score", PHOTO, "--rules", "hongkong", *WON, "--annotate", marked)
    assert status == 0, err
    assert "Mixed One Suit 混一色" in out and "Flower of own Wind" in out
    assert "South +256" in out and "East -128" in out
    assert str(marked) in err
    with Image.open(marked) as picture:
        assert picture.width >= 1600
        made = r"hupai \S+ detector-[0-9a-f]{12} classifier-[0-9a-f]{12} scene-[0-9a-f]{12} bonus-[0-9a-f]{12}"
        assert re.fullmatch(made, picture.getexif()[0x0131])


def test_score_json_holds_the_reading():
    response = answer("score", PHOTO, "--rules", "hongkong", *WON, "--option", "unit=2")
    assert response["version"] and response["options"] == {"unit": 2}, "what is kept says what it was made with"
    assert response["total"]["value"] == 7
    found = response["read"]["hand"]
    assert (sorted(found["concealed"]), found["winning_tile"], found["bonus"]) == (
        sorted(TRUTH["concealed"]),
        TRUTH["winning_tile"],
        TRUTH["bonus"],
    )


def test_what_was_set_aside_is_shown_and_kept(monkeypatch, tmp_path):
    """A classifier that takes nothing for a tile: what is named like one is asked about, and read with the flag."""
    plain = json.loads(hupai("read", PHOTO, "--json")[1])
    made = metadata._scene
    monkeypatch.setattr(metadata, "_scene", lambda *given: replace(made(*given), least=2.0))
    asked = hupai("read", PHOTO, "--annotate", tmp_path / "marked.png")[1]
    assert "0 tiles" in asked and "are they tiles? (--keep-aside)" in " ".join(asked.split())
    status, _, err = hupai("score", PHOTO, *WON)
    assert status == 3 and "(--keep-aside)" in err
    status, out, err = hupai("read", PHOTO, "--keep-aside", "--json", "--explain", "--annotate", tmp_path / "kept.png")
    assert status == 0, err
    kept = json.loads(out)
    printed = sorted(t["tile"] for t in plain["tiles"] if t["tile"] not in ("back", "5z"))
    assert sorted(t["tile"] for t in kept["tiles"]) == printed and not kept["aside"]
    assert sorted(kept["hand"]["concealed"]) == sorted(plain["hand"]["concealed"])
    status, out, err = hupai("score", PHOTO, *WON, "--keep-aside", "--json")
    assert json.loads(out)["read"]["tiles"] == kept["tiles"], err


def test_norths_set_aside_by_three_players_are_told_and_moved(tmp_path):
    photo = tmp_path / "three.png"
    Image.fromarray(hand_of_three()).save(photo)
    given = [photo, "--preset", "tenhou-sanma"]
    read = answer("read", *given)
    assert read["options"]["options"]["players"] == 3 and read["hand"]["bonus"] == ["4z"] * 3
    assert [t["role"] for t in read["tiles"]].count("bonus") == 3
    north = next(i for i, t in enumerate(read["tiles"]) if t["role"] == "bonus")
    ask = ["score", *given, "--seat", "S", "--win", "self_draw", "--json"]
    (kita,) = (line for line in json.loads(hupai(*ask)[1])["elements"] if line["id"] == "kita")
    assert kita["value"] == 3
    (kita,) = (
        line for line in json.loads(hupai(*ask, "--tile", f"{north}=none")[1])["elements"] if line["id"] == "kita"
    )
    assert kita["value"] == 2
    moved = json.loads(hupai(*ask, "--tile", f"{north}=hand")[1])
    assert moved["read"]["hand"]["bonus"] == ["4z"] * 2
    assert hupai("score", photo, "--rules", "riichi", *WON, "--tile", f"{north}=kita")[0] == 2, "four play without kita"


def test_a_hand_that_may_not_win_is_an_answer_with_a_status_of_its_own():
    status, out, err = hupai("score", PHOTO, *WON, "--option", "min_faan=13", "--json")
    assert (status, json.loads(out)["legal"], err) == (1, False, "")


def test_what_is_not_known_is_asked_once():
    status, _, err = hupai("score", PHOTO, "--rules", "hangzhou", *WON[:2], *WON[4:])
    assert status == 2 and err.count("indicator") == 2, "in words, and the flag"
    assert "f2 is left out: these rules play without any. Is it another tile? (--tile " in err


def test_a_group_of_commands_alone_shows_its_help():
    status, out, err = hupai("sets")
    assert (status, err) == (2, "") and "export" in out


def test_read_gives_the_contract():
    reading = answer("read", PHOTO, "--rules", "hongkong")
    assert (reading["width"], reading["height"]) == Image.open(PHOTO).size
    assert {t["role"] for t in reading["tiles"]} >= {"concealed", "winning", "bonus"}
    assert all(len(t["corners"]) == 4 and 0 <= t["confidence"] <= 1 for t in reading["tiles"])
    assert reading["version"] and set(reading["models"]) == {"detector", "classifier", "scene", "bonus"}
    assert reading["options"] == {"rules": "hongkong"}
    assert set(reading["timings_ms"]) == {"decode", "find", "classify", "read", "total"}


def test_one_bad_picture_exits_3_with_one_sentence_and_others_go_on(bad):
    status, out, err = hupai("read", bad, "--json")
    assert status == 3
    assert json.loads(out)["error"]["code"] == "image_unreadable"
    assert json.loads(out)["version"], "errors are kept, too, in a file of lines"
    assert len(err.strip().splitlines()) == 1 and "not a picture" in err
    status, out, err = hupai("score", bad, PHOTO, *WON, "--json")
    assert (status, ["error" in json.loads(line) for line in out.splitlines()]) == (1, [True, False])
    assert str(bad) in err


def test_tiles_that_form_no_hand(tmp_path):
    """A piece of the photo with three tiles: seen, but no hand."""
    with Image.open(PHOTO) as photo:
        corners = json.loads(PHOTO.with_suffix(".json").read_text())["tiles"]
        xs = [x for t in corners[:3] for x, _ in t["corners"]]
        ys = [y for t in corners[:3] for _, y in t["corners"]]
        photo.crop((int(min(xs)) - 90, int(min(ys)) - 90, int(max(xs)) + 90, int(max(ys)) + 90)).save(
            tmp_path / "3.png"
        )
    status, _, err = hupai("score", tmp_path / "3.png", *WON)
    assert status == hupai("score", "--hand", "122p", *WON)[0] == 2, "the same as for typed tiles"
    assert "is not whole" in err
    assert "?" in err


def test_a_slip_in_the_flags_is_told_before_reading():
    status, out, err = hupai("score", PHOTO, "--rules", "hongkong", "--win", "stolen")
    assert status == 2
    assert out == ""
    assert "  - Who won? Give --seat E, S, W or N." in err.splitlines()
    assert "  - --win is one of self_draw, discard, robbed_kong; not 'stolen'." in err.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")
def test_in_a_terminal_progress_and_answers_do_not_run_into_each_other(bad):
    """Both go to the same screen there."""
    status, shown = at_terminal([sys.executable, "-m", "hupai.cli", "read", *map(str, (PHOTO, bad, PHOTO))])
    assert status == 1
    pieces = re.split(r"[\r\n]", re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", shown))
    told = [p for p in pieces if "won with" in p or "not a picture" in p]
    assert len(told) == 3, pieces
    assert any(p.endswith("reading hand-self-draw.jpg (3 of 3)") for p in pieces), pieces
    assert not [p for p in told if "reading" in p]


@pytest.mark.parametrize(
    ("pictures", "to", "says"), [([PHOTO], "no/a.png", "no folder"), ([PHOTO] * 2, "a.png", "a folder")]
)
def test_annotate_needs_a_place(pictures, to, says, tmp_path):
    status, _, err = hupai("read", *pictures, "--annotate", tmp_path / to)
    assert status == 2 and says in err


def test_explain_shows_the_stages_in_words_json_and_picture(tmp_path):
    photos = PHOTO, PHOTO.with_name("hand-riichi.jpg")
    status, out, err = hupai("read", *photos, "--explain", "--annotate", tmp_path)
    assert status == 0, err
    lines, answers = out.splitlines(), hupai("read", *photos, "--explain", "--json")[1].splitlines()
    assert max(map(len, lines)) <= 80
    assert len([line for line in lines if line.startswith("> ")]) == 2, "of each, one hand is taken"
    for told in map(json.loads, answers):
        stages = told["explanation"]
        passes, found = stages["passes"], stages["detections"]
        assert f"Search: {len(passes)} passes, {len(found)} detections" in out
        assert f"Hand: {len(stages['interpretations'])} interpretations, 5 shown" in out
        for one in found:
            row = [str(one["tile"]), str(one["found_in"]), one["classifier"][0][0]]
            assert any(cells[:5:2] == row for cells in map(str.split, lines)), row
    assert "explanation" not in json.loads(hupai("read", photos[1], "--json", "--annotate", tmp_path / "plain.png")[1])
    with Image.open(tmp_path / "hand-riichi.jpg.marked.png") as marked, Image.open(tmp_path / "plain.png") as plain:
        assert marked.width == plain.width and marked.height > plain.height, "more is said below"
        scale = plain.width / told["width"]
        x0, y0, x1, _ = next(one["window"] for one in passes if one["window"][1] > 0)
        edge = round((x0 + x1) / 2 * scale), round(y0 * scale)
        assert marked.getpixel(edge) == (213, 94, 0) != plain.getpixel(edge), "where a pass looked closer"


def test_check_finds_everything_whole():
    found = answer("check")
    assert found["ok"] and {"models", "reading", "scoring"} <= {f["name"] for f in found["findings"]}
