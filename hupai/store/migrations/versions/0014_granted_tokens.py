"""What a token's holder is granted beyond the role, as JSON that its wing writes."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Move what columns of the hall's own said."""
    own = {"table_name": "table", "tournament_id": "tournament", "delay": "delay", "live": "live"}
    with op.batch_alter_table("tokens") as batch:
        batch.add_column(sa.Column("granted", sa.JSON(), nullable=False, server_default="{}"))
    plain: list[sa.ColumnClause[Any]] = [sa.column(name) for name in ("id", "table_name", "tournament_id", "delay")]
    tokens = sa.table("tokens", *plain, sa.column("live", sa.Boolean()), sa.column("granted", sa.JSON()))
    known = op.get_bind()
    for row in known.execute(sa.select(tokens)).mappings().all():
        granted = {name: row[column] for column, name in own.items()}
        known.execute(tokens.update().where(tokens.c.id == row["id"]).values(granted=granted))
    with op.batch_alter_table("tokens") as batch:
        batch.drop_constraint("fk_tokens_tournament_id_tournaments", type_="foreignkey")
        for column in own:
            batch.drop_column(column)
