"""House rules stored by name."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from sqlalchemy import Engine, func, select

from hupai.basics.names import fold_name
from hupai.basics.timestamps import format_time, parse_time
from hupai.games.games import Preset, check_room, no_preset
from hupai.store.database import advisory_lock, reading, writing
from hupai.store.tables import PresetRow

_LOCK: Final = "presets"


class SqlPresets:
    """Presets in the database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def list_presets(self) -> list[Preset]:
        """See :meth:`~hupai.games.games.Presets.list_presets`."""
        with reading(self._engine) as session:
            rows = session.scalars(select(PresetRow).order_by(PresetRow.folded))
            return [Preset(p.name, p.rules, p.options, format_time(p.saved), p.version) for p in rows]

    def save_preset(self, preset: Preset) -> bool:
        """See :meth:`~hupai.games.games.Presets.save_preset`."""
        with writing(self._engine) as session:
            advisory_lock(session, _LOCK)  # a row that is not there yet cannot be locked
            row = session.get(PresetRow, preset.folded)
            new = row is None
            if row is None:
                check_room(session.scalar(select(func.count()).select_from(PresetRow)) or 0)
                row = PresetRow(folded=preset.folded)
                session.add(row)
            for field in fields(preset):
                setattr(row, field.name, getattr(preset, field.name))
            row.saved = parse_time(preset.saved)
            return new

    def delete_preset(self, name: str) -> None:
        """See :meth:`~hupai.games.games.Presets.delete_preset`."""
        with writing(self._engine) as session:
            advisory_lock(session, _LOCK)
            found = session.get(PresetRow, fold_name(name))
            if found is None:
                raise no_preset(name)
            session.delete(found)
