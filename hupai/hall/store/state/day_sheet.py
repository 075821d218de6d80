"""The director's day sheet: what is missing before the next round can begin."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from hupai.games.history import CORRECTED
from hupai.hall.store.state.tournament_log import TournamentState
from hupai.store.tables import GameChange
from scoring.seats import SEATS


def list_missing(
    session: Session,
    rounds: Mapping[int, Sequence[Mapping[str, Any]]],
    false_wins: Mapping[str, Mapping[int, int]],
    state: TournamentState,
) -> list[dict[str, Any]]:
    """Return what is missing at the tables of all rounds, as in the API: table after table, the gravest first.

    Then come the registrations that wait for the director, with the players' details and a ``number``.

    Args:
        session: reads reasons. rounds: tables as in the API. false_wins: game -> hand -> player of those that count.
        state: of the tournament.

    Returns:
        ``missing``: ``result`` (the game goes on), ``objection`` (of ``seat``, with its ``reason``), ``signature`` (of
        ``seats``, the players' first ones) or ``reason`` (of a false win, ``hand``, by ``player``); ``round``;
        ``table``; ``game_id``.
    """
    explained = {*explained_hands(session, false_wins), *state.explained}
    found: list[dict[str, Any]] = []
    for number, table in ((n, table) for n, tables in sorted(rounds.items()) for table in tables):
        where = {"round": number, "table": table["table"], "game_id": table["game_id"]}
        if not table["ended"]:
            found.append({"missing": "result", **where})
        else:
            objected = table["objected"].items()
            found += [{"missing": "objection", **where, "seat": seat, "reason": why} for seat, why in objected]
            taken = SEATS[: len(table["players"])]
            seats = [s.value for s in taken if s.value not in {*table["signed"], *table["objected"]}]
            found += [{"missing": "signature", **where, "seats": seats}] if seats else []
        for hand, player in false_wins.get(table["game_id"], {}).items():
            if (table["game_id"], hand) not in explained:
                name = table["players"][player]["name"]
                found.append({"missing": "reason", **where, "hand": hand, "player": name})
    return [*found, *({"missing": "registration", "number": r.number, **r.player} for r in state.waiting)]


def explained_hands(session: Session, game_ids: Collection[str]) -> dict[tuple[str, int], str | None]:
    """Return the last reason of those hands that were corrected with one, by game and hand."""
    if not game_ids:
        return {}
    reasoned = (GameChange.game_id.in_(game_ids), GameChange.kind == CORRECTED, GameChange.reason.is_not(None))
    query = select(GameChange.game_id, GameChange.hand_number, GameChange.reason).where(*reasoned)
    return {(game, number): why for game, number, why in session.execute(query.order_by(GameChange.revision))}
