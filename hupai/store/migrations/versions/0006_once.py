"""Idempotency keys of tournaments and of the actions in them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the keys; earlier actions have none."""
    for table in ("tournaments", "tournament_changes"):
        op.add_column(table, sa.Column("key", sa.String(200), nullable=True))
        op.add_column(table, sa.Column("key_hash", sa.String(64), nullable=True))
    op.create_index("uq_tournaments_key", "tournaments", ["key"], unique=True)
    op.create_index("uq_tournament_changes_key", "tournament_changes", ["tournament_id", "key"], unique=True)
