"""Printed sheets: everything the rules say stands on them, in four languages, with pictures, within the page."""

import json
import re

import numpy as np
import pytest
from PIL import ImageFont

from hupai.printed import hands, letters, pages
from hupai.printed.amounts import amounts_of
from hupai.printed.catalogue import SHEET_LANGUAGES, Catalogue
from hupai.printed.sheet import Sheet, lines_of, write_sheet
from scoring.errors import HupaiError
from scoring.rules import preset_named, systems
from scoring.tiles import TILES
from tests.hupai.serving import ROOT
from tests.scoring.kitchen import placed

I18N = ROOT / "hupai" / "web" / "static" / "i18n"


def sheet_words(language):
    return json.loads((I18N / f"sheet.{language}.json").read_text(encoding="utf-8"))


def lines(preset, language="en"):
    return list(lines_of(Sheet(*preset_named(preset), Catalogue(language))))


def texts(found):
    return [cell.text for line in found for cell in line.cells]


def values(found):
    """Element -> the value beside it."""
    return {line.cells[0].text: line.cells[2].text for line in found if line.picture is not None}


def a_font(language):
    try:
        return letters.Letters(language, "龍竜龙")
    except HupaiError:
        return None


FONT = a_font("ja")
needs_font = pytest.mark.skipif(FONT is None, reason="no font with Chinese letters on this machine")


@pytest.mark.parametrize("system", systems().values(), ids=lambda system: system.id)
def test_everything_is_on_the_sheet_and_in_its_language(system):
    for preset in (None, *system.presets):
        check_sheet(system, preset, "en")
    for language in SHEET_LANGUAGES:
        check_sheet(system, None, language)


def check_sheet(system, preset, language):
    catalogue = Catalogue(language)
    found = list(lines_of(Sheet(system, preset, catalogue)))
    told = texts(found)
    for element in system.elements:
        assert {catalogue.element(system, element), catalogue.phrase(element.condition)} <= {*told}, element.id
    for option in system.options:
        assert {*catalogue.option(system, option)} <= {*told}, option.name
    drawn = sum(line.picture is not None for line in found)
    assert drawn == sum(hands.example(system.id, e.id) is not None for e in system.elements) >= len(system.elements) - 1
    assert not [text for text in told if re.search(r"\{\w+\}|^(pays|sheet|presets|option|element)\.", text)]
    if language != "en":
        own = [text for text in told if text not in (preset.source if preset else "", "EMA 2016")]
        english = [text for text in own if re.search(r"[a-z]{4,}", text) and not re.search(r"[\u3040-\u9fff]", text)]
        assert not english


@pytest.mark.parametrize("language", SHEET_LANGUAGES)
def test_words_of_sheets_are_there_and_used(language):
    assert sheet_words(language).keys() == sheet_words("en").keys()
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "hupai" / "printed").glob("*.py"))
    for key, words in sheet_words(language).items():
        assert set(re.findall(r"\{\w\}", words)) == set(re.findall(r"\{\w\}", sheet_words("en")[key])), key
        last = key.rsplit(".", 1)[1]
        assert f'"{key}"' in code or f'"{last}"' in code or last in systems(), key


def test_a_preset_prints_its_own_values():
    assert values(lines("mcr-2006"))["Two Concealed Kongs"] == "8"
    assert values(lines("mcr-china"))["Two Concealed Kongs"] == "6"
    assert values(lines("zung-jung-3.3"))["Pure One-Suit"] == "80"
    assert values(lines("ema"))["Kokushi musou, thirteen-sided"] == "yakuman"
    assert values(lines("mahjongsoul"))["Kokushi musou, thirteen-sided"] == "double yakuman"


def test_a_preset_prints_its_own_money_and_penalty():
    told = texts(lines("half-spicy"))
    assert {"0-2", "no win", "48 / 48 / 24", "13+"} <= {*told}
    assert (
        "A player who wins falsely pays the dealer 1536 and each other player 768; the dealer pays each 1536." in told
    )
    assert "Who wins falsely pays each of the others 10." in texts(lines("mcr-2006"))
    assert any("No amount is fixed" in text for text in texts(lines("taiwan-2023")))
    assert any("what that player would have paid" in text for text in texts(lines("hz-40")))


def test_another_system_is_printed_without_a_word_about_it(tmp_path):
    with placed(tmp_path) as kitchen:
        for language in SHEET_LANGUAGES:
            told = texts(lines_of(Sheet(kitchen, None, Catalogue(language))))
            assert {"Dragon" if language == "en" else "三元牌", "9", "stake"} <= {*told}
        paid = amounts_of(kitchen, {"least": 2})
        assert [row for row in paid.rows if row[0] == "3"] == [("3", (("9",), ("3",)))]
        assert paid.rows[0][0] == "2"


