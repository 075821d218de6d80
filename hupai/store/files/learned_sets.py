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


def explain_save_failure(folder: Path, error: OSError) -> str:
    """Return why a set cannot be stored in a folder, and what to do."""
    return f"The set cannot be kept in {folder} ({error.strerror}); see that the folder can be written and has room."


def load_set(name: str | None, model: str) -> TileSet | None:
    """Return the set with this name, None for no name.

    Args:
        model: first 12 hex digits of the classifier in use.

    Raises:
        TileSetError: no such set, damaged, or learned with another model.
    """
    if name is None:
        return None
    from vision.learn.setfiles import named_set

    return named_set(name, sets_folder(), model)
