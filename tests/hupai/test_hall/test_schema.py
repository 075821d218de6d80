"""The tables of the hall beside those of the ledger."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine

from hupai.store.tables import Base


@pytest.mark.both_databases
def test_the_migrations_make_no_table_that_nobody_keeps(store: Engine) -> None:
    with store.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
