"""Games and presets kept as JSON texts by name, where there is no database."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from hupai.basics.ids import is_id
from hupai.basics.names import fold_name
from hupai.games.commands import ExpectedRevision, check_revision
from hupai.games.figures import PlayedGame
from hupai.games.games import Games, Preset, T, check_room, game_entry, no_game, no_preset
from hupai.games.history import Change, GameTerms, History, WholeHand

_GAME: Final = "game/"
_ENTRY: Final = "entry/"
"""A game in a list, and the key it was begun with: what is known of it without reading it."""
_PRESET: Final = "preset/"
_TIMES: Final = frozenset({"created", "closed_at", "confirmed_at", "undone_at", "at"})


class NotFetched(LookupError):
    """Texts are needed whose names begin like this; with them, the same can be tried again."""

    def __init__(self, start: str) -> None:
        super().__init__(start)
        self.start = start


class JsonStore:
    """The texts that were fetched, and what is to be written.

    Args:
        fetched: how names begin -> every text whose name begins so, by name.

    Attributes:
        written: name -> its text from now on, None without one.
    """

    def __init__(self, fetched: Mapping[str, Mapping[str, str]]) -> None:
        self._fetched = fetched
        self.written: dict[str, str | None] = {}

    def find(self, start: str) -> list[Any]:
        """Return the JSON values whose names begin like this, by name.

        Raises:
            NotFetched: they are not here yet.
        """
        if start not in self._fetched:
            raise NotFetched(start)
        return [json.loads(text) for _, text in sorted(self._fetched[start].items())]

    def put(self, name: str, value: object) -> None:
        """Write a JSON value; None deletes the text."""
        self.written[name] = None if value is None else json.dumps(value, ensure_ascii=False, default=_plain)


class JsonGames(Games):
    """Games as JSON texts, at a time."""

    def __init__(self, store: JsonStore, now: datetime) -> None:
        self._store, self._now = store, now

    def _put(self, history: History) -> None:
        terms, counting = history.terms, history.counting
        last = max((hand.confirmed_at for hand in counting), default=None)
        entry = game_entry(terms, history.players, len(counting), last)
        self._store.put(_GAME + terms.id, history)
        self._store.put(_ENTRY + terms.id, {"key": terms.key, "entry": entry})

    def insert(
        self, begin: Callable[[datetime], History], meet: Callable[[History, History], History]
    ) -> tuple[History | None, History]:
        """See :meth:`Games.insert`."""
        history = begin(self._now)
        new = history.terms
        entries = [entry for entry in self._store.find(_ENTRY) if new.key in (None, entry["key"])]
        ids = [entry["entry"]["id"] for entry in entries if new.key is not None or entry["entry"]["id"] == new.id]
        if ids:
            return self.update(ids[0], lambda known, _: meet(known, history))
        self._put(history)
        return None, history

    def read(self, game_id: str) -> History:
        """See :meth:`Games.read`."""
        found = self._store.find(_GAME + game_id) if is_id(game_id) else []
        if not found:
            raise no_game(game_id)
        return _history(found[0])

    def read_all(self) -> list[History]:
        """Return every game, the first one first."""
        return sorted(map(_history, self._store.find(_GAME)), key=lambda history: history.terms.created)

    def now(self) -> datetime:
        """See :meth:`Games.now`."""
        return self._now

    def update(self, game_id: str, change: Callable[[History, datetime], History]) -> tuple[History, History]:
        """See :meth:`Games.update`."""
        was = self.read(game_id)
        now = change(was, self._now)
        if now is not was:
            self._put(now)
        return was, now

    def replace_game(self, history: History, seen: ExpectedRevision) -> tuple[History, History]:
        """See :meth:`Games.replace_game`."""
        was = self.read(history.terms.id)
        check_revision(was, seen)
        self._put(history)
        return was, history

    def delete_game(self, game_id: str, seen: ExpectedRevision | None = None) -> None:
        """See :meth:`Games.delete_game`."""
        check_revision(self.read(game_id), seen)
        self._store.put(_GAME + game_id, None)
        self._store.put(_ENTRY + game_id, None)

    def list_games(self, limit: int, offset: int = 0) -> list[dict[str, Any]]:
        """See :meth:`Games.list_games`."""
        found = [entry["entry"] for entry in self._store.find(_ENTRY)]  # by id, as the database has equal times
        return sorted(found, key=lambda entry: entry["created"], reverse=True)[offset : offset + limit]

    def tally(self, count: Callable[[Iterable[PlayedGame]], T]) -> T:
        """See :meth:`Games.tally`."""
        return count(PlayedGame(h.terms, h.players, h.counting, h.fines) for h in self.read_all() if h.counting)


class JsonPresets:
    """Presets as JSON texts."""

    def __init__(self, store: JsonStore) -> None:
        self._store = store

    def list_presets(self) -> list[Preset]:
        """See :meth:`~hupai.games.games.Presets.list_presets`."""
        return [Preset(**preset) for preset in self._store.find(_PRESET)]

    def save_preset(self, preset: Preset) -> bool:
        """See :meth:`~hupai.games.games.Presets.save_preset`."""
        known = {one.folded for one in self.list_presets()}
        new = preset.folded not in known
        if new:
            check_room(len(known))
        self._store.put(_PRESET + preset.folded, preset)
        return new

    def delete_preset(self, name: str) -> None:
        """See :meth:`~hupai.games.games.Presets.delete_preset`."""
        found = next((preset for preset in self.list_presets() if preset.folded == fold_name(name)), None)
        if found is None:
            raise no_preset(name)
        self._store.put(_PRESET + found.folded, None)


def _plain(value: Any) -> object:
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(f"{value!r:.60} has no JSON")


def _history(said: Mapping[str, Any]) -> History:
    """Return a game from its text."""
    return History(
        _build(GameTerms, said["terms"]),
        tuple(said["players"]),
        tuple(_build(WholeHand, hand) for hand in said["hands"]),
        tuple(_build(Change, change) for change in said["changes"]),
    )


def _build(kind: type[T], said: Mapping[str, Any]) -> T:
    """Return an object from its fields: those of this hupai; what an older one did not know has its default."""
    told = [one for one in fields(kind) if one.name in said]  # type: ignore[arg-type]
    read = {one.name: one.metadata.get("read", lambda value: value)(said[one.name]) for one in told}
    for name in _TIMES & read.keys():
        read[name] = datetime.fromisoformat(read[name]) if read[name] else None
    if "payments" in read:
        read["payments"] = {account: Decimal(amount) for account, amount in read["payments"].items()}
    return kind(**read)
