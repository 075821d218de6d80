"""What a director does besides hands: players, penalties, substitutes, timers, announcements, sign-off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict, NotFound
from hupai.games.apply import apply
from hupai.games.commands import Command, NewHand
from hupai.games.confirmed import Confirmed, confirmed_body
from hupai.games.history import CORRECTED, ENDED, RECORDED, SEATED, Amendment, History
from hupai.hall.seating.importing import NewEntrant, parse_players
from hupai.hall.store.entrants import FIELDS, add_entrants, edit_entrant, entrant_json, entrants_of, find_entrant
from hupai.hall.store.tournament_log import (
    DIRECTOR,
    ChangeKind,
    find_tournament,
    lock_tournament,
    log_change,
    state_of,
    timer_detail,
)
from hupai.hall.store.tournaments import last_round, tournament_json
from hupai.hall.tables import Entrant, RoundSeat, Tournament
from hupai.store.clock import now as now_in
from hupai.store.database import reading, writing
from hupai.store.play.changes import revision_of
from hupai.store.play.game_rows import find_game
from hupai.store.play.games import SqlGames
from hupai.store.play.histories import load_history, present_table
from hupai.store.tables import Game, GameHand, Player
from scoring.errors import Fault, InvalidRequest
from scoring.payments import plain_amount
from scoring.seats import EMPTY_SEAT, Seat
from scoring.words.sentence import say

PENALTIES: Final = ("penalty", "chombo", "compensation")
_WHOSE_HANDS: Final = (
    "Hands were recorded at this table: say whether they stay with the seats or go with the players (hands)."
)


def add_players(
    engine: Engine, tournament_id: str, players: Sequence[NewEntrant], who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Add players; they play from the next round on.

    Raises:
        NotFound: no such tournament. Conflict: a name that is taken.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        after = max(state_of(session, row.id).removed, default=0)
        log_change(session, row, ChangeKind.PLAYERS, who, {"players": add_entrants(session, row.id, players, after)})
        return tournament_json(session, row)


def import_players(engine: Engine, tournament_id: str, text: str, who: Amendment = DIRECTOR) -> dict[str, Any]:
    """Add the players of a list, but for the rows that are refused; say what was made of its ``columns``, too.

    Raises:
        NotFound: no such tournament. InvalidRequest: no row can be taken.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        found = parse_players(text, [e.name for e in entrants_of(session, row.id)])
        after = max(state_of(session, row.id).removed, default=0)
        read = {name: value for name, value in found.to_json().items() if name != "players"}
        numbers = add_entrants(session, row.id, found.entrants, after)
        log_change(session, row, ChangeKind.PLAYERS, who, {"players": numbers, **read})
        return {**tournament_json(session, row), **read}


def try_players(engine: Engine, tournament_id: str, text: str) -> dict[str, Any]:
    """Return what :func:`import_players` would make of a list: its ``columns``, ``players`` and ``refused`` rows.

    Raises:
        NotFound: no such tournament. InvalidRequest: this is no CSV in UTF-8.
    """
    with reading(engine) as session:
        row = find_tournament(session, tournament_id)
        return parse_players(text, [e.name for e in entrants_of(session, row.id)]).to_json()


