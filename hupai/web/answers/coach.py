"""A hand that has not won: how far it is, what brings it nearer, and what its waits would be worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hupai.web.answers.scores import parse_tiles_or_none, score_waits
from hupai.web.errors import BadValue
from scoring.arrangements.splits import count_tiles
from scoring.errors import HupaiError, InvalidRequest, choice_message
from scoring.fields.reader import OBJECT, FieldReader, field_names, type_message
from scoring.rules import systems
from scoring.tiles import PLAIN, WHITE, Tile
from vision.hand.shanten import best_discards, shanten, tiles_nearer
from vision.layout.shapes import HandRules, checked_shapes

NOT_A_HAND: Final = (
    "concealed is a full hand, or one tile short of it, without its melds; seen the tiles that lie open elsewhere."
)
_TO_SCORE: Final = ("melds", "bonus", "context")
_FIELDS: Final = field_names("rules", "options", "concealed", "seen", *_TO_SCORE)


def count_shanten(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return how far a hand is from waiting, and the tiles that bring it nearer, of a full one after which discard.

    A hand that wins is -1 away, one that waits 0. Where nobody has said which tiles are wild, the distance is null.

    Raises:
        InvalidRequest: unknown fields, rules or house rules. BadValue: not a hand, or one tile short of it.
    """
    rules, options, context = request.get("rules"), request.get("options") or {}, request.get("context") or {}
    reader = FieldReader()
    reader.unknown(request, _FIELDS, "")
    if not isinstance(rules, str):
        reader.fault("unknown_rules", choice_message("rules", systems(), rules), "rules")
    if not isinstance(options, Mapping):
        reader.fault("bad_value", type_message(OBJECT, "options", '{"players": 3}'), "options")
    if not isinstance(context, Mapping):
        reader.fault("bad_value", type_message(OBJECT, "context", '{"seat": "S"}'), "context")
    if reader.faults:
        raise InvalidRequest.of(reader.faults)
    shapes = checked_shapes(rules, options)
    concealed, others = parse_tiles_or_none(request.get("concealed")), parse_tiles_or_none(request.get("seen") or [])
    if concealed is None or others is None:
        raise BadValue(NOT_A_HAND, field="concealed" if concealed is None else "seen")
    counts, seen = count_tiles(concealed), count_tiles(others)
    if sum(counts) % 3 == 0 or sum(counts) > shapes.size:
        raise BadValue(NOT_A_HAND, field="concealed")
    wild = None
    if shapes.wild:
        wild = _wild_kind(options, context, seen)
        if wild is None:
            return {"shanten": None, "draws": [], "discards": []}
    far = shanten(counts, shapes, wild)
    if sum(counts) % 3 == 1:
        return {"shanten": far, "draws": _drawn(tiles_nearer(counts, shapes, seen, wild)), "discards": []}
    return {"shanten": far, "draws": [], "discards": _discards(request, concealed, counts, shapes, seen, wild, far)}


def _discards(
    request: Mapping[str, Any],
    concealed: Sequence[Tile],
    counts: Sequence[int],
    shapes: HandRules,
    seen: Sequence[int],
    wild: int | None,
    far: int,
) -> list[dict[str, Any]]:
    """Return what a full hand may discard and be as near as before, the best first, red fives last of their kind."""
    found = []
    for kind, draws in best_discards(counts, shapes, seen, wild).items():
        dropped = min((tile for tile in concealed if tile.kind == kind), key=lambda tile: tile.red)
        rest = list(concealed)
        rest.remove(dropped)
        drawn = _drawn(draws)
        waits = _score_waits(request, rest, [draw["tile"] for draw in drawn]) if far == 0 and draws else []
        found.append({"tile": dropped.code, "draws": drawn, "waits": waits})
    return found


def _score_waits(request: Mapping[str, Any], rest: Sequence[Tile], drawn: Sequence[str]) -> list[dict[str, Any]]:
    """Return the scores of the waits; none where the request does not say how the hand is won, or makes no sense."""
    asked = {name: request[name] for name in ("rules", "options", *_TO_SCORE) if request.get(name) is not None}
    try:
        return list(score_waits({**asked, "concealed": [tile.code for tile in rest]}, drawn)["waits"])
    except HupaiError:  # how far the hand is does not depend on this
        return []


def _drawn(tiles: Mapping[int, int]) -> list[dict[str, Any]]:
    return [{"tile": PLAIN[kind].code, "left": left} for kind, left in tiles.items()]


def _wild_kind(options: Mapping[str, Any], context: Mapping[str, Any], seen: list[int]) -> int | None:
    """Return the kind of the wild tiles, None where nobody said; their indicator lies open, and is seen."""
    indicator = context.get("indicator")
    if options.get("permanent") or indicator == "permanent":
        return WHITE
    found = parse_tiles_or_none(indicator) if isinstance(indicator, str) else None
    if found is None or len(found) != 1 or not found[0].is_playable:
        return None
    kind = found[0].kind
    seen[kind] = max(seen[kind], 1)
    return kind
