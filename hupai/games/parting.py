"""Two histories of one game: one goes on where the other ends, or they part, and each has hands of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from hupai.basics.errors import Conflict
from hupai.basics.ids import id_of
from hupai.games.exchange import BEGUN, export_history, read_beginning
from hupai.games.game_json import hand_json, players_json
from hupai.games.history import RECORDED, History
from hupai.games.terms.state import TableState
from scoring.words.sentence import say

FILE_REFUSED: Final = "file_refused"
"""Code where a file does not continue the game that is here."""
_OLDER: Final = "The game that is here is newer than this file: nothing was changed."
_PARTED: Final = (
    "The game that is here and the one in the file part at hand {n}: both stay as they are. "
    "Keep both, or let that of the file take the place of the one that is here."
)
_TOLD: Final = ("outcome", "state", "wins", "payments", "pot")
"""What two hands of one number must have in common to be shown as the same, beside whether they count."""


class Parted(Conflict):
    """Something else was done in a game than in a file of it.

    Attributes:
        kept, read: the game as it is here, and in the file. number: of the first hand that one of them has otherwise.
        change: what the file has there.
    """

    code = FILE_REFUSED

    def __init__(self, kept: History, read: History, number: int, change: Mapping[str, Any]) -> None:
        super().__init__(say(_PARTED, n=number), field="game")
        self.kept, self.read, self.number, self.change = kept, read, number, change

    @property
    def apart(self) -> History:
        """The game of the file as another one, to be kept beside that which is here.

        Its id follows from what the file has where they part, so that later files of it continue it.
        """
        told = json.dumps([self.read.terms.id, self.change], sort_keys=True, default=str)
        name = f"{self.read.terms.name or ', '.join(self.read.players)} (2)"
        return replace(self.read, terms=replace(self.read.terms, id=id_of(told), name=name))

    def to_json(self) -> dict[str, Any]:
        """Return both side by side: the players with their totals, and the hands of which one has another, or none."""
        sides = {"here": self.kept, "file": self.read}
        hands = {side: {hand.number: hand_json(hand) for hand in game.hands} for side, game in sides.items()}
        numbers = sorted(hands["here"].keys() | hands["file"].keys())
        rows: list[dict[str, Any]] = [{"number": n, **{side: hands[side].get(n) for side in sides}} for n in numbers]
        return {
            "hand": self.number,
            "revision": self.kept.revision,
            "hands": [row for row in rows if _told(row["here"]) != _told(row["file"])],
            "players": {side: players_json(game) for side, game in sides.items()},
        }


def catch_up(kept: History, read: History) -> History:
    """Return a game with what was done in it since, according to a file of it that was read.

    Raises:
        Parted: something else was done in it. Conflict: :data:`FILE_REFUSED`: the file is older.
    """
    here, there = _changes_in_file(kept), _changes_in_file(read)
    parted = next((i for i, both in enumerate(zip(here, there, strict=False)) if both[0] != both[1]), None)
    if parted is not None:
        numbers = [one[parted]["number"] for one in (here, there) if "number" in one[parted]]
        recorded = sum(change["kind"] == RECORDED for change in here[:parted])
        raise Parted(kept, read, min(numbers, default=recorded + 1), there[parted])
    if len(there) < len(here):
        raise Conflict(_OLDER, code=FILE_REFUSED, field="game")
    new = read.changes[kept.revision :]
    if not new:
        return kept
    # Hands before the first that was touched stay as they are: perhaps another version has scored them.
    touched = {n for change in new for n in (change.hand_number, *(h["number"] for h in change.settled_again)) if n}
    first = min(touched, default=kept.next_number)
    return replace(
        read,
        terms=replace(kept.terms, course=read.terms.course, closed_at=read.terms.closed_at),
        hands=(*(h for h in kept.hands if h.number < first), *(h for h in read.hands if h.number >= first)),
        changes=(*kept.changes, *new),
    )


def _told(hand: Mapping[str, Any] | None) -> list[Any] | None:
    return None if hand is None else [hand["undone_at"] is None, *(hand[name] for name in _TOLD)]


def _changes_in_file(history: History) -> list[dict[str, Any]]:
    """Return the beginning of a game and its changes as in a file that this version writes, to compare them."""
    begun, *changes = json.loads(json.dumps(export_history(history)))
    changes = [{**change, "before": TableState.from_json(change["before"])} for change in changes]
    return [{"kind": BEGUN, "begun": read_beginning(begun)}, *changes]
