"""The state of a database's tables: missing, present version, older, newer, damaged, or another program's."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from hupai.store import feed_tables  # noqa: F401 - its tables belong to the metadata
from hupai.store.errors import StoreError
from hupai.store.tables import Base

MIGRATIONS: Final = Path(__file__).resolve().parent / "migrations"


def migrations() -> Config:
    """Return Alembic's configuration."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def is_up_to_date(connection: Connection) -> bool | None:
    """Return whether the tables are up to date; None if there are none yet.

    Raises:
        StoreError: created by a newer hupai, tables are missing, or the tables belong to another program.
    """
    known = ScriptDirectory.from_config(migrations())
    revision = MigrationContext.configure(connection).get_current_revision()
    there, ours = set(inspect(connection).get_table_names()), set(Base.metadata.tables)
    name = connection.engine.url.render_as_string(hide_password=True)
    if revision is None:
        if there & ours:
            raise StoreError(
                f"The database {name} is another program's: it has {', '.join(sorted(there & ours))}, and nothing says "
                "that hupai made it; name another with --database."
            )
        return None
    if revision not in {script.revision for script in known.walk_revisions()}:
        raise StoreError(
            f"The database was made by a newer hupai (its revision is {revision}); install that version.",
            code="store_too_new",
        )
    if revision != known.get_current_head():
        return False
    if ours - there:
        raise StoreError(
            f"The database {name} is damaged: it lacks {', '.join(sorted(ours - there))}; put a copy back, or move it "
            "away for a fresh start."
        )
    return True
