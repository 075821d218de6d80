"""How a table of three counts in a tournament of fours."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the column; earlier tournaments have tables of one size."""
    op.add_column("tournaments", sa.Column("threes", sa.JSON(), nullable=True))
