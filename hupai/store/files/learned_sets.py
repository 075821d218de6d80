"""The tile sets of this installation; quick to import."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hupai.store.files.sets import FolderSets
    from vision.learn.tileset import TileSet


def installed_sets() -> FolderSets:
    """Return the learned sets of this installation, which the server uses, too.

    Raises:
        SettingsError: invalid settings.
    """
    from hupai.settings import load_settings
    from hupai.store.files.sets import FolderSets

    return FolderSets(load_settings().data_folder / "sets")


def load_set(name: str | None, model: str) -> TileSet | None:
    """Return the set with this name, None for no name.

    Args:
        model: first 12 hex digits of the classifier in use.

    Raises:
        TileSetError: no such set, damaged, or learned with another model.
    """
    return None if name is None else installed_sets().load(name, model)
