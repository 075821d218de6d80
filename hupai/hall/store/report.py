"""The report of a tournament, made from what is kept: everybody's figures, the best hands, the false wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Engine, select, tuple_
from sqlalchemy.orm import Session, undefer

from hupai.games.figures import PlayedGame, tally_figures
from hupai.hall.store.state.day_sheet import explained_hands
from hupai.hall.store.state.entrants import entrants_of
from hupai.hall.store.state.played_tables import PlayedTable, played_tables
from hupai.hall.store.state.tournament_log import find_tournament, state_of
from hupai.hall.tables import FeedHand
from hupai.store.database import reading
from hupai.store.play.games import played_games
from hupai.store.tables import GameHand
from scoring.payments import plain_amount
from scoring.written import read_tiles

BEST_HANDS: Final = 10
_TILES: Final = ("concealed", "winning_tile", "melds", "bonus")


def tournament_report(engine: Engine, tournament_id: str) -> dict[str, Any]:
    """Return what a tournament's report tells besides its standings.

    Returns:
        ``figures``: :class:`~hupai.games.figures.PlayerFigures` of its games. ``best``: the dearest wins, each with
        ``round``, ``table``, ``game_id``, ``number``, the names ``player`` and ``from_player``, ``win``, ``elements``,
        ``total``, ``amount``, its tiles as ``hand`` where they were entered, and ``frame`` where a camera's picture of
        it is kept. ``chombo``: false wins at the tables (with ``table`` and ``hand``) and penalties of that kind (with
        ``amount``): ``round``, ``player``, ``reason``.

    Raises:
        NotFound: no such tournament.
    """
    with reading(engine) as session:
        row = find_tournament(session, tournament_id)
        tables = {table.game_id: table for table in played_tables(session, row)}
        games = list(played_games(session, list(tables)))
        return {
            "figures": [asdict(one) for one in tally_figures(games)],
            "best": _best_hands(session, games, tables),
            "chombo": _list_chombo(session, row.id, {game.terms.id: game.players for game in games}, tables),
        }


def _best_hands(
    session: Session, games: Sequence[PlayedGame], tables: Mapping[str, PlayedTable]
) -> list[dict[str, Any]]:
    """Return the wins of the highest value, among equals those that were paid most."""
    wins = [
        (-Decimal(str(win["total"]["value"])), -hand.payments[str(win["player"])], i, game, hand.number, win)
        for game in games
        for hand in game.hands
        for i, win in enumerate(hand.summary)
        if win["total"]
    ]
    best = sorted(wins, key=lambda one: one[:2])[:BEST_HANDS]
    where = [(game.terms.id, number) for *_, game, number, _ in best]
    hands = select(GameHand).where(tuple_(GameHand.game_id, GameHand.number).in_(where))
    requests = {
        (h.game_id, h.number): h.request["scored"] for h in session.scalars(hands.options(undefer(GameHand.request)))
    }
    laid = select(FeedHand).where(
        tuple_(FeedHand.game_id, FeedHand.hand_number).in_(where), FeedHand.frame_id.is_not(None)
    )
    frames = {(one.game_id, one.hand_number, _tiles_of(one.hand)): one.frame_id for one in session.scalars(laid)}
    found = []
    for _, paid, i, game, number, win in best:
        table, scored = tables[game.terms.id], requests[game.terms.id, number][i]
        giver = win["from_player"]
        indicators = {name: scored["context"].get(name) for name in ("dora_indicators", "ura_indicators")}
        found.append(
            {
                "round": table.result.round,
                "table": table.result.table,
                "game_id": game.terms.id,
                "number": number,
                "player": game.players[win["player"]],
                "win": win["win"],
                "from_player": None if giver is None else game.players[giver],
                "elements": win["elements"],
                "total": win["total"],
                "amount": plain_amount(-paid),
                "hand": {**{name: scored.get(name) for name in _TILES}, **indicators} if _tiles_of(scored) else None,
                "frame": frames.get((game.terms.id, number, _tiles_of(scored))),
            }
        )
    return found


def _tiles_of(hand: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tiles in a hand without its melds, in order."""
    parts = [hand.get(name) or [] for name in ("concealed", "winning_tile")]
    return tuple(
        sorted(t.code for part in parts for t in read_tiles(part if isinstance(part, str) else " ".join(part)))
    )


def _list_chombo(
    session: Session, tournament_id: str, names: Mapping[str, Sequence[str]], tables: Mapping[str, PlayedTable]
) -> list[dict[str, Any]]:
    state = state_of(session, tournament_id)
    false_wins = {game_id: table.false_wins for game_id, table in tables.items() if table.false_wins}
    reasons = {**explained_hands(session, false_wins), **state.explained}
    at_tables = [
        {
            "round": tables[game_id].result.round,
            "table": tables[game_id].result.table,
            "hand": hand,
            "player": names[game_id][player],
            "reason": reasons.get((game_id, hand)),
        }
        for game_id, hands in false_wins.items()
        for hand, player in hands.items()
    ]
    people = {e.number: e.name for e in entrants_of(session, tournament_id)}
    given = [
        {"round": p["round"], "player": people[p["player"]], "amount": p["amount"], "reason": p["reason"]}
        for p in state.penalties.values()
        if p["kind"] == "chombo" and p["withdrawn"] is None
    ]
    return sorted([*at_tables, *given], key=lambda one: one["round"])
