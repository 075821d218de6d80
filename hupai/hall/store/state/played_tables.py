"""Tables of every round in their present state: what has been played, and how it stands."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from hupai.hall.seating.standings import TableResult
from hupai.hall.store.game_cache import GameCache, stamp_games
from hupai.hall.store.watched.watched_tables import natural_sort_key
from hupai.hall.tables import RoundSeat, Tournament
from hupai.store.play.game_rows import find_false_wins
from hupai.store.play.histories import terms_of
from hupai.store.tables import Game, GameHand
from scoring.payments import POT


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table of a round.

    Attributes:
        game_id: its game. revision, changed: the game's, and when that was. ended: whether it is over.
        by_totals: whether its last hand is a result by totals. result: so far.
        false_wins: hand -> player of those that count.
    """

    game_id: str
    revision: int
    changed: datetime
    ended: bool
    by_totals: bool
    result: TableResult
    false_wins: Mapping[int, int]


def played_tables(session: Session, row: Tournament) -> list[PlayedTable]:
    """Return every table of every round in its present state, in order."""
    columns = (RoundSeat.game_id, RoundSeat.round, RoundSeat.table_name, RoundSeat.entrant)
    seats = select(*columns).where(RoundSeat.tournament_id == row.id).order_by(RoundSeat.round, RoundSeat.table_name)
    games: dict[str, tuple[int, str, list[int]]] = {}
    for game_id, number, table, entrant in session.execute(seats.order_by(RoundSeat.seat)):
        games.setdefault(game_id, (number, table, []))[2].append(entrant)
    stamps = stamp_games(session, games)
    scores = _scores.values(session, stamps)
    found = []
    for game_id, (number, table, seated) in games.items():
        stamp, score = stamps[game_id], scores[game_id]
        points = tuple(score.totals[str(i)] for i in range(len(seated)))
        result = TableResult(number, table, tuple(seated), points, score.hands, score.sticks, score.fines)
        state = (stamp.revision, stamp.changed, score.ended, score.by_totals)
        found.append(PlayedTable(game_id, *state, result, score.false_wins))
    return sorted(found, key=lambda played: (played.result.round, natural_sort_key(played.result.table)))


def last_round(session: Session, tournament_id: str) -> int:
    """Return the number of the last seated round, 0 if there is none."""
    return session.scalar(select(func.max(RoundSeat.round)).where(RoundSeat.tournament_id == tournament_id)) or 0


def last_round_at(session: Session, tournament_id: str, table: str) -> int:
    """Return the number of the last round in which this table has a game, 0 if there is none."""
    mine = (RoundSeat.tournament_id == tournament_id, RoundSeat.table_name == table)
    return session.scalar(select(func.max(RoundSeat.round)).where(*mine)) or 0


@dataclass(frozen=True, slots=True)
class _GameScore:
    """What a game has come to.

    Attributes:
        totals: by account. hands: how many count. sticks: the points of those that are left, for the first.
        fines: by player. ended, by_totals, false_wins: as in :class:`PlayedTable`.
    """

    totals: Mapping[str, Decimal]
    hands: int
    sticks: Decimal
    fines: tuple[int, ...]
    ended: bool
    by_totals: bool
    false_wins: Mapping[int, int]


def _load_scores(session: Session, game_ids: Collection[str]) -> dict[str, _GameScore]:
    standing = (
        select(GameHand.game_id, func.count().label("count"), func.max(GameHand.number).label("number"))
        .where(GameHand.game_id.in_(game_ids), GameHand.undone_at.is_(None))
        .group_by(GameHand.game_id)
        .subquery()
    )
    last = (GameHand.game_id == standing.c.game_id) & (GameHand.number == standing.c.number)
    ends = {h.game_id: (h, int(n)) for h, n in session.execute(select(GameHand, standing.c.count).join(standing, last))}
    false_wins = find_false_wins(session, game_ids)
    found = {}
    for game in session.scalars(select(Game).where(Game.id.in_(game_ids))):
        hand, count = ends.get(game.id, (None, 0))
        terms = terms_of(game)
        totals = terms.totals_after(hand)
        sticks = totals[POT] if terms.course["sticks_left"] == "first" else Decimal(0)
        wrong = false_wins.get(game.id, {})
        fines = terms.fines(list(wrong.values()))
        ended, by_totals = terms.state_after(hand).ended is not None, hand is not None and hand.outcome == "result"
        found[game.id] = _GameScore(totals, count, sticks, fines, ended, by_totals, wrong)
    return found


_scores: Final = GameCache(_load_scores)
