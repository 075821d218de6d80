"""Saves what is about to be removed in a file of its own."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from hupai.basics.timestamps import format_time
from hupai.games.exchange import export_game
from hupai.store.backup import new_zip
from hupai.store.errors import StoreError
from hupai.store.play.games import SqlGames
from hupai.store.retention import Expired
from scoring.version import version


def export_expired(path: Path, engine: Engine, named: Expired) -> None:
    """Write what was named into a new zip file, completely or not at all, readable for this user only.

    It has ``games/ID.json`` with every hand, and what each wing adds.

    Raises:
        StoreError: the file exists already or cannot be written.
    """
    if path.exists():
        raise StoreError(f"{path} is there already; name another file.")
    with new_zip(path) as (kept, _):
        _fill(kept, engine, named)


def _fill(kept: zipfile.ZipFile, engine: Engine, named: Expired) -> None:
    def put(name: str, said: Mapping[str, Any] | bytes) -> None:
        if isinstance(said, bytes):  # a picture: it is compressed already
            kept.writestr(name, said, zipfile.ZIP_STORED)
        else:
            kept.writestr(name, json.dumps({**said, "version": version()}, ensure_ascii=False, indent=1) + "\n")

    put(
        "about.json",
        {"format": 1, "at": format_time(datetime.now(UTC)), "before": format_time(named.before), **named.to_json()},
    )
    for game_id in sorted(named.games):
        game, hands = export_game(SqlGames(engine).read(game_id))
        put(f"games/{game_id}.json", {**game, "hands": hands})
    for theirs in named.wings:
        theirs.export(engine, put)
