"""The public part of a tournament: every field is listed here, so that nothing else is published."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from hupai.timestamps import shown

FORMAT: Final = 1
"""Incremented when a field of the file changes its meaning."""
_STANDING: Final = ("rank", "name", "club", "country", "team", "score", "won", "tables", "placed", "penalties")


def published(cup: Mapping[str, Any], late: float = 0) -> dict[str, Any]:
    """Return the tournament without ids of games, histories, reasons and players' EMA numbers.

    Args:
        cup: as in the API. late: delay of everything in seconds, by which the clock is shifted.

    Returns:
        ``made_by``, ``format``, ``version`` (of the content), ``name``, ``rules``, ``changed_at``, ``standings``,
        ``teams``, ``rounds`` (with ``timer`` and ``tables``), ``plan``, ``announcements``.
    """
    names = {p["number"]: p["name"] for p in cup["players"]}
    said = {
        "made_by": "hupai",
        "format": FORMAT,
        "name": cup["name"],
        "rules": cup["rules"],
        "changed_at": cup["changed_at"],
        "standings": [{field: s[field] for field in _STANDING} for s in cup["standings"]],
        "teams": [{field: t[field] for field in ("rank", "team", "score")} for t in cup["teams"]],
        "rounds": [_round(r, late) for r in cup["rounds"]],
        "plan": [{"round": p["round"], "tables": _planned(p, names)} for p in cup["plan"]],
        "announcements": [{field: a[field] for field in ("at", "text")} for a in cup["announcements"]],
    }
    digest = hashlib.blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=12)
    return {**said, "version": digest.hexdigest()}


def _round(played: Mapping[str, Any], late: float) -> dict[str, Any]:
    tables = [
        {
            "table": t["table"],
            "hands": t["hands"],
            "ended": t["ended"],
            "players": [{"name": p["name"], "total": p["total"]} for p in t["players"]],
        }
        for t in played["tables"]
    ]
    return {"round": played["round"], "timer": _timer(played["timer"], late), "tables": tables}


def _timer(timer: Mapping[str, Any] | None, late: float) -> dict[str, Any] | None:
    """Return a clock: a running one has its end, a paused one the seconds that are left."""
    if timer is None:
        return None
    if timer["ends_at"] is None:
        return {"state": timer["state"], "minutes": timer["minutes"], "left": timer["left"], "ends_at": None}
    ends = shown(datetime.fromisoformat(timer["ends_at"]) + timedelta(seconds=late))
    return {"state": timer["state"], "minutes": timer["minutes"], "left": None, "ends_at": ends}


def _planned(planned: Mapping[str, Any], names: Mapping[int, str]) -> list[dict[str, Any]]:
    return [
        {"table": table["table"] or str(i), "players": [{"name": names[n]} for n in table["players"]]}
        for i, table in enumerate(planned["tables"], 1)
    ]
