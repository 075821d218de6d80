"""Numbers of events, which leap in a copy of the store."""

from __future__ import annotations

import sqlite3
from typing import Final

from scoring.version import version

_INSERT_RESTORED: Final = """
insert into feed_events (number, kind, table_name, at, body, version)
select coalesce(max(number), 0) + 1000000, 'store.restored', '', current_timestamp, '{}', ? from feed_events
"""
"""The last event of a copy. The ledger goes on counting after its copy was made, so a copy that is put back must not
give these numbers to other events: whoever remembers the last number would miss those, or take them for known."""


def mark_copy(copy: sqlite3.Connection) -> None:
    """See :class:`~hupai.store.wing.StoreWing`; a ledger from before there were events has none."""
    if copy.execute("select 1 from sqlite_master where name = 'feed_events'").fetchone():
        copy.execute(_INSERT_RESTORED, (version(),))
