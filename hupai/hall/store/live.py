"""Whose hands may be shown while they are played, and how late: noted by the director, kept in the event's log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from hupai.basics.errors import NotFound
from hupai.games.history import Amendment
from hupai.games.terms.confirmed import table_context
from hupai.games.terms.state import TableState
from hupai.hall.store.state.tournament_json import tournament_json
from hupai.hall.store.state.tournament_log import (
    LIVE,
    ChangeKind,
    TournamentState,
    lock_tournament,
    log_change,
    state_of,
)
from hupai.hall.tables import Entrant, FeedHand, RoundSeat, Tournament, TournamentChange
from hupai.store.database import reading, writing
from hupai.store.play.game_rows import find_game
from hupai.store.play.histories import present_table, terms_of
from scoring.seats import SEATS, Seat
from scoring.words.sentence import say


@dataclass(frozen=True, slots=True)
class Place:
    """A place at a table: ``seat`` is the wind of whoever sits there when the game begins, and stays."""

    table: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class Permit:
    """Leave to show the hands of whoever sits in a place.

    Attributes:
        tournament, game_id: where he plays. player, name: who. delay: seconds by which it is shown late.
    """

    tournament: str
    game_id: str
    player: int
    name: str
    delay: int


Permits = Mapping[Place, Permit]


@dataclass(frozen=True, slots=True)
class TableNow:
    """What a table's game says about the hand that is played in it.

    Attributes:
        rules, options: it is played by. state: it was dealt in. context: what the table knows for a score request.
        indicators: codes of the dora indicators that the camera over the table sees.
    """

    rules: str
    options: Mapping[str, Any]
    state: TableState
    context: Mapping[str, Any]
    indicators: tuple[str, ...]


def note_consent(engine: Engine, tournament_id: str, place: Place, who: Amendment, *, given: bool) -> dict[str, Any]:
    """Note that the player in a place of the latest round there lets his hands be shown, or does not any more.

    It is the player's, in all rounds of the event; whoever takes his seat is asked anew. What is so already stays.

    Raises:
        NotFound: no such tournament, or nobody sits there.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        mine = (RoundSeat.tournament_id == row.id, RoundSeat.table_name == place.table)
        last = select(func.max(RoundSeat.round)).where(*mine).scalar_subquery()
        here = (*mine, RoundSeat.round == last, RoundSeat.seat == place.seat.turn)
        player = session.scalar(select(RoundSeat.entrant).where(*here))
        if player is None:
            message = say("Nobody has seat {s} at table {a}.", s=place.seat, a=f"{place.table!r:.80}")
            raise NotFound(message, field="seat")
        if (player in state_of(session, row.id).live) != given:
            detail = {"player": player, "table": place.table, "seat": place.seat.value}
            log_change(session, row, ChangeKind.LIVE_GIVEN if given else ChangeKind.LIVE_ENDED, who, detail)
        return tournament_json(session, row)


def set_live_delay(engine: Engine, tournament_id: str, seconds: int, who: Amendment) -> dict[str, Any]:
    """Set by how many seconds the live hands of an event are shown late.

    Raises:
        NotFound: no such tournament.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        log_change(session, row, ChangeKind.LIVE_DELAY, who, {"seconds": seconds})
        return tournament_json(session, row)


def list_permits(engine: Engine) -> Permits:
    """Return whose hands may be shown now: in the latest round of the latest event that seats a table."""
    with reading(engine) as session:
        logs: dict[str, list[TournamentChange]] = defaultdict(list)
        told = select(TournamentChange).where(TournamentChange.kind.in_(LIVE))
        for change in session.scalars(told.order_by(TournamentChange.tournament_id, TournamentChange.revision)):
            logs[change.tournament_id].append(change)
        said = {event: TournamentState.of(changes) for event, changes in logs.items()}
        if not any(state.live for state in said.values()):
            return {}
        latest = _latest_rounds(session)
        seats = select(RoundSeat, Entrant.name).join(
            Entrant, (Entrant.tournament_id == RoundSeat.tournament_id) & (Entrant.number == RoundSeat.entrant)
        )
        return {
            Place(seat.table_name, SEATS[seat.seat]): Permit(
                seat.tournament_id, seat.game_id, seat.entrant, name, said[seat.tournament_id].live_delay
            )
            for seat, name in session.execute(seats.where(RoundSeat.tournament_id.in_(said)))
            if latest[seat.table_name] == (seat.tournament_id, seat.round)
            and seat.entrant in said[seat.tournament_id].live
        }


def _latest_rounds(session: Session) -> dict[str, tuple[str, int]]:
    """Return table -> the latest event that seats it, and its last round there."""
    rounds = (
        select(RoundSeat.table_name, Tournament.id, func.max(RoundSeat.round))
        .join(Tournament, Tournament.id == RoundSeat.tournament_id)
        .group_by(RoundSeat.table_name, Tournament.id, Tournament.created)
        .order_by(Tournament.created, Tournament.id.desc())
    )
    return {table: (event, last) for table, event, last in session.execute(rounds)}


def table_now(engine: Engine, table: str, game_id: str) -> TableNow:
    """Return what a game says about the hand that is played in it at a table.

    Raises:
        NotFound: no such game.
    """
    with reading(engine) as session:
        game = find_game(session, game_id)
        lying = (FeedHand.table_name == table, FeedHand.game_id == game_id, FeedHand.gone_at.is_(None))
        laid = session.scalar(select(FeedHand).where(*lying).order_by(FeedHand.id.desc()).limit(1))
        seen = tuple(laid.hand.get("dora_indicators", ())) if laid is not None else ()
        state = present_table(session, game)
        return TableNow(game.rules, game.options, state, table_context(terms_of(game).house, state), seen)
