"""The sources checklists: every rule of the five texts is covered, and every sentence has its line."""

import os
from pathlib import Path

import pytest

from scoring.rules import MODULES
from tests.scoring import coverage_names
from tests.scoring.checklists import CHECKLISTS, Line, checklist, differences, hash_of, open_lines, sentences
from tests.scoring.coverage_names import faults_of

NAMES = sorted(path.stem for path in CHECKLISTS.glob("*.toml"))
TEXTS = os.environ.get("HUPAI_SOURCES")

# A text of our own, in the forms that the sources have.
TEXT = """Rules of a small game

  • The winner takes 3 points (i.e. one from each).  He deals next!
  1. Dealing is e.g. a turn.
----
Draw 0 0
{| class="wiki" ==Fu== # Twenty are given. # Ten more. |- |run || 0 |}
"""
SENTENCES = [
    "Rules of a small game",
    "• The winner takes 3 points (i.e. one from each).",
    "He deals next!",
    "1. Dealing is e.g. a turn.",
    "Draw 0 0",
    *('class="wiki"', "Fu", "Twenty are given.", "Ten more.", "|run", "0"),
]


def complete(text):
    return [Line(n, hash_of(s), "not a rule", "a heading") for n, s in enumerate(sentences(text), 1)]


# --- the checklists themselves ---


def test_each_system_has_the_checklist_of_its_text():
    """All but Mahjong Competition Rules, of which no text lies with the project."""
    texts = [name for name in MODULES if name not in ("mcr", "taiwanese")]
    assert sorted({"riichi-fu" if name == "riichi" else name for name in texts}) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_of_a_text_is_covered(name):
    lines = checklist(name)
    assert open_lines(lines) == []
    assert [line.n for line in lines] == list(range(1, len(lines) + 1))


def test_what_covers_the_rules_is_there():
    named = {covered for name in NAMES for line in checklist(name) for covered in line.covered}
    assert faults_of(sorted(named)) == []


@pytest.mark.skipif(not TEXTS, reason="HUPAI_SOURCES does not name the folder with the texts of the rules")
@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_of_a_text_has_its_line(name):
    text = (Path(TEXTS) / f"{name}.txt").read_text(encoding="utf-8")
    assert differences(text, checklist(name)) == []


@pytest.mark.skipif(not TEXTS, reason="HUPAI_SOURCES does not name the folder with the texts of the rules")
@pytest.mark.parametrize("name", NAMES)
def test_no_sentence_of_a_text_is_in_its_checklist(name):
    text = (Path(TEXTS) / f"{name}.txt").read_text(encoding="utf-8")
    long = {s.casefold() for s in sentences(text) if len(s.split()) > 6}
    assert [line.n for line in checklist(name) if line.fact.casefold() in long] == []


# --- how a text is cut, and what is wrong with a checklist ---


def test_a_text_is_cut_into_its_sentences():
    assert sentences(TEXT) == SENTENCES


def test_a_sentence_without_a_line_and_a_line_without_a_sentence():
    lines = complete(TEXT)
    assert differences(TEXT, lines) == []
    assert differences(TEXT, lines[1:]) == [f"sentence 1 ({hash_of(SENTENCES[0])}) has no line: {SENTENCES[0]}"]
    changed = TEXT.replace("3 points", "4 points")
    new = "• The winner takes 4 points (i.e. one from each)."
    assert differences(changed, lines) == [
        f"sentence 2 ({hash_of(new)}) has no line: {new}",
        f"line 2 ({lines[1].hash}) is no sentence of the text",
    ]
    assert differences(TEXT, [*lines, lines[4]]) == [f"line 5 ({lines[4].hash}) is there more than once"]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (Line(1, "0", "payment", "the winner takes 3"), "line 1: nothing covers it"),
        (Line(1, "0", "not a rule", "a heading", ("hand:HK-05",)), "line 1: not a rule, yet covered"),
        (Line(1, "0", "at the table", "how walls are built", ("hand:HK-05",)), "line 1: at the table, yet covered"),
        (Line(1, "0", "payment", " ", ("hand:HK-05",)), "line 1: no fact"),
        (Line(1, "0", "story", "how it began", ("hand:HK-05",)), "line 1: 'story' is no kind; there are rule of play"),
    ],
)
def test_a_line_that_says_too_little(line, wrong):
    (found,) = open_lines([line])
    assert found.startswith(wrong)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("hand:HK-99", "there is no such worked hand"),
        ("option:whist.table", "there is no such system"),
        ("option:hongkong.tabel", "hongkong has no such option"),
        ("option:course.table", "course has no such option"),
        ("option:hongkong.table=modern", "must be traditional, simplified"),
        ("tests/scoring/test_sources.py::test_nothing", "pytest collects no such test"),
        ("tests/scoring/test_missing.py::test_nothing", "pytest collects no such test"),
        ("tests/scoring/test_sources.py::complete", "pytest collects no such test"),
        ("a word", "pytest collects no such test"),
    ],
)
def test_a_name_that_covers_nothing(name, wrong):
    (fault,) = faults_of([name])
    assert wrong in fault


def test_an_option_that_nothing_reads(monkeypatch):
    monkeypatch.setattr(coverage_names, "read_in", lambda room: frozenset({"table"}))
    assert faults_of(["option:hongkong.table=canton", "option:hongkong.unit"]) == [
        "option:hongkong.unit: nothing reads it"
    ]


def test_names_that_are_there():
    names = [
        "hand:HK-05",
        "option:hongkong.table",
        "option:hongkong.table=canton",
        "option:hongkong.max_faan=8",
        "option:hongkong.seven_pairs=false",
        "option:course.out_of_points=owes",
        "tests/scoring/test_sources.py::test_a_text_is_cut_into_its_sentences",
        "tests/scoring/test_sources.py::test_a_name_that_covers_nothing[a word-pytest collects no such test]",
    ]
    assert faults_of(names) == []
