"""What is told of a live hand: in order, how far it is, what it waits for, how many are left, what they are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from hupai.hall.live.seat_view import SeatView
from hupai.hall.store.live import TableNow
from hupai.web.answers.coach import count_shanten
from hupai.web.answers.scores import score_waits
from scoring.errors import HupaiError
from scoring.hand import MeldType
from scoring.seats import Seat
from scoring.tiles import Tile
from vision.layout.shapes import checked_shapes

DISCARDS: Final = 3
"""The best discards that are told."""


def tell(view: SeatView, wind: Seat, now: TableNow, others: Iterable[SeatView]) -> dict[str, Any]:
    """Return what is told of a view.

    Args:
        view: the hand. wind: the player's in this hand. now: what the table's game says about it.
        others: what the cameras of the table see at its other places: their melds lie open.

    Returns:
        ``state`` and ``reasons`` of the view; ``row`` in order, ``drawn``, ``melds``; ``shanten`` of all its tiles
        (None: not known); ``waits`` of a row that is ready, each with ``tile``, ``left``, and what is gained by it from
        a discard: ``score``, after riichi ``riichi`` (None: it wins nothing, or nobody knows); the best ``discards``,
        each with ``tile``, ``left`` and the ``draws`` that then help; ``counted``: what ``left`` knows of besides.
    """
    open_tiles = [t.code for seen in (view, *others) for meld in seen.melds for t in _open(meld)]
    seen = [*open_tiles, *now.indicators]
    row, drawn = sorted(view.row, key=_order), view.drawn
    bonus = [t.code for t in view.concealed if t.is_bonus]
    asked = {"rules": now.rules, "options": now.options, "seen": [t for t in seen if t[0] not in "fga"]}
    held, standing = [t for t in view.concealed if t.is_playable], [t for t in row if t.is_playable]
    full = checked_shapes(now.rules, now.options).size - 3 * len(view.melds)
    # A tile too few or too many: a moment of drawing, discarding, calling.
    far, discards = _distance(asked, held) if len(held) in (full - 1, full) else (None, [])
    waits = _waits(asked, standing, view.melds, bonus, _context(now, wind)) if len(standing) == full - 1 else []
    return {
        "state": view.state,
        "reasons": list(view.reasons),
        "row": [t.code for t in row],
        "drawn": drawn.code if drawn is not None else None,
        "melds": [[t.code for t in meld] for meld in view.melds],
        "shanten": far,
        "waits": waits,
        "discards": discards,
        "counted": ["melds", "indicators"] if now.indicators else ["melds"],
    }


def _order(t: Tile) -> tuple[int, bool]:
    return t.kind, not t.red


def _open(meld: Sequence[Tile]) -> tuple[Tile, ...]:
    """Return a meld with its tiles that lie face down named as the others are."""
    faces = [t for t in meld if t.is_playable or t.is_bonus]
    return tuple(t if t in faces else faces[0] for t in meld) if faces else ()


def _meld_json(meld: Sequence[Tile]) -> dict[str, Any]:
    tiles = _open(meld)
    if len({t.kind for t in tiles}) > 1:
        kind = MeldType.CHOW
    elif len(meld) == 3:
        kind = MeldType.PUNG
    else:
        hidden = any(not t.is_playable for t in meld)
        kind = MeldType.KONG_CONCEALED if hidden else MeldType.KONG_OPEN
    return {"type": kind.value, "tiles": [t.code for t in tiles]}


def _context(now: TableNow, wind: Seat) -> dict[str, Any]:
    """Return the circumstances of a win by a discard: the dealer's, or by the dealer that of the next player."""
    loser = Seat.S if wind is Seat.E else Seat.E
    found = {**now.context, "seat": wind.value, "win": "discard", "from": loser.value}
    return {**found, "dora_indicators": list(now.indicators)} if now.indicators else found


def _distance(asked: Mapping[str, Any], concealed: Sequence[Tile]) -> tuple[int | None, list[dict[str, Any]]]:
    found = count_shanten({**asked, "concealed": [t.code for t in concealed]})
    best = [
        {"tile": one["tile"], "left": sum(draw["left"] for draw in one["draws"]), "draws": one["draws"]}
        for one in found["discards"][:DISCARDS]
    ]
    return found["shanten"], best


def _waits(
    asked: Mapping[str, Any],
    row: Sequence[Tile],
    melds: Sequence[Sequence[Tile]],
    bonus: Sequence[str],
    context: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Return the waits of a row that is ready; none of one that is not, or is not whole."""
    codes = [t.code for t in row]
    near = count_shanten({**asked, "concealed": codes})
    if near["shanten"] != 0:
        return []
    hand = {
        "rules": asked["rules"],
        "options": asked["options"],
        "concealed": codes,
        "melds": [_meld_json(meld) for meld in melds],
        "bonus": list(bonus),
        "context": context,
    }
    try:
        scored = {one["tile"]: one for one in score_waits(hand, [draw["tile"] for draw in near["draws"]])["waits"]}
    except HupaiError:  # what the rules ask besides is not known; the waits are
        scored = {}
    seat = context["seat"]
    return [
        {**draw, **{name: _gain(scored.get(draw["tile"], {}).get(name), seat) for name in ("score", "riichi")}}
        for draw in near["draws"]
    ]


def _gain(score: Mapping[str, Any] | None, seat: str) -> Any:
    return score["payments"][seat] if score and score["legal"] and score["payments"] else None
