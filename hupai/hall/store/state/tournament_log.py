"""The numbered log of a tournament's changes, and the state derived from all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, Literal, NoReturn

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict, NotFound
from hupai.basics.ids import ID_LENGTH
from hupai.basics.timestamps import format_time
from hupai.games.history import RECORDED, SEATED, Amendment, RetryKey
from hupai.hall.seating.standings import Penalty
from hupai.hall.tables import RoundSeat, Tournament, TournamentChange
from hupai.store.clock import now as now_in
from hupai.store.database import reading
from hupai.store.tables import GameChange
from scoring.version import version
from scoring.words.sentence import say


class AlreadyDone(Exception):
    """The same was done before with the same idempotency key; nothing is done again.

    Attributes:
        tournament_id: where. detail: of the change made then.
    """

    def __init__(self, tournament_id: str, detail: Mapping[str, Any]) -> None:
        super().__init__(tournament_id)
        self.tournament_id, self.detail = tournament_id, detail


DIRECTOR: Final = Amendment("director", "")
"""Recorded as the person if none is given."""
_ANNOUNCEMENTS: Final = 5


class ChangeKind(StrEnum):
    """Kinds of changes."""

    REGISTERED = "registered"
    DECLINED = "declined"
    PLAYERS = "players"
    PLAYER = "player"
    LEFT = "left"
    BACK = "back"
    REMOVED = "removed"
    PLANNED = "planned"
    SEATED = "seated"
    DROPPED = "dropped"
    REPLACED = "replaced"
    MOVED = "moved"
    PENALTY = "penalty"
    PENALTY_WITHDRAWN = "penalty_withdrawn"
    TIMER = "timer"
    EXTENDED = "extended"
    ANNOUNCED = "announced"
    SIGNED = "signed"
    OBJECTED = "objected"
    RESULT = "result"
    SETTINGS = "settings"
    EXPLAINED = "explained"
    UNDONE = "undone"
    LIVE_GIVEN = "live_given"
    LIVE_ENDED = "live_ended"
    LIVE_DELAY = "live_delay"


LIVE: Final = (ChangeKind.LIVE_GIVEN, ChangeKind.LIVE_ENDED, ChangeKind.LIVE_DELAY)
"""Kinds of changes to the live hands of an event; none is undone as a step, each is taken back by another."""
LIVE_SECONDS: Final = 60
"""How late live hands are where the director says nothing else."""


def can_be_undone(change: TournamentChange) -> bool:
    """Whether there is a way back from a change; rounds cancelled and players removed stay so."""
    return change.kind not in (ChangeKind.DROPPED, ChangeKind.REMOVED, ChangeKind.UNDONE)


@dataclass(frozen=True, slots=True)
class Registration:
    """A player who registered himself.

    Attributes:
        number: of the change that it was. player: fields of a new entrant. key: digest of what opens it.
        address: digest of where it came from. reason: why it was declined, if somebody said so.
    """

    number: int
    player: Mapping[str, Any]
    key: str
    address: str
    state: Literal["waiting", "confirmed", "declined"] = "waiting"
    reason: str | None = None


@dataclass(slots=True)
class TournamentState:
    """The state that follows from a tournament's changes.

    Attributes:
        revision, at: of the last change. penalties: in order, each with the revision of its change as its ``number``.
        plan: round -> what is planned for it (``tables``, ``resting``, ``repeats``).
        rounds: round -> ``method`` and ``repeats`` it was seated with; ``players`` if it was for chosen ones.
        timers: round -> the last timer change.
        extra: game -> ``minutes`` and ``hands`` that its table has beyond the round's time.
        announcements: the latest last. signed: game -> player's number in it -> the signature. objected: game ->
        player's number in it -> why that player does not sign; until they do.
        removed: numbers of players who were removed. moved: numbers of those who left or took a seat within a round.
        explained: game and hand of the false wins that the director has given a reason for -> the last one.
        registrations: number -> a player who registered himself.
        live: number of a player who lets his hands be shown while they are played -> who noted it, and when.
        live_delay: seconds by which they are shown late.
        last_step: the last change that was not undone, is no registration and not about live hands; None before the
            first.
    """

    revision: int = 0
    at: datetime | None = None
    penalties: dict[int, dict[str, Any]] = field(default_factory=dict)
    plan: dict[int, dict[str, Any]] = field(default_factory=dict)
    rounds: dict[int, dict[str, Any]] = field(default_factory=dict)
    timers: dict[int, dict[str, Any]] = field(default_factory=dict)
    extra: dict[str, dict[str, int]] = field(default_factory=dict)
    announcements: list[dict[str, Any]] = field(default_factory=list)
    signed: dict[str, dict[int, dict[str, Any]]] = field(default_factory=dict)
    objected: dict[str, dict[int, str]] = field(default_factory=dict)
    removed: set[int] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)
    explained: dict[tuple[str, int], str | None] = field(default_factory=dict)
    registrations: dict[int, Registration] = field(default_factory=dict)
    live: dict[int, dict[str, Any]] = field(default_factory=dict)
    live_delay: int = LIVE_SECONDS
    last_step: TournamentChange | None = None

    @classmethod
    def of(cls, changes: Iterable[TournamentChange]) -> TournamentState:
        """Derive the state from the changes in order."""
        state, changes = cls(), list(changes)
        undone = {number for c in changes if c.kind == ChangeKind.UNDONE for number in c.detail["undone"]}
        for change in changes:
            state.revision, state.at = change.revision, change.at
            if change.kind != ChangeKind.UNDONE and change.revision not in undone:
                state.last_step = state.last_step if change.kind in (ChangeKind.REGISTERED, *LIVE) else change
                state._take(change)
            elif change.kind == ChangeKind.PLAYERS:  # their numbers are not used again
                state.removed |= set(change.detail["players"])
        return state

    def _take(self, change: TournamentChange) -> None:
        said = change.detail
        match change.kind:
            case ChangeKind.PENALTY:
                given = {
                    "number": change.revision,
                    "at": format_time(change.at),
                    "by": change.by,
                    "reason": change.reason,
                }
                self.penalties[change.revision] = {**given, **said, "withdrawn": None}
            case ChangeKind.PENALTY_WITHDRAWN:
                withdrawn = {"at": format_time(change.at), "by": change.by, "reason": change.reason}
                self.penalties[said["number"]]["withdrawn"] = withdrawn
            case ChangeKind.REGISTERED:
                found = Registration(change.revision, said["player"], said["key"], said["address"])
                self.registrations[found.number] = found
            case ChangeKind.PLAYERS:
                self._answer(said.get("registrations", ()), "confirmed", None)
            case ChangeKind.DECLINED:
                self._answer(said["registrations"], "declined", change.reason)
            case ChangeKind.REMOVED:
                self.removed.add(said["was"]["number"])
                self.plan = {} if _names(self.plan, said["was"]["number"]) else self.plan
            case ChangeKind.REPLACED:
                self.moved |= {said["out"], said["into"]}
            case ChangeKind.PLANNED:
                self.plan = {int(number): planned for number, planned in said["rounds"].items()}
            case ChangeKind.SEATED:
                self.rounds[said["round"]] = {n: said[n] for n in ("method", "repeats", "players") if n in said}
                if "timer" in said:
                    self.timers[said["round"]] = said["timer"]
            case ChangeKind.DROPPED:
                self.timers.pop(said["round"], None)
            case ChangeKind.TIMER:
                self.timers[said["round"]] = said
            case ChangeKind.EXTENDED:
                had = self.extra.get(said["game_id"], {})
                self.extra[said["game_id"]] = {k: had.get(k, 0) + said[k] for k in ("minutes", "hands")}
            case ChangeKind.ANNOUNCED:
                state = {"at": format_time(change.at), "by": change.by, "text": said["text"]}
                self.announcements = [*self.announcements, state][-_ANNOUNCEMENTS:]
            case ChangeKind.SIGNED:
                signature = {"at": format_time(change.at), "by": change.by, "revision": said["revision"]}
                for seat in said.get("seats") or [said["seat"]]:
                    self.signed.setdefault(said["game_id"], {})[seat] = signature
                    self.objected.get(said["game_id"], {}).pop(seat, None)
            case ChangeKind.OBJECTED:
                self.signed.get(said["game_id"], {}).pop(said["seat"], None)
                self.objected.setdefault(said["game_id"], {})[said["seat"]] = change.reason or ""
            case ChangeKind.EXPLAINED:
                self.explained[said["game_id"], said["hand"]] = change.reason
            case ChangeKind.LIVE_GIVEN:
                self.live[said["player"]] = {"at": format_time(change.at), "by": change.by}
            case ChangeKind.LIVE_ENDED:
                self.live.pop(said["player"], None)
            case ChangeKind.LIVE_DELAY:
                self.live_delay = said["seconds"]

    def _answer(self, numbers: Iterable[int], state: Literal["confirmed", "declined"], reason: str | None) -> None:
        for number in numbers:
            self.registrations[number] = replace(self.registrations[number], state=state, reason=reason)

    @property
    def waiting(self) -> list[Registration]:
        """The registrations that the director has neither confirmed nor declined, in order."""
        return [r for r in self.registrations.values() if r.state == "waiting"]

    def standing_penalties(self, upto: int | None = None) -> list[Penalty]:
        """Return the penalties that were not withdrawn, of rounds up to this one."""
        return [
            Penalty(p["player"], p["round"], Decimal(p["amount"]))
            for p in self.penalties.values()
            if p["withdrawn"] is None and (upto is None or p["round"] <= upto)
        ]

    def timer(self, number: int, now: datetime) -> dict[str, Any] | None:
        """Return a round's timer: ``state``, whole ``minutes``, ``left`` seconds (below 0: over), ``ends_at``."""
        said = self.timers.get(number)
        if said is None or said["state"] == "stopped":
            return None
        running = said["state"] == "running"
        ends = datetime.fromisoformat(said["since"]) + timedelta(seconds=said["left"])
        left = round((ends - now).total_seconds()) if running else said["left"]
        return {
            "state": said["state"],
            "minutes": said["minutes"],
            "left": left,
            "ends_at": format_time(ends) if running else None,
        }


