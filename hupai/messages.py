"""Messages in the reader's language, as the catalogues in ``hupai/locale``, and in a wing's own, word them.

A message is an English template and its values (:mod:`scoring.words.sentence`). A catalogue words the template; what a
value is decides how it is written: a seat by its wind or its player, a meld or an element by its name.
"""

from __future__ import annotations

import json
import logging
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any, Final

from scoring.errors import Fault
from scoring.fields.table import all_context_fields
from scoring.hand import MeldType
from scoring.seats import Seat
from scoring.system import Element
from scoring.words.sentence import Joined, Sentence

log = logging.getLogger(__name__)

LANGUAGES: Final = {
    "en": ("English", r"en\b"),
    "zh-HK": ("繁體中文（香港）", r"(?!.*-hans\b)(yue\b|zh\b.*-(hk|mo)\b)"),
    "zh-TW": ("繁體中文（台灣）", r"(?!.*-hans\b)zh\b.*-(hant|tw)\b"),
    "zh-Hans": ("简体中文", r"(zh|yue)\b"),
    "ja": ("日本語", r"ja\b"),
}
"""Language -> what it calls itself, and what begins the tags that ask for it, in small letters: the first that matches
counts. Of Chinese without a script the region decides. The page, too, has these from here."""
TERMINAL: Final = "terminal"
"""English for the command line: it names flags where the page names what is on screen."""
_BASES: Final = {"zh-TW": "zh-HK", TERMINAL: "en"}
"""Language -> the one that it only differs from."""
_LOCALES: Final = (Path(__file__).parent / "locale", *sorted(Path(__file__).parent.glob("*/locale")))
"""The folders of catalogues: ours, and those of the wings that are there."""
_TEXTS: Final = Path(__file__).parent / "page" / "static" / "i18n"
_SPOKEN: Final = frozenset(
    {"condition", "detail", "explanation", "faults", "limit", "message", "second_best", "sentence", "set_aside", "why"}
)
"""Keys of answers whose texts are messages, even where nothing in them varies."""
_QUOTED: Final = re.compile(r"(?<![^ ])'([^']*)'(?![^,])")
_SPACE: Final = re.compile(r"(?<=[\u3001-\u9fff”]) (?=[「“\u3040-\u9fff])")
"""Chinese and Japanese have no space between two characters or quotation marks."""
_FLAGS: Final = {
    **{"winning_tile": "winning", "concealed": "hand", "melds": "meld", "options": "option"},
    **{name: ask.flag for name, ask in all_context_fields().items() if ask.flag},
}
"""Fields of a request whose flags have other names."""


def flag_of(name: str) -> str:
    """Return the flag of a field: ``--last-tile`` for ``last_tile``."""
    return "--" + _FLAGS.get(name, name).replace("_", "-")


def flag_at(path: str) -> str:
    """Return what was typed for a request's field, by its path: ``--option table``, ``the type of --meld number 2``."""
    name, *inside = path.removeprefix("context.").replace("[", ".").replace("]", "").split(".")
    flag = flag_of(name)
    if name == "melds" and inside:
        number, *part = inside
        return f"{f'the {part[0]} of ' if part else ''}{flag} number {int(number) + 1}"
    if name == "options":
        return " ".join((flag, *inside))
    part = [step for step in inside if not step.isdecimal()]
    return f"{flag}'s {part[0]}" if part else flag


def with_flags(fault: Fault) -> str:
    """Return a fault's message with its flag: at the end, if the sentence names the thing and not the field."""
    message, path = Wording(TERMINAL).word(fault.message), fault.field or ""
    typed = path == "winning_tile" or path.startswith(("context.", "options."))
    return f"{message.removesuffix('.')} ({flag_at(path)})." if typed and "--" not in message else message


def read_texts(part: str, language: str, folder: Path = _TEXTS) -> dict[str, Any]:
    """Return the page's own texts by key.

    Args:
        part: what the files' names begin with: "" (the page), "rules.". folder: holds them.
        language: one of :data:`LANGUAGES`; what it lacks is its base's.
    """
    base = _BASES.get(language)
    own: dict[str, Any] = json.loads((folder / f"{part}{language}.json").read_text(encoding="utf-8"))
    return (read_texts(part, base, folder) if base else {}) | own


