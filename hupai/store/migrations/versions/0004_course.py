"""The course of a game, when its players ended it, and the details of each change."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_OPEN = (
    '{"rounds": null, "hands": null, "minutes": null, "out_of_points": "owes", "dealer_ends": "off", '
    '"extension": null, "return_points": null, "uma": [0, 0, 0, 0], "ties": "share", "sticks_left": "first", "rate": 1}'
)
"""Games without a course continue as they began: until their players stop."""


def upgrade() -> None:
    """Add the columns."""
    op.add_column("games", sa.Column("course", sa.JSON(), nullable=False, server_default=sa.text(f"'{_OPEN}'")))
    op.add_column("games", sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("game_changes", sa.Column("detail", sa.JSON(), nullable=False, server_default=sa.text("'{}'")))
