"""Database tables of tournaments: watched tables, events with their audit frames, laid hands, rounds and seats."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from hupai.store.tables import Base


class WatchedTable(Base):
    """A table under a camera: who watches it (``worker``, alive while ``beat`` is fresh) and its state.

    ``corners`` are the four corners of the table in the picture, fractions of its width and height, or None. ``health``
    is the worker's latest measurement, ``preview`` a small JPEG of its picture. ``game_id`` is where its hands go.
    """

    __tablename__ = "watched_tables"

    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    source: Mapped[str] = mapped_column(String(300))
    rules: Mapped[str | None] = mapped_column(String(40))
    state: Mapped[str] = mapped_column(String(20))
    since: Mapped[datetime]
    corners: Mapped[list[Any] | None]
    worker: Mapped[str | None] = mapped_column(String(120))
    beat: Mapped[datetime | None]
    health: Mapped[dict[str, Any]]
    preview: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id", ondelete="SET NULL"))


class FeedFrame(Base):
    """The picture from which an event was read, as JPEG."""

    __tablename__ = "feed_frames"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_name: Mapped[str] = mapped_column(String(80))
    taken: Mapped[datetime]
    jpeg: Mapped[bytes] = mapped_column(LargeBinary)


ENTERED: Final = "by-hand-"
"""Prefix of the tokens of hands that a director typed in; no camera saw them, and they lie on no table."""


class FeedHand(Base):
    """A hand that settled on a table.

    ``reading`` is the read response as the camera saw it, ``hand`` the present version (with corrections), ``context``
    the director's answers. ``status``: settled, confirmed or dismissed. ``gone_at``: when it left the table.
    ``version`` grows with every change, so that two directors do not overwrite each other. ``token`` is the worker's
    name for it: a write that is repeated after a broken connection finds it.
    """

    __tablename__ = "feed_hands"
    __table_args__ = (
        UniqueConstraint("token", name="uq_feed_hands_token"),
        Index("ix_feed_hands_table", "table_name", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(String(40))
    table_name: Mapped[str] = mapped_column(String(80))
    settled_at: Mapped[datetime]
    gone_at: Mapped[datetime | None]
    status: Mapped[str] = mapped_column(String(20))
    version: Mapped[int]
    reading: Mapped[dict[str, Any]]
    hand: Mapped[dict[str, Any]]
    context: Mapped[dict[str, Any]]
    frame_id: Mapped[int | None] = mapped_column(ForeignKey("feed_frames.id", ondelete="SET NULL"))
    game_id: Mapped[str | None] = mapped_column(String(26))
    hand_number: Mapped[int | None]


class FeedEvent(Base):
    """An event, numbered without gaps in the order of commits."""

    __tablename__ = "feed_events"
    __table_args__ = (Index("ix_feed_events_table", "table_name", "number"),)

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(40))
    table_name: Mapped[str] = mapped_column(String(80))
    at: Mapped[datetime]
    hand_id: Mapped[int | None] = mapped_column(ForeignKey("feed_hands.id", ondelete="CASCADE"))
    body: Mapped[dict[str, Any]]
    version: Mapped[str] = mapped_column(String(40))


class FeedDelivery(Base):
    """The last event delivered to a webhook or broker, and which process delivers until when."""

    __tablename__ = "feed_deliveries"

    target: Mapped[str] = mapped_column(String(64), primary_key=True)
    shown: Mapped[str] = mapped_column(String(300))
    number: Mapped[int]
    holder: Mapped[str | None] = mapped_column(String(120))
    until: Mapped[datetime | None]
    trouble: Mapped[str | None] = mapped_column(Text)
    sentences: Mapped[dict[str, Any] | None]


class Tournament(Base):
    """A tournament: rules, how places count, and tie-breaks.

    ``course``: of its games, as far as it differs from one that ends when the director says so.
    ``return_points``: the total of a player who has neither won nor lost, if that is more than the starting points.
    ``threes``: starting points, return points and places of a table of three among fours, where there may be one.
    ``key`` and ``key_hash`` are like those of a game.
    """

    __tablename__ = "tournaments"
    __table_args__ = (Index("uq_tournaments_key", "key", unique=True),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    created: Mapped[datetime]
    version: Mapped[str] = mapped_column(String(40))
    rules: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, Any]]
    course: Mapped[dict[str, Any]]
    starting_points: Mapped[Decimal]
    places: Mapped[list[Any]]
    divide: Mapped[Decimal]
    return_points: Mapped[Decimal | None]
    tie_breaks: Mapped[list[Any]]
    threes: Mapped[dict[str, Any] | None]
    key: Mapped[str | None] = mapped_column(String(200))
    key_hash: Mapped[str | None] = mapped_column(String(64))


class TournamentChange(Base):
    """An action in a tournament, by whom and why. Numbered from 1 without gaps: the tournament's revision.

    ``kind``: see :mod:`hupai.hall.store.state.tournament_log`, which derives the state from all of them: penalties,
    the plan, timers, announcements, signatures. Nothing is ever deleted; a withdrawal is another change.
    ``key`` and ``key_hash``: see :class:`hupai.store.play.changes.RetryKey`.
    """

    __tablename__ = "tournament_changes"
    __table_args__ = (Index("uq_tournament_changes_key", "tournament_id", "key", unique=True),)

    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(20))
    by: Mapped[str | None] = mapped_column(String(200))
    reason: Mapped[str | None] = mapped_column(Text)
    detail: Mapped[dict[str, Any]]
    version: Mapped[str] = mapped_column(String(40))
    key: Mapped[str | None] = mapped_column(String(200))
    key_hash: Mapped[str | None] = mapped_column(String(64))


class Entrant(Base):
    """A player of a tournament, numbered from 1. A ``substitute`` plays if somebody is missing, and is not ranked."""

    __tablename__ = "entrants"
    __table_args__ = (UniqueConstraint("tournament_id", "name", name="uq_entrants_name"),)

    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    club: Mapped[str] = mapped_column(String(200))
    left_after: Mapped[int | None]
    country: Mapped[str] = mapped_column(String(80))
    ema: Mapped[str] = mapped_column(String(20))
    team: Mapped[str] = mapped_column(String(80))
    substitute: Mapped[bool]


class RoundSeat(Base):
    """A seat in a round: a game of the ledger per table, and the player's number in it (0 deals first)."""

    __tablename__ = "round_seats"
    __table_args__ = (UniqueConstraint("tournament_id", "round", "table_name", "seat", name="uq_round_seats_seat"),)

    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True)
    entrant: Mapped[int] = mapped_column(primary_key=True)
    table_name: Mapped[str] = mapped_column(String(80))
    seat: Mapped[int]
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="RESTRICT"))
