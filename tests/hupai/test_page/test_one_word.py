"""One thing has one word: page, house rules, board, sheets and the server translate the same English alike."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import pytest

from scoring.fields.asks import asks_of
from scoring.rules import systems
from scoring.system import RuleSystem
from tests.hupai.test_page.test_words import LANGUAGES, STATIC, phrases, table

TWO_THINGS: Final = {
    "add tiles": "a button, what is done on the sheet",
    "base": "points in MCR, money elsewhere",
    "chombo": "a penalty of a tournament, what a table pays",
    "choose": "a photo, one of a list",
    "chow": "claiming it, having it",
    "dealer": "one letter in a corner, a word",
    "flowers and seasons": "tiles, whether they are played with",
    "four kans": "the yakuman, what it is made of",
    "light": "a torch, a theme",
    "look": "at something, how something looks",
    "minimum": "of faan, points, han or tai",
    "name": "of a thing, of a person",
    "no": "an answer, no rounding",
    "no win": "a sentence, a word in a table",
    "nobody": "a person, who pays for the others",
    "now": "of a reading, of a tournament's round",
    "open kong": "a claimed one, any that lies open",
    "pair": "as riichi calls it, as the others do",
    "player": "of a game, of a tournament",
    "pung": "claiming it, having it",
    "red fives": "tiles, how many there are",
    "riichi": "the call, the game",
    "robbed kong": "the win, who answers for it",
    "round wind": "as riichi calls it, as the others do",
    "score": "of a hand, of a player",
    "table": "of values, with four legs",
    "take back": "a tile, a decision",
    "tenhou": "the hand, the site",
    "thirteen orphans": "as riichi calls it, as the others do",
    "two concealed kongs": "the name, what it is made of",
    "withdraw": "a penalty, somebody's code",
    "{field}: {a}": "a reason that says what it is about, one that does not",
    "{n} points": "that riichi scores, that a game is settled in",
    "{wind} round, hand {n}": "as each system counts hands",
}
"""English that names two things, for which others have two words -> which two. What Taiwan calls its own is another."""
NOT_THAT: Final = {
    "flower win": "Singapore names its two kinds, the question asks for either",
    "last tile": "MCR's is the last of its kind, the question asks for the wall's",
    "red fives": "dora, and how many there are",
    "replacement tile": "Singapore names its two kinds, the question asks for either",
}
"""English that an element shares with a question or a house rule that is about something else -> what."""


def catalogue(language: str) -> dict[str, Any]:
    """Key -> words of every catalogue but that of the server's sentences."""
    found: dict[str, Any] = {}
    for part in ("", "rules.", "board.", "sheet."):
        words = json.loads((STATIC / "i18n" / f"{part}{language}.json").read_text(encoding="utf-8"))
        found |= {part + key: value for key, value in words.items()}
    return found


def plain(text: str) -> str:
    return text.rstrip(".。").casefold()


def translations(language: str) -> dict[str, dict[str, list[str]]]:
    """English -> each of its translations -> where it stands."""
    english = catalogue("en")
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for key, words in catalogue(language).items():
        if isinstance(words, str) and isinstance(english.get(key), str) and "taiwanese" not in key:
            found[plain(english[key])][plain(words)].append(key)
    for sentence, words in phrases(language):
        found[plain(sentence)][plain(words)].append("phrases")
    return found


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_same_english_is_translated_alike(language: str) -> None:
    apart = {english: dict(words) for english, words in translations(language).items() if len(words) > 1}
    assert not {english: words for english, words in apart.items() if english not in TWO_THINGS}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_question_is_called_as_what_it_yields(language: str) -> None:
    """A circumstance, a house rule and an element of one system that have one name in English have one everywhere."""
    apart = []
    for system in systems().values():
        alike: dict[str, set[str]] = defaultdict(set)
        for english, words in own_words(system, language):
            alike[plain(english)].add(words)
        apart += [(system.id, *words) for english, words in alike.items() if len(words) > 1 and english not in NOT_THAT]
    assert not apart


def own_words(system: RuleSystem[Any], language: str) -> Iterator[tuple[str, str]]:
    """Name in English and in a language of each of a system's elements, questions and house rules."""
    english, words = table("en"), table(language)
    for e in system.elements:
        key = f"element.{system.id}.{e.id}"
        yield english.get(key, e.name), words.get(key, e.native)
    for ask in asks_of(system):
        own, usual = f"ask.{system.id}.{ask['name']}", f"ask.{ask['name']}"
        if usual in english:
            yield english.get(own, english[usual]), words.get(own, words[usual])
    for option in system.options:
        key = f"option.{system.id}.{option.name}"
        yield english[key], words[key]


def test_what_names_two_things_does_so_somewhere() -> None:
    """An entry that no language needs any more goes."""
    needed = {english for code in LANGUAGES[1:] for english, words in translations(code).items() if len(words) > 1}
    assert TWO_THINGS.keys() <= needed
