"""The parts of the sentence that says why a target accepts no events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the column; earlier reports have none."""
    op.add_column("feed_deliveries", sa.Column("sentences", sa.JSON(), nullable=True))
