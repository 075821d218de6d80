"""Every change of a game, numbered, including those of existing games; idempotency keys of games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table, and record in it what has happened in the existing games."""
    op.add_column("games", sa.Column("key", sa.String(200), nullable=True))
    op.add_column("games", sa.Column("key_hash", sa.String(64), nullable=True))
    op.create_index("uq_games_key", "games", ["key"], unique=True)
    changes = op.create_table(
        "game_changes",
        sa.Column("game_id", sa.String(26), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("hand_number", sa.Integer(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("by", sa.String(200), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_game_changes_game_id_games", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "revision", name="pk_game_changes"),
    )
    hands = sa.table(
        "hands",
        sa.column("game_id", sa.String),
        sa.column("number", sa.Integer),
        sa.column("confirmed_at", sa.DateTime(timezone=True)),
        sa.column("undone_at", sa.DateTime(timezone=True)),
        sa.column("before", sa.JSON),
        sa.column("after", sa.JSON),
    )
    by_game: dict[str, list[tuple[object, ...]]] = {}
    for hand in op.get_bind().execute(sa.select(hands)):
        mine = by_game.setdefault(hand.game_id, [])
        mine.append((hand.confirmed_at, hand.number, "recorded", hand.before))
        if hand.undone_at is not None:
            mine.append((hand.undone_at, hand.number, "undone", hand.after))
    for game_id, mine in by_game.items():
        mine.sort(key=lambda change: change[:3])
        names = ("at", "hand_number", "kind", "before")
        rows = [dict(zip(names, c, strict=True)) | {"game_id": game_id, "revision": i} for i, c in enumerate(mine, 1)]
        op.bulk_insert(changes, rows)
