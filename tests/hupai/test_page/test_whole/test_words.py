"""Every text of the page in every language: none missing, none unused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from hupai.games.settling.ending import ENDINGS
from hupai.messages import LANGUAGES, read_texts
from scoring.context import Win
from scoring.fields.table import BONUS, all_context_fields, questions_of
from scoring.rules import systems
from scripts.page_checks import HALL, STATIC
from tests.hupai.serving import Server
from tests.hupai.test_messages import entries
from tests.hupai.test_page.conftest import Ring
from tests.repository import all_doubts

_CALL = re.compile(r'\bt\(\s*"([\w.]+)"\s*[,)]')
_TEMPLATE = re.compile(r"`([\w.]*\$\{[^`]*)`")
_LITERAL = re.compile(r'"([\w.]+)"')


PARTS = {STATIC: ("", "rules."), **({HALL: ("board.",)} if HALL.is_dir() else {})}
"""Folder -> what its files of words begin with, of the page and of those of a tournament."""


def table(language: str, part: Path = STATIC) -> dict[str, Any]:
    return {key: text for prefix in PARTS[part] for key, text in read_texts(prefix, language, part / "i18n").items()}


@cache
def sources(*parts: Path) -> str:
    """All modules, without comments."""
    text = "\n".join(p.read_text(encoding="utf-8") for part in parts for p in sorted(part.rglob("*.js")))
    return re.sub(r"^\s*(//|\*|/\*\*).*$", "", text, flags=re.M)


def _placeholders(value: Any) -> set[str]:
    text = value if isinstance(value, str) else " ".join(value.values())
    return set(re.findall(r"\{(\w+)\}", text))


def wanted() -> Iterator[str]:
    """Keys that are put together from what the server and the page know."""
    for system in systems().values():
        yield f"rules.{system.id}"
        yield f"total.{system.unit}"
        yield from (f"preset.{preset.id}" for preset in system.presets)
        for ask in questions_of(system):
            if ask["kind"] not in ("bonus", "tiles"):
                yield f"ask.{ask['name']}"
                yield f"ask.{ask['name']}.hint"
            if ask["kind"] == "liable":
                yield from (f"liable.{system.id}.{kind}" for kind in ask["values"])
        for option in system.options:
            yield f"option.{system.id}.{option.name}"
            yield f"option.{system.id}.{option.name}.hint"
            words = [v for v in option.values if isinstance(v, str)]
            yield from (f"value.{system.id}.{option.name}.{v}" for v in words)
    for letter, count in (("z", 7), ("f", 4), ("g", 4), ("a", 4)):
        yield from (f"tile.{letter}.{n}" for n in range(1, count + 1))
    for kind in ("chow", "pung", "kong", "pair", "thirteen_orphans", "knitted"):
        yield f"unit.{kind}"
    for kind in ("chow", "pung", "kong_open", "kong_added", "kong_concealed"):
        yield f"meld.{kind}"
    yield from (f"ended.{reason}" for reason in ENDINGS)
    for code in all_doubts():
        yield f"doubt.{code}"
    for limit in ("mangan", "haneman", "baiman", "sanbaiman", "kazoe yakuman", "yakuman"):
        yield f"limit.{limit}"
    yield from ("limit.listed limit", "limit.compound limit")


def test_a_value_that_belongs_to_the_table_is_one_for_the_rules_too() -> None:
    """The page forgets it with the hand; who answers for a seat stays with the person."""
    (names,) = re.findall(r"OF_THE_TABLE = \[(.*)\]", (STATIC / "js" / "hand" / "seats.js").read_text(encoding="utf-8"))
    asked = [ask for system in systems().values() for ask in questions_of(system)]
    assert set(_LITERAL.findall(names)) == {ask["name"] for ask in asked if ask["place"] == "table"}


def test_no_key_is_missing() -> None:
    needed = set(_CALL.findall(sources(*PARTS))) | set(wanted())
    assert {code: sorted(needed - table(code).keys()) for code in LANGUAGES} == {code: [] for code in LANGUAGES}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_unused(language: str, part: Path) -> None:
    own = ("", *(f"{name}." for name in systems()))
    literals = set(_LITERAL.findall(sources(part))) | {f"win.{system}{way}" for system in own for way in Win}
    patterns = [
        re.compile("^" + re.sub(r"\\\$\\\{.*?\\\}", ".+", re.escape(t)) + "$")
        for t in _TEMPLATE.findall(sources(part))
        if not t.startswith("$")
    ]
    unused = [k for k in table(language, part) if k not in literals and not any(p.match(k) for p in patterns)]
    assert not unused
    systems_known = set(systems())
    for key in table(language, part):
        head, _, rest = key.partition(".")
        if key not in literals and head in ("option", "value", "liable", "element"):
            name, _, rest = rest.partition(".")
            system = systems()[name] if name in systems_known else None
            assert system is not None, key
            if head == "option":
                assert rest.removesuffix(".hint") in {o.name for o in system.options}, key
            if head == "element":
                assert rest in {e.id for e in system.elements}, key


@pytest.mark.parametrize("part", PARTS)
def test_tables_say_the_same_things(part: Path) -> None:
    def own(found: dict[str, Any]) -> set[str]:
        """A language names elements, and words of a rule system that are not the general ones, where it needs to."""
        special = re.compile(rf"element\.|group\.|own\.|(ask|meld|unit|win)\.({'|'.join(systems())})\.")
        return {k for k in found if not special.match(k)}

    english = table("en", part)
    for language in [*LANGUAGES][1:]:
        other = table(language, part)
        page = own(other)
        assert page == own(english), f"{language} and English have different keys"
        for key in page:
            # Tile names hold the number as a figure in English, as a character elsewhere.
            if not key.startswith("tile."):
                assert _placeholders(other[key]) == _placeholders(english[key]), (language, key)


@pytest.mark.parametrize(("language", "charset"), [("zh-HK", "big5hkscs"), ("zh-TW", "cp950"), ("zh-Hans", "gb2312")])
def test_chinese_is_written_in_its_own_characters(language: str, charset: str) -> None:
    """Names without one of their own are shown in the original script, which may be another: Big5 has no 帯, 宝, ド,
    GB 2312 no 槓."""
    names = {key: text for part in PARTS for key, text in table(language, part).items()}
    shown = {
        f"{s.id}.{e.id}": names.get(f"element.{s.id}.{e.id}", e.native) for s in systems().values() for e in s.elements
    }
    shown |= {f"message {a}": b for a, b in entries(language).items()}
    shown |= {key: value if isinstance(value, str) else " ".join(value.values()) for key, value in names.items()}
    assert {key: text for key, text in shown.items() if not _all_in(text, charset)} == {}


def _all_in(text: str, charset: str) -> bool:
    """Whether a character set has every Chinese character of a text."""
    chinese = "".join(c for c in text if "\u3400" <= c <= "\u9fff" or "\u3040" <= c <= "\u30ff")
    return chinese.encode(charset, "ignore").decode(charset) == chinese


def test_every_question_has_a_control() -> None:
    kinds = {ask.kind for ask in (BONUS, *all_context_fields().values())}
    asked = {a["kind"] for s in systems().values() for a in questions_of(s)}
    handled = set(re.findall(r'case "(\w+)":', (STATIC / "js" / "handeditor" / "facts.js").read_text())) | {
        "bonus",
        "tiles",
    }
    assert asked <= handled
    assert asked <= kinds


ENGLISH = """() => {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (!walk.currentNode.parentElement.closest('noscript')) found.add(walk.currentNode.data);
  for (const e of document.querySelectorAll('[aria-label]')) found.add(e.getAttribute('aria-label'));
  for (const e of document.querySelectorAll('input[type=text]')) found.add(e.value);
  return [...found].filter((text) => /[a-z]{3,}/.test(text));
}"""


def test_the_phone_says_where_to_begin(ring: Ring) -> None:
    phone = ring(locale="zh-SG")
    assert phone.page.evaluate("document.documentElement.lang") == "zh-Hans"
    assert phone.remembered("settings")["rules"] == "singapore"
    phone.go("rules")
    phone.choose("rules", "zungjung")
    phone.reload()
    assert phone.remembered("settings")["rules"] == "zungjung", "what was chosen stays"


def test_another_language_words_anew_what_is_on_screen(ring: Ring) -> None:
    phone = ring(locale="en-GB")
    phone.lay()
    phone.show_score(seat="S", win="discard", giver="E")
    phone.go("more")
    phone.choose("language", "zh-HK")
    phone.page.wait_for_function("() => /[\u4e00-\u9fff]/.test(inside.rules[0].elements[0].condition)")
    phone.go("hand")
    phone.settle()
    phone.key("bar").click()
    phone.page.wait_for_selector(".at-score .lines")
    assert phone.page.evaluate(ENGLISH) == []


def test_a_name_from_right_to_left_leaves_the_numbers_where_they_are(ring: Ring) -> None:
    """Measured, for the order of characters in a text is not that on screen."""
    phone = ring(locale="en-GB")
    phone.begin_game(("Ann", "\u05d3\u05df", "Cy", "Di"))
    phone.go("hand")
    phone.lay()
    phone.show_score(seat="S", win="discard", giver="E")
    name, amount = phone.page.locator(".transfers b").first.evaluate(
        """(line) => {
          const { firstChild: text } = line;
          return [/[\\u0590-\\u08ff]+/, /\\d+/].map((part) => {
            const range = document.createRange();
            const [found] = part.exec(text.data);
            range.setStart(text, text.data.indexOf(found));
            range.setEnd(text, text.data.indexOf(found) + found.length);
            return range.getBoundingClientRect().left;
          });
        }"""
    )
    assert name < amount


def test_a_limit_has_its_name_in_the_page_s_language(ring: Ring) -> None:
    phone = ring(locale="ja-JP")
    phone.lay("1m 2m 3m 4m 5m 6m 7m 8m 9m 2m 3m 5m 5m 4m")
    phone.show_score(seat="S")
    assert phone.text(".hero-limit") == "倍満"


def test_no_english_is_left_on_the_rules(ring: Ring, server: Server) -> None:
    """House rules and elements of every system: labels, values, captions, what only a screen reader hears."""
    locale = "ja-JP"
    presets = f"{server.url}/api/v1/presets"
    for kept in httpx.get(presets).json()["presets"]:  # names that people gave are no English of ours
        httpx.delete(f"{presets}/{quote(kept['name'])}").raise_for_status()
    phone = ring(locale=locale)
    phone.go("rules")
    for system in systems():
        phone.choose("rules", system)
        phone.key("fold-elements").click()
        assert phone.page.evaluate(ENGLISH) == ["hupai"], system
    for system in ("hongkong", "riichi"):
        phone.begin_game(("一", "二", "三", "四"), rules=system)
        phone.go("rules")
        assert phone.page.evaluate(ENGLISH) == ["hupai"], system


def test_who_plays_by_the_national_rules_wins_with_its_word(ring: Ring) -> None:
    """国标 says 和牌, 点和 and 错和 where other rules of the mainland say 胡牌, 点炮 and 诈胡."""
    phone = ring(locale="zh-CN")
    phone.begin_game(rules="mcr")
    words = phone.text("main")
    phone.go("hand")
    phone.lay()
    words += phone.text("#bar")
    phone.answer(seat="S", win="discard", giver="W")
    phone.key("record").wait_for()
    words += phone.text("#bar") + phone.text("main")
    assert all(word in words for word in ("错和", "荒牌", "和的那张", "点和", "谁和牌"))
    assert not re.search("胡.|诈|点炮|流局", words)
    phone.go("rules")
    phone.key("fold-elements").click()
    assert "胡" not in "".join(phone.at(".element-group").all_inner_texts())


def test_points_are_called_as_their_rules_call_them(ring: Ring) -> None:
    phone = ring(locale="zh-TW")
    said = {}
    for rules in ("taiwanese", "hongkong", "riichi"):
        phone.use_rules(rules)
        said[rules] = phone.text("[data-key=told]")
    assert said == {"taiwanese": "只記台數", "hongkong": "只記番數", "riichi": "只記翻數"}
