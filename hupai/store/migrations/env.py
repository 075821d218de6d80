"""Alembic's entry point: runs on the connection it is given, in that connection's transaction."""

from __future__ import annotations

from alembic import context

from hupai.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    compare_type=True,
)
context.run_migrations()
