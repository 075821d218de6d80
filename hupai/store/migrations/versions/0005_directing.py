"""What a director needs: more details of players, tie-breaks, tokens, and a numbered log of all actions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the columns and tables."""
    for name, length in (("country", 80), ("ema", 20), ("team", 80)):
        op.add_column("entrants", sa.Column(name, sa.String(length), nullable=False, server_default=""))
    op.add_column("entrants", sa.Column("substitute", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("tournaments", sa.Column("return_points", sa.String(40), nullable=True))
    op.add_column(
        "tournaments",
        sa.Column("tie_breaks", sa.JSON(), nullable=False, server_default=sa.text('\'["places", "won"]\'')),
    )
    op.create_table(
        "tournament_changes",
        sa.Column("tournament_id", sa.String(26), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("by", sa.String(200), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_tournament_changes_tournament_id_tournaments",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "revision", name="pk_tournament_changes"),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("table_name", sa.String(80), nullable=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("made_by", sa.String(200), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("withdrawn_by", sa.String(200), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("digest", name="uq_tokens_digest"),
    )
