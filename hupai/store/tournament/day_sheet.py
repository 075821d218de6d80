"""The director's day sheet: what is missing before the next round can begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from hupai.ledger.history import CORRECTED
from hupai.store.play.game_rows import find_false_wins
from hupai.store.tables import GameChange
from hupai.store.tournament.tournament_log import TournamentState
from scoring.seats import SEATS


def list_missing(session: Session, tables: Sequence[Mapping[str, Any]], state: TournamentState) -> list[dict[str, Any]]:
    """Return what is missing at the tables of a round, as in the API: table after table, the gravest first.

    Then come the registrations that wait for the director, with the players' details and a ``number``.

    Returns:
        ``missing``: ``result`` (the game goes on), ``objection`` (of ``seat``, with its ``reason``), ``signature`` (of
        ``seats``, the players' first ones) or ``reason`` (of a false win, ``hand``, by ``player``); ``table``;
        ``game_id``.
    """
    unexplained = _unexplained_false_wins(session, [table["game_id"] for table in tables], state)
    found: list[dict[str, Any]] = []
    for table in tables:
        where = {"table": table["table"], "game_id": table["game_id"]}
        if not table["ended"]:
            found.append({"missing": "result", **where})
        else:
            objected = table["objected"].items()
            found += [{"missing": "objection", **where, "seat": seat, "reason": why} for seat, why in objected]
            taken = SEATS[: len(table["players"])]
            seats = [s.value for s in taken if s.value not in {*table["signed"], *table["objected"]}]
            found += [{"missing": "signature", **where, "seats": seats}] if seats else []
        for number, player in unexplained.get(table["game_id"], {}).items():
            name = table["players"][player]["name"]
            found.append({"missing": "reason", **where, "hand": number, "player": name})
    return [*found, *({"missing": "registration", "number": r.number, **r.player} for r in state.waiting)]


def _unexplained_false_wins(
    session: Session, game_ids: Sequence[str], state: TournamentState
) -> dict[str, dict[int, int]]:
    """Return game -> hand -> player of the false wins that count and nobody has given a reason for."""
    reasoned = (GameChange.game_id.in_(game_ids), GameChange.kind == CORRECTED, GameChange.reason.is_not(None))
    query = select(GameChange.game_id, GameChange.hand_number).where(*reasoned)
    explained = {(game_id, number) for game_id, number in session.execute(query)} | state.explained
    return {
        game_id: {number: player for number, player in hands.items() if (game_id, number) not in explained}
        for game_id, hands in find_false_wins(session, game_ids).items()
    }
