"""What a director does besides hands and players: penalties, timers, announcements, results, sign-off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict, NotFound
from hupai.games.apply import apply
from hupai.games.commands import Command, NewHand
from hupai.games.history import CORRECTED, ENDED, RECORDED, Amendment, History
from hupai.games.terms.confirmed import Confirmed, confirmed_body
from hupai.hall.store.state.entrants import find_entrant
from hupai.hall.store.state.played_tables import last_round
from hupai.hall.store.state.tournament_json import tournament_json
from hupai.hall.store.state.tournament_log import (
    DIRECTOR,
    ChangeKind,
    lock_tournament,
    log_change,
    state_of,
    timer_detail,
)
from hupai.hall.tables import RoundSeat, Tournament
from hupai.store.clock import now as now_in
from hupai.store.database import writing
from hupai.store.play.changes import revision_of
from hupai.store.play.game_rows import find_game
from hupai.store.play.games import SqlGames
from hupai.store.play.histories import load_history, present_table
from hupai.store.tables import Game, GameHand
from scoring.errors import Fault, InvalidRequest
from scoring.payments import plain_amount
from scoring.seats import EMPTY_SEAT, Seat
from scoring.words.sentence import say

PENALTIES: Final = ("penalty", "chombo", "compensation")


def penalise(
    engine: Engine,
    tournament_id: str,
    player: int,
    amount: Decimal,
    who: Amendment,
    *,
    kind: str = "penalty",
    number: int | None = None,
) -> dict[str, Any]:
    """Add an amount, usually negative, to a player's score: a penalty, a chombo counted separately, a compensation.

    Args:
        engine, tournament_id, player: whose. amount: added, in the units of the standings. who: and why.
        kind: of :data:`PENALTIES`. number: the round it belongs to; the last one if None.

    Raises:
        NotFound: no such tournament, player or round.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        find_entrant(session, row.id, player)
        last = last_round(session, row.id)
        if number is not None and number > last:
            raise NotFound(say("Round {n} is not seated.", n=number), field="round")
        detail = {
            "player": player,
            "amount": plain_amount(amount),
            "kind": kind,
            "round": last if number is None else number,
        }
        log_change(session, row, ChangeKind.PENALTY, who, detail)
        return tournament_json(session, row)


def withdraw_penalty(engine: Engine, tournament_id: str, number: int, who: Amendment) -> dict[str, Any]:
    """Withdraw a penalty; it stays in the history.

    Raises:
        NotFound: no such tournament or penalty. Conflict: it was withdrawn before.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        given = state_of(session, row.id).penalties.get(number)
        if given is None:
            raise NotFound(say("This tournament has no penalty {n}.", n=number), field="number")
        if given["withdrawn"] is not None:
            raise Conflict(say("Penalty {n} was withdrawn before.", n=number), field="number")
        log_change(session, row, ChangeKind.PENALTY_WITHDRAWN, who, {"number": number})
        return tournament_json(session, row)


def set_timer(
    engine: Engine, tournament_id: str, number: int, act: str, minutes: int | None = None, who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Start, pause or stop a round's timer; a paused one continues where it stopped. The first start needs minutes.

    Raises:
        NotFound: no such tournament or round. Conflict: it has no timer yet, or the timer is not running.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        if not 1 <= number <= last_round(session, row.id):
            raise NotFound(say("Round {n} is not seated.", n=number), field="round")
        now = now_in(session)
        before = state_of(session, row.id).timer(number, now)
        if (act == "pause" and (before is None or before["state"] != "running")) or (before is None and act == "stop"):
            raise Conflict(say("The timer of round {n} is not running.", n=number), field="act")
        if act == "start" and minutes is None and before is None:
            raise Conflict(say("Say how many minutes round {n} has.", n=number), field="minutes")
        left = minutes * 60 if minutes is not None else (before or {}).get("left", 0)
        state = {"start": "running", "pause": "paused", "stop": "stopped"}[act]
        whole = minutes if minutes is not None else (before or {}).get("minutes")
        log_change(session, row, ChangeKind.TIMER, who, timer_detail(number, state, whole, left, now))
        return tournament_json(session, row)


def extend_table(
    engine: Engine, tournament_id: str, number: int, table: str, minutes: int, hands: int, who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Give one table more time than the round has, or more hands after it; what it was given before stays.

    Raises:
        NotFound: no such tournament, round or table. Conflict: its game has ended.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        game = find_game(session, game_at(session, row.id, number, table), lock=True)
        if present_table(session, game).ended is not None:
            raise Conflict("The game at this table has ended; reopen it first.", code="game_over", field="table")
        detail = {"round": number, "table": table, "game_id": game.id, "minutes": minutes, "hands": hands}
        log_change(session, row, ChangeKind.EXTENDED, who, detail)
        return tournament_json(session, row)


def announce(engine: Engine, tournament_id: str, text: str, who: Amendment = DIRECTOR) -> dict[str, Any]:
    """Announce something to everybody.

    Raises:
        NotFound: no such tournament.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        log_change(session, row, ChangeKind.ANNOUNCED, who, {"text": text})
        return tournament_json(session, row)