def edit_player(
    engine: Engine, tournament_id: str, number: int, detail: Mapping[str, Any], who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Change fields of a player's :class:`NewEntrant`; the player's games show the new name, too.

    Raises:
        NotFound: no such tournament or player. Conflict: a name that is taken.
        InvalidRequest: an invalid name or number.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        entrant = find_entrant(session, row.id, number)
        was = entrant_json(entrant)
        said = {**was, **detail}
        clean = NewEntrant.parse({f: said[f] for f in FIELDS[:-1]}, "player", substitute=said["substitute"])
        _edit(session, row, entrant, {f: getattr(clean, f) for f in FIELDS})
        log_change(session, row, ChangeKind.PLAYER, who, {"was": was, "now": entrant_json(entrant)})
        return tournament_json(session, row)


def let_player_leave(
    engine: Engine, tournament_id: str, number: int, *, back: bool = False, who: Amendment = DIRECTOR
) -> dict[str, Any]:
    """Let a player leave after the rounds seated so far (or come ``back``); the points won so far stay.

    Raises:
        NotFound: no such tournament or player.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        entrant = find_entrant(session, row.id, number)
        detail = {"player": number, "left_after": entrant.left_after}
        entrant.left_after = None if back else last_round(session, row.id)
        log_change(session, row, ChangeKind.BACK if back else ChangeKind.LEFT, who, detail)
        return tournament_json(session, row)


def remove_player(engine: Engine, tournament_id: str, number: int, who: Amendment = DIRECTOR) -> dict[str, Any]:
    """Remove a player who was added by mistake; the number is not used again, and a plan that contains it is dropped.

    Raises:
        NotFound: no such tournament or player. Conflict: a round, a substitution or a penalty names the player
            already.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        entrant = find_entrant(session, row.id, number)
        seated = (RoundSeat.tournament_id == row.id, RoundSeat.entrant == number)
        state = state_of(session, row.id)
        penalised = {p["player"] for p in state.penalties.values()}
        if number in state.moved | penalised or session.scalar(select(RoundSeat.round).where(*seated).limit(1)):
            message = "{name} belongs to what was played; a player who does not go on leaves."
            raise Conflict(say(message, name=entrant.name), field="player")
        was = entrant_json(entrant)
        session.delete(entrant)
        session.flush()
        log_change(session, row, ChangeKind.REMOVED, who, {"was": was})
        return tournament_json(session, row)


def replace_player(
    engine: Engine, tournament_id: str, number: int, out: int, into: int, who: Amendment, hands: str | None = None
) -> dict[str, Any]:
    """Put ``into`` in the seat of ``out`` in a round, or let two swap seats before either has played.

    What the seat has won so far goes with it: it counts for the player who sits there at the end. It is a change of the
    games, too: a phone that still shows the former players enters nothing for them.

    Two at one table may swap later, too: ``hands`` says whether what was recorded stays with the ``seats``, or goes
    with the ``players`` and is settled again.

    Raises:
        NotFound: no such tournament, player or seat. Conflict: both are seated, and hands were recorded, at two tables
            or without ``hands``; a table of theirs has ended; a hand would be invalid at its new seats.
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        move_player(session, row, number, out, into, who, hands)
        detail = {"round": number, "out": out, "into": into}
        log_change(session, row, ChangeKind.REPLACED, who, {**detail, **({"hands": hands} if hands else {})})
        return tournament_json(session, row)


def move_player(
    session: Session, row: Tournament, number: int, out: int, into: int, who: Amendment, hands: str | None = None
) -> None:
    """Do the same as :func:`replace_player` within a writing transaction, but log nothing in the tournament."""
    entrants = find_entrant(session, row.id, out), find_entrant(session, row.id, into)
    seat, other = (session.get(RoundSeat, (row.id, number, e.number)) for e in entrants)
    if seat is None:
        raise NotFound(say("{name} has no seat in round {n}.", name=entrants[0].name, n=number), field="out")
    seats = [s for s in (seat, other) if s is not None]
    games = {s.game_id: find_game(session, s.game_id, lock=True) for s in sorted(seats, key=lambda s: s.game_id)}
    together = other is not None and len(games) == 1
    if other is not None and session.scalar(select(func.count()).where(GameHand.game_id.in_(games))):
        if not together:
            raise Conflict("Two seated players can swap only before a hand is recorded at their tables.", field="into")
        if hands is None:
            raise Conflict(_WHOSE_HANDS, field="hands")
    if not (together and hands) and any(present_table(session, game).ended is not None for game in games.values()):
        raise Conflict("The game at this table has ended; reopen it first.", code="game_over", field="round")
    places = [(s.table_name, s.seat, s.game_id) for s in seats]
    for taken in seats:
        session.delete(taken)
    session.flush()
    for (table, place, game_id), entrant in zip(places, reversed(entrants), strict=False):
        session.add(
            RoundSeat(
                tournament_id=row.id,
                round=number,
                entrant=entrant.number,
                table_name=table,
                seat=place,
                game_id=game_id,
            )
        )
        _name_at(session, game_id, place, entrant.name)
    for game_id in games:
        swapped = [s[1] for s in places] if together and hands == "players" else []
        SqlGames(session).do(game_id, Command(SEATED, who, swapped=swapped))


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


def restore_player(session: Session, row: Tournament, was: Mapping[str, Any]) -> None:
    """Give a player the details back that were logged, within a writing transaction.

    Raises:
        NotFound: no such player. Conflict: the name is taken meanwhile.
    """
    _edit(session, row, find_entrant(session, row.id, was["number"]), {f: was[f] for f in FIELDS})


def _edit(session: Session, row: Tournament, entrant: Entrant, values: Mapping[str, Any]) -> None:
    name = entrant.name
    edit_entrant(session, entrant, values)
    if entrant.name != name:
        _rename(session, row, entrant)


def _rename(session: Session, row: Tournament, entrant: Entrant) -> None:
    mine = (RoundSeat.tournament_id == row.id, RoundSeat.entrant == entrant.number)
    for seat in session.scalars(select(RoundSeat).where(*mine)):
        _name_at(session, seat.game_id, seat.seat, entrant.name)


def _name_at(session: Session, game_id: str, number: int, name: str) -> None:
    session.get_one(Player, (game_id, number)).name = name
