"""House rules stored by name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Engine, func, select

from hupai.basics.errors import Conflict, NotFound
from hupai.basics.names import fold_name
from hupai.basics.timestamps import format_time
from hupai.store.database import advisory_lock, reading, writing
from hupai.store.tables import PresetRow
from scoring.version import version
from scoring.words.sentence import say

MAX_PRESETS: Final = 500
"""Maximum number of presets."""
_LOCK: Final = "presets"


def list_presets(engine: Engine) -> list[dict[str, Any]]:
    """Return every preset, by name."""
    with reading(engine) as session:
        return [_to_json(p) for p in session.scalars(select(PresetRow).order_by(PresetRow.folded))]


def save_preset(engine: Engine, name: str, rules: str, options: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Create or replace a preset; names are compared without case.

    Returns:
        The preset, and whether it is new.

    Raises:
        Conflict: ``too_many``: there is no room for another one.
    """
    with writing(engine) as session:
        advisory_lock(session, _LOCK)  # a row that is not there yet cannot be locked
        found = session.get(PresetRow, fold_name(name))
        new = found is None
        if found is None:
            if (session.scalar(select(func.count()).select_from(PresetRow)) or 0) >= MAX_PRESETS:
                raise Conflict(say("There are {n} presets; delete one first.", n=MAX_PRESETS), code="too_many")
            found = PresetRow(folded=fold_name(name))
            session.add(found)
        found.name, found.rules, found.options = name, rules, dict(options)
        found.saved, found.version = datetime.now(UTC), version()
        return _to_json(found), new


def delete_preset(engine: Engine, name: str) -> None:
    """Delete a preset.

    Raises:
        NotFound: there is none with this name.
    """
    with writing(engine) as session:
        advisory_lock(session, _LOCK)
        found = session.get(PresetRow, fold_name(name))
        if found is None:
            raise NotFound(say("There is no preset called {a}.", a=f"{name!r:.60}"), field="name")
        session.delete(found)


def _to_json(preset: PresetRow) -> dict[str, Any]:
    return {
        "name": preset.name,
        "rules": preset.rules,
        "options": preset.options,
        "saved": format_time(preset.saved),
        "version": preset.version,
    }
