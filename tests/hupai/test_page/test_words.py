"""Every sentence of the page in three languages: none missing, none unused; the server's sentences as well."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from hupai.web.asks import ASKS, asks_of
from scoring.request import respond
from scoring.rules import systems
from tests.hupai.serving import ROOT, Server
from tests.hupai.test_page.conftest import Ring

STATIC = ROOT / "hupai" / "web" / "static"
LANGUAGES = ("en", "zh-Hant", "ja")
_CALL = re.compile(r'\bt\(\s*"([\w.]+)"')
_TEMPLATE = re.compile(r"`([\w.]*\$\{[^`]*)`")
_LITERAL = re.compile(r'"([\w.]+)"')


def table(language: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in ("", "rules."):
        found |= json.loads((STATIC / "i18n" / f"{part}{language}.json").read_text(encoding="utf-8"))
    return found


@cache
def sources() -> str:
    """All modules, without comments."""
    text = "\n".join(p.read_text(encoding="utf-8") for p in sorted(STATIC.rglob("*.js")))
    return re.sub(r"^\s*(//|\*|/\*\*).*$", "", text, flags=re.M)


def _placeholders(value: Any) -> set[str]:
    text = value if isinstance(value, str) else " ".join(value.values())
    return set(re.findall(r"\{(\w+)\}", text))


def wanted() -> Iterator[str]:
    """Keys that are put together from what the server and the page know."""
    for system in systems().values():
        yield f"rules.{system.id}"
        yield f"total.{system.unit}"
        for ask in asks_of(system):
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
    for kind in ("chow", "pung", "kong", "pair", "thirteen_orphans"):
        yield f"unit.{kind}"
    for kind in ("chow", "pung", "kong_open", "kong_added", "kong_concealed"):
        yield f"meld.{kind}"
    for code in doubt_codes():
        yield f"doubt.{code}"


def doubt_codes() -> set[str]:
    """The codes of every doubt the vision package can have."""
    text = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "vision").glob("*.py"))
    return set(re.findall(r'Doubt\(\s*"(\w+)"', text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_missing(language: str) -> None:
    known = table(language)
    needed = set(_CALL.findall(sources())) | set(wanted())
    assert not sorted(needed - known.keys())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_unused(language: str) -> None:
    literals = set(_LITERAL.findall(sources()))
    patterns = [
        re.compile("^" + re.sub(r"\\\$\\\{.*?\\\}", ".+", re.escape(t)) + "$")
        for t in _TEMPLATE.findall(sources())
        if not t.startswith("$")
    ]
    unused = [k for k in table(language) if k not in literals and not any(p.match(k) for p in patterns)]
    assert not unused
    systems_known = set(systems())
    for key in table(language):
        head, _, rest = key.partition(".")
        if key not in literals and head in ("option", "value", "liable", "element"):
            name, _, rest = rest.partition(".")
            system = systems()[name] if name in systems_known else None
            assert system is not None, key
            if head == "option":
                assert rest.removesuffix(".hint") in {o.name for o in system.options}, key
            if head == "element":
                assert rest in {e.id for e in system.elements}, key


def test_tables_say_the_same_things() -> None:
    english = table("en")
    for language in LANGUAGES[1:]:
        other = table(language)
        page = {k for k in other if not k.startswith(("element.", "group."))}
        assert page == set(english), f"{language} and English have different keys"
        for key in page:
            # Tile names hold the number as a figure in English, as a character elsewhere.
            if not key.startswith("tile."):
                assert _placeholders(other[key]) == _placeholders(english[key]), (language, key)


def test_every_question_has_a_control() -> None:
    kinds = {ask.kind for ask in ASKS.values()}
    asked = {a["kind"] for s in systems().values() for a in asks_of(s)}
    handled = set(re.findall(r'case "(\w+)":', (STATIC / "js" / "ui" / "asking.js").read_text())) | {"bonus", "tiles"}
    assert asked <= handled
    assert asked <= kinds


def sentences() -> set[str]:
    """What the server says about the worked hands of all systems, and about their elements."""
    said = {e.condition for s in systems().values() for e in s.elements}
    said |= {e.value for s in systems().values() for e in s.elements if re.search("[a-z]", e.value)}
    for path in sorted((ROOT / "tests" / "golden").glob("*.json")):
        for entry in json.loads(path.read_text(encoding="utf-8")):
            answer = respond(entry.get("request", entry))
            if "error" in answer:
                said.update(answer["error"]["faults"])
                continue
            if answer["reason"]:
                said.add(answer["reason"]["message"])
            if answer["total"] and answer["total"].get("limit"):
                said.add(answer["total"]["limit"])
            said.update(t["why"] for t in answer["transfers"])
            paid = {f"{t['from']} pays {t['to']} {t['amount']}: {t['why']}." for t in answer["transfers"]}
            steps = answer["explanation"][1 + len(answer["elements"]) :]
            said.update(s for s in steps if s not in paid and not s.startswith(("No win: ", "If ")))
    return said | set(refusals())


def refusals() -> Iterator[str]:
    """What the server says to mistakes a player can make on the page."""
    hand = {"concealed": "123m456m789m23s55p", "winning_tile": "4s", "melds": [], "bonus": []}
    me = {"seat": "S", "win": "self_draw"}
    cases: list[dict[str, Any]] = [
        {"concealed": "111m1m456m789m23s5p"},
        {"concealed": "12m"},
        {"winning_tile": None},
        {"bonus": ["f1", "f1"]},
        {"bonus": ["f1", "a1"]},
        {"concealed": "120m456m789m23s55p"},
        {"context": {**me, "win": "discard", "from": "S"}},
        {"context": {**me, "heavenly": True}},
        {"context": {**me, "heavenly": True, "earthly": True}},
        {"context": {**me, "replacement": True}},
        {"context": {**me, "double_kong": True}},
        {"context": {**me, "ippatsu": True}},
        {"context": {**me, "liable": {"seat": "E", "kind": "nine_piece"}}},
        {"context": {**me, "liable": {"seat": "E", "kind": "twelve_piece"}}},
        {"context": {**me, "liable": {"seat": "S", "kind": "other"}}},
        {"context": {**me, "liable": {"seat": "E", "kind": "daisangen"}}},
        {"context": {**me, "liable": {"seat": "E", "kind": "third_dragon"}}},
        {"context": {**me, "liable": {"seat": "E", "kind": "float"}}},
        {"context": {**me, "win": "robbed_kong", "from": "E", "last_tile": True}},
        {"context": {**me, "flower_win": True}},
        {"context": {**me, "humanly": True}},
        {"context": {**me, "win": "discard", "from": None, "earthly": True}},
        {"context": {**me, "dora_indicators": ["1m"] * 6}},
        {"context": {**me, "indicator": "4s", "floats": 3}},
        {"context": {**me, "indicator": "4s", "kong_streak": 1}},
        {"context": {**me, "indicator": "4s", "fed": {"N>S": 3}}},
        {"context": {**me, "responsible": "E"}},
        {"options": {"max_faan": 2, "min_faan": 5}},
        {"options": {"table": "simplified", "min_faan": 1}},
    ]
    for rules in systems():
        for case in cases:
            answer = respond({**hand, "rules": rules, "context": me, **case})
            if "error" in answer and all(f["code"] != "unknown_option" for f in _coded(answer)):
                kind = (case.get("context") or {}).get("liable", {}).get("kind")
                # Penalties of other systems cannot be chosen on the page.
                if not any("liable.kind is" in m for m in answer["error"]["faults"]) or kind is None:
                    yield from answer["error"]["faults"]


def _coded(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"code": answer["error"]["code"]}]


@pytest.mark.parametrize(("locale", "language"), [("zh-TW", "zh-Hant"), ("ja-JP", "ja")])
def test_the_server_is_translated(ring: Ring, locale: str, language: str) -> None:
    phone = ring(locale=locale)
    assert phone.page.evaluate("document.documentElement.lang") == language
    said = sorted(sentences())
    left = phone.page.evaluate(
        """async (said) => {
          const { translated } = await import('/js/phrases.js');
          return said.filter((text) => translated(text) === null);
        }""",
        said,
    )
    assert not left, "\n".join(left)
    # A translation that still holds English words has a part that no pattern knew.
    mixed = phone.page.evaluate(
        """async (said) => {
          const { translated } = await import('/js/phrases.js');
          return said.map((text) => [text, translated(text)]).filter(([, x]) => /[a-z]{3,}/.test(x));
        }""",
        said,
    )
    assert not mixed, "\n".join(f"{a} -> {b}" for a, b in mixed)
    assert len(said) > 300


ENGLISH = """() => {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (!walk.currentNode.parentElement.closest('noscript')) found.add(walk.currentNode.data);
  for (const e of document.querySelectorAll('[aria-label]')) found.add(e.getAttribute('aria-label'));
  for (const e of document.querySelectorAll('input[type=text]')) found.add(e.value);
  return [...found].filter((text) => /[a-z]{3,}/.test(text));
}"""


@pytest.mark.parametrize("locale", ["zh-TW", "ja-JP"])
def test_no_english_is_left_on_the_rules(ring: Ring, server: Server, locale: str) -> None:
    """House rules and elements of every system: labels, values, captions, what only a screen reader hears."""
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
