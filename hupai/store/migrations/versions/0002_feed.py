"""Watched tables, events with audit frames, laid hands, deliveries; tournaments, players, seats of rounds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "watched_tables",
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("source", sa.String(300), nullable=False),
        sa.Column("rules", sa.String(40), nullable=True),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("since", _WHEN, nullable=False),
        sa.Column("corners", sa.JSON(), nullable=True),
        sa.Column("worker", sa.String(120), nullable=True),
        sa.Column("beat", _WHEN, nullable=True),
        sa.Column("health", sa.JSON(), nullable=False),
        sa.Column("preview", sa.LargeBinary(), nullable=True),
        sa.Column("game_id", sa.String(26), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_watched_tables_game_id_games", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("name", name="pk_watched_tables"),
    )
    op.create_table(
        "feed_frames",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_name", sa.String(80), nullable=False),
        sa.Column("taken", _WHEN, nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_feed_frames"),
    )
    op.create_table(
        "feed_hands",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(40), nullable=False),
        sa.Column("table_name", sa.String(80), nullable=False),
        sa.Column("settled_at", _WHEN, nullable=False),
        sa.Column("gone_at", _WHEN, nullable=True),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("reading", sa.JSON(), nullable=False),
        sa.Column("hand", sa.JSON(), nullable=False),
        sa.Column("context", sa.JSON(), nullable=False),
        sa.Column("frame_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.String(26), nullable=True),
        sa.Column("hand_number", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["frame_id"], ["feed_frames.id"], name="fk_feed_hands_frame_id_feed_frames", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_feed_hands"),
        sa.UniqueConstraint("token", name="uq_feed_hands_token"),
    )
    op.create_index("ix_feed_hands_table", "feed_hands", ["table_name", "id"])
    op.create_table(
        "feed_events",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("table_name", sa.String(80), nullable=False),
        sa.Column("at", _WHEN, nullable=False),
        sa.Column("hand_id", sa.Integer(), nullable=True),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(
            ["hand_id"], ["feed_hands.id"], name="fk_feed_events_hand_id_feed_hands", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("number", name="pk_feed_events"),
    )
    op.create_index("ix_feed_events_table", "feed_events", ["table_name", "number"])
    op.create_table(
        "feed_deliveries",
        sa.Column("target", sa.String(64), nullable=False),
        sa.Column("shown", sa.String(300), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("holder", sa.String(120), nullable=True),
        sa.Column("until", _WHEN, nullable=True),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("target", name="pk_feed_deliveries"),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("created", _WHEN, nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("starting_points", sa.String(40), nullable=False),
        sa.Column("places", sa.JSON(), nullable=False),
        sa.Column("divide", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament_id", sa.String(26), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("club", sa.String(200), nullable=False),
        sa.Column("left_after", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_entrants_tournament_id_tournaments", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_entrants"),
        sa.UniqueConstraint("tournament_id", "name", name="uq_entrants_name"),
    )
    op.create_table(
        "round_seats",
        sa.Column("tournament_id", sa.String(26), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("table_name", sa.String(80), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(26), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_round_seats_tournament_id_tournaments", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_round_seats_game_id_games", ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("tournament_id", "round", "entrant", name="pk_round_seats"),
        sa.UniqueConstraint("tournament_id", "round", "table_name", "seat", name="uq_round_seats_seat"),
    )