def sign_game(
    engine: Engine, tournament_id: str, number: int, table: str, seats: Sequence[Seat], who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Sign a table's game for players, once it has ended; a game that is changed has to be signed again.

    Seats are those at the start of the game.

    Raises:
        NotFound: no such tournament, round or table. Conflict: the game has not ended, or nothing was played in it.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        _sign(session, row, find_signable(session, row, number, table), seats, who)
        return tournament_json(session, row)


def object_to_result(
    engine: Engine, tournament_id: str, number: int, table: str, seat: Seat, who: Amendment
) -> dict[str, Any]:
    """Note that a player does not sign a table's game, and why; it is shown until the player signs.

    Raises:
        NotFound, Conflict: as :func:`sign_game`.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        game = find_signable(session, row, number, table)
        (place,) = _places(game, (seat,))
        detail = {"game_id": game.id, "seat": place, "revision": revision_of(session, game.id)}
        log_change(session, row, ChangeKind.OBJECTED, who, detail)
        return tournament_json(session, row)


def find_signable(session: Session, row: Tournament, number: int, table: str) -> Game:
    """Return a table's game, locked, if it can be signed.

    Raises:
        NotFound, Conflict: as :func:`sign_game`.
    """
    game = find_game(session, game_at(session, row.id, number, table), lock=True)
    if present_table(session, game).ended is None:
        raise Conflict("The game at this table still goes on; end it before it is signed.", field="table")
    if session.scalar(select(GameHand.id).where(GameHand.game_id == game.id).limit(1)) is None:
        raise Conflict("Nothing was played at this table; enter its result before it is signed.", field="table")
    return game


def _sign(session: Session, row: Tournament, game: Game, seats: Sequence[Seat], who: Amendment, **more: Any) -> None:
    detail = {"game_id": game.id, "seats": _places(game, seats), "revision": revision_of(session, game.id), **more}
    log_change(session, row, ChangeKind.SIGNED, who, detail)


def _places(game: Game, seats: Sequence[Seat]) -> list[int]:
    """Return the players' numbers in a game by their first seats; raises InvalidRequest if nobody sits there."""
    empty = [seat for seat in seats if seat.turn >= len(game.players)]
    if empty:
        raise InvalidRequest.of([Fault("bad_value", say(EMPTY_SEAT, s=empty[0]), "seats")])
    return [seat.turn for seat in seats]


def explain_false_win(
    engine: Engine, tournament_id: str, number: int, table: str, hand: int, who: Amendment
) -> dict[str, Any]:
    """Note why a player was penalised for a false win at a table: the reason is that of ``who``.

    Raises:
        NotFound: no such tournament, round, table or false win.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        game_id = game_at(session, row.id, number, table)
        if load_history(session, find_game(session, game_id)).hand(hand).outcome != "false_win":
            raise NotFound(say("Hand {n} is not a false win.", n=hand), field="hand")
        detail = {"round": number, "table": table, "hand": hand, "game_id": game_id}
        log_change(session, row, ChangeKind.EXPLAINED, who, detail)
        return tournament_json(session, row)


def enter_result(
    engine: Engine,
    tournament_id: str,
    number: int,
    table: str,
    totals: Sequence[Decimal],
    who: Amendment,
    signed: Sequence[Seat] = (),
) -> dict[str, Any]:
    """Enter a table's result by the totals of its players, and end its game; or correct one of a game that is over.

    Args:
        engine, tournament_id, number, table: where. totals: points of the players in the order of their first seats;
            what they lack to the whole are riichi sticks left over. who: enters it. signed: first seats of the players
            who have signed it on paper.

    Raises:
        NotFound: no such tournament, round or table. InvalidRequest: the totals do not add up.
        Conflict: the game has ended, and not by totals; it is signed, and no reason is given.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        game = find_game(session, game_at(session, row.id, number, table), lock=True)
        entered = _result_of(totals)
        detail = {"round": number, "table": table, "totals": entered.body["totals"]}
        history = load_history(session, game)
        last = history.last
        if history.state.ended is not None and last is not None and last.outcome == "result":
            SqlGames(session).do(game.id, Command(CORRECTED, who, number=last.number, hand=entered))
            detail["was"] = last.request["totals"]
        else:
            SqlGames(session).do(game.id, Command(RECORDED, Amendment(who.by, ""), hand=entered))
            if present_table(session, game).ended is None:
                SqlGames(session).do(game.id, Command(ENDED, who))
        logged = log_change(session, row, ChangeKind.RESULT, who, detail)
        if signed:
            # The key is that of the result.
            _sign(session, row, game, signed, replace(who, once=None), with_result=logged)
        return tournament_json(session, row)


def _result_of(totals: Sequence[Decimal]) -> NewHand:
    confirmed = Confirmed("result", totals=tuple(totals))
    return NewHand(confirmed, confirmed_body(confirmed))


def restore_result(game: History, totals: Sequence[Any], who: Amendment, now: datetime) -> History:
    """Return a game with the totals again that its last hand, a result, had before it was corrected."""
    assert game.last is not None
    result = _result_of([Decimal(str(n)) for n in totals])
    return apply(game, Command(CORRECTED, who, number=game.last.number, hand=result), now)


def game_at(session: Session, tournament_id: str, number: int, table: str) -> str:
    """Return the id of the game of a table in a round.

    Raises:
        NotFound: no such round or table.
    """
    mine = (RoundSeat.tournament_id == tournament_id, RoundSeat.round == number, RoundSeat.table_name == table)
    game_id = session.scalar(select(RoundSeat.game_id).where(*mine).limit(1))
    if game_id is None:
        raise NotFound(say("Round {n} has no table {a}.", n=number, a=f"{table!r:.80}"), field="table")
    return game_id
