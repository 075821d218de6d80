"""The database tables. A change here needs a migration beside it (``hupai/store/migrations/versions``).

Amounts are decimal text, never floats. Every permanent row contains the version that wrote it. Games are
independent; tournaments, tables and their events can refer to them without a change here.
"""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Index,
    MetaData,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.types import TypeDecorator


class DecimalText(TypeDecorator[Decimal]):
    """An exact amount: Decimal here, plain decimal text in the database."""

    impl = String(40)
    cache_ok = True

    def process_bind_param(self, value: Decimal | int | None, dialect: Dialect) -> str | None:
        """Text without an exponent."""
        return None if value is None else format(Decimal(value), "f")

    def process_result_value(self, value: str | None, dialect: Dialect) -> Decimal | None:
        """The number."""
        return None if value is None else Decimal(value)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC; SQLite has no time zones, so they are put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """In UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """With its zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Base of the tables; constraints have names, so that migrations can refer to them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        dict[str, Any]: JSON,
        list[Any]: JSON,
        Decimal: DecimalText,
        datetime: UtcDateTime,
    }


class Game(Base):
    """A game; see :class:`hupai.games.history.GameTerms`."""

    __tablename__ = "games"
    __table_args__ = (Index("uq_games_key", "key", unique=True),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    created: Mapped[datetime]
    version: Mapped[str] = mapped_column(String(40))
    rules: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, Any]]
    rotation: Mapped[str] = mapped_column(String(40))
    start: Mapped[dict[str, Any]]
    starting_points: Mapped[Decimal]
    key: Mapped[str | None] = mapped_column(String(200))
    key_hash: Mapped[str | None] = mapped_column(String(64))
    course: Mapped[dict[str, Any]]
    closed_at: Mapped[datetime | None]
    players: Mapped[list[Player]] = relationship(
        order_by="Player.number", cascade="all, delete-orphan", passive_deletes=True
    )


class Player(Base):
    """One of the four, numbered in turn order."""

    __tablename__ = "game_players"
    __table_args__ = (CheckConstraint("number between 0 and 3", name="number"),)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(200))


class GameHand(Base):
    """A confirmed hand; see :class:`hupai.games.history.WholeHand`. Request and scores are loaded on demand."""

    __tablename__ = "hands"
    __table_args__ = (
        UniqueConstraint("game_id", "number", name="uq_hands_number"),
        UniqueConstraint("game_id", "key", name="uq_hands_key"),
        Index("ix_hands_standing", "game_id", "undone_at", "number"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    number: Mapped[int]
    key: Mapped[str | None] = mapped_column(String(200))
    body_hash: Mapped[str] = mapped_column(String(64))
    outcome: Mapped[str] = mapped_column(String(20))
    confirmed_at: Mapped[datetime]
    undone_at: Mapped[datetime | None]
    before: Mapped[dict[str, Any]]
    after: Mapped[dict[str, Any]]
    totals: Mapped[dict[str, Any]]
    summary: Mapped[list[Any]]
    request: Mapped[dict[str, Any]] = mapped_column(deferred=True)
    scores: Mapped[list[Any]] = mapped_column(deferred=True)
    version: Mapped[str] = mapped_column(String(40))
    models: Mapped[dict[str, Any]]
    rules: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, Any]]
    payments: Mapped[list[Payment]] = relationship(
        order_by="Payment.account", cascade="all, delete-orphan", passive_deletes=True
    )


class GameChange(Base):
    """A change of a game; see :class:`hupai.games.history.Change`."""

    __tablename__ = "game_changes"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(20))
    hand_number: Mapped[int]
    before: Mapped[dict[str, Any]]
    by: Mapped[str | None] = mapped_column(String(200))
    reason: Mapped[str | None] = mapped_column(Text)
    detail: Mapped[dict[str, Any]] = mapped_column(default=dict)


class Payment(Base):
    """What a hand pays an account: a player's number, or ``pot``. The accounts of a hand sum to zero."""

    __tablename__ = "hand_payments"

    hand_id: Mapped[int] = mapped_column(ForeignKey("hands.id", ondelete="CASCADE"), primary_key=True)
    account: Mapped[str] = mapped_column(String(4), primary_key=True)
    amount: Mapped[Decimal]


class PresetRow(Base):
    """House rules by name. ``folded`` is the form in which names are compared."""

    __tablename__ = "presets"

    folded: Mapped[str] = mapped_column(String(400), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    rules: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, Any]]
    saved: Mapped[datetime]
    version: Mapped[str] = mapped_column(String(40))


class Token(Base):
    """A personal key: its holder's name, role, and what the wing of that role granted. Only its SHA-256 is stored."""

    __tablename__ = "tokens"
    __table_args__ = (UniqueConstraint("digest", name="uq_tokens_digest"),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    role: Mapped[str] = mapped_column(String(20))
    digest: Mapped[str] = mapped_column(String(64))
    made_at: Mapped[datetime]
    made_by: Mapped[str] = mapped_column(String(200))
    withdrawn_at: Mapped[datetime | None]
    withdrawn_by: Mapped[str | None] = mapped_column(String(200))
    granted: Mapped[dict[str, Any]] = mapped_column(server_default="{}")


class InstallationSetting(Base):
    """Small facts of an installation, such as the secret that signs cookies; values are text."""

    __tablename__ = "notes"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(Text)