def timer_detail(number: int, state: str, minutes: int | None, left: int, now: datetime) -> dict[str, Any]:
    """Return what is logged of a round's timer: its ``state`` since ``now``, whole minutes, seconds left."""
    return {"round": number, "state": state, "minutes": minutes, "left": left, "since": now.isoformat()}


def _names(plan: Mapping[int, Mapping[str, Any]], player: int) -> bool:
    """Whether a plan has a seat or a rest for a player."""
    planned = plan.values()
    return any(player in p["resting"] or any(player in t["players"] for t in p["tables"]) for p in planned)


def find_tournament(session: Session, tournament_id: str, *, lock: bool = False) -> Tournament:
    """Return the tournament with this id; ``lock`` keeps others from changing it until the transaction ends.

    Raises:
        NotFound: there is none.
    """
    row = None
    if len(tournament_id) == ID_LENGTH:
        row = session.get(Tournament, tournament_id, with_for_update=True if lock else None)
    if row is None:
        raise NotFound(say("There is no tournament {a}.", a=f"{tournament_id!r:.40}"), field="tournament_id")
    return row


def lock_tournament(session: Session, tournament_id: str, who: Amendment) -> Tournament:
    """Return the tournament, locked for a change: others wait until the transaction ends.

    Raises:
        NotFound: there is none. AlreadyDone: the same change was made with the same key.
        Conflict: the key was used for another change.
    """
    row = find_tournament(session, tournament_id, lock=True)
    if who.once is not None:
        mine = (TournamentChange.tournament_id == row.id, TournamentChange.key == who.once.key)
        known = session.scalar(select(TournamentChange).where(*mine))
        if known is not None:
            refuse_repeat(row.id, known.key_hash, who.once, known.detail)
    return row


