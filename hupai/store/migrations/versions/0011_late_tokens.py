"""How late the holder of a token sees everything."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column; earlier tokens see everything at once."""
    op.add_column("tokens", sa.Column("delay", sa.Integer(), nullable=False, server_default="0"))
