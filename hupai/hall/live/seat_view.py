"""What a camera that looks at one player shows now: on its way to the stream, never stored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, Literal, Self, get_args

from scoring.errors import InvalidRequest, NotationError
from scoring.tiles import Tile, tile

State = Literal["looking", "hand", "covered", "lost"]
STATES: Final[tuple[State, ...]] = get_args(State)
REASONS: Final = ("no_row", "cut_off", "too_small", "too_steep", "too_dark", "blown_out", "blurred")
"""Why a hand is not seen, or not well: worded in the pages' catalogues as ``live.<reason>``."""
_REASON: Final = re.compile(rf"({'|'.join(REASONS)})(:\d\d?)?")
_MAX_ROW: Final = 17
_MAX_MELDS: Final = 5
_MAX_COPIES: Final = 4
_NO_VIEW: Final = "A view is an object with state, row, drawn, melds and reasons, as docs/api.md shows."


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
        BadSeatView: on construction.
    """

    state: State
    row: tuple[Tile, ...] = ()
    drawn: Tile | None = None
    melds: tuple[tuple[Tile, ...], ...] = ()
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if field := next(self._bad_fields(), None):
            raise BadSeatView(_NO_VIEW, field=field)

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
        except (NotationError, AttributeError, KeyError, TypeError) as error:
            raise BadSeatView(_NO_VIEW) from error

    def _bad_fields(self) -> Iterator[str]:
        if self.state not in STATES or (self.state in ("looking", "lost") and (self.concealed or self.melds)):
            yield "state"
        kinds = Counter(t.kind for t in (*self.concealed, *chain(*self.melds)) if t.is_playable)
        faces = all(t.is_playable or t.is_bonus for t in self.concealed)
        if len(self.row) > _MAX_ROW or not faces or max(kinds.values(), default=0) > _MAX_COPIES:
            yield "row"
        if len(self.melds) > _MAX_MELDS or any(len(meld) not in (3, 4) for meld in self.melds):
            yield "melds"
        if any(not isinstance(r, str) or not _REASON.fullmatch(r) for r in self.reasons):
            yield "reasons"
