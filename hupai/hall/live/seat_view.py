"""What a camera that looks at one player shows now: on its way to the stream, never stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Self, get_args

from scoring.errors import Fault, HupaiError, InvalidRequest, choice_message
from scoring.tiles import Tile, tile
from scoring.words.sentence import say

State = Literal["looking", "hand", "covered", "lost"]
STATES: Final[tuple[State, ...]] = get_args(State)
REASONS: Final = ("no_row", "too_small", "too_steep", "too_dark", "blown_out", "blurred")
"""Why a hand is not seen, or not well: worded in the pages' catalogues as ``live.<reason>``."""
_REASON: Final = re.compile(rf"({'|'.join(REASONS)})(:\d\d?)?")
_MAX_ROW: Final = 17
_MAX_MELDS: Final = 5
_MAX_COPIES: Final = 4
_NO_REASON: Final = (
    "A reason is one of {names}, with the tile's place after a colon where it is about one (blown_out:4)."
)


class BadSeatView(InvalidRequest):
    """What was sent is no view of a player's tiles."""

    code = "bad_view"


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one player's camera shows now.

    Attributes:
        state: ``looking`` for a row, a ``hand`` stands there, it is partly ``covered`` and told from memory, or it is
            ``lost``. In the states without a hand there are no tiles.
        row: the concealed tiles as they stand, without the drawn one, at most 17.
        drawn: the tile that stands apart. melds: three or four tiles each; tiles that lie face down are ``back``.
        reasons: of :data:`REASONS`; one about a single tile ends in its place in the row from 1: ``blown_out:4``.

    Raises:
        BadSeatView: on construction, with all faults.
    """

    state: State
    row: tuple[Tile, ...] = ()
    drawn: Tile | None = None
    melds: tuple[tuple[Tile, ...], ...] = ()
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if faults := [*self._faults()]:
            raise BadSeatView.of(faults)

    @property
    def concealed(self) -> tuple[Tile, ...]:
        """The row, with the drawn tile last."""
        return self.row if self.drawn is None else (*self.row, self.drawn)

    def to_json(self) -> dict[str, Any]:
        """Return the view as it is sent: tiles as their codes."""
        return {
            "state": self.state,
            "row": [t.code for t in self.row],
            "drawn": self.drawn.code if self.drawn is not None else None,
            "melds": [[t.code for t in meld] for meld in self.melds],
            "reasons": list(self.reasons),
        }

    @classmethod
    def from_json(cls, sent: Mapping[str, Any]) -> Self:
        """Return the view that :meth:`to_json` wrote; all but ``state`` may be missing.

        Raises:
            BadSeatView: it is none.
        """
        try:
            drawn = sent.get("drawn")
            return cls(
                sent["state"],
                tuple(tile(code) for code in sent.get("row", ())),
                tile(drawn) if drawn is not None else None,
                tuple(tuple(tile(code) for code in meld) for meld in sent.get("melds", ())),
                tuple(sent.get("reasons", ())),
            )
        except BadSeatView:
            raise
        except HupaiError as error:
            raise BadSeatView.of(error.faults) from None
        except (AttributeError, KeyError, TypeError) as error:
            message = "A view is an object with state, row, drawn, melds and reasons, as docs/api.md shows."
            raise BadSeatView(message) from error

    def _faults(self) -> list[Fault]:
        found: list[tuple[bool, str, str]] = [
            (self.state not in STATES, choice_message("state", STATES, self.state), "state"),
            (len(self.row) > _MAX_ROW, say("A row has at most {n} tiles.", n=_MAX_ROW), "row"),
            (
                any(not t.is_playable and not t.is_bonus for t in self.concealed),
                "A tile of the row shows its face.",
                "row",
            ),
            (len(self.melds) > _MAX_MELDS, say("There are at most {n} melds.", n=_MAX_MELDS), "melds"),
            (any(len(meld) not in (3, 4) for meld in self.melds), "A meld has three or four tiles.", "melds"),
            (
                self.state in ("looking", "lost") and bool(self.concealed or self.melds),
                "Only a hand has tiles, covered or not.",
                "state",
            ),
            (
                any(not isinstance(r, str) or not _REASON.fullmatch(r) for r in self.reasons),
                say(_NO_REASON, names=", ".join(REASONS)),
                "reasons",
            ),
        ]
        seen = [t for t in (*self.concealed, *(t for meld in self.melds for t in meld)) if t.is_playable]
        kinds = [t.kind for t in seen]
        found.append((any(kinds.count(k) > _MAX_COPIES for k in set(kinds)), "There are four tiles of a kind.", "row"))
        return [Fault("bad_view", message, field) for wrong, message, field in found if wrong]
