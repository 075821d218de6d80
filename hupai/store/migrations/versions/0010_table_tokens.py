"""The tournament that a table's token is for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Bind every table's token to the only tournament that has, or may yet have, a table of the name.

    Where there are several, nothing says which one was meant: such a token opens none of them any more.
    """
    known = op.get_bind()
    cups = known.scalars(sa.text("select id from tournaments")).all()
    seats = sa.text("select distinct tournament_id, table_name from round_seats")
    seated = {(cup, table) for cup, table in known.execute(seats)}
    begun = {cup for cup, _ in seated}
    tokens = sa.text("select id, table_name from tokens where role = 'table' and withdrawn_at is null")
    bind = sa.text("update tokens set tournament_id = :cup where id = :id")
    for token, table in known.execute(tokens).all():
        meant = [cup for cup in cups if cup not in begun or (cup, table) in seated]
        if len(meant) == 1:
            known.execute(bind, {"cup": meant[0], "id": token})
