"""Write ``scripts/docs/hands.json``: an example hand for every element, for the rules' pages.

The examples are the worked hands of tests/golden/, the plainest that has the element. Where none has it, the hand that
stands in the file already is kept, if it scores the element: such a hand is written into it by hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from scoring.request import respond
from scoring.rules import systems
from scoring.system import RuleSystem
from scoring.tiles import Tile, parse_tiles, tile

ROOT: Final = Path(__file__).resolve().parents[2]
FILE: Final = Path(__file__).with_name("hands.json")


def example(system: str, element: str) -> dict[str, Any] | None:
    """A score request whose hand has the element; None if there is none."""
    return _listed().get(system, {}).get(element)


@cache
def _listed() -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def groups_of(request: Mapping[str, Any]) -> tuple[tuple[Tile, ...], ...]:
    """The tiles of a hand as shown: concealed tiles, melds, the winning tile, bonus tiles."""
    melds = [_tiles(meld["tiles"]) for meld in request.get("melds") or ()]
    won = request.get("winning_tile")
    last = [(tile(won),) if won else (), _tiles(request.get("bonus") or "")]
    return tuple(group for group in (_tiles(request["concealed"]), *melds, *last) if group)


def _tiles(given: str | list[str]) -> tuple[Tile, ...]:
    return parse_tiles(given) if isinstance(given, str) else tuple(tile(code) for code in given)


def worked_hands(system: RuleSystem[Any]) -> list[dict[str, Any]]:
    """The golden hands of a system; none for one that has no file of them."""
    golden = ROOT / "tests" / "golden" / f"{system.id}.json"
    return json.loads(golden.read_text(encoding="utf-8")) if golden.exists() else []


def _example(system: RuleSystem[Any], element: str, worked: list[dict[str, Any]]) -> dict[str, Any] | None:
    """A request whose hand scores the element: the worked hand with the fewest other elements, or the one in the file.

    Raises:
        ValueError: the hand in the file does not score it.
    """
    having = [w for w in worked if w["expected"]["legal"] and element in (w["expected"]["elements"] or {})]
    if having:
        best = min(having, key=lambda w: (len(w["expected"]["elements"]), len(w["request"].get("options") or {})))
        return best["request"]
    ours = example(system.id, element)
    if ours is not None and element not in {line["id"] for line in respond(ours).get("elements", ())}:
        raise ValueError(f"{system.id}: the hand in {FILE.name} for {element} does not score it")
    return ours


def list_hands() -> str:
    """Rules -> element -> its example hand, as JSON, an element a line."""
    rules = []
    for system in systems().values():
        worked = worked_hands(system)
        found = ((e.id, _example(system, e.id, worked)) for e in system.elements)
        lines = [f"    {json.dumps(id_)}: {json.dumps(hand)}" for id_, hand in found if hand is not None]
        rules.append("  " + json.dumps(system.id) + ": {\n" + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(rules) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(list_hands(), encoding="utf-8")
