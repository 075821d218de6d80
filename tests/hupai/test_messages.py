"""Messages in every language: none missing, none unused, each worded whole."""

from __future__ import annotations

import ast
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from hatch_build import compile_catalogues
from hupai import messages, wing
from hupai.messages import LANGUAGES, TERMINAL, Wording
from hupai.web.answers.wording import language_of, word_answer
from scoring.errors import format_count
from scoring.hand import MeldType
from scoring.rules import system_named, systems
from scoring.seats import Seat
from scoring.words.sentence import Joined, Sentence, say
from tests.hupai.serving import ROOT
from tests.hupai.wording import put_together, whole
from tests.scoring.sentences import sentences

TRANSLATED = [*LANGUAGES][1:]
MAKER = "scoring.words.sentence"
SPEAKING = (
    *("scoring", "hupai/imports", "hupai/games", "hupai/store", "hupai/web/requests"),
    *(f"hupai/hall/{room}" for room in ("events", "live", "routes", "seating", "store")),
)
"""Where it is said what a page shows."""
LOCALE = ROOT / "hupai" / "locale"
WINGS = [folder for name in wing._WINGS if (folder := ROOT / name.replace(".", "/")).is_dir()]


def files(language: str) -> list[Path]:
    """A language's catalogues: the core's, and those of wings."""
    return [path for folder in messages._LOCALES if (path := folder / f"{language}.po").exists()]


@cache
def catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def entries(language: str, *paths: Path) -> dict[str, str]:
    """Message, in the singular or plural -> its translation; in all catalogues if none are named."""
    found: dict[str, str] = {}
    for message in (message for path in paths or files(language) for message in catalogue(path)):
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        found |= {id_: strings[min(i, len(strings) - 1)] for i, id_ in enumerate(ids) if id_}
    return found


@cache
def said() -> list[str]:
    """What the systems say, a sentence of each kind."""
    found = sorted(sentences())
    assert len(found) > 500
    return found


def parts(text: object) -> Iterator[str]:
    """The message, or the templates of a sentence and of those in it."""
    if isinstance(text, Joined):
        yield text.by
        for part in text.parts:
            yield from parts(part)
    elif isinstance(text, Sentence):
        yield from filter(None, (text.template, text.plural))
        for value in text.values.values():
            yield from parts(value)
    elif isinstance(text, str):
        yield text


@cache
def code() -> dict[Path, ast.Module]:
    found = (p for room in ("scoring", "hupai") for p in (ROOT / room).rglob("*.py") if p.name != "sentence.py")
    return {p: ast.parse(p.read_text(encoding="utf-8")) for p in found}


def code_beside(locale: Path) -> list[ast.Module]:
    """The code of the wing whose folder of catalogues this is, or else of the core."""
    wings = [locale.parent] if locale.parent in WINGS else WINGS
    inside = {path: any(path.is_relative_to(folder) for folder in wings) for path in code()}
    return [tree for path, tree in code().items() if inside[path] is (locale.parent in WINGS)]


