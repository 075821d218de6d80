"""The director's last step undone: one button, whatever it was. The step and its undoing stay in the history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict
from hupai.games.amendments import withdraw_result
from hupai.games.history import Amendment, History
from hupai.hall.store.players.player_changes import move_player, restore_player
from hupai.hall.store.refereeing import game_at, restore_result
from hupai.hall.store.rounds.rounds import delete_seats, swap_tables
from hupai.hall.store.state.entrants import find_entrant
from hupai.hall.store.state.tournament_json import tournament_json
from hupai.hall.store.state.tournament_log import ChangeKind, can_be_undone, lock_tournament, log_change, state_of
from hupai.hall.store.state.tournament_terms import set_settings
from hupai.hall.tables import RoundSeat, Tournament, TournamentChange
from hupai.store.database import writing
from hupai.store.play.histories import change_game
from scoring.words.sentence import say

_FOLLOWS_FROM_THE_LOG: Final = (
    ChangeKind.PLANNED,
    ChangeKind.PENALTY,
    ChangeKind.PENALTY_WITHDRAWN,
    ChangeKind.TIMER,
    ChangeKind.EXTENDED,
    ChangeKind.ANNOUNCED,
    ChangeKind.SIGNED,
    ChangeKind.OBJECTED,
    ChangeKind.EXPLAINED,
    ChangeKind.DECLINED,
)
"""Kinds of changes that are undone by being left out of the state."""


def undo_step(engine: Engine, tournament_id: str, revision: int, who: Amendment) -> dict[str, Any]:
    """Undo the last change of a tournament, of this revision, that was not undone before; again, those before it.

    Raises:
        NotFound: no such tournament. Conflict: another change is the last one, or this one cannot be undone (any more).
    """
    with writing(engine) as session:
        row = lock_tournament(session, tournament_id, who)
        step = state_of(session, row.id).last_step
        if step is None or step.revision != revision:
            raise Conflict("Something else was done meanwhile; look again.", field="revision")
        undone = [step.revision]
        _undo(session, row, step, who)
        if "with_result" in step.detail:  # signed on the paper with the result, in one step
            entered = session.get_one(TournamentChange, (row.id, step.detail["with_result"]))
            _undo(session, row, entered, who)
            undone.append(entered.revision)
        log_change(session, row, ChangeKind.UNDONE, who, {"undone": undone, "kind": step.kind})
        return tournament_json(session, row)


def _undo(session: Session, row: Tournament, step: TournamentChange, who: Amendment) -> None:
    said = step.detail
    if not can_be_undone(step):
        raise Conflict("This step cannot be undone.", field="revision")
    match step.kind:
        case kind if kind in _FOLLOWS_FROM_THE_LOG:
            return
        case ChangeKind.SEATED:
            mine = (RoundSeat.tournament_id == row.id, RoundSeat.round == said["round"])
            delete_seats(session, session.scalars(select(RoundSeat).where(*mine)).all())
        case ChangeKind.RESULT:
            _undo_result(session, row, said, replace(who, reason=who.reason or step.reason or ""))
        case ChangeKind.REPLACED:
            move_player(session, row, said["round"], said["into"], said["out"], who, said.get("hands"))
        case ChangeKind.MOVED:
            swap_tables(session, row, said["round"], said["to"], said["table"])
        case ChangeKind.LEFT | ChangeKind.BACK:
            find_entrant(session, row.id, said["player"]).left_after = said["left_after"]
        case ChangeKind.PLAYERS:
            _remove_players(session, row, said["players"])
        case ChangeKind.PLAYER:
            restore_player(session, row, said["was"])
        case ChangeKind.SETTINGS:
            set_settings(row, said["was"])
    session.flush()


def _undo_result(session: Session, row: Tournament, said: Mapping[str, Any], who: Amendment) -> None:
    def withdraw(game: History, now: datetime) -> History:
        if game.last is None or game.last.outcome != "result":
            message = say("The result of table {a} was changed meanwhile; correct its game.", a=said["table"])
            raise Conflict(message, field="revision")
        if "was" in said:
            return restore_result(game, said["was"], who, now)
        return withdraw_result(game, game.last, who, now)

    change_game(session, game_at(session, row.id, said["round"], said["table"]), withdraw)


def _remove_players(session: Session, row: Tournament, numbers: Sequence[int]) -> None:
    seated = (RoundSeat.tournament_id == row.id, RoundSeat.entrant.in_(numbers))
    if session.scalar(select(RoundSeat.round).where(*seated).limit(1)) is not None:
        raise Conflict("A round seats these players; they can only leave.", field="revision")
    for number in numbers:
        session.delete(find_entrant(session, row.id, number))
