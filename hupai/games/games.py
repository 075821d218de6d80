"""What is done with games, wherever they are kept; every operation is one transaction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from hupai.basics.errors import Conflict, NotFound
from hupai.basics.ids import new_id
from hupai.basics.timestamps import format_time, format_time_or_none
from hupai.games import amendments, entering
from hupai.games.beginning import NewGame, begin_game
from hupai.games.changes import again_json, change_json, changes_after
from hupai.games.entering import NewHand
from hupai.games.exchange import catch_up, export_history
from hupai.games.expected_revision import ExpectedRevision
from hupai.games.figures import PlayedGame, PlayerFigures, tally_figures
from hupai.games.game_json import history_json, whole_hand_json
from hupai.games.history import Amendment, GameTerms, History
from scoring.words.sentence import say

T = TypeVar("T")


def no_game(game_id: str) -> NotFound:
    """Return the refusal to look for a game that is not there."""
    return NotFound(say("There is no game {a}.", a=f"{game_id!r:.40}"), field="game_id")


def _check_same(known: History, new: History) -> History:
    """Return a game that is here already, if it is the one that is to be begun with its key.

    Raises:
        Conflict: the key was used for another game.
    """
    if new.terms.key_hash != known.terms.key_hash:
        raise Conflict("This Idempotency-Key was used for another game; give a new one.", field="Idempotency-Key")
    return known


def game_entry(terms: GameTerms, players: Sequence[str], hands: int, last: datetime | None) -> dict[str, Any]:
    """Return a game as it is listed: how many hands count, and when the last of them was confirmed."""
    return {
        **{name: getattr(terms, name) for name in ("id", "name", "rules")},
        "players": list(players),
        "created": format_time(terms.created),
        "hands": hands,
        "last": format_time_or_none(last),
    }


class Games(ABC):
    """Games that are kept.

    The operations on a game raise NotFound if there is none with this id, and what the function of the same name in
    :mod:`hupai.games` raises. ``last_hands`` is how many hands the game has that they return, None for all.
    """

    @abstractmethod
    def add(
        self, begin: Callable[[datetime], History], meet: Callable[[History, History], History]
    ) -> tuple[History | None, History]:
        """Keep a game that begins at this time; return None, and the game.

        If there is one with its key, or its id if it has none, keep what becomes of that one when it meets the new
        one; return it as it was, and as it is.
        """

    @abstractmethod
    def look(self, game_id: str, see: Callable[[History, Callable[[], datetime]], T]) -> T:
        """Return what is seen of a game; the second argument tells the time, which few need."""

    @abstractmethod
    def change(self, game_id: str, change: Callable[[History, datetime], History]) -> tuple[History, History]:
        """Keep what becomes of a game now; return it as it was, and as it is."""

    @abstractmethod
    def delete_game(self, game_id: str, seen: ExpectedRevision | None = None) -> None:
        """Delete a game and its history.

        Raises:
            NotFound: no such game. Conflict: it is needed elsewhere. MovedOn: it has changed since it was seen.
        """

    @abstractmethod
    def list_games(self, limit: int, offset: int = 0) -> list[dict[str, Any]]:
        """Return the games, latest first, with the number of hands that count and the time of the last one."""

    @abstractmethod
    def tally(self, count: Callable[[Iterable[PlayedGame]], T]) -> T:
        """Return what is counted in the games in which a hand counts, the first one first."""

    def list_figures(self) -> list[PlayerFigures]:
        """Return the figures of everybody under every system they played; who played the most hands comes first."""
        return self.tally(tally_figures)

    def create_game(self, new: NewGame) -> dict[str, Any]:
        """Begin a game, or find the one begun with the same key; return the game as JSON.

        Raises:
            Conflict: the key was used for another game.
        """
        _, game = self.add(lambda now: begin_game(new, new_id(), now), _check_same)
        return history_json(game)

    def import_game(self, history: History) -> dict[str, Any]:
        """Keep a game that was read from a file, or what was done since in one that is here.

        Returns:
            The game as JSON; of one that was here also ``added``: how many ``hands`` and ``changes`` are new.

        Raises:
            Conflict: no file may change it, or as :func:`~hupai.games.exchange.catch_up`.
        """
        was, now = self.add(lambda _: history, catch_up)
        if was is None:
            return history_json(now)
        added = {"hands": now.next_number - was.next_number, "changes": now.revision - was.revision}
        return {**history_json(now), "added": added}

    def get_game(self, game_id: str, last_hands: int | None = None) -> dict[str, Any]:
        """Return a game with its last hands."""
        return self.look(game_id, lambda history, _: history_json(history, last_hands))

    def all_hands(self, game_id: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return a game with its ``history``, and every hand of it with requests, scores and running totals."""

        def see(history: History, _: object) -> tuple[dict[str, Any], list[dict[str, Any]]]:
            hands = [{**whole_hand_json(hand), "totals": hand.totals} for hand in history.hands]
            return {**history_json(history, 0), "history": export_history(history)}, hands

        return self.look(game_id, see)

    def list_changes(self, game_id: str, after: int) -> dict[str, Any]:
        """Return the last changes of a game after this revision, in order, each with its hand."""
        return self.look(game_id, lambda was, _: {"revision": was.revision, "changes": changes_after(was, after)})

    def get_change(self, game_id: str, revision: int) -> dict[str, Any]:
        """Return one change with all its details: what the hand was before, and what was settled again.

        Raises:
            NotFound: no such game or change.
        """
        return self.look(game_id, lambda history, _: change_json(history, revision))

    def get_hand(self, game_id: str, number: int) -> dict[str, Any]:
        """Return one hand with its requests and scores.

        Raises:
            NotFound: no such game or hand.
        """
        return self.look(game_id, lambda history, _: whole_hand_json(history.hand(number)))

    def record_hand(
        self, game_id: str, record: NewHand, last_hands: int | None = None
    ) -> tuple[dict[str, Any], dict[str, Any], bool]:
        """Settle and keep a confirmed hand.

        Returns:
            The hand, the game after it, and whether the hand had been recorded before under the same key.
        """
        was, now = self.change(game_id, lambda game, at: entering.enter_hand(game, record, at))
        return whole_hand_json(entering.entered_hand(now, record)), history_json(now, last_hands), now is was

    def try_hand(self, game_id: str, record: NewHand) -> dict[str, Any]:
        """Return what recording would result in. Nothing is written."""
        return self.look(game_id, lambda was, clock: entering.try_hand(was, record, clock()))

    def undo_hand(
        self,
        game_id: str,
        number: int | None,
        last_hands: int | None = None,
        seen: ExpectedRevision | None = None,
        by: str | None = None,
    ) -> dict[str, Any]:
        """Take back the last hand that counts; it stays in the history, marked. Returns the game as JSON."""
        _, now = self.change(game_id, lambda was, at: entering.undo_hand(was, number, at, seen, by))
        return history_json(now, last_hands)

    def correct_hand(
        self, game_id: str, number: int, record: NewHand, amendment: Amendment, last_hands: int | None = None
    ) -> dict[str, Any]:
        """Replace a hand that counts by another one; returns ``hand`` and what :meth:`withdraw_hand` does."""
        _, now = self.change(game_id, lambda was, at: amendments.correct_hand(was, number, record, amendment, at))
        return {"hand": whole_hand_json(now.hand(number)), **_amended_json(now, last_hands)}

    def try_correction(self, game_id: str, number: int, record: NewHand) -> dict[str, Any]:
        """Return what :meth:`correct_hand` would result in; nothing is written."""
        return self.look(game_id, lambda was, _: amendments.try_correction(was, number, record))

    def withdraw_hand(
        self,
        game_id: str,
        number: int,
        amendment: Amendment,
        seen: ExpectedRevision | None,
        last_hands: int | None = None,
    ) -> dict[str, Any]:
        """Withdraw any hand that counts; it stays in the history, marked.

        Returns:
            ``game``, and ``settled_again`` (the later hands whose payments or seats changed).
        """
        _, now = self.change(game_id, lambda was, at: amendments.withdraw_hand(was, number, amendment, at, seen))
        return _amended_json(now, last_hands)

    def restore_hand(
        self,
        game_id: str,
        number: int,
        amendment: Amendment,
        seen: ExpectedRevision | None,
        last_hands: int | None = None,
    ) -> dict[str, Any]:
        """Restore a hand that was taken back in its old place; returns what :meth:`withdraw_hand` does."""
        _, now = self.change(game_id, lambda was, at: amendments.restore_hand(was, number, amendment, at, seen))
        return _amended_json(now, last_hands)

    def end_game(
        self,
        game_id: str,
        course: Mapping[str, Any],
        amendment: Amendment,
        seen: ExpectedRevision | None,
        last_hands: int | None = None,
    ) -> dict[str, Any]:
        """End the game at its players' wish, or settle a finished one in another way. Returns the game as JSON."""
        _, now = self.change(game_id, lambda was, at: amendments.end_game(was, course, amendment, at, seen))
        return history_json(now, last_hands)

    def reopen_game(
        self,
        game_id: str,
        course: Mapping[str, Any],
        amendment: Amendment,
        seen: ExpectedRevision | None,
        last_hands: int | None = None,
    ) -> dict[str, Any]:
        """Continue a game ended by its players or, with another course, by its course. Returns the game as JSON."""
        _, now = self.change(game_id, lambda was, at: amendments.reopen_game(was, course, amendment, at, seen))
        return history_json(now, last_hands)


def _amended_json(history: History, last_hands: int | None) -> dict[str, Any]:
    return {"game": history_json(history, last_hands), "settled_again": again_json(history.changes[-1].settled_again)}
