"""Saves what is about to be removed in a file of its own."""

from __future__ import annotations

import errno
import json
import os
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select

from hupai.basics.timestamps import format_time
from hupai.store.database import reading
from hupai.store.errors import StoreError
from hupai.store.feed_tables import FeedEvent, FeedFrame, FeedHand
from hupai.store.play.games import SqlGames
from hupai.store.retention import Expired
from hupai.store.tournament.directing import camera_hand_json
from hupai.store.tournament.tournament_log import list_tournament_changes
from hupai.store.tournament.tournaments import get_tournament
from hupai.tournament.export import tournament_export
from scoring.version import version


def export_expired(path: Path, engine: Engine, named: Expired) -> None:
    """Write what was named into a new zip file, completely or not at all, readable for this user only.

    It has ``tournaments/ID.json`` with everything that was done, ``games/ID.json`` with every hand,
    ``hands/NUMBER.json`` as cameras and directors saw them, ``events/NUMBER.json``, ``pictures/NUMBER.jpg``.

    Raises:
        StoreError: the file exists already or cannot be written.
    """
    if path.exists():
        raise StoreError(f"{path} is there already; name another file.")
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".hupai-expired-") as folder:
            draft = Path(folder) / "expired.zip"
            with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "w+b") as file:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as kept:
                    _fill(kept, engine, named)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
    except OSError as error:
        what = "make room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "name another place"
        raise StoreError(f"{path} cannot be written ({error.strerror}); {what}.") from error


def _fill(kept: zipfile.ZipFile, engine: Engine, named: Expired) -> None:
    def put(name: str, said: dict[str, Any]) -> None:
        kept.writestr(name, json.dumps({**said, "version": version()}, ensure_ascii=False, indent=1) + "\n")

    put(
        "about.json",
        {"format": 1, "at": format_time(datetime.now(UTC)), "before": format_time(named.before), **named.to_json()},
    )
    for cup in sorted(named.tournaments):
        changes = list_tournament_changes(engine, cup)
        put(f"tournaments/{cup}.json", {**tournament_export(get_tournament(engine, cup)), **changes})
    for game_id in sorted(named.games):
        game, hands = SqlGames(engine).all_hands(game_id)
        put(f"games/{game_id}.json", {**game, "hands": hands})
    with reading(engine) as session:
        for number in sorted(named.hands):
            put(f"hands/{number}.json", camera_hand_json(session.get_one(FeedHand, number), whole=True))
            session.expunge_all()
        for number in sorted(named.events):
            event = session.get_one(FeedEvent, number)
            head = {"number": number, "event": event.kind, "table": event.table_name, "at": format_time(event.at)}
            put(f"events/{number}.json", {**head, "hand_id": event.hand_id, **event.body})
            session.expunge_all()
        for number in sorted(named.frames):
            picture = session.scalar(select(FeedFrame.jpeg).where(FeedFrame.id == number))
            if picture is not None:  # a watcher keeps a limited number
                kept.writestr(f"pictures/{number}.jpg", picture, zipfile.ZIP_STORED)