def constants(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif not isinstance(node, ast.BinOp | ast.JoinedStr):  # parts of texts are none
            yield from constants(node)


@cache
def templates() -> set[str]:
    """Every template of a sentence: those that stand where sentences are made, and those of what was said."""
    makers = (
        t for t in code().values() if any(isinstance(n, ast.ImportFrom) and n.module == MAKER for n in ast.walk(t))
    )
    standing = {text for tree in makers for text in constants(tree) if re.search(r"\{[a-z]+\}", text)}
    return standing | {part for text in said() if isinstance(text, Sentence) for part in parts(text) if "{" in part}


def test_every_sentence_has_a_template() -> None:
    """A sentence that is formatted where it stands cannot be said in another language."""
    assert [sentence for room in SPEAKING for sentence in put_together(room)] == []


def test_every_message_is_translated() -> None:
    needed = templates() | {sentence for room in SPEAKING for sentence in whole(room)}
    needed = {message for message in needed if re.search("[a-z]", re.sub(r"\{\w+\}", "", message))}
    missing = {code: sorted(needed - entries(code).keys()) for code in TRANSLATED if code != "zh-TW"}
    assert not any(missing.values()), missing


@pytest.mark.parametrize("language", [*LANGUAGES, TERMINAL])
def test_a_translation_names_values_that_are_there(language: str) -> None:
    for message, words in entries(language).items():
        assert set(re.findall(r"\{(\w+)", words)) <= set(re.findall(r"\{(\w+)", message)), (message, words)


@pytest.mark.parametrize("language", [*LANGUAGES, TERMINAL])
def test_no_message_is_translated_twice(language: str) -> None:
    """The last translation would hold, without a word."""
    texts = [path.read_text(encoding="utf-8") for path in files(language)]
    ids = [id_ for text in texts for id_ in re.findall(r'^msgid ((?:".*"\n)+)', text, re.MULTILINE)]
    found = Counter(filter(None, ("".join(re.findall('"(.*)"', id_)) for id_ in ids)))
    assert found.total() > 1
    assert [id_ for id_, count in found.items() if count > 1] == []


@pytest.mark.parametrize("language", [*LANGUAGES, TERMINAL])
def test_no_translation_is_unused(language: str) -> None:
    """Every message stands in the code that its catalogue is for, or was said."""
    sums = (format_count(2, system.unit) for system in systems().values())
    spoken = {part for text in (*said(), *sums) for part in parts(text)}
    for path in files(language):
        alive = {text for tree in code_beside(path.parent) for text in constants(tree)} | spoken
        assert [message for message in entries(language, path) if message not in alive] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_is_worded_whole(language: str) -> None:
    worded = [(text, Wording(language, "riichi").word(text)) for text in said()]
    assert [(a, b) for a, b in worded if re.search(r"\b[ESWN]\b", b)] == [], "a seat is called by its name"
    if language != "en":
        assert [(a, b) for a, b in worded if re.search("[a-z]{3,}", b)] == []


def test_a_value_is_worded_by_what_it_is() -> None:
    chow = say("{t}: {s} chows from {v} only.", t="123m", s=Seat.E, v=Seat.S)
    assert Wording("en", players={"E": "Mei"}).word(chow) == "123m: Mei chows from South only."
    kind = say("A {kind} has {n} tiles; none is given.", kind=MeldType.CHOW, n=3)
    assert Wording("en").word(kind) == "Chow has 3 tiles; none is given."
    assert Wording("en", "riichi").word(kind) == "Chi has 3 tiles; none is given."
    dora = next(e for e in system_named("riichi").elements if e.id == "dora")
    assert "宝牌" in Wording("zh-Hans", "riichi").word(say("contained in {a}", a=dora))
    named = say("There is no game {a}.", a="false win")
    assert "false win" in Wording("ja").word(named), "what a person typed is not translated"
    missing = say("There is no preset called {a}.", a=repr("甲"))
    worded = [Wording(language).word(missing) for language in ("en", "zh-HK", "zh-Hans")]
    assert worded == ["There is no preset called '甲'.", "沒有名為「甲」的玩法。", "没有名为“甲”的玩法。"]
    listed = say("there are {names}", names="'A', \"O'Brien & D'Arcy\", 'B'")
    assert Wording("ja").word(listed) == "there are 「A」, \"O'Brien & D'Arcy\", 「B」"


def test_messages_in_a_list_are_worded_and_names_are_not() -> None:
    text = "By the house rules no hand is drawn early."
    words = entries("ja")[text]
    answer = {"explanation": [text], "players": [text]}
    assert Wording("ja").word_answer(answer) == {"explanation": [words], "players": [text]}


def test_taiwan_says_what_hong_kong_says_where_it_has_no_words_of_its_own() -> None:
    text = "By the house rules no hand is drawn early."
    assert text not in entries("zh-TW")
    assert Wording("zh-TW").word(text) == Wording("zh-HK").word(text) != text


def test_a_checkout_says_that_its_catalogues_have_to_be_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    locale = tmp_path / "hupai" / "locale"
    locale.mkdir(parents=True)
    source = Path(shutil.copy2(LOCALE / "ja.po", locale))
    monkeypatch.setattr(messages, "_LOCALES", (locale,))
    text = "By the house rules no hand is drawn early."

    def word() -> tuple[str, bool]:
        caplog.clear()
        messages._catalogue.cache_clear()
        return Wording("ja").word(text), "hatch_build.py" in caplog.text

    try:
        assert word() == (text, True), "in English"
        compile_catalogues(tmp_path)
        worded, warned = word()
        assert worded != text and not warned
        made = source.with_suffix(".mo").stat().st_mtime
        os.utime(source, (made + 1, made + 1))
        assert word() == (worded, True)
    finally:
        messages._catalogue.cache_clear()


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", None),
        ("fr-FR", None),
        ("fr, en-GB;q=0.5", "en"),
        ("en;q=0.2, ja-JP;q=0.9", "ja"),
        ("ja;q=0, en", "en"),
        ("zh-Hant", "zh-TW"),
        ("zh-Hant-HK", "zh-HK"),
        ("yue", "zh-HK"),
        ("zh-CN", "zh-Hans"),
        ("zh-SG", "zh-Hans"),
        ("zh-Hans-HK", "zh-Hans"),
        ("x" * 5000 + ",;;q=,", None),
    ],
)
def test_the_language_of_a_request(header: str, language: str | None) -> None:
    assert language_of({"accept-language": header}) == language


@pytest.mark.parametrize("more", ["", "&S=", "&" * 50, "&x=1" * 50, "&%ff=%00", "&;=&=;"])
def test_a_table_in_a_header_is_read_as_far_as_it_can_be(more: str) -> None:
    headers = {"accept-language": "en", "x-hupai-table": f"rules=riichi&E=Mei+Lin{more}"}
    assert word_answer({"message": say("{s} wins.", s=Seat.E)}, headers) == {"message": "Mei Lin wins."}