def test_what_is_paid_at_once_in_singapore():
    told = lines("sg-0.3")
    [cat] = [line for line in told if line.cells[0].text == "Cat and rat"]
    assert [cell.text for cell in cat.cells] == ["Cat and rat", "2", "3"]
    assert "Instant payment" not in texts(lines("half-spicy"))


def test_what_the_house_counts_is_asked_of_an_example():
    request = hands.example("mcr", "two_concealed_kongs")
    assert hands.counts_in("two_concealed_kongs", request, {"two_concealed_kongs": 8}) == "8"
    assert hands.counts_in("two_concealed_kongs", request, {"base": 5}) is None


def test_every_tile_has_a_picture_of_its_own():
    seen = {}
    for tile in TILES:
        drawn = np.asarray(hands.picture(((tile,),), hands.TILE))
        assert drawn.shape == (60, 45) and drawn.min() < 200, tile
        seen.setdefault(drawn.tobytes(), tile.code)
    assert len(seen) == len(TILES)


def test_a_hand_shrinks_to_the_room_there_is():
    groups = hands.groups_of(hands.example("hongkong", "all_kongs"))
    assert sum(map(len, groups)) == 18
    wide, high = hands.picture(groups, (400, 48)).size
    assert wide <= 400 and high < 48


def test_texts_break_between_words_and_chinese_letters_and_before_no_stop():
    font = ImageFont.load_default(20)
    rows = pages.wrapped("won on the dealer's first discard", font, 150)
    assert " ".join(rows) == "won on the dealer's first discard" and len(rows) > 1
    assert all(font.getlength(row) <= 150 for row in rows)
    assert pages.wrapped("", font, 150) == [""]
    assert pages.wrapped("extraordinarily", font, 20) == ["extraordinarily"]
    chinese = pages.wrapped("四張相同，可作兩對。", font, int(font.getlength("四張相同")) + 1)
    assert "".join(chinese) == "四張相同，可作兩對。" and not any(row[0] in "，。" for row in chinese)


def test_lines_that_belong_together_stand_on_one_page():
    text = letters.Letters("en", "x")
    filler = [pages.PageLine((pages.Cell("x", 0, 100),))] * 50
    table = [pages.PageLine((pages.Cell("x", 0, 100),), with_next=i < 9) for i in range(10)]
    first, second = pages.laid_out([*filler, *table], text)
    rows = [(np.asarray(page) < 128).any(axis=1) for page in (first, second)]
    counted = [int((np.diff(row.astype(int)) == 1).sum()) for row in rows]
    assert counted == [50, 10]


@pytest.mark.parametrize(
    "language", [pytest.param(code, marks=() if code == "en" else needs_font) for code in SHEET_LANGUAGES]
)
def test_nothing_is_drawn_in_the_margin(tmp_path, language, monkeypatch):
    drawn = []
    monkeypatch.setattr("hupai.printed.sheet.laid_out", lambda *a: drawn.extend(pages.laid_out(*a)) or drawn)
    assert write_sheet(systems()["taiwanese"], None, tmp_path / "t.pdf", language=language) == len(drawn) > 2
    for page in drawn:
        dark = np.asarray(page) < 250
        inside = dark[pages.EDGE : pages.HIGH - pages.EDGE + 1, pages.EDGE : pages.WIDE - pages.EDGE + 1]
        assert inside.any() and dark.sum() == inside.sum()


@needs_font
def test_english_borrows_letters_only_where_its_own_lack_them():
    own = letters.Letters("en", "Rules 台數")
    assert own.of("Rules", 20) is not own.of("台數", 20)
    assert letters.Letters("ja", "Rules 台数").of("Rules", 20) is letters.Letters("ja", "Rules 台数").of("台数", 20)


def test_a_font_without_the_letters_is_refused(tmp_path, monkeypatch):
    latin = tmp_path / "latin.ttf"
    source = ImageFont.load_default(10).font_bytes
    latin.write_bytes(source)
    with pytest.raises(HupaiError, match=r"has no .*台"):
        letters.Letters("zh-Hant", "台", latin)
    monkeypatch.setattr(letters, "_FOLDERS", (str(tmp_path),))
    with pytest.raises(HupaiError, match="name one with --font"):
        letters.Letters("zh-Hant", "台")
    assert letters.Letters("en", "台").of("台", 20) is letters.Letters("en", "a").of("a", 20)
