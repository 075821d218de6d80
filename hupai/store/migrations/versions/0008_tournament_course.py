"""What a tournament's games agree on besides the rules of their hands."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; games of earlier tournaments end when the director ends them."""
    op.add_column("tournaments", sa.Column("course", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("tournaments", "course")
