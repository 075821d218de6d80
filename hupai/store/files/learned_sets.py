"""The tile sets of this installation: their folder, and lookup by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.learn.tileset import TileSet


def sets_folder() -> Path:
    """Return the folder of learned sets, which the server uses, too.

    Raises:
        SettingsError: invalid settings.
    """
    from hupai.settings import load_settings

    return load_settings().data_folder / "sets"


def load_set(name: str | None, model: str) -> TileSet | None:
    """Return the set with this name, None for no name.

    Args:
        model: first 12 hex digits of the classifier in use.

    Raises:
        TileSetError: no such set, damaged, or learned with another model.
    """
    if name is None:
        return None
    from hupai.store.files.sets import FolderSets

    return FolderSets(sets_folder()).load(name, model)
