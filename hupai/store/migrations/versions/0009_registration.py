"""The tournament that a token lets players register for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the column; earlier tokens are for no registration."""
    with op.batch_alter_table("tokens") as batch:
        batch.add_column(sa.Column("tournament_id", sa.String(26), nullable=True))
        name = batch.f("fk_tokens_tournament_id_tournaments")
        batch.create_foreign_key(name, "tournaments", ["tournament_id"], ["id"], ondelete="SET NULL")
