"""Games, their players, hands and payments; house rules by name; notes of the installation."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("rotation", sa.String(length=40), nullable=False),
        sa.Column("start", sa.JSON(), nullable=False),
        sa.Column("starting_points", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("id", name=("pk_games")),
    )
    op.create_table(
        "notes",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=("pk_notes")),
    )
    op.create_table(
        "presets",
        sa.Column("folded", sa.String(length=400), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("saved", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("folded", name=("pk_presets")),
    )
    op.create_table(
        "game_players",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.CheckConstraint("number between 0 and 3", name=("ck_game_players_number")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=("fk_game_players_game_id_games"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "number", name=("pk_game_players")),
    )
    op.create_table(
        "hands",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=True),
        sa.Column("body_hash", sa.String(length=64), nullable=False),
        sa.Column("outcome", sa.String(length=20), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        sa.Column("totals", sa.JSON(), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.Column("request", sa.JSON(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("models", sa.JSON(), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=("fk_hands_game_id_games"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=("pk_hands")),
        sa.UniqueConstraint("game_id", "key", name="uq_hands_key"),
        sa.UniqueConstraint("game_id", "number", name="uq_hands_number"),
    )
    op.create_index("ix_hands_standing", "hands", ["game_id", "undone_at", "number"])
    op.create_table(
        "hand_payments",
        sa.Column("hand_id", sa.Integer(), nullable=False),
        sa.Column("account", sa.String(length=4), nullable=False),
        sa.Column("amount", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["hand_id"], ["hands.id"], name=("fk_hand_payments_hand_id_hands"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hand_id", "account", name=("pk_hand_payments")),
    )
