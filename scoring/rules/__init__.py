"""The registry of rule systems: every module or package in this folder is one, and contains it as ``SYSTEM``."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from scoring.errors import Fault, InvalidRequest, quote_value
from scoring.rulebook.presets import Preset
from scoring.system import RuleSystem
from scoring.words.sentence import say

MODULES: Final = ("hongkong", "zungjung", "hangzhou", "singapore", "riichi", "mcr", "taiwanese")
"""The listing order; further systems in the folder come after these, by name."""


@lru_cache(maxsize=1)
def systems() -> dict[str, RuleSystem[Any]]:
    """Return every system by its id, in listing order."""
    others = sorted({module.name for module in iter_modules(__path__)}.difference(MODULES))
    found = [import_module(f"scoring.rules.{name}").SYSTEM for name in (*MODULES, *others)]
    return {s.id: s for s in found}


@lru_cache(maxsize=1)
def _names() -> dict[str, RuleSystem[Any]]:
    names: dict[str, RuleSystem[Any]] = {}
    for system in systems().values():
        for name in (system.id, system.name, system.native, *system.aliases):
            taken = names.setdefault(_plain(name), system)
            if taken is not system:
                raise ValueError(f"{name} names both {taken.id} and {system.id}")
    return names


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def system_named(name: str) -> RuleSystem[Any]:
    """Return the system with this name or alias; case, spaces and hyphens do not matter.

    Raises:
        InvalidRequest: no such system; the message lists them.
    """
    found = (_names().get(name) or _names().get(_plain(name))) if isinstance(name, str) else None
    if found is None:
        message = say("No rules called {name}; there are {names}.", name=quote_value(name), names=", ".join(systems()))
        raise InvalidRequest.of([Fault("unknown_rules", message, "rules")])
    return found


@lru_cache(maxsize=1)
def _presets() -> dict[str, tuple[RuleSystem[Any], Preset]]:
    found: dict[str, tuple[RuleSystem[Any], Preset]] = {}
    for system in systems().values():
        for preset in system.presets:
            for name in {_plain(preset.id), _plain(preset.name), _plain(preset.native)} - {""}:
                if found.setdefault(name, (system, preset))[1] is not preset:
                    raise ValueError(f"{name} names both {found[name][1].id} and {preset.id}")
    return found


def preset_named(name: str) -> tuple[RuleSystem[Any], Preset]:
    """Return the preset with this name, and its system; case, spaces and hyphens do not matter.

    Raises:
        InvalidRequest: no such preset; the message lists them.
    """
    found = _presets().get(_plain(name))
    if found is None:
        known = ", ".join(preset.id for system in systems().values() for preset in system.presets)
        message = say("No preset called {name}; there are {names}.", name=quote_value(name), names=known)
        raise InvalidRequest.of([Fault("unknown_preset", message, "preset")])
    return found
