"""Wings: parts of hupai that plug into its core, and that the core does not know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hupai.store.wing import StoreWing

_WINGS: Final = ("hupai.hall",)
"""The packages of the wings, each with its ``WING`` in ``wing.py``; one that is not there is left out."""


@dataclass(frozen=True, slots=True)
class Wing:
    """What a wing adds to the core. It is quick to import: what takes long to load is loaded when it is asked for.

    Attributes:
        store: what it does with the store.
    """

    store: Callable[[], StoreWing]


def installed_wings() -> tuple[Wing, ...]:
    """Return the wings that are there."""
    return tuple(import_module(f"{name}.wing").WING for name in _WINGS if find_spec(name))


def store_wings() -> tuple[StoreWing, ...]:
    """Return what they do with the store."""
    return tuple(wing.store() for wing in installed_wings())
