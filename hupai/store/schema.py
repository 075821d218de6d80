"""The state of a database's tables: missing, present version, older, newer, damaged, or another program's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from sqlalchemy import Column, Connection, MetaData, String, Table, inspect, literal, select, table

from hupai.store.errors import StoreError
from hupai.store.tables import Base

MIGRATIONS: Final = Path(__file__).resolve().parent / "migrations"
REVISIONS: Final = sorted(file.name[:4] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))
"""Every migration's revision, with which its file's name begins; the last is this version's."""
_VERSION: Final = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
"""Alembic's table: its only row is the database's revision."""


def upgrade_tables(connection: Connection, revision: str = "head") -> None:
    """Migrate the tables to this revision."""
    # Imported here: a start that has nothing to migrate need not wait for Alembic.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def check_keepers(connection: Connection) -> None:
    """Check that every row that is tied to ours, by keys in either direction, is in a table that a part here keeps.

    Raises:
        StoreError: a wing that is not here has rows.
    """
    there, ours = inspect(connection), set(Base.metadata.tables)
    strange = set(there.get_table_names()) - ours - {_VERSION.name}
    ties = [(name, key["referred_table"]) for (_, name), keys in there.get_multi_foreign_keys().items() for key in keys]
    tied = set(ours)
    while found := {name for tie in ties if not tied.isdisjoint(tie) for name in tie} - tied:
        tied |= found
    used = select(literal(1)).limit(1)
    kept = [name for name in sorted(strange & tied) if connection.scalar(used.select_from(table(name)))]
    if kept:
        name = connection.engine.url.render_as_string(hide_password=True)
        raise StoreError(
            f"The database {name} has {', '.join(kept)}, which a part of hupai keeps that is not installed here; "
            "install hupai with all its parts, or name another with --database.",
            code="store_unsuitable",
        )


def is_up_to_date(connection: Connection) -> bool | None:
    """Return whether the tables, those of wings too, are up to date; None if there are none yet.

    Raises:
        StoreError: created by a newer hupai, tables are missing, or the tables belong to another program.
    """
    there, ours = set(inspect(connection).get_table_names()), set(Base.metadata.tables)
    revision = connection.scalar(select(_VERSION.c.version_num)) if _VERSION.name in there else None
    name = connection.engine.url.render_as_string(hide_password=True)
    made_here = revision is not None and re.fullmatch(r"\d{4}", revision)
    # A server's database may be shared with other programs, a file is one program's.
    others = there - {_VERSION.name} if connection.dialect.name == "sqlite" else there & ours
    if not made_here and (revision or others):
        raise StoreError(
            f"The database {name} is another program's: it has {', '.join(sorted(others or there)[:5])}, and nothing "
            "says that hupai made it; name another with --database."
        )
    if revision is None:
        return None
    if revision not in REVISIONS:
        raise StoreError(
            f"The database was made by a newer hupai (its revision is {revision}); install that version.",
            code="store_too_new",
        )
    if revision != REVISIONS[-1]:
        return False
    if ours - there:
        raise StoreError(
            f"The database {name} is damaged: it lacks {', '.join(sorted(ours - there))}; put a copy back, or move it "
            "away for a fresh start."
        )
    return True