def refuse_repeat(tournament_id: str, said: str | None, once: RetryKey, detail: Mapping[str, Any]) -> NoReturn:
    """Report that a key was used before.

    Raises:
        AlreadyDone: the retry has the same content. Conflict: it does not.
    """
    if said != once.content_hash:
        raise Conflict("This Idempotency-Key was used for something else; give a new one.", field="Idempotency-Key")
    raise AlreadyDone(tournament_id, detail)


def log_change(session: Session, row: Tournament, kind: ChangeKind, who: Amendment, detail: Mapping[str, Any]) -> int:
    """Record a change, in the transaction that makes it and locks the tournament's row; return its number."""
    mine = TournamentChange.tournament_id == row.id
    revision = 1 + (session.scalar(select(func.max(TournamentChange.revision)).where(mine)) or 0)
    session.add(
        TournamentChange(
            tournament_id=row.id,
            revision=revision,
            at=now_in(session),
            kind=kind.value,
            by=who.by,
            reason=who.reason or None,
            detail=dict(detail),
            version=version(),
            key=who.once.key if who.once else None,
            key_hash=who.once.content_hash if who.once else None,
        )
    )
    session.flush()
    return revision


def state_of(session: Session, tournament_id: str) -> TournamentState:
    """Return the state that follows from all changes."""
    return TournamentState.of(_changes(session, tournament_id))


