"""Which tokens hear of hands while they are played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column; earlier tokens do not."""
    op.add_column("tokens", sa.Column("live", sa.Boolean(), nullable=False, server_default=sa.false()))
