"""What a tournament's games agree on besides the rules of their hands."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; games of earlier tournaments end when the director ends them."""
    op.add_column("tournaments", sa.Column("course", sa.JSON(), nullable=False, server_default="{}"))
