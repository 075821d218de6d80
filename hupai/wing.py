"""Wings: parts of hupai that plug into its core, and that the core does not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hupai.settings import Settings
    from hupai.store.wing import StoreWing
    from hupai.web.wing import WebWing
    from vision.learn.tileset import TileSet
    from vision.pipeline import TileReader

_WINGS: Final = ("hupai.hall", "hupai.label")
"""The packages of the wings, each with its ``WING`` in ``wing.py``; one that is not there is left out."""


MANY_HANDS: Final = "Many hands"
"""The heading of commands for whole games, tables and folders."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the module and name of its function or typer application, its heading, what follows its help."""

    place: str
    panel: str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extra:
    """Optional packages: what ``pip`` calls them, modules that they have, what they are for, how to get them."""

    name: str
    modules: tuple[str, ...]
    purpose: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Wing:
    """What a wing adds to the core. It is quick to import: what takes long to load is loaded when it is asked for.

    Attributes:
        store: what it does with the store. web: what it adds to a server with these settings, if anything.
        checks: of its parts, by name: each tries one and returns what it found, or raises what is wrong.
        extras: optional packages of its own. commands: by name.
        learn_labels: learns a tile set, by name and as far as it is known, from photos and a file of corrected labels.
    """

    store: Callable[[], StoreWing] | None = None
    web: Callable[[Settings], WebWing | None] | None = None
    checks: tuple[tuple[str, Callable[[], str]], ...] = ()
    extras: tuple[Extra, ...] = ()
    commands: Mapping[str, Command] = field(default_factory=dict)
    learn_labels: Callable[[str, TileSet | None, Sequence[Path], str, TileReader], TileSet] | None = None


def installed_wings() -> tuple[Wing, ...]:
    """Return the wings that are there."""
    # A folder that is left behind without its modules, with caches of them perhaps, is no wing.
    found = (f"{name}.wing" for name in _WINGS if find_spec(name))
    return tuple(import_module(module).WING for module in found if find_spec(module))


def store_wings(wings: Sequence[Wing] | None = None) -> tuple[StoreWing, ...]:
    """Return what wings do with the store; by default those that are there."""
    wings = installed_wings() if wings is None else wings
    return tuple(wing.store() for wing in wings if wing.store is not None)


def web_wings(settings: Settings) -> tuple[WebWing, ...]:
    """Return what the wings that are there add to a server."""
    found = (wing.web(settings) for wing in installed_wings() if wing.web is not None)
    return tuple(wing for wing in found if wing is not None)