_PRIVATE: Final = frozenset({"key", "address"})
"""Parts of a change that nobody is shown."""


def list_tournament_changes(engine: Engine, tournament_id: str, after: int = 0) -> dict[str, Any]:
    """Return what was done after this revision, in order.

    Returns:
        ``changes`` of the tournament: ``revision``, ``kind``, ``at``, ``by``, ``reason``, ``detail``; and
        ``game_changes``, what was done to the games of its rounds besides recording hands: ``round``, ``table``,
        ``game_id``, ``hand`` (its number, 0 for the game itself) and the game's own ``revision``.

    Raises:
        NotFound: no such tournament.
    """
    with reading(engine) as session:
        find_tournament(session, tournament_id)
        changes = _changes(session, tournament_id)
        since = next((c.at for c in changes if c.revision == after), None)
        if since is not None and now_in(session) < since:  # the clock was set back: times do not tell what came later
            since = None
        return {
            "changes": [step_json(c) for c in changes if c.revision > after],
            "game_changes": [
                {"round": n, "table": table, "game_id": c.game_id, "hand": c.hand_number, **_entry(c)}
                for c, n, table in _game_changes(session, tournament_id, since)
            ],
        }


def step_json(change: TournamentChange) -> dict[str, Any]:
    """Return a change as in the API: without what opens a registration, and whence it came."""
    return {**_entry(change), "detail": {k: v for k, v in change.detail.items() if k not in _PRIVATE}}


def _entry(change: TournamentChange | GameChange) -> dict[str, Any]:
    return {
        "revision": change.revision,
        "kind": change.kind,
        "at": format_time(change.at),
        "by": change.by,
        "reason": change.reason,
    }


def _game_changes(session: Session, tournament_id: str, since: datetime | None) -> list[tuple[GameChange, int, str]]:
    """Return corrections, endings and the like, each with round and table; substitutions are the tournament's own."""
    query = (
        select(GameChange, RoundSeat.round, RoundSeat.table_name)
        .join(RoundSeat, RoundSeat.game_id == GameChange.game_id)
        .where(RoundSeat.tournament_id == tournament_id, RoundSeat.seat == 0)
        .where(GameChange.kind.not_in((RECORDED, SEATED)))
        .order_by(GameChange.at, GameChange.game_id, GameChange.revision)
    )
    query = query if since is None else query.where(GameChange.at >= since)
    return [(change, number, table) for change, number, table in session.execute(query)]


def _changes(session: Session, tournament_id: str) -> Sequence[TournamentChange]:
    mine = TournamentChange.tournament_id == tournament_id
    return session.scalars(select(TournamentChange).where(mine).order_by(TournamentChange.revision)).all()