def language_for(tag: str) -> str | None:
    """Return the language that a tag such as ``zh-Hant-HK`` asks for; None if there is none."""
    return next((code for code, (_, tags) in LANGUAGES.items() if re.match(tags, tag.lower())), None)


@lru_cache
def _catalogue(language: str) -> NullTranslations:
    """Return the compiled catalogue; an empty one if there is none, as in a new checkout, whose log says what to do."""
    found = NullTranslations()
    for compiled, source in ((folder / f"{language}.mo", folder / f"{language}.po") for folder in _LOCALES):
        if compiled.exists():
            with compiled.open("rb") as file:
                found.add_fallback(GNUTranslations(file))
        if source.exists() and not (compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime):
            log.warning("%s has changed since it was compiled; run: python hatch_build.py", source.name)
    if language in _BASES:
        found.add_fallback(_catalogue(_BASES[language]))
    return found


@lru_cache
def _names(language: str) -> Mapping[str, Any]:
    """Return the page's words for seats, melds and elements, by key."""
    shown = "en" if language == TERMINAL else language
    return read_texts("", shown) | read_texts("rules.", shown)


@dataclass(frozen=True)
class Wording(string.Formatter):
    """How messages are worded for one reader.

    Attributes:
        language: one of :data:`LANGUAGES`, or :data:`TERMINAL`.
        rules: id of the rule system whose words are used, or "". players: seat -> name; others are called by the wind.
    """

    language: str
    rules: str = ""
    players: Mapping[str, str] = field(default_factory=dict)

    def word(self, text: str) -> str:
        """Return a message in the language; unchanged if the catalogue does not have it."""
        catalogue = _catalogue(self.language)
        if isinstance(text, Joined):
            return _SPACE.sub("", catalogue.gettext(text.by).join(map(self.word, text.parts)))
        if not isinstance(text, Sentence):
            return catalogue.gettext(text) if text else text
        if text.plural is None:
            template = catalogue.gettext(text.template)
        else:
            template = catalogue.ngettext(text.template, text.plural, text.values["n"])  # type: ignore[arg-type]
        return _SPACE.sub("", self.vformat(template, (), text.values)) if text.values else template

    def word_answer(self, answer: Any, key: str = "") -> Any:
        """Return a JSON value with its messages worded; a score in it is worded as its own rules do."""
        if isinstance(answer, str):
            return self.word(answer) if key in _SPOKEN or isinstance(answer, Sentence | Joined) else answer
        if isinstance(answer, Mapping):
            own = replace(self, rules=answer["rules"]) if isinstance(answer.get("rules"), str) else self
            return {name: own.word_answer(value, name) for name, value in answer.items()}
        if isinstance(answer, list | tuple):
            return [self.word_answer(value, key) for value in answer]
        return answer

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value in words; catalogues may ask for a capital (``{a:cap}``) or a flag (``{field:flag}``)."""
        if format_spec == "flag":
            return flag_at(value)
        words = self._name(value)
        return words[:1].upper() + words[1:] if format_spec == "cap" else words

    def _name(self, value: object) -> str:
        names = _names(self.language)
        match value:
            case Sentence() | Joined():
                return self.word(value)
            case Seat():
                return self.players.get(value, names[f"seat.{value}"])
            case MeldType():
                return str(names.get(f"meld.{self.rules}.{value}", names[f"meld.{value}"]))
            case Element():
                shown = value.name if self.language in ("en", TERMINAL) else value.native
                return str(names.get(f"element.{self.rules}.{value.id}", shown))
        return self._quote(self._turn_up(str(value)))

    def _quote(self, text: str) -> str:
        """Return names that Python has quoted in the quotation marks of the language."""
        if self.language in ("en", TERMINAL):
            return text
        opening, closing = "“”" if self.language == "zh-Hans" else "「」"
        return _QUOTED.sub(rf"{opening}\1{closing}", text)

    def _turn_up(self, text: str) -> str:
        """Return tiles with the face-down ones in words."""
        codes = text.split()
        if "back" not in codes:
            return text
        catalogue = _catalogue(self.language)
        faces = " ".join(code for code in codes if code != "back")
        return catalogue.gettext(", ").join(filter(None, [catalogue.gettext("back"), faces]))
