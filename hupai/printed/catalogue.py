"""Texts of a language for printing: those of the page, and a few that only a sheet needs (``sheet.*.json``)."""

from __future__ import annotations

import json
import re
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from scoring.options import OptionInfo, worded
from scoring.rulebook.presets import Preset
from scoring.system import Element, RuleSystem
from scoring.words.sentence import Sentence

SHEET_LANGUAGES: Final = ("en", "zh-Hant", "zh-Hans", "ja")
_FOLDER: Final = Path(__file__).parents[1] / "web" / "static" / "i18n"
_PARTS: Final = ("", "rules.", "sheet.")
_HOLE: Final = re.compile(r"\{(\w+)(?::\w+)?\}")
"""Where a value goes in a translation."""


class Catalogue:
    """The texts of a sheet in one language of :data:`SHEET_LANGUAGES`."""

    def __init__(self, language: str) -> None:
        self.language = language

    @cached_property
    def _words(self) -> dict[str, Any]:
        return {key: words for part in _PARTS for key, words in self._read(part).items()}

    @cached_property
    def _phrases(self) -> dict[str, str]:
        return {} if self.language == "en" else dict(self._read("phrases."))

    def _read(self, part: str) -> Any:
        return json.loads((_FOLDER / f"{part}{self.language}.json").read_text(encoding="utf-8"))

    def say(self, key: str, otherwise: str = "", **values: object) -> str:
        """Return the text of a key, in the plural if it has one; ``otherwise`` if there is none."""
        words = self._words.get(key, otherwise or key)
        text: str = words if isinstance(words, str) else words["other"]
        return text.format_map(values) if values else text

    def phrase(self, text: str) -> str:
        """Return a sentence of the rules; unchanged if it has no translation."""
        if isinstance(text, Sentence):
            values = {name: self.phrase(str(value)) for name, value in text.values.items()}
            words = self._phrases.get(text.template)
            return str(text) if words is None else _HOLE.sub(lambda hole: values[hole[1]], words)
        return self._phrases.get(text, text)

    def system(self, system: RuleSystem[Any]) -> str:
        """Return the system's name."""
        return self.say(f"rules.{system.id}", system.name)

    def unit(self, system: RuleSystem[Any]) -> str:
        """Return the unit of its values, as a heading."""
        return self.say(f"total.{system.unit}", system.unit, n="").strip()

    def element(self, system: RuleSystem[Any], element: Element) -> str:
        """Return the element's name as players who speak the language call it."""
        return self.say(f"element.{system.id}.{element.id}", element.name if self.language == "en" else element.native)

    def group(self, group: str) -> str:
        """Return the heading of a group of elements."""
        return self.say(f"group.{group}", group)

    def preset(self, preset: Preset | None) -> str:
        """Return the name of house rules; None: the defaults."""
        return self.say("presets.usual") if preset is None else self.say(f"preset.{preset.id}", preset.name)

    def option(self, system: RuleSystem[Any], option: OptionInfo) -> tuple[str, str]:
        """Return the label of a house rule, and what it does."""
        key = f"option.{system.id}.{option.name}"
        return self.say(key, option.name.replace("_", " ")), self.say(f"{key}.hint", option.doc)

    def value(self, system: RuleSystem[Any], option: OptionInfo, value: object) -> str:
        """Return a value of a house rule in words."""
        if isinstance(value, bool):
            return self.say("on" if value else "off")
        if value is None or value == {}:
            return self.say("none")
        if value == "auto":
            return self.say("auto")
        if isinstance(value, dict):
            names = {e.id: self.element(system, e) for e in system.elements}
            return ", ".join(f"{names.get(id_, id_)} {own}" for id_, own in value.items())
        return self.say(f"value.{system.id}.{option.name}.{value}", self.say(f"value.{value}", worded(value)))
